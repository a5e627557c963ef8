"""Which model a name names, whoever serves it: a model must not judge its own ideas under another provider's name."""


def identity(model: str) -> str:
    """Return a model's name without provider and vendor: `openrouter:openai/gpt-4o:free` and `openai:gpt-4o` are both `gpt-4o`."""
    _, _, name = model.partition(":")
    return (name or model).rpartition("/")[2].removesuffix(":free").casefold()


def same_model(a: str, b: str) -> bool:
    """Say whether two names name the same model."""
    return identity(a) == identity(b)
