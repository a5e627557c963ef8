"""The forms of an expert: scales, five answers, three questions on a round. Nothing is chosen
beforehand, and no slider: an untouched one says its minimum.
"""

from collections.abc import Mapping
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components.annotate import desk
from components.annotate.bench import SeatBench
from components.annotate.desk import SeatForm
from components.annotate.fields import by_number, passages, review_text, stands
from components.annotate.words import (
    CHOICES,
    anchors,
    answers,
    five_way,
    little_and_much,
    on_scale,
    quality,
)
from components.shell.text import inline
from core.records import MOST_REMARKS, Criterion, Trajectory
from core.studies.sitting import ShownUnit


def draw(bench: SeatBench, shown: ShownUnit, form: SeatForm) -> None:
    """Draw the boxes of a form but the note."""
    {"rate": _scores, "compare": _preferences, "comment": _round}[bench.task](bench, shown, form)


def note(bench: SeatBench, shown: ShownUnit, form: SeatForm) -> None:
    """Draw the box for a note; of a comparison also whether both are weak."""
    if bench.task == "compare":
        st.checkbox(
            bench.words("form.weak"),
            **_box(bench, shown, form, "weak", value=False),
            help=bench.words("form.weak_help"),
            width="content",
        )
    with st.container(key="seat-note"):
        label = bench.words("form.note")
        _text(bench, shown, form, "note", label, 4_000, beside=bench.task == "compare")


def _scores(bench: SeatBench, shown: ShownUnit, form: SeatForm) -> None:
    words = bench.words
    for n, criterion in enumerate(bench.criteria):
        with st.container(key=f"seat-scale-{n}", gap="xsmall"):
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                st.markdown(f"**{quality(words, criterion.name)}**", width="content")
                st.space("stretch")
                st.checkbox(
                    words("form.cannot" if criterion.scored else "form.nothing"),
                    **_box(bench, shown, form, f"cannot:{n}", value=False),
                    width="content",
                )
            st.markdown(f":small[{inline(criterion.meaning, 2_000)}]")
            _answer(bench, shown, form, n, criterion)
            if criterion.reason != "off":
                with st.container(key=f"seat-why-{criterion.reason}-{n}"):
                    why = words(f"form.why_{criterion.reason}")
                    _text(bench, shown, form, f"why:{n}", why, 4_000)


def _answer(
    bench: SeatBench, shown: ShownUnit, form: SeatForm, n: int, criterion: Criterion
) -> None:
    """Draw the box of one criterion, with its anchors."""
    words = bench.words
    name = quality(words, criterion.name)
    if criterion.kind == "text":
        _text(bench, shown, form, f"words:{n}", name, 4_000, hidden=True)
        return
    if by_number(criterion):
        with st.container(horizontal=True, vertical_alignment="top", gap="medium", wrap=True):
            _number(bench, shown, form, n, criterion)
            st.markdown(anchors(words, criterion), width="stretch")
        return
    points: dict[int, str] = {}
    if criterion.kind == "yes/no":
        points = {1: words("form.yes"), 0: words("form.no")}
    else:
        lowest, highest = criterion.ends
        points = {score: str(score) for score in range(lowest, highest + 1)}
    label = words("form.scale", name=name, on=on_scale(words, criterion))
    _choice(bench, shown, form, f"score:{n}", label, points)
    if said := anchors(words, criterion):
        st.markdown(said)


def _number(
    bench: SeatBench, shown: ShownUnit, form: SeatForm, n: int, criterion: Criterion
) -> None:
    words = bench.words
    lowest, highest = criterion.ends
    on = on_scale(words, criterion)
    st.number_input(
        words("form.scale", name=quality(words, criterion.name), on=on),
        lowest,
        highest,
        **_box(bench, shown, form, f"score:{n}", value=None),
        step=1,
        placeholder=on,
        label_visibility="collapsed",
        width=170,
    )


def marks(bench: SeatBench, shown: ShownUnit, form: SeatForm) -> None:
    """Draw what skips a unit, or flags the answer to it, with the reason."""
    words = bench.words
    on = desk.stamp(bench, shown, form)
    title = words("form.flagged" if form.seen.get("flagged") else "form.mark")
    with st.expander(title, icon=":material/flag:", key=f"seat-mark-{desk.place(bench, shown)}"):
        _text(bench, shown, form, "mark", words("form.mark_why"), 4_000)
        st.checkbox(
            words("form.flag"),
            **_box(bench, shown, form, "flagged", value=False),
            help=words("form.flag_help"),
        )
        # Beside the button, so that it is in view with it and moves nothing.
        with _beside("skip"):
            st.button(
                words("form.skip"),
                icon=":material/skip_next:",
                key=f"seat:skip:{on}:{form.key}",
                on_click=desk.desk().wish,
                args=(on, "skip", form.key),
                help=words("form.skip_help"),
            )
            if form.problem and form.refused == "skip":
                st.markdown(f":red[:small[{inline(form.problem, 1_000)}]]", width="stretch")


def _preferences(bench: SeatBench, shown: ShownUnit, form: SeatForm) -> None:
    words = bench.words
    five = five_way(words, *(shown.names[label] for label in shown.assignment.shown))
    for n, criterion in enumerate(bench.criteria):
        with st.container(
            key=f"seat-scale-{n}",
            horizontal=True,
            vertical_alignment="center",
            gap="small",
            wrap=False,
        ):
            st.markdown(
                f"**{quality(words, criterion.name)}**",
                width=190,
                help="\n\n".join(
                    (
                        inline(criterion.meaning, 2_000),
                        little_and_much(words, criterion, line="\n\n"),
                    )
                ),
            )
            _choice(bench, shown, form, f"better:{n}", quality(words, criterion.name), five)


def _round(bench: SeatBench, shown: ShownUnit, form: SeatForm) -> None:
    for n, name in enumerate(CHOICES):
        asked = bench.words(f"form.{name}")
        with st.container(key=f"seat-scale-{n}", gap="xsmall"):
            st.markdown(f"**{asked}**")
            _choice(bench, shown, form, name, asked, answers(bench.words, name))
    text = shown.texts[0][1]
    if isinstance(text, Trajectory):
        _remarks(bench, shown, form, text)


def _remarks(bench: SeatBench, shown: ShownUnit, form: SeatForm, text: Trajectory) -> None:
    quotable = passages(text)
    quoted = [
        review_text(text.rounds[-1]),
        text.rounds[-1].idea.text,
        text.first.text,
        *(one.idea.text for one in text.rounds),
    ]
    words = bench.words
    on = desk.stamp(bench, shown, form)
    for n in range(form.rows):
        with st.container(border=True, gap="xsmall"):
            typed = form.seen.get(f"quote:{n}")
            held = _box(bench, shown, form, f"quote:{n}", index=None)
            options = quotable if typed in (None, *quotable) else (*quotable, typed)
            if "index" in held and typed:
                held["index"] = options.index(typed)
            quote = st.selectbox(
                words("form.passage"),
                options,
                **held,
                accept_new_options=True,
                placeholder=words("form.pick"),
                format_func=lambda one: one if len(one) <= 200 else one[:199] + "…",
            )
            _text(bench, shown, form, f"text:{n}", words("form.remark"), 2_000)
            with _beside(str(n)):
                st.button(
                    words("form.remark_out"),
                    icon=":material/close:",
                    type="tertiary",
                    key=f"seat:drop:{form.drawn}:{n}",
                    on_click=desk.desk().wish,
                    args=(on, "drop", str(n)),
                )
                # Beside the button, so that it moves nothing.
                if quote and not stands(quote, quoted):
                    said = words("form.not_in_text")
                    st.markdown(f":red[:small[:material/link_off: {said}]]", width="stretch")
    st.button(
        words("form.remark_add"),
        icon=":material/add_comment:",
        key="seat:add",
        on_click=desk.desk().wish,
        args=(on, "add"),
        disabled=form.rows >= MOST_REMARKS,
    )


def _beside(name: str) -> DeltaGenerator:
    """Return a row for a button and what is said of it."""
    return st.container(
        horizontal=True,
        vertical_alignment="center",
        gap="small",
        wrap=False,
        key=f"seat-beside-{name}",
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
