"""A server with a password: who is not signed in gets nothing of any page, who is stays in for as
long as it lasts.
"""

import re
import time

import pytest
from playwright.sync_api import expect

from components.access.entrance import COOKIE
from components.shell.frame import MENU
from core.door import LASTS, Door
from core.records import Idea
from core.store import Store
from tests.conftest import make_run
from tests.support.browser import App, browsing, needs_browser, rest
from tests.support.gate_kit import enter

pytestmark = [pytest.mark.browser, needs_browser]
PASSWORD = "a fine pass phrase"
PLANTED = "Planted-0123456789"
KEY = "sk-typed-too-late-0123456789"


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("door")
    store = Store(folder / "data")
    run = make_run(store)
    store.runs.change(run.id, title=f"Run {PLANTED}")
    store.runs.release(run.id, 0, "stopped")
    store.ideas.save(
        Idea(form="hypothesis", fields={"hypothesis": f"{PLANTED} matters."}), None, "typed"
    )
    app = App(folder / "data", words=True, FOUNDRY_PASSWORD=PASSWORD, FOUNDRY_RESUME="0").start()
    yield app, store, run.id
    app.kill()


@pytest.fixture(scope="module")
def context():
    """One browser for all: what takes long is its getting the front end for the first time."""
    with browsing() as page:
        yield page.context


@pytest.fixture
def page(context):
    """A tab of a browser that is not signed in."""
    context.clear_cookies()
    page = context.new_page()
    yield page
    page.close()


def received(page) -> list[bytes]:
    """Collect what the server sends to this tab, pages and frames alike."""
    heard: list[bytes] = []
    page.on(
        "websocket",
        lambda socket: socket.on(
            "framereceived",
            lambda frame: heard.append(frame if isinstance(frame, bytes) else frame.encode()),
        ),
    )
    page.on("response", lambda answer: heard.append(answer.url.encode()))
    return heard


def let_in(page, store: Store, lasts: float = LASTS) -> None:
    """Give the browser a ticket that lasts so many seconds from now."""
    ticket = enter(Door(store, PASSWORD, lambda: time.time() - LASTS + lasts), PASSWORD, "")
    page.context.add_cookies(
        [
            {
                "name": COOKIE,
                "value": ticket,
                "domain": "127.0.0.1",
                "path": "/",
                "httpOnly": True,
                "sameSite": "Lax",
            }
        ]
    )


def sign_in(page, password: str = PASSWORD) -> None:
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in").click()


def address(path: str) -> str:
    return "" if path == "app.py" else path.removeprefix("pages/").removesuffix(".py")


def test_no_deep_link_into_a_fresh_server_shows_anything(place, page):
    app, _, run = place
    heard = received(page)
    page.add_init_script(
        "if (location.hash) history.replaceState(null, '', location.hash.slice(1))"
    )
    for path in sorted((one.path for one in MENU), reverse=True):
        link = f"{app.url}/{address(path)}?run={run}"
        page.goto(link)
        assert page.get_by_label("Password").is_visible()
        assert "/sign-in?next=" in page.url
        # The same with the front end that a seat's link brings: it connects, and asks for this page
        # instead of its own.
        page.goto(f"{app.url}/annotate#{link}")
        page.wait_for_function("document.querySelector('h1')?.innerText === 'Sign in to continue'")
        rest(page)
        assert page.get_by_test_id("stPageLink").count() == 0
        heard.append(page.content().encode())
    assert len(heard) > 5 * len(MENU)
    everything = b"\n".join(heard)
    assert b"Sign in to continue" in everything, "what the pages send is read here"
    assert PLANTED.encode() not in everything
    assert not [one.about for one in MENU if one.about.encode() in everything]


def test_who_signs_in_lands_where_the_link_went_and_stays_until_signing_out(place, page, context):
    app, _, run = place
    heard = received(page)
    page.goto(f"{app.url}/runs?run={run}")
    sign_in(page)
    expect(page.get_by_text(PLANTED).first).to_be_visible()
    assert page.url == f"{app.url}/runs?run={run}"
    rest(page)
    page.reload()
    expect(page.get_by_text(PLANTED).first).to_be_visible()
    other = context.new_page()
    other.goto(f"{app.url}/ideas")
    expect(other.get_by_text(PLANTED).first).to_be_visible()
    rest(other)
    assert any(PLANTED.encode() in one for one in heard), "a page that is shown is heard"

    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_text("You are signed out.")).to_be_visible()
    heard.clear()
    other.get_by_role("link", name="Runs", exact=True).click()
    expect(other.get_by_text("You are signed out.")).to_be_visible()
    page.goto(f"{app.url}/chains")
    expect(page.get_by_label("Password")).to_be_visible()
    page.go_back()
    expect(
        page.get_by_label("Password").or_(page.get_by_role("heading", name="Sign in to continue"))
    ).to_be_visible()
    page.wait_for_timeout(300)
    assert PLANTED not in page.content() + other.content()
    assert not any(PLANTED.encode() in one for one in heard)


def test_a_sign_in_that_runs_out_in_an_open_tab_acts_on_nothing_more_and_leads_back(place, page):
    app, store, _ = place

    def open_both():
        """Type a key in one tab and open the search in another."""
        page.goto(f"{app.url}/settings")
        page.get_by_label("Key, for this server's memory only").fill(KEY)
        rest(page)
        searching = page.context.new_page()
        heard = received(searching)
        searching.goto(f"{app.url}/settings")
        searching.get_by_role("button", name="Search").click()
        words = searching.get_by_role("dialog").get_by_role("searchbox")
        expect(words).to_be_focused()
        return searching, heard, words

    let_in(page, store)
    began = time.time()
    open_both()[0].close()
    # It must not run out before both are open, however busy the machine is.
    lasts = 6 + 2 * (time.time() - began)
    ends = time.time() + lasts
    let_in(page, store, lasts)
    searching, heard, words = open_both()
    page.wait_for_timeout(max(0.0, ends + 1 - time.time()) * 1000)
    page.get_by_role("button", name="Use this key").click()
    expect(page.get_by_text("Your sign-in has run out")).to_be_visible()
    words.fill(PLANTED)
    expect(searching.get_by_text("Your sign-in has run out")).to_be_visible()
    assert searching.get_by_role("dialog").count() == 0
    assert any(b"Words to look for" in one for one in heard), "what the dialog sends is heard"
    assert f"{PLANTED} matters".encode() not in b"\n".join(heard)
    searching.close()
    page.get_by_role("link", name="Sign in").click()
    expect(page.get_by_text("Your sign-in has run out")).to_be_visible()
    sign_in(page)
    expect(page.get_by_role("heading", name="Settings")).to_be_visible()
    expect(page.get_by_label("Key, for this server's memory only")).to_be_visible()
    rest(page)
    assert page.get_by_role("button", name="Forget").count() == 0, (
        "the key sent too late was not taken"
    )


def test_wrong_passwords_are_slowed_and_told(place, page):
    app, _, _ = place
    page.goto(f"{app.url}/ideas")
    said = page.get_by_role("alert")
    for pause in (1, 2, 4, 8):
        sign_in(page, "not this one")
        expect(said).to_have_text("That is not the password.")
        if pause < 8:
            page.wait_for_timeout(1_000 * pause)
    for _ in range(2):
        sign_in(page)
        expect(said).to_have_text(
            re.compile(r"^Too many wrong tries\. Wait \d seconds?, then try again\.$")
        )
    page.wait_for_timeout(8_000)
    sign_in(page)
    expect(page.get_by_role("heading", name="Ideas")).to_be_visible()
    assert page.url == f"{app.url}/ideas"
