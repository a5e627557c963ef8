"""Chains: from a topic to the idea that comes next."""

from components.chains import form as chain_form
from components.chains import view as chain_view
from components.shell import gone
from components.shell.frame import addressed, frame
from core.runs.catalogue import entry

with frame("pages/chains.py"):
    asked = addressed("run", "topic", "view", "paper", "with", "edits", "not-again")
    if asked["run"]:
        if run := gone.found(asked["run"], "pages/chains.py", "All chains"):
            chain = entry(run.config).view == "chain"
            (chain_view.whole if chain else chain_view.baseline)(run)
    else:
        chain_form.draw(asked["topic"], asked["not-again"])
