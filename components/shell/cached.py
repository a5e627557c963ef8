"""What pages may look up again and again at no cost: the only st.cache_data."""

import streamlit as st

from components.shell import services
from core.literature.presence import silent
from core.models.reach import KEY, Reachable, reachable, trained_here, what_is_wrong
from core.records import Prepared, TrainingQuery
from core.store.bench_sums import DomainSums
from core.story import Story
from core.training.data import queries_of

TYPED = f"{KEY} typed here, for this server's memory"


@st.cache_data(ttl=30, show_spinner=False)
def reach() -> tuple[Reachable, ...]:
    """Return which models can be reached, looked up at most twice a minute."""
    policies = services.store().policies.listed()
    shop = services.workshop()
    typed = shop.typed_keys
    found = [
        one.model_copy(update={"how": TYPED})
        if one.how.startswith(KEY) and one.provider in typed
        else one
        for one in reachable(shop.settings)
    ]
    return (*found, *trained_here(policies))


@st.cache_data(ttl=30, show_spinner=False)
def server_trouble() -> str:
    """Say why the server at the chosen address offers no model, looked up at most twice a
    minute.
    """
    return what_is_wrong(services.workshop().settings)


@st.cache_data(ttl=30, max_entries=16, show_spinner=False)
def silent_services(source: str) -> tuple[str, ...]:
    """Return which services of a literature source do not answer, looked up at most twice a
    minute.
    """
    return silent(source, services.workshop().settings)


def look_again() -> None:
    """Forget which models can be reached."""
    reach.clear()
    server_trouble.clear()


@st.cache_data(ttl=3600, show_spinner=False)
def example_topics() -> tuple[str, ...]:
    """Return topics the built-in papers cover, the first two of each field."""
    return tuple(
        topic
        for field in services.workshop().shelf.neighbourhoods()
        for topic in field.example_topics[:2]
    )


@st.cache_data(ttl=3600, show_spinner=False)
def fields() -> tuple[str, ...]:
    """Return the fields that the built-in papers cover."""
    return tuple(field.title for field in services.workshop().shelf.neighbourhoods())


# While a benchmark is worked on each look makes another, and no older one is asked for again.
@st.cache_data(max_entries=4, show_spinner=False)
def bench_domains(folder: str, run: str, ideas: int, stamp: str) -> list[DomainSums]:
    """Return a benchmark's sums by domain, as they are at its stamp: of half a million judgments
    they take longer than all the rest of a page.
    """
    assert folder  # Another store's run may have the same stamp.
    assert stamp
    return services.store().benchmarks.sums.by_domain(run, ideas)


@st.cache_data(max_entries=8, show_spinner=False)
def questions(folder: str, run: str, steps: int) -> tuple[TrainingQuery, ...]:
    """Return the questions that a data set came to, as it is after so many steps."""
    assert folder  # Another store's run may have the same name.
    assert steps
    return queries_of(Story.only(services.store(), run, Prepared).all(Prepared))
