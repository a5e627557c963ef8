"""A run's steps as a tree of keys, and one of them in full."""

import json
from collections.abc import Sequence

import streamlit as st

from components.shell.text import ago, counted, inline, shown
from core.records import Call, Step, label, usage
from core.store.steps import Outline

ICONS = {
    "model": ":material/smart_toy:",
    "source": ":material/menu_book:",
    "person": ":material/person:",
    "computed": ":material/calculate:",
    "authored": ":material/edit_note:",
}
KEY = "runs:step"
ROWS = 50
HEIGHT = 300
"""Pixels of thoughts that are seen at once: they may be far longer than the answer."""


def chosen(outline: Sequence[Outline]) -> str | None:
    """Draw the search among all steps and return the key of the one to look at."""
    keys = [step.key for step in outline]
    return st.selectbox(
        "Look at a step",
        keys,
        index=None,
        key=KEY,
        bind="query-params",
        placeholder="Pick below, or type to search all of them",
    )


def grouped(outline: Sequence[Outline]) -> tuple[int, dict[str, list[Outline]]]:
    """Return how many parts of their paths all steps share, and the steps by the next part, in the
    order they were asked.
    """
    paths = [step.key.split("/") for step in outline]
    folders = [path[:-1] for path in paths]
    shared = next(
        (n for n, parts in enumerate(zip(*folders, strict=False)) if len(set(parts)) > 1),
        min(map(len, folders), default=0),
    )
    groups: dict[str, list[Outline]] = {}
    for step, path in zip(outline, paths, strict=True):
        groups.setdefault(path[shared], []).append(step)
    return shared, groups


def tree(outline: Sequence[Outline], open_key: str | None) -> None:
    """Draw the steps group by group; only what is unfolded is sent to the browser."""
    shared, groups = grouped(outline)
    for name, steps in groups.items():
        if len(steps) == 1:
            _rows(steps, shared, open_key)
            continue
        failed = sum(step.status == "failed" for step in steps)
        said = f"{inline(name)} · {counted(len(steps), 'step')}" + (
            f" · {failed} failed" if failed else ""
        )
        unfolded = st.expander(
            said,
            expanded=any(step.key == open_key for step in steps),
            key=f"runs:group:{name}",
            on_change="rerun",
        )
        if unfolded.open:
            with unfolded:
                _rows(steps, shared + 1, open_key)


def _rows(steps: Sequence[Outline], named: int, open_key: str | None) -> None:
    page = (
        st.pagination(-(-len(steps) // ROWS), key=f"runs:steps:{steps[0].key}")
        if len(steps) > ROWS
        else 1
    )
    rows = st.container(gap="xxsmall")
    for step in steps[(page - 1) * ROWS : page * ROWS]:
        with rows.container(horizontal=True, vertical_alignment="center", gap="small"):
            icon = (
                ":material/error:"
                if step.status == "failed"
                else ICONS.get(step.kind, ":material/circle:")
            )
            st.button(
                inline("/".join(step.key.split("/")[named:])),
                icon=icon,
                type="secondary" if step.key == open_key else "tertiary",
                key=f"runs:pick:{step.key}",
                on_click=_pick,
                args=(step.key,),
            )
            st.space("stretch")
            st.caption(" · ".join(_numbers(step)), width="content")


def _pick(key: str) -> None:
    st.session_state[KEY] = key


def _numbers(step: Outline) -> list[str]:
    tokens = (step.tokens_in or 0) + (step.tokens_out or 0)
    known = usage.all_tokens(step.tokens_in or 0, step.tokens_out or 0, step.tries, step.unreported)
    said = [":red[failed]"] if step.status == "failed" else []
    if step.taken_from:
        return [*said, "taken over, free"]
    said += [known] if tokens or step.unreported else []
    if step.cost:
        said.append(f"\\${step.cost:.4f}")
    elif step.tries and step.cost is None:
        said.append("price unknown")
    said += [f":orange[{step.tries} tries]"] if step.tries > 1 else []
    return [
        *said,
        f"{step.latency:.1f} s" if step.latency is not None else "written for the case study",
    ]


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
            why = step.reply.get("message", "") if isinstance(step.reply, dict) else step.reply
            st.error(f"This step failed, and the run went on past it: {inline(str(why), 2_000)}")
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
    read = sum(call.tokens_in or 0 for call in step.calls)
    written = sum(call.tokens_out or 0 for call in step.calls)
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
        *([] if step.latency is None else [f"{step.latency:.2f} s"]),
        *([counted(len(step.calls), "try")] if step.calls else []),
        ago(step.ended),
    ]


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


def _code(value: object) -> None:
    st.code(json.dumps(value, ensure_ascii=False, indent=2), language="json", wrap_lines=True)
