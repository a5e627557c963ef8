"""A run of a recipe taken along: its tables and figures in the paper's arrangement with what was
published beside, a methods paragraph, and everything they are made of.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from core.benchmark.figures.gallery import FigureRequest, gallery
from core.benchmark.results.board import published as published_board
from core.benchmark.results.findings import findings
from core.benchmark.results.tables import board
from core.charts.drawn_picture import picture as draw
from core.charts.pictures import INK
from core.charts.style import DrawnFigure
from core.charts.table_picture import picture
from core.experiments import figures as sweep_figures
from core.experiments import results as sweep_results
from core.experiments.checklist import figures as checklist_figures
from core.experiments.checklist import results as checklist_results
from core.experiments.found import findings as sweep_findings
from core.experiments.novelty import figures as novelty
from core.experiments.recomputed import of_board, recomputed, table
from core.experiments.topics import TopicExperimentInputs, experts
from core.experiments.topics import figures as topic_figures
from core.experiments.topics.published import MARKED
from core.experiments.topics.published import beside as beside_chains
from core.experiments.topics.results import collect as collect_topics
from core.experiments.topics.results import experiment_of, same_texts
from core.experiments.topics.tables import tables as topic_tables
from core.export import checklist_experiments, sweeps
from core.export.benchmarks import folder as benchmarks
from core.export.benchmarks import report as benchmark_report
from core.export.blocks import Block, Heading, grid, prose
from core.export.dumps import as_json
from core.export.markdown import written
from core.export.recipe_rows import answers, asked_about, rows_of, tries
from core.export.writing import (
    Content,
    encoded,
    require_empty,
    require_folder,
    write_folder,
    write_whole,
    zip_files,
)
from core.literature import label
from core.records import EvolvedCell, Made, Reproduction, Run, Table, TopicCell, usage
from core.runs.reproducing import reproduction
from core.store import Store
from core.story import Story
from core.tables.latex import latex
from core.tables.sheets import sheet
from core.wording.numbers import counted

FORMAT = "idea-foundry-reproduction/1"
PUBLISHED = "published-"
Both = list[tuple[Table, Table | None]]


class Reproduced(NamedTuple):
    """What a run of a recipe came to."""

    made: Reproduction
    run: Run
    tables: tuple[tuple[Table, Table | None], ...]
    """Its tables, those the recipe is for first, each with the published one beside it."""
    aside: tuple[Table, ...]
    """Published values without a table of their own, and what recomputing them shows."""

    @property
    def drawn(self) -> tuple[tuple[Table, Table | None], ...]:
        """The tables that the recipe is for."""
        return tuple(pair for pair in self.tables if _wanted(self.made, pair[0]))

    @property
    def missing(self) -> tuple[str, ...]:
        """What the recipe is for and has no figures: it needs more models, judges or votes."""
        names = [one.name for one, _ in self.tables]
        return tuple(
            wanted
            for wanted in self.made.recipe.draws
            if not any(_is_of(name, wanted) for name in names)
        )


def _is_of(name: str, wanted: str) -> bool:
    return name == wanted or name.startswith(f"{wanted}-")


def _wanted(made: Reproduction, one: Table) -> bool:
    return any(_is_of(one.name, wanted) for wanted in made.recipe.draws)


def reproduced(store: Store, run_id: str) -> Reproduced:
    """Return what a run of a recipe came to, as it stands; raises BadInput for any other run."""
    run = store.runs.get(run_id)
    made = reproduction(store, run)
    both, aside = TABLES[made.recipe.engine](store, run)
    order = {name: n for n, name in enumerate(made.recipe.draws)}

    def place(pair: tuple[Table, Table | None]) -> int:
        known = [n for wanted, n in order.items() if _is_of(pair[0].name, wanted)]
        return min(known, default=len(order))

    return Reproduced(made, run, tuple(sorted(both, key=place)), _published(made, aside))


def _published(made: Reproduction, aside: tuple[Table, ...]) -> tuple[Table, ...]:
    """Return published values that stand alone, where the recipe asks for them, and where printed
    cells do not come to what is printed.
    """
    papers = {"infal": "InfAL", "evoideator": "EvoIdeator"}
    wanted = {papers[name] for name in made.recipe.published if name in papers}
    again = tuple(one for one in recomputed() if one.paper in wanted)
    found = aside if made.recipe.published else ()
    return (*found, table(again)) if again else found


def _pair(tables: tuple[Table, ...]) -> Both:
    """Return tables with the published ones behind them."""
    known = {one.name: one for one in tables if one.name.startswith(PUBLISHED)}
    return [
        (one, known.get(f"{PUBLISHED}{one.name}"))
        for one in tables
        if not one.name.startswith(PUBLISHED)
    ]


def _topics(store: Store, run: Run) -> tuple[Both, tuple[Table, ...]]:
    held = collect_topics(store, run)
    return _pair(topic_tables(store, held)), (beside_chains(store, held),)


def _sweep(store: Store, run: Run) -> tuple[Both, tuple[Table, ...]]:
    return _pair(sweeps.figures(store, run, "")), ()


def _checklist(store: Store, run: Run) -> tuple[Both, tuple[Table, ...]]:
    return _pair(checklist_experiments.both_tables(store, run)), ()


def _novelty(store: Store, run: Run) -> tuple[Both, tuple[Table, ...]]:
    return _pair(novelty.tables(store, novelty.collect(store, run))), ()


def _bench(store: Store, run: Run) -> tuple[Both, tuple[Table, ...]]:
    theirs = board(published_board())
    marks = {"name": f"{PUBLISHED}leaderboard", "title": f"{theirs.title}, {MARKED}"}
    own = tuple(benchmark_report.tables(findings(store, run.id)).values())
    return _pair((*own, theirs.model_copy(update=marks))), (table(of_board(_board_rows())),)


def _board_rows() -> list[dict[str, str]]:
    found = []
    for row in published_board().rows:
        cells = {"model": row.model, "average": str(row.average.value)}
        for name in ("fluency", "feasibility", "clarity", "originality", "flexibility"):
            cells[name] = str(getattr(row, name).value)
        found.append(cells)
    return found


TABLES: dict[str, Callable[[Store, Run], tuple[Both, tuple[Table, ...]]]] = {
    "topic-experiment": _topics,
    "sweep": _sweep,
    "checklist-experiment": _checklist,
    "novelty-experiment": _novelty,
    "bench": _bench,
}


# -- in words ------------------------------------------------------------------------------------


def methods_paragraph(store: Store, found: Reproduced) -> str:
    """Return how the experiment was held, as a paragraph for a paper."""
    made, run, config = found.made, found.run, found.run.config
    recipe = made.recipe
    roles: dict[str, list[str]] = {}
    for role, name in config.models.items():
        roles.setdefault(role.split("-")[0] if role[-1:].isdigit() else role, []).append(name)
    who = "; ".join(f"{role}: {', '.join(names)}" for role, names in sorted(roles.items()))
    others = ", ".join(
        f"{role}s at temperature {one.temperature:g}"
        for role, one in config.samplings.items()
        if (role != "judge" or config.inputs.get("judges", True))
        and (role != "reader" or recipe.engine in SEARCHING)
    )
    sampled = f"Writers were sampled at temperature {config.sampling.temperature:g}"
    spent = store.runs.spent(run.id)
    took = run if recipe.engine == "bench" else store.runs.with_runs_made(run)
    cost = "of unknown price" if took.unpriced else f"for {took.cost:.2f} US dollars"
    end = run.ended or run.updated
    tokens = usage.all_tokens(took.tokens_in, took.tokens_out, took.calls, took.unreported)
    sentences = [
        f"We held the experiment “{recipe.title}” ({recipe.paper}: {', '.join(recipe.shows)}) with"
        f" Idea Foundry ({benchmarks.commit() or 'unknown commit'}) at size {made.size}:"
        f" {made.take} {NOUNS[recipe.engine]} ({made.data}).",
        *_smaller(made),
        *_competing(store, run),
        f"Models by role: {who}.",
        f"{sampled}{f', {others}' if others else ''}; the seed was {config.seed}.",
        *([f"Papers came from {label(config.source)}."] if recipe.engine in SEARCHING else []),
        f"{'It is made to measure' if found.missing else 'Measured'}:"
        f" {'; '.join(recipe.measures)}.",
        f"It ran from {run.created[:10]} to {end[:10]} and took {counted(took.calls, 'call')} in"
        f" {counted(spent['runs'], 'run')}, {tokens}, {cost}.",
        f"Its {len(config.prompts)} prompts were frozen when it began, by SHA-256.",
        recipe.not_comparable
        if recipe.not_comparable.endswith(".")
        else f"{recipe.not_comparable}.",
    ]
    if run.parent:
        sentences.append(
            f"It extends run {run.parent}, whose cells it took over without asking again; calls,"
            " tokens and costs are those of the new ones."
        )
    if run.config.method in CELLS:
        kind = CELLS[run.config.method]
        states = Counter(one.state for one in Story.only(store, run.id, kind).all(kind))
        for state in ("failed", "discarded"):
            if states[state]:
                sentences.append(
                    f"{states[state]} of {counted(states.total(), 'cell')} {state}: they are in no"
                    " figure of what they did not reach (data/cells.csv has the reasons)."
                )
    if run.state != "done":
        sentences.append(f"The experiment is {run.state}: figures are of what is there.")
    if found.missing:
        sentences.append(f"Without figures: {', '.join(found.missing)}.")
    return " ".join(sentences)


SEARCHING = ("topic-experiment", "novelty-experiment")
"""Engines that look for papers; the others work on what they are given."""
CELLS: dict[str, type[TopicCell | Made | EvolvedCell]] = {
    "topic-experiment": TopicCell,
    "sweep": Made,
    "checklist-experiment": EvolvedCell,
}


def _smaller(made: Reproduction) -> Iterator[str]:
    """Say what the small size asks for otherwise than the paper's."""
    recipe = made.recipe
    if made.size != "small":
        return
    paper = {**recipe.inputs, **recipe.sizes["paper"].inputs}
    own = recipe.sizes["small"].inputs
    departs = {name: value for name, value in own.items() if paper.get(name) != value}
    said = [f"{name} {json.dumps(value, ensure_ascii=False)}" for name, value in departs.items()]
    if recipe.sizes["paper"].take != made.take:
        said.append(f"{made.take} {NOUNS[recipe.engine]} for {recipe.sizes['paper'].take}")
    if said:
        yield f"The small size departs from the paper's: {'; '.join(said)}."


def _competing(store: Store, run: Run) -> Iterator[str]:
    """Say who competed on topics, against whom, on what texts, and who voted beside models."""
    if "builtin" in run.config.models.values():
        yield (
            "The model called builtin comes with the program: it follows rules, understands nothing"
            " that it is given, and serves to try things out."
        )
    if run.config.method != "topic-experiment":
        return
    asked = run.inputs_as(TopicExperimentInputs)
    names = "; ".join(one.label for one in asked.found)
    yield (
        f"Contenders: {names}; each wrote {counted(asked.seeds, 'time')} on a topic, and is"
        f" compared with {asked.compared_with.label}."
    )
    texts = "Open-access full texts were read" if asked.full_text else "Abstracts alone were read"
    yield (
        f"{texts}, of papers from before a topic's own (data/topics.csv has the dates); texts were"
        f" shown {'in the common form' if asked.same_form else 'as they were written'}."
    )
    if not asked.judges:
        yield "No model judged: votes are those of people."
    held = collect_topics(store, run)
    failed = sum(cell.state == "failed" for cell in held.cells)
    if failed:
        yield f"{counted(failed, 'cell')} of {held.planned:,} failed and compete nowhere."
    people = [ballot.judge for one in held.arenas for ballot in store.ballots.of(one.run, True)]
    if people:
        voters = counted(len(set(people)), "person") if len(set(people)) == 1 else ""
        voters = voters or f"{len(set(people)):,} people"
        yield f"In the arena {voters} cast {counted(len(people), 'vote')}."
    found = experiment_of(held)
    said = [vote for kind in asked.kinds for vote in experts.votes(store, found, kind)]
    if said:
        experts_in = len({(vote.session, vote.expert) for vote in said})
        sessions = len({vote.session for vote in said})
        yield (
            f"{counted(experts_in, 'expert')} compared texts in"
            f" {counted(sessions, 'blind session')}, {counted(len(said), 'comparison')} in all."
        )
    for kind in asked.kinds:
        if same := same_texts(held, kind):
            pairs = sum(one.same for one in same)
            yield f"{counted(pairs, 'pair')} of {kind}s that met were the same text twice."


NOUNS = {
    "topic-experiment": "topics",
    "sweep": "targets",
    "checklist-experiment": "held-out questions",
    "novelty-experiment": "labelled ideas",
    "bench": "keywords",
}


def report(store: Store, found: Reproduced) -> str:
    """Return the tables as Markdown, published ones behind them."""
    blocks: list[Block] = [Heading(found.run.title, 1), prose(methods_paragraph(store, found))]
    for own, theirs in found.tables:
        blocks += grid(own)
        if theirs:
            blocks += grid(theirs)
    for one in found.aside:
        blocks += grid(one)
    return written(tuple(blocks))


def figures(store: Store, found: Reproduced) -> tuple[DrawnFigure, ...]:
    """Return the figures that the screens draw of such an experiment."""
    run = found.run
    match found.made.recipe.engine:
        case "topic-experiment":
            return topic_figures.figures(store, collect_topics(store, run), INK)
        case "sweep":
            held = sweep_results.collect(store, run.id)
            return sweep_figures.figures(held, sweep_findings(held), INK)
        case "checklist-experiment":
            return checklist_figures.figures(checklist_results.collect(store, run), INK)
        case "bench":
            return gallery(FigureRequest(findings(store, run.id), INK)).drawn
        case _:
            return ()


# -- as files ------------------------------------------------------------------------------------


def files(store: Store, run_id: str) -> dict[str, Content]:
    """Return everything of a run of a recipe, by file name, its answers to be read once; raises
    BadInput for any other run.
    """
    found = reproduced(store, run_id)
    whole: dict[str, Content] = {
        "report.md": report(store, found),
        "methods.md": methods_paragraph(store, found) + "\n",
        f"{found.made.recipe.name}.toml": found.made.text,
        "configuration.json": configuration(store, found),
    }
    for folder, several in (
        ("tables", [own for own, _ in found.tables]),
        ("published", [*(theirs for _, theirs in found.tables if theirs), *found.aside]),
    ):
        for one in several:
            whole[f"{folder}/{one.name}.csv"] = sheet(one)
            whole[f"{folder}/{one.name}.tex"] = latex(one)
    for own, theirs in found.drawn:
        if drawn := picture(own, theirs):
            whole[f"tables/{own.name}.svg"] = drawn
    for drawing in figures(store, found):
        if shown := draw(drawing.figure):
            whole[f"figures/{drawing.name}.svg"] = shown
            whole[f"figures/{drawing.name}.csv"] = sheet(drawing.table)
    return {**whole, **dict(_data(store, found))}


def _data(store: Store, found: Reproduced) -> Iterator[tuple[str, Content]]:
    """Yield what the tables are made of: rows by cell, and every answer."""
    if found.made.recipe.engine == "bench":
        for name, data in benchmarks.files(store, found.run.id).items():
            folder = "figures" if name.endswith((".svg", ".png")) else "benchmark"
            yield f"{folder}/{name}", data
        return
    for name, text in rows_of(store, found.run):
        yield f"data/{name}", text
    for name, text in asked_about(store, found.run):
        yield f"data/{name}", text
    yield "data/answers.csv", answers(store, found.run)
    yield "data/tries.csv", tries(store, found.run)


def configuration(store: Store, found: Reproduced) -> str:
    """Return what was frozen when the run began, with the digests of all it rests on, and the text
    of every prompt.
    """
    run = found.run
    prompts = {
        name: {"sha256": sha, "text": store.library.prompt(sha)}
        for name, sha in run.config.prompts.items()
    }
    return as_json(
        {
            "format": FORMAT,
            "run": run.id,
            "title": run.title,
            "state": run.state,
            "created": run.created,
            "ended": run.ended,
            "extends": run.parent,
            "program": {"name": "Idea Foundry", "commit": benchmarks.commit()},
            "recipe": {"name": found.made.recipe.name, "sha256": run.config.recipe},
            "size": found.made.size,
            "data": found.made.data,
            "runs": {name: one.run for name, one in sorted(store.sweeps.begun(run.id).items())},
            "configuration": run.config.model_dump(mode="json"),
            "prompts": prompts,
        }
    )


def write(store: Store, run_id: str, to: Path) -> tuple[str, ...]:
    """Write a run of a recipe into a new or empty folder, or a .zip, and return the names of the
    files; raises BadInput, StoreFailed.
    """
    made = files(store, run_id)
    require_folder(to)
    if to.suffix == ".zip":
        write_whole(to, zip_files(made))
    else:
        require_empty(to)
        write_folder(to, ((name, encoded(content)) for name, content in made.items()))
    return tuple(made)
