"""Which cookies are read: those without a backslash, as all of ours and of Streamlit are, and of a
login that is in pieces none.

Python takes the square of its length to read a quoted one with backslashes (CVE-2024-7592, before
3.11.10 and 3.12.6), and the whole server stands still meanwhile. Streamlit (1.67) parts a login
that is long, and signs each piece by itself: pieces of several logins of one person fit together,
and say that it is somebody else. Ours are short (components/access/log_in.py).
"""

import re

from starlette.types import Scope

MOST = 180
"""Cookies that a browser keeps of one site: who sends more is none, and none are read."""
PIECE = re.compile(r"\s*_streamlit_user_\d")


def with_plain_cookies(scope: Scope) -> Scope:
    """Return what is asked with the cookies that are read; other programs at this address set
    others.
    """
    headers = scope["headers"]
    plain = [(name, _plain(said) if name == b"cookie" else said) for name, said in headers]
    return scope if plain == headers else {**scope, "headers": plain}


def _plain(said: bytes) -> bytes:
    if said.count(b";") >= MOST:
        return b""
    # Latin-1, in which more signs count as spaces, is what names are read in later.
    kept = (
        one for one in said.decode("latin-1").split(";") if "\\" not in one and not PIECE.match(one)
    )
    return ";".join(kept).encode("latin-1")
