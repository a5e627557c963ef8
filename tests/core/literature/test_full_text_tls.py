"""Fetching over TLS from the address that was checked: the certificate must be the name's all the
same.
"""

import ipaddress
import socket
import ssl

import certifi
import pytest

from core.literature.answering import silent
from core.literature.full_text.fetching import fetch
from core.literature.full_text.pdf import NoText
from tests.support.certificates import certificate_for
from tests.support.servers.pdf_server import GOOD, PdfServer


@pytest.fixture
def certificate(tmp_path, monkeypatch):
    """A certificate for papers.example that our client is made to trust, in a file with its key."""
    file = certificate_for("papers.example", tmp_path)
    monkeypatch.setattr(certifi, "where", lambda: str(file))
    return file


@pytest.fixture
def named(monkeypatch):
    """Let every name be this machine."""
    real = socket.getaddrinfo

    def look_up(host, *more, **named):
        try:
            ipaddress.ip_address(host)
        except ValueError:
            host = "127.0.0.1"
        return real(host, *more, **named)

    monkeypatch.setattr(socket, "getaddrinfo", look_up)


@pytest.fixture
def server(certificate):
    tls, seen = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), []
    tls.load_cert_chain(certificate)
    tls.sni_callback = lambda _socket, name, _context: seen.append(name)
    with PdfServer(tls) as running:
        running.names = seen
        yield running


def test_the_name_is_shown_and_the_certificate_checked_against_it(server, named):
    host = f"papers.example:{server.port}"
    assert fetch(f"https://{host}/good.pdf", (host,), silent) == GOOD
    assert server.names == ["papers.example"]


@pytest.mark.parametrize("host", ["other.example", "127.0.0.1"])
def test_a_certificate_of_another_name_is_refused(server, named, host):
    with pytest.raises(NoText, match=f"{host} could not be reached"):
        fetch(f"https://{host}:{server.port}/good.pdf", (f"{host}:{server.port}",), silent)
    assert server.asked == []
