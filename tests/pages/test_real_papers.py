"""Published papers in bulk on their page: 38 topics confirmed on one screen, 12 papers that cannot
be used named with the reasons, and the list that is frozen.
"""

import pytest

from components.datasets import form as dataset_form
from core.methods.real_papers import RealPapersInputs
from core.records import TopicList
from core.story import Story
from tests.support.real_papers_kit import gathered, topic
from tests.support.visiting import host, links, said, settled, visit

USABLE, LOST = 38, 12


@pytest.fixture(scope="module")
def once(tmp_path_factory):
    """Fifty papers read, for tests that only look."""
    return gathered(tmp_path_factory.mktemp("papers"))


def kept_at(app):
    return [one for one in app.checkbox if ":keep:" in str(one.key)]


def topics_at(app):
    return [one for one in app.text_input if ":topic:" in str(one.key)]


def confirm(app):
    (button,) = [one for one in app.button if str(one.key).endswith("-confirm")]
    return settled(button.click().run())


def test_every_usable_paper_has_a_row_and_every_other_a_reason(once, monkeypatch):
    runner, run = once
    host(monkeypatch, runner)
    app = visit("experiments", run=run.id)
    assert len(kept_at(app)) == len(topics_at(app)) == USABLE
    assert topics_at(app)[0].value == topic(0)
    assert "A study of naps number 0" in kept_at(app)[0].label
    assert f"{USABLE} papers can be used" in said(app)
    assert f"{LOST} papers cannot be used" in said(app)
    (table,) = [one.value for one in app.dataframe]
    reasons = list(table["Why"])
    assert len(reasons) == LOST
    assert sum("does not know it" in one for one in reasons) == 4
    assert sum("is there already" in one for one in reasons) == 3
    assert sum("Neither its abstract" in one for one in reasons) == 3
    assert sum("says nothing of the idea's method" in one for one in reasons) == 2


def test_topics_are_kept_reworded_and_left_out_in_one_go(tmp_path, monkeypatch):
    runner, run = gathered(tmp_path)
    host(monkeypatch, runner)
    monkeypatch.setattr(runner, "start", lambda run_id: None)
    app = visit("experiments", run=run.id)
    kept_at(app)[1].set_value(False)
    topics_at(app)[0].set_value("what too little sleep does to learning")
    app.text_input(key="waiting:by").set_value("Ada")
    settled(app.run())
    assert f"Confirm {USABLE - 1} topics of {USABLE}" in said(app)
    # Another window has what was changed: a reload loses nothing.
    again = visit("experiments", run=run.id)
    assert (kept_at(again)[1].value, kept_at(again)[2].value) == (False, True)
    assert topics_at(again)[0].value == "what too little sleep does to learning"
    confirm(app)
    runner.store.runs.enqueue(run.id, "me|1|1")
    assert runner.work(run.id) == "done"
    held = Story.of(runner.store, run.id).last(TopicList)
    assert (len(held.topics), held.confirmed_by) == (USABLE - 1, "Ada")
    assert held.topics[0].topic == "what too little sleep does to learning"
    app = visit("experiments", run=run.id)
    assert f"{USABLE - 1} topics, confirmed by Ada" in said(app)
    assert not kept_at(app)
    (way,) = [one for one in links(app) if one.label == "Use in an experiment"]
    assert f"topics={run.id}" in way.query_string


def test_two_alike_are_said_and_nothing_typed_is_lost(tmp_path, monkeypatch):
    runner, run = gathered(tmp_path)
    host(monkeypatch, runner)
    app = visit("experiments", run=run.id)
    topics_at(app)[0].set_value(topic(1))
    assert "Two papers are kept with the topic" in said(settled(app.run()))
    confirm(app)
    assert "two papers are kept with the topic" in said(app)
    assert topics_at(app)[0].value == topic(1)
    assert runner.store.runs.get(run.id).state == "waiting"
    (none,) = [one for one in app.button if one.label == "Leave all out"]
    settled(none.click().run())
    assert not any(one.value for one in kept_at(app))
    confirm(app)
    assert "Keep at least one topic." in said(app)


def test_a_list_leads_into_a_recipe_over_its_topics(tmp_path, monkeypatch):
    runner, run = gathered(tmp_path, confirm=False)
    host(monkeypatch, runner)
    app = visit("experiments", recipe="coi-arena", topics=run.id)
    assert app.selectbox(key="recipes:run:topic-experiment").value == run.id


def test_papers_are_begun_by_their_ids_and_stand_among_the_data_sets(tmp_path, monkeypatch):
    runner, _ = gathered(tmp_path)
    host(monkeypatch, runner)
    monkeypatch.setattr(runner, "start", lambda run_id: None)
    monkeypatch.setattr(dataset_form, "known_models", lambda role: ["scripted:one"])
    app = visit("experiments", section="Data sets")
    settled(app.button_group(key="datasets:kind").set_value("Topics of papers").run())
    assert "Say which papers" in said(app)
    app.text_area(key="datasets:ids").set_value("paper1  # the first\n\npaper2\n")
    settled(app.run())
    app.selectbox(key="datasets:model").set_value("scripted:one")
    app.selectbox(key="datasets:source:Topics of papers").set_value("shelf")
    settled(app.run())
    assert "Estimated: " in said(app)
    settled(app.button(key="datasets:go").click().run())
    new = next(one for one in runner.store.runs.listed(method="real-papers") if not one.steps)
    inputs = new.inputs_as(RealPapersInputs)
    assert (inputs.ids, inputs.confirm, new.config.source) == (("paper1", "paper2"), True, "shelf")
    assert app.query_params["run"] in (new.id, [new.id])
    assert "Naps of 2024" in said(visit("experiments", section="Data sets"))


def test_a_window_without_words_is_refused_in_a_sentence(once, monkeypatch):
    runner, _ = once
    host(monkeypatch, runner)
    app = visit("experiments", section="Data sets")
    settled(app.button_group(key="datasets:kind").set_value("Topics of papers").run())
    settled(app.button_group(key="datasets:papers-way").set_value("By dates and words").run())
    app.text_input(key="datasets:since").set_value("2024-08-01")
    app.text_input(key="datasets:until").set_value("2024-09-30")
    assert "a window needs words that title or abstract hold" in said(settled(app.run())).lower()
