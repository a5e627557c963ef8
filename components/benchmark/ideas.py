"""The ideas of a benchmark: found by keyword, model and domain, in order, the best or the worst
first, with each judge's words; what was left out, and why.
"""

from typing import NamedTuple

import streamlit as st

from components.benchmark import idea_card
from components.benchmark.idea_card import CardScene, scene_of
from components.experiments import address as experiment_address
from components.runs.models import called, spoken
from components.shell import in_view, mistakes, services
from components.shell.paging import ROWS, first, skipped
from components.shell.text import counted, inline
from core.benchmark.keywords import find_keywords
from core.importing.benchmarked import entries_of_bench
from core.importing.filing import FilingReport
from core.records import BenchCell, BenchState, Run
from core.store.bench_cells import IdeaOrder

ACCEPTED, EXCLUDED, FAILED = "Accepted", "Excluded", "Failed"
STATES: dict[str, BenchState] = {EXCLUDED: "excluded", FAILED: "failed"}
ORDERED, BEST, WORST = "In order", "Best first", "Worst first"
ORDERS: dict[str, IdeaOrder] = {ORDERED: "keyword", BEST: "best", WORST: "worst"}
FIND, SHOW, ORDER, PAGE = "idea-find", "idea-show", "idea-order", "idea-page"
"""What the address calls them."""
MOST = 500
"""Ideas put into a collection at once."""


class IdeaFilter(NamedTuple):
    """Which ideas are looked at."""

    model: int | None
    among: tuple[int, ...] | None
    """Keywords by number; None is all."""
    order: IdeaOrder

    @property
    def judged(self) -> bool:
        """Whether only ideas that were judged have a place in the order."""
        return self.order != "keyword"


def draw(run: Run) -> None:
    """Draw the ideas of a benchmark, twenty a page; the address says which."""
    scene = scene_of(run)
    if not scene.keywords:
        st.info("No idea yet. They appear here as they come.", icon=":material/hourglass_empty:")
        return
    top = st.container(horizontal=True, vertical_alignment="bottom")
    show = top.segmented_control(
        "Ideas",
        (ACCEPTED, EXCLUDED, FAILED),
        default=ACCEPTED,
        required=True,
        key=SHOW,
        bind="query-params",
        on_change=first,
        args=(PAGE,),
    )
    if show in STATES:
        _lost(scene, STATES[show], _wanted(scene, "keyword"))
        return
    order = top.segmented_control(
        "Order",
        list(ORDERS),
        default=ORDERED,
        required=True,
        key=ORDER,
        bind="query-params",
        on_change=first,
        args=(PAGE,),
    )
    wanted = _wanted(scene, ORDERS[str(order)])
    ideas, judged = _counts(run, wanted)
    total = judged if wanted.judged else ideas
    if not total:
        st.info(_nothing(wanted, ideas), icon=":material/search_off:")
        return
    more = (
        f"; {ideas - judged:,} more are not judged and stand under “{ORDERED}”"
        if wanted.judged and ideas > judged
        else ""
    )
    st.caption(f"{counted(total, 'idea')}{more}.")
    cards, skip = st.container(), skipped(total, PAGE)
    with cards:
        for cell in _find(run, wanted, ROWS, skip):
            idea_card.draw(scene, cell)
    _collect(scene, wanted, total)
    in_view.follow("bench")


def _counts(run: Run, wanted: IdeaFilter) -> tuple[int, int]:
    """Return how many ideas there are and how many of them are judged; where only the first is
    asked for, it is known without looking.
    """
    sums = services.store().benchmarks.sums
    if wanted.among is not None or wanted.judged:
        return sums.accepted(run.id, wanted.model, wanted.among)
    done = {
        model: n
        for (kind, model, state), n in sums.tally(run.id).items()
        if (kind, state) == ("idea", "done")
    }
    return sum(done.values()) if wanted.model is None else done.get(wanted.model, 0), 0


def _wanted(scene: CardScene, order: IdeaOrder) -> IdeaFilter:
    """Draw the filters and return what is looked at."""
    find, model, domain = st.columns(3, vertical_alignment="bottom")
    text = find.text_input(
        "Keyword",
        key=FIND,
        bind="query-params",
        type="search",
        on_change=first,
        args=(PAGE,),
        placeholder="All, or a part of one",
    )
    names = [one.model for one in scene.asked.models]
    who = (
        experiment_address.pick(
            model, "Model", names, "model", scene.run.id, placeholder="All", format_func=called
        )
        if len(names) > 1
        else None
    )
    domains = sorted({one.domain for one in scene.keywords if one.domain})
    field = (
        experiment_address.pick(
            domain, "Domain", domains, "domain", scene.run.id, placeholder="All"
        )
        if len(domains) > 1
        else None
    )
    return IdeaFilter(
        names.index(who) if who else None, _among(scene, (text or "").strip(), field), order
    )


def _among(scene: CardScene, text: str, domain: str | None) -> tuple[int, ...] | None:
    """Return the keywords that hold the text, or that one which is it, in a domain; None where
    nothing is asked for.
    """
    if not text and domain is None:
        return None
    places = find_keywords([one.text for one in scene.keywords], text)
    return tuple(n for n in places if domain in (None, scene.keywords[n].domain))


def _nothing(wanted: IdeaFilter, ideas: int) -> str:
    if wanted.judged and ideas:
        return f"None of {counted(ideas, 'idea')} is judged yet. They stand under “{ORDERED}”."
    if wanted.among == ():
        return "No keyword of this benchmark matches. Remove a filter."
    narrowed = wanted.among is not None or wanted.model is not None
    if narrowed:
        return "No idea here yet. Choose another keyword or model, or come back later."
    return "No idea yet. They appear here as they come."


def _find(run: Run, wanted: IdeaFilter, limit: int, skip: int) -> list[BenchCell]:
    return services.store().benchmarks.ideas(
        run.id, model=wanted.model, order=wanted.order, limit=limit, skip=skip, among=wanted.among
    )


# -- what is not among them --------------------------------------------------------------------


def _lost(scene: CardScene, state: BenchState, wanted: IdeaFilter) -> None:
    """Draw what was left out, or failed, each with its reason; of judgments and comparisons too."""
    store, some = services.store().benchmarks, wanted.model is not None or wanted.among is not None
    total = store.sums.lost(scene.run.id, state, wanted.model, wanted.among)
    if not total:
        here = "Nothing of this" if some else "Nothing"
        st.info(
            f"{here} was left out." if state == "excluded" else f"{here} failed.",
            icon=":material/search_off:" if some else ":material/check_circle:",
        )
        return
    st.caption(
        f"{counted(total, 'idea')} that the protocol leaves out, before anybody judged them:"
        " refused twice, or too long. They count in no score."
        if state == "excluded"
        else (
            f"{counted(total, 'answer')} that could not be used: ideas, judgments and comparisons."
            " They count in no score."
        )
    )
    rows, skip = st.container(), skipped(total, PAGE)
    with rows:
        for cell in store.lost(
            scene.run.id, state, ROWS, skip, model=wanted.model, among=wanted.among
        ):
            _lost_one(scene, cell)


def _lost_one(scene: CardScene, cell: BenchCell) -> None:
    with st.container(border=True, gap="small"):
        what = {
            "idea": f"idea {cell.n}",
            "judge": f"judgment of idea {cell.n} by {spoken(cell.asked)}",
            "fluency": f"comparison of ideas {cell.n} and {cell.m} by {spoken(cell.asked)}",
        }[cell.kind]
        st.markdown(
            f"**{inline(scene.keyword(cell))}** :gray-badge[{spoken(scene.model(cell))}] {what}"
            f" {idea_card.reason(scene, cell)}"
        )
        if cell.text:
            st.markdown(inline(cell.text, 1_500))
        if cell.refusals or cell.state == "failed":
            unfolded = st.expander(
                "Every answer it gave",
                key=f"bench:lost:{cell.id}",
                on_change="rerun",
                type="compact",
            )
            if unfolded.open:
                with unfolded:
                    idea_card.lost(scene, cell)


# -- into a collection -------------------------------------------------------------------------


def _collect(scene: CardScene, wanted: IdeaFilter, total: int) -> None:
    """Draw how these ideas go on to an arena, a ranking or a session: as a collection."""
    with st.expander(
        "Put these ideas into a collection", icon=":material/stacks:", key="bench:collect"
    ):
        left, right = st.columns([1, 3], vertical_alignment="bottom")
        keys = f"bench:collect:n:{min(total, MOST)}", f"bench:collect:name:{scene.run.id}"
        left.number_input(
            "How many, in this order", 1, min(total, MOST), min(total, ROWS), key=keys[0]
        )
        right.text_input(
            "Collection", f"Benchmark: {scene.run.title}"[:150], key=keys[1], max_chars=200
        )
        st.button(
            "Put them in",
            icon=":material/stacks:",
            key="bench:collect:go",
            on_click=_put,
            args=(scene, wanted, *keys),
        )
        mistakes.shown("bench:collect")
        collected(f"bench:collected:{scene.run.id}")


def _put(scene: CardScene, wanted: IdeaFilter, many: str, named: str) -> None:
    """Put the first ideas into a collection; a callback, which takes number and name as they are by
    now.
    """
    run, state = scene.run, st.session_state
    key = f"bench:collected:{run.id}"
    state.pop(key, None)
    with mistakes.kept("bench:collect"):
        ideas = _find(run, wanted, int(state[many]), 0)
        name = str(state[named] or "")
        state[key] = entries_of_bench(services.store(), run.id, ideas, name)


def collected(key: str) -> None:
    """Say what became of ideas that were put into a collection, and draw where it goes from
    here.
    """
    report: FilingReport | None = st.session_state.get(key)
    if report is None:
        return
    there = len(report.known) + len(report.refused)
    st.markdown(
        f":material/check_circle: {counted(len(report.taken), 'idea')} put into"
        f" “{inline(report.collection, 200)}”"
        + (f"; {there:,} were there already." if there else ".")
    )
    with st.container(horizontal=True):
        named = {"collection": report.collection}
        st.page_link(
            "pages/arena.py",
            label="Compare in an arena",
            icon=":material/compare_arrows:",
            query_params=named,
        )
        st.page_link(
            "pages/sessions.py",
            label="Have experts judge them",
            icon=":material/groups:",
            query_params={"view": "new", **named},
        )
        st.page_link("pages/ideas.py", label="Look inside", icon=":material/lightbulb:")
