"""Novelty: whether an idea is new, claim by claim, with who had each first and in whose words."""

from components.novelty import form as novelty_form
from components.novelty import view as novelty_view
from components.shell import gone
from components.shell.frame import addressed, frame

with frame("pages/novelty.py"):
    asked = addressed("run", "cell", "idea", "from", "at", "line")
    if asked["run"]:
        if run := gone.found(asked["run"], "pages/novelty.py", "All novelty checks"):
            novelty_view.whole(run)
    else:
        novelty_form.draw(asked)
