"""Asking models: the port, the adapter over LangChain, and opening a model by its name."""

from collections.abc import Callable

from core.errors import BadInput
from core.models.addresses import ADDRESSES, PROVIDERS, address, key_name
from core.models.port import Memory, Model
from core.settings import Settings


def open_model(name: str, settings: Settings, store: Memory, builtin: Callable[[], Model]) -> Model:
    """Return the model called `builtin` or `provider:model`; raises BadInput for an unknown
    provider or a missing key.
    """
    if name == "builtin":
        return builtin()
    provider, _, model = name.partition(":")
    if provider not in PROVIDERS:
        raise BadInput(
            f"There is no model {name!r}. Write `builtin`, or a provider and its model as in"
            f" `openai:gpt-...`; the providers are {', '.join(PROVIDERS)}."
        )
    if not model.strip():
        raise BadInput(
            f"{name!r} names no model. Write it after the colon, as in `{provider}:NAME`."
        )
    official = address(provider, settings) == ADDRESSES.get(provider)
    if official and not settings.keys.get(provider):
        raise BadInput(
            f"The model {name!r} needs a key: set {key_name(provider)} in the environment, or"
            " choose `builtin`."
        )
    # LangChain takes a second to import; whoever stays with the built-in model never waits for it.
    from core.models.langchain import ChatModel

    return ChatModel(provider, model.strip(), settings, store)
