"""A new arena: whose texts compete on which topics, who judges, and what that takes."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

import streamlit as st

from components.runs import earlier, starting
from components.runs.asking import cap_usd, sampling
from components.runs.models import called, judging
from components.shell import services
from components.shell.frame import told
from components.shell.text import counted, inline
from core.errors import BadInput
from core.judging.arena.competition import ROLES, ArenaInputs, able
from core.judging.arena.contestants import Contestants, enter, first_of_each
from core.judging.arena.contests import count_contests, unmatched, unmatched_said
from core.judging.ratings import FEWEST_TOPICS
from core.records import Entry, Kind, Run, digest
from core.runs.beginning import seated, usual_cap
from core.runs.estimates import estimate
from core.runs.planning import validated

KINDS: dict[Kind, str] = {"idea": "Ideas", "design": "Experiment designs"}
MOST = 20_000
"""Entries an arena may have."""
MOST_COLUMNS, MOST_CELLS = 100, 10_000
"""Of the table of who has a text on which topic."""


class ArenaFormValues(NamedTuple):
    """Everything the form was told."""

    name: str
    kind: Kind
    taking_part: Contestants
    judges: tuple[str, ...]
    """Empty where people alone vote."""
    same_form: bool
    repeats: int
    frozen: dict[str, Any]
    """Cap and sampling."""

    @property
    def inputs(self) -> ArenaInputs:
        """What the run is asked for; raises BadInput."""
        if not self.taking_part.entries:
            raise BadInput(
                "Choose a collection whose texts are to compete. Ideas, or designs, come in on the"
                " Ideas screen."
            )
        return validated(
            ArenaInputs,
            topic=self.name,
            kind=self.kind,
            entries=self.taking_part.entries,
            method_of=self.taking_part.method_of,
            same_form=self.same_form,
            repeats=self.repeats,
            people_only=not self.judges,
        )


def draw(collection: str) -> None:
    """Draw the form, what it would take, and the arenas there are; starting one opens it."""
    left, right = st.columns([3, 2], gap="large")
    with right:
        ahead = st.container()
        earlier.draw(
            "arena",
            "Arenas so far",
            "None yet. With two methods' ideas on one topic and a few people an arena needs no"
            " model.",
        )
    asked, go = None, False
    with left, told():
        asked = _form(collection)
        go = asked is not None and st.button(
            "Open the arena", type="primary", icon=":material/compare_arrows:", key="arena:go"
        )
    if asked is None:
        return
    with ahead, st.container(border=True), told():
        _ahead(asked)
    if go:
        with left, told():
            run = _begin(asked)
            st.query_params.pop("collection", None)
            st.query_params["run"] = run.id
            st.rerun()


def _form(collection: str) -> ArenaFormValues | None:
    bunches = services.store().entries.bunches()
    if not bunches:
        st.info(
            "An arena compares the ideas of a collection: pick some on Ideas and choose “Compare in"
            " the arena”, or import a file there. There is no collection yet.",
            icon=":material/inventory_2:",
        )
        st.page_link(
            "pages/ideas.py",
            label="Pick or import ideas",
            icon=":material/lightbulb:",
        )
        return None
    kinds: list[Kind] = [kind for kind in KINDS if any(bunch.kind == kind for bunch in bunches)]
    given = [bunch.kind for bunch in bunches if bunch.name == collection]
    kind = st.segmented_control(
        "What competes",
        kinds,
        default=next((kind for kind in kinds if kind in given), kinds[0]),
        required=True,
        key="arena:kind",
        format_func=KINDS.__getitem__,
    )
    names = [one.name for one in bunches if one.kind == kind]
    if collection in names and st.session_state.get("arena:given") != collection:
        st.session_state.update({"arena:given": collection, "arena:collections": [collection]})
    # A default beside a choice made here would be told off as one too many.
    st.session_state.setdefault("arena:collections", names[:1])
    chosen = st.multiselect("Collections", names, key="arena:collections")
    found = entries_of(chosen, kind)
    if len(found) > MOST:
        raise BadInput(f"These collections hold more than {MOST:,} texts. Choose fewer.")
    taking_part = _choose(found) if found else Contestants((), {})
    usual = " and ".join(chosen)[:150]
    name = st.text_input(
        "Name of the arena", value=usual, key=f"arena:name:{digest(chosen)[:8]}", max_chars=150
    )
    return ArenaFormValues(
        (name or "").strip() or usual or "Arena", kind, taking_part, *_choose_judges()
    )


def entries_of(collections: Sequence[str], kind: Kind) -> dict[Entry, str]:
    """Return the entries of collections with their titles, one more than an arena may have at
    most.
    """
    if not collections:
        return {}
    return dict(services.store().entries.of(tuple(collections), kind, limit=MOST + 1))


def pick_methods(label: str, methods: Sequence[str], key: str) -> Sequence[str]:
    """Draw the choice of methods, all of them picked to begin with, and return those picked."""
    return st.pills(
        label,
        methods,
        selection_mode="multi",
        default=methods,
        key=key,
        wrap=True,
        format_func=inline,
    )


def _axes(entries: Sequence[Entry]) -> tuple[list[str], list[str]]:
    """Return the methods and the topics of entries, in order."""
    return sorted({entry.method for entry in entries}), sorted({entry.topic for entry in entries})


def _choose(found: Mapping[Entry, str]) -> Contestants:
    """Draw which methods and topics take part and return their entries."""
    methods, topics = _axes(tuple(found))
    mark = digest([methods, topics])[:8]
    picked: Sequence[str] = methods
    left_out: Sequence[str] = ()
    if len(methods) > 1:
        picked = pick_methods("Methods", methods, f"arena:methods:{mark}")
    if len(topics) > 1:
        left_out = st.multiselect(
            "Topics left out", topics, key=f"arena:topics:{mark}", placeholder="none"
        )
    left = {
        entry: title
        for entry, title in found.items()
        if entry.method in picked and entry.topic not in left_out
    }
    kept = several(left, "arena:first")
    if kept.entries:
        _table(kept.entries, "text" if kept.method_of else "method")
    return kept


def several(found: Mapping[Entry, str], key: str, before: ArenaInputs | None = None) -> Contestants:
    """Return who competes: of a method with several texts on a topic all, each under a name of its
    own, or the first alone, if a person says so.
    """
    titles = {one.id: title for one, title in found.items()}
    whole = enter(tuple(found), titles, before)
    if not whole.method_of:
        return whole
    alone = st.checkbox(
        "Take one text of each method on each topic alone",
        key=key,
        help=(
            "Some methods have several texts on a topic. All of them compete, each for itself, and"
            " what they win counts for their method too. With this box ticked, the one that comes"
            " first in the collection competes."
        ),
    )
    if alone:
        there = before.entries if before else ()
        behind = before.method_of if before else {}
        places = {(one.topic, behind.get(one.method, one.method)) for one in there}
        new = [one for one in found if (one.topic, one.method) not in places]
        return enter(first_of_each(new), titles, before)
    st.caption("Each text competes for itself; methods are rated as well.")
    return whole


def _table(entries: Sequence[Entry], competing: str) -> None:
    """Draw who has a text on which topic, methods or texts by names of their own; gaps are said in
    words, and what cannot be compared.
    """
    methods, topics = _axes(entries)
    held = {(one.topic, one.method) for one in entries}
    missing = len(topics) * len(methods) - len(held)
    gaps = counted(missing, "gap") if missing else "no gap"
    with st.expander(f"Which {competing} is there on which topic: {gaps}"):
        _grid(methods, topics, held)
    if missing:
        pairs_of = ((topic, method) for topic in topics for method in methods)
        first = islice((one for one in pairs_of if one not in held), 3)
        few = ", ".join(f"{inline(method, 40)} on {inline(topic, 40)}" for topic, method in first)
        times = Counter(topic for topic, _ in held)
        alone = sum(n < 2 for n in times.values())
        lonely = f" {counted(alone, 'topic')} with one text only: no match there." if alone else ""
        st.caption(
            f"{gaps.capitalize()}: {few}{' and others' if missing > 3 else ''}. Methods meet"
            f" only on topics both have a text on.{lonely}"
        )


def _grid(methods: Sequence[str], topics: Sequence[str], held: set[tuple[str, str]]) -> None:
    """Draw who has a text on which topic, as many as a table shows."""
    shown = methods[:MOST_COLUMNS]
    rows = []
    for topic in topics[: MOST_CELLS // len(shown)]:
        there = {name: "there" if (topic, name) in held else "missing" for name in shown}
        rows.append({"Topic": topic, **there})
    st.dataframe(rows, hide_index=True, key="arena:entries")
    if len(rows) < len(topics) or len(shown) < len(methods):
        st.caption(
            f"The first {counted(len(rows), 'topic')} and {len(shown)} of"
            f" {counted(len(methods), 'name')} are shown."
        )


def _choose_judges() -> tuple[tuple[str, ...], bool, int, dict[str, Any]]:
    """Draw who judges, and how; return judges, whether in one form, repeats, and what else is
    frozen.
    """
    able_ones = judging()
    ways = ["Models, and people if they like", "People only"]
    way = st.segmented_control(
        "Who judges",
        ways,
        default=ways[0] if able_ones else ways[1],
        required=True,
        key="arena:way",
    )
    if way == ways[1]:
        st.caption(
            "No model is asked: the arena is open for votes at once, in any browser that reaches"
            " this server. Judgments made elsewhere can be imported, and models added later."
        )
        form = st.checkbox(
            "Show texts in one form where every one is in it already",
            True,
            key="arena:form-people",
            help=(
                "Where every idea has the fields of one form, all are shown under the same headings"
                " in the same order, so that layout does not decide. Otherwise each is shown as it"
                " was written."
            ),
        )
        return (), bool(form), 1, {}
    judges = st.multiselect(
        "Models that judge",
        able_ones,
        default=able_ones[:1],
        accept_new_options=True,
        key="arena:judges",
        max_selections=len(ROLES),
        format_func=called,
        help=(
            "One that was found, or type provider:model, such as ollama:llama3.1 or"
            " openai:gpt-4o-mini."
        ),
    )
    if not able_ones:
        st.warning(
            "No language model is found here. The built-in model understands nothing and cannot"
            " judge: leave the votes to people, or type a model.",
            icon=":material/extension_off:",
        )
    form = st.checkbox(
        "Bring all texts into one form first, so that form does not decide", True, key="arena:form"
    )
    if form:
        st.caption(
            "A model rewrites every text that is not in that form yet. Models and people"
            " then judge what it wrote; the texts themselves stay as they are on Ideas."
        )
    with st.expander("Repeats and limits"):
        repeats = starting.number(
            st,
            "How often each model judges each pair in each order",
            (ArenaInputs, "repeats"),
            "arena:repeats",
            persist_state=None,
            help="From 2 on it is seen how often a judge says the same again.",
        )
        samplings = sampling("arena", ("judge", "reader"))
        cap = cap_usd("arena:cap", persist_state=None)
    if not judges:
        raise BadInput("Choose a model that judges, or leave the votes to people.")
    return tuple(judges), bool(form), repeats, {"cap_usd": cap, "samplings": samplings}


def _ahead(asked: ArenaFormValues) -> None:
    """Say before the start how many matches there are, and what they take."""
    st.markdown("**What this will be**")
    if not asked.taking_part.entries:
        st.caption("It depends on whose texts compete.")
        return
    inputs = asked.inputs
    names, topics = _axes(inputs.entries)
    methods = {inputs.method_of.get(name, name) for name in names}
    texts = f"{counted(len(inputs.entries), 'text')} by " if inputs.method_of else ""
    st.markdown(
        f"**{counted(pairs(inputs), 'pair')}**: {texts}{counted(len(methods), 'method')} on"
        f" {counted(len(topics), 'topic')}."
    )
    if alone := unmatched((one.topic, one.method) for one in inputs.entries):
        st.warning(inline(unmatched_said(alone), 600), icon=":material/block:")
    if len(topics) < FEWEST_TOPICS:
        st.caption(
            f":material/info: A rating gets an interval from {FEWEST_TOPICS} topics on. With fewer,"
            " votes and ratings are shown as they are, and nobody is said to lead."
        )
    if inputs.people_only:
        st.caption("No model is asked. A person sees each pair once, the order balanced by chance.")
        return
    times = f", {inputs.repeats} times" if inputs.repeats > 1 else ""
    st.markdown(
        f"**{matches(inputs, len(asked.judges)):,} matches**: each pair in both orders{times}, by"
        f" {counted(len(asked.judges), 'judge')}."
    )
    form = ", and one call for each text that is not in the common form" if inputs.same_form else ""
    st.caption(f"One call a match{form}.")
    guess = estimate("arena", inputs.model_dump(mode="json"), seated(asked.judges))
    starting.estimated(guess, usual_cap(guess), asked.frozen.get("cap_usd"))
    for name in asked.judges:
        able(services.workshop().model(name), inputs.kind)


def pairs(asked: ArenaInputs) -> int:
    """Return how many pairs meet in an arena."""
    return count_contests((entry.topic, entry.method) for entry in asked.entries)


def matches(asked: ArenaInputs, judges: int) -> int:
    """Return how many matches models judge in an arena, each judge every pair in both orders."""
    return 0 if asked.people_only else 2 * pairs(asked) * asked.repeats * judges


def _begin(asked: ArenaFormValues) -> Run:
    """Start the arena, or return the one the same click has just started; raises BadInput."""
    inputs, judges = asked.inputs, asked.judges or (services.workshop().chosen("judge"),)
    return starting.once(
        "arena",
        [inputs.model_dump(mode="json"), list(asked.judges), str(asked.frozen)],
        lambda: services.begin(
            "arena", inputs, inputs.topic, models=seated(judges), **asked.frozen
        ),
    )
