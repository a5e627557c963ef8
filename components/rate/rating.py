"""Rating ideas from 1 to 10, one idea at a time; nothing is chosen until a person chooses it. Then
what was said of them, as a chart and a table.
"""

import math
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any, NamedTuple

import streamlit as st

from components.rate.opinions import CRITERIA, Mark, RankedPlace
from components.shell import address, idea_card, in_view, person, services
from components.shell.text import inline
from core.charts.style import error_bars, plain
from core.records import Rating
from core.store.ideas import RatingGiven, Saved

SCALE = tuple(range(1, 11))
NEXT = "rate:next"
NAMELESS = "rate:nameless"
"""Where this window holds what was chosen before there was a name, by idea."""
SEEN = "rate:seen"
"""What a sheet showed as it was handed in."""
BY = "by"
"""Under which the address holds the rater's name, so that a reload finds it again."""


class ScalesSeen(NamedTuple):
    """Whose sheet was on the screen, and what was chosen on it, by criterion."""

    rater: str
    chosen: Mapping[str, int]


def rater() -> str:
    """Draw the rater's name and return it: the one this person is called by everywhere."""
    # Only in a new session: who emptied the box a moment ago has the name in the address yet.
    if person.NAME not in st.session_state:
        person.is_called(" ".join(st.query_params.get(BY, "").split())[:80])
    person.field("rate:name", "Your name (kept with every answer)")
    address.replace(BY, person.given())
    return person.given()


def criteria() -> tuple[str, ...]:
    """Draw the choice of criteria, own ones included."""
    chosen = st.multiselect(
        "Criteria",
        CRITERIA,
        default=CRITERIA,
        key="rate:criteria",
        accept_new_options=True,
        persist_state="session",
        help="Type to add a criterion of your own.",
    )
    return tuple(dict.fromkeys(name.strip()[:80] for name in chosen if name.strip()))


def which(ideas: Sequence[Saved], by_me: frozenset[str]) -> Saved:
    """Draw the way through the set and return the idea to rate now."""
    if len(ideas) == 1:
        return ideas[0]
    numbers = [str(n) for n in range(1, len(ideas) + 1)]
    following = st.session_state.pop(NEXT, None)
    for number, one in zip(numbers, ideas, strict=True):
        if one.id == following:
            st.session_state["rate:at"] = number
    at = st.segmented_control(
        "Idea", numbers, default="1", required=True, key="rate:at", bind="query-params", wrap=True
    )
    done = ", ".join(n for n, one in zip(numbers, ideas, strict=True) if one.id in by_me)
    st.caption(f"Rated by you: {done}" if done else "None rated by you yet")
    return ideas[int(at or "1") - 1]


def sheet(
    saved: Saved, criteria: Sequence[str], rater: str, before: Mapping[str, int]
) -> tuple[Rating, ...] | None:
    """Draw the idea beside its scales and return what was chosen once it is handed in; an empty
    sheet is refused.

    What is chosen is a draft in the store from then on, so that a reload, or another window, finds
    it; before the rater has a name, it is held by this window.
    """
    left, right = st.columns(2, gap="medium")
    with left:
        idea_card.draw(saved.idea, None, "", f"rate:{saved.id}")
    drafted = _drafted(rater, saved.id)
    # A criterion of one's own is forgotten by a reload; what was chosen for it is not.
    own = (name for name in drafted if name not in CRITERIA)
    asked, said = tuple(dict.fromkeys((*criteria, *own))), dict[str, int]()
    with right:
        for name in asked:
            earlier = f" :gray[(you said {before[name]})]" if name in before else ""
            key = scale_key(saved.id, name)
            st.session_state[key] = drafted.get(name)
            score = st.segmented_control(
                inline(name) + earlier,
                SCALE,
                key=key,
                wrap=True,
                on_change=_draft,
                args=(saved.id, name),
            )
            if score is not None:
                said[name] = score
        if not rater:
            st.caption("Write your name at the top first: every number is kept under it at once.")
        else:
            st.caption(
                f"{len(said)} of {len(asked)} chosen. What you choose is kept at once, and"
                " counts when you submit it. You can skip criteria. To change a rating, submit"
                " again: the latest counts."
            )
        if not st.button(
            "Submit",
            type="primary",
            icon=":material/check:",
            key=f"rate:submit:{saved.id}",
            on_click=_saw,
            args=(rater, saved.id, asked),
        ):
            return None
        # Not taken out: a drawing that is broken off is done again, with the same press.
        seen = st.session_state.get(SEEN, ScalesSeen(rater, {}))
        if refusal := _refusal(seen, rater, said):
            st.warning(refusal)
            return None
    return tuple(
        Rating(idea=saved.id, criterion=one, score=score, rater=rater)
        for one, score in seen.chosen.items()
    )


def _saw(rater: str, idea: str, criteria: Sequence[str]) -> None:
    """Keep what the sheet shows as it is handed in; a callback. By the time the page is drawn, the
    draft may be another window's.
    """
    scores = {name: st.session_state[scale_key(idea, name)] for name in criteria}
    chosen = {name: score for name, score in scores.items() if score is not None}
    st.session_state[SEEN] = ScalesSeen(rater, chosen)


def _refusal(seen: ScalesSeen, rater: str, now: Mapping[str, int]) -> str:
    """Say why a sheet that was seen so is not handed in; empty where it is."""
    if not rater:
        return "Write your name at the top first: every answer is kept with its rater."
    # What was chosen before there was a name is this rater's.
    if seen.rater not in ("", rater) or (now and not seen.chosen):
        return "This sheet changed as you submitted it. Look at it again, then submit it."
    if not seen.chosen:
        return "Nothing is chosen yet. Choose a number for at least one criterion."
    return ""


def _drafted(rater: str, idea: str) -> Mapping[str, int | None]:
    """Return what is chosen for an idea so far; what was chosen before there was a name is this
    rater's now.
    """
    nameless: dict[str, int | None] = st.session_state.get(f"{NAMELESS}:{idea}", {})
    if not rater:
        return nameless
    for criterion, score in nameless.items():
        services.store().ideas.draft_rating(rater, idea, criterion, score)
    nameless.clear()
    return services.store().ideas.drafted_ratings(rater, idea)


def _draft(idea: str, criterion: str) -> None:
    """Keep what was chosen on a scale, for whoever the name says by now; a callback."""
    score, rater = st.session_state[scale_key(idea, criterion)], person.given()
    if rater:
        services.store().ideas.draft_rating(rater, idea, criterion, score)
    else:
        st.session_state.setdefault(f"{NAMELESS}:{idea}", {})[criterion] = score


def go_on_to(idea: str) -> None:
    """Open an idea when the set is drawn next, and lead to it: its sheet may be a long one."""
    st.session_state[NEXT] = idea
    in_view.wish("rate:at")


def scale_key(idea: str, criterion: str) -> str:
    """Return the key of a scale."""
    return f"rate:scale:{idea}:{criterion}"


def mine(given: Sequence[RatingGiven], rater: str) -> dict[str, dict[str, int]]:
    """Return what this rater said last, by idea and criterion."""
    said: dict[str, dict[str, int]] = {}
    for one in given:
        if one.rating.rater == rater:
            said.setdefault(one.rating.idea, {})[one.rating.criterion] = one.rating.score
    return said


# -- what came of it ------------------------------------------------------------------------------

CONFIG = {"displaylogo": False, "toImageButtonOptions": {"filename": "ratings", "scale": 2}}
Marks = Mapping[tuple[str, str], Mark]


def chart(marks: Marks, titles: Mapping[str, str], criteria: Sequence[str]) -> None:
    """Draw every rating as a dot and the mean with its 95 % interval, one panel a criterion."""
    st.plotly_chart(figure(marks, titles, criteria), key="rate:chart", config=CONFIG)
    st.caption(
        "Dot: one rater's latest rating, darker where several agree. Diamond: the mean. Bar: its 95"
        " % interval (Student's t, cut at the ends of the scale), where several rated and not all"
        " alike. n: how many rated."
    )
    st.caption(" · ".join(f"**{n}** {inline(title)}" for n, title in enumerate(titles.values(), 1)))


def figure(marks: Marks, titles: Mapping[str, str], criteria: Sequence[str]) -> Any:
    """Return the figure: ideas down, ratings from 1 to 10 across."""
    from plotly.subplots import make_subplots

    names = []
    for n, title in enumerate(titles.values(), 1):
        short = title if len(title) <= 30 else f"{title[:29]}…"
        names.append(plain(f"{n}. {short}"))
    headings = [plain(one) for one in criteria]
    drawn = make_subplots(
        1, len(criteria), shared_yaxes=True, subplot_titles=headings, horizontal_spacing=0.02
    )
    for column, criterion in enumerate(criteria, 1):
        here = [
            (name, mark)
            for name, idea in zip(names, titles, strict=True)
            if (mark := marks.get((idea, criterion)))
        ]
        for trace in _traces(here):
            drawn.add_trace(trace, row=1, col=column)
    drawn.update_xaxes(
        range=[0.5, 10.5], tickvals=[1, 4, 7, 10], showgrid=True, title_text="Rating, 1 to 10"
    )
    drawn.update_yaxes(
        categoryorder="array", categoryarray=names[::-1], range=[-0.6, len(names) - 0.4]
    )
    drawn.update_yaxes(title_text="Idea", row=1, col=1)
    drawn.update_layout(
        title_text="Ratings by idea and criterion",
        height=170 + 58 * len(names),
        margin={"l": 10, "r": 10, "t": 90, "b": 50},
        showlegend=False,
    )
    return drawn


def _traces(here: Sequence[tuple[str, Mark]]) -> tuple[Any, Any]:
    from plotly import graph_objects

    dots = [(name, score) for name, mark in here for score in mark.scores]
    single = graph_objects.Scatter(
        x=[score for _, score in dots],
        y=[name for name, _ in dots],
        mode="markers",
        name="one rating",
        marker={"size": 11, "color": "#4f9bd9", "opacity": 0.6},
        hovertemplate="%{x}<extra></extra>",
    )
    means = graph_objects.Scatter(
        x=[mark.mean for _, mark in here],
        y=[name for name, _ in here],
        mode="markers+text",
        name="mean",
        text=[f"n={len(mark.scores)}" for _, mark in here],
        textposition="top center",
        textfont={"size": 11},
        cliponaxis=False,
        marker={
            "size": 13,
            "symbol": "diamond",
            "color": "#d9822b",
            "line": {"width": 1, "color": "#7a4a12"},
        },
        error_x=error_bars(
            [min(mark.half or 0, 10 - mark.mean) for _, mark in here],
            [min(mark.half or 0, mark.mean - 1) for _, mark in here],
            "#d9822b",
        ),
        hovertemplate="mean %{x:.2f}<extra></extra>",
    )
    return means, single


def table(
    marks: Marks,
    ranked: Mapping[str, tuple[RankedPlace, ...]],
    titles: Mapping[str, str],
    criteria: Sequence[str],
) -> list[dict[str, str]]:
    """Return one row an idea, by how far down it stands on average, those without a place last:
    mean and n by criterion, mean place; what nobody said stays empty.
    """
    rows = []
    shares = {idea: fmean(one.share for one in places) for idea, places in ranked.items()}
    # A third place of three is no third place of nine.
    alike = len({one.of for places in ranked.values() for one in places}) < 2
    heading = "Mean place" if alike else "Mean place (0: first, 1: last)"
    for idea, title in sorted(titles.items(), key=lambda one: shares.get(one[0], math.inf)):
        row = {"Idea": title}
        for criterion in criteria:
            mark = marks.get((idea, criterion))
            row[criterion] = f"{mark.mean:.2f} (n={len(mark.scores)})" if mark else ""
        places = ranked.get(idea, ())
        row[heading] = ""
        if places:
            mean = fmean(one.at for one in places) if alike else shares[idea]
            row[heading] = f"{mean:.2f} (n={len(places)})"
        rows.append(row)
    return rows
