"""A run as a case study: marked as one, played back, packed into one file."""

from functools import partial

import streamlit as st

from components.cases import listing
from components.runs import export as run_export
from components.shell import mistakes, person, services
from components.shell.text import counted, inline
from core.cases import MOST_BYTES, pack
from core.cases.experiments import weigh
from core.cases.slides import Slide, slides
from core.cases.tape import plays
from core.errors import BadInput, FoundryError
from core.records import PARKED, Run
from core.runs.catalogue import entry


def authored(run: Run) -> bool:
    """Say whether a run's texts were written for it, by no model."""
    return run.packed is not None and run.packed.authored


def badge(run: Run) -> str:
    """Return the Markdown that marks a case study, and whose texts these are; empty for a run of
    one's own.
    """
    if run.packed is None:
        return ""
    whose = (
        " :gray-badge[:material/edit_note: hand-written texts, not by a model]"
        if run.packed.authored
        else ""
    )
    return f":gray-badge[:material/slideshow: Case study]{whose}"


def play(run: Run) -> None:
    """Draw the way to play a finished run back."""
    if plays(services.store(), run):
        st.page_link(
            listing.PAGE,
            label="Play it back",
            icon=":material/slideshow:",
            query_params={"run": run.id},
        )


def offer(run: Run, key: str = "case") -> None:
    """Draw the way to pack a run, or to close it where it is a case study; what cannot be packed
    yet says why.
    """
    if entry(run.config).apart:
        return
    if run.packed:
        # Runs of an experiment go with it.
        if not run.sweep:
            listing.close(run, f"{key}:close")
        return
    box = f"{key}:save:{run.id}"
    st.button(
        "Save as case study",
        icon=":material/archive:",
        type="tertiary",
        key=f"{box}:open",
        on_click=st.session_state.update,
        args=({box: True},),
    )
    if st.session_state.get(box):
        # The window holds all of it, wherever on the page the button stands.
        dialog = st.dialog(
            "Save as case study",
            width="medium",
            icon=":material/archive:",
            on_dismiss=partial(st.session_state.pop, box, None),
        )
        dialog(_pack)(run, key)


def _pack(run: Run, key: str) -> None:
    if run.state != "done":
        st.info(_why_not(run), icon=":material/info:")
        return
    st.caption(
        "One file with its steps, notes and settings; it opens anywhere, without a key. It"
        " holds the texts of the run and the names people gave, but no key and nothing of this"
        " machine. Its digest (SHA-256) shows that it came through whole, and is no signature."
    )
    about = st.text_area(
        "What it shows, in a sentence or two",
        key=f"{key}:about:{run.id}",
        height=100,
        max_chars=1000,
    )
    by = st.text_input(
        "Packed by (optional)", value=person.given(), key=f"{key}:by:{run.id}", max_chars=80
    )
    if entry(run.config).has_runs_made:
        _pack_experiment(run, key, about or "", by or "")
        return
    plays = entry(run.config).played_back
    if plays:
        _notes(run, key)
    try:
        packed = pack(services.store(), run.id, about or "", by or "")
    except FoundryError as error:
        st.error(inline(str(error), 1000))
        return
    with st.container(horizontal=True):
        _export(run, key, packed)
        if plays:
            run_export.replay_button(
                lambda: run, run_export.named(run), f"{key}:{run.id}", about or ""
            )


def _pack_experiment(run: Run, key: str, about: str, by: str) -> None:
    """Draw how large a case study with the runs in it gets, and pack it once that is asked for."""
    weight = weigh(services.store(), run)
    whole, bare = weight.records + weight.steps, weight.records
    runs = counted(weight.runs, "run")
    stepwise = st.checkbox(
        f"With every step of its {runs} (about {_megabytes(whole)})",
        value=whole <= MOST_BYTES,
        key=f"{key}:stepwise:{run.id}",
        help="What each model was asked and what it answered. Without steps, the file has what the"
        " runs came to: ideas, rounds, rankings with their reasons, and what they cost.",
    )
    size = whole if stepwise else bare
    said = f"The file holds the {entry(run.config).whole} and {runs}: about {_megabytes(size)}."
    if not stepwise:
        said += " Nobody will see in it what was asked and answered."
    st.caption(said)
    if size > MOST_BYTES:
        st.warning(
            f"That is probably too large: a case study has at most {MOST_BYTES // 1_000_000} MB."
            + (" Leave the steps out." if stepwise else " It can be exported instead."),
            icon=":material/scale:",
        )
    box, asked = f"{key}:packed:{run.id}", (about, by, stepwise)
    if st.button("Pack it", icon=":material/archive:", key=f"{key}:pack:{run.id}"):
        st.session_state.pop(box, None)
        try:
            data = pack(services.store(), run.id, about, by, stepwise=stepwise)
        except FoundryError as error:
            st.error(inline(str(error), 1000))
            return
        st.session_state[box] = (asked, data)
    packed_as, data = st.session_state.get(box, (None, b""))
    if packed_as == asked:
        _export(run, key, data)


def _megabytes(size: int) -> str:
    return f"{max(size / 1e6, 0.1):,.1f} MB"


def _export(run: Run, key: str, packed: bytes) -> None:
    st.download_button(
        f"Save as file ({len(packed) / 1000:,.0f} kB)",
        packed,
        f"case-{run_export.named(run)}.json",
        "application/json",
        icon=":material/download:",
        type="primary",
        key=f"{key}:download:{run.id}",
        on_click="ignore",
    )


def _notes(run: Run, key: str) -> None:
    """Draw the box for a note on a step, for whoever presents it."""
    told = slides(services.store(), run)
    box = f"{key}:note:{run.id}"
    noted = sum(len(slide.notes) for slide in told)
    with st.expander(f"Speaker's notes ({noted})", icon=":material/sticky_note_2:"):
        st.caption(
            "For whoever presents: shown on the key N, or in a window of their own on P, and not"
            " to the room. They are the run's margin notes, and go into the file with it."
        )
        st.selectbox(
            "Note on",
            range(len(told)),
            format_func=lambda n: f"{n + 1}. {_named(told[n])}",
            key=f"{box}:on",
        )
        st.text_area("Note", key=f"{box}:text", height=90, max_chars=2000)
        st.button(
            "Keep the note",
            icon=":material/check:",
            key=f"{box}:keep",
            on_click=_keep,
            args=(run, tuple(slide.about for slide in told), box),
        )
        mistakes.shown(box)


def _named(slide: Slide) -> str:
    named = (slide.where, slide.called, slide.does, slide.title)
    return ", ".join(part for part in named if part)[:90]


def _keep(run: Run, places: tuple[str, ...], box: str) -> None:
    with mistakes.kept(box):
        text = str(st.session_state.get(f"{box}:text") or "")
        if not text.strip():
            raise BadInput("Write the note first.")
        about = places[st.session_state[f"{box}:on"] or 0]
        services.store().notes.add(run.id, about, text, person.name())
        st.session_state[f"{box}:text"] = ""


def _why_not(run: Run) -> str:
    if run.state == "failed":
        return (
            "This run failed, so there is no end to play to. Resume it; once it is finished it can"
            " be packed."
        )
    if run.state in PARKED:
        return (
            "This run is not finished: it waits or was stopped. Let it come to its end; then it can"
            " be packed."
        )
    return "This run is going on. As soon as it is finished it can be packed."
