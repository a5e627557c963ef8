"""Answering a run's question at the terminal, field by field."""

import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from core.commands.going_on import schema_of
from core.errors import BadInput
from core.records import label
from core.store.answers import OpenQuestion

Shown = Mapping[str, Any]
HIDDEN = ("kind", "form", "of")
"""Of what a question shows, what only the program needs."""


def answer_by_hand(question: OpenQuestion) -> dict[str, object]:
    """Show what a question is about and take the answer from standard input; raises BadInput where
    that ends.
    """
    shown = question.question["shown"]
    assert isinstance(shown, dict)
    _say("\n".join((question.key, *_lines(shown, ""))))
    ask = FORMS.get(str(schema_of(question)["title"]), _fields)
    return ask(question, shown)


def _fields(question: OpenQuestion, _: Shown) -> dict[str, object]:
    """Ask for a text in each field that an answer needs."""
    required = schema_of(question)["required"]
    assert isinstance(required, list)
    return {name: _text(label(name)) for name in required}


def _verdict(_: OpenQuestion, __: Shown) -> dict[str, object]:
    reason = _text("Reason")
    said = _choice(
        "Does the newer idea significantly improve on the older one? (yes or no)", ("no", "yes")
    )
    return {"reason": reason, "improved": said == "yes"}


def _review(_: OpenQuestion, __: Shown) -> dict[str, object]:
    summary, remarks = _text("Summary"), [_text("Remark 1")]
    while said := _line(f"Remark {len(remarks) + 1} (an empty line ends the review)"):
        remarks.append(said)
    return {
        "summary": summary,
        "remarks": [{"id": f"r{n}", "text": said} for n, said in enumerate(remarks, 1)],
    }


def _order(_: OpenQuestion, shown: Shown) -> dict[str, object]:
    letters = sorted(str(one["label"]) for one in shown["candidates"])
    while True:
        said = (
            _text(f"Order, best first, as in {' '.join(letters)}").upper().replace(",", " ").split()
        )
        if sorted(said) == letters:
            return {"places": [{"label": letter} for letter in said]}
        _say(f"Name each of {', '.join(letters)} exactly once.")


def _item(name: str) -> dict[str, object]:
    if _choice(f"{label(name)}: is it satisfied? (yes or no)", ("no", "yes")) == "yes":
        return {"item": name, "score": 1}
    wrong = {
        "span": _line("Passage, word for word (empty: something is missing altogether)"),
        "issue": _text("What is wrong"),
        "suggestion": _text("What to do"),
    }
    return {"item": name, "score": 0, "directive": wrong}


def _topics(_: OpenQuestion, shown: Shown) -> dict[str, object]:
    """Go through the papers one by one: an empty line keeps a topic, a hyphen leaves it out, words
    replace it.
    """
    found = []
    for one in shown["proposed"]["topics"]:
        said = _line(f"{one['paper']}: {one['topic']}\n(empty keeps it, - leaves it out, or words)")
        topic = said if said not in ("", "-") else one["topic"]
        keep = said != "-" and (bool(said) or one["keep"])
        found.append({"paper": one["paper"], "topic": topic, "keep": keep})
    return {"topics": found}


FORMS: dict[str, Callable[[OpenQuestion, Shown], dict[str, object]]] = {
    "Verdict": _verdict,
    "Review": _review,
    "PersonPlacement": _order,
    "TopicChoices": _topics,
    "PersonChecklist": lambda _, shown: {
        "items": [_item(str(item["name"])) for item in shown["items"]]
    },
}
"""How an answer of each kind is asked for; one of any other kind has texts alone."""


# -- the terminal ------------------------------------------------------------------------------


def _lines(value: object, indent: str) -> Iterator[str]:
    """Yield what is shown as indented lines, without what is empty."""
    parts = enumerate(value, 1) if isinstance(value, list) else ()
    for name, part in value.items() if isinstance(value, dict) else parts:
        if name in HIDDEN or part in (None, "", [], {}):
            continue
        if isinstance(part, dict | list):
            yield f"{indent}{_name(name)}"
            yield from _lines(part, f"{indent}  ")
        else:
            yield f"{indent}{_name(name)}: {part}"


def _name(name: object) -> str:
    return label(name) if isinstance(name, str) else f"{name}."


def _choice(asked: str, among: tuple[str, ...]) -> str:
    while (said := _text(asked).lower()) not in among:
        _say(f"Say {' or '.join(among)}.")
    return said


def _text(asked: str) -> str:
    while not (said := _line(asked)):
        _say("This cannot stay empty.")
    return said


def _line(asked: str) -> str:
    """Read one line; raises BadInput where there is none."""
    sys.stderr.write(f"{asked}: ")
    sys.stderr.flush()
    try:
        said = sys.stdin.readline()
    except OSError:
        said = ""
    if not said:
        raise BadInput(
            "The answer broke off, and nothing was filed. Answer at a terminal, or give --with and"
            " a JSON object with the fields that are asked for."
        )
    return said.strip()


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")
