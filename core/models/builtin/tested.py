"""What a test used, in the words of the sentence that reports it: data, baselines and measures as
stretches of the text.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from core.models.builtin.english import (
    clean,
    find_words,
    ignore_case,
    is_coined,
    sentences,
    word_set,
)
from core.models.builtin.phrases import ending_in, is_verbal, words

LONGEST = 160
"""Characters a stretch may have; a longer one is a clause and no name."""
_TESTS = find_words(
    r"evaluat\w+|test(?:ed|s|ing)?|benchmark(?:ed)?|demonstrat\w+|experiments?|"
    r"numerical studies|applied to|run|pre-?trained|trained|validated|assessed|compare[sd]?|"
    r"contrast\w*"
)
_CAME_OUT = ignore_case(
    r"\b(?:improv\w+|reach\w+|achiev\w+|outperform\w*|accuracy|scores?|percent|%|error|better|"
    r"points)(?!\w)"
)
_ON = ignore_case(
    r"\bon\s+(?!(?:average|median|par|top|which|this|both|the other|from|it|its|their|every|each|"
    r"all|what)\b)|"
    r"\b(?:in|with)\s+(?=[\d,]{2,}\s|"
    r"(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\s)"
)
"""Where a test's data follow: on something, or in a number of things."""
_END = (
    r"(?=,?\s+(?:"
    # a comparison, a new clause, or the result
    r"against|compared|versus|vs\.?|where|which|who|whose|that|it|they|we|show\w*|"
    r"report\w*|confirm\w*|compar\w+|examin\w+|check\w*|while|but|although|using|improv\w+|"
    r"reach\w+|outperform\w*|achiev\w+|and (?:it|they|is|was|were|in|by|with|without)|"
    # a preposition, or a plain verb
    r"rather|by|with|without|under|after|before|from|for|in terms|"
    r"is|are|was|were|has|have|had|can|served?|rose|fell|over|even|also)\b|"
    # or punctuation
    r",\s(?:and|in|by|with|for|two|above|the|an?|our)\s|\s\(|[.;:](?!\d)|$)"
)
"""Where the name of something ends."""
_DATA = re.compile(rf"(.{{2,{LONGEST}}}?){_END}")
_AGAINST = ignore_case(
    r"\b(?:against|compared (?:with|to)|versus|vs\.?|in comparison (?:with|to)|"
    r"(?<=percent )over|(?<=improves )on|than|outperform\w*|"
    r"baselines? (?:include|such as)|compare \S+(?: \S+)? with)\s+"
    # its name
    rf"(?:(?:several|other|existing|earlier) )?(.{{2,{LONGEST}}}?)"
    # and what follows it
    r"(?=,?\s+(?:on|in|where|which|while|but|although|using|by|under|showing|for|at|significantly|"
    r"(?<!such )as|without|to|so|that|also|together|carried|"
    r"and (?:it|they|is|was|improv\w+|reach\w+|outperform\w*|in|on|could|can|against))\b|"
    r"[.;:]|,\s(?:and|in|with)\s|$)"
)
_COUNTED = ignore_case(
    r"^(?:about |around |nearly |up to )?(?:[\d.,]+|one|two|three|eight|ten|twenty)\b"
)
_WEAK = ignore_case(
    r"^(?:it|them|this|these|that|one|each|every|all|most of them|many|its|their|the art|"
    r"the state of the art|ever|an?|average|chance|\d+|problems|topics|datasets|data sets|samples|"
    r"rounds|a protocol|solvers|food|tasks|benchmarks|data|(?:the |a )?baselines?|a score|"
    r"accuracy|versions|methods|participants|those of .*|that of .*|any .*|"
    r"the (?:highest|lowest) .*)$"
)
MEASURES = word_set(
    "accuracy score rate error index scale latency duration efficiency questionnaire diary"
    " actigraphy polysomnography correlation sleepiness vigilance fitness recall precision"
    " perplexity likelihood agreement rating elo bleu rouge f1 f-max auc auroc pass@1 norm"
    " retention conductivity curve profile"
)
_VALUED = ignore_case(
    r"^(?:(?:report|higher|lower|better|good|reported|higher short-term|average) )+"
)
_MEASURED = ignore_case(
    r"\b(?:measured (?:by|with|in|as)|in terms of|scored by|rated by|judged by|evaluated by|"
    r"by (?:its|their|the) (?=error|distance|rank|correlation))\s+(.{3,120}?)"
    r"(?=,?\s+(?:and (?:it|they)|while|but|against|compared|on|over|which|that)\b|[.;:]|$)"
)


@dataclass(frozen=True)
class TestedStretches:
    """Stretches of the text, each as it stands there."""

    data: tuple[str, ...]
    baselines: tuple[str, ...]
    measures: tuple[str, ...]


def find_tested(lines: Iterable[str]) -> TestedStretches:
    """Return what the sentences say was used; a sentence that reports no test gives nothing."""
    data: list[str] = []
    baselines: list[str] = []
    measures: list[str] = []
    for line in lines:
        text = clean(line)
        trial = _TESTS.search(text)
        if trial or _CAME_OUT.search(text):
            data += _data_in(text[trial.start() if trial else 0 :])
        against = map(_trim, _AGAINST.findall(text))
        baselines += [stretch for stretch in against if not _COUNTED.match(stretch)]
        measures += map(_trim, _MEASURED.findall(text))
        for phrase in ending_in(text, MEASURES):
            inside = phrase.split()
            if "desired" not in phrase and len(inside) <= 5 and not any(map(is_verbal, inside)):
                measures.append(_VALUED.sub("", phrase))
    return TestedStretches(_keep_longest(data), _keep_longest(baselines), _keep_longest(measures))


def _data_in(text: str) -> list[str]:
    """Return the stretches that say what a test was run on."""
    found = []
    for place in islice(_ON.finditer(text), 2):
        if stretch := _DATA.match(text, place.end()):
            found.append(_trim(stretch[1]))
    return found


def _trim(stretch: str) -> str:
    """Return a stretch up to the first verb after it, or nothing where no noun phrase is left."""
    stretch = re.sub(r"^(?:such as|including|both|either) ", "", stretch.strip(" ,;:()\"'"))
    for verb in re.finditer(r"(?:,|\sand)\s(?:[A-Z]\S+\s)?([a-z]+(?:ed|es|s))\s", stretch):
        if is_verbal(verb[1]):
            stretch = stretch[: verb.start()]
            break
    stretch = stretch.strip(" ,;:")
    stretch = re.sub(
        r",?\s(?:and|or|on|used|only|well|such|so|together|built|drawn|\w+ed)$", "", stretch
    )
    if len(words(stretch)) > 22 or not re.search(r"[^\W\d_]{3}", stretch):
        return ""
    if _WEAK.match(stretch) or re.match(r"(?:to|for|from|in)\s", stretch):
        return ""
    return "" if _CLAUSE.search(stretch) else stretch


_CLAUSE = re.compile(
    r"\s(?:is|are|was|were|has|have|had|do|does|can|could|needs?|agree|solved|came|led|guards?|"
    r"lowers?|completed|reported|helped|follows?|largest|when|what|because|than)\s"
)
"""A stretch with one of these in it is no name of anything."""


def _keep_longest(stretches: Iterable[str]) -> tuple[str, ...]:
    """Return the first four stretches that no longer one contains."""
    several = dict.fromkeys(filter(None, stretches))
    found = []
    for stretch in several:
        others = [other.lower() for other in several if other != stretch]
        if not any(stretch.lower() in other for other in others):
            found.append(stretch)
    return tuple(found[:4])


def find_proper_names(text: str) -> tuple[str, ...]:
    """Return what stands in a text as a proper name: words with a capital inside, a digit, or a
    capital not at a sentence's start.
    """
    found: dict[str, None] = {}
    for line in sentences(text):
        for word in re.finditer(r"[^\W\d_][\w@+'’-]*(?:[./][\w]+)*", line):
            token, start = word[0], word.start()
            inside = start > 0 and line[start - 2] not in ".?!:;"
            if is_coined(token) or (inside and token[0].isupper() and len(token) > 2):
                name = token.rstrip("'’s") if token.endswith(("'s", "’s")) else token
                found.setdefault(name)
    return tuple(found)
