"""A closed session: what it says of methods and models once its sources are revealed and
grouped, the methods paragraph, and its files, the key in one of its own.
"""

from functools import partial

import streamlit as st

from components.sessions import acts, contrasts, figures, stats
from components.sessions.kept import latest
from components.sessions.results import choose_criterion, whose
from components.sessions.words import moment
from components.shell import mistakes, person, services
from components.shell.colours import ink
from components.shell.frame import told
from components.shell.plots import tool_bar
from components.shell.text import counted, inline
from core.export.sessions import folder
from core.records import SourceGrouping, Study
from core.statistics.corrections import CORRECTIONS
from core.studies.grouping import BY, alone, grouped, in_force, regroup
from core.studies.paragraph import methods
from core.studies.sourced import EXPERTS, Sourced, said_grouped

ZIP = "application/zip"
MISTAKE = "study:grouping"


def draw_sources(study: Study) -> None:
    """Draw the figures by source, or the way to reveal the sources."""
    if not study.unblinded:
        acts.unblinding(study)
        return
    found = latest(study, whose(study)).made
    by = next(
        (
            one.detail
            for one in services.store().studies.events(study.id)
            if one.what == "unblinded"
        ),
        "",
    )
    st.caption(
        f"Sources were revealed {moment(study.unblinded)}{f' by {inline(by, 80)}' if by else ''},"
        f" after the session was closed. {found.filed.counts.said}."
    )
    if found.sourced is None or not found.sourced.figures:
        st.info(
            "There are too few answers for a figure by source.", icon=":material/hourglass_empty:"
        )
    else:
        _grouping(study)
        _by_source(study, found.sourced)
        stats.tables(found.source_tables, f"study:sources:{study.id}")
    _key(study)


def _by_source(study: Study, found: Sourced) -> None:
    key = f"study:sources:{study.id}"
    names = list(dict.fromkeys(one.criterion for one in found.figures))
    chosen = choose_criterion(names, key)
    mine = [one for one in found.figures if one.criterion == chosen]
    mine.sort(key=lambda one: (one.who != EXPERTS, one.who))
    if any(one.figure.value is not None for one in mine):
        st.markdown(f"##### By source: {inline(chosen, 80)}")
        st.plotly_chart(
            figures.sourced(mine, found.measure, ink()),
            key=f"{key}:chart",
            config=tool_bar("by-source"),
        )
    stats.draw(tuple(one.figure for one in mine))
    contrasts.draw([one for one in found.contrasts if one.criterion == chosen], key)


def _key(study: Study) -> None:
    with st.expander("Labels and their sources", icon=":material/key:"):
        held = services.store().study_keys.items(study.id)
        now = in_force(services.store(), study.id)
        groups = grouped(services.store(), held, now)
        st.dataframe(
            [
                {
                    "Label": one.label,
                    "Title": one.title,
                    **({"Group": groups.get(one.label, "")} if now.at else {}),
                    "Method": one.method,
                    "Model": one.model,
                    "Topic": one.topic,
                    "Source": one.source,
                    "By people": "yes" if one.target else "",
                }
                for one in held.values()
                if not one.attention
            ],
            hide_index=True,
            key="study:key",
        )


# -- its files ------------------------------------------------------------------------------


def draw_files(study: Study) -> None:
    """Draw the methods paragraph and the files."""
    attentive = whose(study)
    left, right = st.columns([3, 2], gap="large")
    with left, told():
        _methods(study, attentive)
    with right:
        _files(study, attentive)


def _methods(study: Study, attentive: bool) -> None:
    found = methods(latest(study, attentive).made)
    st.markdown("##### Methods paragraph, for a paper")
    if found.text:
        st.code(found.text, language=None, wrap_lines=True)
        st.caption(
            "Numbers are filled in from what is stored; with “by source” once sources are"
            " revealed. Check every sentence before you print it."
        )
    if found.missing:
        st.markdown("**What it lacks**")
        st.markdown("\n".join(f"- {inline(one, 900)}" for one in found.missing))


def _formats(study: Study, attentive: bool, name: str) -> None:
    """Draw the answers alone, as other programs read them."""
    st.markdown("**The answers for other programs**")
    with st.container(horizontal=True, gap="small"):
        for chosen, label in folder.FORMATS.items():
            if study.plan.task != "rate" and chosen in folder.RATINGS_ONLY:
                continue
            ending, mime = folder.ENDINGS[chosen]
            st.download_button(
                label,
                partial(_format, study, chosen, attentive),
                f"{name}-{chosen}{ending}",
                mime,
                key=f"study:format:{chosen}",
                icon=":material/download:",
                on_click="ignore",
            )
    st.caption(
        "With labels of questions and points, and without the key. “Cannot judge” and skipped units"
        " are missing values."
    )


def _format(study: Study, chosen: folder.Format, attentive: bool) -> bytes:
    return folder.in_format(services.store(), study.id, chosen, attentive)


def _files(study: Study, attentive: bool) -> None:
    store = services.store()
    name = f"session-{study.id}"
    st.markdown("##### Files")
    st.markdown("Answers and key are separate files: whoever has only the answers stays blind.")
    st.download_button(
        "Answers (ZIP)",
        partial(folder.archive, store, study.id, False, attentive),
        f"{name}-answers.zip",
        ZIP,
        key="study:answers",
        icon=":material/download:",
        on_click="ignore",
        type="primary",
    )
    st.caption(
        "Answers, seats, texts and events as CSV and JSON Lines, a codebook, the frozen"
        " configuration with its hash (and the name you gave the session), every figure by label as"
        " CSV, LaTeX and Markdown, and the methods paragraph; and the answers in the formats below."
        " Experts are numbers; their names are in no file."
    )
    _formats(study, attentive, name)
    if not study.unblinded:
        st.info(
            "The key can be exported once sources are revealed: see “By source”.",
            icon=":material/visibility_off:",
        )
        return
    st.download_button(
        "Key (ZIP)",
        partial(folder.key_archive, store, study.id),
        f"{name}-key.zip",
        ZIP,
        key="study:key-file",
        icon=":material/key:",
        on_click="ignore",
    )
    whole = partial(folder.archive, store, study.id, True, attentive)
    st.download_button(
        "Everything, with key (ZIP)",
        whole,
        f"{name}-with-key.zip",
        ZIP,
        key="study:everything",
        icon=":material/download:",
        on_click="ignore",
        help="Figures by source, too.",
    )


# -- how sources are grouped ---------------------------------------------------------------------


def _grouping(study: Study) -> None:
    """Draw the grouping in force, and the way to another one."""
    now = in_force(services.store(), study.id)
    told = said_grouped(now).strip() or "Sources are grouped as they are called."
    key = f"study:group:{study.id}"
    with st.expander("How sources are grouped", icon=":material/category:", key=f"{key}:open"):
        st.markdown(f"{inline(told, 300)} p is corrected by {now.correction}.")
        texts = services.store().study_keys.items(study.id)
        if single := alone(grouped(services.store(), texts, now)):
            st.warning(
                f"{counted(len(single), 'group')} with one text only, of which there is neither an"
                f" interval nor a test: {inline(', '.join(single), 300)}.",
                icon=":material/warning:",
            )
        left, middle, right = st.columns(3)
        by = left.selectbox(
            "Group by",
            list(BY),
            index=list(BY).index(now.by),
            key=f"{key}:by",
            format_func=lambda one: BY[one].capitalize(),
        )
        middle.segmented_control(
            "Correct p by",
            list(CORRECTIONS),
            default=now.correction,
            required=True,
            key=f"{key}:correction",
        )
        right.text_input(
            "Your name, kept with the grouping",
            person.given(),
            max_chars=80,
            key=f"{key}:who",
        )
        if by == "hand":
            _by_hand(study, now, key)
        st.button(
            "Group so",
            icon=":material/category:",
            key=f"{key}:do",
            on_click=_group,
            args=(study, key),
        )
        st.caption(
            "A grouping that is chosen after sources were revealed may be chosen for what it shows:"
            " exports and the methods paragraph say when it was drawn."
        )
    mistakes.shown(MISTAKE)


def _by_hand(study: Study, now: SourceGrouping, key: str) -> None:
    texts = services.store().study_keys.items(study.id)
    rows = [
        {
            "Label": label,
            "Title": item.title,
            "Method": item.method,
            "Model": item.model,
            "Group": now.groups.get(label, ""),
        }
        for label, item in texts.items()
        if not item.attention
    ]
    st.caption("Write a group's name beside each text; texts without one are left out.")
    st.session_state[f"{key}:rows"] = [row["Label"] for row in rows]
    st.data_editor(
        rows,
        key=f"{key}:hand",
        hide_index=True,
        disabled=("Label", "Title", "Method", "Model"),
    )
    st.session_state[f"{key}:groups"] = {row["Label"]: row["Group"] for row in rows}


def _group(study: Study, key: str) -> None:
    """Keep the chosen grouping; a callback."""
    said = st.session_state
    by = said[f"{key}:by"]
    groups: dict[str, str] = {}
    if by == "hand":
        groups = dict(said[f"{key}:groups"])
        labels = said[f"{key}:rows"]
        for row, change in said[f"{key}:hand"]["edited_rows"].items():
            groups[labels[int(row)]] = str(change.get("Group") or "")
    who = str(said[f"{key}:who"] or "")
    with mistakes.kept(MISTAKE):
        person.is_called(who)
        regroup(
            services.store(),
            study.id,
            SourceGrouping(
                by=by, groups=groups, correction=said[f"{key}:correction"] or "Holm", who=who
            ),
        )
