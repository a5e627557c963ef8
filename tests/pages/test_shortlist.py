"""The shortlist on screen: cards, funnel, two ideas side by side, what a person changes, the
report; and the form that begins one.
"""

from urllib.parse import parse_qsl, urlsplit

import pytest

from components.shell.text import SEAM
from components.shortlist import judging
from components.shortlist.steps import address, link, page_of
from core import settings
from core.export.markdown import markdown
from core.records import Choices, Place
from core.runs.catalogue import METHODS
from core.runs.runner import Runner
from core.runs.workshop import Workshop
from core.store.ideas import IdeaQuery
from tests.support.shortlist_kit import (
    now,
    own,
    played,
    shortlist,
    shortlist_script,
    shortlisting,
    titles,
)
from tests.support.visiting import host, links, said, settled, visit


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A shortlist of two that came to its end: one idea was known, one is worse refined."""
    folder = tmp_path_factory.mktemp("finished")
    first = titles(now(*played(folder / "first")[::2]))
    worse, known = first[1], first[4]
    script = shortlist_script(worse=[worse], known=[known])
    runner, _, run = played(folder / "whole", script, keep=2)
    assert run.state == "done", run.reason
    return runner, run


@pytest.fixture
def here(finished, monkeypatch):
    runner, run = finished
    monkeypatch.setattr(runner, "start", lambda run_id: None)
    host(monkeypatch, runner)
    return runner, run


def made(runner, run):
    """Return the copies of a run."""
    return runner.store.runs.children(run.id)


def raw(app) -> str:
    return "\n".join(one.value for one in app.markdown)


# -- what is shown -----------------------------------------------------------------------------


def test_each_card_says_what_speaks_for_and_against_its_idea_with_the_way_to_each_step(here):
    runner, run = here
    seen, app = now(runner, run), visit("shortlist", run=run.id)
    text, marked = said(app), raw(app)
    assert "provisional" not in text
    for card in seen.cards:
        assert f"#### {card.place}. " in marked
        for one in (*card.gist, card.new, *card.objections):
            assert one.text in text
            if one.made:
                assert link(one.made) in marked
    kept = [one for one in app.expander if one.label == "The whole idea"]
    assert len(kept) == len(seen.cards) == 2


def test_every_sentence_leads_to_the_step_it_came_from(here):
    runner, run = here
    for card in now(runner, run).cards:
        for one in (*card.gist, card.new, *card.objections):
            if one.made is None:
                continue
            assert runner.store.steps.get(one.made.run, one.made.place)
            assert f"({address(one.made)})" in link(one.made)
    (card, *_) = now(runner, run).cards
    for made in (card.new.made, card.designed):
        query = dict(parse_qsl(urlsplit(address(made)).query))
        opened = visit("runs", **query)
        assert opened.session_state["runs:step"] == made.place


def test_what_names_a_run_alone_leads_to_its_page(here):
    runner, run = here
    card = now(runner, run).cards[0]
    whole = Place(run=card.new.made.run)
    assert f"](/novelty?run={whole.run})" in link(whole)
    assert page_of(whole.run) in link(whole)


def test_the_funnel_says_as_a_list_what_was_set_aside_and_why(here):
    runner, run = here
    seen, text = now(runner, run), said(visit("shortlist", run=run.id))
    (known,) = [one for one in seen.ideas if one.aside]
    assert f"Idea {known.n}: {known.idea.title}, known already" in text.replace("**", "")
    assert "4 ideas came in, 3 went on" in text


def test_all_ideas_stand_there_with_what_became_of_them(here):
    run = here[1]
    app = visit("shortlist", run=run.id, view="ideas")
    text = said(app)
    for badge in ("on the shortlist", "ranked lower", "known already"):
        assert badge in text
    key = f"shortlist:idea:{run.id}:1"
    app.session_state[key] = True
    text = said(settled(app.run()))
    assert "As it is now, against how it came in" in text


def test_why_one_idea_is_above_another_is_told_in_the_judges_words(here):
    runner, run = here
    seen = now(runner, run)
    above, below = (card.n for card in seen.cards[:2])
    text = said(visit("shortlist", run=run.id, view="compare", a=str(below), b=str(above)))
    level = f"Ideas {below} and {above} cannot be told apart" in text
    assert level or f"Why idea {above} is above idea {below}" in text
    assert text.count("Weighed.") >= 2, "once in each order"


def test_ideas_that_did_not_meet_or_were_not_compared_are_said_to_be_that(here):
    runner, run = here
    (known,) = [one.n for one in now(runner, run).ideas if one.aside]
    text = said(visit("shortlist", run=run.id, view="compare", a="1", b=str(known)))
    assert f"Idea {known} did not come into the comparison." in text


def test_the_runs_it_made_are_listed_with_links(here):
    runner, run = here
    opened = {link.query_string for link in links(visit("shortlist", run=run.id, view="runs"))}
    for at in now(runner, run).stages:
        for child in at.runs:
            assert f"run={child}" in opened


# -- what a person does ------------------------------------------------------------------------


def test_dropping_an_idea_makes_one_copy_however_often_it_is_clicked(here):
    runner, run = here
    app = visit("shortlist", run=run.id, view="change")
    before = made(runner, run)
    key = f"shortlist:change:{run.id}:part"
    app.multiselect(key=f"{key}:dropped").set_value([2])
    settled(app.button(key=f"{key}:go").click().run())
    (copy,) = [one for one in made(runner, run) if one not in before]
    given = Choices.model_validate(copy.config.edits["part/choices"])
    assert given.dropped == (2,)
    assert app.query_params["run"] == copy.id


def test_a_copy_without_a_change_is_refused(here):
    runner, run = here
    app, before = visit("shortlist", run=run.id, view="change"), len(made(runner, run))
    app.button(key=f"shortlist:change:{run.id}:part:go").click().run()
    assert "Change something first" in said(app)
    assert len(made(runner, run)) == before


def test_ideas_are_added_and_rewritten(here):
    runner, run = here
    app = visit("shortlist", run=run.id, view="change")
    before = made(runner, run)
    key = f"shortlist:change:{run.id}:part"
    app.text_area(key=f"{key}:added").set_value("Nap twice.\n\nNap before noon.")
    app.multiselect(key=f"{key}:edited").set_value([1])
    app = settled(app.run())
    app.text_area(key=f"{key}:text-1-title").set_value("Another title")
    settled(app.button(key=f"{key}:go").click().run())
    (copy,) = [one for one in made(runner, run) if one not in before]
    given = Choices.model_validate(copy.config.edits["part/choices"])
    assert [one.text for one in given.added] == ["Nap twice.", "Nap before noon."]
    assert [(one.n, one.idea.title) for one in given.edited] == [(1, "Another title")]


def test_a_first_form_is_put_back_where_it_won(here):
    runner, run = here
    seen = now(runner, run)
    (worse,) = [
        one.n
        for one in seen.ideas
        if one.rechecked and one.rechecked.compared.alarm
        if one.rechecked.compared.first > one.rechecked.compared.last
    ]
    app = visit("shortlist", run=run.id)
    assert "Refined too far?" in said(app)
    before = made(runner, run)
    settled(app.button(key=f"shortlist:card:{run.id}:{worse}:put-back").click().run())
    (copy,) = [one for one in made(runner, run) if one not in before]
    assert Choices.model_validate(copy.config.edits["check/choices"]).put_back == (worse,)


def test_an_experiment_is_designed_in_a_copy_that_asks_for_nothing_else(here):
    runner, run = here
    second = now(runner, run).cards[1]
    app, before = visit("shortlist", run=run.id), made(runner, run)
    assert second.design is None
    settled(app.button(key=f"shortlist:card:{run.id}:{second.n}:design-one").click().run())
    (copy,) = [one for one in made(runner, run) if one not in before]
    assert copy.config.inputs["designs_for"] == [second.n]
    assert runner.work(copy.id) == "done"
    designed = now(runner, copy).cards
    assert [card.n for card in designed] == [card.n for card in now(runner, run).cards]
    assert all(card.design for card in designed)
    assert runner.store.runs.spent(copy.id)["runs"] == 0, "its runs are those of the parent"


def test_experts_and_voters_get_the_ideas_of_the_cards(here):
    runner, run = here
    seen = now(runner, run)
    name = judging.put_together(runner.store, run, seen)
    assert judging.put_together(runner.store, run, seen) == name
    entries = [one for one, _ in runner.store.entries.of((name,), "idea", limit=10)]
    assert {one.method for one in entries} == {f"Idea {card.n}" for card in seen.cards}
    runner.workshop.use_for_everything("scripted:one", "scripted:one")
    app = visit("shortlist", run=run.id)
    app.button(key=f"shortlist:vote:{run.id}").click().run()
    (arena,) = runner.store.runs.listed(method="arena", limit=500)[:1]
    assert arena.config.inputs["people_only"]


def test_a_run_that_asks_goes_on_with_what_a_person_said(tmp_path, monkeypatch):
    runner, _ = shortlisting(tmp_path)
    monkeypatch.setattr(runner, "start", lambda run_id: None)
    host(monkeypatch, runner)
    run = shortlist(runner, ask_after=("part",))
    assert runner.work(run.id) == "waiting"
    app = visit("shortlist", run=run.id)
    assert "After Part: your word" in said(app)
    key = f"shortlist:ask:{run.id}:part"
    app.multiselect(key=f"{key}:dropped").set_value([1])
    app.multiselect(key=f"{key}:pinned").set_value([2])
    app.text_input(key=f"{key}:by").set_value("Ada")
    settled(app.button(key=f"{key}:go-on").click().run())
    assert runner.work(run.id) == "done"
    seen = now(runner, run)
    assert [one.n for one in seen.ideas if one.aside and one.aside.why == "dropped"] == [1]
    assert [one.n for one in seen.ideas if one.pinned] == [2]
    assert "dropped by a person" in said(visit("shortlist", run=run.id))


def test_while_it_works_the_first_cards_are_provisional(tmp_path, monkeypatch):
    runner, _ = shortlisting(tmp_path)
    host(monkeypatch, runner)
    run = shortlist(runner, ask_after=("explore",))
    runner.work(run.id)
    text = said(visit("shortlist", run=run.id))
    assert "provisional" in text
    assert "nobody has compared them yet" in text
    assert "Send to experts" in text


def test_a_title_that_looks_like_markup_stays_text(tmp_path, monkeypatch):
    runner, _ = shortlisting(tmp_path)
    host(monkeypatch, runner)
    bad = own("[x](javascript:alert) <b>", "six-field")
    run = shortlist(runner, branches=0, own=[bad, own("Naps")], ask_after=("explore",))
    runner.work(run.id)
    text = raw(visit("shortlist", run=run.id, view="ideas")).replace(SEAM, "")
    assert "](javascript" not in text
    assert "<b>" not in text


# -- taken along -------------------------------------------------------------------------------


def test_the_report_has_cards_funnel_comparison_and_settings_last(here):
    runner, run = here
    seen, written = now(runner, run), markdown(runner.store, run.id)
    heads = [
        line.lstrip("# ").replace("\\", "") for line in written.splitlines() if line.startswith("#")
    ]
    order = [
        "The shortlist",
        f"1. {seen.cards[0].title}",
        "Where each sentence comes from",
        "From stage to stage",
        "How the ideas compared",
        "The other ideas",
        "What was asked",
    ]
    places = [next(n for n, head in enumerate(heads) if head.startswith(one)) for one in order]
    assert places == sorted(places)
    for card in seen.cards:
        assert card.gist[0].text in written.replace("\\", "")


# -- the form ----------------------------------------------------------------------------------


def test_the_form_begins_what_it_describes(tmp_path, monkeypatch):
    runner, _ = shortlisting(tmp_path)
    monkeypatch.setattr(runner, "start", lambda run_id: None)
    runner.workshop.use_for_everything("scripted:one", "scripted:one")
    host(monkeypatch, runner)
    kept = runner.store.ideas.save(own("Naps"), None, "written by hand")
    app = visit("shortlist")
    app.text_area(key="shortlist:topic").set_value("sleep")
    app.number_input(key="shortlist:branches").set_value(2)
    app.multiselect(key="shortlist:own").set_value([kept])
    app.text_area(key="shortlist:typed").set_value("Nap twice.\n\nNap before noon.")
    app.checkbox(key="shortlist:ask").set_value(True)
    app = settled(app.run())
    text = said(app)
    assert "4 ideas from 2 branches and 3 of your own" in text
    assert "You are asked after 5 stages." in text
    app.button(key="shortlist:go").click().run()
    (run,) = runner.store.runs.listed()
    inputs = run.inputs_as(METHODS["shortlist"].inputs)
    assert (inputs.topic, inputs.branches, len(inputs.own)) == ("sleep", 2, 3)
    assert inputs.ask_after == ("explore", "part", "refine", "check", "compare")
    assert app.query_params["run"] == run.id
    assert runner.store.ideas.count(IdeaQuery(kept=True)) == 1


def test_without_a_branch_two_own_ideas_are_asked_for(tmp_path, monkeypatch):
    runner, _ = shortlisting(tmp_path)
    host(monkeypatch, runner)
    app = visit("shortlist")
    app.text_area(key="shortlist:topic").set_value("sleep")
    app.number_input(key="shortlist:branches").set_value(0)
    app = settled(app.button(key="shortlist:go").click().run())
    assert "give two ideas of your own" in said(app)
    assert runner.store.runs.listed() == []


def test_with_the_built_in_model_it_is_said_beforehand_that_rules_compare(tmp_path, monkeypatch):
    host(monkeypatch, Runner(Workshop(settings.read({}, data=tmp_path))))
    text = said(visit("shortlist"))
    assert "The built-in model cannot judge" in text
    assert "to the built-in model: about 2 minutes, free" in text
