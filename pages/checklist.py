"""Checklist: nine items judged one by one, a directive for each that fails, and the next
version.
"""

from components import checklist_form, checklist_view, services
from components.frame import addressed, frame

with frame("pages/checklist.py"):
    asked = addressed("run", "view", "line", "step", "item", "topic", "idea", "from")
    if asked["run"]:
        checklist_view.whole(services.store().runs.get(asked["run"]))
    else:
        checklist_form.draw(asked)
