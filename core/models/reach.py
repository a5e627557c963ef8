"""Which models can be reached from here, found out without asking anybody for settings."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor

from core.models.addresses import ADDRESSES, address, key_name
from core.records import Record
from core.settings import Settings, public

PATIENCE = 0.5
"""Seconds a local server has to answer."""
SUGGESTED: dict[str, tuple[str, str]] = {
    "openai": ("gpt-6.1-terra", "gpt-6-luna"),
    "anthropic": ("claude-sonnet-5-5", "claude-haiku-5-5"),
    "google_genai": ("gemini-4-argon", "gemini-3.5-flash-lite"),
    "openrouter": ("anthropic/claude-sonnet-5.5", "openai/gpt-6-luna"),
}
"""A model for the main and one for the cheap role, from the price list of genai-prices 0.2.3: the
middle and the small one of each family.
"""


class Reachable(Record):
    """A provider that can be asked now, and how that is known."""

    provider: str
    how: str
    """Such as `key found in OPENAI_API_KEY`."""
    address: str = ""
    models: tuple[str, ...] = ()
    """Names to put after `provider:`, as far as the server lists them."""
    main: str
    """A suggestion for the main role, as `provider:model`; may be empty."""
    cheap: str


def reachable(settings: Settings) -> tuple[Reachable, ...]:
    """Return what can be asked from here: the built-in model, providers with a key, local servers
    that answer within half a second.
    """
    looks: tuple[Callable[[Settings], Reachable | None], ...] = (_openai_address, _ollama)
    with ThreadPoolExecutor(len(looks)) as pool:
        local = list(pool.map(lambda look: look(settings), looks))
    builtin = Reachable(
        provider="builtin",
        how="always there, rule-based, for trying things out",
        main="builtin",
        cheap="builtin",
    )
    with_key = [
        _with_key(provider, settings) for provider in ADDRESSES if settings.keys.get(provider)
    ]
    keyed = [found for found in with_key if found.address == ADDRESSES[found.provider]]
    return (builtin, *keyed, *(found for found in local if found))


def default_models(provider: str, listed: Iterable[str] = ()) -> tuple[str, str]:
    """Return a suggestion for (main, cheap) as `provider:model`; a local server's first model for
    both, empty where none is known.
    """
    if provider == "builtin":
        return "builtin", "builtin"
    names = tuple(listed)
    if provider in SUGGESTED and (not names or set(SUGGESTED[provider]) <= set(names)):
        main, cheap = SUGGESTED[provider]
        return f"{provider}:{main}", f"{provider}:{cheap}"
    return (f"{provider}:{names[0]}", f"{provider}:{names[0]}") if names else ("", "")


def _with_key(provider: str, settings: Settings) -> Reachable:
    main, cheap = default_models(provider)
    return Reachable(
        provider=provider,
        how=f"key found in {key_name(provider)}",
        address=public(address(provider, settings)),
        main=main,
        cheap=cheap,
    )


def _openai_address(settings: Settings) -> Reachable | None:
    where = address("openai", settings)
    if where == ADDRESSES["openai"]:
        return None
    return _listing("openai", where, f"{where}/models", ("data", "id"), settings.keys.get("openai"))


def _ollama(settings: Settings) -> Reachable | None:
    where = address("ollama", settings)
    return _listing("ollama", where, f"{where}/api/tags", ("models", "name"), None)


def _listing(
    provider: str, where: str, url: str, path: tuple[str, str], key: str | None
) -> Reachable | None:
    import httpx

    try:
        answer = httpx.get(
            url, timeout=PATIENCE, headers={"Authorization": f"Bearer {key}"} if key else {}
        )
        names = tuple(str(entry[path[1]]) for entry in answer.raise_for_status().json()[path[0]])
    except (httpx.HTTPError, httpx.InvalidURL, ValueError, KeyError, TypeError):
        return None  # Nobody there, or somebody else: in either case no model to offer.
    main, cheap = default_models(provider, names)
    return Reachable(
        provider=provider,
        how=f"a server answers at {public(where)}",
        address=public(where),
        models=names,
        main=main,
        cheap=cheap,
    )
