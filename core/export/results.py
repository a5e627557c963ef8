"""The tables of what was judged, all in one archive."""

from core.benchmark.findings import findings
from core.errors import BadInput
from core.export import arenas, benchmark_report, ranked, sweeps
from core.export.tables import archive
from core.judging.evolution_tables import by_provider, discards, per_item, steps_table, trials
from core.records import Run, Table
from core.store import Store
from core.story import Story


def archived(store: Store, run_id: str) -> bytes:
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
            + " Only evolutions, rankings, arenas, experiments and benchmarks have some. Export it"
            " as a report (.md) or a bundle (.json)."
        )
    return archive(found, beside(store, run))


def beside(store: Store, run: Run) -> dict[str, str | bytes]:
    """Return what goes into an archive beside the tables, by file name."""
    if run.config.method != "arena":
        return {}
    return {**arenas.pictures(store, run), "ballots.csv": arenas.ballots(store, run)}


def tables(store: Store, run: Run) -> tuple[Table, ...]:
    """Return the tables of what a run judged, as it stands; none for a run that judges nothing."""
    match run.config.method:
        case "evolve":
            found_trials = trials(run.config, run.id, Story.of(store, run.id).parts)
            found: tuple[Table, ...] = (
                (
                    per_item(found_trials),
                    by_provider(found_trials),
                    steps_table(found_trials),
                    discards(found_trials),
                )
                if found_trials
                else ()
            )
        case "rank":
            found = ranked.tables(run, Story.of(store, run.id))
        case "arena":
            found = arenas.tables(store, run)
        case "sweep":
            found = sweeps.figures(store, run, run.title)
        case "bench":
            samples = benchmark_report.samples(benchmark_report.opened(store, run))
            found = (*benchmark_report.tables(findings(store, run.id)).values(), samples)
        case _:
            found = ()
    return tuple(table for table in found if table.rows)
