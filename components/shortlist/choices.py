"""What a person does to the ideas after a stage: drop, add, rewrite, pin, put a first form back;
as the answer that a waiting run goes on with, or as a copy of a run that rests.
"""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from components.runs import answering, forks
from components.shell import in_view, mistakes, person, services
from components.shell.clicks import do_once
from components.shell.idea_names import offered, tell_apart
from components.shell.text import counted, inline
from components.shell.widget_state import put
from core.errors import BadInput
from core.export.shortlist_report import NAMES, name_idea
from core.methods.shortlist.so_far import IdeaSoFar, Present, StageSoFar
from core.records import Idea, Run, label
from core.records.shortlist import Choices, Edited, Stage
from core.runs.designing import design_one
from core.runs.forecast import of_fork
from core.runs.planning import idea_of
from core.runs.runner import Runner

ASKS = (
    "Look through the ideas, change what you like, and go on: what you do is a recorded step, and"
    " doing nothing is one, too."
)
BRANCHES = (
    "This run stays as it is. A copy of it takes over everything that was asked before the change,"
    " and all that does not depend on it; only the rest is asked and paid."
)
NOTHING = "Change something first: drop, pin, rewrite or add an idea, or put one back."
FIELDS = ("dropped", "pinned", "put_back", "edited", "added", "kept")
"""The boxes of a form whose contents are kept until it is handed in."""


def question(now: Present) -> StageSoFar | None:
    """Return the stage after which a person is asked now, if one is."""
    return next((at for at in now.stages if at.asks), None)


# -- a run that waits ------------------------------------------------------------------------------


def ask(run: Run, now: Present) -> None:
    """Draw the form for the question that the run waits with; nothing where there is none."""
    questions = services.store().answers.open(run.id)
    answering.draw(run.id, questions, _where)
    at = question(now)
    asked = next((one for one in questions if at and one.key == at.asks), None)
    if at is None or asked is None:
        return
    box, key = f"shortlist:ask:{run.id}", f"shortlist:ask:{run.id}:{at.stage}"
    if answering.brings_next(run.id):
        in_view.wish(box)
    with st.container(border=True, key=box):
        st.markdown(f"##### :material/person_raised_hand: After {NAMES[at.stage]}: your word")
        st.caption(ASKS)
        answering.restored(asked, key)
        boxes = _Boxes(key, now, _left(now, at))
        boxes.draw(at.stage)
        with st.container(horizontal=True, vertical_alignment="bottom"):
            person.field(f"{key}:by")
            go = st.button(
                "Go on", type="primary", icon=":material/play_arrow:", key=f"{key}:go-on"
            )
        if go:
            with mistakes.kept(key):
                given = boxes.choices()
                answering.forget(asked, key)
                answering.hand_in(asked, given.model_dump(mode="json"))
        answering.keep(asked, key, boxes.names)
        answering.begin(asked, key)
        mistakes.shown(key)


def _where(key: str) -> str:
    stage = key.partition("/")[0]
    return f"After {NAMES.get(stage, stage)}: your word"  # type: ignore[call-overload]


def _left(now: Present, at: StageSoFar) -> tuple[IdeaSoFar, ...]:
    """Return the ideas that are in after a stage."""
    out = {one.n for one in at.aside}
    held = {*at.went_on} or {*at.entered} - out
    return tuple(one for one in now.ideas if one.n in held | {*at.added})


# -- a run that rests ------------------------------------------------------------------------------


def settled(now: Present) -> tuple[StageSoFar, ...]:
    """Return the stages after which a person's choices stand, which a copy may change."""
    return tuple(at for at in now.stages if at.choices is not None)


def change(run: Run, now: Present) -> None:
    """Draw the form that makes a copy with changes; says why where nothing can be changed."""
    stages = settled(now)
    if run.packed:
        st.info("A case study cannot be changed.", icon=":material/slideshow:")
        return
    if not stages:
        st.info(
            "Ideas can be changed once the first stage is over. Stop the run to change them"
            " while it works.",
            icon=":material/hourglass_empty:",
        )
        return
    st.caption(BRANCHES)
    by_name = {at.stage: at for at in stages}
    stage = st.segmented_control(
        "Change the ideas after",
        list(by_name),
        default=_usual(by_name),
        required=True,
        key=f"shortlist:change:{run.id}:stage",
        format_func=NAMES.__getitem__,
        wrap=True,
        persist_state="session",
        help="The stages that follow see the change: what is dropped early is missing from all of"
        " them, what is added early goes through all of them.",
    )
    at = by_name[stage]
    key = f"shortlist:change:{run.id}:{at.stage}"
    boxes = _Boxes(key, now, _before(now, at))
    boxes.begin(at.choices or Choices())
    boxes.draw(at.stage)
    _back(now, at)
    plan = of_fork(services.store(), run, f"{at.stage}/choices")
    st.caption(
        f"At most about {counted(plan.calls, 'model call')} after {NAMES[at.stage]}, going by what"
        f" this run took: {forks.cost(plan, run)}. To drop an idea takes hardly any of them."
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        person.field(f"{key}:by")
        go = st.button(
            "Make the copy", type="primary", icon=":material/call_split:", key=f"{key}:go"
        )
    if go:
        with mistakes.kept(key):
            given = boxes.choices()
            was = at.choices or Choices()
            if given.model_copy(update={"by": was.by}) == was:
                raise BadInput(NOTHING)
            fork(run, at.stage, given)
    mistakes.shown(key)


def _usual(by_name: dict[Stage, StageSoFar]) -> Stage:
    """Return the stage that most changes are for: after joining, before anything is paid for the
    ideas themselves; else the first there is.
    """
    return "part" if "part" in by_name else next(iter(by_name))


def _before(now: Present, at: StageSoFar) -> tuple[IdeaSoFar, ...]:
    """Return the ideas that a person chose among after a stage: those dropped there are among
    them, others that ended there are offered to be pinned.
    """
    dropped = {*(at.choices.dropped if at.choices else ())}
    held = {*at.entered} - {one.n for one in at.aside if one.why != "dropped"}
    return tuple(one for one in now.ideas if one.n in held | dropped)


def _back(now: Present, at: StageSoFar) -> None:
    """Say how an idea that was known already comes back."""
    known = [one for one in at.aside if one.why == "known"]
    if known:
        names = "; ".join(inline(name_idea(now, one.n), 120) for one in known)
        st.caption(
            f":material/keep: Set aside as known in this stage: {names}. To keep one all the same,"
            " pin it after the stage before."
        )


def fork(run: Run, stage: Stage, given: Choices) -> None:
    """Make a copy of a run in which these choices stand after a stage, once however often the
    button was pressed, and open it; raises BadInput.
    """
    made = do_once(
        "shortlist:forked",
        [run.id, stage, given.model_dump(mode="json")],
        partial(_made, services.runner(), run.id, stage, given),
    )
    st.query_params.from_dict({"run": made})
    st.rerun()


def _made(runner: Runner, run: str, stage: Stage, given: Choices) -> str:
    made = runner.fork_edited(run, f"{stage}/choices", given)
    runner.start(made.id)
    return made.id


def put_back(run: Run, now: Present, n: int) -> None:
    """Put the first form of an idea back: in a copy, or, where the run waits for a word on its
    ideas, in the form; a callback.
    """
    at = question(now)
    if at:
        here = f"shortlist:ask:{run.id}:{at.stage}:put_back"
        st.session_state[here] = sorted({*st.session_state.get(here, []), n})
        in_view.wish(f"shortlist:ask:{run.id}")
        return
    checked = next((one for one in settled(now) if one.stage == "check"), None)
    with mistakes.kept(f"shortlist:put-back:{run.id}"):
        if checked is None:
            raise BadInput("Wait until the ideas are checked; then the first form can be put back.")
        was = checked.choices or Choices()
        given = was.model_copy(
            update={"put_back": tuple(sorted({*was.put_back, n})), "by": person.name()}
        )
        made = do_once(
            "shortlist:forked",
            [run.id, "check", given.model_dump(mode="json")],
            partial(_made, services.runner(), run.id, "check", given),
        )
        st.query_params.from_dict({"run": made})


def design(run: Run, n: int) -> None:
    """Have an experiment designed for an idea on a card, in a copy that takes over all else for
    free; a callback.
    """
    with mistakes.kept(f"shortlist:put-back:{run.id}"):
        made = do_once(
            "shortlist:designed", [run.id, n], partial(_designed, services.runner(), run.id, n)
        )
        st.query_params.from_dict({"run": made})


def _designed(runner: Runner, run: str, n: int) -> str:
    made = design_one(runner, run, n)
    runner.start(made.id)
    return made.id


# -- the boxes -------------------------------------------------------------------------------------


class _Boxes:
    """The boxes of a form, and what they say together."""

    def __init__(self, key: str, now: Present, ideas: Sequence[IdeaSoFar]):
        self.key, self.now, self.ideas = key, now, {one.n: one for one in ideas}

    @property
    def names(self) -> tuple[str, ...]:
        """What the boxes are called, those of the ideas that are rewritten included."""
        return (*FIELDS, *(name for n in self._picked("edited") for name in self._fields(n)))

    def begin(self, was: Choices) -> None:
        """Fill the boxes, before they are first drawn, with what was chosen before."""
        given = {"dropped": was.dropped, "pinned": was.pinned, "put_back": was.put_back}
        for name, numbers in given.items():
            held = [n for n in numbers if n in self.ideas]
            st.session_state.setdefault(f"{self.key}:{name}", held)
        edited = {one.n: one.idea for one in was.edited if one.n in self.ideas}
        st.session_state.setdefault(f"{self.key}:edited", list(edited))
        for n, idea in edited.items():
            for field, text in idea.fields.items():
                st.session_state.setdefault(f"{self.key}:text-{n}-{field}", text)
        self._was = was

    def draw(self, stage: Stage) -> None:
        """Draw the boxes that make sense after a stage."""
        left, right = st.columns(2, gap="medium")
        with left:
            self._several("Drop", "dropped", "They go no further.")
        with right:
            self._several("Pin", "pinned", "They are kept whatever is found, up to the shortlist.")
        refined = [n for n, one in self.ideas.items() if one.before != one.idea or one.put_back]
        if refined and stage in ("refine", "check", "compare"):
            self._several(
                "Put the first form back",
                "put_back",
                "The form before the refinement goes on in place of the refined one.",
                refined,
            )
        self._several("Rewrite", "edited", "Your text goes on in place of theirs.")
        for n in self._picked("edited"):
            self._text(n)
        with st.expander("Add ideas of your own", icon=":material/add:", key=f"{self.key}:adding"):
            kept = offered()
            names = tell_apart(kept)
            st.multiselect(
                "From Ideas",
                list(names),
                format_func=names.__getitem__,
                key=f"{self.key}:kept",
                persist_state="session",
                select_all=False,
                placeholder="Ideas that were kept, written or imported",
            )
            st.text_area(
                "Or write one",
                key=f"{self.key}:added",
                height=100,
                persist_state="session",
                placeholder="A paragraph; the first line may be its title. A blank line between"
                " two ideas.",
            )

    def choices(self) -> Choices:
        """Return what the boxes say; raises BadInput for a text that cannot be used."""
        dropped = self._picked("dropped")
        edited = [self._edited(n) for n in self._picked("edited") if n not in dropped]
        given = Choices(
            dropped=tuple(dropped),
            pinned=tuple(n for n in self._picked("pinned") if n not in dropped),
            put_back=tuple(n for n in self._picked("put_back") if n not in dropped),
            edited=tuple(one for one in edited if one),
            added=self._added(),
            by=person.name(),
        )
        left = len(self.ideas) - len(given.dropped) + len(given.added)
        if not left:
            raise BadInput("Leave at least one idea in.")
        return given

    def _several(
        self, name: str, field: str, about: str, among: Sequence[int] | None = None
    ) -> None:
        offered_here = list(self.ideas) if among is None else list(among)
        here = f"{self.key}:{field}"
        put(here, [n for n in self._picked(field) if n in offered_here])
        st.multiselect(
            name,
            offered_here,
            format_func=lambda n: name_idea(self.now, n),
            key=here,
            help=about,
            persist_state="session",
            select_all=False,
            placeholder="none",
        )

    def _picked(self, field: str) -> list[int]:
        return list(st.session_state.get(f"{self.key}:{field}") or [])

    def _fields(self, n: int) -> list[str]:
        fields = self.ideas[n].idea.fields if n in self.ideas else {}
        return [f"text-{n}-{field}" for field in fields]

    def _text(self, n: int) -> None:
        idea = self.ideas[n].idea
        with st.container(border=True):
            st.markdown(f"**{inline(name_idea(self.now, n), 200)}**")
            for field, text in idea.fields.items():
                here = f"{self.key}:text-{n}-{field}"
                st.session_state.setdefault(here, text)
                st.text_area(label(field), key=here, height="content", persist_state="session")

    def _edited(self, n: int) -> Edited | None:
        """Return an idea as it was rewritten; None where its text is what it was."""
        idea = self.ideas[n].idea
        fields = {
            field: str(st.session_state.get(f"{self.key}:text-{n}-{field}") or "").strip()
            for field in idea.fields
        }
        if lacking := [field for field, text in fields.items() if not text]:
            raise BadInput(
                f"Idea {n}: {', '.join(map(label, lacking))} is empty. Write it, or do not rewrite"
                " this idea."
            )
        new = idea.model_copy(update={"fields": fields})
        return None if new == idea else Edited(n=n, idea=new)

    def _added(self) -> tuple[Idea, ...]:
        ids = st.session_state.get(f"{self.key}:kept") or []
        kept = [services.store().ideas.get(one).idea for one in ids]
        typed = str(st.session_state.get(f"{self.key}:added") or "").strip()
        texts = [typed] if typed.startswith("{") else split(typed)
        before = getattr(self, "_was", Choices()).added
        return (*before, *kept, *(idea_of(text) for text in texts))


def split(text: str) -> list[str]:
    """Return the ideas of a text, which stand apart by blank lines."""
    parts = (part.strip() for part in text.replace("\r\n", "\n").split("\n\n"))
    return [part for part in parts if part]
