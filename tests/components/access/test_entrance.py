"""The lock of the pages: who is not signed in sees nothing of any, whichever way it was reached."""

import time

import pytest
import streamlit as st
from streamlit import config
from streamlit.runtime.secrets import Secrets
from streamlit.testing.v1 import AppTest

from components.access import entrance
from components.access.admissions import admissions
from components.access.entrance import COOKIE
from components.shell import services
from components.shell.frame import MENU
from core.door import LASTS, Door
from core.errors import BadInput
from tests.support.gate_kit import enter
from tests.support.scripted import refine_script, runner_of
from tests.support.visiting import ROOT, host, said, settled

PASSWORD = "a fine pass phrase"
LOGIN = {
    "auth": {
        "redirect_uri": "http://localhost:8501/oauth2callback",
        "cookie_secret": "x" * 40,
        "client_id": "c",
        "client_secret": "s",
        "server_metadata_url": "http://127.0.0.1:1/none",
    }
}


class Asked:
    """What a browser sent with its connection."""

    def __init__(self, **cookies: str):
        self.cookies, self.headers = Sent(cookies), Sent()


class Sent(dict):
    to_dict = dict.copy


@pytest.fixture
def shop(tmp_path, monkeypatch):
    runner, _ = runner_of(tmp_path, refine_script())
    host(monkeypatch, runner)
    services.door.cache_clear()
    yield runner.workshop
    services.door.cache_clear()


@pytest.fixture
def locked(shop, monkeypatch):
    """Set a password; return how to come in with a ticket made so many seconds ago, or handed back
    since.
    """
    shop.settings = shop.settings.model_copy(update={"password": PASSWORD})
    monkeypatch.setattr(st, "context", Asked())

    def come(ago: float = 0, leave: bool = False) -> None:
        door = Door(shop.store, PASSWORD, lambda: time.time() - ago)
        ticket = enter(door, PASSWORD, "")
        if leave:
            door.leave(ticket)
        monkeypatch.setattr(st, "context", Asked(**{COOKIE: ticket}))

    return come


def opened(path: str, **query: str) -> AppTest:
    """Open a page by its address."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=90)
    app = app if path == "app.py" else app.switch_page(path)
    for name, value in query.items():
        app.query_params[name] = value
    return app


def shown(app: AppTest) -> str:
    return "\n".join(
        [*(one.value for one in app.title), said(app), *(one.proto.body for one in app.get("html"))]
    )


@pytest.mark.parametrize("path", [page.path for page in MENU])
def test_every_page_shows_nothing_but_the_way_in(locked, path):
    app = settled(opened(path, run="abc").run())
    here = "%2F" if path == "app.py" else f"%2F{path.removeprefix('pages/').removesuffix('.py')}"
    assert f'href="/sign-in?next={here}%3Frun%3Dabc"' in shown(app)
    assert not app.sidebar.children
    assert [one.value for one in app.title] == ["Sign in to continue"]
    assert len(app.main) == 3
    assert not app.get("page_link")


def test_who_is_signed_in_sees_the_page_and_can_sign_out(locked, shop):
    locked()
    app = settled(opened("pages/ideas.py").run())
    assert [one.value for one in app.title] == ["Ideas"]
    left = settled(app.button(key="entrance:out").click().run())
    assert "You are signed out" in shown(left)
    assert not left.sidebar.children
    assert "You are signed out" in shown(settled(opened("pages/ideas.py").run())), (
        "in other tabs, too"
    )


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"ago": LASTS + 1}, "has run out"),
        ({"leave": True}, "signed out"),
        ({"ago": LASTS - 60}, "Ideas"),
    ],
)
def test_a_ticket_is_good_until_it_runs_out_or_is_handed_back(locked, how, words):
    locked(**how)
    assert words in shown(settled(opened("pages/ideas.py").run()))


def test_the_session_let_in_is_asked_about_again(locked):
    locked()
    settled(opened("pages/ideas.py").run())
    session = next(reversed(admissions._sessions))
    assert admissions.standing(session) is True
    services.door().leave(st.context.cookies[COOKIE])
    assert admissions.standing(session) is False


def test_without_a_lock_nobody_is_asked_and_nobody_can_sign_out(shop):
    app = settled(opened("pages/ideas.py").run())
    assert [one.value for one in app.title] == ["Ideas"]
    assert "entrance:out" not in [one.key for one in app.button]


def by_login(app: AppTest, **user: object) -> AppTest:
    app.secrets.update(LOGIN)
    app.user = (
        {"is_logged_in": True, "iat": int(time.time()), **user} if user else {"is_logged_in": False}
    )
    return settled(app.run())


def test_a_login_service_without_named_organisers_lets_nobody_in(shop):
    app = by_login(opened("pages/ideas.py"), email="ada@lab.example")
    assert "Set FOUNDRY_ORGANISERS" in shown(app)
    assert not app.sidebar.children
    assert [one.value for one in app.title] == ["This page cannot be shown"]


@pytest.mark.parametrize(
    ("user", "words"),
    [
        ({}, "Only organisers can sign in"),
        ({"email": "ada@lab.example"}, "Keep an idea"),
        ({"email": "Bob@UNI.example", "email_verified": True}, "Keep an idea"),
        ({"email": "ada@lab.example", "email_verified": False}, "not among the organisers"),
        ({"email": "ada@lab.example", "email_verified": "false"}, "not among the organisers"),
        ({"email": "ada@lab.example", "email_verified": 0}, "not among the organisers"),
        ({"email": "ada@lab.example", "email_verified": "true"}, "Keep an idea"),
        ({"email": "eve@evil.example"}, "eve@evil.example, and that is not among the organisers"),
        ({"name": "Ada"}, "an account without an e-mail address"),
        ({"email": "ada@lab.example", "iat": time.time() - LASTS - 1}, "has run out"),
        ({"email": "ada@lab.example", "iat": time.time() + 100_000}, "has run out"),
        ({"email": "ada@lab.example", "iat": time.time() + 60}, "Keep an idea"),
    ],
)
def test_a_login_service_lets_in_the_organisers_it_was_told(shop, user, words):
    shop.settings = shop.settings.model_copy(
        update={"organisers": ("ada@lab.example", "@uni.example")}
    )
    app = by_login(opened("pages/ideas.py"), **user)
    inside = words == "Keep an idea"
    assert ([one.value for one in app.title] == ["Ideas"]) is inside
    assert bool(app.sidebar.children) is inside
    assert inside or words in shown(app)


def test_two_ways_to_sign_in_are_refused(locked):
    locked()
    app = opened("pages/ideas.py")
    app.secrets.update(LOGIN)
    assert "Two ways to sign in" in shown(settled(app.run()))


def test_the_frame_of_a_seat_has_no_menu_and_asks_for_no_sign_in(locked):
    def page() -> None:
        import streamlit as st

        from components.shell.frame import seat_frame
        from core.errors import BadInput

        with seat_frame("Your ideas"):
            st.markdown("The seat's own")
            raise BadInput("A sentence.")

    app = settled(AppTest.from_function(page, default_timeout=90).run())
    assert said(app).split("\n") == ["The seat's own", "A sentence."]
    assert not app.sidebar.children
    assert not app.get("page_link")
    assert not app.button, "nor a way to search"


def secrets_at(folder, monkeypatch):
    """Have Streamlit read its secrets from a file of this folder, and return it."""
    file = folder / "secrets.toml"
    option = config.get_option
    monkeypatch.setattr(
        config, "get_option", lambda name: [str(file)] if name == "secrets.files" else option(name)
    )
    monkeypatch.setattr(st, "secrets", Secrets())
    return file


def test_no_slip_in_the_secrets_takes_a_login_away(shop, monkeypatch, tmp_path):
    file = secrets_at(tmp_path, monkeypatch)
    assert entrance.lock() == "none"
    good = f'[auth]\ncookie_secret = "{"x" * entrance.SECRET}"\n'
    slips = [good.replace('x"', "x"), "", good.replace("auth", "other"), None]
    slips += [good.replace("xx", "x"), "[auth]\n", "auth = 3\n", '[auth]\ncookie_secret = ""\n']
    for slip in slips:
        monkeypatch.setattr(st, "secrets", Secrets())
        for text in (good, slip):
            file.write_text(text or "")
            if text is None:
                file.unlink()
            st.secrets._reset()
            if text == good:
                assert entrance.lock() == "login"
            else:
                with pytest.raises(BadInput, match="starts the server again"):
                    entrance.lock()
        file.write_text(good)
        st.secrets._reset()
        assert entrance.lock() == "login"


def test_a_server_does_not_begin_without_the_login_of_a_file_it_cannot_read(
    shop, monkeypatch, tmp_path
):
    file = secrets_at(tmp_path, monkeypatch)
    file.write_text("[auth")
    with pytest.raises(BadInput, match="cannot be read"):
        entrance.lock()
    file.write_text("")
    assert entrance.lock() == "none"
