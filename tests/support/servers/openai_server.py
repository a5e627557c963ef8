"""A loopback server that speaks OpenAI's chat completions, for tests and for trying the workbench
without a network.

In process: `with OpenAIServer(latency=0.1) as server: ... server.url, server.calls`.
Alone: `python tests/support/servers/openai_server.py --port 0 --latency 0.1 --log calls.jsonl`
prints its URL and runs until it is killed.
The reply depends on the request alone, so a run that was killed and resumed can be compared with
one that was not.
"""

import argparse
import contextlib
import hashlib
import importlib
import json
import random
import sys
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Literal

# Run as a script, only this folder would be on the path.
sys.path.insert(0, str(Path(__file__).parents[3]))
from tests.support.schema_instances import Body, asked_schema, instance
from tests.support.servers.spoiling import SPOILT, garbage, spoil

Said = dict[str, Any] | str
Script = Callable[[Body], Said | tuple[str, Said]]
THINKING = ("tags", "unopened", "reasoning_content", "reasoning")
PROBE = "Idea Foundry probe"
STATUSES = ("429", "500", "503")
FAULTS = (
    *STATUSES,
    *("hang", "half", "refusal", "empty", "cut", "limit", "broken", "garbage"),
    *SPOILT,
)
"""`half` says half of its text and calls it whole, `limit` says that the rest had no room; `cut`
ends its stream without a word, `broken` its connection.
"""
RETRY_AFTER = "0.05"


class OpenAIServer(ThreadingHTTPServer):
    """Answers `/v1/models` and `/v1/chat/completions`; `url` is what OPENAI_BASE_URL would be.

    `script(body)` returns the reply, an object or text, or thoughts and the reply. `thinking` says
    how thoughts are sent: between tags in the text, with the closing tag alone (`unopened`), or in
    the field of that name; they count as tokens of the reply. `latency` seconds are spread over the
    stream. `faults` maps a name of FAULTS to its probability; one draw from a generator of its own
    per request. Probes are spared both. `tokens`, `shapes` and `usage` say which dialect is spoken:
    what is not in `shapes` is refused with 400, a token parameter not in `tokens` is ignored;
    `usage` may be "so far": with every piece. A
    `wordy` one answers probes at length, whatever limit it is given. `refusing(body)` may return a
    status and message to refuse a call with.
    """

    daemon_threads = True
    request_queue_size = 128

    def __init__(
        self,
        *,
        port: int = 0,
        latency: float = 0.0,
        script: Script | None = None,
        faults: Mapping[Any, float] | None = None,
        seed: int = 0,
        log: Path | None = None,
        hang: float = 3.0,
        tokens: Sequence[str] = ("max_completion_tokens", "max_tokens"),
        shapes: Sequence[str] = ("json_schema", "json_object"),
        usage: bool | Literal["so far"] = True,
        models: Sequence[str] = ("test-model",),
        thinking: str = "tags",
        wordy: bool = False,
    ):
        self.faults = {str(name): chance for name, chance in (faults or {}).items()}
        if unknown := set(self.faults) - set(FAULTS):
            raise ValueError(f"no such fault: {sorted(unknown)}; there are {FAULTS}")
        if thinking not in THINKING:
            raise ValueError(f"thoughts are not sent as {thinking!r}; there are {THINKING}")
        self.thinking = thinking
        super().__init__(("127.0.0.1", port), Handler)
        self.latency, self.script, self.hang, self.log = latency, script or instance_for, hang, log
        self.tokens, self.shapes, self.usage, self.models = (
            tuple(tokens),
            tuple(shapes),
            usage,
            tuple(models),
        )
        self.wordy = wordy
        self.least = 0
        """Tokens a request must ask for: with fewer every reply is cut off."""
        self.refusing: Callable[[Body], tuple[int, str] | None] = lambda body: None
        self.calls: list[Body] = []
        self.probes: list[Body] = []
        self.headers_seen: list[dict[str, str]] = []
        self.faulted: list[str] = []
        self.in_flight = self.most_in_flight = 0
        self.answered = 0
        """Calls, probes apart, whose reply was sent to its end."""
        self._dice, self._guard = random.Random(seed), threading.Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def __enter__(self) -> "OpenAIServer":
        threading.Thread(
            target=self.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        ).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self.server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of clients that hang up: that is what killed processes do."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)

    @contextlib.contextmanager
    def counting(self, body: Body) -> Iterator[str | None]:
        """Count a call while it is answered; gives the fault it was drawn, if any."""
        with self._guard:
            if is_probe(body):
                self.probes.append(body)
                fault = None
            else:
                self.calls.append(body)
                fault = self._draw(body)
            number = len(self.calls)
            self.in_flight += 1
            self.most_in_flight = max(self.most_in_flight, self.in_flight)
        self._note("started", body, number, fault)
        try:
            yield fault
            with self._guard:
                self.answered += not is_probe(body)
            self._note("finished", body, number, fault)
        finally:
            with self._guard:
                self.in_flight -= 1

    def _draw(self, body: Body) -> str | None:
        at = self._dice_for(body).random()
        for name, chance in self.faults.items():
            if at < chance:
                if name == "wrong" and asked_schema(body) is None:
                    return None  # No text is of a wrong shape where none was asked for.
                self.faulted.append(name)
                return name
            at -= chance
        return None

    def _dice_for(self, body: Body) -> random.Random:
        return self._dice

    def _note(self, event: str, body: Body, number: int, fault: str | None) -> None:
        if self.log is None:
            return
        line = {
            "event": event,
            "call": number,
            "hash": request_hash(body),
            "probe": is_probe(body),
            "fault": fault,
            "at": time.time(),
        }
        with self._guard, self.log.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")


class SteadyServer(OpenAIServer):
    """Draws its faults from the request and from how often it came, so that a test repeats whatever
    the threads do.
    """

    def __init__(self, **given: Any):
        self._came: Counter[str] = Counter()
        self.drawn: defaultdict[str, list[str | None]] = defaultdict(list)
        """What was drawn for each request, in the order it came."""
        self._seed = given.get("seed", 0)
        super().__init__(**given)

    def _dice_for(self, body: Body) -> random.Random:
        name = request_hash(body)
        self._came[name] += 1
        return random.Random(f"{self._seed} {name} {self._came[name]}")

    def _draw(self, body: Body) -> str | None:
        fault = super()._draw(body)
        self.drawn[request_hash(body)].append(fault)
        return fault


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: OpenAIServer

    def log_message(self, *_: Any) -> None:
        """Keep test output clean."""

    def do_GET(self) -> None:
        if self.path == "/v1/models":
            self._send(
                200,
                {
                    "object": "list",
                    "data": [{"id": name, "object": "model"} for name in self.server.models],
                },
            )
        else:
            self._send(404, {"error": {"message": f"no such path: {self.path}"}})

    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"])
        sent = self.rfile.read(length)
        if len(sent) < length:
            raise ConnectionResetError  # Its client was killed while it asked.
        body = json.loads(sent)
        if self.path != "/v1/chat/completions":
            self._send(404, {"error": {"message": f"no such path: {self.path}"}})
            return
        self.server.headers_seen.append(dict(self.headers))
        with self.server.counting(body) as fault:
            self._answer(body, fault)

    def _answer(self, body: Body, fault: str | None) -> None:
        if fault in STATUSES:
            headers = {"Retry-After": RETRY_AFTER} if fault == "429" else {}
            self._send(
                int(fault),
                {"error": {"message": f"planned fault {fault}", "type": "fault"}},
                headers,
            )
            return
        if refusal := None if is_probe(body) else self.server.refusing(body):
            self._send(
                refusal[0], {"error": {"message": refusal[1], "type": "invalid_request_error"}}
            )
            return
        shape = body.get("response_format", {}).get("type")
        if shape and shape not in self.server.shapes:
            self._send(
                400,
                {
                    "error": {
                        "message": f"response_format of type {shape!r} is not supported",
                        "type": "invalid_request_error",
                    }
                },
            )
            return
        if body.get("stream_options") and not self.server.usage:
            self._send(
                400,
                {
                    "error": {
                        "message": "unknown field stream_options",
                        "type": "invalid_request_error",
                    }
                },
            )
            return
        if fault == "hang":
            time.sleep(self.server.hang)
            self.close_connection = True
            return
        if fault == "garbage":
            kind, data = garbage(random.Random(request_hash(body)))
            self._send_bytes(200, data, {"Content-Type": kind})
            return
        thoughts, text, reason, refused = self._reply(body, fault)
        if body.get("stream"):
            self._stream(body, thoughts, text, reason, refused, fault)
            return
        time.sleep(self.server.latency)
        said = {
            "role": "assistant",
            "content": None if refused else text,
            "refusal": text if refused else None,
        }
        said |= {self.server.thinking: thoughts} if thoughts else {}
        self._send(
            200,
            {
                **_envelope(body, "chat.completion"),
                "usage": usage_of(body, text, thoughts),
                "choices": [{"index": 0, "message": said, "finish_reason": reason}],
            },
        )

    def _reply(self, body: Body, fault: str | None) -> tuple[str, str, str, bool]:
        """Return (thoughts sent in a field, text, finish reason, whether it is a refusal)."""
        if fault == "refusal":
            return "", "I cannot help with that (planned fault).", "stop", True
        if fault == "empty":
            return "", "", "stop", False
        given = probe_answer(body) if is_probe(body) else self.server.script(body)
        thoughts, said = given if isinstance(given, tuple) else ("", given)
        text = said if isinstance(said, str) else json.dumps(said, ensure_ascii=False)
        if thoughts and self.server.thinking in ("tags", "unopened"):
            opening = "<think>" if self.server.thinking == "tags" else ""
            thoughts, text = "", f"{opening}{thoughts}</think>\n\n{text}"
        if fault in ("half", "limit"):
            end = "stop" if fault == "half" else "length"
            return thoughts, text[: len(text) // 2], end, False
        if fault in SPOILT:
            return thoughts, spoil(fault, text, random.Random(request_hash(body))), "stop", False
        if self.server.wordy and is_probe(body):
            return "", text + " And let me say more about that." * 100, "stop", False
        limit = next((body[name] for name in self.server.tokens if name in body), None)
        if not is_probe(body) and (limit or 0) < self.server.least:
            return thoughts[:400], text[:40], "length", False
        if limit is not None and tokens_of(thoughts + text) > limit:
            return thoughts[: limit * 4], text[: max(0, limit * 4 - len(thoughts))], "length", False
        return thoughts, text, "stop", False

    def _stream(
        self,
        body: Body,
        thoughts: str,
        text: str,
        reason: str,
        refused: bool,
        fault: str | None,
    ) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        pieces = [
            *in_pieces(self.server.thinking, thoughts),
            *in_pieces("refusal" if refused else "content", text),
        ]
        began, envelope = time.monotonic(), _envelope(body, "chat.completion.chunk")
        latency = 0.0 if is_probe(body) else self.server.latency
        self._event(
            {
                **envelope,
                "choices": [
                    {
                        "index": 0,
                        "delta": {"role": "assistant", "content": ""},
                        "finish_reason": None,
                    }
                ],
            }
        )
        for n, (field, piece) in enumerate(pieces, 1):
            time.sleep(max(0.0, began + latency * n / len(pieces) - time.monotonic()))
            self._event(
                {
                    **envelope,
                    "choices": [{"index": 0, "delta": {field: piece}, "finish_reason": None}],
                    **self._told_so_far(body, [one for _, one in pieces[:n]]),
                }
            )
            if fault in ("cut", "broken") and n > len(pieces) // 2:
                if fault == "cut":
                    self._raw(b"")
                self.close_connection = fault == "broken"
                return
        self._event({**envelope, "choices": [{"index": 0, "delta": {}, "finish_reason": reason}]})
        if (body.get("stream_options") or {}).get("include_usage"):
            self._event({**envelope, "choices": [], "usage": usage_of(body, text, thoughts)})
        self._raw(b"data: [DONE]\n\n")
        self._raw(b"")

    def _told_so_far(self, body: Body, said: list[str]) -> Body:
        if self.server.usage != "so far":
            return {}
        return {"usage": usage_of(body, "".join(said))}

    def _event(self, chunk: Body) -> None:
        self._raw(f"data: {json.dumps(chunk)}\n\n".encode())

    def _raw(self, data: bytes) -> None:
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()

    def _send(self, status: int, body: Body, headers: Mapping[str, str] | None = None) -> None:
        given = {"Content-Type": "application/json", **(headers or {})}
        self._send_bytes(status, json.dumps(body).encode(), given)

    def _send_bytes(self, status: int, data: bytes, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(data)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)


def is_probe(body: Body) -> bool:
    """Say whether this call only finds out what the server can do."""
    return any(
        said["role"] in ("system", "developer") and PROBE in str(said["content"])
        for said in body.get("messages", ())
    )


def probe_answer(body: Body) -> dict[str, Any] | str:
    """Answer a probe: count if asked to, else fit the shape."""
    task = str(body["messages"][-1]["content"])
    return " ".join(map(str, range(1, 201))) if "Count" in task else instance_for(body)


def request_hash(body: Body) -> str:
    """Return 16 hex digits that depend on the messages and the shape asked for, on nothing else."""
    asked = {name: body.get(name) for name in ("model", "messages", "response_format")}
    return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()[:16]


def instance_for(body: Body) -> dict[str, Any] | str:
    """Return an object of the shape asked for (in response_format, or spelled out in a message),
    its words drawn from the request's hash.
    """
    schema = asked_schema(body)
    if schema is None:
        return "Yes, ready."
    made = instance(schema, random.Random(request_hash(body)), schema.get("$defs", {}))
    assert isinstance(made, dict)
    return made


def tokens_of(text: str) -> int:
    """Return a count of tokens: four characters each."""
    return (len(text) + 3) // 4


def in_pieces(field: str, text: str) -> list[tuple[str, str]]:
    """Return a text in twelve pieces or so, each with the field it is sent in."""
    size = max(1, len(text) // 12)
    return [(field, text[at : at + size]) for at in range(0, len(text), size)]


def usage_of(body: Body, text: str, thoughts: str = "") -> Body:
    """Return the usage block of a call."""
    asked, said = (
        sum(tokens_of(str(message["content"])) for message in body["messages"]),
        tokens_of(thoughts + text),
    )
    thought = (
        {"completion_tokens_details": {"reasoning_tokens": tokens_of(thoughts)}} if thoughts else {}
    )
    return {
        "prompt_tokens": asked,
        "completion_tokens": said,
        "total_tokens": asked + said,
        **thought,
    }


def _envelope(body: Body, kind: str) -> Body:
    return {
        "id": f"chatcmpl-{request_hash(body)}",
        "object": kind,
        "created": 0,
        "model": body["model"],
    }


def main() -> None:
    """Run alone until killed; the URL is the first line printed."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--port", type=int, default=0)
    options.add_argument("--latency", type=float, default=0.0, help="seconds an answer takes")
    options.add_argument(
        "--log", type=Path, help="append one JSON line per started and per finished call"
    )
    options.add_argument("--faults", type=json.loads, default={}, help='such as {"429": 0.2}')
    options.add_argument("--seed", type=int, default=0, help="of the faults")
    options.add_argument(
        "--thinking", choices=THINKING, default="tags", help="how thoughts are sent"
    )
    options.add_argument("--script", help="module:function that makes the replies")
    given = options.parse_args()
    script = None
    if given.script:
        module, _, name = given.script.partition(":")
        script = getattr(importlib.import_module(module), name)
    server = OpenAIServer(
        port=given.port,
        latency=given.latency,
        log=given.log,
        faults=given.faults,
        seed=given.seed,
        script=script,
        thinking=given.thinking,
    )
    print(server.url, flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
