"""A run's steps as a tree of keys."""

from collections.abc import Sequence

import streamlit as st

from components.shell.text import counted, inline
from core.records import usage
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
    said += (
        [f"\\${step.cost:.4f}"]
        if step.cost
        else ["price unknown"]
        if step.tries and step.cost is None
        else []
    )
    said += [f":orange[{step.tries} tries]"] if step.tries > 1 else []
    return [
        *said,
        f"{step.latency:.1f} s" if step.latency is not None else "written for the case study",
    ]
