"""The desk gives a method its access to models, literature, journal and its place in the run."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar, overload

from pydantic import BaseModel

from core import prompts
from core.desk.bench import MONTH_CAP, Begun, Bench, Capped, Lane
from core.desk.literature import Literature
from core.desk.threads import side_by_side
from core.errors import (
    CannotAnswer,
    EmbeddingFailed,
    FoundryError,
    NoUsableAnswer,
    RunFailed,
    StepChanged,
    gravest,
)
from core.journal import Answer, StepQuestion
from core.literature.port import Plane, Source
from core.literature.ranking import nearest_in_words
from core.models import LOCAL, asking
from core.models.port import Model, Request
from core.models.schema import schema_of
from core.records import (
    Chain,
    Idea,
    Link,
    Lost,
    Measures,
    Origin,
    Paper,
    Record,
    Wish,
    Worked,
    digest,
)
from core.records import part as words_as_key
from core.store.steps import Product

__all__ = ["MONTH_CAP", "Begun", "Bench", "Capped", "Desk", "Lane"]

T = TypeVar("T", bound=BaseModel)
A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")
D = TypeVar("D")


def _texts(papers: Iterable[Paper]) -> list[str]:
    """Return what papers are compared by."""
    return [f"{paper.title}\n{paper.abstract}" for paper in papers]


def _describe_request(
    model: Model, request: Request, returns: type[BaseModel]
) -> dict[str, object]:
    """Return what a step's hash is made of: everything that is sent, and to whom."""
    asked: dict[str, object] = {
        "model": model.name,
        "prompt": request.prompt,
        "role": request.role,
        "standing": request.standing,
        "text": request.text,
        "schema": schema_of(returns),
        "sampling": request.sampling.model_dump(),
        "seed": request.seed,
    }
    if request.turns:
        asked["turns"] = [list(turn) for turn in request.turns]
    return asked


@dataclass(frozen=True)
class Desk(Literature):
    """One place in a run, and everything that can be done from there."""

    def at(self, name: str) -> "Desk":
        """Return a desk further down, at a place a person would say: `round-4`."""
        return replace(self, place=f"{self.place}/{name}" if self.place else name)

    def beside(self, other: "Desk") -> "Desk":
        """Return this line of work at the place of another desk."""
        return replace(self, place=other.place)

    def asking(self, source: Source) -> "Desk":
        """Return a desk that asks this source, one of the run's, and no other."""
        return replace(self, bench=replace(self.bench, source=source))

    def past(self, *kinds: type[FoundryError]) -> "Desk":
        """Return a desk whose steps record failures of these kinds instead of ending the run."""
        return replace(self, passed=kinds)

    @property
    def edition(self) -> int:
        """Which edition of its method the run follows."""
        return self.bench.config.edition

    def plans(self, role: str) -> bool:
        """Whether whoever plays a role is asked to plan before a first draft: a model that thinks
        by itself is not.
        """
        return self.edition > 1 and self.bench.models[role].name not in self.bench.config.thinking

    # -- asking --------------------------------------------------------------------------------

    def ask(
        self,
        prompt: str,
        returns: type[T],
        *,
        role: str = "main",
        check: Callable[[T], None] | None = None,
        recorded: tuple[type[FoundryError], ...] = (),
        following: tuple[str, str] | None = None,
        **values: object,
    ) -> T:
        """Ask a model once and keep only an answer of the right shape; raises ModelFailed,
        BudgetReached, Stopped.

        `following` makes it a turn of a conversation: the prompt that was put before, filled in
        with the same values, and what was answered to it.
        """
        journal, model = self.bench.journal, self.bench.models[role]
        request = self._request(prompt, returns, role, following, values)
        key = self._key(prompt)

        def fits(reply: object) -> object:
            value = returns.model_validate(reply)
            if check:
                check(value)
            return value.model_dump(mode="json")

        passed = (*recorded, *self.passed)
        question = StepQuestion(
            key, self.lane.next(), _describe_request(model, request, returns), fits, passed
        )
        try:
            reply = journal.step(
                question, lambda: self._answer(key, model, request, returns, check)
            )
        finally:
            self.bench.out.end(self._whole, (self.bench.run.id, key))
        return returns.model_validate(reply)

    @property
    def _whole(self) -> str:
        """The run whose caps this one shares."""
        return self.bench.run.sweep or self.bench.run.id

    def _key(self, name: str) -> str:
        return f"{self.place}/{name}"

    def _request(
        self,
        prompt: str,
        returns: type[BaseModel],
        role: str,
        following: tuple[str, str] | None,
        values: dict[str, object],
    ) -> Request:
        bench, config = self.bench, self.bench.config
        standing, text = prompts.render(bench.prompts[prompt], values)
        seed = digest([config.seed, self._key(prompt)])[:8]
        turns = []
        if following:
            earlier, answered = following
            _, task = prompts.render(bench.prompts[earlier], values)
            turns.append((task, answered))
        return Request(
            prompt=prompt,
            values=values,
            standing=standing,
            text=text,
            schema=returns,
            sampling=config.sampled(prompts.hand(prompt)),
            role=role,
            seed=int(seed, 16),
            turns=tuple(turns),
        )

    def _answer(
        self,
        key: str,
        model: Model,
        request: Request,
        returns: type[T],
        check: Callable[[T], None] | None,
    ) -> Answer:
        if not model.answers(request.prompt):
            raise CannotAnswer(
                f"{model.name} does not answer the prompt {request.prompt!r}. Choose a language"
                f" model for the role {request.role!r} in Settings."
            )
        capped = Capped(model, partial(self._reserve, key, model))
        journal = self.bench.journal
        progress = journal.progress(key)

        def tell(note: str) -> None:
            journal.may_begin()
            progress("", note)

        got = self.bench.out.with_room(
            self._whole,
            (self.bench.run.id, key),
            lambda: asking.answer(capped, request, returns, progress, check),
            tell,
        )
        value, reply = got.value.model_dump(mode="json"), got.reply
        detail = {"model": reply.model, "finish": reply.finish_reason, **(reply.detail or {})}
        if got.left_out:
            detail["left out"] = list(got.left_out)
        if model.provider == "authored":
            return Answer(value, Origin(kind="authored", name=str(detail.get("author", ""))))
        return Answer(value, Origin(kind="model", name=model.name, detail=detail), got.calls)

    def _reserve(self, key: str, model: Model, begun: Begun) -> None:
        if model.provider in ("builtin", "authored", LOCAL):
            return
        bench = self.bench

        def set_aside() -> None:
            cap = bench.store.places.choice(MONTH_CAP)
            bench.store.steps.reserve(
                bench.run.id,
                key,
                begun.cost,
                begun.tokens,
                float(cap) if cap else None,
                bench.epoch,
                model.name,
                begun.calls,
            )

        bench.out.begin(self._whole, (bench.run.id, key), set_aside)

    def spare(self, part: str, work: "Callable[[Desk], A]") -> A | None:
        """Run optional work; None if a model's answer stays unusable, which is recorded and shown
        as the lost `part`.
        """
        try:
            return work(self.past(*self.passed, NoUsableAnswer))
        except NoUsableAnswer as error:
            self.at(f"lost-{words_as_key(part)}").show(Lost(part=part, reason=str(error)))
            return None

    def person(self, name: str, returns: type[T], **shown: object) -> T:
        """Ask a person; raises Waiting until the answer is there."""

        def fits(reply: object) -> object:
            return returns.model_validate(reply, context=shown).model_dump(mode="json")

        request: dict[str, object] = {"ask": name, "shown": shown, "schema": schema_of(returns)}
        question = StepQuestion(self._key(name), self.lane.next(), request, fits)
        return returns.model_validate(self.bench.journal.person(question))

    def settle(self, name: str, record: T) -> T:
        """Settle a record as a step of its own, so that a fork may put a person's in its place; it
        is free.
        """
        kind, made = type(record), record.model_dump(mode="json")

        def fits(reply: object) -> object:
            return kind.model_validate(reply).model_dump(mode="json")

        answer = Answer(made, Origin(kind="computed", name="method"))
        return kind.model_validate(self.step(name, {"settle": digest(made)}, lambda: answer, fits))

    def run(
        self,
        name: str,
        method: str,
        inputs: Record,
        models: dict[str, str],
        title: str,
        needed: bool = False,
    ) -> Worked:
        """Have a run made and worked on to its end, as a step of this one; one that failed is an
        answer too, but tried again where this one is extended, and from where it is forked on.

        Raises BudgetReached, Stopped, Waiting; RunFailed for one that failed and is `needed`.
        """
        key, crew = f"{self.place}/{name}" if self.place else name, self.bench.crew
        config = crew.plan(key, method, inputs, models)

        def answer() -> Answer:
            made = crew.do(key, config, title)
            if needed and made.state == "failed":
                raise RunFailed(made.reason or f"Run {made.run} failed.")
            origin = Origin(kind="computed", name="run", detail={"run": made.run})
            return Answer(made.model_dump(mode="json"), origin)

        asked: dict[str, object] = {
            "run": config.model_dump(mode="json", exclude={"inputs"}),
            "inputs": digest(config.inputs),
        }
        parent = self.bench.run.parent
        earlier = self.bench.store.steps.get(parent, key) if parent else None
        reply = earlier.reply if earlier else None
        worked = isinstance(reply, dict) and reply["state"] == "done"
        question = StepQuestion(key, self.lane.next(), asked)
        inherits = worked or self.bench.journal.settles(question)
        return Worked.model_validate(self.bench.journal.step(question, answer, inherits))

    def wishes(self, line: int = 1, about: str = "") -> tuple[Wish, ...]:
        """Return what people asked of one line of the run up to now; the step is part of the run,
        nothing included. Raises Stopped if somebody asked the run to stop before its next round.

        `about` names what is at hand by its digest: where a branch has another text there, what was
        said of the parent's is not taken over.
        """
        return self.bench.journal.wishes(f"{self.place}/wishes", self.lane.next(), line, about)

    # -- closeness -----------------------------------------------------------------------------

    def nearest(
        self, name: str, text: str, papers: tuple[Paper, ...], keep: int
    ) -> tuple[Paper, ...]:
        """Return so many papers that share most words with `text`, all where there are no more; a
        step, since other words may count one day.
        """
        if len(papers) <= keep:
            return papers
        by_id = {paper.id: paper for paper in papers}

        def answer() -> Answer:
            near = nearest_in_words(text, tuple(by_id.values()), keep)
            return Answer([paper.id for paper in near], Origin(kind="computed", name="words"))

        asked = {
            "nearest": text,
            "keep": keep,
            "papers": digest(sorted([one.id, one.title, one.abstract] for one in by_id.values())),
        }
        return tuple(by_id[paper] for paper in self.step(name, asked, answer))

    def rank(
        self,
        name: str,
        text: str,
        papers: tuple[Paper, ...],
        recorded: tuple[type[FoundryError], ...] = (),
    ) -> tuple[tuple[Paper, float], ...]:
        """Rank papers by the cosine of their embeddings to `text`, nearest first; a step, since
        floats may differ elsewhere.
        """
        by_id, texts = {}, {}
        for paper in sorted(papers, key=lambda paper: paper.id):
            by_id[paper.id] = paper
            texts[paper.id] = digest(paper.title + paper.abstract)[:16]
        asked = {"rank": text, "papers": texts}

        def scores() -> object:
            found = self.bench.embedder.similarities(text, _texts(by_id.values()))
            return sorted(zip(by_id, found, strict=True), key=lambda pair: (-pair[1], pair[0]))

        ranked = self._compute(name, asked, scores, recorded)
        return tuple((by_id[paper], float(score)) for paper, score in ranked)

    def measure(
        self, name: str, idea: Idea, *, first: Idea, previous: Idea, papers: tuple[Paper, ...]
    ) -> Measures:
        """Measure how near an idea is to its first and previous versions and to the nearest paper;
        failure is recorded.
        """
        asked = {
            "measure": idea.text,
            "first": first.text,
            "previous": previous.text,
            "papers": [paper.id for paper in papers],
        }

        def cosines() -> object:
            texts = [first.text, previous.text, *_texts(papers)]
            to_first, to_previous, *near = self.bench.embedder.similarities(idea.text, texts)
            names = [paper.id for paper in papers]
            cosine, nearest = max(zip(near, names, strict=True), default=(None, None))
            return Measures(
                to_first=to_first, to_previous=to_previous, nearest=nearest, to_nearest=cosine
            ).model_dump(mode="json")

        return Measures.model_validate(self._compute(name, asked, cosines, (EmbeddingFailed,)))

    def closeness(self, name: str, texts: tuple[str, ...]) -> tuple[tuple[float, ...], ...]:
        """Return the cosine of the embeddings of every text with every other: n x n, 6 decimals;
        raises EmbeddingFailed, recorded.
        """

        def cosines() -> object:
            return [self.bench.embedder.similarities(text, texts) for text in texts]

        asked = {"closeness": digest(list(texts))}
        found = self._compute(name, asked, cosines, (EmbeddingFailed,))
        return tuple(tuple(map(float, row)) for row in found)

    def plane(self, name: str, texts: tuple[str, ...]) -> Plane:
        """Lay texts out on the two directions in which their embeddings differ most; failure is
        recorded.
        """

        def lay() -> object:
            return self.bench.embedder.plane(texts).model_dump(mode="json")

        asked = {"plane": digest(list(texts))}
        return Plane.model_validate(self._compute(name, asked, lay, (EmbeddingFailed,)))

    def _compute(
        self,
        name: str,
        asked: Mapping[str, object],
        compute: Callable[[], object],
        recorded: tuple[type[FoundryError], ...] = (),
    ) -> Any:
        embedder = self.bench.embedder

        def answer() -> Answer:
            if embedder.state != "ready":
                self.note(name)("loading the embedding model")
            origin = Origin(kind="computed", name="embedding", detail={"model": embedder.name})
            return Answer(compute(), origin)

        asked = {"embedder": "all-MiniLM-L6-v2", **asked}
        return self.step(name, asked, answer, recorded=(*recorded, *self.passed))

    # -- showing, and working side by side -----------------------------------------------------

    def show(self, record: Record) -> None:
        """Publish a record to viewers; raises StepChanged if a replay publishes a different one."""
        product = Product(
            name=self.place,
            kind=type(record).__name__,
            data=record.model_dump(mode="json"),
            place=self.lane.next(),
        )
        run, steps = self.bench.run.id, self.bench.store.steps
        held = steps.show(run, product, self.bench.epoch)
        as_before = record.model_dump(mode="json", exclude=set(record.came_later))
        if held not in (product.data, as_before):
            # A record is no step to fork at; the step it was made from is.
            raise StepChanged(steps.last_before(run, product.place) or self.place)
        if isinstance(record, Link):
            self.uses((record.paper,))
        if isinstance(record, Chain):
            self.uses(record.papers)

    def uses(self, papers: tuple[Paper, ...], *, given: bool = False) -> None:
        """Put papers into the library as ones this run draws on; those it was `given` as its inputs
        describe none anew.
        """
        self.bench.store.library.add_papers(self.bench.run.id, papers, given=given)

    @overload
    def all(self, a: "Callable[[Desk], A]", b: "Callable[[Desk], B]", /) -> tuple[A, B]: ...
    @overload
    def all(
        self, a: "Callable[[Desk], A]", b: "Callable[[Desk], B]", c: "Callable[[Desk], C]", /
    ) -> tuple[A, B, C]: ...
    @overload
    def all(
        self,
        a: "Callable[[Desk], A]",
        b: "Callable[[Desk], B]",
        c: "Callable[[Desk], C]",
        d: "Callable[[Desk], D]",
        /,
    ) -> tuple[A, B, C, D]: ...
    @overload
    def all(self, *branches: "Callable[[Desk], A]") -> tuple[A, ...]: ...
    def all(self, *branches: "Callable[[Desk], Any]") -> tuple[Any, ...]:
        """Run independent branches side by side; all finish and are stored before the gravest
        failure is raised.
        """
        return self.each(branches, len(branches))

    def at_each(self, work: "Callable[[Desk, A], B]", items: Mapping[str, A]) -> tuple[B, ...]:
        """Do the same work on several items side by side, each at the place it is named by."""

        def at_place(here: Desk, place: str, item: A) -> B:
            return work(here.at(place), item)

        return self.all(*(partial(at_place, place=place, item=items[place]) for place in items))

    def each(
        self,
        branches: "Sequence[Callable[[Desk], A]]",
        at_once: int,
        after: Sequence[int | None] = (),
    ) -> tuple[A, ...]:
        """Run branches, so many at once, in their order; what was begun finishes and is stored
        before the gravest failure is raised.

        They are independent, but for those that begin only `after` another one, named by its
        number, is over.
        """
        fork, wide = self.lane.next(), max(3, len(str(len(branches))))
        desks = [replace(self, lane=Lane(f"{fork}.{n:0{wide}d}.")) for n in range(len(branches))]
        work = [partial(branch, desk) for branch, desk in zip(branches, desks, strict=True)]
        self.lane.lent = True
        try:
            futures = side_by_side(work, self.bench.run.id, at_once, after)
        finally:
            self.lane.lent = False
        over = [future.exception() for future in futures if not future.cancelled()]
        if errors := [error for error in over if error]:
            raise gravest(errors)
        return tuple(future.result() for future in futures)
