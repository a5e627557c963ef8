"""Experts on an experiment: a session over its pairs, answered at its seats, comes back as people's
votes beside those of the models, once sources are revealed.
"""

import csv
import io
import json

import pytest

from core.errors import BadInput
from core.experiments.topics import experts
from core.experiments.topics.figures import figures
from core.experiments.topics.results import collect, experiment_of
from core.experiments.topics.tables import tables
from core.export.recipe_rows import rows_of
from core.records import CompareAnswer, Preference
from core.runs.extending import extend
from core.studies import organising
from tests.support.sessions.studies_kit import at_work, finished, work_through
from tests.support.topics_kit import JUDGE, OTHER, SECOND, WRITER, asked, done, worth_of

CONTENDERS = ("chain, 1 branch", "rag", "direct")
IDEA_CRITERIA = ("novelty", "significance", "clarity", "feasibility", "effectiveness")


def made(runner, held, kind="idea", pairs=None):
    arena = held.arena(kind).run
    return experts.set_up(runner.store, experiment_of(held), arena, kind, "For experts", pairs)


def opened(store, study, many=3):
    """Open a session with so many experts; return the secrets of their links."""
    links = [organising.add_seat(store, study.id, f"Expert {n}")[1] for n in range(many)]
    organising.open_study(store, study.id)
    return links


def preferring(name, against=()):
    """Answer by what a text says it is worth; on the criteria in `against` the other way round."""

    def say(here, shown):
        left, right = shown.assignment.shown
        worth = {label: worth_of(text) for label, text in shown.texts}
        better = left if worth[left] >= worth[right] else right
        other = right if better == left else left
        if any(not n for n in worth.values()):  # A check says openly what to answer.
            better, other = left, left
        return CompareAnswer(
            preferences={
                one.name: Preference(better=other if one.name in against else better)
                for one in here.criteria
            },
            note=name,
        )

    return say


def answered(runner, study, links, against=()):
    for n, link in enumerate(links):
        here = at_work(runner.store, link)
        work_through(runner.store, here, preferring(f"expert {n}", against))
        finished(runner.store, here)


def revealed(store, study):
    organising.close(store, study.id)
    organising.unblind(store, study.id, "Ada")


def by_name(held, name):
    return next((one for one in held if one.name == name), None)


@pytest.fixture
def world(tmp_path):
    return done(tmp_path, 4, contenders=CONTENDERS, judges=(JUDGE, SECOND))


def test_a_session_is_made_of_the_pairs_that_meet_in_the_arena(world):
    runner, _, run, held = world
    study = made(runner, held)
    assert (study.state, study.plan.task) == ("draft", "compare")
    assert [one.name for one in study.plan.criteria] == list(IDEA_CRITERIA)
    assert not study.plan.same_form, "as in the arena, texts are shown as they were written"
    assert experts.pairs_of(runner.store, held.arena("idea").run) == 4 * 3
    assert len(organising.work_units(runner.store, study.id)) == 4 * 3
    few = made(runner, held, pairs=5)
    assert len(organising.work_units(runner.store, few.id)) == 5
    found = experts.sessions(runner.store, experiment_of(held), "idea")
    assert {one.id for one in found} == {study.id, few.id}
    assert run.id in {
        entry.collection.split()[-1] for entry in experts.entries(experiment_of(held), "idea")
    }


def test_answers_count_once_sources_are_revealed_and_not_before(world):
    runner, _, _, held = world
    store = runner.store
    study = made(runner, held)
    links = opened(store, study)
    answered(runner, study, links)
    assert by_name(tables(store, held), "topics-agreement-ideas") is None
    organising.close(store, study.id)
    assert not list(experts.votes(store, experiment_of(held), "idea"))
    organising.unblind(store, study.id, "Ada")
    assert by_name(tables(store, held), "topics-agreement-ideas") is not None
    assert len(list(experts.votes(store, experiment_of(held), "idea"))) == 12 * 3


def test_agreement_by_criterion_and_between_judges_is_what_a_hand_counts(world):
    runner, _, run, held = world
    store = runner.store
    study = made(runner, held)
    # The experts hold with the models, but on clarity, where they say the opposite of every pair.
    answered(runner, study, opened(store, study), against=("clarity",))
    revealed(store, study)
    found = tables(store, held)
    people = by_name(found, "topics-agreement-ideas")
    mine = {row[1].text: row[2] for row in people.rows if row[0].text == JUDGE}
    assert {name: one.mean for name, one in mine.items()} == {
        "Novelty": 1,
        "Significance": 1,
        "Clarity": 0,
        "Feasibility": 1,
        "Effectiveness": 1,
    }
    between = {
        frozenset((row[0].text, row[1].text)): row[2].mean
        for row in by_name(found, "topics-judges-ideas").rows
    }
    assert between[frozenset({JUDGE, SECOND})] == 1
    assert between[frozenset({JUDGE, "people"})] == pytest.approx(4 / 5)
    grid = by_name(found, "topics-ratings-ideas")
    rows = {(row[0].text, row[1].text): row for row in grid.rows}
    names = list(grid.head[2:])
    novelty = [rows["Novelty", "people"][2 + n].mean for n in range(3)]
    clarity = [rows["Clarity", "people"][2 + n].mean for n in range(3)]
    chain = next(n for n, name in enumerate(names) if name.startswith("Chain"))
    assert max(novelty) == novelty[chain]
    assert min(clarity) == clarity[chain]
    assert novelty == pytest.approx([2000 - one for one in clarity])
    drawn = {one.name for one in figures(store, held, "#222")}
    assert "topics-judges-ideas" in drawn, "figure 5"
    # Every answer stands in the files, and the share can be counted from them again.
    lines = list(csv.DictReader(io.StringIO(dict(rows_of(store, run))["ballots-ideas.csv"])))
    said = [one for one in lines if one["session"] == study.id]
    assert len(said) == 12 * 3
    assert {one["person"] for one in said} == {"True"}
    for one in said:
        way = 1 if one["novelty"] == one["first"] else -1
        assert json.loads(one["strength"])["novelty"] == way
    models_say = {
        (one["topic"], frozenset((one["first"], one["second"]))): one["novelty"]
        for one in lines
        if one["judge"] == JUDGE
    }
    same = [
        one["novelty"] == models_say[one["topic"], frozenset((one["first"], one["second"]))]
        for one in said
    ]
    assert sum(same) / len(same) == mine["Novelty"].mean


def test_an_extension_keeps_what_experts_said_of_texts_that_are_still_the_same(world):
    runner, _, run, held = world
    store = runner.store
    study = made(runner, held)
    answered(runner, study, opened(store, study))
    revealed(store, study)
    more = asked(store, 4, contenders=CONTENDERS, models=(WRITER, OTHER), judges=(JUDGE, SECOND))
    grown = extend(runner, run.id, more)
    assert runner.work(grown.id) == "done", store.runs.get(grown.id).reason
    after = collect(store, store.runs.get(grown.id))
    assert len(list(experts.votes(store, experiment_of(after), "idea"))) == 12 * 3
    changed = [
        cell.model_copy(update={"idea": "0" * 64}) if cell.contender == "rag" else cell
        for cell in held.cells
    ]
    gone = experiment_of(held)._replace(cells=tuple(changed))
    assert len(list(experts.votes(store, gone, "idea"))) == 4 * 3, "only pairs without it are left"


def test_designs_have_a_session_of_their_own(tmp_path):
    runner, _, _, held = done(tmp_path, 2, contenders=("chain, 1 branch", "rag"), designs=True)
    study = made(runner, held, "design")
    assert study.plan.kind == "design"
    answered(runner, study, opened(runner.store, study), against=())
    revealed(runner.store, study)
    found = by_name(tables(runner.store, held), "topics-agreement-designs")
    assert {row[1].text for row in found.rows} == {"Feasibility", "Technical quality", "Clarity"}
    assert not list(experts.votes(runner.store, experiment_of(held), "idea"))


def test_texts_of_a_collection_that_was_removed_are_kept_anew(world):
    runner, _, run, held = world
    runner.store.entries.remove(f"Experiment {run.id}")
    made(runner, held)
    titles = {title for _, title in runner.store.entries.of((f"Experiment {run.id}",))}
    assert "Direct" in titles


def test_an_experiment_without_texts_says_so(world):
    runner, _, _, held = world
    none = experiment_of(held)._replace(cells=())
    with pytest.raises(BadInput, match="shows no texts yet"):
        experts.set_up(runner.store, none, held.arena("idea").run, "idea", "None")
