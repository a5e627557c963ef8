"""How the methods stand, with intervals, models and people beside each other; who beat whom; how
the ratings settled as matches were played; and how far the judges can be trusted: does a verdict
survive the other order, a longer text, a second asking, and another judge?
"""

from collections.abc import Callable, Sequence

import streamlit as st

from components.arena.charts import CONFIG, SIDES, rating_chart, settling_chart, win_chart
from components.arena.figures import Latest, What, latest, line_up
from components.shell import in_view, judge_note
from components.shell.colours import ink
from components.shell.frame import told
from components.shell.table import save_as
from components.shell.text import counted, inline
from core.judging.arena.sheet import RatingsSheet, Trust, VoteStanding
from core.judging.ratings import FEWEST_TOPICS, MOST_REFITTED
from core.records import Run, Table, Value

OPENED = "arena:opened"
BY, TEXTS, METHODS = "by", "Each text", "Methods"
"""The address's word for what is rated, where methods have several texts."""
MANY = f"Intervals are given of {MOST_REFITTED} methods at most: these ratings stand alone."
ENOUGH = 30
"""Matches of one method from which its rating is drawn at once, with an interval or without: a vote
is one by each quality.
"""


def draw(run: Run, who: str, made: RatingsSheet | Trust) -> None:
    """Draw ratings as dots with 95 % intervals, then as tables with Elo beside; a click on a line
    opens its matches.
    """
    if st.session_state.pop(OPENED, False):
        st.rerun()  # The tick has drawn this part of the page alone.
    found = stands(made, who)
    if not found:
        return
    _chart(run, who, found)
    for column, stand in zip(st.columns(len(found), gap="medium"), found, strict=True):
        with column:
            st.markdown(f"##### {SIDES[stand.who][0]}")
            many = len(stand.ratings.rows) > MOST_REFITTED
            few = not many and _too_few(stand)
            if many:
                st.markdown(f":material/help: {MANY}")
            if few:
                st.markdown(f":material/hourglass_empty: {_what_few_say(run)}")
            _table(run, stand)
            _words(stand, without=few or many)
            files(stand.ratings, f"arena:files:{stand.who}")


def _too_few(stand: VoteStanding) -> bool:
    """Whether nobody has an interval, or so many matches that a rating says something without."""
    return all(row[1].low is None and (row[3].mean or 0) < ENOUGH for row in stand.ratings.rows)


def _what_few_say(run: Run) -> str:
    """Say what ratings without an interval show, what they do not, and what to do next."""
    lineup = line_up(run)
    topics = len({seat.topic for seat in lineup.seats}) if lineup else 0
    if topics >= FEWEST_TOPICS:
        return (
            "This is how the votes went so far; whether a lead is more than chance shows once"
            f" {FEWEST_TOPICS} topics have votes. “Votes” has the address to give to people."
        )
    return (
        f"This is how the votes on {counted(topics, 'topic')} went; whether a lead is more than"
        f" chance takes votes on {FEWEST_TOPICS} topics. “Add” takes in ideas on further topics."
    )


def _chart(run: Run, who: str, stands: Sequence[VoteStanding]) -> None:
    st.plotly_chart(rating_chart(stands, ink()), key=f"arena:ratings:{run.id}:{who}", config=CONFIG)
    st.caption(
        "Dot: Bradley-Terry rating, mean 1000; a difference of 400 points is odds of 10 to 1 of"
        " winning a match. Bar: 95 % interval from resampling topics. No bar: too few topics for"
        " one, or too many methods."
    )


def _table(run: Run, stand: VoteStanding) -> None:
    key = f"arena:table:{run.id}:{stand.who}"

    def open_matches() -> None:
        for n in st.session_state[key].selection.rows:
            if n < len(rows):
                st.session_state.update(
                    {"tab": "Matches", "method": rows[n]["Method"], OPENED: True}
                )
                in_view.wish("tab")

    rows = [
        {
            "Method": row[0].text,
            "Rating": round(row[1].mean or 0),
            "95 % interval": row[1].interval or "none",
            "Elo": round(row[2].mean or 0),
            "Matches": int(row[3].mean or 0),
            "Won · lost · tied": " · ".join(value.number for value in row[4:]),
        }
        for row in stand.ratings.rows
    ]
    st.dataframe(
        rows,
        hide_index=True,
        key=key,
        on_select=open_matches,
        selection_mode="single-row",
        height=height(len(rows)),
    )
    st.caption(
        "Tick a line to see its matches. Each quality counts as a match of its own, with a judge's"
        " two orders merged into one. Elo depends on the order of the matches; the rating does not."
    )


def _words(stand: VoteStanding, without: bool) -> None:
    """Say which methods are level; `without` intervals nothing can be said of that."""
    for said in () if without else stand.level:
        st.markdown(f":material/compress: {inline(said, 600)}")
    if not without and not stand.level and len(stand.ratings.rows) > 1:
        st.markdown(":material/expand: Every two methods are separable: no two intervals overlap.")
    st.markdown(f":material/hub: {inline(stand.connected, 400)}")
    if stand.unplayed:
        st.markdown(f":material/block: {inline(stand.unplayed, 600)}")
    if not without and any(row[1].low is None for row in stand.ratings.rows):
        st.markdown(
            ":material/help: Some methods have no interval: it comes from resampling topics, and"
            f" these were seen on fewer than {FEWEST_TOPICS}."
        )


def matrices(run: Run, who: str, made: RatingsSheet | Trust) -> None:
    """Draw who beat whom as a heat map, for models and for people."""
    found = stands(made, who)
    for column, stand in zip(st.columns(len(found) or 1, gap="medium"), found, strict=False):
        with column:
            st.markdown(f"##### {SIDES[stand.who][0]}")
            if not stand.matches.rows:
                st.caption(inline(stand.matches.note, 400))
                continue
            st.plotly_chart(
                win_chart(stand, ink()), key=f"arena:matrix:{run.id}:{stand.who}", config=CONFIG
            )
            st.caption(
                "Share of matches that the row's method won against the column's; a tie counts"
                " half."
            )
            with st.expander("As a table"):
                plain(stand.matches, f"arena:matches:{stand.who}")


def over_time(run: Run, who: str, made: RatingsSheet | Trust) -> None:
    """Draw the ratings after ever more matches, for models and for people."""
    for stand in stands(made, who):
        st.markdown(f"##### {SIDES[stand.who][0]}")
        st.plotly_chart(
            settling_chart(stand, ink()), key=f"arena:course:{run.id}:{stand.who}", config=CONFIG
        )
        with st.expander("As a table"):
            plain(stand.curve, f"arena:curve:{stand.who}")
    st.caption(
        "Bradley-Terry ratings of the first so many matches, in the order they were judged; lines"
        " that have become level say that more matches would change little."
    )


# -- what these views share: figures that may be of some votes ago, tables with their files -------

NONE = {
    "models": "No model has judged here.",
    "people": "No person has voted yet. “Votes” has the address to give to people.",
    "both": "No judgments or votes yet.",
}


def followed(
    run: Run, what: What, criterion: str | None, draw: Callable[[RatingsSheet | Trust], None]
) -> None:
    """Draw figures, those of some votes ago while newer ones are being made beside the page."""
    first = latest(run, what, criterion)

    @st.fragment(run_every=1.0 if first.making else None)
    def drawn() -> None:
        with told():
            now = latest(run, what, criterion) if first.making else first
            if first.making and not now.making:
                st.rerun()
            _as_of(now)
            if now.made:
                draw(now.made)

    drawn()


def _as_of(now: Latest) -> None:
    if now.made is None:
        st.info(
            f"Figures for {counted(now.ballots, 'vote')} are being computed and appear here in a"
            " few seconds.",
            icon=":material/hourglass_top:",
        )
    elif now.making:
        st.caption(
            f":material/sync: As of {now.made.ballots:,} of {counted(now.ballots, 'vote')}; newer"
            " figures are being computed."
        )
    elif now.why:
        st.caption(
            f":material/info: As of {now.made.ballots:,} of {counted(now.ballots, 'vote')}."
            f" {inline(now.why, 600)}"
        )
    else:
        within = ""
        if st.session_state.get(BY) == METHODS:
            within = " One between two texts of the same method says nothing of methods."
        st.caption(f"Of all {counted(now.ballots, 'vote')}.{within}")


def stands(made: RatingsSheet | Trust, who: str) -> tuple[VoteStanding, ...]:
    """Return the sides that are looked at; says so where one has not voted."""
    if not isinstance(made, RatingsSheet):
        return ()
    every = made.methods if st.session_state.get(BY) == METHODS else made.stands
    found = tuple(one for one in every if who in (one.who, "both") and one.ratings.rows)
    if not found:
        st.info(NONE[who], icon=":material/how_to_vote:")
    elif who == "both" and len(found) == 1:
        st.caption(NONE["people" if found[0].who == "models" else "models"])
    return found


def files(table: Table, key: str) -> None:
    """Draw a table's CSV, LaTeX and Markdown."""
    with st.container(horizontal=True):
        save_as(table, key)


def plain(table: Table, key: str) -> None:
    """Draw a table as it is read, with its note and its files."""
    rows = [
        {name: value.said for name, value in zip(table.head, row, strict=True)}
        for row in table.rows
    ]
    st.dataframe(rows, hide_index=True, key=key, height=height(len(rows)))
    if table.note:
        st.caption(inline(table.note, 1_500))
    files(table, key)


def height(rows: int) -> int:
    """Return the height of a table in pixels."""
    return 37 + 35 * min(max(rows, 1), 20)


# -- how far judges can be trusted ----------------------------------------------------------------

MEANS = {
    "Says something else in the other order": (
        "The lower the better: a verdict that changes with the order is about the place, not the"
        " text."
    ),
    "Names the opposite winner": (
        "The part of it in which one order names the one text, and the other order the other."
    ),
    "First wins, above one half": (
        "0 is no preference for a place; above 0 the first text is preferred, below 0 the second."
    ),
    "Longer wins": (
        "50 % is what chance gives. Better methods may write longer texts, so see the odds as well."
    ),
    "Odds of winning at twice the length": (
        "1 is no bias; above 1 a longer text wins more often than its method and place explain."
    ),
    "Says the same again": "The higher the better; needs repeats.",
}


def trust(_: Run, who: str, made: RatingsSheet | Trust) -> None:
    """Draw the health of each judge, then how judges agree with each other and with people."""
    if not isinstance(made, Trust):
        return
    if not made.judges.rows:
        st.info(NONE["both"], icon=":material/how_to_vote:")
        return
    if who != "both":
        st.caption(
            "Judges are always shown all together: what they are held against is each other."
        )
    judge_note.draw(row[0].text for row in made.judges.rows)
    for row in made.judges.rows:
        _judge(made.judges, row)
    st.caption(
        "Every figure with its 95 % interval. First and longer: among votes that name a winner."
    )
    files(made.judges, "arena:judges")
    st.markdown(
        "##### Agreement between judges",
        help=(
            "Over the same pairs, both orders merged. Kappa takes out what chance gives: 0 is"
            " chance, 1 is full agreement."
        ),
    )
    alone = "There is one judge only: agreement takes two, or people's votes."
    none = alone if len(made.judges.rows) < 2 else made.agreement.note
    _agreement(made.agreement, none, "arena:agreement")
    st.markdown("##### Agreement of models with people, by quality")
    _agreement(
        made.people,
        "It needs votes of people on pairs that models judged as well. “Votes” has the address to"
        " give to people.",
        "arena:with-people",
    )


def _judge(table: Table, row: tuple[Value, ...]) -> None:
    judge, votes, *figures = row
    name = "People" if judge.text == "people" else judge.text
    with st.container(border=True):
        st.markdown(f"**{inline(name, 100)}** :gray[{int(votes.mean or 0):,} votes]")
        for name, value in zip(table.head[2:], figures, strict=True):
            figure, words = st.columns([2, 3], gap="small")
            n = f" :gray[n = {value.n:,}]" if value.n is not None else ""
            figure.markdown(f"{name}: **{value.number}** {inline(value.interval)}{n}")
            how = f" ({inline(value.note, 200)})" if value.note else ""
            known = value.mean is not None
            words.caption(inline(MEANS[name]) + how if known else inline(value.note, 300))


def _agreement(table: Table, empty: str, key: str) -> None:
    if not table.rows:
        st.caption(empty)
        return
    plain(table, key)
    if notes := dict.fromkeys(
        value.note for row in table.rows for value in row if value.mean is None and value.note
    ):
        st.caption(" ".join(inline(note, 200) for note in notes))
