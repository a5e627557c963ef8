"""Evolutions, rankings and arenas as case studies, and what a fork of them takes."""

import json

import pytest

from core.cases import close_case, open_case, pack
from core.cases.tape import Tape
from core.errors import BadInput
from core.export.bundling import bundle
from core.export.markdown import markdown
from core.judging.arena.contests import CRITERIA, ballot_of
from core.judging.ranked_sets import IdeaSet
from core.methods import BaselineInputs
from core.records import Evolved, HalfBallot, digest
from core.runs.forecast import of_fork
from core.runs.runner import Runner
from core.store import Store
from core.story import Story
from tests.conftest import ScriptedModel, Shop, SmallSource, make_run
from tests.core.judging.test_ranked_sets import idea, prefers, ranked
from tests.core.methods.test_baselines import worked
from tests.support.arena_kit import JUDGES, arena_shop, entries, held
from tests.support.case_kit import records
from tests.support.evolving import evolve
from tests.support.sweep_kit import experiment, runner_of
from tests.support.visiting import host, links, said, visit


@pytest.fixture
def swept(tmp_path):
    """A finished experiment, and its runner."""
    runner, _ = runner_of(tmp_path, {})
    run = experiment(runner)
    assert runner.work(run.id) == "done", runner.store.runs.get(run.id).reason
    return runner, runner.store.runs.get(run.id)


@pytest.fixture
def fought(tmp_path):
    """A finished arena, and its runner."""
    runner, _ = arena_shop(tmp_path)
    return runner, held(runner, entries(runner.store), judges=JUDGES)


def three_sets():
    return tuple(
        IdeaSet(name=name, ideas={n: idea(n) for n in "ab"}, target=idea("Paper"))
        for name in ("round-0", "My own ideas")
    )


@pytest.mark.parametrize(
    "made",
    [
        lambda folder: evolve(folder, lines=2)[::2][:2],
        lambda folder: ranked(folder, {"rank": prefers("a", "Paper", "b")}, sets=three_sets())[::2][
            :2
        ],
    ],
    ids=["evolution", "ranking"],
)
def test_a_packed_run_opens_elsewhere_without_a_key_and_its_tape_plays_to_the_end(tmp_path, made):
    runner, run = made(tmp_path / "mine")
    there = Runner(
        Shop(tmp_path / "there", {"scripted:one": ScriptedModel({})}, SmallSource([], {}))
    )
    case = open_case(there.store, pack(runner.store, run.id, "What it shows."))
    assert records(there.store, case.id) == records(runner.store, run.id)
    assert (
        markdown(there.store, case.id).split("## What was asked")[1]
        == markdown(runner.store, run.id).split("## What was asked")[1]
    )
    tape = Tape.of(there.store, case.id)
    assert (tape.moment(tape.seconds + 1).over, len(tape.frames)) == (
        True,
        len(runner.store.steps.of(run.id)),
    )


def test_a_tape_shows_a_step_of_an_evolution_once_its_items_are_judged(tmp_path):
    runner, _, run, _ = evolve(tmp_path)
    tape = Tape.of(runner.store, run.id)

    def steps(n):
        return len(Story.of(runner.store, run.id, tape.frame(n).shows).all(Evolved))

    seen = [steps(n) for n in range(len(tape.order) + 1)]
    assert seen == sorted(seen)
    assert (seen[0], seen[-1]) == (0, 2)
    writes = {
        frame.key: frame.actor
        for frame in tape.frames
        if frame.key.endswith(("evolve-idea", "evolve-revise"))
    }
    assert set(writes.values()) == {"generator"}


def test_what_does_not_hold_all_it_shows_is_not_packed_and_says_what_to_do(tmp_path):
    store = Store(tmp_path)
    run = make_run(store, method="bench", inputs={})
    with pytest.raises(BadInput, match=r"(?s)kept beside the run.*Export it instead"):
        pack(store, run.id)


@pytest.fixture
def voted(fought):
    """A finished arena in which a person voted, and its runner."""
    runner, run = fought
    contest = runner.store.ballots.of(run.id)[0].contest
    strength = dict.fromkeys(CRITERIA["idea"], 1)
    half = HalfBallot(
        arena=run.id, judge="Ada", contest=contest, first=contest.a, strength=strength, why="Clear."
    )
    runner.store.ballots.add((ballot_of(half, "idea"),))
    return runner, run


def test_an_arena_is_packed_with_its_texts_and_ballots_and_read_elsewhere(voted, tmp_path):
    runner, run = voted
    data = pack(runner.store, run.id)
    there = Store(tmp_path / "there")
    case = open_case(there, data)
    assert there.ballots.lines(case.id) == runner.store.ballots.lines(run.id)
    assert (
        markdown(there, case.id).split("## What was asked")[1]
        == markdown(runner.store, run.id).split("## What was asked")[1]
    )
    texts = [
        json.loads(bundle(store, id_))["arena"]["texts"]
        for store, id_ in ((there, case.id), (runner.store, run.id))
    ]
    assert texts[0] == texts[1]
    with pytest.raises(BadInput, match="case study"):
        there.ballots.add((there.ballots.of(case.id)[0].model_copy(update={"key": "new"}),))
    close_case(there, case.id)
    assert there.ballots.lines(case.id) == []
    assert open_case(there, data).id == case.id


def seat_a_stranger(whole):
    """Give the line-up a text that did not enter."""
    lineup = next(one for one in whole["products"] if one["kind"] == "Lineup")["data"]
    lineup["seats"].append(lineup["seats"][0] | {"method": "nobody"})


def turn_a_pair_round(whole):
    contest = whole["arena"]["ballots"][0]["contest"]
    contest["a"], contest["b"] = contest["b"], contest["a"]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda whole: whole.pop("arena"), "without its texts"),
        (seat_a_stranger, "did not enter its arena"),
        (turn_a_pair_round, "a pair that its arena does not have"),
        (lambda whole: whole["arena"]["texts"].pop(), "not those of its line-up"),
        (
            lambda whole: whole["arena"]["texts"][0]["data"]["fields"].update(title="Another"),
            "not those of its line-up",
        ),
        (lambda whole: whole["arena"]["texts"][0].update(kind="Run"), "does not know"),
        (lambda whole: whole["arena"]["ballots"].append(whole["arena"]["ballots"][0]), "ballot"),
        (
            lambda whole: whole["arena"]["ballots"][0]["contest"].update(a="nobody"),
            "a pair that its arena does not have",
        ),
        (
            lambda whole: whole["arena"]["ballots"][0].update(sides={"beauty": "first"}),
            "does not ask for",
        ),
        (
            lambda whole: whole["arena"]["ballots"][-1]["strength"].update(novelty=9),
            "nobody can give",
        ),
    ],
)
def test_an_arena_from_a_stranger_is_checked(voted, tmp_path, change, why):
    runner, run = voted
    document = json.loads(pack(runner.store, run.id))
    change(document["whole"])
    document["sha"] = digest({name: value for name, value in document.items() if name != "sha"})
    there = Store(tmp_path / "there")
    with pytest.raises(BadInput, match=why):
        open_case(there, json.dumps(document).encode())
    assert there.runs.listed(packed=True) == []


def test_an_opened_arena_is_shown_and_not_voted_in(voted, monkeypatch):
    runner, run = voted
    host(monkeypatch, runner)
    case = open_case(runner.store, pack(runner.store, run.id))
    assert "shown whole" in said(visit("cases", run=case.id))
    assert "No rating" not in said(visit("arena", run=case.id))
    for tab, sentence in (("Votes", "not voted in"), ("Add", "nothing is added to it")):
        app = visit("arena", run=case.id, tab=tab)
        assert sentence in said(app)
        assert not [one for one in app.button if one.label.startswith("Add")]


def test_a_fork_of_an_experiment_counts_what_its_runs_took(swept):
    runner, run = swept
    keys = [step.key for step in runner.store.steps.outline(run.id)]
    spent = runner.store.runs.spent(run.id)
    whole, last = of_fork(runner.store, run, keys[0]), of_fork(runner.store, run, keys[-1])
    assert (whole.calls, whole.tokens, whole.cost, whole.kept) == (
        spent["calls"],
        spent["tokens_in"] + spent["tokens_out"],
        None,
        0,
    )
    assert 0 < last.calls < whole.calls
    with pytest.raises(BadInput, match="no step 'nope'"):
        of_fork(runner.store, run, "nope")


def test_a_fork_of_one_of_several_evolved_ideas_leaves_the_others(tmp_path):
    runner, _, run, _ = evolve(tmp_path, lines=2)
    plan = of_fork(runner.store, runner.store.runs.get(run.id), "idea-1/step-1/evolve-revise")
    assert plan.calls
    assert all(key.startswith("idea-1/step-1/") for key in plan.redone)


@pytest.mark.parametrize("at", ["judge/final/novelty/repeat-1/rank"])
def test_a_fork_of_a_ranking_counts_every_ranking_from_there_on(tmp_path, at):
    runner, _, run, _ = ranked(tmp_path, {"rank": prefers("a", "Paper", "b", "c")})
    assert of_fork(runner.store, runner.store.runs.get(run.id), at).calls == 8


def test_a_case_study_that_does_not_play_leads_to_its_own_screen(tmp_path, monkeypatch):
    runner, _, run, _ = worked(tmp_path, "direct", BaselineInputs(topic="sleep 2018"))
    host(monkeypatch, runner)
    case = open_case(runner.store, pack(runner.store, run))
    app = visit("cases", run=case.id)
    assert "shown whole" in said(app)
    assert any(
        link.page.endswith("chains") and link.query_string == f"run={case.id}"
        for link in links(app)
    )
