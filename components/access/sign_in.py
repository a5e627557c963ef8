"""The sign-in page: plain HTML from the server, since nothing of the app is shown before it."""

import asyncio
import re
import time
from base64 import b64encode
from hashlib import sha256
from urllib.parse import parse_qs, urlsplit

from anyio import CapacityLimiter, to_thread
from jinja2 import Environment
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from components.access.entrance import COOKIE, WORDS
from components.access.lanes import FairLane
from components.access.repeats import Tally
from components.shell import services
from core.door import ORGANISATION, TooSoon, neighbourhood
from core.errors import BadInput

BADGE = "foundry_known"
"""The cookie by which a browser that signed in before waits for nobody else's wrong passwords; it
opens nothing.
"""
KNOWN = 90 * 24 * 60 * 60
"""Seconds that a browser keeps it."""
BODY = 8_192
"""Bytes a sent form may have."""
PATIENCE = 20.0
"""Seconds in which it must have come."""
ONE_AT_A_TIME = {"new": CapacityLimiter(1), "known": CapacityLimiter(1)}
"""Passwords are looked at outside the threads that all share."""
MANY = 40
"""How many may wait for that: a class that signs in together."""
LANES = {"new": FairLane(MANY), "known": FairLane(MANY)}
"""Browsers that were signed in before wait for no stranger."""
BUSY = "Too many sign in at this moment. Try again in a few seconds."
REST = 0.1
"""Seconds after a wrong password, a look at which takes some 50 ms of processor time: however many
networks send one, most of a core is left to everybody else.
"""
_REFUSED = Tally()
STYLE = """
:root {
  color-scheme: light dark; --page: #fbfaf7; --field: #ffffff;
  --text: #101316; --quiet: #565c62; --line: #8d897f; --go: #1f6f78; --wrong: #a32a1e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #16191d; --field: #20252b;
    --text: #e6e4de; --quiet: #a9aba8; --line: #6d757e; --go: #277d88; --wrong: #ff9d8f;
  }
}
body {
  margin: 0; background: var(--page); color: var(--text);
  font: 1rem/1.5 "Source Sans", "Source Sans Pro", system-ui, sans-serif;
}
main { max-width: 26rem; margin: 16vh auto 2rem; padding: 0 1rem; }
h1 { font-size: 1.4rem; font-weight: 600; margin: 0 0 .25rem; }
p { margin: 0 0 1.25rem; }
label { display: block; margin-bottom: .25rem; }
input, button {
  box-sizing: border-box; width: 100%; min-height: 2.5rem; padding: .375rem .75rem;
  border-radius: .5rem; font: inherit;
}
input { background: var(--field); color: inherit; border: 1px solid var(--line); }
button {
  margin-top: 1rem; background: var(--go); color: #ffffff; border: 1px solid var(--go);
  cursor: pointer;
}
:is(input, button):focus-visible { outline: 2px solid currentColor; outline-offset: 2px; }
.wrong { color: var(--wrong); margin: .5rem 0 0; min-height: 1.5rem; }
.quiet { color: var(--quiet); font-size: .875rem; margin: 1.5rem 0 0; }
"""
PAGE = Environment(autoescape=True).from_string("""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sign in · Idea Foundry</title>
<style>{{ style | safe }}</style>
</head>
<body>
<main>
<h1>Idea Foundry</h1>
<p>{{ about }}</p>
<form method="post" action="/sign-in">
<input type="hidden" name="next" value="{{ next }}">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password"
  required autofocus aria-describedby="wrong">
<p class="wrong" id="wrong" role="alert">{{ wrong }}</p>
<button>Sign in</button>
</form>
<p class="quiet">
Were you invited to judge ideas? Open the link you were given; it needs no password.
</p>
</main>
</body>
</html>
""")
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src"
        f" 'sha256-{b64encode(sha256(STYLE.encode()).digest()).decode()}'; img-src 'self';"
        " form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    ),
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    # Under "no-referrer" browsers send "Origin: null" with the form, and it could not be told from
    # another site's.
    "Referrer-Policy": "same-origin",
}


async def answer(request: Request) -> Response:
    """Show the page, or let in who sent the right password and send them on to where they were
    going.
    """
    if request.method == "POST":
        return await _tried(request)
    going = local(request.query_params.get("next", ""))
    standing = services.door().standing(request.cookies.get(COOKIE, ""))
    if standing == "in":
        return RedirectResponse(going, status_code=303, headers={"Cache-Control": "no-store"})
    return _page(going, WORDS["unknown"] if standing == "left" else WORDS[standing])


def local(path: str) -> str:
    """Return a page's path with its query as it is, and Home for anything else, such as another
    site's address.
    """
    return path if re.fullmatch(r"/[\w-]*(\?[!-\[\]-~]*)?", path, re.ASCII) else "/"


def _tell_of(event: str, **facts: float | str) -> None:
    """Log a try that failed; of many in a minute only a few, and then how many more there were:
    guesses shall not push everything else out of the log.
    """
    left_out = _REFUSED.left_out(event)
    if left_out is not None:
        more = {"more_before": left_out} if left_out else {}
        services.store().log.tell(event, "warning", **facts, **more)


async def _tried(request: Request) -> Response:
    if not _from_here(request):
        return _page("/", "This form was sent from another site. Sign in here.", status=403)
    said = await _form(request)
    going = local(said.get("next", ""))
    client = request.client.host if request.client else ""
    place = neighbourhood(client)
    door, password = services.door(), said.get("password", "")
    known = door.known(request.cookies.get(COOKIE, ""), request.cookies.get(BADGE, ""))
    who, whose = ("known", known) if known else ("new", neighbourhood(client, ORGANISATION))
    lane = LANES[who]
    try:
        begun = door.begin(client, known)
        async with lane.turn(whose) as looked_at:
            if not looked_at:
                door.put_off(client, known, begun)
                _tell_of("sign-in.busy", address=place)
                return _page(going, WORDS["unknown"], BUSY, 429, {"Retry-After": "3"})
            ticket = await to_thread.run_sync(
                _look, password, client, known, limiter=ONE_AT_A_TIME[who]
            )
            lane.forgive(whose)
    except TooSoon as error:
        _tell_of("sign-in.too-soon", seconds=error.seconds, address=place)
        return _page(going, WORDS["unknown"], str(error), 429, {"Retry-After": str(error.seconds)})
    except BadInput as error:
        _tell_of("sign-in.refused", address=place)
        return _page(going, WORDS["unknown"], str(error), 403)
    services.store().log.tell("sign-in.done")
    response = RedirectResponse(going, status_code=303, headers={"Cache-Control": "no-store"})
    secure = request.url.scheme == "https"
    # Lax, not Strict: a link to a run in a colleague's mail must find who follows it signed in.
    # Pages change nothing by being opened.
    response.set_cookie(COOKIE, ticket, path="/", httponly=True, samesite="lax", secure=secure)
    response.set_cookie(
        BADGE,
        door.badge(ticket),
        max_age=KNOWN,
        path="/sign-in",
        httponly=True,
        samesite="strict",
        secure=secure,
    )
    return response


def _look(password: str, address: str, known: str) -> str:
    try:
        return services.door().look(password, address, known)
    except BadInput:
        time.sleep(REST)
        raise


def _from_here(request: Request) -> bool:
    origin = request.headers.get("origin")
    if origin is None:
        return True
    place = urlsplit(origin)
    if request.url.scheme == "https" and place.scheme == "http":
        return False
    return place.netloc.lower() == request.headers.get("host", "").lower()


async def _form(request: Request) -> dict[str, str]:
    body = b""
    try:
        async with asyncio.timeout(PATIENCE):
            async for part in request.stream():
                body += part
                if len(body) > BODY:
                    return {}
    except TimeoutError:
        return {}
    return {
        name: values[0]
        for name, values in parse_qs(
            body.decode("utf-8", "replace"), keep_blank_values=True
        ).items()
    }


def _page(
    going: str, about: str, wrong: str = "", status: int = 200, more: dict[str, str] | None = None
) -> Response:
    return HTMLResponse(
        PAGE.render(style=STYLE, next=going, about=about, wrong=wrong),
        status_code=status,
        headers={**HEADERS, **(more or {})},
    )
