"""Where in an idea the words stand that a judge quotes: word for word, nearly so, or nowhere; only
the idea's own words are ever shown as a quote.
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import accumulate, pairwise, product
from typing import NamedTuple

from rapidfuzz import fuzz

from core.normal_forms import normal
from core.records import Passage

LIKE = 0.8
"""How alike a passage must be to count as meant: 1 minus the share of characters to insert or
delete in both.
"""
SHORTEST = 12
"""Characters below which only the very words count: in a few letters anything resembles anything.
"""
STRETCH = 6
"""How many words a passage that is looked for may be longer or shorter than first found."""
LONGEST = 2_500
"""Characters of what is looked for that are compared; a quote has 2,000 at most, of which a few are
written out as several. What a comparison takes can grow with their cube.
"""
AT_ONCE, RUN = 2_000_000, 5
"""Characters of a text, times those looked for, from which it is looked at only around where most
runs of so many letters are shared: no other thread of the program gets on meanwhile, and where a
text repeats itself it would take long.
"""
_ALIKE = str.maketrans("‘’‚‛“”„«»‐‑‒–—−", '\'\'\'\'"""""------')
_QUOTES = " \"'“”‘’"
_SILENT = frozenset("*`\u00ad\u200b\u200c\u200d\u2060\ufeff")
"""Emphasis and characters nobody sees."""


class Segment(NamedTuple):
    """A piece of an idea, and the items whose passages it belongs to."""

    text: str
    items: tuple[str, ...]


class Plain(NamedTuple):
    """A text with quotes, dashes and spaces made alike, and where each of its characters comes
    from.
    """

    text: str
    origin: tuple[int, ...]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the characters of the original that these come from."""
        return self.origin[start], self.origin[end - 1] + 1


def locate(text: str, span: str) -> Passage:
    """Return where the words of `span` stand: verbatim (quotes, dashes, spaces, emphasis aside),
    else the nearest passage if alike enough, else not found.
    """
    wanted = span.strip()
    if not re.search(r"\w", wanted):
        return Passage(state="not found")
    if found := _find_words(text, wanted):
        return _passage("verbatim", text, *found, 1.0)
    haystack, needle = plain(text), plain(_strip_quotes(wanted)).text.strip()
    if needle and (found := _find_words(haystack.text, needle)):
        return _passage("verbatim", text, *haystack.span(*found), 1.0)
    return _nearest(text, haystack, needle)


def cut_at_passages(text: str, passages: Mapping[str, Passage]) -> tuple[Segment, ...]:
    """Return the text in pieces, each with the items whose passages hold it, in their order;
    joined, the pieces are the text.
    """
    found = {item: passage for item, passage in passages.items() if passage.state != "not found"}
    cuts = {0, len(text)}
    for passage in found.values():
        cuts |= {passage.start, passage.end}
    segments = []
    for start, end in pairwise(sorted(cut for cut in cuts if cut <= len(text))):
        items = [
            item for item, passage in found.items() if passage.start <= start and end <= passage.end
        ]
        segments.append(Segment(text[start:end], tuple(items)))
    return tuple(segments)


def plain(text: str) -> Plain:
    """Return a text with what does not count made alike."""
    letters: list[str] = []
    origin: list[int] = []
    for at, letter in enumerate(text):
        for part in _fold(letter):
            if part == " " and (not letters or letters[-1] == " "):
                continue
            letters.append(part)
            origin.append(at)
    return Plain("".join(letters), tuple(origin))


@lru_cache(128)
def plain_words(text: str) -> str:
    """Return a text as `plain` has it, kept: an expert's form looks for the same passages in the
    same texts at every drawing.
    """
    return plain(text).text


def _fold(letter: str) -> str:
    if letter in _SILENT:
        return ""
    if letter.isspace():
        return " "
    folded = normal("NFKC", letter.translate(_ALIKE))
    return "".join(" " if part.isspace() else part for part in folded)


def _strip_quotes(span: str) -> str:
    """Return the span without the quotes around it, and without dots that say it goes on."""
    # The quotes first: a pattern for them would try every number of them at every place.
    bare = " ".join(span.split()).strip(_QUOTES)
    return re.sub(r"^(?:\.{3}|…) ?| ?(?:\.{3}|…)$", "", bare)


def _find_words(text: str, words: str) -> tuple[int, int] | None:
    """Return where the words stand, preferably not within longer words; None if nowhere."""
    found = list(_find_each(text, words))
    if not found:
        return None
    best = next(
        (at for at in found if _is_boundary(text, at) and _is_boundary(text, at + len(words))),
        found[0],
    )
    return best, best + len(words)


def _find_each(text: str, words: str) -> Iterator[int]:
    at = text.find(words)
    while at >= 0:
        yield at
        at = text.find(words, at + 1)


def _is_boundary(text: str, at: int) -> bool:
    """Say whether no word reaches over this place."""
    return not (0 < at < len(text) and text[at - 1].isalnum() and text[at].isalnum())


def _nearest(text: str, haystack: Plain, needle: str) -> Passage:
    if len(needle) < SHORTEST or not haystack.text.strip():
        return Passage(state="not found")
    needle = needle[:LONGEST]
    lower, wanted = haystack.text.lower(), needle.lower()
    if len(lower) != len(
        haystack.text
    ):  # A few capitals become two letters; then they stay as they are.
        lower, wanted = haystack.text, needle
    roughly = _look_roughly(wanted, lower)
    if roughly is None:
        return Passage(state="not found")
    start, end, like = _fit(wanted, lower, *roughly)
    if like < LIKE:
        return Passage(state="not found")
    return _passage("nearest", text, *haystack.span(start, end), like)


def _look_roughly(wanted: str, text: str) -> tuple[int, int] | None:
    """Return about where the words wanted stand, or None."""
    begin, end = 0, len(text)
    if len(wanted) * len(text) > AT_ONCE:
        begin, end = _surroundings(wanted, text)
    found = fuzz.partial_ratio_alignment(wanted, text[begin:end], score_cutoff=100 * (LIKE - 0.25))
    if found is None or found.dest_start == found.dest_end:
        return None
    return begin + found.dest_start, begin + found.dest_end


def _surroundings(wanted: str, text: str) -> tuple[int, int]:
    """Return a stretch of the text, three times as long as the words wanted, around the passage
    that shares most runs of letters with them.
    """
    runs = {wanted[at : at + RUN] for at in range(len(wanted))}
    shared = [0, *accumulate(text[at : at + RUN] in runs for at in range(len(text)))]
    length = min(len(wanted), len(text))
    begin = max(range(len(text) - length + 1), key=lambda at: shared[at + length] - shared[at])
    return max(0, begin - length), begin + 2 * length


def _fit(wanted: str, text: str, start: int, end: int) -> tuple[int, int, float]:
    """Return the passage of whole words around the one given that is most like the words wanted,
    and how like.
    """
    words = list(re.finditer(r"\S+", text))
    first = next((n for n, word in enumerate(words) if word.end() > start), len(words) - 1)
    last = max((n for n, word in enumerate(words) if word.start() < end), default=0)
    begins = words[max(0, first - STRETCH) : first + STRETCH + 1]
    ends = words[max(0, last - STRETCH) : last + STRETCH + 1]
    tried = []
    for one, other in product(begins, ends):
        begin, stop = one.start(), other.end()
        if begin < stop:
            tried.append((fuzz.ratio(wanted, text[begin:stop]) / 100, -begin, -stop))
    like, begin, stop = max(tried)
    return -begin, -stop, like


def _passage(state: str, text: str, start: int, end: int, like: float) -> Passage:
    return Passage.model_validate(
        {
            "state": state,
            "start": start,
            "end": end,
            "quote": text[start:end],
            "likeness": round(like, 4),
        }
    )
