"""The experiment itself: every contender writes on every topic in a run of its own, and all that
came about meets in one arena.
"""

from collections.abc import Iterable, Iterator
from functools import partial

from pydantic import ValidationError

from core.desk import Desk
from core.experiments.topics.cells import (
    TopicCellPlan,
    TopicExperimentInputs,
    cells,
    entry_of,
    matched,
    times_of,
)
from core.experiments.topics.distinct import PROMPT as SAME_IDEA
from core.experiments.topics.distinct import measure_all
from core.judging.arena import competition
from core.judging.arena.competition import ROLES, ArenaInputs
from core.methods import adversarial, baselines, chain_of_ideas, drafts, evolution
from core.records import (
    EDITION,
    Call,
    Design,
    Entry,
    Idea,
    Kind,
    Outcome,
    Record,
    TokenBudget,
    TopicArena,
    TopicCell,
    TopicList,
    Worked,
)
from core.records.faults import fault_in_words
from core.store import Store
from core.store.steps import Outline
from core.story import Story

PROMPTS = tuple(
    sorted(
        {
            *chain_of_ideas.PROMPTS,
            *baselines.DIRECT,
            *baselines.RAG,
            *baselines.REAL,
            *drafts.PROMPTS,
            *adversarial.PROMPTS,
            *evolution.PROMPTS,
            *competition.PROMPTS,
            SAME_IDEA,
        }
    )
)
"""Everything any contender asks: what an experiment freezes, so that one added later plays by the
same prompts.
"""
FEWEST = 2
"""Drafts that are written at least, however few a method's tokens buy."""


def fill_all(desk: Desk, asked: TopicExperimentInputs) -> Iterator[Record]:
    """Fill every cell, show each in its place as it ends, have all ideas (and designs) compete, and
    say how many of each contender's are distinct.

    A cell whose run failed says so, and the others go on; extending tries it again. Raises BadInput
    for topics that are not kept here.
    """
    held = desk.bench.store.frozen.get(asked.topics, TopicList).topics
    by_place: dict[tuple[str, str, int], list[TopicCellPlan]] = {}
    for plan in cells(asked, held):
        place = (plan.topic.topic, plan.model, plan.seed)
        by_place.setdefault(place, []).append(plan)
    work = [partial(fill, asked=asked, plans=tuple(plans)) for plans in by_place.values()]
    filled = desk.each(work, asked.at_once)
    came = tuple(cell for several in filled for cell in several)
    for kind in asked.kinds:
        here = desk.at("arena").at(f"{kind}s")
        here.show(compete(desk, asked, kind, entries(desk, asked, came, kind)))
    measure_all(desk, asked, came)
    return iter(())


def fill(
    desk: Desk, asked: TopicExperimentInputs, plans: tuple[TopicCellPlan, ...]
) -> tuple[TopicCell, ...]:
    """Fill the cells of a topic, a model and a seed: contenders that are given the tokens of
    another one after all others.
    """
    first = [plan for plan in plans if not plan.contender.same_as]
    after = [plan for plan in plans if plan.contender.same_as]
    done = desk.all(*(partial(write, asked=asked, plan=plan) for plan in first))
    by_said = {cell.contender: cell for cell in done}
    late = desk.all(
        *(partial(write_drafts, asked=asked, plan=plan, others=by_said) for plan in after)
    )
    return (*done, *late)


def write(desk: Desk, asked: TopicExperimentInputs, plan: TopicCellPlan) -> TopicCell:
    """Fill one cell and show it: by a run of its own, or with what is there already."""
    if plan.contender.method == "collection":
        return show(desk, plan, imported(asked, plan))
    topic = plan.topic
    if plan.contender.method == "real-paper" and (topic.paper is None or topic.idea):
        return show(desk, plan, real_paper(desk.bench.store, asked, plan))
    inputs = plan.contender.inputs(
        topic, asked.designs, asked.full_text, asked.before, edition=desk.edition
    )
    return show(desk, plan, work(desk, asked, plan, inputs))


def work(
    desk: Desk, asked: TopicExperimentInputs, plan: TopicCellPlan, inputs: Record
) -> TopicCell:
    """Have a cell's run worked on, and return what it came to."""
    model = plan.model or asked.models[0]
    models = {"main": model, "cheap": asked.reader or model}
    method = plan.contender.method
    title = f"{plan.contender.label}: {plan.topic.topic}"
    worked = desk.run(plan.name, method, inputs, models, title)
    return came_to(desk.bench.store, asked, plan, worked)


def came_to(
    store: Store, asked: TopicExperimentInputs, plan: TopicCellPlan, worked: Worked
) -> TopicCell:
    """Return what a run came to, its texts frozen."""
    cell = named(plan, run=worked.run)
    if worked.state == "failed":
        return cell.model_copy(
            update={"state": "failed", "reason": worked.reason or "The run failed."}
        )
    story = Story.of(store, worked.run)
    outcome, design = story.last(Outcome), story.last(Design)
    if outcome is None:
        return cell.model_copy(update={"state": "failed", "reason": "The run came to no idea."})
    kept = {"idea": store.frozen.keep(outcome.idea)}
    if asked.designs and design:
        kept["design"] = store.frozen.keep(design)
    return cell.model_copy(update=kept)


def write_drafts(
    desk: Desk, asked: TopicExperimentInputs, plan: TopicCellPlan, others: dict[str, TopicCell]
) -> TopicCell:
    """Fill the cell of a contender that is given the tokens of another: as many direct drafts as
    these buy, and the best of them.
    """
    other = matched(plan.contender, asked.found)
    assert other
    theirs = others[other.said]
    if theirs.state == "failed":
        reason = f"There is nothing to match: {theirs.contender!r} failed. {theirs.reason}"
        return show(desk, plan, named(plan, state="failed", reason=reason))
    place = desk.at(plan.name)
    paid = place.settle("budget", buy(desk.bench.store, asked, theirs, others, desk.edition))
    inputs = plan.contender.inputs(
        plan.topic, asked.designs, asked.full_text, asked.before, paid.drafts, desk.edition
    )
    cell = work(desk, asked, plan, inputs)
    return show(desk, plan, cell.model_copy(update={"budget": paid}))


def buy(
    store: Store,
    asked: TopicExperimentInputs,
    theirs: TopicCell,
    others: dict[str, TopicCell],
    edition: int = EDITION,
) -> TokenBudget:
    """Return how many direct drafts the tokens of a cell buy: a draft takes what direct prompting
    took on the same topic, where it competes; else what a short request and reply usually take.

    Choosing among the drafts comes on top, in favour of direct prompting.
    """
    tokens = tokens_of(store, theirs.run, edition)
    direct = others.get("direct")
    draft = 0
    if direct and direct.state == "done":
        draft = tokens_of(store, direct.run, edition)
    price = draft or USUAL_DRAFT
    bought = tokens // price
    notes = []
    if not tokens:
        notes.append("No tokens were reported, so the fewest drafts are written.")
    elif not draft:
        notes.append(
            f"A draft is taken to cost {USUAL_DRAFT} tokens: direct prompting does not compete, or"
            " reported none."
        )
    if bought > asked.most_drafts:
        notes.append(f"The tokens buy {bought} drafts; {asked.most_drafts} are the most.")
    if tokens and bought < FEWEST:
        notes.append(f"The tokens buy {bought}; {FEWEST} are the least.")
    drafts = min(max(bought, FEWEST), asked.most_drafts)
    return TokenBudget(
        contender=theirs.contender, tokens=tokens, draft=draft, drafts=drafts, note=" ".join(notes)
    )


USUAL_DRAFT = 1_000
"""Tokens of a direct draft where none was measured."""


def tokens_of(store: Store, run: str, edition: int = EDITION) -> int:
    """Return the tokens in and out that a run took for its idea, as far as they were reported;
    designing an experiment is not part of it.

    What it took over from another run counts as it did there; in earlier editions it did not.
    """
    return sum(
        (used.tokens_in or 0) + (used.tokens_out or 0)
        for step in store.steps.outline(run)
        if not step.key.startswith("experiment/") and not (step.taken_from and edition < 4)
        for used in _usage_of(store, step)
    )


def _usage_of(store: Store, step: Outline) -> Iterable[Outline | Call]:
    """Return what says how many tokens a step took: a fork of a fork has that where it was paid."""
    paid = store.steps.get(step.taken_from, step.key) if step.taken_from else None
    return paid.calls if paid else (step,)


def imported(asked: TopicExperimentInputs, plan: TopicCellPlan) -> TopicCell:
    """Return what an imported system has on a topic."""
    mine = {
        one.kind: one.sha
        for one in reversed(asked.imported)
        if one.collection == plan.contender.label and one.topic == plan.topic.topic
    }
    if "idea" not in mine:
        reason = f"The collection has no idea on the topic {plan.topic.topic!r}."
        return named(plan, state="failed", reason=reason)
    return named(plan, idea=mine["idea"], design=mine.get("design", ""))


def real_paper(store: Store, asked: TopicExperimentInputs, plan: TopicCellPlan) -> TopicCell:
    """Return what the topic's own paper puts forward, as the list of topics has it."""
    topic = plan.topic
    if topic.paper is None or topic.idea is None:
        return named(plan, state="failed", reason="The topic was taken from no published paper.")
    kept = {"idea": store.frozen.keep(topic.idea)}
    if asked.designs and topic.design:
        kept["design"] = store.frozen.keep(topic.design)
    return named(plan, **kept)


def named(plan: TopicCellPlan, **came_to: object) -> TopicCell:
    """Return a cell under its names, with what it came to."""
    return TopicCell.model_validate(
        {
            "contender": plan.contender.said,
            "player": plan.player,
            "topic": plan.topic.topic,
            "model": plan.model,
            "seed": plan.seed,
            **came_to,
        }
    )


def show(desk: Desk, plan: TopicCellPlan, cell: TopicCell) -> TopicCell:
    """Show a cell in its place and return it."""
    desk.at(plan.name).show(cell)
    return cell


# -- the arena ---------------------------------------------------------------------------------


def entries(
    desk: Desk, asked: TopicExperimentInputs, came: tuple[TopicCell, ...], kind: Kind
) -> tuple[Entry, ...]:
    """Return what competes, put into a collection of the experiment's own, from which a session
    with people can be made; a text that no model wrote competes each time the topic is written on.
    """
    found: list[tuple[Entry, str]] = []
    store = desk.bench.store
    for cell in came:
        sha = cell.idea if kind == "idea" else cell.design
        if not sha:
            continue
        if kind == "idea":
            title = store.frozen.get(sha, Idea).title
        else:
            title = store.frozen.get(sha, Design).setup[:120]
        for seed in times_of(cell, asked.seeds):
            found.append((entry_of(cell, kind, seed, desk.bench.run.id), title))
    store.entries.add(tuple(found), at=desk.bench.run.created)
    # In the arena an entry is the same whichever experiment asks, so that one that is extended
    # takes its matches over.
    return tuple(
        one.model_copy(update={"id": one.sha[:16], "collection": "experiment"}) for one, _ in found
    )


def compete(
    desk: Desk, asked: TopicExperimentInputs, kind: Kind, held: tuple[Entry, ...]
) -> TopicArena:
    """Have all that came about judged in one arena; where nobody judges, it is open to people."""
    try:
        inputs = ArenaInputs(
            topic=asked.topic,
            kind=kind,
            entries=held,
            same_form=asked.same_form,
            repeats=asked.repeats,
            people_only=not asked.judges,
        )
    except ValidationError as error:
        reason = fault_in_words(error.errors()[0])
        said = f"{reason[:1].upper()}{reason[1:]}."
        return TopicArena(kind=kind, entries=len(held), state="failed", reason=said)
    models = dict(zip(ROLES, asked.judges, strict=False)) or {"main": asked.models[0]}
    worked = desk.run(f"arena/{kind}s/run", "arena", inputs, models, f"{asked.topic}: {kind}s")
    return TopicArena(
        kind=kind,
        run=worked.run,
        entries=len(held),
        state=worked.state,
        reason=worked.reason,
    )
