"""What is judged in a session: texts from collections, from sets that were ranked, from datasets of
published papers, and refinements to comment.
"""

from collections.abc import Iterable, Iterator
from itertools import count
from typing import Annotated, NamedTuple

from pydantic import Field

from core.errors import BadInput, NotThere
from core.judging.forms import common
from core.judging.forms import texts as texts_of
from core.judging.ranked_sets import RankInputs
from core.judging.ranking import TARGET
from core.records import (
    Design,
    Entry,
    Idea,
    ItemKey,
    Kind,
    Record,
    Remark,
    Review,
    Round,
    StudyPlan,
    Target,
    Trajectory,
    TrajectoryRound,
)
from core.store import Store, must_be
from core.store.steps import played_by
from core.story import Line, Story
from core.studies.effort import Seen
from core.wording.naming import name_of

PEOPLE = "Published paper"
"""The method of ideas by people where nobody names one."""


class Chosen(Record):
    """Where the texts of a session are taken from, and how many."""

    collections: tuple[str, ...] = ()
    """Every entry of these, of the plan's kind."""
    entries: tuple[str, ...] = ()
    """Single entries, by id."""
    rankings: tuple[str, ...] = ()
    """Runs that ranked sets: each set is one here, its target the idea by people."""
    targets: tuple[str, ...] = ()
    """Runs that built a dataset of published papers: the idea of each, on the topic it was made
    for.
    """
    runs: tuple[str, ...] = ()
    """Refinements to comment: the id of a run, or `ID/2` for its second idea alone."""
    target: str = ""
    """The method whose texts are the ideas by people."""
    per_set: Annotated[int, Field(ge=2, le=12)] = 4
    """Texts in a set where sets are made here: three by methods beside the target (InfAL, human
    study).
    """
    draw: Annotated[int, Field(ge=1)] | None = None
    """How many texts, pairs or sets are drawn, evenly over sources; None takes all."""


class Pick(NamedTuple):
    """A text that may be judged, with where it comes from; its label is not drawn yet."""

    text: Seen
    sha: str
    key: ItemKey
    set: str = ""
    """The set it was ranked in; empty where it belongs to none."""

    @property
    def source(self) -> tuple[str, str]:
        """Who wrote it: method and model."""
        return self.key.method, self.key.model

    @property
    def name(self) -> tuple[str, str, tuple[str, str], str]:
        """What makes it one: the same text by the same source on the same topic, in the same
        set.
        """
        return self.set, self.sha, self.source, self.key.topic


SUMMARY_LEFT_OUT = "The reviewer's remarks:"
"""In place of a summary that may repeat remarks which were declined."""


def picked(store: Store, plan: StudyPlan, chosen: Chosen) -> tuple[Pick, ...]:
    """Return every text that was chosen, each once, in an order that does not depend on how it was
    chosen.

    Raises BadInput for a choice that is not there or does not fit the task, for a target nobody
    wrote, and for texts without a common form where that is shown.
    """
    found = tuple(
        _commented(store, chosen) if plan.task == "comment" else _judged(store, plan, chosen)
    )
    once = {one.name: one for one in found}
    picks = tuple(once[name] for name in sorted(once))
    if not picks:
        raise BadInput(
            "Choose what is judged: a collection of ideas, ranked sets, or, to comment,"
            " refinements. Nothing that was named holds a text."
        )
    if chosen.target and not any(one.key.target for one in picks):
        raise BadInput(
            f"No text is by {chosen.target!r}. The ideas by people must be by one of:"
            f" {', '.join(sorted({one.key.method for one in picks})[:20])}."
        )
    return in_form(store, plan, picks) if plan.same_form else picks


def formless(store: Store, picks: Iterable[Pick], kind: Kind) -> tuple[str, ...]:
    """Return the hashes of the texts that have no common form yet: what the method `forms` is to be
    asked for.
    """
    texts = _by_hash(picks)
    return tuple(sorted(texts.keys() - common(store, texts, kind).keys()))


def _by_hash(picks: Iterable[Pick]) -> dict[str, Idea | Design]:
    return {pick.sha: pick.text for pick in picks if not isinstance(pick.text, Trajectory)}


def in_form(store: Store, plan: StudyPlan, picks: tuple[Pick, ...]) -> tuple[Pick, ...]:
    """Return the texts in the common form that is kept beside each; raises BadInput where one has
    none, with how to make it.
    """
    if plan.task == "comment":
        raise BadInput(
            "A refinement is shown in the form it was played in. Take the common form off for this"
            " task."
        )
    originals = _by_hash(picks)
    forms = common(store, originals, plan.kind)
    if lacking := sorted(originals.keys() - forms.keys()):
        first = next(pick.key.title for pick in picks if pick.sha == lacking[0])
        raise BadInput(
            f"{len(lacking)} of {len(originals)} texts have no common form yet,"
            f" such as {first!r}. Make it first, with a language model (on the command line:"
            " `python -m core study forms --collection NAME --model MODEL`), or show the texts as"
            " they are."
        )
    texts = texts_of(store, tuple(dict.fromkeys(forms.values())), plan.kind)
    shown = []
    for pick in picks:
        sha = forms[pick.sha]
        shown.append(pick._replace(text=texts[sha], sha=sha))
    return tuple(shown)


# -- from where --------------------------------------------------------------------------------


def _judged(store: Store, plan: StudyPlan, chosen: Chosen) -> Iterator[Pick]:
    if chosen.runs:
        raise BadInput(
            "Refinements can be commented only. To judge what they came to, put it into a"
            " collection."
        )
    if plan.kind == "design" and (chosen.rankings or chosen.targets):
        raise BadInput(
            "Ranked sets and datasets of published papers hold ideas. Choose collections for a"
            " session on experiment designs."
        )
    yield from _entries(store, plan.kind, chosen)
    for run in chosen.rankings:
        yield from _ranked(store, run, chosen.target)
    for run in chosen.targets:
        yield from _published(store, run, chosen.target)


def _entries(store: Store, kind: Kind, chosen: Chosen) -> list[Pick]:
    held = {one.name for one in store.entries.bunches()}
    if gone := [name for name in chosen.collections if name not in held]:
        raise NotThere(
            f"There is no collection {gone[0]!r} here. It was removed, or renamed; choose another.",
            "collections",
        )
    named = [store.entries.get(one) for one in chosen.entries]
    if strange := next((one for one in named if one.kind != kind), None):
        raise BadInput(
            f"The entry {strange.id!r} is {'an idea' if strange.kind == 'idea' else 'a design'}."
            " Ideas and designs go into sessions of their own."
        )
    entries = list[Entry]()
    if chosen.collections:
        entries += (entry for entry, _ in store.entries.of(chosen.collections, kind))
    entries += named
    texts = texts_of(store, tuple(dict.fromkeys(one.sha for one in entries)), kind)
    return [
        _pick(
            texts[one.sha],
            method=one.method,
            model=one.model,
            topic=one.topic,
            source=one.source,
            entry=one.id,
            target=bool(chosen.target) and one.method == chosen.target,
        )
        for one in entries
    ]


def _pick(text: Seen, set_: str = "", **key: object) -> Pick:
    return Pick(
        text,
        text.digest(),
        ItemKey.model_validate({"label": "", "title": title(text), **key}),
        set_,
    )


def _ranked(store: Store, run_id: str, target: str) -> Iterator[Pick]:
    otherwise = f"Run {run_id} ranked no sets. Choose a run of the ranking page."
    run = must_be(store.runs.get(run_id), "rank", otherwise)
    asked = run.inputs_as(RankInputs)
    for one in asked.sets:
        for name, idea in one.whole.items():
            people = name == TARGET or (bool(target) and name == target)
            yield _pick(
                idea,
                f"{run_id}/{one.name}",
                method=(target or PEOPLE) if people else name,
                topic=asked.topic,
                source=f"run {run_id}, set {one.name}",
                target=people,
            )


def _published(store: Store, run_id: str, target: str) -> Iterator[Pick]:
    found = Story.of(store, store.runs.get(run_id).id).all(Target)
    if not found:
        raise BadInput(
            f"Run {run_id} built no dataset of published papers. Choose one that did; Experiments,"
            " “Data sets”, builds one."
        )
    for one in found:
        yield _pick(
            one.idea,
            method=target or PEOPLE,
            topic=" ".join(one.topic.split())[:200],
            source=f"run {run_id}, {one.paper.title}",
            target=True,
        )


def _commented(store: Store, chosen: Chosen) -> Iterator[Pick]:
    if chosen.collections or chosen.entries or chosen.rankings or chosen.targets:
        raise BadInput(
            "Refinements alone can be commented round by round. Choose runs of the refinement page."
        )
    for name in chosen.runs:
        run_id, _, line = name.partition("/")
        run = store.runs.get(run_id)
        numbers = [one.n for one in lines_of(store, run_id)]
        role = run.config.writer
        answered, own = store.steps.answered(run), run.config.models.get(role, "")
        if line and not (line.isdecimal() and int(line) in numbers):
            raise BadInput(f"Run {run_id} refines no idea with the number {line}.")
        for n in [int(line)] if line else numbers:
            yield _pick(
                trajectory_of(store, run_id, n),
                method=name_of(run.config),
                model=", then ".join(
                    played_by(answered, role, own, f"idea-{n}" if len(numbers) > 1 else "")
                ),
                topic=" ".join(str(run.config.inputs.get("topic", "")).split())[:200],
                source=f"run {run_id}, idea {n}",
            )


def title(text: Seen) -> str:
    """Return what a text is called where only its organiser reads it."""
    if isinstance(text, Trajectory):
        text = text.first
    name = text.title if isinstance(text, Idea) else text.setup
    return " ".join(name.split())[:120]


# -- refinements, round by round ------------------------------------------------------------


def trajectory_of(store: Store, run_id: str, line: int = 1) -> Trajectory:
    """Return one idea's refinement without its actors, verdicts, scores and models; raises BadInput
    where it cannot be followed round by round.

    What the author was given is what is shown: remarks that were declined and wishes that came too
    late are left out, and a remark somebody made meanwhile stands among the reviewer's. Where a
    person rewrote the idea between two rounds, that is part of what the next version shows.
    """
    found = next((one for one in lines_of(store, run_id) if one.n == line), None)
    if found is None:
        raise BadInput(f"Run {run_id} refines no idea with the number {line}.")
    if found.first is None or not found.rounds:
        raise BadInput(
            f"Run {run_id} has no finished round of idea {line} yet. Let it go on, or choose"
            " another run."
        )
    rounds = tuple(
        TrajectoryRound(review=_review(run_id, one), idea=one.revision.idea) for one in found.rounds
    )
    goals = dict.fromkeys(one.goal for one in found.rounds if one.goal)
    return Trajectory(first=found.first, goal=", ".join(goals), rounds=rounds)


def lines_of(store: Store, run_id: str) -> tuple[Line, ...]:
    """Return the ideas a refinement refines; raises BadInput for any other run."""
    otherwise = (
        f"Run {run_id} is no refinement. Rounds can be commented of adversarial refinements only."
    )
    must_be(store.runs.get(run_id), "refine", otherwise)
    return Story.of(store, run_id).lines


def _review(run_id: str, one: Round) -> Review:
    """Return what a revision was to answer, as one review (core.methods.adversarial.to_answer);
    raises BadInput where there was nothing.
    """
    wished = [wish.text for wish in one.wishes if wish.text.strip() and not wish.late]
    kept = tuple(
        remark
        for remark in (one.review.remarks if one.review else ())
        if remark.id not in one.declined
    )
    taken = {remark.id for remark in kept}
    # Ids that read like the reviewer's own.
    free = (name for n in count(1) if (name := f"r{n}") not in taken)
    own = tuple(Remark(id=name, text=text) for text, name in zip(wished, free, strict=False))
    if not kept and not own:
        raise BadInput(
            f"Round {one.n} of run {run_id} was played without a review, so there is nothing to say"
            " of it. Choose a refinement with an optimizer."
        )
    whole = (
        one.review.summary
        if one.review and len(kept) == len(one.review.remarks)
        else SUMMARY_LEFT_OUT
    )
    return Review(summary=whole, remarks=kept + own)
