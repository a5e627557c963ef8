"""Counting sentences and bullets as a reader does: `et al.`, decimals, initials and abbreviations
end none.
"""

# ruff: noqa: SIM905 - a list of words is read best as words.
import re

NEVER_END = frozenset("e.g i.e cf vs approx ca resp incl excl dr prof mr mrs ms st esp viz".split())
"""Abbreviations after which a sentence goes on in any case."""
BEFORE_NUMBERS = frozenset(
    "fig figs eq eqs sec sect tab no nos vol ch p pp ref refs alg app art".split()
)
"""Abbreviations when a number follows; otherwise words."""
MAY_END = frozenset("al etc inc ltd co corp jr sr dept univ et".split())
"""Abbreviations a sentence may end with: whether it does, the next word tells."""
STARTERS = frozenset(
    "a after all although an and as at because before both but by during each even finally"
    " first for given however if in instead it its moreover no once one or our second several"
    " since so some such that the their then there therefore these they third this those thus"
    " to under unlike we when where whereas whether which while with without yet".split()
)
"""Words that begin sentences, and are no part of a name."""
LABELLED = frozenset(
    "plan variant option model type class group phase condition vitamin hepatitis case part"
    " appendix step arm site set task figure table panel version level setting scenario system"
    " protein".split()
)
"""Nouns that a single letter follows: `plan B.` may end a sentence, where `by J.` goes on with a
name.
"""
_END = re.compile(r"(?<![.!?…])[.!?…]+[\"'”’)\]*_]*(?=\s|$)")
_NEXT = re.compile(r"[\s\"'“‘(\[*_]*(\S*)")
_BULLET = re.compile(r"^([ \t]*)(?:[-*+•‣▪–—]|\(?\d{1,2}[.)])\s+(?=\S)")


def bullets(text: str) -> tuple[str, ...]:
    """Return the bullets of a text, those within another not counted; marks are dashes, dots, stars
    and numbers.
    """
    found: list[tuple[int, list[str]]] = []
    for line in text.splitlines():
        mark = _BULLET.match(line)
        if mark:
            found.append((len(mark[1].expandtabs(4)), [line[mark.end() :]]))
        elif found and line.strip():
            found[-1][1].append(line.strip())
    outermost = min((depth for depth, _ in found), default=0)
    shown = [lines for depth, lines in found if depth <= outermost + 1]
    return tuple("\n".join(lines).strip() for lines in shown)


def sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of a text as they stand in it; a paragraph and a bullet end one, with a
    full stop or without.
    """
    return tuple(said for block in _blocks(text) for said in _split(block))


def _blocks(text: str) -> list[str]:
    blocks: list[list[str]] = [[]]
    for line in text.splitlines():
        if not line.strip():
            blocks.append([])
        elif mark := _BULLET.match(line):
            blocks.append([line[mark.end() :]])
        else:
            blocks[-1].append(line)
    return [joined for lines in blocks if (joined := "\n".join(lines).strip())]


def _split(block: str) -> list[str]:
    found, start = [], 0
    for mark in _END.finditer(block):
        end = mark.end()
        if ends(block[start : mark.start()], mark[0], block[end:]):
            found.append(block[start:end].strip())
            start = end
    found.append(block[start:].strip())
    return [sentence for sentence in found if re.search(r"\w", sentence)]


def ends(before: str, mark: str, after: str) -> bool:
    """Say whether a sentence ends with this mark, between what stands before and after it."""
    following = _NEXT.match(after)
    after_word = following[1] if following else ""
    if not after_word:
        return True
    letter = after_word[0]
    begins = letter.isupper() or letter.isdigit() or not letter.isalnum()
    if not begins and not re.match(r"\w*[A-Z]", after_word):
        return False  # The next word goes on in small letters.
    if not mark.startswith(".") or mark.startswith(".."):
        return True
    return not _abbreviates(before.split(), after_word)


def _abbreviates(words: list[str], after_word: str) -> bool:
    """Whether the full stop behind these words belongs to the last of them."""
    last = words[-1].lstrip("([\"'“‘*_") if words else ""
    plain = last.casefold().rstrip(".")
    begins = re.sub(r"\W", "", after_word).casefold() in STARTERS
    if plain in NEVER_END:
        return True
    if plain in BEFORE_NUMBERS:
        return re.match(r"[A-Z]?\d", after_word) is not None
    if last.isdigit() and len(words) == 1:
        return True  # The number of an enumeration.
    if re.fullmatch(r"[A-Z]", last):
        return not begins and not (len(words) > 1 and words[-2].casefold() in LABELLED)
    return not begins and (
        plain in MAY_END or re.fullmatch(r"(?:\w{1,2}\.)+\w{1,2}", last) is not None
    )
