"""What a run may take before it starts: calls, steps, tokens, dollars. A guess for planning, said
to be one; the cap is what holds.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from core.benchmark import BenchInputs
from core.benchmark.expected import Expected, expected
from core.experiments.cells import Group, SweepInputs, models_of, tasks
from core.experiments.checklist.cells import ChecklistExperimentInputs, expected_tasks
from core.experiments.contenders import WRITERS, Task, unknown, unknown_start
from core.experiments.novelty.cells import Check, NoveltyExperimentInputs, conditions
from core.experiments.shared import Shared, in_order, shared_by, task_of
from core.experiments.topics.cells import TopicCellPlan, TopicExperimentInputs, cells
from core.experiments.topics.distinct import PROMPT as SAME_IDEA
from core.experiments.topics.distinct import ideas_by_player, most_comparisons
from core.judging.arena.competition import ASKED as ASKED_IN_ARENA
from core.judging.forms import ASKED as ASKED_FOR_FORMS
from core.methods.inputs import ShortlistInputs
from core.methods.shortlist.checking import novelty_inputs
from core.methods.shortlist.exploring import chain_inputs
from core.methods.shortlist.pairing import MOST_ROUND_ROBIN, swiss_rounds
from core.methods.shortlist.refining import refine_inputs, revision_inputs
from core.models.asking import most_calls
from core.models.prices import price
from core.records import (
    BY_CODE,
    EDITION,
    ITEMS,
    STAGES,
    ExperimentTopic,
    Idea,
    LabelledIdea,
    Paper,
    Record,
    Run,
    Sampling,
)
from core.runs.catalogue import PANEL, named
from core.runs.plans import Asked
from core.studies.model_seat import PROMPTS as PROMPTS_OF_SEATS

TOKENS: dict[str, tuple[int, int]] = {
    "main": (2_500, 600),
    "cheap": (1_500, 500),
    "selector": (1_500, 250),
}
"""Typical tokens in and out of a call by role: abstracts in, a few paragraphs out."""
FULL_TEXT = 5_000
"""Tokens in on top for a paper that is read whole: a typical excerpt."""
ASKED_OF: dict[str, str] = {
    "extract": "cheap",
    "novelty-verdict": "novelty",
    "novelty-reading": "novelty",
    "select": "selector",
    "first-idea": "generator",
    "revise": "generator",
    "self-review": "generator",
    "reflect": "generator",
    "review": "optimizer",
    "verdict": "discriminator",
    "side-effect": "discriminator",
    "rank": "judge",
    "six-fields": "judge",
    "evolve-idea": "generator",
    "evolve-revise": "generator",
    "evolve-alone": "generator",
    "checklist-item": "judge",
    "checklist-score": "scorer",
    "arena-ideas": "judge",
    "arena-designs": "judge",
    "common-design": "judge",
    "same-idea": "judge",
    **dict.fromkeys(PROMPTS_OF_SEATS, "judge"),
}
"""The role a prompt is asked of, where that is not the main one; `checklist-score` is the checklist
item as the scoring judge is asked it.
"""
REPLY = Sampling().max_tokens
"""Tokens that a reply may have, and that count against a cap where a server does not say how many
it had.
"""

UNKNOWN_PRICE = "price unknown, so a cap on tokens holds"


class Estimate(Record):
    """What a run usually takes, and what bounds it. Calls count each answer once: one that is asked
    for again comes on top.
    """

    calls: int
    """Answers of models it usually takes: full chains and one novelty round, or every round of a
    refinement.
    """
    steps: int
    """Everything the journal will usually record."""
    tokens: int
    cost: float | None
    """US dollars; None where a price is unknown."""
    most: int | None = None
    """Answers of models it takes at most; None where there is no bound."""
    most_tokens: int | None = None
    """Tokens of these, as long as prompts and replies have their usual length; None where there is
    no bound.
    """
    unreported: int = 0
    """Tokens its usual calls count for against a cap if the server reports no usage."""


def estimate(
    method: str, inputs: Mapping[str, object], models: Mapping[str, str], edition: int = EDITION
) -> Estimate:
    """Return what a run will usually take, and what it takes at most."""
    if made := MADE_OF_PARTS.get(method):
        return made(inputs, models, edition)
    usual, other = plan(method, inputs, edition)
    bound = at_most(method, inputs, edition)
    found = _ask(method, inputs, models, usual)
    bounds: dict[str, int] = {}
    if bound is not None:
        most = _ask(method, inputs, models, bound)
        bounds = {"most": most.calls, "most_tokens": most.tokens}
    return found.model_copy(update={"steps": found.calls + other, **bounds})


def _ask(
    method: str, inputs: Mapping[str, object], models: Mapping[str, str], asked_for: Asked
) -> Estimate:
    """Return what it takes to ask each prompt so often, bounds left open."""
    asked = [
        _ask_model(model, prompt, n, inputs)
        for prompt, n in asked_for.items()
        for model in _answering(method, prompt, models)
    ]
    return added(asked).model_copy(update={"most": None, "most_tokens": None})


def added(parts: Iterable[Estimate], times: int = 1) -> Estimate:
    """Add estimates up, and take the sum so many times: what is unknown of one is unknown of
    all.
    """
    parts = tuple(parts)
    sums: dict[str, Any] = {}
    for name in Estimate.model_fields:
        values = [getattr(part, name) for part in parts]
        sums[name] = None if None in values else times * sum(values)
    return Estimate(**sums)


def less(after: Estimate, before: Estimate) -> Estimate:
    """Return what is left of an estimate without what another one takes."""
    rest: dict[str, Any] = {}
    for name in Estimate.model_fields:
        whole, part = getattr(after, name), getattr(before, name)
        rest[name] = None if whole is None or part is None else whole - part
    return Estimate(**rest)


def _answering(method: str, prompt: str, models: Mapping[str, str]) -> list[str]:
    """Return the models a prompt is asked of: every judge of a panel, which has its texts brought
    into the common form only once.
    """
    role = role_of(prompt)
    once = prompt in ASKED_FOR_FORMS.values() or not named(method).panel
    if role == "judge" and not once:
        panel = [other for other in sorted(models) if other == role or PANEL.fullmatch(other)]
        seats = panel or ["main"]
        return [models[seat] for seat in seats]
    return [models.get(role) or models.get("main", "")]  # Older runs had fewer roles.


def of_matrix(asked: SweepInputs, edition: int = EDITION) -> Estimate:
    """Return the estimate for an experiment: calls, tokens and cost of all its runs, which are its
    steps; what several cells begin with counts once.
    """
    first = asked.model_copy(update={"targets": asked.targets[:1]})
    found: list[Estimate] = []
    for part in in_order(first, edition):
        if isinstance(part, Group):
            found += _of_group(asked, part, edition)
        elif part.what == "common form":
            found.append(_ask_model(part.by, "six-fields", asked.n))
        else:
            found += _of_writing(asked, part, edition)
    times = len(asked.targets)
    return added(found, times).model_copy(update={"steps": times * len(found)})


def of_checklist_experiment(asked: ChecklistExperimentInputs, edition: int = EDITION) -> Estimate:
    """Return the estimate for a checklist experiment: calls, tokens and cost of all its runs, which
    are its steps; a first idea that several conditions share counts once.
    """
    tasks = [task for generator in asked.generators for task in expected_tasks(asked, generator)]
    found = [
        estimate("evolve", task.inputs.model_dump(mode="json"), task.models, edition)
        for task in tasks
    ]
    return added(found, asked.questions).model_copy(update={"steps": asked.questions * len(found)})


def of_novelty_experiment(asked: NoveltyExperimentInputs, edition: int = EDITION) -> Estimate:
    """Return the estimate for a measurement of novelty checks: calls, tokens and cost of all its
    runs, which are its steps.
    """
    idea = Idea(form="hypothesis", fields={"hypothesis": "not read yet"})
    one = LabelledIdea(where="", idea=idea, known=False)
    found = []
    for condition in conditions(asked):
        inputs = Check(condition, 1, one).inputs(asked).model_dump(mode="json")
        found.append(estimate("novelty", inputs, {"main": condition.judge}, edition))
    times = asked.ideas * asked.seeds
    return added(found, times).model_copy(update={"steps": times * len(found)})


def of_topic_experiment(asked: TopicExperimentInputs, edition: int = EDITION) -> Estimate:
    """Return the estimate for an experiment over topics: calls, tokens and cost of all its runs,
    which are its steps. Contenders that are given another's tokens are taken to write the most
    drafts, and every cell to come to a text.
    """
    paper = Paper(id="unknown", title="not known yet")
    topic = ExperimentTopic(topic="not known yet", paper=paper)
    found = [_of_cell(asked, one, edition) for one in cells(asked, (topic,))]
    written = added(found, asked.count)
    met = _matches(asked, tuple(cells(asked, (topic,))))
    judged = []
    for kind in asked.kinds:
        prompt = ASKED_IN_ARENA[kind][0]
        judged += [_ask_model(judge, prompt, 2 * asked.repeats * met) for judge in asked.judges]
        if asked.same_form and asked.judges:
            judged.append(_ask_model(asked.judges[0], ASKED_FOR_FORMS[kind], len(found)))
    whole = added([written, added(judged, asked.count), *_of_distinct(asked)])
    return whole.model_copy(update={"steps": asked.count * len(found) + len(asked.kinds)})


def _of_distinct(asked: TopicExperimentInputs) -> list[Estimate]:
    """Return what it takes to ask judges which ideas of a contender are one: usually a pair for
    each time beyond the first that it writes on a topic.
    """
    usual = sum(ideas - asked.count for ideas in ideas_by_player(asked))
    found = []
    for judge in asked.judges if asked.distinct_by_judge else ():
        most = _ask_model(judge, SAME_IDEA, most_comparisons(asked))
        bounds = {"steps": 0, "most": most.calls, "most_tokens": most.tokens}
        found.append(_ask_model(judge, SAME_IDEA, usual).model_copy(update=bounds))
    return found


def _of_cell(asked: TopicExperimentInputs, one: TopicCellPlan, edition: int) -> Estimate:
    """Return what a cell takes; nothing where what competes is there already."""
    if one.contender.method == "collection":
        return added(())
    inputs = one.contender.inputs(
        one.topic, asked.designs, asked.full_text, asked.before, asked.most_drafts
    )
    model = one.model or asked.models[0]
    models = {"main": model, "cheap": asked.reader or model}
    return estimate(one.contender.method, inputs.model_dump(mode="json"), models, edition)


def _matches(asked: TopicExperimentInputs, held: Sequence[TopicCellPlan]) -> int:
    """Return how many pairs meet on one topic, over all seeds."""
    found = 0
    for seed in range(1, asked.seeds + 1):
        n = sum(one.seed == seed or not one.model for one in held)
        found += n * (n - 1) // 2
    return found


def plan(method: str, inputs: Mapping[str, object], edition: int = EDITION) -> tuple[Asked, int]:
    """Return how often each prompt is asked, and how many steps there are beside the model's, where
    all goes as it usually does.
    """
    asked, other = named(method).plan(inputs, edition)
    return +asked, other


def at_most(method: str, inputs: Mapping[str, object], edition: int = EDITION) -> Asked | None:
    """Return how often each prompt is asked at most, one that is asked again for the same answer
    counting once; None where there is no bound.
    """
    known = named(method)
    if not known.bounded:
        return None
    return +known.most(inputs, edition) if known.most else plan(method, inputs, edition)[0]


def of_benchmark(given: BenchInputs) -> Estimate:
    """Return the estimate for a benchmark; its answers stand in cells of its own, which are its
    steps here.
    """
    return of_expected(expected(given, Sampling()))


def of_expected(found: Expected) -> Estimate:
    """Return what is expected of a benchmark as an estimate; each answer is one call at most, but
    for those asked for again.
    """
    return Estimate(
        calls=found.calls,
        steps=found.calls,
        tokens=found.tokens,
        cost=found.cost,
        most=found.calls,
        most_tokens=found.tokens,
        unreported=found.unreported,
    )


def planned(
    asked: SweepInputs, one: Group | Shared, edition: int
) -> tuple[tuple[Task, dict[str, str]], ...]:
    """Return the runs in which a group's ideas, or what several begin with, are written, each with
    its models, as far as they are known beforehand.
    """
    target = unknown(one.target)
    start = unknown_start(one.target, asked.n)
    if isinstance(one, Shared):
        writer = one.by
        todo: tuple[Task, ...] = (task_of(asked, one, target, edition, start.given),)
    else:
        writer = one.model
        common = start if shared_by(asked, one, edition) else None
        todo = tasks(asked, one, target, edition, common)
    return tuple((task, models_of(asked, task, writer)) for task in todo)


def _of_writing(asked: SweepInputs, part: Group | Shared, edition: int) -> list[Estimate]:
    return [
        estimate(task.method, task.inputs.model_dump(mode="json"), models, edition)
        for task, models in planned(asked, part, edition)
    ]


def _of_group(asked: SweepInputs, group: Group, edition: int) -> list[Estimate]:
    writer = WRITERS[group.method]
    several = writer.versions(asked.rules) if asked.every_round else 1
    # Only revisions have the six fields from the beginning.
    other = several
    if writer.for_the_goal:
        other = 1 if writer.only_first or several > 1 else 0
    if other and any(part.what == "common form" for part in shared_by(asked, group, edition)):
        other -= 1
    found = _of_writing(asked, group, edition)
    if asked.judges and asked.same_form and other:
        found.append(_ask_model(asked.judges[0], "six-fields", asked.n * other))
    sets = 1 + (several if several > 1 else 0)
    for judge in asked.judges:
        found += [_ask_model(judge, "rank", asked.repeats * sets)] * len(group.goals)
    return found


def _ask_model(
    model: str, prompt: str, n: int, inputs: Mapping[str, object] = MappingProxyType({})
) -> Estimate:
    """Return what it takes to ask a model a prompt so often."""
    tokens_in, tokens_out = TOKENS.get(role_of(prompt), TOKENS["main"])
    if prompt in ("extract", "report", "novelty-reading") and inputs.get("full_text"):
        tokens_in += FULL_TEXT
    spent = price(model, tokens_in, tokens_out)
    counted = 0 if model == "builtin" else n
    tokens = counted * (tokens_in + tokens_out)
    return Estimate(
        calls=n,
        steps=n,
        tokens=tokens,
        cost=None if spent is None else n * spent,
        most=n,
        most_tokens=tokens,
        unreported=counted * (tokens_in + REPLY),
    )


def of_run(run: Run) -> Estimate:
    """Return the estimate for a run as it was configured."""
    return estimate(run.config.method, run.config.inputs, run.config.models, run.config.edition)


def role_of(prompt: str) -> str:
    """Return the role a prompt is asked of."""
    return ASKED_OF.get(prompt, "main")


def worded(guess: Estimate) -> str:
    """Say what an estimate comes to, and how far it is a bound."""
    dollars = f"about ${guess.cost:,.2f}" if guess.cost is not None else UNKNOWN_PRICE
    return f"{_calls(guess)}, about {guess.tokens:,} tokens, {dollars}. {again()}"


def again(reply: int = REPLY) -> str:
    """Say what no estimate holds: answers that have to be asked for again."""
    return (
        "What has to be asked again comes on top: an answer that cannot be used or is cut off, up"
        f" to {most_calls(reply)} calls for one, and one lost with the connection."
    )


def paused(guess: Estimate, cap_tokens: int | None, cap_usd: float | None = None) -> str:
    """Say whether a cap would pause a run that takes what is estimated; empty where none would."""
    if cap_tokens and guess.tokens > cap_tokens:
        return (
            f"This is more than the cap of {cap_tokens:,} tokens: the run will pause there and ask."
        )
    if cap_usd and guess.cost is not None and 0 < cap_usd < guess.cost:
        return f"This is more than the cap of ${cap_usd:,.2f}: the run will pause there and ask."
    if cap_tokens and guess.most_tokens and guess.most_tokens > cap_tokens:
        return (
            f"At most it would take some {guess.most_tokens:,} tokens: the run may pause at the cap"
            f" of {cap_tokens:,} and ask."
        )
    if cap_tokens and guess.unreported > cap_tokens:
        return (
            "With a server that does not report how many tokens a call took, some"
            f" {guess.unreported:,} count against the cap of {cap_tokens:,} tokens: the run may"
            " pause there and ask."
        )
    return ""


def _calls(guess: Estimate) -> str:
    noun = "model call" if guess.calls == 1 else "model calls"
    if guess.most is None:
        return (
            f"about {guess.calls:,} {noun}, with no upper bound: what turns out to be of no use is"
            " followed by more"
        )
    if guess.most <= guess.calls:
        return f"at most {guess.calls:,} {noun}"
    return f"usually {guess.calls:,} {noun}, at most {guess.most:,}"


def of_shortlist(
    asked: ShortlistInputs, models: Mapping[str, str], edition: int = EDITION
) -> Estimate:
    """Return the estimate for a shortlist: calls, tokens and cost of all its runs and of what it
    asks itself, if every idea goes on to the end; its steps are its runs and its own.
    """
    ideas = asked.branches * asked.ideas + len(asked.own)
    idea = Idea(form="hypothesis", fields={"hypothesis": "not written yet"})

    def made(method: str, inputs: Record, times: int) -> list[Estimate]:
        guess = estimate(method, inputs.model_dump(mode="json"), models, edition)
        return [added([guess.model_copy(update={"steps": 1})], times)] if times else []

    runs = made("chain", chain_inputs(asked), 1) if asked.branches else []
    for goal in asked.goals:
        runs += made("refine", refine_inputs(asked, idea, goal, ()), ideas)
    if asked.revise:
        runs += made("evolve", revision_inputs(asked, idea), ideas)
    runs += made("novelty", novelty_inputs(asked, idea), ideas)
    rules = (models.get("judge") or models.get("main")) == "builtin"
    forms = ideas if asked.goals or asked.revise else 0
    pairs = ideas * (ideas - 1) // 2
    if ideas > MOST_ROUND_ROBIN:
        pairs = swiss_rounds(ideas) * (ideas // 2)
    designs = asked.designs + len(asked.designs_for)
    usual = Counter({"experiment-design": designs, "design-review": designs})
    usual["design-refine"] = designs
    usual["select" if rules else "arena-ideas"] = 2 * (pairs + forms)
    most = Counter(usual)
    if not rules:
        usual["same-idea"] = ideas
        most["same-idea"] = ideas * (ideas - 1)
        usual["six-fields"] = most["six-fields"] = ideas
        if asked.checklist:
            usual["checklist-item"] = most["checklist-item"] = ideas * (len(ITEMS) - len(BY_CODE))
    own = _ask("shortlist", {}, models, +usual)
    bound = _ask("shortlist", {}, models, +most)
    # After each stage but the last a look at how near the ideas are, and a person's word.
    other = 2 * (len(STAGES) - 1) + 1 + 2 * bool(forms)
    own = own.model_copy(
        update={
            "steps": own.steps + other,
            "most": bound.calls,
            "most_tokens": bound.tokens,
        }
    )
    return added([*runs, own])


MADE_OF_PARTS: dict[str, Callable[[Mapping[str, object], Mapping[str, str], int], Estimate]] = {
    "sweep": lambda inputs, _, edition: of_matrix(SweepInputs.model_validate(inputs), edition),
    "checklist-experiment": lambda inputs, _, edition: of_checklist_experiment(
        ChecklistExperimentInputs.model_validate(inputs), edition
    ),
    "novelty-experiment": lambda inputs, _, edition: of_novelty_experiment(
        NoveltyExperimentInputs.model_validate(inputs), edition
    ),
    "shortlist": lambda inputs, models, edition: of_shortlist(
        ShortlistInputs.model_validate(inputs), models, edition
    ),
    "topic-experiment": lambda inputs, _, edition: of_topic_experiment(
        TopicExperimentInputs.model_validate(inputs), edition
    ),
    "bench": lambda inputs, _, __: of_benchmark(BenchInputs.model_validate(inputs)),
}
"""Methods that are estimated by the runs or cells they have made."""
