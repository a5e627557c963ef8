"""Choosing a model for each role, trying it, and giving a key to this server's memory."""
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import streamlit as st

from components.home import called
from components.text import inline
from core.models.reach import Reachable
from core.settings import PROVIDER_KEYS

DOES = {"main": "Main model: writes, reviews and judges", "cheap": "Cheap model: reads papers"}


class Key(NamedTuple):
    """A key to use until the server ends, or None to forget the one given."""

    provider: str
    key: str | None


def found(reachable: Sequence[Reachable]) -> bool:
    """Draw what can be asked from here and say whether to look again."""
    for one in reachable:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            icon = "inventory_2" if one.provider == "builtin" else "link"
            st.badge(inline(one.provider), icon=f":material/{icon}:", color="gray" if one.provider == "builtin" else "green")
            said = f"{one.how}" + (f", {len(one.models)} models" if one.models else "")
            st.caption(inline(said), width="content")
    return st.button("Look again", icon=":material/refresh:", type="tertiary", key="settings:look")


def role(name: str, chosen: str, names: Sequence[str]) -> str | None:
    """Draw the choice for a role and return the name that was chosen anew, None while it stays."""
    options = list(dict.fromkeys([chosen, *names]))
    key = f"settings:model-{name}"
    picked = st.selectbox(DOES[name], options, index=0, format_func=called, accept_new_options=True, key=key,
                          help="Pick one that was found, or type provider:model, such as ollama:llama3.1 or openai:gpt-4o-mini.")
    picked = (picked or "").strip()
    return picked if picked and picked != chosen else None


def tested(said: Mapping[str, object] | str) -> None:
    """Draw what one real call gave: its numbers, or the sentence of what went wrong."""
    if isinstance(said, str):
        st.error(inline(said, 2_000), icon=":material/error:")
        return
    cost = said["cost"]
    price = "price unknown" if cost is None else f"${cost:.5f}"
    tokens = "tokens not counted" if said["tokens_in"] is None else f"{said['tokens_in']} tokens in, {said['tokens_out']} out"
    st.success(inline(f"{said['model']} answered in {said['seconds']} s, {tokens}, {price}: “{said['says']}”", 1_000), icon=":material/check_circle:")


def keys(names: Mapping[str, str], held: frozenset[str]) -> Key | None:
    """Draw which keys are there, never a key, and return one to use or to forget."""
    for provider, where in names.items():
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            there = provider in held
            st.badge(inline(provider), color="green" if there else "gray", icon=":material/key:" if there else ":material/key_off:")
            st.caption(where, width="content")
            if there and st.button("Forget", type="tertiary", key=f"settings:forget:{provider}", help="Until the server starts again."):
                return Key(provider, None)
    with st.form("settings:key", clear_on_submit=True, border=False):
        who, what, give = st.columns([2, 4, 2], vertical_alignment="bottom")
        provider = who.selectbox("Provider", list(names), key="settings:key-for")
        typed = what.text_input("Key, for this server's memory only", type="password", key="settings:key-typed", autocomplete="off")
        if give.form_submit_button("Use this key", icon=":material/key:") and typed:
            return Key(provider, typed)
    st.caption("A key typed here is used until the server ends. It is written nowhere (data folder, log, export) and not shown again.")
    return None


def key_places(environ: Mapping[str, str], held: frozenset[str]) -> dict[str, str]:
    """Say for each provider where its key is from: the name of the variable, never its value."""
    wanted = {**PROVIDER_KEYS, "semantic-scholar": ("SEMANTIC_SCHOLAR_API_KEY", "FOUNDRY_SEMANTIC_SCHOLAR_KEY")}
    said = {}
    for provider, variables in wanted.items():
        set_here = next((name for name in variables if environ.get(name)), None)
        if provider not in held:
            said[provider] = f"no key; looked for {' or '.join(variables)}"
        else:
            said[provider] = f"found in {set_here}" if set_here else "typed here, in this server's memory"
    return said
