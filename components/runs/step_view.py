"""One step in full: what was asked, what was answered, by whom, and what it took."""

import json
from collections.abc import Sequence

import streamlit as st

from components.runs.steps import ICONS, KEY, ROWS
from components.shell.text import ago, counted, inline, shown
from core.records import Call, Step, label, usage

HEIGHT = 300
"""Pixels of thoughts that are seen at once: they may be far longer than the answer."""


def draw(step: Step) -> None:
    """Draw one step: what was asked, what was answered, by whom, and what it took."""
    with st.container(border=True):
        st.markdown(f"{ICONS.get(step.origin.kind, '')} **{inline(step.key)}**")
        st.caption(" · ".join(_took(step)))
        if step.taken_from:
            st.page_link(
                "pages/runs.py",
                label=f"Taken over from run {inline(step.taken_from)}, free of charge",
                icon=":material/call_split:",
                query_params={"run": step.taken_from, KEY: step.key},
            )
        if step.status == "failed":
            st.error(
                "This step failed, and the run went on past it: "
                + inline(_message(step.reply), 2_000)
            )
        else:
            st.markdown("**Reply**")
            _readable(step.reply)
            with st.expander("Reply as recorded"):
                _code(step.reply)
        _request(step.request)
        for call in step.calls:
            if call.outcome == "accepted":
                thoughts(call)
        _tries(step.calls)
        if step.origin.detail:
            with st.expander("Where the answer came from"):
                _code(step.origin.detail)


def _took(step: Step) -> list[str]:
    if step.origin.kind == "authored":
        return ["written for the case study, by no model: no tokens, cost or time"]
    detail = step.origin.detail.get("model")
    costs = [call.cost for call in step.calls]
    known = f"\\${sum(filter(None, costs)):.4f}" if costs else ""
    price = "free" if step.origin.name == "builtin" else "price unknown" if None in costs else known
    read, written = (
        sum(c.tokens_in or 0 for c in step.calls),
        sum(c.tokens_out or 0 for c in step.calls),
    )
    tokens = (
        [usage.tokens(read, written, len(step.calls), usage.silent(step.calls))]
        if step.calls
        else []
    )
    by = f"{step.origin.kind}: {inline(step.origin.name)}" + (
        f" ({inline(str(detail))})" if detail and detail != step.origin.name else ""
    )
    return [
        by,
        *tokens,
        *([price] if price else []),
        *_seconds(step),
        *([counted(len(step.calls), "try")] if step.calls else []),
        ago(step.ended),
    ]


def _seconds(step: Step) -> list[str]:
    return [] if step.latency is None else [f"{step.latency:.2f} s"]


def _request(request: dict[str, object]) -> None:
    texts = {name: request[name] for name in ("standing", "text") if request.get(name)}
    with st.expander("Request", expanded=not texts):
        if "standing" in texts:
            st.caption("Standing instruction")
            st.code(str(texts["standing"]), language=None, wrap_lines=True)
        if "text" in texts:
            st.caption("Task")
            st.code(str(texts["text"]), language=None, wrap_lines=True)
        _code({name: value for name, value in request.items() if name not in (*texts, "schema")})
    if "schema" in request:
        with st.expander("Shape the answer had to have"):
            _code(request["schema"])


def _tries(calls: Sequence[Call]) -> None:
    refused = [(n, call) for n, call in enumerate(calls, 1) if call.outcome != "accepted"]
    if refused:
        st.markdown("**Tries that were not accepted**")
    for n, call in refused:
        refused_try(call, f"Try {n}")


def refused_try(call: Call, name: str) -> None:
    """Draw a try that was paid but not accepted: why, what it cost, and what came."""
    price = "price unknown" if call.cost is None else f"\\${call.cost:.4f}"
    with st.expander(f"{name}: {inline(call.outcome, 160)}", icon=":material/block:"):
        unknown = call.tokens_in is None or call.tokens_out is None
        tokens = (
            "tokens not reported"
            if unknown
            else f"{(call.tokens_in or 0) + (call.tokens_out or 0):,} tokens"
        )
        st.caption(f"{inline(call.model)} · {tokens} · {price} · {call.latency:.2f} s")
        if call.raw:
            st.code(call.raw, language=None, wrap_lines=True)
        else:
            st.caption("Nothing came back but thoughts." if call.thoughts else "Nothing came back.")
        if call.thoughts:
            st.caption(thought(call))
            st.code(call.thoughts, language=None, wrap_lines=True, height=HEIGHT)


def thoughts(call: Call) -> None:
    """Draw what the model thought before it answered, folded; nothing where it did not say."""
    if call.thoughts:
        with st.expander(thought(call), icon=":material/psychology:"):
            st.code(call.thoughts, language=None, wrap_lines=True, height=HEIGHT)


def thought(call: Call) -> str:
    """Say how long a model's thoughts are."""
    tokens = f", {counted(call.tokens_thought, 'token')}" if call.tokens_thought else ""
    return f"Thoughts before the answer: {counted(call.thoughts_length, 'character')}{tokens}"


def _readable(value: object, depth: int = 0) -> None:
    """Draw plain JSON as text: what is named under its name, what is listed as a list of at most
    ROWS.
    """
    if isinstance(value, dict):
        for name, part in value.items():
            if isinstance(part, (dict, list)) and part:
                st.markdown(f"**{inline(label(name))}**")
                _readable(part, depth + 1)
            elif part not in (None, "", [], {}):
                st.markdown(f"**{inline(label(name))}:** {shown(str(part))}")
    elif isinstance(value, list):
        for part in value[:ROWS]:
            with st.container(border=isinstance(part, dict) and depth < 3, gap="xsmall"):
                _readable(part, depth + 1)
        if len(value) > ROWS:
            st.caption(f"{len(value) - ROWS} more in the reply as recorded.")
    else:
        st.markdown(shown(str(value)) or "nothing")
    if value in ({}, []):
        st.caption("Empty.")


def _message(reply: object) -> str:
    return str(reply.get("message", "")) if isinstance(reply, dict) else str(reply)


def _code(value: object) -> None:
    st.code(json.dumps(value, ensure_ascii=False, indent=2), language="json", wrap_lines=True)
