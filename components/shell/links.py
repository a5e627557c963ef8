"""Links for somebody else: under the address by which the organiser reached this server."""

from typing import Any
from urllib.parse import urlsplit

import streamlit as st

from core.door import on_this_machine

LOCAL = (
    "{} on this computer only, since you opened the page by an address that means"
    " this computer. To let others in, start the server on a network address (README, “Access from"
    " other machines”),"
    " open this page under that address and copy from there; or start it with"
    " `--browser.serverAddress` and the name that others know this computer by."
)


def base() -> str:
    """Return the address of this server, as others are to use it, without a slash at its end."""
    url: Any = st.context.url
    reached = str(url or "").split("?")[0].rpartition("/")[0]
    name = st.get_option("browser.serverAddress")
    if not _local(reached) or not name or on_this_machine(name):
        return reached
    split = urlsplit(reached)
    port = f":{split.port}" if split.port else ""
    return split._replace(netloc=f"{name}{port}").geturl()


def local() -> bool:
    """Return whether links made now work on this computer only."""
    return _local(base())


def only_here(what: str) -> str:
    """Say of links that they work on this computer only, and what to do; empty where they work
    elsewhere too. `what` begins the sentence: `These links work`.
    """
    return LOCAL.format(what) if local() else ""


def draw_local(what: str) -> None:
    """Say under links that they work on this computer only, where they do."""
    if said := only_here(what):
        st.caption(f":material/info: {said}")


def _local(address: str) -> bool:
    host = urlsplit(address).hostname
    return bool(host) and on_this_machine(str(host))
