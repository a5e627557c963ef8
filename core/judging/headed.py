"""Ideas under headings: where each section stands, and whether Layout and Length hold, decided by
code (EvoIdeator, appendix A.3).
"""

import re
from collections import Counter
from typing import NamedTuple

from core.records import HEADINGS, Directive, Idea
from core.wording.sentences import bullets, sentences

TITLE, LIMITS = HEADINGS[0], HEADINGS[5]
LENGTHS: dict[str, tuple[int, int]] = {
    "Core Problem": (1, 3),
    "Approach": (3, 3),
    "Experimental Plan / Evaluation": (1, 3),
    "Expected Outcomes and Impact": (1, 3),
    "Related Work and Gap": (1, 3),
}
"""Sentences a section may have; of the experimental plan the paper says roughly two."""
BULLETS = 3
QUOTED = 160
"""Characters of a passage that is pointed at, at most."""
_NAMES = {name.casefold(): name for name in HEADINGS}
_ALIASES = {
    "experimental plan": HEADINGS[3],
    "evaluation": HEADINGS[3],
    "experimental plan and evaluation": HEADINGS[3],
    "expected outcomes": HEADINGS[4],
    "expected outcomes & impact": HEADINGS[4],
    "limitations": LIMITS,
    "limitations & risks": LIMITS,
    "related work": HEADINGS[6],
    "related work & gap": HEADINGS[6],
    **_NAMES,
}
"""Names by which a section is known where it is marked as a heading; only its own is right."""
_NUMBER = r"(?:\d{1,2}[.)]\s+)?"
_FORMS = (
    re.compile(rf"^[ \t]*#{{1,6}}[ \t]+(?P<number>{_NUMBER})(?P<name>[^\n]+)$"),
    re.compile(
        rf"^[ \t]*(?P<number>{_NUMBER})(?P<mark>\*\*|__)(?P<name>[^*_\n]+?)(?P=mark)[ \t]*:?["
        r" \t]*(?P<rest>[^\n]*)$"
    ),
    re.compile(
        rf"^[ \t]*(?P<number>{_NUMBER})(?P<name>[A-Z][^:.\n]{{2,40}}):[ \t]*(?P<rest>[^\n]*)$"
    ),
    re.compile(rf"^[ \t]*(?P<number>{_NUMBER})(?P<name>[A-Z][^:.\n]{{2,40}})[ \t]*$"),
)
"""`## Approach`, `**Approach** ...`, `Approach: ...`, and `Approach` alone on its line."""


class IdeaSection(NamedTuple):
    """A section of an idea."""

    name: str
    """Which of the headings it is; empty for one that is none of them."""
    written: str
    """The heading as it is written, without its markup."""
    at: int
    """Where the heading's line begins."""
    start: int
    end: int
    """Characters of the text that stand under it."""


def sections(text: str) -> tuple[IdeaSection, ...]:
    """Return the sections of a text in their order; a heading stands in Markdown, in bold, before a
    colon, or alone on its line.
    """
    found: list[tuple[str, str, int, int]] = []
    at = 0
    for line in text.splitlines(keepends=True):
        told = _heading(
            line.rstrip("\r\n"),
            under_title=bool(found)
            and found[-1][0] == TITLE
            and not text[found[-1][3] : at].strip(),
        )
        if told:
            name, written, body = told
            found.append((name, written, at, at + body))
        at += len(line)
    ends = [*(one[2] for one in found), len(text)][1:]
    return tuple(IdeaSection(*one, max(one[3], end)) for one, end in zip(found, ends, strict=True))


def headings_changed(older: Idea, newer: Idea) -> str:
    """Say in a sentence which headings came and which went between two ideas under headings;
    nothing where all stayed as they were.
    """
    if (older.form, newer.form) != ("headed", "headed"):
        return ""
    old, new = ([one.written for one in sections(idea.text)] for idea in (older, newer))
    if old == new:
        return ""
    came, went = Counter(new) - Counter(old), Counter(old) - Counter(new)
    if not came and not went:
        return "The headings stand in another order."
    told = [
        f"{what}: {', '.join(names)}."
        for what, names in (("New", came), ("No longer there", went))
        if names
    ]
    return " ".join(["The headings changed.", *told])


def taken(text: str) -> Idea:
    """Return a text as an idea: under headings where it has at least two of ours, else one
    paragraph. Raises ValueError for an empty one.
    """
    named = {one.name for one in sections(text)} - {""}
    return (
        Idea(form="headed", fields={"text": text})
        if len(named) > 1
        else Idea(form="hypothesis", fields={"hypothesis": text})
    )


def layout(text: str) -> Directive | None:
    """Return what is wrong with the headings, or None: the seven of them, exactly, in order, the
    title first.
    """
    found = sections(text)
    right = f"Use exactly these headings, in this order: {', '.join(HEADINGS)}."
    if strange := next((one for one in found if one.written != one.name), None):
        known = f"instead of {strange.name!r}" if strange.name else "which is none of the seven"
        return _off(text, strange, f"A heading reads {strange.written!r}, {known}.", right)
    names = [one.name for one in found]
    if absent := [name for name in HEADINGS if name not in names]:
        return Directive(
            span="", issue=f"There is no heading {', '.join(map(repr, absent))}.", suggestion=right
        )
    if text[: found[0].at].strip() or names[0] != TITLE:
        return Directive(
            span=excerpt(text),
            issue="The idea does not begin with the heading 'Title'.",
            suggestion="Begin with it; put nothing before it.",
        )
    if wrong := next(
        (one for n, one in enumerate(found) if n >= len(HEADINGS) or one.name != HEADINGS[n]), None
    ):
        again = "a second time" if names.count(wrong.name) > 1 else "out of its order"
        return _off(text, wrong, f"The heading {wrong.name!r} stands {again}.", right)
    return None


def length(text: str) -> Directive | None:
    """Return which sections are too long or too short, or None; a section that is not there is too
    short.
    """
    bodies = {one.name: text[one.start : one.end] for one in reversed(sections(text)) if one.name}
    wrong = [said for name in HEADINGS if (said := _off_length(name, bodies.get(name, "").strip()))]
    if not wrong:
        return None
    issue, suggestion = " ".join(one[0] for one in wrong), " ".join(one[1] for one in wrong)
    return Directive(
        span=next((one[2] for one in wrong if one[2]), ""), issue=issue, suggestion=suggestion
    )


def _off_length(name: str, body: str) -> tuple[str, str, str] | None:
    """Return issue, suggestion and passage for one section, or None where its length is right."""
    if not body:
        return f"{name} is missing or empty.", f"Write {_wanted(name)} under {name}.", ""
    if name == TITLE:
        lines = [line for line in body.splitlines() if line.strip()]
        return (
            None
            if len(lines) == 1
            else (
                f"The title takes {len(lines)} lines.",
                "Put the title on one line.",
                excerpt(lines[1].strip()),
            )
        )
    parts = bullets(body) if name == LIMITS else sentences(body)
    least, most = (BULLETS, BULLETS) if name == LIMITS else LENGTHS[name]
    if least <= len(parts) <= most:
        return None
    kind = "bullet" if name == LIMITS else "sentence"
    said = f"{name} has {len(parts)} {kind}{'' if len(parts) == 1 else 's'}."
    return (
        said,
        f"Write {_wanted(name)} under {name}.",
        excerpt(parts[most] if len(parts) > most else parts[0] if parts else body),
    )


def _wanted(name: str) -> str:
    if name == TITLE:
        return "one line"
    if name == LIMITS:
        return f"exactly {BULLETS} bullets"
    least, most = LENGTHS[name]
    return f"{least} to {most} sentences" if least < most else f"exactly {most} sentences"


def excerpt(passage: str) -> str:
    """Return a passage as it stands, cut between words where it is long or goes on in another
    line.
    """
    line = passage.strip().split("\n")[0].rstrip()
    return line if len(line) <= QUOTED else line[:QUOTED].rsplit(" ", 1)[0]


def _heading(line: str, under_title: bool) -> tuple[str, str, int] | None:
    """Return a heading's name, how it is written, and where on its line the text begins; None for a
    line that is none.
    """
    # Not by the pattern: it would try a long row of hashes or spaces from each of them on.
    unclosed = line.rstrip(" \t").rstrip("#").rstrip(" \t")
    for n, form in enumerate(_FORMS):
        if not (found := form.match(unclosed if n == 0 else line)):
            continue
        parts = found.groupdict()
        marked, rest = n < 2, parts.get("rest")
        bare = re.sub(r"^[*_\s]+|(?<![*_\s])[*_\s]+$", "", parts["name"])
        colon = bare.find(":") if marked else -1
        shown = (bare if colon < 0 else bare[:colon]).strip()
        called = " ".join(re.sub(_NUMBER, "", shown, count=1).casefold().split())
        name = (_ALIASES if marked else _NAMES).get(called, "")
        written = parts["number"] + shown
        if name:
            said = rest or (bare[colon + 1 :].strip() if colon >= 0 else "")
            return name, written, line.rindex(said) if said else len(line)
        # Under the heading of the title, what is marked as a heading is the title; what is bold and
        # goes on, or is a sentence, is no heading.
        if (
            marked
            and not under_title
            and (n == 0 or not (rest or len(bare.split()) > 8 or bare.endswith((".", "!", "?"))))
        ):
            return "", written, len(line)
    return None


def _off(text: str, section: IdeaSection, issue: str, suggestion: str) -> Directive:
    return Directive(
        span=excerpt(text[section.at :].lstrip("\r\n").split("\n")[0]),
        issue=issue,
        suggestion=suggestion,
    )
