"""Choosing targets: data sets that were built here, and papers whose abstract is pasted or taken
from the library.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from components.library import chooser
from components.shell import mistakes, services
from components.shell.text import ago, inline
from core.errors import BadInput
from core.experiments.targets import freeze, of_run
from core.methods.target_dataset import typed_target
from core.records import FrozenTarget, Paper, Target
from core.runs.planning import pasted

BY_HAND = "experiments:by-hand"
"""Targets added by hand, by the hash of their frozen copies."""
PASTED, LIBRARY = "An abstract I paste", "A paper of the library"


class ChosenTargets(NamedTuple):
    targets: tuple[FrozenTarget, ...]
    wrong: str = ""
    """What keeps an experiment from starting, as a sentence."""


def draw(given: str) -> ChosenTargets:
    """Draw the choice of targets and return it; `given` is the data set an address named."""
    every = (*datasets("experiments:datasets", given), *_by_hand())
    with st.expander("Add a target by hand", icon=":material/add:", key="experiments:adding"):
        _adding()
        mistakes.shown("experiments:adding")
    whole = tuple({one.sha: one for one in every}.values())
    if not whole:
        return ChosenTargets(
            (),
            "Choose targets: a data set that was built here (see the tab “Data sets”), or add one"
            " by hand.",
        )
    held = _some(whole) if len(whole) > 1 else whole
    return ChosenTargets(held, "" if held else "No target is left. Choose another category.")


def datasets(key: str, given: str = "") -> tuple[FrozenTarget, ...]:
    """Draw the choice of data sets of targets and return what they hold."""
    store = services.store()
    names = {
        run.id: f"{run.title[:80]} ({ago(run.created)})"
        for run in store.runs.listed(method="target-dataset", limit=100)
    }
    if given and st.session_state.get(f"{key}:given") != given:
        st.session_state[f"{key}:given"] = given
        st.session_state[key] = [one for one in given.split(",") if one in names]
    picked = st.multiselect(
        "Data sets of targets",
        list(names),
        key=key,
        format_func=names.__getitem__,
        persist_state="session",
        select_all=False,
        placeholder="Published papers that were gathered here" if names else "None was built yet",
    )
    found: list[FrozenTarget] = []
    for run in picked:
        try:
            found += _freeze(run)
        except BadInput as error:
            st.caption(f":material/info: {inline(str(error), 300)}")
    return tuple(found)


def _freeze(run: str) -> tuple[FrozenTarget, ...]:
    """Return a data set's targets; frozen once, however often the form is drawn."""
    kept = st.session_state.setdefault("experiments:frozen", {})
    state = services.store().runs.get(run)
    stamp = (run, state.updated, state.steps)
    if stamp not in kept:
        kept[stamp] = freeze(services.store(), of_run(services.store(), run))
    found: tuple[FrozenTarget, ...] = kept[stamp]
    return found


def _some(whole: Sequence[FrozenTarget]) -> tuple[FrozenTarget, ...]:
    """Draw which categories, and how many of each, and return those that are left."""
    counts = Counter(one.category for one in whole)
    left, right = st.columns([3, 2])
    names = [name for name in counts if name]
    picked: list[str] = []
    if len(names) > 1:
        picked = left.multiselect(
            "Only these categories",
            names,
            key="experiments:categories",
            select_all=False,
            placeholder="All",
        )
    called = "At most of each category" if names else "Targets at most"
    largest = max(counts.values())
    most = right.number_input(called, 1, largest, largest, key=f"experiments:most:{largest}")
    taken: Counter[str] = Counter()
    found = []
    for one in whole:
        if (not picked or one.category in picked) and taken[one.category] < most:
            taken[one.category] += 1
            found.append(one)
    return tuple(found)


def _by_hand() -> tuple[FrozenTarget, ...]:
    """Draw the targets that were added by hand, each with the way to take it out."""
    frozen, shas = services.store().frozen, st.session_state.setdefault(BY_HAND, [])
    found = tuple(
        FrozenTarget(sha=sha, title=one.paper.title, category=one.category)
        for sha, one in frozen.several(tuple(shas), Target).items()
    )
    for one in found:
        title, out = st.columns([4, 1], vertical_alignment="center")
        title.caption(f":material/adjust: {inline(one.title, 120)}")
        out.button(
            "Take out",
            icon=":material/close:",
            type="tertiary",
            key=f"{BY_HAND}:out:{one.sha[:12]}",
            on_click=shas.remove,
            args=(one.sha,),
        )
    return found


def _adding() -> None:
    way = st.segmented_control(
        "Its idea",
        [PASTED, LIBRARY],
        default=PASTED,
        key="experiments:way",
        required=True,
        persist_state="session",
    )
    if way == LIBRARY:
        chooser.pick("experiments:paper")
    else:
        st.text_area(
            "Title and abstract, or the idea in a paragraph",
            height=120,
            key="experiments:text",
            persist_state="session",
        )
    st.text_input(
        "Topic, in one line that does not give the idea away",
        key="experiments:topic",
        persist_state="session",
        help="This is all that methods are told of it, with the background.",
    )
    st.text_area(
        "Background: abstracts of what it cites, an empty line between them",
        height=120,
        key="experiments:background",
        persist_state="session",
        placeholder="Title on the first line\nthen the abstract",
    )
    st.button("Add this target", icon=":material/add:", key="experiments:add", on_click=_add)


def _add() -> None:
    """Take in what is typed at this moment: it may have been typed a moment before the press."""
    typed = {
        name: str(st.session_state.get(f"experiments:{name}") or "")
        for name in ("text", "topic", "background", "paper")
    }
    with mistakes.kept("experiments:adding"):
        background, store = pasted(typed["background"]), services.store()
        if st.session_state.get("experiments:way") == LIBRARY:
            paper = store.library.paper(typed["paper"])
            target = _of_library(paper, typed["topic"], background)
        else:
            target = typed_target(typed["text"], typed["topic"], background)
        before = st.session_state.get(BY_HAND, [])
        st.session_state[BY_HAND] = list(dict.fromkeys([*before, store.frozen.keep(target)]))
        for name in ("text", "topic", "background"):
            st.session_state[f"experiments:{name}"] = ""


def _of_library(paper: Paper | None, topic: str, background: tuple[Paper, ...]) -> Target:
    if paper is None:
        raise BadInput("Pick the paper whose idea is the target.")
    if not topic.strip():
        raise BadInput("A target needs a topic in one line that does not give the idea away.")
    return Target(
        paper=paper,
        topic=topic,
        idea=chooser.idea_told(paper),
        background=background,
    )


def spoken(targets: Sequence[FrozenTarget]) -> str:
    """Say how many targets are taken of each category; empty where they have none."""
    counts = Counter(one.category for one in targets if one.category)
    return ", ".join(f"{inline(name, 60)} {n}" for name, n in counts.items())
