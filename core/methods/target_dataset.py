"""The dataset of target papers: well-cited or well-placed papers of a year by category, their ideas
and their background (InfAL, section 4.1).

The stated sizes of the published data set sum to 900, not to the 500 it is said to have; tables 9
to 14 use 65 papers per domain.
"""

from collections.abc import Iterator
from functools import partial
from itertools import count
from typing import Annotated

from pydantic import Field

from core.desk import Desk
from core.errors import BadInput, ModelFailed, NothingFound
from core.literature.corpora import CorpusListing, ListedPage, drawn
from core.literature.port import Query
from core.methods.gathering import read_list_page, side_by_side
from core.records import (
    Category,
    Criteria,
    Gathered,
    Idea,
    LeftOut,
    Paper,
    Record,
    SixFields,
    Target,
    Topic,
    digest,
    part,
)

PROMPTS = ("six-fields", "target-topic")
REFERENCES = 200
"""How many references are looked through for abstracts."""
PAGES = 5
"""Pages of a list that are read at most, of a thousand papers each."""
UNSAID = "NONE"


class TargetInputs(Record):
    """Which targets to look for."""

    topic: str = "target papers"
    criteria: Criteria
    at_once: Annotated[int, Field(ge=1, le=32)] = 8


def build(desk: Desk, inputs: TargetInputs) -> Iterator[Gathered]:
    """Gather the targets of each category, showing each in its place (`target/<paper id>`), and
    yield the categories in numbers.

    The papers that qualify are taken in an order that the run's seed and their ids alone decide,
    neither the most cited nor the best placed first. A paper that cannot be a target says why, and
    the next one is tried. Raises SourceFailed, after which the run goes on where it stopped, and
    NothingFound where no target was found at all.
    """
    taken, every = set[str](), 0
    for category in inputs.criteria.categories:
        found = candidates(desk.at("category").at(part(category.name)), inputs.criteria, category)
        fresh = leave_out_known(found, taken)
        targets, tried = gather(desk, inputs, category, fresh)
        every += len(targets)
        taken |= {name for paper in fresh[:tried] for name in paper.names}
        yield Gathered(
            category=category.name,
            wanted=inputs.criteria.each,
            found=len(targets),
            qualified=len(fresh),
            left_out=tried - len(targets),
            reason=_say_missing(len(targets), inputs.criteria.each, len(fresh), tried),
        )
    if not every:
        raise NothingFound(
            "No target was found in any category. Each category, and each paper that was tried,"
            " says why."
        )


def candidates(desk: Desk, criteria: Criteria, category: Category) -> tuple[Paper, ...]:
    """Return papers that qualify, in the order the seed draws them: in a leading venue with a
    citation, or with many citations anywhere.
    """
    anywhere = CorpusListing(
        words=category.query,
        year=criteria.year,
        fields=category.fields,
        venues=(),
        citations=criteria.anywhere,
        without=criteria.without,
        keep=2 * criteria.each + 20,
        seed=desk.bench.config.seed,
    )
    found = read(desk.at("anywhere"), anywhere)
    if category.venues:
        venues = {"venues": category.venues, "citations": criteria.in_venue}
        found += read(desk.at("in-venues"), anywhere.model_copy(update=venues))
    by_id = {paper.id: paper for paper in found}
    return drawn(tuple(by_id.values()), anywhere.seed, len(found))


def read(desk: Desk, wanted: CorpusListing) -> tuple[Paper, ...]:
    """Read a list page by page until there are enough, or its end; each page is a step."""
    found: list[Paper] = []
    token = ""
    for n in count(1):
        page: ListedPage = read_list_page(desk, f"page-{n}", wanted, token)
        found += page.papers
        token = page.next
        if not token or len(found) >= wanted.keep or n == PAGES:
            return tuple(found)
    raise AssertionError("the pages end")


def leave_out_known(papers: tuple[Paper, ...], taken: set[str]) -> tuple[Paper, ...]:
    """Return papers none of which is there twice, or in another category already: by id, DOI, arXiv
    id and title.
    """
    seen, fresh = set(taken), []
    for paper in papers:
        if seen.isdisjoint(paper.names):
            fresh.append(paper)
        seen |= paper.names
    return tuple(fresh)


def gather(
    desk: Desk, inputs: TargetInputs, category: Category, papers: tuple[Paper, ...]
) -> tuple[list[Target], int]:
    """Return as many targets as are wanted, and how many papers were tried for them: as many at a
    time as are still missing.
    """
    wanted, targets, tried = inputs.criteria.each, list[Target](), 0
    while len(targets) < wanted and tried < len(papers):
        missing = wanted - len(targets)
        batch = papers[tried : tried + missing]
        make = partial(make_target, criteria=inputs.criteria, category=category)
        work = [partial(make, paper=paper) for paper in batch]
        made = side_by_side(desk, work, inputs.at_once)
        targets += [target for target in made if isinstance(target, Target)]
        tried += len(batch)
    return targets, tried


def make_target(
    desk: Desk, criteria: Criteria, category: Category, paper: Paper
) -> Target | LeftOut:
    """Make a target of one paper and show it, or say why it cannot be one."""
    here = desk.at("target").at(paper.id.rpartition(":")[2])
    made: Target | LeftOut
    try:
        made = read_target(here, criteria, category, paper)
    except (BadInput, ModelFailed) as error:
        made = LeftOut(paper=paper, category=category.name, reason=str(error))
    if isinstance(made, Target):
        here.uses((made.paper, *made.background))
    here.show(made)
    return made


def read_target(
    desk: Desk, criteria: Criteria, category: Category, paper: Paper
) -> Target | LeftOut:
    """Return a paper as a target: the abstracts of what it cites, in the source's order, its own in
    six fields, and a topic that gives nothing away.

    Raises BadInput where its references are not known, ModelFailed (recorded), SourceFailed.
    """
    cited = desk.references("references", paper, Query(text="", ban=(paper.id,)), REFERENCES)
    # A preprint of the paper itself, under an id of its own, would give its idea away.
    usable = [other for other in cited if other.abstract and not other.same(paper)]
    background = tuple(usable[: criteria.background])
    if not background:
        why = (
            f"No abstract is known of any of its references ({len(cited)} known)."
            if cited
            else "Its references are not known to the source."
        )
        return LeftOut(paper=paper, category=category.name, reason=why)
    text = f"{paper.title}\n\n{paper.abstract}"[:20_000]
    abstract = Idea(form="hypothesis", fields={"hypothesis": text})

    def tell_topic(here: Desk) -> Topic:
        ask = partial(here.ask, "target-topic", Topic, recorded=(ModelFailed,))
        return ask(check=partial(check_neutral, paper=paper), paper=paper)

    fields, topic = desk.all(
        lambda here: here.ask("six-fields", SixFields, recorded=(ModelFailed,), idea=abstract),
        tell_topic,
    )
    idea = fields.as_idea()
    core = ("problem", "objective", "hypothesis", "method")
    if all(idea.fields[name] == UNSAID for name in core):
        return LeftOut(
            paper=paper, category=category.name, reason="Its abstract puts no idea forward."
        )
    return Target(
        paper=paper, category=category.name, topic=topic.topic, idea=idea, background=background
    )


def check_neutral(topic: Topic, paper: Paper) -> None:
    """Raise ValueError for a topic that is longer than a line, or that repeats the title of the
    paper.
    """
    words = topic.topic.split()
    if "\n" in topic.topic or len(words) > 35:
        raise ValueError("the topic is one line of 5 to 25 words")
    if " ".join(paper.title.split()).rstrip(".").casefold() in " ".join(words).casefold():
        raise ValueError(
            "the topic repeats the title of the paper; name the topic without its idea"
        )


def typed_target(
    text: str, topic: str, background: tuple[Paper, ...] = (), category: str = ""
) -> Target:
    """Return a target somebody typed in: its idea as it stands, and the topic methods are told;
    raises BadInput.
    """
    if not text.strip() or not topic.strip():
        raise BadInput(
            "A target needs its idea, and a topic in one line that does not give the idea away."
        )
    idea = Idea(form="hypothesis", fields={"hypothesis": text})
    paper = Paper(
        id=f"typed:{digest(text)[:12]}",
        title=" ".join(idea.title.split()),
        abstract=text.strip(),
        source="typed",
    )
    return Target(paper=paper, category=category, topic=topic, idea=idea, background=background)


def _say_missing(found: int, wanted: int, qualified: int, tried: int) -> str:
    if found >= wanted:
        return ""
    return (
        f"{found} of {wanted} found: {qualified} papers qualified, and {tried - found} of them"
        " could not be targets. Widen its words, venues or citations."
    )
