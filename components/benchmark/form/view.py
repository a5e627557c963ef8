"""Starting a benchmark: keywords, models, a panel; its size, price and time stand beside the form
as one chooses, and what hinders it.
"""

from typing import Any, NamedTuple

import streamlit as st

from components.benchmark import address
from components.benchmark.form import keywords as bench_form_keywords
from components.benchmark.form import models as bench_form_models
from components.benchmark.form import options
from components.benchmark.form import panel as bench_form_panel
from components.benchmark.form.keywords import ChosenKeywords, few
from components.benchmark.form.panel import ChosenPanel
from components.benchmark.words import duration, round_off
from components.runs import starting
from components.shell import services
from components.shell.frame import told
from components.shell.text import counted, inline
from core.benchmark import BenchInputs
from core.benchmark.expected import Expected, earlier_usage, expected
from core.errors import BadInput
from core.records import Entrant, Run, Sampling
from core.runs.beginning import room
from core.runs.estimates import again, of_expected
from core.runs.planning import validated

NOBODY = "No judges: ideas are written, and there will be no scores."


class BenchmarkFormValues(NamedTuple):
    """Everything the form was told."""

    name: str
    keywords: ChosenKeywords
    models: tuple[Entrant, ...]
    panel: ChosenPanel
    rules: dict[str, Any]
    """Ideas, judges and words; limits by provider."""
    sampling: Sampling
    frozen: dict[str, Any]
    """Seed and caps."""

    @property
    def wrong(self) -> str:
        """What keeps the benchmark from starting, as a sentence; empty where nothing does."""
        return (
            self.keywords.wrong
            or ("" if self.models else "Choose at least one model that writes.")
            or self.panel.wrong
        )

    def inputs(self, sha: str) -> BenchInputs:
        """What the benchmark spans, with its keywords kept under `sha`; raises BadInput."""
        if self.wrong or not self.keywords.held:
            raise BadInput(self.wrong)
        return validated(
            BenchInputs,
            topic=self.name.strip() or self.keywords.called,
            keywords=sha,
            count=self.keywords.n,
            models=self.models,
            judges=self.panel.judges,
            **self.rules,
        )


def draw() -> None:
    """Draw the form, and beside it what it would take; starting opens the benchmark."""
    left, right = st.columns([3, 2], gap="large")
    with right:
        ahead = st.container(border=True)
    with left, told():
        asked = _form()
        start = st.container()
        with start:
            go = st.button(
                "Start the benchmark", type="primary", icon=":material/play_arrow:", key="bench:go"
            )
        with ahead, told():
            _ahead(asked)
        if go:
            with start, told():
                address.go_to(_begun(asked))


def _form() -> BenchmarkFormValues:
    name = starting.name("bench:name", "As its keywords are called")
    keywords = bench_form_keywords.draw()
    models = bench_form_models.draw()
    panel = bench_form_panel.draw(models)
    rules, sampling = options.rules(panel.usual)
    limits = options.limits([*(one.model for one in models), *(one.model for one in panel.judges)])
    return BenchmarkFormValues(
        name,
        keywords,
        models,
        panel,
        {**rules, "limits": limits},
        sampling,
        options.frozen(),
    )


def _ahead(asked: BenchmarkFormValues) -> None:
    """Say before the start how large it is, what it takes, and what hinders it."""
    st.markdown("**What this will be**")
    if asked.wrong:
        st.caption(inline(asked.wrong))
        return
    try:
        inputs = asked.inputs("draft")
    except (
        BadInput
    ) as error:  # Nobody has pressed Start yet: what is still to be chosen is no fault.
        st.info(inline(str(error), 600), icon=":material/info:")
        return
    st.markdown(formula(inputs))
    found = expected(
        inputs, asked.sampling, earlier_usage(services.store()), services.workshop().settings.calls
    )
    _takes(found)
    cap = asked.frozen["cap_tokens"] or room(services.workshop(), found.tokens, asked.sampling)
    starting.warn(of_expected(found), cap, asked.frozen["cap_usd"])
    if not inputs.judges:
        st.info(NOBODY, icon=":material/balance:")
    for said in hindered(inputs):
        st.warning(inline(said, 600), icon=":material/extension_off:")
    for said in asked.panel.notes:
        st.caption(f":material/info: {inline(said, 400)}")


def formula(inputs: BenchInputs) -> str:
    """Say how many answers it is made of, and how that comes about."""
    inner = counted(inputs.ideas, "idea")
    if inputs.judged:
        pairs = f" + {counted(inputs.pairs, 'comparison')}" if inputs.pairs else ""
        inner = f"({inner} × (1 + {counted(inputs.judged, 'judge')}){pairs})"
    models = counted(len(inputs.models), "model")
    keywords = counted(inputs.count, "keyword")
    return f"{models} × {keywords} × {inner} = **{inputs.calls:,} calls**"


def _takes(found: Expected) -> None:
    unpriced = inline(few(found.unpriced))
    cost = f"unknown: no price is listed for {unpriced}. The cap on tokens holds."
    if found.cost is not None:
        cost = f"about **\\${found.cost:,.2f}**"
    hours = f"**{duration(found.hours * 60)}**, at {inline(found.said)}"
    for label, said in (
        ("Tokens", f"about **{round_off(found.tokens)}**"),
        ("Cost", cost),
        ("Time", hours),
    ):
        st.markdown(f":gray[{label}:] {said}")
    st.caption(inline(f"A guess for planning. {again()}", 600))


def hindered(inputs: BenchInputs) -> list[str]:
    """Return what keeps models from being asked, a sentence each: a key that is missing, a model
    that judges nothing.
    """
    found: dict[str, str] = {}
    for names, prompts, cannot in (
        ([one.model for one in inputs.models], ("bench-idea",), "write ideas from a keyword"),
        (
            [one.model for one in inputs.judges],
            ("bench-judge", "bench-fluency"),
            "judge ideas, which takes understanding them",
        ),
    ):
        for name in names:
            try:
                if not all(services.workshop().model(name).answers(prompt) for prompt in prompts):
                    found.setdefault(name, f"{name} cannot {cannot}. Choose a language model.")
            except BadInput as error:
                found.setdefault(name, str(error))
    return list(found.values())


def _begun(asked: BenchmarkFormValues) -> Run:
    """Start the benchmark, or return the one the same click has just started; raises BadInput."""
    asked.inputs("draft")  # What is wrong is said before anything is kept.
    assert asked.keywords.held
    inputs = asked.inputs(services.store().frozen.keep(asked.keywords.held))
    return starting.once(
        "bench",
        [inputs.model_dump(mode="json"), asked.sampling.model_dump(mode="json"), asked.frozen],
        lambda: services.begin(
            "bench", inputs, inputs.topic, sampling=asked.sampling, **asked.frozen
        ),
    )
