"""An address that a page says itself, so that a link and a reload restore what is looked at, and
that the way back in the browser changes under it.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

LATE = 1.0
"""Seconds for which the browser may still send an address that the page has left: what a person
does meanwhile is sent with it.
"""


@dataclass
class _Place:
    said: tuple[str, ...] | None = None
    """What the page said last, or took over."""
    left: dict[tuple[str, ...], float] = field(default_factory=dict)
    """When it left which address for another."""


def wished(key: str, asked: tuple[str, ...]) -> bool:
    """Return whether somebody wishes for this address, which is to be taken over then: the page
    neither said it last nor left it a moment ago.
    """
    held, now = _place(key), time.monotonic()
    if asked == held.said:
        return False
    if held.said is not None and _draws_a_part():
        # A link, or the way back, has the whole page drawn: this browser has not heard yet.
        held.left[asked] = now
        return False
    wish = now - held.left.get(asked, float("-inf")) >= LATE
    if wish:
        held.said = asked
    return wish


def _draws_a_part() -> bool:
    """Say whether a part of the page alone is drawn, by its timer or for a press in it."""
    drawing = get_script_run_ctx()
    return bool(drawing and drawing.fragment_ids_this_run)


def asked_for(names: Sequence[str]) -> tuple[str, ...]:
    """Return what the address says under these names, empty where it says nothing."""
    return tuple(st.query_params.get(name, "") for name in names)


def say(key: str, names: Sequence[str], said: tuple[str, ...]) -> None:
    """Make the address say this under these names, where an empty text goes without saying; what it
    says under others stays.
    """
    held, before = _place(key), asked_for(names)
    told = before if held.said is None else held.said
    changed = {
        name: value for name, value, was in zip(names, said, before, strict=True) if value != was
    }
    if changed:
        held.left[before] = time.monotonic()
    held.said = said
    if not changed and told != said:
        # The browser sent an address that it has left meanwhile: it is told once more.
        st.query_params.update()
    if len(changed) > 1:  # In one go: each change by itself would be a page to go back through.
        st.query_params.from_dict(
            {name: value for name, value in (st.query_params.to_dict() | changed).items() if value}
        )
    else:  # Names that widgets are bound to may stand beside, and must not be written.
        for name, value in changed.items():
            if value:
                st.query_params[name] = value
            else:
                st.query_params.pop(name, None)


# Streamlit would add a page to the browser's history with each change.
_REPLACES = """
export default function ({ data }) {
  const address = new URL(window.location.href)
  if ((address.searchParams.get(data.name) || "") === data.value) return
  if (data.value) address.searchParams.set(data.name, data.value)
  else address.searchParams.delete(data.name)
  window.history.replaceState(window.history.state, "", address)
}
"""


def replace(name: str, value: str) -> None:
    """Make the address say this under a name, with no page to go back through; the server hears of
    it with the next thing that a person does.
    """
    st.components.v2.component("address_replaces", js=_REPLACES)(
        key=f"address:replaces:{name}", data={"name": name, "value": value}, height=1
    )


def follow_renamed(key: str, names: Mapping[str, str]) -> None:
    """Open the tab that the address calls by an earlier name; `names` holds new names by old."""
    if name := names.get(st.query_params.get(key, "")):
        st.session_state[key] = name


def _place(key: str) -> _Place:
    held: _Place = st.session_state.setdefault(f"address:{key}", _Place())
    return held
