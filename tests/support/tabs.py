"""A browser's tab without a browser: it speaks Streamlit's protocol over the websocket, keeps what
it was shown, sends what a person presses, and lets fragments draw themselves as often as they ask.
"""

import time
from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import urlencode

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Common_pb2 import StringArray
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState

from tests.support.browser import App
from tests.support.wire import ask, tab

PATIENCE = 120.0
"""Seconds after which a page that is not drawn counts as never drawn."""
KEPT_FOR = 2
"""Drawings for which a message is kept that comes again; the front end's own number."""
ENDED = (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)


class Widget(NamedTuple):
    """What can be pressed or filled in, as the page showed it last."""

    id: str
    label: str
    fragment: str
    disabled: bool = False


class Drawn(NamedTuple):
    """One drawing of a page or of a part of it."""

    page: str
    part: bool
    """Whether it was a fragment that drew itself, or was drawn because of a press in it."""
    seconds: float
    bytes: int
    at: float
    """When it was asked for, on the monotonic clock."""


class Tab:
    """One session of the app; `drawn` has every drawing, `exceptions` and `errors` what a person
    would have read of failures.

    It waits for each drawing before it asks for the next: only one thread may use it.
    """

    def __init__(self, app: App, cookie: str = ""):
        self._app, self._way = app, tab(app, **({"Cookie": cookie} if cookie else {}))
        self.page = self.query = self.name = ""
        self.widgets: dict[str, Widget] = {}
        self.drawn: list[Drawn] = []
        self.exceptions: list[str] = []
        self.errors: list[str] = []
        self._hash = ""
        self._states: dict[str, WidgetState] = {}
        self._timers: dict[str, tuple[float, float]] = {}
        self._known: dict[str, tuple[int, ForwardMsg]] = {}
        self._runs = 0

    def __enter__(self) -> "Tab":
        self._line = self._way.__enter__()
        return self

    def __exit__(self, *raised: Any) -> None:
        self._way.__exit__(*raised)

    # -- what a person does --------------------------------------------------------------------

    def open(self, page: str, name: str = "", **query: str) -> float:
        """Go to a page, kept in `drawn` under this name; return the seconds until it is drawn."""
        self.page, self.query, self.name = page, urlencode(query), name or page or "home"
        self._hash, self._timers = "", {}
        self._states.clear()
        return self._draw()

    def find(self, part: str) -> Widget | None:
        """Return the first widget, which is not disabled, whose key or label has this in it."""
        found = (one for key, one in self.widgets.items() if part in key or part in one.label)
        return next((one for one in found if not one.disabled), None)

    def keys(self, part: str) -> Iterator[str]:
        """Go through the keys that have this in them."""
        return (key for key in list(self.widgets) if part in key)

    def press(self, widget: Widget) -> float:
        """Press a button; return the seconds until what it changes is drawn."""
        return self._send(widget, trigger_value=True)

    def choose(self, key: str, option: str) -> float:
        """Choose an option of a row of them."""
        return self._send(self.widgets[key], string_array_value=StringArray(data=[option]))

    def watch(self, seconds: float) -> None:
        """Look at the page for so long, while it draws itself as often as it wants."""
        until = time.monotonic() + seconds
        while (now := time.monotonic()) < until:
            due, part = min(
                ((due, part) for part, (due, _) in self._timers.items()), default=(until, "")
            )
            if due <= now:
                every = self._timers[part][1]
                self._timers[part] = max(due + every, now), every
                self._draw(part)
                continue
            try:
                self._take(self._line.recv(timeout=min(due, until) - now))
            except TimeoutError:
                continue

    # -- what goes over the wire ---------------------------------------------------------------

    def _send(self, widget: Widget, **value: Any) -> float:
        self._states[widget.id] = WidgetState(id=widget.id, **value)
        taken = self._draw(widget.fragment, timed=False)
        if "trigger_value" in value:  # A press is told once.
            del self._states[widget.id]
        return taken

    def _draw(self, part: str = "", timed: bool = True) -> float:
        """Ask for the page or a part of it and wait until it is drawn, in s."""
        wish = BackMsg()
        asked = wish.rerun_script
        asked.query_string, asked.page_script_hash = self.query, self._hash
        if not self._hash:
            asked.page_name = self.page
        asked.fragment_id, asked.is_auto_rerun = part, bool(part) and timed
        asked.widget_states.widgets.extend(self._states.values())
        asked.cached_message_hashes.extend(self._known)
        asked.context_info.url = f"{self._app.url}/{self.page}?{self.query}"
        at, began, got = time.monotonic(), time.perf_counter(), 0
        self._line.send(wish.SerializeToString())
        while True:
            left = PATIENCE - (time.perf_counter() - began)
            try:
                heard = self._line.recv(timeout=left)
            except TimeoutError:
                raise AssertionError(f"{self.name} was not drawn in {PATIENCE:.0f} s") from None
            got += len(heard)
            message = self._take(heard)
            if message.WhichOneof("type") == "script_finished":
                if message.script_finished == ForwardMsg.FINISHED_WITH_COMPILE_ERROR:
                    self.exceptions.append("the script does not compile")
                    break
                if message.script_finished in ENDED:
                    break
        taken = time.perf_counter() - began
        self.drawn.append(Drawn(self.name, bool(part), taken, got, at))
        return taken

    def _take(self, heard: bytes | str) -> ForwardMsg:
        assert isinstance(heard, bytes)
        message = ForwardMsg.FromString(heard)
        if message.WhichOneof("type") == "ref_hash":
            message = self._known[message.ref_hash][1]
            self._known[message.hash] = self._runs, message
        elif message.metadata.cacheable:
            self._known[message.hash] = self._runs, message
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self._begin(message)
        elif kind == "auto_rerun":
            every = message.auto_rerun.interval
            self._timers[message.auto_rerun.fragment_id] = time.monotonic() + every, every
        elif kind == "stop_auto_rerun":
            for part in message.stop_auto_rerun.fragment_ids:
                self._timers.pop(part, None)
        elif kind == "navigation":
            # Which page it is; a new session that was asked for by name does not know yet.
            self._hash = message.navigation.page_script_hash
        elif kind == "page_info_changed":
            self.query = message.page_info_changed.query_string
        elif kind == "delta":
            self._show(message)
        return message

    def _begin(self, message: ForwardMsg) -> None:
        self._runs += 1
        self._known = {
            sha: kept for sha, kept in self._known.items() if kept[0] >= self._runs - KEPT_FOR
        }
        self._hash = message.new_session.page_script_hash
        parts = set(message.metadata.run.fragment_ids)
        if not parts:
            self.widgets.clear()
            self._timers.clear()
        self.widgets = {k: one for k, one in self.widgets.items() if one.fragment not in parts}

    def _show(self, message: ForwardMsg) -> None:
        if message.delta.WhichOneof("type") != "new_element":
            return
        element: Element = message.delta.new_element
        kind = element.WhichOneof("type")
        shown = getattr(element, kind) if kind else None
        if kind == "exception":
            self.exceptions.append(f"{self.name}: {shown.type}: {shown.message}")
        elif kind == "alert" and shown.format == shown.ERROR:
            self.errors.append(f"{self.name}: {shown.body}")
        elif name := getattr(shown, "id", ""):
            key = name.split("-", 2)[-1] if name.startswith("$$") else name
            key = name if key == "None" else key
            self.widgets[key] = Widget(
                name,
                getattr(shown, "label", ""),
                message.delta.fragment_id,
                getattr(shown, "disabled", False),
            )


def sign_in(app: App, password: str) -> str:
    """Return the cookie that whoever gives this password is let in with."""
    answer = ask(app, "/sign-in", "POST", urlencode({"password": password, "next": "/"}))
    assert answer.status == 303, answer.status
    return (answer.getheader("Set-Cookie") or "").partition(";")[0]
