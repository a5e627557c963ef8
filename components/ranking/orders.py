"""What a judge said: the order of each repeat, the order it was shown in, and the reason for each
place.
"""

import re
from collections.abc import Mapping
from statistics import fmean
from string import ascii_uppercase

import streamlit as st

from components.shell.text import counted, inline, shown
from core.judging.ranking import TARGET, q_of
from core.records import Standing
from core.statistics.intervals import SHARE
from core.statistics.paired import mean_ci

PUBLISHED = "the published idea"
MEANS = (
    "Q = (place of the published idea - 1) / number of the other ideas: 0 means it is best, 1 that"
    " all others stand before it."
)
Row = dict[str, object]


def called(name: str, names: Mapping[str, str]) -> str:
    """Return what a candidate is called on screen."""
    return PUBLISHED if name == TARGET else names.get(name, name)


def sure(standing: Standing) -> str:
    """Say how sure Q is, from its repeats."""
    with_target = [ranking for ranking in standing.rankings if TARGET in ranking.shown]
    figure = mean_ci(list(map(q_of, with_target)), SHARE, "repeats")
    if figure.low is None or figure.high is None:
        repeats = counted(figure.n, "repeat")
        return f"{repeats}. {figure.note}".strip()
    return f"95 % interval {figure.low:.2f} to {figure.high:.2f}: {figure.how}"


def meaning(q: float) -> str:
    """Say what a Q means in plain words."""
    if q in (0, 1):
        return f"the published idea is {'best' if q == 0 else 'last'} every time"
    return f"on average {100 * q:.0f} % of the other ideas stand before the published one"


def table(standing: Standing, names: Mapping[str, str]) -> list[Row]:
    """Return a row for each repeat: the places best first, and the order it was shown in."""
    rows = []
    for n, ranking in enumerate(standing.rankings, 1):
        row: Row = {"Repeat": n}
        if TARGET in ranking.shown:
            row["Q"] = round(q_of(ranking), 3)
        labels = []
        for letter, name in zip(ascii_uppercase, ranking.shown, strict=False):
            number = re.match(r"(?:idea )?(\d+)\b", name)
            short = number[1] if number else name
            labels.append(f"{letter} {'published' if name == TARGET else short}")
        row["Shown as"] = ", ".join(labels)
        for place, name in enumerate(ranking.best_first, 1):
            row[f"Place {place}"] = called(name, names)
        rows.append(row)
    return rows


def mean_places(standing: Standing) -> dict[str, float]:
    """Return the mean place of every candidate over the repeats, best first."""
    if not standing.rankings:
        return {}
    orders = [ranking.best_first for ranking in standing.rankings]
    names = sorted(standing.rankings[0].shown)
    means = {name: fmean(order.index(name) + 1 for order in orders) for name in names}
    return dict(sorted(means.items(), key=lambda item: item[1]))


def say_place(standing: Standing, mean: float) -> str:
    """Say a mean place as such; of a single order it is a place."""
    return f"place {mean:.0f}" if len(standing.rankings) == 1 else f"mean place {mean:.1f}"


def draw(standing: Standing, names: Mapping[str, str], key: str) -> None:
    """Draw the orders of one judge by one quality, and the reasons candidate by candidate."""
    if standing.reason:
        st.warning(inline(standing.reason, 600))
    st.dataframe(table(standing, names), hide_index=True, key=f"{key}:orders")
    for name, place in mean_places(standing).items():
        mark = ":material/adjust: " if name == TARGET else ""
        with st.expander(
            f"{mark}{inline(called(name, names), 110)} :gray[{say_place(standing, place)}]",
            key=f"{key}:why:{name}",
        ):
            for n, one in enumerate(standing.rankings, 1):
                at = one.best_first.index(name)
                st.markdown(
                    f"**Repeat {n}, place {at + 1}:**"
                    f" {shown(one.reasons[at]) or ':gray[no reason given]'}"
                )
