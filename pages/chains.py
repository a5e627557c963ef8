"""Chains: from a topic to the idea that comes next."""
from components import chain_form, chain_view, services
from components.frame import addressed, frame

with frame("pages/chains.py"):
    asked = addressed("run", "topic")
    if asked["run"]:
        chain_view.whole(services.store().runs.get(asked["run"]))
    else:
        chain_form.draw(asked["topic"])
