"""The gate in tests: what stands behind it, and how a browser speaks to it."""

from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect
from streamlit.proto.BackMsg_pb2 import BackMsg

from core.door import Door

PASSWORD = "a fine pass phrase"


class Inside:
    """What stands behind the gate: says so, and remembers what was passed on."""

    def __init__(self) -> None:
        self.heard: list[bytes] = []
        self.sockets: list[str] = []
        self.protocols: list[str] = []
        self.headers: dict[str, str] = {}
        """Of the last request."""
        self.started = False

    async def __call__(self, scope, receive, send) -> None:
        if scope["type"] == "lifespan":
            await receive()
            self.started = True
            await send({"type": "lifespan.startup.complete"})
            await receive()
            await send({"type": "lifespan.shutdown.complete"})
        elif scope["type"] == "http":
            self.headers = {name.decode(): value.decode() for name, value in scope["headers"]}
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b"inside"})
        else:
            await self._talk(scope, receive, send)

    async def _talk(self, scope, receive, send) -> None:
        await receive()
        self.sockets += [
            value.decode() for name, value in scope["headers"] if name == b"x-foundry-socket"
        ]
        self.protocols += [
            value.decode() for name, value in scope["headers"] if name == b"sec-websocket-protocol"
        ]
        await send({"type": "websocket.accept", "subprotocol": "streamlit"})
        while (message := await receive())["type"] == "websocket.receive":
            self.heard.append(message["bytes"])
            await send({"type": "websocket.send", "bytes": b"heard"})


class Secrets(dict):
    """What is in secrets.toml."""

    def load_if_toml_exists(self) -> bool:
        return bool(self)


def enter(door: Door, password: str, address: str, earlier: str = "") -> str:
    """Try a password at the door at once, and return the ticket."""
    known = door.known(earlier)
    door.begin(address, known)
    return door.look(password, address, known)


def sign_in(client: TestClient, password: str = PASSWORD, going: str = "/chains", **headers: str):
    return client.post("/sign-in", data={"password": password, "next": going}, headers=headers)


def wish(**fields: str) -> bytes:
    message = BackMsg()
    message.rerun_script.query_string = "run=abc"
    for name, value in fields.items():
        setattr(message.rerun_script, name, value)
    message.rerun_script.widget_states.widgets.add(id="delete", trigger_value=True)
    return message.SerializeToString()


def say(tab, message: bytes) -> None:
    tab.send_bytes(message)
    assert tab.receive_bytes() == b"heard"


def ended(tab: WebSocketTestSession) -> bool:
    """Ask once more, and say whether the connection was ended to make room."""
    try:
        say(tab, wish())
    except WebSocketDisconnect as error:
        return error.code == 1013
    return False


def anybody(_cookies) -> bool:
    return True
