"""How often a login service is asked for: each time takes a tenth of a second of the loop that all
connections share (Streamlit 1.67, Authlib), and the service hears of it. And what is kept of its
answer, and read again as a browser connects.
"""

import asyncio
import json
from collections import OrderedDict
from functools import cache, wraps
from typing import Any

from starlette.responses import Response
from streamlit.web.server.server_util import get_cookie_secret
from streamlit.web.server.starlette import starlette_auth_routes
from streamlit.web.server.starlette.starlette_app_utils import decode_signed_value

from components.access.admissions import Cookies
from components.access.lanes import FairLane
from components.access.strangers import Turns
from core.bounds import Allowance
from core.door import ORGANISATION, neighbourhood

PATHS = ("/auth/login", "/auth/logout", "/oauth2callback")
"""What leads there and back."""
MOST = 1_000
"""Networks remembered; beyond, those that asked longest ago are forgotten."""


A_SECOND, AT_ONCE = 0.5, 6.0
"""Requests of one network."""
OF_ALL = (4.0, 20.0)
"""Requests a second of all together, and at once."""
MANY = 40
"""How many may wait for that; who asked least lately is next."""


class LogIns:
    """Who asked for the login service lately."""

    def __init__(self) -> None:
        self._lane, self._turns = FairLane(MANY), Turns(1.0, OF_ALL)
        self._by_network: OrderedDict[str, Allowance] = OrderedDict()

    async def have_their_turn(self, path: str, address: str) -> bool:
        """Wait until this may be asked for; return False where it may not be now. What is no way to
        a login service may always be asked for.
        """
        # Only there Streamlit answers; what merely ends so costs nobody anything.
        if path not in PATHS:
            return True
        name = neighbourhood(address, ORGANISATION)
        mine = self._by_network.setdefault(name, Allowance(A_SECOND, AT_ONCE))
        self._by_network.move_to_end(name)
        while len(self._by_network) > MOST:
            self._by_network.popitem(last=False)
        if mine.left() < 1:
            return False
        mine.take(1)
        async with self._lane.turn(name) as has_it:
            if has_it:
                await asyncio.sleep(self._turns.wait(0))
            return has_it


LOGIN_COOKIE = "_streamlit_user"
"""How the names of Streamlit's own cookies of a login begin."""
KEPT = frozenset(("email", "email_verified", "iat", "sub", "origin", "is_logged_in", "provider"))
"""What is read of a login, here and by Streamlit."""


def login_by(cookies: Cookies) -> dict[str, Any]:
    """Return what a login service said of who has these cookies, as the server signed it; empty
    where it did not, or its signature is old.
    """
    signed = cookies.get(LOGIN_COOKIE, "").encode("latin-1", "replace")
    said = decode_signed_value(get_cookie_secret(), LOGIN_COOKIE, signed)
    found = json.loads(said) if said else {}
    return found if isinstance(found, dict) else {}


LONGEST_HINT = 2_000
"""Characters of an identity token that is kept. A service that puts groups and roles into tokens
makes several times that, and beyond 8 kB of cookies no websocket begins (`MAX_LINE_LENGTH` of
websockets).
"""


@cache
def keep_little_of_a_login() -> None:
    """Let Streamlit keep of a login what is read of it, so that its cookie is in one piece: others
    are not read (components/access/cookies.py); and of the tokens the one a service is told as
    somebody logs out, where it is short.
    """
    keep_whole = starlette_auth_routes._set_auth_cookie

    @wraps(keep_whole)
    async def keep(response: Response, user: dict[str, Any], tokens: dict[str, Any]) -> None:
        kept = {name: value for name, value in user.items() if name in KEPT}
        token = tokens.get("id_token")
        is_short = isinstance(token, str) and len(token) <= LONGEST_HINT
        await keep_whole(response, kept, {"id_token": token} if is_short else {})

    vars(starlette_auth_routes)["_set_auth_cookie"] = keep
