"""The work screen of an expert: one unit with its form, where in the session it is, and a window in
which texts and form scroll by themselves and what submits is always in view.
"""

from time import monotonic
from typing import Any, NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components.annotate import board, keys, place, scales, window, writing
from components.annotate import desk as seat_desk
from components.annotate import texts as seat_texts
from components.annotate.bench import SeatBench
from components.annotate.desk import SeatDesk, SeatForm, SeatWish
from components.annotate.fields import half_remarks, whole, without_row
from components.annotate.place import Move
from components.annotate.words import CHOICES, clock, named
from components.annotate.words import keys as keys_of
from components.shell.text import inline
from core.errors import BadInput, SeatClosed
from core.records import MOST_REMARKS, Answer, CommentAnswer, SkipAnswer, Task
from core.studies import checks
from core.studies.sitting import ShownUnit
from core.wording.catalogue import Wording, say

TWICE = 0.6
"""Seconds in which a press is the second of a double click: systems let half a second pass between
the two, and here they are told apart only as each is taken up.
"""


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
    window.fit(bench.task, len(bench.criteria), above)
    saved = place.head(bench, desk, shown, form, move)
    texts, boxes, foot = _lay_out(bench.task, seat_desk.stamp(bench, shown, form))
    with texts:
        _read(bench, shown, form)
    with boxes:
        _fill_in(bench, shown, form)
    with foot:
        _foot(bench, desk, shown, form)
    if form.saved and bench.kept:
        saved.markdown(f"· {bench.words('head.saved', time=clock(form.saved, bench.words))}")
    keys.listen(
        seat_desk.stamp(bench, shown, form),
        desk.done,
        bench.task,
        bench.words,
    )
    held = bench.kept and not locked(shown)
    writing.keep(bench.words, seat_desk.typed(bench, shown, form) if held else {}, desk.stored)
    return True


def keep(bench: SeatBench) -> None:
    """Keep what was typed into the form that this tab has on the screen, without drawing it."""
    desk = seat_desk.desk()
    if desk.at.get(bench.name, place.END) != place.END:
        _open(bench, desk)


def locked(shown: ShownUnit) -> bool:
    """Say whether a unit can only be looked at: rounds that are answered stay as they are."""
    return shown.assignment.done and shown.assignment.stages > 1


def _open(bench: SeatBench, desk: SeatDesk) -> tuple[ShownUnit, SeatForm] | None:
    at = place.chosen(bench, desk)
    if at is None:
        return None
    shown = bench.show(at.unit, at.time)
    if bench.task == "rank" and shown.assignment.shown[0] not in shown.opened:
        # The first text of a set is drawn opened.
        bench.open_text(shown, shown.assignment.shown[0])
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
        if wish.on != on:
            continue
        form.problem, form.refused = "", wish.what
        if _do(bench, desk, shown, form, wish):
            return True
    return False


def _do(bench: SeatBench, desk: SeatDesk, shown: ShownUnit, form: SeatForm, wish: SeatWish) -> bool:
    """Do one thing; return whether another form is to be shown. Nothing in it says a word to
    Streamlit, so it is never broken off.
    """
    if wish.what == "go":
        desk.at[bench.name] = wish.which
        _stored(bench, desk, shown, form)
    elif wish.what == "read":
        bench.open_text(shown, wish.which)
        return True
    elif wish.what in ("submit", "skip"):
        return _submit(bench, desk, shown, form, wish)
    elif wish.what == "give up":
        bench.keep(shown, {})
        desk.forms.pop(seat_desk.place(bench, shown))
    elif wish.what == "add":
        form.rows = min(form.rows + 1, MOST_REMARKS)
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
    bench: SeatBench, desk: SeatDesk, shown: ShownUnit, form: SeatForm, wish: SeatWish
) -> bool:
    try:
        if wish.which != form.key:
            form.turned = monotonic()
        if wish.which != form.key or monotonic() - form.turned < TWICE:
            raise BadInput(say("error.changed"))
        answer: Answer
        if wish.what == "skip":
            answer = checks.skipped(str(form.seen.get("mark", "")))
        else:
            draft = _complete(bench, shown, form)
            answer = checks.answer_of(bench.task, draft, shown.unit, bench.criteria)
        receipt = bench.submit(shown, answer, form.key, form.version)
    except SeatClosed:
        raise
    except BadInput as error:
        # Outdated too: the next look at the unit finds what the other tab filed.
        form.problem = bench.words.calling(shown.names).again(error)
        return False
    _stored(bench, desk, shown, form)
    desk.forms.pop(seat_desk.place(bench, shown))
    desk.at[bench.name] = place.following(bench, receipt.assignment)
    return True


def _stored(bench: SeatBench, desk: SeatDesk, shown: ShownUnit, form: SeatForm) -> None:
    """Let the browser let go of what was typed into a form that leaves the screen."""
    if bench.kept:
        desk.stored |= dict(seat_desk.typed(bench, shown, form).values())


def _complete(bench: SeatBench, shown: ShownUnit, form: SeatForm) -> dict[str, Any]:
    draft = whole(seat_desk.draft(bench, shown, form.seen))
    if half := half_remarks(draft):
        raise BadInput(say("error.half", n=half))
    return draft


# -- on the screen -----------------------------------------------------------------------------


def _read(bench: SeatBench, shown: ShownUnit, form: SeatForm) -> None:
    words = bench.words.calling(shown.names)
    here = seat_desk.place(bench, shown)
    if bench.task == "comment":
        ((label, text),) = shown.texts
        seat_texts.trajectory(words, label, text, _said_of_rounds(bench.words, shown))
    elif bench.task == "rank":
        on = seat_desk.stamp(bench, shown, form)
        desk = seat_desk.desk()
        seat_texts.one_by_one(words, shown.texts, here, lambda label: desk.wish(on, "read", label))
    else:
        seat_texts.side_by_side(words, shown.texts, here)


def _said_of_rounds(words: Wording, shown: ShownUnit) -> dict[int, str]:
    """Return what was answered of each round that is locked, in brief."""
    brief: dict[int, str] = {}
    if shown.assignment.stages == 1:
        return brief
    for one in shown.said:
        if isinstance(one.answer, CommentAnswer) and one.stage <= shown.assignment.stage:
            given = (words(f"form.{getattr(one.answer, name)}") for name in CHOICES)
            brief[one.stage] = ", ".join(given).lower()
        elif isinstance(one.answer, SkipAnswer) and one.stage <= shown.assignment.stage:
            brief[one.stage] = words("form.round_skipped")
    return brief


def _fill_in(bench: SeatBench, shown: ShownUnit, form: SeatForm) -> None:
    if form.notice:
        st.warning(inline(bench.words.again(form.notice), 3_000), icon=":material/tab:")
        if form.version:
            # Not taken away when the form says again what was filed: what is below would move.
            st.button(
                bench.words("form.use_saved"),
                icon=":material/undo:",
                key="seat:give-up",
                disabled=not form.changed,
                on_click=seat_desk.desk().wish,
                args=(seat_desk.stamp(bench, shown, form), "give up"),
            )
    said = [one.answer for one in shown.said if one.stage == shown.stage]
    if said and isinstance(said[-1], SkipAnswer) and not locked(shown):
        skipped = bench.words("form.skipped", reason=inline(said[-1].reason, 3_000))
        st.info(skipped, icon=":material/skip_next:")
    if locked(shown):
        st.info(bench.words("form.locked"), icon=":material/lock:")
    elif bench.task == "rank":
        seat_texts.criterion(bench.words, named(bench.criteria, shown.unit.criterion), "rank")
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
    if form.problem and form.refused != "skip":
        st.error(inline(form.problem, 1_000), icon=":material/error:")
    if not locked(shown):
        with st.container(key="seat-kept"):
            st.markdown(f":small[{_kept(bench, shown, form)}]")
        with st.container(key="seat-keys"):
            st.markdown(f":small[{keys_of(bench.words, bench.task, bench.criteria)}]")


def _kept(bench: SeatBench, shown: ShownUnit, form: SeatForm) -> str:
    """Say what of this form is saved, and when it was."""
    words = bench.words
    if not bench.kept:
        return words("saved.practice")
    if not form.saved:
        return words("saved.nothing")
    time = clock(form.saved, words)
    if form.version and shown.stage <= shown.assignment.stage:
        return words("saved.changed" if form.changed else "saved.submitted", time=time)
    draft = seat_desk.draft(bench, shown, form.seen)
    asked = checks.asked(bench.task, shown.unit, bench.criteria)
    given = asked - len(checks.missing(bench.task, draft, shown.unit, bench.criteria))
    kind = "places" if bench.task == "rank" else "answers"
    parts = [words(f"saved.{kind}", n=given, of=asked)] if given else []
    parts += [words("saved.note")] if form.seen.get("note") else []
    parts += [words("saved.remarks")] if any(name[:5] == "text:" for name in form.seen) else []
    return words("saved.draft", time=time, what=parts) if parts else words("saved.nothing")


def _onward(bench: SeatBench, desk: SeatDesk, shown: ShownUnit, form: SeatForm) -> None:
    draft = seat_desk.draft(bench, shown, form.seen)
    open_: tuple[str, ...] = ()
    missing = 0
    if not locked(shown):
        open_ = checks.missing(bench.task, draft, shown.unit, bench.criteria)
        missing = len(open_) + half_remarks(draft)
    unread = len(set(shown.unit.labels) - shown.opened) if bench.task == "rank" else 0
    on = seat_desk.stamp(bench, shown, form)
    answered = form.version > 0 and not form.changed and shown.stage <= shown.assignment.stage
    onward = locked(shown) or answered
    with st.container(key="seat-submit"):
        if onward:
            st.button(
                bench.words("submit.next"),
                type="primary",
                icon=":material/arrow_forward:",
                key=f"seat:on:{on}",
                width="stretch",
                on_click=desk.wish,
                args=(on, "go", place.following(bench, shown.assignment)),
            )
        else:
            st.button(
                _says(bench, shown, form, missing, unread, checks.unreasoned(open_)),
                type="primary",
                icon=":material/check:",
                key=f"seat:submit:{on}:{form.key}",
                width="stretch",
                disabled=missing + unread > 0,
                on_click=desk.wish,
                args=(on, "submit", form.key),
            )


def _says(
    bench: SeatBench,
    shown: ShownUnit,
    form: SeatForm,
    missing: int,
    unread: int,
    unreasoned: tuple[str, ...],
) -> str:
    words = bench.words
    if missing and missing == len(unreasoned):
        return words("submit.why", n=missing, what=unreasoned)
    if missing:
        return words("submit.place" if bench.task == "rank" else "submit.answer", n=missing)
    if unread:
        return words("submit.read", n=unread)
    if shown.assignment.stages > 1:
        return words("submit.round", n=shown.stage, of=shown.assignment.stages)
    return words("submit.change" if form.version else "submit.submit")


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
