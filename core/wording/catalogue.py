"""What experts of a session read that is not a text to judge: sentences by name, English as the
source, and the same sentences in another language.

>>> ENGLISH("submit.answer", n=2)
'2 to answer'
"""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[2] / "assets" / "sessions"
FORMS = ("zero", "one", "two", "few", "many", "other")
"""Plural forms by their names (Unicode CLDR)."""
PLACE = re.compile(r"\{([a-z]+)\}")
"""A word in braces: a value stands there. Nothing else in braces is read, so that a file of texts
reaches no more than the values it is given.
"""
FIXED = ("form", "id", "trait")
"""Parts of the practice texts that are no words."""
TASKS = ("rate", "rank", "compare", "comment")
PAGES = (
    "consent",
    *(f"{part}-{task}" for part in ("instructions", "example") for task in TASKS),
)
"""Longer texts, one file each."""

Value = Any
"""A text, a number, or several texts; of those from the catalogue each is said in the language of
the whole.
"""


class Said(str):
    """A sentence of the catalogue in English, which knows how to be said in another language."""

    __slots__ = ("name", "values")
    name: str
    values: Mapping[str, Value]


@dataclass(frozen=True)
class Wording:
    """One language's sentences; called with a name and what stands in the braces, it says one.

    What a language lacks is said in English: a session that was opened before a sentence was added
    lacks it.
    """

    language: str = "en"
    texts: Mapping[str, str] = field(default_factory=dict)
    called: Mapping[str, str] = field(default_factory=dict)
    """What a value is called instead: a criterion in this language, a text under another label."""

    def __call__(self, name: str, /, **values: Value) -> str:
        """Say a sentence; raises KeyError for a name that the catalogue does not have."""
        text = self.raw(name, values.get("n"))
        return PLACE.sub(lambda match: self._value(values[match[1]]), text)

    def raw(self, name: str, n: int | None = None) -> str:
        """Return a text with its braces, in the plural form that this number asks for."""
        if name not in plurals():
            return self.texts.get(name) or source()[name]
        for language, texts in ((self.language, self.texts), ("en", source())):
            form = plural_form(language, int(n or 0))
            if text := texts.get(f"{name}.{form}") or texts.get(f"{name}.other"):
                return text
        raise KeyError(name)

    def again(self, said: object) -> str:
        """Say in this language what was said in English: a sentence of the catalogue, or an error
        made of one; anything else as it is.
        """
        if isinstance(said, Exception):
            said = said.args[0] if said.args else ""
        if isinstance(said, Said):
            return self(said.name, **said.values)
        return self.called.get(str(said), str(said))

    def calling(self, called: Mapping[str, str]) -> "Wording":
        """Return the same wording with other names for some values."""
        return replace(self, called={**self.called, **called})

    @property
    def backwards(self) -> bool:
        """Whether the language is written from right to left."""
        return bool(_locale(self.language).text_direction == "rtl")

    def date(self, moment: datetime) -> str:
        """Say the day of a moment in full: `Sunday 1 January 2090`."""
        from babel.dates import format_date

        full = "EEEE d MMMM y" if self.language == "en" else "full"
        return str(format_date(moment.date(), full, locale=_locale(self.language)))

    def day(self, moment: datetime) -> str:
        """Say the day of a moment without the year: `1 January`."""
        from babel.dates import format_date, format_skeleton

        locale = _locale(self.language)
        if self.language == "en":
            return str(format_date(moment.date(), "d MMMM", locale=locale))
        return str(format_skeleton("MMMMd", moment, locale=locale))

    def amount(self, value: Decimal) -> str:
        """Say an amount of money with its two decimals: `12.00`."""
        from babel.numbers import format_decimal

        return str(format_decimal(value, "#,##0.00", locale=_locale(self.language)))

    def _value(self, value: Value) -> str:
        if isinstance(value, int) and not isinstance(value, bool):
            from babel.numbers import format_decimal

            return str(format_decimal(value, locale=_locale(self.language)))
        if isinstance(value, tuple | list):
            return ", ".join(self.again(one) for one in value)
        return self.again(value)


def say(name: str, /, **values: Value) -> Said:
    """Return a sentence of the catalogue in English, for an error or a notice that is said in the
    session's language once it is shown.
    """
    said = Said(ENGLISH(name, **values))
    said.name = name
    said.values = values
    return said


ENGLISH = Wording()


@cache
def source() -> dict[str, str]:
    """Return every text in English by its name: those of the screens, our own pages, criteria and
    practice texts.
    """
    found = dict(flat(tomllib.loads((FOLDER / "texts.en.toml").read_text("utf-8"))))
    found.pop("language")
    for name in PAGES:
        text = (FOLDER / f"{name}.md").read_text("utf-8").strip()
        found[f"ours.{name.replace('-', '.')}"] = re.sub(r"\$([a-z]+)", r"{\1}", text)
    openings = json.loads((FOLDER / "attention.json").read_text("utf-8"))
    found |= {f"checks.opening_{n}": text for n, text in enumerate(openings, 1)}
    for one in json.loads((FOLDER / "criteria.json").read_text("utf-8")):
        found |= {f"criteria.{one['name']}.{part}": text for part, text in one.items()}
    return found | dict(flat({"practice": practice()}, fixed=FIXED))


@cache
def practice() -> dict[str, Any]:
    """Return the practice texts as they are kept."""
    held: dict[str, Any] = json.loads((FOLDER / "practice.json").read_text("utf-8"))
    return held


@cache
def plurals() -> frozenset[str]:
    """Return the names of texts that have plural forms."""
    bare = (name.removesuffix(".other") for name in source() if name.endswith(".other"))
    return frozenset(name for name in bare if f"{name}.one" in source())


def flat(held: object, at: str = "", fixed: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:
    """Yield texts by their whole name, but for parts that are `fixed`; parts of a list are counted
    from 1.
    """
    if isinstance(held, Mapping):
        for name, value in held.items():
            if name not in fixed:
                yield from flat(value, f"{at}.{name}" if at else str(name), fixed)
    elif isinstance(held, list):
        for n, value in enumerate(held, 1):
            yield from flat(value, f"{at}.{n}", fixed)
    else:
        yield at, held if isinstance(held, str) else str(held)


def places(text: str) -> frozenset[str]:
    """Return the words in braces of a text."""
    return frozenset(PLACE.findall(text))


def plural_form(language: str, n: int) -> str:
    """Return the plural form that a number takes in a language (Unicode CLDR)."""
    return str(_locale(language).plural_form(n))


@cache
def _locale(language: str) -> Any:
    from babel import Locale

    return Locale.parse(language, sep="-")
