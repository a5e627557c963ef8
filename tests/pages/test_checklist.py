"""The checklist on screen: the idea with its passages, the vector and its reward, scores and
comparison.
"""

import html
import json
import re

import pytest

from components.checklist.items import say_decision, say_fall
from components.checklist.passages import marked
from components.checklist.scores import small_multiples
from components.checklist.step import changes
from core.judging.checklist import by_code_alone
from core.methods.questioning import QuestionInputs
from core.records import HEADINGS, ITEMS, Checklist, Directive, Evolved, Idea, Judged
from core.runs.leases import me
from core.wording.passages import locate
from tests.conftest import ScriptedModel
from tests.support.dataset_kit import found, question_script
from tests.support.evolving import EVERY, WELL, item_of, judged
from tests.support.screens.checklist_screen import asked, begun, evolved, made, runner, text_of
from tests.support.scripted import configured, refinement
from tests.support.visiting import links, said, settled, visit

__all__ = ["made", "runner"]


def checklist(*holding, unknown=()):
    return Checklist(
        items=tuple(
            Judged(
                item=one.name,
                score=None if one.name in unknown else int(one.name in holding),
                by="m",
            )
            for one in ITEMS
        )
    )


# -- a step: passages, vector, reward ----------------------------------------------------------


def test_passages_are_tinted_numbered_and_joined_to_their_directives(runner):
    app = visit("checklist", run=evolved(runner).id, step="0")
    text = text_of(app)
    assert (
        'data-items="method" data-numbers="5" title="5 Method: method is weak. → Do something for'
        ' method."' in text
    )
    assert re.search(r'data-items="method"[^>]*>We ablate the gate\.</mark>', text)
    for words in (
        "**5 Method** method is weak",
        "Do something for method",
        "6 directives",
        "**reward r = 3**",
        "None of the five primary items holds",
    ):
        assert words in said(app)


def test_the_newest_step_is_open_and_one_item_dims_the_others(runner):
    run = evolved(runner, steps=3)
    assert "data-items" not in text_of(visit("checklist", run=run.id)), "every item holds there"
    app = visit("checklist", run=run.id, step="0", item="risk")
    assert re.findall(r'data-items="([^"]*)"', text_of(app)) == ["risk"]
    assert "5 directives on other items are not shown" in said(app)
    pills = app.button_group(key=f"checklist:item:{run.id}:1:0")
    assert pills.value == "risk"
    settled(pills.set_value("all").run())
    assert "item" not in app.query_params
    assert len(re.findall("data-items", text_of(app))) == 6


def test_words_the_judge_invented_are_said_to_be_so_and_never_shown(made):
    runner, model = made
    spans = {
        "risk": "Words nobody wrote about quantum foam",
        "method": "We ablate the gates",
        "problem": "",
    }

    def strange(request):
        found = judged(request)
        if item_of(request) in spans and not found["score"]:
            found["directive"]["span"] = spans[item_of(request)]
        return found

    model.script["checklist-item"] = strange
    app = visit("checklist", run=evolved(runner).id, step="0")
    assert "The judge quotes words that are not in the text." in said(app)
    assert "The passage nearest to the words the judge quotes" in said(app)
    assert "About the text as a whole" in said(app)
    assert "quantum foam" not in said(app) + text_of(app)


def test_markup_of_a_model_stays_text_in_the_idea_and_in_its_directives(made):
    runner, model = made
    evil = '<img src=x onerror=alert(1)> "quoted" <script>x</script>'
    model.script["evolve-idea"] = lambda _: {
        "idea": WELL.replace("We ablate the gate.", f"We ablate {evil}.")
    }
    model.script["checklist-item"] = lambda r: (
        judged(r) | ({"score": 0, "directive": {"span": evil, "issue": evil, "suggestion": evil}})
    )
    app = visit("checklist", run=evolved(runner, steps=1).id)
    assert "<img" not in text_of(app)
    assert "<script" not in text_of(app)
    assert "&lt;img src=x onerror=alert(1)&gt;" in text_of(app)
    assert all("<script>" not in one.value.replace("\\<", "") for one in app.markdown)


def test_the_idea_as_html_is_the_idea_character_by_character():
    idea = Idea(form="headed", fields={"text": WELL + " <b> & 'x'"})
    open_ = [
        Judged(
            item=name,
            score=0,
            by="m",
            directive=Directive(span=span, issue="i", suggestion="s"),
            passage=locate(idea.text, span),
        )
        for name, span in (
            ("risk", "Memory is bounded; fewer"),
            ("method", "bounded; fewer examples"),
            ("writing", "**Approach**\nWe gate"),
        )
    ]
    made = marked(idea, open_)
    assert html.unescape(re.sub(r"<[^>]*>", "", made)) == idea.text
    assert 'data-items="risk method" data-numbers="4 5"' in made
    assert (
        marked(Idea(form="hypothesis", fields={"hypothesis": "Naps."}), ())
        == '<div class="idea-text">Naps.</div>'
    )


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        (
            checklist("grounding", "feasibility", "problem", "risk"),
            "Four of five primary items hold, so they alone count: r = s = 4.",
        ),
        (checklist(*EVERY), "All five primary items hold, so they alone count: r = s = 5."),
        (
            checklist("grounding", "writing", "layout"),
            "One of five primary items holds, fewer than four, so all items count: r = t = 3.",
        ),
        (
            checklist(*EVERY, unknown=("risk",)),
            (
                "r cannot be given: 4 Risk was not judged, and what is not judged is not counted as"
                " 0. Of the others 8 hold."
            ),
        ),
    ],
)
def test_one_sentence_says_what_decided_the_reward(found, sentence):
    assert say_decision(found) == sentence


def test_a_reward_that_falls_is_explained():
    seven = checklist(
        "grounding", "feasibility", "problem", "writing", "innovation", "length", "layout"
    )
    four = checklist(
        "grounding", "feasibility", "problem", "risk", "writing", "innovation", "length", "layout"
    )
    assert say_fall(seven, four).startswith(
        "r fell from 7 to 4 although more primary items hold (3, now 4)"
    )
    assert (
        say_fall(seven, checklist("grounding"))
        == "r fell from 7 to 1: 2 Feasibility, 3 Problem, 6 Writing, 7 Innovation, 8 Length, 9"
        " Layout hold no longer."
    )
    assert say_fall(four, seven) == ""
    assert say_fall(four, checklist(unknown=("risk",))) == ""


def test_a_judge_that_fails_on_an_item_leaves_it_without_a_score_and_says_what_to_do(made):
    runner, model = made
    model.script["checklist-item"] = lambda r: "no JSON" if item_of(r) == "risk" else judged(r)
    app = visit("checklist", run=evolved(runner, steps=1).id)
    assert "**4 Risk: not judged.**" in said(app)
    assert "r cannot be given" in said(app)
    assert any("Fork at step-0 to ask again" in link.label for link in links(app))


def test_what_changed_is_shown_word_by_word(runner):
    app = visit("checklist", run=evolved(runner).id)
    settled(app.button_group(key="checklist:way").set_value("What changed").run())
    assert any(
        ":green-background" in one.value and "feasibility" in one.value for one in app.markdown
    )
    assert "Unchanged: Core problem, Approach" in said(app)
    assert "**Title**" in said(app)


def test_changes_of_texts_whose_headings_differ_are_shown_as_one_text():
    older, newer = (
        Idea(form="headed", fields={"text": text})
        for text in (WELL, WELL.replace("**Approach**", "**Our approach**"))
    )
    assert [one.field for one in changes(older, newer)] == ["text"]
    assert [one.field for one in changes(older, older)] == list(HEADINGS)


def test_a_change_of_the_form_is_said_with_what_changed(runner):
    idea = Idea(form="hypothesis", fields={"hypothesis": "Naps restore memory."})
    app = visit("checklist", run=evolved(runner, idea=idea).id)
    settled(app.button_group(key="checklist:way").set_value("What changed").run())
    assert "The form changed from one paragraph to a text under headings of its own" in said(app)


def test_an_idea_of_another_form_is_shown_by_seven_items(runner):
    app = visit(
        "checklist",
        run=evolved(
            runner, idea=Idea(form="hypothesis", fields={"hypothesis": "Naps restore memory."})
        ).id,
        step="0",
    )
    assert "7 Innovation" in said(app)
    assert "0 of 7 items in all (t)" in said(app)


def test_a_run_that_is_not_there_is_said_and_no_other_is_taken_for_it(runner):
    done = evolved(runner)
    app = visit("checklist", **{"from": "nope"})
    assert "There is no run nope here" in said(app)
    assert app.selectbox(key="checklist:run").value is None
    settled(app.selectbox(key="checklist:run").set_value(done.id).run())
    assert "There is no run nope here" not in said(app)
    assert asked(app, runner).idea is not None


# -- states ------------------------------------------------------------------------------------


def test_an_end_says_why_and_leads_on(runner):
    app = visit("checklist", run=evolved(runner).id)
    assert "Reward r of each version: 3, 6. Their sum R: 9." in said(app)
    assert {"Refine it further", "Evolve it further by the checklist"} <= {
        link.label for link in links(app)
    }


def test_what_was_asked_is_said_in_ideas_and_revisions_and_no_discard_is_counted_where_none_is(
    runner,
):
    app = visit("checklist", run=evolved(runner).id, view="scores")
    assert "First idea and at most 1 revision" in said(app)
    assert "could not be read" not in said(app)


def test_an_evolution_alone_leads_to_another_to_compare_it_with(runner):
    app = visit("checklist", run=evolved(runner).id, view="compare")
    assert "Start it once more" in {link.label for link in links(app)}
    assert app.multiselect[0].disabled


def test_a_discard_is_said_and_counted(made):
    runner, model = made
    model.script["evolve-revise"] = lambda _: "no JSON at all"
    run = evolved(runner)
    assert "gave no idea that could be read; it is discarded" in said(
        visit("checklist", run=run.id)
    )
    assert "1 of 2 ideas could not be read" in said(visit("checklist", run=run.id, view="scores"))


def test_a_run_that_failed_says_so_and_can_be_resumed(made):
    runner, model = made
    model.script["checklist-item"] = lambda _: "no JSON"
    app = visit("checklist", run=evolved(runner, state="failed").id)
    assert any(one.label == "Resume" for one in app.button)
    assert "the judging broke off" in said(app)


def test_a_step_that_goes_on_shows_its_text_and_the_items_judged_so_far(runner):
    run = begun(runner, cap_tokens=10, idea=Idea(form="headed", fields={"text": WELL}))
    assert runner.work(run.id) == "capped"
    runner.store.runs.enqueue(run.id, me())
    runner.store.runs.claim(run.id, me(), runner.store.runs.lease(run.id)["epoch"])
    app = visit("checklist", run=run.id)
    assert "2 of 9 items judged" in said(app)
    assert "its items are being judged" in said(app)
    assert "now" in str(app.button_group(key=f"checklist:step:{run.id}:1").options)
    assert "Networks that learn" in text_of(app)


def test_a_run_that_made_only_a_question_leads_to_ideas_on_it(made):
    runner, model = made
    model.script |= question_script()
    runner.workshop.shelf_like.known |= {paper.id: paper for paper in map(found, range(6))}
    run = runner.begin(
        configured(
            runner, "question", QuestionInputs(topic="sleep", question="How can sleep be kept?")
        ),
        "sleep",
    )
    assert runner.work(run.id) == "done"
    app = visit("checklist", run=run.id)
    assert "How can sleep be kept?" in said(app)
    inputs = asked(visit("checklist", **{"from": run.id}), runner)
    assert (inputs.question, inputs.idea, inputs.papers) == ("How can sleep be kept?", None, False)


# -- several ideas, scores, comparison ---------------------------------------------------------


def test_several_ideas_are_chosen_from_and_the_address_says_which(runner):
    run = evolved(runner, lines=2)
    app = visit("checklist", run=run.id, line="2", step="0")
    choice = app.button_group(key=f"checklist:line:{run.id}")
    assert choice.value == 2
    settled(choice.set_value(1).run())
    assert "line" not in app.query_params


def test_scores_are_nine_small_figures_and_a_table(runner):
    app = visit("checklist", run=evolved(runner, steps=3).id, view="scores")
    figure = json.loads(app.main.get("plotly_chart")[0].proto.spec)
    assert [one["text"] for one in figure["layout"]["annotations"][:2]] == [
        "1 Grounding",
        "2 Feasibility",
    ]
    table = app.dataframe[0].value
    assert list(table["r"]) == ["3", "6", "5"]
    assert list(table["4 Risk"]) == ["fails", "fails", "holds"]
    assert "r fell from 6 to 5" in said(app)


def test_the_share_of_ideas_is_of_those_that_came_so_far():
    def evolved_once(n, *holding, ended=False):
        held = checklist(*(item.name for item in ITEMS)) if ended else checklist(*holding)
        return Evolved(
            n=n, idea=Idea(form="headed", fields={"text": f"{n}"}), feedback=held, scores=held
        )

    on = (evolved_once(0, "grounding"), evolved_once(1, "grounding"), evolved_once(2))
    discarded = (evolved_once(0),)
    ended = (evolved_once(0, ended=True),)
    drawn = small_multiples([one.scores for one in on], [on, discarded, ended], "#000")
    share = drawn.data[0]
    assert (list(share.x), list(share.y)) == ([0, 1, 2], [2 / 3, 1.0, 0.5])


def test_informed_and_uninformed_are_compared_with_tables_to_take_along(runner):
    informed, alone = evolved(runner), evolved(runner, informed=False)
    app = visit("checklist", run=informed.id, view="compare")
    settled(app.multiselect(key=f"checklist:others:{informed.id}").set_value([alone.id]).run())
    assert "2 ideas of 2 evolutions" in said(app)
    assert any("none (self-correction)" in str(one.value.to_dict()) for one in app.dataframe)
    assert {"CSV", "LaTeX"} <= {one.proto.label for one in app.main.get("download_button")}


def test_where_another_judge_scores_either_can_be_looked_at(made):
    runner, model = made
    harsh = {
        "reason": "r",
        "score": 0,
        "directive": {"span": "", "issue": "Harsh.", "suggestion": "s"},
    }
    runner.workshop.named["scripted:two"] = ScriptedModel(
        model.script | {"checklist-item": lambda _: harsh}, "scripted:two"
    )
    app = visit("checklist", run=evolved(runner, apart=True, scorer="scripted:two").id, step="0")
    assert "3 of 9 items in all (t)" in said(app)
    assert "Harsh" not in said(app)
    settled(app.button_group(key="checklist:judge").set_value("Scores").run())
    assert "2 of 9 items in all (t)" in said(app)
    assert "Harsh" in said(app)
    assert "this judge only scores" in said(app)


def test_uninformed_directives_are_shown_as_what_the_model_never_saw(runner):
    app = visit("checklist", run=evolved(runner, informed=False).id, step="0")
    assert "the model corrects itself without seeing them" in said(app)


def test_other_pages_lead_here(runner):
    kept = Idea(form="headed", fields={"text": WELL})
    runner.store.ideas.save(kept, None, "by hand")
    name = runner.store.ideas.name(kept)
    app = visit("ideas")
    app.session_state[f"ideas:open:{name}"] = True
    assert any(
        link.label == "Judge by checklist" and link.query_string == f"idea={name}"
        for link in links(settled(app.run()))
    )
    done = refinement(runner, rounds=2)
    assert runner.work(done.id) == "done"
    assert any(
        link.label == "Judge by checklist" and f"from={done.id}" in link.query_string
        for link in links(visit("refine", run=done.id))
    )


def test_what_code_alone_judges_leaves_the_rest_without_a_score():
    found = by_code_alone(Idea(form="headed", fields={"text": WELL}))
    assert say_decision(found).startswith("r cannot be given")
