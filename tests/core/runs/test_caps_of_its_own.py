"""A cap that the program set itself pauses a run and asks: it fails none, and says that nobody
chose it.
"""

import pytest

from core.methods import ChainInputs
from core.records import Config
from core.runs.planning import validated
from core.runs.runner import Runner
from core.runs.workshop import DEFAULT_TOKENS
from tests.support import stored
from tests.support.servers.openai_server import OpenAIServer
from tests.support.visiting import host, said, visit

OWN = "which the program set because nobody chose one"
TIGHT = 5_000


@pytest.fixture(scope="module")
def runner(tmp_path_factory):
    with OpenAIServer(script=stored.said, models=("test-model", "other-model")) as server:
        yield Runner(stored.StoredShop(tmp_path_factory.mktemp("caps"), server.url))


class Tight(Runner):
    """Begins every run with a cap of the program's own that is soon reached."""

    def begin(self, config: Config, title: str):
        return super().begin(
            config.model_copy(update={"cap_tokens": TIGHT, "cap_chosen": False}), title
        )


@pytest.mark.parametrize("kind", [kind for kind in stored.KINDS if kind not in ("rag", "direct")])
def test_every_kind_of_run_pauses_there_and_goes_on_once_it_is_raised(runner, kind):
    run = stored.KINDS[kind](Tight(runner.workshop))
    assert runner.work(run.id) == "capped"
    reason = runner.store.runs.get(run.id).reason
    assert f"{TIGHT:,} tokens, {OWN}" in reason
    runner.store.runs.change(run.id, cap_tokens=50_000_000)
    runner.resume(run.id)
    runner.wait(run.id, 60)
    assert runner.store.runs.get(run.id).state == "done"


def asked(runner, **caps) -> Config:
    inputs = validated(
        ChainInputs, topic="sleep memory light food 2018", branches=2, length=4, full_text=False
    )
    return runner.workshop.config(
        "chain", inputs, models=dict.fromkeys(("main", "cheap"), stored.MODEL), seed=7, **caps
    )


def test_where_nobody_chose_a_cap_the_program_sets_one_and_remembers_that_it_did(runner):
    own, chosen = asked(runner), asked(runner, cap_tokens=DEFAULT_TOKENS)
    assert (own.cap_tokens, own.cap_chosen) == (DEFAULT_TOKENS, False)
    assert (chosen.cap_tokens, chosen.cap_chosen) == (DEFAULT_TOKENS, True)
    assert "cap_chosen" not in chosen.model_dump()
    assert Config.model_validate(own.model_dump()) == own


def test_a_cap_that_somebody_chose_is_not_said_to_be_the_programs(runner):
    run = runner.begin(asked(runner, cap_tokens=TIGHT), "Chosen")
    assert runner.work(run.id) == "capped"
    assert f"{TIGHT:,} tokens (so far" in runner.store.runs.get(run.id).reason


def test_nor_is_one_that_was_raised_since_in_the_run_or_in_a_fork_of_it(runner):
    run = Tight(runner.workshop).begin(asked(runner), "Raised")
    runner.work(run.id)
    runner.store.runs.change(run.id, cap_tokens=TIGHT + 1)
    runner.resume(run.id)
    runner.wait(run.id, 60)
    assert OWN not in runner.store.runs.get(run.id).reason
    step = runner.store.steps.outline(run.id)[0].key
    assert runner.fork(run.id, step, lambda config: config).config.cap_chosen


def test_the_screen_says_who_set_it_and_proposes_one_that_lets_it_go_on(runner, monkeypatch):
    run = Tight(runner.workshop).begin(asked(runner), "On screen")
    runner.work(run.id)
    host(monkeypatch, runner)
    app = visit("runs", run=run.id)
    assert "Paused at a cap" in said(app)
    assert OWN in said(app)
    assert (
        next(one.value for one in app.number_input if one.label == "Cap for this run, tokens")
        == 2 * TIGHT
    )
