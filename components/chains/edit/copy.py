"""The chain as a person is making it: a working copy, apart for every run and branch, that outlives
reruns, other pages and a reload.
"""

import secrets
from collections.abc import Callable

import streamlit as st
from pydantic import ValidationError

from components.shell import services
from core.errors import BadInput
from core.records import Chain, Record, Run
from core.store.places import CHAIN_EDIT

STEPS_BACK = 30
"""How many changes can be undone."""
LEFT = "edits"
"""What the address has once there are changes: under it a reload finds them again."""


class Copy(Record):
    """How the chain is now, and how it was before each change, newest last."""

    now: Chain
    past: tuple[Chain, ...] = ()


def key(run: Run, n: int) -> str:
    """Return under which name all that belongs to editing branch `n` of a run is kept."""
    return CHAIN_EDIT.format(run.id, n)


def load(key: str, settled: Chain) -> Copy:
    """Return the working copy; a new one of the settled chain where there is none."""
    found = _found(key)
    if found is None:
        found = Copy(now=settled)
        save(key, found)
    return found


def changes(key: str) -> int:
    """Return how many changes to the papers are not made yet."""
    found = _found(key)
    return len(found.past) if found else 0


def save(key: str, copy: Copy) -> None:
    """Keep the working copy, as JSON: records of a program that was changed since would not be of
    its types any more. What has changes is kept in the store as well, for after a reload, under
    a name that this page's address alone has: nobody else's copy is mixed with it.
    """
    st.session_state[key] = copy.model_dump_json()
    if copy.past and LEFT not in st.query_params:
        st.query_params[LEFT] = secrets.token_hex(4)
    _store(key, st.session_state[key] if copy.past else None)


def _found(key: str) -> Copy | None:
    """Return the working copy of this session, or the one left before the page was reloaded."""
    if key not in st.session_state:
        kept = services.store().places.choice(_name(key)) if LEFT in st.query_params else None
        if kept is None:
            return None
        try:
            Copy.model_validate_json(kept)
        except ValidationError:  # Left by a program whose records were others.
            return None
        st.session_state[key] = kept
    return Copy.model_validate_json(st.session_state[key])


def _store(key: str, kept: str | None) -> None:
    if LEFT in st.query_params:
        services.store().places.choose(_name(key), kept)


def _name(key: str) -> str:
    return f"draft:{key}:{st.query_params[LEFT][:20]}"


def change(key: str, edit: Callable[[Chain, str], Chain], at: str | None = None) -> None:
    """Change the working copy, for a button to call, and pick the paper `at`; what cannot be done
    is kept to be said.

    `edit` is handed the paper picked at this moment: whoever picks and presses quickly is ahead of
    what the button was drawn with.
    """
    copy = Copy.model_validate_json(st.session_state[key])
    refuse(key, "")
    try:
        after = edit(copy.now, str(st.session_state.get(picked(key))))
    except BadInput as error:
        refuse(key, str(error))
        return
    if after == copy.now:
        refuse(key, "No change: the chain is already like that.")
        return
    save(key, Copy(now=after, past=(*copy.past, copy.now)[-STEPS_BACK:]))
    _pick(key, copy.now, after, at)


def undo(key: str) -> None:
    """Take the last change back."""
    copy = Copy.model_validate_json(st.session_state[key])
    refuse(key, "" if copy.past else "There is nothing to undo.")
    if copy.past:
        *past, before = copy.past
        save(key, Copy(now=before, past=tuple(past)))
        _pick(key, copy.now, before, None)


def discard(key: str) -> None:
    """Forget the working copy."""
    st.session_state.pop(key, None)
    _store(key, None)
    refuse(key, "")


def refuse(key: str, reason: str) -> None:
    """Keep why something could not be done, until the next change."""
    st.session_state[f"{key}:refused"], st.session_state[f"{key}:unsaid"] = reason, bool(reason)


def refused(key: str) -> tuple[str, bool]:
    """Return why the last change could not be made, empty where it could, and whether this is the
    first time it is said.
    """
    return str(st.session_state.get(f"{key}:refused", "")), bool(
        st.session_state.pop(f"{key}:unsaid", False)
    )


def picked(key: str) -> str:
    """Return under which name the id of the picked paper is kept."""
    return f"{key}:paper"


def _pick(key: str, before: Chain, after: Chain, at: str | None) -> None:
    """Keep a paper picked that is in the chain: the one asked for, the one that was, or what took
    its place.
    """
    ids = [paper.id for paper in after.papers]
    picked_id = at or st.session_state.get(picked(key))
    if picked_id not in ids:
        ids_before = [paper.id for paper in before.papers]
        place = ids_before.index(picked_id) if picked_id in ids_before else 0
        picked_id = ids[min(place, len(ids) - 1)]
    st.session_state[picked(key)] = picked_id
