"""Attaching a PDF to a paper of a chain; it is read beside the page, and the paper is then read
again.
"""

from functools import partial

import streamlit as st

from components.chains.edit import copy as copies
from components.library import text as library_text
from components.library.finder import PERSON
from components.library.importing import jobs, progress
from components.shell import services
from core.literature.full_text import FullTexts
from core.literature.intake import Intake
from core.methods.chain_of_ideas.editing import read_again
from core.records import Paper


def attach(paper: Paper, key: str) -> None:
    """Draw whether a paper's text is known, with a way to attach its PDF."""
    shop = services.workshop()
    library = shop.store.library
    wish = library_text.draw(
        paper,
        library.attached(paper.id),
        library.text_at(paper.pdf) if paper.pdf else None,
        f"{key}:{paper.id}",
    )
    if wish and wish.what == "attach":
        intake = Intake(library, FullTexts(shop.settings, library))
        st.session_state[f"{key}:pdf"] = (
            jobs().begin([(paper.title, partial(intake.attach, paper, wish.data, PERSON))]).id,
            paper.id,
        )
        st.rerun()
    elif wish:
        library.detach(paper.id)
        st.rerun()


def attaching(key: str) -> None:
    """Draw how far a PDF is that is being read; once it is, its paper is marked to be read
    again.
    """
    name, paper = st.session_state.get(f"{key}:pdf", ("", ""))
    job = jobs().get(name)
    if job is None:
        return
    if job.over and not any(report.failed for report in job.reports):
        del st.session_state[f"{key}:pdf"]
        copies.change(key, lambda chain, _: read_again(chain, paper))
        st.toast(
            "The PDF is attached; the paper will be read again.", icon=":material/attach_file:"
        )
        st.rerun()
    progress(job)
