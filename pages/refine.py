"""Refine: three actors improve an idea, round by round."""

from components.refine import form as refine_form
from components.refine import view as refine_view
from components.shell import services
from components.shell.frame import addressed, frame

with frame("pages/refine.py"):
    asked = addressed("run", "view", "round", "line", "a", "b", "from", "cell", "topic")
    if asked["run"]:
        refine_view.whole(services.store().runs.get(asked["run"]))
    else:
        refine_form.draw(asked)
