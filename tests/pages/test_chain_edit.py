"""Editing a chain on screen: changes are collected and priced, made in a fork, and lost by nothing
but a person's wish.
"""

from components.chains.edit import copy as chain_edit_copy
from core.records import Direction, Paper, Trend
from core.story import Story
from tests.core.methods.test_ideas_of_a_branch import script
from tests.support.screens.edit_screen import BRANCH, screen
from tests.support.scripted import chain, runner_of, wide_script, wide_source
from tests.support.visiting import host, said, settled, visit

__all__ = ["screen"]


def test_a_change_is_priced_before_anything_is_asked_and_nothing_is_asked_until_it_is_made(screen):
    before = len(screen.model.requests)
    screen.pick("paper", "memory2019")
    screen.click("drop")
    assert screen.ids() == ["memory2017", "memory2018"]
    assert (
        "Asked again: about 9 model calls (trend, entities, direction, draft, idea, novelty check,"
        " choice between branches)" in screen.text
    )
    assert "about 1,350 tokens" in screen.text
    assert "The chain as it is now stays" in screen.text
    assert "Dropped: Sleep memory study 2019" in screen.text
    assert len(screen.model.requests) == before
    assert len(screen.runner.store.runs.listed()) == 1


def test_making_the_chain_opens_a_fork_that_has_it_and_leaves_the_run(screen):
    screen.click("drop")
    screen.click("make")
    fork = screen.worked()
    assert (fork.parent, fork.fork_at, fork.state) == (
        screen.run.id,
        f"branch-{BRANCH}/chain",
        "done",
    )
    assert screen.app.query_params["run"] in (fork.id, [fork.id])
    assert [
        paper.id for paper in Story.of(screen.runner.store, fork.id).branches[0].chain.papers
    ] == ["memory2017", "memory2019"]
    assert screen.runner.store.runs.get(screen.run.id) == screen.run


def test_order_pins_and_undo(screen):
    screen.pick("paper", "memory2017")
    screen.click("later")
    assert screen.ids() == ["memory2018", "memory2017", "memory2019"]
    assert "Out of date order" in screen.text
    assert "2017-05-01" in screen.text
    screen.click("pin")
    assert "(pinned)" in "".join(screen.app.radio(key=f"{screen.key}:paper").options)
    screen.click("undo")
    screen.click("undo")
    assert screen.ids() == ["memory2017", "memory2018", "memory2019"]
    assert "Out of date order" not in screen.text
    assert "Nothing has changed yet" in screen.text


def test_what_cannot_be_done_is_said_and_nothing_is_lost(screen):
    screen.click("drop")
    screen.click("drop")
    screen.click("drop")
    assert "A chain needs at least one paper" in screen.text
    assert len(screen.ids()) == 1
    screen.click("undo")
    assert "A chain needs" not in screen.text
    assert len(screen.ids()) == 2


def test_a_button_pressed_right_after_picking_means_the_paper_just_picked(screen):
    screen.app.radio(key=f"{screen.key}:paper").set_value("memory2019")
    screen.click("drop")
    assert screen.ids() == ["memory2017", "memory2018"]
    screen.add("Library", "By its date")
    choice = f"{screen.key}:library-paper"
    screen.app.radio(key=choice).set_value("light2017")
    screen.rerun()
    screen.app.radio(key=choice).set_value("light2018")
    screen.click("put")
    assert screen.ids() == ["memory2017", "memory2018", "light2018"]


def test_discarding_gives_the_run_s_own_chain_back(screen):
    screen.click("drop")
    screen.click("discard")
    assert screen.ids() == ["memory2017", "memory2018", "memory2019"]


def test_changes_outlive_other_pages_and_do_not_mix_with_other_branches_and_sessions(screen):
    screen.click("drop")
    app = screen.app.switch_page("pages/library.py").run()
    app.switch_page("pages/chains.py")
    app.query_params["run"] = screen.run.id
    screen.rerun()
    assert screen.ids() == ["memory2017", "memory2019"]
    assert "has changes that are not made yet" in "".join(one.label for one in screen.app.toggle)
    other = visit("chains", run=screen.run.id, view=f"branch-{BRANCH}")
    assert screen.key not in other.session_state
    second = chain_edit_copy.key(screen.run, 2)
    assert second not in screen.app.session_state


def test_changes_outlive_a_reload(screen):
    screen.pick("paper", "memory2019")
    screen.click("drop")
    left = screen.app.query_params["edits"]
    left = left if isinstance(left, str) else left[0]
    address = {"run": screen.run.id, "branch": str(BRANCH), "edits": left}
    again = visit("chains", **address)
    assert "has changes that are not made yet" in again.toggle(key=f"{screen.key}:on").label
    again = settled(again.toggle(key=f"{screen.key}:on").set_value(True).run())
    assert "Dropped: Sleep memory study 2019" in said(again)
    screen.click("discard")
    assert "has changes" not in visit("chains", **address).toggle(key=f"{screen.key}:on").label


def test_the_rest_is_grown_anew_around_what_is_pinned(screen):
    screen.pick("paper", "memory2019")
    screen.click("pin")
    assert "A pin changes nothing by itself" in screen.text
    screen.app.session_state[f"{screen.key}:growing"] = True
    screen.rerun()
    assert "Sleep memory study 2018; Sleep memory study 2019" in screen.text
    screen.click("grow:make")
    fork = screen.worked()
    assert (fork.fork_at, fork.state) == (f"branch-{BRANCH}/start", "done")
    assert [
        paper.id for paper in Story.of(screen.runner.store, fork.id).branches[0].chain.papers
    ] == ["memory2018", "memory2019", "memory2020"]


def test_the_trend_is_changed_and_gone_on_from(screen):
    screen.pick("part", "Trend")
    assert "Nothing has changed yet" in screen.text
    screen.app.text_area(key=f"{screen.key}:trend:0").set_value("By chance.")
    screen.app.text_area(key=f"{screen.key}:trend:summary").set_value("  ")
    screen.rerun()
    assert "Summary: is empty" in screen.text
    assert screen.app.text_area(key=f"{screen.key}:trend:0").value == "By chance."
    screen.app.text_area(key=f"{screen.key}:trend:summary").set_value("All by chance.")
    screen.rerun()
    assert "Asked again: about 7 model calls" in screen.text
    screen.click("trend:make")
    fork = screen.worked()
    trend = Story.of(screen.runner.store, fork.id).branches[0].last(Trend)
    assert [step.how for step in trend.steps] == ["By chance.", "It goes further."]
    assert trend.summary == "All by chance."


def test_the_direction_is_changed_and_what_was_typed_can_be_put_back(screen):
    screen.pick("part", "Direction")
    box = f"{screen.key}:direction:direction"
    screen.app.text_area(key=box).set_value("Ask the dreamers.")
    screen.rerun()
    screen.click("direction:discard")
    assert screen.app.text_area(key=box).value == "Direction 1"
    screen.app.text_area(key=box).set_value("Ask the dreamers.")
    screen.rerun()
    screen.click("direction:make")
    fork = screen.worked()
    assert fork.fork_at == f"branch-{BRANCH}/idea-1/future"
    assert (
        Story.of(screen.runner.store, fork.id).branches[0].last(Direction).direction
        == "Ask the dreamers."
    )


def test_a_direction_a_person_confirmed_is_changed_in_place_of_that_answer(tmp_path, monkeypatch):
    runner, _ = runner_of(tmp_path, wide_script(), wide_source())
    host(monkeypatch, runner)
    run = chain(runner, topic="sleep 2018", length=1, confirm=True)
    assert runner.work(run.id) == "waiting"
    app = visit("chains", run=run.id)
    assert "1 question for you" in said(app)
    key = f"waiting:{run.id}:branch-1/idea-1/direction"
    app.text_area(key=f"{key}:direction").set_value(" ")
    app.text_area(key=f"{key}:reasoning").set_value("Because I say so.")
    settled(app.button(key=f"{key}:confirm").click().run())
    assert "The answer does not fit. Direction" in said(app)
    assert app.text_area(key=f"{key}:reasoning").value == "Because I say so."
    app.text_area(key=f"{key}:direction").set_value("Mine.")
    settled(app.button(key=f"{key}:confirm").click().run())
    runner.wait(run.id, 20)
    run = runner.store.runs.get(run.id)
    assert run.state == "done"
    settled(app.run())
    assert Story.of(runner.store, run.id).branches[0].direction == Direction(
        direction="Mine.", reasoning="Because I say so."
    )
    edit = chain_edit_copy.key(run, 1)
    app.toggle(key=f"{edit}:on").set_value(True)
    settled(app.run())
    settled(app.radio(key=f"{edit}:part").set_value("Direction").run())
    app.text_area(key=f"{edit}:direction:direction").set_value("Mine, second thoughts.")
    settled(app.run())
    settled(app.button(key=f"{edit}:direction:make").click().run())
    fork = runner.store.runs.listed(limit=1)[0]
    runner.wait(fork.id, 20)
    assert runner.store.runs.get(fork.id).state == "done", "nobody is asked again"
    assert (
        Story.of(runner.store, fork.id).branches[0].direction.direction == "Mine, second thoughts."
    )


def test_the_direction_of_a_branch_of_several_ideas_is_changed(tmp_path, monkeypatch):
    runner, _ = runner_of(tmp_path, script(()), wide_source())
    host(monkeypatch, runner)
    run = chain(runner, topic="sleep 2018", branches=1, ideas=2, design=False)
    assert runner.work(run.id) == "done"
    app = visit("chains", run=run.id, view="branch-1")
    assert "Other ideas of this branch (1)" in {one.label for one in app.expander}
    edit = chain_edit_copy.key(run, 1)
    app.toggle(key=f"{edit}:on").set_value(True)
    settled(app.run())
    settled(app.radio(key=f"{edit}:part").set_value("Direction").run())
    assert "goes after this one direction" in said(app)
    app.text_area(key=f"{edit}:direction:direction").set_value("Direction Z.")
    settled(app.run())
    settled(app.button(key=f"{edit}:direction:make").click().run())
    fork = runner.store.runs.listed(limit=1)[0]
    runner.wait(fork.id, 20)
    (branch,) = Story.of(runner.store, fork.id).branches
    assert branch.direction.direction == "Direction Z."
    assert (branch.idea.title, len(branch.pursuits)) == ("Idea Z of it", 1)


def test_a_run_at_work_and_one_of_an_earlier_version_are_not_edited_and_say_why(screen):
    store = screen.runner.store
    store.connections.write(
        "UPDATE runs SET state = 'running', owner = 'elsewhere', heartbeat = 1e12 WHERE id = ?",
        screen.run.id,
    )
    assert "as soon as the run rests" in said(visit("chains", run=screen.run.id, view="branch-1"))
    store.connections.write(
        "UPDATE runs SET state = 'done', config = replace(config, '\"version\":2', '\"version\":1')"
        " WHERE id = ?",
        screen.run.id,
    )
    assert "can be read, but not edited" in said(
        visit("chains", run=screen.run.id, view="branch-1")
    )


def test_markup_in_titles_and_texts_stays_text(screen):
    bad = Paper(id="bad", title="<b>x</b> **bold** :red[y] $z$", year=2016, published="2016-01-01")
    screen.runner.store.library.add_papers(screen.run.id, (bad,))
    screen.add("Library", "By its date")
    screen.app.text_input(key=f"{screen.key}:library").set_value("bold")
    screen.rerun()
    assert r"\*\*bold\*\*" in screen.app.radio(key=f"{screen.key}:library-paper").options[0]
    screen.click("put")
    assert r"\*\*bold\*\*" in "".join(screen.app.radio(key=f"{screen.key}:paper").options)
