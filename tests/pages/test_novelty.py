"""The novelty check on screen: verdict, matrix, quotes side by side, a cell overruled; and the form
that begins one.
"""

import pytest

from components.novelty.matrix import data_of
from core.methods.inputs import BaselineInputs
from core.methods.novelty.verdict import rests_on
from core.records import ClaimsVerdict, Idea, NoveltyMatrix
from core.runs.beginning import begin
from core.runs.novelty_checks import idea_in
from core.runs.planning import validated
from core.runs.runner import Runner
from core.story import Story
from tests.conftest import ScriptedModel, Shop
from tests.support.novelty_kit import (
    check_idea,
    novelty_runner,
    novelty_script,
    planted,
    servers,
)
from tests.support.scripted import baseline_script, runner_of, small_source
from tests.support.visiting import host, links, said, settled, visit

INVENTED = "words that stand in no paper at all and are made up"


@pytest.fixture(scope="module")
def checked(tmp_path_factory):
    """One check of a copy, whose second claim was read with an invented quote."""
    whole = novelty_script()

    def reading(request):
        reply = whole["novelty-reading"](request)
        for finding in reply["findings"]:
            if finding["claim"] == 2 and finding["state"] == "covers":
                finding["paper_quote"] = INVENTED
        return reply

    with servers() as both:
        folder = tmp_path_factory.mktemp("checked")
        runner = novelty_runner(folder, both, whole | {"novelty-reading": reading})
        one = planted(1)[0]
        run = check_idea(runner, one.idea, one.dated, papers=6)
        assert run.state == "done", run.reason
        yield runner, run


@pytest.fixture
def here(checked, monkeypatch):
    runner, run = checked
    host(monkeypatch, runner)
    return runner, run


def shown(runner, run):
    story = Story.of(runner.store, run.id)
    return story.last(NoveltyMatrix), story.last(ClaimsVerdict)


def test_verdict_numbers_and_thresholds_are_said(here):
    runner, run = here
    matrix, verdict = shown(runner, run)
    text = said(visit("novelty", run=run.id))
    assert verdict.sentence in text
    for share in (verdict.risk, verdict.confidence, verdict.coverage, verdict.sources):
        assert str(share) in text
    assert "A check is inconclusive with fewer than 5 earlier works read" in text
    rests = rests_on(matrix, verdict)
    assert {one.claim for one in rests} == {1, 2, 3}, "what is new rests on what was not found"
    assert f"**Claim 2 (mechanism):** {matrix.claims[1].text}" in text
    assert "No earlier work covers it. The nearest works on it:" in text
    assert text.count("Why: Compared word by word.") == len(rests)
    assert "Quotes verified" in text
    assert "1 in part (counted half). Claim 2: work" in text
    assert "found in Semantic Scholar, OpenAlex" in verdict.sentence


def test_the_opened_cell_has_both_quotes_and_an_invented_one_is_never_shown(here):
    runner, run = here
    matrix, verdict = shown(runner, run)
    copied = max(
        matrix.works,
        key=lambda work: sum(one.state == "covers" for one in matrix.cells if one.work == work.id),
    )
    n = matrix.works.index(copied) + 1
    text = said(visit("novelty", run=run.id, cell=f"1-{n}"))
    cell = matrix.cell(1, copied.id)
    quoted = f":material/format_quote: “{cell.paper_quote.quote}”"
    assert text.count(quoted) == 2, "the idea's words and the paper's"
    app = visit("novelty", run=run.id, cell=f"2-{n}")
    text = said(app)
    assert "taken down" in text
    assert "the words the reader gave are not in this text" in text
    assert "The reader said 'covers'; the quote of the paper is not in its text" in text
    assert INVENTED not in text
    assert INVENTED not in str(app.main)
    assert verdict.state == "new in part"


def test_a_cell_that_says_does_not_blames_nobody_and_shows_the_text_that_was_read(here):
    runner, run = here
    matrix, _ = shown(runner, run)
    cell = next(one for one in matrix.cells if one.said == "does not")
    n = [work.id for work in matrix.works].index(cell.work) + 1
    work, claim = matrix.works[n - 1], matrix.claims[cell.claim - 1]
    app = visit("novelty", run=run.id, cell=f"{cell.claim}-{n}")
    text = said(app)
    assert "the words the reader gave are not in this text" not in text
    assert f"“{claim.passage.quote}”" in text, "the claim's own passage"
    assert "Nothing in what was read comes near this claim" in text
    app.session_state[f"novelty:text:{cell.claim}:{n}"] = True
    app = settled(app.run())
    assert "What was read: its abstract" in [one.label for one in app.expander]
    assert work.paper.abstract in said(app)


def test_a_cell_is_overruled_for_nothing_and_the_verdict_follows(here):
    runner, run = here
    matrix, _ = shown(runner, run)
    copied = max(
        matrix.works,
        key=lambda work: sum(one.state == "covers" for one in matrix.cells if one.work == work.id),
    )
    n, asked = matrix.works.index(copied) + 1, len(runner.workshop.scripted.requests)
    app = visit("novelty", run=run.id, cell=f"2-{n}")
    place = f"novelty:rule:{run.id}:2:{copied.id}"
    app.radio(key=f"{place}:state").set_value("covers")
    button = next(one for one in app.button if one.label == "Overrule")
    app = settled(button.click().run())
    assert "Write why." in said(app), "without a reason it says what is missing"
    app.radio(key=f"{place}:state").set_value("covers")
    app.text_area(key=f"{place}:reason").set_value("It is said on page 3.")
    app.text_input(key=f"{place}:by").set_value("Ada")
    button = next(one for one in app.button if one.label == "Overrule")
    app = settled(button.click().run())
    made = runner.store.runs.listed(method="novelty", limit=1)[0]
    assert (made.parent, made.state, made.calls) == (run.id, "done", 0)
    assert len(runner.workshop.scripted.requests) == asked
    assert made.title == "A novelty check (overruled by a person)"
    _, verdict = shown(runner, made)
    assert "1 finding on claim 2 is a person's, in place of the reader's." in verdict.sentence
    assert verdict.confidence == shown(runner, run)[1].confidence, "a correction lowers nothing"
    before = links(visit("novelty", run=run.id))
    assert [one for one in before if one.label.startswith("Overruled by a person on ")]
    there = visit("novelty", run=made.id, cell=f"2-{n}")
    assert [one for one in links(there) if one.label == "From the check “A novelty check”"]
    assert f"✎ overruled by a person, from {run.id}" in said(visit("novelty"))
    text = said(there)
    assert "Anticipated: one earlier work covers all 3 claims" in text
    assert "Overruled by Ada, in place of 'in part': It is said on page 3." in text


def test_what_the_matrix_is_drawn_from_is_text_and_every_cell_is_there(here):
    runner, run = here
    matrix, _ = shown(runner, run)
    data = data_of(matrix, "2-3")
    assert data["chosen"] == "1.2"
    assert [len(row) for row in data["cells"]] == [len(matrix.works)] * 3
    assert {one["state"] for row in data["cells"] for one in row} == {
        "covers",
        "in part",
        "does not",
    }
    assert any("taken down" in one["about"] for row in data["cells"] for one in row)


def test_the_form_says_what_it_takes_and_begins_a_check(tmp_path, monkeypatch):
    runner = Runner(Shop(tmp_path, {"builtin": ScriptedModel({}, "builtin")}, small_source()))
    host(monkeypatch, runner)
    app = visit("novelty")
    assert "Choose or write an idea first." in said(app)
    assert "None yet." in said(app)
    app = settled(app.text_area(key="novelty:text").set_value("Naps restore memory.").run())
    assert "A check of “Naps restore memory.”, from" in said(app)
    app = settled(app.text_input(key="novelty:dated").set_value("soon").run())
    assert "Dated: is no date" in said(app)


def test_the_limits_of_a_run_hold_for_the_check_of_its_idea(tmp_path, monkeypatch):
    runner, _ = runner_of(tmp_path, baseline_script(), small_source())
    host(monkeypatch, runner)
    inputs = validated(BaselineInputs, topic="sleep", before="2020-01-01", ban=("x",), design=False)
    run = begin(runner, "direct", inputs, "Sleep", models={"main": "scripted:one"})
    assert runner.work(run.id) == "done"
    runner.workshop.named["builtin"] = ScriptedModel({}, "builtin")
    runner.start = lambda run_id: None
    app = visit("novelty", **{"from": run.id})
    assert "Left out: papers from 2020-01-01 on; papers that its run was not to read" in said(app)
    settled(app.button(key="novelty:go").click().run())
    (check,) = runner.store.runs.listed(method="novelty", limit=1)
    assert (check.config.inputs["before"], check.config.inputs["ban"]) == ("2020-01-01", ["x"])


def test_every_kept_idea_leads_to_its_check(here):
    runner, run = here
    idea = Idea(form="hypothesis", fields={"hypothesis": "Bread keeps in the dark."})
    runner.store.ideas.save(idea, None, "written by hand")
    name = runner.store.ideas.name(idea)
    app = visit("novelty", idea=name)
    assert "A check of “Bread keeps in the dark.”" in said(app)
    assert idea_in(runner.store, run.id, idea.digest()) is None
    assert [link for link in links(app) if link.label]


def test_a_chain_begins_that_does_not_repeat_what_is_covered(here, monkeypatch):
    runner, run = here
    monkeypatch.setattr(runner, "start", lambda run_id: None)
    app = visit("novelty", run=run.id)
    (way,) = [one for one in links(app) if one.label.startswith("Begin a chain that does not")]
    assert way.query_string == f"not-again={run.id}"
    form = visit("chains", **{"not-again": run.id})
    assert "Not to be repeated: 2 claims" in said(form)
    form.text_area(key="chains:topic").set_value("grasping rope")
    settled(form.button(key="chains:go").click().run())
    made = runner.store.runs.listed(method="chain", limit=1)[0]
    assert len(made.config.inputs["known"]) == 2
