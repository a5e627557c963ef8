"""Our own exports, read back: the verb and the screen give the figures of the session, the arena or the benchmark they come from."""
import csv
import io
import json
import random
from pathlib import Path

import pytest

from core.agreement.figures import Statistic
from core.benchmark.findings import findings
from core.entering.exported import of_export
from core.entering.ratings import opened
from core.export.arenas import tables as arena_tables
from core.export.benchmarks import files as benchmark_files
from core.export.studies import files
from core.judging.arena_results import results
from core.judging.arena_votes import cast
from core.judging.arena import lineup_of
from core.records import Ballot, CommentAnswer, CompareAnswer, IDEA_CRITERIA, Preference, RankAnswer, RateAnswer
from core.store import Store
from core.studies import sitting
from core.studies.analysis import analysed
from tests import arena_kit, bench_kit
from tests import studies_kit as kit
from tests.headless import cli, server

__all__ = ["cli", "server"]
JUDGE = "scripted:judge"


def answered(here, shown):
    """Answer by chance, alike whenever the same seat is asked the same for the same time."""
    dice = random.Random(f"{here.seat_name if hasattr(here, 'seat_name') else ''}{shown.unit.id}{shown.assignment.time}{shown.stage}{here.task}"
                         f"{shown.assignment.position}")
    names, labels = [one.name for one in here.criteria], list(shown.unit.labels)
    match here.task:
        case "rate":
            return RateAnswer(scores={name: dice.choice((None, *range(1, 11))) for name in names})
        case "rank":
            dice.shuffle(labels)
            return RankAnswer(groups=((labels[0],), tuple(labels[1:])) if dice.random() < 0.3 else tuple((one,) for one in labels))
        case "compare":
            return CompareAnswer(both_weak=dice.random() < 0.3, preferences={
                name: Preference(better=better, much=bool(better) and dice.random() < 0.4) for name in names for better in (dice.choice(("", *labels)),)})
        case _:
            return CommentAnswer(valid=dice.choice(("yes", "partly", "no")), answered=dice.choice(("yes", "partly", "no")),
                                 change=dice.choice(("better", "same", "worse")))


def held(store: Store, task: str) -> kit.Held:
    """Return a session of three experts with checks of attention and repeats, all of them answered, and one answer revised."""
    made = kit.opened(store, task, 3, 36 if task == "rank" else 12, overlap=3, repeats=3, attention=1)
    for n in range(3):
        here = made.at_work(n)
        kit.work_through(store, here, answered)
        if n == 0 and task != "comment":
            mine = next(one for one in store.study_work.of(here.seat) if one.unit != "u900" and one.time == 1)
            shown = sitting.show(store, here, mine.unit, mine.time)
            kit.say(store, here, shown, kit.an_answer(here, shown), "later")
        kit.finished(store, here)
    return made


def alike(found: list[dict], wanted: list[Statistic]) -> list[str]:
    """Say which figures differ; sums in another order may differ in their last digits."""
    def place(one: dict) -> tuple[str, str]:
        return one["name"], one["about"]

    mine, theirs = sorted(found, key=place), sorted((one.model_dump(mode="json") for one in wanted), key=place)
    return [*(f"{place(one)} is there once only" for one in mine + theirs if sum(place(other) == place(one) for other in mine + theirs) != 2),
            *(f"{one} is not {other}" for one, other in zip(mine, theirs, strict=False)
              if any(one[name] != (pytest.approx(other[name], rel=1e-9, abs=1e-9) if isinstance(other[name], float) else other[name]) for name in other))]


@pytest.mark.parametrize(("task", "holds"), [("rate", "ratings"), ("rank", "rankings"), ("compare", "comparisons"), ("comment", "comments")])
def test_answers_of_a_session_read_back_give_its_figures(cli, tmp_path, task, holds):
    store = Store(tmp_path / "data")
    made = held(store, task)
    file = tmp_path / "answers.csv"
    file.write_text(files(store, made.study.id)["answers.csv"], newline="")
    assert {row["attention"] for row in csv.DictReader(file.open())} == {"yes", "no"}
    code, document, _ = cli("agreement", str(file))
    assert (code, document["file"]["holds"], document["file"]["refused"]) == (0, holds, [])
    here = analysed(store, made.study.id)
    assert sum(one.value is not None for part in here.parts for one in part.statistics) > 5
    assert alike(document["statistics"], [one for part in here.parts for one in part.statistics]) == []
