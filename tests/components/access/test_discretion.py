"""A real server with a password: headers on every answer, what a stranger is told, and where a
seat's secret goes.
"""

import asyncio
import io
import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from urllib.parse import urlencode, urlsplit

import httpx
import pytest
import streamlit
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from components.access.admissions import Admissions
from components.access.discretion import LINE, VALUE, Discreet, keep_out_of_logs
from components.access.gate import POLICY
from tests.support.browser import ROOT, App
from tests.support.wire import ask, tab, told

PASSWORD = "a fine pass phrase"
SECRET = "kX3-planted_seat-secret-0123456789"
PAGES = sorted(path.stem for path in (ROOT / "pages").glob("*.py"))


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """Serve the app behind a password."""
    app = App(
        tmp_path_factory.mktemp("served") / "data", words=True, FOUNDRY_PASSWORD=PASSWORD
    ).start()
    yield app
    app.kill()


@pytest.fixture(scope="module")
def ticket(app: App) -> str:
    answer = ask(app, "/sign-in", "POST", urlencode({"password": PASSWORD, "next": "/"}))
    assert answer.status == 303
    return answer.headers["Set-Cookie"].split(";")[0]


def script_of(app: App) -> str:
    page = ask(app, "/annotate").read().decode()
    return "/static/js/" + page.split("static/js/")[1].split('"')[0]


def test_every_answer_has_the_headers(app, ticket):
    answers = [
        ask(app, path)
        for path in (
            "/",
            "/annotate",
            "/annotate?seat=x",
            "/chains",
            "/sign-in",
            "/_stcore/health",
            "/_stcore/host-config",
            "/favicon.png",
            script_of(app),
            "/static/js/none.js",
            "/media/none.png",
            "/component/none/index.html",
            "/_stcore/bidi-components/none.js",
            "/_stcore/metrics",
            "/none/at/all",
            "//evil.example",
            "/static/..%2f..%2fetc/passwd",
        )
    ]
    answers += [
        ask(app, path, Cookie=ticket)
        for path in ("/", "/chains", "/none", "/_stcore/metrics", "/_stcore/upload_file/a/b")
    ]
    answers += [
        ask(app, "/sign-in", "POST", "password=wrong"),
        ask(app, "/sign-in", "POST", "x=1", Origin="https://evil.example"),
        ask(app, "/chains", "PUT"),
        ask(app, "/_stcore/health", "OPTIONS"),
        ask(app, "/_stcore/stream"),
        ask(app, "/annotate", "HEAD"),
    ]
    assert {answer.status for answer in answers} >= {200, 303, 403, 404}
    for answer in answers:
        assert (
            POLICY in answer.headers["Content-Security-Policy"]
            or answer.headers["Content-Security-Policy"].count("'none'") > 2
        )
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Referrer-Policy"] in ("no-referrer", "same-origin")


def test_a_handshake_has_the_headers_taken_or_refused(app):
    with tab(app) as line:
        taken = line.response.headers
    with pytest.raises(InvalidStatus) as refused:
        connect(
            f"ws://127.0.0.1:{app.port}/_stcore/stream",
            origin="https://evil.example",
            subprotocols=["streamlit"],
        )
    with pytest.raises(InvalidStatus) as nowhere:
        connect(f"ws://127.0.0.1:{app.port}/none", origin=app.url)
    assert (refused.value.response.status_code, nowhere.value.response.status_code) == (403, 403)
    for headers in (taken, refused.value.response.headers, nowhere.value.response.headers):
        assert headers["Content-Security-Policy"] == POLICY
        assert (headers["X-Content-Type-Options"], headers["Referrer-Policy"]) == (
            "nosniff",
            "no-referrer",
        )


@pytest.mark.parametrize("page", ["", "annotate"])
def test_a_stranger_is_told_no_path_no_version_and_no_page(app, page):
    with tab(app) as line:
        heard, messages = told(line, page)
        line.send(BackMsg(load_git_info=True).SerializeToString())
        line.send(BackMsg(clear_cache=True).SerializeToString())
        again, _ = told(line, page)
    assert {one.WhichOneof("type") for one in messages} >= {
        "new_session",
        "navigation",
        "delta",
        "script_finished",
    }
    everything = heard + again
    secrets = [
        str(ROOT),
        f"{ROOT.name}/",
        streamlit.__version__,
        ".".join(map(str, sys.version_info[:2])),
        "linux",
        "app.py",
        *PAGES,
    ]
    assert [one for one in secrets if one != page and one.encode() in everything] == []
    assert b"git" not in again
    begun = messages[0].new_session
    assert begun.initialize.session_id
    assert not begun.initialize.user_info.installation_id_v3
    pages = [one for message in messages for one in message.navigation.app_pages]
    assert {one.page_name for one in pages} == {"Idea Foundry"}
    assert {one.url_pathname for one in pages} == {""} | {page}
    if not page:
        assert b"Sign in to continue" in heard


def test_an_organiser_has_all_pages_and_no_path(app, ticket):
    with tab(app, Cookie=ticket) as line:
        heard, messages = told(line)
        pages = [one.url_pathname for message in messages for one in message.navigation.app_pages]
        assert set(PAGES) <= set(pages)
        assert str(ROOT).encode() not in heard
        _, later = told(line, "runs")
    assert any(len(message.navigation.app_pages) == len(pages) for message in later)
    versions = {
        one.new_session.initialize.environment_info.streamlit_version
        for one in (*messages, *later)
        if one.HasField("new_session")
    }
    assert len(versions) == 1
    assert "." not in versions.pop()


def test_a_seats_secret_goes_into_no_other_address(app):
    url = f"{app.url}/annotate?seat={SECRET}"
    for path in (
        f"/annotate?seat={SECRET}",
        f"/chains?seat={SECRET}&run=abc",
        f"/annotate/more?seat={SECRET}",
        f"/?seat={SECRET}",
        f"/_stcore/metrics?seat={SECRET}",
        f"/none?a=b&seat={SECRET}",
    ):
        answer = ask(app, path, Referer=url)
        assert SECRET not in f"{answer.headers}{answer.read().decode(errors='replace')}", path
        if "Location" in answer.headers:
            assert urlsplit(answer.headers["Location"]).path == "/sign-in"
    assert "run%3Dabc" in ask(app, f"/chains?seat={SECRET}&run=abc").headers["Location"]
    with tab(app) as line:
        heard, _ = told(line, "annotate", f"seat={SECRET}", url)
        locked, _ = told(line, "chains", f"seat={SECRET}&run=abc", url)
    assert SECRET.encode() not in heard
    assert b"next=%2Fchains%3Frun%3Dabc" in locked
    assert SECRET.encode() not in locked


def test_no_secret_is_in_the_log_however_much_is_written_to_it(tmp_path):
    """Streamlit keeps no log of requests; the web server's own does, where the app is started by
    it.
    """
    app = App(tmp_path / "data", FOUNDRY_PASSWORD=PASSWORD, STREAMLIT_LOGGER_LEVEL="debug")
    environ = {**os.environ, "FOUNDRY_DATA": str(app.data), **app.environ}
    with app.log.open("ab") as log:
        command = [
            sys.executable,
            "-m",
            "uvicorn",
            "app:app",
            "--port",
            str(app.port),
            "--log-level",
            "trace",
        ]
        server = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log, env=environ)
    try:
        app._wait()
        cookie = (
            ask(app, "/sign-in", "POST", urlencode({"password": PASSWORD, "next": "/"}))
            .headers["Set-Cookie"]
            .split(";")[0]
        )
        ask(
            app,
            f"/annotate?seat={SECRET}",
            Cookie=cookie,
            Referer=f"{app.url}/annotate?seat={SECRET}",
        )
        ask(app, f"/chains?seat={SECRET}")
        with tab(app, Cookie=cookie) as line:
            told(line, "annotate", f"seat={SECRET}", f"{app.url}/annotate?seat={SECRET}")
            line.send(b"\xff no message: seat=" + SECRET.encode())
            line.send(f"no message: seat={SECRET}")
            # Neither goes any further, and the tab goes on.
            told(line, "annotate", f"seat={SECRET}", f"{app.url}/annotate?seat={SECRET}")
    finally:
        server.kill()
        server.wait()
    written = app.log.read_text()
    assert '"GET /annotate?seat=[secret] HTTP/1.1" 200' in written
    assert SECRET not in written
    assert cookie.split("=")[1] not in written
    assert "Logging error" not in written


def test_a_trace_in_the_log_has_no_secret(tmp_path):
    """The trace of an error that speaks of an address is as discreet as a line."""
    script = f"""
import logging
from components.access.discretion import keep_out_of_logs
keep_out_of_logs()
keep_out_of_logs()
logging.basicConfig(level=logging.DEBUG)
try:
    raise ValueError("no page at /annotate?seat={SECRET}&step=2")
except ValueError:
    logging.exception("Cookie: %s, %d", "foundry_ticket=1.{SECRET}; x=y", 7)
logging.info("%(url)s", {{"url": "next=%2Fannotate%3Fseat%3D{SECRET}"}})
"""
    environ = {**os.environ, "FOUNDRY_DATA": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env=environ,
        capture_output=True,
        text=True,
        check=True,
    )
    assert SECRET not in done.stderr
    assert "foundry_ticket=[secret]; x=y, 7" in done.stderr
    assert "ValueError: no page at /annotate?seat=[secret]&step=2" in done.stderr
    assert "next=%2Fannotate%3Fseat%3D[secret]" in done.stderr


@pytest.fixture
def log(monkeypatch):
    """A log of its own, made the way the server makes its own."""
    made = logging.getLogRecordFactory()
    logging.setLogRecordFactory(logging.LogRecord)
    keep_out_of_logs()
    printed = io.StringIO()
    log = logging.Logger("one")
    handler = logging.StreamHandler(printed)
    handler.setFormatter(logging.Formatter("%(levelname)s %(message)s"))
    log.addHandler(handler)
    yield log, printed
    logging.setLogRecordFactory(made)


@pytest.mark.parametrize(
    "said",
    [
        "{'authorization': 'Basic Zm91bmRyeTpwbGFudGVkLXNlY3JldA=='}",
        'authorization: bearer planted-0123456789.abc_~"',
        "grant_type=authorization_code&code=planted%2F0123456789&x=1",
        "code%3Dplanted0123456789%26state",
        '{"access_token": "planted-0123456789", "id_token":"planted.a.b-c", "x": 1}',
        "client_id=me&client_secret=planted+secret&x",
    ],
)
def test_what_a_login_service_says_back_of_what_it_was_sent_is_in_no_trace(log, said):
    log, printed = log
    try:
        raise ValueError(f"refused: {said}")
    except ValueError:
        log.warning("It failed for %s", said, exc_info=True)
    assert "planted" not in printed.getvalue()
    assert "Zm91" not in printed.getvalue()
    assert printed.getvalue().count("[secret]") >= 2


def test_the_login_of_an_address_is_in_no_log(log):
    log, printed = log
    url = httpx.URL("http://ada:planted@pass@127.0.0.1:1/v1?a@b")
    log.info('HTTP Request: %s %s "%s %d %s"', "GET", url, "HTTP/1.1", 200, "OK")
    log.info("HTTP Request: GET //127.0.0.1/@home, https://x.example by ada@x.example")
    first, second = printed.getvalue().splitlines()
    assert first.startswith("INFO HTTP Request: GET http://[secret]@127.0.0.1:1/v1?a")
    assert "planted" not in first
    assert second.endswith("GET //127.0.0.1/@home, https://x.example by ada@x.example")


@pytest.mark.parametrize("sign", "'\"<>")
def test_a_login_is_in_no_log_whatever_signs_it_has(log, sign):
    log, printed = log
    log.info("HTTP Request: GET %s", f"http://ada:pla{sign}nted@127.0.0.1:1/v1")
    assert printed.getvalue() == "INFO HTTP Request: GET http://[secret]@127.0.0.1:1/v1\n"


@pytest.mark.parametrize("most", [VALUE, LINE])
@pytest.mark.parametrize("back", [1, 15, 20, 24])
def test_a_text_is_cut_once_its_secrets_are_out(log, most, back):
    log, printed = log
    said = "y" * (most - back) + "http://ada:planted@127.0.0.1:1/v1"
    log.info(*(("%s", said) if most == VALUE else (said,)))
    assert "pla" not in printed.getvalue()


def test_words_that_merely_sound_like_a_credential_stay_in_the_log(log):
    log, printed = log
    for said in (
        "exit code=137",
        "Basic instructions and others",
        "code: planned, id_token: none",
        "error_code=invalid_client",
        "{'code': 'invalid_request'}",
    ):
        log.warning(said)
    assert "[secret]" not in printed.getvalue()


FORGED = "none\r\nERROR foundry.gate signed in\x1b[2J\x9b2J\u2028\u202eoff\ud800"
PLAIN = r"none\r\nERROR foundry.gate signed in\x1b[2J\x9b2J\u2028\u202eoff\ud800"


@pytest.mark.parametrize(
    "given",
    [
        (FORGED,),
        ("%s", FORGED),
        ("%s", ValueError(FORGED)),
        ("%(id)s", {"id": FORGED}),
        (ValueError(FORGED),),
    ],
)
def test_what_came_from_outside_forges_no_line_of_the_log(log, given):
    log, printed = log
    log.warning(*given)
    assert printed.getvalue() == f"WARNING {PLAIN}\n"


def test_a_trace_has_its_lines_and_what_the_error_says_looks_like_none_of_the_log(log):
    log, printed = log
    try:
        raise ValueError(FORGED)
    except ValueError:
        log.exception("It failed: %s", "é 睡眠 😀")
    first, second, *_, last = printed.getvalue().splitlines()
    assert first == "ERROR It failed: é 睡眠 😀"
    assert second == "  Traceback (most recent call last):"
    assert "    raise ValueError(FORGED)" in printed.getvalue()
    assert last == "  " + PLAIN.split(r"\n")[1]


def test_nothing_in_the_log_is_endless(log):
    log, printed = log
    log.info("%s, %s", "a" * 3_000_000, "b")
    log.info("c" * 3_000_000)
    values, line = printed.getvalue().splitlines()
    assert (values, line) == (f"INFO {'a' * VALUE} ..., b", f"INFO {'c' * LINE} ...")
    try:
        raise ValueError("\n" * 3_000_000 + "the end")
    except ValueError:
        log.exception("It failed")
    assert len(printed.getvalue()) < 200_000
    assert printed.getvalue().endswith("the end\n")


def test_what_a_page_s_address_comes_back_in_tells_of_no_machine_however_long_it_is():
    sent: list[dict] = []

    async def send(message: dict) -> None:
        sent.append(message)

    begun = ForwardMsg()
    begun.new_session.main_script_path = "/srv/lab/app.py"
    begun.new_session.page_script_hash = "x" * 250_000
    guarded = Discreet(Admissions(), "one", send)
    whole = {"type": "websocket.send", "bytes": begun.SerializeToString()}
    ended = {"type": "websocket.send", "bytes": ForwardMsg(script_finished=0).SerializeToString()}
    asyncio.run(guarded(whole))
    asyncio.run(guarded(ended))
    assert len(sent) == 2
    assert b"/srv/lab" not in sent[0]["bytes"]
