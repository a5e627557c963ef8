"""Idea Foundry from Python: run a method or a recipe, and read what came of it as pandas tables.

    from core import Foundry

    foundry = Foundry("my-data")
    run = foundry.run("chain", topic="sleep and memory", models={"main": "builtin"}, branches=1)
    foundry.records(run.id, "Idea")

Everything stands in the same data folder as what the screens and the command line make; a run that
was interrupted goes on with `resume`.
"""

import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core import settings
from core.errors import BadInput
from core.literature import spell
from core.records import Run
from core.runs.beginning import begin, configure
from core.runs.catalogue import method
from core.runs.estimates import Estimate, estimate
from core.runs.planning import validated
from core.runs.reproducing import begin_recipe, extend_recipe, listed, plan, recipe_of
from core.runs.runner import Runner
from core.runs.workshop import Workshop
from core.tables.sheets import sheet

if TYPE_CHECKING:
    from pandas import DataFrame

PARTED = "."
"""Between the names of a field and of a field within it, in the columns of a table."""


class Foundry:
    """A data folder, and what can be done with it."""

    def __init__(self, data: Path | str | None = None, *, workshop: Workshop | None = None):
        """Open a data folder; without one that of FOUNDRY_DATA, or ~/.idea-foundry. Keys and
        addresses are read from the environment.
        """
        self.workshop = workshop or Workshop(settings.read(data=Path(data) if data else None))
        self.runner = Runner(self.workshop)
        self.store = self.workshop.store

    # -- runs ----------------------------------------------------------------------------------

    def run(
        self,
        name: str,
        *,
        models: dict[str, str],
        source: str = "shelf",
        seed: int | None = None,
        cap_usd: float | None = None,
        cap_tokens: int | None = None,
        title: str = "",
        **inputs: Any,
    ) -> Run:
        """Run a method to its end and return the run; `inputs` are those of the method (`chain`:
        topic, branches, length, ...), `models` are by role (`main`, `cheap`, `judge`, ...).

        Raises BadInput. A run that failed or waits says so in `state` and `reason`.
        """
        given = validated(method(name).inputs, **inputs)
        limits = {"seed": seed, "cap_usd": cap_usd, "cap_tokens": cap_tokens}
        where = spell(source)
        topic = title or str(inputs.get("topic", name))
        made = begin(self.runner, name, given, topic, models=models, source=where, **limits)
        return self._work(made)

    def resume(self, run_id: str) -> Run:
        """Go on with a run that was stopped, interrupted or failed; nothing that is there is paid
        again. Raises BadInput.
        """
        self.runner.notice_dead()
        self.runner.resume(run_id)
        self.runner.wait(run_id)
        return self.store.runs.get(run_id)

    def _work(self, made: Run) -> Run:
        self.runner.work(made.id)
        return self.store.runs.get(made.id)

    # -- recipes -------------------------------------------------------------------------------

    def recipes(self) -> "DataFrame":
        """Return the recipes of the papers: a row each, with the model calls it takes."""
        import pandas as pd

        rows = [
            {
                "recipe": one.recipe.name,
                "paper": one.recipe.paper,
                "shows": ", ".join(one.recipe.shows),
                "title": one.recipe.title,
                "calls, small": one.small.calls,
                "calls, paper's size": one.paper.calls,
            }
            for one in listed()
        ]
        return pd.DataFrame(rows).set_index("recipe")

    def estimate(
        self,
        recipe: str,
        models: Sequence[str],
        judges: Sequence[str] = (),
        size: str = "small",
        topics: str | None = None,
    ) -> Estimate:
        """Return what a recipe takes, once it is sure that it could begin; raises BadInput."""
        written = recipe_of(recipe)
        inputs, _ = plan(self.workshop, written, size, models, judges, topics)
        config = configure(self.workshop, written.recipe.engine, inputs)
        return estimate(written.recipe.engine, config.inputs, config.models)

    def reproduce(
        self,
        recipe: str,
        models: Sequence[str],
        judges: Sequence[str] = (),
        *,
        size: str = "small",
        topics: str | None = None,
        source: str = "shelf",
        seed: int | None = None,
        cap_usd: float | None = None,
        cap_tokens: int | None = None,
    ) -> Run:
        """Hold a recipe, by its name or its TOML file, to its end and return the run; `topics` is a
        file, a run or a hash of what it takes. Raises BadInput.
        """
        limits = {"seed": seed, "cap_usd": cap_usd, "cap_tokens": cap_tokens}
        written, where = recipe_of(recipe), spell(source)
        made = begin_recipe(
            self.runner, written, size, models, judges, topics, source=where, **limits
        )
        return self._work(made)

    def extend(
        self,
        run_id: str,
        models: Sequence[str] = (),
        judges: Sequence[str] = (),
        contenders: Sequence[str] = (),
    ) -> Run:
        """Extend a run of a recipe by models, judges or, on topics, contenders, and work on it to
        its end; only what is new is paid. Raises BadInput.
        """
        return self._work(extend_recipe(self.runner, run_id, models, judges, contenders))

    def results(self, run_id: str, to: Path | str) -> tuple[str, ...]:
        """Write a run of a recipe into a new or empty folder, or a .zip, and return the names of
        the files; raises BadInput, StoreFailed.
        """
        from core.export.reproduced import write

        return write(self.store, run_id, Path(to))

    # -- as tables -----------------------------------------------------------------------------

    def runs(self, limit: int = 50) -> "DataFrame":
        """Return runs, newest first, a row each."""
        import pandas as pd

        names = ("id", "title", "state", "created", "calls", "tokens_in", "tokens_out", "cost")
        rows = [
            {"method": run.config.method, **{name: getattr(run, name) for name in names}}
            for run in self.store.runs.listed(limit=limit)
        ]
        return pd.DataFrame(rows, columns=["method", *names]).set_index("id")

    def records(self, run_id: str, kind: str | None = None) -> "DataFrame":
        """Return what a run has to show: a row a record, with its place, its kind and its fields;
        of one kind alone (`Idea`, `TopicCell`, ...), where one is named.
        """
        import pandas as pd

        self.store.runs.get(run_id)
        rows = [
            {"place": one.name, "kind": one.kind, **one.data}
            for one in self.store.steps.products(run_id)
            if kind in (None, one.kind)
        ]
        return pd.json_normalize(rows, sep=PARTED)

    def answers(self, run_id: str) -> "DataFrame":
        """Return the recorded answers of a run: a row a step, with who gave it, what it took, and
        the reply.
        """
        import pandas as pd

        rows = []
        for step in self.store.steps.each(run_id):
            rows.append(
                {
                    "key": step.key,
                    "kind": step.origin.kind,
                    "by": step.origin.name,
                    "status": step.status,
                    "calls": len(step.calls),
                    "tokens_in": sum(call.tokens_in or 0 for call in step.calls),
                    "tokens_out": sum(call.tokens_out or 0 for call in step.calls),
                    "reply": step.reply,
                }
            )
        return pd.DataFrame(rows)

    def tables(self, run_id: str) -> "dict[str, DataFrame]":
        """Return the tables of what a run judged by name, figures in full, with their intervals in
        columns of their own; published ones begin with `published-`. Raises BadInput for a run that
        has none.
        """
        import pandas as pd

        from core.export.reproduced import reproduced
        from core.export.results import tables

        run = self.store.runs.get(run_id)
        if run.config.recipe:
            found = reproduced(self.store, run_id)
            both = [one for pair in found.tables for one in pair if one]
            made = (*both, *found.aside)
        else:
            made = tables(self.store, run)
        if not made:
            raise BadInput(f"Run {run_id} has no tables; `records` has what it shows.")
        return {one.name: pd.read_csv(io.StringIO(sheet(one))) for one in made}
