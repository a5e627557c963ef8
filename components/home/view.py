"""The parts of the home screen."""

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components.cases import listing as case_list
from components.refine import beginning
from components.runs import naming, starting, states, waiting
from components.runs.models import called
from components.runs.states import PAGES, badge
from components.settings import connect
from components.shell import cached, onward, services
from components.shell.frame import Page, help_link, told
from components.shell.text import ago, counted, inline
from core.desk import MONTH_CAP
from core.errors import BadInput
from core.literature import label
from core.literature.presence import networked
from core.methods import ChainInputs
from core.methods.inputs import ShortlistInputs
from core.records import PARKED, Record, Run
from core.runs.catalogue import LOOKUPS, METHODS, ROLES, entry
from core.runs.novelty_checks import today
from core.runs.planning import validated

TOPIC = "home:topic"
RESTING = tuple(state for state in PARKED if state != "waiting")
"""The states of runs that go on once somebody resumes them."""


def opening(page: Page) -> None:
    """Draw what this is, in one sentence, and the way to the guide."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.title("Idea Foundry", anchor=False, width="stretch")
        help_link(page)
    st.markdown(page.about)


def start() -> DeltaGenerator:
    """Draw the topic box, the button that looks for ideas at once, and the ways to say more; return
    the place for what is wrong with the source of papers.
    """
    with st.container(border=True):
        typed = st.text_area(
            "What do you want ideas about?",
            key=TOPIC,
            height=80,
            persist_state="session",
            placeholder="A topic in a few words, or a paragraph about a problem",
        ).strip()
        shop = services.workshop()
        if built_in := shop.chosen_source() == "shelf":
            covered = cached.fields()
            st.caption(
                f"The built-in papers cover {len(covered)} fields only:"
                f" {inline('; '.join(covered))}."
            )
        example = st.pills(
            "Or a topic that the built-in papers cover",
            cached.example_topics(),
            key="home:example",
            wrap=True,
            on_change=_take_example,
        )
        # A click may come before the browser has the chosen example in its box.
        topic = typed or example or ""
        with st.container(horizontal=True, vertical_alignment="center"):
            go = st.button(
                "Shortlist ideas",
                icon=":material/filter_alt:",
                type="primary",
                key="home:go",
                help="Explores, refines, checks and compares, and leaves the few ideas that are"
                " worth a month.",
            )
            chain = st.button(
                "One chain",
                icon=":material/timeline:",
                key="home:chain",
                help="Quicker: one chain of papers, and the idea that comes next.",
            )
            more = st.button(
                "More choices",
                icon=":material/tune:",
                key="home:more",
                help="Dates, branches, full texts, models and limits, before it starts.",
            )
            refine = st.button(
                "Refine it as an idea",
                icon=":material/cyclone:",
                key="home:refine",
                help="If the text above is an idea already, and not only a topic.",
            )
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(
                f"Looks for papers in: {inline(label(shop.chosen_source()))}.", width="content"
            )
            if built_in:
                onward.source()
        models = {role: shop.chosen(role) for role in METHODS["shortlist"].roles}
        place = st.container()
        sketch = ShortlistInputs(topic="-", dated=today())
        source = shop.chosen_source()
        starting.planned("shortlist", sketch, models, source=source, called="Shortlist")
        starting.planned("chain", ChainInputs(topic="-"), models, source=source, called="One chain")
        if go or chain:
            with told():
                _begin("shortlist" if go else "chain", topic)
    # The boxes of the other pages are filled in, and no address: that would cut a long text.
    if more:
        st.session_state["shortlist:topic"] = topic
        st.switch_page("pages/shortlist.py")
    if refine:
        st.session_state.update({"refine:start": beginning.IDEA, "refine:idea": topic})
        st.switch_page("pages/refine.py")
    return place


def source_trouble(place: DeltaGenerator) -> None:
    """Say why the chosen source would find nothing now, if that is so. Drawn last, since a service
    that is asked may keep everything waiting for a second.
    """
    source = services.workshop().chosen_source()
    if source == "library" and not services.store().library.own_count():
        said = "Your own literature holds no papers yet: nothing would be found."
    elif silent := cached.silent_services(source):
        names = " and ".join(map(label, silent))
        verb = "does" if len(silent) == 1 else "do"
        said = f"{names} {verb} not answer from here now."
        found = set(networked(source)) - set(silent)
        said += f" {label(found.pop())} is asked instead." if found else " No paper would be found."
    else:
        return
    with place:
        st.warning(inline(said), icon=":material/link_off:")
        onward.source()


def _take_example() -> None:
    if chosen := st.session_state.get("home:example"):
        st.session_state[TOPIC] = chosen


def _begin(method: str, topic: str) -> None:
    if not topic:
        raise BadInput("Say what you want ideas about, or pick one of the topics.")
    source = services.workshop().chosen_source()
    inputs: Record = validated(ChainInputs, topic=topic)
    if method == "shortlist":
        inputs = validated(ShortlistInputs, topic=topic, dated=today())
    run = starting.once(
        "home",
        [method, topic, source],
        lambda: services.begin(method, inputs, topic, source=source),
    )
    st.switch_page(PAGES[method], query_params={"run": run.id})


def carry_on() -> None:
    """Draw the runs that wait for a person, those that rest until somebody resumes them, those that
    go on, and the newest results, each under its own heading.
    """
    store = services.store()
    services.runner().notice_dead()
    listed = partial(store.runs.listed, without=LOOKUPS)
    groups = {
        "Waiting for you": listed(states=("waiting",), limit=10),
        "To resume": listed(states=RESTING, limit=3),
        "Running": listed(states=("running", "queued"), limit=10),
        "Your latest results": listed(states=("done", "failed"), limit=5),
    }
    for heading, runs in groups.items():
        if runs:
            st.subheader(heading)
        for run in runs:
            _line(run)
    states.say_refused()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.subheader("Watch a case study")
        st.space("stretch")
        st.page_link("pages/cases.py", label="All case studies", icon=":material/slideshow:")
    if not any(groups.values()):
        st.caption(
            "A finished run, played back as it went: nothing is called, and no key is needed."
        )
    case_list.short(3)


def connected() -> None:
    """Draw which models are in use, what could be reached, and this month's spending."""
    st.subheader("Models and spending")
    shop, month = services.workshop(), datetime.now(UTC).strftime("%Y-%m")
    spent, unpriced = shop.store.steps.spent(month)
    cap = shop.store.places.choice(MONTH_CAP)
    if all(shop.chosen(role) == "builtin" for role in ROLES):
        for one in cached.reach():
            if one.provider != "builtin" and one.main:
                with st.container(border=True, horizontal=True, vertical_alignment="center"):
                    connect.offer(one, "home")
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.markdown(_models({role: shop.chosen(role) for role in ROLES}))
        st.markdown(
            " ".join(
                f":green-badge[:material/link: {inline(one.provider)}]"
                for one in cached.reach()
                if one.provider != "builtin"
            )
            or ":gray-badge[:material/link_off: built-in model only]"
        )
        more = f" + {counted(unpriced, 'call')} of unknown price" if unpriced else ""
        st.markdown(
            inline(
                f"This month: ${spent:.2f}{more}"
                + (f" of ${float(cap):.2f}" if cap else ", no cap set")
            )
        )
        st.page_link("pages/settings.py", label="Change", icon=":material/tune:")


def _models(chosen: Mapping[str, str]) -> str:
    """Say which model does what, or that one does everything."""
    if len(set(chosen.values())) == 1:
        return f"Model for everything: **{inline(called(chosen['main']))}**"
    said = (f"{role.capitalize()} model: **{inline(called(chosen[role]))}**" for role in chosen)
    return " · ".join(said)


def _line(run: Run) -> None:
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.markdown(f"{badge(run)} :gray-badge[{inline(entry(run.config).label)}]")
        name, topic = _named(run)
        st.page_link(
            PAGES.get(run.config.method, "pages/runs.py"),
            label=inline(name, 90),
            query_params={"run": run.id},
        )
        st.space("stretch")
        facts = [_asks(run), inline(topic, 40), ago(run.updated)]
        st.caption(" · ".join(filter(None, facts)), width="content")
        if run.state in RESTING:
            states.controls(run, f"home:{run.id}")


def _named(run: Run) -> tuple[str, str]:
    """Return what a run is told apart by, the title of its idea if it has one, and its topic where
    that says something else.
    """
    idea = naming.made(run)
    return (idea, run.title) if idea else (run.title, "")


def _asks(run: Run) -> str:
    """Say what a run waits for a person to do."""
    if run.state == "capped":
        return ":material/savings: open it to raise its cap"
    if run.state in RESTING:
        return ":material/play_circle: Resume goes on where it was"
    questions = services.store().answers.open(run.id) if run.state == "waiting" else []
    if not questions:
        return ""
    more = f" and {len(questions) - 1} more" if len(questions) > 1 else ""
    what = inline(waiting.wanted(questions[0].key))
    return f":material/person_raised_hand: waits for {what}{more}"
