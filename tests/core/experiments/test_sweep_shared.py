"""Experiments compare like with like: what several cells begin with is written once, by a run of
its own, and handed to each.
"""

import itertools
import threading
from collections import Counter
from pathlib import Path

import pytest
from pydantic import ValidationError

from core.desk.threads import side_by_side
from core.errors import BadInput, ModelFailed
from core.experiments import SweepInputs
from core.experiments.found import findings
from core.experiments.progress import progress
from core.experiments.results import collect
from core.experiments.targets import freeze
from core.methods import RefineInputs
from core.methods.evolution import EvolveInputs
from core.records import Made, Play, Prepared, Stopping
from core.runs.beginning import begin
from core.runs.estimates import of_matrix, of_run
from core.runs.extending import extend
from core.runs.planning import played, validated
from core.runs.runner import Runner
from core.story import Story
from tests.support import stored
from tests.support.dataset_kit import QUESTION, asking, question_script
from tests.support.evolving import evolving
from tests.support.schema_instances import asked_schema
from tests.support.servers.openai_server import OpenAIServer
from tests.support.sweep_kit import (
    MODELS,
    NOVELTY,
    asked_for,
    done,
    experiment,
    extended,
    frozen,
    runner_of,
    target,
    told,
)

REFINERS = ("initial", "self-reflection", "infal", "review-rebuttal", "no-optimizer")
BOTH = ("evolve", "evolve-uninformed")
WAYS = itertools.count(1)


def various(body):
    """Say what `actor` says, questions and reviews included; no two first ideas are alike."""
    if shape(body) == {"plan", "hypothesis"}:
        return {"hypothesis": f"Naps restore memory in way {next(WAYS)}."}
    return asking(body)


def shape(body) -> set[str]:
    return set((asked_schema(body) or {}).get("properties", {}))


def task(body) -> str:
    return next(str(said["content"]) for said in body["messages"] if said["role"] == "user")


def between(text: str, tag: str) -> str:
    return text.partition(f"<{tag}>\n")[2].partition(f"\n</{tag}>")[0]


def worked(folder: Path, server: OpenAIServer, **given: object):
    """Work on an experiment whose models speak over the loopback server; return the runner and the
    run.
    """
    runner = Runner(stored.StoredShop(folder, server.url))
    small = {
        "topic": "An experiment",
        "methods": REFINERS,
        "models": ("openai:writer",),
        "indicators": (NOVELTY,),
        "targets": frozen(runner.store, 4),
        "n": 2,
        "rules": Stopping(max_rounds=2, patience=1),
        "judges": ("openai:judge",),
        "repeats": 1,
    }
    inputs = validated(SweepInputs, **{**small, **given})
    run = begin(runner, "sweep", inputs, inputs.topic, seed=7)
    assert runner.work(run.id) == "done", runner.store.runs.get(run.id).reason
    return runner, run


@pytest.fixture
def server():
    with OpenAIServer(script=various) as server:
        yield server


# -- first ideas of refiners -------------------------------------------------------------------


def test_five_refiners_of_four_targets_ask_for_four_first_ideas_for_each_k_and_not_for_twenty(
    tmp_path, server
):
    runner, run = worked(tmp_path, server)
    assert (
        Counter(map(frozenset, map(shape, server.calls)))[frozenset({"plan", "hypothesis"})]
        == 4 * 2
    )
    assert progress(runner.store, run).counts["done"] == 5 * 4


def test_the_first_review_of_every_refiner_holds_just_that_first_idea(tmp_path, server):
    runner, run = worked(
        tmp_path,
        server,
        targets=freeze(Runner(stored.StoredShop(tmp_path, server.url)).store, [target(1)]),
    )
    made = {one.cell.method: one for one in told(runner, run, Made).values()}
    first = tuple(
        line.version(0).text for line in Story.of(runner.store, made["initial"].run).lines
    )
    assert len(set(first)) == 2
    for name in REFINERS[1:]:
        assert (
            tuple(line.version(0).text for line in Story.of(runner.store, made[name].run).lines)
            == first
        )
    reviewed = Counter(
        between(task(body), "idea")
        for body in server.calls
        if shape(body) == {"summary", "remarks"}
    )
    assert {
        text: n for text, n in reviewed.items() if text.startswith("Naps restore")
    } == dict.fromkeys(first, 3), "self-reflection and two optimizers"
    revised = Counter(
        between(task(body), "idea") for body in server.calls if "changes" in shape(body)
    )
    assert {
        text: n for text, n in revised.items() if text.startswith("Naps restore")
    } == dict.fromkeys(first, 4)


def test_without_the_initial_contender_the_run_of_first_ideas_has_the_same_name(tmp_path):
    runner, _, run = done(tmp_path, methods=("infal",))
    cell = next(iter(told(runner, run, Made).values())).cell
    first = runner.store.runs.cell(
        run.id, f"initial/{MODELS[0].replace(':', '-')}/novelty/{cell.target[:12]}/ideas"
    )
    assert RefineInputs.model_validate(first.config.inputs).play.variant == "initial"
    infal = runner.store.runs.cell(run.id, f"{cell.name}/ideas")
    assert [one["fields"] for one in infal.config.inputs["firsts"]] == [
        line.version(0).fields for line in Story.of(runner.store, first.id).lines
    ]


def test_a_first_run_that_failed_fails_the_cells_that_need_it_alone_and_an_extension_tries_it_again(
    tmp_path,
):
    away = {
        "first-idea": lambda r: (
            ModelFailed("The model is away.")
            if "of 1" in r.text
            else {"hypothesis": f"Naps, way {r.seed}."}
        )
    }
    runner, models, run = done(tmp_path, away, methods=("initial", "infal", "direct"))
    assert progress(runner.store, run).counts == {"done": 4, "failed": 2, "running": 0, "left": 0}
    failed = [one for one in told(runner, run, Made).values() if one.state == "failed"]
    assert {one.cell.method for one in failed} == {"initial", "infal"}
    assert all(
        "first ideas to begin with were not written. " in one.reason
        and "The model is away." in one.reason
        for one in failed
    )
    assert {runner.store.runs.get(one.run).state for one in failed} == {"failed"}
    for model in models.values():
        model.script["first-idea"] = lambda r: {"hypothesis": f"Naps, way {r.seed}."}
    more, paid = extended(runner, models, run, methods=("initial", "infal", "direct"))
    # Of the two lines one try each had failed; the cells of the other target are there.
    assert (progress(runner.store, more).counts["done"], paid["first-idea"]) == (6, 2)


@pytest.mark.parametrize("added", ["review-rebuttal", "no-optimizer", "initial"])
def test_an_extension_by_a_refiner_asks_for_no_first_idea(tmp_path, added):
    runner, models, run = done(tmp_path)
    more, paid = extended(runner, models, run, methods=("infal", added))
    assert paid["first-idea"] == 0
    assert progress(runner.store, more).counts["done"] == 4


def test_several_refiners_ranked_round_by_round_bring_first_ideas_into_the_common_form_once(
    tmp_path,
):
    _, models, _ = done(tmp_path, methods=REFINERS, every_round=True)
    assert asked_for(models)["six-fields"] == asked_for(models)["first-idea"] == 2 * 2


def test_what_is_said_of_calls_counts_first_ideas_once(tmp_path):
    better = {"verdict": lambda _: {"improved": True, "reason": "Better."}}
    runner, models, run = done(
        tmp_path,
        better,
        methods=("infal", "review-rebuttal", "no-discriminator", "no-optimizer", "initial"),
        every_round=True,
    )
    assert asked_for(models)["first-idea"] == 2 * 2
    assert (of_run(run).calls, of_run(run).steps) == (
        asked_for(models).total(),
        runner.store.runs.get(run.id).steps,
    )
    inputs = SweepInputs.model_validate(run.config.inputs)
    assert of_matrix(inputs, 1).calls - of_matrix(inputs).calls == 4 * 2 * 2 + 4 * 2 * 2, (
        "four times the first ideas, and their common forms"
    )


def test_the_price_of_an_idea_holds_the_first_idea_and_the_runs_behind_it(tmp_path, monkeypatch):
    monkeypatch.setattr("core.models.asking.price", lambda *_: 0.01)
    runner, _, run = done(tmp_path, methods=("initial", "infal"))
    found = {one.method: one.value.mean for one in findings(collect(runner.store, run.id)).costs}
    assert found == {"initial": pytest.approx(0.01), "infal": pytest.approx(0.01 * (1 + 3 + 2 + 2))}
    results = collect(runner.store, run.id)
    for one in results.made:
        first = runner.store.runs.cell(
            run.id, one.cell.model_copy(update={"method": "initial"}).name + "/ideas"
        )
        assert first.id in results.runs(one)


def test_tables_say_what_refiners_started_from(tmp_path):
    runner, _, run = done(tmp_path, methods=("initial", "infal"))
    results = collect(runner.store, run.id)
    assert "All refiners started from the same first ideas" in findings(results).notes["tests"]
    assert (
        "Each refiner started from first ideas of its own"
        in findings(results.model_copy(update={"editions": (1,)})).notes["tests"]
    )
    assert "started from" not in findings(results.only(methods=("infal",))).notes["tests"]


def test_first_ideas_are_as_many_as_there_are_lines_and_left_out_where_there_are_none():
    play, idea = Play(goals=(NOVELTY,)), target(1).idea
    assert "firsts" not in RefineInputs(topic="t", play=play).model_dump(mode="json")
    assert RefineInputs(topic="t", play=play, lines=2, firsts=(idea, idea)).firsts == (idea, idea)
    for wrong in (
        {"lines": 2, "firsts": (idea,)},
        {"firsts": (idea,), "idea": idea},
        {"firsts": (idea,), "play": played("initial", (NOVELTY,), 2, 2)},
    ):
        with pytest.raises(ValidationError, match="first ideas"):
            RefineInputs(**{"topic": "t", "play": play, **wrong})
    assert "firsts" not in EvolveInputs(topic="t").model_dump(mode="json")


# -- the area ----------------------------------------------------------------------------------


def test_everybody_is_told_the_category_of_the_target_and_the_area_where_it_has_none(tmp_path):
    runner, _ = runner_of(tmp_path)
    three = freeze(
        runner.store, [target(1), target(2), target(3).model_copy(update={"category": ""})]
    )
    run = experiment(
        runner,
        targets=three,
        methods=("initial", "self-reflection", "infal"),
        area="the whole of science",
    )
    assert runner.work(run.id) == "done"
    areas = dict(
        zip(
            (one.sha[:12] for one in three),
            ("Neuroscience", "Genetics", "the whole of science"),
            strict=True,
        )
    )
    seen = Counter()
    for made in [
        one
        for one in runner.store.runs.listed(sweep=run.id, limit=1_000)
        if not one.cell.endswith("/forms")
    ]:
        told_ = areas[made.cell.split("/")[3]]
        for step in [
            one
            for one in runner.store.steps.of(made.id)
            if "prompt" in one.request and one.request["prompt"] != "six-fields"
        ]:
            words = f"{step.request['standing']} {step.request['text']}"
            assert [area for area in areas.values() if area in words] == [told_], step.key
            seen[step.request["prompt"]] += 1
    assert set(seen) == {
        "first-idea",
        "review",
        "revise",
        "verdict",
        "self-review",
        "reflect",
        "rank",
    }


# -- evolutions --------------------------------------------------------------------------------


def test_evolutions_of_a_target_begin_with_one_question_and_review_and_the_same_first_ideas(
    tmp_path, server
):
    known = [target(1), target(2).model_copy(update={"background": ()})]
    targets = freeze(Runner(stored.StoredShop(tmp_path, server.url)).store, known)
    runner, run = worked(
        tmp_path,
        server,
        methods=BOTH,
        models=("openai:writer", "openai:other"),
        targets=targets,
        checklist_judge="openai:careful",
    )
    shapes = Counter(map(frozenset, map(shape, server.calls)))
    assert shapes[frozenset({"question"})] == 2, "once a target, whoever evolves"
    reviews = [body for body in server.calls if shape(body) == {"review"}]
    assert [
        (body["model"], "Background 1 of 1" in task(body), QUESTION in task(body))
        for body in reviews
    ] == [("writer", True, True)], "no papers, no review"
    wrote = [body for body in server.calls if shape(body) in ({"plan", "idea"}, {"idea"})]
    first = [body for body in wrote if len(body["messages"]) == 2]
    assert Counter(body["model"] for body in first) == {"writer": 4, "other": 4}, (
        "two ideas for each of two targets, and not for each of two methods"
    )
    assert {between(task(body), "question") for body in wrote} == {QUESTION}
    assert {between(task(body), "review")[:40] for body in wrote} == {
        "NONE",
        Prepared.model_validate(
            Story.of(
                runner.store, runner.store.runs.cell(run.id, f"question/{targets[0].sha[:12]}").id
            )
            .last(Prepared)
            .model_dump()
        ).review[:40],
    }
    assert not any("Sleep question" in task(body) for body in wrote), "the topic is no question"
    judged = [body for body in server.calls if shape(body) == {"reason", "score", "directive"}]
    assert {body["model"] for body in judged} == {"careful"}
    # Seven items of two ideas: as first written, and once revised by each of two methods.
    assert len(judged) == 7 * 2 * (1 + 2) * 2 * 2
    for sha in [one.sha for one in targets]:
        runs = [
            runner.store.runs.cell(run.id, f"{name}/openai-other/{sha[:12]}/ideas") for name in BOTH
        ]
        steps = [[line.steps for line in Story.of(runner.store, one.id).lines] for one in runs]
        assert [line[0].idea for line in steps[0]] == [line[0].idea for line in steps[1]]
        assert [line[0].scores for line in steps[0]] == [line[0].scores for line in steps[1]]
        assert all(
            line[0].feedback and not other[0].feedback for line, other in zip(*steps, strict=True)
        ), "who corrects itself is told nothing"


def test_the_model_that_writes_judges_where_nobody_else_is_named(tmp_path):
    runner, _, run = done(tmp_path, evolving() | question_script(), methods=BOTH)
    assert "checklist_judge" not in run.config.inputs
    assert {
        one.config.models["judge"]
        for one in runner.store.runs.listed(sweep=run.id, method="evolve")
    } == {MODELS[0]}


def test_an_extension_by_the_other_evolution_asks_no_question_and_for_no_first_idea(tmp_path):
    runner, models, run = done(
        tmp_path, evolving() | question_script(), methods=("evolve",), checklist_judge=MODELS[3]
    )
    more, paid = extended(runner, models, run, methods=BOTH, checklist_judge=MODELS[3])
    assert progress(runner.store, more).counts["done"] == 4
    assert set(paid) == {"evolve-alone", "checklist-item", "six-fields", "rank"}
    assert (paid["evolve-alone"], paid["checklist-item"]) == (2 * 2, 2 * 2 * 7), (
        "what was first written is judged already"
    )


def test_an_estimate_of_evolutions_is_what_is_asked(tmp_path):
    runner, models, run = done(
        tmp_path, evolving() | question_script(), methods=BOTH, models=MODELS[:2], every_round=True
    )
    assert (of_run(run).steps, asked_for(models).total() <= of_run(run).calls) == (
        runner.store.runs.get(run.id).steps,
        True,
    )
    assert asked_for(models)["evolve-idea"] == 2 * 2 * 2
    assert (
        of_run(run).calls - asked_for(models).total() == 0
        or asked_for(models)["six-fields"] < 2 * 2 * 2 * 3
    ), "equal texts have one form"


def test_a_question_that_failed_fails_the_evolutions_of_its_target_and_nothing_else(tmp_path):
    away = {
        "question": lambda r: (
            ModelFailed("The model is away.") if "question 1" in r.text else {"question": QUESTION}
        )
    }
    runner, _, run = done(
        tmp_path, evolving() | question_script(**away), methods=(*BOTH, "initial")
    )
    assert progress(runner.store, run).counts == {"done": 4, "failed": 2, "running": 0, "left": 0}
    failed = [one for one in told(runner, run, Made).values() if one.state == "failed"]
    assert {one.cell.method for one in failed} == set(BOTH)
    assert all(
        "literature review to begin with were not written. " in one.reason
        and "The model is away." in one.reason
        for one in failed
    )


def test_a_single_background_paper_makes_a_review_that_cites_it(tmp_path):
    runner, models = runner_of(tmp_path, evolving() | question_script())
    alone = target(1).model_copy(update={"background": target(1).background[:1]})
    run = experiment(runner, methods=("evolve",), targets=freeze(runner.store, [alone]))
    assert runner.work(run.id) == "done"
    assert (asked_for(models)["literature-review"], progress(runner.store, run).counts["done"]) == (
        1,
        1,
    )


def test_a_judge_that_cannot_judge_by_the_checklist_is_refused_beforehand(tmp_path, monkeypatch):
    runner, models = runner_of(tmp_path)
    monkeypatch.setattr(
        models[MODELS[3]], "answers", lambda prompt: prompt != "checklist-item", raising=False
    )
    with pytest.raises(BadInput, match="scripted:other cannot judge ideas by the checklist"):
        experiment(runner, methods=("evolve",), checklist_judge=MODELS[3])


# -- the order of work -------------------------------------------------------------------------


def test_what_comes_after_an_earlier_piece_lets_others_go_first_and_is_left_where_that_failed():
    order, gate = [], threading.Event()

    def first():
        assert gate.wait(5)
        order.append("first")

    def other():
        order.append("other")
        gate.set()

    side_by_side([first, lambda: order.append("second"), other], "r", 2, [None, 0, None])
    assert order == ["other", "first", "second"], (
        "two at once: while the first is at work, nobody waits for it in vain"
    )

    def broken():
        raise BadInput("no")

    futures = side_by_side(
        [broken, lambda: order.append("never"), lambda: order.append("fine")],
        "r",
        3,
        [None, 0, None],
    )
    assert (futures[1].cancelled(), futures[2].cancelled(), "never" in order) == (
        True,
        False,
        False,
    )


@pytest.mark.parametrize("given", [0, 1, 2])
def test_work_is_done_by_as_many_threads_as_the_system_gives(given, monkeypatch):
    start, begun, order = threading.Thread.start, [], []

    def stingy(thread):
        if len(begun) == given:
            raise RuntimeError("can't start new thread")
        begun.append(thread)
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", stingy)
    work = [lambda n=n: order.append(n) for n in range(6)]
    futures = side_by_side(work, "r", 4, [None, 0, None, None, None, None])
    assert (sorted(order), len(begun)) == ([*range(6)], given)
    assert all(one.done() and not one.exception() for one in futures)
    assert not any(thread.is_alive() for thread in begun), "nobody works on behind its back"


def test_longest_games_begin_first_each_behind_its_own_first_ideas(tmp_path):
    runner, models = runner_of(tmp_path)
    run = experiment(runner, methods=("initial", "infal"), at_once=1)
    assert runner.work(run.id) == "done"
    asked = [request.prompt for request in models[MODELS[0]].requests]
    assert (
        asked.index("review") < [n for n, prompt in enumerate(asked) if prompt == "first-idea"][2]
    ), "no game waits for the first ideas of another"
    begun = [
        one.cell.split("/")[0]
        for one in sorted(
            runner.store.runs.listed(sweep=run.id, method="refine"), key=lambda one: one.created
        )
    ]
    assert begun == ["initial", "infal", "initial", "infal"]


# -- what an earlier main began ----------------------------------------------------------------


@pytest.fixture
def earlier(tmp_path):
    with stored.opened("edition-1", tmp_path) as found:
        yield found


def test_a_stored_experiment_that_is_extended_keeps_its_edition_its_names_and_its_inputs(earlier):
    runner, server, known = earlier
    run = runner.store.runs.get(known["experiment"]["ended"])
    was = SweepInputs.model_validate(run.config.inputs)
    before = {one.cell: one.config for one in runner.store.runs.listed(sweep=run.id, limit=1_000)}
    same = extend(runner, run.id, was)
    assert runner.work(same.id) == "done", runner.store.runs.get(same.id).reason
    assert (server.calls, runner.store.runs.listed(sweep=same.id)) == ([], [])
    more = extend(
        runner,
        run.id,
        validated(
            SweepInputs, **{**was.model_dump(), "methods": (*was.methods, "review-rebuttal")}
        ),
    )
    assert (more.config.edition, more.config.inputs) == (
        1,
        {**run.config.inputs, "methods": [*run.config.inputs["methods"], "review-rebuttal"]},
    )
    assert runner.work(more.id) == "done", runner.store.runs.get(more.id).reason
    made = runner.store.runs.listed(sweep=more.id, limit=1_000)
    assert {one.cell.split("/")[0] for one in made} == {"review-rebuttal"}, (
        "every finished cell is taken over"
    )
    assert {one.config.edition for one in made} == {1}
    wrote = [one for one in made if one.cell.endswith("/ideas")]
    assert all(
        "firsts" not in one.config.inputs and one.config.inputs["area"] == was.area for one in wrote
    )
    assert Counter(map(frozenset, map(shape, server.calls)))[
        frozenset({"hypothesis"})
    ] == was.n * len(was.targets), "first ideas of its own, as then"
    assert {
        one.cell: one.config for one in runner.store.runs.listed(sweep=run.id, limit=1_000)
    } == before


def test_a_stored_arena_that_is_extended_takes_over_every_match(earlier):
    runner, server, known = earlier
    run = runner.store.runs.get(known["arena"]["ended"])
    from core.judging.arena.competition import ArenaInputs

    was = ArenaInputs.model_validate(run.config.inputs)
    same = extend(runner, run.id, was)
    assert runner.work(same.id) == "done", runner.store.runs.get(same.id).reason
    assert server.calls == []
    sha = runner.store.frozen.keep(target(3).idea)
    added = was.entries[0].model_copy(update={"sha": sha, "method": "Newcomer"})
    more = extend(
        runner,
        run.id,
        validated(ArenaInputs, **{**was.model_dump(), "entries": (*was.entries, added)}),
    )
    assert (more.config.edition, more.config.sampling, more.config.samplings) == (
        1,
        run.config.sampling,
        {},
    )
    assert runner.work(more.id) == "done", runner.store.runs.get(more.id).reason
    taken = {step.key: step.hash for step in runner.store.steps.of(run.id)}
    after = {step.key: step for step in runner.store.steps.of(more.id)}
    assert all(after[key].hash == sha and after[key].taken_from for key, sha in taken.items())
    assert (
        len(server.calls)
        == len([step for step in after.values() if not step.taken_from and step.calls])
        > 0
    )
    assert {body["temperature"] for body in server.calls} == {0.7}
