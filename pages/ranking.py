"""Ranking: where a published idea stands among others, judged blind."""

from components.ranking import form as ranking_form
from components.ranking import view as ranking_view
from components.shell import gone
from components.shell.frame import addressed, frame

with frame("pages/ranking.py"):
    asked = addressed("run", "collection", "from", "ideas")
    if asked["run"]:
        if run := gone.found(asked["run"], "pages/ranking.py", "All rankings"):
            ranking_view.whole(run)
    else:
        ranking_form.draw(asked)
