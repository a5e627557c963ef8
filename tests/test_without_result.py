"""A finished run that came to nothing is nowhere shown as one that has a result."""

import json

import pytest

from components.runs.states import PAGES, badge
from core.__main__ import main
from core.export.document import sum_up
from core.export.files import export
from core.methods import Looking
from core.records import Run
from core.runs.catalogue import lack
from core.runs.runner import Runner
from core.store import Store
from tests.support import stored, sweep_kit
from tests.support.arena_kit import METHODS, arena_shop, entries, entry, formed, held, one_paragraph
from tests.support.benchmark import bench_kit
from tests.support.scripted import configured, runner_of
from tests.support.visiting import host, said, visit

GREEN = ":green-badge"
NOTHING = "Finished without a result"
STATES = ("queued", "running", "waiting", "capped", "stopped", "interrupted", "failed", "done")


def unusable(_):
    return "no JSON at all"


def barren(store: Store, run: Run, state: str) -> str:
    """Keep a run that was asked for the same in a state of its own, and that has nothing to
    show.
    """
    moment = {
        "ended": run.ended if state in ("done", "failed") else None,
        "reason": "It broke." if state == "failed" else "",
    }
    made = run.model_copy(
        update={
            "id": f"{run.id}{state[:4]}",
            "state": state,
            "title": f"Barren {state}",
            "steps": 0,
            **moment,
        }
    )
    store.runs.add(made, "elsewhere|1|1")
    store.connections.write(
        "UPDATE runs SET ended = ?, heartbeat = 9e12 WHERE id = ?", moment["ended"], made.id
    )
    return made.id


@pytest.fixture(scope="module")
def mixed(tmp_path_factory):
    """Return a store with an ended run of each kind, and of each kind one in every state that has
    nothing to show.
    """
    with stored.opened("edition-2", tmp_path_factory.mktemp("mixed")) as (runner, _, known):
        ended = {kind: made["ended"] for kind, made in known.items() if "ended" in made}
        nothing = {
            kind: {
                state: barren(runner.store, runner.store.runs.get(run), state) for state in STATES
            }
            for kind, run in ended.items()
        }
        yield runner, ended, nothing


@pytest.mark.parametrize("kind", stored.KINDS)
def test_only_a_run_with_a_result_is_green_in_words_and_in_files(
    mixed, monkeypatch, tmp_path, kind
):
    runner, ended, nothing = mixed
    host(monkeypatch, runner)
    good = runner.store.runs.get(ended[kind])
    assert lack(runner.store, good) == ""
    assert GREEN in badge(good)
    assert sum_up(runner.store, good)["result"] is True
    for state, run_id in nothing[kind].items():
        run = runner.store.runs.get(run_id)
        assert GREEN not in badge(run)
        told = sum_up(runner.store, run)
        assert told["result"] is (False if state == "done" else None)
        assert bool(told["reason"]) == (state in ("done", "failed"))
    if kind != "session":
        export(runner.store, nothing[kind]["done"], tmp_path / "told.md")
        assert "done, without a result" in (tmp_path / "told.md").read_text("utf-8")


@pytest.mark.parametrize("kind", stored.KINDS)
def test_its_own_screen_and_its_page_of_steps_say_that_it_has_no_result(mixed, monkeypatch, kind):
    runner, _, nothing = mixed
    host(monkeypatch, runner)
    run = runner.store.runs.get(nothing[kind]["done"])
    pages = {
        "runs",
        *(
            PAGES[method].removeprefix("pages/").removesuffix(".py")
            for method in [run.config.method]
            if method in PAGES
        ),
    }
    for page in pages:
        app = visit(page, run=run.id)
        assert NOTHING in said(app), page
        assert f"{GREEN}[:material/check_circle: Finished" not in said(app), page


@pytest.mark.parametrize(
    "page", ["", "runs", "experiments", "benchmark", "arena", "ranking", "cases"]
)
def test_lists_show_no_green_badge_where_nothing_has_a_result(mixed, monkeypatch, page):
    runner, _, _ = mixed
    others = [
        run.id for run in runner.store.runs.listed(limit=500) if not run.title.startswith("Barren")
    ]
    for run_id in others:
        runner.store.runs.change(run_id, archived=True)
    try:
        host(monkeypatch, runner)
        text = said(visit(page) if page else home())
        assert f"{GREEN}[:material/check_circle: " not in text
        assert page == "cases" or NOTHING in text
    finally:
        for run_id in others:
            runner.store.runs.change(run_id, archived=False)


def home():
    from streamlit.testing.v1 import AppTest

    from tests.support.visiting import ROOT, settled

    return settled(AppTest.from_file(str(ROOT / "app.py"), default_timeout=90).run())


def test_the_command_line_lists_it_apart(mixed, capsys):
    runner, ended, nothing = mixed
    assert main(["runs", "--limit", "500", "--data", str(runner.store.folder)]) == 0
    rows = {row.split()[0]: row for row in capsys.readouterr().out.splitlines()}
    assert all(" done " in rows[run] for kind, run in ended.items())
    assert all(
        "no result" in rows[made["done"]] and " done " not in rows[made["done"]]
        for made in nothing.values()
    )
    assert (
        main(["show", nothing["arena"]["done"], "--json", "--data", str(runner.store.folder)]) == 0
    )
    shown = json.loads(capsys.readouterr().out)
    assert (shown["state"], shown["result"]) == ("done", False)
    assert shown["reason"] == "No match came to a judgment, and nobody has voted."


# -- runs that were really worked on -----------------------------------------------------------


def test_an_experiment_whose_cells_all_failed_is_not_green(tmp_path, monkeypatch):
    runner, _ = sweep_kit.runner_of(tmp_path, {"first-idea": unusable})
    run = sweep_kit.experiment(runner)
    assert runner.work(run.id) == "done"
    host(monkeypatch, runner)
    assert (
        lack(runner.store, run := runner.store.runs.get(run.id))
        == "None of its cells came to a result."
    )
    assert GREEN not in badge(run)
    assert NOTHING in said(visit("experiments", run=run.id))


def test_an_experiment_none_of_whose_ideas_was_ranked_is_not_green(tmp_path, monkeypatch):
    runner, _ = sweep_kit.runner_of(tmp_path, {"rank": unusable})
    run = sweep_kit.experiment(runner)
    assert runner.work(run.id) == "done"
    host(monkeypatch, runner)
    assert GREEN not in badge(runner.store.runs.get(run.id))


def test_a_benchmark_in_which_every_model_was_refused_is_not_green(tmp_path, monkeypatch):
    refusing = {"bench-idea": refused, "bench-idea-again": refused}
    shop = bench_kit.shop_of(tmp_path, dict.fromkeys(bench_kit.MODELS, refusing))
    run = bench_kit.worked(shop)
    host(monkeypatch, Runner(shop))
    assert (run.state, lack(shop.store, run)) == (
        "done",
        "No model gave an idea that could be used.",
    )
    assert GREEN not in badge(run)


def refused(_):
    return "I'm sorry, but I cannot help with that."


def test_an_arena_in_which_no_match_could_be_played_is_not_green(tmp_path, monkeypatch):
    """One of two texts could not be brought into the common form: nothing is left to compare."""
    runner, _ = arena_shop(
        tmp_path,
        {"six-fields": lambda r: "no JSON" if METHODS[0] in r.values["idea"].text else formed(r)},
    )
    host(monkeypatch, runner)
    lone = tuple(
        entry(runner.store, method, "naps", one_paragraph(f"By {method}, on naps."))
        for method in METHODS[:2]
    )
    run = held(runner, lone)
    assert lack(runner.store, run) == "No match came to a judgment, and nobody has voted."
    assert GREEN not in badge(run)
    assert NOTHING in said(visit("arena", run=run.id))


def test_a_look_up_that_found_nothing_is_not_green(tmp_path, monkeypatch):
    runner, _ = runner_of(tmp_path, {})
    run = runner.begin(configured(runner, "find", Looking(topic="quasars and cheese")), "A look-up")
    assert runner.work(run.id) == "done"
    host(monkeypatch, runner)
    assert lack(runner.store, run := runner.store.runs.get(run.id)) == "No paper was found."
    assert GREEN not in badge(run)


def test_an_arena_open_for_votes_is_not_green_before_the_first(tmp_path, monkeypatch):
    runner, _ = arena_shop(tmp_path)
    host(monkeypatch, runner)
    run = held(runner, entries(runner.store, METHODS[:2], ("naps",)), people_only=True)
    assert (run.state, lack(runner.store, run)) == ("done", "Nobody has voted yet.")
    assert GREEN not in badge(run)
