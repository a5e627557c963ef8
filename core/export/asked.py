"""What a run was asked for, in words: inputs, and for a refinement how the game was played."""

from collections.abc import Iterator
from typing import TypeVar

from core.errors import StoreFailed, boundary
from core.methods import RefineInputs
from core.records import Idea, Play, Record, Run, Variant, label
from core.wording.numbers import counted

Inputs = TypeVar("Inputs", bound=Record)
Fact = tuple[str, str]
NAMES = {
    "before": "Only papers before",
    "ban": "Papers never to be used",
    "branches": "Branches asked for",
    "length": "Papers per branch at most",
    "milestone": "Milestone from (citations)",
    "anchors": "Papers to start from",
    "without": "Left out",
    "full_text": "Open-access PDFs are read",
    "confirm": "A person confirms each direction",
    "novelty_rounds": "Novelty checks at most",
    "design": "An experiment is designed",
    "refinements": "Reviews of the design",
    "of": "Next to the paper",
    "hop": "Direction",
    "held": "Papers in the chain",
    "line": "Papers on that side",
    "judged": "Candidates judged",
    "paper": "Paper",
    "area": "Research area",
    "context": "Papers given",
    "k": "Papers looked for where none is given",
    "lines": "Ideas side by side",
    "only": "Only the idea",
    "target": "Target to be ranked among the ideas",
    "repeats": "Times each ranking is asked",
    "same_form": "Texts are brought into one form before they are compared",
    "from_run": "Begins with the idea of run",
    "idea": "Begins with the idea",
    "known": "Not to be repeated",
    "dated": "The idea's own date",
    "depth": "Depth",
    "around": "Works whose citations are followed",
    "firsts": "Begins with first ideas that others begin with too",
    "checklist_judge": "Judges evolutions by the checklist",
    "question": "Research question",
    "seed": "Seed paper",
    "papers": "Papers are looked for and reviewed",
    "steps": "Ideas one after the other",
    "informed": "Revised by the judge's directives",
    "decided": "Layout and Length are decided by",
    "apart": "Another judge scores than gives the directives",
    "step_in": "Waits for a person before a revision",
    "goals": "Qualities ranked by",
    "sets": "Sets",
    "entries": "Texts",
    "people_only": "People alone vote",
    "at_once": "Side by side at most",
    "n": "Ideas per cell",
    "rules": "A refinement stops",
    "targets": "Targets",
    "every_round": "The ideas of every round are ranked",
    "works": "Works wanted",
    "sample_seed": "Seed of the sample",
    "indicators": "Qualities",
    "checklist": "Every version is judged by the checklist",
    "study": "Session",
    "seat": "Seat",
    "answers": "Answers to give at most",
    "sha": "Configuration of the session, by its hash",
    "count": "Keywords asked",
    "data": "Data, by their hash",
    "questions": "Held-out questions",
    "generators": "Models that write",
    "modes": "Ideas are revised",
    "providers": "Directives by",
    "scorer": "Scored by",
    "judges_each": "Judges per idea",
}
"""What an input is called where its own name says too little."""
INNER = {
    "max_rounds": "rounds at most",
    "patience": "rounds in a row without improvement after which it stops",
    "in_venue": "minimum citations, leading venue",
    "anywhere": "minimum citations, any venue",
    "each": "targets per category",
    "without": "publication types left out",
    "background": "abstracts of references at most",
}
"""What a part of an input is called."""
ELSEWHERE: dict[str, tuple[str, ...]] = {
    "bench": ("keywords", "models", "judges", "asked_words", "most_words", "limits"),
    "sweep": ("earlier",),
    "novelty": ("idea", "papers"),
    "evolve": ("review", "earlier", "firsts"),
    "rank": ("sets", "earlier"),
    "train": ("data", "base", "base_digest", "informed", "reward", "judged", "how"),
}
"""Inputs by method that a report tells in a place of their own; of the others, how the game was
played.
"""
NOTHING: tuple[object, ...] = (None, "", [], ())
"""Inputs, and parts of them, that say nothing."""
COUNTED = {"entries": "text", "targets": "target"}
"""Inputs of which there may be thousands: how many there are is said here, and what they are
further down.
"""
GAMES: dict[Variant, str] = {
    "infal": "InfAL: generator, optimizer and discriminator, which reads the review as well",
    "review-rebuttal": (
        "Review & Rebuttal: proposer, reviewer and area chair, who reads the two ideas alone"
    ),
    "self-reflection": "self-reflection: the generator criticises and revises its own idea",
    "initial": "the initial idea, not refined",
    "no-discriminator": "without discriminator: a fixed number of rounds, which nobody judges",
    "no-optimizer": "without optimizer: revised without a review",
}


def inputs(run: Run) -> Iterator[Fact]:
    """Yield what was asked for in words; how a game is played is told by `played`."""
    elsewhere = ELSEWHERE.get(run.config.method, ("play", "goal", "rules", "earlier"))
    for name, value in run.config.inputs.items():
        if name in elsewhere or value in NOTHING:
            continue
        what = named(name)
        if name in COUNTED and isinstance(value, list):
            yield what, counted(len(value), COUNTED[name])
        else:
            yield what, in_words(value)


def named(name: str) -> str:
    """Return what an input is called."""
    return NAMES.get(name, label(name))


def part_named(name: str) -> str:
    """Return what a part of an input is called, inside a sentence."""
    return INNER.get(name, label(name).lower())


def in_words(value: object) -> str:
    """Say an input's value: yes or no, a list as a list, a paper or an idea by its title."""
    match value:
        case bool():
            return "yes" if value else "no"
        case {"form": _, "fields": _}:
            return Idea.model_validate(value).title
        case {"title": title}:
            return str(title)
        case dict():
            return _parts({str(name): part for name, part in value.items() if part not in NOTHING})
        case list() | tuple():
            return "; ".join(in_words(part) for part in value)
        case _:
            return str(value)


def _parts(parts: dict[str, object]) -> str:
    if set(parts) == {"name", "traits"}:
        return f"{parts['name']} ({in_words(parts['traits'])})"
    return "; ".join(f"{part_named(name)}: {in_words(part)}" for name, part in parts.items())


def inputs_as(run: Run, kind: type[Inputs]) -> Inputs:
    """Return what a run was asked for, of whichever version; raises StoreFailed."""
    with boundary(
        StoreFailed,
        f"reading what run {run.id} was asked for, which another version of this program may have"
        " written",
    ):
        return run.inputs_as(kind)


def played(inputs: RefineInputs) -> Iterator[Fact]:
    """Yield how the game was played: first the legs before a branch, then the rest."""
    since = 0
    for leg in inputs.earlier:
        facts = "; ".join(f"{name.lower()}: {text}" for name, text in _play(leg.play))
        yield f"Rounds {since + 1} to {leg.upto}", facts
        since = leg.upto
    if inputs.earlier:
        yield f"From round {since + 1} on", "as follows"
    yield from _play(inputs.play, since)


def _play(play: Play, since: int = 0) -> Iterator[Fact]:
    yield "Variant", GAMES[play.variant] + (" (Algorithm 1 as printed)" if play.printed else "")
    for goal in play.goals:
        traits = ", ".join(goal.traits) or "none named"
        yield "Quality to improve", f"{goal.name} (traits: {traits})"
    if len(play.goals) > 1:
        yield "Qualities come", play.order
    yield "Stops", _stops(play, since)
    if play.people:
        yield "Played by a person", ", ".join(play.people)
    if play.step_in:
        yield "Before every revision", "the run waits for a person"


def _stops(play: Play, since: int) -> str:
    if play.variant == "initial":
        return "after the first idea"
    rounds = counted(play.rules.max_rounds, "round")
    if len(play.goals) > 1:
        rounds += " for each quality"
    if since:
        rounds += f" more, {since + play.most} in all"
    if play.variant == "no-discriminator":
        return f"after {rounds}"
    patience = play.rules.patience
    verdicts = "one verdict" if patience == 1 else f"{patience} verdicts in a row"
    return f"when {verdicts} saw no significant improvement, or after {rounds}"
