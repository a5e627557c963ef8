"""The embedding model is loaded soon after the server has started, beside whatever else it does."""

import asyncio
from types import SimpleNamespace

import app
from components.shell import server, services
from core.errors import StoreFailed
from core.store.event_log import EventLog


def start_server(monkeypatch, tmp_path, recover) -> list[str]:
    """Start and stop the server; return what it did, in order."""
    did: list[str] = []
    embedder = SimpleNamespace(load_beside=lambda: did.append("loading the model"))
    runner = SimpleNamespace(
        recover=lambda: did.append("taking runs up") or recover(),
        rest=lambda _: did.append("resting"),
    )
    shop = SimpleNamespace(
        embedder=embedder, store=SimpleNamespace(log=EventLog(tmp_path)), settings=None
    )
    monkeypatch.setattr(services, "workshop", lambda: shop)
    monkeypatch.setattr(services, "runner", lambda: runner)

    monkeypatch.setattr(server, "LOADS_AFTER", 0.01)

    async def live() -> None:
        async with server.lifespan(app.app):
            did.append("serving")
            await asyncio.sleep(0.05)

    asyncio.run(live())
    return did


def test_the_server_loads_the_embedding_model_once_it_serves(monkeypatch, tmp_path):
    did = start_server(monkeypatch, tmp_path, recover=lambda: None)
    assert did[:3] == ["taking runs up", "serving", "loading the model"], "the first page is first"
    assert did[3:] == ["resting"]


def test_a_server_whose_database_cannot_be_opened_still_serves(monkeypatch, tmp_path):
    def fail() -> None:
        raise StoreFailed("The database is damaged.")

    assert start_server(monkeypatch, tmp_path, fail)[-1] == "serving"
