"""A run as one JSON document that holds everything: configuration, prompts, steps, products."""

import io
from collections.abc import Iterator
from typing import Any

from core import VERSION
from core.experiments.progress import progress
from core.export.dumps import dump_each, write_json
from core.judging.arena.competition import lineup_of
from core.judging.claims import claim
from core.records import NoveltyCheck, Record, Run
from core.store import Store
from core.story import Story

BUNDLE = "idea-foundry-run/1"
CHILDREN = (
    "An experiment has its ideas written and ranked by runs of their own, which are not in this"
    " file; each can be exported by its id."
)
CELLS = (
    "A benchmark's answers are not in this file, there may be hundreds of thousands: `python -m"
    " core bench report ID --to FOLDER`, or its screen, takes them along."
)
BALLOTS = (
    "The judgments of models and people, oldest first, and the texts they are on by the SHA-256"
    " that the line-up names."
)


def bundle(store: Store, run_id: str) -> str:
    """Return the run as JSON: the run, its prompts, every step with its tries, every product; of an
    experiment its cells and the ids of its runs, of an arena its texts and ballots, of a benchmark
    the sums of its answers.
    """
    return "".join(bundle_pieces(store, run_id))


def bundle_file(store: Store, run_id: str) -> bytes:
    """Return the bundle as a file holds it."""
    file = io.BytesIO()
    for piece in bundle_pieces(store, run_id):
        file.write(piece.encode())
    return file.getvalue()


def bundle_pieces(store: Store, run_id: str) -> Iterator[str]:
    """Yield the bundle piece by piece: a run may have many thousands of steps, whose records take
    several times the memory of their text.
    """
    run = store.runs.get(run_id)
    prompts = {name: store.library.prompt(sha) for name, sha in run.config.prompts.items()}
    yield from write_json(
        {
            "format": BUNDLE,
            "program": {"name": "Idea Foundry", "version": VERSION},
            "run": run.model_dump(mode="json"),
            "prompts": prompts,
            "steps": dump_each(store.steps.each(run_id)),
            "products": dump_each(store.steps.products(run_id)),
            **_claims(store, run),
            **_beside(store, run),
        }
    )


def _claims(store: Store, run: Run) -> dict[str, Any]:
    """Return what may be claimed of each novelty check, by its product's name: the product alone
    says neither how many papers nor where.
    """
    checks = {
        place: check
        for place, check in Story.of(store, run.id).parts
        if isinstance(check, NoveltyCheck)
    }
    return (
        {"claims": {place: claim(check, run.config.source) for place, check in checks.items()}}
        if checks
        else {}
    )


def _beside(store: Store, run: Run) -> dict[str, Any]:
    """Return what belongs to a run and stands in none of its own steps."""
    match run.config.method:
        case "sweep":
            return {
                "experiment": {
                    "note": CHILDREN,
                    "runs": {
                        name: one.run for name, one in sorted(store.sweeps.begun(run.id).items())
                    },
                    "cells": dump_each(progress(store, run).cells),
                }
            }
        case "checklist-experiment":
            # Here, since its statistics load numpy, and a search needs none.
            from core.experiments.checklist.progress import checklist_progress

            return {
                "experiment": {
                    "note": CHILDREN,
                    "runs": {
                        name: one.run for name, one in sorted(store.sweeps.begun(run.id).items())
                    },
                    "cells": dump_each(checklist_progress(store, run).cells),
                }
            }
        case "novelty-experiment" | "shortlist" | "topic-experiment":
            return {
                "experiment": {
                    "note": CHILDREN,
                    "runs": {
                        name: one.run for name, one in sorted(store.sweeps.begun(run.id).items())
                    },
                }
            }
        case "arena":
            return {
                "arena": {
                    "note": BALLOTS,
                    "texts": _texts(store, run),
                    "ballots": dump_each(store.ballots.each(run.id)),
                }
            }
        case "bench":
            groups = store.benchmarks.sums.groups(run.id)
            return {
                "benchmark": {
                    "note": CELLS,
                    "keywords": dump_each(store.benchmarks.keywords(run.id)),
                    "sums": (one._asdict() for one in groups),
                }
            }
        case _:
            return {}


def _texts(store: Store, run: Run) -> dict[str, Any]:
    lineup = lineup_of(store, run.id)
    shas = tuple(dict.fromkeys(seat.sha for seat in lineup.seats if seat.sha)) if lineup else ()
    return {
        sha: text.model_dump(mode="json")
        for sha, text in store.frozen.several(shas, Record).items()
    }
