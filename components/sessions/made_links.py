"""Links that were made in this browser tab: known here until they are hidden, and nowhere else."""

from dataclasses import dataclass, field

import streamlit as st

from components.shell import services
from components.shell.text import counted
from core.door import hashed
from core.records import Study


@dataclass
class MadeLinks:
    """Links made in this tab. A plain object that callbacks add to: a second click may break a
    callback off at any word it says to Streamlit, and a secret that was not kept by then is lost.
    """

    secrets: dict[str, str] = field(default_factory=dict)
    """By seat."""
    names: tuple[str, ...] = ()
    """Whose seats were made last, and when."""
    at: float = 0.0
    joining: str = ""
    """The secret of the recruiting link, where this tab made it."""


def of(study: Study) -> MadeLinks:
    """Return what this tab made at a session."""
    made: MadeLinks = st.session_state.setdefault(f"study:links:{study.id}", MadeLinks())
    return made


def working_links(study: Study) -> dict[str, str]:
    """Return the secrets made in this tab that still open their seats, by seat: somebody else may
    have drawn a newer link since.
    """
    made = list(of(study).secrets.items())  # A second click may add to them meanwhile.
    return {seat: secret for seat, secret in made if _opens(secret, seat)}


def replaced_links(study: Study) -> tuple[str, ...]:
    """Return the seats whose link was made in this tab, and which another link opens since; a
    recruited participant draws one by coming.
    """
    store = services.store()
    recruited = {seat for seat, one in store.people.of(study.id).items() if one.recruited}
    others = store.seats.linked(study.id) - recruited - working_links(study).keys()
    return tuple(seat for seat in list(of(study).secrets) if seat in others)


def say_replaced(study: Study) -> None:
    """Say how many links that were made in this tab no longer work."""
    if n := len(replaced_links(study)):
        works = "works no longer: a newer one was drawn elsewhere for the same expert"
        work = "work no longer: newer ones were drawn elsewhere for the same experts"
        st.info(
            f"{counted(n, 'link')} that this tab made {works if n == 1 else work}."
            " Send the newest.",
            icon=":material/link_off:",
        )


def _opens(secret: str, seat: str) -> bool:
    held = services.store().seats.held(hashed(secret))
    return held is not None and held.id == seat


def recruiting_link_works(study: Study) -> bool:
    """Say whether the recruiting link that this tab made still leads to the session."""
    made = of(study)
    led = services.store().people.recruits_for(hashed(made.joining)) if made.joining else ""
    return led == study.id
