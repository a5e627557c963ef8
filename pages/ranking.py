"""Ranking: where a published idea stands among others, judged blind."""

from components import ranking_form, ranking_view, services
from components.frame import addressed, frame

with frame("pages/ranking.py"):
    asked = addressed("run", "collection", "from")
    if asked["run"]:
        ranking_view.whole(services.store().runs.get(asked["run"]))
    else:
        ranking_form.draw(asked)
