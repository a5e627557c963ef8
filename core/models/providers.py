"""The providers LangChain reaches for us: how each is built, and what each call of theirs takes."""

from collections.abc import Callable, Mapping
from typing import Any

from langchain_core.language_models import BaseChatModel
from pydantic import BaseModel

from core.models.abilities import Abilities
from core.models.addresses import address
from core.models.refusals import Completions
from core.models.schema import strict_schema
from core.settings import Settings

NO_KEY = "no-key"
"""Sent to OpenAI-compatible servers that want none: the SDK refuses to be built without one."""
OLLAMA_WINDOW = 8_192
"""Tokens; Ollama cuts a longer prompt off silently, so the window is asked for, in doublings of
this (each change loads the model anew).
"""


def build(provider: str, model: str, settings: Settings) -> BaseChatModel:
    """Build LangChain's chat model for one model of a provider; it never retries, waiting is
    ours.
    """
    from langchain.chat_models import init_chat_model

    key, timeout = settings.keys.get(provider, NO_KEY), settings.read_timeout
    given: dict[str, dict[str, Any]] = {
        "openai": {
            "api_key": key,
            "max_retries": 0,
            "timeout": timeout,
            "use_responses_api": False,
        },
        "anthropic": {"api_key": key, "max_retries": 0, "timeout": timeout},
        "google_genai": {
            "api_key": key,
            "max_retries": 1,
            "timeout": timeout,
        },  # counts attempts, not retries
        "openrouter": {
            "api_key": key,
            "max_retries": 0,
            "timeout": int(timeout * 1000),
        },  # milliseconds
        "ollama": {"client_kwargs": {"timeout": timeout}, "reasoning": True},
    }
    chat: BaseChatModel = init_chat_model(
        model, model_provider=provider, base_url=address(provider, settings), **given[provider]
    )
    if provider == "openai":
        vars(chat)["client"] = Completions(vars(chat)["root_client"])
    if provider == "ollama":
        chat._client = Unasked(chat._client)  # type: ignore[attr-defined]
    return chat


class Unasked:
    """Stands in front of Ollama's client: LangChain hands thoughts on only where it asks for them,
    and models that do not think refuse to be asked.
    """

    def __init__(self, client: Any):
        self._client = client

    def chat(self, *, think: object, **given: Any) -> Any:  # noqa: ARG002 - left to the model's own habit
        """Ask, and leave it to the model whether it thinks."""
        return self._client.chat(**given)


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
    warmth = (
        {} if temperature is None or not abilities.temperature else {"temperature": temperature}
    )
    schema = strict_schema(returns) if returns and abilities.shape != "prompt" else None
    return _TAKES[provider](abilities, max_tokens, warmth, schema, prompt_size)


def _openai(
    abilities: Abilities, max_tokens: int, warmth: Mapping[str, float], schema: object, _: int
) -> dict[str, Any]:
    # In extra_body the SDK neither parses the answer nor raises on a cut one (stack.md, section 2).
    body = {abilities.tokens: max_tokens} | (
        {"response_format": _response_format(abilities, schema)} if schema else {}
    )
    return {"extra_body": body, "stream_usage": abilities.usage, **warmth}


def _anthropic(
    _: Abilities, max_tokens: int, warmth: Mapping[str, float], schema: object, __: int
) -> dict[str, Any]:
    shape = (
        {"output_config": {"format": {"type": "json_schema", "schema": schema}}} if schema else {}
    )
    return {
        "max_tokens": max_tokens,
        **{name: min(value, 1.0) for name, value in warmth.items()},
        **shape,
    }


def _google(
    _: Abilities, max_tokens: int, warmth: Mapping[str, float], schema: object, __: int
) -> dict[str, Any]:
    shape = (
        {"response_mime_type": "application/json", "response_json_schema": schema} if schema else {}
    )
    return {"max_output_tokens": max_tokens, **warmth, **shape}


def _openrouter(
    abilities: Abilities, max_tokens: int, warmth: Mapping[str, float], schema: object, _: int
) -> dict[str, Any]:
    # Without `retries` the SDK waits for a 5xx by itself, for up to an hour, whatever max_retries
    # says.
    shape = {"response_format": _response_format(abilities, schema)} if schema else {}
    return {"max_tokens": max_tokens, "retries": None, **warmth, **shape}


def _ollama(
    _: Abilities, max_tokens: int, warmth: Mapping[str, float], schema: object, prompt_size: int
) -> dict[str, Any]:
    window = OLLAMA_WINDOW
    while window < prompt_size // 3 + max_tokens:
        window *= 2
    return {
        "options": {"num_predict": max_tokens, "num_ctx": window, **warmth},
        **({"format": schema} if schema else {}),
    }


def _response_format(abilities: Abilities, schema: object) -> dict[str, Any]:
    if abilities.shape == "json_schema":
        return {
            "type": "json_schema",
            "json_schema": {"name": "answer", "strict": True, "schema": schema},
        }
    return {"type": "json_object"} | ({"schema": schema} if abilities.schema_beside else {})


_TAKES: dict[str, Callable[[Abilities, int, Mapping[str, float], object, int], dict[str, Any]]] = {
    "openai": _openai,
    "anthropic": _anthropic,
    "google_genai": _google,
    "openrouter": _openrouter,
    "ollama": _ollama,
}
