"""Case studies on screen: listed, opened, played; nothing is called and nothing about them
changes.
"""

import json

import pytest
from streamlit.testing.v1 import AppTest

from components.cases import clock as case_clock
from components.cases import listing as case_list
from core.cases import open_case, pack
from core.cases.bundled import bundled, opened
from core.cases.tape import Tape
from core.errors import StoreFailed
from tests.core.judging.test_ranked_sets import prefers, ranked
from tests.support.case_kit import contents, finished, packed_bytes
from tests.support.scripted import chain, refinement, runner_of, wide_script, wide_source
from tests.support.visiting import ROOT, host, links, said, visit

AUTHORED = "hand-written texts, not by a model"


@pytest.fixture
def runner(tmp_path, monkeypatch):
    """A runner whose model and source fail the test when they are asked anything."""
    case_clock._tape.cache_clear()
    runner, model = runner_of(tmp_path, {}, wide_source())
    runner.workshop.shelf_like.down = True
    host(monkeypatch, runner)
    yield runner
    assert (model.requests, runner.workshop.shelf_like.asked) == ([], [])


@pytest.fixture
def novelty(runner):
    return opened(runner.store, "orexin-novelty")


@pytest.fixture
def chained(runner):
    return opened(runner.store, "chain-reasoning-to-ideation")


def stop(runner, run, key: str) -> float:
    """Return the second at which a step is settled."""
    return next(frame.end for frame in Tape.of(runner.store, run.id).frames if frame.key == key)


def progress(app) -> str:
    """Return what stands above the bar: the time left, and how far it is."""
    return app.get("progress")[0].proto.text


def test_the_list_says_what_each_shows_how_large_it_is_and_whose_texts_these_are(runner):
    shown = said(visit("cases"))
    for case in bundled():
        assert case.title in shown
        assert case.about.removesuffix(case_list.SAID).strip() in shown
    assert "7 rounds" in shown
    assert "5 papers" in shown
    assert "10 runs" in shown
    assert shown.count(AUTHORED) == sum(case.authored for case in bundled()) == 3
    assert case_list.SAID not in shown, "it is said once"
    assert "Opened from files" not in shown


def test_without_case_studies_the_page_says_what_to_do(runner, monkeypatch):
    monkeypatch.setattr(case_list, "bundled", lambda: ())
    assert "This program came without case studies" in said(visit("cases"))


def test_a_damaged_installation_is_said_and_files_can_still_be_opened(runner, monkeypatch):
    def damaged():
        raise StoreFailed(
            "The case study x.json that comes with the program is damaged: reinstall the program."
        )

    monkeypatch.setattr(case_list, "bundled", damaged)
    app = visit("cases")
    assert "reinstall the program" in said(app)
    assert app.file_uploader(key="case:file")


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"{}", "This is no case study of Idea Foundry"),
        (packed_bytes()[:-200], "Nothing was opened"),
        (packed_bytes().replace(b"What it shows.", b"Something else"), "Nothing was opened"),
    ],
)
def test_a_file_that_cannot_be_trusted_gets_a_sentence(runner, data, sentence):
    before = contents(runner.store)
    app = visit("cases")
    app.file_uploader(key="case:file").set_value(("case.json", data, "application/json")).run()
    assert sentence in said(app)
    assert contents(runner.store) == before


def test_a_file_opens_plays_and_can_be_closed(runner):
    app = visit("cases")
    app.file_uploader(key="case:file").set_value(
        ("case.json", packed_bytes(), "application/json")
    ).run()
    (run,) = runner.store.runs.listed(packed=True)
    assert app.query_params["run"] in (run.id, [run.id])
    assert " 0 of " in progress(app)
    app = visit("cases")
    assert "What it shows." in said(app)
    assert "packed by Ada" in said(app)
    app.button(key=f"case:close:{run.id}").click().run()
    assert runner.store.runs.listed(packed=True) == []
    assert "Opened from files" not in said(app)


def test_play_on_the_list_plays_at_once(runner):
    app = visit("cases")
    app.button(key="case:play:orexin-novelty").click().run()
    assert [one.label for one in app.button if one.key in ("case:hold", "case:go")] == ["Pause"]
    assert "Orexin in adolescent athletes, refined for novelty" in [one.value for one in app.title]


def test_home_offers_the_case_studies_and_plays_one_at_once(runner):
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=90).run()
    assert "played back as it went: nothing is called" in said(app)
    app.button(key="case:play:chain-reasoning-to-ideation").click().run()
    assert "From reasoning to ideation, a chain of ideas" in [one.value for one in app.title]
    assert [one.label for one in app.button if one.key in ("case:hold", "case:go")] == ["Pause"]


def test_a_link_restores_the_moment_even_where_the_case_study_was_never_opened(runner):
    case = next(one for one in bundled() if one.name == "orexin-novelty")
    app = visit("cases", run=case.run, at="110.9")
    shown = said(app)
    assert "Day-night contrast of orexin" in shown
    assert "The older idea correlates" not in shown
    assert progress(app) == "7:46 left · 7 of 40 steps"
    assert "hand-written texts, not by a model" in shown


def test_a_verdict_is_written_beside_the_next_review(runner, novelty):
    shown = said(
        visit("cases", run=novelty.id, at=f"{stop(runner, novelty, 'round-1/revise') + 6:.1f}")
    )
    assert "The older idea correlates a level" in shown
    assert "Day-night contrast of orexin" in shown


def test_steps_walk_through_what_was_said_and_the_end_says_what_came_of_it(runner, novelty):
    app = visit("cases", run=novelty.id)
    app.button(key="case:next").click().run()
    assert progress(app) == "9:05 left · 3 of 40 steps"
    app.button(key="case:last").click().run()
    shown = said(app)
    assert "The end. Result: Modulating orexin against social jetlag" in shown.replace("**", "")
    onward = {link.label: link.query_string for link in links(app)}
    assert onward["Refine its idea in a run of your own"] == f"from={novelty.id}"
    app.button(key="case:back").click().run()
    assert "The end." not in said(app)
    app.button(key="case:first").click().run()
    assert progress(app) == "9:37 left · 0 of 40 steps"


def test_playing_calls_nothing_and_changes_nothing(runner, novelty, chained):
    before = contents(runner.store)
    for run in (novelty, chained):
        for at in ("0", "20", "130", "300", "9999"):
            for projector in ("", "1"):
                app = visit("cases", run=run.id, at=at, projector=projector)
                if not projector:
                    app.button(key="case:next").click().run()
                assert not app.exception
    assert contents(runner.store) == before


@pytest.mark.parametrize("at", ["50", "300", "9999"])
def test_nothing_on_a_screen_that_plays_changes_anything_by_accident(runner, novelty, chained, at):
    kept = {
        "Keep this idea",
        "See the whole idea",
        "Play again",
        "Compare versions",
        "Projector",
        "Follow",
        "Search",
    }
    controls = {"To the start", "Back", "Play", "Pause", "Next", "To the end"}
    for run in (novelty, chained):
        app = visit("cases", run=run.id, at=at)
        assert {one.label for one in app.button} <= kept | controls, run.id
        assert not app.text_input
        assert not app.text_area
        assert not [one for one in app.toggle if "Edit" in one.label]


def test_a_run_of_ones_own_plays_back_and_offers_no_editing(tmp_path, monkeypatch):
    runner, run = finished(
        tmp_path, wide_script(), chain, wide_source(), topic="sleep 2018", branches=3
    )
    host(monkeypatch, runner)
    app = visit("cases", run=run.id)
    assert "Case study" not in said(app).replace("Case studies", "").replace("All case studies", "")
    app.button(key="case:last").click().run()
    assert "The end." in said(app)
    assert not [one for one in app.toggle if "Edit this chain" in one.label]
    assert (
        next(
            link.label
            for link in links(visit("chains", run=run.id))
            if link.query_string == f"run={run.id}"
        )
        == "Play it back"
    )


def test_what_is_not_finished_or_not_there_cannot_be_played(runner):
    run = refinement(runner)
    assert "cannot be played: only a finished chain, refinement, evolution or ranking can" in said(
        visit("cases", run=run.id)
    )
    assert "There is no run 'nowhere'" in said(visit("cases", run="nowhere"))


def test_a_finished_run_is_saved_as_a_case_study_that_opens(tmp_path, monkeypatch):
    runner, run = finished(tmp_path)
    host(monkeypatch, runner)
    data = pack(runner.store, run.id, "Mine.")
    assert open_case(runner.store, data).packed.about == "Mine."
    app = visit("runs", run=run.id)
    assert not app.get("dialog")
    app.button(key=f"runs:save:{run.id}:open").click().run()
    assert [one.proto.label for one in app.get("download_button")][-2].startswith("Save as file (")


@pytest.mark.parametrize(
    ("state", "why"),
    [("running", "is going on"), ("failed", "This run failed"), ("stopped", "is not finished")],
)
def test_a_run_that_cannot_be_packed_says_why_not(runner, state, why):
    from components.cases import save as case_save

    run = refinement(runner).model_copy(update={"state": state})
    assert why in case_save._why_not(run)


def test_a_packed_run_is_readable_among_the_runs_and_nothing_about_it_can_be_changed(
    runner, novelty
):
    app = visit("runs", run=novelty.id)
    labels = {one.label for one in app.button}
    assert not labels & {"Stop", "Resume", "Pause", "Save", "Archive", "Delete"}
    assert "Case study" in said(app)
    assert "free" not in said(app)
    app = visit("runs", run=novelty.id, **{"runs:tab": "Forks"})
    assert "Case studies cannot be forked" in said(app)
    app.button(key="runs:close").click().run()
    assert runner.store.runs.listed(packed=True) == []


def test_an_authored_step_says_so_and_has_no_tokens_cost_or_time(runner, novelty):
    app = visit("runs", run=novelty.id, **{"runs:tab": "Steps", "runs:step": "round-1/verdict"})
    shown = said(app)
    assert "written for the case study, by no model" in shown
    assert "tokens in" not in shown
    assert ":material/edit_note:" in shown


@pytest.mark.parametrize("page", ["refine", "chains"])
def test_the_screens_of_a_method_mark_a_case_study(runner, novelty, chained, page):
    run = novelty if page == "refine" else chained
    app = visit(page, run=run.id)
    shown = said(app)
    assert "Case study" in shown
    assert "hand-written texts, not by a model" in shown
    assert "tokens" not in shown
    assert not {one.label for one in app.button} & {"Stop", "Resume", "Pause"}


def player(app) -> dict:
    """Return what the player of slides is given."""
    (found,) = [
        one.proto for one in app.get("bidi_component") if one.proto.component_name == "case_replay"
    ]
    return json.loads(found.json)


def test_the_projector_is_given_the_slides_and_the_moment_and_no_menu(runner, novelty):
    at = f"{stop(runner, novelty, 'round-1/verdict'):.1f}"
    app = visit("cases", run=novelty.id, at=at, projector="1")
    given = player(app)
    assert (given["full"], given["going"], f"{given['at']:.1f}") == (True, False, at)
    assert given["deck"]["mark"] == "Hand-written texts, not by a model"
    assert not app.title


def test_a_ranking_plays_as_slides_in_its_page(tmp_path, monkeypatch):
    runner, _, run, _ = ranked(tmp_path, {"rank": prefers("a", "Paper", "b", "c")})
    host(monkeypatch, runner)
    app = visit("cases", run=run.id)
    assert not player(app)["full"]
    assert "Play it back" in [link.label for link in links(visit("ranking", run=run.id))]


def test_case_studies_and_finished_runs_are_offered_as_a_page(runner, novelty):
    app = visit("cases")
    assert [one.proto.label for one in app.get("download_button")] == ["Save as HTML"] * 3
    app = visit("cases", run=novelty.id)
    assert "Save as HTML" in [one.proto.label for one in app.get("download_button")]


def test_a_note_for_the_presenter_is_written_where_a_run_is_saved(tmp_path, monkeypatch):
    runner, run = finished(tmp_path)
    host(monkeypatch, runner)

    def page(run_id):
        from components.cases import save
        from components.shell import services

        save._pack(services.store().runs.get(run_id), "x")

    app = AppTest.from_function(page, args=(run.id,), default_timeout=90).run()
    app.button(key=f"x:note:{run.id}:keep").click().run()
    assert "Write the note first." in said(app)
    steps = app.selectbox(key=f"x:note:{run.id}:on")
    steps.select_index(next(n for n, name in enumerate(steps.options) if "revises" in name))
    app.text_area(key=f"x:note:{run.id}:text").set_value("Pause here.")
    app.button(key=f"x:note:{run.id}:keep").click().run()
    (note,) = runner.store.notes.of(run.id)
    assert (note.about, note.text) == ("round-1/idea", "Pause here.")
    assert not app.text_area(key=f"x:note:{run.id}:text").value
    case = open_case(runner.store, pack(runner.store, run.id))
    app = visit("cases", run=case.id, projector="1")
    (slide,) = [one for one in player(app)["deck"]["slides"] if one["notes"]]
    assert (slide["where"], slide["notes"]) == (
        "Round 1",
        ["Pause here. (a person at this screen)"],
    )
