"""A real server and a real browser, for what a person does."""

import atexit
import functools
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest

from tests import ROOT
from tests.support import served
from tests.support.forks import forks
from tests.support.ports import kept_port

CHROMIUM = (
    shutil.which("chromium-headless-shell")
    or shutil.which("chromium")
    or shutil.which("chromium-browser")
    or shutil.which("google-chrome")
)
DEMANDED = os.environ.get("FOUNDRY_BROWSER_TESTS") == "1"
PICTURE = Path(tempfile.gettempdir()) / "foundry-browser-test-failed.png"
"""What the page looked like when a test last failed."""
FLAGS = [
    # A page lives for seconds: compilers that make up for it later take a third of a visit's time.
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
RESTS = """() =>
    document.querySelector('.stApp')?.dataset.testScriptState === 'notRunning'
    && !document.querySelector('[data-stale="true"], [data-testid="stSkeleton"]')"""
"""The page's script is over, nothing of the page before is left, which would be pale, and nothing
still waits for the program that draws it.
"""
needs_browser = pytest.mark.skipif(
    not CHROMIUM and not DEMANDED,
    reason="no chromium here; apt-get install chromium-headless-shell",
)


SERVING: list["App"] = []
"""The apps of this process that are up."""


class App:
    """The app as a process of its own, that can be killed and started again on the same data and
    port.

    It is what `streamlit run` starts; or, where `words` do for meaning, a fork of a process that
    has imported what the app does.
    """

    def __init__(self, data: Path, script: str = "app.py", words: bool = False, **environ: str):
        self.data, self.script, self.words, self.environ = data, script, words, environ
        self.port, self._lock = kept_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = data.parent / "app.log"
        self._process: subprocess.Popen[bytes] | BaseProcess | None = None

    def start(self) -> "App":
        clean = {
            name: value
            for name, value in os.environ.items()
            if not name.endswith("_API_KEY") and not name.startswith(("FOUNDRY_", "OPENAI_"))
        }
        command, environ = (
            ["run", self.script, "--server.port", str(self.port)],
            {**clean, "FOUNDRY_DATA": str(self.data), **self.environ},
        )
        if self.words:
            self._process = forks().Process(
                target=served.serve, args=(command, environ, self.log), daemon=True
            )
            self._process.start()
        else:
            with self.log.open("ab") as log:
                self._process = subprocess.Popen(
                    [sys.executable, "-m", "streamlit", *command],
                    cwd=ROOT,
                    stdout=log,
                    stderr=log,
                    env=environ,
                )
        SERVING.append(self)
        self._wait()
        return self

    def _wait(self) -> None:
        for _ in range(900):  # Seconds on a quiet machine; the rest is for a busy one.
            try:
                if urllib.request.urlopen(f"{self.url}/_stcore/health", timeout=1).read() == b"ok":
                    return
            except OSError:
                time.sleep(0.1)
        raise AssertionError(self.log.read_text())

    @property
    def pid(self) -> int:
        """The number of the process, once it is started."""
        assert self._process
        assert self._process.pid
        return self._process.pid

    def kill(self) -> None:
        if self in SERVING:
            SERVING.remove(self)
        if self._process:
            self._process.kill()
            (self._process.join if isinstance(self._process, BaseProcess) else self._process.wait)()


@functools.cache
def _playwright():
    """Return what drives the browsers of this process; the next call after `close` starts
    another.
    """
    from playwright.sync_api import expect, sync_playwright

    # As long as all else in a browser is waited for: five seconds are little on a busy machine.
    expect.set_options(timeout=60_000)
    atexit.register(close)
    return sync_playwright().start()


def close() -> None:
    """End the browsers and what drives them: while it is there, nothing in this thread can run an
    event loop of its own.
    """
    while RESTING:
        RESTING.pop().context.close()
    if _playwright.cache_info().currsize:
        _playwright().stop()
        _playwright.cache_clear()


class Browser:
    """A browser that is lent again and again: starting one, and compiling the front end anew, takes
    as long as a visit.
    """

    def __init__(self) -> None:
        self._profile = tempfile.TemporaryDirectory(
            prefix="foundry-browser-", ignore_cleanup_errors=True
        )
        self.context = _playwright().chromium.launch_persistent_context(
            self._profile.name,
            executable_path=CHROMIUM,
            args=FLAGS,
            accept_downloads=True,
            viewport={"width": 1280, "height": 900},
        )
        self.context.set_default_timeout(60_000)
        self._origins: set[str] = set()
        self.context.on("page", self._follow)
        self._follow(self.context.pages[0])

    def _follow(self, page) -> None:
        page.on("framenavigated", lambda frame: self._origins.add(frame.url))

    def forget(self) -> None:
        """Close what is open and forget all that sites left here; files they sent are kept."""
        blank = self.context.new_page()
        for page in self.context.pages:
            if page is not blank:
                page.close()
        self.context.clear_cookies()
        self.context.clear_permissions()
        session = self.context.new_cdp_session(blank)
        for address in self._origins:
            left = {"origin": address, "storageTypes": "local_storage,indexeddb,service_workers"}
            session.send("Storage.clearDataForOrigin", left)
        session.detach()
        self._origins.clear()


RESTING: list[Browser] = []
"""Browsers of this process that nobody uses now."""
LENT: list[Browser] = []
"""And those that somebody does."""
FAILED: list[tuple[str, str]] = []
"""The addresses of pages on which something failed, and what they showed."""


@contextmanager
def browsing(dark: bool = False) -> Iterator[object]:
    """Lend a page of a browser that knows nothing yet but the front end's files; any exception box
    on the way is the test's to find.
    """
    browser = RESTING.pop() if RESTING else Browser()
    LENT.append(browser)
    page = browser.context.pages[0]
    page.emulate_media(color_scheme="dark" if dark else "light")
    try:
        yield page
    except BaseException:
        FAILED.append((page.url, _shows(page)))
        page.screenshot(path=str(PICTURE))
        raise
    finally:
        browser.forget()
        LENT.remove(browser)
        RESTING.append(browser)


def _shows(page) -> str:
    from playwright.sync_api import Error

    states = "(app) => JSON.stringify({ ...app.dataset, focus: document.activeElement?.tagName })"
    try:
        state = page.locator(".stApp").evaluate(states, timeout=3_000)
        words = page.locator("body").inner_text(timeout=3_000)
    except Error as why:
        return f"It does not answer: {why}"
    return f"{state}\n{words[:1_500]}"


def seen() -> list[tuple[str, str]]:
    """Return what was on the pages that failed, what is on those that are still open, and the end
    of every server's log; each with its address or path.
    """
    open_now = [page for browser in LENT for page in browser.context.pages]
    pages = [*FAILED, *((page.url, _shows(page)) for page in open_now)]
    FAILED.clear()
    logs = [
        (str(app.log), app.log.read_text(errors="replace")[-1_500:])
        for app in SERVING
        if app.log.exists()
    ]
    return pages + logs


def rest(page, begins: int = 100) -> None:
    """Give a press `begins` milliseconds to set the page's script going, then wait until the page
    is drawn.

    Playwright's own waiting looks twice a second; this looks at every frame.
    """
    page.wait_for_timeout(begins)
    page.wait_for_function(RESTS)


def hears(page, what: str) -> None:
    """Wait until the page hears the keyboard: `search`, `walks` or `keys`. Its programs come after
    what is drawn.
    """
    page.wait_for_function(f"document.body.dataset.{what}Hear{'s' if what == 'search' else ''}")


def run_of(page) -> str:
    """Return the run the address bar names, as soon as it names one."""
    page.wait_for_function("location.search.includes('run=')")
    return re.search(r"run=(\w+)", page.url).group(1)


def choose_first(page, name: str) -> None:
    """Choose the first of what a box offers; its list closes again where the page is drawn anew
    meanwhile.
    """
    from playwright.sync_api import TimeoutError

    option = page.get_by_role("option").first
    for _ in range(12):
        page.get_by_role("combobox", name=name).click()
        try:
            option.click(timeout=5_000)
            return
        except TimeoutError:
            continue
    raise AssertionError(f"{name} offered nothing")
