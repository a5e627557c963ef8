"""What tests of the expert's screens share: a way through the steps, all that a page sends, and a
wire that can be cut.
"""

import contextlib
import socket
import threading
from collections.abc import Iterator

from streamlit.testing.v1 import AppTest

from core.store import Store
from tests.support.ports import free_port
from tests.support.sessions.studies_kit import CRITERIA, METHODS, MODEL
from tests.support.visiting import ROOT, settled

MARKERS = (
    *METHODS,
    MODEL,
    "model-x",
    "secret-people",
    "run-secret",
    "Title A1",
    "organiser's own",
    "Expert 1",
    "Expert 2",
)
"""What the key and the organiser say of the texts of studies_kit, and of seats and studies: nothing
of it may reach an expert.
"""
TABLES = ("study_answers", "study_drafts")
QUALITIES = tuple(name.capitalize() for name in CRITERIA)


def opened(secret: str, **address: str) -> AppTest:
    """Open a link in a new browser tab."""
    return page(seat=secret, **address)


def page(**address: str) -> AppTest:
    """Open the experts' page at an address; app.py is named, not run, so that links to other pages
    are known.
    """
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=90).switch_page(
        "pages/annotate.py"
    )
    for name, value in address.items():
        app.query_params[name] = value
    return settled(app.run())


def pressed(app: AppTest, words: str) -> AppTest:
    """Press the first button whose words begin so; the browser's tab goes on where it is."""
    return settled(next(one for one in app.button if one.label.startswith(words)).click().run())


def labels(app: AppTest) -> list[str]:
    return [one.label for one in app.button]


def submit(app: AppTest):
    """Return the button that submits, whatever it says."""
    return next(one for one in app.button if str(one.key).startswith("seat:submit:"))


def drawn(app: AppTest) -> tuple[str, str]:
    """Return what names the form on the screen, and the key it is filed under."""
    on, _, key = str(submit(app).key).removeprefix("seat:submit:").rpartition(":")
    return on, key


def box(app: AppTest, name: str):
    """Return the box of that name in the form on the screen."""
    return next(
        one
        for kind in (
            app.button_group,
            app.checkbox,
            app.text_area,
            app.number_input,
            app.selectbox,
        )
        for one in kind
        if f":{name}" in str(one.key)
    )


def forged(app: AppTest) -> AppTest:
    """Send a click on the button that submits, whether or not a browser could."""
    button = submit(app)
    button.proto.disabled = False
    return settled(button.click().run())


def choose(app: AppTest, name: str, value: object) -> AppTest:
    """Choose in, tick or write into the box of that name."""
    chosen = box(app, name)
    return settled(chosen.set_value(value).run())


def sent(app: AppTest) -> str:
    """Return everything the server sent for this page: every block and element, as protocol
    text.
    """

    def walk(node: object) -> Iterator[str]:
        yield str(getattr(node, "proto", ""))
        for child in getattr(node, "children", {}).values():
            yield from walk(child)

    return "\n".join(walk(app._tree))


def counts(store: Store) -> dict[str, int]:
    """Return how many answers and drafts are stored."""
    return {
        table: store.connections.rows(f"SELECT count(*) AS n FROM {table}")[0]["n"]
        for table in TABLES
    }


def everything(store: Store) -> dict[str, list]:
    """Return all rows of all tables."""
    names = [
        row["name"]
        for row in store.connections.rows("SELECT name FROM sqlite_master WHERE type = 'table'")
    ]
    return {name: store.connections.rows(f"SELECT * FROM {name}") for name in names}


class Wire:
    """A TCP proxy in front of a server, that can be cut and mended: cut, it lets nobody in and
    drops who is there.

    It can be held, too: then what browsers say arrives, and what the server says waits until it is
    let go.
    """

    def __init__(self, port: int):
        self.port, self._to, self._whole = free_port(), port, True
        self._ends: list[socket.socket] = []
        self._lock, self._free = threading.Lock(), threading.Event()
        self._free.set()
        self._door = socket.create_server(("127.0.0.1", self.port))
        threading.Thread(target=self._let_in, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def cut(self) -> None:
        self._whole = False
        self._drop()

    def mend(self) -> None:
        self._whole = True

    def hold(self) -> None:
        self._free.clear()

    def let_go(self) -> None:
        self._free.set()

    def close(self) -> None:
        self._whole = False
        self.let_go()
        self._door.close()
        self._drop()

    def _drop(self) -> None:
        with self._lock:
            ends, self._ends = self._ends, []
        for one in ends:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def _let_in(self) -> None:
        while True:
            try:
                guest, _ = self._door.accept()
            except OSError:
                return
            if not self._whole:
                guest.close()
                continue
            host = socket.create_connection(("127.0.0.1", self._to))
            with self._lock:
                self._ends += [guest, host]
            for one, other, heard in ((guest, host, None), (host, guest, self._free)):
                threading.Thread(target=self._carry, args=(one, other, heard), daemon=True).start()

    @staticmethod
    def _carry(one: socket.socket, other: socket.socket, heard: threading.Event | None) -> None:
        with contextlib.suppress(OSError):
            while said := one.recv(65_536):
                if heard:
                    heard.wait()
                other.sendall(said)
        with contextlib.suppress(OSError):
            other.shutdown(socket.SHUT_RDWR)
