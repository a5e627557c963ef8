"""Chains: from a topic to the idea that comes next."""

from components.chains import baseline as baseline_view
from components.chains import form as chain_form
from components.chains import view as chain_view
from components.shell import services
from components.shell.frame import addressed, frame

with frame("pages/chains.py"):
    asked = addressed("run", "topic", "view", "paper", "with")
    if asked["run"]:
        run = services.store().runs.get(asked["run"])
        (
            baseline_view if run.config.method in ("rag", "direct", "real-paper") else chain_view
        ).whole(run)
    else:
        chain_form.draw(asked["topic"])
