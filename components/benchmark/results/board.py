"""The leaderboard of a benchmark, and what each model pays in feasibility for originality;
published results may be shown beside, and never in between. Then its averages against a general
ranking that somebody brings.
"""

from typing import Any

import streamlit as st

from components.benchmark.form.panel import taking_out
from components.benchmark.results.found import figures, standing
from components.benchmark.results.parts import chart, files, name_missing, rows, table
from components.runs import export as run_export
from components.shell import mistakes
from components.shell.colours import ink
from components.shell.text import inline
from core.benchmark.figures import against as figures_against
from core.benchmark.figures import board as figures_board
from core.benchmark.figures.drawing import clear
from core.benchmark.results import tables
from core.benchmark.results.board import Board
from core.benchmark.results.findings import BenchFindings
from core.benchmark.results.generality import Against, against
from core.importing.rankings import general_ranking
from core.records import NOTHING, Panelist, Run, Table, Value

ORDER = {name: name.capitalize() for name in tables.SHOWN}
BESIDE = (
    "Published results are those of LiveIdeaBench's paper (March 2025): other judges, other days,"
    " and prompts that are not word by word the same. They have ranks of their own; a model that"
    " stands in both is not the same measurement twice."
)
STANDING = (
    "Dot: the figure over all keywords; bar: 95 % interval from resampling keywords (none under 10"
    " keywords)."
)
PARETO = (
    "Further up and to the right is better. Size: fluency; colour: flexibility; width of the edge:"
    " clarity. Dotted is the Pareto front: no model is better than one on it in both. {} Point at a"
    " mark for its name and figures."
)
INTERVAL, TIES = "95 % interval", "Not told apart from"
WHOLE = "Every interval, and who is not told apart from whom"
WIDTHS = {
    "Rank": 48,
    "Tied": 64,
    "Weights": 66,
    "Average": 68,
    INTERVAL: 98,
    tables.KEYWORDS: 76,
    "Flexibility": 80,
    "Originality": 80,
    "Clarity": 66,
    "Feasibility": 80,
    "Fluency": 66,
}
"""Pixels of the columns beside that of the models, which takes the rest of SCREEN."""
SCREEN = 908
"""Pixels a screen of 1,280 leaves beside the menu."""
COUNTED = (
    "Keywords with all five figures, over which the average is taken. Under 10 there is no"
    " interval: they are too few."
)
TOO_FEW = "too few"
ALL, FRONT = "Names are drawn where there is room.", "Named are the models on the front."


def leaderboard(run: Run, found: BenchFindings) -> None:
    """Draw the table of all six figures, then one of them as dots."""
    key, file = f"bench:{run.id}", run_export.named(run)
    st.markdown("##### Leaderboard")
    draw_ranking(tables.board(found.board), f"{key}:leaderboard", file)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        there = [name for name in ORDER if figures_board.rank_rows(found.board, name)] or list(
            ORDER
        )
        by = st.selectbox(
            "Figure",
            there,
            key=f"{key}:by",
            format_func=ORDER.__getitem__,
            persist_state="session",
            width=200,
        )
        beside = _beside(run)
    made = standing(found, by, ink(), beside)
    name_missing(made.missing)
    for one in made.drawn:
        chart(one, key, file, f"{STANDING} {BESIDE if beside else ''}", tabled=beside)


def draw_ranking(held: Table, key: str, file: str) -> None:
    """Draw a leaderboard so that it fits beside the menu on a small screen, and all that is in its
    files unfolded below.
    """
    st.dataframe(
        narrow(held),
        hide_index=True,
        key=f"{key}:narrow",
        height="content",
        column_config=_columns(held),
        placeholder=NOTHING,
        alt="The leaderboard, best first.",
    )
    if held.note:
        st.caption(inline(held.note, 2_000))
    with st.expander(WHOLE if TIES in held.head else "Every interval", key=f"{key}:whole"):
        st.dataframe(
            rows(held),
            hide_index=True,
            key=f"{key}:rows",
            height="content",
            placeholder=NOTHING,
            alt="The leaderboard with every interval.",
            column_config={
                "Model": st.column_config.TextColumn(pinned=True),
                "Rank": st.column_config.Column(pinned=True, width=60),
            },
        )
    files(held, key, file)


def _columns(held: Table) -> dict[str, Any]:
    columns = st.column_config
    rest = SCREEN - sum(WIDTHS[name] for name in WIDTHS if name in (*held.head, INTERVAL))
    of_words = ("Tied", "Weights", INTERVAL)
    words = {name: columns.TextColumn(width=WIDTHS[name]) for name in of_words}
    figures = {
        name: columns.NumberColumn(width=WIDTHS[name], format="%.2f") for name in ORDER.values()
    }
    return {
        "Rank": columns.NumberColumn(width=WIDTHS["Rank"], pinned=True),
        "Model": columns.TextColumn(width=rest, pinned=True),
        tables.KEYWORDS: columns.NumberColumn(width=WIDTHS[tables.KEYWORDS], help=COUNTED),
        **words,
        **figures,
    }


def narrow(held: Table) -> list[dict[str, object]]:
    """Return the rows of a leaderboard with the interval of the average alone, and without
    providers where names are clear without.
    """
    each = [dict(zip(held.head, row, strict=True)) for row in held.rows]
    names = clear([cells["Model"].text for cells in each])
    return [_narrow(cells, name) for cells, name in zip(each, names, strict=True)]


def _narrow(cells: dict[str, Value], model: str) -> dict[str, object]:
    words: dict[str, object] = {
        "Model": model,
        **{name: cells[name].number for name in ("Tied", "Weights") if name in cells},
    }
    figures = {name: cells[name].mean for name in ORDER.values()}
    found = cells["Average"]
    average: dict[str, object] = {
        "Average": figures.pop("Average"),
        INTERVAL: found.interval or (TOO_FEW if found.mean is not None else None),
    }
    if keywords := cells.get(tables.KEYWORDS):
        average[tables.KEYWORDS] = None if keywords.mean is None else int(keywords.mean)
    return {"Rank": cells["Rank"].mean, **words, **average, **figures}


def trade_off(run: Run, found: BenchFindings) -> None:
    """Draw originality against feasibility with the Pareto front."""
    beside = _beside(run)
    words = f"{explain_marks(found.board)} {BESIDE if beside else ''}"
    for one in figures(found, "trade-off", ink(), beside):
        chart(one, f"bench:{run.id}", run_export.named(run), words)


def explain_marks(board: Board) -> str:
    """Say what the marks of the trade-off mean."""
    return PARETO.format(ALL if len(board.rows) <= figures_board.FEW else FRONT)


def _beside(run: Run) -> bool:
    return st.toggle(
        "Show published results beside", key=f"bench:{run.id}:beside", persist_state="session"
    )


# -- against a general ranking that somebody brings -----------------------------------------------


def general(run: Run, found: BenchFindings) -> None:
    """Draw the place to bring a ranking to, and averages against it."""
    against_ranking(found.board, f"bench:{run.id}", run_export.named(run))


def against_ranking(board: Board, key: str, file: str) -> None:
    """Draw a board against a ranking that is brought here, and kept for this visit."""
    ranking = _ask_for_ranking(f"{key}:general")
    if not ranking:
        return
    made = against(board, ranking)
    if one := figures_against.against(made, ink()):
        chart(one, key, file, _word(made))
    else:
        st.info(
            inline(made.refused or made.reading or "No model of this benchmark is in the ranking."),
            icon=":material/link_off:",
        )
        table(tables.against(made), f"{key}:general", file)


def _word(made: Against) -> str:
    words = []
    if line := figures_against.regressed(made):
        words.append(f"{line[:1].upper()}{line[1:]}.")
    words.append(made.reading or made.refused)
    if made.left_out:
        left_out = ", ".join(made.left_out)
        words.append(f"Left out, not in the ranking or without an average: {left_out}.")
    return " ".join([*words, "Models are taken as independent of each other."])


def _ask_for_ranking(key: str) -> tuple[Panelist, ...]:
    held: tuple[Panelist, ...] = st.session_state.get(key, ())
    with st.expander("A general ranking", key=f"{key}:place:{bool(held)}", expanded=not held):
        st.caption(
            "A CSV with the columns model and score, the higher the better; such as LiveBench's"
            " average. It is kept for this visit only. Models are matched by name, without"
            " provider."
        )
        st.file_uploader(
            "Ranking (CSV)",
            ["csv", "tsv", "txt"],
            key=f"{key}:file",
            max_upload_size=5,
            on_change=_take_in,
            args=(key,),
        )
        mistakes.shown(key)
    if held:
        taking_out(held, key, f"{key}:out")
    return held


def _take_in(key: str) -> None:
    if file := st.session_state.get(f"{key}:file"):
        with mistakes.kept(key):
            st.session_state[key] = general_ranking(file.getvalue(), file.name)
