"""Whole runs over a loopback server that cuts off, thinks aloud, or answers with what nobody can
use: they end done, and say what was lost in plain words.
"""

import json
import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from core.judging.ranked_sets import RankInputs
from core.methods import ChainInputs, RefineInputs
from core.methods.evolution import EvolveInputs
from core.methods.presets import NOVELTY
from core.records import Run, Step
from core.runs.planning import played, validated
from core.runs.runner import Runner
from core.story import Story
from tests.support import stored
from tests.support.playing import converging
from tests.support.schema_instances import Body, asked_schema
from tests.support.servers.openai_server import OpenAIServer, is_probe
from tests.support.servers.spoiling import UNUSABLE, unusable

METHODS = ("chain", "refine", "evolve", "rank")
JUDGES = (
    {"improved", "reason"},
    {"places"},
    {"reason", "score", "directive"},
    {"relevant", "reason"},
    {"similar", "nearest", "overlap", "reason"},
)
"""What replies of judges hold: verdicts, rankings, checklist items, relevance, novelty."""


def asked_for(method: str, runner: Runner) -> object:
    if method == "chain":
        return validated(
            ChainInputs, topic="sleep memory light food 2018", branches=3, length=4, full_text=False
        )
    if method == "refine":
        return validated(
            RefineInputs,
            topic="sleep and memory",
            play=played("infal", (NOVELTY,), 4, 2),
            k=2,
            target=stored.target(1).idea,
        )
    if method == "evolve":
        return validated(
            EvolveInputs,
            topic="naps",
            question="How do naps restore memory?",
            papers=False,
            review="Smith et al. (2024) studied naps.",
        )
    return stored.ranking(runner)


def worked(folder: Path, server: OpenAIServer, method: str, **more: object) -> tuple[Runner, Run]:
    """Work on a run of a method whose models speak over the loopback server."""
    runner = Runner(stored.StoredShop(folder, server.url))
    inputs = asked_for(method, runner)
    models = (
        {"judge": stored.MODEL}
        if isinstance(inputs, RankInputs)
        else {"main": stored.MODEL, "cheap": stored.MODEL}
    )
    given = {"models": models, "seed": 7, "cap_tokens": 100_000_000, **more}
    run = runner.begin(runner.workshop.config(method, inputs, **given), method)  # type: ignore[arg-type]
    runner.work(run.id)
    return runner, runner.store.runs.get(run.id)


def shape(body: Body) -> set[str]:
    return set((asked_schema(body) or {}).get("properties", {}))


@pytest.mark.parametrize("method", METHODS)
def test_where_every_reply_below_8000_tokens_is_cut_off_a_run_ends_done(tmp_path, method):
    with OpenAIServer(script=converging) as server:
        server.least = 8_000
        runner, run = worked(tmp_path, server, method)
    assert run.state == "done", run.reason
    limits = {body["max_completion_tokens"] for body in server.calls}
    assert limits == {4_000, 16_000}
    assert len(server.calls) == 2 * len(
        [step for step in runner.store.steps.of(run.id) if step.calls]
    )


@pytest.mark.parametrize("thinking", ["tags", "reasoning_content"])
@pytest.mark.parametrize("method", METHODS)
def test_where_a_model_thinks_a_run_ends_done_and_thoughts_stand_apart(tmp_path, method, thinking):
    thoughts = (
        'Perhaps {"improved": false}. ' * 900
    )  # Some 6,000 tokens: more than a reply has room for at first.
    with OpenAIServer(
        script=lambda body: (thoughts, converging(body)), thinking=thinking
    ) as server:
        runner, run = worked(tmp_path, server, method)
    assert run.state == "done", run.reason
    steps = [step for step in runner.store.steps.of(run.id) if step.calls]
    assert steps
    for step in steps:
        accepted = step.calls[-1]
        assert accepted.thoughts.strip() == thoughts.strip()
        assert accepted.thoughts_length == len(accepted.thoughts)
        assert "Perhaps" not in accepted.raw
        assert "Perhaps" not in json.dumps(step.reply)
    later = [body["max_completion_tokens"] for body in server.calls[-3:]]
    assert later == [16_000] * 3, "a model that is known to think has room from the start"
    assert not any(
        "Perhaps" in str(said["content"]) for body in server.calls for said in body["messages"]
    ), "no thought is judged, or handed on"


@pytest.mark.parametrize("method", METHODS)
def test_judges_are_asked_at_temperature_nought_and_writers_at_their_own(tmp_path, method):
    with OpenAIServer(script=converging) as server:
        _, run = worked(tmp_path, server, method)
    assert run.state == "done", run.reason
    warm = {json.dumps(sorted(shape(body))): body["temperature"] for body in server.calls}
    for made, temperature in warm.items():
        if set(json.loads(made)) in JUDGES:
            assert temperature == 0, made
    assert method == "rank" or 0.7 in warm.values()


def test_temperature_and_length_are_set_by_hand_for_each_kind_of_call(tmp_path):
    from core.records import Sampling

    with OpenAIServer(script=converging) as server:
        _, run = worked(
            tmp_path,
            server,
            "refine",
            samplings={
                "writer": Sampling(temperature=1.1, max_tokens=5_000),
                "judge": Sampling(temperature=0.2),
            },
        )
    assert run.state == "done", run.reason
    sent = {
        (body["temperature"], body["max_completion_tokens"])
        for body in server.calls
        if "changes" in shape(body)
    }
    judged = {
        (body["temperature"], body["max_completion_tokens"])
        for body in server.calls
        if shape(body) == {"improved", "reason"}
    }
    assert (sent, judged) == ({(1.1, 5_000)}, {(0.2, 4_000)})


# -- one unusable reply in three ---------------------------------------------------------------


def unreliable(seed: int) -> Callable[[Body], object]:
    """Answer like `converging`, but one time in three, as the seed has it, with something
    unusable.
    """
    dice = random.Random(seed)

    def answer(body: Body) -> object:
        reply = converging(body)
        if is_probe(body) or dice.random() >= 1 / 3:
            return reply
        assert isinstance(reply, dict)
        return unusable(reply, dice, UNUSABLE)

    return answer


VALIDATORS = re.compile(
    r"String should|Input should|Field required|Value error|Extra inputs|pydantic|type=|\('[^']*',"
    r" '|\[\('",
    re.IGNORECASE,
)
"""What a validator says, and how Python writes tuples."""


def said_to_people(runner: Runner, run: Run) -> str:
    """Return everything a person may read of a run: its reason, its records, and what was wrong
    with each try.
    """

    def of(step: Step) -> list[str]:
        return [
            *(call.outcome for call in step.calls),
            json.dumps(step.origin.detail),
            json.dumps(step.reply) if step.status == "failed" else "",
        ]

    records = [record.model_dump_json() for record in Story.of(runner.store, run.id).records]
    return "\n".join(
        [
            run.reason,
            *records,
            *(said for step in runner.store.steps.of(run.id) for said in of(step)),
        ]
    )


@pytest.mark.parametrize("method", ["chain", "refine"])
def test_with_one_unusable_reply_in_three_nine_runs_of_ten_end_done(tmp_path, method):
    ended = []
    for seed in range(10):
        with OpenAIServer(script=unreliable(seed)) as server:  # type: ignore[arg-type]
            runner, run = worked(tmp_path / str(seed), server, method, seed=seed)
        ended.append(run.state)
        assert not (found := VALIDATORS.search(said := said_to_people(runner, run))), said[
            max(0, found.start() - 200) : found.end() + 200
        ]
    assert ended.count("done") >= 9, ended
