"""What a run may take before it starts: calls, steps, tokens, dollars. A guess for planning, said to be one; the cap is what holds."""
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from core.methods import BaselineInputs, CandidateInputs, ChainInputs, RefineInputs
from core.methods.adversarial import goals_of
from core.models.prices import price
from core.records import Play, Record, Run

TOKENS: dict[str, tuple[int, int]] = {"main": (2_500, 600), "cheap": (1_500, 500), "selector": (1_500, 250)}
"""Typical tokens in and out of a call by role: abstracts in, a few paragraphs out."""
FULL_TEXT = 5_000
"""Tokens in on top for a paper that is read whole: a typical excerpt."""
ASKED_OF: dict[str, str] = {
    "extract": "cheap", "novelty-verdict": "cheap", "select": "selector", "first-idea": "generator", "revise": "generator", "self-review": "generator",
    "reflect": "generator", "review": "optimizer", "verdict": "discriminator", "side-effect": "discriminator", "rank": "judge", "six-fields": "judge",
}
"""The role a prompt is asked of, where that is not the main one."""
QUERIES, LOOKED_UP = 4, 2
"""How many searches start a run, and how many a look-up or a novelty check makes, usually."""
Asked = Counter[str]
"""How often each prompt is asked."""


class Estimate(Record):
    """`cost` is None where a price is unknown; `steps` counts everything the journal will record."""

    calls: int
    steps: int
    tokens: int
    cost: float | None


def estimate(method: str, inputs: Mapping[str, object], models: Mapping[str, str]) -> Estimate:
    """Return what the run will usually need at most: full chains and one novelty round, or every round of a refinement."""
    asked, other = plan(method, inputs)
    tokens, cost = 0, 0.0
    known = True
    for prompt, n in asked.items():
        model, sizes = models.get(role_of(prompt)) or models["main"], _tokens(prompt, inputs)  # Older runs had fewer roles.
        spent = price(model, *sizes)
        known, cost = known and spent is not None, cost + n * (spent or 0.0)
        tokens += 0 if model == "builtin" else n * sum(sizes)
    return Estimate(calls=asked.total(), steps=asked.total() + other, tokens=tokens, cost=cost if known else None)


def of_run(run: Run) -> Estimate:
    """Return the estimate for a run as it was configured."""
    return estimate(run.config.method, run.config.inputs, run.config.models)


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
    retrieved = rules.length == 0
    k, length = (1, 5) if retrieved else (rules.branches, rules.length)
    wanted = 0 if retrieved else max(0, k - len(rules.anchors))
    ordered, hops = not retrieved and "chain" not in rules.without, 0 if retrieved else length - 1
    asked = Counter({
        "queries": int(bool(retrieved or wanted)), "relevance": wanted + k * (hops - hops // 2), "choose-reference": k * (hops // 2),
        "extract": k * length, "trend": k * ordered, "entities": k * ("entities" not in rules.without),
        "future": k * ("future" not in rules.without), "draft": k, "idea": k, "novelty-queries": k, "novelty-verdict": k, "select": k * (k - 1),
    })
    search = QUERIES + 1 if retrieved or wanted else 0
    branch = 1 + (0 if retrieved else 1 + 2 * hops) + length * rules.full_text + rules.confirm + LOOKED_UP + 1
    return asked + _experiment(rules.design, rules.refinements), search + k * branch + 1 + rules.design * rules.refinements * (LOOKED_UP + 1)


def _experiment(wanted: bool, refinements: int) -> Asked:
    return Counter({"experiment-design": 1, "design-review": refinements, "design-refine": refinements}) if wanted else Counter()


def _refinement(inputs: Mapping[str, object]) -> tuple[Asked, int]:
    asked = RefineInputs.model_validate(inputs)
    lines, shared = 1 if asked.only else asked.lines, max((leg.upto for leg in asked.earlier), default=0)
    first = Counter({"first-idea": int(asked.idea is None and "generator" not in asked.at(1).people)})
    legs = zip(asked.earlier, (0, *(leg.upto for leg in asked.earlier)), strict=False)
    held = sum((_rounds(leg.play, leg.upto - since) for leg, since in legs), first) if shared else Asked()
    paid = _rounds(asked.play, asked.play.most) + (Asked() if shared else first)
    ranked, ranked_before = _rankings(asked, shared)
    calls = Counter({prompt: n * lines for prompt, n in paid.items()}) + ranked
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


PLANS: dict[str, Callable[[Mapping[str, Any]], tuple[Asked, int]]] = {
    "chain": _chain, "refine": _refinement, "rag": _retrieval, "direct": _direct, "candidates": _candidates,
    "real-paper": lambda inputs: (Counter({"report": 1}), 1 + bool(inputs.get("full_text"))), "find": lambda _: (Counter(), 2),
}
