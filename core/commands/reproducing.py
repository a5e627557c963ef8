"""The papers' experiments as recipes: list them, hold one, extend it, take its results along."""

import argparse
from pathlib import Path
from typing import Any

from core.commands import real_papers
from core.commands.bench_words import split_names
from core.commands.options import (
    Answer,
    Verbs,
    add_flag,
    add_repeatable,
    change_caps,
    limits_of,
    reply,
)
from core.commands.working import EXIT, work
from core.errors import BadInput, Parked
from core.experiments.topics.distinct import said_of_comparisons
from core.export import document as reports
from core.literature import spell
from core.records import Run
from core.runs.beginning import configure, usual_cap
from core.runs.estimates import estimate, paused, worded
from core.runs.extending import can_grow
from core.runs.reproducing import (
    begin_recipe,
    estimate_extension,
    extend_recipe,
    listed,
    plan,
    recipe_of,
    reproduction,
)
from core.runs.runner import Runner
from core.runs.workshop import Workshop

SIZES = "small, paper, or how many topics, targets, questions or keywords (default small)"


def reproduce(shop: Workshop, args: argparse.Namespace) -> Answer:
    for said, does in ((args.results, results), (args.extend, extend), (args.compare, compare)):
        if said:
            return does(shop, args)
    if not args.recipe:
        return _list()
    written = recipe_of(args.recipe)
    if args.show:
        return reply("listed", recipe=written.recipe.name, in_words=written.text)
    if args.contender:
        raise BadInput(
            "A recipe says itself who competes. Add contenders to a run of it, with --extend RUN,"
            " or change its file (--show prints it) and hold that."
        )
    models, judges = split_names(args.models), split_names(args.judges)
    if args.estimate:
        return _estimate(shop, args, models, judges)
    runner = Runner(shop)
    limits = {**limits_of(args), "source": spell(args.source)}
    run = begin_recipe(runner, written, args.size, models, judges, args.topics, **limits)
    return _work(runner, run)


def _list() -> Answer:
    rows, words = [], []
    for one in listed():
        recipe = one.recipe
        shows = ", ".join(recipe.shows)
        rows.append(
            {
                "recipe": recipe.name,
                "title": recipe.title,
                "paper": recipe.paper,
                "shows": list(recipe.shows),
                "engine": recipe.engine,
                "small": one.small.model_dump(),
                "at_paper_size": one.paper.model_dump(),
                "not_comparable": recipe.not_comparable,
            }
        )
        words.append(
            f"{recipe.name:<21} {recipe.paper}: {shows}\n{'':<21} {recipe.title}; usually"
            f" {one.small.calls:,} calls at size small, {one.paper.calls:,} calls and"
            f" {one.paper.tokens / 1e6:,.0f} million tokens at the paper's"
        )
    words.append("Counted with one model that writes, and as many judges as a recipe needs.")
    return reply("listed", recipes=rows, in_words="\n".join(words))


def _estimate(
    shop: Workshop, args: argparse.Namespace, models: list[str], judges: list[str]
) -> Answer:
    """Say what a recipe would take, once it is sure that it could begin."""
    written = recipe_of(args.recipe)
    inputs, made = plan(shop, written, args.size, models, judges, args.topics)
    limits = {**limits_of(args), "source": spell(args.source)}
    config = configure(shop, written.recipe.engine, inputs, **limits)
    guess = estimate(written.recipe.engine, config.inputs, config.models)
    pause = paused(guess, args.cap_tokens or usual_cap(guess), args.cap_usd)
    rule = said_of_comparisons(inputs)
    said = " ".join(filter(None, (f"Estimated: {worded(guess)}", rule, pause)))
    return reply(
        "listed",
        recipe=written.recipe.name,
        size=made.size,
        takes=made.take,
        data=made.data,
        estimate=guess.model_dump(),
        mind=[pause] if pause else [],
        in_words=f"{said} {written.recipe.not_comparable}",
    )


def extend(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Extend a run of a recipe by models, judges or contenders; what is there is taken over, what
    failed is tried again.
    """
    models, judges = split_names(args.models), split_names(args.judges)
    runner = Runner(shop)
    if args.estimate:
        parent = runner.own(args.extend)
        can_grow(parent)
        guess = estimate_extension(shop, parent, models, judges, args.contender)
        said = f"Estimated on top of what there is: {worded(guess)}"
        return reply("listed", extends=parent.id, estimate=guess.model_dump(), in_words=said)
    made = extend_recipe(runner, args.extend, models, judges, args.contender)
    change_caps(shop, made.id, args)
    return _work(runner, made)


def results(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Write a run of a recipe to a folder or a .zip: tables, figures, published values beside, a
    methods paragraph, configuration, and every answer.
    """
    from core.export.reproduced import write  # Matplotlib and numpy come with it.

    if args.to is None:
        raise BadInput("Say where the results go, with --to: a new or empty folder, or a .zip.")
    names = write(shop.store, args.results, args.to)
    said = f"{len(names)} files in {args.to}; report.md says what was found."
    return reply(
        "listed", reproduced=args.results, to=str(args.to), files=list(names), in_words=said
    )


def compare(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Lay two runs of one kind side by side: score, cost and time with intervals, and the texts."""
    # Numpy comes with these, a second that no list has to wait for.
    from core.experiments.side_by_side import lay
    from core.export.tables import markdown, rows_by_head, write_tables

    a, b = (shop.store.runs.get(run) for run in args.compare)
    *both, _ = lay(shop.store, a, b)
    if args.to is not None:
        write_tables(both, args.to, both[0].name)
    tables = {one.name: rows_by_head(one) for one in both}
    return reply("listed", compared=[a.id, b.id], tables=tables, in_words=markdown(both[0]))


def _work(runner: Runner, run: Run) -> Answer:
    document, _ = work(runner, run.id)
    ended = runner.store.runs.get(run.id)
    more: dict[str, Any] = {}
    if ended.config.recipe:
        made = reproduction(runner.store, ended)
        more = {"recipe": made.recipe.name, "size": made.size, "data": made.data}
    if ended.config.method != "bench":
        spent = runner.store.runs.spent(run.id)
        whole = runner.store.runs.with_runs_made(ended)
        more |= {"runs_made": spent["runs"], "calls": spent["calls"], **reports.usage(whole)}
    return {**document, **more}, EXIT.get(document["state"], Parked.exit_code)


def words(verbs: Verbs) -> None:
    """Add this module's verbs to the command line."""
    made = verbs.add("reproduce", reproduce, verbs.begin)
    made.add_argument(
        "recipe", nargs="?", metavar="NAME|FILE", help="a recipe's name, or a TOML file of one"
    )
    add_repeatable(made, "--models", "models that write; repeatable", "A,B")
    add_repeatable(
        made,
        "--judges",
        "models that judge; of a checklist experiment the first scores and the others give"
        " directives; repeatable",
        "C,D",
    )
    made.add_argument("--size", default="small", metavar="SIZE", help=SIZES)
    made.add_argument(
        "--topics",
        metavar="FILE|RUN|HASH",
        help="topics, targets, questions or keywords, as the recipe takes; some come with the"
        " program at size small",
    )
    add_flag(made, "--show", "print the recipe itself")
    add_flag(made, "--estimate", "say what it would take, and start nothing")
    made.add_argument(
        "--extend",
        metavar="RUN",
        help="extend a run of a recipe, or of measured novelty checks, by --models, --judges or"
        " --contender; only what is new is paid",
    )
    add_repeatable(
        made,
        "--contender",
        "with --extend, of an experiment over topics: who joins, a preset and what departs from it;"
        " repeatable",
        "'chain, length 2'",
    )
    made.add_argument(
        "--results",
        metavar="RUN",
        help="write a run of a recipe: tables, figures, published values, methods, every answer",
    )
    made.add_argument(
        "--compare",
        nargs=2,
        metavar="RUN",
        help="lay two runs of one kind side by side: score, cost, time with intervals, the texts",
    )
    made.add_argument(
        "--to",
        type=Path,
        metavar="FOLDER|FILE",
        help="with --results a new folder or a .zip; with --compare a .csv, .tex, .md or .zip",
    )
    real_papers.words(verbs)
