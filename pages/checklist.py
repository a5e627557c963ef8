"""Checklist: nine items judged one by one, a directive for each that fails, and the next
version.
"""

from components.checklist import form as checklist_form
from components.checklist import view as checklist_view
from components.shell import gone
from components.shell.frame import addressed, frame

with frame("pages/checklist.py"):
    asked = addressed("run", "view", "line", "step", "item", "topic", "idea", "from")
    if asked["run"]:
        if run := gone.found(asked["run"], "pages/checklist.py", "All checklist evolutions"):
            checklist_view.whole(run)
    else:
        checklist_form.draw(asked)
