"""What is read of a login service's answer: short, in one cookie, and never put together of
several.
"""

import asyncio
import json
import random
from http.cookies import SimpleCookie

import pytest
from starlette.requests import cookie_parser
from starlette.responses import Response
from streamlit.web.server.starlette import starlette_auth_routes, starlette_websocket

from components.access.cookies import with_plain_cookies
from components.access.log_in import keep_little_of_a_login

NAME = "_streamlit_user"
CLAIMS = {
    "origin": "http://lab.example",
    "is_logged_in": True,
    "provider": "default",
    "picture": random.Random(1).randbytes(6_000).hex(),
    "email": "eve@evil.example",
    "iat": 1_700_000_000,
}


@pytest.fixture
def signed(monkeypatch):
    """Sign as the server does, with a secret of this test."""
    for module in (starlette_auth_routes, starlette_websocket):
        monkeypatch.setattr(module, "get_cookie_secret", lambda: "s" * 32)


def logged_in(claims: dict, **tokens: str) -> dict[str, str]:
    """Return the cookies that a browser has after a login."""
    answer = Response()
    asyncio.run(starlette_auth_routes._set_auth_cookie(answer, claims, tokens))
    held = SimpleCookie()
    for said in answer.headers.getlist("set-cookie"):
        held.load(said)
    return {name: one.value for name, one in held.items() if one.value}


def read(cookies: dict[str, str], space: str = " ") -> bytes | None:
    """Return what Streamlit reads of a login once the gate has passed cookies on."""
    line = ";".join(f"{space}{name}={value}" for name, value in cookies.items())
    scope = with_plain_cookies({"type": "http", "headers": [(b"cookie", line.encode("latin-1"))]})
    passed = cookie_parser(scope["headers"][0][1].decode("latin-1"))
    return starlette_websocket._get_signed_cookie_with_chunks(passed, NAME)


@pytest.fixture
def whole(signed, monkeypatch):
    """Keep a login as Streamlit does."""
    now = vars(starlette_auth_routes)["_set_auth_cookie"]
    before = getattr(now, "__wrapped__", now)
    monkeypatch.setattr(starlette_auth_routes, "_set_auth_cookie", before)


def test_a_login_in_pieces_which_fit_those_of_other_logins_is_none(whole):
    several = logged_in(CLAIMS)
    assert f"{NAME}_2" in several
    assert json.loads(starlette_websocket._get_signed_cookie_with_chunks(several, NAME)) == CLAIMS
    for space in (" ", "", "\t", "\xa0", "\x85 "):
        assert read(several, space) is None


def test_a_login_is_kept_in_one_piece_however_much_a_service_says(whole):
    keep_little_of_a_login.__wrapped__()
    one = logged_in(CLAIMS)
    assert [name for name in one if name.startswith(NAME)] == [NAME, f"{NAME}_tokens"]
    assert json.loads(read(one)) == {
        name: said for name, said in CLAIMS.items() if name != "picture"
    }


@pytest.mark.parametrize(("length", "hint"), [(1_500, "h" * 1_500), (9_000, None)])
def test_tokens_that_nobody_reads_leave_room_for_a_websocket_to_begin(whole, length, hint):
    keep_little_of_a_login.__wrapped__()
    held = logged_in(CLAIMS, id_token="h" * length, access_token="a" * 9_000)
    name = f"{NAME}_tokens"
    assert [one for one in held if one.startswith(NAME)] == [NAME, name]
    said = starlette_websocket._get_signed_cookie_with_chunks(held, name)
    assert json.loads(said).get("id_token") == hint
    assert sum(len(name) + len(value) + 3 for name, value in held.items()) < 4_096
