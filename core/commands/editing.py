"""Editing a chain by hand: candidates, changes, what they cost, and the fork that has them."""

import argparse
from collections.abc import Callable
from pathlib import Path

from pydantic import ValidationError

from core.commands.options import (
    Answer,
    Verbs,
    add_flag,
    add_repeatable,
    change_caps,
    configure,
    configure_beside,
    models_of,
)
from core.commands.working import start, work
from core.errors import BadInput
from core.files import read_text
from core.methods import CandidateInputs, Looking
from core.methods.chain_of_ideas import editing as edits
from core.methods.chain_of_ideas.growth import anchor_of
from core.records import Chain, Direction, Record, Run, Trend
from core.records.faults import faults_in_words
from core.runs.forecast import of_edit
from core.runs.planning import find_paper, validated
from core.runs.runner import Runner
from core.runs.workshop import Workshop
from core.story import Branch, Story

BY_HAND = "Put in by hand."


def candidates(shop: Workshop, args: argparse.Namespace) -> Answer:
    run, branch = branch_of(shop, args.id, args.branch)
    chain = chain_of(branch)
    ids = [paper.id for paper in chain.papers]
    if args.paper and args.paper not in ids:
        raise BadInput(f"Branch {branch.n} has no paper {args.paper!r}. It has: {', '.join(ids)}.")
    here = ids.index(args.paper) if args.paper else 0 if args.backward else len(ids) - 1
    of, line = (
        chain.papers[here],
        (chain.papers[here:] if args.backward else chain.papers[: here + 1]),
    )
    inputs = validated(
        CandidateInputs,
        topic=run.config.inputs["topic"],
        before=run.config.inputs.get("before"),
        ban=run.config.inputs.get("ban", ()),
        of=of,
        hop="backward" if args.backward else "forward",
        anchor=anchor_of(chain.links).paper,
        line=line,
        held=chain.papers,
        full_text=bool(run.config.inputs.get("full_text", False)),
    )
    title = f"Candidates next to {of.title}"
    return start(shop, "candidates", inputs, title, **configure_beside(run, args))


def find(shop: Workshop, args: argparse.Namespace) -> Answer:
    inputs = validated(Looking, topic=args.text, before=args.before, ban=tuple(args.ban))
    return start(shop, "find", inputs, args.text, **configure(args))


def edit(shop: Workshop, args: argparse.Namespace) -> Answer:
    run, branch = branch_of(shop, args.id, args.branch)
    key, put = change_of(shop, args, run, branch)
    plan = of_edit(shop.store, run, key, put)
    if args.dry_run:
        return {
            "run": run.id,
            "state": "planned",
            "fork_at": key,
            "forecast": plan.model_dump(),
            "calls": 0,
            "tokens": {"in": 0, "out": 0},
            "cost": 0,
        }, 0
    runner = Runner(shop)
    made = runner.fork_edited(run.id, key, put, models_of(args))
    change_caps(shop, made.id, args)
    document, code = work(runner, made.id)
    return {**document, "forecast": plan.model_dump()}, code


def change_of(
    shop: Workshop, args: argparse.Namespace, run: Run, branch: Branch
) -> tuple[str, Record]:
    """Return the step to fork at and what is put in place of its answer; raises BadInput."""
    if args.trend:
        return f"branch-{branch.n}/trend", read(Trend, args.trend)
    if args.direction:
        return edits.direction_step(shop.store, run.id, branch), read(Direction, args.direction)
    if not args.change and not args.grow:
        raise BadInput("Say what to change: --change, --grow, --trend or --direction.")
    chain = chain_of(branch)
    for change in args.change:
        chain = apply(shop, args, run, chain, change)
    return (
        (f"branch-{branch.n}/start", edits.start_of(chain))
        if args.grow
        else (f"branch-{branch.n}/chain", chain)
    )


def apply(shop: Workshop, args: argparse.Namespace, run: Run, chain: Chain, change: str) -> Chain:
    """Apply one change, written WHAT=PAPER; raises BadInput."""
    what, _, name = change.partition("=")
    config = configure_beside(run, args)
    ways: dict[str, Callable[[], Chain]] = {
        "drop": lambda: edits.drop(chain, name),
        "earlier": lambda: edits.move(chain, name, -1),
        "later": lambda: edits.move(chain, name, 1),
        "pin": lambda: edits.pin(chain, name, True),
        "unpin": lambda: edits.pin(chain, name, False),
        "read": lambda: edits.read_again(chain, name),
        "add": lambda: edits.insert(chain, find_paper(shop, name, config), BY_HAND),
        "replace": lambda: edits.replace(
            chain,
            name.partition(" by ")[0],
            find_paper(shop, name.partition(" by ")[2], config),
            BY_HAND,
        ),
        "merge": lambda: edits.merge(chain, chain_of(branch_of(shop, *read_place(name))[1])),
    }
    if what not in ways or not name:
        raise BadInput(
            f"--change {change!r}: write one of {', '.join(f'{way}=...' for way in ways)}."
        )
    return ways[what]()


def read_place(name: str) -> tuple[str, int]:
    """Return run and branch from RUN/BRANCH; raises BadInput."""
    run, _, branch = name.partition("/")
    if not branch.isdigit():
        raise BadInput(f"merge={name}: write merge=RUN/BRANCH, such as merge=1a2b3c4d/2.")
    return run, int(branch)


def branch_of(shop: Workshop, run_id: str, n: int) -> tuple[Run, Branch]:
    """Return a run and one of its branches; raises BadInput."""
    run, story = shop.store.runs.get(run_id), Story.of(shop.store, run_id)
    branch = next((one for one in story.branches if one.n == n), None)
    if branch is None:
        raise BadInput(
            f"Run {run_id} has no branch {n}. It has:"
            f" {', '.join(str(one.n) for one in story.branches) or 'none'}."
        )
    return run, branch


def chain_of(branch: Branch) -> Chain:
    """Return a branch's settled chain; raises BadInput."""
    chain = branch.last(Chain)
    if chain is None:
        raise BadInput(
            f"Branch {branch.n} has no finished chain"
            + (f": {branch.given_up.reason}" if branch.given_up else " yet.")
        )
    return chain


def read(kind: type[Record], path: Path) -> Record:
    """Read a record from a JSON file; raises BadInput."""
    text = read_text(path)
    try:
        return kind.model_validate_json(text)
    except ValidationError as error:
        raise BadInput(
            f"{path} does not hold a {kind.__name__} as JSON ({faults_in_words(error)}). `show`"
            " prints the one there is."
        ) from None


def words(verbs: Verbs) -> None:
    """Add this module's verbs to the command line."""
    looking = verbs.add("candidates", candidates, verbs.asking, verbs.caps)
    looking.add_argument("id", help="a chain run")
    looking.add_argument("--branch", type=int, default=1)
    looking.add_argument(
        "--paper",
        help=(
            "id of the paper they should follow or precede (default: the newest, or with --backward"
            " the oldest)"
        ),
    )
    add_flag(looking, "--backward", "look at what the paper cites instead of what cites it")
    verbs.add("find", find, verbs.asking, verbs.begin, verbs.looking).add_argument(
        "text", help="DOI, arXiv id, address or title"
    )
    made = verbs.add("edit", edit, verbs.asking, verbs.caps)
    made.add_argument("id", help="a chain run")
    made.add_argument("--branch", type=int, default=1)
    add_repeatable(
        made,
        "--change",
        "drop, earlier, later, pin, unpin, read, add, 'replace=ID by PAPER', merge=RUN/BRANCH;"
        " repeatable, in this order",
        "WHAT=PAPER",
    )
    add_flag(made, "--grow", "keep the anchor and what is pinned, and grow the rest anew")
    made.add_argument("--trend", type=Path, help="a JSON file with the trend to put in place")
    made.add_argument(
        "--direction", type=Path, help="a JSON file with the direction to put in place"
    )
    add_flag(made, "--dry-run", "only say what would be asked again, and what that cost last time")
