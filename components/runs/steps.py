"""A run's steps as a tree of keys, and one of them in full."""

import json
from collections.abc import Sequence
from math import ceil
from typing import Literal

import streamlit as st

from components.shell import in_view
from components.shell.text import ago, counted, inline, shown
from core.models.prices import free
from core.records import Call, Step, label, usage
from core.store.steps import Outline

ICONS = {
    "model": ":material/smart_toy:",
    "source": ":material/menu_book:",
    "person": ":material/person:",
    "computed": ":material/calculate:",
    "authored": ":material/edit_note:",
}
TEXTS = {"standing": "System prompt", "text": "Task"}
"""The texts of a request, and what they are called."""
KEY = "runs:step"
OPENED = "runs-step-opened"
"""The container of the step that is looked at."""
ROWS = 50
HEIGHT = 300
"""Pixels of thoughts that are seen at once: they may be far longer than the answer."""


def chosen(outline: Sequence[Outline]) -> str | None:
    """Draw the search among all steps and return the key of the one to look at."""
    return st.selectbox(
        "Look at a step",
        [step.key for step in outline],
        index=None,
        key=KEY,
        bind="query-params",
        placeholder="Pick below, or type to search all of them",
        on_change=in_view.wish,
        args=(OPENED,),
    )


def grouped(outline: Sequence[Outline]) -> tuple[int, dict[str, list[Outline]]]:
    """Return how many parts of their paths all steps share, and the steps by the next part, in the
    order they were asked.
    """
    paths = [step.key.split("/") for step in outline]
    shared = 0
    for parts in zip(*(path[:-1] for path in paths), strict=False):
        if len(set(parts)) > 1:
            break
        shared += 1
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
        number = counted(len(steps), "step") + (f" · {failed} failed" if failed else "")
        unfolded = st.expander(
            f"{inline(name)} · {number}",
            expanded=any(step.key == open_key for step in steps),
            key=f"runs:group:{name}",
            on_change="rerun",
        )
        if unfolded.open:
            with unfolded:
                _rows(steps, shared + 1, open_key)


def _rows(steps: Sequence[Outline], named: int, open_key: str | None) -> None:
    page = 1
    if len(steps) > ROWS:
        page = st.pagination(ceil(len(steps) / ROWS), key=f"runs:steps:{steps[0].key}")
    rows = st.container(gap="xxsmall")
    for step in steps[(page - 1) * ROWS : page * ROWS]:
        with rows.container(horizontal=True, vertical_alignment="center", gap="small"):
            failed = step.status == "failed"
            st.button(
                inline("/".join(step.key.split("/")[named:])),
                icon=":material/error:" if failed else ICONS.get(step.kind, ":material/circle:"),
                type="secondary" if step.key == open_key else "tertiary",
                key=f"runs:pick:{step.key}",
                on_click=_open,
                args=(step.key,),
            )
            st.space("stretch")
            st.caption(" · ".join(_numbers(step)), width="content")


def _open(key: str) -> None:
    st.session_state[KEY] = key
    in_view.wish(OPENED)


def _numbers(step: Outline) -> list[str]:
    numbers = [":red[failed]"] if step.status == "failed" else []
    if step.taken_from:
        return [*numbers, "taken over, free"]
    read, written = step.tokens_in or 0, step.tokens_out or 0
    if read or written or step.unreported:
        numbers.append(usage.all_tokens(read, written, step.tries, step.unreported))
    if step.cost:
        numbers.append(f"\\${step.cost:.4f}")
    elif step.tries and step.cost is None:
        numbers.append("price unknown")
    if step.tries > 1:
        numbers.append(f":orange[{step.tries} tries]")
    authored = step.latency is None
    numbers.append("written for the case study" if authored else f"{step.latency:.1f} s")
    return numbers


def draw(step: Step) -> None:
    """Draw one step: what was asked, what was answered, by whom, and what it took."""
    with st.container(border=True, key=OPENED):
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
        refused = []
        for n, call in enumerate(step.calls, 1):
            if call.outcome == "accepted":
                thoughts(call)
            else:
                refused.append((n, call))
        if refused:
            st.markdown("**Tries that were not accepted**")
        for n, call in refused:
            refused_try(call, f"Try {n}")
        if step.origin.detail:
            with st.expander("Where the answer came from"):
                _code(step.origin.detail)


def _took(step: Step) -> list[str]:
    if step.origin.kind == "authored":
        return ["written for the case study, by no model: no tokens, cost or time"]
    facts = [f"{step.origin.kind}: {inline(step.origin.name)}"]
    detail = step.origin.detail.get("model")
    if detail and detail != step.origin.name:
        facts[0] += f" ({inline(str(detail))})"
    calls, costs = step.calls, [call.cost for call in step.calls]
    if calls:
        read = sum(call.tokens_in or 0 for call in calls)
        written = sum(call.tokens_out or 0 for call in calls)
        facts.append(usage.tokens(read, written, len(calls), usage.silent(calls)))
        if cached := sum(call.tokens_cached or 0 for call in calls):
            facts.append(f"{cached:,} of those in from the server's cache")
    if free(step.origin.name):
        facts.append("free")
    elif calls:
        known = f"\\${sum(filter(None, costs)):.4f}"
        facts.append("price unknown" if None in costs else known)
    if step.latency is not None:
        facts.append(f"{step.latency:.2f} s")
    if calls:
        facts.append(counted(len(calls), "try"))
    return [*facts, ago(step.ended)]


def _request(request: dict[str, object]) -> None:
    texts = {name: said for name, said in TEXTS.items() if request.get(name)}
    with st.expander("Request", expanded=not texts):
        for name, said in texts.items():
            st.caption(said)
            _text(str(request[name]))
        _code({name: value for name, value in request.items() if name not in (*texts, "schema")})
    if "schema" in request:
        with st.expander("Required answer format"):
            _code(request["schema"])


def refused_try(call: Call, name: str) -> None:
    """Draw a try that was paid but not accepted: why, what it cost, and what came."""
    price = "price unknown" if call.cost is None else f"\\${call.cost:.4f}"
    with st.expander(f"{name}: {inline(call.outcome, 160)}", icon=":material/block:"):
        tokens = "tokens not reported"
        if call.tokens_in is not None and call.tokens_out is not None:
            tokens = f"{call.tokens_in + call.tokens_out:,} tokens"
        st.caption(f"{inline(call.model)} · {tokens} · {price} · {call.latency:.2f} s")
        if call.raw:
            _text(call.raw)
        else:
            st.caption(
                "Only reasoning came back, no answer." if call.thoughts else "Nothing came back."
            )
        if call.thoughts:
            st.caption(thought(call))
            _text(call.thoughts, HEIGHT)


def thoughts(call: Call) -> None:
    """Draw what the model thought before it answered, folded; nothing where it did not say."""
    if call.thoughts:
        with st.expander(thought(call), icon=":material/psychology:"):
            _text(call.thoughts, HEIGHT)


def thought(call: Call) -> str:
    """Say how long a model's thoughts are."""
    tokens = f", {counted(call.tokens_thought, 'token')}" if call.tokens_thought else ""
    return f"Reasoning before the answer: {counted(call.thoughts_length, 'character')}{tokens}"


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


def _text(text: str, height: int | Literal["content"] = "content") -> None:
    st.code(text, language=None, wrap_lines=True, height=height)


def _code(value: object) -> None:
    st.code(json.dumps(value, ensure_ascii=False, indent=2), language="json", wrap_lines=True)
