"""From what a person asked for to a method's inputs; every mistake becomes a sentence."""
import json
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from core.errors import BadInput
from core.methods import RefineInputs
from core.records import FORMS, Chain, Idea, Indicator, Outcome, Paper, Record, Run, Search, Stopping, label
from core.store import Store
from core.story import Story

T = TypeVar("T", bound=Record)


def validated(kind: type[T], **given: object) -> T:
    """Build inputs; raises BadInput that names the field and what is wrong with it."""
    if isinstance(given.get("topic"), str) and not str(given["topic"]).strip() and not given.get("idea"):
        raise BadInput("The topic is empty. Write what you want ideas about, in a few words or a few sentences.")
    try:
        return kind.model_validate(given)
    except ValidationError as error:
        wrong = error.errors()[0]
        field = label(str(wrong["loc"][0])) if wrong["loc"] else kind.__name__
        raise BadInput(f"{field}: {wrong['msg'].lower()} (given: {str(wrong.get('input'))[:80]!r}).") from None


def stop_rules(max_rounds: int, patience: int) -> Stopping:
    """Build stopping rules; raises BadInput."""
    return validated(Stopping, max_rounds=max_rounds, patience=patience)


def refine_run(store: Store, run_id: str, goal: Indicator, rules: Stopping, area: str = "") -> RefineInputs:
    """Take the idea, the topic and the papers of a finished run; raises BadInput if it has no idea yet."""
    run, story = store.runs.get(run_id), Story.of(store, run_id)
    outcome, chain = story.last(Outcome), story.last(Chain)
    idea = outcome.idea if outcome else story.last(Idea)
    if idea is None:
        raise BadInput(f"Run {run_id} has no idea to refine yet (it is {run.state}).")
    context = chain.papers if chain else _background(run, story)
    return validated(RefineInputs, topic=str(run.config.inputs["topic"]), goal=goal, rules=rules, idea=idea, context=context, from_run=run_id, **_in(area))


def _background(run: Run, story: Story) -> tuple[Paper, ...]:
    if run.config.method != "refine":
        return ()
    found = story.last(Search)
    return found.papers if found else RefineInputs.model_validate(run.config.inputs).context


def refine_idea(topic: str, idea: Idea | None, goal: Indicator, rules: Stopping, area: str = "") -> RefineInputs:
    """Take an idea somebody brought, or only a topic; raises BadInput."""
    return validated(RefineInputs, topic=topic.strip() or (idea.title if idea else ""), goal=goal, rules=rules, idea=idea, **_in(area))


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
