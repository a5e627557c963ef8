"""A recipe that is opened: what it is, who takes part, how large it is, what it takes; beginning it
leads to its run.
"""

from typing import Any, NamedTuple

import streamlit as st

from components.experiments import address
from components.experiments.recipes import data
from components.experiments.recipes.data import ChosenData
from components.runs import starting
from components.runs.asking import cap_usd
from components.runs.models import several
from components.runs.states import PAGES
from components.shell import services
from components.shell.frame import told
from components.shell.text import inline
from core.errors import BadInput
from core.experiments.recipes import Written
from core.experiments.topics.distinct import said_of_comparisons
from core.literature import SOURCES, label
from core.records import Recipe, Run, digest
from core.runs.beginning import configure, usual_cap
from core.runs.engines import ENGINES
from core.runs.estimates import Estimate, estimate
from core.runs.reproducing import begin_recipe, plan

MODEL = "provider:model, such as ollama:llama3.1 or openai:gpt-4o-mini."
SMALL, PAPER, OTHER = "small", "paper", "number"
SEARCHING = ("topic-experiment", "sweep", "novelty-experiment")
"""Engines that look for papers."""
JUDGES = {
    "topic-experiment": "They judge in the arena. Without any, people alone vote there.",
    "sweep": "Each ranks all ideas with the published one. Without any there is no Q.",
    "checklist-experiment": (
        "The first scores every idea, the others give the directives; one alone does both."
    ),
    "bench": "The panel. No model judges its own idea.",
}
"""What judges do, by engine; an engine that is not here has none."""


UNABLE = ("checklist-experiment",)
"""Engines in which the built-in model cannot write."""


class RecipeFormValues(NamedTuple):
    """Everything the form was told."""

    written: Written
    size: str
    models: tuple[str, ...]
    judges: tuple[str, ...]
    data: ChosenData
    limits: dict[str, Any]

    @property
    def wrong(self) -> str:
        """What keeps the experiment from starting, as a sentence; empty where nothing does."""
        if not self.models:
            return "Choose at least one model."
        if self.written.recipe.engine in UNABLE and "builtin" in self.models:
            return (
                f"The built-in model cannot do this. {ENGINES[self.written.recipe.engine].needs}"
                " Choose another above; Settings says how models are reached."
            )
        if self.written.recipe.engine == "checklist-experiment" and not self.judges:
            return "Choose at least one judge."
        return self.data.wrong

    @property
    def wish(self) -> list[Any]:
        """All that is asked for, in JSON."""
        who = [list(self.models), list(self.judges)]
        return [self.written.text, self.size, *who, self.data.mark, str(self.limits)]


def draw(written: Written) -> None:
    """Draw what a recipe is and its form; starting opens the run."""
    recipe = written.recipe
    st.subheader(inline(recipe.title, 160))
    st.markdown(f"**{inline(recipe.paper, 160)}**: {inline(', '.join(recipe.shows))}")
    st.caption(inline(recipe.not_comparable, 1_000))
    left, right = st.columns([3, 2], gap="large")
    with right:
        ahead = st.container(border=True)
        _about(written)
    with left, told():
        asked = _form(written)
        with ahead, told():
            _ahead(asked)
        go = st.button(
            "Start the experiment",
            type="primary",
            icon=":material/play_arrow:",
            key="recipes:go",
        )
        if go:
            with told():
                _go_to(_begin(asked))


def _about(written: Written) -> None:
    for sentence in written.recipe.measures:
        st.caption(f":material/straighten: {inline(sentence, 300)}")
    with st.expander("The recipe itself", icon=":material/description:"):
        st.code(written.text, language="toml", wrap_lines=True)
        st.download_button(
            "Save as TOML",
            written.text,
            f"{written.recipe.name}.toml",
            "application/toml",
            key="recipes:toml",
            icon=":material/download:",
            on_click="ignore",
            type="tertiary",
        )


def _form(written: Written) -> RecipeFormValues:
    recipe = written.recipe
    writes = "Models that check" if recipe.engine == "novelty-experiment" else "Models that write"
    models = several(
        writes, "recipes:models", "generator", (services.workshop().chosen("generator"),), MODEL, 8
    )
    judges: tuple[str, ...] = ()
    if recipe.engine in JUDGES:
        said = JUDGES[recipe.engine]
        judges = several(
            "Judges", f"recipes:judges:{recipe.engine}", "judge", (), MODEL, 10, builtin=False
        )
        st.caption(said)
    size = _size(recipe)
    chosen = data.draw(recipe, size)
    return RecipeFormValues(written, size, models, judges, chosen, _limits(recipe))


def _size(recipe: Recipe) -> str:
    noun = ENGINES[recipe.engine].noun
    names = {
        SMALL: f"Small: {recipe.sizes['small'].take:,} {noun}",
        PAPER: f"As in the paper: {recipe.sizes['paper'].take:,}",
        OTHER: "As many as I say",
    }
    st.session_state.setdefault("recipes:size", SMALL)
    size = st.segmented_control(
        "Size",
        list(names),
        key="recipes:size",
        format_func=names.__getitem__,
        required=True,
        wrap=True,
        persist_state="session",
    )
    if size != OTHER:
        return size or SMALL
    many = st.number_input(
        f"How many {noun}",
        1,
        20_000,
        10,
        key="recipes:many",
        persist_state="session",
        help="Everything else is as at the paper's size.",
    )
    return str(int(many))


def _limits(recipe: Recipe) -> dict[str, Any]:
    with st.expander("Seed, caps and source", icon=":material/tune:"):
        seed = st.number_input(
            "Seed",
            min_value=0,
            max_value=2**31 - 1,
            value=None,
            key="recipes:seed",
            placeholder="drawn by chance",
            persist_state="session",
            help="The same seed draws the same.",
        )
        usd = cap_usd("recipes:usd", "Cap for all its runs together, $", step=1.0)
        tokens = st.number_input(
            "Cap for all its runs together, tokens",
            min_value=0,
            value=None,
            step=100_000,
            key="recipes:tokens",
            placeholder="twice what is estimated",
            persist_state="session",
        )
        source = "shelf"
        if recipe.engine in SEARCHING:
            source = st.selectbox(
                "Where methods look for papers",
                tuple(SOURCES),
                format_func=label,
                key="recipes:source",
                persist_state="session",
            )
    return {
        "seed": None if seed is None else int(seed),
        "cap_usd": usd,
        "cap_tokens": tokens or None,
        "source": source,
    }


def _ahead(asked: RecipeFormValues) -> None:
    """Say before the start what it takes, and why it could not begin."""
    st.markdown("**What this will take**")
    if asked.wrong:
        st.caption(asked.wrong)
        return
    with starting.warned():
        guess, rule = _estimated(asked)
        cap = asked.limits["cap_tokens"] or usual_cap(guess)
        starting.estimated(guess, cap, asked.limits["cap_usd"])
        if rule:
            st.caption(inline(rule, 600))


def _estimated(asked: RecipeFormValues) -> tuple[Estimate, str]:
    """Return what it takes, and by what rule judges are asked which ideas are one, once it is sure
    that it could begin; looked at once for each wish. Raises BadInput.
    """
    held = st.session_state.setdefault("recipes:estimated", {})
    mark = digest(asked.wish)
    if held.get("mark") != mark:
        held.clear()
        try:
            held.update(found=_estimate(asked), mark=mark)
        except BadInput as error:
            held.update(found=str(error), mark=mark)
    if isinstance(held["found"], str):
        raise BadInput(held["found"])
    found: tuple[Estimate, str] = held["found"]
    return found


def _estimate(asked: RecipeFormValues) -> tuple[Estimate, str]:
    shop, engine = services.workshop(), asked.written.recipe.engine
    with asked.data.said() as said:
        inputs, _ = plan(shop, asked.written, asked.size, asked.models, asked.judges, said)
    config = configure(shop, engine, inputs, **asked.limits)
    return estimate(engine, config.inputs, config.models), said_of_comparisons(inputs)


def _begin(asked: RecipeFormValues) -> Run:
    """Start the experiment, or return the one the same click has just started; raises BadInput."""
    if asked.wrong:
        raise BadInput(asked.wrong)

    def begin() -> Run:
        runner = services.runner()
        with asked.data.said() as said:
            run = begin_recipe(
                runner,
                asked.written,
                asked.size,
                asked.models,
                asked.judges,
                said,
                **asked.limits,
            )
        runner.start(run.id)
        return run

    return starting.once("recipes", asked.wish, begin)


def _go_to(run: Run) -> None:
    page = PAGES[run.config.method]
    if page == "pages/experiments.py":
        address.go_to(run.id)
    st.switch_page(page, query_params={"run": run.id})
