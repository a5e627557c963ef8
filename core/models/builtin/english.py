"""Sentences in and out: splitting what papers say, and joining pieces into sentences that read
well.
"""

import re
from collections.abc import Iterable
from functools import lru_cache


def find_words(words: str) -> re.Pattern[str]:
    """Compile a pattern that finds `one|other` as whole words, whatever their capitals."""
    return ignore_case(rf"\b(?:{words})\b")


def ignore_case(pattern: str) -> re.Pattern[str]:
    """Compile a pattern that fits capitals and small letters alike."""
    return re.compile(pattern, re.IGNORECASE)


def word_set(words: str) -> frozenset[str]:
    """Return the words of a line as a set."""
    return frozenset(words.split())


READ_CHARACTERS = 6_000
"""How much of a text is looked at: abstracts are shorter, and a hostile one must not cost time."""
READ_SENTENCES = 30
_ABBREVIATED = re.compile(
    r"(?:\b(?:e\.g|i\.e|et al|cf|vs|etc|approx|ca|Fig|Figs|Eq|Dr|Prof|No|Sec|resp|St|Mr|Ms)|"
    r"(?:^|\s)[A-Z])\.$"
)
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,200}>")
_UNSEEN = re.compile(
    r"[\x00-\x1f\x7f-\x9f\xad\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u206f\ud800-\udfff\ue000-\uf8ff\ufeff]"
)
_BREAK = re.compile(r"(?<=[.!?。！？])[\"')\]”’]*\s+(?=[^a-z])")
_LEAD = ignore_case(
    r"^(?:however|therefore|thus|hence|moreover|furthermore|additionally|consequently|"
    r"specifically|in particular|in addition|as a result|finally|to this end|"
    r"to address (?:this|these)[^,]{0,60}|to overcome (?:this|these)[^,]{0,60}|"
    r"in this (?:paper|work|study|article|letter)|here|first|second|third|to our knowledge|"
    r"importantly|notably|overall|in summary|in conclusion|background|objectives?|methods?|"
    r"results?|conclusions?|introduction)\s*[,:]\s*"
)
_OTHERS = (
    (re.compile(r"\b[Ww]e\b"), "the authors"),
    (re.compile(r"\b[Oo]ur\b"), "their"),
    (re.compile(r"\bours\b"), "theirs"),
    (re.compile(r"\b(?:[Tt]his|[Tt]he present) (paper|work|study|article|review)\b"), r"the \1"),
    (re.compile(r"\b(?:[Ii]n) the (?:paper|work|study|article),? (?=the authors)"), ""),
)
DANGLING = ignore_case(
    r"^(?:it|its|they|their|this|these|those|such|he|she|both|one|another|here|there)\b"
)
"""How a sentence begins that leans on the one before it."""


def clean(text: str) -> str:
    """Return `text` without markup, control characters and doubled spaces, cut to what is looked
    at.
    """
    return _clean_start(text[: READ_CHARACTERS * 2])


@lru_cache(maxsize=8192)
def _clean_start(text: str) -> str:
    plain = _UNSEEN.sub(" ", _TAG.sub(" ", text))
    return " ".join(plain.split())[:READ_CHARACTERS].strip()


def sentences(text: str) -> tuple[str, ...]:
    """Split `text` into its sentences, at most READ_SENTENCES, none longer than 400 characters."""
    found: list[str] = []
    for piece in _BREAK.split(clean(text)):
        if found and _ABBREVIATED.search(found[-1][-16:]):
            found[-1] += " " + piece
        elif piece.strip():
            found.append(piece.strip())
    return tuple(clip(sentence, 400) for sentence in found[:READ_SENTENCES])


def clip(text: str, limit: int) -> str:
    """Return `text` cut at a word, with an ellipsis, where it is longer than `limit` characters."""
    if len(text) <= limit:
        return text
    cut = text[: limit - 4].rsplit(" ", 1)[0].rstrip(" ,;:.-")
    return f"{cut} ..."


def retell(sentence: str, keep: frozenset[str] = frozenset()) -> str:
    """Return a paper's sentence as a clause somebody else can report: no leading connective, no
    'we', no final stop.

    `keep` are words that stay capitalised at the beginning.
    """
    told = sentence.strip()
    for _ in range(2):
        told = _LEAD.sub("", told)
    for pattern, other in _OTHERS:
        told = pattern.sub(other, told)
    return uncapitalise(told.strip().rstrip(".!?;: "), keep)


def uncapitalise(text: str, keep: frozenset[str] = frozenset()) -> str:
    """Return `text` with a small first letter, unless its first word is a name or an acronym."""
    words = text.split(maxsplit=2)
    if not words:
        return text
    first = words[0].strip("\"'“(,:;")
    if first in keep or is_coined(first) or first == "I":
        return text
    follower = words[1].strip(",.;:") if len(words) > 1 else ""
    capital = follower[:1].isupper() and follower[1:].islower()
    if capital and first.lower() not in _OPENERS:
        return text
    return text[:1].lower() + text[1:]


_OPENERS = word_set(
    "the a an this these that those in on at for of from with without by as if when while after"
    " before many most some each no"
)


def has_capital_inside(word: str) -> bool:
    """Say whether a word has a capital after its first letter."""
    return any(letter.isupper() for letter in word[1:])


def is_coined(word: str) -> bool:
    """Say whether a word has a capital or a digit after its first letter, as names have."""
    return any(letter.isupper() or letter.isdigit() for letter in word[1:])


def last_word(phrase: str) -> str:
    """Return the last word of a phrase, in small letters."""
    return phrase.rsplit(maxsplit=1)[-1].lower()


def singular_forms(word: str) -> set[str]:
    """Return what the singular of a word may be, the word itself included."""
    return {word, word.removesuffix("s"), word.removesuffix("ies") + "y"}


def capitalise(text: str) -> str:
    """Return `text` with a capital first letter."""
    return text[:1].upper() + text[1:]


def join_list(items: Iterable[str], last: str = "and") -> str:
    """Join items as a person would: a, b and c."""
    *before, end = list(items) or [""]
    return f"{', '.join(before)} {last} {end}" if before else end


def paragraph(*parts: str) -> str:
    """Join sentences into a paragraph; each gets its capital and exactly one final stop."""
    return " ".join(_finish(part) for part in parts if part.strip())


def _finish(part: str) -> str:
    tidy = re.sub(r"\s+([,.;:?!])", r"\1", " ".join(part.split()))
    tidy = re.sub(r"\b(the|a|an|of|in|to|and|that) \1\b(?!-)", r"\1", tidy, flags=re.IGNORECASE)
    tidy = re.sub(r"(?<!\.)\.\.$", ".", tidy.rstrip(" ,;:"))
    ended = tidy.endswith((".", "!", "?", "。", "？", "！", '."', '?"'))
    return capitalise(tidy if ended else f"{tidy}.")


def flat(text: str) -> str:
    """Return the words of a text in small letters, by which it is known again."""
    return re.sub(r"\W+", " ", text.lower()).strip()
