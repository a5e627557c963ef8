"""A shortlist from a topic to its cards: every stage by runs of its own, every sentence with the
step it comes from.
"""

import pytest

from core.export.document import document
from core.records import Card, Place
from tests.support.shortlist_kit import by_child, name_of, now, played, shortlist_script, titles


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return played(tmp_path_factory.mktemp("whole"))


def test_every_stage_is_made_of_runs_of_its_own(whole):
    runner, _, run = whole
    assert run.state == "done", run.reason
    ideas = (1, 2, 3, 4)
    wanted = {"explore/chain", "compare/arena"}
    for n in ideas:
        wanted |= {f"refine/idea-{n}/{goal}" for goal in ("novelty", "feasibility")}
        wanted |= {f"check/idea-{n}/{part}" for part in ("novelty", "forms")}
    assert set(by_child(runner, run)) == wanted
    seen = now(runner, run)
    assert [one.state for one in seen.stages] == ["done"] * 6
    assert all(one.entered == one.went_on == ideas for one in seen.stages)
    assert titles(seen) == {
        1: "memory2017 A",
        2: "memory2017 B",
        3: "light2017 A",
        4: "light2017 B",
    }


def test_the_cards_are_the_best_of_the_comparison_in_their_newest_form(whole):
    runner, model, run = whole
    seen = now(runner, run)
    assert seen.finished
    assert seen.by == "model"
    assert [name_of(card.idea) for card in seen.cards] == [
        "light2017 A",
        "light2017 B",
        "memory2017 A",
    ]
    assert [card.idea.title for card in seen.cards] == [
        seen.ideas[card.n - 1].idea.title for card in seen.cards
    ]
    assert [bool(card.design) for card in seen.cards] == [True, False, False]
    assert {card.undesigned for card in seen.cards[1:]} == {
        "No experiment was asked for this idea."
    }
    asked = [one.prompt for one in model.requests]
    assert asked.count("experiment-design") == 1
    assert asked.count("checklist-item") == 4 * 7
    assert all(one.stood.checklist.total == 7 for one in seen.ideas)


def test_every_sentence_of_a_card_leads_to_the_step_it_came_from(whole):
    runner, _, run = whole
    for card in now(runner, run).cards:
        places = places_of(card)
        assert len(places) >= 5
        for place in places:
            assert place is not None
            assert runner.store.steps.get(place.run, place.place), place
        first = card.gist[0]
        step = runner.store.steps.get(first.made.run, first.made.place)
        assert first.text in str(step.reply), "the very step that wrote it"
        objected = card.objections[0]
        review = runner.store.steps.get(objected.made.run, objected.made.place)
        assert objected.text in str(review.reply)
        assert card.new.made.place == "matrix/overrulings", "the last step its verdict rests on"
    designed = now(runner, run).cards[0]
    step = runner.store.steps.get(designed.designed.run, designed.designed.place)
    assert step.key == f"shortlist/idea-{designed.n}/experiment/round-1/design-refine"
    assert step.reply == designed.design.model_dump(mode="json")


def test_before_it_is_checked_again_a_cards_verdict_leads_to_the_chains_own(tmp_path):
    runner, _, run = played(tmp_path, ask_after=("explore",))
    cards = now(runner, run).cards
    assert len(cards) == 3
    for card in cards:
        step = runner.store.steps.get(card.new.made.run, card.new.made.place)
        assert (step.key.rpartition("/")[2], step.status) == ("novelty-verdict", "done")


def places_of(card: Card) -> list[Place | None]:
    said = [*card.gist, card.new, *card.objections]
    return [one.made for one in said] + ([card.designed] if card.design else [])


def test_different_ideas_are_counted_at_each_stage(tmp_path):
    same = [frozenset({"memory2017 A", "light2017 A"})]
    runner, _, run = played(tmp_path, shortlist_script(same=same))
    told = {one.stage: one.distinct for one in now(runner, run).stages if one.distinct}
    assert list(told) == ["explore", "part", "refine", "check", "compare"]
    assert [(one.ideas, one.by_judge) for one in told.values()] == [(4, 3)] + [(3, 3)] * 4
    assert all(0.7 < one.mean_similarity < 1 for one in told.values())


def test_the_document_says_what_the_run_and_all_its_runs_took(whole):
    runner, model, run = whole
    told = document(runner.store, run.id)
    assert told["calls"] == len(model.requests), "its own calls, and those of its runs"
    assert told["runs_made"] == 18
    assert told["provisional"] is False
    assert [card["n"] for card in told["shortlist"]] == [3, 4, 1]
    assert told["order"]["by"] == "model"
    assert [one["stage"] for one in told["stages"]][-1] == "shortlist"


def test_why_one_stands_above_another_is_in_the_meetings(whole):
    from core.methods.shortlist.so_far import why_above

    runner, _, run = whole
    (met,) = why_above(now(runner, run), 4, 3)
    assert (met.a, met.b, met.won_a, met.won_b) == (4, 3, 0, 10)
    assert runner.store.ballots.count(met.run) == (12, 0)
    assert why_above(now(runner, run), 3, 3) == ()
