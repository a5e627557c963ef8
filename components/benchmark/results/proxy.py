"""Fluency as judged against its proxy, which is computed beside the page: it costs nothing but
time.
"""

import threading
from typing import NamedTuple

import streamlit as st

from components.benchmark.results.found import draw_group
from components.shell import services
from components.shell.text import counted, inline
from core.benchmark.results import proxies
from core.benchmark.results.findings import BenchFindings
from core.errors import FoundryError
from core.records import Run

LONG = 2_000
"""Pairs of which it is said beforehand how long they take."""
ABOUT = (
    "The proxy of fluency is the distance in meaning of two ideas for one keyword: 1 − cosine of"
    " their embeddings. It is computed, not judged, needs no model server, and stands beside judged"
    " fluency, never in its place."
)


class _Job(NamedTuple):
    """The computing of one benchmark's proxies, in a thread of its own."""

    thread: threading.Thread
    stop: threading.Event
    said: list[str]
    """What went wrong, if anything did."""


_jobs: dict[tuple[str, str], _Job] = {}


def draw(run: Run, found: BenchFindings) -> None:
    """Draw the proxy against judged fluency, and what can be done to have it."""
    st.caption(ABOUT)
    _computing(run)
    r = found.proxy_r
    draw_group(run, found, "fluency", (r.reading or r.refused) if r else "")


def _computing(run: Run) -> None:
    """Draw how many pairs have their proxy, and the button that computes the rest."""
    pairs, left = services.store().benchmarks.sums.proxies(run.id)
    job = _job(run)
    if job and job.thread.is_alive():
        _going(run)
        return
    if job and job.said:
        st.error(inline(job.said[0], 1_000), icon=":material/error:")
    if not left:
        st.caption(
            f":material/check: Computed for all {counted(pairs, 'pair')} of ideas."
            if pairs
            else "There are no pairs of ideas to compare yet."
        )
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Compute the proxy",
            icon=":material/calculate:",
            key=f"bench:{run.id}:proxy",
            on_click=_begin,
            args=(run.id,),
        )
        long = (
            f" That takes about {left * proxies.SECONDS / 60:,.0f} minutes; the page may be left"
            " meanwhile."
            if left > LONG
            else ""
        )
        st.caption(f"{left:,} of {counted(pairs, 'pair')} of ideas have none yet.{long}")


def _going(run: Run) -> None:
    @st.fragment(run_every=1.0)
    def drawn() -> None:
        job, (pairs, left) = _job(run), services.store().benchmarks.sums.proxies(run.id)
        if not job or not job.thread.is_alive():
            st.rerun()
        st.progress(
            (pairs - left) / max(1, pairs),
            text=f"{pairs - left:,} of {counted(pairs, 'pair')} of ideas have their proxy.",
        )
        st.button(
            "Stop",
            icon=":material/stop_circle:",
            key=f"bench:{run.id}:proxy-stop",
            on_click=job.stop.set,
            help="What is computed stays.",
        )

    drawn()


def _job(run: Run) -> _Job | None:
    return _jobs.get((str(services.store().folder), run.id))


def _begin(run: str) -> None:
    """Compute beside the page, once for each benchmark at a time."""
    store = services.store()
    embedder = services.workshop().embedder
    place = (str(store.folder), run)
    if (held := _jobs.get(place)) and held.thread.is_alive():
        return
    stop, said = threading.Event(), list[str]()

    def work() -> None:
        try:
            proxies.compute(store, run, embedder, lambda _: not stop.is_set())
        except FoundryError as error:
            said.append(str(error))

    job = _jobs[place] = _Job(
        threading.Thread(target=work, name=f"proxy-{run}", daemon=True), stop, said
    )
    job.thread.start()
