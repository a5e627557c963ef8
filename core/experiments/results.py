"""What one or several sweeps came to: their cells, what was planned, and what each run cost; also
while a sweep goes on.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from typing import TypeVar

from core.errors import BadInput
from core.experiments.cells import SweepInputs, cells
from core.experiments.contenders import ENDLESS, REFINING
from core.records import Cell, FrozenTarget, Made, Outcome, Record, Round, Run, Standings
from core.store import Store, must_be
from core.store.connection import Row

K = TypeVar("K")
V = TypeVar("V")
FINISHED = ("done", "failed")
Group = tuple[str, str, str]
"""Method, model, indicator: what a mean over targets is taken of."""


def group(cell: Cell) -> Group:
    """Return what the cell is a target's share of."""
    return cell.method, cell.model, cell.indicator


def named(key: Group) -> dict[str, str]:
    """Return a group by the names of its parts."""
    return dict(zip(("method", "model", "indicator"), key, strict=True))


class Results(Record):
    """The cells of one or several sweeps, each once, in the order of the matrix."""

    sweeps: tuple[str, ...]
    methods: tuple[str, ...]
    models: tuple[str, ...]
    indicators: tuple[str, ...]
    judges: tuple[str, ...]
    """The first is the one whose Q stands in the tables, but for the table of judges."""
    targets: tuple[FrozenTarget, ...]
    planned: tuple[Cell, ...]
    made: tuple[Made, ...] = ()
    standings: tuple[Standings, ...] = ()
    dollars: dict[str, float | None] = {}
    """What each run cost, in US dollars; None where the price of a call is unknown."""
    writers: dict[str, tuple[str, ...]] = {}
    """All runs that wrote a cell's ideas, by the run the cell names, where there are several."""
    broke_off: dict[str, tuple[bool, ...]] = {}
    """Which ideas of a run ended before they converged and before the last round, of runs in which
    one did not converge.
    """
    max_rounds: int = 10
    editions: tuple[int, ...] = ()
    """Which editions of the methods the sweeps follow: from the second on, all refiners of a cell's
    target start from the same first ideas.
    """
    unfinished: bool = False
    """Whether more may come: then every figure is of what is there so far."""

    @property
    def judge(self) -> str:
        """Whose Q stands in the tables; nobody's where ideas were only written."""
        return self.judges[0] if self.judges else ""

    @cached_property
    def category(self) -> dict[str, str]:
        """The category of each target, by its hash."""
        return {one.sha: one.category for one in self.targets}

    @property
    def ranked(self) -> tuple[Standings, ...]:
        """What the first judge said, of the cells that have a Q."""
        return tuple(one for one in self.standings if one.judge == self.judge and one.q)

    @cached_property
    def wrote(self) -> dict[Cell, tuple[str, ...]]:
        """The runs that wrote a cell's ideas, by cell."""
        found: defaultdict[Cell, dict[str, None]] = defaultdict(dict)
        for one in self.made:
            runs = dict.fromkeys(self.runs(one))
            found[one.cell].update(runs)
        return {cell: tuple(runs) for cell, runs in found.items()}

    def runs(self, made: Made) -> tuple[str, ...]:
        """Return the runs that wrote a cell's ideas at one time, and what these began with."""
        return (*made.began, *self.writers.get(made.run, (made.run,))) if made.run else ()

    def only(
        self,
        *,
        methods: Collection[str] = (),
        models: Collection[str] = (),
        indicators: Collection[str] = (),
        judge: str = "",
        categories: Collection[str] = (),
    ) -> "Results":
        """Return what is left under a filter; an empty one lets all through. `judge` becomes the
        one whose Q stands in the tables.
        """
        kept = {one.sha for one in self.targets if not categories or one.category in categories}

        wanted = (methods, models, indicators)

        def holds(cell: Cell) -> bool:
            if cell.target not in kept:
                return False
            parts = zip(group(cell), wanted, strict=True)
            return all(not names or part in names for part, names in parts)

        if judge and judge not in self.judges:
            raise BadInput(f"There is no judge {judge!r} here; there are {', '.join(self.judges)}.")
        return self.model_copy(
            update={
                "methods": _left(self.methods, methods),
                "models": _left(self.models, models),
                "indicators": _left(self.indicators, indicators),
                "judges": tuple(
                    sorted(self.judges, key=lambda name: bool(judge) and name != judge)
                ),
                "targets": tuple(one for one in self.targets if one.sha in kept),
                "planned": tuple(cell for cell in self.planned if holds(cell)),
                "made": tuple(one for one in self.made if holds(one.cell)),
                "standings": tuple(one for one in self.standings if holds(one.cell)),
            }
        )


def _left(names: tuple[str, ...], wanted: Collection[str]) -> tuple[str, ...]:
    return tuple(name for name in names if not wanted or name in wanted)


def collect(store: Store, *run_ids: str) -> Results:
    """Collect the cells of sweeps, of the first named first; a cell that one sweep took over from
    another is there once. Raises BadInput.
    """
    if not run_ids:
        raise BadInput("Name an experiment whose results are wanted.")
    sweeps = [_sweep(store, run_id) for run_id in run_ids]
    asked = [run.inputs_as(SweepInputs) for run in sweeps]
    cells_of, standings_of = zip(*(_shown(store, run_id) for run_id in run_ids), strict=True)
    made = tuple(_merged(cells_of).values())
    limits = {
        one.run: inputs.rules.max_rounds
        for cells_there, inputs in zip(cells_of, asked, strict=True)
        for one in cells_there.values()
        if may_converge(one)
    }
    lineages = [store.runs.lineage(run_id) for run_id in run_ids]
    accounts = store.runs.accounts(
        {run for one in made for run in (*one.began, one.run) if run},
        {sweep for sweeps in lineages for sweep in sweeps},
    )
    needed = store.runs.needed(row["id"] for row in accounts).items()
    return Results(
        sweeps=tuple(run_ids),
        methods=_once(name for one in asked for name in one.methods),
        models=_once(name for one in asked for name in one.models),
        indicators=_once(goal.name for one in asked for goal in one.indicators),
        judges=_once(name for one in asked for name in one.judges),
        targets=tuple({target.sha: target for one in asked for target in one.targets}.values()),
        planned=tuple(dict.fromkeys(cell for one in asked for cell in cells(one))),
        made=made,
        standings=tuple(_merged(standings_of).values()),
        # Calls of unknown price make the whole unknown, never cheaper.
        dollars={name: None if row["unpriced"] else row["cost"] for name, row in needed},
        writers=_writers(accounts, lineages),
        broke_off=_broke_off(store, limits),
        max_rounds=max(one.rules.max_rounds for one in asked),
        editions=tuple(sorted({run.config.edition for run in sweeps})),
        unfinished=any(run.state not in FINISHED for run in sweeps),
    )


def _once(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def _sweep(store: Store, run_id: str) -> Run:
    otherwise = f"Run {run_id} is no experiment. `python -m core runs --method sweep` lists them."
    return must_be(store.runs.get(run_id), "sweep", otherwise)


MadeHere = dict[tuple[Cell, str], Made]
RankedHere = dict[tuple[Cell, str, str], Standings]


def _shown(store: Store, run_id: str) -> tuple[MadeHere, RankedHere]:
    """Return what a sweep has to show, by cell and run."""
    made, standings = MadeHere(), RankedHere()
    for shown in store.steps.products(run_id):
        if shown.kind == "Made":
            one = Made.model_validate(shown.data)
            made[one.cell, one.run] = one
        elif shown.kind == "Standings":
            ranked = Standings.model_validate(shown.data)
            standings[ranked.cell, ranked.judge, ranked.run] = ranked
    return made, standings


def _merged(several: Iterable[dict[K, V]]) -> dict[K, V]:
    """Return a cell of several runs once for each; what was tried again with another outcome counts
    in the later sweep.
    """
    found = dict[K, V]()
    for one in several:
        found |= one
    return found


def _broke_off(store: Store, limits: Mapping[str, int]) -> dict[str, tuple[bool, ...]]:
    """Return which ideas of a run broke off, in their order: those whose revision could not be used
    played fewer rounds than there were, which `limits` are by run.
    """
    played = store.steps.shown_as(limits, Round.__name__)
    found = {}
    for run, names in store.steps.shown_as(limits, Outcome.__name__).items():
        rounds = Counter(name.rpartition("/")[0] for name in played.get(run, ()))
        ideas = sorted((name.rpartition("/")[0] for name in names), key=_number)
        found[run] = tuple(rounds[idea] < limits[run] for idea in ideas)
    return found


def may_converge(made: Made) -> bool:
    """Whether something tells the ideas of a cell to stop before the last round, and one of them
    went on.
    """
    tells = made.cell.method in REFINING and made.cell.method not in ENDLESS
    return tells and bool(made.run) and not all(made.converged)


def _number(idea: str) -> int:
    """Return which of several ideas `idea-2` is; 0 where there is one, without a name."""
    return int(idea.rpartition("-")[2] or 0)


def _writers(
    accounts: Iterable[Row], lineages: Iterable[tuple[str, ...]]
) -> dict[str, tuple[str, ...]]:
    """Return, by run, the runs of one idea each that wrote a cell together: `.../ideas-1`,
    `.../ideas-2`. One that was tried again is the extension's, the others are its parent's.
    """
    by_sweep: defaultdict[str, list[Row]] = defaultdict(list)
    for row in accounts:
        by_sweep[row["sweep"]].append(row)
    found: dict[str, tuple[str, ...]] = {}
    for sweeps in lineages:
        together: defaultdict[str, dict[str, str]] = defaultdict(dict)
        for row in (row for sweep in sweeps for row in by_sweep[sweep]):
            head, _, last = row["cell"].rpartition("/")
            if last.startswith("ideas-"):
                together[head].setdefault(last, row["id"])
        for runs in together.values():
            writers = tuple(sorted(runs.values()))
            found = dict.fromkeys(writers, writers) | found
    return found
