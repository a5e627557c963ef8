"""The way from a sentence to the step that wrote it."""

from urllib.parse import urlencode

from components.runs.steps import KEY
from components.shell.text import inline
from core.records.shortlist import Place, SourcedSentence


def address(place: Place) -> str:
    """Return the address of a step, or of the run as a whole where no step is named."""
    query = {"run": place.run}
    if place.place:
        query |= {"runs:tab": "Steps", KEY: place.place}
    return f"/runs?{urlencode(query)}"


def link(place: Place | None, label: str = "step") -> str:
    """Return the small link to a step, in Markdown; nothing for a person's own words."""
    return f" :small[[{label}]({address(place)})]" if place else ""


def draw(one: SourcedSentence) -> str:
    """Return a sentence with the way to the step it comes from, in Markdown."""
    return inline(one.text, 1_200) + link(one.made)
