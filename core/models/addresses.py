"""Where the providers are, and what their keys are called."""

from core.settings import PROVIDER_KEYS, Settings

ADDRESSES: dict[str, str] = {
    "openai": "https://api.openai.com/v1",
    "anthropic": "https://api.anthropic.com",
    "google_genai": "https://generativelanguage.googleapis.com",
    "openrouter": "https://openrouter.ai/api/v1",
}
"""Given to LangChain always, so that no variable of its own sends a key elsewhere."""
PROVIDERS = (*ADDRESSES, "ollama")


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
