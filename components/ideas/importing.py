"""Bringing ideas in from a file: what it holds, what its columns stand for, and what became of each
row.
"""

import re
from typing import NamedTuple

import streamlit as st

from components.ideas import import_map
from components.ideas.collections import ways_to_judge
from components.shell import idea_card, mistakes, refusals
from components.shell.text import counted, inline, shown
from core.importing.decoding import LARGEST
from core.importing.filing import FilingReport
from core.importing.making import Offered, offer
from core.importing.mapping import Mapping, system_of
from core.importing.reading import ENDINGS, read
from core.importing.sheets import MOST_ROWS, Sheet
from core.literature.importing.text import plain
from core.prompts.wording import worded
from core.records import Idea
from core.tables.sheets import rows_as_csv

UPLOADED = LARGEST // 1_000_000
"""MB the browser sends: as many as are read."""
PREVIEWED = 5
TRIED = 50
"""Rows that are looked through for one that makes an idea, to show it before the import."""
LONGEST_SHOWN = 1_500
"""Characters of its text that are shown."""


class ImportWish(NamedTuple):
    """A file that is to be brought in, how it is to be read, and into which collection."""

    sheet: Sheet
    mapping: Mapping
    collection: str


def form() -> ImportWish | None:
    """Draw the choice of a file, what it holds and how it would be read, and return what is asked
    for once the button is pressed.
    """
    st.caption(
        "A table (CSV), JSON, or Markdown with a heading for each idea; files of other systems"
        f" too. {LARGEST // 1_000_000} MB and {MOST_ROWS:,} rows are read at most; parts of a"
        " larger file may go into the same collection."
    )
    file = st.file_uploader(
        "File of ideas", type=list(ENDINGS), key="ideas:file", max_upload_size=UPLOADED
    )
    if file is None:
        st.session_state.pop("ideas:sheet", None)
        return None
    sheet = _read(file.name, file.getvalue(), file.file_id)
    mistakes.shown("ideas:import")
    if sheet is None:
        return None
    _holds(sheet)
    mapping, lacking = import_map.draw(sheet, f"ideas:map:{file.file_id}")
    if mapping and sheet.rows:
        _first(sheet, mapping)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.text_input(
            "Collection",
            sheet.name.rpartition(".")[0] or sheet.name,
            key=f"ideas:collection:{file.file_id}",
            max_chars=200,
            help=(
                "Ideas that are to be compared with one another go into the same collection;"
                " several files may."
            ),
        )
        asked = st.button("Import", icon=":material/upload:", type="primary", key="ideas:bring-in")
    # Below the button: what goes away while somebody presses it must not move it.
    if lacking:
        (st.warning if asked else st.info)(lacking, icon=":material/arrow_upward:")
        return None
    return ImportWish(sheet, mapping, name or "") if asked and mapping else None


def _read(name: str, data: bytes, file_id: str) -> Sheet | None:
    """Return what a file holds, read once a file; what is wrong with the whole is said in its
    place.
    """
    held: tuple[str, Sheet | None] | None = st.session_state.get("ideas:sheet")
    if held and held[0] == file_id:
        return held[1]
    sheet = None
    with mistakes.kept("ideas:import"):
        sheet = read(name, data)
    st.session_state["ideas:sheet"] = (file_id, sheet)
    return sheet


def _holds(sheet: Sheet) -> None:
    facts = [
        inline(sheet.format),
        inline(sheet.encoding),
        counted(len(sheet.rows), "row"),
        counted(len(sheet.columns), "column"),
    ]
    if system := system_of(sheet):
        facts.append(f"looks like a file of {system}")
    if sheet.refused:
        facts.append(f"{counted(len(sheet.refused), 'row')} cannot be read, see the report")
    st.markdown(f"**{inline(sheet.name, 100)}**: {' · '.join(facts)}")
    if "guessed" in sheet.encoding or "damaged" in sheet.encoding:
        st.warning(
            f"How the file is encoded: {inline(sheet.encoding)}. Look whether its letters are right"
            " below; if not, save it as UTF-8.",
            icon=":material/translate:",
        )
    if sheet.rows:
        st.dataframe(
            [
                {name: plain(row.cells.get(name, "")[:300])[:160] for name in sheet.columns}
                for row in sheet.rows[:PREVIEWED]
            ],
            hide_index=True,
            key="ideas:preview",
        )


def _first(sheet: Sheet, mapping: Mapping) -> None:
    """Draw the first text as it would be imported, or why there is none."""
    wrong = ""
    for row in sheet.rows[:TRIED]:
        made = offer(row, mapping, sheet.name)
        if isinstance(made, Offered):
            break
        wrong = wrong or f"{made.where.capitalize()}: {made.clause}"
    else:
        st.warning(
            f"No idea comes of the first rows as they are read above. {inline(wrong, 500)}.",
            icon=":material/rule:",
        )
        return
    text = worded(made.record)
    if isinstance(made.record, Idea):
        text = idea_card.below_title(made.record, text)
    with st.container(border=True, key="ideas:first"):
        st.caption(f"The first as it will be imported, from {inline(made.where)}. Its title:")
        st.markdown(f"**{inline(made.title)}**")
        st.caption("Its text:")
        st.markdown(shown(text[:LONGEST_SHOWN] + ("…" if len(text) > LONGEST_SHOWN else "")))


def draw_report(report: FilingReport, n: int = 0) -> bool:
    """Draw what became of every row, and say whether somebody has seen enough of it."""
    icon = ":material/check_circle:"
    if report.refused:
        icon = ":material/rule:" if report.taken or report.known else ":material/error:"
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(
                f"{icon} **{inline(report.name, 100)}** into"
                f" **{inline(report.collection, 100)}**: {len(report.taken):,} taken,"
                f" {len(report.known):,} known already, {len(report.refused):,} refused"
            )
            st.space("stretch")
            closed = st.button(
                "Close", icon=":material/close:", type="tertiary", key=f"ideas:report-close:{n}"
            )
        left = [row for row in report.rows if row[1] != "taken"]
        # As they stand in their file: line 9 before line 10.
        left.sort(key=lambda row: [int(number) for number in re.findall(r"\d+", row[0])])
        if left:
            refusals.draw(
                (
                    {"Where": where, "What": what, "Why": why, "Title": title[:60]}
                    for where, what, title, why in left
                ),
                len(left),
                f"ideas:left:{n}",
                "rows that were not taken",
                column_config={
                    "Why": st.column_config.TextColumn(width="large"),
                    "What": st.column_config.TextColumn(width=110),
                },
            )
        with st.container(horizontal=True, vertical_alignment="center"):
            st.download_button(
                "The whole report (CSV)",
                as_csv(report),
                "ideas-report.csv",
                "text/csv",
                key=f"ideas:report-csv:{n}",
                icon=":material/download:",
                on_click="ignore",
            )
            if report.taken or report.known:
                ways_to_judge(report.collection)
    return closed


def as_csv(report: FilingReport) -> str:
    """Return one row a row of the file: where it stands, what became of it, its title, why."""
    return rows_as_csv([("where", "what", "title", "why"), *report.rows])
