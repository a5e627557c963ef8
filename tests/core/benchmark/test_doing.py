"""What is shown of a benchmark's calls while they are made: ideas as they are written, and what is
waited for; nothing once it is over.
"""

import threading

import pytest

from core.benchmark.conducting.doing import in_words
from core.runs.runner import Runner
from tests.conftest import ScriptedModel
from tests.support.benchmark.bench_kit import SCRIPT, shop_of, small
from tests.support.scripted import die
from tests.support.waiting import until


class Writing(ScriptedModel):
    """Writes the beginning of an answer, and the rest when it is let."""

    def __init__(self, name):
        super().__init__(SCRIPT, name)
        self.opened = threading.Event()

    def reply(self, request, progress):
        progress("We propose to \ud83d", "")
        assert self.opened.wait(10)
        return super().reply(request, progress)


@pytest.mark.parametrize("brainstorm", [True, False])
def test_of_a_brainstorm_every_idea_is_shown_as_it_is_written_and_of_a_sweep_none(
    tmp_path, brainstorm
):
    shop, writing = shop_of(tmp_path), Writing("openai:a")
    shop.named["openai:a"] = writing
    run, runner, store = (
        small(shop, keywords=["lava"], brainstorm=brainstorm),
        Runner(shop),
        shop.store,
    )
    die(runner, run.id)
    store.steps.write_partial(
        run.id,
        "keyword-1/model-2/idea-9",
        "What a worker that was killed was writing",
        "",
        store.runs.get(run.id).epoch,
    )
    runner.recover()
    until(lambda: store.benchmarks.sums.tally(run.id).get(("judge", 1, "done")) == 4)
    until(lambda: "idea-9" not in "".join(one.key for one in store.steps.partials(run.id)))
    seen = (
        {
            "keyword-1/model-1/idea-1": "We propose to �",
            "keyword-1/model-1/idea-2": "We propose to �",
        }
        if brainstorm
        else {}
    )
    until(lambda: {one.key: one.text for one in store.steps.partials(run.id)} == seen)
    writing.opened.set()
    runner.wait(run.id, 10)
    assert store.runs.get(run.id).state == "done"
    assert not store.steps.partials(run.id)


@pytest.mark.parametrize(
    ("notes", "said"),
    [
        ([], ""),
        (["waiting 12 s: the server is busy (429)"], "1 call waits: the server is busy (429)"),
        (
            [
                "waiting 3 s: the server is busy (429)",
                "waiting 0.5 s: the server is busy (429)",
                "waiting for one of the 8 calls allowed at once to http://here",
            ],
            "3 calls wait: the server is busy (429)",
        ),
        (
            ["waiting for one of the 8 calls allowed at once to http://here"] * 2,
            "2 calls wait: one of the 8 calls allowed at once to http://here",
        ),
    ],
)
def test_what_most_of_those_wait_for_that_wait_is_said(notes, said):
    assert in_words(notes) == said
