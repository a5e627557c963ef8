"""A shortlist as a report: the cards first, each sentence with the number of its step, then how it
came about.
"""

import re

import pytest

from core.export.markdown import markdown
from tests.support.shortlist_kit import played, shortlist, shortlist_script, shortlisting


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    script = shortlist_script(same=[frozenset({"memory2017 A", "light2017 A"})])
    runner, model, run = played(tmp_path_factory.mktemp("told"), script)
    return markdown(runner.store, run.id), run, model


def test_the_cards_stand_first_with_their_steps(told):
    text, run, _ = told
    order = [
        text.index(said)
        for said in (
            "## The shortlist",
            "light2017 A / 4",
            "**Why it is new.** Nothing found that covers",
            "**What its reviewers still object to.**",
            "#### The whole idea",
            "## Where each sentence comes from",
            "## From stage to stage",
            "joined with another: ",
            "## How the ideas compared",
            "## The other ideas",
            "## The run",
        )
        if said in text or pytest.fail(f"{said!r} is missing")
    ]
    assert order == sorted(order)
    assert re.search(r"1\. run \w+, step round-\d+/revise", text)
    assert f"run {run.id}" in text
    assert "It stands for others that say the same: Idea 1: " in text


def test_what_it_took_is_that_of_all_its_runs(told):
    text, _, model = told
    assert f"{len(model.requests):,}" in text.split("Calls, tokens and cost")[1][:60]


def test_one_that_is_paused_is_said_to_be_provisional(tmp_path):
    runner, _ = shortlisting(tmp_path)
    run = shortlist(runner, ask_after=("part",))
    runner.work(run.id)
    text = markdown(runner.store, run.id)
    assert "## The shortlist so far" in text
    assert "Provisional: " in text
