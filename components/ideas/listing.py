"""All ideas, kept, written and brought in: one card each, with a person's marks on it, and the ways
on from those that are picked.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, NamedTuple

import streamlit as st

from components.shell import idea_card, in_view, mistakes, picked, services
from components.shell.boxes import Box, fill, seen_by, show
from components.shell.idea_names import tell_apart
from components.shell.paging import filtering
from components.shell.text import ago, counted, inline, shown
from core.errors import BadInput
from core.importing.benchmarked import describe_origin
from core.records import Run
from core.store.ideas import IdeaQuery, Saved

KEPT = {"All": None, "Kept": True, "Only in collections": False}


def wanted(collections: Sequence[str]) -> IdeaQuery:
    """Draw the filters and return what is looked for; they live in the address."""
    filters = filtering("ideas:page")
    find, narrow, star = st.columns([5, 3, 1.4], vertical_alignment="bottom")
    text = find.text_input(
        "Search in text, tags, notes, methods and topics",
        key="ideas:find",
        type="search",
        **filters,
    )
    within = None
    if collections:
        within = narrow.selectbox(
            "Collection",
            list(collections),
            index=None,
            placeholder="All ideas",
            key="ideas:in",
            **filters,
        )
    starred = star.toggle("Starred only", key="ideas:starred", **filters)
    which = "All"
    if collections:
        which = st.segmented_control(
            "Which",
            list(KEPT),
            default="All",
            required=True,
            key="ideas:which",
            label_visibility="collapsed",
            **filters,
        )
    return IdeaQuery(
        text=text or "", starred=starred, kept=KEPT[which or "All"], collection=within or ""
    )


def hand_over(names: Mapping[str, str], listed: Sequence[str], total: int) -> str | None:
    """Draw the picked ideas and the ways on from them, and return the page whose collection is to
    be made of them, once its button is pressed.

    `listed` are the ids of those the list below holds, as many of its `total` as may be picked at
    once.
    """
    chosen = picked.ids()
    st.html(STAYS)
    with st.container(border=True, key=BAR):
        if not chosen:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.caption("Pick ideas below to rank, rate or compare them.", width="content")
                _pick_all(chosen, listed, total)
            return None
        few = " · ".join(inline(names.get(one, one), 60) for one in chosen[:5])
        st.markdown(f"**{len(chosen)} picked:** {few}{' …' if len(chosen) > 5 else ''}")
        with st.container(horizontal=True, vertical_alignment="center"):
            page = _ways_on(chosen)
            _pick_all(chosen, listed, total)
            st.button(
                "Unpick all",
                icon=":material/deselect:",
                key="ideas:clear",
                type="tertiary",
                on_click=picked.keep,
                args=((),),
            )
    return page


def _pick_all(chosen: Sequence[str], listed: Sequence[str], total: int) -> None:
    """Draw the button that picks all the list holds, unless they are picked."""
    if set(listed) <= set(chosen):
        return
    few = total == len(listed)
    st.button(
        f"Pick all {total:,} shown" if few else f"Pick the first {len(listed)} of {total:,}",
        icon=":material/select_all:",
        type="tertiary",
        key="ideas:pick-all",
        help="Those that the search and the filters above find, on every page of the list.",
        on_click=picked.keep,
        args=(tuple(dict.fromkeys((*chosen, *listed))),),
    )


def _ways_on(chosen: Sequence[str]) -> str | None:
    address = {picked.PARAM: ",".join(chosen)}
    for target, label, icon, query in (
        ("rate", "Rank by hand, in Rate", "swap_vert", {"rate:tab": "Rank"}),
        ("rate", "Rate from 1 to 10", "star", {}),
        ("ranking", "Blind ranking, by you or models", "format_list_numbered", {}),
    ):
        st.page_link(
            f"pages/{target}.py",
            label=label,
            icon=f":material/{icon}:",
            query_params=address | query,
        )
    page = None
    for way, (label, icon) in BY_COLLECTION.items():
        if st.button(label, icon=icon, type="tertiary", key=f"ideas:to:{way}"):
            page = way
    return page


BAR = "ideas-picked"
STAYS = f"""<style>
    @media (min-width: 640px) {{
        [data-testid=stLayoutWrapper]:has(> .st-key-{BAR}) {{
            position: sticky; top: 3.75rem; z-index: 5; background: inherit;
        }}
    }}
    .st-key-{BAR} {{ background: light-dark(#fbfaf7, #16191d); }}
</style>"""
"""What is picked, and the ways on, stay in the window while the list is scrolled; not on a phone,
where they would hide half the list.
"""
BY_COLLECTION = {
    "pages/arena.py": ("Compare in the arena", ":material/compare_arrows:"),
    "pages/sessions.py": ("Ask experts", ":material/groups:"),
}
"""Pages that take a collection."""
TAKEN = "ideas:put:taken"
MOST_AT_ONCE = 100
"""Ideas that are picked in one go: an address holds them all."""


class NewCollection(NamedTuple):
    """What a collection made of picked ideas is called, and what holds for all of them."""

    name: str
    topic: str
    method: str
    """Of those no run made."""


class ProposedTopic(NamedTuple):
    """The topic that picked ideas are put on, unless a person says another."""

    text: str
    about: str
    """What to know of it; empty where all have it."""
    needed: bool = True
    """Whether nothing could be compared without one; else each keeps its own."""


def propose_topic(topics: Sequence[str]) -> ProposedTopic:
    """Propose the topic that most of the ideas have, of whose topics some may be empty; none where
    no topic leads.
    """
    known = Counter(filter(None, topics)).most_common()
    if not known:
        return ProposedTopic("", "None of them has a topic yet: say what they are about.")
    first, times = known[0]
    if times == len(topics):
        return ProposedTopic(first, "")
    if len(known) == 1 or times > known[1][1]:
        others = "all of them get it here, since texts are compared on the same topic only"
        return ProposedTopic(first, f"{times} of {len(topics)} have this topic; {others}.")
    about = (
        f"They are on {len(known)} topics, and texts are compared on the same one only: say one"
        " that fits them all."
    )
    if known[-1][1] == 1 or not all(topics):
        return ProposedTopic("", about)
    return ProposedTopic("", f"{about} Left empty, each keeps its own.", needed=False)


@st.dialog("Put the picked ideas into a collection", icon=":material/stacks:")
def put(
    ideas: Sequence[Saved], topic: ProposedTopic, page: str, take: Callable[[NewCollection], bool]
) -> None:
    """Ask for the name of a collection and its topic, and hand them to `take`, which says whether
    the ideas are in it.
    """
    label, icon = BY_COLLECTION[page]
    st.caption(
        f"{counted(len(ideas), 'idea')} to be compared with each other. The collection stays on"
        " Ideas."
    )
    st.text_input(
        "Name of the collection",
        f"Picked ideas, {datetime.now(UTC):%d %B %H:%M}",
        key="ideas:put:name",
        max_chars=200,
    )
    st.text_input(
        "Their topic, as judges read it",
        topic.text,
        key="ideas:put:topic",
        max_chars=200,
        placeholder="what they are about, e.g. naps and memory",
        help="Texts are compared on the same topic only, so all of them get this one.",
    )
    if topic.about:
        st.caption(topic.about)
    if any(not one.method and not one.run for one in ideas):
        st.text_input(
            "Method of the ideas no run made", "Own idea", key="ideas:put:method", max_chars=200
        )
    mistakes.shown("ideas:putting")

    def follow() -> None:
        said = [
            str(st.session_state.get(f"ideas:put:{name}", "")) for name in NewCollection._fields
        ]
        st.session_state[TAKEN] = take(NewCollection(*said))

    # A callback reads what is typed and not yet sent; the page leads on once the ideas are filed.
    clicked = st.button(label, icon=icon, type="primary", key="ideas:put:go", on_click=follow)
    if clicked and st.session_state.pop(TAKEN, False):
        st.rerun()


def cards(ideas: Sequence[Saved], unfolded: bool = False) -> None:
    """Draw one card an idea; its text is sent to the browser when the card is unfolded, as it may
    be to begin with.
    """
    names = tell_apart(ideas)
    for saved in ideas:
        with st.container(border=True, gap="small"):
            _head(saved, names[saved.id])
            key = f"ideas:open:{saved.id}"
            box = st.expander(
                "Read, tag, add a note",
                expanded=unfolded,
                key=key,
                on_change=in_view.unfolded,
                args=(key,),
                type="compact",
            )
            if box.open:
                with box:
                    idea_card.draw(saved.idea, None, "", f"ideas:{saved.id}")
                    st.page_link(
                        "pages/checklist.py",
                        label="Judge by checklist",
                        icon=":material/checklist_rtl:",
                        query_params={"idea": saved.id},
                    )
                    _marks(saved)
    in_view.follow("ideas")


def _head(saved: Saved, name: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        picked.box(saved.id, f"ideas:pick:{saved.id}", f"**{inline(name)}**")
        st.space("stretch")
        if not saved.kept:
            st.button(
                "Keep",
                icon=":material/bookmark_add:",
                type="tertiary",
                key=f"ideas:keep-this:{saved.id}",
                on_click=_change,
                args=(saved.id,),
            )
        st.button(
            "Starred" if saved.starred else "Star",
            icon=":material/star:" if saved.starred else ":material/star_border:",
            type="tertiary",
            key=f"ideas:star:{saved.id}",
            on_click=_change,
            args=(saved.id,),
            kwargs={"starred": not saved.starred},
        )
    run = None
    if saved.run:
        with suppress(BadInput):
            run = services.store().runs.get(saved.run)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(_where(saved, run), width="content")
        if saved.collections or saved.tags:
            st.markdown(_labels(saved), width="content")
        if run:
            st.page_link("pages/runs.py", label="Its run", query_params={"run": run.id})
        elif saved.run:
            st.caption("its run was deleted", width="content")
        st.page_link(
            "pages/refine.py",
            label="Refine this idea",
            icon=":material/cyclone:",
            query_params={"idea": saved.id},
        )
        st.page_link(
            "pages/novelty.py",
            label="Check its novelty",
            icon=":material/travel_explore:",
            query_params={"idea": saved.id},
        )
    if saved.note:
        st.markdown(shown(saved.note))


def _where(saved: Saved, run: Run | None) -> str:
    """Return what made an idea on which topic, where it is from, and since when it is there."""
    parts = []
    topic = saved.topic or (str(run.config.inputs.get("topic", "")) if run else "")
    if saved.method:
        parts.append(f"by {inline(saved.method, 80)}")
    if topic and topic != saved.idea.title:
        parts.append(f"on {inline(topic, 80)}")
    if saved.origin and saved.origin != "outcome":
        parts.append(inline(describe_origin(services.store(), saved.run, saved.origin)))
    parts.append(f"{'kept' if saved.kept else 'brought in'} {ago(saved.saved)}")
    return " · ".join(parts)


def _labels(saved: Saved) -> str:
    """Return the collections and the tags of an idea as badges."""
    labels = [f":gray-badge[:material/stacks: {inline(one, 60)}]" for one in saved.collections[:3]]
    labels += [f":gray-badge[:material/sell: {inline(tag)}]" for tag in saved.tags]
    return " ".join(labels)


def _change(idea: str, **marks: Any) -> None:
    """Keep an idea with a person's marks on it."""
    with mistakes.kept("ideas:changing"):
        services.store().ideas.change(idea, **marks)


def _boxes(saved: Saved) -> dict[str, str]:
    return {f"ideas:tags:{saved.id}": ", ".join(saved.tags), f"ideas:note:{saved.id}": saved.note}


def _save_marks(idea: str) -> None:
    """Save what was typed over an idea's tags and note, and keep the idea; a callback."""
    store, note, tags = services.store(), Box(f"ideas:note:{idea}"), Box(f"ideas:tags:{idea}")
    with mistakes.kept("ideas:changing"), seen_by(note):
        with store.connections.writing():
            saved = store.ideas.get(idea)
            store.ideas.change(
                idea, tags=tags.tags_over(saved.tags), note=note.over(saved.note).strip()
            )
        show(_boxes(store.ideas.get(idea)))


def _marks(saved: Saved) -> None:
    fill(_boxes(saved))
    with st.form(f"ideas:marks:{saved.id}", border=False):
        st.text_input(
            "Tags, separated by commas",
            key=f"ideas:tags:{saved.id}",
            persist_state="session",
        )
        st.text_area("Note", key=f"ideas:note:{saved.id}", height=80, persist_state="session")
        st.form_submit_button(
            "Save tags and note",
            icon=":material/check:",
            on_click=_save_marks,
            args=(saved.id,),
        )
    if saved.kept and st.button(
        "Remove from Ideas",
        icon=":material/delete:",
        type="tertiary",
        key=f"ideas:remove:{saved.id}",
    ):
        _confirm(saved)


@st.dialog("Remove this idea?", icon=":material/delete:")
def _confirm(saved: Saved) -> None:
    st.markdown(f"**{inline(saved.idea.title)}**")
    st.markdown("**What goes:** the idea as you kept it, with its star, tags and note.")
    st.markdown(
        "**What stays:** the run it came from, the collections it is in, and every rating and"
        " ranking given."
    )
    if st.button(
        "Remove", type="primary", key="ideas:remove-for-good", on_click=_remove, args=(saved.id,)
    ):
        st.rerun()


def _remove(idea: str) -> None:
    with mistakes.kept("ideas:changing"):
        services.store().ideas.remove(idea)
    picked.keep(tuple(one for one in picked.ids() if one != idea))
