"""Sessions of an earlier main: each opens for its organiser and its experts, is answered further,
closed and unblinded, and exports the tables that it exported then.
"""

import csv
import hashlib
import io
import json
import math

import pytest

from components.sessions import kept
from core.export.sessions.folder import files
from core.records import TASKS
from core.runs.runner import Runner
from core.store import Store
from core.studies import organising, sitting
from tests.conftest import Shop
from tests.support.sessions import stored
from tests.support.sessions import studies_kit as kit
from tests.support.sessions.annotate_kit import opened as seat_page
from tests.support.visiting import host, said, visit

STORES = tuple(sorted(path.name.removesuffix(".db.gz") for path in stored.HERE.glob("*.db.gz")))
NAMES = [f"{task}-{state}" for task in TASKS for state in stored.STATES]
AT_WORK = [f"{task}-{state}" for task in TASKS for state in ("draft", "open")]
OVER = [f"{task}-{state}" for task in TASKS for state in ("closed", "unblinded")]


@pytest.fixture(scope="module", params=STORES)
def held(request, tmp_path_factory):
    """Open a stored database once for all tests of this file, in their order; gives a runner and
    the sessions by name.
    """
    folder = tmp_path_factory.mktemp("sessions") / "data"
    with stored.opened(request.param, folder) as sessions:
        yield Runner(Shop(folder, {})), sessions


@pytest.fixture
def store(held, monkeypatch) -> Store:
    monkeypatch.setattr(kept, "_held", {})
    return host(monkeypatch, held[0])


MOVED = "mean difference"
"""Of `by-source-figures.csv`: pairs of sources stand in `contrasts.csv` since sources are compared
by several tests.
"""

# -- what was exported -------------------------------------------------------------------------


def without(known: object, now: object, where: str = "") -> list[str]:
    """Return where a document lacks what one that is known says; what it says beside is not
    looked at.
    """
    if isinstance(known, dict) and isinstance(now, dict):
        return [
            told
            for name, value in known.items()
            for told in without(value, now.get(name, "<missing>"), f"{where}/{name}")
        ]
    if isinstance(known, list) and isinstance(now, list) and len(known) == len(now):
        return [
            told
            for n, (one, other) in enumerate(zip(known, now, strict=True))
            for told in without(one, other, f"{where}/{n}")
        ]
    return [] if known == now or close(known, now) else [f"{where}: {known!r} was, {now!r} is"]


def close(known: object, now: object) -> bool:
    """Say whether two figures differ in nothing but what another processor's arithmetic does."""
    try:
        return math.isclose(float(str(known)), float(str(now)), rel_tol=1e-9)
    except ValueError:
        return False


def read(name: str, text: str) -> object:
    """Return what a file says, in a shape that further columns and fields may be added to."""
    if name.endswith(".csv"):
        rows = [dict(row) for row in csv.DictReader(io.StringIO(text))]
        return [row for row in rows if row.get("Figure") != MOVED]
    if name.endswith(".jsonl"):
        return [json.loads(line) for line in text.splitlines()]
    document = json.loads(text)
    if name == "configuration.json":
        # The seed stands beside the key only.
        del document["configuration"]["plan"]["seed"], document["sha_is"]
    return document


@pytest.mark.parametrize("name", [name for name in NAMES if not name.endswith("draft")])
def test_a_session_exports_the_tables_that_it_exported_then(store, held, name):
    session = held[1][name]
    now = files(store, session.study, key=session.state == "unblinded")
    tables = [one for one in session.files if one.endswith((".csv", ".jsonl", ".json"))]
    assert len(tables) > 8
    lacking = [
        told
        for one in tables
        for told in without(read(one, session.files[one]), read(one, now.get(one, "[]")), one)
    ]
    assert lacking == []


@pytest.mark.parametrize("name", [name for name in NAMES if not name.endswith("draft")])
def test_the_hash_of_a_frozen_configuration_comes_out_again(store, held, name):
    study = store.studies.get(held[1][name].study)
    told = json.loads(files(store, study.id)["configuration.json"])
    assert told["configuration"]["plan"]["seed"] is None
    told["configuration"]["plan"]["seed"] = study.plan.seed
    canonical = json.dumps(
        told["configuration"], sort_keys=True, ensure_ascii=False, separators=(",", ":")
    )
    assert hashlib.sha256(canonical.encode()).hexdigest() == told["sha"]


# -- on the screens ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_a_session_opens_on_its_organisers_page(store, held, name):
    session = held[1][name]
    app = visit("sessions", session=session.study)
    for tab in app.segmented_control(key="tab").options:
        app = visit("sessions", session=session.study, tab=tab)
        assert not app.error, (tab, [one.value for one in app.error])
        assert "The organiser's own name" in said(app)


@pytest.mark.parametrize("name", NAMES)
def test_an_experts_link_opens_what_it_opened_then(store, held, name):
    session = held[1][name]
    pages = [said(seat_page(secret)) for secret in session.secrets.values()]
    if session.state == "draft":
        assert all("not open yet" in page for page in pages)
    elif session.state == "open":
        assert "of " in pages[0]
        assert "Pause" in pages[0]
        assert "You are asked to judge ideas." in pages[2]
    else:
        assert all("This session is closed" in page for page in pages)


# -- going on ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", AT_WORK)
def test_a_session_goes_on_being_answered_and_is_closed_and_unblinded(store, held, name):
    session = held[1][name]
    before = stored.last(store, session)
    if session.state == "draft":
        organising.open_study(store, session.study)
    for n, secret in enumerate(session.secrets.values()):
        here = sitting.enter(store, secret)
        if n == 0 and session.state == "open":
            at = sitting.upcoming(store, here)
            assert sitting.show(store, here, at.unit, at.time).draft["note"] == stored.TYPED
        here = kit.at_work(store, secret)
        kit.work_through(store, here)
        assert kit.finished(store, here).step == "done"
    after = stored.last(store, session)
    assert {place: after[place] for place in before} == before
    assert len(after) > len(before)
    organising.close(store, session.study)
    organising.unblind(store, session.study, "An Organiser")
    found = files(store, session.study, key=True)
    counted = [row for row in read("answers.csv", found["answers.csv"]) if row["counts"] == "yes"]
    assert {row["rater"] for row in counted} >= {"E1", "E2", "E3"}
    assert read("key.csv", found["key.csv"])


@pytest.mark.parametrize("name", OVER)
def test_a_closed_session_can_be_unblinded_copied_and_held_again(store, held, name):
    session = held[1][name]
    organising.unblind(store, session.study, "An Organiser")
    copy = organising.copied(store, session.study)
    seats = [organising.add_seat(store, copy.id, f"Again {n}") for n in range(2)]
    organising.open_study(store, copy.id)
    for _, secret in seats:
        assert kit.work_through(store, kit.at_work(store, secret))
