"""Runs on screen: found, read step by step, renamed, put away, forked, taken along."""

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from components.runs import states
from components.runs.steps import grouped
from components.shell.text import elapsed
from core.door import hashed
from core.errors import BadInput
from core.export import document as reports
from core.export.files import export
from core.records import KILLED, Call, Origin, Outcome, Step
from core.story import Story
from tests.conftest import make_run
from tests.support.benchmark.bench_kit import settled_store
from tests.support.scripted import refine_script, refinement, runner_of
from tests.support.visiting import host, links, said, settled, visit


@pytest.fixture
def runner(tmp_path, monkeypatch):
    runner, _ = runner_of(tmp_path, refine_script([True, False, False]))
    host(monkeypatch, runner)
    return runner


@pytest.fixture
def done(runner):
    """A finished refinement."""
    run = refinement(runner, rounds=3)
    assert runner.work(run.id) == "done"
    return run


def resting(store, **config):
    """A run nobody works on."""
    run = make_run(store, **config)
    store.connections.write("UPDATE runs SET state = 'done' WHERE id = ?", run.id)
    return run


@pytest.mark.parametrize(
    ("worked", "took"),
    [
        (0, "under 1 s"),
        (59.9, "59 s"),
        (60, "1 min 0 s"),
        (3_599, "59 min 59 s"),
        (3_630, "1 h 0 min"),
        (86_399, "23 h 59 min"),
        (279_000, "3 d 5 h"),
    ],
)
def test_how_long_a_run_was_worked_on_is_said_in_units_that_can_be_read(store, worked, took):
    assert (
        elapsed(make_run(store).model_copy(update={"state": "done", "worked": float(worked)}))
        == took
    )


def keep_step(store, run, key: str, place: str, **more) -> None:
    whole = {
        "hash": "h",
        "request": {"model": "m", "text": "the task"},
        "status": "done",
        "reply": {"a": 1},
        "origin": Origin(kind="model", name="m"),
        "asked": run.created,
        "ended": run.created,
        **more,
    }
    store.steps.add(Step(run=run.id, key=key, place=place, **whole), 0)


def test_no_runs_says_what_to_do_next(runner):
    app = visit("runs")
    assert "No runs yet" in said(app)
    assert {"Build a chain", "Refine an idea"} <= {link.label for link in links(app)}


def test_a_run_is_listed_with_a_link_that_opens_it(done):
    link = next(link for link in links(visit("runs")) if "A refinement" in link.label)
    assert link.query_string == f"run={done.id}"


def test_filters_come_from_the_address(runner, done):
    make_run(runner.store)
    assert "A refinement" not in said(visit("runs", **{"runs:find": "a test"}))
    assert "A test" not in said(visit("runs", **{"runs:state": "Finished"}))
    assert "No run matches" in said(visit("runs", **{"runs:find": "nowhere"}))


def test_twenty_one_runs_need_a_second_page(runner):
    for _ in range(21):
        make_run(runner.store)
    assert len([link for link in links(visit("runs")) if "A test" in link.label]) == 20
    assert (
        len([link for link in links(visit("runs", **{"runs:page": "2"})) if "A test" in link.label])
        == 1
    )


def test_an_open_run_says_what_was_asked_and_links_to_its_rounds(done):
    app = visit("runs", run=done.id)
    for part in ("sleep and memory", "scripted:one", "Seed", "after 3 rounds"):
        assert part in said(app), part
    assert any(
        "refine" in link.page and link.query_string == f"run={done.id}" for link in links(app)
    )


def test_an_unknown_run_is_a_sentence(runner):
    assert "There is no run" in said(visit("runs", run="nope"))


def test_a_step_from_the_address_shows_request_and_reply(done):
    app = visit("runs", run=done.id, **{"runs:tab": "Steps", "runs:step": "round-1/review"})
    text = said(app)
    assert "Name the mechanism." in text
    assert "100 tokens in, 50 out" in text
    assert "price unknown" in text


def test_only_an_unfolded_group_is_drawn(done):
    app = visit("runs", run=done.id, **{"runs:tab": "Steps"})
    assert "round-0 · 2 steps" in said(app)
    assert not [button for button in app.button if str(button.key).startswith("runs:pick:")]
    assert "round-1 · 5 steps" in said(app)


def test_steps_are_grouped_where_their_paths_part(runner):
    run = resting(runner.store)
    for n, key in enumerate(
        (
            "branch-1/queries",
            "branch-1/paper-1/extract",
            "branch-1/paper-1/rank/score",
            "branch-1/trend",
        )
    ):
        keep_step(runner.store, run, key, f"{n:04}")
    shared, groups = grouped(runner.store.steps.outline(run.id))
    assert shared == 1
    assert {name: len(steps) for name, steps in groups.items()} == {
        "queries": 1,
        "paper-1": 2,
        "trend": 1,
    }
    assert grouped([]) == (0, {})


def test_picking_a_step_opens_it(done):
    app = visit("runs", run=done.id, **{"runs:tab": "Steps", "runs:step": "round-1/review"})
    settled(app.button(key="runs:pick:round-1/verdict").click().run())
    assert "round-1/verdict" in said(app)
    assert '"improved": true' in said(app)


def test_tries_that_were_refused_are_shown_apart(runner):
    run = resting(runner.store)
    refused = Call(
        model="m",
        tokens_in=7,
        tokens_out=3,
        cost=None,
        latency=1.0,
        outcome="truncated at the limit",
        raw="half an ans",
    )
    keep_step(
        runner.store,
        run,
        "draft",
        "0001",
        calls=(refused, refused.model_copy(update={"outcome": "accepted", "raw": ""})),
    )
    text = said(visit("runs", run=run.id, **{"runs:tab": "Steps", "runs:step": "draft"}))
    assert "Try 1: truncated at the limit" in text
    assert "half an ans" in text
    assert "price unknown" in text


def test_thoughts_are_shown_folded_with_their_length_beside_the_reply(runner):
    run = resting(runner.store)
    call = Call(
        model="m",
        latency=1.0,
        outcome="accepted",
        raw="half",
        thoughts="A or B? " * 200,
        tokens_thought=400,
        tokens_in=1_200,
        tokens_out=500,
        tokens_cached=1_000,
    )
    keep_step(
        runner.store,
        run,
        "draft",
        "0001",
        calls=(call.model_copy(update={"outcome": "the answer was empty", "raw": ""}), call),
    )
    app = visit("runs", run=run.id, **{"runs:tab": "Steps", "runs:step": "draft"})
    (folded,) = [
        one
        for one in app.expander
        if one.label == "Reasoning before the answer: 1,600 characters, 400 tokens"
    ]
    assert folded.code[0].value == call.thoughts
    assert not folded.proto.expanded
    assert "Only reasoning came back, no answer." in said(app)
    assert "2,000 of those in from the server's cache" in said(app)


def test_a_failure_the_run_went_on_past_is_no_reply(runner):
    run = resting(runner.store)
    keep_step(
        runner.store,
        run,
        "round-1/search",
        "0001",
        status="failed",
        reply={"kind": "SourceFailed", "message": "503 from the source"},
    )
    app = visit("runs", run=run.id, **{"runs:tab": "Steps", "runs:step": "round-1/search"})
    assert any("503 from the source" in error.value.replace("\\", "") for error in app.error)


def test_hostile_text_stays_text(runner):
    run = resting(
        runner.store, inputs={"topic": "![x](http://evil) <script>alert(1)</script> **bold**"}
    )
    shown = "\n".join(one.value for one in visit("runs", run=run.id).markdown)
    assert "<script>" not in shown
    assert "![x](" not in shown
    assert "**bold**" not in shown


def test_rename_and_tags_are_kept(runner, done):
    app = visit("runs", run=done.id)
    app.text_input(key=f"runs:name:{done.id}").set_value("Better name")
    app.text_input(key=f"runs:tags:{done.id}").set_value("sleep, sleep , pilot")
    settled(next(button for button in app.button if button.label == "Save").click().run())
    run = runner.store.runs.get(done.id)
    assert (run.title, run.tags) == ("Better name", ("sleep", "pilot"))


def saved(app):
    return settled(next(button for button in app.button if button.label == "Save").click().run())


def test_of_name_and_tags_only_what_was_typed_over_is_saved(runner, done):
    runs, name, tags = runner.store.runs, f"runs:name:{done.id}", f"runs:tags:{done.id}"
    runs.change(done.id, tags=("old", "older"))
    mine, theirs = visit("runs", run=done.id), visit("runs", run=done.id)
    theirs.text_input(key=name).set_value("Their name")
    theirs.text_input(key=tags).set_value("old, older, theirs")
    saved(theirs)
    mine.text_input(key=tags).set_value("older, mine")
    saved(mine)
    run = runs.get(done.id)
    assert (run.title, run.tags) == ("Their name", ("older", "theirs", "mine"))
    assert mine.text_input(key=name).value == "Their name"
    assert mine.text_input(key=tags).value == "older, theirs, mine"


def test_a_name_over_another_that_was_saved_meanwhile_is_saved_at_the_second_press(runner, done):
    name = f"runs:name:{done.id}"
    app = visit("runs", run=done.id)
    runner.store.runs.change(done.id, title="Their name")
    app.text_input(key=name).set_value("My name")
    assert "The other is: “Their name”" in said(saved(app))
    assert runner.store.runs.get(done.id).title == "Their name"
    assert app.text_input(key=name).value == "My name"
    assert "The other is" not in said(saved(app))
    assert runner.store.runs.get(done.id).title == "My name"


def test_an_archived_run_is_listed_only_in_the_archive(done):
    app = visit("runs", run=done.id)
    settled(app.button(key="runs:archive").click().run())
    assert "A refinement" not in said(visit("runs"))
    assert "A refinement" in said(visit("runs", **{"runs:archived": "true"}))


def test_delete_asks_says_what_goes_and_keeps_saved_ideas(runner, done):
    from tests.support.scripted import FIRST

    kept = runner.store.ideas.save(FIRST, done.id, "first")
    app = settled(visit("runs", run=done.id).button(key="runs:delete").click().run())
    assert "What goes" in said(app)
    assert runner.store.runs.get(done.id)
    settled(app.button(key="runs:delete-for-good").click().run())
    with pytest.raises(BadInput):
        runner.store.runs.get(done.id)
    assert runner.store.ideas.get(kept).idea == FIRST
    assert "run" not in app.query_params


def test_a_run_that_went_on_while_delete_asked_is_not_deleted(runner):
    run = refinement(runner, rounds=3)
    runner.store.connections.write("UPDATE runs SET state = 'stopped' WHERE id = ?", run.id)
    app = settled(visit("runs", run=run.id).button(key="runs:delete").click().run())
    runner.resume(run.id)
    runner.wait(run.id, 20)
    now = runner.store.runs.get(run.id)
    app = settled(app.button(key="runs:delete-for-good").click().run())
    assert f"and holds {now.steps} steps and {now.calls} calls now" in said(app)
    assert runner.store.runs.get(run.id) == now
    app = settled(app.button(key="runs:delete").click().run())
    settled(app.button(key="runs:delete-for-good").click().run())
    assert not runner.store.runs.listed()


def test_a_run_that_is_at_work_as_delete_is_pressed_is_not_deleted(runner):
    run = refinement(runner)
    runner.store.connections.write("UPDATE runs SET state = 'stopped' WHERE id = ?", run.id)
    app = settled(visit("runs", run=run.id).button(key="runs:delete").click().run())
    runner.enqueue(run.id)
    app = settled(app.button(key="runs:delete-for-good").click().run())
    assert f"run {run.id} is queued. Stop it first." in said(app)
    assert runner.store.runs.get(run.id).state == "queued"


def test_what_a_benchmark_was_asked_stands_there_in_words(runner):
    run = settled_store(
        runner.store,
        keywords=("erosion", "rain"),
        models=("openai:a",),
        judges=("openai:c", "openai:d", "openai:e"),
        judges_each=2,
        topic="Small one",
    )
    app = visit("runs", run=run.id)
    text = said(app)
    assert "Test keywords: all 2" in text
    assert "2 judges for each idea, drawn from openai:c, openai:d, openai:e" in text
    assert not {"Limits", "Source", "Entrant-1 model"} & set(text.splitlines())
    assert run.config.inputs["keywords"] not in text
    assert [tab.label for tab in app.tabs] == ["Settings", "Steps", "Export"]
    renamed = said(visit("runs", run=run.id, **{"runs:tab": "What was asked"}))
    assert "Test keywords: all 2" in renamed, "an address from before opens the tab"


def test_a_run_that_is_gone_is_said_with_the_way_on(runner):
    for page, label in (
        ("runs", "All runs"),
        ("benchmark", "All benchmarks"),
        ("chains", "All chains"),
        ("refine", "All refinements"),
        ("checklist", "All checklist evolutions"),
        ("ranking", "All rankings"),
        ("experiments", "All experiments"),
        ("arena", "All arenas"),
    ):
        app = visit(page, run="abcd1234")
        assert "There is no run abcd1234 here. It was deleted" in said(app)
        assert "python -m" not in said(app)
        assert label in {link.label for link in links(app)}


def test_what_goes_of_a_benchmark_are_answers(runner):
    run = settled_store(runner.store)
    app = settled(visit("runs", run=run.id).button(key="runs:delete").click().run())
    assert "28 answers, its ideas, judgments and comparisons, the record of 28 calls" in said(app)


def test_a_fork_takes_over_what_came_before_and_is_opened(runner, done):
    app = visit("runs", run=done.id, **{"runs:tab": "Forks"})
    settled(app.selectbox(key=f"runs:fork-at:{done.id}").select("round-2/revise").run())
    before = [step.key for step in runner.store.steps.outline(done.id)].index("round-2/revise")
    assert f"taken over for free: {before} steps" in said(app)
    settled(app.button(key="runs:fork").click().run())
    (fork,) = runner.store.runs.children(done.id)
    assert (fork.parent, fork.fork_at) == (done.id, "round-2/revise")
    assert app.query_params["run"] == fork.id
    assert any(link.query_string == f"run={done.id}" for link in links(app))


def test_a_fork_can_change_the_prompt_of_its_step_and_no_other(runner, done):
    app = visit("runs", run=done.id, **{"runs:tab": "Forks"})
    settled(app.selectbox(key=f"runs:fork-at:{done.id}").select("round-2/revise").run())
    area = app.text_area(key="runs:fork-text:revise")
    settled(area.set_value(area.value + "\nBe brief.").run())
    settled(app.button(key="runs:fork").click().run())
    (fork,) = runner.store.runs.children(done.id)
    changed = {
        name for name, sha in fork.config.prompts.items() if sha != done.config.prompts[name]
    }
    assert changed == {"revise"}
    assert runner.store.library.prompt(fork.config.prompts["revise"]).endswith("Be brief.")


def test_a_fork_with_a_model_nobody_has_is_a_sentence(runner, done, monkeypatch):
    def refuse(name: str):
        raise BadInput(f"There is no model {name!r}.")

    app = visit("runs", run=done.id, **{"runs:tab": "Forks"})
    settled(app.selectbox(key=f"runs:fork-at:{done.id}").select("round-2/revise").run())
    monkeypatch.setattr(runner.workshop, "model", refuse)
    settled(app.button(key="runs:fork").click().run())
    assert "There is no model" in said(app)
    assert runner.store.runs.children(done.id) == []


def test_an_active_run_shows_progress_and_can_be_stopped(runner):
    run = refinement(runner)
    app = visit("runs", run=run.id)
    assert "Queued" in said(app)
    settled(app.button(key="runs:stop").click().run())
    assert runner.store.runs.get(run.id).state == "stopped"


def test_export_offers_every_file(done):
    labels = [
        button.proto.label
        for button in visit("runs", run=done.id, **{"runs:tab": "Export"}).main.get(
            "download_button"
        )
    ]
    reports, papers = ["Markdown", "Word", "PDF", "HTML"], ["BibTeX", "RIS", "CSL-JSON"]
    assert labels == [*reports, "JSON bundle", "Plays by itself (HTML)", *papers]


@pytest.mark.parametrize(
    ("model", "expected"), [("openai:nobody-knows-me", 1_000_000), ("openai:gpt-4o-mini", None)]
)
def test_an_emptied_token_cap_means_no_cap_only_where_the_price_is_known(
    runner, monkeypatch, model, expected
):
    run = make_run(runner.store, models={"main": model, "cheap": model}, cap_tokens=100)
    runner.store.connections.write("UPDATE runs SET state = 'capped' WHERE id = ?", run.id)
    monkeypatch.setattr(runner, "start", lambda _: None)
    monkeypatch.setattr(st, "session_state", {"k:usd": None, "k:tokens": None})
    states._go_on(run, "k")
    assert runner.store.runs.caps(run.id) == (None, expected)


def test_caps_of_a_run_that_went_on_since_the_page_was_drawn_stay(runner):
    run = refinement(runner)
    runner.store.runs.change(run.id, cap_usd=1.0)
    runner.store.connections.write("UPDATE runs SET state = 'capped' WHERE id = ?", run.id)
    app = visit("runs", run=run.id)
    runner.resume(run.id, cap_usd=50.0)
    runner.wait(run.id, 20)
    app = settled(app.button(key="runs:go-on").click().run())
    assert "is finished" in app.toast[0].value
    assert runner.store.runs.caps(run.id)[0] == 50.0


def test_a_reply_half_written_is_drawn_whatever_its_entries_are(runner):
    def page():
        from components.runs import writing

        writing.fields({"changes": [1, 2, ["a"], {"passage": "the passage"}, "text"]})

    drawn = settled(AppTest.from_function(page).run())
    assert said(drawn).split("\n") == [
        "**Changes**",
        "- 1",
        "- 2",
        "- ['a']",
        "- the passage",
        "- text",
    ]


def test_of_a_reply_that_has_no_end_the_beginning_is_drawn(runner):
    def page():
        from components.runs import writing

        writing.fields({"changes": ["a"] * 1_500} | {f"f{n}": "text" for n in range(400)})

    drawn = said(settled(AppTest.from_function(page).run())).split("\n")
    assert drawn[1:203] == [*["- a"] * 200, "- and 1,300 more", "**F0.** text"]
    assert drawn[-1] == "**F198.** text"


def test_a_failure_said_in_passing_is_text(runner):
    run = make_run(runner.store)
    runner.store.runs.add(run.model_copy(update={"id": "![x](y)", "parent": run.id}), "nobody|1|1")

    def page(run_id):
        from components.runs import marks as run_marks
        from components.shell import services

        store = services.store()
        run = store.runs.get(run_id)
        run_marks._delete(run_id, store.runs.extent(run))
        run_marks.draw(run)

    (error,) = settled(AppTest.from_function(page, args=(run.id,)).run()).error
    assert "its fork \\!\\[x\\]\\(y\\) is not finished" in error.value


def test_what_may_have_been_paid_and_what_nobody_reported_is_said_beside_the_calls(runner, done):
    told = Call(
        model="m", tokens_in=900, tokens_out=100, cost=0.01, latency=0.5, outcome="accepted"
    )
    lost = Call(model="m", latency=0.0, outcome=KILLED, tokens_expected=4_321)
    runner.store.steps.book(done.id, "draft", (told, lost), runner.store.runs.get(done.id).epoch)
    run = runner.store.runs.get(done.id)
    shown = said(visit("runs", run=done.id))
    assert f"{run.calls} calls, of which 1 may have been paid for: the reply was lost" in shown
    assert (
        f"at least {run.tokens_in + run.tokens_out:,} tokens, 1 of {run.calls} calls unreported"
        in shown
    )
    export(runner.store, run.id, runner.store.folder / "run.md")
    report = (runner.store.folder / "run.md").read_text()
    assert "1 of them may have been paid for: the reply was lost" in report
    assert (
        f"at least {run.tokens_in:,} tokens in, {run.tokens_out:,} out, 1 of {run.calls} calls"
        " unreported" in report
    )
    document = reports.document(runner.store, run.id)
    assert (document["calls_maybe_paid"], document["calls_unreported"], document["tokens"]) == (
        1,
        1,
        {"in": run.tokens_in, "out": run.tokens_out},
    )


def test_a_broken_off_call_shows_no_numbers_nobody_reported(runner, done):
    call = Call(model="m", latency=0.5, outcome="broken off", raw="half", tokens_expected=4_321)
    runner.store.steps.book(done.id, "draft", (call,), runner.store.runs.get(done.id).epoch)
    shown = said(visit("runs", run=done.id, **{"runs:tab": "Steps"}))
    assert "m · tokens not reported · price unknown" in shown
    assert "4,321" not in shown


def test_a_link_to_read_a_run_is_shown_once_and_taken_back(runner, monkeypatch):
    monkeypatch.setattr("components.shell.clicks.TWICE", 90.0)
    run = refinement(runner)
    app = visit("runs", run=run.id, **{"runs:tab": "Export"})
    app = settled(app.button(key="reading:make").click().run())
    (address,) = [one.value for one in app.code if "/read?link=" in one.value]
    link = address.partition("link=")[2]
    assert runner.store.readings.run_of(hashed(link)) == run.id
    assert "/read?link=" not in " ".join(
        one.value for one in visit("runs", run=run.id, **{"runs:tab": "Export"}).code
    )
    (held,) = runner.store.readings.of(run.id)
    app = settled(app.button(key=f"reading:back:{held.id}").click().run())
    assert runner.store.readings.of(run.id) == []
    app = settled(app.button(key="reading:make").click().run())
    (another,) = [one.value for one in app.code if "/read?link=" in one.value]
    assert runner.store.readings.run_of(hashed(another.partition("link=")[2])) == run.id


def test_runs_of_one_topic_are_told_apart_by_the_idea_they_came_to(runner, done):
    other = refinement(runner, rounds=3)
    assert runner.work(other.id) == "done"
    idea = Story.of(runner.store, done.id).last(Outcome).idea.title
    assert said(visit("runs")).count(f":material/lightbulb: {idea}") == 2
    app = visit("refine")
    options = [one for one in app.selectbox(key="refine:from").options if idea in one]
    assert len(set(options)) == 2
    assert {run.id for run in (done, other)} == {one.rpartition(" · ")[2] for one in options}


def test_what_a_run_was_asked_for_has_the_names_of_the_forms(done):
    shown = said(visit("runs", run=done.id, **{"runs:tab": "Settings"}))
    assert "when 2 verdicts in a row saw no significant improvement, or after 3 rounds" in shown
    assert "Variant" in shown
    for name in ("max rounds", "max_rounds", "Step in", "infal:"):
        assert name not in shown


def test_an_entry_that_has_only_begun_is_no_empty_bullet():
    def page():
        from components.runs import writing
        from core.store.steps import Partial

        text = '{"remarks": [{"id": "r1", "text": "Too broad."}, {"id": "r2"}, {"text": ""}, ""'
        writing.draw(Partial(key="round-1/review", text=text, note="", updated=""))

    shown = said(settled(AppTest.from_function(page).run()))
    assert [line for line in shown.splitlines() if line.startswith("-")] == ["- r1: Too broad."]
