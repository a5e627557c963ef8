"""Links that were made in this browser tab: known here until they are hidden, and nowhere else."""

from dataclasses import dataclass, field

import streamlit as st

from components.shell import services
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


def that_open(study: Study) -> dict[str, str]:
    """Return the secrets made in this tab that still open their seats, by seat: somebody else may
    have drawn a newer link since.
    """
    return {seat: secret for seat, secret in of(study).secrets.items() if _opens(secret, seat)}


def _opens(secret: str, seat: str) -> bool:
    held = services.store().seats.held(hashed(secret))
    return held is not None and held.id == seat


def recruits(study: Study) -> bool:
    """Say whether the recruiting link that this tab made still leads to the session."""
    made = of(study)
    led = services.store().people.recruits_for(hashed(made.joining)) if made.joining else ""
    return led == study.id
