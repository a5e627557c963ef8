"""The arena: rounds, three actors, live text, scores, and why it stopped."""

import json

import pytest

from components.refine import address as refine_address
from core.methods.presets import FEASIBILITY, NOVELTY
from core.records import Idea, Wish
from tests.support.screens.refine_screen import button, choice, done, made, played, runner
from tests.support.scripted import PAPERS, refine_script, refinement
from tests.support.visiting import links, said, visit

__all__ = ["done", "made", "runner"]
TARGET = Idea(
    form="hypothesis",
    fields={"hypothesis": "The target: light in the evening moves the sleep of athletes."},
)


# -- what is played, and how it ended ----------------------------------------------------------


def test_a_finished_refinement_says_why_it_stopped_and_where_the_idea_is_from(done):
    shown = said(visit("refine", run=done.id))
    assert "Converged: 2 verdicts in a row" in shown
    assert "The refined idea is that of round 3. The last round judged better is round 1" in shown
    assert "the newer text is kept all the same." in shown
    assert "InfAL keeps" not in shown
    assert "The form changed from" in shown
    assert shown.index("First idea") < shown.index("Refined idea") < shown.index("Optimizer")
    for actor in ("Optimizer", "Generator", "Discriminator"):
        assert actor in shown


def test_one_line_says_what_is_played(done):
    shown = said(visit("refine", run=done.id))
    assert (
        "Improving **novelty** · InfAL · round 3 of at most 5 · 2 of 2 rounds without improvement"
        in shown
    )


def test_background_is_listed_and_none_is_said_plainly(runner):
    with_papers, without = played(runner, context=tuple(PAPERS[:2])), played(runner, k=0)
    assert PAPERS[0].title in said(visit("refine", run=with_papers.id))
    assert "no papers as background" in said(visit("refine", run=without.id))


def test_an_ending_without_any_improvement_returns_the_first_idea_and_compares_nothing(
    made, monkeypatch
):
    runner, model = made
    model.script.update(refine_script([False]))
    run = played(runner, rounds=1)
    app = visit("refine", run=run.id)
    assert "No round was judged better than the one before it: the first idea stays." in said(app)
    assert not [one for one in app.button if one.label == "Compare versions"]


def test_the_idea_can_be_kept_refined_further_and_compared(runner, done):
    app = visit("refine", run=done.id)
    app.button(key="refine:end:keep").click().run()
    assert runner.store.ideas.listed()[0].idea.title == "Version 3"
    further = [link for link in links(app) if link.label == "Refine it further"]
    assert further[0].query_string == f"from={done.id}"
    button(app, "Compare versions").click().run()
    assert choice(app, "What to look at").value == "compare"


# -- rounds ------------------------------------------------------------------------------------


def test_any_round_can_be_opened_and_the_address_says_which(done):
    app = visit("refine", run=done.id)
    assert "Verdict on version 1" in said(app), "the last round that improved the idea"
    assert "round" not in app.query_params
    choice(app, "Rounds").set_value(3).run()
    assert "Verdict on version 3" in said(app)
    assert "Verdict on version 1" not in said(app)
    assert app.query_params["round"] == "3"


def test_a_link_restores_view_and_round(done):
    assert "Verdict on version 2" in said(visit("refine", run=done.id, round="2"))
    assert choice(visit("refine", run=done.id, view="scores"), "What to look at").value == "scores"
    assert "Naps restore the memory" in said(visit("refine", run=done.id, round="0"))


def test_an_address_that_asks_for_what_is_not_there_shows_the_newest(done):
    app = visit("refine", run=done.id, view="nonsense", round="99", line="7")
    assert "Verdict on version 3" in said(app)


def test_the_count_of_the_stopping_rule_is_in_words(done):
    assert "The count begins anew: 2 rounds in a row without improvement would end it" in said(
        visit("refine", run=done.id, round="1")
    )
    assert "1 of 2 rounds in a row without improvement; one more ends it" in said(
        visit("refine", run=done.id, round="2")
    )
    assert "2 of 2 rounds in a row without improvement: that ends it" in said(
        visit("refine", run=done.id, round="3")
    )


def test_picking_a_remark_shows_only_its_changes(made):
    runner, model = made
    revise = model.script["revise"]

    def answers(request):
        made = revise(request)
        return made | {
            "changes": [
                {"field": "method", "passage": made["method"], "remarks": ["r1"]},
                {"field": "objective", "passage": made["objective"], "remarks": ["p1"]},
            ]
        }

    model.script["revise"] = answers
    run = refinement(runner, rounds=2)
    runner.store.answers.wish(run.id, Wish(text="Use wearables.", by="Ada"))
    assert runner.work(run.id) == "done"
    app = visit("refine", run=run.id, round="1")
    both = said(app)
    pills = next(one for one in app.pills if one.label == "Show what answers")
    assert pills.options == ["all", "r1", "p1"]
    pills.set_value("r1").run()
    one = said(app)
    assert one.count(":green-background") < both.count(":green-background")
    app.toggle(key="refine:marked").set_value(False).run()
    assert ":green-background" not in said(app)


def test_a_passage_that_is_not_in_the_text_is_never_shown_as_a_quote(made):
    runner, model = made
    revise = model.script["revise"]
    model.script["revise"] = lambda r: (
        revise(r)
        | {"changes": [{"field": "method", "passage": "nowhere at all", "remarks": ["r1"]}]}
    )
    shown = said(visit("refine", run=played(runner).id, round="1"))
    assert "not in its text as quoted" in shown
    assert "nowhere at all" not in shown


def test_what_people_wanted_stands_with_their_names_and_what_came_too_late_says_so(runner):
    run = refinement(runner, rounds=2)
    for wish in (
        Wish(text="Use wearables.", by="Ada"),
        Wish(decline="r1", of=0, by="Grace"),
        Wish(decline="r1", of=7, by="Edsger"),
    ):
        runner.store.answers.wish(run.id, wish)
    assert runner.work(run.id) == "done"
    shown = said(visit("refine", run=run.id, round="1"))
    assert "**Ada** asked: Use wearables." in shown
    assert "declined by Grace" in shown
    assert "**Edsger** declined r1. :gray[It came too late" in shown


@pytest.mark.parametrize(
    ("variant", "says"),
    [
        ("self-reflection", "works alone"),
        ("no-optimizer", "There is no optimizer"),
        ("no-discriminator", "There is no discriminator"),
    ],
)
def test_who_is_missing_is_said_and_not_shown_empty(runner, variant, says):
    shown = said(visit("refine", run=played(runner, variant=variant, rounds=2).id, round="1"))
    assert says in shown
    assert ("Optimizer]" in shown) == (variant == "no-discriminator")
    assert ("Discriminator]" in shown) == (variant == "no-optimizer")


def test_the_earlier_form_has_its_own_names(runner):
    shown = said(visit("refine", run=played(runner, variant="review-rebuttal").id))
    for name in ("Proposer", "Reviewer", "Area chair"):
        assert name in shown


def test_markup_of_a_model_stays_text(made):
    runner, model = made
    model.script["verdict"] = lambda _: {
        "improved": True,
        "reason": "<script>x</script> **bold** [a](http://b)",
    }
    app = visit("refine", run=played(runner, rounds=1).id)
    reason = next(one.value for one in app.markdown if "script\\>" in one.value)
    assert "\\<script\\>" in reason
    assert "\\*\\*bold" in reason


# -- several ideas -----------------------------------------------------------------------------


def test_several_ideas_are_chosen_from_and_the_address_says_which(runner):
    run = played(runner, idea=None, lines=2)
    app = visit("refine", run=run.id, line="2")
    ideas = choice(app, "Idea")
    assert ideas.value == 2
    assert "converged, round 3" in str(ideas.options)
    ideas.set_value(1).run()
    assert "line" not in app.query_params


# -- scores ------------------------------------------------------------------------------------


def figures(app):
    return [json.loads(one.proto.spec) for one in app.main.get("plotly_chart")]


def test_scores_stand_against_the_round_with_axis_titles_and_a_table(runner):
    app = visit(
        "refine",
        run=played(runner, target=TARGET, goals=(NOVELTY, FEASIBILITY), order="taking turns").id,
        view="scores",
    )
    drawn = figures(app)
    titles = [figure["layout"]["yaxis"]["title"]["text"] for figure in drawn]
    assert titles == ["Q (bar: range over repeats)", "Similarity", "feasibility: Q"]
    assert [trace["name"] for trace in drawn[0]["data"]] == ["novelty", "feasibility"]
    assert len(app.dataframe) == 3


def test_without_a_target_the_trade_off_counts_verdicts_and_side_effects_and_says_so(runner):
    app = visit(
        "refine",
        run=played(runner, goals=(NOVELTY, FEASIBILITY), order="taking turns").id,
        view="scores",
    )
    assert figures(app)[-1]["layout"]["xaxis"]["title"]["text"] == "novelty: better minus worse"
    assert "better minus worse, round by round" in said(app)
    assert "no target idea" in said(app)


def test_several_ideas_are_scored_together(runner):
    app = visit("refine", run=played(runner, idea=None, lines=2, target=TARGET).id, view="scores")
    assert "Score of all ideas together" in said(app)


# -- keys --------------------------------------------------------------------------------------


def test_every_view_of_the_address_has_a_name(done):
    app = visit("refine", run=done.id)
    assert choice(app, "What to look at").options == list(refine_address.VIEWS.values())
    assert "Keys: ← → rounds, c compare, n note" in said(app)
