"""Models on screen: said by name, listed, chosen, tried."""

from components.shell import cached
from components.shell.text import inline


def called(model: str) -> str:
    """Return a model's name as screens say it."""
    return "built-in (rule-based, for trying things out)" if model == "builtin" else model


def spoken(name: str) -> str:
    """Return a model's name as Markdown; the built-in model always says what it is."""
    return inline(called(name))


def names() -> tuple[str, ...]:
    """Return the names of models that can be asked from here, the built-in one first; looking is
    done at most twice a minute.
    """
    found = ["builtin"]
    for one in cached.reach():
        found += [one.main, one.cheap, *(f"{one.provider}:{model}" for model in one.models)]
    return tuple(dict.fromkeys(name for name in found if name))
