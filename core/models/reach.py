"""Which models can be reached from here, found out without asking anybody for settings."""

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from itertools import islice

from core.models import ADDRESSES, LOCAL, PROVIDERS, address, key_name
from core.records import Record, TrainedPolicy
from core.settings import Settings, fault, public

PATIENCE = 0.5
"""Seconds a local server has to answer."""
LARGEST = 1_000_000
"""Bytes of a list of models that are read."""
MOST, LONGEST = 2_000, 300
"""Models that are offered of a list, and characters of a name that is: a box of every form has all
of them. Others can still be typed.
"""
KEY = "key"
"""How it begins that a provider can be asked because there is a key."""
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


def reachable(settings: Settings, patience: float = PATIENCE) -> tuple[Reachable, ...]:
    """Return what can be asked from here: the built-in model, providers with a key, local servers
    that answer within so many seconds.
    """
    where = {provider: address(provider, settings) for provider in PROVIDERS}
    local = ["ollama"] if where["openai"] == ADDRESSES["openai"] else ["openai", "ollama"]
    with ThreadPoolExecutor(len(local)) as pool:
        listings = list(
            pool.map(lambda name: _listing(name, where[name], settings, patience), local)
        )
    builtin = _reachable("builtin", "always there, rule-based, for trying things out")
    keyed = [
        _reachable(provider, f"{KEY} found in {key_name(provider)}", public(where[provider]))
        for provider, official in ADDRESSES.items()
        if settings.keys.get(provider)
        and public(where[provider]) == official
        and not fault(settings, provider)
    ]
    return (builtin, *keyed, *filter(None, listings))


def trained_here(policies: Iterable[TrainedPolicy]) -> tuple[Reachable, ...]:
    """Return the policies that were put to use as one more provider, none where there are none; no
    role suggests them, since they were trained to write ideas and nothing else.
    """
    names = tuple(one.name for one in policies)
    if not names:
        return ()
    return (Reachable(provider=LOCAL, how="trained here", models=names, main="", cheap=""),)


def default_models(provider: str, listed: Iterable[str] = ()) -> tuple[str, str]:
    """Return a suggestion for (main, cheap) as `provider:model`; a local server's first model for
    both, empty where none is known.
    """
    if provider == "builtin":
        return "builtin", "builtin"
    names = tuple(listed)
    suggested: tuple[str, ...] = SUGGESTED.get(provider, ())
    if not suggested or (names and not set(suggested) <= set(names)):
        suggested = names[:1] * 2
    if not suggested:
        return "", ""
    main, cheap = suggested
    return f"{provider}:{main}", f"{provider}:{cheap}"


def _reachable(provider: str, how: str, where: str = "", models: tuple[str, ...] = ()) -> Reachable:
    main, cheap = default_models(provider, models)
    return Reachable(
        provider=provider, how=how, address=where, models=models, main=main, cheap=cheap
    )


NO_LIST = (ValueError, KeyError, TypeError, RecursionError)
"""What is raised where an answer is no list of models."""
LISTED = {"openai": ("models", "data", "id"), "ollama": ("api/tags", "models", "name")}
"""Where a local server lists its models: the path, the list in the answer, and the name in an
entry of it.
"""


def _listing(provider: str, where: str, settings: Settings, patience: float) -> Reachable | None:
    import httpx

    if fault(settings, provider):
        return None  # Settings and doctor say why.
    try:
        names = _names(provider, where, settings, patience)
    except (httpx.HTTPError, httpx.InvalidURL, *NO_LIST):
        return None  # Nobody there, or somebody else: in either case no model to offer.
    return _reachable(provider, f"a server answers at {public(where)}", public(where), names)


def _names(provider: str, where: str, settings: Settings, patience: float) -> tuple[str, ...]:
    """Return the models a server lists; raises what httpx raises, and one of NO_LIST for an answer
    that is no such list.
    """
    import httpx

    from core.bounds import bounds, watch, within
    from core.store.connection import mended

    path, entries, name = LISTED[provider]
    key = settings.keys.get(provider) if provider == "openai" else None
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    with httpx.Client(timeout=patience, headers=headers, event_hooks=bounds(LARGEST)) as client:
        answer = watch(client, within(2 * patience)).get(f"{where}/{path}")
    listed = answer.raise_for_status().json()[entries]
    names = (" ".join(mended(str(entry[name])).split()) for entry in listed)
    return tuple(islice((one for one in names if len(one) <= LONGEST), MOST))


def what_is_wrong(settings: Settings, patience: float = PATIENCE) -> str:
    """Say what is wrong with the address or the key of the compatible server, or else why it
    offers no model within so many seconds, and what to do; empty where it offers one, or none is
    set.
    """
    import httpx

    from core.bounds import NoAnswer

    wrong = fault(settings, "openai")
    if wrong or not settings.openai_url:
        return wrong
    where = address("openai", settings)
    at = public(where)
    try:
        names = _names("openai", where, settings, patience)
    except httpx.HTTPStatusError as error:
        return _refusal(error.response.status_code, at, settings)
    except (NoAnswer, *NO_LIST):
        return (
            f"What answers at {at} is no server of models. Look whether its address is right, and"
            " whether it ends in /v1."
        )
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        return _silence(error, at, patience)
    if names:
        return ""
    return f"The server at {at} offers no model. Load one there, then choose “Look again”."


def _silence(error: Exception, at: str, patience: float) -> str:
    import httpx

    if isinstance(error, httpx.TimeoutException):
        return (
            f"Nothing came from {at} within {patience:g} s: the server there is busy, or none runs."
            " Look whether its address is right, then choose “Look again”."
        )
    return (
        f"Nothing answers at {at}. Look whether the server runs there, and whether its address"
        " ends in /v1."
    )


def _refusal(status: int, at: str, settings: Settings) -> str:
    if status in (401, 403) and settings.keys.get("openai"):
        return f"The server at {at} refuses the key. Type another one beside its address."
    if status in (401, 403):
        return f"The server at {at} wants a key. Type it beside its address, and connect again."
    if status == 404:
        return (
            f"A server answers at {at}, but has no list of models there (404). Look whether its"
            " address ends in /v1."
        )
    return f"The server at {at} is in trouble ({status}). Choose “Look again” in a while."
