"""What a run may take before it starts: calls, steps, tokens, dollars. A guess for planning, said to be one; the cap is what holds."""
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from core.benchmark import BenchInputs
from core.benchmark.expected import expected
from core.catalogue import METHODS, PANEL
from core.experiments.cells import Group, SweepInputs, models_of, tasks
from core.experiments.contenders import REFINING, Task, unknown, unknown_start, versions
from core.experiments.shared import Shared, in_order, shared_by, task_of
from core.judging.arena import ASKED as ASKED_IN_ARENA
from core.judging.arena import ArenaInputs
from core.judging.contests import contests
from core.judging.forms import ASKED as ASKED_FOR_FORMS
from core.judging.forms import FormInputs
from core.judging.ranked_sets import RankInputs
from core.methods import BaselineInputs, CandidateInputs, ChainInputs, RefineInputs
from core.methods.adversarial import goals_of
from core.methods.evolution import EvolveInputs
from core.methods.questioning import QuestionInputs
from core.methods.seed_dataset import SeedInputs
from core.methods.target_dataset import TargetInputs
from core.models.prices import price
from core.records import BY_CODE, EDITION, ITEMS, Kind, Play, Record, Run, Sampling
from core.studies.model_seat import ASKED as ASKED_IN_SEATS
from core.studies.model_seat import SeatInputs

TOKENS: dict[str, tuple[int, int]] = {"main": (2_500, 600), "cheap": (1_500, 500), "selector": (1_500, 250)}
"""Typical tokens in and out of a call by role: abstracts in, a few paragraphs out."""
FULL_TEXT = 5_000
"""Tokens in on top for a paper that is read whole: a typical excerpt."""
ASKED_OF: dict[str, str] = {
    "extract": "cheap", "novelty-verdict": "novelty", "select": "selector", "first-idea": "generator", "revise": "generator", "self-review": "generator",
    "reflect": "generator", "review": "optimizer", "verdict": "discriminator", "side-effect": "discriminator", "rank": "judge", "six-fields": "judge",
    "evolve-idea": "generator", "evolve-revise": "generator", "evolve-alone": "generator", "checklist-item": "judge", "checklist-score": "scorer",
    "arena-ideas": "judge", "arena-designs": "judge", "common-design": "judge", **dict.fromkeys(ASKED_IN_SEATS.values(), "judge"),
}
"""The role a prompt is asked of, where that is not the main one; `checklist-score` is the checklist item as the scoring judge is asked it."""
QUERIES, LOOKED_UP = 4, 2
"""How many searches start a run, and how many a look-up or a novelty check makes, usually."""
SEARCHES, SAMPLED = 5, 100
"""How many searches a question usually takes, and how many works come on one page of a sample."""
Asked = Counter[str]
"""How often each prompt is asked."""


class Estimate(Record):
    """`cost` is None where a price is unknown; `steps` counts everything the journal will record."""

    calls: int
    steps: int
    tokens: int
    cost: float | None


def estimate(method: str, inputs: Mapping[str, object], models: Mapping[str, str], edition: int = EDITION) -> Estimate:
    """Return what the run will usually need at most: full chains and one novelty round, or every round of a refinement."""
    if method == "sweep":
        return of_matrix(SweepInputs.model_validate(inputs), edition)
    if method == "bench":
        return of_benchmark(BenchInputs.model_validate(inputs))
    asked, other = plan(method, inputs)
    calls, tokens, cost, known = 0, 0, 0.0, True
    for prompt, n in asked.items():
        sizes = _tokens(prompt, inputs)
        for model in _answering(method, prompt, models):
            spent = price(model, *sizes)
            known, cost, calls = known and spent is not None, cost + n * (spent or 0.0), calls + n
            tokens += 0 if model == "builtin" else n * sum(sizes)
    return Estimate(calls=calls, steps=calls + other, tokens=tokens, cost=cost if known else None)


def _answering(method: str, prompt: str, models: Mapping[str, str]) -> list[str]:
    """Return the models a prompt is asked of: every judge of a panel, which has its texts brought into the common form only once."""
    role = role_of(prompt)
    if role == "judge" and prompt not in ASKED_FOR_FORMS.values() and method in METHODS and METHODS[method].panel:
        return [name for other, name in sorted(models.items()) if other == role or PANEL.fullmatch(other)] or [models["main"]]
    return [models.get(role) or models.get("main", "")]  # Older runs had fewer roles.


def of_matrix(asked: SweepInputs, edition: int = EDITION) -> Estimate:
    """Return the estimate for an experiment: calls, tokens and cost of all its runs, which are its steps; what several cells begin with counts once."""
    first = asked.model_copy(update={"targets": asked.targets[:1]})
    found = [part for one in in_order(first, edition)
             for part in ([_of_shared(asked, one, edition)] if isinstance(one, Shared) else _of_group(asked, one, edition))]
    times, costs = len(asked.targets), [part.cost for part in found]
    return Estimate(calls=times * sum(part.calls for part in found), steps=times * len(found), tokens=times * sum(part.tokens for part in found),
                    cost=None if None in costs else times * sum(cost for cost in costs if cost is not None))


def of_benchmark(asked: BenchInputs) -> Estimate:
    """Return the estimate for a benchmark; its answers stand in cells of its own, which are its steps here."""
    found = expected(asked, Sampling())
    return Estimate(calls=found.calls, steps=found.calls, tokens=found.tokens, cost=found.cost)


def planned(asked: SweepInputs, one: Group | Shared, edition: int) -> tuple[tuple[Task, dict[str, str]], ...]:
    """Return the runs in which a group's ideas, or what several begin with, are written, each with its models, as far as they are known beforehand."""
    target = unknown(one.target)
    if isinstance(one, Shared):
        todo: tuple[Task, ...] = (task_of(asked, one, target, edition, unknown_start(one.target, asked.n).given),)
    else:
        todo = tasks(asked, one, target, edition, unknown_start(one.target, asked.n) if shared_by(asked, one, edition) else None)
    return tuple((task, models_of(asked, task, one.by if isinstance(one, Shared) else one.model)) for task in todo)


def _of_shared(asked: SweepInputs, one: Shared, edition: int) -> Estimate:
    if one.what == "common form":
        return _judged(one.by, "six-fields", asked.n)
    (task, models), = planned(asked, one, edition)
    return estimate(task.method, task.inputs.model_dump(mode="json"), models)


def _of_group(asked: SweepInputs, group: Group, edition: int) -> list[Estimate]:
    writing = [estimate(task.method, task.inputs.model_dump(mode="json"), models) for task, models in planned(asked, group, edition)]
    several = versions(group.method, asked.rules) if asked.every_round else 1
    # Only revisions have the six fields from the beginning.
    other = 0 if group.method in REFINING and group.method != "initial" and several == 1 else 1 if group.method in REFINING else several
    other -= any(one.what == "common form" for one in shared_by(asked, group, edition)) and other > 0
    forms = [_judged(asked.judges[0], "six-fields", asked.n * other)] if asked.judges and asked.same_form and other else []
    sets = 1 + (several if several > 1 else 0)
    return writing + forms + [_judged(judge, "rank", asked.repeats * sets) for judge in asked.judges for _ in group.goals]


def _judged(judge: str, prompt: str, n: int) -> Estimate:
    sizes = _tokens(prompt, {})
    spent = price(judge, *sizes)
    return Estimate(calls=n, steps=n, tokens=n * sum(sizes), cost=None if spent is None else n * spent)


def of_run(run: Run) -> Estimate:
    """Return the estimate for a run as it was configured."""
    return estimate(run.config.method, run.config.inputs, run.config.models, run.config.edition)


def role_of(prompt: str) -> str:
    """Return the role a prompt is asked of."""
    return ASKED_OF.get(prompt, "main")


def plan(method: str, inputs: Mapping[str, object]) -> tuple[Asked, int]:
    """Return how often each prompt is asked, and how many steps there are beside the model's."""
    asked, other = PLANS[method](inputs) if method in PLANS else (Counter(), 1)
    return Counter({prompt: n for prompt, n in asked.items() if n > 0}), other


def _tokens(prompt: str, inputs: Mapping[str, object]) -> tuple[int, int]:
    taken, given = TOKENS.get(role_of(prompt), TOKENS["main"])
    return taken + (FULL_TEXT if prompt in ("extract", "report") and inputs.get("full_text") else 0), given


def _chain(inputs: Mapping[str, object]) -> tuple[Asked, int]:
    # Inputs are frozen JSON, and an older version of the method had fewer of them: that one grew a single branch and designed nothing.
    was = {"branches": 1, "design": False, "full_text": False} if "branches" not in inputs else {}
    rules = ChainInputs.model_validate({**inputs, **was})
    retrieved = rules.length == 0 or "chain" in rules.without
    k, length = (1, 5) if retrieved else (rules.branches, rules.length)
    wanted = 0 if retrieved else max(0, k - len(rules.anchors))
    ordered, hops, m = not retrieved and "order" not in rules.without, 0 if retrieved else length - 1, rules.ideas
    asked = Counter({
        "queries": int(bool(retrieved or wanted)), "relevance": wanted + k * (hops - hops // 2), "choose-reference": k * (hops // 2),
        "extract": k * length, "trend": k * ordered, "entities": k * ("entities" not in rules.without),
        "future": k * ("future" not in rules.without), "draft": k * m, "idea": k * m, "novelty-queries": k * m, "novelty-verdict": k * m,
        "select": k * (k - 1) + k * m * (m - 1),
    })
    search = QUERIES + 1 if retrieved or wanted else 0
    # On the way back a paper's own text is looked into where the source does not say how it cites.
    branch = 1 + (0 if retrieved else 1 + 2 * hops + hops // 2 * rules.full_text) + length * rules.full_text + rules.confirm + LOOKED_UP + 1
    return asked + _experiment(rules.design, rules.refinements), search + k * branch + 1 + rules.design * rules.refinements * (LOOKED_UP + 1)


def _experiment(wanted: bool, refinements: int) -> Asked:
    return Counter({"experiment-design": 1, "design-review": refinements, "design-refine": refinements}) if wanted else Counter()


def _refinement(inputs: Mapping[str, object]) -> tuple[Asked, int]:
    asked = RefineInputs.model_validate(inputs)
    lines, shared = 1 if asked.only else asked.lines, max((leg.upto for leg in asked.earlier), default=0)
    first = Counter({"first-idea": int(asked.idea is None and not asked.firsts and "generator" not in asked.at(1).people)})
    legs = zip(asked.earlier, (0, *(leg.upto for leg in asked.earlier)), strict=False)
    held = sum((_rounds(leg.play, leg.upto - since) for leg, since in legs), first) if shared else Asked()
    paid = _rounds(asked.play, asked.play.most) + (Asked() if shared else first)
    ranked, ranked_before = _rankings(asked, shared)
    judged = {"checklist-item": (len(ITEMS) - len(BY_CODE)) * (asked.play.most + (0 if shared else 1)) * asked.checklist}
    calls = Counter({prompt: n * lines for prompt, n in (*paid.items(), *judged.items())}) + ranked
    return calls, held.total() + ranked_before + (2 * (shared + asked.play.most) + 2) * lines + 2


def _rankings(asked: RefineInputs, shared: int) -> tuple[Asked, int]:
    """Return what is asked to rank ideas with a target, and how many steps of it a branch has from its parent: none where it leaves other ideas behind."""
    if not asked.target:
        return Counter(), 0
    ideas = 1 if asked.only else asked.lines
    forms = [asked.target.form, *[asked.idea.form if asked.idea else "hypothesis"] * ideas]
    formed = sum(form != "six-field" for form in forms) if asked.same_form else 0
    known = shared + 1 if shared and asked.lines == 1 else 0
    ranked = asked.repeats * (shared + 1 + asked.play.most - known) * len(goals_of(asked, shared + 1))
    before = asked.repeats * sum(len(goals_of(asked, max(n, 1))) for n in range(known))
    return Counter({"rank": ranked, "six-fields": 0 if shared else formed}), before + formed * bool(shared)


def _rounds(play: Play, rounds: int) -> Asked:
    """Return what is asked over so many rounds, by prompt; what a person does is not asked of a model."""
    others = len(play.goals) - 1 if play.variant not in ("no-discriminator", "self-reflection") else 0
    return Counter({**_actors(play, rounds), "side-effect": rounds * others})


def _actors(play: Play, rounds: int) -> dict[str, int]:
    if play.variant == "self-reflection":
        return {"self-review": int(rounds > 0), "revise": rounds, "reflect": rounds}
    plays = {"revise": "generator" not in play.people,
             "review": "optimizer" not in play.people and play.variant != "no-optimizer",
             "verdict": "discriminator" not in play.people and play.variant != "no-discriminator"}
    asked = {prompt: rounds * plays[prompt] for prompt in plays}
    return asked | ({"review": 2 * rounds + 1} if play.printed else {})


def _retrieval(inputs: Mapping[str, object]) -> tuple[Asked, int]:
    return Counter({"queries": 1, "retrieved-idea": 1}) + _experiment(BaselineInputs.model_validate(inputs).design, 0), QUERIES + 1


def _direct(inputs: Mapping[str, object]) -> tuple[Asked, int]:
    return Counter({"direct-idea": 1}) + _experiment(BaselineInputs.model_validate(inputs).design, 0), 0


def _candidates(inputs: Mapping[str, object]) -> tuple[Asked, int]:
    return Counter({"relevance": CandidateInputs.model_validate(inputs).judged}), 2


def _ranked(inputs: Mapping[str, object]) -> tuple[Asked, int]:
    asked = RankInputs.model_validate(inputs)
    texts = {idea.digest(): idea.form for one in asked.sets for idea in one.whole.values()}
    formed = sum(form != "six-field" for form in texts.values()) if asked.same_form else 0
    standings = len(asked.sets) * len(asked.goals)
    if asked.judged_by == "person":
        return Counter(), standings
    return Counter({"rank": asked.repeats * standings, "six-fields": formed}), standings * (asked.judged_by == "both")


def _arena(inputs: Mapping[str, object]) -> tuple[Asked, int]:
    asked = ArenaInputs.model_validate(inputs)
    if asked.people_only:
        return Counter(), 0
    met = contests((one.topic, one.method) for one in asked.entries)
    return Counter({ASKED_IN_ARENA[asked.kind][0]: 2 * asked.repeats * len(met)}) + (_forms(asked.kind, [one.sha for one in asked.entries], asked.same_form)), 0


def _forms(kind: Kind, shas: Sequence[str], wanted: bool = True) -> Asked:
    # At most: which texts are in the common form already is not known from their hashes.
    return Counter({ASKED_FOR_FORMS[kind]: len(set(shas))}) if wanted else Counter()


def _reformed(inputs: Mapping[str, object]) -> tuple[Asked, int]:
    asked = FormInputs.model_validate(inputs)
    return _forms(asked.kind, asked.shas), 0


def _seat(inputs: Mapping[str, object]) -> tuple[Asked, int]:
    asked = SeatInputs.model_validate(inputs)
    return Counter({ASKED_IN_SEATS[asked.task]: asked.answers}), 0


def _questions(inputs: Mapping[str, object]) -> tuple[Asked, int]:
    papers = None if "works" in inputs else QuestionInputs.model_validate(inputs).papers
    if papers is not None:
        return Counter({"question": int(not inputs.get("question")), "literature-review": int(bool(papers))}), 0
    works = SeedInputs.model_validate(inputs).works if "works" in inputs else 1
    asked = {"question": 0 if inputs.get("question") else works, "keywords": works, "literature-review": works}
    return Counter(asked), works * SEARCHES + (-(-works // SAMPLED) if "works" in inputs else 0)


def _targets(inputs: Mapping[str, object]) -> tuple[Asked, int]:
    wanted = TargetInputs.model_validate(inputs).criteria
    targets = wanted.each * len(wanted.categories)
    return Counter({"six-fields": targets, "target-topic": targets}), targets + sum(1 + bool(one.venues) for one in wanted.categories)


def _evolution(inputs: Mapping[str, object]) -> tuple[Asked, int]:
    asked = EvolveInputs.model_validate(inputs)
    by_person = asked.judged_by == "person"
    items = len(ITEMS) - (len(BY_CODE) if asked.decided == "code" else 0)
    first = 0 if asked.firsts else len(ITEMS) - len(BY_CODE) if asked.idea and asked.idea.form != "headed" else items
    judged, revised = asked.lines * (first + items * (asked.steps - 1)), asked.lines * (asked.steps - 1)
    calls = Counter({"evolve-idea": 0 if asked.idea or asked.firsts else asked.lines, "evolve-revise" if asked.informed else "evolve-alone": revised,
                     "checklist-item": 0 if by_person or (asked.apart and not asked.informed) else judged, "checklist-score": judged if asked.apart else 0})
    looked = asked.papers and not asked.review
    sittings = asked.lines * asked.steps * by_person
    begun = {"question": int(not asked.question), "keywords": int(looked), "literature-review": int(looked)}
    return calls + Counter(begun), SEARCHES * looked + revised * asked.informed * (1 + asked.step_in) + sittings


PLANS: dict[str, Callable[[Mapping[str, Any]], tuple[Asked, int]]] = {
    "chain": _chain, "refine": _refinement, "rag": _retrieval, "direct": _direct, "candidates": _candidates, "rank": _ranked,
    "arena": _arena, "seat": _seat, "forms": _reformed, "evolve": _evolution,
    "real-paper": lambda inputs: (Counter({"report": 1}), 1 + bool(inputs.get("full_text"))), "find": lambda _: (Counter(), 2),
    "question": _questions, "seed-dataset": _questions, "target-dataset": _targets,
}
