"""Training: a small model learns to write better ideas from the checklist's rewards and
directives.
"""

from components.shell import gone
from components.shell.frame import addressed, frame
from components.training import form as training_form
from components.training import view as training_view

with frame("pages/training.py"):
    asked = addressed("run", "data")
    if asked["run"]:
        if run := gone.found(asked["run"], "pages/training.py", "All trainings"):
            training_view.whole(run)
    else:
        training_form.draw(asked["data"])
