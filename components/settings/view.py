"""What can be set: a model for each role, tried once, and keys for the memory of this server; the
cap of a month, the data folder, and what is installed.
"""

import shlex
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import streamlit as st

from components.runs.asking import cap_usd
from components.runs.models import called
from components.shell.text import inline
from core import VERSION
from core.doctor import Finding, in_bytes
from core.models.prices import free
from core.settings import PROVIDER_KEYS, SOURCE_VARIABLES
from core.store.backups.backup import Backup

TYPED = "settings:key-typed"
SHOWN = 30
"""Backups in the list."""
MARKS = {"fine": ("check_circle", "green"), "note": ("info", "gray"), "broken": ("error", "red")}
DOES = {
    "main": "Main model: writes, reviews and judges",
    "cheap": "Cheap model: reads papers",
    "selector": (
        "Selector model: chooses between the branches of a chain (the main model, if none is"
        " chosen)"
    ),
    "novelty": (
        "Novelty model: says whether a paper that was found has an idea already (the main model, if"
        " none is chosen)"
    ),
}


def role(name: str, chosen: str, names: Sequence[str], pick: Callable[[str, str], None]) -> None:
    """Draw the choice for a role; `pick` is told (role, model) when a person chooses."""
    # The key names the choice, so that a page left open elsewhere never puts an older choice back.
    key = f"settings:model-{name}:{chosen}"

    def picked() -> None:
        wish, st.session_state[key] = str(st.session_state[key] or chosen).strip(), chosen
        pick(name, wish)

    st.selectbox(
        DOES[name],
        list(dict.fromkeys([chosen, *names])),
        index=0,
        format_func=called,
        accept_new_options=True,
        key=key,
        on_change=picked,
        help=(
            "Pick one that was found, or type provider:model, such as ollama:llama3.1 or"
            " openai:gpt-4o-mini."
        ),
    )


def tested(said: Mapping[str, object] | str) -> None:
    """Draw what one real call gave: its numbers, or the sentence of what went wrong."""
    if isinstance(said, str):
        st.error(inline(said, 2_000), icon=":material/error:")
        return
    cost = said["cost"]
    price = (
        "free" if free(str(said["model"])) else "price unknown" if cost is None else f"${cost:.5f}"
    )
    tokens = (
        "tokens not counted"
        if said["tokens_in"] is None
        else f"{said['tokens_in']} tokens in, {said['tokens_out']} out"
    )
    st.success(
        inline(
            f"{said['model']} answered in {said['seconds']} s, {tokens}, {price}: “{said['says']}”",
            1_000,
        ),
        icon=":material/check_circle:",
    )


def keys(
    names: Mapping[str, str], held: frozenset[str], use: Callable[[str, str | None], None]
) -> None:
    """Draw which keys are there, never a key; `use` is told (provider, key) of one that is typed,
    (provider, None) of one to forget.
    """
    for provider, where in names.items():
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            there = provider in held
            st.badge(
                inline(provider),
                color="green" if there else "gray",
                icon=":material/key:" if there else ":material/key_off:",
            )
            st.caption(where, width="content")
            if there:
                st.button(
                    "Forget",
                    type="tertiary",
                    key=f"settings:forget:{provider}",
                    help="Until the server starts again.",
                    on_click=use,
                    args=(provider, None),
                )

    def hand_over() -> None:
        typed = str(st.session_state[TYPED])
        st.session_state[TYPED] = ""  # The session, too, must not hold a key.
        use(str(st.session_state["settings:key-for"]), typed)

    with st.form("settings:key", border=False):
        who, what, give = st.columns([2, 4, 2], vertical_alignment="bottom")
        who.selectbox("Provider", list(names), key="settings:key-for")
        what.text_input(
            "Key, for this server's memory only", type="password", key=TYPED, autocomplete="off"
        )
        give.form_submit_button("Use this key", icon=":material/key:", on_click=hand_over)
    st.caption(
        "A key typed here is used until the server ends. It is written nowhere (data folder, log,"
        " export) and not shown again."
    )


def key_places(environ: Mapping[str, str], held: frozenset[str]) -> dict[str, str]:
    """Say for each provider where its key is from: the name of the variable, never its value."""
    wanted = {**PROVIDER_KEYS, **SOURCE_VARIABLES}
    said = {}
    for provider, variables in wanted.items():
        set_here = next((name for name in variables if environ.get(name, "").strip()), None)
        if provider not in held:
            said[provider] = f"no key; looked for {' or '.join(variables)}"
        else:
            said[provider] = (
                f"found in {set_here}" if set_here else "typed here, in this server's memory"
            )
    return said


# -- caps, the data folder, and what is installed -------------------------------------------------

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
    wish = cap_usd(
        "settings:cap",
        "Monthly cap, $",
        amount,
        value=cap,
        step=1.0,
        help="A run that would pass it pauses, and goes on with one click once the cap is raised.",
    )
    pressed = save.button("Save", icon=":material/check:", key="settings:save-cap")
    return (wish or 0.0) if pressed and (wish or 0.0) >= 0 else None


def folder(path: Path, size: int) -> None:
    """Draw where the data is, and how much."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.code(str(path), language=None)
        st.caption(in_bytes(size), width="content")
    st.caption(
        "Everything is in this folder; it is chosen with FOUNDRY_DATA before the server starts."
    )


def backups(place: Path, found: Sequence[Backup], said: str, missed: bool) -> bool:
    """Draw which backups there are, newest first, and whether one was missed; say whether one is
    wished for now.
    """
    (st.warning if missed else st.caption)(inline(said, 1_000))
    if found:
        with st.expander(f"Backups ({len(found)})", key="settings:backups"):
            rows = [
                {"Made (UTC)": f"{one.made:%Y-%m-%d %H:%M}", "Size": in_bytes(one.size)}
                | {"File": one.path.name}
                for one in found[:SHOWN]
            ]
            st.dataframe(rows, hide_index=True)
            if len(found) > SHOWN:
                st.caption(f"The newest {SHOWN} of {len(found)}.")
            st.caption("To go back to one, stop the server, run this, and start it again:")
            st.code(restoring(found[0].path), language="sh")
    wish = st.button("Back up now", icon=":material/save:", key="settings:back-up")
    st.caption(
        inline(
            f"Backups lie in {place}. Each is one file of all that runs need; those that the server"
            " makes by itself are removed after some days (FOUNDRY_BACKUP_KEEP).",
            600,
        )
    )
    return wish


def restoring(path: Path) -> str:
    """Return the command that goes back to a backup."""
    return f"python -m core restore {shlex.quote(str(path))} --over"


def examined(findings: Sequence[Finding]) -> None:
    """Draw what was looked at, a sentence each."""
    for one in findings:
        mark, colour = MARKS[one.state]
        st.markdown(
            f":{colour}[:material/{mark}:] **{inline(one.about)}** {inline(one.sentence, 1_000)}"
        )


def wish_to_wipe() -> bool:
    """Draw the way to wipe and say whether it was asked for."""
    return st.button("Wipe all data", icon=":material/delete_forever:", key="settings:wipe")


def versions() -> None:
    """Draw what is installed."""
    st.markdown(f"Idea Foundry {VERSION}")
    st.caption(" · ".join(f"{name} {_version(name)}" for name in PACKAGES))


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"
