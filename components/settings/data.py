"""Caps, the data folder, and what is installed."""

from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import streamlit as st

from components.shell.text import inline

PACKAGES = (
    "streamlit",
    "langchain",
    "langchain-openai",
    "semanticscholar",
    "sentence-transformers",
    "torch",
    "pydantic",
    "sqlite-utils",
)


def month_cap(cap: float | None, spent: float, unpriced: int, month: str) -> float | None:
    """Draw this month's spending against its cap; return the cap to set, 0 for none, None to leave
    it.
    """
    unknown = (
        f", and {unpriced} calls of unknown price that no cap in dollars can count"
        if unpriced
        else ""
    )
    st.markdown(
        inline(
            f"Spent in {month}: ${spent:.4f}"
            + (f" of ${cap:.2f}" if cap else ", no cap set")
            + unknown
        )
    )
    if cap:
        st.progress(min(spent / cap, 1.0))
    amount, save = st.columns([3, 1], vertical_alignment="bottom")
    wish = amount.number_input(
        "Monthly cap, $",
        min_value=0.0,
        value=cap,
        step=1.0,
        key="settings:cap",
        placeholder="no cap",
        persist_state="session",
        help="A run that would pass it pauses, and goes on with one click once the cap is raised.",
    )
    return (
        (wish or 0.0)
        if save.button("Save", icon=":material/check:", key="settings:save-cap")
        else None
    )


def folder(path: Path, size: int, suggested: str) -> str | None:
    """Draw where the data is and return the name of a backup to write."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.code(str(path), language=None)
        st.caption(f"{size / 1_000_000:,.1f} MB", width="content")
    st.caption(
        "Everything is in this folder; it is chosen with FOUNDRY_DATA before the server starts."
    )
    name, write = st.columns([3, 1], vertical_alignment="bottom")
    wish = name.text_input(
        "Back the database up to a file in this folder, named",
        suggested,
        key="settings:backup",
        persist_state="session",
    )
    return wish if write.button("Back up", icon=":material/save:", key="settings:back-up") else None


def wish_to_wipe() -> bool:
    """Draw the way to wipe and say whether it was asked for."""
    return st.button("Wipe all data", icon=":material/delete_forever:", key="settings:wipe")


def versions() -> None:
    """Draw what is installed."""
    st.caption(" · ".join(f"{name} {_version(name)}" for name in PACKAGES))


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"
