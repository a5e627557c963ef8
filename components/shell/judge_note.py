"""What a session has found of a model judge, in one line wherever the judge's figures are shown."""

from collections.abc import Iterable

import streamlit as st

from components.shell import services
from components.shell.text import inline
from core.studies.tested_judges import TestedJudge, tested_judges

PAGE = "pages/sessions.py"
MOST = 3
"""Notes that are shown at once; the sessions hold all."""
_held: dict[str, tuple[object, tuple[TestedJudge, ...]]] = {}


def draw(models: Iterable[str]) -> None:
    """Draw for each of these models what the newest session that tested it says, with a link to
    it; nothing for a model that no session has tested.
    """
    newest: dict[str, TestedJudge] = {}
    for one in _tested():
        newest.setdefault(one.model, one)
    found = [newest[model] for model in dict.fromkeys(models) if model in newest]
    for one in found[:MOST]:
        with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
            st.markdown(
                f":material/balance: {inline(one.model, 80)} in place of experts:"
                f" {inline(one.said, 300)}",
                width="content",
            )
            st.page_link(
                PAGE,
                label=f"Session “{inline(one.name, 60)}”",
                query_params={"session": one.study, "tab": "Agreement"},
                width="content",
            )


def _tested() -> tuple[TestedJudge, ...]:
    """Return what closed sessions say, computed again once another one is closed or removed."""
    store = services.store()
    place = str(store.folder)
    stamp = tuple((one.id, one.state) for one in store.studies.listed() if one.state == "closed")
    known = _held.get(place)
    if known is None or known[0] != stamp:
        known = _held[place] = (stamp, tested_judges(store))
    return known[1]
