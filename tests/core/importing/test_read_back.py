"""Our own exports, read back: the verb and the screen give the figures of the session, the arena or
the benchmark they come from.
"""

import csv
import io
import random
from pathlib import Path

import pytest

from core.benchmark.results import tables as board_tables
from core.benchmark.results.findings import findings
from core.export.arenas import ballots
from core.export.arenas import tables as arena_tables
from core.export.benchmarks.folder import files as benchmark_files
from core.export.sessions.folder import files
from core.importing.answers import WORDS, answers, comments, orders
from core.importing.reading import read
from core.judging.arena.imported_votes import COLUMNS
from core.records import (
    CommentAnswer,
    CompareAnswer,
    Preference,
    RankAnswer,
    RateAnswer,
    SkipAnswer,
    Table,
)
from core.statistics.statistic import Statistic
from core.store import Store
from core.store.studies.work import ListedUnit
from core.studies import organising, sitting
from core.studies.analysis import analysed
from core.studies.rated import rated
from tests.support import arena_kit
from tests.support.benchmark import bench_kit
from tests.support.headless import cli, server
from tests.support.sessions import studies_kit as kit
from tests.support.visiting import host, said, settled, visit

__all__ = ["cli", "server"]
JUDGE = "scripted:judge"
"""A model by whose name nobody would take it for one."""
HOLDS = {"rate": "ratings", "rank": "rankings", "compare": "comparisons", "comment": "comments"}


def by_chance(task: str, criteria: tuple[str, ...], labels: tuple[str, ...], dice: random.Random):
    match task:
        case "rate":
            return RateAnswer(
                scores={name: dice.choice((None, *range(1, 11))) for name in criteria}
            )
        case "rank":
            order = dice.sample(labels, len(labels))
            return RankAnswer(
                groups=(
                    ((order[0],), tuple(order[1:]))
                    if dice.random() < 0.3
                    else tuple((one,) for one in order)
                )
            )
        case "compare":
            chosen = {name: dice.choice(("", *labels)) for name in criteria}
            return CompareAnswer(
                both_weak=dice.random() < 0.3,
                preferences={
                    name: Preference(better=one, much=bool(one) and dice.random() < 0.4)
                    for name, one in chosen.items()
                },
            )
        case _:
            yes = ("yes", "partly", "no")
            return CommentAnswer(
                valid=dice.choice(yes),
                answered=dice.choice(yes),
                change=dice.choice(("better", "same", "worse")),
            )


def held(store: Store, task: str, *, skips: bool = False, one_fails: bool = False) -> kit.Held:
    """Return a session of three experts and a model, with attention checks, repeats, and an
    answer that was revised; with `skips`, some of the second answers have no first; with
    `one_fails`, two experts pass the attention check.
    """
    made = kit.opened(
        store, task, 3, 36 if task == "rank" else 12, overlap=3, repeats=3, attention=1
    )

    def answer(seat: int):
        def say(here, shown):
            dice = random.Random(f"{seat} {shown.unit.id} {shown.assignment.time} {shown.stage}")
            if skips and shown.assignment.time == 1 and dice.random() < 0.4:
                return SkipAnswer(reason="A conflict of interest.")
            if one_fails and shown.unit.id == "u900" and seat < 2:
                return kit.expected(made.study.plan)
            names = tuple(one.name for one in here.criteria)
            return by_chance(here.task, names, shown.unit.labels, dice)

        return say

    for n in range(3):
        here = made.at_work(n)
        kit.work_through(store, here, answer(n))
        if n == 0 and task != "comment":
            mine = next(
                one
                for one in store.study_work.of(here.seat)
                if one.unit != "u900" and one.time == 1
            )
            kit.say(store, here, sitting.show(store, here, mine.unit, mine.time), None, "later")
    seat = organising.add_model(store, made.study.id, JUDGE)
    here = made.at_work(0)._replace(seat=seat.id)
    for one in store.study_work.of(seat.id):
        for stage in range(1, one.stages + 1):
            shown = sitting.show(store, here, one.unit, one.time)
            kit.open_texts(store, here, shown)
            sitting.submit(
                store,
                here,
                ListedUnit(seat.id, one.unit, one.time),
                stage,
                answer(9)(here, shown),
                f"{one.unit}/{one.time}/{stage}",
                stage - 1,
            )
    return made


def differences(found: list[dict], wanted: list[Statistic]) -> list[str]:
    """Say which figures differ; what is summed in another order may differ in its last digits."""

    def place(one: dict) -> tuple[str, str]:
        return one["name"], one["about"]

    mine, theirs = (
        {place(one): one for one in some}
        for some in (found, [one.model_dump(mode="json") for one in wanted])
    )
    lonely = [f"{key} is there once only" for key in mine.keys() ^ theirs.keys()]
    return lonely + [
        f"{mine[key]} is not {other}"
        for key, other in theirs.items()
        if key in mine
        and any(
            mine[key][name]
            != (pytest.approx(value, rel=1e-9, abs=1e-9) if isinstance(value, float) else value)
            for name, value in other.items()
        )
    ]


def written(store: Store, study: str, name: str, folder: Path) -> Path:
    file = folder / name
    file.write_text(files(store, study)[name], newline="")
    return file


# -- sessions ----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["whole", "skips", "attentive"])
@pytest.mark.parametrize("task", HOLDS)
def test_answers_of_a_session_read_back_give_its_figures(cli, tmp_path, task, kind):
    store, attentive = Store(tmp_path / "data"), kind == "attentive"
    made = held(store, task, skips=kind == "skips", one_fails=attentive)
    file = tmp_path / "answers.csv"
    file.write_text(files(store, made.study.id, attentive=attentive)["answers.csv"], newline="")
    rows = list(csv.DictReader(file.open(newline="")))
    assert {row["attention"] for row in rows} == {"yes", "no"}
    assert {row["time"] for row in rows} == {"1", "2"}
    assert {row["last"] for row in rows} == ({"yes", "no"} if task != "comment" else {"yes"})
    code, document, _ = cli("agreement", str(file))
    assert (code, document["file"]["holds"], document["file"]["refused"]) == (0, HOLDS[task], [])
    found = analysed(store, made.study.id, attentive)
    here = [one for part in found.parts for one in part.statistics]
    assert sum(one.value is not None for one in here) > (5 if kind == "whole" else 0)
    assert any(JUDGE in one.about for one in here)
    assert differences(document["statistics"], here) == []


def test_columns_that_another_program_spelled_are_read_as_ours(tmp_path):
    store = Store(tmp_path / "data")
    made = held(store, "rate")
    head, _, rows = files(store, made.study.id)["answers.csv"].partition("\n")
    theirs = head.replace("_", " ").title()
    assert "Rater" in theirs
    ours, spelled = (
        answers(read("answers.csv", f"{one}\n{rows}".encode())) for one in (head, theirs)
    )
    assert spelled.sheet.rows != ()
    assert (spelled.revised, spelled.checks) == (ours.revised, ours.checks)
    assert min(ours.revised, ours.checks) > 0
    for name in ("rater", "criterion", "value", "time", "last"):
        assert spelled.sheet.values(name) == ours.sheet.values(name)


ANSWERS = "unit,rater,time,stage,attention,label,other,criterion,value,last"


def test_an_order_that_puts_a_text_at_two_places_is_refused_and_not_the_last_taken():
    rows = ["1,Ann,1,,no,A,,novelty,1,yes", "1,Ann,1,,no,B,,novelty,2,yes"]
    once, twice = (
        orders(answers(read("answers.csv", "\n".join([ANSWERS, *some]).encode())))
        for some in (rows * 2, [*rows, "1,Ann,1,,no,A,,novelty,3,yes"])
    )
    assert [one.rankings for one in once.sets["novelty"]] == [{"Ann": (("A",), ("B",))}]
    assert (once.refused, twice.sets["novelty"]) == ((), ())
    assert [(one.where, one.title) for one in twice.refused] == [("line 4", "A")]


def test_a_round_with_a_question_answered_in_two_ways_is_left_out_and_said():
    rows = [f"1,Ann,1,0,no,A,,{question},{said[0]},yes" for question, said in WORDS.items()]
    again = [f"1,Ann,1,0,no,A,,{question},{said[1]},yes" for question, said in WORDS.items()][:1]
    once, twice = (
        comments(answers(read("answers.csv", "\n".join([ANSWERS, *some]).encode())))
        for some in (rows * 2, [*rows, *again])
    )
    assert (len(once[0]), once[2]) == (1, ())
    assert (twice[0], [one.where for one in twice[2]]) == ((), ["line 5"])


def test_ratings_of_a_session_read_back_give_its_figures(cli, tmp_path):
    store = Store(tmp_path / "data")
    made = held(store, "rate")
    code, document, _ = cli(
        "agreement", str(written(store, made.study.id, "ratings.csv", tmp_path))
    )
    assert (code, document["file"]["models"], document["file"]["models_said"]) == (
        0,
        [JUDGE],
        f"by 'kind': {JUDGE}",
    )
    assert (
        differences(
            document["statistics"],
            [one for part in analysed(store, made.study.id).parts for one in part.statistics],
        )
        == []
    )


@pytest.mark.parametrize("task", HOLDS)
def test_the_screen_reads_answers_of_a_session_back(tmp_path, monkeypatch, task):
    runner, _ = arena_kit.arena_shop(tmp_path, judges=("scripted:one", "builtin"))
    store = host(monkeypatch, runner)
    made = held(store, task)
    app = visit("sessions", view="file")
    app.file_uploader(key="study:file").set_value(
        ("answers.csv", files(store, made.study.id)["answers.csv"].encode(), "text/csv")
    )
    app = settled(app.run())
    assert not app.error
    assert "3 experts, 1 model" in said(app)
    chosen = app.segmented_control(key="study:file:criterion").value
    part = next(one for one in analysed(store, made.study.id).parts if one.criterion == chosen)
    drawn = app.table[0].value
    given = [one for one in part.statistics if one.value is not None]
    assert len(drawn) == len(given)
    assert all(
        one.name in name.replace("\\", "") for one, name in zip(given, drawn["Figure"], strict=True)
    )


@pytest.mark.parametrize("name", ["answers.csv", "ratings.csv"])
@pytest.mark.parametrize("scores", [(4,), (2, 3), (3, 4, 5)])
def test_few_scores_read_back_have_the_intervals_of_their_session(cli, tmp_path, name, scores):
    store, dice = Store(tmp_path / "data"), random.Random(2)
    made = kit.opened(store, "rate", 3, 12, overlap=3, repeats=3, attention=0)

    def answer(here, shown):
        return RateAnswer(scores={one.name: dice.choice(scores) for one in here.criteria})

    for n in range(3):
        kit.work_through(store, made.at_work(n), answer)
    code, document, _ = cli("agreement", str(written(store, made.study.id, name, tmp_path)))
    here = analysed(store, made.study.id)
    assert (code, document["file"]["refused"]) == (0, [])
    assert (
        differences(document["statistics"], [one for part in here.parts for one in part.statistics])
        == []
    )
    whole = rated(here.filed).sheet.agreement.model_dump(mode="json")
    for criterion, one in whole["criteria"].items():
        for what in ("means", "severities", "ceilings"):
            assert document["analysis"]["agreement"]["criteria"][criterion][what] == one[what], what


# -- an arena ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def arena(tmp_path_factory):
    """Return a store with an arena in which two models and two people voted, and its run; nobody
    changes them.
    """
    runner, _ = arena_kit.arena_shop(tmp_path_factory.mktemp("arena"))
    run = arena_kit.held(
        runner,
        arena_kit.entries(runner.store, topics=tuple(f"topic {n}" for n in range(4))),
        judges=arena_kit.JUDGES,
    )
    store, dice = runner.store, random.Random(1)
    for ballot in store.ballots.of(run.id)[::3]:
        for name in ("Ada", "Bo"):
            sides = {
                criterion: dice.choice(("first", "second", "tie")) for criterion in ballot.sides
            }
            store.ballots.add(
                (
                    ballot.model_copy(
                        update={
                            "judge": name,
                            "person": True,
                            "key": f"person/{name}/{ballot.key}",
                            "sides": sides,
                        }
                    ),
                )
            )
    return store, run


def votes_of(arena, columns: tuple[str, ...]) -> str:
    """Return the votes as a CSV with these columns."""
    store, run = arena
    out = io.StringIO()
    lines = csv.writer(out)
    lines.writerow(columns)
    for one in store.ballots.of(run.id):
        contest = one.contest
        second = contest.b if one.first == contest.a else contest.a
        for criterion, side in one.sides.items():
            held = {
                "topic": contest.topic,
                "method a": contest.a,
                "method b": contest.b,
                "first": one.first,
                "second": second,
                "criterion": criterion,
                "winner": {"first": one.first, "second": second}.get(side, "tie"),
                "preference": side,
                "judge": one.judge,
                "person": "yes" if one.person else "no",
                "kind": "person" if one.person else "model",
                "repeat": one.repeat,
            }
            lines.writerow([held[name] for name in columns])
    return out.getvalue()


def compared(tables: dict[str, dict], wanted: tuple[Table, ...]) -> list[str]:
    """Say which tables differ from those of the arena, but for lengths of texts, which are in no
    file of votes.
    """
    theirs = {one.name: one.model_dump(mode="json") for one in wanted}
    for some in (tables, theirs):
        for row in some["arena-judges-all-criteria-pooled"]["rows"]:
            del row[5:7]
    return [
        name
        for name in {*tables, *theirs}
        if tables.get(name, {}).get("rows") != theirs.get(name, {}).get("rows")
    ]


def test_ballots_of_an_arena_read_back_give_its_figures(cli, tmp_path, arena):
    file = tmp_path / "ballots.csv"
    file.write_text(ballots(*arena), newline="")
    code, document, _ = cli("agreement", str(file))
    assert (
        code,
        document["file"]["holds"],
        document["file"]["refused"],
        document["file"]["unused"],
    ) == (0, "votes", [], [])
    assert "by 2 models and 2 people on 3 methods and 4 topics" in document["file"]["counts"]
    assert "arena-grid" in document["tables"]
    assert compared(document["tables"], arena_tables(*arena)) == []


def test_votes_that_name_both_sides_read_back_give_the_ratings_of_their_arena(cli, tmp_path, arena):
    file = tmp_path / "votes.csv"
    columns = ("topic", "criterion", "first", "second", "judge", "kind", "preference", "repeat")
    file.write_text(votes_of(arena, columns), newline="")
    code, document, _ = cli("agreement", str(file))
    assert (
        code,
        document["file"]["holds"],
        document["file"]["refused"],
        document["file"]["unused"],
    ) == (0, "votes", [], [])
    assert compared(document["tables"], arena_tables(*arena)) == []


def test_of_a_person_who_voted_again_the_last_ballot_is_read_back_whole(cli, tmp_path):
    runner, _ = arena_kit.arena_shop(tmp_path / "arena")
    topics = tuple(f"{sign}topic {n}" for n, sign in enumerate("=-@+"))
    run = arena_kit.held(
        runner, arena_kit.entries(runner.store, topics=topics), judges=arena_kit.JUDGES
    )
    first = runner.store.ballots.of(run.id)
    for n, (ballot, side) in enumerate(
        (ballot, side) for side in ("first", "tie", "second") for ballot in first[::2]
    ):
        sides = dict.fromkeys([*ballot.sides][: None if side == "first" else -1], side)
        runner.store.ballots.add(
            (
                ballot.model_copy(
                    update={
                        "judge": "Ada",
                        "person": True,
                        "key": f"person/Ada/{n}/{ballot.key}",
                        "sides": sides,
                    }
                ),
            )
        )
    file = tmp_path / "ballots.csv"
    file.write_text(ballots(runner.store, run), newline="")
    code, document, _ = cli("agreement", str(file))
    assert (code, document["file"]["refused"]) == (0, [])
    assert compared(document["tables"], arena_tables(runner.store, run)) == []


def test_votes_that_say_nothing_usable_are_named(cli, tmp_path, arena):
    file = tmp_path / "votes.csv"
    lines = votes_of(arena, (*COLUMNS, "repeat")).splitlines()
    whole = lines[1].split(",")
    wrong = [
        ",".join((*whole[:5], "nobody", *whole[6:])),
        ",".join((*whole[:3], "stranger", *whole[4:])),
        lines[1],
    ]
    file.write_text("\n".join((*lines, *wrong)))
    code, document, err = cli("agreement", str(file))
    assert code == 0, err
    assert [one["where"] for one in document["file"]["refused"]] == [
        f"line {len(lines) + n}" for n in (1, 2, 3)
    ]
    said = " ".join(one["reason"] for one in document["file"]["refused"])
    assert "the winner 'nobody' is neither" in said.lower()
    assert "'stranger' is neither" in said
    assert "more than once in one order" in said


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([f"t,novelty,j,m{n},m{n + 1},first" for n in range(100)], "on 101 methods and 1 topic,"),
        ([f"t,novelty,j{n},a,b,first" for n in range(301)], "by 301 judges"),
        ([f"t{n},novelty,j,m{n % 99},m99,first" for n in range(600)], "on 100 methods and 600"),
        (["t,novelty,people,a,b,first"], "what all people together are called"),
    ],
    ids=["methods", "judges", "topics", "people"],
)
def test_votes_that_are_too_many_to_be_compared_are_refused(cli, tmp_path, rows, said):
    file = tmp_path / "votes.csv"
    file.write_text("\n".join(("topic,criterion,judge,first,second,winner", *rows)))
    code, _, err = cli("agreement", str(file))
    assert code == 2
    assert said in err


def test_the_screen_reads_votes_back(arena, monkeypatch, tmp_path):
    runner, _ = arena_kit.arena_shop(tmp_path, judges=("scripted:one", "builtin"))
    host(monkeypatch, runner)
    app = visit("sessions", view="file")
    app.file_uploader(key="study:file").set_value(
        ("ballots.csv", ballots(*arena).encode(), "text/csv")
    )
    app = settled(app.run())
    assert not app.error
    assert "by 2 models and 2 people on 3 methods and 4 topics" in said(app)
    wanted = next(one for one in arena_tables(*arena) if one.name == "arena-grid")
    assert len(app.selectbox(key="study:file:table").options) == len(arena_tables(*arena))
    settled(app.selectbox(key="study:file:table").set_value(wanted.title).run())
    drawn = app.dataframe[-1].value
    assert list(drawn.columns) == list(wanted.head)
    cells = [
        (mine, value.said)
        for line, row in zip(drawn.to_numpy(), wanted.rows, strict=True)
        for mine, value in zip(line, row, strict=True)
    ]
    assert all(mine.startswith(theirs) for mine, theirs in cells)


# -- a benchmark -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def benchmark(tmp_path_factory):
    store = Store(tmp_path_factory.mktemp("benchmark"))
    run = bench_kit.settled_store(
        store, keywords=tuple(f"keyword {n}" for n in range(12)), judges_each=2
    )
    return store, run


@pytest.mark.parametrize("name", ["judgments.csv", "dataset.csv"])
def test_judgments_read_back_give_the_figures_of_their_benchmark(cli, tmp_path, benchmark, name):
    store, run = benchmark
    (tmp_path / name).write_bytes(benchmark_files(store, run.id)[name])
    code, document, _ = cli("agreement", str(tmp_path / name))
    assert (code, document["file"]["holds"], document["file"]["refused"]) == (0, "judgments", [])
    here = findings(store, run.id)
    assert differences(document["statistics"], list(here.agreement)) == []
    assert (
        document["tables"]["judges"]["rows"]
        == board_tables.severity(here.severity).model_dump(mode="json")["rows"]
    )
    head, board = (
        document["tables"]["leaderboard"]["head"],
        document["tables"]["leaderboard"]["rows"],
    )
    wanted = board_tables.board(here.board)
    assert head == list(wanted.head)
    columns = [head.index(column) for column in ("Model", "Originality", "Feasibility", "Clarity")]

    def scores(rows):
        return sorted(([row[at] for at in columns] for row in rows), key=lambda row: row[0]["text"])

    assert scores(board) == scores(wanted.model_dump(mode="json")["rows"])
    assert {row[0]["text"] for row in scores(board)} == {"openai:a", "openai:b"}
