"""The criteria of a session: picked from ours, taken from a rubric or a file, or written; each with
its question, how it is answered, and its anchors. What is there can be saved as a rubric.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, get_args

import streamlit as st

from components.shell import mistakes, services
from components.shell.text import inline
from core.errors import BadInput
from core.records import Criterion, Kind, Rubric, Task
from core.records.rubrics import MOST_CRITERIA, CriterionKind, Reasons
from core.runs.planning import validated
from core.studies import rubrics, texts

OURS = tuple(dict.fromkeys(name for names in texts.PRESETS.values() for name in names))
KINDS: dict[CriterionKind, str] = {"scale": "Scale", "yes/no": "Yes or no", "text": "Free text"}
REASONS: dict[Reasons, str] = {
    "off": "Ask no reason",
    "optional": "Reason, optional",
    "required": "Reason, required",
}
ENDS = (-1_000, 1_000)
LONGEST = 600
PLACEHOLDER = "4 = Parts of it are new."


def choose_criteria(
    key: str, task: Task, kind: Kind, given: Sequence[Criterion]
) -> tuple[Criterion, ...]:
    """Draw the choice, at first what is given, and return the criteria; raises BadInput for one
    that nobody has described.
    """
    if task == "comment":
        st.caption(
            "Three questions are asked of every round: was the review valid, did the revision"
            " answer it, is the idea better, the same or worse?"
        )
        return ()
    here = f"{key}:criteria:{task}:{kind}"
    _draw_names(here, [one.name for one in given])
    mistakes.shown(f"{here}:rubric")
    names = _chosen(here)
    known = _known(here, given)
    how = ", and how it is answered" if task == "rate" else ", and the ends of its scale"
    # Every criterion is drawn, whatever is still missing of one.
    with st.expander(f"What each criterion means{how}", key=f"{here}:anchors"):
        for name in names:
            _describe(here, name, known.get(name), task)
    criteria = written(key, task, kind, given)
    _share(here, criteria, partial(written, key, task, kind, given))
    return criteria


def written(key: str, task: Task, kind: Kind, given: Sequence[Criterion]) -> tuple[Criterion, ...]:
    """Return the criteria as the boxes have them by now, `given` where there are none; raises
    BadInput for the first that lacks something.
    """
    if task == "comment":
        return ()
    here = f"{key}:criteria:{task}:{kind}"
    known = _known(here, given)
    return tuple(_written(here, name, known.get(name), task) for name in _chosen(here))


def _known(here: str, given: Sequence[Criterion]) -> dict[str, Criterion]:
    """Return what is known of criteria beside what stands in their boxes, by name."""
    taken: dict[str, Criterion] = st.session_state.get(f"{here}:taken", {})
    return {one.name: one for one in given} | taken


def _chosen(here: str) -> list[str]:
    """Return the names of the criteria as the boxes have them by now; raises BadInput."""
    picked, mine = st.session_state[here] or (), _own_names(st.session_state[f"{here}:own"] or "")
    names = list(dict.fromkeys([name for name in OURS if name in picked] + mine))
    if not names:
        raise BadInput("Choose at least one criterion.")
    if len(names) > MOST_CRITERIA:
        raise BadInput(f"{len(names)} criteria are chosen; {MOST_CRITERIA} at most. Take some out.")
    return names


def _draw_names(key: str, given: Sequence[str]) -> None:
    for box, value in _boxes_of_names(key, given).items():
        st.session_state.setdefault(box, value)
    st.pills(
        "Criteria",
        OURS,
        selection_mode="multi",
        key=key,
        persist_state="session",
        wrap=True,
        format_func=inline,
    )
    left, right = st.columns(2)
    left.selectbox(
        "A rubric: ours, or one you saved",
        list(rubrics.offered(services.store())),
        index=None,
        key=f"{key}:preset",
        placeholder="Take one in place of these",
        on_change=_take,
        args=(key,),
    )
    right.text_input(
        "Your own criteria, a comma between",
        key=f"{key}:own",
        persist_state="session",
        max_chars=1_700,
    )


def _own_names(typed: str) -> list[str]:
    return [" ".join(part.split()) for part in typed.split(",") if part.strip()]


def follow(
    key: str, task: Task, kind: Kind, drawn: Sequence[Criterion], now: Sequence[Criterion]
) -> None:
    """Let the boxes show what another tab has kept since they were drawn, unless something else
    stands there.
    """
    here = f"{key}:criteria:{task}:{kind}"
    before = _all_boxes(here, drawn)
    _follow_names(here, [one.name for one in drawn], [one.name for one in now])
    names = _boxes_of_names(here, ())
    for box, value in _all_boxes(here, now).items():
        if box not in names and st.session_state.get(box) == before.get(box):
            st.session_state[box] = value


def _follow_names(here: str, drawn: Sequence[str], now: Sequence[str]) -> None:
    """Let the boxes of names have what came in another tab, and not what went there, beside what
    was changed here.
    """
    state, own = st.session_state, f"{here}:own"
    came = [name for name in now if name not in drawn]
    went = {name for name in drawn if name not in now}
    picked = [name for name in state.get(here) or () if name not in went]
    state[here] = picked + [name for name in came if name in OURS and name not in picked]
    typed = _own_names(state.get(own) or "")
    kept = [name for name in typed if name not in went]
    kept += [name for name in came if name not in OURS and name not in kept]
    if kept != typed:
        state[own] = ", ".join(kept)


def merged(
    drawn: Sequence[Criterion], wanted: Sequence[Criterion], now: Sequence[Criterion]
) -> tuple[Criterion, ...]:
    """Return the criteria that are wanted here, with what another tab has kept `now` of what is
    here as it was `drawn`; raises BadInput where the two do not fit.
    """
    before, there = {one.name: one for one in drawn}, {one.name: one for one in now}
    kept = []
    for one in wanted:
        was, other = before.get(one.name), there.get(one.name)
        if was and other:
            changed = {part: value for part, value in one if value != getattr(was, part)}
            kept.append(validated(Criterion, **{**dict(other), **changed}))
        elif one != was:  # Else the other tab took it out.
            kept.append(one)
    known = {*before, *(one.name for one in wanted)}
    kept += [one for one in now if one.name not in known]
    # In the order of the boxes, ours before one's own.
    return tuple(sorted(kept, key=lambda one: (*OURS, one.name).index(one.name)))


# -- rubrics ----------------------------------------------------------------------------------


def _take(key: str) -> None:
    """Put a rubric in place of what is picked; a callback."""
    if name := st.session_state.get(f"{key}:preset"):
        with mistakes.kept(f"{key}:rubric"):
            _put(key, rubrics.named(services.store(), name))


def _put(key: str, rubric: Rubric) -> None:
    """Let the boxes say what a rubric says; raises BadInput for a name that they cannot hold."""
    if split := [one.name for one in rubric.criteria if "," in one.name]:
        raise BadInput(
            f"{split[0]!r} has a comma, which stands between names here. Rename it in the file, or"
            " set the session up by `study new --rubric`."
        )
    st.session_state[f"{key}:taken"] = {one.name: one for one in rubric.criteria}
    for box, value in _all_boxes(key, rubric.criteria).items():
        st.session_state[box] = value


def _all_boxes(key: str, criteria: Sequence[Criterion]) -> dict[str, Any]:
    """Return what all boxes hold where these are the criteria, by their keys."""
    return _boxes_of_names(key, [one.name for one in criteria]) | {
        f"{key}:{one.name}:{part}": value for one in criteria for part, value in _boxes(one).items()
    }


def _boxes_of_names(key: str, names: Iterable[str]) -> dict[str, Any]:
    return {
        key: [name for name in names if name in OURS],
        f"{key}:own": ", ".join(name for name in names if name not in OURS),
    }


def _boxes(one: Criterion | None) -> dict[str, Any]:
    """Return what the boxes of a criterion hold."""
    lowest, highest = (one.lowest, one.highest) if one else (1, 10)
    between = one.anchors if one else {}
    return {
        "meaning": one.meaning if one else "",
        "kind": one.kind if one else "scale",
        "lowest": lowest,
        "highest": highest,
        "reason": one.reason if one else "off",
        "low": one.low if one else "",
        "high": one.high if one else "",
        "between": "\n".join(f"{at} = {said}" for at, said in sorted(between.items())),
    }


def _share(
    key: str, criteria: tuple[Criterion, ...], by_now: Callable[[], tuple[Criterion, ...]]
) -> None:
    """Draw what saves these criteria as a rubric, as the boxes have them `by_now`, and what makes
    or reads the file of one.
    """
    with st.expander(
        "Save these criteria as a rubric, or share them as a file", key=f"{key}:share"
    ):
        left, right = st.columns(2, gap="large")
        with left:
            name = st.text_input(
                "Name of the rubric",
                key=f"{key}:rubric-name",
                max_chars=200,
                persist_state="session",
            )
            replaced = name if name and services.store().rubrics.has(name) else ""
            with st.container(horizontal=True):
                st.button(
                    "Replace the saved one" if replaced else "Save",
                    icon=":material/save:",
                    key=f"{key}:rubric-save",
                    disabled=not (name or "").strip(),
                    on_click=_save,
                    args=(key, replaced, by_now),
                )
                st.download_button(
                    "File (JSON)",
                    rubrics.written(
                        Rubric(name=(name or "").strip() or "Rubric", criteria=criteria)
                    ),
                    "rubric.json",
                    "application/json",
                    key=f"{key}:rubric-file",
                    icon=":material/download:",
                    on_click="ignore",
                )
            if said := st.session_state.pop(f"{key}:rubric-saved", ""):
                st.success(inline(said), icon=":material/check_circle:")
        with right:
            st.file_uploader(
                "Take a rubric from a file (JSON, TOML)",
                type=["json", "toml"],
                key=f"{key}:rubric-upload",
                max_upload_size=1,
                on_change=_read,
                args=(key,),
            )
        st.caption(
            "A saved rubric is offered above in every session, and by `study new --rubric`. A"
            " session keeps its own copy: what you change later changes no session."
        )


def _save(key: str, replaced: str, criteria: Callable[[], tuple[Criterion, ...]]) -> None:
    """Save what the boxes hold by now; the button has said which one is `replaced`. A callback."""
    store, name = services.store().rubrics, str(st.session_state[f"{key}:rubric-name"])
    with mistakes.kept(f"{key}:rubric"):
        rubric = validated(Rubric, name=name, criteria=criteria())
        # A second click finds the one that the first has saved.
        again = store.has(name) and store.get(name) == rubric
        store.save(rubric, replace=again or name == replaced)
        st.session_state[f"{key}:rubric-saved"] = f"{rubric.name} is saved."


def _read(key: str) -> None:
    """Put the rubric of a file in place of what is picked; a callback."""
    file = st.session_state.get(f"{key}:rubric-upload")
    if file is not None:
        with mistakes.kept(f"{key}:rubric"):
            rubric = rubrics.read(file.name, file.getvalue())
            _put(key, rubric)
            st.session_state[f"{key}:rubric-name"] = rubric.name


# -- one criterion ----------------------------------------------------------------------------


def _describe(here: str, name: str, given: Criterion | None, task: Task) -> None:
    """Draw what a criterion means, and how it is answered."""
    box = f"{here}:{name}"
    for part, value in _boxes(_usual(name, given)).items():
        st.session_state.setdefault(f"{box}:{part}", value)
    st.markdown(f"**{inline(name, 100)}**")
    _text(box, "meaning", "What it means")
    kind: CriterionKind = _answered(box) if task == "rate" else "scale"
    lowest, highest = (st.session_state[f"{box}:{part}"] for part in ("lowest", "highest"))
    if kind == "scale":
        _anchors(box, f"{lowest} means", f"{highest} means")
        if task == "rate" and highest - lowest > 1:
            _text(box, "between", "Points between, one a line (optional)", PLACEHOLDER)
    elif kind == "yes/no":
        _anchors(box, "No means (optional)", "Yes means (optional)")


def _usual(name: str, given: Criterion | None) -> Criterion | None:
    return given or (texts.criterion(name) if name.casefold() in OURS else None)


def _answered(here: str) -> CriterionKind:
    """Draw how a criterion is answered, and return its kind."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="xsmall", wrap=True):
        kind: CriterionKind = st.selectbox(
            "Answer",
            get_args(CriterionKind),
            key=f"{here}:kind",
            persist_state="session",
            format_func=KINDS.__getitem__,
            width=118,
        )
        if kind == "scale":
            for part, label in (("lowest", "From"), ("highest", "To")):
                st.number_input(
                    label, *ENDS, key=f"{here}:{part}", persist_state="session", step=1, width=80
                )
        st.selectbox(
            "Reason",
            get_args(Reasons),
            key=f"{here}:reason",
            persist_state="session",
            format_func=REASONS.__getitem__,
            label_visibility="collapsed",
            width=160,
        )
    return kind


def _anchors(here: str, low: str, high: str) -> None:
    left, right = st.columns(2)
    with left:
        _text(here, "low", low)
    with right:
        _text(here, "high", high)


def _text(here: str, part: str, label: str, placeholder: str | None = None) -> None:
    st.text_area(
        label,
        key=f"{here}:{part}",
        height=80,
        max_chars=LONGEST * (4 if part == "between" else 1),
        persist_state="session",
        placeholder=placeholder,
    )


def _written(here: str, name: str, given: Criterion | None, task: Task) -> Criterion:
    """Return a criterion as its boxes have it by now; raises BadInput."""
    # One that was named since the last drawing has no boxes yet.
    typed = {
        part: st.session_state.get(f"{here}:{name}:{part}", value)
        for part, value in _boxes(_usual(name, given)).items()
    }
    typed |= {part: typed[part].strip() for part in ("meaning", "low", "high")}
    kind: CriterionKind = typed["kind"] if task == "rate" else "scale"
    said = {"name": name, "meaning": typed["meaning"]}
    if task == "rate":
        said |= {"kind": kind, "reason": typed["reason"]}
    if kind == "scale":
        said |= {part: typed[part] for part in ("lowest", "highest")}
    if kind != "text":
        said |= {part: typed[part] for part in ("low", "high")}
    if task == "rate" and kind == "scale" and typed["highest"] - typed["lowest"] > 1:
        said["anchors"] = _between(name, typed["between"])
    _require(name, said, kind)
    return validated(Criterion, **said)


def _between(name: str, typed: str) -> dict[int, str]:
    """Return the anchors of a box, by point; raises BadInput with the line that says none."""
    found = {}
    for line in filter(str.strip, typed.splitlines()):
        point, _, meaning = re.sub(r"^(\s*-?\d+\s*):", r"\1=", line).partition("=")
        try:
            found[int(point)] = meaning.strip()
        except ValueError:
            meaning = ""
        if not meaning.strip():
            raise BadInput(
                f"{name}: write each point between as “{PLACEHOLDER}”; {line.strip()[:80]!r} is"
                " not."
            )
    return found


def _require(name: str, said: Mapping[str, Any], kind: CriterionKind) -> None:
    asked = {"meaning": "what it means"}
    if kind == "scale":
        asked |= {"low": f"{said['lowest']} means", "high": f"{said['highest']} means"}
    if lacking := [label for part, label in asked.items() if not said[part]]:
        raise BadInput(
            f"{name}: fill in “{'” and “'.join(lacking)}”, under “What each criterion means”."
        )
