"""What a whole text says beyond its abstract: sentences on method, tests and limits, picked by
their section and their words.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from core.literature.full_text.sections import sections
from core.models.builtin.english import DANGLING, clean, find_words, ignore_case, sentences
from core.models.builtin.passages import CUES, OPEN

READ = 40_000
"""Characters that are read: more than any excerpt holds, and few enough that a hostile text costs
no time.
"""
CHUNK = 4_000
"""Characters split into sentences at once."""
_NOTE = re.compile(r"\[\.\.\. [\d,]+ characters left out \.\.\.\]")
_ABSTRACT = ignore_case(r"\babstract\b[\s.:—-]*")
_INTRODUCTION = ignore_case(r"\n\s*(?:1\.?\s+)?introduction\b")
_METHOD = ignore_case(
    r"method|approach|model|framework|algorithm|architecture|implementation|procedure|design|"
    r"intervention|materials"
)
_TRIALS = ignore_case(
    r"experiment|evaluation|result|setup|setting|dataset|data\b|benchmark|analysis|ablation|"
    r"participants|measures"
)
_ENDING = ignore_case(r"limitation|discussion|conclusion|future|threats")
_REPORTS = find_words(
    r"we (?:evaluat|test|compar|train|use|measur|recruit|report|run|ran)\w*|evaluated on|"
    r"tested on|trained on|compared (?:with|to|against)|baselines?|datasets?|benchmarks?|"
    r"participants|metrics?|outperform\w*|improv\w+ (?:on|over)|achiev\w+"
)
_OWN = ignore_case(
    r"\b(?:we|our|ours|the present|this (?:work|study|paper|method|approach|model|trial)|"
    r"the (?:proposed|current) )"
)
"""A limit is the paper's own where it speaks of itself."""
_UNFIT = ignore_case(
    r"^(?:fig(?:ure|\.)|table|eq(?:uation|\.)|algorithm \d|theorem|proof|lemma|https?:|\d+ |"
    r"in this section|following this|in recent years|(?:first|then|next|finally|"
    r"in addition), we (?:first )?(?:introduce|describe|present|discuss)|a detailed description|"
    r"for detailed|we (?:now|next) )"
)


@dataclass(frozen=True)
class WholeText:
    """Sentences of a whole text, each as it stands there but for line breaks."""

    opening: tuple[str, ...]
    """Its first ones: those of the abstract, where it says where that is."""
    method: tuple[str, ...]
    tests: tuple[str, ...]
    limits: tuple[str, ...]


def whole_text(text: str | None) -> WholeText:
    """Return what a whole text says on method, tests and limits; nothing where there is none."""
    if not text or not text.strip():
        return WholeText((), (), (), ())
    text = text[:READ]
    parts = list(_parts(text))
    outside_method = [part for part in parts if not _METHOD.search(part[0])]
    return WholeText(
        opening=_opening(text),
        method=_pick(parts, _METHOD, _tells_how, 3),
        tests=_pick(parts, _TRIALS, _REPORTS.search, 8),
        limits=_pick(outside_method, _ENDING, _limits_itself, 3),
    )


def _tells_how(line: str) -> bool:
    return bool(CUES["mechanism"].search(line)) and not OPEN.search(line)


def _limits_itself(line: str) -> bool:
    return bool(OPEN.search(line) and _OWN.search(line))


def _parts(text: str) -> Iterator[tuple[str, str]]:
    """Yield (heading, text) of the sections that matter, or the whole under no heading."""
    found = [section for section in sections(text) if section.matters]
    for section in found:
        heading, _, body = text[section.start : section.end].partition("\n")
        yield heading, body
    if not found:
        yield "", text


def _pick(
    parts: list[tuple[str, str]], section: re.Pattern[str], fits: Callable[[str], object], most: int
) -> tuple[str, ...]:
    """Return the first fitting sentences of the sections with such a heading, or of all where none
    has it.
    """
    found: dict[str, None] = {}
    headed = [part for part in parts if section.search(part[0])]
    for _, body in headed or parts:
        for line in _lines(body):
            if len(found) < most and fits(line):
                found.setdefault(line)
    return tuple(found)


def _lines(body: str) -> Iterator[str]:
    """Yield the sentences that can be quoted alone: whole, of words, and not leaning on the one
    before.
    """
    for paragraph in re.split(r"\n\s*\n", _NOTE.sub("\n\n", body)):
        flat = " ".join(paragraph.split())
        for start in range(0, len(flat), CHUNK):
            yield from filter(_quotable, sentences(flat[start : start + CHUNK]))


def _quotable(line: str) -> bool:
    whole = 40 <= len(line) <= 320 and line[0].isupper() and line[-1] in ".!"
    if not whole or _UNFIT.match(line) or DANGLING.match(line):
        return False
    letters = [sign for sign in line if sign.isalpha() or sign.isspace()]
    return len(letters) > 0.85 * len(line)


def _opening(text: str, most: int = 8) -> tuple[str, ...]:
    begin = _ABSTRACT.search(text, 0, 6_000)
    start = begin.end() if begin else 0
    rest = text[start:]
    end = _INTRODUCTION.search(rest, 0, 6_000)
    return tuple(_lines(rest[: end.start() if end else 3_000]))[:most]


def as_abstract(lines: tuple[str, ...]) -> str:
    """Return sentences as an abstract."""
    return clean(" ".join(lines))
