"""What goes over the wire to a real server and comes back: requests, a tab's messages, and what a
session without a browser does.
"""

import http.client
import json
import urllib.request
from typing import Any

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import ClientConnection, connect

from tests.support.browser import App


def ask(
    app: App, path: str, method: str = "GET", body: str = "", **headers: str
) -> http.client.HTTPResponse:
    line = http.client.HTTPConnection("127.0.0.1", app.port, timeout=60)
    form = {"Content-Type": "application/x-www-form-urlencoded"} if body else {}
    line.request(method, path, body or None, {**form, **headers})
    return line.getresponse()


def tab(app: App, **headers: str) -> ClientConnection:
    return connect(
        f"ws://127.0.0.1:{app.port}/_stcore/stream",
        additional_headers=headers,
        origin=app.url,
        subprotocols=["streamlit"],
        max_size=None,
    )


def told(
    line: ClientConnection, page: str = "", query: str = "", url: str = ""
) -> tuple[bytes, list[ForwardMsg]]:
    """Ask for a page and return what comes until it is drawn: the very bytes, and the messages."""
    wish = BackMsg()
    (
        wish.rerun_script.page_name,
        wish.rerun_script.query_string,
        wish.rerun_script.context_info.url,
    ) = (page, query, url)
    line.send(wish.SerializeToString())
    heard: list[bytes] = []
    while not heard or not ForwardMsg.FromString(heard[-1]).HasField("script_finished"):
        heard.append(line.recv(timeout=60))
    return b"\n".join(heard), [ForwardMsg.FromString(one) for one in heard]


def interact(app: App, **request: Any) -> dict[str, Any]:
    """Send what a browser would to an app whose agent interface is on, and return what is on the
    screen once that is drawn.
    """
    sent = urllib.request.Request(
        f"{app.url}/_stcore/agent/interact",
        json.dumps(request).encode(),
        {"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(sent, timeout=60) as response:
        screen: dict[str, Any] = json.load(response)
    assert screen["status"] == "ready", screen["status"]
    return screen
