"""What an arena is taken along as: the grid of criteria and methods, its picture, and its ballots;
and what is said of who plays no match.
"""

import csv
import io
import json
import zipfile
from xml.etree import ElementTree

import numpy as np
import pytest

from core.errors import ModelFailed
from core.export.arenas import tables
from core.export.document import document
from core.export.files import export
from core.export.markdown import markdown
from core.export.results import archive_tables
from core.judging.arena import tables as arena_tables
from core.judging.arena.ballots import cast
from core.judging.arena.competition import ArenaInputs, lineup_of
from core.judging.arena.imported_votes import file_votes
from core.judging.arena.results import average, results
from core.records import IDEA_CRITERIA, Ballot, Contest, label
from core.runs.planning import validated
from core.store import Store
from tests.core.judging.arena.test_results import TOPICS as MANY
from tests.core.judging.arena.test_results import line, lineup, simulated
from tests.support.arena_kit import (
    JUDGES,
    METHODS,
    TOPICS,
    a_design,
    arena_shop,
    begun,
    entries,
    entry,
    formed,
    held,
    one_paragraph,
)
from tests.support.headless import MODEL, cli, server
from tests.support.visiting import host, said, visit

__all__ = ["cli", "server"]


@pytest.fixture
def runner(tmp_path):
    return arena_shop(tmp_path)[0]


def peopled(runner, run, names=("Ada", "Bert")):
    """Have people vote on every pair, each for the method that comes later in METHODS."""
    for n, name in enumerate(names):
        runner.store.ballots.add(
            tuple(
                Ballot(
                    arena=run.id,
                    contest=Contest(topic=topic, a=a, b=b),
                    first=a,
                    judge=name,
                    person=True,
                    key=f"{name}-{topic}-{a}-{b}",
                    sides={
                        criterion: "tie" if criterion == "novelty" and n else "second"
                        for criterion in IDEA_CRITERIA
                    },
                    why='=cmd|"x"',
                    strength=dict.fromkeys(IDEA_CRITERIA, -1),
                )
                for topic in TOPICS
                for at, a in enumerate(METHODS)
                for b in METHODS[at + 1 :]
            )
        )


def test_one_grid_has_every_criterion_their_average_and_the_pooled_rating_models_beside_people(
    runner,
):
    run = held(runner, entries(runner.store), judges=JUDGES)
    peopled(runner, run)
    grid = next(one for one in tables(runner.store, run) if one.name == "arena-grid")
    assert grid.head == ("Criterion", "Votes of", "real paper", "direct", "chain")
    assert [tuple(value.text for value in row[:2]) for row in grid.rows] == [
        (criterion, who)
        for criterion in (
            *map(label, IDEA_CRITERIA),
            "Average of the criteria",
            "All criteria pooled",
        )
        for who in ("models", "people")
    ]
    shown = {(row[0].text, row[1].text): [value.mean for value in row[2:]] for row in grid.rows}
    for who in ("models", "people"):
        each = [shown[label(name), who] for name in IDEA_CRITERIA]
        assert shown["Average of the criteria", who] == pytest.approx(
            np.mean(each, axis=0).tolist()
        )
        assert shown["All criteria pooled", who] != pytest.approx(
            shown["Average of the criteria", who]
        )
    assert (
        "no average"
        in next(
            one
            for one in tables(runner.store, run)
            if one.name == "arena-ratings-models-all-criteria-pooled"
        ).note
    )
    assert {row["Criterion"] for row in document(runner.store, run.id)["tables"]["arena-grid"]} >= {
        "Novelty",
        "Average of the criteria",
    }
    assert "Ratings by criterion and method" in markdown(runner.store, run.id)


def test_an_average_says_so_where_it_is_of_those_alone_that_every_criterion_rated():
    ballots = [
        line(topic, a, b, a, sides)
        for topic in MANY
        for a, b, sides in (
            ("a", "b", dict.fromkeys(IDEA_CRITERIA, "first")),
            ("a", "c", {"novelty": "first"}),
            ("b", "c", {"novelty": "first"}),
        )
    ]
    found = cast(ballots, lineup(), "idea")
    shown = arena_tables.grid(arena_tables.by_side(found))
    rows = {row[0].text: [value.mean for value in row[2:]] for row in shown.rows}
    assert rows["Average of the criteria"][2] is None
    assert "rated anew among themselves: not the mean of the ratings above)" in shown.note
    everybody = cast(simulated(), lineup(), "idea")
    whole = arena_tables.grid(arena_tables.by_side(everybody))
    assert "rated anew" not in whole.note


def test_an_average_has_an_interval_over_topics_that_holds_it():
    found = cast(simulated(), lineup(), "idea")
    ratings = {one.player: one for one in average(found, "models", resamples=200)}
    for one in ratings.values():
        assert one.low < one.rating < one.high
    single = {
        row.player: row.high - row.low
        for row in results(found, "models", "novelty", resamples=200).table.ratings
    }
    assert all(one.high - one.low < single[name] for name, one in ratings.items()), (
        "five criteria say more than one"
    )


def test_topics_that_all_go_one_way_still_leave_a_rating_unsure():
    ballots = [
        line(
            topic,
            "a",
            "b",
            first,
            dict.fromkeys(IDEA_CRITERIA, "first" if first == "a" else "second"),
        )
        for topic in MANY
        for first in "ab"
    ]
    found = results(cast(ballots, lineup(("a", "b")), "idea"), "models")
    assert found.table.topics == 12
    for one in found.table.ratings:
        assert one.low < one.rating - 50
        assert one.high > one.rating + 50


def test_pooled_is_called_so_in_files_and_headless(cli, server, tmp_path):
    store = Store(tmp_path / "data")
    store.entries.add(
        tuple(
            (one.model_copy(update={"id": "", "collection": "ours"}), one.method)
            for one in entries(store)
        )
    )
    code, document, _ = cli("arena", "--collection", "ours", "--judge", MODEL)
    assert (code, document["criterion"]) == (0, "all criteria pooled")
    code, document, _ = cli(
        "arena", "--show", document["run"], "--table", "grid", "--to", str(tmp_path / "grid.csv")
    )
    rows = list(csv.DictReader((tmp_path / "grid.csv").open(encoding="utf-8", newline="")))
    assert [row["Criterion"] for row in rows][-2:] == [
        "Average of the criteria",
        "All criteria pooled",
    ]


def test_the_picture_and_the_ballots_are_in_the_archive_and_files_of_their_own(runner, tmp_path):
    run = held(runner, entries(runner.store), judges=JUDGES)
    peopled(runner, run)
    with zipfile.ZipFile(io.BytesIO(archive_tables(runner.store, run.id))) as file:
        assert {
            "arena-grid.csv",
            "arena-grid.tex",
            "arena-grid.svg",
            "arena-grid.png",
            "ballots.csv",
        } <= set(file.namelist())
        drawn = file.read("arena-grid.svg")
    for ending in (".svg", ".png", ".csv"):
        export(runner.store, run.id, tmp_path / f"arena{ending}")
    assert (tmp_path / "arena.svg").read_bytes() == drawn, "the same figures give the same picture"
    assert (tmp_path / "arena.png").read_bytes().startswith(b"\x89PNG")
    assert ElementTree.fromstring(drawn).tag.endswith("svg")
    rows = list(csv.DictReader((tmp_path / "arena.csv").open(encoding="utf-8", newline="")))
    assert len(rows) == sum(runner.store.ballots.count(run.id)) * len(IDEA_CRITERIA)
    assert {row["person"] for row in rows} == {"yes", "no"}
    assert all(not row["why"].startswith("=") for row in rows)


def test_ballots_that_are_read_back_give_the_same_ratings(runner, tmp_path):
    texts = entries(runner.store)
    run = held(runner, texts, judges=JUDGES)
    peopled(runner, run)
    export(runner.store, run.id, tmp_path / "ballots.csv")
    empty = held(runner, texts, people_only=True)
    report = file_votes(
        runner.store,
        empty.id,
        lineup_of(runner.store, empty.id),
        "idea",
        (tmp_path / "ballots.csv").read_bytes(),
    )
    assert (report.refused, report.filed) == ((), sum(runner.store.ballots.count(run.id)))
    ours, theirs = (
        [
            results(
                cast(runner.store.ballots.lines(one.id), lineup_of(runner.store, one.id), "idea"),
                who,
                name,
            ).table
            for who in ("models", "people")
            for name in (None, *IDEA_CRITERIA)
        ]
        for one in (run, empty)
    )
    assert ours == theirs
    assert {one.why for one in runner.store.ballots.of(empty.id, person=True)} == {'=cmd|"x"'}


# -- who plays no match ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "texts", "words"),
    [
        (
            "design",
            lambda s: [entry(s, "chain", "sleep", a_design("d"), "design")],
            "only one experiment design, by 'chain', so nothing can be compared",
        ),
        (
            "idea",
            lambda s: [entry(s, "chain", topic) for topic in TOPICS],
            "ideas of one method only, 'chain', so nothing can be compared",
        ),
        ("idea", lambda s: [], "there is no idea to compare yet"),
    ],
)
def test_what_has_nothing_to_compete_with_is_told_so(store, kind, texts, words):
    with pytest.raises(Exception, match="(?i)" + words.replace("(", "")) as refused:
        validated(ArenaInputs, topic="An arena", kind=kind, entries=tuple(texts(store)))
    assert "tuple" not in str(refused.value)


def test_one_design_is_refused_in_words_on_the_command_line_and_in_the_form(
    cli, tmp_path, monkeypatch, runner
):
    store = Store(tmp_path / "data")
    design = entry(store, "chain", "sleep", a_design("d"), "design")
    store.entries.add(((design.model_copy(update={"id": "", "collection": "plans"}), "chain"),))
    code, document, _ = cli("arena", "--collection", "plans", "--kind", "design", "--people-only")
    assert (code, "is only one experiment design, by 'chain'" in document["reason"]) == (2, True)
    host(monkeypatch, runner)
    assert "is only one experiment design, by 'chain'" in said(visit("arena", collection="plans"))


def lonely(store):
    """Return entries of three methods of which one has a text on a topic of its own only."""
    return [*entries(store, METHODS[:2], TOPICS), entry(store, "real paper", "tides")]


def test_a_method_that_meets_nobody_is_named_in_form_results_report_and_headless(
    runner, monkeypatch, cli, tmp_path
):
    store = runner.store
    store.entries.add(
        tuple(
            (one.model_copy(update={"id": "", "collection": "test"}), one.method)
            for one in lonely(store)
        )
    )
    words = (
        "real paper plays no match and has no rating: no other method has a text on the same topic."
    )
    host(monkeypatch, runner)
    assert words in said(visit("arena", collection="test"))
    run = held(runner, lonely(store))
    assert words in markdown(store, run.id)
    found = next(one for one in tables(store, run) if one.name.startswith("arena-ratings"))
    assert "without a rating: real paper." in found.note
    assert words in said(visit("arena", run=run.id))
    code, shown, _ = cli("arena", "--show", run.id)
    assert (code, shown["unmatched"], shown["unplayed"]) == (0, words, ["real paper"])
    assert json.dumps(shown)


def test_an_arena_that_lost_all_but_one_text_says_that_no_match_can_be_played(
    tmp_path, monkeypatch
):
    def lost(request):
        return (
            ModelFailed("Refused.") if "direct" in request.values["idea"].text else formed(request)
        )

    runner, _ = arena_shop(tmp_path, {"six-fields": lost})
    texts = [
        entry(runner.store, "chain", "sleep"),
        entry(runner.store, "direct", "sleep", one_paragraph("What direct says.")),
    ]
    run = begun(runner, texts)
    runner.work(run.id)
    host(monkeypatch, runner)
    assert "No match can be played" in said(visit("arena", run=run.id)) + markdown(
        runner.store, run.id
    )
    assert arena_tables.POOLED == "all criteria pooled"
