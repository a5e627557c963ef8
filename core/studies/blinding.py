"""Whether a session's texts give away where they come from: by their length, by their shape, by
words in them. For the organiser, before it opens.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from statistics import median
from typing import NamedTuple

import numpy as np

from core.errors import BadInput
from core.judging.headed import sections
from core.prompts.wording import worded
from core.records import Idea, ItemKey, Record, StudyUnit, Table
from core.statistics.intervals import Floats
from core.store import Store
from core.studies.effort import Seen, spoken
from core.studies.identity import IdentifyingPassage, found
from core.studies.setting_up import LONGEST_TOPIC, PreparedDraft
from core.tables.cells import Cell, number, tabulated
from core.wording.sentences import bullets, sentences

FEATURES = ("words", "sentences", "headings", "bullets")
LEAST = 6
"""Texts that are enough to ask whether a feature tells sources apart, two of each source."""
DOUBT = 0.05
"""Below this chance of so many hits by luck, divided by the number of features, a feature is said
to give sources away.
"""
SHUFFLES, FEWEST_SHUFFLES = 1_999, 199
"""Deals by chance that are made, and of very many texts and sources at least."""
MOST_COMPARED, AT_ONCE = 100_000_000, 4_000_000
"""Times that a text of a deal is compared with a source, in all, and at once in memory."""
PASSAGES = 3
_MEND = "Show every text in the common form, or choose texts that are more alike."


class Shape(NamedTuple):
    """How the texts of a source look: medians over its texts."""

    source: str
    n: int
    words: float
    sentences: float
    headings: float
    bullets: float
    forms: tuple[str, ...]
    """The forms its texts are in: six-field, headed, design ..."""
    telling: int
    """How many of its texts hold words that may say who wrote them."""


class SourceTold(NamedTuple):
    """How often the texts of one source are given to it by a feature."""

    source: str
    share: float
    others: float
    """The share of the other sources' texts that is given to it too."""
    p: float
    """How often texts dealt by chance part the two shares as far: one-sided, by permutation."""


class FeatureGuess(NamedTuple):
    """How well a feature alone tells sources apart: each text is given to the source whose other
    texts have the nearest median (leave one out).
    """

    feature: str
    accuracy: float
    """The mean over sources of the share that was guessed right, so that the largest source does
    not decide.
    """
    chance: float
    n: int
    p: float
    """How often texts dealt to the sources by chance are guessed as well: one-sided, by
    permutation.
    """
    sources: tuple[SourceTold, ...]
    """Each source by itself: one of several may be told where the others are alike."""


class Telling(NamedTuple):
    """Words that may say where texts come from, and in how many texts they stand.

    Neither labels nor sources are told: who opens the session must not know which text is whose.
    How many texts of each source hold such words is told by the source's `Shape`.
    """

    kind: str
    words: str
    texts: int
    around: tuple[str, ...]
    """The words where they stand, in the order of the alphabet; PASSAGES at most."""


class Blinding(NamedTuple):
    shapes: tuple[Shape, ...]
    ratio: float | None
    """The median words of the longest source over those of the shortest; None with fewer than two.
    """
    guesses: tuple[FeatureGuess, ...]
    telling: tuple[Telling, ...]
    conclusion: str


class _Text(NamedTuple):
    source: str
    said: str
    form: str
    counts: dict[str, int]
    telling: bool


def report(store: Store, study: "str | PreparedDraft") -> Blinding:
    """Return what gives sources away in a draft (by its id), or in what a draft would hold; checks
    of attention are left out.

    Raises BadInput while answers may come: sources are hidden then, from the organiser too, until
    the session is unblinded.
    """
    if isinstance(study, PreparedDraft):
        held = {item.label: item.sha for item in study.items}
        ours = [(held[key.label], key) for key in study.item_keys]
        return _report(ours, study.texts, study.units)
    state = store.studies.get(study)
    if state.state != "draft" and not state.unblinded:
        raise BadInput(
            "Sources stay hidden while answers may come. Look at the blinding report before the"
            " session opens, or after it is unblinded."
        )
    ours = store.study_keys.texts(study)
    texts = store.frozen.several(tuple(dict.fromkeys(sha for sha, _ in ours)), Record)
    return _report(ours, texts, store.studies.units(study))


def _report(
    ours: Sequence[tuple[str, ItemKey]], texts: Mapping[str, Record], units: Sequence[StudyUnit]
) -> Blinding:
    """Return the report on texts by hash, each with what is known of it but its label."""
    judged = [(sha, key) for sha, key in ours if not key.attention]
    keys = [key for _, key in judged]
    name = _source_names(keys)
    names = {name for key in keys for name in (key.method, key.model) if name}
    topics = {unit.topic for unit in units if unit.topic}
    read = []
    telling: dict[tuple[str, str], list[IdentifyingPassage]] = defaultdict(list)
    for sha, key in judged:
        text = texts[sha]
        said = spoken(text) if isinstance(text, Seen) else worded(text)
        topic = key.topic[:LONGEST_TOPIC]
        hits = (*found(topic if topic in topics else "", names), *found(said, names))
        for where in {(hit.kind, hit.words.casefold()): hit for hit in hits}.items():
            telling[where[0]].append(where[1])
        form = text.form if isinstance(text, Idea) else type(text).__name__.lower()
        counts = {
            "words": len(said.split()),
            "sentences": len(sentences(said)),
            "headings": len(sections(said)),
            "bullets": len(bullets(said)),
        }
        read.append(_Text(name(key), said, form, counts, bool(hits)))
    shapes = _shapes(read)
    guesses = tuple(guess for feature in FEATURES if (guess := _guess(feature, read)))
    words = [shape.words for shape in shapes]
    ratio = max(words) / min(words) if len(words) > 1 and min(words) else None
    passages = tuple(_told(hits) for _, hits in sorted(telling.items()))
    return Blinding(shapes, ratio, guesses, passages, conclusion(shapes, ratio, guesses))


def _told(hits: Sequence[IdentifyingPassage]) -> Telling:
    # In the order of words: that of the texts would tell of labels or sources.
    around = sorted({hit.around for hit in hits})
    words = min(hit.words for hit in hits)
    return Telling(hits[0].kind, words, len(hits), tuple(around[:PASSAGES]))


def _source_names(keys: Sequence[ItemKey]) -> Callable[[ItemKey], str]:
    """Return what says how a text's source is called: its method, with the model where one method
    had several.
    """
    models: dict[str, set[str]] = defaultdict(set)
    for key in keys:
        models[key.method].add(key.model)

    def name(key: ItemKey) -> str:
        if len(models[key.method]) > 1:
            return f"{key.method}, {key.model or 'no model'}"
        return key.method or "unnamed"

    return name


def _shapes(read: Sequence[_Text]) -> tuple[Shape, ...]:
    grouped: dict[str, list[_Text]] = defaultdict(list)
    for text in read:
        grouped[text.source].append(text)
    shapes = []
    for name, texts in sorted(grouped.items()):
        medians = {
            feature: float(median(text.counts[feature] for text in texts)) for feature in FEATURES
        }
        forms = tuple(sorted({text.form for text in texts}))
        telling = sum(text.telling for text in texts)
        shapes.append(Shape(name, len(texts), **medians, forms=forms, telling=telling))
    return tuple(shapes)


def _guess(feature: str, read: Sequence[_Text]) -> FeatureGuess | None:
    """Return how well a feature tells apart the sources that have two texts or more; None where
    there are too few to ask.
    """
    counts: dict[str, list[int]] = defaultdict(list)
    for text in read:
        counts[text.source].append(text.counts[feature])
    asked = {name: some for name, some in sorted(counts.items()) if len(some) > 1}
    several = list(asked.values())
    values = np.array(list(chain.from_iterable(several)))
    if len(several) < 2 or len(values) < LEAST:
        return None
    sizes = list(map(len, several))
    # Not binomial: where a source has few texts, two hits by luck are half of the accuracy.
    compared = len(values) * len(several)
    deals = min(SHUFFLES, max(FEWEST_SHUFFLES, MOST_COMPARED // compared))
    dealt = np.tile(values, (deals, 1))
    shuffled = np.random.default_rng(0).permuted(dealt, axis=1)
    right, wrong = _given(values[None], sizes)
    step = max(1, AT_ONCE // compared)
    parts = [_given(shuffled[n : n + step], sizes) for n in range(0, deals, step)]
    right_dealt, wrong_dealt = (np.concatenate(both) for both in zip(*parts, strict=True))
    apart, apart_dealt = (right - wrong)[0], (right_dealt - wrong_dealt).T
    told = tuple(
        SourceTold(name, float(right[0, at]), float(wrong[0, at]), _chance_of(apart[at], dealt))
        for at, (name, dealt) in enumerate(zip(asked, apart_dealt, strict=True))
    )
    accuracy = float(right.mean())
    p = _chance_of(accuracy, right_dealt.mean(axis=1))
    return FeatureGuess(feature, accuracy, 1 / len(several), len(values), p, told)


def _chance_of(seen: float, dealt: Floats) -> float:
    """Return how often a value as high came out of the deals, the one that was seen among them."""
    reached = int((dealt >= seen - 1e-9).sum())
    return (1 + reached) / (1 + len(dealt))


def _given(values: Floats, sizes: Sequence[int]) -> tuple[Floats, Floats]:
    """Return the share of each source's texts that is given to it, and of the other sources' texts,
    a tie counting its part: (deals, sources) each, from (deals, texts) with texts source by source.
    """
    blocks = np.split(values, np.cumsum(sizes)[:-1], axis=1)
    medians = np.stack([np.median(block, axis=1) for block in blocks], axis=1)
    right, total = [], np.zeros(medians.shape)
    for at, block in enumerate(blocks):
        away = np.abs(medians[:, None, :] - block[:, :, None])
        away[:, :, at] = np.abs(_others_median(block) - block)
        nearest = away == away.min(axis=2, keepdims=True)
        parts = (nearest / nearest.sum(axis=2, keepdims=True)).sum(axis=1)
        right.append(parts[:, at])
        total += parts
    own, of = np.stack(right, axis=1), np.array(sizes)
    return own / of, (total - own) / (of.sum() - of)


def _others_median(block: Floats) -> Floats:
    """Return, in place of each value of a row, the median of the row's others: (deals, texts), two
    texts or more.
    """
    ordered = np.sort(block, axis=1)
    n = block.shape[1]
    place = np.argsort(np.argsort(block, axis=1), axis=1)
    halves = []
    for middle in ((n - 2) // 2, (n - 1) // 2):
        halves.append(np.take_along_axis(ordered, middle + (middle >= place), axis=1))
    medians: Floats = (halves[0] + halves[1]) / 2
    return medians


def conclusion(
    shapes: Sequence[Shape], ratio: float | None, guesses: Sequence[FeatureGuess]
) -> str:
    """Return in one or two plain sentences whether sources can be told, and what to do about it."""
    words = "No text holds a word from our list that may name its source."
    if hits := sum(one.telling for one in shapes):
        words = (
            f"{hits} of {sum(one.n for one in shapes)} texts hold words that may name their source;"
            " read them before you open the session."
        )
    return f"{_by_shape(shapes, ratio, guesses)} {words}"


def _by_shape(shapes: Sequence[Shape], ratio: float | None, guesses: Sequence[FeatureGuess]) -> str:
    if len(shapes) < 2:
        return (
            "All texts are by one source, so that neither length nor shape can tell sources apart."
        )
    if len({one.forms for one in shapes}) > 1:
        said = "; ".join(f"{one.source}: {', '.join(one.forms)}" for one in shapes[:4])
        return f"The form gives sources away ({said}). {_MEND}"
    far = (
        f"; the longest source has {ratio:.1f} times the words of the shortest"
        if ratio and ratio >= 1.5
        else ""
    )
    if not guesses:
        return (
            f"There are too few texts to say whether length gives sources away ({LEAST} are needed,"
            f" two of each source){far}."
        )
    return _by_counts(guesses, far)


def _by_counts(guesses: Sequence[FeatureGuess], far: str) -> str:
    """Say what counts tell, of all sources or of one; `far` is about their lengths."""
    if sure := [one for one in guesses if one.p < DOUBT / len(guesses)]:
        best = max(sure, key=lambda one: one.accuracy)
        rest = [one.feature for one in sure if one != best]
        also = f", and so does the number of {' and of '.join(rest)}" if rest else ""
        return (
            f"The number of {best.feature} alone tells the source of {best.accuracy:.0%} of the"
            f" texts (by chance {best.chance:.0%}{_each(best)}){also}{far}. {_MEND}"
        )
    if alone := _told_alone(guesses):
        one, told = alone
        return (
            f"The number of {one.feature} tells the texts of {told.source}: {told.share:.0%} of"
            f" them are given to it, and {told.others:.0%} of the others; the other sources are not"
            f" told apart{far}. {_MEND}"
        )
    best = max(guesses, key=lambda one: (one.accuracy, -one.p))
    if best.accuracy >= (1 + best.chance) / 2:
        return (
            f"The number of {best.feature} alone may tell sources apart: it is right for"
            f" {best.accuracy:.0%} (by chance {best.chance:.0%}), and {best.n} texts are too few to"
            f" tell that from chance{far}. {_MEND}"
        )
    words = next(one for one in guesses if one.feature == "words")
    return (
        "Neither length nor shape tells sources apart better than chance would (by length"
        f" {words.accuracy:.0%} right, by chance {words.chance:.0%}){far}."
    )


def _each(guess: FeatureGuess) -> str:
    """Say each source's own share, where there are more than two."""
    if len(guess.sources) < 3:
        return ""
    said = ", ".join(f"{one.source} {one.share:.0%}" for one in guess.sources[:6])
    return f"; {said}"


def _told_alone(guesses: Sequence[FeatureGuess]) -> tuple[FeatureGuess, SourceTold] | None:
    """Return the source that a feature tells most surely, where one is told of several that are
    not told apart as a whole; None where there is none.
    """
    every = [(guess, one) for guess in guesses if len(guess.sources) > 2 for one in guess.sources]
    sure = [(guess, one) for guess, one in every if one.p < DOUBT / len(every)]
    return min(sure, key=lambda pair: (pair[1].p, -pair[1].share), default=None)


def tables(found: Blinding) -> tuple[Table, Table]:
    """Return the report as tables: how the texts of each source look, and the passages that may
    name a source.
    """
    looks: Mapping[str, Callable[[Shape], Cell]] = {
        "Source": lambda shape: shape.source,
        "Texts": lambda shape: shape.n,
        "Median words": lambda shape: number(shape.words, 1),
        "Median sentences": lambda shape: number(shape.sentences, 1),
        "Median headings": lambda shape: number(shape.headings, 1),
        "Median bullets": lambda shape: number(shape.bullets, 1),
        "Form": lambda shape: ", ".join(shape.forms),
        "Texts with telling words": lambda shape: shape.telling,
    }
    passages: Mapping[str, Callable[[Telling], Cell]] = {
        "Words": lambda hit: hit.words,
        "What it is": lambda hit: hit.kind,
        "In": lambda hit: f"{hit.texts} {'text' if hit.texts == 1 else 'texts'}",
        "Where": lambda hit: " | ".join(hit.around),
    }
    title = "How the texts of each source look"
    return (
        tabulated("blinding-shapes", title, found.shapes, looks, found.conclusion),
        tabulated("blinding-words", "Words that may name a source", found.telling, passages),
    )
