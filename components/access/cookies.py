"""Which cookies are read: those without a backslash, as all of ours and of Streamlit are.

Python takes the square of its length to read a quoted one with backslashes (CVE-2024-7592, before
3.11.10 and 3.12.6), and the whole server stands still meanwhile.
"""

from starlette.types import Scope


def without_escaped_cookies(scope: Scope) -> Scope:
    """Return what is asked without the cookies that have a backslash in them; other programs at
    this address set such.
    """
    if not any(name == b"cookie" and b"\\" in said for name, said in scope["headers"]):
        return scope
    headers = [
        (name, _plain(said) if name == b"cookie" else said) for name, said in scope["headers"]
    ]
    return {**scope, "headers": headers}


def _plain(said: bytes) -> bytes:
    return b";".join(one for one in said.split(b";") if b"\\" not in one)
