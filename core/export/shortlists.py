"""A shortlist, finished or as it stands: as JSON, and as a report that begins with its cards."""

from collections.abc import Iterator
from typing import Any

from core.export.asked import Fact
from core.export.blocks import Block, Heading, Paragraph, Span, Table, entry, listing, prose
from core.export.chains import write_design, write_idea
from core.export.dumps import dump, dump_all
from core.export.facts import money, unfinished
from core.export.papers import cite
from core.methods.shortlist.so_far import IdeaSoFar, Present, StageSoFar, present
from core.records import Card, Run, SetAside, SourcedSentence, usage
from core.store import Store
from core.wording.numbers import counted


def describe(store: Store, run: Run) -> dict[str, Any]:
    """Return what a shortlist has to show now; `provisional` says that the cards are not the last
    ones.
    """
    now = present(store, run)
    return {
        "stage": now.stage,
        "provisional": not now.finished,
        "shortlist": dump_all(now.cards),
        "order": {"by": now.by, "reason": now.reason},
        "stages": [_stage(one) for one in now.stages],
        "ideas": [_idea(one) for one in now.ideas],
        **_compared(now),
    }


def _compared(now: Present) -> dict[str, Any]:
    return {"parted": dump(now.parted), "compared": dump(now.rated)}


def _stage(one: StageSoFar) -> dict[str, Any]:
    return {
        **one._asdict(),
        "aside": dump_all(one.aside),
        "choices": dump(one.choices),
        "distinct": dump(one.distinct),
    }


def _idea(one: IdeaSoFar) -> dict[str, Any]:
    records = ("listed", "idea", "made", "aside", "refined", "rechecked", "stood")
    plain = {"n": one.n, "stage": one.stage, "pinned": one.pinned, "put_back": one.put_back}
    return {
        **plain,
        "absorbed": one.absorbed,
        "before": dump(one.before) if one.before != one.idea else None,
        **{name: dump(getattr(one, name)) for name in records},
    }


# -- the report --------------------------------------------------------------------------------


def shortlist(store: Store, run: Run) -> Iterator[Block]:
    """Write a shortlist as it stands: its ideas first, then how they came to be these."""
    now = present(store, run)
    yield Heading("The shortlist" if now.finished else "The shortlist so far")
    if not now.finished:
        yield prose(f"Provisional: {unfinished(run)}")
    yield prose(now.reason)
    for card in now.cards:
        yield from _write_card(card)
    yield from _write_funnel(now)
    aside = [one.aside for one in now.ideas if one.aside]
    if aside:
        yield Heading("Set aside")
        yield from listing([_write_aside(now, one) for one in aside])
    if lost := [said for stage in now.stages for said in stage.lost]:
        yield Heading("What failed on the way")
        yield from listing(lost)
    yield from _write_comparison(now)


def _write_card(card: Card) -> Iterator[Block]:
    yield Heading(f"{card.place}. {card.title}", 3)
    for said in card.gist:
        yield _write_sentence(said)
    yield _write_sentence(card.new, "Novelty: ")
    if card.works:
        yield from listing([cite(paper) for paper in card.works])
    for said in card.objections:
        yield _write_sentence(said, "Still objected: ")
    if card.absorbed:
        others = ", ".join(map(str, card.absorbed))
        yield prose(f"It stands for what says the same too: idea {others}.")
    yield Heading("The whole idea", 4)
    yield from write_idea(card.idea)
    yield Heading("The first experiment", 4)
    if card.design:
        yield from write_design(card.design)
    else:
        yield prose(card.undesigned)


def _write_sentence(said: SourcedSentence, before: str = "") -> Paragraph:
    """Write a sentence and, in small, the step it comes from."""
    source = f" (run {said.made.run}, {said.made.place})" if said.made else " (a person)"
    named = (Span(before, "strong"),) if before else ()
    return Paragraph((*named, Span(said.text), Span(source, "emphasis")))


def _write_funnel(now: Present) -> Iterator[Block]:
    yield Heading("From stage to stage")
    rows = []
    for one in now.stages:
        if one.state == "to come":
            continue
        found = one.distinct
        different = "–" if found is None else str(found.by_judge or found.by_meaning)
        went_on = str(len(one.went_on)) if one.state == "done" else "under way"
        rows.append((one.stage, str(len(one.entered)), str(len(one.aside)), went_on, different))
    yield Table(("Stage", "Ideas", "Set aside", "Went on", "Really different"), tuple(rows))


def _write_aside(now: Present, aside: SetAside) -> str:
    title = next(one.idea.title for one in now.ideas if one.n == aside.n)
    return f"Idea {aside.n}, {title} ({aside.why}, {aside.stage}): {aside.reason}"


def _write_comparison(now: Present) -> Iterator[Block]:
    if now.rated is None or not now.rated.meetings:
        return
    titles = {one.n: one.idea.title for one in now.ideas}
    yield Heading("How they stand among one another")
    rows = []
    for one in now.rated.order:
        ends = "–" if one.low is None or one.high is None else f"{one.low:.0f} to {one.high:.0f}"
        rating = "–" if one.rating is None else f"{one.rating:.0f}"
        won = f"{one.wins} / {one.losses} / {one.ties}"
        held = f"{one.checklist.total} of {len(one.checklist.items)}" if one.checklist else "–"
        rows.append((f"{one.n}. {titles[one.n]}", rating, ends, won, held))
    yield Table(("Idea", "Rating", "95 % interval", "Won / lost / level", "Checklist"), tuple(rows))
    for group in now.rated.level:
        yield entry("Cannot be told apart", ", ".join(f"idea {n}" for n in group))


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
