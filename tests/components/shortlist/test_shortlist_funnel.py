"""The funnel: which bands it has, and what the list says of the same."""

from components.shortlist import funnel
from components.shortlist.steps import address, draw
from core.export.shortlist_report import (
    describe_comparison,
    describe_count,
    describe_distinct,
    describe_meeting,
    list_flows,
)
from core.records.shortlist import Place, SourcedSentence
from tests.support.shortlist_present import exploring, finished


def bands(now):
    return {(flow.start, flow.end): flow.ideas for flow in list_flows(now)}


def test_every_idea_is_on_one_band_out_of_each_stage_that_is_over():
    now = finished()
    for at in now.stages[:-1]:
        name = next(start for start, _ in bands(now) if start.startswith(at.stage.title()[:4]))
        out = [n for (start, _), ideas in bands(now).items() if start == name for n in ideas]
        assert sorted(out) == list(at.entered), at.stage


def test_what_was_set_aside_ends_where_the_reason_says():
    found = bands(finished())
    assert found["Part", "known already"] == (2,)
    assert found["Part", "joined with another"] == (3,)
    assert found["Part", "Refine"] == (1, 4, 5, 6)
    assert found["Compare", "Shortlist"] == (1, 4, 5)
    assert found["Compare", "ranked lower"] == (6,)


def test_while_it_explores_ideas_are_under_way():
    assert bands(exploring()) == {("Explore", "under way"): (1, 2)}
    assert describe_count(exploring(), exploring().stages[0]) == "2 ideas in it"
    assert describe_count(exploring(), exploring().stages[1]) == "to come"


def test_the_diagram_has_a_node_for_each_place_and_titles_on_its_bands():
    now = finished()
    drawn = funnel.figure(now, list_flows(now), "#000").data[0]
    assert "Explore: 6" in drawn.node.label
    assert "known already: 1" in drawn.node.label
    assert len(drawn.link.value) == len(list_flows(now))
    known = list(drawn.node.label).index("known already: 1")
    at = list(drawn.link.target).index(known)
    assert drawn.link.customdata[at].startswith("1 idea: Part → known already<br>Idea 2: ")


def test_markup_in_a_title_stays_text():
    now = finished()
    first = now.ideas[0]
    bad = first.idea.model_copy(update={"fields": {"hypothesis": "<b>Naps</b>"}})
    now = now._replace(ideas=(first._replace(idea=bad), *now.ideas[1:]))
    drawn = funnel.figure(now, list_flows(now), "#000").data[0]
    assert not any("<b>" in said for said in drawn.link.customdata)


def test_how_many_are_really_different_is_said_with_its_measure():
    assert describe_distinct(finished().stages[0]) == (
        "5 of 6 really different by meaning; mean similarity 0.51."
    )


def test_what_cannot_be_told_apart_is_said():
    said = describe_comparison(finished().rated)
    assert "Ideas 4 and 5 cannot be told apart." in said


def test_a_failed_meeting_says_why():
    first, failed = finished().rated.meetings
    assert describe_meeting(first).startswith("Idea 1 won 6 criteria and idea 4 won 4")
    assert describe_meeting(failed).endswith("that failed: no usable answer")


def test_a_step_has_an_address_and_a_persons_words_have_none():
    place = Place(run="ab12", place="round-2/revise")
    assert address(place) == "/runs?run=ab12&runs%3Atab=Steps&runs%3Astep=round-2%2Frevise"
    assert "](" not in draw(SourcedSentence(text="My own [words](x)."))


def test_how_many_are_different_is_not_said_where_nothing_could_be_compared():
    (at, *_) = finished().stages
    lost = at.distinct.model_copy(update={"mean_similarity": None, "by_judge": None})
    assert describe_distinct(at._replace(distinct=lost)) == (
        "How many are really different could not be told: their texts were not compared."
    )
    some = at.distinct.model_copy(update={"by_judge": 3, "unjudged": 2})
    assert "at most 3 as a judge sees it (2 near pairs could not be judged)" in describe_distinct(
        at._replace(distinct=some)
    )
