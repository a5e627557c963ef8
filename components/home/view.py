"""The parts of the home screen."""

from datetime import UTC, datetime

import streamlit as st

from components.cases import listing as case_list
from components.runs import waiting
from components.runs.models import called
from components.runs.states import LOOKUPS, PAGES, badge, taken
from components.shell import cached, services
from components.shell.text import ago, counted, inline
from core.desk import MONTH_CAP
from core.records import PARKED, Run
from core.runs.catalogue import ROLES, entry


def start() -> None:
    """Draw the topic box and the two ways to begin."""

    def take_example() -> None:
        if chosen := st.session_state.get("home:example"):
            st.session_state["home:topic"] = chosen

    with st.container(border=True):
        st.subheader("Start")
        example = st.pills(
            "Topics that the built-in papers cover",
            cached.example_topics(),
            key="home:example",
            wrap=True,
            on_change=take_example,
        )
        topic = st.text_area(
            "What do you want ideas about?",
            key="home:topic",
            height=80,
            persist_state="session",
            placeholder="A topic in a few words, or a paragraph about a problem",
        )
        with st.container(horizontal=True):
            chain = st.button(
                "Build a chain of ideas",
                icon=":material/timeline:",
                type="primary",
                key="home:chain",
            )
            refine = st.button("Refine an idea", icon=":material/cyclone:", key="home:refine")
    if chain or refine:
        asked = topic or example or ""
        # An address has its limits; a longer topic is carried by the box itself, which keeps what
        # was typed.
        query = {"topic": asked} if 0 < len(asked) <= 1500 else {}
        st.switch_page(
            "pages/chains.py" if chain else "pages/refine.py",
            query_params=query,
        )


def carry_on() -> None:
    """Draw the runs that wait for a person, those that go on or were cut off, and the newest
    finished ones, each under its own heading.
    """
    store = services.store()
    services.runner().notice_dead()
    groups = {
        "Waiting for you": store.runs.listed(states=("waiting",), without=LOOKUPS, limit=10),
        "Running": store.runs.listed(states=("running", "queued"), without=LOOKUPS, limit=10),
        "To resume": store.runs.listed(
            states=tuple(state for state in PARKED if state != "waiting"), without=LOOKUPS, limit=10
        ),
        "Recent": store.runs.listed(states=("done", "failed"), without=LOOKUPS, limit=5),
    }
    if not any(groups.values()):
        st.subheader("Continue")
        st.info(
            "Nothing here yet. Watch one of the case studies below, or choose one of the topics"
            " above and build a chain: it takes less than a minute. Neither needs a key."
        )
    for heading, runs in groups.items():
        if runs:
            st.subheader(heading)
        for run in runs:
            _line(run)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.subheader("Watch a case study")
        st.space("stretch")
        st.page_link("pages/cases.py", label="All case studies", icon=":material/slideshow:")
    case_list.short()


def connected() -> None:
    """Draw which models are in use, what could be reached, and this month's spending."""
    st.subheader("Models and spending")
    shop, month = services.workshop(), datetime.now(UTC).strftime("%Y-%m")
    spent, unpriced = shop.store.steps.spent(month)
    cap = shop.store.places.choice(MONTH_CAP)
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.markdown(
            " · ".join(
                f"{role.capitalize()} model: **{inline(called(shop.chosen(role)))}**"
                for role in ROLES
            )
        )
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


def _line(run: Run) -> None:
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.markdown(badge(run))
        st.page_link(
            PAGES.get(run.config.method, "pages/runs.py"),
            label=inline(run.title, 90),
            query_params={"run": run.id},
        )
        st.space("stretch")
        method = inline(entry(run.config).label)
        questions = services.store().answers.open(run.id) if run.state == "waiting" else []
        asks = ""
        if questions:
            what = waiting.where(questions[0].key)
            more = f" and {len(questions) - 1} more" if len(questions) > 1 else ""
            asks = (
                ":material/person_raised_hand: asks you for"
                f" {inline(what[:1].lower() + what[1:])}{more} · "
            )
        st.caption(f"{asks}{method} · {taken(run)} · {ago(run.updated)}")
