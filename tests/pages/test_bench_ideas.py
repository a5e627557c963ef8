"""The ideas of a benchmark on screen, with each judge's words; and the way of a sample to experts
and back.
"""

import pytest
from streamlit.testing.v1 import AppTest

from components.benchmark import validation as file_validation
from components.sessions import columns
from core.benchmark.sampling import blind
from core.importing.ratings import opened, take_ratings
from core.records import BENCH_DIMENSIONS, Keyword, Run
from core.runs.runner import Runner
from core.studies import organising
from tests.support.benchmark.bench_kit import settled_store, shop_of, small
from tests.support.sessions.studies_kit import at_work, work_through
from tests.support.visiting import host, links, said, settled, visit

KEYWORDS = tuple(
    Keyword(text=text, domain=domain)
    for text, domain in (
        ("soil erosion", "Earth science"),
        ("erosion", "Earth science"),
        ("meiosis", "Biology"),
        ("<b>bold</b> *move*", "Biology"),
    )
)


@pytest.fixture
def runner(tmp_path, monkeypatch):
    runner = Runner(shop_of(tmp_path))
    host(monkeypatch, runner)
    return runner


@pytest.fixture
def store(runner):
    return runner.store


def ideas(run: Run, **query: str) -> AppTest:
    return visit("benchmark", run=run.id, view="ideas", **query)


def cards(app: AppTest) -> list[str]:
    return [one.label for one in app.expander if "Judges' words" in one.label]


# -- finding ideas -----------------------------------------------------------------------------


def test_ideas_come_with_keyword_model_and_scores(store):
    run = settled_store(store, keywords=KEYWORDS, score=lambda *_: (7, 5, 9))
    text = said(ideas(run))
    assert (
        text.count(
            "originality 7.0 · feasibility 5.0 · clarity 9.0".replace("7.0", "**7.0**")
            .replace("5.0", "**5.0**")
            .replace("9.0", "**9.0**")
        )
        == 16
    )
    assert "**<b>bold</b> *move**" in text
    assert "16 ideas" in text


def test_a_keyword_is_found_whole_before_parts_and_a_model_and_a_domain_narrow_it(store):
    run = settled_store(store, keywords=KEYWORDS)
    app = ideas(run, **{"idea-find": "EROSION"})
    assert len(cards(app)) == 4
    assert "soil erosion" not in said(app)
    app.text_input(key="idea-find").set_value("ero")
    assert len(cards(settled(app.run()))) == 8
    app.selectbox(key=f"experiments:model:{run.id}").set_value("openai:a")
    assert len(cards(settled(app.run()))) == 4
    assert app.query_params["model"] == "openai:a"
    app.text_input(key="idea-find").set_value("")
    app.selectbox(key=f"experiments:domain:{run.id}").set_value("Biology")
    assert len(cards(settled(app.run()))) == 4
    app.text_input(key="idea-find").set_value("no such thing")
    assert "No keyword of this benchmark matches" in said(settled(app.run()))


def test_an_address_restores_what_is_looked_at(store):
    run = settled_store(
        store,
        keywords=KEYWORDS,
        score=lambda model, keyword, n, judge: (
            (9, 9, 9) if (keyword, n) == ("meiosis", 2) else (2, 2, 2)
        ),
    )
    app = ideas(run, **{"model": "openai:b", "domain": "Biology", "idea-order": "Best first"})
    texts = [one.value for one in app.markdown if one.value.startswith("**")]
    assert "meiosis" in texts[0]
    assert "idea 2 of 2" in texts[0]
    assert len(cards(app)) == 4


def test_the_best_first_leaves_out_what_nobody_judged_and_says_so(store):
    run = settled_store(
        store,
        keywords=KEYWORDS,
        lost=lambda kind, model, *_: (
            "ModelFailed" if kind == "judge" and model == "openai:a" else ""
        ),
    )
    app = ideas(run, **{"idea-order": "Best first"})
    assert len(cards(app)) == 8
    assert "8 ideas; 8 more are not judged" in said(app)


def test_the_worst_first_stands_beside_the_best_first(store):
    run = settled_store(
        store,
        keywords=KEYWORDS,
        score=lambda model, keyword, n, judge: (
            (1, 2, 1) if (keyword, n) == ("meiosis", 2) else (8, 8, 8)
        ),
    )
    app = ideas(run, **{"model": "openai:b", "idea-order": "Worst first"})
    first = next(one.value for one in app.markdown if one.value.startswith("**"))
    assert "meiosis" in first
    assert "idea 2 of 2" in first
    assert app.segmented_control(key="idea-order").options == [
        "In order",
        "Best first",
        "Worst first",
    ]


def test_twenty_stand_on_a_page(store):
    run = settled_store(store, keywords=tuple(f"word {n}" for n in range(12)))
    app = ideas(run)
    assert len(cards(app)) == 20
    assert len(cards(ideas(run, **{"idea-page": "3"}))) == 8


# -- one idea ----------------------------------------------------------------------------------


def test_judges_words_are_looked_up_when_they_are_unfolded(runner, monkeypatch):
    run = small(runner.workshop, keywords=("erosion",))
    runner.work(run.id)
    monkeypatch.setattr(runner, "start", lambda _: None)
    app = ideas(run)
    assert "The idea is concrete" not in said(app)
    cell = runner.store.benchmarks.ideas(run.id)[0]
    app.session_state[f"bench:judges:{cell.id}"] = True
    text = said(settled(app.run()))
    assert text.count("The idea is concrete and can be carried out") == 2
    assert "Beside idea 2: " in text
    assert "3 calls with its judgments" in text


def test_a_refusal_before_an_idea_is_shown_as_it_was_answered(tmp_path, monkeypatch):
    scripts = {"openai:a": {"bench-idea": lambda _: "I'm sorry, but I cannot help with this."}}
    runner = Runner(shop_of(tmp_path, scripts))
    host(monkeypatch, runner)
    run = small(runner.workshop, keywords=("erosion",))
    runner.work(run.id)
    cell = runner.store.benchmarks.ideas(run.id, model=0)[0]
    app = ideas(run)
    assert said(app).count("refused at first") == 2
    app.session_state[f"bench:judges:{cell.id}"] = True
    assert "I'm sorry, but I cannot help with this." in said(settled(app.run()))


def test_what_was_excluded_or_failed_stands_apart_with_its_reason(store):
    lost = {
        ("idea", "openai:a", 1): "refused",
        ("idea", "openai:a", 2): "long",
        ("idea", "openai:b", 1): "ModelFailed",
        ("judge", "openai:b", 2): "NoUsableAnswer",
    }
    run = settled_store(
        store,
        keywords=("erosion",),
        lost=lambda kind, model, keyword, n, m: lost.get((kind, model, n), ""),
    )
    out = said(ideas(run, **{"idea-show": "Excluded"}))
    assert "2 ideas that the protocol leaves out" in out
    assert "refused, twice" in out
    assert "too long: 240 words, 200 at most" in out
    failed = said(ideas(run, **{"idea-show": "Failed"}))
    assert "3 answers that could not be used" in failed
    assert "The server did not answer" in failed
    assert failed.count("judgment of idea 2 by") == 2
    narrowed = ideas(run, **{"idea-show": "Failed", "model": "openai:a"})
    assert "Nothing of this failed" in said(narrowed)
    narrowed.selectbox(key=f"experiments:model:{run.id}").set_value("openai:b")
    assert "3 answers that could not be used" in said(settled(narrowed.run()))
    narrowed.text_input(key="idea-find").set_value("basalt")
    assert "Nothing of this failed" in said(settled(narrowed.run()))
    assert "Nothing failed" in said(
        ideas(settled_store(store, keywords=("rain",), topic="Other"), **{"idea-show": "Failed"})
    )


def test_before_the_first_idea_and_before_the_first_keyword_a_sentence_stands(runner, monkeypatch):
    begun = small(runner.workshop, keywords=("erosion",))
    assert "No idea yet" in said(ideas(begun))
    assert "No idea yet" in said(ideas(settled_store(runner.store, keywords=("rain",), left=1)))


# -- further -----------------------------------------------------------------------------------


def test_what_is_looked_at_goes_into_a_collection(store):
    run = settled_store(store, keywords=KEYWORDS)
    app = ideas(run, **{"model": "openai:b"})
    app.number_input(key="bench:collect:n:8").set_value(3)
    settled(app.button(key="bench:collect:go").click().run())
    found = [entry for entry, _ in store.entries.of((f"Benchmark: {run.title}",))]
    assert sorted((one.method, one.topic, one.category) for one in found) == [
        ("openai:b", "erosion", "Earth science"),
        *[("openai:b", "soil erosion", "Earth science")] * 2,
    ]
    assert "3 ideas put into" in said(app)
    assert any(
        link.query_string.startswith("collection=")
        for link in links(app)
        if link.page.endswith("arena")
    )
    settled(app.button(key="bench:collect:go").click().run())
    assert "0 ideas put into" in said(app)


# -- experts -----------------------------------------------------------------------------------


MANY = tuple(f"word {n}" for n in range(12))


def validation(run: Run) -> AppTest:
    return visit("benchmark", run=run.id, view="validation")


def test_a_sample_goes_to_experts_and_their_ratings_come_back(store, monkeypatch):
    monkeypatch.setattr("components.shell.clicks.TWICE", 90.0)
    run = settled_store(
        store,
        keywords=MANY,
        score=lambda model, keyword, n, judge: (min(10, 1 + MANY.index(keyword)),) * 3,
    )
    app = validation(run)
    app.number_input(key=f"bench:sample:{run.id}:n").set_value(12)
    settled(app.button(key=f"bench:sample:{run.id}:go").click().run())
    (bunch,) = store.entries.bunches()
    assert (bunch.entries, bunch.kind) == (12, "idea")

    key = f"bench:sample:{run.id}:{bunch.name}"
    app.number_input(key=f"{key}:experts").set_value(2)
    app.checkbox(key=f"{key}:panel").set_value(True)
    app = settled(app.button(key=f"{key}:session").click().run())
    settled(app.button(key=f"{key}:session").click().run())  # Pressed twice, it is set up once.
    (study,) = store.studies.listed()
    assert (study.plan.overlap, [one.name for one in study.plan.criteria]) == (
        2,
        list(BENCH_DIMENSIONS),
    )
    assert sorted(one.model for one in store.seats.of(study.id)) == [
        "openai:c",
        "openai:d",
        "openai:e",
    ]
    assert any(link.query_string == f"session={study.id}" for link in links(app))
    assert "has its sources revealed yet" in said(app)

    secrets = [organising.add_seat(store, study.id, f"Expert {n}")[1] for n in range(2)]
    organising.open_study(store, study.id)
    for secret in secrets:
        work_through(store, at_work(store, secret))
    organising.close(store, study.id)
    organising.unblind(store, study.id, "test")
    text = said(validation(run))
    assert "Judges against experts" in text
    assert "12 ideas, 2 experts" in text
    assert "One side gave all ideas the same score" in text


def test_a_sample_keeps_a_collection_of_its_own_and_is_drawn_once_by_a_double_click(
    store, monkeypatch
):
    run = settled_store(store, keywords=MANY)
    app = validation(run)
    for seconds, refused in ((90.0, False), (90.0, False), (0.0, True)):
        monkeypatch.setattr("components.shell.clicks.TWICE", seconds)
        settled(app.button(key=f"bench:sample:{run.id}:go").click().run())
        assert ("There is a collection" in said(app)) is refused
    assert [one.entries for one in store.entries.bunches()] == [22]


def test_filled_in_rating_sheets_are_held_against_the_judges(store, monkeypatch):
    run = settled_store(
        store,
        keywords=MANY,
        score=lambda model, keyword, n, judge: (min(10, 1 + MANY.index(keyword)),) * 3,
    )
    app = validation(run)
    settled(app.button(key=f"bench:sample:{run.id}:go").click().run())
    cells = {one.key: one for one in store.benchmarks.ideas(run.id, limit=100)}
    drawn = [
        entry.source.partition(", ")[2]
        for entry, _ in store.entries.of((store.entries.bunches()[0].name,))
    ]
    lines = ["idea id,keyword,text,rater,originality,feasibility,clarity"]
    lines += [
        f"{blind(run.id, key)},k,t,{rater},{cells[key].score:g},"
        f"{(n * 7) % 10 + 1},{(n * 3) % 10 + 1}"
        for n, key in enumerate(drawn)
        for rater in ("Ann", "Ben")
    ]
    # A file is read once, and its ratings taken once, however often the page is drawn.
    read, taken = [], []
    monkeypatch.setattr(file_validation, "opened", lambda *of: read.append(of) or opened(*of))
    for where in (columns, file_validation):
        monkeypatch.setattr(
            where,
            "take_ratings",
            lambda *of: taken.append(of) or take_ratings(*of),
            raising=False,
        )
    app.segmented_control(key="bench:validation:way").set_value("A file of ratings")
    settled(app.run())
    app.file_uploader(key="bench:validation:file").upload(
        "ratings.csv", "\n".join(lines).encode(), "text/csv"
    )
    text = said(settled(app.run()))
    assert "22 ideas, 2 experts" in text
    assert "22 ideas, 2 experts" in said(settled(app.run()))
    assert (len(read), len(taken)) == (1, 1)
    (table,) = [one.value for one in app.dataframe if "Human ceiling" in one.value.columns]
    assert list(table["Dimension"]) == list(BENCH_DIMENSIONS)
    assert table["Pearson's r"][0].startswith("1.000")
    # Judgments that come later are in the figures of a tab that was open before.
    with store.connections.writing() as connection:
        connection.execute(
            "UPDATE bench_tally SET n = n + 1 WHERE run = ? AND state = 'done'", (run.id,)
        )
    mark, _ = app.session_state["bench:validation:found"]
    settled(app.run())
    assert app.session_state["bench:validation:found"][0] != mark


def test_without_judges_or_before_ten_ideas_are_judged_there_is_a_reason(store):
    assert "has no judges" in said(validation(settled_store(store, keywords=MANY, judges=())))
    assert "8 ideas of this benchmark are judged so far; a sample needs 10" in said(
        validation(settled_store(store, keywords=MANY[:2], topic="Small"))
    )
