"""Small benchmarks for tests: what models say, begun runs, and stores filled with settled cells
without asking any model.
"""

import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from core.benchmark import BenchInputs
from core.benchmark.conducting.protocol import comparer_of, judges_of
from core.models.port import Request
from core.records import (
    BENCH_DIMENSIONS,
    Config,
    Entrant,
    Keyword,
    KeywordList,
    Panelist,
    Run,
    digest,
)
from core.runs.runner import Runner
from core.runs.workshop import Workshop
from core.store import Store
from core.store.bench_sums import BIN, Sums
from core.store.benchmarks import lane_of
from tests.conftest import ScriptedModel, Shop
from tests.support.schema_instances import Body

MODELS = ("openai:a", "openai:b")
JUDGES = ("openai:c", "openai:d", "openai:e")
KEYWORDS = ("erosion", "meiosis")
WORDS = (
    "We propose to measure how {keyword} changes when mesh {mark} is bent, in thirty cases and"
    " thirty controls, with one open instrument; whoever finds no change has learnt that the common"
    " account of {keyword} is wrong."
)
Scores = tuple[int, int, int]
Scoring = Callable[[str, str, int, str], Scores]
"""(model, keyword, idea, judge) -> originality, feasibility, clarity."""


# -- what a model says -------------------------------------------------------------------------


def script(asked: Request | Body) -> dict[str, Any] | str:
    """Answer a prompt of the benchmark as a function of the request alone: a request of the model
    port, or the body a loopback server gets.

    A port's request holds a seed, so that two ideas for one keyword differ; a body holds none, so
    that they are the same.
    """
    said = (
        [str(one["content"]) for one in asked["messages"] if one["role"] != "assistant"]
        if isinstance(asked, dict)
        else [asked.standing, asked.text]
    )
    task, mark = said[1], digest(said if isinstance(asked, dict) else [*said, asked.seed])[:8]
    if "<idea>" in task:
        return {
            "analysis": f"The idea is concrete and can be carried out. ({mark})",
            **dict(zip(BENCH_DIMENSIONS, scored(mark), strict=True)),
        }
    if "<first>" in task:
        return "ABCD"[int(mark, 16) % 4]
    found = re.search(r"<keyword>\s*(.*?)\s*</keyword>", task, re.DOTALL)
    return WORDS.format(keyword=found[1] if found else "it", mark=mark)


SCRIPT: dict[str, Callable[[Request], object]] = dict.fromkeys(
    ("bench-idea", "bench-idea-again", "bench-judge", "bench-fluency"), script
)
"""What a ScriptedModel answers a benchmark's prompts with."""


def scored(mark: str) -> Scores:
    """Return three scores drawn from a mark."""
    dice = random.Random(mark)
    return dice.randint(1, 10), dice.randint(1, 10), dice.randint(1, 10)


# -- runs that are worked on -------------------------------------------------------------------


def shop_of(
    folder: Path,
    scripts: Mapping[str, Mapping[str, Callable[[Request], object]]] | None = None,
    models: Sequence[str] = (*MODELS, *JUDGES),
) -> Shop:
    """Return a workshop whose models are scripted; `scripts` maps a model's name to what it says
    otherwise than SCRIPT.

    Its models stand in `shop.named`, each with the `requests` it got.
    """
    return Shop(
        folder,
        {
            name: ScriptedModel(SCRIPT | dict((scripts or {}).get(name, {})), name)
            for name in models
        },
    )


def keyword_list(keywords: Iterable[str | Keyword], name: str = "Test keywords") -> KeywordList:
    """Return a list of keywords; words without a domain have none."""
    return KeywordList(
        name=name,
        keywords=tuple(one if isinstance(one, Keyword) else Keyword(text=one) for one in keywords),
    )


def inputs_of(
    store: Store,
    keywords: Iterable[str | Keyword] = KEYWORDS,
    models: Sequence[str | Entrant] = MODELS,
    judges: Sequence[str | Panelist] = JUDGES,
    ideas: int = 2,
    judges_each: int = 2,
    **more: Any,
) -> BenchInputs:
    """Keep a list of keywords and return inputs that ask all of them."""
    held = keyword_list(keywords)
    given = {
        "topic": "A benchmark",
        "keywords": store.frozen.keep(held),
        "count": len(held.keywords),
        "ideas": ideas,
        "judges_each": judges_each,
        "models": tuple(Entrant(model=one) if isinstance(one, str) else one for one in models),
        "judges": tuple(Panelist(model=one) if isinstance(one, str) else one for one in judges),
    }
    return BenchInputs(**(given | more))


def small(
    shop: Workshop,
    keywords: Iterable[str | Keyword] = KEYWORDS,
    models: Sequence[str | Entrant] = MODELS,
    judges: Sequence[str | Panelist] = JUDGES,
    ideas: int = 2,
    judges_each: int = 2,
    **more: Any,
) -> Run:
    """Begin a small benchmark that is not worked on yet; what inputs or a configuration have (seed,
    cap_usd, cap_tokens, sampling) goes by name.
    """
    from core.runs.beginning import begin

    asked = {"seed": 7} | {
        name: more.pop(name)
        for name in ("seed", "cap_usd", "cap_tokens", "sampling")
        if name in more
    }
    inputs = inputs_of(shop.store, keywords, models, judges, ideas, judges_each, **more)
    return begin(Runner(shop), "bench", inputs, inputs.topic, **asked)


def worked(shop: Workshop, **more: Any) -> Run:
    """Begin a small benchmark, work it to its end, and return its run."""
    run = small(shop, **more)
    Runner(shop).work(run.id)
    return shop.store.runs.get(run.id)


# -- stores that are filled without asking anybody ---------------------------------------------


def by_chance(model: str, keyword: str, n: int, judge: str) -> Scores:
    """Return three scores drawn from what is judged and who judges."""
    return scored(digest([model, keyword, n, judge])[:16])


def fluency_by_chance(model: str, keyword: str, n: int, m: int) -> int:
    return (10, 7, 4, 1)[int(digest([model, keyword, n, m])[:4], 16) % 4]


def words_by_chance(model: str, keyword: str, n: int) -> int:
    return 60 + int(digest([model, keyword, n, "words"])[:4], 16) % 80


def no_thoughts(model: str, keyword: str, n: int) -> int | None:
    """Return how many characters of thoughts an idea came with; None where its reply was not
    measured, as before lengths were kept.
    """
    return 0


def nothing_lost(kind: str, model: str, keyword: str, n: int, m: int) -> str:
    return ""


def settled_store(
    store: Store,
    *,
    models: Sequence[str] = MODELS,
    judges: Sequence[str] = JUDGES,
    keywords: Iterable[str | Keyword] = KEYWORDS,
    ideas: int = 2,
    judges_each: int = 2,
    score: Scoring = by_chance,
    fluency: Callable[[str, str, int, int], int] = fluency_by_chance,
    words: Callable[[str, str, int], int] = words_by_chance,
    lost: Callable[[str, str, str, int, int], str] = nothing_lost,
    thoughts: Callable[[str, str, int], int | None] = no_thoughts,
    left: int = 0,
    state: str = "done",
    seed: int = 7,
    topic: str = "A benchmark",
    **more: Any,
) -> Run:
    """Fill a store with a benchmark that was worked on already, some 20,000 cells a second, and
    return its run. It holds no raw calls.

    `lost(kind, model, keyword, n, m)` says what became of a cell: empty (done), `again` (an idea
    accepted after one refusal), `refused`, `long` (ideas that were excluded), anything else is the
    name of a failure. Of the last `left` keywords nothing is settled yet: their ideas are ready.
    """
    inputs = inputs_of(store, keywords, models, judges, ideas, judges_each, topic=topic, **more)
    named = {
        f"{role}-{k}": name
        for role, names in (("entrant", models), ("judge", judges))
        for k, name in enumerate(names, 1)
    }
    config = Config(
        method="bench",
        version=1,
        inputs=inputs.model_dump(mode="json"),
        models=named,
        source="shelf",
        seed=seed,
        cap_tokens=1_000_000_000,
    )
    at = "2026-01-01T00:00:00.000+00:00"
    run = Run(
        id=digest([topic, seed, inputs.digest()])[:8],
        title=topic,
        state="queued",
        config=config,
        created=at,
        updated=at,
    )
    store.runs.add(run, "nobody|1|1")
    held = list(keyword_list(keywords).keywords)
    _Filling(store, run.id, inputs, seed, score, fluency, words, lost, thoughts).fill(held, left)
    store.connections.write(
        "UPDATE runs SET state = ?, owner = NULL, ended = ? WHERE id = ?",
        state,
        at if state in ("done", "failed") else None,
        run.id,
    )
    return store.runs.get(run.id)


class _Filling:
    """Writes settled cells and their sums: the store's own sums for groups, counts added up here
    for the rest.
    """

    COLUMNS = (
        "run",
        "kind",
        "keyword",
        "model",
        "n",
        "m",
        "asked",
        "lane",
        "state",
        "why",
        "tries",
        "refusals",
        "text",
        "words",
        *BENCH_DIMENSIONS,
        "fluency",
        "proxy",
        "ended",
        "reply_length",
        "thoughts_length",
    )

    def __init__(
        self,
        store: Store,
        run: str,
        inputs: BenchInputs,
        seed: int,
        score: Scoring,
        fluency: Any,
        words: Any,
        lost: Any,
        thoughts: Any,
    ):
        self.store, self.run, self.inputs, self.seed = store, run, inputs, seed
        self.score, self.fluency, self.words, self.lost, self.thoughts = (
            score,
            fluency,
            words,
            lost,
            thoughts,
        )
        self.tally: Counter[tuple[str, int, str]] = Counter()
        self.scores: Counter[tuple[int, str, str, int]] = Counter()
        self.usage: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])

    def fill(self, keywords: Sequence[Keyword], left: int) -> None:
        with self.store.connections.writing() as connection:
            connection.executemany(
                "INSERT INTO bench_keywords VALUES (?,?,?,?,?,?)",
                [
                    (self.run, k, one.text, one.domain, one.confidence, one.by)
                    for k, one in enumerate(keywords)
                ],
            )
            marks = ",".join("?" * len(self.COLUMNS))
            connection.executemany(
                f"INSERT INTO bench_cells ({', '.join(self.COLUMNS)}) VALUES ({marks})",
                self._cells(keywords, len(keywords) - left),
            )
            for k in range(len(keywords) - left):
                for model in range(len(self.inputs.models)):
                    Sums.sum_cells(connection, self.run, model, k)
            self._add_up(connection)

    def _add_up(self, connection: Any) -> None:
        for (kind, model, state), n in self.tally.items():
            Sums.tally_cells(connection, self.run, kind, model, state, n)
        connection.executemany(
            "INSERT INTO bench_scores VALUES (?,?,?,?,?,?)",
            [(self.run, *what, n) for what, n in self.scores.items()],
        )
        connection.executemany(
            "INSERT INTO bench_usage VALUES (?,?,?,?,?,?,?,0,0,?,?,0)",
            [
                (
                    self.run,
                    name,
                    role,
                    calls,
                    accepted,
                    300 * calls,
                    150 * calls,
                    calls,
                    0.5 * calls,
                )
                for (name, role), (calls, accepted) in self.usage.items()
            ],
        )
        calls = sum(calls for calls, _ in self.usage.values())
        connection.execute(
            "INSERT INTO bench_pace VALUES (?, '2026-01-01T00:00', ?, ?)",
            (self.run, calls, 0.5 * calls),
        )
        connection.execute(
            "UPDATE runs SET calls = ?, tokens_in = ?, tokens_out = ?, unpriced = ? WHERE id = ?",
            (calls, 300 * calls, 150 * calls, calls, self.run),
        )

    def _cells(self, keywords: Sequence[Keyword], settled: int) -> Iterable[tuple[object, ...]]:
        # Ideas of all keywords first, as they are laid out.
        accepted: dict[tuple[int, int], list[int]] = defaultdict(list)
        for k, keyword in enumerate(keywords):
            for model, entrant in enumerate(self.inputs.models):
                for n in range(1, self.inputs.ideas + 1):
                    row, done = self._idea(k, keyword.text, model, entrant.model, n, k < settled)
                    yield row
                    if done:
                        accepted[k, model].append(n)
        for (k, model), ns in accepted.items():
            for n in ns if self.inputs.judges else ():
                yield from self._judgments(k, keywords[k].text, model, n)
            for n in ns if self.inputs.judges else ():
                yield from (
                    self._pair(k, keywords[k].text, model, other, n) for other in ns if other < n
                )

    def _row(
        self,
        kind: str,
        k: int,
        model: int,
        n: int,
        m: int,
        asked: str,
        state: str,
        why: str,
        refusals: int,
        text: str,
        words: int | None,
        scores: Sequence[int | None],
        fluency: int | None,
        proxy: float | None,
        thoughts: int | None = None,
    ) -> tuple[object, ...]:
        self.tally[kind, model, state] += 1
        tries = 0 if state == "ready" else 1 + (kind == "idea" and refusals > 0)
        if tries:
            used = self.usage[asked, kind]
            used[0], used[1] = used[0] + tries, used[1] + (state == "done")
        ended = None if state == "ready" else "2026-01-01T00:00:00.000+00:00"
        return (
            self.run,
            kind,
            k,
            model,
            n,
            m,
            asked,
            lane_of(asked),
            state,
            why,
            tries,
            refusals,
            text,
            words,
            *scores,
            fluency,
            proxy,
            ended,
            None if thoughts is None else len(text) + (thoughts + 2 if thoughts else 0),
            thoughts,
        )

    def _idea(
        self, k: int, keyword: str, model: int, name: str, n: int, settled: bool
    ) -> tuple[tuple[object, ...], bool]:
        nothing = (None,) * 3
        if not settled:
            return (
                self._row(
                    "idea", k, model, n, 0, name, "ready", "", 0, "", None, nothing, None, None
                ),
                False,
            )
        became = self.lost("idea", name, keyword, n, 0)
        why = "" if became == "again" else became
        state = "done" if not why else "excluded" if why in ("refused", "long") else "failed"
        count = (
            None
            if state == "failed" or why == "refused"
            else 240
            if why == "long"
            else self.words(name, keyword, n)
        )
        text = (
            "The server did not answer."
            if state == "failed"
            else (
                "I cannot help with that."
                if why == "refused"
                else f"Idea {n} of {name}: "
                + WORDS.format(keyword=keyword, mark=digest([name, keyword, n])[:8])
            )
        )
        if state == "done" and count is not None:
            self.scores[model, "", "words", count // BIN * BIN] += 1
        refusals = {"again": 1, "refused": 2}.get(became, 0)
        thoughts = self.thoughts(name, keyword, n) if state == "done" else None
        return (
            self._row(
                "idea",
                k,
                model,
                n,
                0,
                name,
                state,
                why,
                refusals,
                text,
                count,
                nothing,
                None,
                None,
                thoughts,
            ),
            state == "done",
        )

    def _judgments(self, k: int, keyword: str, model: int, n: int) -> Iterable[tuple[object, ...]]:
        name = self.inputs.models[model].model
        for m, judge in enumerate(judges_of(self.seed, self.inputs, keyword, name, n), 1):
            why = self.lost("judge", name, keyword, n, m)
            scores: Sequence[int | None] = (
                (None,) * 3 if why else self.score(name, keyword, n, judge)
            )
            for what, value in zip(BENCH_DIMENSIONS, scores, strict=True):
                if value is not None:
                    self.scores[model, judge, what, value] += 1
            text = (
                "It gave no usable answer in 4 tries."
                if why
                else f"{judge} says: concrete, and possible to carry out."
            )
            yield self._row(
                "judge",
                k,
                model,
                n,
                m,
                judge,
                "failed" if why else "done",
                why,
                0,
                text,
                None,
                scores,
                None,
                None,
            )

    def _pair(self, k: int, keyword: str, model: int, n: int, m: int) -> tuple[object, ...]:
        name = self.inputs.models[model].model
        judge, why = (
            comparer_of(self.seed, self.inputs, keyword, name, n, m),
            self.lost("fluency", name, keyword, n, m),
        )
        value = None if why else self.fluency(name, keyword, n, m)
        if value is not None:
            self.scores[model, judge, "fluency", value] += 1
        text = (
            "It gave no usable answer in 4 tries."
            if why
            else {10: "A", 7: "B", 4: "C", 1: "D"}[value or 1]
        )
        return self._row(
            "fluency",
            k,
            model,
            n,
            m,
            judge,
            "failed" if why else "done",
            why,
            0,
            text,
            None,
            (None,) * 3,
            value,
            0.08 * (value or 5),
        )


def relabel(store: Store, run: str, labels: dict[int, Keyword]) -> None:
    """Count keywords of a run, by their number, to other domains."""
    store.connections.write_all(
        "UPDATE bench_keywords SET domain = ?, confidence = ?, by = ? WHERE run = ? AND n = ?",
        [(word.domain, word.confidence, word.by, run, n) for n, word in labels.items()],
    )
