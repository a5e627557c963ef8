"""The arena's screen: opening one, what it came to, how far its judges can be trusted, votes
brought in, methods added.
"""

import re

import pytest

from components.arena import figures as arena_figures
from core.judging.arena.contests import contested
from core.records import IDEA_CRITERIA, Ballot
from tests.support.arena_kit import (
    JUDGES,
    METHODS,
    a_design,
    arena_shop,
    entries,
    entry,
    held,
    six,
)
from tests.support.visiting import host, links, said, settled, visit

TOPICS = tuple(f"topic {n}" for n in range(12))
CSV = (
    "topic,method a,method b,first,criterion,winner,judge,person\ntopic"
    " 1,chain,direct,a,novelty,a,Eve,yes\ntopic 1,chain,nobody,a,novelty,a,Eve,yes\n"
)


@pytest.fixture
def runner(tmp_path, monkeypatch):
    runner, _ = arena_shop(tmp_path, judges=(*JUDGES, "builtin"))
    host(monkeypatch, runner)
    return runner


@pytest.fixture
def store(runner):
    return runner.store


def judged(runner, topics=TOPICS, votes=12):
    """Hold an arena that models have judged, and a person in part."""
    run = held(runner, entries(runner.store, METHODS, topics))
    some = contested(arena_figures.lineup_of(runner.store, run.id))[:votes]
    runner.store.ballots.add(
        tuple(
            Ballot(
                arena=run.id,
                contest=one,
                first=one.a,
                sides=dict.fromkeys(IDEA_CRITERIA, "first"),
                judge="Ada",
                person=True,
                why="It is *clear*.",
                key=f"p/{n}",
            )
            for n, one in enumerate(some)
        )
    )
    return run


def kept(store, methods=METHODS, topics=TOPICS[:2]):
    found = entries(store, methods, topics)
    store.entries.add(tuple((one, one.method) for one in found))
    return found


def opened(run, **query):
    return visit("arena", run=run.id, **query)


def test_without_a_collection_the_page_says_where_texts_come_from(store):
    app = visit("arena")
    assert "There is no collection yet" in said(app)
    assert any(link.page == "ideas" for link in links(app))


def test_one_text_alone_is_told_what_it_lacks(store):
    kept(store, METHODS[:1], TOPICS[:1])
    assert "There is only one idea, by 'chain', so nothing can be compared" in said(
        visit("arena", collection="test")
    )


def test_what_competes_is_said_once_and_truly(store):
    """Two texts of one method and one of another: three texts, of which two go by their titles."""
    titles = ("Naps", "Dim light", "Cold rooms")
    made = [
        entry(store, method, "sleep", six(title))
        for method, title in zip("AAB", titles, strict=True)
    ]
    store.entries.add(tuple(zip(made, titles, strict=True)))
    app = visit("arena", collection="test")
    text = said(app)
    assert "3 texts by 2 methods on 1 topic" in text
    assert "Each text competes for itself" in text
    assert re.findall(r"\d+ texts? ", text) == ["3 texts "]
    assert "Which text is there on which topic: no gap" in text


def test_an_arena_of_people_leads_to_its_votes_and_counts_no_steps(runner):
    run = held(runner, entries(runner.store, METHODS, TOPICS[:2]), people_only=True)
    app = opened(run)
    (way,) = [link for link in links(app) if link.label == "Open the voting screen"]
    assert "vote=1" in way.query_string
    assert "people vote, no model is asked" in said(app)
    assert "0 steps" not in said(app)


def test_the_address_of_a_collection_of_designs_opens_it_beside_ideas(store):
    kept(store)
    store.entries.add(
        tuple(
            (
                entry(store, method, "light", a_design(method), "design").model_copy(
                    update={"collection": "plans"}
                ),
                method,
            )
            for method in METHODS
        )
    )
    app = visit("arena", collection="plans")
    assert app.multiselect(key="arena:collections").value == ["plans"]
    assert "3 pairs" in said(app)


def test_an_arena_of_people_opens_at_once_and_asks_no_model(runner, store):
    kept(store)
    app = visit("arena", collection="test")
    assert "6 pairs" in said(app)
    assert "No model is asked" in said(app)
    assert "rewrites" not in said(app)
    app = settled(app.button(key="arena:go").click().run())
    (run,) = store.runs.listed()
    runner.wait(run.id, 10)
    assert store.runs.get(run.id).state == "done"
    assert run.config.inputs["people_only"] is True
    shown = said(opened(store.runs.get(run.id)))
    assert "people vote, no model is asked" in shown
    assert "rewritten" not in shown


def test_gaps_are_said_before_the_start(store):
    found = entries(store, METHODS, TOPICS[:2])[:-1]
    store.entries.add(tuple((one, one.method) for one in found))
    assert "1 gap" in said(visit("arena", collection="test")).lower()


def test_matches_and_calls_are_said_before_the_start_and_the_built_in_model_judges_nothing(store):
    kept(store)
    app = visit("arena", collection="test")
    app.segmented_control(key="arena:way").set_value("Models, and people if they like")
    app = settled(app.run())
    assert "cannot judge" in said(app)
    settled(app.multiselect(key="arena:judges").set_value(["scripted:one"]).run())
    assert "12 matches" in said(app)
    assert "A model rewrites every text that is not in that form yet" in said(app)
    assert "Estimated" in said(app)


def test_ratings_of_models_and_people_stand_side_by_side_with_elo_matches_and_words(runner):
    app = opened(judged(runner))
    models, people = (one.value for one in app.dataframe[:2])
    assert list(models["Method"]) == ["real paper", "direct", "chain"]
    assert all(interval.startswith("[") for interval in models["95 % interval"])
    assert list(models["Matches"]) == [120, 120, 120]
    assert set(people["Method"]) == set(METHODS)
    shown = said(app)
    assert "trongly connected" in shown
    assert "400 points is odds of 10 to 1" in shown
    alone = opened(judged(runner), who="Models")
    assert len(alone.dataframe) in (1, 2)


def test_of_few_votes_the_ratings_are_shown_with_what_they_do_not_say(runner):
    shown = said(opened(judged(runner, votes=2)))
    assert "shows once 6 topics have votes" in shown
    app = opened(judged(runner, TOPICS[:1], votes=2), who="People")
    shown = said(app)
    assert "the votes on 1 topic went; whether a lead is more than chance takes votes" in shown
    assert len(app.get("plotly_chart")) == 1
    (people,) = (one.value for one in app.dataframe)
    assert set(people["95 % interval"]) == {"none"}
    assert "separable" not in shown
    assert "Ratings so far" not in [one.label for one in app.expander]


@pytest.mark.parametrize("tab", ["Who beat whom", "Over time", "Matches", "Judges", "Votes", "Add"])
def test_every_view_has_an_address(runner, tab):
    app = opened(judged(runner, TOPICS[:3]), tab=tab)
    assert app.segmented_control(key="tab").value == tab
    assert not app.error


def test_a_line_opens_its_matches_with_texts_sides_and_reasons(runner):
    run = judged(runner)
    app = opened(run, tab="Matches", method="direct")
    pair = next(one for one in app.expander if "topic 0" in one.label and "chain" in one.label)
    assert "won" in pair.label
    assert app.selectbox(key="method").value == "direct"


def test_small_samples_are_refused_in_words(runner):
    shown = said(opened(judged(runner, TOPICS[:1]), tab="Judges"))
    assert "needs 10" in shown
    assert "n = " in shown


def test_votes_come_in_from_a_file_with_bad_rows_named(runner, store):
    run = held(runner, entries(store, METHODS, TOPICS), people_only=True)
    app = opened(run, tab="Votes")
    settled(
        app.file_uploader(key="arena:file").set_value(("votes.csv", CSV.encode(), "text/csv")).run()
    )
    app = settled(app.button(key="arena:import").click().run())
    assert "2 rows read" in said(app)
    assert "Eve" in list(app.dataframe[0].value["Who"])
    report = app.dataframe[-1].value
    assert list(report["Line"])[-1] == 3
    assert "do not meet" in list(report["Why"])[-1]


def test_of_twenty_thousand_refused_votes_five_hundred_are_drawn_and_all_are_counted(runner, store):
    run = held(runner, entries(store, METHODS, TOPICS), people_only=True)
    head, row, _ = CSV.splitlines()
    lines = (f"Topic {n},{row.partition(',')[2]}\n" for n in range(20_000))
    file = f"{head}\n{''.join(lines)}".encode()
    app = opened(run, tab="Votes")
    app.file_uploader(key="arena:file").set_value(("votes.csv", file, "text/csv"))
    settled(app.run())
    app = settled(app.button(key="arena:import").click().run())
    assert list(app.dataframe[-1].value["Line"]) == list(range(2, 502))
    assert "20,000 rows read: 0 votes imported, 0 known already, 20,000 rows refused" in said(app)
    assert "20,000 refused rows in all; the first 500 are shown." in said(app)
    assert "- 20,000: … and … do not meet on … in this arena" in said(app).replace("\\", "")
    _, report = app.session_state["arena:report"]
    assert len(report.refused) == 10_000


def test_adding_a_method_plays_only_missing_matches(runner, store):
    run = held(runner, entries(store, METHODS[:2], TOPICS[:2]))
    before = len(runner.workshop.named["scripted:one"].requests)
    kept(store)
    app = opened(run, tab="Add")
    settled(app.multiselect(key="arena:more-collections").set_value(["test"]).run())
    assert "8 more matches" in said(app)
    settled(app.button(key="arena:add").click().run())
    made = next(one for one in store.runs.listed() if one.id != run.id)
    runner.wait(made.id, 10)
    assert len(runner.workshop.named["scripted:one"].requests) - before == 8
    assert store.ballots.count(made.id)[0] == 12


def test_figures_of_a_large_arena_are_made_beside_the_page_and_are_the_same(
    runner, store, monkeypatch
):
    run = judged(runner, TOPICS[:3])
    at_once = arena_figures.latest(run, "sheet", None).made
    arena_figures._held.clear()
    monkeypatch.setattr(arena_figures, "AT_ONCE", 0)
    app = opened(run)
    assert "being computed" in said(app)
    place = (str(store.folder), run.id, "sheet", "")
    assert arena_figures._making[place].result(timeout=30) == at_once
    now = arena_figures.latest(run, "sheet", None)
    assert now == arena_figures.Latest(at_once, at_once.ballots, False)
