"""The gate put up, and what it knows."""

from types import SimpleNamespace

import pytest
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
    """Put up the gate under these settings; `login` as if [auth] were in secrets.toml."""

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
        made = Secrets(auth={"cookie_secret": "x" * 32}) if login else Secrets()
        monkeypatch.setattr(entrance.st, "secrets", made)
        services.door.cache_clear()
        return TestClient(
            gate.Gate(inside), base_url=url, client=(client, 50000), follow_redirects=False
        )

    yield serving
    services.door.cache_clear()


@pytest.fixture
def known(monkeypatch) -> Admissions:
    """Sessions and connections that the gate knows, none so far."""
    made = Admissions()
    monkeypatch.setattr(gate, "admissions", made)
    monkeypatch.setattr(strangers, "admissions", made)
    return made
