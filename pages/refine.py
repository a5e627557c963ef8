"""Refine: three actors improve an idea, round by round."""

from components.refine import form as refine_form
from components.refine import view as refine_view
from components.shell import gone
from components.shell.frame import addressed, frame

with frame("pages/refine.py"):
    asked = addressed("run", "view", "round", "line", "a", "b", "from", "cell", "idea", "topic")
    if asked["run"]:
        if run := gone.found(asked["run"], "pages/refine.py", "All refinements"):
            refine_view.whole(run)
    else:
        refine_form.draw(asked)
