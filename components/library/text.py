"""Whether the whole text of a paper is there, and attaching its PDF."""

from typing import Literal, NamedTuple

import streamlit as st

from components.shell.text import counted, inline
from core.literature.full_text.pdf import LARGEST
from core.records import FullText, Paper


class TextWish(NamedTuple):
    """What to do about a paper's PDF."""

    what: Literal["attach", "detach"]
    data: bytes = b""


def draw(
    paper: Paper, attached: FullText | None, fetched: FullText | None, key: str
) -> TextWish | None:
    """Draw the state of a paper's text, with ways to attach a PDF and to take it off, and return
    what is asked for.
    """
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(_said(paper, attached, fetched), width="content")
        # Named by what is attached: once another PDF is, the way to attach one is a new one, closed
        # and empty.
        fresh = f"{key}:{attached.sha[:8]}" if attached and attached.sha else key
        with st.popover("Attach a PDF", icon=":material/attach_file:", key=f"{fresh}:pdf"):
            file = st.file_uploader(
                "PDF", type="pdf", key=f"{fresh}:file", max_upload_size=LARGEST // 1_000_000
            )
            if (
                st.button(
                    "Attach", icon=":material/check:", key=f"{key}:attach", disabled=file is None
                )
                and file is not None
            ):
                return TextWish("attach", file.getvalue())
        if attached and st.button(
            "Detach the PDF", icon=":material/link_off:", type="tertiary", key=f"{key}:detach"
        ):
            return TextWish("detach")
    return None


def _said(paper: Paper, attached: FullText | None, fetched: FullText | None) -> str:
    if text := attached or fetched:
        origin = inline(
            f"attached ({text.origin})" if attached else "fetched from its open-access address"
        )
        return (
            f":material/description: Full text: {counted(text.pages, 'page')}, {origin}."
            f" {inline(text.reason)}"
        )
    if paper.pdf:
        return (
            ":material/description: Full text: an open-access PDF is known and fetched when a run"
            " reads the paper."
        )
    if not paper.abstract:
        return ":material/description: Full text: none known, and no abstract: runs see its title."
    return ":material/description: Full text: none known; runs read the abstract."
