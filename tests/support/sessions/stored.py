"""Sessions as an earlier main left them: how they are made, and what opens them again.

`python -m tests.support.sessions.stored NAME` makes `tests/data/sessions/NAME.db.gz` with the
program as it is: of every task a draft, an open session whose seats are half answered, a closed one
and an unblinded one. Beside it stand the secrets of the experts' links, and every file that each
session exported at that time.
"""

import gzip
import json
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from core.export.sessions.folder import files
from core.records import TASKS, StudyAnswer, StudySeat, Task
from core.store import Store
from core.store.studies.work import ListedUnit
from core.studies import organising, sitting
from tests import DATA
from tests.support.sessions import studies_kit as kit

HERE = DATA / "sessions"
STATES = ("draft", "open", "closed", "unblinded")
JUDGE = "openai:test-model"
TEXTS: dict[Task, int] = {"rate": 12, "rank": 9, "compare": 6, "comment": 4}
TYPED = "Half a thought, not filed yet."
"""The note of a draft that was being typed."""


class StoredSession(NamedTuple):
    """A session in a store that was kept."""

    study: str
    task: Task
    state: str
    secrets: dict[str, str]
    """Of experts' links, by seat, in the order the seats were made."""
    files: dict[str, str]
    """What it exported when the store was made, with the key where it was unblinded; a draft has
    none.
    """

    def __str__(self) -> str:
        return f"{self.task}-{self.state}"


# -- making ------------------------------------------------------------------------------------


def make(store: Store) -> list[StoredSession]:
    """Fill a store with a session of every task in every state."""
    return [_session(store, task, state) for task in TASKS for state in STATES]


def _session(store: Store, task: Task, state: str) -> StoredSession:
    hides = task == "rank"
    study = kit.drafted(store, task, TEXTS[task], overlap=2, hidden_target=hides).id
    made = [organising.add_seat(store, study, f"Expert {n}") for n in range(1, 4)]
    secrets = {seat.id: secret for seat, secret in made}
    judge = organising.add_model(store, study, JUDGE)
    found: dict[str, str] = {}
    if state != "draft":
        organising.open_study(store, study)
        _half(store, list(secrets.values()))
        _model(store, judge, half=state == "open")
    if state in ("closed", "unblinded"):
        for secret in list(secrets.values())[:2]:
            _whole(store, secret)
        organising.close(store, study)
    if state == "unblinded":
        organising.unblind(store, study, "An Organiser")
    if state != "draft":
        found = files(store, study, key=state == "unblinded")
    return StoredSession(study, task, state, secrets, found)


def _half(store: Store, secrets: list[str]) -> None:
    """Bring the first expert half way, with a revision and a draft; the second past practice; the
    third has not come.
    """
    here = kit.at_work(store, secrets[0])
    kit.work_through(store, here, units=2)
    first = sitting.listed(store, here)[0]
    shown = sitting.show(store, here, first.unit, first.time)
    if here.task != "comment":  # Rounds that are answered are locked.
        revised = kit.an_answer(here, shown, 7).model_copy(update={"note": "On second thoughts."})
        kit.say(store, here, shown, revised)
    following = sitting.upcoming(store, here)
    assert following is not None
    spot = ListedUnit(here.seat, following.unit, following.time)
    shown = sitting.show(store, here, *spot[1:])
    sitting.keep(store, here, spot, shown.stage, {"note": TYPED})
    second = kit.at_work(store, secrets[1])
    sitting.show(store, second, sitting.listed(store, second)[0].unit)


def _whole(store: Store, secret: str) -> None:
    here = sitting.enter(store, secret)
    kit.work_through(store, here)
    kit.finished(store, here)


def _model(store: Store, judge: StudySeat, half: bool) -> None:
    plan = store.studies.get(judge.study).plan
    here = sitting.Sitting.of(store.studies.get(judge.study), judge.id, "work", plan.criteria)
    lists = store.study_work.of(judge.id)
    for at in lists[: len(lists) // 2] if half else lists:
        while not store.study_work.claim(ListedUnit(judge.id, at.unit, at.time)).done:
            shown = sitting.show(store, here, at.unit, at.time)
            kit.say(store, here, shown, kit.an_answer(here, shown, 5))


# -- opening again -----------------------------------------------------------------------------


@contextmanager
def opened(name: str, folder: Path) -> Iterator[dict[str, StoredSession]]:
    """Unpack a store into a data folder and return its sessions by task and state."""
    folder.mkdir(parents=True, exist_ok=True)
    with gzip.open(HERE / f"{name}.db.gz") as packed, (folder / "foundry.db").open("wb") as whole:
        shutil.copyfileobj(packed, whole)
    known = json.loads(gzip.decompress((HERE / f"{name}.json.gz").read_bytes()))
    sessions = [StoredSession(**one) for one in known]
    yield {str(one): one for one in sessions}


def last(store: Store, session: StoredSession) -> dict[tuple[str, str, int, int], StudyAnswer]:
    """Return the last answer at every place of a session."""
    answers = store.study_work.answers(session.study)
    return {(one.seat, one.unit, one.time, one.stage): one for one in answers}


def main(name: str) -> None:
    """Make a store with the program as it is, and keep it packed beside the account of what is in
    it.
    """
    HERE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        store = Store(Path(place) / "data")
        made: list[dict[str, Any]] = [one._asdict() for one in make(store)]
        store.connections.rows("VACUUM INTO ?", str(Path(place) / "whole.db"))
        with (
            (Path(place) / "whole.db").open("rb") as whole,
            gzip.GzipFile(HERE / f"{name}.db.gz", "wb", mtime=0) as packed,
        ):
            shutil.copyfileobj(whole, packed)
    account = json.dumps(made, ensure_ascii=False, indent=1).encode()
    (HERE / f"{name}.json.gz").write_bytes(gzip.compress(account, mtime=0))


if __name__ == "__main__":
    main(sys.argv[1])
