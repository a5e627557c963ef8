"""A benchmark of ideas from one keyword (LiveIdeaBench): its keywords, who takes part, and its
cells, each one question to one model.
"""

import re
from typing import Annotated, Literal, NamedTuple

from pydantic import Field, field_validator

from core.records.base import Record, Text
from core.records.runs import Call

_NAMED = re.compile(r"keyword-(\d+)/model-(\d+)/(?:idea-(\d+)|ideas-(\d+)-(\d+))(?:/judge-(\d+))?")
BenchKind = Literal["idea", "judge", "fluency"]
BenchState = Literal["ready", "taken", "done", "failed", "excluded"]
"""`failed`: no usable answer came; `excluded`: an answer came and the protocol leaves it out, for
the reason in `why`.
"""
BenchDimension = Literal["originality", "feasibility", "clarity"]
BENCH_DIMENSIONS: tuple[BenchDimension, ...] = ("originality", "feasibility", "clarity")
"""What a judge scores; fluency and flexibility are not scored idea by idea."""
Score = Annotated[int, Field(strict=True, ge=1, le=10)]


class Keyword(Record):
    """A keyword, and the scientific domain it is counted to."""

    text: Annotated[Text, Field(max_length=200)]
    domain: str = ""
    confidence: float | None = None
    """How sure whoever gave the domain was, 0 to 1; None where nobody said."""
    by: Literal["", "published", "file", "meaning", "person"] = ""
    """Who gave the domain: the published labels, a file somebody brought, nearness of meaning, a
    person.
    """


class KeywordList(Record):
    """Keywords as a benchmark takes them, each once."""

    name: Text
    source: str = ""
    keywords: Annotated[tuple[Keyword, ...], Field(min_length=1, max_length=20_000)]

    @field_validator("keywords")
    @classmethod
    def _each_once(cls, given: tuple[Keyword, ...]) -> tuple[Keyword, ...]:
        seen: set[str] = set()
        for keyword in given:
            folded = keyword.text.casefold()
            if folded in seen:
                raise ValueError(f"the keyword {keyword.text!r} is there twice; leave one out")
            seen.add(folded)
        return given


class Entrant(Record):
    """A model that writes ideas."""

    model: Text
    marked: bool = False
    """Whether it reasons in the open and is told to put its idea after the final-answer marker
    (supplementary note 1.4).
    """


class Panelist(Record):
    """A model that judges, with what the panel's rules look at."""

    model: Text
    organisation: str = ""
    base: str = ""
    """The base model; variants that differ in reasoning effort share one."""
    rank: float | None = None
    """Its score in a general ranking, the higher the better; None where it is in none."""


class BenchCell(Record):
    """One question to one model; `keyword` and `model` count from 0 in the benchmark's own order,
    `n` and `m` from 1.
    """

    id: int
    kind: BenchKind
    keyword: int
    model: int
    """Whose idea it is about."""
    n: int
    """The idea; of a pair the first one."""
    m: int = 0
    """The judge's number (`judge`), the second idea of a pair (`fluency`), 0 (`idea`)."""
    asked: str
    """The model that is asked, as `provider:model`."""
    state: BenchState = "ready"
    why: str = ""
    """`refused` or `long` (excluded), the name of the failure (failed)."""
    tries: int = 0
    so_far: tuple[tuple[str, str], ...] = ()
    """Refused replies to this very question, each with the complaint."""
    refusals: int = 0
    """How often the model refused to write an idea: 0, 1 (it was asked again in another framing),
    or 2.
    """
    unmarked: bool = False
    """Whether the final-answer marker was asked for and is missing, so that the whole answer stands
    for the idea.
    """
    text: str = ""
    """The idea; the judge's words; what went wrong."""
    words: int | None = None
    reply_length: int | None = None
    """Of an accepted idea: characters of the whole reply it came in, thoughts included; None for
    those from before this was kept.
    """
    thoughts_length: int | None = None
    """Of these, the characters of its thoughts; the texts stand with the call."""
    judged: int = 0
    """Of an idea: how many judgments it has; its scores are their means."""
    originality: float | None = None
    feasibility: float | None = None
    clarity: float | None = None
    score: float | None = None
    """Of an idea: the mean of its three scores."""
    fluency: int | None = None
    """10, 7, 4 or 1 for the letters A to D."""
    proxy: float | None = None
    """Distance of the two ideas' embeddings, 1 - cosine: a proxy of fluency, computed and not
    judged.
    """

    @property
    def key(self) -> str:
        """The name under which its calls are booked."""
        return key_of(self.kind, self.keyword, self.model, self.n, self.m)


def key_of(kind: str, keyword: int, model: int, n: int, m: int) -> str:
    """Return the name of a cell: `keyword-12/model-3/idea-2/judge-1`,
    `keyword-12/model-3/ideas-1-2`.
    """
    under = f"keyword-{keyword + 1}/model-{model + 1}"
    if kind == "fluency":
        return f"{under}/ideas-{n}-{m}"
    return f"{under}/idea-{n}/judge-{m}" if kind == "judge" else f"{under}/idea-{n}"


def cell_named(key: str) -> tuple[BenchKind, int, int, int, int]:
    """Return kind, keyword, model, n and m of the cell of this name, counted as a cell counts them;
    raises ValueError for the name of none.
    """
    found = _NAMED.fullmatch(key)
    if found is None:
        raise ValueError(f"{key!r} names no cell of a benchmark.")
    keyword, model, idea, first, second, judge = (int(number or 0) for number in found.groups())
    kind: BenchKind = "fluency" if first else "judge" if judge else "idea"
    return kind, keyword - 1, model - 1, first or idea, second or judge


class Settled(Record):
    """What became of a cell that was asked: `again` is a reply that was refused and is asked for
    once more.
    """

    id: int
    state: Literal["done", "failed", "excluded", "again"]
    why: str = ""
    text: str = ""
    words: int | None = None
    reply_length: int | None = None
    thoughts_length: int | None = None
    refusals: int = 0
    unmarked: bool = False
    scores: tuple[Score, Score, Score] | None = None
    """originality, feasibility, clarity"""
    fluency: Literal[1, 4, 7, 10] | None = None
    so_far: tuple[tuple[str, str], ...] = ()
    calls: tuple[Call, ...] = ()


class BenchUsage(Record):
    """What one model took in one role; energy is computed from this."""

    model: str
    role: BenchKind
    calls: int
    accepted: int
    tokens_in: int
    tokens_out: int
    unreported: int
    """An upper guess of the tokens the server did not report."""
    silent: int = 0
    """Calls of which it did not report them; `tokens_in` and `tokens_out` say nothing about these.
    """
    cost: float
    unpriced: int
    """Calls whose price is unknown; `cost` says nothing about them."""
    seconds: float


class GroupSums(NamedTuple):
    """Sums over one model's ideas for one keyword; scores are counted judgment by judgment. Where
    nothing was judged, sums are 0 and so are counts.
    """

    model: int
    keyword: int
    ideas: int
    """Ideas that were accepted."""
    judgments: int
    originality: float
    feasibility: float
    clarity: float
    pairs: int
    fluency: float
    proxies: int
    proxy: float
    refused: int
    """Ideas whose first answer was a refusal."""
    refused_twice: int
    long: int
    failed: int
    """Ideas, judgments and pairs that failed."""
    rated: int
    """Ideas with at least one judgment; the following are sums over them, with w = words, s = mean
    over dimensions and judgments.
    """
    w: float
    ww: float
    s: float
    ss: float
    ws: float


class GroupDetail(Record):
    """Sums over one model's ideas for one keyword that agreement and severity are made from; ideas
    with two judgments or more only, but for `ideas`.

    Lists follow BENCH_DIMENSIONS.
    """

    n: int = 0
    """Judgments."""
    x: tuple[float, ...] = (0, 0, 0)
    xx: tuple[float, ...] = (0, 0, 0)
    within: tuple[float, ...] = (0, 0, 0)
    """Sum over ideas of 2 m SS / (m - 1), m judgments with the sum of squares SS about their mean:
    what Krippendorff's alpha (interval) observes.
    """
    judges: dict[str, tuple[float, float, float, float]] = {}
    """By judge (its model's name): judgments, and per dimension the sum of (its score - mean of the
    other judges' scores of that idea).
    """
    ideas: tuple[tuple[float, float, float, int | None, int | None], ...] = ()
    """Each judged idea's means, and the characters of its whole reply and of the thoughts in it;
    None for those from before this was kept.
    """
