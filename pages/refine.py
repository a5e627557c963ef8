"""Refine: three actors improve an idea, round by round."""

from components import refine_form, refine_view, services
from components.frame import addressed, frame

with frame("pages/refine.py"):
    asked = addressed("run", "view", "round", "line", "a", "b", "from", "cell", "topic")
    if asked["run"]:
        refine_view.whole(services.store().runs.get(asked["run"]))
    else:
        refine_form.draw(asked)
