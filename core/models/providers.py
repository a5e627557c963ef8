"""The providers LangChain reaches for us: how each is built, and what each call of theirs takes."""

from collections.abc import Iterator, Mapping
from functools import cache, partial
from types import NoneType
from typing import Any, cast

from langchain_core.language_models import BaseChatModel
from pydantic import BaseModel

from core.bounds import Over, bounds, no_cookies, watch
from core.models import address
from core.models.abilities import Abilities
from core.models.listening import LINE, PACE
from core.models.refusals import Completions
from core.models.schema import strict_schema
from core.settings import Settings

NO_KEY = "no-key"
"""Sent to OpenAI-compatible servers that want none: the SDK refuses to be built without one."""
OLLAMA_WINDOW = 8_192
"""Tokens; Ollama cuts a longer prompt off silently, so the window is asked for, in doublings of
this (each change loads the model anew).
"""
MESSAGE, SCALARS = ("content", "thinking"), (str, int, float)
"""Fields that are read of a message of Ollama's; and the types of those that are read beside it."""
LARGEST, LONGEST_LINE = 32_000_000, 2_000_000
"""Bytes of an answer that are read from a server whose address is a setting, some fifteen a
character, as every token comes in a chunk of its own; and of one line of it, or one event, whose
lines the SDK puts together.
"""


def build(provider: str, model: str, settings: Settings) -> BaseChatModel:
    """Build LangChain's chat model for one model of a provider; it never retries, waiting is
    ours.
    """
    from langchain.chat_models import init_chat_model

    key, timeout = settings.keys.get(provider, NO_KEY), settings.read_timeout
    usual = {"api_key": key, "max_retries": 0, "timeout": timeout}
    given: dict[str, dict[str, Any]] = {
        "openai": {**usual, "use_responses_api": False, "http_client": _client(timeout)},
        "anthropic": usual,
        "google_genai": {**usual, "max_retries": 1},  # counts attempts, not retries
        "openrouter": {**usual, "timeout": int(timeout * 1000)},  # milliseconds
        "ollama": {
            "client_kwargs": {"timeout": timeout},
            "sync_client_kwargs": {
                "event_hooks": bounds(LARGEST, line=LONGEST_LINE, pace=PACE),
                "cookies": no_cookies(),
            },
            "reasoning": True,
        },
    }
    chat: BaseChatModel = init_chat_model(
        model, model_provider=provider, base_url=address(provider, settings), **given[provider]
    )
    if provider == "openai":
        vars(chat)["client"] = Completions(vars(chat)["root_client"])
    if provider == "ollama":
        watch(chat._client._client, _until_left)  # type: ignore[attr-defined]
        chat._client = Unasked(chat._client)  # type: ignore[attr-defined]
    return chat


@cache
def _client(timeout: float) -> Any:
    """Return what speaks to OpenAI-compatible servers, one for all: to read whom it trusts takes
    20 ms.
    """
    from openai import DefaultHttpxClient

    read = bounds(LARGEST, line=LONGEST_LINE, event=LONGEST_LINE, pace=PACE)
    bounded = DefaultHttpxClient(timeout=timeout, event_hooks=read, cookies=no_cookies())
    return watch(bounded, _until_left)


def _until_left() -> Over:
    """Return what says that nobody waits any longer for what this thread reads."""
    line = LINE.get()
    return lambda _came: line is not None and line.left


class Unasked:
    """Stands in front of Ollama's client: LangChain hands thoughts on only where it asks for them,
    and models that do not think refuse to be asked. What nobody asked for is not handed on either:
    LangChain compiles what a tool is called with where it is no JSON, which takes the square of its
    length and lets no other thread have a turn (langchain-ollama 1.1); and the client notes a fault
    for each entry of a list that does not fit, half a kilobyte each (ollama 0.6).
    """

    def __init__(self, client: Any):
        self._client = client
        request = client._request
        client._request = lambda kind, *how, **given: request(
            partial(_parse_line, kind), *how, **given
        )

    def chat(self, *, think: object, **given: Any) -> Iterator[Mapping[str, Any]]:  # noqa: ARG002 - left to the model's own habit
        """Ask, and leave it to the model whether it thinks; tools it calls are left out."""
        return cast(Iterator[Mapping[str, Any]], self._client.chat(**given))


def _parse_line(kind: Any, /, **line: Any) -> Any:
    """Make what Ollama's client makes of a line, of the words and numbers in it alone; raises
    ValueError where the message has none: an answer has no holes.
    """
    message = line.pop("message", None)
    if not isinstance(message, dict):
        raise ValueError("a line without a message")
    if odd := [name for name in MESSAGE if not isinstance(message.get(name), str | NoneType)]:
        raise ValueError(f"{odd[0]} is no text")
    words = {name: message[name] for name in MESSAGE if name in message}
    beside = {name: line[name] for name in kind.model_fields if isinstance(line.get(name), SCALARS)}
    return kind(**beside, message={"role": "assistant", **words})


def parameters(
    provider: str,
    abilities: Abilities,
    max_tokens: int,
    temperature: float | None,
    returns: type[BaseModel] | None,
    prompt_size: int,
) -> dict[str, Any]:
    """Return what a call passes beside the messages; `prompt_size` is the prompt's length in
    bytes.
    """
    warmth: dict[str, float] = {}
    if temperature is not None and abilities.temperature:
        # Anthropic's ends at 1.
        warmth["temperature"] = min(temperature, 1.0) if provider == "anthropic" else temperature
    schema = strict_schema(returns) if returns and abilities.shape != "prompt" else None
    limit = {"max_tokens": max_tokens}
    given: dict[str, Any]
    match provider:
        case "openai":
            # In extra_body the SDK neither parses the answer nor raises on a cut one (stack.md,
            # section 2).
            shape = {"response_format": _response_format(abilities, schema)} if schema else {}
            body = {abilities.tokens: max_tokens, **shape}
            given = {"extra_body": body, "stream_usage": abilities.usage, **warmth}
        case "anthropic":
            form = {"format": {"type": "json_schema", "schema": schema}}
            given = {**limit, **warmth, **({"output_config": form} if schema else {})}
        case "google_genai":
            typed = {"response_mime_type": "application/json", "response_json_schema": schema}
            given = {"max_output_tokens": max_tokens, **warmth, **(typed if schema else {})}
        case "openrouter":
            # Without `retries` the SDK waits for a 5xx by itself, for up to an hour, whatever
            # max_retries says.
            shape = {"response_format": _response_format(abilities, schema)} if schema else {}
            given = {**limit, "retries": None, **warmth, **shape}
        case _:
            window = OLLAMA_WINDOW
            while window < prompt_size // 3 + max_tokens:
                window *= 2
            options = {"num_predict": max_tokens, "num_ctx": window, **warmth}
            given = {"options": options, **({"format": schema} if schema else {})}
    return given


def _response_format(abilities: Abilities, schema: object) -> dict[str, Any]:
    if abilities.shape == "json_schema":
        form = {"name": "answer", "strict": True, "schema": schema}
        return {"type": "json_schema", "json_schema": form}
    return {"type": "json_object"} | ({"schema": schema} if abilities.schema_beside else {})
