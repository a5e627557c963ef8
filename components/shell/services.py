"""The one workshop and the one runner of this server.

functools.cache, not st.cache_resource: the runner must start with the server, before any visitor,
and what the server's start-up makes outside a script run is not what st.cache_resource hands to
pages (tried on Streamlit 1.67).
"""

from functools import cache
from typing import Any

from core import settings
from core.door import Door
from core.errors import BadInput, StoreFailed
from core.records import Record, Run, Wish
from core.runs import beginning
from core.runs.runner import Runner
from core.runs.workshop import Workshop
from core.settings import Settings
from core.store import Store


@cache
def workshop() -> Workshop:
    """Return this server's workshop."""
    return Workshop(settings.read())


def chosen() -> Settings:
    """Return this server's settings, also while its database cannot be opened; raises BadInput."""
    try:
        return workshop().settings
    except StoreFailed:
        return settings.read()


@cache
def runner() -> Runner:
    """Return this server's runner."""
    return Runner(workshop())


def store() -> Store:
    """Return this server's store."""
    return workshop().store


@cache
def door() -> Door:
    """Return this server's door, which remembers failed tries; raises BadInput where no password is
    set.
    """
    if not (password := workshop().settings.password):
        raise BadInput(
            "There is no password to sign in with. Set FOUNDRY_PASSWORD and start again."
        )
    return Door(store(), password)


def begin(
    method: str, inputs: Record, title: str, wishes: tuple[Wish, ...] = (), **asked: Any
) -> Run:
    """Start a run, with what somebody wishes of it from the start, and return it; raises
    BadInput.
    """
    run = beginning.begin(runner(), method, inputs, title, **asked)
    for wish in wishes:
        store().answers.wish(run.id, wish)
    runner().start(run.id)
    return run


def forget() -> None:
    """Let the next call make new ones (tests)."""
    door.cache_clear()
    runner.cache_clear()
    workshop.cache_clear()
