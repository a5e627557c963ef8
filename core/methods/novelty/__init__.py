"""The novelty check: an idea taken apart into claims, searched for in every source at hand, read
against the nearest earlier works, and judged by rule.

    claims -> queries -> searches, all at once -> one hop around the nearest, all at once ->
    readings, all at once -> the verdict, which is code

`check` is the whole of it; each step has a module of its own.
"""

from collections.abc import Iterator

from core.desk import Desk
from core.methods.chain_of_ideas import novelty as quick_form
from core.methods.inputs import NoveltyInputs
from core.methods.novelty.claims import take_apart
from core.methods.novelty.dating import merge
from core.methods.novelty.near import choose_near, nearest_works
from core.methods.novelty.overruling import apply
from core.methods.novelty.reading import read_all
from core.methods.novelty.searching import Sought, follow, search_all, write_queries
from core.methods.novelty.verdict import decide
from core.records import ClaimsVerdict, Draft, Idea, NoveltyCheck, NoveltyMatrix, Overrulings

PROMPTS = (
    "novelty-claims",
    "novelty-claim-queries",
    "novelty-reading",
    "novelty-queries",
    "novelty-verdict",
)
"""The last two are those of the quick form."""
READER = "novelty"
"""The role that reads."""

__all__ = ["PROMPTS", "NoveltyInputs", "apply", "check", "decide"]


def check(desk: Desk, asked: NoveltyInputs) -> Iterator[ClaimsVerdict | NoveltyCheck]:
    """Check whether an idea is new, and yield the verdict; the matrix it rests on is shown at
    `matrix`. Raises NoUsableAnswer where the idea could not be taken apart.
    """
    if asked.depth == "quick":
        yield check_quickly(desk, asked)
        return
    claims, lost = take_apart(desk.at("claims"), asked.idea)
    queries = write_queries(desk.at("queries"), asked, claims)
    found = search_all(desk, asked, queries)
    found = around_nearest(desk, asked, found)
    works = merge(found.hits, asked.dated, desk.edition)
    near = choose_near(desk.at("near"), asked, claims, works)
    linked = [work for work in works if work.linked]
    read, cells = read_all(desk.at("reading"), asked, claims, near.read, READER)
    matrix = NoveltyMatrix(
        dated=asked.dated,
        before=asked.before,
        ban=asked.ban,
        reader=desk.bench.models[READER].name,
        claims=claims,
        lost=lost,
        works=read,
        later=near.later,
        cells=cells,
        looked=found.looked,
        found=len(works),
        bare=sum(not work.paper.abstract for work in works),
        linked=len(linked),
        linked_bare=sum(not work.paper.abstract for work in linked),
        passed_over=near.passed_over,
        passed=near.passed,
    )
    # A person's word on a cell is put in here, by a fork: nothing after it is paid.
    overrulings = desk.at("matrix").settle("overrulings", Overrulings())
    ruled = apply(matrix, overrulings)
    desk.at("matrix").show(ruled)
    desk.uses(tuple(work.paper for work in ruled.works))
    yield decide(ruled)


def around_nearest(desk: Desk, asked: NoveltyInputs, found: Sought) -> Sought:
    """Return what was found with the references and citations of the works nearest to the idea."""
    works = merge(found.hits, asked.dated, desk.edition)
    if not works or not asked.around:
        return found
    nearest = nearest_works(desk.at("around"), asked, works)
    return found.with_more(follow(desk, asked, nearest))


def check_quickly(desk: Desk, asked: NoveltyInputs) -> NoveltyCheck:
    """Check an idea as the novelty loop of a chain does: one call for queries, one for the
    verdict.
    """
    here = desk.at("novelty")
    searches = quick_form.look_for(here, asked, draft_of(asked.idea))
    return quick_form.check_novelty(here, asked.idea, searches, (), 1)


def draft_of(idea: Idea) -> Draft:
    """Return an idea of any form as the sketch that queries are written for."""
    fields = idea.fields
    return Draft(
        motivation=fields.get("motivation") or fields.get("problem") or idea.title,
        novelty=fields.get("novelty") or fields.get("hypothesis") or idea.text,
        method=fields.get("method") or fields.get("objective") or idea.text,
    )
