"""The work screen of an expert: one unit with its form, where in the session it is, and a window in
which texts and form scroll by themselves and what submits is always in view.
"""

from typing import Any, NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components.annotate import board, keys, place, scales
from components.annotate import desk as seat_desk
from components.annotate import texts as seat_texts
from components.annotate.bench import SeatBench
from components.annotate.desk import SeatDesk, SeatForm, SeatWish
from components.annotate.fields import half_remarks, whole, without_row
from components.annotate.place import Move
from components.annotate.words import CHOICES, SKIPPED, clock, keys_said, named
from components.shell.text import inline
from core.errors import BadInput, SeatClosed
from core.records import Answer, CommentAnswer, SkipAnswer, Task
from core.studies import checks
from core.studies.sitting import ShownUnit

TEXTS = '[class*="st-key-seat-text-"]'

ALWAYS = """
    .stMainBlockContainer { padding: 1rem 2rem 0 !important; max-width: 110rem; }
    [class*="st-key-seat-scale-"] { border-left: 3px solid transparent; padding-left: .6rem; }
    [class*="st-key-seat-scale-"][data-on] { border-left-color: currentColor; }
    .st-key-seat-boxes [role=radio] { min-width: 0; padding-inline: .15rem; }
    .stApp[data-test-connection-state]:not([data-test-connection-state="CONNECTED"])::after {
        content: "No connection. What you did is kept, and the form opens again by itself.";
        position: fixed; inset: auto 0 0; padding: .6rem 2rem;
        background: #333; color: #fff; z-index: 9; }
    [class*="st-key-seat-place-"] button > div { justify-content: flex-start; text-align: start; }
"""

HEAD, FOOT, ACROSS, ROW = 70, 238, 206, 40
"""Pixels down: the line above; note, button and keys below a form; what skips, note and button
beside one another, and keys; a row of a comparison.
"""

FADES = "linear-gradient(#000 calc(100% - 2rem), transparent)"
"""Where a form is longer than the window, so that what is cut off is not taken for its end."""


class Areas(NamedTuple):
    texts: DeltaGenerator
    boxes: DeltaGenerator
    foot: DeltaGenerator


def draw(bench: SeatBench, move: Move | None, above: int = 0) -> bool:
    """Draw the unit the address names, or the first that is open; return False, and draw nothing,
    where there is none.

    `above` is how many pixels of the window something else has.
    """
    desk = seat_desk.desk()
    found = _open(bench, desk)
    while found and _granted(bench, desk, *found):
        found = _open(bench, desk)
    place.say(bench, desk)
    if found is None:
        return False
    shown, form = found
    _fit_window(bench.task, len(bench.criteria), above)
    saved = place.head(bench, desk, shown, form, move)
    texts, boxes, foot = _lay_out(bench.task, seat_desk.stamp(bench, shown, form))
    with texts:
        _read(bench, shown)
    with boxes:
        _fill_in(bench, shown, form)
    with foot:
        _foot(bench, desk, shown, form)
    if form.saved and bench.kept:
        saved.markdown(f"· saved {clock(form.saved)}")
    keys.listen(seat_desk.stamp(bench, shown, form), desk.done, bench.task)
    return True


def locked(shown: ShownUnit) -> bool:
    """Say whether a unit can only be looked at: rounds that are answered stay as they are."""
    return shown.assignment.done and shown.assignment.stages > 1


def _open(bench: SeatBench, desk: SeatDesk) -> tuple[ShownUnit, SeatForm] | None:
    at = place.chosen(bench, desk)
    if at is None:
        return None
    shown = bench.show(at.unit, at.time)
    return shown, seat_desk.fill(bench, shown)


# -- what was asked for ------------------------------------------------------------------------


def _granted(bench: SeatBench, desk: SeatDesk, shown: ShownUnit, form: SeatForm) -> bool:
    """Do what was asked for on this form since the last drawing; return True as soon as another
    form is to be shown.
    """
    on = seat_desk.stamp(bench, shown, form)
    while desk.wishes:
        wish = desk.wishes.pop(0)
        desk.done += 1
        # The second click of a double click was on a form that is gone.
        if wish.on == on and _do(bench, desk, shown, form, wish):
            return True
    return False


def _do(bench: SeatBench, desk: SeatDesk, shown: ShownUnit, form: SeatForm, wish: SeatWish) -> bool:
    """Do one thing; return whether another form is to be shown. Nothing in it says a word to
    Streamlit, so it is never broken off.
    """
    if wish.what == "go":
        desk.at[bench.name] = wish.which
    elif wish.what in ("submit", "skip"):
        return _submit(bench, desk, shown, form, skip=wish.what == "skip")
    elif wish.what == "give up":
        bench.keep(shown, {})
        desk.forms.pop(seat_desk.place(bench, shown))
    elif wish.what == "add":
        form.rows += 1
    elif wish.what == "drop":
        form.drawn = form.drawn + 1
        form.rows = form.rows - 1
        seat_desk.change(bench, shown, form, without_row(form.seen, int(wish.which)))
    else:
        groups = board.after(board.groups(form), wish.what, wish.which, shown.unit.labels)
        seen = {name: value for name, value in form.seen.items() if name != "groups"}
        if groups:
            seen["groups"] = groups
        seat_desk.change(bench, shown, form, seen)
    return wish.what in ("go", "give up")


def _submit(
    bench: SeatBench, desk: SeatDesk, shown: ShownUnit, form: SeatForm, skip: bool = False
) -> bool:
    try:
        answer: Answer
        if skip:
            answer = checks.skipped(str(form.seen.get("mark", "")))
        else:
            draft = _complete(bench, shown, form)
            answer = checks.answer_of(bench.task, draft, shown.unit, bench.criteria)
        receipt = bench.submit(shown, answer, form.key, form.version)
    except SeatClosed:
        raise
    except BadInput as error:
        # Outdated too: the next look at the unit finds what the other tab filed.
        form.problem = str(error)
        return False
    desk.forms.pop(seat_desk.place(bench, shown))
    desk.at[bench.name] = place.following(bench, receipt.assignment)
    return True


def _complete(bench: SeatBench, shown: ShownUnit, form: SeatForm) -> dict[str, Any]:
    draft = whole(seat_desk.draft(bench, shown, form.seen))
    if half := half_remarks(draft):
        raise BadInput(
            f"A remark needs a passage and your words; {half} of yours"
            f" {'has' if half == 1 else 'have'} only one of them."
        )
    return draft


# -- on the screen -----------------------------------------------------------------------------


def _read(bench: SeatBench, shown: ShownUnit) -> None:
    if bench.task == "comment":
        ((label, text),) = shown.texts
        seat_texts.trajectory(label, text, _said_of_rounds(shown))
    elif bench.task == "rank":
        seat_texts.folded(shown.texts)
    else:
        seat_texts.side_by_side(shown.texts, seat_desk.place(bench, shown))


def _said_of_rounds(shown: ShownUnit) -> dict[int, str]:
    """Return what was answered of each round that is locked, in brief."""
    brief: dict[int, str] = {}
    if shown.assignment.stages == 1:
        return brief
    for one in shown.said:
        if isinstance(one.answer, CommentAnswer) and one.stage <= shown.assignment.stage:
            answers = (CHOICES[name][1][getattr(one.answer, name)] for name in CHOICES)
            brief[one.stage] = ", ".join(answers).lower()
        elif isinstance(one.answer, SkipAnswer) and one.stage <= shown.assignment.stage:
            brief[one.stage] = "skipped"
    return brief


def _fill_in(bench: SeatBench, shown: ShownUnit, form: SeatForm) -> None:
    if form.notice:
        st.warning(inline(form.notice, 3_000), icon=":material/tab:")
        if form.version and form.changed:
            st.button(
                "Use the saved answer",
                icon=":material/undo:",
                key="seat:give-up",
                on_click=seat_desk.desk().wish,
                args=(seat_desk.stamp(bench, shown, form), "give up"),
            )
    said = [one.answer for one in shown.said if one.stage == shown.stage]
    if said and isinstance(said[-1], SkipAnswer) and not locked(shown):
        st.info(inline(SKIPPED.format(said[-1].reason), 3_000), icon=":material/skip_next:")
    if locked(shown):
        st.info(
            "All rounds of this refinement are answered. They are locked, and can be read again.",
            icon=":material/lock:",
        )
    elif bench.task == "rank":
        seat_texts.criterion(named(bench.criteria, shown.unit.criterion))
        board.draw(bench, shown, form)
    else:
        scales.draw(bench, shown, form)
    if not locked(shown):
        scales.marks(bench, shown, form)


def _foot(bench: SeatBench, desk: SeatDesk, shown: ShownUnit, form: SeatForm) -> None:
    with st.container(
        horizontal=bench.task == "compare",
        vertical_alignment="center",
        gap="medium" if bench.task == "compare" else "xsmall",
    ):
        if not locked(shown):
            scales.note(bench, shown, form)
        seat_desk.take(bench, shown, form)
        _onward(bench, desk, shown, form)
    if form.problem:
        st.error(inline(form.problem, 1_000), icon=":material/error:")
    if not locked(shown):
        st.markdown(f":small[{keys_said(bench.task, bench.criteria)}]")


def _onward(bench: SeatBench, desk: SeatDesk, shown: ShownUnit, form: SeatForm) -> None:
    draft = seat_desk.draft(bench, shown, form.seen)
    missing = (
        0
        if locked(shown)
        else len(checks.missing(bench.task, draft, shown.unit, bench.criteria))
        + half_remarks(draft)
    )
    on = seat_desk.stamp(bench, shown, form)
    answered = form.version > 0 and not form.changed and shown.stage <= shown.assignment.stage
    onward = locked(shown) or answered
    with st.container(key="seat-submit"):
        if onward:
            st.button(
                "Next",
                type="primary",
                icon=":material/arrow_forward:",
                key=f"seat:on:{on}",
                width="stretch",
                on_click=desk.wish,
                args=(on, "go", place.following(bench, shown.assignment)),
            )
        else:
            st.button(
                _says(bench, shown, form, missing),
                type="primary",
                icon=":material/check:",
                key=f"seat:submit:{on}",
                width="stretch",
                disabled=missing > 0,
                on_click=desk.wish,
                args=(on, "submit"),
            )


def _says(bench: SeatBench, shown: ShownUnit, form: SeatForm, missing: int) -> str:
    if missing:
        return f"{missing} to {'place' if bench.task == 'rank' else 'answer'}"
    if shown.assignment.stages > 1:
        return f"Submit round {shown.stage} of {shown.assignment.stages}, and lock it"
    return "Submit the change" if form.version else "Submit"


# -- the window -----------------------------------------------------------------------------


def _fit_window(task: Task, criteria: int, above: int) -> None:
    """Fit the window; for a comparison the texts have what the rows of the form leave."""
    below = ACROSS + ROW * criteria if task == "compare" else 20
    tall = f"max(11rem, calc(100vh - {HEAD + above + below}px)) !important"
    form = (
        ""
        if task == "compare"
        else (
            f"max-height: calc(100vh - {HEAD + above + FOOT}px); overflow-y: auto; padding: 0 .4rem"
            f" 2rem 0; mask-image: {FADES};"
        )
    )
    st.html(
        f"<style>{ALWAYS} {TEXTS} {{ height: {tall}; max-height: {tall}; overflow-y: auto; }}"
        f" .st-key-seat-boxes {{ {form} }}</style>"
    )


def _lay_out(task: Task, stamp: str) -> Areas:
    """Lay out where texts, form and foot go; named by the unit, so that each begins at its top."""
    if task == "compare":
        texts = st.container()
        boxes = st.container(key="seat-boxes", gap="xsmall")
        return Areas(texts, boxes, st.container(key="seat-foot", gap="xsmall"))
    left, right = st.columns([11, 9], gap="medium")
    with left:
        texts = st.container(border=True, key=f"seat-text-{stamp}")
    with right:
        boxes = st.container(key="seat-boxes", gap="small")
        return Areas(texts, boxes, st.container(key="seat-foot", gap="xsmall"))
