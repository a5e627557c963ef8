"""A draft: what is missing before it opens, a look at it as an expert, how sure it is to find a
difference, and whether its texts give their sources away.
"""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import streamlit as st

from components.annotate import texts as seat_texts
from components.sessions import acts, ahead, language
from components.sessions.words import amount, units
from components.shell import in_view, services
from components.shell import table as experiment_table
from components.shell.text import counted, inline
from core.agreement.power import (
    MOST_EXPERTS,
    MOST_IDEAS,
    MOST_SCORES,
    MOST_TOPICS,
    PowerDesign,
    needed,
    power,
    said,
)
from core.records import Design, Idea, Record, Study, Table, Trajectory
from core.runs.planning import validated
from core.studies import languages
from core.studies.blinding import FEATURES, Blinding, FeatureGuess, report, tables
from core.studies.organising import LEFT, check_labels, work_units
from core.studies.sourced import named

SIMULATED = 200
SHARES = (
    ("of_reviewers", "Reviewers", "How much of the variance of scores is that reviewers differ."),
    ("of_topics", "Topics", "How much is that topics differ."),
    ("of_ideas", "Ideas", "How much is that ideas of one source differ."),
)


class Requirement(NamedTuple):
    """One thing an open session needs; `missing` says what to do."""

    there: str
    missing: str = ""


MOST_PASSAGES = 300
"""Passages shown; the file has all."""
READ = "study-read"
"""The container of the text that is read whole."""


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
        _power(study, _people(study))


def _points(study: Study) -> Iterator[Requirement]:
    store = services.store()
    overlap = study.plan.overlap
    work = work_units(store, study.id)
    checks = len(store.studies.units(study.id)) - len(work)
    texts = len({label for one in work for label in one.labels})
    made_of = f", made of {counted(texts, 'text')}" if texts != len(work) else ""
    yield Requirement(
        f"{amount(study.plan, len(work))}{made_of}, and {counted(checks, 'attention check')}",
        "" if work else "There are no texts yet. Set up another session with some.",
    )
    people = _people(study)
    seats = (
        f"{counted(people, 'seat')} for experts; each {units(study.plan.task)} is answered by"
        f" {overlap}"
    )
    missing = (
        f"{seats}. Add {counted(overlap - people, 'seat')} under “Experts”, or ask fewer experts"
        " under “Set-up”."
    )
    yield Requirement(seats, missing if people < overlap else "")
    if study.plan.wording:
        called = language.name(study.plan)
        lacks = languages.lacking(study.plan)
        said = inline("; ".join(lacks), 600)
        missing = f"The texts in {called} lack: {said}. Give them under “Set-up”."
        yield Requirement(f"Experts read the screens in {called}", missing if lacks else "")


def _people(study: Study) -> int:
    return sum(
        not one.model and one.step not in LEFT for one in services.store().seats.of(study.id)
    )


def _burden(study: Study) -> None:
    store = services.store()
    work = work_units(store, study.id)
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


# -- whether texts give their sources away --------------------------------------------------


def blinding(study: Study) -> None:
    """Draw the blinding report: its conclusion, how texts look by source, and words that may name a
    source.
    """
    if not services.store().studies.items(study.id):
        st.info(
            "There are no texts yet, so there is nothing to tell apart.",
            icon=":material/visibility_off:",
        )
        return
    found = report(services.store(), study.id)
    st.markdown(f"**{inline(found.conclusion, 800)}**")
    shapes, words = tables(found)
    experiment_table.draw(shapes.model_copy(update={"note": ""}), f"study:blinding:{study.id}")
    _guesses(found)
    if words.rows:
        _telling_words(study, words)
    _read_text(study)


def _telling_words(study: Study, words: Table) -> None:
    experiment_table.draw(
        words.model_copy(update={"rows": words.rows[:MOST_PASSAGES]}), f"study:blinding:{study.id}"
    )
    st.caption(
        "A listed word need not reveal a source: check it in its text. A text that gives itself"
        " away can be left out, or edited and imported again. Neither labels nor sources stand"
        " beside words here, so that you stay blind, too, once the session is open."
    )


def _read_text(study: Study) -> None:
    """Draw a choice of the texts, by number and without their labels, and the chosen one whole."""
    st.markdown("##### The texts, as experts read them")
    held = services.store().studies.items(study.id)
    checks = check_labels(services.store(), study.id)
    # In the order of their hashes, which says nothing of labels or sources.
    order = sorted(held, key=lambda label: (label in checks, held[label]))
    number = st.selectbox(
        "Text",
        range(1, len(order) + 1),
        index=None,
        key=f"study:read:{study.id}",
        placeholder="Choose one to read it",
        width=520,
        format_func=lambda n: (
            f"Text {n} (attention check)" if order[n - 1] in checks else f"Text {n}"
        ),
        on_change=in_view.wish,
        args=(READ,),
    )
    if number and number <= len(order):
        text = services.store().frozen.get(held[order[number - 1]], Record)
        with st.container(border=True, key=READ):
            if isinstance(text, Idea | Design | Trajectory):
                seat_texts.unrolled(str(number), text)
    in_view.follow("draft")


def _guesses(found: Blinding) -> None:
    if not found.guesses:
        return
    st.markdown("##### How well one count predicts the source")
    st.dataframe(
        [
            {
                "By the number of": one.feature,
                "Right": f"{one.accuracy:.0%}",
                "By chance": f"{one.chance:.0%}",
                "Texts": one.n,
                "p": f"{one.p:.3f}",
            }
            | _by_source(one)
            for one in found.guesses
            if one.feature in FEATURES
        ],
        hide_index=True,
        key="study:guesses",
    )
    st.caption(
        "Each text is given to the source whose other texts have the nearest median; p is how often"
        " chance alone does as well."
    )


def _by_source(guess: FeatureGuess) -> dict[str, str]:
    """Return each source's own share, where there are more than two."""
    if len(guess.sources) < 3:
        return {}
    return {f"Right of {one.source}": f"{one.share:.0%}" for one in guess.sources}


# -- how sure a comparison of sources is to find a difference ------------------------------------


def _power(study: Study, experts: int) -> None:
    """Draw the power of a draft that rates, for its two sources with most texts; nothing where it
    has not two.
    """
    if study.plan.task != "rate":
        return
    # Without labels, which an organiser sees beside the texts: sources stay hidden until the end.
    texts = services.store().study_keys.texts(study.id)
    key = {str(n): item for n, (_, item) in enumerate(texts)}
    sizes = Counter(named(key).values()).most_common(2)
    if len(sizes) < 2 or sizes[1][1] < 2:
        return
    topics = len({item.topic for item in key.values() if not item.attention})
    here = f"study:power:{study.id}"
    st.markdown("**Would a difference of sources be found?**")
    left, right = st.columns(2)
    difference = left.number_input(
        "A difference of",
        0.05,
        5.0,
        0.5,
        0.05,
        key=f"{here}:difference",
        help="In standard deviations of scores: 0.2 is small, 0.5 middling, 0.8 large.",
    )
    people = right.number_input(
        "by so many experts",
        study.plan.overlap,
        MOST_EXPERTS,
        min(max(study.plan.overlap, experts or 6), MOST_EXPERTS),
        key=f"{here}:experts:{study.plan.overlap}:{experts}",
    )
    shares = {}
    with st.popover("What scores vary by"):
        for name, label, about in SHARES:
            usual = PowerDesign.model_fields[name].default
            shares[name] = st.number_input(
                f"{label}, share of the variance",
                0.0,
                0.9,
                usual,
                0.05,
                key=f"{here}:{name}",
                help=about,
            )
    design = validated(
        PowerDesign,
        ideas=min(sizes[1][1], MOST_IDEAS),
        experts=int(people),
        overlap=study.plan.overlap,
        topics=min(max(topics, 1), MOST_TOPICS),
        difference=difference,
        **shares,
    )
    simulate = False
    if 2 * design.ideas * design.overlap <= MOST_SCORES:
        simulate = st.toggle(
            f"Check by {SIMULATED} simulated studies", key=f"{here}:simulate", value=False
        )
    with st.spinner("Simulating studies…"):
        found = power(design, SIMULATED if simulate else 0)
    st.markdown(inline(said(found, needed(design)), 900))
    if sizes[1][1] > MOST_IDEAS or experts > MOST_EXPERTS or topics > MOST_TOPICS:
        st.caption(
            f"Reckoned for {MOST_IDEAS} texts of a source, {MOST_EXPERTS} experts and"
            f" {MOST_TOPICS} topics at most; a larger session finds more."
        )
