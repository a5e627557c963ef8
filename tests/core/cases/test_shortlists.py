"""Shortlists as case studies: packed with the runs behind their stages, read elsewhere without a
call; a file whose cards its own runs do not bear out is refused.
"""

import json
from pathlib import Path
from tempfile import mkdtemp

import pytest

from core.cases import close_case, open_case, pack
from core.errors import BadInput
from core.export.document import document
from core.methods.shortlist.so_far import present, why_above
from core.records import Choices, digest
from core.store import Store
from core.store.spending import month
from tests.support.case_kit import contents, records
from tests.support.shortlist_kit import now, played, shortlist_script, without_ids
from tests.support.visiting import host, said, visit


@pytest.fixture(scope="module")
def made():
    runner, _, run = played(Path(mkdtemp()), shortlist_script(known={"memory2017 B"}))
    return runner, run


@pytest.fixture(scope="module")
def packed(made):
    runner, run = made
    return pack(runner.store, run.id, "What it shows.", "Ada")


def shown(store, run):
    """Return all that a shortlist shows, without the ids of runs."""
    seen = present(store, store.runs.get(run))
    cards = [card.model_dump(mode="json") for card in seen.cards]
    stages = [(at.stage, at.state, at.entered, at.went_on, len(at.runs)) for at in seen.stages]
    return without_ids(cards), stages, seen.reason, seen.by


@pytest.mark.parametrize("stepwise", [True, False])
def test_a_shortlist_is_read_elsewhere_with_the_same_cards_and_no_call(made, tmp_path, stepwise):
    runner, run = made
    there = Store(tmp_path)
    case = open_case(there, pack(runner.store, run.id, stepwise=stepwise))
    assert shown(there, case.id) == shown(runner.store, run.id)
    assert document(there, case.id)["calls"] == document(runner.store, run.id)["calls"]
    mine, theirs = runner.store.sweeps.begun(run.id), there.sweeps.begun(case.id)
    assert set(mine) == set(theirs)
    for name, one in mine.items():
        ours, other = records(runner.store, one.run), records(there, theirs[name].run)
        assert other["story"] == ours["story"]
        assert (other["steps"] == ours["steps"]) is stepwise, name
    assert there.steps.spent(month()) == (0.0, 0)
    assert [one.id for one in there.runs.listed(packed=True)] == [case.id]


def test_every_sentence_of_an_opened_card_leads_to_its_step_in_the_file(packed, tmp_path):
    there = Store(tmp_path)
    case = open_case(there, packed)
    seen = present(there, case)
    for card in seen.cards:
        for place in [one.made for one in (*card.gist, card.new, *card.objections)]:
            assert place.run.startswith(f"{case.id}-")
            assert there.steps.get(place.run, place.place)
    first = seen.cards[0]
    assert first.designed.run == case.id
    assert there.steps.get(case.id, first.designed.place)


def test_the_matches_are_there_with_what_the_judge_said(made, packed, tmp_path):
    runner, run = made
    there = Store(tmp_path)
    seen = present(there, open_case(there, packed))
    first, second = (card.n for card in seen.cards[:2])
    (met,) = why_above(seen, first, second)
    (was,) = why_above(now(runner, run), first, second)
    assert (met.won_a, met.won_b) == (was.won_a, was.won_b)
    assert there.ballots.count(met.run) == runner.store.ballots.count(was.run) == (6, 0)


def test_packed_twice_it_is_the_same_and_closing_it_takes_all_of_it_out(made, packed):
    runner, run = made
    assert pack(runner.store, run.id, "What it shows.", "Ada") == packed
    assert run.id.encode() not in packed
    before = contents(runner.store)
    case = open_case(runner.store, packed)
    assert contents(runner.store) != before
    close_case(runner.store, case.id)
    assert contents(runner.store) == before


def test_a_copy_is_packed_with_the_runs_it_took_over(made, tmp_path):
    runner, run = made
    fork = runner.fork_edited(run.id, "part/choices", Choices(dropped=(1,), by="Ada"))
    assert runner.work(fork.id) == "done"
    there = Store(tmp_path)
    case = open_case(there, pack(runner.store, fork.id))
    assert shown(there, case.id) == shown(runner.store, fork.id)


def test_a_deep_novelty_check_is_packed_by_itself(made, tmp_path):
    runner, run = made
    check = runner.store.sweeps.begun(run.id)["check/idea-1/novelty"].run
    there = Store(tmp_path)
    case = open_case(there, pack(runner.store, check))
    assert records(there, case.id)["story"] == records(runner.store, check)["story"]


def test_an_idea_that_a_person_added_on_the_way_has_come_in_too(made, tmp_path):
    runner, run = made
    own = now(runner, run).ideas[0].idea
    mine = own.model_copy(update={"fields": own.fields | {"title": "An idea of her own"}})
    fork = runner.fork_edited(run.id, "part/choices", Choices(added=(mine,), by="Ada"))
    assert runner.work(fork.id) == "done"
    there = Store(tmp_path)
    case = open_case(there, pack(runner.store, fork.id))
    assert shown(there, case.id) == shown(runner.store, fork.id)


def result(whole, kind):
    return next(one for one in whole["products"] if one["kind"] == kind)["data"]


def inner(whole, ending):
    return next(one for one in whole["experiment"]["runs"] if one["name"].endswith(ending))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda whole: whole.pop("experiment"), "without its runs"),
        (lambda whole: whole["experiment"]["runs"].pop(), "made no run that came with it"),
        (lambda whole: inner(whole, "/chain").update(name="explore/else"), "none that a shortlist"),
        (lambda whole: inner(whole, "/chain").update(id="run-0001"), "one id"),
        (lambda whole: whole["experiment"].update(stepwise=False), "says that none has"),
        (lambda whole: inner(whole, "/chain")["steps"].pop(), "steps and has"),
        (lambda whole: result(whole, "Explored").update(run="elsewhere"), "names a run that did"),
        (lambda whole: result(whole, "Rechecked").update(sentence="All new."), "the verdict on"),
        (
            lambda whole: result(whole, "RefinedIdea")["idea"]["fields"].update(title="Mine"),
            "not the one that its refinement ended with",
        ),
        (
            lambda whole: result(whole, "Explored")["ideas"][0]["idea"]["fields"].update(title="A"),
            "not the one that its chain wrote",
        ),
        (
            lambda whole: result(whole, "Shortlist")["cards"][0]["idea"]["fields"].update(
                title="A"
            ),
            "the idea on its card 1 is none",
        ),
        (lambda whole: result(whole, "Parted")["aside"][0].update(n=99), "'part' is of an idea 99"),
        (lambda whole: result(whole, "RefinedIdea").update(n=-1), "is of an idea -1"),
        (lambda whole: result(whole, "Rechecked").update(n=10**15), "is of an idea 1000000000"),
        (lambda whole: result(whole, "RatedIdeas")["order"][0].update(n=99), "is of an idea 99"),
        (lambda whole: result(whole, "Shortlist")["cards"][0].update(n=99), "is of an idea 99"),
        (lambda whole: inner(whole, "/arena")["arena"]["texts"].pop(), "texts of its arena"),
    ],
)
def test_a_shortlist_from_a_stranger_is_checked(packed, tmp_path, change, why):
    document = json.loads(packed)
    change(document["whole"])
    document["sha"] = digest({name: value for name, value in document.items() if name != "sha"})
    with pytest.raises(BadInput, match=why):
        open_case(Store(tmp_path), json.dumps(document).encode())
    assert Store(tmp_path).runs.count(packed=None) == 0


def test_an_opened_shortlist_is_read_on_its_page_and_nothing_is_added(made, packed, monkeypatch):
    runner, _ = made
    host(monkeypatch, runner)
    case = open_case(runner.store, packed)
    assert "shown whole" in said(visit("cases", run=case.id))
    for view in ("funnel", "ideas", "compare", "change", "runs"):
        page = visit("shortlist", run=case.id, view=view)
        for card in present(runner.store, case).cards:
            assert card.title in said(page)
    labels = {one.label for one in visit("shortlist", run=case.id).button}
    assert not labels & {"Design one", "Put the first form back", "Save as case study"}
    child = next(iter(runner.store.sweeps.begun(case.id).values())).run
    assert "Case study" in said(visit("runs", run=child))
