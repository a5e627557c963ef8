"""What a visitor who was not let in learns, and what goes into the log, of what Streamlit tells on
its own account.

The first messages of every connection come before a page, and so its lock, has run. They name the
script's path, the machine and what is installed there, and every page. With a lock set up nobody is
told the first two, and only who was let in the pages. What Streamlit leaves no way to hide: the
address of a page somebody asks for is said back where there is such a page, pages are named by a
hash of their path (which a guess can be tried against), the settings of the theme are sent, and the
files of the front end tell their version.
"""

import hmac
import json
import logging
import re
from contextlib import suppress
from functools import cache
from typing import Any

from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
from starlette.types import Message, Send
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.Navigation_pb2 import Navigation
from streamlit.proto.NewSession_pb2 import NewSession

from components.access.admissions import Admissions
from components.shell import services
from core.errors import StoreFailed

BEFORE = ("new_session", "navigation", "session_status_changed")
"""What Streamlit sends before a page has run."""
SMALL = 600_000
"""Bytes that such a message has at most; larger ones are not looked into. What a browser sent of
its page's address is said back in it, its name twice, and of a seat that may be as long as any
wish.
"""
TITLE = "Idea Foundry"
STRANGERS = ("rerun_script", "stop_script", "app_heartbeat")
"""What somebody may ask of Streamlit who was never let in, as an expert at a seat; not its caches,
nor its git, nor places for files: no seat takes any.
"""
IN_JSON = ("json_value", "json_trigger_value")
NO_SEAT_HAS = ("arrow_value", "bytes_value", "file_uploader_state_value", "chat_input_value")
"""Kinds of values of widgets."""
READ_BY = "link"
"""What a link to read a run has its secret under."""
SECRET = re.compile(
    r"""((?:(?:seat|link|join|PROLIFIC_PID|STUDY_ID|SESSION_ID)(?:=|%3[Dd])|foundry_ticket=)["']?)"""
    r"""(?!\[secret\])[^\s"'&;,%\\]+"""
)
CREDENTIAL = re.compile(
    r"""(?i)((?<![a-z])(?:basic|bearer)(?:[ +]|%20)(?=[\w+/=.%~-]{16})"""
    r"""|(?:(?<![\w-])code(?:=|%3D)"""
    r"""|(?:client_secret|client_assertion|(?:access|refresh|id)_token)["']?(?:=|%3D|:[ ]?)["']?)"""
    r"""(?=[^\s"'&;,\\]{8}))"""
    r"""(?!\[secret\])[^\s"'&;,\\]+"""
)
"""What a login service's refusal says back of what it was sent, which Streamlit (1.67) prints."""
LOGIN = re.compile(r"(://)(?!\[secret\]@)[^\s/?#]+(?=@)")
"""The user and password of an address, which httpx (0.28) logs with every request, quotes and
angles in them as they are.
"""
CONTROL = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
"""Signs that begin a line, steer a terminal, turn the direction of writing or cannot be written."""
VALUE, LINE, TRACE = 2_000, 20_000, 40_000
"""Characters of a value, a line and a trace that the log takes; a line holds several values."""


class Discreet:
    """Hands on what is sent on one connection, and holds back what comes before a page until its
    lock has decided.
    """

    def __init__(self, admissions: Admissions, socket: str, send: Send):
        self._admissions, self._socket, self._send = admissions, socket, send
        self._held: list[ForwardMsg] = []

    async def __call__(self, message: Message) -> None:
        """Send this message, or hold it back for now."""
        told = _told(message)
        if told and told.HasField("new_session"):
            _anonymous(told.new_session)
        if (
            told
            and told.WhichOneof("type") in BEFORE
            and (self._held or not told.HasField("session_status_changed"))
        ):
            self._held.append(told)
            if self._admissions.within(self._socket):
                await self._release()
        elif told and told.HasField("heartbeat_ack"):
            await self._send(message)
        else:
            await self._release()
            await self._send(message)

    async def _release(self) -> None:
        held, self._held = self._held, []
        for told in held:
            if told.HasField("navigation") and not self._admissions.within(self._socket):
                _only_here(told.navigation)
            await self._send({"type": "websocket.send", "bytes": told.SerializeToString()})


def asked(sent: bytes) -> BackMsg | None:
    """Read what a browser sent; None where that is no message."""
    wish = BackMsg()
    try:
        wish.ParseFromString(sent)
    except DecodeError:
        return None
    return wish


def can_be_read(wish: BackMsg) -> bool:
    """Say whether what a browser says of its page's widgets is of a kind that a seat's have, and
    JSON where it is to be: at anything else Streamlit (1.67) fails with the whole page, and writes
    down why.
    """
    for one in wish.rerun_script.widget_states.widgets:
        kind = one.WhichOneof("value")
        if kind in NO_SEAT_HAS:
            return False
        if kind in IN_JSON:
            try:
                json.loads(getattr(one, kind))
            except (ValueError, RecursionError):
                return False
    return True


def _told(message: Message) -> ForwardMsg | None:
    sent, told = message.get("bytes") or b"", ForwardMsg()
    if not 0 < len(sent) <= SMALL:
        return None
    try:
        told.ParseFromString(sent)
    except DecodeError:
        return None
    return told


def _anonymous(session: NewSession) -> None:
    """Take out what tells of the machine; the front end does without."""
    session.name, session.main_script_path = TITLE, ""
    session.ClearField("app_pages")  # The front end reads those of the navigation.
    begun = session.initialize
    begun.user_info.Clear()
    begun.user_info.SetInParent()  # The front end reads it without looking whether it is there.
    version = begun.environment_info.streamlit_version
    begun.environment_info.Clear()
    # A tab that stayed open over an upgrade sees that this changed, and loads the new front end.
    with suppress(StoreFailed):
        begun.environment_info.streamlit_version = _veiled(version)


@cache
def _veiled(version: str) -> str:
    return hmac.digest(services.store().door.salt().encode(), version.encode(), "sha256").hex()[:16]


def _only_here(navigation: Navigation) -> None:
    """Leave of all pages the one that was asked for, and the first, which the front end needs,
    without their names.
    """
    pages = [
        page
        for page in navigation.app_pages
        if page.is_default or page.page_script_hash == navigation.page_script_hash
    ]
    for page in pages:
        page.page_name = TITLE
        page.ClearField("icon")
        if page.page_script_hash != navigation.page_script_hash:
            page.ClearField("url_pathname")
    del navigation.app_pages[:]
    navigation.app_pages.extend(pages)


def without_secrets(text: str) -> str:
    """Return a line for the log without what opens a seat, the ticket of somebody signed in, the
    ids under which a recruiting service sent somebody, what a login service is sent and sends, or
    the login of an address.
    """
    for secret in (SECRET, CREDENTIAL, LOGIN):
        text = secret.sub(r"\1[secret]", text)
    return text


def on_one_line(text: str, most: int = LINE) -> str:
    """Return a text as the log may have it: without secrets, its control signs written out, and no
    longer than so many characters.
    """
    # Before it is cut: half a secret is not known again. Ten times as much is enough to look at.
    kept = without_secrets(text[: 10 * most])[: most + 1]
    written = CONTROL.sub(_written_out, kept)
    return written if len(written) <= most else f"{written[:most]} ..."


def _written_out(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape").decode()


def _trace(text: str) -> str:
    """Return a trace on its many lines, set in: none of them looks like a line of its own, whatever
    the error says.
    """
    text = without_secrets(text)  # Before it is cut: half a secret is not known again.
    if len(text) > TRACE:
        text = f"{text[: TRACE // 2]}\n...\n{text[-TRACE // 2 :]}"
    return "\n".join(f"  {on_one_line(line, VALUE)}" for line in text.split("\n"))


def keep_out_of_logs() -> None:
    """Keep secrets, control signs and endless texts out of whatever this process logs from now on,
    whoever logs it, at any level.
    """
    make = logging.getLogRecordFactory()
    if getattr(make, "discreet", False):
        return

    def discreet(*given: Any, **more: Any) -> logging.LogRecord:
        record = make(*given, **more)
        if isinstance(
            record.args, tuple
        ):  # Value by value: a handler may want them apart, as that of requests does.
            record.args = tuple(
                on_one_line(one, VALUE) if isinstance(one, str) else one for one in record.args
            )
        try:
            line = record.getMessage()
        except Exception:  # A line with the wrong number of values: logging itself tells of that.
            return record
        said = on_one_line(line)
        if said != line:
            record.msg, record.args = said, ()
        if record.exc_info and record.exc_info[1]:
            record.exc_text = _trace(logging.Formatter().formatException(record.exc_info))
        return record

    discreet.discreet = True  # type: ignore[attr-defined]
    logging.setLogRecordFactory(discreet)
