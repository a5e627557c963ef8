"""All ideas on screen."""

import pytest

from components.ideas.listing import MOST_AT_ONCE, propose_topic
from components.ideas.sources import of_story
from components.shell.frame import VISIT
from core.errors import BadInput
from core.importing.gathering import topic_of
from core.records import Idea
from core.story import Story
from tests.support.arena_kit import entry
from tests.support.scripted import FIRST, refine_script, refinement, runner_of
from tests.support.visiting import host, links, said, settled, visit


@pytest.fixture
def runner(tmp_path, monkeypatch):
    runner, _ = runner_of(tmp_path, refine_script([True, False, False]))
    host(monkeypatch, runner)
    return runner


@pytest.fixture
def ideas(runner):
    return runner.store.ideas


def other(text: str = "Warm light in the evening delays sleep.") -> Idea:
    return Idea(form="hypothesis", fields={"hypothesis": text})


def test_an_empty_shelf_says_what_to_do_next(ideas):
    assert "No idea yet" in said(visit("ideas"))


def test_a_typed_idea_is_kept(ideas):
    app = visit("ideas")
    app.text_area(key="ideas:typed").set_value("Naps help memory.")
    settled(app.button(key="ideas:keep-typed").click().run())
    (saved,) = ideas.listed()
    assert (saved.idea.fields["hypothesis"], saved.run, saved.origin) == (
        "Naps help memory.",
        None,
        "written by hand",
    )
    assert "Naps help memory" in said(app)


def test_an_idea_as_json_is_read_by_its_fields(ideas):
    app = visit("ideas")
    app.text_area(key="ideas:typed").set_value('{"hypothesis": "Cold rooms help."}')
    settled(app.button(key="ideas:keep-typed").click().run())
    assert ideas.listed()[0].idea.fields == {"hypothesis": "Cold rooms help."}


@pytest.mark.parametrize("text", ["", "   ", '{"headline": "no such form"}'])
def test_what_is_no_idea_is_refused_in_a_sentence(ideas, text):
    app = visit("ideas")
    app.text_area(key="ideas:typed").set_value(text)
    settled(app.button(key="ideas:keep-typed").click().run())
    assert "idea is" in said(app).lower()
    assert len(app.error) == 1
    assert ideas.listed() == []


def test_every_idea_of_a_run_can_be_kept_once(runner, ideas):
    run = refinement(runner, rounds=3)
    assert runner.work(run.id) == "done"
    made = of_story(Story.of(runner.store, run.id))
    assert len({one.idea.digest() for one in made}) == len(made)
    assert made[0].where.startswith("outcome")
    app = visit("ideas")
    app.session_state["ideas:run"], app.session_state["ideas:add"] = run.id, "From a run"
    settled(app.run())
    settled(app.button(key=f"ideas:keep:{run.id}:0").click().run())
    (saved,) = ideas.listed()
    assert (saved.run, saved.idea) == (run.id, made[0].idea)


def test_where_an_idea_came_from_is_a_link_to_its_run(runner, ideas):
    run = refinement(runner)
    ideas.save(FIRST, run.id, "round 2")
    ideas.save(other(), "abcd1234", "round 3")
    app = visit("ideas")
    assert "round 2" in said(app)
    assert [link.query_string for link in links(app) if link.label == "Its run"] == [
        f"run={run.id}"
    ]
    assert "by Adversarial refinement · on sleep and memory · round 2" in said(app)
    assert "its run was deleted" in said(app)


def test_search_and_stars_come_from_the_address(ideas):
    ideas.change(ideas.save(FIRST, None, ""), starred=True)
    ideas.save(other(), None, "")
    assert "Warm light" not in said(visit("ideas", **{"ideas:starred": "true"}))
    found = said(visit("ideas", **{"ideas:find": "evening"}))
    assert "Warm light" in found
    assert "Naps" not in found
    assert "No idea matches" in said(visit("ideas", **{"ideas:find": "nowhere"}))


def test_star_tag_and_note_are_kept(ideas):
    idea = ideas.save(FIRST, None, "")
    app = visit("ideas")
    settled(app.button(key=f"ideas:star:{idea}").click().run())
    app.session_state[f"ideas:open:{idea}"] = True
    settled(app.run())
    app.text_input(key=f"ideas:tags:{idea}").set_value("sleep, naps")
    app.text_area(key=f"ideas:note:{idea}").set_value("Ask *Bo*.")
    settled(next(one for one in app.button if one.label == "Save tags and note").click().run())
    saved = ideas.get(idea)
    assert (saved.starred, saved.tags, saved.note) == (True, ("sleep", "naps"), "Ask *Bo*.")


def saved_marks(app):
    buttons = (one for one in app.button if one.label == "Save tags and note")
    return settled(next(buttons).click().run())


def test_of_tags_and_note_only_what_was_typed_over_is_saved(ideas):
    idea = ideas.save(FIRST, None, "")
    mine, theirs = visit("ideas", idea=idea), visit("ideas", idea=idea)
    theirs.text_area(key=f"ideas:note:{idea}").set_value("An hour of thought.")
    theirs.text_input(key=f"ideas:tags:{idea}").set_value("theirs")
    saved_marks(theirs)
    mine.text_input(key=f"ideas:tags:{idea}").set_value("mine")
    saved_marks(mine)
    saved = ideas.get(idea)
    assert (saved.tags, saved.note) == (("theirs", "mine"), "An hour of thought.")


def test_a_page_drawn_anew_over_a_later_note_does_not_put_the_earlier_one_back(ideas):
    idea = ideas.save(FIRST, None, "")
    app = visit("ideas", idea=idea)
    ideas.change(idea, note="An hour of thought.")
    settled(app.button(key=f"ideas:star:{idea}").click().run())
    app.text_input(key=f"ideas:tags:{idea}").set_value("mine")
    saved_marks(app)
    saved = ideas.get(idea)
    assert (saved.starred, saved.tags, saved.note) == (True, ("mine",), "An hour of thought.")
    assert app.text_area(key=f"ideas:note:{idea}").value == "An hour of thought."


def test_a_note_over_another_that_was_saved_meanwhile_is_saved_at_the_second_press(ideas):
    idea = ideas.save(FIRST, None, "")
    app = visit("ideas", idea=idea)
    ideas.change(idea, note="An hour of thought.")
    app.text_area(key=f"ideas:note:{idea}").set_value("A minute.")
    assert "The other is: “An hour of thought.”" in said(saved_marks(app))
    assert ideas.get(idea).note == "An hour of thought."
    assert "The other is" not in said(saved_marks(app))
    assert ideas.get(idea).note == "A minute."


def test_picked_ideas_are_in_the_address_and_handed_over(ideas):
    first, second = ideas.save(FIRST, None, ""), ideas.save(other(), None, "")
    app = visit("ideas")
    for one in (first, second):
        settled(app.checkbox(key=f"ideas:pick:{one}").check().run())
    assert app.query_params["ideas"] == f"{first},{second}"
    assert any(
        "rate" in link.page and first in link.query_string and second in link.query_string
        for link in links(app)
    )
    assert visit("ideas", ideas=second).checkbox(key=f"ideas:pick:{second}").value
    settled(app.checkbox(key=f"ideas:pick:{first}").uncheck().run())
    assert app.query_params["ideas"] == second


def test_what_is_picked_is_there_again_after_another_page(ideas):
    first, second = ideas.save(FIRST, None, ""), ideas.save(other(), None, "")
    app = visit("ideas")
    settled(app.checkbox(key=f"ideas:pick:{first}").check().run())
    for page in ("pages/rate.py", "pages/ideas.py"):  # The menu's links carry no picks.
        app.query_params.pop("ideas", None)
        settled(app.switch_page(page).run())
    assert app.checkbox(key=f"ideas:pick:{first}").value
    settled(app.checkbox(key=f"ideas:pick:{second}").check().run())
    assert app.query_params["ideas"] == f"{first},{second}"
    settled(app.button(key="ideas:clear").click().run())
    assert "Pick ideas below" in said(app)


def test_a_card_stays_where_it_is_when_it_is_kept_or_starred(ideas, runner):
    for n in range(3):
        runner.store.entries.add(
            ((entry(runner.store, f"m{n}", "sleep", other(f"{n} naps.")), ""),)
        )
    order = [one.id for one in ideas.listed()]
    app = visit("ideas")
    settled(app.button(key=f"ideas:keep-this:{order[2]}").click().run())
    settled(app.button(key=f"ideas:star:{order[1]}").click().run())
    assert [one.key for one in app.checkbox] == [f"ideas:pick:{one}" for one in order]
    assert [one.kept for one in ideas.listed()] == [False, True, True]


def test_removing_asks_first_and_keeps_ratings(ideas):
    from core.records import Rating

    idea = ideas.save(FIRST, None, "")
    ideas.rate((Rating(idea=idea, criterion="Novelty", score=3, rater="Ana"),))
    app = visit("ideas")
    app.session_state[f"ideas:open:{idea}"] = True
    settled(app.run())
    settled(app.button(key=f"ideas:remove:{idea}").click().run())
    assert ideas.get(idea)
    settled(app.button(key="ideas:remove-for-good").click().run())
    with pytest.raises(BadInput):
        ideas.get(idea)
    assert len(ideas.ratings((idea,))) == 1


def brought_in(store, *texts: str, title: str = "One title", topic: str = "sleep") -> list[str]:
    """Put texts into the collection “test” and return the ids of their ideas."""
    made = [entry(store, "chain", topic, other(text)) for text in texts]
    store.entries.add(tuple((one, title) for one in made))
    return [one.sha[:16] for one in made]


def test_ideas_of_a_file_are_listed_searched_and_kept(runner, ideas):
    ideas.save(FIRST, None, "written by hand")
    (one,) = brought_in(runner.store, "Blue light harms sleep.")
    app = visit("ideas", **{"ideas:find": "blue"})
    assert "Blue light" in said(app)
    assert "Naps" not in said(app)
    assert "by chain · on sleep" in said(app)
    settled(app.button(key=f"ideas:keep-this:{one}").click().run())
    assert ideas.get(one).kept
    assert not any("keep-this" in str(button.key) for button in app.button)
    assert "Blue light" not in said(visit("ideas", **{"ideas:which": "Only in collections"}))
    assert "Naps" not in said(visit("ideas", **{"ideas:in": "test"}))


def test_equal_titles_are_told_apart(runner, ideas):
    text = "The very same beginning of an idea that goes on for longer than a title may be long, "
    first, second = brought_in(runner.store, f"{text}in one way.", f"{text}in another way.")
    boxes = {box.key: box.label for box in visit("ideas").checkbox}
    names = [boxes[f"ideas:pick:{one}"] for one in (first, second)]
    assert names[0] != names[1]


def test_picked_ideas_become_a_collection_for_the_arena(runner, ideas):
    mine = ideas.save(FIRST, None, "written by hand")
    (theirs,) = brought_in(runner.store, "Blue light harms sleep.")
    app = visit("ideas", ideas=f"{mine},{theirs}")
    settled(app.button(key="ideas:to:pages/arena.py").click().run())
    app.text_input(key="ideas:put:name").set_value("Two ideas")
    app.text_input(key="ideas:put:topic").set_value("Rest")
    settled(app.button(key="ideas:put:go").click().run())
    entries = [one for one, _ in runner.store.entries.of(("Two ideas",))]
    assert {(one.method, one.topic) for one in entries} == {("Own idea", "Rest"), ("chain", "Rest")}
    assert app.query_params["collection"] in ("Two ideas", ["Two ideas"])


def test_the_topic_most_of_the_picked_ideas_have_is_proposed_and_no_title(runner, ideas):
    mine = ideas.save(FIRST, None, "written by hand")
    theirs = brought_in(runner.store, "Blue light harms sleep.", "Dim the lights at night.")
    app = visit("ideas", ideas=",".join((mine, *theirs)))
    settled(app.button(key="ideas:to:pages/arena.py").click().run())
    assert app.text_input(key="ideas:put:topic").value == "sleep"
    assert "2 of 3 have this topic" in said(app)
    app = visit("ideas", ideas=mine)
    settled(app.button(key="ideas:to:pages/arena.py").click().run())
    assert app.text_input(key="ideas:put:topic").value == ""
    settled(app.button(key="ideas:put:go").click().run())
    assert "Say their topic" in app.session_state["mistake:ideas:putting"]
    assert len(runner.store.entries.bunches()) == 1


def test_an_idea_of_a_run_has_the_topic_of_its_run(runner, ideas):
    run = refinement(runner)
    mine = ideas.get(ideas.save(FIRST, run.id, "round 2"))
    assert topic_of(runner.store, mine) == "sleep and memory"
    titled = mine.model_copy(
        update={"idea": Idea(form="hypothesis", fields={"hypothesis": "sleep and memory"})}
    )
    assert topic_of(runner.store, titled) == ""


@pytest.mark.parametrize(
    ("topics", "text", "needed"),
    [
        (["a", "a"], "a", True),
        (["a", ""], "a", True),
        (["a", "b", "a"], "a", True),
        (["a", "b"], "", True),
        (["a", "a", "b", "b"], "", False),
        (["a", "a", "b", "b", ""], "", True),
        (["a", "a", "b", "b", "c"], "", True),
        (["", ""], "", True),
    ],
)
def test_a_topic_is_proposed_where_one_leads(topics, text, needed):
    made = propose_topic(topics)
    assert (made.text, made.needed) == (text, needed)
    assert bool(made.about) == (len(set(topics)) > 1 or not topics[0])


def test_ideas_on_two_topics_may_each_keep_their_own(runner, ideas):
    theirs = [
        one
        for topic in ("sleep", "light")
        for one in brought_in(
            runner.store, f"First on {topic}.", f"Second on {topic}.", topic=topic
        )
    ]
    app = visit("ideas", ideas=",".join(theirs))
    settled(app.button(key="ideas:to:pages/arena.py").click().run())
    app.text_input(key="ideas:put:name").set_value("Both")
    settled(app.button(key="ideas:put:go").click().run())
    entries = [one for one, _ in runner.store.entries.of(("Both",))]
    assert sorted(one.topic for one in entries) == ["light", "light", "sleep", "sleep"]


def test_all_that_a_search_shows_are_picked_in_one_click(runner, ideas):
    mine = ideas.save(FIRST, None, "written by hand")
    theirs = brought_in(runner.store, *(f"Blue light, {n}." for n in range(25)))
    app = visit("ideas", ideas=mine, **{"ideas:find": "blue"})
    button = app.button(key="ideas:pick-all")
    assert button.label == "Pick all 25 shown"
    settled(button.click().run())
    assert app.query_params["ideas"].split(",") == [mine, *theirs]
    assert not [one for one in app.button if one.key == "ideas:pick-all"], "all are picked"
    settled(app.button(key="ideas:clear").click().run())
    assert "ideas" not in app.query_params


def test_more_than_an_address_holds_are_not_picked_at_once(runner, ideas):
    brought_in(runner.store, *(f"Blue light, {n}." for n in range(MOST_AT_ONCE + 1)))
    app = visit("ideas")
    assert app.button(key="ideas:pick-all").label == "Pick the first 100 of 101"


def test_ranking_by_hand_and_by_models_are_two_ways_on(ideas):
    app = visit(
        "ideas", ideas=",".join((ideas.save(FIRST, None, ""), ideas.save(other(), None, "")))
    )
    ways = {
        link.label: (link.page, "rate:tab=Rank" in link.query_string.replace("%3A", ":"))
        for link in links(app)
    }
    assert ways["Rank by hand, in Rate"] == ("rate", True)
    assert ways["Rate from 1 to 10"] == ("rate", False)
    assert ways["Blind ranking, by you or models"] == ("ranking", False)


def test_a_collection_without_a_name_is_refused_in_its_dialog(runner, ideas):
    mine = ideas.save(FIRST, None, "written by hand")
    app = visit("ideas", ideas=mine)
    settled(app.button(key="ideas:to:pages/sessions.py").click().run())
    app.text_input(key="ideas:put:name").set_value("")
    app.text_input(key="ideas:put:topic").set_value("Rest")
    settled(app.button(key="ideas:put:go").click().run())
    assert "Name the collection" in app.session_state["mistake:ideas:putting"]
    assert runner.store.entries.bunches() == []


def test_an_idea_has_an_address_and_is_read_there(runner, ideas):
    mine = ideas.save(FIRST, None, "written by hand")
    (theirs,) = brought_in(runner.store, "Blue light harms sleep.")
    entry_of = runner.store.entries.of(("test",))[0][0].id
    for name in (theirs, entry_of):
        app = visit("ideas", idea=name)
        assert "Blue light harms sleep." in said(app)
        assert not [box for box in app.checkbox if mine in str(box.key)]
    settled(app.button(key="ideas:all").click().run())
    assert len([box for box in app.checkbox if "ideas:pick:" in str(box.key)]) == 2
    assert "There is no entry" in said(visit("ideas", idea="nope"))


def test_a_page_is_gone_to_the_top_of_when_it_is_come_to_and_not_when_it_is_drawn_again(ideas):
    app = visit("ideas")
    first = app.session_state[VISIT]
    assert settled(app.run()).session_state[VISIT] == first
    assert settled(app.switch_page("pages/rate.py").run()).session_state[VISIT] == first + 1
