"""Rate: ideas from 1 to 10 by criterion, ideas in order, and what came of it."""

import streamlit as st

from components.rate import choosing, opinions, ranking, rating
from components.shell import in_view, services
from components.shell.clicks import do_once
from components.shell.frame import frame
from components.shell.idea_names import picked_ideas, tell_apart
from components.shell.text import counted, inline
from core.records import Rating
from core.store.ideas import Saved

# What the ideas were ranked by in the ranking that was just handed in.
RANKED = "rate:ranked"


def choose() -> None:
    """Pick the set here; it lives in the address."""
    total = services.store().ideas.count()
    if not total:
        st.info(
            "There is no idea to rate yet. Keep one that a run made, or write one of your own.",
            icon=":material/lightbulb:",
        )
        st.page_link("pages/ideas.py", label="Go to Ideas", icon=":material/lightbulb:")
        return
    choosing.draw(total)


def rate(ideas: list[Saved], rater: str) -> None:
    """One sheet at a time."""
    given = services.store().ideas.ratings(tuple(one.id for one in ideas))
    mine = rating.mine(given, rater) if rater else {}
    criteria = rating.criteria()
    if not criteria:
        st.info("Choose at least one criterion.")
        return
    saved = rating.which(ideas, frozenset(mine))
    if said := st.session_state.pop("rate:kept", None):
        st.success(said, icon=":material/check_circle:")
    handed_in = rating.sheet(saved, criteria, rater, mine.get(saved.id, {}))
    in_view.follow("rate")
    if handed_in:
        left = [one for one in ideas if one.id not in {*mine, saved.id}]
        take(saved, handed_in, left)


def take(rated: Saved, ratings: tuple[Rating, ...], left: list[Saved]) -> None:
    """Keep the ratings of an idea, and go on to the first that is left."""
    said = [(one.criterion, one.score, one.rater) for one in ratings]
    do_once("rate:submitted", [rated.id, said], lambda: services.store().ideas.rate(ratings))
    kept = f"Kept: {counted(len(ratings), 'rating')} of “{inline(rated.idea.title, 80)}”."
    if left:
        rating.go_on_to(left[0].id)
        kept += f" {counted(len(left), 'idea')} left."
    st.session_state["rate:kept"] = kept
    st.rerun()


def rank(ideas: list[Saved], rater: str) -> None:
    """The set in order."""
    titles = tell_apart(ideas)
    if len(titles) < 2:
        st.info("Pick at least two ideas to put them in order.")
        return
    texts = {one.id: one.idea for one in ideas}
    handed_in = ranking.board(titles, texts, ranking.criterion(), rater)
    if handed_in:
        services.store().ideas.rank(handed_in)
        ranking.keep(())
        st.session_state[RANKED] = handed_in.criterion
        st.rerun()


def summary(ideas: list[Saved]) -> None:
    """What everybody said, as chart, table and file."""
    if st.session_state.pop("rate:ranking-kept", False):
        st.success(
            "Your ranking is kept, and counts in “Mean place” below. “Rank” begins another.",
            icon=":material/check_circle:",
        )
    store = services.store()
    titles = tell_apart(ideas)
    given, ranked = store.ideas.ratings(tuple(titles)), store.ideas.rankings()
    marks = opinions.marks(given)
    asked = sorted(
        {criterion for _, criterion in marks},
        key=lambda one: (opinions.CRITERIA.index(one) if one in opinions.CRITERIA else 99, one),
    )
    bases = list(
        dict.fromkeys(
            one.criterion
            for one, _ in ranked
            if any(set(titles) & set(group) for group in one.groups)
        )
    )
    if not asked and not bases:
        st.info("Nobody has rated or ranked these ideas yet.", icon=":material/star:")
        return
    if asked:
        rating.chart(marks, titles, asked)
    basis = (
        st.selectbox("Mean place in rankings by", bases, key="rate:basis")
        if bases
        else ranking.WHOLE
    )
    st.dataframe(
        rating.table(marks, opinions.places(ranked, tuple(titles), basis), titles, asked),
        hide_index=True,
        key="rate:table",
    )
    st.caption(
        "The latest rating and ranking of each rater counts here; the file holds all of them. Tied"
        " ideas share the mean of their places."
    )
    st.download_button(
        "All ratings and rankings (CSV)",
        opinions.table(given, ranked, titles),
        "ratings.csv",
        "text/csv",
        key="rate:csv",
        icon=":material/download:",
        on_click="ignore",
    )


with frame("pages/rate.py"):
    choose()
    chosen, gone = picked_ideas()
    if gone:
        st.warning(f"{gone} of the picked ideas are no longer here and are left out.")
    choosing.draw_earlier(unfolded=not chosen)
    if chosen:
        if criterion := st.session_state.pop(RANKED, ""):
            st.session_state[choosing.TAB] = "Summary"
            st.session_state["rate:basis"] = criterion
            st.session_state["rate:ranking-kept"] = True
        name = rating.rater()
        rated, ranked, came_of_it = st.tabs(
            ["Rate", "Rank", "Summary"], key=choosing.TAB, bind="query-params", on_change="rerun"
        )
        with rated:
            if rated.open:
                rate(chosen, name)
        with ranked:
            if ranked.open:
                rank(chosen, name)
        with came_of_it:
            if came_of_it.open:
                summary(chosen)
