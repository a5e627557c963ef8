"""Collections of texts that can be judged: what each holds, where it goes from here, and adding to
it.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import streamlit as st

from components.shell import mistakes, services
from components.shell.text import ago, counted, inline, shown
from core.records import Entry, Run
from core.store.entries import Bunch
from core.store.ideas import Saved


class Gathering(NamedTuple):
    """What is to be put into a collection: what runs came to and kept ideas, with what
    holds for all of them.
    """

    collection: str
    runs: tuple[str, ...]
    ideas: tuple[str, ...]
    method: str
    topic: str


class CollectionWish(NamedTuple):
    """What somebody wants done with a collection."""

    what: str
    name: str


def listed(bunches: Sequence[Bunch]) -> CollectionWish | None:
    """Draw the collections and return the one that is to be looked into, taken along or removed."""
    if not bunches:
        st.caption("No collection yet. Import a file above, or put results of runs together below.")
    wish = None
    for one in bunches:
        noun = "design" if one.kind == "design" else "idea"
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{inline(one.name, 80)}**", width="content")
            st.caption(
                f"{counted(one.entries, noun)} · {counted(one.methods, 'method')} ·"
                f" {counted(one.topics, 'topic')} · {ago(one.at)}",
                width="content",
            )
            st.space("stretch")
            ways_to_judge(one.name)
            if one.kind == "idea":
                st.page_link(
                    "pages/ranking.py",
                    label="Rank",
                    icon=":material/format_list_numbered:",
                    query_params={"collection": one.name},
                )
            for what, icon in (
                ("Look inside", ":material/visibility:"),
                ("Export", ":material/download:"),
                ("Remove", ":material/delete:"),
            ):
                if st.button(
                    what,
                    icon=icon,
                    type="tertiary",
                    key=f"collections:{what}:{one.kind}:{one.name}",
                ):
                    wish = CollectionWish(what, one.name)
    return wish


def ways_to_judge(collection: str) -> None:
    """Draw the ways from a collection to where its texts are judged."""
    st.page_link(
        "pages/arena.py",
        label="Compare in the arena",
        icon=":material/compare_arrows:",
        query_params={"collection": collection},
    )
    st.page_link(
        "pages/sessions.py",
        label="Ask experts",
        icon=":material/groups:",
        query_params={"view": "new", "collection": collection},
    )


def gathering(runs: Sequence[Run], kept: Sequence[Saved], names: Sequence[str]) -> Gathering | None:
    """Draw what can be put into a collection from here and return what is asked for, once the
    button is pressed.
    """
    if not runs and not kept:
        return None
    titles = {run.id: f"{run.title[:70]} ({run.id}, {ago(run.created)})" for run in runs}
    ideas = {one.id: one.idea.title for one in kept}
    with st.form("collections:gather", clear_on_submit=True):
        st.markdown("**Add results of runs, or kept ideas**")
        left, right = st.columns(2)
        picked = left.multiselect(
            "Runs",
            list(titles),
            format_func=titles.__getitem__,
            key="collections:runs",
            placeholder="Ideas and designs of runs",
        )
        chosen = right.multiselect(
            "Kept ideas",
            list(ideas),
            format_func=ideas.__getitem__,
            key="collections:ideas",
            placeholder="Ideas you kept",
        )
        into, whose, about = st.columns(3)
        collection = into.selectbox(
            "Collection",
            list(names),
            index=None,
            accept_new_options=True,
            key="collections:into",
            placeholder="Choose one, or name a new one",
        )
        method = whose.text_input(
            "Method",
            key="collections:method",
            max_chars=200,
            placeholder="as the run says",
            help="Needed for ideas that no run made.",
        )
        topic = about.text_input(
            "Topic",
            key="collections:topic",
            max_chars=200,
            placeholder="as the run says",
            help="Texts are compared only on the same topic: give the same one to all that are to"
            " meet.",
        )
        go = st.form_submit_button(
            "Add to the collection", icon=":material/playlist_add:", key="collections:go"
        )
    if not go:
        return None
    if not picked and not chosen:
        st.warning("Choose a run, or a kept idea.", icon=":material/arrow_upward:")
        return None
    return Gathering(collection or "", tuple(picked), tuple(chosen), method, topic)


@st.dialog("In this collection", width="large", icon=":material/visibility:")
def look_inside(
    name: str, entries: Sequence[tuple[Entry, str]], text: Callable[[Entry], str]
) -> None:
    """Show what a collection holds, and the whole text of one entry."""
    st.markdown(f"**{inline(name)}**, {counted(len(entries), 'text')}")
    st.dataframe(
        [
            {
                "Title": title,
                "Method": one.method,
                "Model": one.model,
                "Topic": one.topic,
                "Source": one.source,
            }
            for one, title in entries
        ],
        hide_index=True,
        height=min(420, 38 + 35 * len(entries)),
        key="collections:inside",
    )
    held = {one.id: (one, title) for one, title in entries}
    picked = st.selectbox(
        "Read one",
        list(held),
        index=None,
        format_func=lambda one: f"{held[one][1]} ({held[one][0].method}, {held[one][0].topic})",
        key="collections:read",
        placeholder="Choose a text",
    )
    if picked in held:
        with st.container(border=True, height=320):
            st.markdown(shown(text(held[picked][0])))


@st.dialog("Remove this collection?", icon=":material/delete:")
def confirm(name: str, bunches: Sequence[Bunch]) -> None:
    """Ask before a collection goes, which is there in these bunches; says what goes and what
    stays.
    """
    entries = counted(sum(one.entries for one in bunches), "entry")
    alike = ", ideas and designs alike" if len(bunches) > 1 else ""
    st.markdown(f"**{inline(name)}**")
    st.markdown(f"**What goes:** the list of its {entries} here{alike}.")
    st.markdown(
        "**What stays:** the frozen texts, and every arena and ranking they were judged in."
    )
    if st.button(
        "Remove",
        type="primary",
        key="collections:remove-for-good",
        on_click=_remove,
        args=(name, bunches),
    ):
        st.rerun()


def _remove(name: str, bunches: Sequence[Bunch]) -> None:
    with mistakes.kept("ideas:gathering"):
        services.store().entries.remove(name, bunches)


@st.dialog("Export this collection", icon=":material/download:")
def take_along(name: str, lines: str) -> None:
    """Offer a collection as a file."""
    st.markdown(
        f"**{inline(name)}**, with its frozen texts, as JSON lines: any data folder can bring it in"
        " again, here or with `import-ideas`."
    )
    safe = "".join(letter if letter.isalnum() else "-" for letter in name)[:60]
    st.download_button(
        "Download",
        lines,
        f"{safe}.jsonl",
        "application/jsonl",
        icon=":material/download:",
        on_click="ignore",
        key="collections:file",
    )
