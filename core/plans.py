"""From what a person asked for to a method's inputs; every mistake becomes a sentence."""
import json
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from core.errors import BadInput, SourceFailed
from core.methods import Looking, RefineInputs
from core.methods.finding import id_in
from core.records import FORMS, Idea, Indicator, Outcome, Paper, Record, Run, Search, Stopping, label
from core.runner import Runner
from core.store import Store
from core.story import Story
from core.workshop import Workshop

T = TypeVar("T", bound=Record)


def validated(kind: type[T], **given: object) -> T:
    """Build inputs; raises BadInput that names the field and what is wrong with it."""
    if isinstance(given.get("topic"), str) and not str(given["topic"]).strip() and not given.get("idea"):
        raise BadInput("The topic is empty. Write what you want ideas about, in a few words or a few sentences.")
    try:
        return kind.model_validate(given)
    except ValidationError as error:
        wrong = error.errors()[0]
        if not wrong["loc"]:
            said = wrong["msg"].removeprefix("Value error, ")
            raise BadInput(f"{said[:1].upper()}{said[1:]}.") from None
        field = label(str(wrong["loc"][0]))
        raise BadInput(f"{field}: {wrong['msg'].lower()} (given: {str(wrong.get('input'))[:80]!r}).") from None


def stop_rules(max_rounds: int, patience: int) -> Stopping:
    """Build stopping rules; raises BadInput."""
    return validated(Stopping, max_rounds=max_rounds, patience=patience)


def refine_run(store: Store, run_id: str, goal: Indicator, rules: Stopping, area: str = "") -> RefineInputs:
    """Take the idea, the topic and the papers of a finished run; raises BadInput if it has no idea yet."""
    run, story = store.runs.get(run_id), Story.of(store, run_id)
    outcome, best = story.last(Outcome), story.best
    idea = outcome.idea if outcome else story.last(Idea)
    if idea is None:
        raise BadInput(f"Run {run_id} has no idea to refine yet (it is {run.state}).")
    context = best.chain.papers if best and best.chain else _background(run, story)
    return validated(RefineInputs, topic=str(run.config.inputs["topic"]), goal=goal, rules=rules, idea=idea, context=context, from_run=run_id, **_in(area))


def _background(run: Run, story: Story) -> tuple[Paper, ...]:
    found = story.last(Search)
    if found or run.config.method != "refine":
        return found.papers if found else ()
    return RefineInputs.model_validate(run.config.inputs).context


def refine_idea(topic: str, idea: Idea | None, goal: Indicator, rules: Stopping, area: str = "") -> RefineInputs:
    """Take an idea somebody brought, or only a topic; raises BadInput."""
    return validated(RefineInputs, topic=topic.strip() or (idea.title if idea else ""), goal=goal, rules=rules, idea=idea, **_in(area))


def named_paper(shop: Workshop, name: str, asked: dict[str, Any]) -> Paper:
    """Return the paper of an id of ours, or the one a look-up finds under a DOI, an arXiv id or a title; raises BadInput, SourceFailed.

    The look-up is a run of its own, and several papers under one title are named, not chosen from.
    """
    if held := shop.store.library.paper(name):
        return held
    runner = Runner(shop)
    run = runner.begin(shop.config("find", validated(Looking, topic=name), **asked), name)
    state = runner.work(run.id)
    if state != "done":
        raise SourceFailed(f"{name!r} could not be looked up (run {run.id}): {shop.store.runs.get(run.id).reason}")
    found = Story.of(shop.store, run.id).last(Search)
    papers = found.papers if found else ()
    exact = [paper for paper in papers if paper.title.casefold() == name.strip().casefold()] or (list(papers) if id_in(name) else [])
    if len(exact) == 1:
        return exact[0]
    near = "; ".join(f"{paper.id} ({paper.title})" for paper in papers[:5])
    said = f"Near it: {near}. Give one of these ids." if near else "Nothing was found."
    raise BadInput(f"{name!r} names no single paper in {run.config.source}. {said}")


def _in(area: str) -> dict[str, str]:
    return {"area": area} if area.strip() else {}


def idea_from(path: Path) -> Idea:
    """Read an idea from a file: JSON with the fields of one of the forms, or plain text; raises BadInput."""
    try:
        text = path.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path} cannot be read as text ({error}).") from None
    return idea_of(text)


def idea_of(text: str) -> Idea:
    """Make an idea from text a person gave: plain, or JSON with the fields of one of the forms; raises BadInput."""
    if not text.strip():
        raise BadInput("The idea is empty. Write it in a paragraph, or give JSON with its fields.")
    if text.lstrip().startswith("{"):
        return _from_json(text)
    try:
        return Idea(form="hypothesis", fields={"hypothesis": text})
    except ValidationError as error:
        raise BadInput(f"The idea cannot be used: {error.errors()[0]['msg'].lower()}.") from None


def _from_json(text: str) -> Idea:
    try:
        given = json.loads(text)
        fields = given.get("fields", given)
        form = next(form for form, names in FORMS.items() if set(names) == set(fields))
        return Idea.model_validate({"form": form, "fields": {name: fields[name] for name in FORMS[form]}})
    except (ValueError, TypeError, AttributeError, StopIteration) as error:
        forms = "; ".join(", ".join(names) for names in FORMS.values())
        raise BadInput(f"The idea is not JSON with the fields of one of the forms ({forms}). {error}".strip()) from None
