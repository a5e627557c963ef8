"""How far people agree, and models with them, while a session runs and after: by label as long as
sources are hidden.
"""

from collections.abc import Sequence
from math import ceil

import streamlit as st

from components.sessions import contrasts, stats
from components.sessions import plots as study_plots
from components.sessions.kept import HeldFigures, latest
from components.shell import services
from components.shell.frame import told
from components.shell.text import counted, inline
from core.agreement.contrasts import Contrast
from core.records import Study
from core.studies.analysis import CriterionStatistics
from core.studies.worded import words

EVERY = 5.0
"""Seconds between looks while a session is open."""
MOST_WORDS, ON_A_PAGE = 200, 100
"""Passages of free text that are drawn, and remarks at once."""
OVERALL = "Over all criteria"
SHARE = "share of"
"""How the figures begin that say how often an answer was given."""


def draw(study: Study) -> None:
    """Draw the figures, again while the session is open and answers come in."""
    attentive = whose(study)

    @st.fragment(run_every=EVERY if study.state == "open" else None)
    def drawn() -> None:
        with told():
            now = services.store().studies.get(study.id)
            if now.state != study.state:
                st.rerun()
            _whole(now, latest(now, attentive, beside=True))

    drawn()


def whose(study: Study) -> bool:
    """Draw whether those who failed an attention check are left out, where there is a check."""
    key = f"study:attentive:{study.id}"
    return bool(study.plan.attention) and st.checkbox(
        "Leave out experts who failed an attention check", key=key, persist_state="session"
    )


def _whole(study: Study, held: HeldFigures) -> None:
    found = held.made
    taking = held.made.filed.taking
    if not taking.experts and not taking.models:
        st.info(
            "No answers yet. Figures appear here as answers come in; the first need two experts"
            " and ten units.",
            icon=":material/hourglass_empty:",
        )
        return
    st.caption(_whose(study, held))
    shares = {
        part.criterion: [one for one in part.statistics if one.name.startswith(SHARE)]
        for part in found.parts
    }
    parts(
        found.parts,
        f"study:{study.id}",
        lambda name: study_plots.draw(found.series, name, f"study:{study.id}", shares[name]),
    )
    if found.shown_order:
        st.markdown("##### Did the order shown matter?")
        stats.draw(found.shown_order)
    stats.tables(found.tables, f"study:{study.id}")
    _words(study, held)


def _words(study: Study, held: HeldFigures) -> None:
    """Draw what was written beside scores, text by text; it is in no figure."""
    lines = sorted(words(held.made.filed), key=lambda line: (line.label, line.criterion))
    if not lines:
        return
    with st.expander(f"Free text and reasons ({len(lines):,})", key=f"study:words:{study.id}"):
        st.caption(
            "In no figure. All of it is in words.csv of the files."
            + (f" The first {MOST_WORDS} are shown." if len(lines) > MOST_WORDS else "")
        )
        for line in lines[:MOST_WORDS]:
            what = line.criterion or line.of
            reason = ", the reason" if line.of == "reason" else ""
            st.markdown(
                f"**{inline(line.label)}** · {inline(what, 100)}{reason}"
                f" :gray[{inline(line.rater, 60)}]  \n{inline(line.text, 4_000)}"
            )


def _whose(study: Study, held: HeldFigures) -> str:
    """Say whose answers the figures are of, and who is left out."""
    filed = held.made.filed
    failed = len(filed.taking.inattentive)
    gone = len(filed.taking.withdrawn)
    said = [filed.counts.said]
    if services.store().study_work.filed(study.id) > held.stamp.answers:
        said.append("more came in since, and figures follow")
    if gone:
        said.append(
            f"{counted(gone, 'expert')} withdrew and {'is' if gone == 1 else 'are'} left out"
        )
    if failed:
        kept = "left out" if filed.attentive else "counted"
        said.append(
            f"{counted(failed, 'expert')} failed an attention check and"
            f" {'is' if failed == 1 else 'are'} {kept}"
        )
    hidden = (
        " Ideas are named by their labels: sources stay hidden until the session is closed and"
        " they are revealed."
    )
    return f"{'; '.join(said)}.{hidden if held.made.blind else ''}"


def choose_criterion(names: Sequence[str], key: str) -> str:
    """Draw a choice of criteria where there are several, and return the chosen one; the empty name
    is over all.
    """
    if len(names) == 1:
        return names[0]
    chosen = st.segmented_control(
        "Criterion",
        names,
        default=names[0],
        required=True,
        key=f"{key}:criterion",
        persist_state="session",
        wrap=True,
        format_func=lambda name: inline(name, 60) if name else OVERALL,
    )
    return str(chosen or names[0])


def parts(
    found: Sequence[CriterionStatistics],
    key: str,
    plots: study_plots.Drawn,
    compared: Sequence[Contrast] = (),
) -> None:
    """Draw a choice of criteria, and of the chosen one the charts, how sources compare where that
    is known, and the statistics.
    """
    names = [part.criterion for part in found if part.statistics]
    if not names:
        st.info("There are too few answers for any figure.", icon=":material/hourglass_empty:")
        return
    chosen = choose_criterion(names, key)
    plots(chosen)
    contrasts.draw([one for one in compared if one.criterion == chosen], key)
    tests = {one.statistic for one in compared}
    for part in found:
        if part.criterion == chosen:
            st.markdown("##### Figures")
            stats.draw([one for one in part.statistics if one not in tests])
    st.caption(
        "Experts agree little on single ideas in most fields. A low figure is a finding, not a"
        " failure: read every model beside the human ceiling."
    )


def remarks(study: Study) -> None:
    """Draw every remark on a passage."""
    found = latest(study, whose(study)).made.remarks
    if not found:
        st.info("No remarks on passages yet.", icon=":material/chat_bubble:")
        return
    st.caption(
        f"{counted(len(found), 'remark')}, by refinement and round; experts are numbered in the"
        " order their seats were made."
    )
    pages = ceil(len(found) / ON_A_PAGE)
    page = st.pagination(pages, key=f"study:remarks:{study.id}") if pages > 1 else 1
    for one in found[(page - 1) * ON_A_PAGE : page * ON_A_PAGE]:
        with st.container(border=True, gap="xsmall"):
            st.markdown(
                f"**{inline(one.label)}**, round {one.round}, on the {one.of}"
                f" :gray[{inline(one.rater, 60)}]"
            )
            st.markdown(f"“{inline(one.quote, 600)}”")
            st.markdown(inline(one.text, 2_000))
