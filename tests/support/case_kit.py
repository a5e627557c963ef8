"""What the tests of case studies share: a finished run, a packed one, and what there is to compare
of both.
"""

import json
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from core.cases import pack
from core.records import digest
from core.store import Store
from core.story import Story
from tests.support.scripted import refine_script, refinement, runner_of


def finished(folder, script=None, begin=refinement, source=None, **more):
    """Work a run to its end; return its runner and the run."""
    runner, _ = runner_of(folder, script or refine_script([True, False, False]), source)
    run = begin(runner, **more)
    assert runner.work(run.id) == "done", runner.store.runs.get(run.id).reason
    return runner, runner.store.runs.get(run.id)


@cache
def packed_bytes() -> bytes:
    """A small packed refinement, made once."""
    runner, run = finished(Path(mkdtemp()), rounds=1)
    runner.store.notes.add(run.id, "round-1/idea", "Too broad.", "Ada")
    return pack(runner.store, run.id, "What it shows.", "Ada")


def records(store: Store, run_id: str) -> dict[str, str]:
    """Return everything a run has to show by its digest, the run's own name aside."""
    steps = [step.model_dump(mode="json", exclude={"run"}) for step in store.steps.of(run_id)]
    notes = [note.model_dump(mode="json", exclude={"run", "id"}) for note in store.notes.of(run_id)]
    run = store.runs.get(run_id).model_dump(
        mode="json",
        exclude={"id", "packed", "epoch", "parent", "fork_at", "tags", "updated", "worked"},
    )
    return {
        "story": digest(
            [(place, record.digest()) for place, record in Story.of(store, run_id).parts]
        ),
        "steps": digest(steps),
        "notes": digest(notes),
        "outline": digest([one.model_dump() for one in store.steps.outline(run_id)]),
        "run": digest(run),
    }


def contents(store: Store) -> list[str]:
    """Return what is in every table a case study writes to, prompts aside, by its digest."""
    return [
        digest(store.connections.rows(f"SELECT * FROM {table}"))
        for table in ("runs", "papers", "run_papers", "steps", "calls", "products", "notes")
    ]


def repacked(change) -> bytes:
    """Change a packed document and give it the digest that fits: what a stranger could hand on."""
    document = json.loads(packed_bytes())
    change(document)
    document["sha"] = digest({name: value for name, value in document.items() if name != "sha"})
    return json.dumps(document).encode()
