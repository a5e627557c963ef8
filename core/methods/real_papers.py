"""Real papers in bulk: topic, idea and experiment of each, in the form all competitors share; then
a person confirms the topics of all at once (Chain of Ideas, sections 3.2 and 3.3).
"""

from collections.abc import Iterator
from functools import partial
from itertools import count
from typing import Annotated

from pydantic import Field, model_validator

from core.desk import Desk
from core.errors import BadInput, ModelFailed, NothingFound
from core.literature.corpora import CorpusListing, draw_sample
from core.literature.port import Query
from core.methods.finding import id_in
from core.methods.gathering import read_list_page, side_by_side
from core.methods.inputs import Day
from core.methods.target_dataset import PAGES, check_neutral
from core.records import (
    ExperimentTopic,
    Gathered,
    LeftOut,
    Paper,
    PaperReport,
    RealPaper,
    Record,
    Topic,
    TopicChoices,
    TopicList,
    part,
)

PROMPTS = ("report",)
UNSAID = "NONE"
NEEDED = ("title", "novelty", "method")
"""Fields without which nothing competes."""
MOST_LETTERS = 200
"""Letters of a topic, as an arena names it."""
AT_A_TIME = 50
"""Ids that are looked up in one request."""


class RealPapersInputs(Record):
    """Which published papers are taken: by their ids, or by dates and venues."""

    topic: Annotated[str, Field(min_length=1)] = "Real papers"
    """The name of the list."""
    ids: Annotated[tuple[Annotated[str, Field(min_length=1)], ...], Field(max_length=1_000)] = ()
    """DOIs, arXiv ids or ids of the source."""
    since: Day | None = None
    """The first day of the window, YYYY-MM-DD."""
    until: Day | None = None
    """The last day of the window."""
    venues: tuple[str, ...] = ()
    words: str = ""
    """Words of title or abstract, in the source's own search syntax."""
    most: Annotated[int, Field(ge=1, le=1_000)] = 50
    """How many papers of the window are tried, in an order that the seed draws."""
    full_text: bool = True
    confirm: bool = True
    """Whether a person confirms the topics before the list is frozen."""
    at_once: Annotated[int, Field(ge=1, le=32)] = 8

    @model_validator(mode="after")
    def _ids_or_a_window(self) -> "RealPapersInputs":
        window = self.since is not None and self.until is not None
        if bool(self.ids) == window:
            raise ValueError("give ids of papers, or the first and the last day of a window")
        if window and str(self.since) > str(self.until):
            raise ValueError(f"the window ends on {self.until}, before it begins on {self.since}")
        if window and not self.words.strip():
            raise ValueError("a window needs words that title or abstract hold")
        return self


def extract_all(desk: Desk, inputs: RealPapersInputs) -> Iterator[Gathered | TopicList]:
    """Read every paper, showing each in its place as RealPaper or LeftOut with the reason; have a
    person confirm the topics; yield how many there are, and the frozen list.

    Raises SourceFailed, after which the run goes on where it stopped, NothingFound where no paper
    can be used, and Waiting until the topics are confirmed.
    """
    papers, lost = (by_ids if inputs.ids else by_window)(desk.at("papers"), inputs)
    for n, one in enumerate(lost, 1):
        desk.at("left-out").at(str(n)).show(one)
    work = [partial(extract, inputs=inputs, paper=paper) for paper in papers]
    made = side_by_side(desk, work, inputs.at_once)
    usable = tuple(one for one in made if isinstance(one, RealPaper))
    yield Gathered(
        wanted=len(inputs.ids) or inputs.most,
        found=len(usable),
        qualified=len(papers),
        left_out=len(lost) + len(made) - len(usable),
    )
    if not usable:
        raise NothingFound("No paper can be used. Each that was tried says why.")
    yield freeze(desk, inputs, usable)


def by_ids(desk: Desk, inputs: RealPapersInputs) -> tuple[tuple[Paper, ...], list[LeftOut]]:
    """Return the papers with these ids, each once, and those that cannot be looked into."""
    spelled = [id_in(said) or said.strip() for said in inputs.ids]
    wanted = tuple(dict.fromkeys(spelled))
    named: dict[str, Paper] = {}
    for n in range(0, len(wanted), AT_A_TIME):
        some = wanted[n : n + AT_A_TIME]
        found = desk.papers(f"by-id-{n // AT_A_TIME + 1}", some, Query(text=""))
        named |= {name.lower(): paper for paper in found for name in paper.names}
    lost: list[LeftOut] = []
    taken: list[Paper] = []
    for said, name in zip(inputs.ids, spelled, strict=True):
        paper = named.get(name.lower())
        if paper is None:
            missing = Paper(id=name, title=said)
            lost.append(LeftOut(paper=missing, reason=f"{desk.source.name} does not know it."))
        elif any(paper.same(other) for other in taken):
            lost.append(LeftOut(paper=paper, reason=f"Given as {said!r}, it is there already."))
        else:
            taken.append(paper)
    return tuple(taken), lost


def by_window(desk: Desk, inputs: RealPapersInputs) -> tuple[tuple[Paper, ...], list[LeftOut]]:
    """Return papers of the window, drawn by the seed; each page of the list is a step."""
    seed = desk.bench.config.seed
    wanted = CorpusListing(
        words=inputs.words,
        year=int(str(inputs.since)[:4]),
        venues=inputs.venues,
        keep=2 * inputs.most,
        seed=seed,
        since=inputs.since,
        until=inputs.until,
    )
    found: list[Paper] = []
    token = ""
    for n in count(1):
        page = read_list_page(desk, f"page-{n}", wanted, token)
        found += page.papers
        token = page.next
        if not token or n == PAGES:
            break
    once: dict[str, Paper] = {}
    for paper in found:
        if not any(paper.same(other) for other in once.values()):
            once[paper.id] = paper
    return draw_sample(tuple(once.values()), seed, inputs.most), []


def extract(desk: Desk, inputs: RealPapersInputs, paper: Paper) -> RealPaper | LeftOut:
    """Take topic, idea and experiment from one paper and show them, or say why it cannot be."""
    here = desk.at("paper").at(part(paper.id.rpartition(":")[2]))
    made: RealPaper | LeftOut
    try:
        made = read_paper(here, inputs, paper)
    except (BadInput, ModelFailed) as error:
        made = LeftOut(paper=paper, reason=str(error))
    if isinstance(made, RealPaper):
        here.uses((paper,))
    here.show(made)
    return made


def read_paper(desk: Desk, inputs: RealPapersInputs, paper: Paper) -> RealPaper | LeftOut:
    """Return what a paper puts forward; raises ModelFailed (recorded)."""
    whole = desk.full_text("full-text", paper)[1] if inputs.full_text else None
    if not paper.abstract and not whole:
        return LeftOut(paper=paper, reason="Neither its abstract nor its text is to be had.")

    def neutral(report: PaperReport) -> None:
        check_neutral(Topic(topic=report.topic), paper)

    report = desk.ask(
        "report", PaperReport, recorded=(ModelFailed,), check=neutral, paper=paper, text=whole
    )
    idea = report.idea.as_idea()
    if missing := [name for name in NEEDED if idea.fields[name].strip() == UNSAID]:
        return LeftOut(paper=paper, reason=f"Its text says nothing of the idea's {missing[0]}.")
    if len(report.topic) > MOST_LETTERS:
        return LeftOut(paper=paper, reason="Its topic takes more than a line.")
    return RealPaper(paper=paper, topic=report.topic, idea=idea, design=report.design)


def freeze(desk: Desk, inputs: RealPapersInputs, usable: tuple[RealPaper, ...]) -> TopicList:
    """Have the topics confirmed, and return the list, kept by its digest."""
    seen: set[str] = set()
    choices: list[dict[str, object]] = []
    for one in usable:
        # Of two papers on the very same topic the first is proposed.
        fresh = one.topic not in seen
        choices.append({"paper": one.paper.id, "topic": one.topic, "keep": fresh})
        seen.add(one.topic)
    by = ""
    kept = {one.paper.id: one.topic for one in usable}
    if inputs.confirm:
        said = desk.person(
            "topics",
            TopicChoices,
            papers=[
                {"paper": one.paper.id, "title": one.paper.title, "abstract": one.paper.abstract}
                for one in usable
            ],
            proposed={"topics": choices},
        )
        kept = {one.paper: one.topic for one in said.topics if one.keep}
        step = desk.bench.store.steps.get(desk.bench.run.id, f"{desk.place}/topics")
        by = step.origin.name if step else ""
    topics: dict[str, ExperimentTopic] = {}
    for one in usable:
        topic = kept.get(one.paper.id)
        if topic and topic not in topics:
            topics[topic] = ExperimentTopic(
                topic=topic, paper=one.paper, idea=one.idea, design=one.design
            )
    if not topics:
        raise NothingFound("No topic was kept, so there is no list.")
    made = TopicList(name=inputs.topic, topics=tuple(topics.values()), confirmed_by=by)
    desk.bench.store.frozen.keep(made)
    return made
