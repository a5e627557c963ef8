"""Ideas of a benchmark as entries: each by the model that wrote it, on its keyword."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from core.benchmark.inputs import BenchInputs
from core.benchmark.sampling import By, apart, place_of, plan, sample, source
from core.errors import BadInput
from core.importing.filing import FilingReport, file_entries
from core.importing.making import LONGEST_SAID, Offered
from core.importing.names import Place
from core.literature.importing.text import plain
from core.records import BenchCell, Idea, Keyword, Run, Study
from core.store import Store
from core.studies import organising
from core.studies.picking import Chosen
from core.studies.setting_up import draw_seed

VERSION = re.compile(r"(?:idea-(\d+)/)?(round|step)-(\d+)")
"""The place of a version of an idea in its run."""


def idea_of(cell: BenchCell) -> Idea:
    """Return an accepted idea as the other pages take it."""
    return Idea(form="hypothesis", fields={"hypothesis": cell.text})


def origin(run: Run, cell: BenchCell) -> str:
    """Return what the shelf says of where an idea of a benchmark is from."""
    return f"{cell.key} by {run.inputs_as(BenchInputs).models[cell.model].model}"


def describe_origin(store: Store, run: str | None, origin: str) -> str:
    """Return where an idea on the shelf is from, in words: of an idea of a benchmark its keyword,
    its number and its model; of a run's which version it is; any other as it is said.
    """
    at, _, model = origin.partition(" by ")
    place = place_of(at)
    if place is None:
        return _version(origin)
    keyword = of_kept(store, run, origin).get("topic") or f"keyword {place.keyword + 1}"
    return f"{keyword}, idea {place.n} by {model}"


def _version(origin: str) -> str:
    """Return which version an idea is by the place it was kept from, as `idea-2/round-3`; another
    origin as it is.
    """
    if origin == "outcome":
        return "the idea its run came to"
    found = VERSION.fullmatch(origin)
    if found is None:
        return origin
    line, kind, n = found.groups()
    made = "refined in round" if kind == "round" else "revised in step"
    said = f"{made} {n}" if n != "0" else "first form"
    return f"{said} of idea {line}" if line else said


def of_kept(store: Store, run: str | None, origin: str) -> dict[Place, str]:
    """Return method, model and topic of an idea on the shelf whose `origin` names an idea of a
    benchmark; nothing of another one, or of a run that is gone.
    """
    at, _, model = origin.partition(" by ")
    place = place_of(at)
    keywords = store.benchmarks.keywords(run) if run and place else []
    if place is None or place.keyword >= len(keywords):
        return {}
    return {"method": model, "model": model, "topic": keywords[place.keyword].text}


def entries_of_bench(
    store: Store, run: str, ideas: Sequence[BenchCell], collection: str
) -> FilingReport:
    """Put ideas of a benchmark into a collection, under the names of their models; raises BadInput
    for a collection without a name.
    """
    keywords = store.benchmarks.keywords(run)
    models = store.runs.get(run).inputs_as(BenchInputs).models
    parts = (
        _offered(run, cell, models[cell.model].model, keywords[cell.keyword]) for cell in ideas
    )
    return file_entries(store, f"benchmark {run}", collection, parts)


class Sampled(NamedTuple):
    """A sample that was put into a collection of its own."""

    collection: str
    drawn: int
    held: int
    """Fewer than were drawn where one model wrote the same for one keyword twice."""

    @property
    def note(self) -> str:
        """What to know of a sample that is smaller than was asked for; empty of any other."""
        if self.held == self.drawn:
            return ""
        return (
            f"{self.drawn} were drawn, {self.held} are there: the others are word for word what the"
            " same model wrote for the same keyword, and raters read that once."
        )


BYS: dict[By, str] = {"score": "thirds of the score", "model": "models"}
"""What a sample is drawn evenly over."""


def draw_sample(store: Store, run: Run, n: int, by: By, seed: int, name: str = "") -> Sampled:
    """Draw ideas for experts into a new collection; raises BadInput where too few are judged, and
    for a name that is taken.
    """
    drawn = sample(store, run.id, n, by, seed)
    ideas = apart(drawn)
    name = (
        " ".join(name.split())
        or f"{run.title[:100]}: {len(ideas)} ideas for experts, evenly over {BYS[by]}, seed {seed}"
    )
    if any(bunch.name == name for bunch in store.entries.bunches()):
        raise BadInput(
            f"There is a collection {name!r} already. Give the sample a name of its own, so that it"
            " stays what was drawn."
        )
    entries_of_bench(store, run.id, ideas, name)
    return Sampled(name, len(drawn), len(ideas))


def session_of(store: Store, collection: str, experts: int, models: Iterable[str] = ()) -> Study:
    """Set a session up as a draft in which so many experts, 1 to 50, and these model judges rate
    every idea of a sample on what the judges were asked.
    """
    title = f"Validation: {collection}"[:200]
    chosen = Chosen(collections=(collection,))
    return organising.set_up(store, plan(title, experts, draw_seed()), chosen, models)


def _offered(run: str, cell: BenchCell, model: str, keyword: Keyword) -> Offered:
    idea, name = idea_of(cell), model[:LONGEST_SAID]
    about: dict[Place, str] = {
        "method": name,
        "model": name,
        "topic": " ".join(keyword.text.split()),
        "category": keyword.domain[:LONGEST_SAID],
        "source": source(run, cell.key),
    }
    return Offered(cell.key, idea, "idea", about, plain(idea.title)[:120])
