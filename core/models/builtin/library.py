"""Everything the built-in model has read: the papers it was handed and its shelf, as passages with
embeddings.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from core.models.builtin.english import (
    clean,
    has_capital_inside,
    last_word,
    singular_forms,
    word_set,
)
from core.models.builtin.passages import (
    PROTOTYPES,
    ROLES,
    PaperSentence,
    Role,
    Vectors,
    body,
    sort_into_roles,
)
from core.models.builtin.phrases import (
    find_names,
    name_of,
    noun_phrases,
    stands_as_noun,
    write_small,
)
from core.records import Paper

REMEMBERED = 2_000
"""How many papers' passages stay in memory; past that the memory starts afresh."""
EMBEDDED = 2_400
"""How many characters of a text its vector stands for: longer than any abstract on the shelf."""
SHORTLIST = 36
"""How many shelf papers, nearest to what is asked, are read sentence by sentence."""
_GENERIC = word_set(
    "study studies review paper papers author authors result results method methods question"
    " questions people participants participant days hours hour work works standard practitioners"
    " group groups day night minutes months weeks year years researchers clinicians change title"
    " example point evidence experiment experiments approach approaches model models system systems"
    " problem problems task tasks students one part parts evaluation finding findings data dataset"
    " datasets benchmark benchmarks step steps analysis number numbers process way ways comparison"
    " comparisons baseline baselines performance input inputs output outputs kind kinds case cases"
    " idea ideas measure measures measurement setting settings research purpose aim role use"
    " questionnaire survey field literature trial trials article conclusion conclusions effect"
    " effects difference differences instrument size sizes amount development concept concepts"
    " context text name range speed sort sorts claim claims"
)


class Vectorizer(Protocol):
    """What turns texts into unit vectors, n x 384."""

    def vectors(self, texts: Sequence[str]) -> Vectors: ...


class PaperShelf(Protocol):
    """A fixed collection of papers."""

    def all(self) -> tuple[Paper, ...]: ...


@dataclass(frozen=True)
class Term:
    """A phrase a paper puts forward, and how near it is to what the passage says (cosine)."""

    text: str
    weight: float


class PassageLibrary:
    """Papers as passages; thread-safe, and remembers what it has read."""

    def __init__(self, embedder: Vectorizer, shelf: PaperShelf):
        self._embedder = embedder
        self._shelf = shelf
        self._read: dict[str, tuple[PaperSentence, ...]] = {}
        self._terms: dict[tuple[str, str, str], list[Term]] = {}
        self._vectors: dict[str, Vectors] = {}
        self._prototypes: Vectors | None = None

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return unit vectors, one row per text; raises EmbeddingFailed."""
        return self._remember([clean(text)[:EMBEDDED] or "nothing" for text in texts])

    def _remember(self, wanted: list[str]) -> Vectors:
        if not wanted:
            return np.zeros((0, 384), np.float32)
        known = self._vectors
        missing = [text for text in dict.fromkeys(wanted) if text not in known]
        if missing:
            vectors = self._embedder.vectors(missing)
            known = {**known, **dict(zip(missing, vectors, strict=True))}
            # A new mapping and not an update: another thread may be reading the old one.
            self._vectors = known if len(known) <= 5 * REMEMBERED else {}
        return np.stack([known[text] for text in wanted])

    def vector(self, text: str) -> Vectors:
        return np.asarray(self.embed([text])[0], dtype=np.float32)

    def cosines(self, texts: Sequence[str], vector: Vectors) -> list[float]:
        """Return the cosine of each text to a vector."""
        return [float(cosine) for cosine in self.embed(texts) @ vector]

    def shelf(self) -> tuple[Paper, ...]:
        return self._shelf.all()

    def abstracts(self, papers: Sequence[Paper]) -> Vectors:
        """Return one vector per paper, of its title and abstract, in the very words a desk ranks
        papers by: such vectors are there already.
        """
        texts = [f"{paper.title}\n{paper.abstract}" for paper in papers]
        return self._remember([text[: 4 * EMBEDDED] for text in texts])

    def nearest(
        self, text: str, papers: Sequence[Paper], most: int = SHORTLIST
    ) -> list[tuple[Paper, float]]:
        """Return the papers nearest in meaning with their cosine, nearest first; equal ones by
        id.
        """
        if not papers:
            return []
        cosines = self.abstracts(papers) @ self.vector(text)
        pairs = zip(papers, map(float, cosines), strict=True)
        return sorted(pairs, key=lambda pair: (-round(pair[1], 4), pair[0].id))[:most]

    def whole_cosine(self, text: str, papers: Sequence[Paper]) -> float | None:
        """Return the cosine of a whole text and the paper nearest to it: the very figure that a
        refinement records; None without papers.
        """
        if not papers:
            return None
        return float((self.abstracts(papers) @ self._remember([text])[0]).max())

    def within_reach(self, text: str, papers: Sequence[Paper]) -> tuple[Paper, ...]:
        """Return `papers` and the shelf papers nearest to `text`, each id once."""
        near = [paper for paper, _ in self.nearest(text, self.shelf())]
        return tuple({paper.id: paper for paper in (*near, *papers)}.values())

    def passages(self, papers: Iterable[Paper]) -> tuple[PaperSentence, ...]:
        """Return all passages of the papers, in order; sentences new to the library are embedded in
        one go.
        """
        known, keys = self._read, []
        missing: dict[str, Paper] = {}
        for paper in papers:
            key = f"{paper.id}\n{hash((paper.title, paper.abstract))}"
            keys.append(key)
            if key not in known:
                missing[key] = paper
        if missing:
            known = {**known, **self._sort(missing)}
            self._read = known if len(known) <= REMEMBERED else {}
        return tuple(passage for key in keys for passage in known[key])

    def _sort(self, papers: dict[str, Paper]) -> dict[str, tuple[PaperSentence, ...]]:
        if self._prototypes is None:
            flat = self.embed([text for role in ROLES for text in PROTOTYPES[role]])
            means = flat.reshape(len(ROLES), -1, flat.shape[1]).mean(axis=1)
            self._prototypes = means / np.linalg.norm(means, axis=1, keepdims=True)
        lines = {key: body(paper) for key, paper in papers.items()}
        vectors = self.embed([line for several in lines.values() for line in several])
        found, start = {}, 0
        for key, paper in papers.items():
            end = start + len(lines[key])
            own = vectors[start:end]
            found[key] = sort_into_roles(paper, lines[key], own, self._prototypes)
            start = end
        return found

    def terms(self, passage: PaperSentence, role: Role) -> list[Term]:
        """Return the phrases that carry a passage's paper in that role, best first; the passage's
        own and the title's come first.
        """
        key = (whole(passage.paper), passage.text, role)
        found = self._terms.get(key)
        if found is None:
            found = self._weigh(passage, role)
            known = self._terms if len(self._terms) <= 4 * REMEMBERED else {}
            self._terms = {**known, key: found}
        return found

    def _weigh(self, passage: PaperSentence, role: Role) -> list[Term]:
        paper = passage.paper
        kept = find_names(paper)
        alike = [other.text for other in self.passages([paper]) if other.role == role]
        title, inside, *rest = (
            [write_small_but(phrase, kept) for phrase in noun_phrases(text)]
            for text in (paper.title, passage.text, *alike)
        )
        others = [phrase for several in rest for phrase in several]
        known = {phrase.lower() for phrase in (*inside, *others)}
        repeated = [phrase for phrase in title if phrase.lower() in known]
        everything = (*inside, *repeated, *others)
        distinct = {phrase.lower(): phrase for phrase in reversed(everything)}
        read = whole(paper)
        phrases = [phrase for phrase in distinct.values() if is_telling(phrase)]
        phrases = [phrase for phrase in phrases if stands_as_noun(phrase, read)] or phrases
        phrases = phrases or [phrase for phrase in title if is_telling(phrase)]
        phrases = phrases or [write_small(clean(paper.title)[:80]) or "the paper"]
        found = []
        for phrase, cosine in zip(phrases, self.cosines(phrases, passage.vector), strict=True):
            weight = cosine + 0.12 * (phrase in inside) + 0.1 * (phrase in title)
            weight += _shape(phrase)
            weight += 0.08 * (everything.count(phrase) > 1)
            found.append(Term(phrase, round(weight, 4)))
        return sorted(found, key=lambda term: (-term.weight, term.text))

    def term(self, passage: PaperSentence, apart_from: str = "") -> str:
        """Return the phrase to call a passage's matter by: the paper's own name for its mechanism,
        else its best phrase.

        A phrase that `apart_from` has already, or that only names who took part, comes last.
        """
        name = name_of(passage.paper)
        if passage.role != "problem" and name:
            return name
        said = apart_from.lower()
        found = self.terms(passage, passage.role)[:12]
        handles = [0.0] * len(found)
        if passage.role == "mechanism":
            handles = [float(handle) for handle in self.handles([term.text for term in found])]
        scored = []
        for term, handle in zip(found, handles, strict=True):
            score = term.weight + 0.6 * handle - 0.5 * (term.text.lower() in said)
            score -= 0.4 * about_beings(term.text)
            scored.append((round(score, 4), term.text))
        return max(scored)[1]

    def handles(self, phrases: Sequence[str]) -> Vectors:
        """Return, per phrase, how much more it sounds like something one can do or build than like
        something one observes (cosines).
        """
        poles = self.embed([_DONE, _SEEN])
        return np.asarray(self.embed(phrases) @ (poles[0] - poles[1]), dtype=np.float32)


_DONE = "a method, technique, programme, treatment or component that somebody applies or builds in"
_SEEN = "a symptom, risk, outcome, population or substance that somebody observes"
_BEFALLS = word_set(
    "pathology failure risk deficit deficiency disorder bias injury jetlag narcolepsy insomnia debt"
    " physiology fatigue rhythm level neuron history activity volume load gene loss deprivation"
    " sleepiness mood cataplexy obesity"
)
_BEINGS = word_set(
    "athlete player patient student pupil adolescent teenager child children people man men woman"
    " women mice mouse rat dog animal monkey volunteer subject sleeper expert human team user"
    " reader reviewer judge scientist"
)


def about_beings(phrase: str) -> bool:
    """Say whether a phrase names who takes part, or what befalls them, and not what is done."""
    return bool(singular_forms(last_word(phrase)) & (_BEINGS | _BEFALLS))


def _shape(phrase: str) -> float:
    """Return how much a phrase gains by its length; two or three words are best."""
    count = len(phrase.split())
    if count in (2, 3):
        return 0.18
    compound = has_capital_inside(phrase) or "-" in phrase[1:]
    return 0.05 if compound or count > 3 else -0.1


def whole(paper: Paper) -> str:
    """Return title and abstract as one text."""
    return clean(f"{paper.title}. {paper.abstract}")


def is_telling(phrase: str) -> bool:
    """Say whether a phrase names something: not only generic words of science."""
    if last_word(phrase) in _GENERIC:
        return False
    return any(len(word) > 3 or word.isupper() for word in phrase.split())


def telling_phrases(text: str) -> list[str]:
    """Return the noun phrases of a text that name something."""
    return [phrase for phrase in noun_phrases(text) if is_telling(phrase)]


def write_small_but(phrase: str, kept: frozenset[str]) -> str:
    """Return a phrase in small letters but for words its paper writes with a capital inside
    sentences.
    """
    return " ".join(word if word in kept else write_small(word) for word in phrase.split())
