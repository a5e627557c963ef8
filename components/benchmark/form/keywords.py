"""Choosing keywords: those of the paper or a list of one's own, all or some of them, each with the
domain it is counted to.
"""

import random
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import streamlit as st

from components.shell import mistakes, services
from components.shell.text import counted, inline
from core.benchmark.keywords import DOMAINS, first, label_by_meaning, paper_keywords
from core.importing.keywords import from_file
from core.records import Keyword, KeywordList, digest

PAPER, OWN = "paper", "own"
SOURCES = {PAPER: "The paper's 1,180", OWN: "A list of my own"}
SOME = {
    "first": "The first ones",
    "sample": "A random sample",
    "domains": "By domain",
    "all": "All of them",
}
NAMED = 3
"""Domains that are named in what some keywords are called."""
TYPED = "Typed keywords"
OWN_LIST, LABELS = "bench:own-list", "bench:labels"
"""The list that was brought, and the domains that were changed, by keyword."""
BY = {
    "": "",
    "published": "published label",
    "file": "your file",
    "meaning": "by meaning",
    "person": "by you",
}


class ChosenKeywords(NamedTuple):
    held: KeywordList | None
    n: int = 0
    """How many of its keywords are asked, from the first on."""
    called: str = ""
    """What a benchmark of these is called where nobody says."""
    wrong: str = ""


def draw() -> ChosenKeywords:
    """Draw the choice of keywords and return it, with domains as they were changed here."""
    source = st.segmented_control(
        "Keywords",
        list(SOURCES),
        default=PAPER,
        required=True,
        key="bench:source",
        format_func=SOURCES.__getitem__,
        persist_state="session",
        wrap=True,
    )
    whole = paper_keywords() if source == PAPER else _own()
    if whole is None:
        return ChosenKeywords(None, wrong="Bring keywords: one a line, or a file.")
    some, n = _some(whole)
    if not n:
        return ChosenKeywords(None, wrong="No keyword is left. Choose another domain.")
    labels: dict[str, Keyword] = st.session_state.setdefault(LABELS, {})
    held = some.model_copy(
        update={"keywords": tuple(labels.get(one.text, one) for one in some.keywords)}
    )
    chosen = held.keywords[:n]
    with st.expander(
        f"{counted(len(chosen), 'keyword')} and their domains",
        key="bench:domains-open",
        on_change="rerun",
    ) as table:
        if table.open:
            _domains(chosen)
    return ChosenKeywords(held, n, first(held, n))


def _own() -> KeywordList | None:
    """Draw the place to bring a list to, and return the one that is there."""
    st.text_area(
        "One keyword a line",
        key="bench:typed",
        height=120,
        persist_state="session",
        on_change=_typed,
        placeholder="erosion\nmeiosis",
    )
    st.file_uploader(
        "Or a file: text with one a line, or CSV with the columns keyword and domain",
        ["txt", "csv"],
        key="bench:keywords-file",
        on_change=_brought,
    )
    mistakes.shown(OWN_LIST)
    held, said = st.session_state.get(OWN_LIST, (None, ()))
    if held:
        st.caption(f"{inline(held.name)}: {counted(len(held.keywords), 'keyword')}.{_unused(held)}")
    for one in said:
        st.caption(f":material/info: {inline(one, 400)}")
    return held  # type: ignore[no-any-return]


def _unused(held: KeywordList) -> str:
    """Say which of typed keywords and a file is not used, where both are there: that which was
    given first.
    """
    file = st.session_state.get("bench:keywords-file")
    if held.name == TYPED and file:
        return (
            f" **The file {inline(file.name, 80)} is not used.** Empty the box to use it, or take"
            " it away."
        )
    if held.name != TYPED and _text():
        return " **What is typed is not used.** Change it to use it, or empty the box."
    return ""


def _text() -> str:
    return str(st.session_state.get("bench:typed") or "").strip()


def _typed() -> None:
    """Use what is typed; where the box was emptied, the file that is there."""
    if _text():
        _keep(_text().encode(), TYPED)
    elif st.session_state.get("bench:keywords-file"):
        _brought()
    elif OWN_LIST in st.session_state and st.session_state[OWN_LIST][0].name == TYPED:
        st.session_state.pop(OWN_LIST)


def _brought() -> None:
    """Use the file; where it was taken away, what is typed."""
    if file := st.session_state["bench:keywords-file"]:
        _keep(file.getvalue(), file.name)
    elif _text():
        _typed()


def _keep(data: bytes, name: str) -> None:
    """Read a list; it stays when the page is left, which a field's own file does not."""
    st.session_state.pop(OWN_LIST, None)
    with mistakes.kept(OWN_LIST):  # With a sentence on each kind of line that is left out.
        held, said = from_file(data, name)
        st.session_state[OWN_LIST] = (
            (held.model_copy(update={"source": ""}) if name == TYPED else held),
            said,
        )


def _some(whole: KeywordList) -> tuple[KeywordList, int]:
    """Draw which of them, and return a list that begins with those, and how many they are."""
    domains = sorted({one.domain for one in whole.keywords if one.domain})
    ways = [name for name in SOME if name != "domains" or len(domains) > 1]
    way = st.segmented_control(
        "Which of them",
        ways,
        default="first" if len(whole.keywords) > 20 else "all",
        required=True,
        key=f"bench:which:{whole.name}",
        format_func=SOME.__getitem__,
        persist_state="session",
        wrap=True,
    )
    if way == "all":
        return whole, len(whole.keywords)
    if way == "domains":
        wanted = st.multiselect(
            "Domains",
            domains,
            default=domains[:1],
            key=f"bench:only:{whole.name}",
            persist_state="session",
            select_all=False,
            wrap=True,
        )
        most = st.number_input(
            "At most, of each",
            1,
            None,
            None,
            key=f"bench:each-of:{whole.name}",
            placeholder="all",
            persist_state="session",
            help="The first ones of each domain.",
        )
        picked: list[Keyword] = []
        for domain in wanted:
            picked += [one for one in whole.keywords if one.domain == domain][:most]
        return _cut(whole, picked, f"of {few(wanted)}")
    one, two = st.columns(2)
    n = one.number_input(
        "How many",
        1,
        len(whole.keywords),
        min(10, len(whole.keywords)),
        key=f"bench:n:{whole.name}",
        persist_state="session",
    )
    if way == "first":
        return whole, n
    seed = two.number_input(
        "Seed of the sample",
        0,
        2**31 - 1,
        1,
        key="bench:sample",
        persist_state="session",
        help="The same seed draws the same keywords.",
    )
    sample = random.Random(seed).sample(whole.keywords, n)
    return _cut(whole, sample, f"by chance (seed {seed})")


def _cut(whole: KeywordList, picked: Sequence[Keyword], how: str) -> tuple[KeywordList, int]:
    """Return a list of its own for keywords that do not stand first in the whole one."""
    n, name = len(picked), f"{whole.name}, {len(picked)} {how}"
    return whole.model_copy(update={"name": name, "keywords": tuple(picked)}), n


def few(names: Sequence[str]) -> str:
    """Return names in a row; of many the first."""
    first = ", ".join(names[:NAMED])
    return f"{first} and {len(names) - NAMED} more" if len(names) > NAMED else first


def _domains(chosen: Sequence[Keyword]) -> None:
    """Draw the keywords with their domains to edit, and the way to label all of them by meaning."""
    texts, labelled = [one.text for one in chosen], st.session_state.get("bench:labelled", 0)
    key = f"bench:table:{digest(texts)[:12]}:{labelled}"
    if key not in st.session_state:
        # What is edited lies on top of these rows: they stay as they were when the table came up.
        st.session_state["bench:rows"] = list(map(_row, chosen))
    offered = list(dict.fromkeys([*DOMAINS, *(one.domain for one in chosen if one.domain)]))
    st.data_editor(
        st.session_state["bench:rows"],
        hide_index=True,
        key=key,
        disabled=("Keyword", "Confidence", "Given by"),
        height=260,
        on_change=_edited,
        args=(key, texts),
        column_config={
            "Domain": st.column_config.SelectboxColumn(options=offered),
            "Confidence": st.column_config.NumberColumn(format="percent", width=90),
        },
        alt="Keywords and their domains, to edit.",
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button(
            "Label again by meaning",
            icon=":material/auto_awesome:",
            key="bench:by-meaning",
            help=(
                "Each keyword gets the domain nearest to it in meaning, with how sure that is. What"
                " you set yourself stays."
            ),
        ):
            with st.spinner("Comparing meanings", show_time=True):
                labels = label_by_meaning(services.workshop().embedder, chosen)
            st.session_state[LABELS] |= {one.text: one for one in labels}
            st.session_state["bench:labelled"] = labelled + 1
            st.rerun()
        poor = any(one.by == "published" for one in chosen)
        st.caption(
            (
                "The published labels were made by machine and are unreliable (“earthquakes” is"
                " labelled pharmacy). "
                if poor
                else ""
            )
            + "Figures by domain rest on these."
        )
    if by_hand := [one.text for one in chosen if one.by == "person"]:
        st.caption(f"Set by you, and kept when labelled again: {inline(', '.join(by_hand), 300)}.")


def _row(one: Keyword) -> dict[str, Any]:
    sure = {} if one.confidence is None else {"Confidence": one.confidence}
    return {"Keyword": one.text, "Domain": one.domain or None, **sure, "Given by": BY[one.by]}


def _edited(key: str, texts: Sequence[str]) -> None:
    st.session_state[LABELS] |= changed(texts, st.session_state[key]["edited_rows"])


def changed(
    texts: Sequence[str], rows: Mapping[int, Mapping[str, str | None]]
) -> dict[str, Keyword]:
    """Return the keywords whose domain a person changed, from the rows that were edited."""
    return {
        texts[int(n)]: Keyword(text=texts[int(n)], domain=row["Domain"] or "", by="person")
        for n, row in rows.items()
        if "Domain" in row
    }
