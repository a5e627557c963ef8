"""A finished run as slides, one thing at a time and one after the other: what is said by whom, the
remarks that a change answers, the notes on it.

    for slide in slides(store, store.runs.get(run_id)):
        print(slide.where, slide.called, slide.does)
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from core.cases.passages import (
    SlideParagraph,
    of_check,
    of_checklist,
    of_idea,
    of_reply,
    of_revision,
    of_rewriting,
    of_standing,
    of_verdict,
    prose,
    remarks_of,
)
from core.cases.tape import Frame, Tape
from core.export.margin import inherit
from core.export.refined import quotient
from core.judging.claims import comparison, ending
from core.methods.adversarial.actors import names
from core.methods.inputs import RefineInputs
from core.records import (
    Actor,
    Evolved,
    Idea,
    Link,
    Note,
    NoveltyCheck,
    Outcome,
    Record,
    Run,
    Selection,
    Standing,
    Start,
)
from core.runs.catalogue import entry
from core.store import Store
from core.store.steps import played_by
from core.story import Line, Story


class StepCaption(NamedTuple):
    """How a step is told: what its actor does, or its title where nobody acts; and what a list of
    places to jump to calls it, if it is one of them.
    """

    does: str
    milestone: str = ""


STEPS: Mapping[str, StepCaption] = {
    "first-idea": StepCaption("proposes", "First idea"),
    "review": StepCaption("reviews"),
    "revise": StepCaption("revises", "Round"),
    "verdict": StepCaption("compares"),
    "self-review": StepCaption("reviews itself"),
    "reflect": StepCaption("reflects"),
    "extract": StepCaption("A paper of the chain", "Papers"),
    "trend": StepCaption("The trend from paper to paper", "Trend"),
    "future": StepCaption("Where it points"),
    "draft": StepCaption("A draft of the idea"),
    "idea": StepCaption("The idea", "Idea"),
    "novelty-verdict": StepCaption("Is it new?"),
    "experiment-design": StepCaption("An experiment that would test it", "Experiment"),
    "design-review": StepCaption("The experiment, reviewed"),
    "design-refine": StepCaption("The experiment, refined"),
    "question": StepCaption("The research question", "Question"),
    "literature-review": StepCaption("What the literature says"),
    "evolve-idea": StepCaption("proposes", "First idea"),
    "evolve-revise": StepCaption("revises by the directives", "Step"),
    "evolve-alone": StepCaption("revises without directives", "Step"),
}
EVOLVING = ("evolve-idea", "evolve-revise", "evolve-alone")
"""The steps that write the idea of a step of evolution."""
"""The steps one follows; what is searched, ranked and measured between them is left out."""
NUMBERED = re.compile(r"(branch|idea|round|step)-(\d+)(?=/)")
FIRST_IDEA = re.compile(r"(idea-\d+/)?round-0")
HOP = re.compile(r"(start|forward|backward)-(\d+)/")
HOPS = ("start", "forward", "backward")


@dataclass(frozen=True, kw_only=True)
class Slide:
    """One thing that is shown: `start` and `end` are when it begins and is settled on the tape of
    its run, in seconds.
    """

    key: str
    """The step it tells, or where the record it tells was made."""
    place: str
    start: float
    end: float
    where: str = ""
    actor: Actor | None = None
    called: str = ""
    """What the actor is called in this run."""
    does: str
    """What the actor does, or a title where there is none."""
    title: str = ""
    """Of the paper it is about."""
    says: tuple[SlideParagraph, ...]
    remarks: Mapping[str, str]
    """The remarks that its changes answer, by their ids."""
    notes: tuple[Note, ...] = ()
    milestone: str = ""
    branch: int | None = None
    """Whose chain of papers is shown with it."""
    paper: str = ""
    """The id of the paper it is about."""

    @property
    def about(self) -> str:
        """Where a note on it stands, as the screens of its run have it."""
        above, _, name = self.key.rpartition("/")
        kind = {
            "first-idea": "idea",
            "revise": "idea",
            "self-review": "review",
            "reflect": "review",
            "trend": "chain",
        }.get(name)
        return f"{above}/{kind}" if kind else self.key


def introduce(run: Run, about: str = "") -> tuple[str, ...]:
    """Return what there is to say of a run before it plays: its topic, where its title does not
    say it, and `about`, or else what one will see.
    """
    title = run.packed.title if run.packed else run.title
    topic = " ".join(str(run.config.inputs.get("topic") or "").split())
    said = about or (run.packed.about if run.packed else "")
    return (
        *([f"Topic: {topic}"] if topic not in title else []),
        said or f"You will see {entry(run.config).played_back}.",
    )


def slides(store: Store, run: Run) -> tuple[Slide, ...]:
    """Return what a run has to show in the order in which it is told: the papers of a branch before
    what was made of them, branch by branch, and what came of it at the end.
    """
    telling = _Telling(store, run)
    found = sorted((*telling.steps(), *telling.records()), key=_order)
    notes = (*inherit(store, run), *store.notes.of(run.id))
    return tuple(_with_notes([*_milestones(found), *telling.results()], notes))


def _order(slide: Slide) -> tuple[list[str], int, int, int, str]:
    lent = slide.place.split(".")[:2]
    if slide.key.endswith("/extract") and (hop := HOP.search(slide.key)):
        return lent, 0, HOPS.index(hop[1]), int(hop[2]), slide.place
    return lent, 1, 0, 0, slide.place


def _milestones(found: Iterable[Slide]) -> Iterator[Slide]:
    """Yield the slides; of those that share a milestone the first alone is one."""
    seen: set[str] = set()
    for slide in found:
        again = slide.milestone in seen
        yield replace(slide, milestone="") if again else slide
        seen.add(slide.milestone)


def _with_notes(found: list[Slide], notes: Iterable[Note]) -> Iterator[Slide]:
    """Yield the slides with the notes on each; one on what is not shown stands on the first slide
    of its part of the run, or on the first of all.
    """
    given: dict[int, list[Note]] = {}
    for note in notes:
        part = f"{note.about.rpartition('/')[0]}/"
        exact = (n for n, slide in enumerate(found) if note.about in (slide.about, slide.key))
        near = (n for n, slide in enumerate(found) if slide.key.startswith(part))
        given.setdefault(next(exact, next(near, 0)), []).append(note)
    for n, slide in enumerate(found):
        yield replace(slide, notes=tuple(given.get(n, ())))


class _Telling:
    """A run that is told: its story, its tape, and what its actors are called."""

    def __init__(self, store: Store, run: Run):
        self.run, self.known = run, entry(run.config)
        self.tape = Tape.of(store, run.id)
        self.asked = {frame.key for frame in self.tape.frames}
        self.story = Story.of(store, run.id)
        self.products = store.steps.products(run.id)
        self.answered = store.steps.answered(run)
        self.failed = {step.key for step in store.steps.outline(run.id) if step.status == "failed"}
        self.lines = self.story.lines if self.known.advances else ()
        self.branches = {branch.n: branch for branch in self.story.branches}
        self.called = names("infal")
        if self.known.advances == "rounds":
            self.called = names(run.config.inputs_as(RefineInputs).play.variant)

    # -- what was asked --------------------------------------------------------------------------

    def steps(self) -> Iterator[Slide]:
        """Yield the steps one follows."""
        for frame in self.tape.frames:
            name = frame.key.rpartition("/")[2]
            if name not in STEPS or not frame.words:
                continue
            numbers = _numbers(frame.key)
            actor = frame.actor if self.known.advances else None
            says, remarks = self._says(frame, name, numbers)
            link = self._link(frame.key) if name == "extract" else None
            branch = numbers.get("branch") if name in ("extract", "trend") else None
            yield Slide(
                key=frame.key,
                place=frame.place,
                start=frame.start,
                end=frame.end,
                where=self._where(numbers),
                actor=actor,
                called=self.called[actor].capitalize() if actor else "",
                does=STEPS[name].does,
                title=_cite(link) if link else "",
                says=tuple(says),
                remarks=remarks,
                milestone=self._milestone(STEPS[name].milestone, numbers),
                branch=branch if branch in self.branches else None,
                paper=link.paper.id if link else "",
            )

    def _says(
        self, frame: Frame, name: str, numbers: Mapping[str, int]
    ) -> tuple[list[SlideParagraph], Mapping[str, str]]:
        """Return what a step says, and the remarks that its changes answer."""
        reply: Any = json.loads(frame.text) if frame.text.startswith("{") else frame.text
        if frame.key in self.failed:
            why = reply.get("message") if isinstance(reply, dict) else reply
            return prose(f"It came to nothing: {why}"), {}
        line = self._line(numbers)
        n = numbers.get("round", 0)
        done = line.rounds[n - 1] if line and 1 <= n <= line.newest else None
        if name == "revise" and line and done:
            return of_revision(done, line.before(n)), remarks_of(done)
        if name in ("verdict", "reflect") and isinstance(reply, dict) and "improved" in reply:
            said = of_verdict(
                bool(reply["improved"]), str(reply.get("reason", "")), done.quiet if done else 0
            )
            return [*said, *of_reply(reply.get("review"))], {}
        if name == "novelty-verdict" and (check := self._check(frame.key)):
            return of_check(check, self.run.config.source), {}
        step = numbers.get("step", 0)
        if name in ("evolve-revise", "evolve-alone") and line and step < len(line.steps):
            return of_rewriting(line.steps[step - 1].idea, line.steps[step].idea), {}
        return of_reply(reply), {}

    def _line(self, numbers: Mapping[str, int]) -> Line | None:
        idea = numbers.get("idea")
        return next((line for line in self.lines if idea in (None, line.n)), None)

    def _check(self, key: str) -> NoveltyCheck | None:
        """Return the check that a verdict was given for, which is shown at its own place; in runs
        from before there were several branches, among what they came to.
        """
        checks = dict(self.story.all_at(NoveltyCheck))
        n = _numbers(key).get("idea", 0)
        early = (one for place, one in checks.items() if place.startswith("result-"))
        alone = next((one for one in early if one.round == n), None)
        return checks.get(key.rpartition("/")[0], alone)

    def _link(self, key: str) -> Link | None:
        """Return the paper that a step reads, as it was put into its chain."""
        above = key.rpartition("/")[0]
        for place, record in self.story.parts:
            if place == above and isinstance(record, Link):
                return record
        # What a branch starts from was put there before it was read.
        branch, _, hop = above.partition("/")
        begin = next((one for one in self.tape.frames if one.key == f"{branch}/start"), None)
        if begin is None or not hop.startswith("start-"):
            return None
        links = Start.model_validate_json(begin.text).links
        n = int(hop.removeprefix("start-"))
        return links[n - 1] if n <= len(links) else None

    # -- what no step says as it is shown --------------------------------------------------------

    def records(self) -> Iterator[Slide]:
        """Yield a first idea that was given, the checklist of a step, a ranking, how branches
        compared.
        """
        for (name, record), product in zip(self.story.parts, self.products, strict=True):
            told = self._told(name, record)
            if told is None:
                continue
            does, milestone, says = told
            numbers = _numbers(f"{name}/")
            second = self.tape.settled(product.place)
            yield Slide(
                key=f"{name}/first-idea" if isinstance(record, Idea) else name,
                place=product.place,
                start=second,
                end=second,
                where=self._where(numbers),
                does=does,
                says=tuple(says),
                remarks={},
                milestone=self._milestone(milestone, numbers),
            )

    def _told(self, name: str, record: Record) -> tuple[str, str, list[SlideParagraph]] | None:
        """Return how a record is told, its milestone, and what it says; None for others."""
        if isinstance(record, Evolved):
            written = any(f"{name}/{step}" in self.asked for step in EVOLVING)
            given = [] if written else of_idea(record.idea)
            return "The checklist", "", [*given, *of_checklist(record.feedback or record.scores)]
        if isinstance(record, Selection) and len(self.branches) > 1:
            said = comparison(record, len(self.branches), self.story.set_aside)
            if len(record.points) > 1:
                said = f"{said} {record.reason}"
            return "How the branches compared", "Choice", prose(said)
        if isinstance(record, Standing) and self.known.report == "ranking":
            judge, ranked, _ = name.split("/", 2)
            own = self.run.config.models.get(judge, "a person")
            by = ", then ".join(played_by(self.answered, judge, own, name))
            does = f"{ranked.capitalize()}, ranked by {record.goal}, by {by}"
            drawn = prose(f"Q = {quotient(record)}") if record.q is not None else []
            return does, does, [*drawn, *of_standing(record)]
        if isinstance(record, Idea) and self.lines and FIRST_IDEA.fullmatch(name):
            written = f"{name}/first-idea" in self.asked
            return None if written else ("The first idea", "First idea", of_idea(record))
        return None

    def results(self) -> Iterator[Slide]:
        """Yield what came of the run, idea by idea where several were made side by side."""
        given = [line.outcome for line in self.lines] or [self.story.last(Outcome)]
        outcomes = [outcome for outcome in given if outcome]
        best = self.story.best
        check = best.check if best else None
        for n, outcome in enumerate(outcomes, 1):
            several = len(outcomes) > 1
            name = f"Result {n}" if several else "Result"
            yield Slide(
                key=f"idea-{n}/outcome" if several else "outcome",
                place="",
                start=self.tape.seconds,
                end=self.tape.seconds,
                does=name,
                title=outcome.idea.title,
                says=(
                    *prose(ending(outcome, check, self.run.config.source)),
                    *of_idea(outcome.idea, titled=True),
                ),
                remarks={},
                milestone=name,
            )

    # -- where it stands -------------------------------------------------------------------------

    def _where(self, numbers: Mapping[str, int]) -> str:
        """Say where in the run something stands, as a person would: `Idea 2, round 3`."""
        alone = {"branch": len(self.branches) < 2, "idea": bool(self.branches)}
        shown = [
            "first idea" if (name, n) == ("round", 0) else f"{name} {n}"
            for name, n in numbers.items()
            if not alone.get(name)
        ]
        return ", ".join(shown).capitalize()

    def _milestone(self, name: str, numbers: Mapping[str, int]) -> str:
        """Return what a list of places to jump to calls something."""
        if not name:
            return ""
        here = self._where(numbers)
        if name in ("Round", "Step"):
            return here
        n = numbers.get("idea", 1) if self.branches else 1
        again = f"{name} {n}" if n > 1 else name
        above = ("idea", "branch")
        outer = self._where({part: k for part, k in numbers.items() if part in above})
        return f"{outer}: {again.lower()}" if outer else again


def _numbers(key: str) -> dict[str, int]:
    """Return the numbers in a step's key, by what they number: `branch-2/idea-1/revise`."""
    return {name: int(number) for name, number in NUMBERED.findall(key)}


def _cite(link: Link) -> str:
    paper = link.paper
    return f"{paper.title} ({paper.year})" if paper.year else paper.title
