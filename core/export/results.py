"""The tables of what was judged, all in one archive."""

from collections.abc import Callable
from typing import NamedTuple

from core.benchmark.results.findings import findings
from core.errors import BadInput
from core.experiments.novelty import figures as novelty_figures
from core.experiments.topics import tables as topic_tables
from core.export import arenas, checklist_experiments, ranked, sweeps, trained
from core.export.benchmarks import report as benchmark_report
from core.export.tables import archive
from core.judging.evolution_tables import by_provider, discards, per_item, steps_table, trials
from core.records import Learned, Run, Table
from core.runs.catalogue import entry
from core.store import Store
from core.story import Story


class Tabled(NamedTuple):
    """The tables of a kind of run, and what goes with them."""

    tables: Callable[[Store, Run], tuple[Table, ...]]
    offered: Callable[[Store, Run], bool] = lambda _, __: False
    """Whether there are some by now, to be offered on screen."""
    beside: Callable[[Store, Run], dict[str, str | bytes]] = lambda _, __: {}
    """Other files of their archive, by name."""


def archive_tables(store: Store, run_id: str) -> bytes:
    """Return a ZIP archive with every table of a run as CSV, LaTeX and Markdown, of an arena its
    picture and ballots too.

    Raises BadInput for a run that has no table.
    """
    run = store.runs.get(run_id)
    found = tables(store, run)
    if not found:
        raise BadInput(
            f"Run {run_id} has no tables"
            + (f" yet; it is {run.state}." if run.state != "done" else ".")
            + " Only evolutions, rankings, arenas, experiments, benchmarks, trainings and novelty"
            " checks that were measured have some."
            " Export it as a report (.md) or a bundle (.json)."
        )
    return archive(found, beside(store, run))


def beside(store: Store, run: Run) -> dict[str, str | bytes]:
    """Return what goes into an archive beside the tables, by file name."""
    return _tables_for(run).beside(store, run)


def tables(store: Store, run: Run) -> tuple[Table, ...]:
    """Return the tables of what a run judged, as it stands; none for a run that judges nothing."""
    return tuple(table for table in _tables_for(run).tables(store, run) if table.rows)


def offered(store: Store, run: Run) -> bool:
    """Say whether a run has tables by now that its screens offer as a file."""
    return _tables_for(run).offered(store, run)


def _tables_for(run: Run) -> Tabled:
    return TABLED.get(entry(run.config).report, Tabled(lambda _, __: ()))


def _of_evolution(store: Store, run: Run) -> tuple[Table, ...]:
    parts, answered = Story.of(store, run.id).parts, store.steps.answered(run)
    found = trials(run.config, run.id, parts, answered)
    if not found:
        return ()
    return per_item(found), by_provider(found), steps_table(found), discards(found)


def _of_ranking(store: Store, run: Run) -> tuple[Table, ...]:
    return ranked.tables(store, run, Story.of(store, run.id))


def _of_benchmark(store: Store, run: Run) -> tuple[Table, ...]:
    samples = benchmark_report.samples(benchmark_report.opened(store, run))
    return (*benchmark_report.tables(findings(store, run.id)).values(), samples)


def _of_novelty_experiment(store: Store, run: Run) -> tuple[Table, ...]:
    return novelty_figures.tables(store, novelty_figures.collect(store, run))


def _curve(store: Store, run: Run) -> tuple[Learned, ...]:
    return Story.only(store, run.id, Learned).all(Learned)


def _once_shown(kind: str) -> Callable[[Store, Run], bool]:
    """Make a rule: tables are offered once the run shows a record of this kind."""
    return lambda store, run: store.steps.shows(run.id, kind)


TABLED: dict[str, Tabled] = {
    "evolution": Tabled(_of_evolution, _once_shown("Evolved")),
    "ranking": Tabled(_of_ranking, _once_shown("Standing")),
    "arena": Tabled(
        arenas.tables,
        lambda store, run: sum(store.ballots.count(run.id)) > 0,
        lambda store, run: {
            **arenas.pictures(store, run),
            "ballots.csv": arenas.ballots(store, run),
        },
    ),
    "experiment": Tabled(
        lambda store, run: sweeps.figures(store, run, run.title), _once_shown("Made")
    ),
    "checklist experiment": Tabled(checklist_experiments.both_tables, _once_shown("EvolvedCell")),
    "novelty experiment": Tabled(_of_novelty_experiment, _once_shown("CheckedIdea")),
    "topic experiment": Tabled(topic_tables.of_run, _once_shown("TopicArena")),
    "training": Tabled(
        lambda store, run: trained.tables(_curve(store, run)),
        _once_shown("Learned"),
        lambda store, run: trained.pictures(_curve(store, run)),
    ),
    "benchmark": Tabled(_of_benchmark),  # Its screen has an export of its own.
}
"""By how the runs of a method are told in reports."""
