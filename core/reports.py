"""A run as one JSON document: what `--json` prints."""
from typing import Any

from core.records import Chain, Direction, Idea, Link, NoveltyCheck, Outcome, Round, Run, Trend
from core.store import Store
from core.story import Story


def document(store: Store, run_id: str) -> dict[str, Any]:
    """Return run, state, calls, tokens, cost, and what the method found; `cost` is null while any price is unknown."""
    run, story = store.runs.get(run_id), Story.of(store, run_id)
    found = _chain(story) if run.config.method == "chain" else _refinement(story)
    return {**summary(run), **found, "outcome": _outcome(story)}


def summary(run: Run) -> dict[str, Any]:
    """Return what every document has."""
    return {
        "run": run.id, "title": run.title, "method": run.config.method, "state": run.state, "reason": run.reason,
        "steps": run.steps, "calls": run.calls,
        "tokens": {"in": run.tokens_in, "out": run.tokens_out}, "cost": None if run.unpriced else round(run.cost, 6),
        "cost_known": round(run.cost, 6), "calls_unpriced": run.unpriced, "models": run.config.models, "source": run.config.source,
        "parent": run.parent, "fork_at": run.fork_at, "created": run.created,
    }


def _chain(story: Story) -> dict[str, Any]:
    chain = story.last(Chain)
    links = chain.links if chain else tuple(record for record in story.growing if isinstance(record, Link))
    papers = [{"id": one.paper.id, "title": one.paper.title, "year": one.paper.year, "published": one.paper.published, "hop": one.hop,
               "score": one.score, "reason": one.reason, "milestone": one.milestone} for one in links]
    stops = [stop.model_dump() for stop in chain.stops] if chain else []
    idea, checks = story.last(Idea), story.all(NoveltyCheck)
    return {
        "branches": [{"papers": papers, "stops": stops, "trend": _dump(story.last(Trend)), "direction": _dump(story.last(Direction))}],
        "idea": _dump(idea), "novelty": [check.model_dump(mode="json") for check in checks],
    }


def _refinement(story: Story) -> dict[str, Any]:
    rounds = [{"n": one.n, "review": one.review.model_dump(), "idea": one.revision.idea.model_dump(), "verdict": one.verdict.model_dump(),
               "changes": [change.model_dump(mode="json") for change in one.revision.changes], "measures": _dump(one.measures), "quiet": one.quiet}
              for one in story.all(Round)]
    return {"first": _dump(next(iter(story.all(Idea)), None)), "rounds": rounds}


def _outcome(story: Story) -> dict[str, Any] | None:
    return _dump(story.last(Outcome))


def _dump(record: Any) -> dict[str, Any] | None:
    return record.model_dump(mode="json") if record is not None else None
