"""Reading what models answered: a refusal or an idea, its length, three scores, one letter."""

import re
from typing import Literal

from core.records import Record, Text
from core.records.benchmark import Score

REFUSALS = (
    "I'm sorry",
    "I am sorry",
    "I apologize",
    "As an AI",
    "As a language model",
    "As an assistant",
    "I cannot",
    "I can't",
    "I am unable to",
    "I'm unable to",
    "I am not able to",
    "I'm not able to",
)
"""Phrases that show a refusal (supplementary note 5)."""
GRADES: dict[str, Literal[1, 4, 7, 10]] = {"A": 10, "B": 7, "C": 4, "D": 1}
"""Fluency of a pair of ideas (Methods, Fluency)."""
ONE_LETTER = "the answer could not be read as one letter; answer with A, B, C or D and nothing else"
"""The complaint to a judge of two ideas."""
_PHRASES = (
    "|".join(f"({phrase})" for phrase in REFUSALS).replace(" ", r"\s+").replace("'", "['’‘ʼ＇`´]")
)
_HYPHEN = "[-‐‑–]"
_REFUSED = re.compile(rf"(?<!\w)(?<!\w{_HYPHEN})(?:{_PHRASES})(?!\w|{_HYPHEN}\w)", re.IGNORECASE)
_OPEN, _CLOSE = (re.compile(rf"<{slash}think(?:ing)?>", re.IGNORECASE) for slash in ("", "/"))
# Twenty signs at most around its words: a long row of them would be read anew at each.
_MARKER = re.compile(
    r"\*\*[ \t]{0,20}final[ \t]{1,20}idea[ \t]{0,20}[:：][ \t]{0,20}\*\*|"
    r"(?:^[ \t>#]*+|(?<!\*)\*\*|(?<!_)__)[*_ \t]{0,20}final[ \t]{1,20}idea"
    r"(?:[ \t]{0,20}[*_]{0,20}[ \t]{0,20}[:：][*_]*|[*_]{2,3}|[ \t]*$)",
    re.IGNORECASE | re.MULTILINE,
)
_CHARACTER = re.compile(
    "[\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)
_SIGN = re.compile("[\u3000-\u303f\uff00-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]")
"""Punctuation of these scripts."""
_SAID = (
    r"(?:(?:the |my )?(?:(?:best|correct|final) )?(?:answer|choice|option|grade)"
    r"(?: is)? ?[:=]? ?(?:option )?)"
)
_ONE = r"[(\[\"'“‘]?(?<!\w)([A-D])(?!\w)[)\]\"'”’]?"
_WHOLE = re.compile(rf"{_SAID}?{_ONE}[.!]?", re.IGNORECASE)
_FIRST = re.compile(
    rf"(?i:{_SAID})?{_ONE}(?:[):] ?| [-–—] |\n(?![a-z])|\."
    r" ?(?=[^\Wa-z]|\n|different|completely|similar|identical|academically))"
)
"""A letter before its reason; `C. elegans` is none, nor is the article in `A novel idea`."""
_LAST = re.compile(rf"(?:\n|[^\W\d_]{{4}}[.!] )((?i:{_SAID})?{_ONE}[.!]?)\Z")
"""A letter as a sentence or line of its own; the dot of `vs. B` ends no sentence."""
_STATED = re.compile(rf"(?i:\banswer(?: is)? ?[:=]? ?){_ONE}")
_STANDING = re.compile(r"(?<!\w)(?:[BCD]|A(?! [a-z]))(?![\w’'])")
"""A letter that may be meant; `A` before a word is an article."""


class Scored(Record):
    """A judge's words on an idea, and its scores: whole numbers from 1 to 10, and nothing that has
    to be made one.
    """

    analysis: Text
    originality: Score
    feasibility: Score
    clarity: Score


def without_thoughts(text: str) -> str:
    """Return an answer without what stands between <think> and </think>; some servers leave out the
    opening tag, and a cut one never closes.
    """
    *closed, rest = _CLOSE.split(text)
    spoken = [_OPEN.split(part, 1)[0] for part in closed if _OPEN.search(part)]
    if not _OPEN.match(rest.lstrip()):
        spoken.append(rest)
    return "".join(spoken).strip()


def refusal(text: str) -> str | None:
    """Return the phrase by which an answer is taken for a refusal, None where it holds none
    (LiveIdeaBench, supplementary note 5).

    As in the protocol a phrase counts wherever in the answer it stands, not in thoughts, and not as
    part of a longer word (`as an AI-driven screen`).
    """
    found = _REFUSED.search(re.sub(r"[*_]+", "", without_thoughts(text)))
    return REFUSALS[found.lastindex - 1] if found and found.lastindex else None


def final_idea(text: str, marked: bool) -> tuple[str, bool]:
    """Return the idea an answer holds, and whether a marker was asked for and is missing
    (supplementary note 1.4).

    Where a marker was asked for, the idea is what follows the last one; without one, or with
    nothing behind it, critics see the whole answer. Thoughts are dropped always; an answer that is
    all thoughts gives an empty idea.
    """
    whole = without_thoughts(text)
    if not marked:
        return whole, False
    *_, last = (None, *_MARKER.finditer(whole))
    idea = whole[last.end() :].strip() if last else ""
    if idea.count("**") % 2:
        # The emphasis began before the marker and went on to the end of the idea.
        idea = idea.removesuffix("**").rstrip()
    return (idea, False) if re.search(r"\w", idea) else (whole, True)


def words(text: str) -> int:
    """Return how many words a text has: what white space parts, and each Chinese or Japanese
    character by itself (Korean has spaces between its words).
    """
    spaced = _CHARACTER.sub(" ", _SIGN.sub(" ", text))
    return len(_CHARACTER.findall(text)) + len(spaced.split())


def letter(text: str) -> Literal[1, 4, 7, 10]:
    """Return the fluency that a judge's letter stands for; raises ValueError, worded for the model,
    unless the answer is one letter beyond doubt.

    That is the letter alone (`B`, `(b).`, `Answer: B`), before its reason (`B. Different ideas
    ...`) or behind it, as the last sentence or line. With a reason, no other of the four letters
    may stand by itself in the text, unless the last sentence says `Answer: B`: it might be the
    answer.
    """
    answer = re.sub(r"[*_`]+", "", without_thoughts(text))
    answer = re.sub(r"[ \t]+", " ", answer)
    answer = re.sub(r" ?\n\s*", "\n", answer).strip()
    if alone := _WHOLE.fullmatch(answer):
        return GRADES[alone[1].upper()]
    first, last = _FIRST.match(answer), _LAST.search(answer)
    named = first[1] if first else last and last[2]
    rivals = _STATED if last and _STATED.search(last[1]) else _STANDING
    if not named or set(rivals.findall(answer)) - {named}:
        raise ValueError(ONE_LETTER)
    return GRADES[named]
