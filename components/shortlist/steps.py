"""The way from a sentence to the step that wrote it."""

from urllib.parse import urlencode

from components.runs.states import PAGES
from components.runs.steps import KEY
from components.shell import services
from components.shell.text import inline
from core.errors import BadInput
from core.records.shortlist import Place, SourcedSentence


def address(place: Place) -> str:
    """Return the address of a step among those of its run."""
    query = {"run": place.run, "runs:tab": "Steps", KEY: place.place}
    return f"/runs?{urlencode(query)}"


def page_of(run: str) -> str:
    """Return the address of a run on the page that shows it; raises BadInput where it is gone."""
    page = PAGES.get(services.store().runs.get(run).config.method, "pages/runs.py")
    name = page.removeprefix("pages/").removesuffix(".py")
    return f"/{name}?{urlencode({'run': run})}"


def link(place: Place | None, label: str = "step") -> str:
    """Return the small link to a step, in Markdown, or to the run where what is named is no step,
    as a verdict that code draws; nothing for a person's own words, and where the run is gone.
    """
    if place is None:
        return ""
    if place.place and services.store().steps.place(place.run, place.place):
        return f" :small[[{label}]({address(place)})]"
    try:
        return f" :small[[{'source' if label == 'step' else label}]({page_of(place.run)})]"
    except BadInput:
        return ""


def draw(one: SourcedSentence) -> str:
    """Return a sentence with the way to the step it comes from, in Markdown."""
    return inline(one.text, 1_200) + link(one.made)
