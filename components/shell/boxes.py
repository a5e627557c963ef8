"""Boxes for what somebody else may change meanwhile: a save keeps what was not typed over."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import streamlit as st

from core.errors import BadInput

LONGEST_SHOWN = 500
"""Signs of somebody else's text that are shown to whoever typed another."""


def fill(boxes: Mapping[str, str]) -> None:
    """Let boxes, by their keys, show what is saved, where they show nothing yet."""
    show({key: saved for key, saved in boxes.items() if key not in st.session_state})


def show(boxes: Mapping[str, str]) -> None:
    """Let boxes, by their keys, show what is saved, and remember that they were drawn with it."""
    for key, saved in boxes.items():
        # In this order: a drawing may be broken off between the two.
        st.session_state[f"{key}:drawn"] = saved
        st.session_state[key] = saved


class Box:
    """What a box was drawn with, and what is typed in it by now. It is read before a transaction
    begins: to look into the session may end the drawing, and with it what was written.
    """

    def __init__(self, key: str):
        self.key = key
        self.drawn = str(st.session_state[f"{key}:drawn"])
        self.typed = str(st.session_state[key] or "")

    def over(self, saved: str) -> str:
        """Return what was typed over what the box was drawn with, or else what is saved by now;
        raises BadInput where somebody else saved another text meanwhile, which the next press
        replaces.
        """
        if self.typed == self.drawn:
            return saved
        if saved not in (self.drawn, self.typed):
            self.drawn = saved
            begin = f"{saved[:LONGEST_SHOWN]}…" if len(saved) > LONGEST_SHOWN else saved
            raise BadInput(
                "Nothing was saved: another text was saved here since this page was drawn. To put"
                f" yours in its place, save again. The other is: “{begin}”"
            )
        return self.typed

    def tags_over(self, saved: Sequence[str]) -> tuple[str, ...]:
        """Return the tags that are saved by now, without those that were taken out of the box and
        with those that were typed into it.
        """
        typed, drawn = split(self.typed), split(self.drawn)
        if ", ".join(saved) == self.drawn:
            return typed
        left = [tag for tag in saved if tag in typed or tag not in drawn]
        return tuple(dict.fromkeys((*left, *(tag for tag in typed if tag not in drawn))))


@contextmanager
def seen_by(box: Box) -> Iterator[None]:
    """Remember, where a save was refused, that the other text was shown."""
    try:
        yield
    except BadInput:
        st.session_state[f"{box.key}:drawn"] = box.drawn
        raise


def split(tags: str) -> tuple[str, ...]:
    """Return tags typed with commas between, each once, in the order typed."""
    return tuple(dict.fromkeys(tag.strip()[:40] for tag in tags.split(",") if tag.strip()))
