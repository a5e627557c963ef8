"""A training is a run like any other: it shows what each step learned, pauses at its cap with a
checkpoint, goes on where it was, and is worked on in a process of its own.
"""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from core import settings
from core.__main__ import main
from core.errors import BadInput
from core.models.port import Request
from core.records import (
    ITEMS,
    Examples,
    Idea,
    ItemVerdict,
    Learned,
    Trained,
    TrainingData,
    TrainingQuery,
)
from core.records.training import Judgement
from core.runs.beginning import begin
from core.runs.estimates import estimate, worded
from core.runs.runner import Runner
from core.runs.training_time import foresee, in_words
from core.runs.workshop import Workshop
from core.story import Story
from core.training import bases, method
from core.training.learning import OPTIMIZER, WHOLE, Learning, checkpoints
from core.training.method import TrainInputs, folder_of
from core.training.rollouts import Environment, RolloutShape
from tests import ROOT
from tests.conftest import ScriptedModel, Shop
from tests.support.training import tiny_policy

pytest.importorskip("trl", reason="requirements-train.txt is not installed")
DATA = TrainingData(training=tuple(TrainingQuery(question=f"question {n}") for n in range(4)))
HOW = Learning(
    steps=4,
    queries=2,
    shape=RolloutShape(rollouts=3, drafts=2),
    learning_rate=3e-3,
    most=16,
    save_every=100,
)


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    return tiny_policy.make(tmp_path_factory.mktemp("tiny"))


@pytest.fixture
def toy(monkeypatch):
    """Let the task be one that a random model can do, with a judge that is asked about it."""
    task = tiny_policy.toy()

    def judge(here, text):
        idea = Idea(form="hypothesis", fields={"hypothesis": f"An idea: {text!r}"})
        here.ask("checklist-item", ItemVerdict, role="judge", idea=idea, item=ITEMS[0])
        return task.judge(here, text) if text else Judgement(reward=0.0)

    monkeypatch.setattr(
        method,
        "environment",
        lambda *_: Environment(
            begin=task.begin, revise=task.revise, read=lambda text: text or "nothing", judge=judge
        ),
    )


def judged(_: Request) -> object:
    return {"reason": "so", "score": 1, "directive": None}


def shop_of(folder) -> Runner:
    model = ScriptedModel({"checklist-item": judged})
    model.usage = (20_000, 5_000)
    return Runner(Shop(folder, {model.name: model}))


def asked(runner: Runner, base, **how: object) -> TrainInputs:
    return TrainInputs(
        topic="A toy",
        data=runner.store.frozen.keep(DATA),
        base=str(base),
        base_digest=bases.fingerprint(base),
        how=HOW.model_copy(update=how),
    )


def trained(runner: Runner, inputs: TrainInputs, **caps: object) -> str:
    """Begin a training and work on it here."""
    run = begin(runner, "train", inputs, "A toy", models={"judge": "scripted:one"}, seed=5, **caps)
    runner.work(run.id)
    return run.id


def curve(runner: Runner, run_id: str) -> list[list[float]]:
    steps = Story.of(runner.store, run_id).all(Learned)
    return [[one.step, one.mean_return, one.loss, one.kl, *one.by_draft] for one in steps]


def test_a_cap_pauses_it_at_a_checkpoint_and_it_goes_on_to_the_same_curve(tmp_path, base, toy):
    whole, capped = shop_of(tmp_path / "whole"), shop_of(tmp_path / "capped")
    one = trained(whole, asked(whole, base))
    other = trained(capped, asked(capped, base), cap_tokens=26 * 25_000)
    assert whole.store.runs.get(one).state == "done", whole.store.runs.get(one).reason
    assert capped.store.runs.get(other).state == "capped"
    story = Story.of(capped.store, other)
    learned = story.all(Learned)
    assert [step.step for step in learned] == [1, 2]  # A step asks 12 times.
    assert list(checkpoints(folder_of(tmp_path / "capped", other))) == [2]
    calls = capped.store.runs.get(other).calls
    capped.store.runs.change(other, cap_tokens=10**9)
    capped.enqueue(other)
    assert capped.work(other) == "done", capped.store.runs.get(other).reason
    right = curve(whole, one)
    assert len(right) == 4
    for mine, theirs in zip(curve(capped, other), right, strict=True):
        assert mine == pytest.approx(theirs, abs=1e-6)
    assert capped.store.runs.get(other).calls == whole.store.runs.get(one).calls == 48 > calls

    ended = Story.of(capped.store, other).last(Trained)
    assert (ended.steps, ended.checkpoints) == (4, (2, 4))
    shown = Story.of(capped.store, other).all(Examples)
    assert [one.step for one in shown] == [1, 2, 3, 4]
    best, worst = (sum(draft.scored.reward for draft in one) for one in shown[0].rollouts)
    assert best >= worst
    # What only resuming takes is kept once.
    kept = checkpoints(folder_of(tmp_path / "capped", other))
    assert [(path / OPTIMIZER).exists() for path in kept.values()] == [False, True]


def test_rows_taken_in_portions_learn_the_same(tmp_path, base, toy):
    at_once, apart = shop_of(tmp_path / "one"), shop_of(tmp_path / "two")
    one = trained(at_once, asked(at_once, base, steps=2))
    other = trained(apart, asked(apart, base, steps=2, rows_at_once=3))
    for mine, theirs in zip(curve(apart, other), curve(at_once, one), strict=True):
        assert mine == pytest.approx(theirs, abs=2e-4)


def test_adapters_are_trained_alone(tmp_path, base, toy):
    runner = shop_of(tmp_path)
    run = trained(runner, asked(runner, base, steps=2, adapter=4))
    assert runner.store.runs.get(run).state == "done", runner.store.runs.get(run).reason
    newest = folder_of(tmp_path, run) / "checkpoint-2"
    assert (newest / "adapter_model.safetensors").exists()
    assert not (newest / "model.safetensors").exists()


def test_it_goes_on_with_no_other_base(tmp_path, toy):
    base = tiny_policy.make(tmp_path / "tiny")
    runner = shop_of(tmp_path / "data")
    inputs = asked(runner, base)
    with (base / "model.safetensors").open("ab") as file:
        file.write(b" ")
    run = trained(runner, inputs)
    found = runner.store.runs.get(run)
    assert found.state == "failed"
    assert "have changed since this training began" in found.reason


@pytest.mark.soak
def test_its_process_is_its_own_and_may_be_killed(tmp_path, base):
    runner = Runner(Workshop(settings.read({}, data=tmp_path)))
    how = HOW.model_copy(update={"steps": 3, "save_every": 1})
    inputs = asked(runner, base).model_copy(update={"judged": "code", "how": how})
    run = begin(runner, "train", inputs, "A toy", models={"judge": "builtin"}, seed=5)
    assert run.config.models == {}
    runner.start(run.id)
    folder = folder_of(tmp_path, run.id)
    until((folder / "checkpoint-1" / WHOLE).exists)
    process = int(runner.store.runs.lease(run.id)["owner"].split("|")[1])
    assert process != os.getpid()
    os.kill(process, signal.SIGKILL)
    runner.wait(run.id, 60)
    assert runner.store.runs.get(run.id).state == "interrupted"
    runner.resume(run.id)
    runner.wait(run.id, 120)
    ended = runner.store.runs.get(run.id)
    assert ended.state == "done", (ended.reason, (folder / "log.txt").read_text()[-2_000:])
    assert [one.step for one in Story.of(runner.store, run.id).all(Learned)] == [1, 2, 3]
    runner.delete(run.id)
    until(lambda: not folder.exists())


QUESTIONS = "question,review,seed\n" + "".join(f"Why {n}?,A review.,p{n}\n" for n in range(6))


def test_the_command_line_begins_it_says_how_far_it_is_and_puts_it_to_use(tmp_path, base, capsys):
    file = tmp_path / "questions.csv"
    file.write_text(QUESTIONS)
    common = ("--data", str(tmp_path / "store"), "--json")

    def said(*words: str) -> dict:
        assert main(["train", *words, *common]) == 0
        return json.loads(capsys.readouterr().out)

    begun = ("--questions", str(file), "--held-out", "2", "--base", str(base), "--by-code")
    small = ("--steps", "1", "--rollouts", "2", "--queries", "1", "--most", "8")
    assert "No model is asked: code judges." in said(*begun, *small, "--estimate")["in_words"]
    run = said(*begun, *small, "--later")["run"]
    assert said("worker", run)["state"] == "done"
    told = said("status", run)
    assert [one["step"] for one in told["learned"]] == told["checkpoints"] == [1]
    assert said("use", run, "--name", "toy")["policy"]["step"] == 1
    store = Workshop(settings.read({}, data=tmp_path / "store")).store
    assert [one.name for one in store.policies.listed()] == ["toy"]
    assert main(["train", "use", run, "--step", "9", "--name", "other", *common]) == 2
    assert "no checkpoint of step 9; it has those of 1" in capsys.readouterr().err


@pytest.mark.soak
def test_two_processes_write_and_learn_together(tmp_path, base):
    file = tmp_path / "questions.csv"
    file.write_text(QUESTIONS)
    core = [sys.executable, "-m", "core", "train"]
    rest = ["--data", str(tmp_path / "store"), "--json"]
    begun = subprocess.run(
        [
            *(*core, "--questions", str(file), "--held-out", "2", "--base", str(base)),
            *("--by-code", "--steps", "2", "--rollouts", "2", "--queries", "2", "--most", "8"),
            *("--later", *rest),
        ],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    run = json.loads(begun.stdout)["run"]
    launch = Path(sys.executable).with_name("accelerate")
    done = subprocess.run(
        [
            *(str(launch), "launch", "--cpu", "--num_processes", "2"),
            *("-m", "core", "train", "worker", run, *rest),
        ],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2_000:]
    store = Workshop(settings.read({}, data=tmp_path / "store")).store
    assert store.runs.get(run).state == "done"
    assert [one.step for one in Story.of(store, run).all(Learned)] == [1, 2]


def until(holds) -> None:
    end = time.monotonic() + 120
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_the_papers_run_asks_its_judge_56_000_times(tmp_path, base):
    runner = shop_of(tmp_path)
    inputs = asked(runner, base).model_copy(update={"how": Learning()})
    models = {"judge": "openai:gpt-4o-mini"}
    guess = estimate("train", inputs.model_dump(mode="json"), models)
    assert (guess.calls, guess.most) == (56_000, 112_000)
    time_ = foresee(runner.store, inputs, models["judge"], guess.calls, at_once=16)
    assert time_.judge_hours == pytest.approx(56_000 * 6 / 16 / 3600)
    said = in_words(guess, time_, models["judge"])
    assert worded(guess) in said
    assert "usually 56,000 model calls" in said
    assert "$" in said
    assert "about 5.8 h" in said
    assert "assumed" in said


def test_without_a_base_or_data_nothing_begins(tmp_path, base):
    runner = shop_of(tmp_path)
    inputs = asked(runner, base)
    for changed, said in (
        ({"base": "nowhere"}, "There is no language model 'nowhere'"),
        ({"base": "Qwen/Never-Downloaded"}, "hf download Qwen/Never-Downloaded"),
        ({"data": "0" * 64}, "There is no frozen"),
    ):
        with pytest.raises(BadInput, match=said):
            trained(runner, inputs.model_copy(update=changed))
