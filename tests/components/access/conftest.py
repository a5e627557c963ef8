"""The gate put up, and what it knows."""

import functools
from contextlib import ExitStack
from types import SimpleNamespace

import pytest
from anyio.from_thread import start_blocking_portal
from starlette.testclient import TestClient

from components.access import entrance, gate, strangers
from components.access.admissions import Admissions
from components.shell import services
from core import settings
from core.store import Store
from tests.support.gate_kit import Inside, Secrets


@pytest.fixture
def inside() -> Inside:
    return Inside()


@pytest.fixture
def serving(tmp_path, monkeypatch, inside):
    """Put up the gate under these settings; `login` as if [auth] were in secrets.toml.

    All its connections share one loop, as a server's do: who waits in one loop is not woken by
    what happens in another.
    """
    loops = ExitStack()
    loop = functools.cache(lambda: loops.enter_context(start_blocking_portal("asyncio")))

    def serving(
        login: bool = False,
        url: str = "http://127.0.0.1:8501",
        client: str = "192.0.2.9",
        **environ: str,
    ) -> TestClient:
        shop = SimpleNamespace(
            settings=settings.read({f"FOUNDRY_{name}": value for name, value in environ.items()}),
            store=Store(tmp_path / "data"),
        )
        monkeypatch.setattr(services, "workshop", lambda: shop)
        secrets = Secrets(auth={"cookie_secret": "x" * 32}) if login else Secrets()
        monkeypatch.setattr(entrance.st, "secrets", secrets)
        services.door.cache_clear()
        made = TestClient(
            gate.Gate(inside), base_url=url, client=(client, 50000), follow_redirects=False
        )
        made.portal = loop()
        return made

    with loops:
        yield serving
    services.door.cache_clear()


@pytest.fixture
def known(monkeypatch) -> Admissions:
    """Sessions and connections that the gate knows, none so far."""
    made = Admissions()
    monkeypatch.setattr(gate, "admissions", made)
    monkeypatch.setattr(strangers, "admissions", made)
    return made
