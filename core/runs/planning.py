"""From what a person asked for to a method's inputs; every mistake becomes a sentence."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from core.errors import BadInput, SourceFailed
from core.files import read_text
from core.methods import Looking, RefineInputs
from core.methods.finding import id_in
from core.records import (
    ACTORS,
    FIXED_ROUNDS,
    FORMS,
    Actor,
    Idea,
    Indicator,
    Paper,
    Play,
    Record,
    Run,
    Search,
    Stopping,
    digest,
    label,
)
from core.records.faults import fault_in_words, faults_in_words
from core.runs.beginning import begin
from core.runs.catalogue import entry
from core.runs.runner import Runner
from core.runs.workshop import Workshop
from core.store import Store
from core.story import Story

T = TypeVar("T", bound=Record)
SEATS: dict[str, set[Actor]] = {
    "infal": {*ACTORS},
    "review-rebuttal": {*ACTORS},
    "self-reflection": set(),
    "initial": {"generator"},
    "no-discriminator": {"generator", "optimizer"},
    "no-optimizer": {"generator", "discriminator"},
}
"""Which actors a person can play, by variant; in self-reflection a model answers its own criticism.
"""
MOST_PASTED = 20
"""How many pasted abstracts a refinement takes."""


def validated(kind: type[T], /, **given: object) -> T:
    """Build inputs; raises BadInput that names the field and what is wrong with it."""
    if (
        isinstance(given.get("topic"), str)
        and not str(given["topic"]).strip()
        and not given.get("idea")
    ):
        raise BadInput(
            "The topic is empty. Write what you want ideas about, in a few words or a few"
            " sentences."
        )
    try:
        return kind.model_validate(given)
    except ValidationError as error:
        wrong = error.errors()[0]
        if not wrong["loc"]:
            said = fault_in_words(wrong)
            raise BadInput(f"{said[:1].upper()}{said[1:]}.") from None
        field = label(str(wrong["loc"][0]))
        raise BadInput(
            f"{field}: {fault_in_words(wrong)} (given: {str(wrong.get('input'))[:80]!r})."
        ) from None


def stop_rules(max_rounds: int, patience: int) -> Stopping:
    """Build stopping rules: at most `max_rounds`, and an end after `patience` rounds in a row
    without improvement; raises BadInput.
    """
    return validated(Stopping, max_rounds=max_rounds, patience=patience)


def played(
    variant: str,
    goals: Sequence[Indicator],
    max_rounds: int | None = None,
    patience: int | None = None,
    people: Sequence[Actor] = (),
    **more: object,
) -> Play:
    """Build the plan of a refinement, with the papers' values for what is left out.

    Raises BadInput.

    Without a discriminator seven rounds; alone, or as printed, until the first verdict that sees no
    improvement.
    """
    rounds = FIXED_ROUNDS if variant == "no-discriminator" else Stopping().max_rounds
    waits = 1 if variant == "self-reflection" or more.get("printed") else Stopping().patience
    rules = stop_rules(
        rounds if max_rounds is None else max_rounds, waits if patience is None else patience
    )
    if idle := set(people) - SEATS[variant]:
        raise BadInput(
            f"Nobody but models plays the {sorted(idle)[0]} in {variant!r}. Choose another variant,"
            " or leave the person out."
        )
    return validated(
        Play, variant=variant, goals=tuple(goals), rules=rules, people=tuple(people), **more
    )


def refine_run(
    store: Store, run_id: str, play: Play, area: str = "", line: int | None = None, **more: object
) -> RefineInputs:
    """Take the idea, the topic and the papers of a finished run; raises BadInput if it has no idea
    yet, or several and none is chosen.
    """
    run, story = store.runs.get(run_id), Story.of(store, run_id)
    ideas = ideas_of(run, story)
    if not ideas:
        raise BadInput(f"Run {run_id} has no idea to refine yet (it is {run.state}).")
    if line is None and len(ideas) > 1:
        raise BadInput(
            f"Run {run_id} has {len(ideas)} ideas. Choose which one goes on:"
            f" {', '.join(map(str, ideas))}."
        )
    chosen = line if line is not None else next(iter(ideas))
    if chosen not in ideas:
        raise BadInput(f"Run {run_id} has no idea {chosen}; it has {', '.join(map(str, ideas))}.")
    best = story.best
    context = best.chain.papers if best and best.chain else papers_of(run, story)
    return validated(
        RefineInputs,
        **{
            "topic": str(run.config.inputs["topic"]),
            "play": play,
            "idea": ideas[chosen],
            "context": context,
            "from_run": run_id,
            **_in(area),
            **more,
        },
    )


def ideas_of(run: Run, story: Story) -> dict[int, Idea]:
    """Return the ideas a run came to, by number: several only where several were refined side by
    side.
    """
    return entry(run.config).ideas(story)


def papers_of(run: Run, story: Story) -> tuple[Paper, ...]:
    """Return the papers a refinement drew on, or those a run found; none is an answer too."""
    found = story.last(Search)
    return found.papers if found else entry(run.config).given(run.config)


def refine_idea(
    topic: str, idea: Idea | None, play: Play, area: str = "", **more: object
) -> RefineInputs:
    """Take an idea somebody brought, or only a topic; raises BadInput."""
    return validated(
        RefineInputs,
        **{
            "topic": topic.strip() or (idea.title if idea else ""),
            "play": play,
            "idea": idea,
            **_in(area),
            **more,
        },
    )


def pasted(text: str) -> tuple[Paper, ...]:
    """Make papers of pasted abstracts, separated by empty lines: the first line of each is its
    title, unless it is all there is; raises BadInput.
    """
    parts = [part.strip() for part in re.split(r"\n\s*\n", text) if part.strip()]
    if len(parts) > MOST_PASTED:
        raise BadInput(
            f"{len(parts)} abstracts were pasted; {MOST_PASTED} can be used. An empty line begins a"
            " new one."
        )
    papers = []
    for part in parts:
        first, _, rest = part.partition("\n")
        title = first.strip() if len(first) <= 300 else first[:297].rsplit(" ", 1)[0] + " ..."
        paper = validated(
            Paper,
            id=f"pasted-{digest(part)[:12]}",
            title=title,
            abstract=" ".join((rest or part).split()),
            source="pasted",
        )
        papers.append(paper)
    return tuple(papers)


def find_paper(shop: Workshop, name: str, asked: dict[str, Any]) -> Paper:
    """Return the paper of an id of ours, or the one a look-up finds under a DOI, an arXiv id or a
    title; raises BadInput, SourceFailed.

    The look-up is a run of its own, and several papers under one title are named, not chosen from.
    """
    if held := shop.store.library.paper(name):
        return held
    runner = Runner(shop)
    run = begin(runner, "find", validated(Looking, topic=name), name, **asked)
    state = runner.work(run.id)
    if state != "done":
        raise SourceFailed(
            f"{name!r} could not be looked up (run {run.id}): {shop.store.runs.get(run.id).reason}"
        )
    found = Story.of(shop.store, run.id).last(Search)
    papers = found.papers if found else ()
    exact = [paper for paper in papers if paper.title.casefold() == name.strip().casefold()]
    if not exact and id_in(name):
        exact = list(papers)
    if len(exact) == 1:
        return exact[0]
    near = "; ".join(f"{paper.id} ({paper.title})" for paper in papers[:5])
    said = f"Near it: {near}. Give one of these ids." if near else "Nothing was found."
    raise BadInput(f"{name!r} names no single paper in {run.config.source}. {said}")


def _in(area: str) -> dict[str, str]:
    return {"area": area} if area.strip() else {}


def idea_from(path: Path) -> Idea:
    """Read an idea from a file: JSON with the fields of one of the forms, or plain text; raises
    BadInput.
    """
    return idea_of(read_text(path).strip())


def idea_of(text: str) -> Idea:
    """Make an idea from text a person gave: plain, or JSON with the fields of one of the forms;
    raises BadInput.
    """
    if not text.strip():
        raise BadInput("The idea is empty. Write it in a paragraph, or give JSON with its fields.")
    if text.lstrip().startswith("{"):
        return _from_json(text)
    try:
        return Idea(form="hypothesis", fields={"hypothesis": text})
    except ValidationError as error:
        raise BadInput(f"The idea cannot be used: {fault_in_words(error.errors()[0])}.") from None


def _from_json(text: str) -> Idea:
    try:
        given = json.loads(text)
        fields = given.get("fields", given)
        form = next(form for form, names in FORMS.items() if set(names) == set(fields))
    except (ValueError, TypeError, AttributeError, StopIteration, RecursionError):
        forms = "; ".join(", ".join(names) for names in FORMS.values())
        raise BadInput(
            f"The idea is not JSON with the fields of one of the forms: {forms}."
        ) from None
    try:
        return Idea.model_validate(
            {"form": form, "fields": {name: fields[name] for name in FORMS[form]}}
        )
    except ValidationError as error:
        raise BadInput(f"The idea cannot be used: {faults_in_words(error)}.") from None
