"""Asking models: where the providers are, and opening a model by its name."""

from collections.abc import Callable

from core.errors import BadInput
from core.models.port import Memory, Model
from core.settings import PROVIDER_KEYS, Settings, fault

ADDRESSES: dict[str, str] = {
    "openai": "https://api.openai.com/v1",
    "anthropic": "https://api.anthropic.com",
    "google_genai": "https://generativelanguage.googleapis.com",
    "openrouter": "https://openrouter.ai/api/v1",
}
"""Given to LangChain always, so that no variable of its own sends a key elsewhere."""
PROVIDERS = (*ADDRESSES, "ollama")
LOCAL = "local"
"""Whose policies were trained here and answer in this process."""


def no_local(name: str) -> Model:
    """Refuse a policy that was trained here, where there is no store of them; raises BadInput."""
    raise BadInput(
        f"local:{name} answers in this program alone, and in no worker of a cluster: leave it out"
        " of the benchmark, or run that without workers."
    )


def open_model(
    name: str,
    settings: Settings,
    store: Memory,
    builtin: Callable[[], Model],
    local: Callable[[str], Model] = no_local,
) -> Model:
    """Return the model called `builtin`, `provider:model` or `local:NAME`; raises BadInput for an
    unknown provider, a missing key, a key or an address that cannot be used, or a policy whose
    files are gone or changed.
    """
    if name == "builtin":
        return builtin()
    provider, _, model = name.partition(":")
    if provider == LOCAL:
        return local(model.strip())
    if provider not in PROVIDERS:
        raise BadInput(
            f"There is no model {name!r}. Write `builtin`, or a provider and its model as in"
            f" `openai:gpt-...`; the providers are {', '.join(PROVIDERS)}."
        )
    if not model.strip():
        raise BadInput(
            f"{name!r} names no model. Write it after the colon, as in `{provider}:NAME`."
        )
    if wrong := fault(settings, provider):
        raise BadInput(f"The model {name!r} cannot be asked: {wrong}")
    official = address(provider, settings) == ADDRESSES.get(provider)
    if official and not settings.keys.get(provider):
        raise BadInput(
            f"The model {name!r} needs a key: set {key_name(provider)} in the environment, or"
            " choose `builtin`."
        )
    # LangChain takes a second to import; whoever stays with the built-in model never waits for it.
    from core.models.langchain import ChatModel

    return ChatModel(provider, model.strip(), settings, store)


def address(provider: str, settings: Settings) -> str:
    """Return where calls to `provider` go, with the user and password that may be written there:
    for the client alone.
    """
    configured = {"openai": settings.openai_url, "ollama": settings.ollama_url}.get(provider)
    return (configured or ADDRESSES[provider]).rstrip("/")


def key_name(provider: str) -> str:
    """Return the environment variable(s) a provider's key is read from, as a person would be
    told.
    """
    return " or ".join(PROVIDER_KEYS.get(provider, ("the server's settings",)))
