"""Choosing criteria: sets that go together, single ones, or one's own; and what each means, with
the ends of its scale.
"""

from collections.abc import Mapping, Sequence

import streamlit as st

from components.shell.text import inline
from core.errors import BadInput
from core.records import Criterion, Kind, Task
from core.runs.planning import validated
from core.studies import texts

MOST = 8
OURS = tuple(dict.fromkeys(name for names in texts.PRESETS.values() for name in names))
PARTS = (("meaning", "What it means"), ("low", "1 means"), ("high", "10 means"))


def draw(key: str, task: Task, kind: Kind, given: Sequence[Criterion]) -> tuple[Criterion, ...]:
    """Draw the choice, at first what is given, and return the criteria; raises BadInput for one
    that nobody has described.
    """
    if task == "comment":
        st.caption(
            "Three questions are asked of every round: was the review valid, did the revision"
            " answer it, is the idea better, the same or worse?"
        )
        return ()
    key, held = f"{key}:criteria:{task}:{kind}", {one.name: one for one in given}
    names = _names(key, held)
    if not names:
        raise BadInput("Choose at least one criterion.")
    if len(names) > MOST:
        raise BadInput(f"{len(names)} criteria are chosen; {MOST} at most. Take some out.")
    with st.expander("What each criterion means, and the ends of its scale", key=f"{key}:anchors"):
        return tuple(_described(key, name, held.get(name)) for name in names)


def _names(key: str, held: Mapping[str, Criterion]) -> list[str]:
    own = [name for name in held if name not in OURS]
    st.session_state.setdefault(key, [name for name in held if name in OURS])
    st.session_state.setdefault(f"{key}:own", ", ".join(own))
    picked = (
        st.pills(
            "Criteria",
            OURS,
            selection_mode="multi",
            key=key,
            persist_state="session",
            wrap=True,
            format_func=inline,
        )
        or []
    )
    left, right = st.columns(2)
    left.selectbox(
        "A set that goes together",
        list(texts.PRESETS),
        index=None,
        key=f"{key}:preset",
        placeholder="Take one in place of these",
        on_change=_take,
        args=(key,),
    )
    typed = (
        right.text_input(
            "Your own criteria, a comma between",
            key=f"{key}:own",
            persist_state="session",
            max_chars=300,
        )
        or ""
    )
    mine = [" ".join(part.split()) for part in typed.split(",") if part.strip()]
    return list(dict.fromkeys([name for name in OURS if name in picked] + mine))


def _take(key: str) -> None:
    """Put a set in place of what is picked; a callback."""
    if name := st.session_state.get(f"{key}:preset"):
        st.session_state[key] = list(texts.PRESETS[name])


def _described(key: str, name: str, given: Criterion | None) -> Criterion:
    known = given or (texts.criterion(name) if name.casefold() in OURS else None)
    st.markdown(f"**{inline(name, 100)}**")
    said: dict[str, str] = {}
    whole, (left, right) = st.container(), st.columns(2)
    for place, (part, label) in zip((whole, left, right), PARTS, strict=True):
        with place:
            said[part] = (
                st.text_area(
                    label,
                    getattr(known, part, ""),
                    key=f"{key}:{name}:{part}",
                    height=80,
                    max_chars=600,
                    persist_state="session",
                )
                or ""
            )
    if lacking := [label.lower() for part, label in PARTS if not said[part].strip()]:
        raise BadInput(
            f"{name}: fill in “{'” and “'.join(lacking)}”, under “What each criterion means”."
        )
    return validated(Criterion, name=name, **said)
