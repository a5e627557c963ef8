"""One keyword: what it is, which models write ideas on it, and which judge them."""

import secrets
from typing import NamedTuple

import streamlit as st

from components.benchmark import address
from components.benchmark.form.panel import answers
from components.runs import starting
from components.runs.models import called, several
from components.shell import cached, mistakes, services
from components.shell.text import counted, inline
from core.benchmark import BenchInputs
from core.benchmark.expected import expected
from core.benchmark.inputs import Participants, cast, drop_repeats, of_keyword
from core.benchmark.keywords import paper_keywords
from core.errors import BadInput
from core.models import LOCAL
from core.records import Run, Sampling
from core.runs.beginning import room
from core.runs.estimates import of_expected
from core.runs.planning import validated

KEY, KEYWORD = "bench:brainstorm", "keyword"
"""What the address calls the keyword: a reload, or a link somebody is sent, brings it back."""
MOST = 12
"""Models side by side at first; more can be chosen."""
BUILT_IN = (
    "The built-in model is no language model: it applies methods from the built-in papers to the"
    " keyword by fixed rules."
)
WRITES, JUDGES = ("bench-idea",), ("bench-judge", "bench-fluency")


class BrainstormFormValues(NamedTuple):
    keyword: str
    cast: Participants
    ideas: int


def draw() -> None:
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
