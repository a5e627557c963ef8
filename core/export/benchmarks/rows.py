"""A benchmark's records as rows, read and written group by group, so that a sweep of any size takes
no more memory than a small one.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, product
from typing import NamedTuple

from core.benchmark import BenchInputs
from core.benchmark.conducting.wire import whole_reply
from core.benchmark.results.energy import energy
from core.records import BENCH_DIMENSIONS, BenchCell, BenchKind, Call, Keyword, Run, cell_named
from core.store import Store
from core.tables.sheets import rows_as_csv

Rows = Iterable[tuple[object, ...]]
AT_ONCE, READ = 100, 500
"""Rows that are written, and lost cells that are read, at once."""
KINDS: dict[BenchKind, str] = {"idea": "idea", "judge": "judgment", "fluency": "comparison"}
"""What a cell's question asks for."""
WHERE = {"keyword": "What the idea is on.", "model": "Who wrote it, as provider:model."}
SCORES: dict[str, str] = {name: f"{name.capitalize()}, 1 to 10." for name in BENCH_DIMENSIONS}
KEYWORDS = {
    "n": "Place in the order of asking, from 1.",
    "keyword": "The keyword.",
    "domain": "The domain it is counted to now; empty where there is none.",
    "confidence": "How sure whoever gave the domain was, 0 to 1.",
    "by": "Who gave the domain: published labels, file, meaning (of the words), person.",
}
GROUPS: dict[str, str] = {
    **WHERE,
    "domain": "The keyword's domain.",
    "ideas": "Ideas that were accepted.",
    "judgments": "Judgments of them.",
    **{name: f"Mean {name} over judgments." for name in BENCH_DIMENSIONS},
    "pairs": "Pairs of ideas that were compared.",
    "fluency": "Mean over pairs: 10, 7, 4 or 1 for the letters A to D.",
    "proxy": "Mean distance of the ideas' embeddings, 1 - cosine: computed, not judged.",
    "refused": "Ideas whose first answer was a refusal.",
    "refused_twice": "Of these, refused in the other framing too, and left out.",
    "long": "Ideas left out for their length.",
    "failed": "Ideas, judgments and comparisons without a usable answer.",
    "words": "Mean words of the ideas judged.",
}
IDEAS: dict[str, str] = {
    **WHERE,
    "domain": "The keyword's domain.",
    "idea": "Number of the idea, from 1.",
    "text": "The idea.",
    "words": "Its words.",
    "judged": "Its judgments.",
    **{name: f"Mean {name} over its judgments; empty without any." for name in BENCH_DIMENSIONS},
    "score": "Mean of the three.",
    "refusals": "1 where the model refused at first and answered in the other framing.",
    "reply_length": (
        "Characters of the whole reply it came in, thoughts included; empty for ideas from before"
        " this was measured."
    ),
    "thoughts_length": "Of these, characters of thoughts; judges never see them.",
    "unmarked": (
        "yes where the final-answer marker was asked for and is missing, so that the whole answer"
        " stands for the idea."
    ),
}
JUDGMENTS: dict[str, str] = {
    **WHERE,
    "idea": "Number of the idea.",
    "judge": "Who judged it.",
    **SCORES,
    "analysis": "What the judge wrote.",
}
PAIRS = {
    **WHERE,
    "first": "Number of the first idea.",
    "second": "Number of the second.",
    "judge": "Who compared them.",
    "fluency": (
        "10 different ideas and problems, 7 different ideas and similar problems, 4 similar, 1 the"
        " same."
    ),
    "proxy": "Distance of their embeddings, 1 - cosine: computed, not judged.",
}
CALLS = {
    "at": "When it was booked, once its answer had come: UTC, ISO 8601.",
    "kind": "What was asked for: idea, judgment or comparison.",
    **WHERE,
    "idea": "Number of the idea; of a comparison the first.",
    "second": "Of a comparison the second idea.",
    "cell": (
        "The name of the answer it was made for: calls for one answer share it. Answers taken over"
        " from another benchmark have their calls there."
    ),
    "asked": "The model that was asked.",
    "outcome": "accepted; else why the answer was refused, or what went wrong.",
    "tokens_in": "Tokens read, as reported; empty where nobody did.",
    "tokens_out": "Tokens written, as reported.",
    "unreported": "An upper guess of tokens nobody reported.",
    "dollars": "What it cost; empty where the price is unknown.",
    "seconds": "How long it took.",
    "raw": "What was answered, all of it but thoughts; of a refused answer 20,000 characters.",
    "thoughts": "What the model thought before, as far as it was sent.",
    "thoughts_length": "Characters of these.",
    "tokens_thought": "Tokens it thought with, as reported; part of those written.",
    "tokens_cached": (
        "Tokens its server had kept from an earlier call, as reported; part of those read, and"
        " cheaper with most."
    ),
}
LOST = {
    "kind": "idea, judgment or comparison.",
    **WHERE,
    "idea": "Number of the idea; of a comparison the first.",
    "second": "Of a comparison the second idea.",
    "asked": "The model that was asked.",
    "why": "refused or long (left out); else the kind of failure.",
    "said": "What went wrong; of what was left out the answer.",
    "words": "Words of an idea that was left out.",
    "calls": "Calls that were made for it.",
}
USAGE = {
    "model": "Who was asked.",
    "role": "idea, judge, fluency.",
    "calls": "Calls, refused and repeated ones included.",
    "accepted": "Calls whose answer was accepted.",
    "tokens_in": "Tokens read, as reported.",
    "tokens_out": "Tokens written, as reported.",
    "unreported": "An upper guess of tokens nobody reported.",
    "calls_unreported": (
        "Calls of which nobody reported tokens: where it is all, tokens_in and tokens_out are"
        " empty, and else at least so many."
    ),
    "dollars": "Cost of the calls whose price is known.",
    "unpriced": "Calls whose price is unknown.",
    "seconds": "Seconds of all calls together.",
    "kwh_low": "Energy, estimated: lower end, kWh; empty where unknown.",
    "kwh_high": "Upper end.",
    "kgco2eq_low": "Emissions, estimated: lower end, kg CO2eq; empty where unknown.",
    "kgco2eq_high": "Upper end.",
    "energy_model": "The model of EcoLogits whose size the estimate rests on.",
    "energy_note": "What makes the estimate coarse, or why there is none.",
}


FIELDS: dict[str, tuple[str, str]] = {
    "keywords": ("string", "The keyword."),
    "idea_model": ("string", "Who wrote the idea, as provider:model."),
    "critic_model": ("string", "Who judged it."),
    "idea": ("string", "The idea."),
    "raw_critique": (
        "string",
        "The judge's accepted answer as it came; empty where its call is not kept.",
    ),
    "parsed_scores": ("string", "The scores in it, as JSON."),
    "critique_reasoning": (
        "string",
        "What the judge thought before it answered; empty where nothing was sent.",
    ),
    "full_response": (
        "string",
        (
            "The whole reply the idea came in: thoughts, an empty line, the answer; empty where its"
            " call is not kept."
        ),
    ),
    "first_was_rejected": ("boolean", "Whether the model refused at first."),
    "first_reject_response": ("string", "How it refused."),
    "idea_length_in_char": ("int64", "Characters of the idea."),
    "idea_length_in_words": ("int64", "Words of the idea."),
    "originality": ("int64", "Of this judgment, 1 to 10."),
    "feasibility": ("int64", "Of this judgment, 1 to 10."),
    "clarity": ("int64", "Of this judgment, 1 to 10."),
    "fluency": (
        "float64",
        "Mean over the pairs of the model's ideas for the keyword, 1 to 10; empty without any.",
    ),
    "avg": ("float64", "Mean of the four before; empty without fluency."),
    "full_response_length": (
        "int64",
        "Characters of the whole reply; empty for ideas from before it was measured.",
    ),
}
"""Supplementary table S.1 of LiveIdeaBench: a row for every judgment."""
DATASET = {name: f"{kind}: {about}" for name, (kind, about) in FIELDS.items()}


def sheet(columns: Mapping[str, str], rows: Rows) -> Iterator[bytes]:
    """Yield rows as CSV under their columns' names, so many at once; numbers in full, nothing a
    spreadsheet would run, UTF-8.
    """
    yield rows_as_csv([tuple(columns)]).encode()
    words = {True: "yes", False: ""}
    left = iter(rows)
    while some := list(islice(left, AT_ONCE)):
        cells = ([words[one] if isinstance(one, bool) else one for one in row] for row in some)
        yield rows_as_csv(cells).encode("utf-8", "replace")


class Benchmark(NamedTuple):
    """A benchmark's run with what its rows name things by."""

    store: Store
    run: Run
    inputs: BenchInputs
    keywords: list[Keyword]

    @property
    def models(self) -> list[str]:
        """The models that write ideas, in order."""
        return [model.model for model in self.inputs.models]

    def where(self, cell: BenchCell) -> tuple[str, str]:
        """Return what a cell's idea is on, and whose it is."""
        return self.keywords[cell.keyword].text, self.models[cell.model]

    def cells(self, kind: BenchKind) -> Iterator[BenchCell]:
        """Yield what was accepted of one kind, keyword by keyword and model by model."""
        for keyword, model in self.groups():
            for cell in self.store.benchmarks.cells(self.run.id, model, keyword):
                if cell.kind == kind and cell.state == "done":
                    yield cell

    def groups(self) -> Iterator[tuple[int, int]]:
        """Yield keyword and model of each group of answers, keyword by keyword."""
        return product(range(len(self.keywords)), range(len(self.models)))

    def lost(self, state: str) -> Iterator[BenchCell]:
        """Yield the cells that `failed` or were `excluded`, some hundred in memory at a time."""
        skip = 0
        while cells := self.store.benchmarks.lost(self.run.id, state, READ, skip):
            yield from cells
            skip += len(cells)


def keywords(bench: Benchmark) -> Rows:
    """Yield the keywords with their domains."""
    return (
        (n, keyword.text, keyword.domain, keyword.confidence, keyword.by)
        for n, keyword in enumerate(bench.keywords, 1)
    )


def groups(bench: Benchmark) -> Rows:
    """Yield what each model's ideas for each keyword came to."""
    for group in bench.store.benchmarks.sums.groups(bench.run.id):
        keyword = bench.keywords[group.keyword]
        scores = (_mean(getattr(group, name), group.judgments) for name in BENCH_DIMENSIONS)
        yield (
            keyword.text,
            bench.models[group.model],
            keyword.domain,
            group.ideas,
            group.judgments,
            *scores,
            group.pairs,
            _mean(group.fluency, group.pairs),
            _mean(group.proxy, group.proxies),
            group.refused,
            group.refused_twice,
            group.long,
            group.failed,
            _mean(group.w, group.rated),
        )


def ideas(bench: Benchmark) -> Rows:
    """Yield the ideas that were accepted, with their mean scores."""
    for idea in bench.cells("idea"):
        yield (
            *bench.where(idea),
            bench.keywords[idea.keyword].domain,
            idea.n,
            idea.text,
            idea.words,
            idea.judged,
            idea.originality,
            idea.feasibility,
            idea.clarity,
            idea.score,
            idea.refusals,
            idea.reply_length,
            idea.thoughts_length,
            idea.unmarked,
        )


def judgments(bench: Benchmark) -> Rows:
    """Yield every judgment with its judge's words."""
    return (
        (
            *bench.where(judgment),
            judgment.n,
            judgment.asked,
            *map(_whole, (judgment.originality, judgment.feasibility, judgment.clarity)),
            judgment.text,
        )
        for judgment in bench.cells("judge")
    )


def pairs(bench: Benchmark) -> Rows:
    """Yield every pair of ideas that was compared."""
    return (
        (*bench.where(pair), pair.n, pair.m, pair.asked, pair.fluency, pair.proxy)
        for pair in bench.cells("fluency")
    )


def calls(bench: Benchmark) -> Rows:
    """Yield every call that was made, oldest first, refused and repeated ones too, with what was
    answered.
    """
    last = 0
    while tries := bench.store.steps.tries(bench.run.id, last, AT_ONCE):
        last = tries[-1].id
        for attempt in tries:
            kind, keyword, model, n, m = cell_named(attempt.key)
            call = attempt.call
            yield (
                attempt.at,
                KINDS[kind],
                bench.keywords[keyword].text,
                bench.models[model],
                n,
                m if kind == "fluency" else None,
                attempt.key,
                call.model,
                call.outcome,
                call.tokens_in,
                call.tokens_out,
                call.tokens_expected,
                call.cost,
                call.latency,
                call.raw,
                call.thoughts,
                call.thoughts_length,
                call.tokens_thought,
                call.tokens_cached,
            )


def dataset(bench: Benchmark) -> Rows:
    """Yield every judgment with all that belongs to it, as the published data set has it; asked for
    model by model within each keyword.
    """
    fluency = {
        (group.keyword, group.model): _mean(group.fluency, group.pairs)
        for group in bench.store.benchmarks.sums.groups(bench.run.id)
    }
    line = bench.store.benchmarks.line(bench.run.id)
    for group in bench.groups():
        keyword, model = group
        cells = bench.store.benchmarks.cells(bench.run.id, model, keyword)
        done = [cell for cell in cells if cell.state == "done"]
        ideas = {cell.n: cell for cell in done if cell.kind == "idea"}
        judgments = [cell for cell in done if cell.kind == "judge"]
        keys = [cell.key for cell in done if cell.kind != "fluency"]
        calls = bench.store.benchmarks.calls_of(line, keys)
        for judgment in judgments:
            idea = ideas[judgment.n]
            yield (*bench.where(idea), *_judged(judgment, idea, calls, fluency.get(group)))


def _judged(
    judgment: BenchCell,
    idea: BenchCell,
    calls: Mapping[str, Sequence[Call]],
    fluency: float | None,
) -> tuple[object, ...]:
    written, read = (
        next((call for call in calls.get(key, ()) if call.outcome == "accepted"), None)
        for key in (idea.key, judgment.key)
    )
    refusals = (call.raw for call in calls.get(idea.key, ()) if call.outcome != "accepted")
    scores = {name: _whole(getattr(judgment, name)) for name in BENCH_DIMENSIONS}
    four = [score for score in (*scores.values(), fluency) if score is not None]
    return (
        judgment.asked,
        idea.text,
        read.raw if read else "",
        json.dumps(scores),
        read.thoughts if read else "",
        whole_reply(written.thoughts, written.raw) if written else "",
        "true" if idea.refusals else "false",
        next(refusals, "") if idea.refusals else "",
        len(idea.text),
        idea.words,
        *scores.values(),
        fluency,
        sum(four) / 4 if len(four) == 4 else None,
        idea.reply_length,
    )


def lost(bench: Benchmark, state: str) -> Rows:
    """Yield the cells that `failed` or were `excluded`."""
    return (
        (
            KINDS[cell.kind],
            *bench.where(cell),
            cell.n,
            cell.m if cell.kind == "fluency" else None,
            cell.asked,
            cell.why,
            cell.text,
            cell.words,
            cell.tries,
        )
        for cell in bench.lost(state)
    )


def usage(bench: Benchmark) -> Rows:
    """Yield what each model took in each role, with energy and emissions where they can be
    estimated.
    """
    taken = bench.store.benchmarks.sums.usage(bench.run.id)
    for role, spent in zip(taken, energy(taken), strict=True):
        nothing = role.unreported > 0 and not role.tokens_in and not role.tokens_out
        read, written = (None, None) if nothing else (role.tokens_in, role.tokens_out)
        yield (
            role.model,
            role.role,
            role.calls,
            role.accepted,
            read,
            written,
            role.unreported,
            role.silent,
            role.cost,
            role.unpriced,
            round(role.seconds, 3),
            spent.kwh_low,
            spent.kwh_high,
            spent.kg_low,
            spent.kg_high,
            spent.taken_as,
            spent.why,
        )


def _mean(total: float, n: int) -> float | None:
    return total / n if n else None


def _whole(value: float | None) -> int | None:
    return None if value is None else round(value)
