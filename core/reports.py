"""A run as one JSON document: what `--json` prints."""
from typing import Any

from core.records import Considered, Design, DesignRound, Idea, Map, Outcome, Record, Run, Search, Selection, Topic
from core.store import Store
from core.story import Branch, Line, Story


def document(store: Store, run_id: str) -> dict[str, Any]:
    """Return run, state, calls, tokens, cost, and what the method found; `cost` is null while any price is unknown."""
    run, story = store.runs.get(run_id), Story.of(store, run_id)
    found = _chains(story) if run.config.method == "chain" else _refinement(story) if run.config.method == "refine" else _other(story)
    return {**summary(run), "outcome": _dump(story.last(Outcome)), **found}


def summary(run: Run) -> dict[str, Any]:
    """Return what every document has."""
    return {
        "run": run.id, "title": run.title, "method": run.config.method, "state": run.state, "reason": run.reason,
        "steps": run.steps, "calls": run.calls,
        "tokens": {"in": run.tokens_in, "out": run.tokens_out}, "cost": None if run.unpriced else round(run.cost, 6),
        "cost_known": round(run.cost, 6), "calls_unpriced": run.unpriced, "models": run.config.models, "source": run.config.source,
        "inputs": run.config.inputs, "parent": run.parent, "fork_at": run.fork_at, "created": run.created,
    }


def _chains(story: Story) -> dict[str, Any]:
    best = story.best
    return {
        "branches": [_branch(one) for one in story.branches], "selection": _dump(story.last(Selection)),
        "idea": _dump(best.idea) if best else None, "novelty": [_dump(check) for check in best.checks] if best else [],
        "design": _dump(story.last(Design)), "design_rounds": [_dump(one) for one in story.all(DesignRound)], "map": _dump(story.last(Map)),
    }


def _branch(branch: Branch) -> dict[str, Any]:
    chain = branch.chain
    papers = [{"id": one.paper.id, "title": one.paper.title, "year": one.paper.year, "published": one.paper.published, "doi": one.paper.doi,
               "arxiv": one.paper.arxiv, "source": one.paper.source, "hop": one.hop, "score": one.score, "reason": one.reason,
               "milestone": one.milestone, "near": one.paper.near, "text": _dump(one.text)} for one in chain.links] if chain else []
    return {
        "branch": branch.n, "papers": papers, "ordered": chain.ordered if chain else True,
        "stops": [stop.model_dump() for stop in chain.stops] if chain else [],
        "against_time": [{"earlier": a.id, "later": b.id} for a, b in chain.violations] if chain else [],
        "trend": _dump(branch.trend), "entities": _dump(branch.entities), "direction": _dump(branch.direction), "draft": _dump(branch.draft),
        "idea": _dump(branch.idea), "novelty": [_dump(check) for check in branch.checks], "given_up": _dump(branch.given_up),
    }


def _refinement(story: Story) -> dict[str, Any]:
    lines = [_line(one) for one in story.lines]
    several = {"lines": lines, "rankings": [_dump(one) for one in story.rankings]} if len(lines) > 1 else lines[0] if lines else {}
    return {"target": _dump(story.target), **several}


def _line(line: Line) -> dict[str, Any]:
    rounds = [{**one.model_dump(mode="json", exclude={"revision"}), "idea": one.revision.idea.model_dump(),
               "changes": [change.model_dump(mode="json") for change in one.revision.changes]} for one in line.rounds]
    return {"first": _dump(line.first), "standings": [_dump(one) for one in line.standings(0)], "rounds": rounds, "outcome": _dump(line.outcome)}


def _other(story: Story) -> dict[str, Any]:
    """Return what a baseline, a real paper or a look-up has to show; what it does not have is left out."""
    kinds: dict[str, type[Record]] = {"topic": Topic, "found": Search, "candidates": Considered, "idea": Idea, "design": Design}
    return {name: _dump(record) for name, kind in kinds.items() if (record := story.last(kind))}


def _dump(record: Record | None) -> dict[str, Any] | None:
    return record.model_dump(mode="json") if record is not None else None
