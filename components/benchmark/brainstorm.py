"""One keyword: what it is, who writes and judges; the ideas of every model side by side, each where
its place was kept for it, judged as they come.
"""

import secrets
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import streamlit as st

from components.benchmark import address, idea_card
from components.benchmark.form import panel as bench_form_panel
from components.benchmark.form.panel import answers
from components.benchmark.idea_card import CardScene, scene_of
from components.benchmark.progress_lost import ask_again
from components.runs import starting, writing
from components.runs.models import called, several, spoken
from components.runs.states import active
from components.shell import cached, mistakes, services
from components.shell.text import counted, inline, shown
from core.benchmark import BenchInputs
from core.benchmark.expected import expected
from core.benchmark.inputs import Participants, cast, drop_repeats, of_keyword
from core.benchmark.keywords import paper_keywords
from core.errors import BadInput
from core.models import LOCAL
from core.records import BENCH_DIMENSIONS, BenchCell, Run, Sampling
from core.runs.beginning import room
from core.runs.estimates import of_expected
from core.runs.planning import validated
from core.store.steps import Partial

WIDTH, TEXT, LINE, BAR = 280, 540, 26, 60
"""Pixels: a model's column, an idea's text (a hundred words), a small line, a line with a button in
it. The same before and after something is there, so that nothing moves.
"""
ROW = 4 * WIDTH + 3 * 16
"""Pixels of four columns with their gaps; fewer stand beside each other where there is less room.
"""
KEY, KEYWORD = "bench:brainstorm", "keyword"
"""What the address calls the keyword: a reload, or a link somebody is sent, brings it back."""
MOST = 12
"""Models side by side at first; more can be chosen."""
BUILT_IN = (
    "The built-in model is no language model: it applies methods from the built-in papers to the"
    " keyword by fixed rules."
)
WRITES, JUDGES = ("bench-idea",), ("bench-judge", "bench-fluency")


class ModelCells(NamedTuple):
    """The cells of one model, by what they are."""

    ideas: Mapping[int, BenchCell]
    judges: Mapping[int, Sequence[BenchCell]]
    """By idea."""
    pairs: Sequence[BenchCell]


def draw(run: Run) -> None:
    """Draw the ideas on the keyword; the page draws it again and again while it is active."""
    scene = scene_of(run)
    _head(scene)
    _further(scene)
    with st.container(horizontal=True, gap="small", width=ROW):
        for n, one in enumerate(scene.asked.models):
            with st.container(width=WIDTH, gap="small"):
                _model(scene, n, one.model)


def _head(scene: CardScene) -> None:
    said = "Ideas only: not judged."
    if scene.asked.judges:
        said = (
            f"{scene.asked.judges_each} of the {len(scene.asked.judges)} judges read each idea,"
            " none its own: originality, feasibility, clarity, 1 to 10."
        )
    if any(one.model == "builtin" for one in scene.asked.models):
        said += f" {BUILT_IN}"
    st.caption(said)


def _model(scene: CardScene, n: int, name: str) -> None:
    """Draw one model's ideas, one under the other, and how different they are."""
    store = services.store()
    held = _sort_out(store.benchmarks.cells(scene.run.id, n, 0))
    parts = (
        {one.key: one for one in store.steps.partials(scene.run.id)} if active(scene.run) else {}
    )
    # On one line, whatever it is called: columns begin at one height.
    st.markdown(
        f"**{'built-in, rule-based' if name == 'builtin' else inline(name, 32)}**",
        help=spoken(name) if len(name) > 32 else None,
    )
    for k in range(1, scene.asked.ideas + 1):
        _idea(scene, held.ideas.get(k), held.judges.get(k, ()), parts)
    if _repeats(held.ideas.values()):
        st.caption(":material/content_copy: Some of these ideas are the same, word for word.")
    if scene.asked.pairs:
        with st.container(height=LINE * 3 * scene.asked.pairs, border=False):
            _pairs(held)


def _repeats(ideas: Iterable[BenchCell]) -> bool:
    texts = [one.text for one in ideas if one.state == "done"]
    return len(set(texts)) < len(texts)


def _sort_out(cells: Sequence[BenchCell]) -> ModelCells:
    judges: dict[int, list[BenchCell]] = defaultdict(list)
    for one in cells:
        if one.kind == "judge":
            judges[one.n].append(one)
    ideas = {one.n: one for one in cells if one.kind == "idea"}
    return ModelCells(ideas, judges, [one for one in cells if one.kind == "fluency"])


def _idea(
    scene: CardScene,
    cell: BenchCell | None,
    judges: Sequence[BenchCell],
    parts: Mapping[str, Partial],
) -> None:
    with st.container(border=True, gap="small"):
        with st.container(height=TEXT, border=False):
            st.markdown(_text(scene, cell))
            if cell is not None and cell.state == "taken" and cell.key in parts:
                writing.draw(parts[cell.key])
        if scene.asked.judges:
            with st.container(
                horizontal=True, vertical_alignment="center", height=BAR, border=False
            ):
                _mean(cell, judges)
            with st.container(height=LINE * 2 * scene.asked.judges_each + 20, border=False):
                # Each judge's scores as they come, in two lines each.
                lines = [f":small[{spoken(one.asked)}]  \n:small[{_given(one)}]" for one in judges]
                st.markdown("  \n".join(lines))
        with st.container(horizontal=True, vertical_alignment="center", height=BAR, border=False):
            if cell is not None and cell.state == "done":
                idea_card.actions(scene, cell, "brainstorm", narrow=True)


def _text(scene: CardScene, cell: BenchCell | None) -> str:
    """Return an idea, or what is known in its place."""
    if cell is None or cell.state == "ready":
        if active(scene.run):
            return ":gray[:material/hourglass_empty: waits for its turn]"
        return ":gray[:material/pause_circle: not asked yet]"
    if cell.state == "taken":
        again = ", once more in another framing: it refused" if cell.refusals else ""
        return f":blue[:material/edit_note: being written{again}]"
    if cell.state == "failed":
        return f"{idea_card.reason(scene, cell)}\n\n{inline(cell.text, 500)}"
    if cell.state == "excluded":
        return f"{idea_card.reason(scene, cell)}\n\n{shown(cell.text)}"
    return f"{shown(cell.text)}\n\n{idea_card.badges(scene, cell)}"


def _mean(cell: BenchCell | None, judges: Sequence[BenchCell]) -> None:
    """Draw the mean of an idea's scores so far, and the judges' words."""
    if cell is not None and cell.state in ("failed", "excluded"):
        st.markdown(":gray[Not judged.]")
        return
    if cell is None or cell.score is None:
        st.markdown(":gray[no score yet]")
        return
    st.markdown(
        f"**{cell.score:.1f}** :gray[mean of {cell.judged * len(BENCH_DIMENSIONS)} scores]",
        width="content",
    )
    with st.popover("Why", type="tertiary", width="content"):
        for one in judges:
            idea_card.judgment(one)


def _given(one: BenchCell) -> str:
    if one.state == "failed":
        return ":red[:material/error: failed]"
    if one.state == "done":
        return " · ".join(f"{name[:4]}. **{getattr(one, name):g}**" for name in BENCH_DIMENSIONS)
    return idea_card.waiting(one)


def _pairs(held: ModelCells) -> None:
    if not held.pairs:
        missing = [one for one in held.ideas.values() if one.state in ("failed", "excluded")]
        st.markdown(
            ":gray[Nothing to compare: ideas are missing.]"
            if missing
            else ":gray[How different they are is asked once both are there.]"
        )
    for one in held.pairs:
        st.markdown(f":small[{idea_card.compared(one, 0)}]")


# -- further -----------------------------------------------------------------------------------


def _further(scene: CardScene) -> None:
    """Draw another round of the same, and the way to a whole benchmark with these models."""
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button(
            "Another round of the same",
            icon=":material/replay:",
            key="brainstorm:again",
            disabled=active(scene.run),
            help="The same keyword, models and judges, asked anew.",
        ):
            with mistakes.kept("brainstorm:again"):
                address.go_to(start(scene.asked))
        if st.button(
            "Turn into a benchmark",
            icon=":material/leaderboard:",
            key="brainstorm:bench",
            help="The same models and judges, on as many keywords as you choose.",
        ):
            _as_benchmark(scene)
        failed = any(
            state == "failed"
            for _, _, state in services.store().benchmarks.sums.tally(scene.run.id)
        )
        # There from the beginning: at the end of a round it would push all ideas down.
        st.button(
            "Ask the failed ones again",
            icon=":material/refresh:",
            key="brainstorm:failed",
            on_click=ask_again,
            args=("brainstorm:again", scene.run.id),
            disabled=active(scene.run) or not failed,
            help="Only what failed, and what follows from it, is asked and paid.",
        )
        st.page_link(
            "pages/benchmark.py",
            label="Another keyword",
            icon=":material/lightbulb:",
            query_params={"section": "keyword"},
        )
    mistakes.shown("brainstorm:again")


def _as_benchmark(scene: CardScene) -> None:
    """Open the form of a new benchmark with these models and judges chosen."""
    st.session_state["bench:models"] = [one.model for one in scene.asked.models]
    st.session_state["bench:judges"] = [one.model for one in scene.asked.judges]
    st.session_state["bench:way"] = (
        bench_form_panel.PICKED if scene.asked.judges else bench_form_panel.NOBODY
    )
    st.query_params.from_dict({address.SECTION: "new"})
    st.rerun()


class BrainstormFormValues(NamedTuple):
    keyword: str
    cast: Participants
    ideas: int


# -- the form ------------------------------------------------------------------------------------


def draw_form() -> None:
    """Draw the form; beginning opens the run."""
    st.caption(
        "A keyword, nothing else: every model writes ideas on it, and the others judge them as they"
        " come."
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        keyword = st.text_input(
            "Keyword",
            key=KEYWORD,
            max_chars=200,
            bind="query-params",
            persist_state="session",
            placeholder="One or two words, such as “erosion”",
        )
        st.button(
            "A random one",
            icon=":material/casino:",
            key=f"{KEY}:random",
            on_click=_random,
            help=f"From the {len(paper_keywords().keywords):,} keywords of LiveIdeaBench.",
        )
    asked = _asked(keyword or "")
    if asked:
        _said(asked)
    if (
        st.button(
            "Ask them",
            type="primary",
            icon=":material/lightbulb:",
            key=f"{KEY}:go",
            disabled=asked is None,
        )
        and asked
    ):
        with mistakes.kept(KEY):
            address.go_to(begin(asked))
    mistakes.shown(KEY)


def _random() -> None:
    st.session_state[KEYWORD] = secrets.choice(paper_keywords().keywords).text


def _asked(keyword: str) -> BrainstormFormValues | None:
    """Draw who takes part, and return what is asked; None where nobody writes."""
    found = reachable()
    models = several(
        "Models that write ideas",
        f"{KEY}:models",
        "main",
        found[0],
        "The built-in model is no language model: it fills in patterns, for trying things out.",
        99,
    )
    judges = several(
        "Models that judge",
        f"{KEY}:judges",
        "judge",
        found[1],
        "Three judges for each idea where there are so many, drawn by chance; no model "
        "judges its own ideas. Leave empty to get ideas without scores.",
        30,
    )
    ideas = st.segmented_control(
        "Ideas of each model",
        (1, 2, 3, 4),
        default=2,
        required=True,
        key=f"{KEY}:ideas",
        persist_state="session",
    )
    try:
        return BrainstormFormValues(keyword, cast(models, judges), int(ideas))
    except BadInput as error:
        st.info(inline(str(error)), icon=":material/info:")
        return None


def reachable() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the models at hand that can write ideas, language models first, and those that can
    judge; the same model counts once.
    """
    names = []
    for one in cached.reach():
        others = [f"{one.provider}:{model}" for model in one.models]
        names += [one.main, one.cheap, *others]
    each, _ = drop_repeats(dict.fromkeys((*filter(None, names), "builtin")))
    kept = sorted(each, key=lambda name: name == "builtin")
    writers = tuple(name for name in kept if answers(name, WRITES))
    others = [name for name in kept if not name.startswith(f"{LOCAL}:")]  # They learned to write.
    judges = tuple(name for name in others if answers(name, JUDGES))
    if len(writers) > MOST:
        writers = (*writers[: MOST - 1], *writers[-1:])
    return writers, judges[:MOST]


def _said(asked: BrainstormFormValues) -> None:
    """Say what it comes to."""
    st.markdown(inline(asked.cast.said))
    if asked.cast.twice:
        st.caption(
            inline(
                "Left out, being the same model as one that is there:"
                f" {', '.join(map(called, asked.cast.twice))}."
            )
        )
    guess = expected(_inputs(asked, "?"), Sampling())
    if {one.model for one in guess.loads} == {"builtin"}:
        st.caption(
            f"{counted(guess.calls, 'call')} to the built-in model: a few seconds, free. {BUILT_IN}"
        )
        st.page_link("pages/settings.py", label="Connect a language model", icon=":material/tune:")
        return
    starting.estimated(of_expected(guess), room(services.workshop(), guess.tokens, Sampling()))


def _inputs(asked: BrainstormFormValues, sha: str) -> BenchInputs:
    who = asked.cast
    return validated(
        BenchInputs,
        topic=" ".join(asked.keyword.split()) or "?",
        keywords=sha,
        count=1,
        models=who.models,
        judges=who.judges,
        ideas=asked.ideas,
        judges_each=who.judges_each,
        brainstorm=True,
    )


def begin(asked: BrainstormFormValues) -> Run:
    """Begin a brainstorm and return its run; raises BadInput."""
    sha = services.store().frozen.keep(of_keyword(asked.keyword))
    return start(_inputs(asked, sha))


def start(inputs: BenchInputs) -> Run:
    """Start a benchmark with a seed of its own, and return its run, or the one the same click has
    just started; raises BadInput.
    """
    return starting.once(
        KEY, inputs.model_dump(mode="json"), lambda: services.begin("bench", inputs, inputs.topic)
    )
