"""A shortlist as blocks: the cards with what speaks for and against each idea, where every sentence
comes from, what was set aside on the way, and how the ideas compared.
"""

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from core.export.asked import Fact
from core.export.blocks import Block, Heading, Line, Paragraph, Span, Table, listing, prose
from core.export.chains import write_design, write_idea
from core.export.facts import money, unfinished
from core.export.papers import cite
from core.judging.checklist import count_held
from core.judging.claims import join_words
from core.methods.shortlist.so_far import IdeaSoFar, Present, StageSoFar, present
from core.records import Run, usage
from core.records.shortlist import (
    Card,
    Choices,
    Meeting,
    Place,
    RatedIdeas,
    SetAside,
    SourcedSentence,
    Stage,
    Stood,
)
from core.store import Store
from core.wording.numbers import counted

NAMES: dict[Stage, str] = {
    "explore": "Explore",
    "part": "Part",
    "refine": "Refine",
    "check": "Check again",
    "compare": "Compare",
    "shortlist": "Shortlist",
}
"""What the stages are called."""
WHY: dict[Literal["known", "absorbed", "dropped"], str] = {
    "known": "known already",
    "absorbed": "joined with another",
    "dropped": "dropped by a person",
}
"""Why an idea goes no further, in two or three words."""
PROVISIONAL = "Provisional: the run has not ended, and the order may still change."
FlowKind = Literal["goes on", "known", "absorbed", "dropped", "ranked lower", "under way", "added"]


class Flow(NamedTuple):
    """Ideas that go from one place of the funnel to another."""

    start: str
    end: str
    kind: FlowKind
    ideas: tuple[int, ...]


def list_flows(now: Present) -> tuple[Flow, ...]:
    """Return where the ideas went, stage by stage; of the stage under way where they are."""
    found: list[Flow] = []
    for at, following in zip(now.stages, now.stages[1:], strict=False):
        name, on = NAMES[at.stage], NAMES[following.stage]
        gone = [Flow(name, WHY[why], why, _set_aside(at, why)) for why in WHY]
        out = {n for flow in gone for n in flow.ideas}
        left = tuple(n for n in at.entered if n not in out)
        if at.state != "done":
            found += [*gone, Flow(name, "under way", "under way", left)]
            continue
        kept = _went_on(now, at)
        lower = tuple(n for n in left if n not in kept)
        found += [
            Flow(name, on, "goes on", kept),
            *gone,
            Flow(name, "ranked lower", "ranked lower", lower),
            Flow("added by a person", on, "added", at.added),
        ]
    return tuple(flow for flow in found if flow.ideas)


def _went_on(now: Present, at: StageSoFar) -> tuple[int, ...]:
    """Return the ideas that came into a stage and left it for the next; for the last, those that
    are on a card in the end.
    """
    on = {card.n for card in now.cards} if at.stage == "compare" and now.finished else at.went_on
    return tuple(n for n in at.entered if n in on)


def _set_aside(at: StageSoFar, why: str) -> tuple[int, ...]:
    return tuple(one.n for one in at.aside if one.why == why)


def describe_count(now: Present, at: StageSoFar) -> str:
    """Say how many ideas came into a stage and how many left it."""
    if at.state == "to come" and not at.entered:
        return "to come"
    came = counted(len(at.entered), "idea")
    if at.state != "done":
        return f"{came} in it" if at.entered else "under way"
    if at.stage == "shortlist":
        return f"{came} came in, {len(now.cards)} are on it"
    added = f", {len(at.added)} added by a person" if at.added else ""
    return f"{came} came in, {len(at.went_on)} went on{added}"


def describe_distinct(at: StageSoFar) -> str:
    """Say how many really different ideas there are after a stage; empty where it is not known."""
    found = at.distinct
    if found is None:
        return ""
    if found.mean_similarity is None and found.ideas > 1:
        return "How many are really different could not be told: their texts were not compared."
    said = f"{found.by_meaning} of {found.ideas} really different by meaning"
    if found.by_judge is not None:
        most = "at most " if found.unjudged else ""
        said += f", {most}{found.by_judge} as a judge sees it"
    if found.unjudged:
        said += f" ({counted(found.unjudged, 'near pair')} could not be judged)"
    if found.mean_similarity is not None:
        said += f"; mean similarity {found.mean_similarity:.2f}"
    return f"{said}."


def name_idea(now: Present, n: int) -> str:
    """Name an idea by its number and title."""
    idea = next((one for one in now.ideas if one.n == n), None)
    return f"Idea {n}: {idea.idea.title.removesuffix('.')}" if idea else f"Idea {n}"


def name_step(place: Place) -> str:
    """Say which step wrote something; a verdict is drawn by code from all steps of its run."""
    if place.place.startswith("result-"):
        return f"run {place.run}, what it came to"
    return f"run {place.run}, step {place.place}" if place.place else f"run {place.run}"


def describe_comparison(rated: RatedIdeas) -> str:
    """Say who compared the ideas, and what cannot be told apart."""
    said = [rated.reason]
    for group in rated.level:
        numbers = [str(n) for n in sorted(group)]
        if len(numbers) > 1:
            said.append(f"Ideas {join_words(numbers)} cannot be told apart.")
    return " ".join(said)


def describe_interval(one: Stood) -> str:
    """Say between what a rating lies; empty where that is not known."""
    return "" if one.low is None or one.high is None else f"{one.low:.0f} to {one.high:.0f}"


def are_level(rated: RatedIdeas | None, a: int, b: int) -> bool:
    """Whether two ideas cannot be told apart."""
    return rated is not None and any(a in group and b in group for group in rated.level)


def describe_meeting(one: Meeting) -> str:
    """Say how two ideas did against each other."""
    if one.failed:
        return f"Ideas {one.a} and {one.b} were to meet, and that failed: {one.reason}"
    return (
        f"Idea {one.a} won {one.won_a:g} criteria and idea {one.b} won {one.won_b:g}, over both"
        " orders, a tie counting half."
    )


def describe_choices(given: Choices) -> str:
    """Say in a few words what a person did; empty where that was nothing."""
    said = []
    for numbers, what in (
        (given.dropped, "dropped"),
        (given.added, "added"),
        (tuple(one.n for one in given.edited), "rewritten"),
        (given.pinned, "pinned"),
        (given.put_back, "put back to the first form"),
    ):
        if numbers:
            said.append(f"{counted(len(numbers), 'idea')} {what}")
    return ", ".join(said)


# -- the report ------------------------------------------------------------------------------------


class _Sources:
    """The places that sentences come from, numbered as they are first named."""

    def __init__(self) -> None:
        self.places: list[Place] = []

    def mark(self, one: SourcedSentence) -> Line:
        """Return a sentence with the number of its place."""
        if one.made is None:
            return (Span(one.text), Span(" [a person's words]", "emphasis"), Span(" "))
        if one.made not in self.places:
            self.places.append(one.made)
        n = self.places.index(one.made) + 1
        return (Span(one.text), Span(f" [{n}]", "emphasis"), Span(" "))


def shortlist(store: Store, run: Run) -> Iterator[Block]:
    """Write a shortlist as it stands: the cards, their sources, the funnel, the comparison."""
    now, sources = present(store, run), _Sources()
    yield Heading("The shortlist" if now.finished else "The shortlist so far")
    if not now.cards:
        yield prose(f"No idea yet. {unfinished(run)}")
    elif not now.finished:
        yield prose(PROVISIONAL)
    if now.cards:
        yield prose(_order(now))
    for card in now.cards:
        yield from _card(now, card, sources)
    yield from _sources(sources)
    yield from _funnel(now)
    yield from _compared(now)
    yield from _others(now)


def _order(now: Present) -> str:
    return describe_comparison(now.rated) if now.rated else now.reason


def head_objections(idea: IdeaSoFar | None) -> str:
    """Say what the objections on a card are: where the idea was revised by the checklist after its
    last review, the reviewers have not seen it since.
    """
    made = idea.refined.made if idea and idea.refined else None
    if made and "evolve-revise" in made.place:
        return "What its reviewers objected to, before it was revised by the checklist"
    return "What its reviewers still object to"


def _card(now: Present, card: Card, sources: _Sources) -> Iterator[Block]:
    yield Heading(f"{card.place}. {card.title}", 3)
    yield Paragraph(tuple(span for one in card.gist for span in sources.mark(one)))
    yield Paragraph((Span("Why it is new. ", "strong"), *sources.mark(card.new)))
    yield from listing(cite(paper) for paper in card.works)
    idea = next((one for one in now.ideas if one.n == card.n), None)
    if idea and idea.rechecked and idea.rechecked.compared:
        yield from _alarm(idea.rechecked.compared.alarm)
    if card.objections:
        yield Paragraph((Span(f"{head_objections(idea)}.", "strong"),))
        yield from listing(sources.mark(one) for one in card.objections)
    if card.absorbed:
        others = ", ".join(name_idea(now, n) for n in card.absorbed)
        yield prose(f"It stands for others that say the same: {others}.")
    yield Heading("The whole idea", 4)
    yield from write_idea(card.idea)
    if card.design:
        yield Heading("First experiment", 4)
        yield from write_design(card.design)
    elif card.undesigned:
        yield prose(f"First experiment: {card.undesigned}")


def _alarm(sentences: Sequence[str]) -> Iterator[Block]:
    """Write what speaks for the first form of an idea, if anything does."""
    if sentences:
        yield Paragraph((Span("Refined too far? ", "strong"), Span(" ".join(sentences))))


def _sources(sources: _Sources) -> Iterator[Block]:
    if sources.places:
        yield Heading("Where each sentence comes from")
        yield from listing((name_step(place) for place in sources.places), ordered=True)


def _funnel(now: Present) -> Iterator[Block]:
    yield Heading("From stage to stage")
    for at in now.stages:
        known = describe_distinct(at)
        yield Paragraph(
            (Span(f"{NAMES[at.stage]}: ", "strong"), Span(f"{describe_count(now, at)}. {known}"))
        )
        yield from listing(
            (*_ended(now, one), *(cite(one.paper) if one.paper else ())) for one in at.aside
        )
        yield from listing(f"Failed and left out: {one}" for one in at.lost)
        if at.choices and (did := describe_choices(at.choices)):
            yield prose(f"{at.choices.by or 'A person'}: {did}.")


def _ended(now: Present, one: SetAside) -> Line:
    evidence = f" ({name_step(one.made)})" if one.made else ""
    return (
        Span(name_idea(now, one.n), "strong"),
        Span(f", {WHY[one.why]}: {one.reason}{evidence} "),
    )


def _compared(now: Present) -> Iterator[Block]:
    if now.rated is None:
        return
    yield Heading("How the ideas compared")
    head = ("Place", "Idea", "Rating", "95 % interval", "Won, lost, tied", "Checklist")
    yield Table(head, tuple(_standings(now, now.rated)), (1, 5, 1.4, 2.4, 2, 1.6))
    yield from listing(
        f"{describe_meeting(one)} {'' if one.failed else one.reason}".rstrip()
        for one in now.rated.meetings
    )


def _standings(now: Present, rated: RatedIdeas) -> Iterator[tuple[str, ...]]:
    for place, one in enumerate(rated.order, 1):
        counts = f"{one.wins}, {one.losses}, {one.ties}"
        judged = count_held(one.checklist) if one.checklist else "–"
        rating = "–" if one.rating is None else f"{one.rating:.0f}"
        interval = describe_interval(one) or "–"
        yield (str(place), name_idea(now, one.n), rating, interval, counts, judged)


def _others(now: Present) -> Iterator[Block]:
    """Write the ideas that are on no card, so that none is lost."""
    cards = {card.n for card in now.cards}
    others: Sequence[IdeaSoFar] = [one for one in now.ideas if one.n not in cards]
    if not others:
        return
    yield Heading("The other ideas")
    for one in others:
        yield Heading(name_idea(now, one.n), 3)
        yield from write_idea(one.idea)


def facts_of(store: Store, run: Run, known: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """Return the facts of a shortlist, with what all its runs took in place of its own calls."""
    whole = store.runs.with_runs_made(run)
    runs = store.runs.spent(run.id)["runs"]
    calls = usage.calls(whole.calls, whole.maybe_paid)
    tokens = usage.tokens(whole.tokens_in, whole.tokens_out, whole.calls, whole.unreported)
    cost = money(whole.cost, whole.unpriced)
    return (
        *(fact for fact in known if fact[0] not in ("Calls", "Tokens", "Cost")),
        ("Calls, tokens and cost", f"{calls} in it and {counted(runs, 'run')}; {tokens}; {cost}"),
    )
