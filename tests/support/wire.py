"""What goes over the wire to a real server and comes back: requests, and a tab's messages."""

import http.client

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
