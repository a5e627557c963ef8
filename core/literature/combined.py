"""Several sources as one: a second choice for when the first fails, or several asked together."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TypeVar

from core.errors import BadInput, FoundryError, SourceFailed
from core.literature.answering import Teller, Waiting
from core.literature.port import Query, Source
from core.literature.ranking import ids_of
from core.records import Mention, Paper, Reference

Papers = tuple[Paper, ...]
T = TypeVar("T")


class Several(Teller):
    """Sources under one name; whoever listens hears them all."""

    sign = ""

    def __init__(self, *sources: Source):
        super().__init__()
        self._sources = sources
        self.name = self.sign.join(source.name for source in sources)
        self.about = " ".join(dict.fromkeys(source.about for source in sources))

    @property
    def parts(self) -> tuple[Source, ...]:
        """The single sources this one is made of, in the order they are asked."""
        return tuple(
            part
            for source in self._sources
            for part in (source.parts if isinstance(source, Several) else (source,))
        )

    @contextmanager
    def telling(self, note: Waiting) -> Iterator[None]:
        """Within this block, on this thread, say through `note` what any of the sources waits for;
        `note` may raise to break off.
        """
        with ExitStack() as stack:
            for source in self._sources:
                stack.enter_context(source.telling(note))
            yield


class SecondChoice(Several):
    """Asks the first source, and the second only where the first fails or cannot look a paper up;
    `last()` then says so.
    """

    sign = "|"

    def __init__(self, first: Source, second: Source):
        super().__init__(first, second)
        self._first, self._second = first, second

    def search(self, query: Query) -> Papers:
        """Return the papers that fit the words, best first; raises BadInput, SourceFailed naming
        both reasons.
        """
        return self._choose(lambda source: source.search(query), SourceFailed)

    def papers(self, ids: tuple[str, ...]) -> Papers:
        """Return the papers with these ids, in this order; those the first does not know are asked
        of the second; raises SourceFailed.
        """
        found = self._choose(lambda source: source.papers(ids), SourceFailed)
        known = {name.lower() for paper in found for name in ids_of(paper)}
        left = tuple(name for name in ids if name.lower() not in known)
        if left and "instead_of" not in self._answering.said:
            try:
                found = merge((found, self._second.papers(left)), len(ids))
            except SourceFailed as error:
                if not found:
                    raise
                self._answering.said |= {"failed": {self._second.name: str(error)}}
        return in_order(found, ids)

    def citations(self, paper: Paper, limit: int, before: str | None = None) -> Papers:
        """Return papers that cite this one; raises BadInput where neither source can look it up,
        SourceFailed naming both reasons.
        """
        return self._choose(
            lambda source: source.citations(paper, limit, before), SourceFailed, BadInput
        )

    def references(self, paper: Paper, limit: int) -> Papers:
        """Return papers that this one cites; raises as `citations` does."""
        return self._choose(lambda source: source.references(paper, limit), SourceFailed, BadInput)

    def cited(self, paper: Paper, limit: int) -> tuple[Reference, ...]:
        """Return papers that this one cites, with what the source that answered knows of how;
        raises as `citations` does.
        """
        return self._choose(lambda source: source.cited(paper, limit), SourceFailed, BadInput)

    def _choose(
        self, ask: Callable[[Source], tuple[T, ...]], *reasons: type[FoundryError]
    ) -> tuple[T, ...]:
        try:
            found = ask(self._first)
        except reasons as error:
            return self._instead(ask, error)
        self._answering.said = {"answered_by": self._first.name, **self._first.last()}
        return found

    def _instead(
        self, ask: Callable[[Source], tuple[T, ...]], because: FoundryError
    ) -> tuple[T, ...]:
        try:
            found = ask(self._second)
        except (SourceFailed, BadInput) as error:
            self._answering.said = {
                "failed": {self._first.name: str(because), self._second.name: str(error)}
            }
            unknown = isinstance(because, BadInput) and isinstance(error, BadInput)
            raise (BadInput if unknown else SourceFailed)(f"{because} {error}") from error
        self._answering.said = {
            "answered_by": self._second.name,
            **self._second.last(),
            "instead_of": self._first.name,
            "because": str(because),
        }
        return found


class Together(Several):
    """Asks every source and merges what they have; goes on when some fail, and says so in
    `last()`.
    """

    sign = "+"

    def search(self, query: Query) -> Papers:
        """Return the papers that fit the words, the first source's before the second's; raises
        BadInput, SourceFailed if all fail.
        """
        return merge(self._ask(lambda source: source.search(query)), query.limit)

    def papers(self, ids: tuple[str, ...]) -> Papers:
        """Return the papers with these ids, in this order; raises SourceFailed if all fail."""
        return in_order(merge(self._ask(lambda source: source.papers(ids)), len(ids)), ids)

    def citations(self, paper: Paper, limit: int, before: str | None = None) -> Papers:
        """Return papers that cite this one; raises BadInput where no source can look it up,
        SourceFailed where none that could answers.
        """
        answers = self._ask(lambda source: source.citations(paper, limit, before))
        every = merge(answers, sum(map(len, answers)))
        if len(every) > limit:
            self._answering.said |= {"more": True}
        return merge(answers, limit)

    def references(self, paper: Paper, limit: int) -> Papers:
        """Return papers that this one cites; raises as `citations` does."""
        return merge(self._ask(lambda source: source.references(paper, limit)), limit)

    def cited(self, paper: Paper, limit: int) -> tuple[Reference, ...]:
        """Return papers that this one cites, each with what the first source that knows anything of
        it says of how; raises as `citations` does.
        """
        answers = self._ask(lambda source: source.cited(paper, limit))
        how = {
            name: reference.how
            for answer in reversed(answers)
            for reference in answer
            if reference.how.known
            for name in reference.paper.names
        }
        papers = tuple(tuple(reference.paper for reference in answer) for answer in answers)
        found = []
        for one in merge(papers, limit):
            known = [how[name] for name in sorted(one.names) if name in how]
            found.append(Reference(paper=one, how=known[0] if known else Mention()))
        return tuple(found)

    def _ask(self, ask: Callable[[Source], tuple[T, ...]]) -> tuple[tuple[T, ...], ...]:
        answers: dict[str, tuple[T, ...]] = {}
        failed: dict[str, str] = {}
        refused: list[BadInput] = []
        for source in self._sources:
            try:
                answers[source.name] = ask(source)
            except SourceFailed as error:
                failed[source.name] = str(error)
            except BadInput as error:
                refused.append(error)
        told = {
            source.name: dict(source.last()) for source in self._sources if source.name in answers
        }
        story: dict[str, object] = {
            "answered_by": [said.get("answered_by", name) for name, said in told.items()]
        }
        instead = next((said for said in told.values() if "instead_of" in said), None)
        if instead:
            story |= {name: instead[name] for name in ("instead_of", "because")}
        story["sources"] = told
        if failed:
            story["failed"] = failed
        if any(said.get("more") for said in told.values()):
            story["more"] = True
        self._answering.said = story
        if not any(answers.values()) and failed:
            # What one source lacks says nothing while another did not answer.
            raise SourceFailed(" ".join(failed.values()))
        if not answers:
            raise refused[0]
        return tuple(answers.values())


def merge(lists: tuple[Papers, ...], limit: int) -> Papers:
    """Return the papers of several lists, list by list and none twice; where there are too many,
    each list gives of its best in turn.

    Of a paper in two lists the earlier list's stays, but one that is cited before one that is only
    near.
    """
    kept: list[tuple[int, int, Paper]] = []
    where: dict[str, int] = {}
    places = [(place, n) for n, papers in enumerate(lists) for place in range(len(papers))]
    for place, n in sorted(places):
        paper = lists[n][place]
        twins = [where[name] for name in paper.names if name in where]
        if twins:
            twin = min(twins)
            other, _, had = kept[twin]
            if (paper.near, n) < (had.near, other):
                kept[twin] = (n, place, paper)
        elif len(kept) < limit:
            twin = len(kept)
            kept.append((n, place, paper))
        else:
            continue
        where |= dict.fromkeys(paper.names, twin)
    kept.sort(key=lambda found: found[:2])
    return tuple(paper for *_, paper in kept)


def in_order(papers: Papers, ids: tuple[str, ...]) -> Papers:
    """Return papers in the order of the ids they were asked for by; one that goes by none of them
    comes last.
    """
    asked = list(map(str.lower, ids))

    def place(paper: Paper) -> int:
        names = set(map(str.lower, ids_of(paper)))
        for n, name in enumerate(asked):
            if name in names:
                return n
        return len(asked)

    return tuple(sorted(papers, key=place))
