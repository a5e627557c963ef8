"""Papers: what to look for, and one card a paper."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import streamlit as st

from components.shell import in_view
from components.shell.paging import filtering
from components.shell.text import inline, shown
from core.literature import authors, label
from core.literature.addresses import addresses
from core.literature.shelf import Neighbourhood
from core.literature.venues import name_place
from core.records import Paper, digest


def words(key: str, said: str) -> str:
    """Draw a search box and return what is looked for; it lives in the address."""
    text: str | None = st.text_input(
        said, key=f"library:{key}", type="search", **filtering(f"library:{key}-page")
    )
    return text or ""


def cards(
    papers: Sequence[Paper],
    tab: str,
    used_by: Callable[[str], Mapping[str, str]],
    under: Callable[[Paper, str], None],
) -> None:
    """Draw one card a paper; its text, the runs that use it and what `under` draws for it come when
    it is unfolded.
    """
    for paper in papers:
        with st.container(border=True, gap="xsmall"):
            key = f"library:{tab}:{paper.id}"
            unfolded = st.expander(
                f"**{inline(paper.title)}**",
                # One alone is what somebody came for, by the search of the whole program too.
                expanded=len(papers) == 1,
                key=key,
                on_change=in_view.unfolded,
                args=(key,),
                type="compact",
            )
            with unfolded if unfolded.open else st.container():
                st.caption(" · ".join(_facts(paper)))
            if unfolded.open:
                with unfolded:
                    _text(paper)
                    under(paper, key)
                    runs = used_by(paper.id)
                    if runs:
                        st.caption("Used by")
                    for run, title in runs.items():
                        st.page_link(
                            "pages/runs.py",
                            label=inline(title, 100),
                            icon=":material/list_alt:",
                            query_params={"run": run},
                        )
    in_view.follow(f"library:{tab}")


def _facts(paper: Paper) -> list[str]:
    cited = f"{paper.citations:,} citations" if paper.citations is not None else ""
    facts = (
        authors.listed(paper, 4),
        str(paper.year or "undated"),
        name_place(paper),
        cited,
        label(paper.source),
    )
    return [inline(fact) for fact in facts if fact]


def _text(paper: Paper) -> None:
    """Draw a paper's abstract and where it can be read."""
    if not paper.abstract:
        st.caption("The source gives no abstract.")
    else:
        if paper.abstract_by == "foundry":
            st.badge(
                "summary written for the built-in papers", icon=":material/edit_note:", color="gray"
            )
        st.markdown(shown(paper.abstract))
    ids = {"DOI": paper.doi, "arXiv": paper.arxiv, "Page": "at the source"}
    where = [f"[{name} {inline(ids[name] or '')}]({address})" for name, address in addresses(paper)]
    st.markdown(" · ".join([*where, f"id {inline(paper.id)}"]))
    if paper.seen:
        st.caption(f"Checked at {inline(paper.seen)}")


class PapersListed(NamedTuple):
    """A list of one's own papers, as it was drawn."""

    total: int
    text: str
    """What its papers hold."""
    newest: int
    """The number of the last import."""


def removal(listed: PapersListed, take_out: Callable[[PapersListed], None]) -> None:
    """Draw the way to take out all imported papers that are listed, asked once more: these very
    ones, whatever is imported before the press.
    """
    # Keys of this list's own: a double click means nothing for the list drawn after the first.
    mark = digest(listed)[:16]
    with st.popover(
        f"Remove {'these' if listed.text else 'all'} {listed.total:,}",
        icon=":material/delete:",
        type="tertiary",
        key=f"library:remove-listed:{mark}",
    ):
        st.markdown(
            "**What goes:** these papers of your own library, with the citations they brought."
        )
        st.markdown("**What stays:** runs that used them, and PDFs attached to them.")
        st.button(
            "Remove",
            type="primary",
            key=f"library:remove-for-good:{mark}",
            on_click=take_out,
            args=(listed,),
        )


def field(fields: Sequence[Neighbourhood]) -> str | None:
    """Draw what the built-in papers cover and return the name of the field to show, None for
    all.
    """
    titles = {one.name: f"{one.title} ({one.papers})" for one in fields}
    name: str | None = st.pills(
        "Field",
        list(titles),
        format_func=lambda name: inline(titles[name]),
        key="library:field",
        **filtering("library:shelf-page"),
    )
    return name
