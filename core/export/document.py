"""A run as one JSON document: what `--json` prints."""

from collections.abc import Callable, Sequence
from typing import Any

from core.export.datasets import numbers
from core.export.dumps import dump, dump_all
from core.judging.claims import claim, ending, failures, found_papers, level, only_one, tie
from core.records import (
    Checklist,
    ClaimsVerdict,
    Considered,
    Design,
    DesignRound,
    Discarded,
    Evolved,
    Idea,
    IdeaChoice,
    Learned,
    Link,
    Map,
    NoveltyCheck,
    NoveltyMatrix,
    Outcome,
    Prepared,
    Record,
    Run,
    Search,
    SeatFilled,
    Selection,
    Topic,
    Trained,
)
from core.runs.catalogue import entry, lack
from core.store import Store
from core.story import Branch, Line, Story

PAPER = ("id", "title", "year", "published", "doi", "arxiv", "source")
"""What is said of a paper in a chain."""
COMPUTED = (
    "ranking",
    "arena",
    "experiment",
    "novelty experiment",
    "topic experiment",
    "benchmark",
    "shortlist",
)
"""Reports in which there are figures."""


def document(store: Store, run_id: str) -> dict[str, Any]:
    """Return run, state, calls, tokens, cost, and what the method found; `cost` is null while any
    price is unknown.
    """
    run, story = store.runs.get(run_id), Story.of(store, run_id)
    return {
        **sum_up(store, run),
        "outcome": _describe_end(run, story),
        **_describe_findings(store, run, story),
    }


def _describe_end(run: Run, story: Story) -> dict[str, Any] | None:
    """Return how a run ended; where its idea was checked, with what the check rests on."""
    end, best = story.last(Outcome), story.best
    if end is None:
        return None
    check = best.check if best else None
    reason = ending(end, check, run.config.source)
    return {**end.model_dump(mode="json"), "reason": reason}


def _describe_check(check: NoveltyCheck, source: str) -> dict[str, Any]:
    """Return a novelty check with what may be claimed of it: among how many papers, searched where,
    what failed.
    """
    return {
        **check.model_dump(mode="json"),
        "claim": claim(check, source),
        "papers_searched": found_papers(check),
        "searched_in": source,
        "failures": failures(check.searches),
    }


def _describe_choice(
    chosen: Selection | IdeaChoice | None, aside: Sequence[int] = ()
) -> dict[str, Any] | None:
    """Return what was chosen, and whether that was a tie; `aside` are the branches whose idea
    overlaps with a paper.
    """
    if chosen is None:
        return None
    about = {"level": list(level(chosen)), "tie": tie(chosen)}
    if len(chosen.points) == 1 and isinstance(chosen, Selection):
        about["reason"] = only_one(chosen, aside)
    return {**chosen.model_dump(mode="json"), **about}


def sum_up(store: Store, run: Run) -> dict[str, Any]:
    """Return what every document has; an experiment asks nothing itself, so of it what all its runs
    took together.
    """
    came = resulting(store, run)
    if not entry(run.config).has_runs_made:
        return {**summary(run), **came}
    return {
        **summary(store.runs.with_runs_made(run)),
        **came,
        "runs_made": store.runs.spent(run.id)["runs"],
    }


def resulting(store: Store, run: Run) -> dict[str, Any]:
    """Return whether a run has a result (null while it has not ended), and where a finished one has
    none the reason.
    """
    reason = lack(store, run)
    ended = {"result": not reason if run.state == "done" else None}
    return {**ended, "reason": reason} if reason else ended


def _describe_findings(store: Store, run: Run, story: Story) -> dict[str, Any]:
    told = entry(run.config).report
    if told in COMPUTED:
        # Numpy and scipy come with it, a second that no other kind of run has to wait for.
        from core.export import computed

        return computed.describe(told, store, run, story)
    makers: dict[str, Callable[[], dict[str, Any]]] = {
        "chain": lambda: _chains(run, story),
        "refinement": lambda: _refinement(story),
        "evolution": lambda: _evolution(story),
        "novelty": lambda: _novelty(run, story),
        "data set": lambda: {"dataset": numbers(story)},
        "training": lambda: {
            "learned": dump_all(story.all(Learned)),
            "came_of_it": dump(story.last(Trained)),
        },
    }
    return makers.get(told, lambda: _other(story))()


def summary(run: Run) -> dict[str, Any]:
    """Return what every document has."""
    inputs = run.config.inputs
    entries = inputs.get("entries")
    if isinstance(entries, list):  # An arena may have twenty thousand texts.
        inputs = {**inputs, "entries": len(entries)}
    return {
        "run": run.id,
        "title": run.title,
        "method": run.config.method,
        "state": run.state,
        "reason": run.reason,
        "steps": run.steps,
        "calls": run.calls,
        **usage(run),
        "models": run.config.models,
        "source": run.config.source,
        "inputs": inputs,
        "parent": run.parent,
        "fork_at": run.fork_at,
        "created": run.created,
        "seconds_worked": round(run.worked, 3),
    }


def usage(run: Run) -> dict[str, Any]:
    """Return tokens and cost as far as they are known, and of how many calls they are not; `tokens`
    are null where servers reported none.
    """
    nothing = run.unreported > 0 and not run.tokens_in and not run.tokens_out
    return {
        "tokens": {
            "in": None if nothing else run.tokens_in,
            "out": None if nothing else run.tokens_out,
        },
        "calls_unreported": run.unreported,
        "calls_maybe_paid": run.maybe_paid,
        "cost": None if run.unpriced else round(run.cost, 6),
        "cost_known": round(run.cost, 6),
        "calls_unpriced": run.unpriced,
    }


def _chains(run: Run, story: Story) -> dict[str, Any]:
    best, source = story.best, run.config.source
    return {
        "branches": [_branch(part, source) for part in story.branches],
        "selection": _describe_choice(story.last(Selection), story.set_aside),
        "idea": dump(best.idea) if best else None,
        "novelty": [_describe_check(check, source) for check in best.checks] if best else [],
        "design": dump(story.last(Design)),
        "design_rounds": dump_all(story.all(DesignRound)),
        "map": dump(story.last(Map)),
    }


def _branch(branch: Branch, source: str) -> dict[str, Any]:
    chain = branch.chain
    papers = [_describe_link(link) for link in chain.links] if chain else []
    return {
        "branch": branch.n,
        "papers": papers,
        "ordered": chain.ordered if chain else True,
        "stops": [stop.model_dump() for stop in chain.stops] if chain else [],
        "against_time": (
            [{"earlier": a.id, "later": b.id} for a, b in chain.violations] if chain else []
        ),
        "trend": dump(branch.trend),
        "entities": dump(branch.entities),
        "direction": dump(branch.direction),
        "draft": dump(branch.draft),
        "idea": dump(branch.idea),
        "choice": _describe_choice(branch.last(IdeaChoice)),
        "novelty": [_describe_check(check, source) for check in branch.checks],
        **_several_ideas(branch, source),
        "given_up": dump(branch.given_up),
    }


def _several_ideas(branch: Branch, source: str) -> dict[str, Any]:
    """Return the ideas of a branch that went after several, each with its checks."""
    if len(branch.pursuits) < 2:
        return {}
    return {
        "ideas": [
            {
                "n": one.n,
                "idea": dump(one.idea),
                "novelty": [_describe_check(check, source) for check in one.all(NoveltyCheck)],
            }
            for one in branch.pursuits
        ]
    }


def _describe_link(link: Link) -> dict[str, Any]:
    """Return a paper of a chain with why it is there."""
    paper = link.paper
    return {
        **{name: getattr(paper, name) for name in PAPER},
        "hop": link.hop,
        "score": link.score,
        "reason": link.reason,
        "milestone": link.milestone,
        "near": paper.near,
        "text": dump(link.text),
    }


def _refinement(story: Story) -> dict[str, Any]:
    found = {"target": dump(story.target)}
    lines = [_line(line) for line in story.lines]
    if len(lines) > 1:
        return {**found, "lines": lines, "rankings": dump_all(story.rankings)}
    return {**found, **lines[0]} if lines else found


def _line(line: Line) -> dict[str, Any]:
    rounds = [
        {
            **done.model_dump(mode="json", exclude={"revision"}),
            "idea": done.revision.idea.model_dump(),
            "changes": dump_all(done.revision.changes),
        }
        for done in line.rounds
    ]
    return {
        "first": dump(line.first),
        "standings": dump_all(line.standings(0)),
        "rounds": rounds,
        "outcome": dump(line.outcome),
    }


def _evolution(story: Story) -> dict[str, Any]:
    lines = [line for line in story.lines if line.steps or line.last(Discarded)]
    documents = [
        {
            "idea": line.n,
            "steps": [_describe_step(one) for one in line.steps],
            "discarded": dump(line.last(Discarded)),
            "outcome": dump(line.outcome),
        }
        for line in lines
    ]
    lost = sum(len(line.all(Discarded)) for line in lines)
    ideas = lost + sum(len(line.steps) for line in lines)
    return {
        "prepared": dump(story.last(Prepared)),
        "lines": documents,
        "discards": {"ideas": ideas, "discarded": lost, "share": lost / ideas if ideas else None},
    }


def _novelty(run: Run, story: Story) -> dict[str, Any]:
    """Return the verdict of a check and the matrix it rests on; of a quick one the check."""
    quick = story.last(NoveltyCheck)
    return {
        "verdict": dump(story.last(ClaimsVerdict)),
        "matrix": dump(story.last(NoveltyMatrix)),
        "check": _describe_check(quick, run.config.source) if quick else None,
    }


def _describe_step(step: Evolved) -> dict[str, Any]:
    return {
        "step": step.n,
        "idea": step.idea.model_dump(mode="json"),
        "declined": step.declined,
        "scores": describe_checklist(step.scores),
        "feedback": (
            describe_checklist(step.feedback)
            if step.feedback and step.feedback != step.scores
            else None
        ),
    }


def describe_checklist(checklist: Checklist) -> dict[str, Any]:
    """Return a checklist with what follows from its scores: s, t, the reward r and whether the
    primary items alone decide it.
    """
    return {
        "vector": checklist.vector,
        "primary": checklist.primary,
        "total": checklist.total,
        "reward": checklist.reward,
        "by_primary": checklist.by_primary,
        "items": dump_all(checklist.items),
    }


def _other(story: Story) -> dict[str, Any]:
    """Return what a baseline, a real paper, a look-up or a model's seat has to show; what it does
    not have is left out.
    """
    kinds: dict[str, type[Record]] = {
        "prepared": Prepared,
        "topic": Topic,
        "found": Search,
        "candidates": Considered,
        "idea": Idea,
        "design": Design,
        "filled": SeatFilled,
    }
    return {name: dump(record) for name, kind in kinds.items() if (record := story.last(kind))}
