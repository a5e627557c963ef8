"""Shortlist: from a topic to the few ideas worth a month."""

from components.shell import gone
from components.shell.frame import addressed, frame
from components.shortlist import form as shortlist_form
from components.shortlist import view as shortlist_view

with frame("pages/shortlist.py"):
    asked = addressed("run", "topic", "view", "a", "b")
    if asked["run"]:
        if run := gone.found(asked["run"], "pages/shortlist.py", "All shortlists"):
            shortlist_view.whole(run)
    else:
        shortlist_form.draw(asked["topic"])
