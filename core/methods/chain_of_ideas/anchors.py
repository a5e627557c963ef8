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
    attempt,
    standing_for,
)
from core.methods.chain_of_ideas.growth import CANDIDATES, judge_relevance
from core.methods.chain_of_ideas.offers import names_of
from core.methods.inputs import ChainInputs
from core.records import Link, Paper, Queries, Relevance
from core.wording.numbers import counted

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
    queries = here.ask("queries", Queries, topic=rules.topic).queries
    answers = search_all(here, rules, queries)
    found = {paper.id: paper for answer in answers for paper in answer}
    ranked = here.rank("ranking", rules.topic, tuple(found.values()))
    pools = []
    for answer in answers:
        ids = {paper.id for paper in answer}
        pools.append(tuple(pair for pair in ranked if pair[0].id in ids))
    return tuple(pools)


def search_all(desk: Desk, rules: ChainInputs, queries: tuple[str, ...]) -> tuple[Found, ...]:
    """Run every query; a failed one is passed over if another found something; raises NothingFound,
    SourceFailed.
    """

    def search(here: Desk, text: str) -> Found | FoundryError:
        return attempt((SourceFailed, BadInput), here.search, "search", rules.query(text))

    answers = desk.at_each(search, {f"search-{n}": text for n, text in enumerate(queries, 1)})
    failed = [answer for answer in answers if isinstance(answer, FoundryError)]
    found = tuple(answer for answer in answers if answer and not isinstance(answer, FoundryError))
    if failed and not found:
        raise standing_for(failed)
    if not found:
        raise NothingFound(
            f"Nothing was found on this topic ({counted(len(queries), 'query')} asked, all"
            f" answered). {desk.source.about}"
        )
    return found


def pick(
    desk: Desk, rules: ChainInputs, pools: tuple[Ranked, ...], given: tuple[Link, ...]
) -> tuple[Link | FoundryError, ...]:
    """Give each branch the nearest paper of its own query that no other branch has and that bears
    on the topic, in waves of judgements.
    """
    used = names_of(link.paper for link in given)
    tries = dict.fromkeys(range(len(given) + 1, rules.branches + 1), 0)
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
            offers[n] = offer
            tries[n] += 1
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
    if not given and all(isinstance(end, NothingFound) for end in chosen.values()):
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
    return standing_for(
        unclear,
        NoUsableAnswer(
            f"{len(unclear)} of the papers to start from could not be judged, and no other bears on"
            f" the topic. {unclear[-1]}"
        ),
    )


def next_for(n: int, pools: tuple[Ranked, ...], used: frozenset[str]) -> tuple[Paper, float] | None:
    """Return the nearest unused paper of the branch's own query, or else of any."""
    own = pools[(n - 1) % len(pools)]
    for paper, score in (*own, *nearest_first(pools)):
        if used.isdisjoint(paper.names):
            return paper, score
    return None


def nearest_first(pools: tuple[Ranked, ...]) -> Ranked:
    """Return what all queries found, nearest to the topic first; a paper that several found stands
    there several times.
    """
    pairs = (pair for pool in pools for pair in pool)
    return tuple(sorted(pairs, key=lambda pair: (-pair[1], pair[0].id)))


def judge_all(
    desk: Desk, rules: ChainInputs, offers: dict[int, tuple[Paper, float]], tries: dict[int, int]
) -> dict[int, Relevance | ModelFailed]:
    """Judge one offer per branch, side by side."""

    def judge(here: Desk, paper: Paper) -> Relevance | ModelFailed:
        return attempt((ModelFailed,), judge_relevance, here.past(ModelFailed), rules.topic, paper)

    if not offers:
        return {}
    places = {f"branch-{n}/anchor-{tries[n]}": paper for n, (paper, _) in offers.items()}
    verdicts = desk.at_each(judge, places)
    return dict(zip(offers, verdicts, strict=True))


def retrieve_nearest(desk: Desk, rules: ChainInputs) -> tuple[Link, ...]:
    """Return the papers nearest to the topic, which stand in for a chain of length 0."""
    links, names, reason = list[Link](), frozenset[str](), "Among the nearest to the topic."
    for paper, score in nearest_first(retrieve(desk, rules)):
        if len(links) < RETRIEVED and names.isdisjoint(paper.names):
            links.append(Link(paper=paper, hop="retrieved", score=score, reason=reason))
            names |= paper.names
    return tuple(links)
