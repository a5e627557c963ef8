"""What the tables of a run of a recipe are made of, as rows: a cell, a ranking, a ballot, an item a
line; and every answer of its runs.
"""

import json
from collections.abc import Iterator

from core.experiments import SweepInputs
from core.experiments.checklist import ChecklistExperimentInputs
from core.experiments.checklist.results import collect as collect_checklist
from core.experiments.novelty.cells import NoveltyExperimentInputs
from core.experiments.novelty.figures import collect as collect_novelty
from core.experiments.topics import TopicExperimentInputs, experts
from core.experiments.topics.contenders import cut_off
from core.experiments.topics.results import TopicResults, experiment_of
from core.experiments.topics.results import collect as collect_topics
from core.export.dumps import as_json
from core.judging.arena.competition import lineup_of
from core.judging.arena.contests import CRITERIA
from core.records import (
    ITEMS,
    Kind,
    LabelledIdeas,
    Made,
    Record,
    Run,
    Standings,
    Step,
    Target,
    TopicList,
    TrainingData,
    part,
)
from core.store import Store
from core.story import Story
from core.tables.sheets import csv_lines, rows_as_csv

Row = list[object]
ACCEPTED = "accepted"
AT_ONCE = 500
"""Tries that are read at once."""


def rows_of(store: Store, run: Run) -> Iterator[tuple[str, str]]:
    """Yield the files of rows of an experiment, by name."""
    match run.config.method:
        case "topic-experiment":
            held = collect_topics(store, run)
            yield "topics.csv", rows_as_csv(_topic_list(store, held))
            yield "cells.csv", rows_as_csv(_topic_cells(store, held))
            if any(one.by_judge for one in held.distinct):
                yield "same-ideas.csv", rows_as_csv(_same_ideas(store, held))
            for arena in held.arenas:
                if arena.run:
                    lines = _ballots(store, held, arena.run, arena.kind)
                    yield f"ballots-{arena.kind}s.csv", rows_as_csv(lines)
        case "sweep":
            yield "cells.csv", rows_as_csv(_made(store, run))
            yield "rankings.csv", rows_as_csv(_rankings(store, run))
        case "checklist-experiment":
            yield "questions.csv", rows_as_csv(_questions(store, run))
            yield "cells.csv", rows_as_csv(_items(store, run))
        case "novelty-experiment":
            yield "cells.csv", rows_as_csv(_checks(store, run))


def _topic_list(store: Store, held: TopicResults) -> Iterator[Row]:
    """Yield every topic: the paper it was taken from, and up to when others' papers are read."""
    yield ["topic", "paper", "title", "published", "papers_before"]
    edition = store.runs.get(held.run).config.edition
    for one in store.frozen.get(held.asked.topics, TopicList).topics[: held.asked.count]:
        paper = one.paper
        of = (paper.id, paper.title, paper.published or paper.year or "") if paper else ("", "", "")
        yield [one.topic, *of, cut_off(one, held.asked.before, edition) or ""]


def _topic_cells(store: Store, held: TopicResults) -> Iterator[Row]:
    names = ("contender", "label", "player", "topic", "model", "seed", "state", "reason", "run")
    took = ("tokens_in", "tokens_out", "calls", "cost", "unpriced", "worked")
    yield [*names, "idea", "design", "budget_tokens", "drafts", *took]
    there = store.runs.took(cell.run for cell in held.cells if cell.run)
    for cell in held.cells:
        made = there.get(cell.run, {})  # Empty too where it was deleted since.
        label = held.names.get(cell.player, cell.player)
        of = (cell.contender, label, cell.player, cell.topic, cell.model, cell.seed, cell.state)
        spent = [made.get(name, "") for name in took]
        paid = (cell.budget.tokens, cell.budget.drafts) if cell.budget else ("", "")
        yield [*of, cell.reason, cell.run, cell.idea, cell.design, *paid, *spent]


def _same_ideas(store: Store, held: TopicResults) -> Iterator[Row]:
    """Yield every pair of ideas that a judge was asked of, by hash, and whether they are one."""
    judged = {
        f"distinct/{part(one.player)}/{part(by.judge)}": (one.player, by.judge)
        for one in held.distinct
        for by in one.by_judge
    }
    yield ["player", "judge", "first", "second", "same", "better", "reason"]
    for step in store.steps.each(held.run):
        place, _, pair = step.key.removesuffix("/same-idea").rpartition("/")
        if place in judged and step.key.endswith("/same-idea"):
            reply = step.reply if isinstance(step.reply, dict) else {}
            said = [reply.get(name, "") for name in ("same", "better")]
            why = reply.get("reason") or reply.get("message", "")
            yield [*judged[place], *pair.split("-"), *said, why]


def _ballots(store: Store, held: TopicResults, arena: str, kind: Kind) -> Iterator[Row]:
    """Yield every ballot: who won by each criterion, by name; `tie` where nobody did. Those of
    experts in a session whose sources are revealed stand behind, with the session. Ballots on the
    `same_text` twice are counted nowhere.
    """
    criteria = CRITERIA[kind]
    head = ("topic", "first", "second", "judge", "person", "repeat")
    yield [*head, *criteria, "why", "strength", "session", "same_text"]
    lineup = lineup_of(store, arena)
    shown = {(seat.topic, seat.method): seat.sha for seat in lineup.seats} if lineup else {}
    for one in store.ballots.each(arena):
        same = shown.get((one.contest.topic, one.contest.a)) == shown.get(
            (one.contest.topic, one.contest.b)
        )
        second = one.contest.b if one.first == one.contest.a else one.contest.a
        won = {"first": one.first, "second": second, "tie": "tie"}
        said: Row = [won[one.sides[name]] if name in one.sides else "" for name in criteria]
        about = (one.contest.topic, one.first, second, one.judge, one.person, one.repeat)
        strength = json.dumps(one.strength) if one.strength else ""
        yield [*about, *said, one.why, strength, "", same]
    for vote in experts.votes(store, experiment_of(held), kind):
        won = {"first": vote.first, "second": vote.second, "tie": "tie"}
        said = [won[vote.sides[name]] if name in vote.sides else "" for name in criteria]
        about = (vote.topic, vote.first, vote.second, vote.expert, True, 1)
        yield [*about, *said, vote.why, json.dumps(vote.strength), vote.session, False]


def _made(store: Store, run: Run) -> Iterator[Row]:
    names = ("method", "model", "indicator", "target")
    yield [*names, "state", "reason", "run", "k", "idea", "rounds", "converged"]
    for one in Story.only(store, run.id, Made).all(Made):
        of = [getattr(one.cell, name) for name in names]
        if not one.ideas:
            yield [*of, one.state, one.reason, one.run, "", "", "", ""]
        for k, idea in enumerate(one.ideas):
            came = (k + 1, idea.text, one.rounds[k], one.converged[k])
            yield [*of, one.state, one.reason, one.run, *came]


def _rankings(store: Store, run: Run) -> Iterator[Row]:
    names = ("method", "model", "indicator", "target")
    yield [*names, "judge", "state", "run", "repeat", "q"]
    for one in Story.only(store, run.id, Standings).all(Standings):
        of = [getattr(one.cell, name) for name in names]
        for n, q in enumerate(one.q, 1):
            yield [*of, one.judge, one.state, one.run, n, q]


def _questions(store: Store, run: Run) -> Iterator[Row]:
    """Yield the held-out questions that were answered, by the digest that cells name them by."""
    asked = run.inputs_as(ChecklistExperimentInputs)
    yield ["question", "text"]
    for query in store.frozen.get(asked.data, TrainingData).held_out[: asked.questions]:
        yield [query.digest(), query.question]


def _items(store: Store, run: Run) -> Iterator[Row]:
    names = ("question", "generator", "provider", "state", "reason", "run", "first")
    yield [*names, "step", *(item.name for item in ITEMS)]
    for cell in collect_checklist(store, run).cells:
        of = [getattr(cell, name) for name in names]
        for n, scores in enumerate(cell.steps):
            yield [*of, n, *("" if score is None else score for score in scores)]
        if not cell.steps:
            yield [*of, "", *("" for _ in ITEMS)]


def _checks(store: Store, run: Run) -> Iterator[Row]:
    names = ("idea", "depth", "judge", "seed", "run", "known", "said", "verdict", "state")
    yield list(names)
    for cell in collect_novelty(store, run).cells:
        yield [getattr(cell, name) for name in names]


def answers(store: Store, run: Run) -> Iterator[str]:
    """Yield every answer of an experiment's runs as CSV, a row at a time: who gave it, what it
    took, and the reply as JSON. All of them may take several times the server's memory.
    """
    return csv_lines(_answers(store, run))


def _answers(store: Store, run: Run) -> Iterator[Row]:
    head = ("cell", "run", "method", "key", "kind", "by", "status", "calls", "tokens_in")
    yield [*head, "tokens_out", "cost", "request_sha256", "reply"]
    # What the experiment asked itself stands first; of its other steps the runs tell.
    own = (step for step in store.steps.each(run.id) if step.calls)
    yield from (_answer("", run.id, run.config.method, step) for step in own)
    for name, one in sorted(store.sweeps.begun(run.id).items()):
        method = store.runs.get(one.run).config.method
        for step in store.steps.each(one.run):
            yield _answer(name, one.run, method, step)


def tries(store: Store, run: Run) -> Iterator[str]:
    """Yield every try of an experiment's runs that was refused or failed as CSV, with what was
    said: the answers that no step holds.
    """
    return csv_lines(_tries(store, run))


def _tries(store: Store, run: Run) -> Iterator[Row]:
    head = ("cell", "run", "key", "at", "model", "outcome", "tokens_in", "tokens_out", "cost")
    yield [*head, "said"]
    asked = [("", run.id)]
    for held in store.runs.lineage(run.id):  # What was taken over was asked for there.
        asked += sorted((name, one.run) for name, one in store.sweeps.begun(held).items())
    for cell, made in dict.fromkeys(asked):
        after = 0
        while found := store.steps.tries(made, after, AT_ONCE):
            after = found[-1].id
            for one in found:
                call = one.call
                if call.outcome != ACCEPTED:
                    took = (call.tokens_in, call.tokens_out, call.cost)
                    paid = ["" if figure is None else figure for figure in took]
                    of = (cell, made, one.key, one.at, call.model, call.outcome)
                    yield [*of, *paid, call.raw]


def asked_about(store: Store, run: Run) -> Iterator[tuple[str, str]]:
    """Yield what an experiment was held on, as it was frozen, by file name: topics, targets,
    questions or labelled ideas. A benchmark's keywords stand among its own files.
    """
    match run.config.method:
        case "topic-experiment":
            topics = run.inputs_as(TopicExperimentInputs)
            yield "topics.json", _frozen(store, topics.topics, TopicList)
        case "sweep":
            swept = run.inputs_as(SweepInputs)
            held = store.frozen.several(tuple(one.sha for one in swept.targets), Target)
            said = {sha: one.model_dump(mode="json") for sha, one in held.items()}
            yield "targets.json", as_json(said)
        case "checklist-experiment":
            evolved = run.inputs_as(ChecklistExperimentInputs)
            yield "questions.json", _frozen(store, evolved.data, TrainingData)
        case "novelty-experiment":
            checked = run.inputs_as(NoveltyExperimentInputs)
            yield "ideas.json", _frozen(store, checked.data, LabelledIdeas)


def _frozen(store: Store, sha: str, kind: type[Record]) -> str:
    return as_json({"sha256": sha, **store.frozen.get(sha, kind).model_dump(mode="json")})


def _answer(cell: str, run: str, method: str, step: Step) -> Row:
    tokens_in = sum(call.tokens_in or 0 for call in step.calls)
    tokens_out = sum(call.tokens_out or 0 for call in step.calls)
    prices = [call.cost for call in step.calls]
    cost = "" if None in prices else sum(price for price in prices if price is not None)
    by = (step.origin.kind, step.origin.name, step.status, len(step.calls))
    took = (tokens_in, tokens_out, cost)
    reply = json.dumps(step.reply, ensure_ascii=False)
    return [cell, run, method, step.key, *by, *took, step.hash, reply]
