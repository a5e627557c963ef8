"""Adding papers to a chain on screen: candidates, by title, from the library, from another chain,
with a PDF.
"""

from core.errors import ModelFailed
from core.records import Paper
from core.story import Story
from tests.support.screens.edit_screen import screen
from tests.support.scripted import chain
from tests.support.servers.pdf_server import pdf
from tests.support.visiting import settled
from tests.support.waiting import until

__all__ = ["screen"]


def test_recorded_candidates_are_shown_at_once_with_score_and_reason(screen):
    screen.pick("paper", "memory2018")
    screen.add(where="After it")
    assert "none of the nearest is missing" in screen.text
    screen.pick("paper", "memory2019")
    assert "This run did not search for papers" in screen.text


def test_candidates_are_looked_for_in_a_run_beside_the_page_and_put_in_where_one_wants(screen):
    screen.add()
    screen.app.radio(key=f"{screen.key}:paper").set_value("memory2019")
    look = f"{screen.key}:look:forward:memory2019"
    screen.app.button(key=f"{screen.key}:candidates").click()
    screen.rerun()
    assert "Looking in the literature" in screen.text
    run = screen.worked()
    assert (run.config.method, run.state, run.config.source) == (
        "candidates",
        "done",
        screen.run.config.source,
    )
    choice = screen.app.radio(key=f"{look}:picked")
    assert choice.options == ["2020 · Sleep memory study 2020"]
    screen.click("put")
    assert screen.ids() == ["memory2017", "memory2018", "memory2019", "memory2020"]
    assert screen.app.radio(key=f"{screen.key}:paper").value == "memory2020", (
        "what was put in is picked, so that one can go on from it"
    )
    assert "(new, will be read)" in "".join(screen.app.radio(key=f"{screen.key}:paper").options)
    assert "1 paper is read" in screen.text


def test_a_look_up_that_fails_says_so_and_can_go_on(screen):
    source = screen.runner.workshop.shelf_like
    source.down = True
    screen.pick("paper", "memory2019")
    screen.add()
    look = f"{screen.key}:look:forward:memory2019"
    screen.app.button(key=f"{screen.key}:candidates").click()
    screen.rerun()
    assert screen.worked().state == "failed"
    assert "The search failed, so there may still be results" in screen.text
    assert "503" in screen.text
    source.down = False
    screen.app.button(key=f"{look}:again").click()
    screen.rerun()
    assert screen.worked().state == "done"
    assert screen.app.radio(key=f"{look}:picked").options == ["2020 · Sleep memory study 2020"]


def test_a_candidate_nobody_could_judge_is_shown_as_not_judged(screen):
    screen.model.script["relevance"] = lambda _: ModelFailed("The judge is away.")
    screen.pick("paper", "memory2019")
    screen.add()
    look = f"{screen.key}:look:forward:memory2019"
    screen.app.button(key=f"{screen.key}:candidates").click()
    screen.rerun()
    screen.worked()
    assert "not judged" in captions(screen.app.radio(key=f"{look}:picked"))


def captions(radio) -> str:
    return " ".join(radio.proto.captions)


PLACES = {
    ("After it", "memory2017"): ["memory2017", "light2020", "memory2018", "memory2019"],
    ("Before it", "memory2017"): ["light2020", "memory2017", "memory2018", "memory2019"],
    ("In its place", "memory2018"): ["memory2017", "light2020", "memory2019"],
    ("By its date", "memory2017"): ["memory2017", "memory2018", "memory2019", "light2020"],
}


def test_a_paper_found_by_title_goes_where_one_wants(screen):
    screen.add("Id, title or PDF")
    finder = f"{screen.key}:finding:finder"
    screen.app.text_input(key=f"{finder}:text").set_value("light study 2020")
    screen.app.button(key=f"{finder}:go").click()
    screen.rerun()
    run = screen.worked()
    assert (run.config.method, run.state) == ("find", "done")
    screen.app.radio(key=f"{finder}:paper").set_value("light2020")
    for (where, picked), order in PLACES.items():
        screen.app.radio(key=f"{screen.key}:paper").set_value(picked)
        screen.pick("where", where)
        screen.click("put")
        assert screen.ids() == order, where
        screen.click("undo")


def test_a_paper_of_the_library_is_found_by_its_words_unless_it_is_in_the_chain(screen):
    screen.runner.store.library.add_papers(
        screen.run.id, (Paper(id="x", title="Naps of cats", year=2016),)
    )
    screen.add("Library", "By its date")
    screen.app.text_input(key=f"{screen.key}:library").set_value("naps of")
    screen.rerun()
    assert screen.app.radio(key=f"{screen.key}:library-paper").options == ["2016 · Naps of cats"]
    screen.click("put")
    assert screen.ids()[0] == "x"
    screen.app.text_input(key=f"{screen.key}:library").set_value("naps of")
    screen.rerun()
    assert "The library has no such paper" in screen.text


def test_a_paper_the_run_s_own_rules_leave_out_is_put_in_only_with_a_warning(screen):
    inputs = screen.run.config.inputs | {"before": "2021-01-01"}
    config = screen.run.config.model_copy(update={"inputs": inputs}).model_dump_json()
    screen.runner.store.connections.write(
        "UPDATE runs SET config = ? WHERE id = ?", config, screen.run.id
    )
    late = Paper(id="late", title="Naps of cats", year=2022, published="2022-01-01")
    screen.runner.store.library.add_papers(screen.run.id, (late,))
    assert "ban list leaves out" not in screen.text
    screen.add("Library", "By its date")
    screen.app.text_input(key=f"{screen.key}:library").set_value("naps of")
    screen.rerun()
    screen.click("put")
    assert "cut-off date or ban list leaves out: Naps of cats" in screen.text


def test_a_chain_is_merged_with_one_of_this_run_and_with_one_of_another(screen):
    other = chain(screen.runner, topic="sleep 2018", branches=1, length=2)
    screen.runner.work(other.id)
    screen.add("Another chain")
    assert "light2017" in str(screen.runner.store.steps.products(screen.run.id))
    screen.click("merge")
    assert screen.ids() == [
        "memory2017",
        "light2017",
        "memory2018",
        "light2018",
        "memory2019",
        "light2019",
    ]
    screen.app.selectbox(key=f"{screen.key}:merge-run").set_value(other.id)
    screen.rerun()
    screen.click("merge")
    assert "no paper that this one lacks" in screen.text


def test_a_chain_of_a_run_chosen_a_moment_ago_is_merged_once_it_was_seen(screen):
    other = chain(screen.runner, topic="sleep 2018", branches=2, length=2)
    screen.runner.work(other.id)
    screen.add("Another chain")
    before = screen.ids()
    screen.app.selectbox(key=f"{screen.key}:merge-run").set_value(other.id)
    screen.click("merge")
    assert screen.ids() == before
    assert "Choose which of its chains to merge with first" in screen.text
    second = screen.app.radio(key=f"{screen.key}:merge-branch:{other.id}").set_value(2)
    screen.click("merge")
    assert second.value == 2
    assert "light2018" in screen.ids()


def test_a_pdf_is_attached_beside_the_page_and_its_paper_read_again(screen):
    box = f"{screen.key}:{screen.ids()[1]}"
    screen.app.file_uploader(key=f"{box}:file").upload(
        "naps.pdf", pdf("Naps restore memory. " * 40, title="Sleep memory study"), "application/pdf"
    )
    screen.rerun()
    settled(screen.app.button(key=f"{box}:attach").click().run())

    # The page takes the end of the reading up by itself, whenever that is.
    def marked() -> bool:
        screen.rerun()
        return "(will be read)" in screen.app.radio(key=f"{screen.key}:paper").options[1]

    until(marked)
    screen.click("make")
    fork = screen.worked()
    text = Story.of(screen.runner.store, fork.id).branches[0].chain.links[1].text
    assert (text.state, text.origin) == ("read", "on the Chains page")
