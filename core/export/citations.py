"""What a run's texts cite by author and year: which built-in papers these are, and what is among
no papers of the run.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from core.literature.shelf import on_shelf
from core.literature.venues import is_proceedings
from core.methods.questioning.citing import mentions, surname
from core.normal_forms import normal
from core.records import Evolved, Idea, Outcome, Paper, Round, Run
from core.store import Store
from core.story import Line


def cited_texts(records: Iterable[object]) -> tuple[str, ...]:
    """Return the texts of every version of the ideas, and of what was said of them, each once."""
    return tuple(dict.fromkeys(text for record in records for text in _texts(record)))


def from_built_in(
    store: Store, run: Run, texts: Iterable[str], own: Sequence[Paper]
) -> tuple[Paper, ...]:
    """Return the built-in papers that texts of the built-in model name and that are not among the
    run's `own`; where a name fits several and none of the run's own, all of them. The texts may be
    the run's or taken over from another one.
    """
    if "builtin" not in store.steps.models_in(run):
        return ()
    text = "\n".join(texts)
    settled = {name for paper in own for name in _names(paper)}
    found = []
    for paper in on_shelf():
        names = _names(paper)
        if settled.isdisjoint(names) and any(_stands(name, text) for name in names):
            found.append(paper)
    return tuple(found)


def cited_in(texts: Iterable[str], papers: Iterable[Paper]) -> tuple[Paper, ...]:
    """Return those of the papers that the texts name: by title, by author and year, or as the
    built-in model does.
    """
    whole = "\n".join(texts)
    named = {(_fold(name), year[:4]) for name, year in mentions(whole)}
    return tuple(
        paper
        for paper in papers
        if paper.title in whole
        or any(_stands(name, whole) for name in _names(paper))
        or (paper.authors and (_fold(surname(paper.authors[0])), str(paper.year)) in named)
    )


class BroughtIn(NamedTuple):
    """A paper that is none of the background, and the version of the idea from which it is cited,
    by the text, its review or its verdict.
    """

    paper: Paper
    since: int


def brought_in(
    store: Store, run: Run, line: Line, background: Sequence[Paper]
) -> tuple[BroughtIn, ...]:
    """Return the built-in papers that the built-in model cites in a refinement beyond its
    background, in the order in which they come up.
    """
    if line.first is None:
        return ()
    told = [tuple(_texts(record)) for record in (line.first, *line.rounds)]
    found = from_built_in(store, run, [text for texts in told for text in texts], background)

    def since(paper: Paper) -> int:
        names = _names(paper)
        return next(
            n
            for n, texts in enumerate(told)
            if any(_stands(name, "\n".join(texts)) for name in names)
        )

    return tuple(
        sorted((BroughtIn(paper, since(paper)) for paper in found), key=lambda one: one.since)
    )


def name_version(n: int) -> str:
    """Say where a paper comes up first."""
    return f"first in round {n}" if n else "in the first idea already"


def unmatched(texts: Iterable[str], papers: Iterable[Paper]) -> tuple[str, ...]:
    """Return the works cited, as they stand in the texts, that are none of the papers."""
    known = {key for paper in papers for key in _keys(paper)}
    found: dict[str, None] = {}
    for text in texts:
        for (name, year), written in mentions(text).items():
            if (_fold(name), year[:4]) not in known and not is_proceedings(name):
                found[written] = None
    return tuple(found)


def _texts(record: object) -> Iterator[str]:
    match record:
        case Idea():
            yield from record.fields.values()
        case Evolved() | Outcome():
            yield from record.idea.fields.values()
        case Round():
            yield from record.revision.idea.fields.values()
            if record.base:
                yield from record.base.fields.values()
            if record.review:
                yield record.review.summary
                yield from (remark.text for remark in record.review.remarks)
            if record.verdict:
                yield record.verdict.reason


@lru_cache(maxsize=1024)
def _names(paper: Paper) -> frozenset[str]:
    """Return how the built-in model refers to a paper, year included."""
    # Here, since the built-in model loads numpy, and a list of runs needs neither.
    from core.models.builtin.phrases import cite, cite_authors

    names = cite(paper), cite_authors(paper)
    return frozenset(name for name in names if name.endswith(f"({paper.year})"))


def _stands(name: str, text: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(name)}", text) is not None


def _keys(paper: Paper) -> Iterator[tuple[str, str]]:
    """Yield what a citation of the paper may say: an author or a word of its name, and a year."""
    from core.models.builtin.phrases import cite

    words = {_fold(surname(name)) for name in paper.authors}
    words |= set(map(_fold, re.findall(r"\w[\w-]*", f"{paper.title} {cite(paper)}")))
    years = {str(paper.year or "n.d."), (paper.published or "")[:4]}
    yield from ((word, year) for word in words for year in years if word and year)


def _fold(name: str) -> str:
    """Return a name without capitals and accents, as people type it."""
    plain = normal("NFKD", name.casefold())
    return re.sub(r"['’]s$", "", "".join(filter(_is_base, plain)))


def _is_base(letter: str) -> bool:
    return not unicodedata.combining(letter)
