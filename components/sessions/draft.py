"""A draft: what is there, what is missing before it opens, and a look at it as an expert."""

from collections.abc import Iterator
from typing import NamedTuple

import streamlit as st

from components.sessions import acts, ahead
from components.sessions.words import amount, units
from components.shell import services
from components.shell.text import counted
from core.records import Record, Study
from core.studies.organising import LEFT


class Requirement(NamedTuple):
    """One thing an open session needs; `missing` says what to do."""

    there: str
    missing: str = ""


def draw(study: Study) -> None:
    """Draw what opening takes, the work for each expert, and the way to the preview."""
    left, right = st.columns([3, 2], gap="large")
    points = tuple(_points(study))
    with left:
        for one in points:
            st.markdown(
                f":material/radio_button_unchecked: {one.missing}"
                if one.missing
                else f":material/check_circle: {one.there}"
            )
        st.markdown(
            ":material/visibility_off: Look at “Blinding” before you open it: sources stay hidden,"
            " from you too, until it is closed."
        )
        with st.container(horizontal=True, vertical_alignment="center"):
            st.page_link(
                "pages/annotate.py",
                label="Preview as an expert",
                icon=":material/preview:",
                query_params={"preview": study.id},
            )
            if any(one.missing for one in points):
                st.button(
                    "Open the session", icon=":material/lock_open:", key="study:open", disabled=True
                )
            else:
                acts.open_it(study)
    with right, st.container(border=True):
        _burden(study)


def _points(study: Study) -> Iterator[Requirement]:
    store, overlap = services.store(), study.plan.overlap
    known = {unit for unit, one in store.study_keys.units(study.id).items() if one.attention}
    work = [one for one in store.studies.units(study.id) if one.id not in known]
    texts = len({label for one in work for label in one.labels})
    what = amount(study.plan, len(work)) + (
        f", made of {counted(texts, 'text')}" if texts != len(work) else ""
    )
    yield Requirement(
        f"{what}, and {counted(len(known), 'check')} of attention",
        "" if work else "There are no texts yet. Set up another session with some.",
    )
    people = _people(study)
    seats = (
        f"{counted(people, 'seat')} for experts; each {units(study.plan.task)} is answered by"
        f" {overlap}"
    )
    lacking = overlap - people
    yield Requirement(
        seats,
        (
            ""
            if lacking <= 0
            else (
                f"{seats}. Add {counted(lacking, 'seat')} under “Experts”, or ask fewer experts"
                " under “Set-up”."
            )
        ),
    )


def _people(study: Study) -> int:
    return sum(
        not one.model and one.step not in LEFT for one in services.store().seats.of(study.id)
    )


def _burden(study: Study) -> None:
    store = services.store()
    known = {unit for unit, one in store.study_keys.units(study.id).items() if one.attention}
    work = [one for one in store.studies.units(study.id) if one.id not in known]
    if not work:
        st.caption("How much work it is depends on the texts.")
        return
    held = store.studies.items(study.id)
    texts = store.frozen.several(tuple(dict.fromkeys(held.values())), Record)
    st.markdown("**The work for one expert**")
    ahead.burden(
        study.plan,
        work,
        {label: ahead.said(texts[sha]) for label, sha in held.items()},
        f"study:{study.id}",
        _people(study),
    )
