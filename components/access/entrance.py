"""Who may see a page: asked before anything of it is drawn, in every session, whichever way it was
reached.

On a fresh server a deep link runs a page without app.py, and a page can be changed inside an open
connection without any request the gate could see. So the lock is here, and every page goes through
`keep_out` (by way of its frame) before it draws.
"""

import logging
import time
from collections.abc import Callable, Mapping
from pathlib import Path, PurePath
from typing import Literal, NoReturn
from urllib.parse import parse_qsl, quote, urlencode

import streamlit as st
from streamlit import config
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.web.server.starlette.starlette_app_utils import decode_xsrf_token_string
from streamlit.web.server.starlette.starlette_server_config import XSRF_COOKIE_NAME

from components.access.admissions import SOCKET, Cookies, admissions
from components.access.discretion import READ_BY
from components.access.log_in import LOGIN_COOKIE
from components.shell import services
from components.shell.text import inline
from core.door import AHEAD, LASTS, Standing, organises
from core.errors import BadInput, FoundryError, StoreFailed, boundary

log = logging.getLogger("foundry.gate")
COOKIE = "foundry_ticket"
SIGN_IN = "/sign-in"
SEAT = "seat"
"""What an expert's link has its secret under."""
LINKS = (SEAT, "join", READ_BY)
"""And what every link has one under that opens something by itself."""
OUT_OF_REACH = (
    "The workbench cannot reach its data at the moment. Try again later; what was stored is kept. "
    "Whoever runs it finds the reason in its log."
)
NO_LOCK = (
    "Who may sign in cannot be told at the moment: .streamlit/secrets.toml cannot be read, or its"
    " [auth] cannot be used. Whoever runs this server mends the file, or starts the server again."
)
SECRET = 32
"""Letters of what signs the cookies of a login service, at least (RFC 7518, 3.2): every stranger is
given something signed, and can try secrets on it.
"""
_had_login: list[Mapping[str, object]] = []
"""The secrets in which a login service was set up, once they were read."""
Lock = Literal["none", "password", "login"]
Visitor = Standing | Literal["stranger"]
"""What a ticket is worth, or: logged in, and not among the organisers."""
LIKE_A_BUTTON = (
    "display: inline-block; padding: 0.375rem 1rem; border: 1px solid; border-radius: 0.5rem;"
    " color: inherit; text-decoration: none"
)
WORDS = {
    "unknown": "Only organisers can sign in.",
    "expired": (
        "Your sign-in has run out; it lasts twelve hours. Runs go on, and all that was started,"
        " saved or answered is there when you are back."
    ),
    "left": "You are signed out.",
}


def lock() -> Lock:
    """Return what stands before the pages: nothing, a password, or Streamlit's own login; raises
    BadInput where both are set up.
    """
    password = services.chosen().password
    login = _login_is_set_up()
    if password and login:
        raise BadInput(
            "Two ways to sign in are set up. Keep one: take FOUNDRY_PASSWORD away, or [auth] out of"
            " .streamlit/secrets.toml."
        )
    return "password" if password else "login" if login else "none"


def _login_is_set_up() -> bool:
    """Whether there is a login service; raises BadInput where that cannot be told, as of a file
    with a slip of the pen, and where it was there before: Streamlit reads the file anew as it
    changes, and no slip takes a lock away.
    """
    secrets = st.secrets
    try:
        known = secrets.load_if_toml_exists()
        if known and "auth" in secrets:
            _had_login[:] = [secrets]
            if has_short_secret():
                raise BadInput(NO_LOCK)
            return True
    except FileNotFoundError:  # It changed meanwhile.
        known = False
    there = any(Path(file).exists() for file in config.get_option("secrets.files"))
    had_login = any(one is secrets for one in _had_login)
    if had_login or (there and not known):
        raise BadInput(NO_LOCK)
    return False


def has_short_secret() -> bool:
    """Whether the secrets set up a login service with a cookie_secret that can be found out."""
    auth = st.secrets.get("auth")
    return auth is not None and (
        not isinstance(auth, Mapping) or len(str(auth.get("cookie_secret", ""))) < SECRET
    )


def keep_out(page: str) -> None:
    """Stop the page here, saying what to do, unless who looks at it may organise. `page` is its
    file, for the way back.
    """
    try:
        kind = lock()
        standing: Visitor = (
            "in" if kind == "none" else _by_ticket() if kind == "password" else _by_login()
        )
        if standing != "in":
            _ask(kind, standing, page)
    except StoreFailed as error:
        _headed("This page cannot be shown")
        st.error(out_of_reach(error), icon=":material/error:")
        st.stop()
    except FoundryError as error:
        _headed("This page cannot be shown")
        st.error(inline(str(error), 2000), icon=":material/error:")
        st.stop()


def out_of_reach(error: StoreFailed) -> str:
    """Return what somebody is told who is no organiser, or not yet; what is wrong, with its folders
    and files, is for the log.
    """
    log.error("%s", error)
    return OUT_OF_REACH


def way_out() -> None:
    """Draw the way to sign out, where anybody signed in."""
    kind = lock()
    if kind == "password":
        st.button(
            "Sign out",
            key="entrance:out",
            type="tertiary",
            icon=":material/logout:",
            on_click=lambda: services.door().leave(_ticket()),
        )
    elif kind == "login" and st.button(
        "Sign out", key="entrance:out", type="tertiary", icon=":material/logout:"
    ):
        st.logout()


def _ticket() -> str:
    return st.context.cookies.to_dict().get(COOKIE, "")


def _by_ticket() -> Standing:
    ticket = _ticket()
    standing = services.door().standing(ticket)
    if standing == "in":
        _admit(
            lambda: services.door().standing(ticket) == "in",
            lambda cookies: services.door().standing(cookies.get(COOKIE, "")) == "in",
        )
    return standing


def _by_login() -> Visitor:
    organisers = services.workshop().settings.organisers
    if not organisers:
        raise BadInput(
            "Login is set up, but no organiser is named. Set FOUNDRY_ORGANISERS to"
            " e-mail addresses or to a domain (ada@lab.example, @lab.example), and start again."
        )
    standing, until = worth_of_login(st.user, organisers)
    if standing == "in":
        mine = _login_cookies(st.context.cookies.to_dict())
        _admit(lambda: until > time.time(), lambda cookies: _login_cookies(cookies) == mine)
    return standing


def worth_of_login(
    login: Mapping[str, object], organisers: tuple[str, ...]
) -> tuple[Visitor, float]:
    """Return what a login service's answer is worth, and until when it is (seconds since 1970)."""
    if not login.get("is_logged_in"):
        return "unknown", 0.0
    email = str(login.get("email") or "")
    # Some services do not say; some say so in text.
    verified = login.get("email_verified") in (None, True, "true")
    if not verified or not organises(email, organisers):
        return "stranger", 0.0
    issued = login.get("iat")
    since = float(issued) if isinstance(issued, int | float) else 0.0
    until = LASTS + since
    over = until <= time.time() or since > time.time() + AHEAD
    return "expired" if over else "in", until


def _login_cookies(cookies: Cookies) -> dict[str, str]:
    """Return what the login service's answer is kept in; long ones are in several cookies."""
    return {name: value for name, value in cookies.items() if name.startswith(LOGIN_COOKIE)}


def _admit(still: Callable[[], bool], owns: Callable[[Cookies], bool]) -> None:
    context = get_script_run_ctx()
    if context is not None:
        socket = st.context.headers.to_dict().get(SOCKET, "")
        admissions.note(socket, context.session_id, still, owns)


def keep_seat() -> None:
    """Let nobody go on with this expert's session but the browser it is in: its link stays out of
    the handshake, and the name of a session is no proof.
    """
    context, mine = get_script_run_ctx(), _browser(st.context.cookies.to_dict())
    if context is not None:
        admissions.keep(
            context.session_id, lambda cookies: bool(mine) and _browser(cookies) == mine
        )


def seated(seat: str) -> None:
    """Note which seat whoever is on this connection has: the gate counts those who have none by
    their network.
    """
    admissions.seat(st.context.headers.to_dict().get(SOCKET, ""), seat)


def _browser(cookies: Cookies) -> bytes | None:
    """Return what Streamlit gave this browser to know its uploads by; each time in other words."""
    return decode_xsrf_token_string(cookies.get(XSRF_COOKIE_NAME, ""))[0]


def _headed(title: str) -> None:
    st.set_page_config(
        page_title="Idea Foundry", layout="centered", initial_sidebar_state="collapsed"
    )
    st.title(title, anchor=False)


def _ask(kind: Lock, standing: Visitor, page: str) -> NoReturn:
    _headed("Sign in to continue")
    if kind == "password":
        st.markdown(WORDS[standing])
        path = "/" if page == "app.py" else f"/{PurePath(page).stem}"
        going = quote(way_back(path, urlencode(st.query_params.to_dict())), safe="")
        # Not st.link_button: it opens a new tab, and this one would stay locked.
        st.html(f'<a href="{SIGN_IN}?next={going}" style="{LIKE_A_BUTTON}">Sign in</a>')
    else:
        _ask_to_log_in(standing)
    st.stop()


def _ask_to_log_in(standing: Visitor) -> None:
    if standing == "stranger":
        who = inline(str(st.user.get("email") or "an account without an e-mail address"), 200)
        st.markdown(
            f"You are logged in as {who}, and that is not among the organisers. Log out to use"
            " another account."
        )
        st.button("Log out", key="entrance:other", type="primary", on_click=st.logout)
        return
    st.markdown(WORDS[standing])
    if st.button("Log in", key="entrance:login", type="primary"):
        with boundary(BadInput, "asking the login service named in .streamlit/secrets.toml"):
            st.login()


def way_back(path: str, query: str) -> str:
    """Return where somebody was going, but for what opens a seat, a session or a run: that belongs
    into no other address.
    """
    fields = parse_qsl(query, keep_blank_values=True)
    asked = urlencode([(name, value) for name, value in fields if name not in LINKS])
    return f"{path}?{asked}" if asked else path
