"""Whether a session's texts give away where they come from: by their length, by their shape, by
words in them. For the organiser, before it opens.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from statistics import median
from typing import NamedTuple

import numpy as np

from core.errors import BadInput
from core.judging.headed import sections
from core.prompts.wording import worded
from core.records import Design, Idea, ItemKey, Record, StudyUnit, Table, Trajectory, Value
from core.statistics.intervals import Floats
from core.store import Store
from core.studies.effort import spoken
from core.studies.identity import found
from core.studies.setting_up import PreparedDraft
from core.wording.sentences import bullets, sentences

FEATURES = ("words", "sentences", "headings", "bullets")
LEAST = 6
"""Texts that are enough to ask whether a feature tells sources apart, two of each source."""
DOUBT = 0.05
"""Below this chance of so many hits by luck, divided by the number of features, a feature is said
to give sources away.
"""
SHUFFLES = 1_999


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


class Telling(NamedTuple):
    """A passage that may say where a text comes from.

    It is told without the label of its text: who opens the session would know label and source.
    """

    source: str
    kind: str
    words: str
    around: str


class Blinding(NamedTuple):
    shapes: tuple[Shape, ...]
    ratio: float | None
    """The median words of the longest source over those of the shortest; None with fewer than two.
    """
    guesses: tuple[FeatureGuess, ...]
    telling: tuple[Telling, ...]
    conclusion: str


class _Text(NamedTuple):
    label: str
    source: str
    said: str
    form: str
    counts: dict[str, int]


def report(store: Store, study: "str | PreparedDraft") -> Blinding:
    """Return what gives sources away in a draft (by its id), or in what a draft would hold; checks
    of attention are left out.

    Raises BadInput while answers may come: sources are hidden then, from the organiser too, until
    the session is unblinded.
    """
    if isinstance(study, PreparedDraft):
        shas = {one.label: one.sha for one in study.items}
        return _report({one.label: one for one in study.item_keys}, shas, study.texts, study.units)
    held = store.studies.get(study)
    if held.state != "draft" and not held.unblinded:
        raise BadInput(
            "Sources stay hidden while answers may come. Look at the blinding report before the"
            " session opens, or after it is unblinded."
        )
    shas = store.studies.items(study)
    return _report(
        store.study_keys.items(study),
        shas,
        store.frozen.several(tuple(dict.fromkeys(shas.values())), Record),
        store.studies.units(study),
    )


def _report(
    keys: Mapping[str, ItemKey],
    shas: Mapping[str, str],
    texts: Mapping[str, Record],
    units: Sequence[StudyUnit],
) -> Blinding:
    ours = [key for _, key in sorted(keys.items()) if not key.attention]
    called = _called(ours)
    read = [_read(key.label, called[key.label], texts[shas[key.label]]) for key in ours]
    names = {name for key in ours for name in (key.method, key.model) if name}
    topics = {label: unit.topic for unit in units for label in unit.labels}
    hits = {
        one.label: (*found(topics.get(one.label, ""), names), *found(one.said, names))
        for one in read
    }
    # In the order of sources and words: that of the labels would tell them, too.
    telling = tuple(sorted(Telling(one.source, *hit) for one in read for hit in hits[one.label]))
    shapes = _shapes(read, frozenset(label for label in hits if hits[label]))
    guesses = tuple(guess for feature in FEATURES if (guess := _guess(feature, read)))
    words = [one.words for one in shapes]
    ratio = max(words) / min(words) if len(words) > 1 and min(words) else None
    return Blinding(shapes, ratio, guesses, telling, conclusion(shapes, ratio, guesses))


def _called(keys: Sequence[ItemKey]) -> dict[str, str]:
    """Return what each label's source is called: its method, with the model where one method had
    several.
    """
    models: dict[str, set[str]] = defaultdict(set)
    for one in keys:
        models[one.method].add(one.model)
    return {
        one.label: (
            f"{one.method}, {one.model or 'no model'}"
            if len(models[one.method]) > 1
            else one.method or "unnamed"
        )
        for one in keys
    }


def _read(label: str, source: str, text: Record) -> _Text:
    said = spoken(text) if isinstance(text, Idea | Design | Trajectory) else worded(text)
    form = text.form if isinstance(text, Idea) else type(text).__name__.lower()
    counts = {
        "words": len(said.split()),
        "sentences": len(sentences(said)),
        "headings": len(sections(said)),
        "bullets": len(bullets(said)),
    }
    return _Text(label, source, said, form, counts)


def _shapes(read: Sequence[_Text], marked: AbstractSet[str]) -> tuple[Shape, ...]:
    grouped: dict[str, list[_Text]] = defaultdict(list)
    for one in read:
        grouped[one.source].append(one)
    return tuple(
        Shape(
            source=name,
            n=len(group),
            **{
                feature: float(median(one.counts[feature] for one in group)) for feature in FEATURES
            },
            forms=tuple(sorted({one.form for one in group})),
            telling=sum(one.label in marked for one in group),
        )
        for name, group in sorted(grouped.items())
    )


def _guess(feature: str, read: Sequence[_Text]) -> FeatureGuess | None:
    """Return how well a feature tells apart the sources that have two texts or more; None where
    there are too few to ask.
    """
    times = Counter(one.source for one in read)
    sources = sorted(name for name, n in times.items() if n > 1)
    values = np.array(
        [one.counts[feature] for name in sources for one in read if one.source == name]
    )
    sizes = [times[name] for name in sources]
    if len(sources) < 2 or len(values) < LEAST:
        return None
    # Not binomial: where a source has few texts, two hits by luck are half of the accuracy.
    shuffled = np.random.default_rng(0).permuted(np.tile(values, (SHUFFLES, 1)), axis=1)
    accuracy = float(_accuracy(values[None], sizes)[0])
    reached = int((_accuracy(shuffled, sizes) >= accuracy - 1e-9).sum())
    p = (1 + reached) / (1 + SHUFFLES)
    return FeatureGuess(feature, accuracy, 1 / len(sources), len(values), p)


def _accuracy(values: Floats, sizes: Sequence[int]) -> Floats:
    """Return the mean over sources of the share guessed right, a tie counting its part: (deals,),
    from (deals, texts) with texts source by source.
    """
    blocks = np.split(values, np.cumsum(sizes)[:-1], axis=1)
    medians = np.stack([np.median(block, axis=1) for block in blocks], axis=1)
    shares = []
    for at, block in enumerate(blocks):
        away = np.abs(medians[:, None, :] - block[:, :, None])
        away[:, :, at] = np.abs(_others_median(block) - block)
        nearest = away == away.min(axis=2, keepdims=True)
        shares.append((nearest[:, :, at] / nearest.sum(axis=2)).mean(axis=1))
    found: Floats = np.mean(shares, axis=0)
    return found


def _others_median(block: Floats) -> Floats:
    """Return, in place of each value of a row, the median of the row's others: (deals, texts), two
    texts or more.
    """
    ordered = np.sort(block, axis=1)
    n = block.shape[1]
    place = np.argsort(np.argsort(block, axis=1), axis=1)
    lower, upper = (
        np.take_along_axis(ordered, middle + (middle >= place), axis=1)
        for middle in ((n - 2) // 2, (n - 1) // 2)
    )
    medians: Floats = (lower + upper) / 2
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
    common = "Show every text in the common form, or choose texts that are more alike."
    if len({one.forms for one in shapes}) > 1:
        said = "; ".join(f"{one.source}: {', '.join(one.forms)}" for one in shapes[:4])
        return f"The form gives sources away ({said}). {common}"
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
    if sure := [one for one in guesses if one.p < DOUBT / len(guesses)]:
        best = max(sure, key=lambda one: one.accuracy)
        rest = [one.feature for one in sure if one != best]
        also = f", and so does the number of {' and of '.join(rest)}" if rest else ""
        return (
            f"The number of {best.feature} alone tells the source of {best.accuracy:.0%} of the"
            f" texts (by luck {best.chance:.0%}){also}{far}. {common}"
        )
    best = max(guesses, key=lambda one: (one.accuracy, -one.p))
    if best.accuracy >= (1 + best.chance) / 2:
        return (
            f"The number of {best.feature} alone may tell sources apart: it is right for"
            f" {best.accuracy:.0%} (by luck {best.chance:.0%}), and {best.n} texts are too few to"
            f" tell that from luck{far}. {common}"
        )
    words = next(one for one in guesses if one.feature == "words")
    return (
        "Neither length nor shape tells sources apart better than luck would (by length"
        f" {words.accuracy:.0%} right, by luck {words.chance:.0%}){far}."
    )


def tables(found: Blinding) -> tuple[Table, Table]:
    """Return the report as tables: how the texts of each source look, and the passages that may
    name a source.
    """
    shapes = Table(
        name="blinding-shapes",
        title="How the texts of each source look",
        head=(
            "Source",
            "Texts",
            *(f"Median {name}" for name in FEATURES),
            "Form",
            "Texts with telling words",
        ),
        rows=tuple(
            (
                Value(text=one.source),
                Value(mean=one.n, digits=0),
                *(Value(mean=getattr(one, name), digits=1) for name in FEATURES),
                Value(text=", ".join(one.forms)),
                Value(mean=one.telling, digits=0),
            )
            for one in found.shapes
        ),
        note=found.conclusion,
    )
    words = Table(
        name="blinding-words",
        title="Words that may name a source",
        head=("Source", "What it is", "Words", "Where"),
        rows=tuple(tuple(Value(text=part) for part in one) for one in found.telling),
    )
    return shapes, words
