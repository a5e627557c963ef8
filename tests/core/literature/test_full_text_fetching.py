"""Fetching a PDF: within bounds of size and time, never from a private address, and every refusal
in a sentence.
"""

import socket
import time

import httpx
import pytest

from core import settings
from core.errors import BadInput, Stopped
from core.literature.answering import silent
from core.literature.full_text import fetching as pdf_fetching
from core.literature.full_text.fetching import fetch, is_public, parse, resolve
from core.literature.full_text.pdf import NoText
from tests.support.servers.pdf_server import GOOD, MB, PdfServer
from tests.support.waiting import SOON


@pytest.fixture
def server():
    with PdfServer() as running:
        yield running


def get(server, path, note=silent) -> bytes:
    return fetch(server.url + path, (server.host,), note)


@pytest.fixture
def names(monkeypatch):
    """Answer for names in place of the network: a table to fill, and a list of what was looked
    up.
    """
    table, asked, real = {}, [], socket.getaddrinfo

    def look_up(host, port, *more, **named):
        asked.append(host)
        if isinstance(table.get(host), OSError):
            raise table[host]
        if host in table:
            return [
                (
                    socket.AF_INET6 if ":" in ip else socket.AF_INET,
                    socket.SOCK_STREAM,
                    6,
                    "",
                    (ip, port),
                )
                for ip in table[host]
            ]
        return real(host, port, *more, **named)

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    return table, asked


# -- what comes back ---------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/good.pdf", "/to?/good.pdf", "/to?/to?/to?/to?/to?/good.pdf"])
def test_a_pdf_arrives_whole_through_up_to_five_redirects(server, path):
    assert get(server, path) == GOOD


def test_a_pdf_may_begin_a_little_late(server):
    assert get(server, "/late.pdf").endswith(GOOD)


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("/page", "a web page instead"),
        ("/page.pdf", "a web page instead"),
        ("/picture.pdf", "The file is not a PDF"),
        ("/too-late.pdf", "The file is not a PDF"),
        ("/empty.pdf", "empty"),
        ("/missing.pdf", "nothing at this address .HTTP 404"),
        ("/forbidden.pdf", "does not give the PDF away .HTTP 403"),
        ("/busy.pdf", "HTTP 429.; try again later"),
        ("/down.pdf", "HTTP 503"),
        ("/accepted.pdf", "answered HTTP 202"),
        ("/drop.pdf", "sent no whole answer"),
        ("/less-than-said.pdf", "sent no whole answer"),
        ("/bomb.pdf", "compressed"),
        ("/loop", "more than 5 times"),
        ("/to?file:///etc/passwd", "is no web address"),
        ("/to?ftp://127.0.0.1/x.pdf", "is no web address"),
        ("/to?http://[::1", "sent no whole answer"),
        ("/to?http://127.0.0.1:9/x.pdf", "private network"),
        ("/to?http://169.254.169.254/latest/meta-data", "private network"),
        ("/to?http://localhost:9/x.pdf", "private network"),
        ("/to?http://2130706433:9/x.pdf", "private network"),
        ("/to?//[::ffff:127.0.0.1]:9/", "private network"),
    ],
)
def test_everything_else_is_refused_in_a_sentence(server, path, sentence):
    with pytest.raises(NoText, match=sentence) as refused:
        get(server, path)
    assert "\n" not in str(refused.value)


def test_an_answer_longer_than_it_says_is_cut_where_it_said(server):
    assert get(server, "/more-than-said.pdf") == GOOD[:100]


# -- bounds ------------------------------------------------------------------------------------


def test_a_stream_of_50_mb_is_cut_off_at_the_limit(server):
    with pytest.raises(NoText, match="larger than 30 MB"):
        get(server, "/endless.pdf")
    assert server.broken_off.wait(2)
    assert 29 * MB < server.served < 40 * MB


def test_a_length_beyond_the_limit_is_refused_before_anything_is_taken(server):
    with pytest.raises(NoText, match="larger than 30 MB"):
        get(server, "/large.pdf")
    assert server.served < 100


@pytest.mark.parametrize("path", ["/hints", "/crumbs.pdf"])
def test_what_comes_round_a_file_is_bounded_too(server, path):
    with pytest.raises(NoText, match="more round the PDF than"):
        get(server, path)
    assert server.broken_off.wait(2)


@pytest.mark.parametrize(
    ("path", "longest", "sentence"),
    [
        ("/drip.pdf", 0.6, "did not arrive within"),
        ("/header-drip", 0.6, "did not arrive within"),
        ("/silent.pdf", 5, "did not answer within"),
    ],
)
def test_a_server_that_takes_its_time_is_given_up_and_its_connection_cut(
    server, monkeypatch, path, longest, sentence
):
    monkeypatch.setattr(pdf_fetching, "LONGEST", longest)
    monkeypatch.setattr(pdf_fetching, "SILENCE", 0.4)
    began = time.monotonic()
    with pytest.raises(NoText, match=sentence):
        get(server, path)
    assert time.monotonic() - began < SOON
    assert path == "/silent.pdf" or server.broken_off.wait(2)


def test_progress_is_told_four_times_a_second_and_may_break_off(server):
    told = []

    def note(text: str) -> None:
        told.append((time.monotonic(), text))
        if len(told) == 3:
            raise Stopped("Stopped as asked.")

    with pytest.raises(Stopped):
        get(server, "/drip.pdf", note)
    assert told[-1][0] - told[0][0] < 0.9
    assert told[-1][1] == "fetching PDF, 0.0 MB"
    assert server.broken_off.wait(2)


def test_two_downloads_from_one_public_server_are_apart(names, monkeypatch):
    monkeypatch.setattr(pdf_fetching, "INTERVAL", 0.3)
    names[0]["papers.example"] = ["10.0.0.1"]
    waited = []
    for _ in range(2):
        with pytest.raises(NoText, match="private"):
            fetch("http://papers.example/a.pdf", (), waited.append)
    assert any("waiting for our turn at papers.example" in note for note in waited)


def test_private_servers_are_named_as_host_and_port():
    assert settings.read(
        {"FOUNDRY_PDF_HOSTS": "127.0.0.1:80, Lab.local:8080,[::1]:9"}
    ).pdf_hosts == ("127.0.0.1:80", "lab.local:8080", "[::1]:9")
    assert settings.read({}).pdf_hosts == ()
    with pytest.raises(
        BadInput, match=r"FOUNDRY_PDF_HOSTS is not usable.*'lab\.local' is no host:port"
    ):
        settings.read({"FOUNDRY_PDF_HOSTS": "lab.local"})


# -- where from --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "127.1.2.3",
        "0.0.0.0",
        "10.0.0.1",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "100.100.100.200",
        "192.0.2.1",
        "198.18.0.1",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "168.63.129.16",
        "192.0.0.8",
        "192.0.0.192",
        "192.88.99.1",
        "3fff::1",
        "5f00::1",
        "::",
        "::1",
        "fe80::1",
        "fe80::1%eth0",
        "fc00::1",
        "fd00:ec2::254",
        "fec0::1",
        "ff0e::1",
        "2001:db8::1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "::127.0.0.1",
        "64:ff9b::7f00:1",
        "64:ff9b:1::7f00:1",
        "2002:7f00:1::",
        "2001::1",
    ],
)
def test_addresses_that_are_not_the_open_internet_are_private(address):
    assert not is_public(address)


@pytest.mark.parametrize(
    "address", ["8.8.8.8", "151.101.3.42", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"]
)
def test_addresses_of_the_open_internet_are_public(address):
    assert is_public(address)


@pytest.mark.parametrize(
    "found",
    [["127.0.0.1"], ["151.101.3.42", "10.0.0.7"], ["2606:4700::1111", "::1"], ["169.254.169.254"]],
)
def test_a_name_is_refused_unless_every_address_of_it_is_public(names, found):
    names[0]["papers.example"] = found
    with pytest.raises(
        NoText,
        match=r"papers\.example is in a private network.*FOUNDRY_PDF_HOSTS=papers.example:80",
    ):
        resolve(parse("http://papers.example/a.pdf"), ("papers.example:8080", "other.example:80"))


def test_a_name_with_public_addresses_is_let_through(names):
    names[0]["papers.example"] = ["151.101.3.42", "2606:4700::1111"]
    assert resolve(parse("https://papers.example/a.pdf"), ()) == (
        "151.101.3.42",
        "2606:4700::1111",
    )


def test_a_private_server_is_asked_nothing_unless_the_settings_name_it(server):
    with pytest.raises(NoText, match=f"FOUNDRY_PDF_HOSTS={server.host}"):
        fetch(server.url + "/good.pdf", (), silent)
    assert server.asked == []


def test_the_checked_address_is_the_one_connected_to(server, names):
    table, asked = names
    table["papers.example"] = ["127.0.0.1"]
    assert (
        fetch(
            f"http://papers.example:{server.port}/good.pdf",
            (f"papers.example:{server.port}",),
            silent,
        )
        == GOOD
    )
    assert asked.count("papers.example") == 1
    assert server.asked[0][1]["host"] == f"papers.example:{server.port}"


def test_another_address_of_the_server_is_tried_when_one_is_dead(server, names):
    names[0]["papers.example"] = ["127.0.0.99", "127.0.0.1"]
    assert (
        fetch(
            f"http://papers.example:{server.port}/good.pdf",
            (f"papers.example:{server.port}",),
            silent,
        )
        == GOOD
    )


@pytest.mark.parametrize(
    "address",
    [
        "ftp://a.example/x.pdf",
        "file:///etc/passwd",
        "/x.pdf",
        "",
        "javascript:1",
        "http://",
        "http://[::1",
        "http://a:99999/",
        "http://a:0/",
    ],
)
def test_only_web_addresses_are_fetched(address):
    with pytest.raises(NoText, match="is no web address"):
        fetch(address, (), silent)


def test_a_name_nobody_knows_is_a_sentence(names):
    names[0]["papers.example"] = socket.gaierror("no such name")
    with pytest.raises(NoText, match=r"The server papers\.example is not known"):
        fetch("http://papers.example/x.pdf", ("papers.example:80",), silent)


def test_neither_proxies_nor_cookies_nor_logins_travel(server, monkeypatch):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert get(server, "/to?/good.pdf") == GOOD
    for _, headers in server.asked:
        assert not {"cookie", "authorization", "referer"} & set(headers)
        assert headers["accept-encoding"] == "identity"


def test_a_bug_of_ours_stays_loud(server, monkeypatch):
    monkeypatch.setattr(httpx.Client, "build_request", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        get(server, "/good.pdf")
