"""Where branches start: distinct anchor papers, all chosen before any branch grows (Chain of Ideas,
section 2.2).
"""

from core.desk import Desk
from core.errors import (
    BadInput,
    EmbeddingFailed,
    FoundryError,
    ModelFailed,
    NothingFound,
    NoUsableAnswer,
    SourceFailed,
)
from core.methods.chain_of_ideas.growth import CANDIDATES, judge_relevance
from core.methods.inputs import ChainInputs
from core.records import Link, Paper, Queries, Relevance

Found = tuple[Paper, ...]
Ranked = tuple[tuple[Paper, float], ...]
LOST = (ModelFailed, SourceFailed, EmbeddingFailed)
"""What a single branch may be lost to, while the others go on."""
RETRIEVED = 5
"""How many retrieved papers stand in for a chain of length 0 (section 4.5)."""


def choose_anchors(desk: Desk, rules: ChainInputs) -> tuple[Link | FoundryError, ...]:
    """Return one anchor per branch, or why that branch has none; raises NothingFound, SourceFailed,
    ModelFailed where no branch can start.
    """
    given = tuple(
        Link(
            paper=paper,
            hop="anchor",
            reason="A person chose it to start from.",
            milestone=rules.is_milestone(paper),
        )
        for paper in rules.anchors[: rules.branches]
    )
    if len(given) == rules.branches:
        return given
    try:
        # With a branch that can grow already, a failing search is lost, not fatal: its failure is
        # recorded.
        pools = retrieve(desk.past(*LOST) if given else desk, rules)
    except (*LOST, NothingFound) as error:
        if not given:
            raise
        return (*given, *[error] * (rules.branches - len(given)))
    return (*given, *pick(desk, rules, pools, given))


def retrieve(desk: Desk, rules: ChainInputs) -> tuple[Ranked, ...]:
    """Return what each query found, all ranked by nearness to the topic; raises NothingFound,
    SourceFailed.
    """
    here = desk.at("anchors")
    answers = search_all(here, rules, here.ask("queries", Queries, topic=rules.topic).queries)
    found = {paper.id: paper for answer in answers for paper in answer}
    ranked = here.rank("ranking", rules.topic, tuple(found.values()))
    return tuple(
        tuple(one for one in ranked if one[0].id in {paper.id for paper in answer})
        for answer in answers
    )


def search_all(desk: Desk, rules: ChainInputs, queries: tuple[str, ...]) -> tuple[Found, ...]:
    """Run every query; a failed one is passed over if another found something; raises NothingFound,
    SourceFailed.
    """

    def one(here: Desk, text: str) -> Found | SourceFailed | BadInput:
        try:
            return here.search("search", rules.query(text))
        except (SourceFailed, BadInput) as error:
            return error

    answers = desk.all(
        *(
            lambda d, n=n, text=text: one(d.at(f"search-{n}"), text)
            for n, text in enumerate(queries, 1)
        )
    )
    failed = [answer for answer in answers if isinstance(answer, SourceFailed | BadInput)]
    found = tuple(
        answer for answer in answers if not isinstance(answer, SourceFailed | BadInput) and answer
    )
    if failed and not found:
        failed[0].steps = tuple(key for error in failed for key in error.steps)
        raise failed[0]
    if not found:
        raise NothingFound(
            f"Nothing was found on this topic ({len(queries)} queries asked, all answered)."
            f" {desk.source.about}"
        )
    return found


def pick(
    desk: Desk, rules: ChainInputs, pools: tuple[Ranked, ...], given: tuple[Link, ...]
) -> tuple[Link | FoundryError, ...]:
    """Give each branch the nearest paper of its own query that no other branch has and that bears
    on the topic, in waves of judgements.
    """
    used, tries = (
        set().union(*(link.paper.names for link in given)),
        dict.fromkeys(range(len(given) + 1, rules.branches + 1), 0),
    )
    chosen: dict[int, Link | FoundryError] = {}
    tried: list[str] = []
    unclear: dict[int, list[NoUsableAnswer]] = {}
    while open_ := [n for n in tries if n not in chosen]:
        offers = {}
        for n in open_:
            offer = next_for(n, pools, used) if tries[n] < CANDIDATES else None
            if offer is None:
                chosen[n] = no_anchor(unclear.get(n, []))
                continue
            offers[n], tries[n] = offer, tries[n] + 1
            used |= offer[0].names
        for n, verdict in judge_all(desk, rules, offers, tries).items():
            paper, score = offers[n]
            tried.append(paper.title)
            if isinstance(verdict, NoUsableAnswer) and desk.edition > 1:
                unclear.setdefault(n, []).append(verdict)
            elif isinstance(verdict, ModelFailed):
                chosen[n] = verdict
            elif verdict.relevant:
                chosen[n] = Link(
                    paper=paper,
                    hop="anchor",
                    score=score,
                    reason=verdict.reason,
                    milestone=rules.is_milestone(paper),
                )
    if not given and all(isinstance(one, NothingFound) for one in chosen.values()):
        found = len({paper.id for pool in pools for paper, _ in pool})
        raise NothingFound(
            f"{found} papers were found, but none of the nearest bears on the topic"
            f" ({'; '.join(tried)}). Word the topic differently, or choose another source."
        )
    return tuple(chosen[n] for n in tries)


def no_anchor(unclear: list[NoUsableAnswer]) -> FoundryError:
    """Return why a branch has no anchor: a failure where one of its candidates could not be
    judged.
    """
    if not unclear:
        return NothingFound(
            "No further paper that was found bears on the topic and is not another branch's anchor."
        )
    error = NoUsableAnswer(
        f"{len(unclear)} of the papers to start from could not be judged, and no other bears on the"
        f" topic. {unclear[-1]}"
    )
    error.steps = tuple(key for one in unclear for key in one.steps)
    return error


def next_for(n: int, pools: tuple[Ranked, ...], used: set[str]) -> tuple[Paper, float] | None:
    """Return the nearest unused paper of the branch's own query, or else of any."""
    own = pools[(n - 1) % len(pools)]
    rest = sorted((one for pool in pools for one in pool), key=lambda one: (-one[1], one[0].id))
    return next((one for one in (*own, *rest) if used.isdisjoint(one[0].names)), None)


def judge_all(
    desk: Desk, rules: ChainInputs, offers: dict[int, tuple[Paper, float]], tries: dict[int, int]
) -> dict[int, Relevance | ModelFailed]:
    """Judge one offer per branch, side by side."""

    def one(here: Desk, paper: Paper) -> Relevance | ModelFailed:
        try:
            return judge_relevance(here, rules.topic, paper)
        except ModelFailed as error:
            return error

    if not offers:
        return {}
    verdicts = desk.all(
        *(
            lambda d, n=n, offer=offer: one(
                d.past(ModelFailed).at(f"branch-{n}/anchor-{tries[n]}"), offer[0]
            )
            for n, offer in offers.items()
        )
    )
    return dict(zip(offers, verdicts, strict=True))


def retrieved(desk: Desk, rules: ChainInputs) -> tuple[Link, ...]:
    """Return the papers nearest to the topic, which stand in for a chain of length 0."""
    best = {paper.id: (paper, score) for pool in retrieve(desk, rules) for paper, score in pool}
    nearest, names = list[tuple[Paper, float]](), set[str]()
    for paper, score in sorted(best.values(), key=lambda one: (-one[1], one[0].id)):
        if len(nearest) < RETRIEVED and names.isdisjoint(paper.names):
            nearest.append((paper, score))
            names |= paper.names
    return tuple(
        Link(paper=paper, hop="retrieved", score=score, reason="Among the nearest to the topic.")
        for paper, score in nearest
    )
