"""The kept ideas: one card each, with a person's marks on it."""

from collections.abc import Mapping, Sequence

import streamlit as st

from components.runs.marks import split
from components.shell import idea_card, picked, services
from components.shell.paging import filtering
from components.shell.text import ago, inline, shown
from core.errors import BadInput
from core.importing.benchmarked import describe_origin
from core.store.ideas import Saved


def wanted() -> tuple[str, bool]:
    """Draw the filters and return (words, starred only); they live in the address."""
    find, star = st.columns([5, 1], vertical_alignment="bottom")
    filters = filtering("ideas:page")
    text = find.text_input(
        "Search in text, tags and notes", key="ideas:find", type="search", **filters
    )
    return text or "", star.toggle(
        "Starred only",
        key="ideas:starred",
        **filters,
    )


def hand_over(titles: Mapping[str, str]) -> None:
    """Draw the picked set and the way to rate it."""
    chosen = picked.ids()
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        if not chosen:
            st.caption("Pick ideas below to rate or rank them together.")
            return
        some = " · ".join(inline(titles.get(one, one), 40) for one in chosen[:5])
        st.markdown(
            f"**{len(chosen)} picked:** {some}{' …' if len(chosen) > 5 else ''}", width="stretch"
        )
        st.page_link(
            "pages/rate.py",
            label="Rate and rank them",
            icon=":material/star:",
            query_params={picked.PARAM: ",".join(chosen)},
        )
        st.button("Clear", key="ideas:clear", type="tertiary", on_click=picked.keep, args=((),))


def cards(ideas: Sequence[Saved]) -> None:
    """Draw one card an idea; its text is sent to the browser when the card is unfolded."""
    for saved in ideas:
        with st.container(border=True, gap="small"):
            _head(saved)
            unfolded = st.expander(
                "Read, tag, add a note",
                key=f"ideas:open:{saved.id}",
                on_change="rerun",
                type="compact",
            )
            if unfolded.open:
                with unfolded:
                    idea_card.draw(saved.idea, None, "", f"ideas:{saved.id}")
                    st.page_link(
                        "pages/checklist.py",
                        label="Judge by checklist",
                        icon=":material/checklist_rtl:",
                        query_params={"idea": saved.id},
                    )
                    _marks(saved)


def _head(saved: Saved) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        picked.box(saved.id, f"ideas:pick:{saved.id}", f"**{inline(saved.idea.title)}**")
        st.space("stretch")
        st.button(
            "Starred" if saved.starred else "Star",
            icon=":material/star:" if saved.starred else ":material/star_border:",
            type="tertiary",
            key=f"ideas:star:{saved.id}",
            on_click=services.store().ideas.change,
            args=(saved.id,),
            kwargs={"starred": not saved.starred},
        )
    with st.container(horizontal=True, vertical_alignment="center"):
        origin = ""
        if saved.origin:
            origin = f"{inline(describe_origin(services.store(), saved.run, saved.origin))} · "
        tags = " ".join(f":gray-badge[{inline(tag)}]" for tag in saved.tags)
        st.caption(f"{origin}kept {ago(saved.saved)} {tags}", width="content")
        if saved.run:
            try:
                run = services.store().runs.get(saved.run).id
                st.page_link("pages/runs.py", label=f"run {inline(run)}", query_params={"run": run})
            except BadInput:
                st.caption(f"its run {inline(saved.run)} was deleted", width="content")
    if saved.note:
        st.markdown(shown(saved.note))


def _marks(saved: Saved) -> None:
    with st.form(f"ideas:marks:{saved.id}", border=False):
        tags = st.text_input(
            "Tags, separated by commas",
            ", ".join(saved.tags),
            key=f"ideas:tags:{saved.id}",
            persist_state="session",
        )
        note = st.text_area(
            "Note", saved.note, key=f"ideas:note:{saved.id}", height=80, persist_state="session"
        )
        if st.form_submit_button("Save tags and note", icon=":material/check:"):
            services.store().ideas.change(saved.id, tags=split(tags), note=note.strip())
            st.rerun()
    if st.button(
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
    st.markdown("**What stays:** the run it came from, and every rating and ranking given.")
    if st.button(
        "Remove", type="primary", key="ideas:remove-for-good", on_click=_remove, args=(saved.id,)
    ):
        st.rerun()


def _remove(idea: str) -> None:
    services.store().ideas.remove(idea)
    picked.keep(tuple(one for one in picked.ids() if one != idea))
