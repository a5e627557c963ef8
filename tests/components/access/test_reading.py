"""Links by which a run is read without a sign-in, and by which nothing is changed."""

import asyncio
import hashlib
import io
import threading

import httpx
import pytest
from pypdf import PdfReader

from components.access import reading
from components.access.reading import READ
from components.shell import services
from core import door
from core.cases import bundled
from core.store.cases import Cases
from tests.support.gate_kit import PASSWORD
from tests.support.scripted import refine_script, refinement, runner_of
from tests.support.waiting import SOON


@pytest.fixture
def run(tmp_path):
    """A finished refinement in the store the gate serves."""
    runner, _ = runner_of(tmp_path / "data", refine_script([True, False, False]))
    made = refinement(runner, rounds=3, topic="sleep <script>alert(1)</script>")
    assert runner.work(made.id) == "done"
    return made


def everything(store) -> str:
    """Return a hash of all that the database holds."""
    with store.connections.writing() as connection:
        rows = "\n".join(connection.iterdump())
    return hashlib.sha256(rows.encode()).hexdigest()


def test_a_link_opens_its_run_behind_the_lock_and_nothing_else(serving, run):
    client = serving(PASSWORD=PASSWORD, url="http://foundry.lab.example")
    link = door.make_reading_link(services.store(), run.id)
    page = client.get(f"{READ}?link={link}")
    assert (page.status_code, page.headers["cache-control"]) == (200, "no-store")
    assert "Version 1" in page.text
    assert "<script>alert" not in page.text
    assert "default-src 'none'" in page.text
    (policy,) = page.headers.get_list("content-security-policy")
    assert policy.startswith("default-src 'none'; img-src data:; style-src 'unsafe-inline';")
    assert "frame-ancestors 'self'" in policy
    assert not [one for one in (' src="http', "<link", "@import", "url(") if one in page.text]
    assert client.get("/runs").status_code == 303
    assert client.get(f"/runs?run={run.id}&link={link}").status_code == 303


def test_the_other_forms_are_linked_and_come(serving, run):
    client = serving(PASSWORD=PASSWORD)
    link = door.make_reading_link(services.store(), run.id)
    page = client.get(f"{READ}?link={link}").text
    assert f'href="{READ}?link={link}&amp;as=pdf"' in page
    file = client.get(f"{READ}?link={link}&as=pdf")
    assert file.headers["content-type"] == "application/pdf"
    assert len(PdfReader(io.BytesIO(file.content)).pages) > 0
    assert client.get(f"{READ}?link={link}&as=bundle").status_code == 404


def at_once(client, address: str, n: int) -> list[bytes]:
    """Return what comes where n readers ask for the same at the same moment."""

    async def ask() -> list[bytes]:
        line = httpx.ASGITransport(client.app)
        async with httpx.AsyncClient(transport=line, base_url=str(client.base_url)) as reader:
            answers = await asyncio.gather(*(reader.get(address) for _ in range(n)))
        return [answer.content for answer in answers]

    return asyncio.run(ask())


@pytest.fixture
def made(monkeypatch):
    """The runs a PDF was made of, in their order."""
    made = []
    making = reading.pdf

    def write(store, run_id: str) -> bytes:
        made.append(run_id)
        return making(store, run_id)

    monkeypatch.setattr(reading, "pdf", write)
    return made


def test_a_pdf_is_made_once_for_twelve_at_once_and_again_after_a_change(serving, run, made):
    client = serving(PASSWORD=PASSWORD)
    store = services.store()
    address = f"{READ}?link={door.make_reading_link(store, run.id)}&as=pdf"
    first = at_once(client, address, 12)
    assert (len(first), len(set(first)), made) == (12, 1, [run.id])
    assert at_once(client, address, 1) == first[:1]
    assert made == [run.id]
    store.runs.change(run.id, title="Sleep after a change")
    (changed,) = at_once(client, address, 1)
    assert (changed == first[0], made) == (False, [run.id] * 2)


def test_a_page_is_made_once_for_all_who_have_its_link_and_again_after_a_change(
    serving, run, monkeypatch
):
    making, made = reading.html, []

    def write(store, run_id: str, **more) -> str:
        made.append(run_id)
        return making(store, run_id, **more)

    monkeypatch.setattr(reading, "html", write)
    client = serving(PASSWORD=PASSWORD)
    store = services.store()
    link, other = (door.make_reading_link(store, run.id) for _ in range(2))
    address = f"{READ}?link={link}"
    first = at_once(client, address, 12)
    assert (len(set(first)), at_once(client, address, 1), made) == (1, first[:1], [run.id])
    (theirs,) = at_once(client, f"{READ}?link={other}", 1)
    assert (link.encode() in theirs, other.encode() in theirs) == (False, True)
    store.runs.change(run.id, title="Sleep after a change")
    (changed,) = at_once(client, address, 1)
    assert (changed == first[0], made) == (False, [run.id] * 3)


def test_who_waits_for_a_pdf_has_one_that_was_begun_after_they_asked(serving, run, made):
    """However much is written to the store meanwhile; of another run each has its own."""
    serving(PASSWORD=PASSWORD)
    store = services.store()
    pdfs = reading.LastMade(store, reading.pdf)
    file = pdfs.of(1, run.id)
    store.runs.change(run.id, title="Sleep after a change")
    assert pdfs.of(1, run.id) == file
    assert len(made) == 1
    assert pdfs.of(reading.time.monotonic(), run.id) != file
    other = bundled.opened(store, "orexin-novelty").id
    assert pdfs.of(1, other) != file
    assert made == [run.id, run.id, other]


def test_whoever_asks_for_a_pdf_all_the_time_waits_behind_who_asks_for_the_first(
    serving, run, monkeypatch
):
    client, made, all_there = serving(PASSWORD=PASSWORD), [], threading.Event()
    store = services.store()

    def write(store, run_id: str) -> bytes:
        assert all_there.wait(SOON)
        made.append(run_id)
        store.runs.change(run_id, title=f"Changed {len(made)} times")
        return b"%PDF"

    monkeypatch.setattr(reading, "pdf", write)
    reading._pdfs.cache_clear()
    other = bundled.opened(store, "orexin-novelty").id
    greedy, modest = (door.make_reading_link(store, one) for one in (run.id, other))
    asked = [f"{READ}?link={greedy}&as=pdf"] * 12

    async def ask() -> None:
        line = httpx.ASGITransport(client.app)
        async with httpx.AsyncClient(transport=line, base_url=str(client.base_url)) as reader:
            flood = [asyncio.create_task(reader.get(one)) for one in asked]
            await waiting(len(asked) - 1)
            flood.append(asyncio.create_task(reader.get(f"{READ}?link={modest}&as=pdf")))
            await waiting(len(asked))
            all_there.set()
            await asyncio.gather(*flood)

    async def waiting(n: int) -> None:
        async with asyncio.timeout(SOON):
            while reading.LANES["pdf"].waiting() < n:
                await asyncio.sleep(0.01)

    asyncio.run(ask())
    assert made.index(other) <= 4  # The first few of everybody are held against nobody.
    reading._pdfs.cache_clear()


def test_nothing_is_changed_by_a_link_whatever_is_sent_to_it(serving, run):
    client = serving(PASSWORD=PASSWORD)
    store = services.store()
    link = door.make_reading_link(store, run.id)
    before = everything(store)
    for form in ("", "&as=pdf", "&as=x", "&run=other", "&stop=1"):
        client.get(f"{READ}?link={link}{form}")
    for method in ("POST", "PUT", "PATCH", "DELETE", "OPTIONS"):
        answer = client.request(method, f"{READ}?link={link}", content=b"x")
        assert answer.status_code == 405, method
    page = client.get(f"{READ}?link={link}").text
    assert not [tag for tag in ("<form", "<button", "<input", "<script") if tag in page]
    assert everything(store) == before


@pytest.mark.parametrize("link", ["", "x", "%00", "a" * 5_000, "é"])
def test_a_wrong_link_is_told_so_in_a_sentence(serving, run, link):
    answer = serving(PASSWORD=PASSWORD).get(f"{READ}?link={link}")
    assert answer.status_code == 404
    assert answer.text.startswith("This link opens nothing, or nothing any more.")


def test_a_link_taken_back_and_one_of_a_deleted_run_open_nothing(serving, run):
    client = serving(PASSWORD=PASSWORD)
    store = services.store()
    first, second = (door.make_reading_link(store, run.id) for _ in range(2))
    store.readings.take_back(store.readings.of(run.id)[0].id)
    opened = [client.get(f"{READ}?link={one}").status_code for one in (first, second)]
    assert opened == [404, 200]
    store.runs.delete(run.id)
    assert client.get(f"{READ}?link={second}").status_code == 404
    assert store.readings.of(run.id) == []


def test_only_the_hash_of_a_secret_is_kept(serving, run, tmp_path):
    serving(PASSWORD=PASSWORD)
    link = door.make_reading_link(services.store(), run.id)
    for file in (tmp_path / "data").iterdir():
        if file.is_file():
            assert link.encode() not in file.read_bytes(), file


def test_without_a_lock_a_link_works_on_this_machine_alone(serving, run):
    client = serving()
    link = door.make_reading_link(services.store(), run.id)
    assert client.get(f"{READ}?link={link}").status_code == 200
    elsewhere = client.get(f"{READ}?link={link}", headers={"host": "foundry.lab.example"})
    assert elsewhere.status_code == 403


def test_a_case_study_that_was_closed_is_read_by_no_old_link(serving):
    client = serving(PASSWORD=PASSWORD)
    store = services.store()
    case = bundled.opened(store, "orexin-novelty").id
    link = door.make_reading_link(store, case)
    assert client.get(f"{READ}?link={link}").status_code == 200
    Cases(store.connections).remove(case)
    answer = client.get(f"{READ}?link={link}")
    assert (answer.status_code, case in answer.text) == (404, False)
    bundled.opened(store, "orexin-novelty")
    assert client.get(f"{READ}?link={link}").status_code == 404
