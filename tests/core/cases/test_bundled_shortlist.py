"""The shortlist that comes with the program: opened it is whole, played again it is the same."""

import json

import pytest

from core import settings
from core.cases import shortlists
from core.cases.bundled import bundled, opened
from core.literature.shelf import FOLDER
from core.literature.shelf_files import read
from core.methods.shortlist.so_far import present
from core.runs.runner import Runner
from core.runs.workshop import Workshop
from core.store.whole import Whole
from tests.core.cases.test_case_texts import same_anywhere
from tests.support import played_case
from tests.support.authoring import CASES
from tests.support.visiting import host, said, visit


def test_it_is_listed_with_its_runs_and_is_on_a_topic_that_home_offers():
    (one,) = [one for one in bundled() if one.name == played_case.NAME]
    assert (one.method, one.runs, one.authored) == ("shortlist", 10, False)
    offered = {topic for field in read(FOLDER) for topic in field.example_topics}
    assert played_case.TOPIC in offered


def test_opened_it_has_three_cards_whose_every_sentence_leads_to_its_step(store):
    case = opened(store, played_case.NAME)
    seen = present(store, case)
    assert seen.finished
    assert (len(seen.cards), seen.by) == (3, "rules")
    for card in seen.cards:
        for one in (*card.gist, card.new, *card.objections):
            assert store.steps.get(one.made.run, one.made.place)
    assert store.steps.get(seen.cards[0].designed.run, seen.cards[0].designed.place)
    assert [one.rechecked.compared.alarm for one in seen.ideas] == [()] * 3
    assert case.cost == 0


def test_each_run_is_read_once_however_often_a_strangers_results_name_it(monkeypatch):
    whole = json.loads((CASES / f"{played_case.NAME}.json").read_bytes())["whole"]
    named = next(one for one in whole["products"] if one["kind"] == "RefinedIdea")
    runs = {made["id"]: made for made in whole["experiment"]["runs"]}
    products = runs[named["data"]["runs"][-1]]["products"]
    ended = next(one for one in products if one["kind"] == "Outcome")
    for n in range(40):
        whole["products"].append(named | {"name": f"{named['name']}-{n}"})
        products.append(ended | {"name": f"{ended['name']}-{n}"})
    there = len(whole["products"]) + sum(len(made["products"]) for made in runs.values())
    revive, revived = shortlists._revive, []
    monkeypatch.setattr(shortlists, "_revive", lambda one: (revived.append(one), revive(one))[1])
    assert list(shortlists.misfits(Whole.model_validate_json(json.dumps(whole), strict=True))) == []
    assert len(revived) == there


@pytest.mark.soak
def test_played_again_it_is_the_same():
    kept = json.loads((CASES / f"{played_case.NAME}.json").read_bytes())
    assert same_anywhere(kept) == same_anywhere(json.loads(played_case.built())), (
        "run `python -m tests.support.played_case` again: a prompt, a method or the built-in model"
        " has changed"
    )


def test_on_its_page_nobody_is_asked_to_vote_where_nobody_can(tmp_path, monkeypatch):
    runner = Runner(Workshop(settings.read({}, data=tmp_path)))
    host(monkeypatch, runner)
    page = visit("shortlist", run=opened(runner.store, played_case.NAME).id)
    text = said(page)
    assert "understand nothing" in text, "what its order rests on"
    assert "Let people vote" not in text
    assert "Refined too far?" not in text
