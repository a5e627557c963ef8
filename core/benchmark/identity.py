"""Which model a name names, whoever serves it: a model must not judge its own ideas under another
provider's name.
"""

SAME = ("free", "nitro", "floor", "exacto", "extended", "beta", "online", "latest")
"""What OpenRouter and Ollama put behind a colon without meaning another model."""


def identity(model: str) -> str:
    """Return a model's name without provider, vendor and tariff: `openrouter:openai/gpt-4o:free`
    and `openai:gpt-4o` are both `gpt-4o`.
    """
    _, _, served = model.partition(":")
    _, _, name = (served or model).casefold().rpartition("/")
    plain, _, tag = name.partition(":")
    return plain if not tag or tag in SAME else name


def same_model(a: str, b: str) -> bool:
    """Say whether two names name the same model."""
    return identity(a) == identity(b)
