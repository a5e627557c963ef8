"""The benchmark page: what there is, beginning one, and a benchmark as it goes on, rests, fails and
ends.
"""

import pytest
from streamlit.runtime.state.query_params import QueryParams

from components.benchmark import progress as bench_progress
from components.benchmark import words as bench_words
from components.benchmark.form import keywords as bench_form_keywords
from components.benchmark.form.keywords import changed
from components.benchmark.view import VIEWS
from components.runs.states import badge
from core.benchmark.conducting.doing import CALLS
from core.benchmark.progress import Pace, progress
from core.errors import PAUSED, ModelFailed
from core.records import Call, Keyword, KeywordList, Sampling
from core.runs.runner import Runner
from core.store import account
from core.store.connection import Connections
from tests.support.benchmark.bench_kit import JUDGES, MODELS, settled_store, shop_of, small
from tests.support.visiting import host, links, said, settled, visit

TYPED = "Erosion\nMeiosis\nerosion\n"


@pytest.fixture
def runner(tmp_path, monkeypatch):
    """Return a runner whose pages start nothing by themselves: tests work on runs when they want
    to.
    """
    runner = Runner(shop_of(tmp_path))
    host(monkeypatch, runner)
    monkeypatch.setattr(runner, "start", lambda run_id: None)
    for role in ("main", "cheap", "generator"):
        runner.store.places.choose(f"model-{role}", MODELS[0])
    runner.store.places.choose("model-judge", JUDGES[0])
    return runner


def new(**typed):
    """Open the form with models and judges chosen, and two keywords of one's own typed."""
    app = visit("benchmark", section="new")
    app.segmented_control(key="bench:source").set_value("own").run()
    app.text_area(key="bench:typed").set_value(typed.get("keywords", TYPED))
    app.multiselect(key="bench:models").set_value(list(typed.get("models", MODELS)))
    app.multiselect(key="bench:judges").set_value(list(typed.get("judges", JUDGES)))
    return settled(app.run())


def begun(runner):
    return runner.store.runs.listed(method="bench")


# -- what there is -----------------------------------------------------------------------------


def test_an_empty_list_says_what_to_do(runner):
    assert "No benchmark yet" in said(visit("benchmark"))


def test_the_list_says_state_counts_and_the_mean_of_all_scores(runner):
    settled_store(
        runner.store,
        score=lambda *_: (9, 5, 7),
        fluency=lambda *_: 10,
        topic="Small one",
        lost=lambda kind, model, keyword, n, m: (
            "NoUsableAnswer" if (kind, keyword, m) == ("judge", "erosion", 1) else ""
        ),
    )
    text = said(visit("benchmark"))
    assert "Small one" in text
    assert "originality **9.0** · feasibility **5.0** · clarity **7.0** · fluency **10.0**" in text
    assert "24 of 28 answers" in text
    assert "4 failed" in text
    settled_store(
        runner.store,
        topic="Refused",
        lost=lambda kind, model, keyword, n, m: (
            "refused" if (kind, model, keyword, n) == ("idea", "openai:a", "erosion", 1) else ""
        ),
    )
    assert "24 of 25 answers" in said(visit("benchmark")), (
        "two judgments and a comparison of what is excluded are not needed"
    )


def test_the_time_left_says_that_calls_wait(runner):
    run = settled_store(runner.store, left=1, state="running")
    far = progress(runner.store, run).model_copy(update={"pace": Pace(600.0, 0.1)})
    assert (
        bench_progress._left(run, far)
        == "14 answers left: less than a minute at the pace of the last minutes."
    )
    runner.store.steps.write_partial(run.id, CALLS, "", "16 calls wait: a busy server", run.epoch)
    assert bench_progress._left(run, far).endswith(
        "at the pace of the last minutes, once no call waits any more."
    )


def test_a_run_that_was_paused_is_not_said_to_be_stopped(runner):
    run = settled_store(runner.store, left=1, state="stopped")
    assert [
        "Stopped" in badge(run),
        "Paused" in badge(run.model_copy(update={"reason": PAUSED})),
    ] == [True, True]


def test_a_link_to_a_section_opens_it(runner):
    assert visit("benchmark", section="new").text_input(key="bench:name")


# -- the form ----------------------------------------------------------------------------------


def test_the_form_says_what_it_will_be_and_what_it_takes(runner):
    text = said(new())
    assert (
        "2 models × 2 keywords × (2 ideas × (1 + 3 judges) + 1 comparison) = **36 calls**" in text
    )
    assert "no price is listed for openai:a" in text
    assert "16 calls at once for openai, 6.0 s a call (assumed)" in text
    assert "1 row was left out, because the keyword is there already" in text


def test_starting_freezes_what_was_chosen_and_opens_the_benchmark(runner):
    app = new()
    app.text_input(key="bench:name").set_value("Mine")
    app.multiselect(key="bench:marked").set_value([MODELS[1]])
    app.number_input(key="bench:each").set_value(2)
    app.number_input(key="bench:temperature").set_value(1.2)
    app.number_input(key="bench:max-tokens").set_value(100)
    app.number_input(key="bench:seed").set_value(11)
    app.number_input(key="bench:limit:openai").set_value(3)
    settled(app.button(key="bench:go").click().run())
    (run,) = begun(runner)
    inputs = run.config.inputs
    assert (run.title, run.config.seed, inputs["judges_each"], inputs["limits"]) == (
        "Mine",
        11,
        2,
        {"openai": 3},
    )
    assert run.config.sampling == Sampling(temperature=1.2, max_tokens=100)
    assert [(one["model"], one["marked"]) for one in inputs["models"]] == [
        (MODELS[0], False),
        (MODELS[1], True),
    ]
    assert run.config.cap_tokens
    assert app.query_params["run"] == run.id
    assert "2 keywords × 2 models × 2 ideas, 2 judges an idea from a panel of 3" in said(app)
    assert runner.work(run.id) == "done"
    assert [one.text for one in runner.store.benchmarks.keywords(run.id)] == ["Erosion", "Meiosis"]


def test_fewer_tokens_an_answer_are_fewer_in_what_it_will_take(runner):
    app = new()
    assert "about **25,000**" in said(app)
    app.number_input(key="bench:max-tokens").set_value(100)
    assert "about **20,000**" in said(settled(app.run()))


def test_of_typed_keywords_and_a_file_the_last_is_used_and_the_other_is_said_not_to_be(runner):
    app = new()
    file = app.file_uploader(key="bench:keywords-file")
    file.upload("mine.txt", b"rain\nsnow\nhail\n", "text/plain")
    text = said(settled(app.run()))
    assert "3 keywords. **What is typed is not used.**" in text
    app.text_area(key="bench:typed").set_value("Erosion\nMeiosis").run()
    assert "Typed keywords: 2 keywords. **The file mine.txt is not used.**" in said(app)
    app.text_area(key="bench:typed").set_value("").run()
    assert "2 models × 3 keywords" in said(settled(app))


def test_where_no_model_can_be_reached_the_form_says_so(runner):
    app = visit("benchmark", section="new")
    assert "No language model can be reached" in said(app)
    assert "Connect a language model" in {link.label for link in links(app)}


def test_a_page_says_its_address_again_only_where_it_changed_on_the_page_itself(
    runner, monkeypatch
):
    run, other = (settled_store(runner.store, topic=name) for name in ("One", "Other"))
    sent = []
    monkeypatch.setattr(
        QueryParams, "_send_query_param_msg", lambda self: sent.append(self.to_dict())
    )
    app = visit("benchmark", run=run.id)
    assert not sent, (
        "before the browser has changed the page, it would put it under the page that is left"
    )
    app.query_params["run"] = other.id
    sent.clear()
    settled(app.run())
    assert {"run": other.id} in sent


def test_without_a_name_it_is_called_as_its_keywords_are(runner):
    app = new()
    settled(app.button(key="bench:go").click().run())
    (typed,) = begun(runner)
    app = visit("benchmark", section="new")
    app.multiselect(key="bench:judges").set_value(list(JUDGES)).run()
    settled(app.button(key="bench:go").click().run())
    shipped = begun(runner)[0]
    assert (typed.title, shipped.title) == (
        "Typed keywords",
        "LiveIdeaBench, December 2024, first 10",
    )
    assert (
        len(runner.store.frozen.get(shipped.config.inputs["keywords"], KeywordList).keywords)
        == 1_180
    ), "the whole list is kept, as the command line does"


def test_a_double_click_starts_one_benchmark(runner):
    app = new()
    app.button(key="bench:go").click().run()
    again = new()
    again.session_state["bench:begun"] = app.session_state["bench:begun"]
    settled(again.button(key="bench:go").click().run())
    assert len(begun(runner)) == 1


def test_too_few_judges_are_said_before_anything_starts(runner):
    app = new(judges=[JUDGES[0], JUDGES[1], MODELS[0]])
    assert "only 2 of the panel may judge 'openai:a'" in said(app)
    settled(app.button(key="bench:go").click().run())
    assert not begun(runner)


def test_a_model_that_cannot_be_opened_or_cannot_judge_is_said(runner, monkeypatch):
    monkeypatch.setattr(
        runner.workshop.named[JUDGES[2]], "answers", lambda prompt: prompt == "bench-idea"
    )
    app = new(models=[*MODELS, "openai:nobody"])
    assert "There is no model 'openai:nobody' in this test." in said(app)
    assert "openai:e cannot judge ideas" in said(app)
    settled(app.button(key="bench:go").click().run())
    assert not begun(runner)


@pytest.mark.parametrize(
    ("judge", "says"),
    [
        (MODELS[0], "No model judges its own ideas, and no other one was found."),
        (JUDGES[0], "2 ideas × (1 + 1 judge)"),
    ],
)
def test_what_the_form_proposes_can_be_started_as_it_is(runner, judge, says):
    runner.store.places.choose("model-judge", judge)
    app = visit("benchmark", section="new")
    assert says in said(app)
    settled(app.button(key="bench:go").click().run())
    (run,) = begun(runner)
    judges = [one["model"] for one in run.config.inputs["judges"]]
    assert judges == ([judge] if judge == JUDGES[0] else [])


def test_with_the_built_in_model_alone_the_form_says_what_is_possible(runner):
    for role in ("judge", "generator"):
        runner.store.places.choose(f"model-{role}", "builtin")
    app = visit("benchmark", section="new")
    assert app.segmented_control(key="bench:way").value == "nobody"
    assert "The built-in model can write ideas and cannot judge any." in said(app)


def test_without_judges_it_is_said_that_there_will_be_no_scores(runner):
    app = new()
    app.segmented_control(key="bench:way").set_value("nobody").run()
    assert "there will be no scores" in said(app)
    assert "2 models × 2 keywords × 2 ideas = **8 calls**" in said(app)


def test_departures_from_the_papers_rules_are_said_and_allowed(runner):
    assert "The panel has 3 judges; the paper's has 10." in said(new())


def test_a_panel_is_formed_from_a_ranking(runner):
    app = new()
    app.segmented_control(key="bench:way").set_value("ranking").run()
    assert "Bring a general ranking, or pick the judges." in said(app)
    app.file_uploader(key="bench:ranking-file").upload(
        "r.csv",
        b"model,score,organisation,base\nopenai:c,9,X,c\nopenai:d,8,Y,d\nopenai:e,7,Z,e\n"
        b"openai:f,6,Z,e\n",
        "text/csv",
    ).run()
    app.number_input(key="bench:size").set_value(3).run()
    settled(app.button(key="bench:go").click().run())
    (run,) = begun(runner)
    assert [(one["model"], one["rank"]) for one in run.config.inputs["judges"]] == [
        ("openai:c", 9.0),
        ("openai:d", 8.0),
        ("openai:e", 7.0),
    ]


def test_the_papers_keywords_come_first_ones_or_as_a_sample_by_seed(runner):
    app = visit("benchmark", section="new")
    app.multiselect(key="bench:judges").set_value(list(JUDGES)).run()
    assert "1 model × 10 keywords" in said(app)
    key = next(one.key for one in app.segmented_control if str(one.key).startswith("bench:which"))
    app.segmented_control(key=key).set_value("sample").run()
    app.number_input(key="bench:sample").set_value(5)
    settled(app.button(key="bench:go").click().run())
    (run,) = begun(runner)
    assert runner.work(run.id) == "done"
    kept = runner.store.benchmarks.keywords(run.id)
    assert (len(kept), run.title) == (10, "LiveIdeaBench, December 2024, 10 by chance (seed 5)")
    assert all(one.domain and one.by == "published" for one in kept)


def test_a_few_keywords_of_each_domain_can_be_taken(runner):
    app = visit("benchmark", section="new")
    app.segmented_control(key="bench:which:LiveIdeaBench, December 2024").set_value("domains").run()
    app.multiselect(key="bench:only:LiveIdeaBench, December 2024").set_value(
        ["Physics", "Chemistry"]
    )
    app.number_input(key="bench:each-of:LiveIdeaBench, December 2024").set_value(3).run()
    assert [one.label for one in app.expander if "keywords and their domains" in one.label] == [
        "6 keywords and their domains"
    ]


def test_a_ranking_that_cannot_be_read_leaves_none_of_an_earlier_file(runner):
    app = new()
    app.segmented_control(key="bench:way").set_value("ranking").run()
    app.file_uploader(key="bench:ranking-file").upload(
        "r.csv", b"model,score\nopenai:c,9\n", "text/csv"
    ).run()
    assert "1 model ranked" in said(app)
    app.file_uploader(key="bench:ranking-file").upload(
        "bad.csv", b"model,score\nopenai:c,high\n", "text/csv"
    ).run()
    assert "'high' is not a number" in said(app)
    assert "ranked" not in said(app).replace("general ranking", "")


def test_a_guess_is_said_as_a_guess():
    assert [bench_words.round_off(n) for n in (7, 99, 104, 76_702, 279_450)] == [
        "7",
        "99",
        "100",
        "77,000",
        "280,000",
    ]
    assert [bench_words.duration(minutes) for minutes in (0.4, 3, 600)] == [
        "less than a minute",
        "about 3 minutes",
        "about 10.0 hours",
    ]


def test_what_was_typed_survives_another_page(runner):
    app = new()
    app.text_input(key="bench:name").set_value("Kept").run()
    app.switch_page("pages/runs.py").run()
    app.switch_page("pages/benchmark.py")
    app.query_params["section"] = "new"
    settled(app.run())
    assert app.text_input(key="bench:name").value == "Kept"
    assert app.text_area(key="bench:typed").value == TYPED
    assert app.multiselect(key="bench:models").value == list(MODELS)
    assert "= **36 calls**" in said(app)


# -- one benchmark -----------------------------------------------------------------------------


def test_a_benchmark_that_waits_shows_what_is_left(runner):
    run = small(runner.workshop)
    text = said(visit("benchmark", run=run.id))
    assert "Queued" in text
    assert "4 left" in text


def test_a_finished_benchmark_shows_its_counts_model_by_model(runner):
    run = small(runner.workshop)
    assert runner.work(run.id) == "done"
    app = visit("benchmark", run=run.id, view="progress")
    assert [one.proto.text for one in app.get("progress")] == [
        "100% of the answers done. Nothing is left to ask."
    ]
    rows = next(one.value for one in app.dataframe if "Judgments" in one.value)
    assert rows[["Model", "Ideas", "Judgments", "Comparisons", "Done", "Left"]].to_dict(
        "records"
    ) == [
        {"Model": name, "Ideas": 100, "Judgments": 100, "Comparisons": 100, "Done": 14, "Left": 0}
        for name in ("a", "b")
    ]


def test_a_finished_benchmark_opens_on_its_results_and_stays_where_one_watches(runner):
    run = small(runner.workshop)
    app = visit("benchmark", run=run.id)
    labels = [tab.label for tab in app.tabs]
    assert labels[0] == "Progress"
    assert runner.work(run.id) == "done"
    assert [tab.label for tab in settled(app.run()).tabs][: len(labels)] == labels
    anew = visit("benchmark", run=run.id)
    assert anew.tabs[0].label == "Results"
    assert "Leaderboard" in said(anew)
    assert "view" not in anew.query_params


def test_a_finished_benchmark_without_judges_opens_on_its_ideas(runner):
    run = settled_store(runner.store, judges=())
    assert visit("benchmark", run=run.id).tabs[0].label == "Ideas"


def test_what_failed_is_listed_with_its_reason_and_can_be_asked_again(runner):
    became = {
        ("judge", "openai:a", "erosion", 1): "NoUsableAnswer",
        ("idea", "openai:b", "meiosis", 2): "refused",
    }
    run = settled_store(
        runner.store,
        lost=lambda kind, model, keyword, n, m: became.get((kind, model, keyword, n), ""),
    )
    app = visit("benchmark", run=run.id, view="progress")
    assert "2 answers failed" in said(app)
    assert "1 idea excluded" in said(app)
    assert [one.proto.text.rpartition("done. ")[2] for one in app.get("progress")] == [
        "Nothing is left but 2 answers that failed."
    ]
    rows = next(one.value for one in app.dataframe if "Why" in one.value).to_dict("records")
    assert [(row["What"], row["Keyword"], row["Ideas by"], row["Why"]) for row in rows] == [
        ("judgment 1", "erosion", "a", "no usable answer")
    ] * 2
    assert rows[0]["Answer"] == "It gave no usable answer in 4 tries."
    settled(app.button(key="bench:again").click().run())
    assert runner.store.runs.get(run.id).state == "queued"
    assert not runner.store.benchmarks.lost(run.id, "failed")


def test_what_was_lost_is_found_by_keyword_and_model(runner):
    run = settled_store(
        runner.store,
        keywords=["soil erosion", "erosion", "rain"],
        lost=lambda kind, model, keyword, n, m: {
            ("judge", "erosion"): "NoUsableAnswer",
            ("judge", "soil erosion"): "NoUsableAnswer",
            ("idea", "rain"): "long",
        }.get((kind, keyword), ""),
    )
    app = visit("benchmark", run=run.id, view="progress")

    def rows() -> list[tuple[str, str]]:
        return [
            (row["Keyword"], row["Ideas by"])
            for row in next(one.value for one in app.dataframe if "Why" in one.value).to_dict(
                "records"
            )
        ]

    assert len(rows()) == 16
    app.text_input(key=f"bench:failed:find:{run.id}").set_value("Erosion")
    settled(app.run())
    assert set(rows()) == {("erosion", "a"), ("erosion", "b")}
    app.selectbox(key=f"bench:failed:model:{run.id}").set_value("openai:b")
    settled(app.run())
    assert rows() == [("erosion", "b")] * 4
    app.text_input(key=f"bench:failed:find:{run.id}").set_value("rain")
    assert "No results. Remove a filter." in said(settled(app.run()))
    sums = runner.store.benchmarks.sums
    assert [
        sums.lost(run.id, *asked)
        for asked in (
            ("excluded",),
            ("excluded", 1),
            ("excluded", None, [2]),
            ("excluded", 0, [0, 1]),
        )
    ] == [4, 2, 4, 0]


def test_a_paused_benchmark_can_be_resumed(runner):
    run = small(runner.workshop)
    runner.stop(run.id, "after calls")
    app = visit("benchmark", run=run.id)
    settled(app.button(key="bench-run:resume").click().run())
    assert runner.store.runs.get(run.id).state == "queued"


def test_a_benchmark_at_its_cap_goes_on_with_a_higher_one(runner):
    run = small(runner.workshop, cap_tokens=5_000)
    assert runner.work(run.id) == "capped"
    app = visit("benchmark", run=run.id)
    assert "Paused at a cap" in said(app)
    app.number_input(key="bench-run:tokens").set_value(5_000_000)
    settled(app.button(key="bench-run:go-on").click().run())
    assert runner.store.runs.caps(run.id)[1] == 5_000_000
    assert runner.work(run.id) == "done"


def test_a_benchmark_whose_model_cannot_be_reached_says_so_and_can_be_resumed(runner):
    runner.workshop.named[JUDGES[0]].script = dict.fromkeys(
        ("bench-judge", "bench-fluency"), lambda _: ModelFailed("The server did not answer (503).")
    )
    run = small(runner.workshop, keywords=[f"word {n}" for n in range(8)])
    assert runner.work(run.id) == "failed"
    app = visit("benchmark", run=run.id)
    assert any("left alone; what could be done without is done" in one.value for one in app.error)
    settled(app.button(key="bench-run:resume").click().run())
    assert runner.store.runs.get(run.id).state == "queued"


def test_markup_in_names_is_shown_as_text(runner):
    run = settled_store(
        runner.store,
        topic="<b>bold</b> [x](http://evil)",
        keywords=[Keyword(text="<img src=x>", domain="**d**")],
    )
    for view in ("progress", "take"):
        text = said(visit("benchmark", run=run.id, view=view))
        assert "<b>bold</b> [x](http://evil)" in text


def test_a_run_of_another_method_is_refused_with_a_sentence(runner):
    from tests.conftest import make_run

    run = make_run(runner.store, method="chain")
    assert "open it from Runs" in said(visit("benchmark", run=run.id))


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_restores_from_its_address_and_reads_no_table_of_cells_as_a_whole(
    runner, view, monkeypatch
):
    run = settled_store(
        runner.store,
        lost=lambda kind, model, keyword, n, m: (
            "refused" if (model, keyword, n) == ("openai:a", "erosion", 1) else ""
        ),
    )
    asked, rows = [], Connections.rows
    monkeypatch.setattr(
        Connections,
        "rows",
        lambda self, sql, *values: asked.append(sql) or rows(self, sql, *values),
    )
    app = visit("benchmark", run=run.id, view=view)
    assert app.session_state[f"bench:view:{run.id}"] == VIEWS[view]
    assert not app.error
    assert asked
    assert not [
        sql
        for sql in asked
        if "FROM bench_cells" in sql and "LIMIT" not in sql and "keyword = ?" not in sql
    ]


def test_a_brainstorm_is_shown_side_by_side_first(runner):
    run = settled_store(runner.store, keywords=["erosion"], brainstorm=True)
    assert visit("benchmark", run=run.id).session_state[f"bench:view:{run.id}"] == "Side by side"


def test_home_and_the_runs_page_lead_here_and_count_answers(runner):
    run = settled_store(runner.store)
    assert any("benchmark" in link.page for link in links(visit("runs", run=run.id)))
    assert "28 answers" in said(visit("runs"))
    assert "The answers of a benchmark are cells" in said(
        visit("runs", run=run.id, **{"runs:tab": "Steps"})
    )


# -- domains -----------------------------------------------------------------------------------


def domains(app) -> dict[str, str]:
    """Return the domain of each keyword in the table."""
    return {
        row["Keyword"]: row["Domain"]
        for row in next(one.value for one in app.dataframe if "Domain" in one.value).to_dict(
            "records"
        )
    }


def unfolded():
    """Open the form with the table of keywords unfolded."""
    app = visit("benchmark", section="new")
    app.session_state["bench:domains-open"] = True
    return settled(app.run())


def test_domains_are_given_anew_by_meaning_but_for_those_a_person_set(runner, monkeypatch):
    monkeypatch.setattr(
        bench_form_keywords,
        "label_by_meaning",
        lambda _, keywords: tuple(
            (
                one
                if one.by == "person"
                else Keyword(text=one.text, domain="Physics", confidence=0.5, by="meaning")
            )
            for one in keywords
        ),
    )
    app = unfolded()
    assert domains(app)["earthquakes"] == "Pharmacy"
    app.session_state["bench:labels"] = changed(["earthquakes"], {0: {"Domain": "Earth science"}})
    settled(app.button(key="bench:by-meaning").click().run())
    assert {name: domain for name, domain in domains(app).items() if domain != "Physics"} == {
        "earthquakes": "Earth science"
    }
    app.multiselect(key="bench:judges").set_value(list(JUDGES)).run()
    settled(app.button(key="bench:go").click().run())
    (run,) = begun(runner)
    assert runner.work(run.id) == "done"
    kept = {one.text: one for one in runner.store.benchmarks.keywords(run.id)}
    assert (kept["earthquakes"].domain, kept["earthquakes"].by) == ("Earth science", "person")
    assert (kept["stars"].domain, kept["stars"].confidence, kept["stars"].by) == (
        "Physics",
        0.5,
        "meaning",
    )


def test_only_rows_whose_domain_was_touched_are_a_persons():
    assert changed(["a", "b", "c"], {1: {"Domain": "Physics"}, 2: {"Domain": None}, 0: {}}) == {
        "b": Keyword(text="b", domain="Physics", by="person"),
        "c": Keyword(text="c", by="person"),
    }


def test_tokens_that_servers_did_not_report_are_said_beside_the_cap(runner):
    run = small(runner.workshop, cap_tokens=1_000)
    with runner.store.connections.writing() as connection:
        account.book(
            connection,
            run.id,
            [
                (
                    "key",
                    (Call(model="openai:a", latency=1, outcome="accepted", tokens_expected=680),),
                )
            ],
        )
    page = visit("benchmark", run=run.id)
    assert (
        "at most 68% of the cap of 1,000 tokens by an upper guess, as servers reported no usage"
        in said(page)
    )
    assert [one.value for one in page.metric if one.label == "Tokens"] == ["unreported"]
    with runner.store.connections.writing() as connection:
        told = Call(model="openai:a", latency=1, outcome="accepted", tokens_in=90, tokens_out=10)
        account.book(connection, run.id, [("other", (told,))])
    page = visit("benchmark", run=run.id)
    assert (
        "10% of the cap of 1,000 tokens, and at most 68% more that servers did not report"
        in said(page)
    )
    assert [one.value for one in page.metric if one.label == "Tokens"] == ["100 or more"]


def test_a_pause_that_waits_for_calls_in_flight_is_said(runner):
    run = small(runner.workshop)
    assert "Pausing" not in said(visit("benchmark", run=run.id))
    runner.store.runs.ask_to(run.id, "pause")
    assert "Pausing" in said(visit("benchmark", run=run.id))
