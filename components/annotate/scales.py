"""The forms of an expert: scales, five answers, three questions on a round. Nothing is chosen
beforehand, and no slider: an untouched one says its minimum.
"""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from components.annotate import desk
from components.annotate.bench import SeatBench
from components.annotate.desk import SeatForm
from components.annotate.fields import by_number, passages, review_text, stands
from components.annotate.words import (
    CANNOT,
    CHOICES,
    FLAG,
    FLAG_HELP,
    FLAGGED,
    MARK,
    NO,
    NOTHING,
    REASONS,
    SKIP,
    SKIP_HELP,
    WHY,
    YES,
    anchors,
    five_way,
    on_scale,
    quality,
)
from components.shell.text import inline
from core.records import Criterion, Trajectory
from core.studies.sitting import ShownUnit

NOTE = "Note (optional)"


def draw(bench: SeatBench, shown: ShownUnit, form: SeatForm) -> None:
    """Draw the boxes of a form but the note."""
    {"rate": _scores, "compare": _preferences, "comment": _round}[bench.task](bench, shown, form)


def note(bench: SeatBench, shown: ShownUnit, form: SeatForm) -> None:
    """Draw the box for a note; of a comparison also whether both are weak."""
    if bench.task == "compare":
        st.checkbox(
            "Both are weak",
            **_box(bench, shown, form, "weak", value=False),
            help="Independent of your answer above.",
            width="content",
        )
    with st.container(key="seat-note"):
        _text(bench, shown, form, "note", NOTE, 4_000, beside=bench.task == "compare")


def _scores(bench: SeatBench, shown: ShownUnit, form: SeatForm) -> None:
    for n, criterion in enumerate(bench.criteria):
        with st.container(key=f"seat-scale-{n}", gap="xsmall"):
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                st.markdown(f"**{quality(criterion.name)}**", width="content")
                st.space("stretch")
                st.checkbox(
                    CANNOT if criterion.scored else NOTHING,
                    **_box(bench, shown, form, f"cannot:{n}", value=False),
                    width="content",
                )
            st.markdown(f":small[{inline(criterion.meaning, 2_000)}]")
            _answer(bench, shown, form, n, criterion)
            if criterion.reason != "off":
                _text(bench, shown, form, f"why:{n}", REASONS[criterion.reason], 4_000)


def _answer(
    bench: SeatBench, shown: ShownUnit, form: SeatForm, n: int, criterion: Criterion
) -> None:
    """Draw the box of one criterion, with its anchors."""
    name = inline(criterion.name)
    if criterion.kind == "text":
        _text(bench, shown, form, f"words:{n}", name, 4_000, hidden=True)
        return
    if by_number(criterion):
        with st.container(horizontal=True, vertical_alignment="top", gap="medium", wrap=True):
            _number(bench, shown, form, n, criterion)
            st.markdown(anchors(criterion), width="stretch")
        return
    answers: dict[int, str] = {}
    if criterion.kind == "yes/no":
        answers = {1: YES, 0: NO}
    else:
        lowest, highest = criterion.ends
        answers = {score: str(score) for score in range(lowest, highest + 1)}
    label = f"{name}, {on_scale(criterion)}"
    _choice(bench, shown, form, f"score:{n}", label, answers)
    if said := anchors(criterion):
        st.markdown(said)


def _number(
    bench: SeatBench, shown: ShownUnit, form: SeatForm, n: int, criterion: Criterion
) -> None:
    lowest, highest = criterion.ends
    st.number_input(
        f"{inline(criterion.name)}, {on_scale(criterion)}",
        lowest,
        highest,
        **_box(bench, shown, form, f"score:{n}", value=None),
        step=1,
        placeholder=on_scale(criterion),
        label_visibility="collapsed",
        width=170,
    )


def marks(bench: SeatBench, shown: ShownUnit, form: SeatForm) -> None:
    """Draw what skips a unit, or flags the answer to it, with the reason."""
    said = form.seen
    title = FLAGGED if said.get("flagged") else MARK
    with st.expander(title, icon=":material/flag:", key=f"seat-mark-{desk.place(bench, shown)}"):
        _text(bench, shown, form, "mark", WHY, 4_000)
        st.checkbox(FLAG, **_box(bench, shown, form, "flagged", value=False), help=FLAG_HELP)
        st.button(
            SKIP,
            icon=":material/skip_next:",
            key=f"seat:skip:{desk.stamp(bench, shown, form)}",
            on_click=desk.desk().wish,
            args=(desk.stamp(bench, shown, form), "skip"),
            help=SKIP_HELP,
        )


def _preferences(bench: SeatBench, shown: ShownUnit, form: SeatForm) -> None:
    answers = five_way(*shown.assignment.shown)
    for n, criterion in enumerate(bench.criteria):
        with st.container(
            key=f"seat-scale-{n}",
            horizontal=True,
            vertical_alignment="center",
            gap="small",
            wrap=False,
        ):
            st.markdown(
                f"**{quality(criterion.name)}**",
                width=190,
                help="\n\n".join(
                    (inline(criterion.meaning, 2_000), anchors(criterion, line="\n\n"))
                ),
            )
            _choice(bench, shown, form, f"better:{n}", inline(criterion.name), answers)


def _round(bench: SeatBench, shown: ShownUnit, form: SeatForm) -> None:
    for n, (name, (asked, answers)) in enumerate(CHOICES.items()):
        with st.container(key=f"seat-scale-{n}", gap="xsmall"):
            st.markdown(f"**{asked}**")
            _choice(bench, shown, form, name, asked, answers)
    text = shown.texts[0][1]
    if isinstance(text, Trajectory):
        _remarks(bench, shown, form, text)


def _remarks(bench: SeatBench, shown: ShownUnit, form: SeatForm, text: Trajectory) -> None:
    quotable = passages(text)
    on = desk.stamp(bench, shown, form)
    for n in range(form.rows):
        with st.container(border=True, gap="xsmall"):
            typed = form.seen.get(f"quote:{n}")
            held = _box(bench, shown, form, f"quote:{n}", index=None)
            options = quotable if typed in (None, *quotable) else (*quotable, typed)
            if "index" in held and typed:
                held["index"] = options.index(typed)
            quote = st.selectbox(
                "Passage: pick a sentence, or paste words from the text",
                options,
                **held,
                accept_new_options=True,
                placeholder="Pick or paste",
                format_func=lambda one: one if len(one) <= 200 else one[:199] + "…",
            )
            if quote and not stands(
                quote,
                [
                    review_text(text.rounds[-1]),
                    text.rounds[-1].idea.text,
                    text.first.text,
                    *(one.idea.text for one in text.rounds),
                ],
            ):
                st.markdown(
                    ":red[:material/link_off: These words are not in the text. Copy them word for"
                    " word.]"
                )
            _text(bench, shown, form, f"text:{n}", "Your remark", 2_000)
            st.button(
                "Take this remark out",
                icon=":material/close:",
                type="tertiary",
                key=f"seat:drop:{form.drawn}:{n}",
                on_click=desk.desk().wish,
                args=(on, "drop", str(n)),
            )
    st.button(
        "Remark on a passage",
        icon=":material/add_comment:",
        key="seat:add",
        on_click=desk.desk().wish,
        args=(on, "add"),
    )


def _choice(
    bench: SeatBench,
    shown: ShownUnit,
    form: SeatForm,
    name: str,
    label: str,
    answers: Mapping[Any, str],
) -> None:
    st.segmented_control(
        label,
        list(answers),
        **_box(bench, shown, form, name, default=None),
        format_func=answers.__getitem__,
        required=True,
        label_visibility="collapsed",
        width="stretch",
    )


def _text(
    bench: SeatBench,
    shown: ShownUnit,
    form: SeatForm,
    name: str,
    label: str,
    most: int,
    beside: bool = False,
    hidden: bool = False,
) -> None:
    st.text_area(
        label,
        **_box(bench, shown, form, name, value=""),
        max_chars=most,
        height=68,
        placeholder=label if beside else None,
        label_visibility="collapsed" if beside or hidden else "visible",
    )


def _box(
    bench: SeatBench, shown: ShownUnit, form: SeatForm, name: str, **empty: Any
) -> dict[str, Any]:
    """Return the key of a box and what it holds wherever the browser does not know better.

    Always, not at the first drawing alone: a browser that lost the connection may draw a box anew,
    and begins with this (Streamlit 1.67). And not by
    session_state: a server that was started again would put what it has over what the browser has,
    and that may be newer.
    """
    key = desk.box(bench, shown, form, name)
    if key in form.put:
        return {"key": key}
    ((parameter, value),) = empty.items()
    return {"key": key, parameter: form.seen.get(name, value)}
