"""The tables of an experiment over topics, in the arrangement of the paper (Chain of Ideas, tables
1, 2, 4, 26): ratings by criterion, what departs from the whole method, agreement, lengths, widths.
"""

from collections.abc import Iterator

from core.experiments.topics.distinct import ASKED_FROM, MOST_ASKED, NEAR
from core.experiments.topics.results import (
    TEST,
    TopicResults,
    ballots,
    collect,
    compared,
    costs,
    health,
    same_texts,
    series,
)
from core.judging.arena import tables as arena
from core.judging.arena.ballots import CastBallots, counted, who_voted
from core.judging.arena.results import results
from core.judging.ratings import PlayerRating, differences, table
from core.records import (
    NOTHING,
    DistinctByJudge,
    DistinctIdeas,
    Kind,
    Run,
    Table,
    Value,
    label,
)
from core.store import Store
from core.tables.cells import Cell, count, make_table, number

__all__ = ["collect", "of_run", "tables"]

PRINTED = {
    "topics-ratings-ideas": "table 26, figures 3, 4",
    "topics-ratings-designs": "table 4",
    "topics-differences-ideas": "table 2",
    "topics-agreement-ideas": "table 1",
    "topics-judges-ideas": "figure 5",
    "topics-length-ideas": "figure 6",
    "topics-branches-ideas": "figure 7",
}
"""Which table or figure of the paper a table is in the arrangement of, by the beginning of its
name.
"""
SAME = "same texts"
LISTED = 5_000
"""Cells that a table lists: a longer one nobody reads, and it takes a gigabyte for 100,000."""
LONG = {"length": "Papers per chain", "branches": "Branches"}
FIGURE = {"length": "figure 6", "branches": "figure 7"}


def of_run(store: Store, run: Run) -> tuple[Table, ...]:
    """Return every table an experiment has figures for."""
    return tables(store, collect(store, run))


def tables(store: Store, held: TopicResults) -> tuple[Table, ...]:
    """Return every table there are figures for; one of more than 5,000 cells is left to the rows
    that are taken along.
    """
    made = list(summed_up(store, held))
    if held.cells and len(held.cells) <= LISTED:
        made.append(every_cell(held))
    return tuple(made)


def summed_up(store: Store, held: TopicResults) -> tuple[Table, ...]:
    """Return every table there are figures for but that of every cell."""
    made: list[Table] = []
    for kind in held.asked.kinds:
        votes = ballots(store, held, kind)
        if votes is not None:
            made += of_arena(store, held, kind, votes)
        made.append(alike(held, kind))
    made += [distinct(held), budgets(held), spent(store, held)]
    return tuple(_as_printed(one) for one in made if one.rows)


def _as_printed(one: Table) -> Table:
    """Return a table whose caption says which one of the paper it is like."""
    like = next((said for name, said in PRINTED.items() if one.name.startswith(name)), "")
    if not like:
        return one
    return one.model_copy(update={"caption": f"{one.title} (as in {like} of Chain of Ideas)"})


def of_arena(store: Store, held: TopicResults, kind: Kind, votes: CastBallots) -> Iterator[Table]:
    """Yield what the votes on texts of a kind come to."""
    grid = arena.grid(arena.by_side(votes))
    yield named(held, grid, f"topics-ratings-{kind}s", f"Ratings of {kind}s by criterion")
    for who in who_voted(votes):
        pooled = arena.ratings(results(votes, who))
        title = f"{pooled.title}, {kind}s"
        yield named(held, pooled, f"topics-standing-{kind}s-{who}", title)
    yield differing(held, kind, votes)
    for field in LONG:
        for model in held.asked.models:
            yield by_number(held, kind, votes, field, model)
    trusted = health(store, held, kind)
    if trusted:
        yield named(
            held,
            arena.people(trusted),
            f"topics-agreement-{kind}s",
            f"Agreement of models with people, {kind}s",
        )
        between = arena.agreement(trusted)
        title = f"Agreement between judges, {kind}s"
        yield named(held, between, f"topics-judges-{kind}s", title)
        health_of = arena.judges(trusted)
        title = f"Health of the judges, {kind}s"
        yield named(held, health_of, f"topics-judge-health-{kind}s", title)


def named(held: TopicResults, made: Table, name: str, title: str) -> Table:
    """Return a table of the arena as one of the experiment."""
    note = " ".join(filter(None, (partial(held), made.note)))
    return made.model_copy(update={"name": name, "title": title, "caption": "", "note": note})


def partial(held: TopicResults) -> str:
    """Say that more may come, where it may."""
    return "Partial: the experiment is not finished." if held.unfinished else ""


def differing(held: TopicResults, kind: Kind, votes: CastBallots) -> Table:
    """Return how far every contender stands from the one they are compared with (table 2's
    ablations).
    """
    rows = list[tuple[Cell, ...]]()
    same = [{one.a, one.b} for one in same_texts(held, kind) if one.same == one.of]
    for one in compared(held, votes):
        far = one.difference
        alike = {far.player, far.other} in same
        figure = (
            Value(text=SAME)
            if alike
            else Value(
                mean=far.value,
                low=far.low,
                high=far.high,
                n=far.topics,
                counted="topics",
                digits=0,
                note="topics resampled" if far.low is not None else "No interval: too few topics.",
            )
        )
        criterion = label(one.criterion or arena.POOLED)
        p = (
            Value(text=NOTHING)
            if one.corrected is None or alike
            else Value(mean=one.corrected, unit="p", digits=4)
        )
        rows.append((far.player, far.other, one.who, criterion, figure, p))
    note = (
        f"{arena.SCALE} Differences of ratings; p: {TEST} over the contenders of one criterion and"
        " the same voters. An interval that includes 0 is no difference shown; without an interval,"
        f" or a p (–), there are too few topics for either. {SAME.capitalize()}: both wrote the"
        " same word for word on every topic, and what stands between them is chance."
    )
    head = ("Contender", "Compared with", "Votes of", "Criterion", "Difference", "p")
    title = f"Differences of ratings of {kind}s"
    return make_table(
        f"topics-differences-{kind}s",
        title,
        head,
        rows,
        " ".join(filter(None, (partial(held), note))),
    )


def by_number(held: TopicResults, kind: Kind, votes: CastBallots, field: str, model: str) -> Table:
    """Return the ratings of contenders that differ in a number alone, and how far each stands from
    the one of the smallest (figures 6 and 7).
    """
    points = series(held, field, model)
    which = "" if len(held.asked.models) == 1 else f"-{held.asked.models.index(model) + 1}"
    rows = list[tuple[Cell, ...]]()
    for who in who_voted(votes) if points else ():
        matches = counted(votes, who)
        rated = {one.player: one for one in table(matches).ratings}
        apart = {one.player: one for one in differences(matches, points[0].player)}
        for point in points:
            far = apart.get(point.player)
            step = (
                Value(text=NOTHING)
                if far is None
                else Value(
                    mean=far.value,
                    low=far.low,
                    high=far.high,
                    n=far.topics,
                    counted="topics",
                    digits=0,
                )
            )
            rows.append((count(point.n), point.player, who, rating(rated.get(point.player)), step))
    smallest = f"Above {points[0].n}" if points else "Above the smallest"
    head = (LONG[field], "Contender", "Votes of", "Rating", smallest)
    title = f"Ratings of {kind}s by {LONG[field].lower()}"
    if which:
        title += f", {model}"
    note = f"{partial(held)} {arena.SCALE} All criteria pooled ({FIGURE[field]})."
    return make_table(f"topics-{field}-{kind}s{which}", title, head, rows, note.strip())


def rating(one: PlayerRating | None) -> Value:
    """Return a rating as a cell."""
    if one is None:
        return Value(text=NOTHING)
    return Value(
        mean=one.rating, low=one.low, high=one.high, n=one.matches, counted="matches", digits=0
    )


def distinct(held: TopicResults) -> Table:
    """Return how many of a hundred ideas of each contender are distinct, and how far they are
    spread; a published paper's stand beside them. Where judges were asked, each has columns behind.
    """
    judges = tuple(dict.fromkeys(by.judge for one in held.distinct for by in one.by_judge))
    rows = list[tuple[Cell, ...]]()
    for one in held.distinct:
        per_hundred = number(100 * one.distinct / one.ideas, 1)
        nearest = max(one.nearest, default=None)
        told = {by.judge: by for by in one.by_judge}
        rows.append(
            (
                held.names.get(one.player, one.player),
                count(one.ideas),
                count(one.distinct),
                per_hundred,
                number(one.spread, 3),
                number(nearest, 3),
                *(cell for judge in judges for cell in _by_judge(one, told.get(judge))),
            )
        )
    head = ["Contender", "Ideas", "Distinct", "Distinct per hundred", "Spread", "Nearest two"]
    for judge in judges:
        head += [f"Per hundred by {judge}", f"Pairs asked of {judge}", f"Same idea by {judge}"]
    note = (
        f"By meaning: an idea counts unless its embedding has a cosine of {NEAR} or more with that"
        " of an earlier one that counts. Spread: mean of 1 - cosine over all pairs."
    )
    if judges:
        note += (
            " By a judge: an idea counts unless the judge takes it for one with an earlier one. It"
            f" is asked of the {MOST_ASKED} nearest earlier ideas at most, from a cosine of"
            f" {ASKED_FROM} on. A pair without an answer counts as different."
        )
    return make_table("topics-distinct", "Distinct ideas", head, rows, note)


def _by_judge(one: DistinctIdeas, told: DistinctByJudge | None) -> tuple[Cell, Cell, Cell]:
    """Return what a judge says of a contender's ideas: distinct ones per hundred, pairs it was
    asked of, and pairs it takes for one.
    """
    if told is None or told.distinct is None:
        why = told.reason if told else ""
        return Value(text=NOTHING, note=why), Value(text=NOTHING), Value(text=NOTHING)
    near = f"{told.near:,} pairs are near enough."
    lost = f" {told.failed:,} stayed without an answer: {told.reason}" if told.failed else ""
    pairs = Value(mean=told.asked, digits=0, note=near + lost)
    if told.failed:
        pairs = Value(text=f"{told.asked:,}, {told.failed:,} unanswered", note=near + lost)
    return number(100 * told.distinct / one.ideas, 1), pairs, count(told.same)


def alike(held: TopicResults, kind: Kind) -> Table:
    """Return which contenders wrote the very same texts; empty where none did."""
    rows = [(one.a, one.b, count(one.same), count(one.of)) for one in same_texts(held, kind)]
    note = (
        "The same word for word, as where a model takes no notice of what departs from the whole"
        " method (the built-in one does not read). No vote can tell such texts apart, and none on"
        " them is counted: what stands between ratings of contenders whose texts are all the same"
        " is chance."
    )
    head = ("Contender", "And", "Topics with the same text", "Topics with both")
    return make_table(f"topics-same-{kind}s", f"The same {kind} twice", head, rows, note)


def budgets(held: TopicResults) -> Table:
    """Return what the contenders that were given another's tokens could buy."""
    rows = list[tuple[Cell, ...]]()
    bought = [cell for cell in held.cells if cell.budget]
    for cell in bought[:LISTED]:
        if paid := cell.budget:
            rows.append(
                (
                    held.names.get(cell.player, cell.player),
                    cell.topic,
                    str(cell.seed),
                    paid.contender,
                    count(paid.tokens),
                    count(paid.draft),
                    count(paid.drafts),
                    paid.note,
                )
            )
    head = ("Contender", "Topic", "Seed", "Tokens of", "Tokens", "A draft", "Drafts", "Note")
    note = (
        "Tokens in and out, as servers reported them. Choosing among the drafts comes on top: it"
        " favours direct prompting."
    )
    if len(bought) > LISTED:
        note += f" The first {LISTED:,} of {len(bought):,}."
    return make_table("topics-budgets", "Direct prompting with the same tokens", head, rows, note)


def spent(store: Store, held: TopicResults) -> Table:
    """Return what a cell of each contender took, and how many failed."""
    rows = list[tuple[Cell, ...]]()
    deleted = list[str]()
    for one in costs(store, held):
        if not one.cells:
            continue
        if one.deleted:
            deleted.append(f"{one.player} {one.deleted} of {one.deleted + len(one.runs)}")
        lost = one.cells - one.done
        share = Value(mean=lost / one.cells, n=one.cells, counted="cells", unit="percent")
        dollars = Value(text="unknown") if one.cost is None else number(one.cost, 4, "dollars")
        if one.tokens is None and not one.deleted:
            dollars = Value(text=NOTHING)
        why = "; ".join(f"{n}x {reason}" for reason, n in one.reasons[:3])
        rows.append(
            (
                one.player,
                count(one.cells),
                count(lost),
                share,
                number(one.tokens, 0),
                number(one.calls, 1),
                dollars,
                why,
            )
        )
    head = (
        *("Contender", "Cells", "Failed", "Share failed", "Tokens a cell", "Calls a cell"),
        *("Cost a cell", "Why"),
    )
    note = "Of the runs that wrote the texts; judging is not in it."
    if deleted:
        note += f" Means of what is there; runs deleted since: {', '.join(deleted)}."
    return make_table("topics-costs", "What the contenders took", head, rows, note)


def every_cell(held: TopicResults) -> Table:
    """Return every cell: what it came to, and the run behind it."""
    rows = list[tuple[Cell, ...]]()
    for cell in held.cells:
        name = held.names.get(cell.player, cell.player)
        of = (name, cell.model or NOTHING, cell.topic, str(cell.seed), cell.state)
        rows.append((*of, cell.idea[:12], cell.design[:12], cell.run, cell.reason))
    head = ("Contender", "Model", "Topic", "Seed", "State", "Idea", "Design", "Run", "Reason")
    note = f"{len(held.cells)} of {held.planned} cells ended."
    return make_table("topics-cells", "Every cell", head, rows, note)
