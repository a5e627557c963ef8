"""One rule says which answers count: live table, figures, paragraph, files, codebook and the
command line give the same numbers.
"""

import csv
import io
import re

import pytest

from components.sessions import kept
from core.export.sessions.folder import files
from core.records import RateAnswer
from core.store.studies.work import ListedUnit
from core.studies import organising, sitting
from core.studies.analysis import analysed
from core.studies.counting import RULE
from core.studies.definitions import DEFINITIONS
from core.studies.live import dashboard
from core.wording.numbers import counted
from tests.core.studies.test_analysis import by_worth, judged
from tests.support.arena_kit import arena_shop
from tests.support.headless import cli, server
from tests.support.sessions import studies_kit as kit
from tests.support.visiting import host, said, visit

__all__ = ["cli", "server"]
TASKS = ("rate", "rank", "compare", "comment")


@pytest.fixture
def store(tmp_path, monkeypatch):
    runner, _ = arena_shop(tmp_path, judges=("scripted:one", "builtin"))
    monkeypatch.setattr(kept, "_held", {})
    return host(monkeypatch, runner)


def mixed(store, task: str) -> kit.Held:
    """Hold a session of which one expert revised, one is not through, one withdrew, one lost the
    link, one never came; and a model judge.
    """
    made = kit.opened(
        store, task, 5, 12, overlap=2, repeats=1, attention=1, hidden_target=task == "rank"
    )
    here = [made.at_work(n) for n in range(4)]
    kit.work_through(store, here[0], by_worth(store))
    kit.work_through(store, here[1], by_worth(store, 1), units=2)
    kit.work_through(store, here[2], by_worth(store), units=3)
    sitting.withdraw(store, here[2])
    kit.work_through(store, here[3], by_worth(store), units=1)
    organising.take_back(store, made.seats[3].id)
    if task != "comment":
        spot = next(
            ListedUnit(one.seat, one.unit, one.time)
            for one in store.study_work.of(made.seats[1].id)
            if one.done
        )
        kit.say(store, here[1], sitting.show(store, here[1], spot.unit, spot.time), key="again")
    judged(store, made)
    return made


def by_hand(store, made: kit.Held) -> tuple[int, int]:
    """Return how many answers of how many experts count, read off the tables of the store."""
    rows = store.connections.rows(
        "SELECT DISTINCT a.seat, a.unit, a.stage FROM study_answers AS a JOIN seats AS s ON s.id ="
        " a.seat WHERE a.study = ? AND a.time = 1 AND a.unit != 'u900' AND s.model = '' AND s.step"
        " != 'withdrawn'",
        made.study.id,
    )
    return len(rows), len({row["seat"] for row in rows})


def table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


@pytest.mark.parametrize("task", TASKS)
def test_answers_and_experts_are_counted_alike_everywhere(store, task):
    made = mixed(store, task)
    answers, experts = by_hand(store, made)
    clause = f"{answers} answers by {counted(experts, 'expert')} and"
    assert experts == 3
    now = dashboard(store, made.study.id)
    assert (now.answered, now.experts) == (answers, experts)
    assert sum(one.answers for one in now.seats if not one.model) == answers
    found = analysed(store, made.study.id)
    assert (found.filed.counts.answers, found.filed.counts.experts) == (answers, experts)
    progress, agreement = (
        visit("sessions", session=made.study.id, tab=tab) for tab in ("Progress", "Agreement")
    )
    counted_there = progress.table[0].value["Answers that count"][:5]
    assert sum(map(int, counted_there)) == answers
    assert clause in said(agreement)
    held = files(store, made.study.id)
    assert clause in held["methods.txt"]
    assert clause in held["codebook.md"]
    assert RULE.split(". ", maxsplit=1)[0] in held["codebook.md"].replace("\\", "")
    seats = {row["seat"]: row for row in table(held["seats.csv"])}
    people = [row for row in seats.values() if row["kind"] == "expert"]
    assert (
        sum(int(row["answers"]) for row in people),
        sum(row["counts"] == "yes" for row in people),
    ) == (answers, experts)
    of_people = {
        row["answer"]
        for row in table(held["answers.csv"])
        if row["counts"] == "yes" and seats[row["seat"]]["kind"] == "expert"
    }
    assert len(of_people) == answers
    organising.close(store, made.study.id)
    assert clause in said(visit("sessions", session=made.study.id, tab="Export"))


@pytest.mark.parametrize("task", TASKS)
def test_the_command_line_counts_as_the_screen_does(store, cli, task):
    made = mixed(store, task)
    answers, experts = by_hand(store, made)
    live, agreement = (cli("study", verb, made.study.id)[1] for verb in ("live", "agreement"))
    assert (
        live["answered"],
        live["experts"],
        sum(one["answers"] for one in live["seats"] if not one["model"]),
    ) == (answers, experts, answers)
    assert (agreement["counts"]["answers"], agreement["counts"]["experts"]) == (answers, experts)
    (listed,) = cli("study", "list")[1]["studies"]
    units = sum(one.id != "u900" for one in store.studies.units(made.study.id))
    people = {seat.id for seat in made.seats if store.seats.get(seat.id).step != "withdrawn"}
    done = sum(
        one.done and one.time == 1 and one.unit != "u900" and one.seat in people
        for one in store.study_work.all(made.study.id)
    )
    assert (listed["done"], listed["dealt"]) == (done, 2 * units)
    assert f"{done} of {2 * units} units done" in said(visit("sessions"))


def test_every_answer_is_counted_or_has_the_reason_why_not(store):
    made = mixed(store, "rate")
    found = analysed(store, made.study.id).filed.counts
    assert sum(found) - found.experts - found.models == store.study_work.filed(made.study.id)
    assert (found.revised, found.withdrawn, found.failed) == (1, 3, 0)
    assert re.search(r"not counted: .*1 revised later, 3 of experts who withdrew$", found.said)


def test_experts_who_failed_a_check_and_are_left_out_are_not_counted(store):
    made = kit.opened(store, "rate", 3, 6, overlap=3)
    for n in range(3):
        kit.work_through(
            store,
            made.at_work(n),
            (
                by_worth(store)
                if n
                else lambda here, shown: RateAnswer(scores={"novelty": 2, "clarity": 3})
            ),
        )
    assert analysed(store, made.study.id).filed.counts[:2] == (3, 18)
    held = files(store, made.study.id, attentive=True)
    assert "12 answers by 2 experts count; not counted:" in held["methods.txt"]
    assert "8 of experts who failed an attention check" in held["codebook.md"]
    assert sum(row["counts"] == "yes" for row in table(held["answers.csv"])) == 12 * 2
    assert [row["counts"] for row in table(held["seats.csv"])] == ["no", "yes", "yes"]


@pytest.mark.parametrize("task", TASKS)
def test_the_codebook_says_how_every_figure_is_computed(store, task):
    made = mixed(store, task)
    organising.close(store, made.study.id)
    organising.unblind(store, made.study.id, "An Organiser")
    found = analysed(store, made.study.id)
    named = {one.name for part in found.parts for one in part.statistics}
    named |= {one.figure.name for one in found.sourced.figures} | {
        one.name for some in found.sourced.differences.values() for one in some
    }
    assert named
    assert named <= set(DEFINITIONS[task])
    held = files(store, made.study.id, key=True)["codebook.md"].replace("\\", "")
    assert all(f"- {name}: " in held for name in DEFINITIONS[task])
    if task == "compare":
        assert "a pair of texts, each once" in held
