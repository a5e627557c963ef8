"""How an expert's window is laid out: wide, texts and form scroll by themselves and what submits is
always in view; on a phone the page scrolls as a whole. And what a language changes of it.
"""

import streamlit as st

from core.records import Task
from core.wording.catalogue import Wording

TEXTS = '[class*="st-key-seat-text-"]'
NARROW = 640
"""Pixels: up to this width columns stand below one another (Streamlit's own), and nothing scrolls
but the page.
"""
HEAD, FOOT, ACROSS, ROW = 70, 258, 234, 40
"""Pixels down: the line above; note, button, what is saved and keys below a form; what skips, and
the same beside one another; a row of a comparison.
"""
FADES = "linear-gradient(#000 calc(100% - 2rem), transparent)"
"""Where a form is longer than the window, so that what is cut off is not taken for its end."""

ALWAYS = """
    .stMainBlockContainer { padding: 1rem 2rem 0 !important; max-width: 110rem; }
    [class*="st-key-seat-scale-"] {
        border-inline-start: 3px solid transparent; padding-inline-start: .6rem;
        scroll-margin-block: .5rem 2.5rem; outline: none; }
    [class*="st-key-seat-scale-"][data-on] { border-inline-start-color: currentColor; }
    .st-key-seat-boxes, .st-key-seat-pool { outline: none; }
    .st-key-seat-boxes [role=radio] { min-width: 0; padding-inline: .15rem; }
    [class*="st-key-seat-place-"] button > div { justify-content: flex-start; text-align: start; }
    .st-key-seat-foot[data-unsaved] .st-key-seat-kept p { visibility: hidden; position: relative; }
    .st-key-seat-foot[data-unsaved] .st-key-seat-kept p::after {
        content: attr(data-writing); visibility: visible; font-size: .875rem;
        position: absolute; inset-inline-start: 0; }
    .st-key-seat-boxes, .st-key-seat-foot { overflow-wrap: anywhere; }
    [data-testid=InputInstructions] { display: none; }
"""
"""Texts stand in whatever direction their script has, paragraph by paragraph, as with dir="auto".
Streamlit's own words under a box ("Press Ctrl+Enter to apply") are English, and say what is not so
here: what is typed is kept as it goes.
"""
EITHER_WAY = """
    [data-testid=stMarkdownContainer] :is(p, li, h1, h2, h3, h4, h5, h6), textarea {
        unicode-bidi: plaintext; text-align: start; }
    [role=radio] p, button p { text-align: inherit; }
"""
PHONE = """
    .st-key-seat-due, .st-key-seat-practice { height: auto !important; overflow: visible; }
    .stMainBlockContainer { padding: .75rem 1rem 4rem !important; }
    .st-key-seat-keys, .st-key-seat-saved { display: none; }
    [class*="st-key-seat-beside-"] { flex-wrap: wrap; }
    .st-key-seat-boxes [role=radio] { min-height: 2.75rem; }
    .st-key-seat-boxes [role=radio] p { white-space: normal; line-height: 1.2; }
"""
PHONE_TASK: dict[Task, str] = {
    "compare": """
        [class*="st-key-seat-scale-"] {
            flex-direction: column; align-items: stretch; gap: .5rem; margin-bottom: .75rem; }
        [class*="st-key-seat-scale-"] > * {
            width: 100% !important; max-width: 100%; flex: none !important; min-width: 0; }
        .st-key-seat-boxes [role=radiogroup] { flex-direction: column; align-items: stretch; }
        .st-key-seat-boxes [role=radio] { width: 100%; max-width: none; margin-inline: 0;
            border: 1px solid color-mix(in srgb, currentColor 25%, transparent);
            margin-block-start: -1px; border-radius: .3rem; }
        .st-key-seat-foot [data-testid=stHorizontalBlock] { flex-wrap: wrap; }
    """
}


def dress(words: Wording) -> None:
    """Let the page stand in the language's direction, and say in its words that the connection is
    lost.
    """
    way = ".stMain { direction: rtl; }" if words.backwards else ""
    st.html(f"<style>{EITHER_WAY} {way} {_offline(words)}</style>")


def fit(task: Task, criteria: int, above: int) -> None:
    """Fit the window; for a comparison the texts have what the rows of the form leave."""
    below = ACROSS + ROW * criteria if task == "compare" else 20
    tall = f"max(11rem, calc(100vh - {HEAD + above + below}px)) !important"
    form = (
        ""
        if task == "compare"
        else (
            f"max-height: calc(100vh - {HEAD + above + FOOT}px); overflow-y: auto; padding: 0 .4rem"
            f" 2rem 0; mask-image: {FADES};"
        )
    )
    st.html(
        f"<style>{ALWAYS} @media (min-width: {NARROW + 1}px) {{"
        f" {TEXTS} {{ height: {tall}; max-height: {tall}; overflow-y: auto; }}"
        f" .st-key-seat-boxes {{ {form} }} }}"
        f" @media (max-width: {NARROW}px) {{ {PHONE} {PHONE_TASK.get(task, '')} }}</style>"
    )


def _offline(words: Wording) -> str:
    # Every sign as its number: the file of texts may hold quotation marks and brackets.
    said = "".join(f"\\{ord(sign):x} " for sign in words("head.offline"))
    return (
        '.stApp[data-test-connection-state]:not([data-test-connection-state="CONNECTED"])::after {'
        f' content: "{said}"; position: fixed; inset: auto 0 0; padding: .6rem 2rem;'
        " background: #333; color: #fff; z-index: 9; }"
    )
