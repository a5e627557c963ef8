"""What a server sees to as it starts."""

import tomllib

import pytest
from streamlit.runtime import runtime_util
from streamlit.web.server.starlette import starlette_server

from components.access.gate import WISH
from components.shell import server
from tests.support.browser import ROOT


def test_pages_may_be_larger_than_what_browsers_may_send(monkeypatch):
    """Checks names of Streamlit's own, too: a new version of it may have others."""
    settings = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))
    megabytes = settings["server"]["maxMessageSize"]
    assert megabytes * 1_000_000 == WISH
    monkeypatch.setattr(runtime_util, "_max_message_size_bytes", WISH)
    assert starlette_server._get_uvicorn_config_kwargs()["ws_max_size"] == WISH
    server.allow_large_pages()
    assert runtime_util.get_max_message_size_bytes() == server.SENT == 32_000_000


@pytest.mark.parametrize("configured", [32_000_001, 200_000_000])
def test_a_larger_bound_that_somebody_set_stays(monkeypatch, configured):
    monkeypatch.setattr(runtime_util, "_max_message_size_bytes", configured)
    server.allow_large_pages()
    assert runtime_util.get_max_message_size_bytes() == configured
