"""What of a long text a model is shown: the beginning and the sections that matter, with a word
where something is left out.
"""

from itertools import pairwise

from core.literature.full_text.sections import sections

_MARK = 48
"""Characters the longest note of a cut takes."""
_OPENING = 0.3
"""Share of the whole that the beginning gets: title, abstract and most of an introduction."""
_SNAP = 80
"""How far back from a cut the end of a word is looked for."""


def excerpt(text: str, limit: int = 24_000) -> str:
    """Return at most `limit` characters (1,000 or more) of a text: the whole if it fits, else its
    beginning and the sections that matter.

    These are all but introduction, related work and what follows the references; each has a share
    of the room and is cut at its end. Where no headings can be told: the beginning and the end.
    Every cut says how many characters it left out.
    """
    if len(text) <= limit:
        return text
    found = sections(text)
    wanted = [(one.start, one.end) for one in found if one.matters]
    room = limit - _MARK * (len(wanted) + 1)
    if not wanted or room < limit // 2:
        end, room = found[-1].end if found else len(text), limit - 2 * _MARK
        if end <= room:
            # Beginning and end would show the same words twice.
            return _stitch(text, [(0, end)])
        return _stitch(text, [(0, room * 2 // 3), (end - room // 3, end)])
    opening = min(int(room * _OPENING), wanted[0][0])
    sizes = [end - start for start, end in wanted]
    parts = [(0, opening)]
    for (start, _), share in zip(wanted, _share_out(sizes, room - opening), strict=True):
        parts.append((start, start + share))
    return _stitch(text, parts)


def _share_out(sizes: list[int], room: int) -> list[int]:
    """Give each the same room; what a short one does not need goes to the others."""
    shares = [0] * len(sizes)
    left = len(sizes)
    for n in sorted(range(left), key=sizes.__getitem__):
        shares[n] = min(sizes[n], room // left)
        room -= shares[n]
        left -= 1
    return shares


def _stitch(text: str, spans: list[tuple[int, int]]) -> str:
    """Join these passages, each ending with a whole word, and say between them what is left out."""
    snapped = [(start, _word_end(text, start, end)) for start, end in spans]
    snapped.append((len(text), len(text)))
    parts = []
    for (start, end), (following, _) in pairwise(snapped):
        left_out = following - end
        # A gap no longer than its note is kept instead.
        note = (
            f"\n\n[... {left_out:,} characters left out ...]\n\n"
            if left_out > _MARK
            else text[end:following]
        )
        parts.append(text[start:end] + note)
    return "".join(parts).rstrip()


def _word_end(text: str, start: int, end: int) -> int:
    if end >= len(text) or text[end].isspace():
        return end
    least = max(start, end - _SNAP)
    space = max(text.rfind(" ", least, end), text.rfind("\n", least, end))
    return space if space > start else end
