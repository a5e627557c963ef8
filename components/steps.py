"""A run's steps as a tree of keys, and one step in full."""
import json
from collections.abc import Sequence

import streamlit as st

from components.text import ago, counted, inline, shown
from core.records import Call, Step, label
from core.store.steps import Outline

ICONS = {"model": ":material/smart_toy:", "source": ":material/menu_book:", "person": ":material/person:", "computed": ":material/calculate:",
         "authored": ":material/edit_note:"}
KEY = "runs:step"
ROWS = 50


def chosen(outline: Sequence[Outline]) -> str | None:
    """Draw the search among all steps and return the key of the one to look at."""
    keys = [step.key for step in outline]
    return st.selectbox("Look at a step", keys, index=None, key=KEY, bind="query-params", placeholder="Pick below, or type to search all of them")


def grouped(outline: Sequence[Outline]) -> dict[str, list[Outline]]:
    """Group steps by the first part of their path in which they differ; steps without a further part are under ''."""
    paths = [step.key.split("/") for step in outline]
    folders = [tuple(path[:-1]) for path in paths]
    shared = next((n for n, parts in enumerate(zip(*folders, strict=False)) if len(set(parts)) > 1), min(map(len, folders), default=0))
    groups: dict[str, list[Outline]] = {}
    for step, path in zip(outline, paths, strict=True):
        groups.setdefault(path[shared] if len(path) > shared + 1 else "", []).append(step)
    return groups


def tree(outline: Sequence[Outline], open_key: str | None) -> None:
    """Draw the steps group by group; only what is unfolded is sent to the browser."""
    groups = grouped(outline)
    for name, steps in groups.items():
        if not name or len(groups) == 1:
            _rows(steps, name, open_key)
            continue
        failed = sum(step.status == "failed" for step in steps)
        said = f"{inline(name)} · {counted(len(steps), 'step')}" + (f" · {failed} failed" if failed else "")
        unfolded = st.expander(said, expanded=any(step.key == open_key for step in steps), key=f"runs:group:{name}", on_change="rerun")
        if unfolded.open:
            with unfolded:
                _rows(steps, name, open_key)


def _rows(steps: Sequence[Outline], group: str, open_key: str | None) -> None:
    page = st.pagination(-(-len(steps) // ROWS), key=f"runs:steps:{group}") if len(steps) > ROWS else 1
    rows = st.container(gap="xxsmall")
    for step in steps[(page - 1) * ROWS:page * ROWS]:
        with rows.container(horizontal=True, vertical_alignment="center", gap="small"):
            tail = step.key.split(f"{group}/", 1)[-1] if group else step.key
            icon = ":material/error:" if step.status == "failed" else ICONS.get(step.kind, ":material/circle:")
            st.button(inline(tail), icon=icon, type="secondary" if step.key == open_key else "tertiary", key=f"runs:pick:{step.key}",
                      on_click=_pick, args=(step.key,))
            st.space("stretch")
            st.caption(" · ".join(_numbers(step)), width="content")


def _pick(key: str) -> None:
    st.session_state[KEY] = key


def _numbers(step: Outline) -> list[str]:
    tokens = (step.tokens_in or 0) + (step.tokens_out or 0)
    said = [":red[failed]"] if step.status == "failed" else []
    if step.taken_from:
        return [*said, "taken over, free"]
    said += [f"{tokens:,} tokens"] if tokens else []
    said += [f"\\${step.cost:.4f}"] if step.cost else ["price unknown"] if step.tries and step.cost is None else []
    said += [f":orange[{step.tries} tries]"] if step.tries > 1 else []
    return [*said, f"{step.latency:.1f} s"]


def in_full(step: Step) -> None:
    """Draw one step: what was asked, what was answered, by whom, and what it took."""
    with st.container(border=True):
        st.markdown(f"{ICONS.get(step.origin.kind, '')} **{inline(step.key)}**")
        st.caption(" · ".join(_took(step)))
        if step.taken_from:
            st.page_link("pages/runs.py", label=f"Taken over from run {inline(step.taken_from)}, free of charge", icon=":material/call_split:",
                         query_params={"run": step.taken_from, KEY: step.key})
        if step.status == "failed":
            st.error("This step failed, and the run went on past it: " + inline(_message(step.reply), 2_000))
        else:
            st.markdown("**Reply**")
            _readable(step.reply)
            with st.expander("Reply as recorded"):
                _code(step.reply)
        _request(step.request)
        _tries(step.calls)
        if step.origin.detail:
            with st.expander("Where the answer came from"):
                _code(step.origin.detail)


def _took(step: Step) -> list[str]:
    detail = step.origin.detail.get("model")
    costs = [call.cost for call in step.calls]
    known = f"\\${sum(filter(None, costs)):.4f}" if costs else ""
    price = "free" if step.origin.name == "builtin" else "price unknown" if None in costs else known
    tokens = [f"{sum(c.tokens_in or 0 for c in step.calls):,} tokens in, {sum(c.tokens_out or 0 for c in step.calls):,} out"] if step.calls else []
    by = f"{step.origin.kind}: {inline(step.origin.name)}" + (f" ({inline(str(detail))})" if detail and detail != step.origin.name else "")
    return [by, *tokens, *([price] if price else []), f"{step.latency:.2f} s", *([counted(len(step.calls), "try")] if step.calls else []), ago(step.ended)]


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
        st.caption(f"{inline(call.model)} · {(call.tokens_in or 0) + (call.tokens_out or 0):,} tokens · {price} · {call.latency:.2f} s")
        if call.raw:
            st.code(call.raw, language=None, wrap_lines=True)
        else:
            st.caption("Nothing came back.")


def _readable(value: object, depth: int = 0) -> None:
    """Draw plain JSON as text: what is named under its name, what is listed as a list of at most ROWS."""
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
