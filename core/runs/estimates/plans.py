"""How often each method asks each prompt: usually, and at most."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from core.judging.arena import ASKED as ASKED_IN_ARENA
from core.judging.arena import ArenaInputs
from core.judging.contests import contests
from core.judging.forms import ASKED as ASKED_FOR_FORMS
from core.judging.forms import FormInputs
from core.judging.ranked_sets import RankInputs
from core.methods import BaselineInputs, CandidateInputs, ChainInputs, RefineInputs
from core.methods.adversarial import goals_of
from core.methods.chain_of_ideas.growth import CANDIDATES
from core.methods.evolution import EvolveInputs
from core.methods.questioning import QuestionInputs
from core.methods.seed_dataset import SeedInputs
from core.methods.target_dataset import TargetInputs
from core.records import BY_CODE, EDITION, ITEMS, Kind, Play
from core.studies.model_seat import ASKED as ASKED_IN_SEATS
from core.studies.model_seat import SeatInputs

QUERIES, LOOKED_UP = 4, 2
"""How many searches start a run, and how many a look-up or a novelty check makes, usually."""
SEARCHES, SAMPLED = 5, 100
"""How many searches a question usually takes, and how many works come on one page of a sample."""
Asked = Counter[str]
"""How often each prompt is asked."""


def plan(method: str, inputs: Mapping[str, object], edition: int = EDITION) -> tuple[Asked, int]:
    """Return how often each prompt is asked, and how many steps there are beside the model's, where
    all goes as it usually does.
    """
    if method == "chain":
        asked, other = _chain(inputs, edition)
    else:
        asked, other = PLANS[method](inputs) if method in PLANS else (Counter(), 1)
    return positive(asked), other


def at_most(method: str, inputs: Mapping[str, object], edition: int = EDITION) -> Asked | None:
    """Return how often each prompt is asked at most, one that is asked again for the same answer
    counting once; None where there is no bound.
    """
    if method in UNBOUNDED:
        return None
    return (
        positive(_chain_at_most(inputs, edition))
        if method == "chain"
        else plan(method, inputs, edition)[0]
    )


def positive(asked: Asked) -> Asked:
    """Leave out what is not asked at all."""
    return Counter({prompt: n for prompt, n in asked.items() if n > 0})


def _rules(inputs: Mapping[str, object]) -> ChainInputs:
    # Inputs are frozen JSON, and an older version of the method had fewer of them: that one grew a
    # single branch and designed nothing.
    was = {"branches": 1, "design": False, "full_text": False} if "branches" not in inputs else {}
    return ChainInputs.model_validate({**inputs, **was})


def _retrieves(rules: ChainInputs, edition: int) -> bool:
    """Say whether papers are retrieved in place of a chain: in the first edition one without
    `chain` was grown, and shuffled.
    """
    return rules.length == 0 or ("chain" in rules.without and edition > 1)


def _chain(inputs: Mapping[str, object], edition: int) -> tuple[Asked, int]:
    rules = _rules(inputs)
    retrieved = _retrieves(rules, edition)
    k, length = (1, 5) if retrieved else (rules.branches, rules.length)
    wanted = 0 if retrieved else max(0, k - len(rules.anchors))
    ordered, hops, m = (
        not retrieved and not {"order", "chain"} & {*rules.without},
        0 if retrieved else length - 1,
        rules.ideas,
    )
    asked = Counter(
        {
            "queries": int(bool(retrieved or wanted)),
            "relevance": wanted + k * (hops - hops // 2),
            "choose-reference": k * (hops // 2),
            "extract": k * length,
            "trend": k * ordered,
            "entities": k * ("entities" not in rules.without),
            "future": k * ("future" not in rules.without),
            "draft": k * m,
            "idea": k * m,
            "novelty-queries": k * m,
            "novelty-verdict": k * m,
            "select": k * (k - 1) + k * m * (m - 1),
        }
    )
    search = QUERIES + 1 if retrieved or wanted else 0
    # On the way back a paper's own text is looked into where the source does not say how it cites.
    branch = (
        1
        + (0 if retrieved else 1 + 2 * hops + hops // 2 * rules.full_text)
        + length * rules.full_text
        + rules.confirm
        + LOOKED_UP
        + 1
    )
    return asked + _experiment(
        rules.design, rules.refinements
    ), search + k * branch + 1 + rules.design * rules.refinements * (LOOKED_UP + 1)


def _chain_at_most(inputs: Mapping[str, object], edition: int) -> Asked:
    """Bound a chain: every candidate is tried, every branch meets another and grows anew, every
    idea is known until the last round.
    """
    rules = _rules(inputs)
    retrieved, m, rounds = _retrieves(rules, edition), rules.ideas, rules.novelty_rounds
    usual, k = _chain(inputs, edition)[0], 1 if retrieved else rules.branches
    ideas = k * m * rounds
    # Directions are predicted once for all ideas of a branch, and anew for each that is sent back.
    future = (
        k * (rounds if m == 1 else 1 + m * (rounds - 1)) if "future" not in rules.without else 0
    )
    rest = {
        "future": future,
        **dict.fromkeys(("draft", "idea", "novelty-queries", "novelty-verdict"), ideas),
    }
    if retrieved:
        return usual | Counter(rest)
    left, growths = rules.length - 1, 2 * k - 1
    back = left // 2
    # What one side leaves over goes to the other. Each candidate on the way forward is judged and
    # read, whether or not it is taken.
    taken = max(CANDIDATES * left + back, CANDIDATES * (left - back) + left)
    unread = (
        k * rules.length
    )  # A paper that no model could read is read again where its branch grows anew.
    wanted = max(0, k - len(rules.anchors))
    return usual | Counter(
        {
            **rest,
            "relevance": CANDIDATES * (wanted + growths * left),
            "choose-reference": growths * left,
            "extract": growths * (1 + taken) + unread,
        }
    )


def _experiment(wanted: bool, refinements: int) -> Asked:
    return (
        Counter(
            {"experiment-design": 1, "design-review": refinements, "design-refine": refinements}
        )
        if wanted
        else Counter()
    )


def _refinement(inputs: Mapping[str, object]) -> tuple[Asked, int]:
    asked = RefineInputs.model_validate(inputs)
    lines, shared = (
        1 if asked.only else asked.lines,
        max((leg.upto for leg in asked.earlier), default=0),
    )
    first = Counter(
        {
            "first-idea": int(
                asked.idea is None and not asked.firsts and "generator" not in asked.at(1).people
            )
        }
    )
    legs = zip(asked.earlier, (0, *(leg.upto for leg in asked.earlier)), strict=False)
    held = (
        sum((_rounds(leg.play, leg.upto - since) for leg, since in legs), first)
        if shared
        else Asked()
    )
    paid = _rounds(asked.play, asked.play.most) + (Asked() if shared else first)
    ranked, ranked_before = _rankings(asked, shared)
    judged = {
        "checklist-item": (
            (len(ITEMS) - len(BY_CODE)) * (asked.play.most + (0 if shared else 1)) * asked.checklist
        )
    }
    calls = Counter({prompt: n * lines for prompt, n in (*paid.items(), *judged.items())}) + ranked
    return calls, held.total() + ranked_before + (2 * (shared + asked.play.most) + 2) * lines + 2


def _rankings(asked: RefineInputs, shared: int) -> tuple[Asked, int]:
    """Return what is asked to rank ideas with a target, and how many steps of it a branch has from
    its parent: none where it leaves other ideas behind.
    """
    if not asked.target:
        return Counter(), 0
    ideas = 1 if asked.only else asked.lines
    forms = [asked.target.form, *[asked.idea.form if asked.idea else "hypothesis"] * ideas]
    formed = sum(form != "six-field" for form in forms) if asked.same_form else 0
    known = shared + 1 if shared and asked.lines == 1 else 0
    ranked = (
        asked.repeats * (shared + 1 + asked.play.most - known) * len(goals_of(asked, shared + 1))
    )
    before = asked.repeats * sum(len(goals_of(asked, max(n, 1))) for n in range(known))
    return Counter({"rank": ranked, "six-fields": 0 if shared else formed}), before + formed * bool(
        shared
    )


def _rounds(play: Play, rounds: int) -> Asked:
    """Return what is asked over so many rounds, by prompt; what a person does is not asked of a
    model.
    """
    others = (
        len(play.goals) - 1 if play.variant not in ("no-discriminator", "self-reflection") else 0
    )
    return Counter({**_actors(play, rounds), "side-effect": rounds * others})


def _actors(play: Play, rounds: int) -> dict[str, int]:
    if play.variant == "self-reflection":
        return {"self-review": int(rounds > 0), "revise": rounds, "reflect": rounds}
    plays = {
        "revise": "generator" not in play.people,
        "review": "optimizer" not in play.people and play.variant != "no-optimizer",
        "verdict": "discriminator" not in play.people and play.variant != "no-discriminator",
    }
    asked = {prompt: rounds * plays[prompt] for prompt in plays}
    return asked | ({"review": 2 * rounds + 1} if play.printed else {})


def _retrieval(inputs: Mapping[str, object]) -> tuple[Asked, int]:
    return (
        Counter({"queries": 1, "retrieved-idea": 1})
        + _experiment(BaselineInputs.model_validate(inputs).design, 0),
        QUERIES + 1,
    )


def _direct(inputs: Mapping[str, object]) -> tuple[Asked, int]:
    return (
        Counter({"direct-idea": 1}) + _experiment(BaselineInputs.model_validate(inputs).design, 0),
        0,
    )


def _candidates(inputs: Mapping[str, object]) -> tuple[Asked, int]:
    return Counter({"relevance": CandidateInputs.model_validate(inputs).judged}), 2


def _ranked(inputs: Mapping[str, object]) -> tuple[Asked, int]:
    asked = RankInputs.model_validate(inputs)
    texts = {idea.digest(): idea.form for one in asked.sets for idea in one.whole.values()}
    formed = sum(form != "six-field" for form in texts.values()) if asked.same_form else 0
    standings = len(asked.sets) * len(asked.goals)
    if asked.judged_by == "person":
        return Counter(), standings
    return Counter({"rank": asked.repeats * standings, "six-fields": formed}), standings * (
        asked.judged_by == "both"
    )


def _arena(inputs: Mapping[str, object]) -> tuple[Asked, int]:
    asked = ArenaInputs.model_validate(inputs)
    if asked.people_only:
        return Counter(), 0
    met = contests((one.topic, one.method) for one in asked.entries)
    return (
        Counter({ASKED_IN_ARENA[asked.kind][0]: 2 * asked.repeats * len(met)})
        + (_forms(asked.kind, [one.sha for one in asked.entries], asked.same_form)),
        0,
    )


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
        return (
            Counter(
                {
                    "question": int(not inputs.get("question")),
                    "literature-review": int(bool(papers)),
                }
            ),
            0,
        )
    works = SeedInputs.model_validate(inputs).works if "works" in inputs else 1
    asked = {
        "question": 0 if inputs.get("question") else works,
        "keywords": works,
        "literature-review": works,
    }
    return Counter(asked), works * SEARCHES + (-(-works // SAMPLED) if "works" in inputs else 0)


def _targets(inputs: Mapping[str, object]) -> tuple[Asked, int]:
    wanted = TargetInputs.model_validate(inputs).criteria
    targets = wanted.each * len(wanted.categories)
    return Counter({"six-fields": targets, "target-topic": targets}), targets + sum(
        1 + bool(one.venues) for one in wanted.categories
    )


def _evolution(inputs: Mapping[str, object]) -> tuple[Asked, int]:
    asked = EvolveInputs.model_validate(inputs)
    by_person = asked.judged_by == "person"
    items = len(ITEMS) - (len(BY_CODE) if asked.decided == "code" else 0)
    first = (
        0
        if asked.firsts
        else len(ITEMS) - len(BY_CODE)
        if asked.idea and asked.idea.form != "headed"
        else items
    )
    judged, revised = (
        asked.lines * (first + items * (asked.steps - 1)),
        asked.lines * (asked.steps - 1),
    )
    calls = Counter(
        {
            "evolve-idea": 0 if asked.idea or asked.firsts else asked.lines,
            "evolve-revise" if asked.informed else "evolve-alone": revised,
            "checklist-item": 0 if by_person or (asked.apart and not asked.informed) else judged,
            "checklist-score": judged if asked.apart else 0,
        }
    )
    looked = asked.papers and not asked.review
    sittings = asked.lines * asked.steps * by_person
    begun = {
        "question": int(not asked.question),
        "keywords": int(looked),
        "literature-review": int(looked),
    }
    return (
        calls + Counter(begun),
        SEARCHES * looked + revised * asked.informed * (1 + asked.step_in) + sittings,
    )


PLANS: dict[str, Callable[[Mapping[str, Any]], tuple[Asked, int]]] = {
    "refine": _refinement,
    "rag": _retrieval,
    "direct": _direct,
    "candidates": _candidates,
    "rank": _ranked,
    "arena": _arena,
    "seat": _seat,
    "forms": _reformed,
    "evolve": _evolution,
    "real-paper": lambda inputs: (Counter({"report": 1}), 1 + bool(inputs.get("full_text"))),
    "find": lambda _: (Counter(), 2),
    "question": _questions,
    "seed-dataset": _questions,
    "target-dataset": _targets,
}
UNBOUNDED = ("target-dataset",)
"""Methods that go on with another paper where one is of no use, as long as there are any."""
