"""How often each method asks each prompt, usually and at most, and how many steps there are beside
the model's: for the method's entry in the catalogue.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from core.judging.arena.competition import ASKED as ASKED_IN_ARENA
from core.judging.arena.competition import ArenaInputs
from core.judging.arena.contests import count_contests
from core.judging.forms import ASKED as ASKED_FOR_FORMS
from core.judging.forms import FormInputs
from core.judging.ranked_sets import RankInputs
from core.methods import (
    BaselineInputs,
    CandidateInputs,
    ChainInputs,
    NoveltyInputs,
    RefineInputs,
)
from core.methods.adversarial import goals_of
from core.methods.chain_of_ideas.growth import CANDIDATES
from core.methods.drafts import DraftsInputs
from core.methods.evolution import EvolveInputs
from core.methods.questioning import QuestionInputs
from core.methods.real_papers import RealPapersInputs
from core.methods.seed_dataset import SeedInputs
from core.methods.target_dataset import TargetInputs
from core.records import BY_CODE, ITEMS, Kind, Play
from core.studies.model_seat import ASKED as ASKED_IN_SEATS
from core.studies.model_seat import SeatInputs
from core.training.method import TrainInputs

QUERIES, LOOKED_UP = 4, 2
"""How many searches start a run, and how many a look-up or a novelty check makes, usually."""
CLAIMS = 4
"""How many claims an idea is usually taken apart into."""
SEARCHES, SAMPLED = 5, 100
"""How many searches a question usually takes, and how many works come on one page of a sample."""
Asked = Counter[str]
"""How often each prompt is asked."""
Given = Mapping[str, Any]
"""What a run was asked for, as it is stored: of an older version of its method too."""


def _rules(inputs: Given) -> ChainInputs:
    # Inputs are frozen JSON, and an older version of the method had fewer of them: that one grew a
    # single branch and designed nothing.
    was = {"branches": 1, "design": False, "full_text": False} if "branches" not in inputs else {}
    return ChainInputs.model_validate({**inputs, **was})


def _retrieves(rules: ChainInputs, edition: int) -> bool:
    """Say whether papers are retrieved instead of a chain (edition 1 shuffled a chain)."""
    return rules.length == 0 or ("chain" in rules.without and edition > 1)


def of_chain(inputs: Given, edition: int) -> tuple[Asked, int]:
    rules = _rules(inputs)
    retrieved = _retrieves(rules, edition)
    k, length = (1, 5) if retrieved else (rules.branches, rules.length)
    wanted = 0 if retrieved else max(0, k - len(rules.anchors))
    ordered = not retrieved and not {"order", "chain"} & {*rules.without}
    hops, m = 0 if retrieved else length - 1, rules.ideas
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
    growing = 0 if retrieved else 1 + 2 * hops + hops // 2 * rules.full_text
    branch = growing + length * rules.full_text + rules.confirm + LOOKED_UP + 2
    experiment = rules.design * rules.refinements * (LOOKED_UP + 1)
    calls = asked + _experiment(rules.design, rules.refinements)
    return calls, search + k * branch + 1 + experiment


def chain_at_most(inputs: Given, edition: int) -> Asked:
    """Bound a chain: every candidate is tried, every branch meets another and grows anew, every
    idea is known until the last round.
    """
    rules = _rules(inputs)
    retrieved, m, rounds = _retrieves(rules, edition), rules.ideas, rules.novelty_rounds
    usual, k = of_chain(inputs, edition)[0], 1 if retrieved else rules.branches
    ideas = k * m * rounds
    # Directions are predicted once for all ideas of a branch, and anew for each that is sent back.
    predictions = k * (rounds if m == 1 else 1 + m * (rounds - 1))
    rest = {
        "future": predictions if "future" not in rules.without else 0,
        **dict.fromkeys(("draft", "idea", "novelty-queries", "novelty-verdict"), ideas),
    }
    if retrieved:
        return usual | Counter(rest)
    left, growths = rules.length - 1, 2 * k - 1
    back = left // 2
    # What one side leaves over goes to the other. Each candidate on the way forward is judged and
    # read, whether or not it is taken.
    taken = max(CANDIDATES * left + back, CANDIDATES * (left - back) + left)
    # A paper that no model could read is read again where its branch grows anew.
    unread = k * rules.length
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
    if not wanted:
        return Counter()
    refined = {"design-review": refinements, "design-refine": refinements}
    return Counter({"experiment-design": 1, **refined})


def of_refinement(inputs: Given, _: int) -> tuple[Asked, int]:
    asked = RefineInputs.model_validate(inputs)
    lines = 1 if asked.only else asked.lines
    shared = max((leg.upto for leg in asked.earlier), default=0)
    by_person = "generator" in asked.at(1).people
    written = not (asked.idea or asked.firsts or by_person)
    first = Counter({"first-idea": int(written)})
    paid = _rounds(asked.play, asked.play.most)
    taken_over = 0
    if shared:
        since, before = 0, first
        for leg in asked.earlier:
            before = before + _rounds(leg.play, leg.upto - since)
            since = leg.upto
        taken_over = before.total()
    else:
        paid += first
    ranked, ranked_before = _rankings(asked, shared)
    judged = asked.play.most + (0 if shared else 1)
    items = (len(ITEMS) - len(BY_CODE)) * judged * asked.checklist
    calls = Counter({prompt: n * lines for prompt, n in paid.items()})
    calls["checklist-item"] = items * lines
    steps = taken_over + ranked_before + (2 * (shared + asked.play.most) + 2) * lines + 2
    return calls + ranked, steps


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
    rounds = shared + 1 + asked.play.most - known
    goals = len(goals_of(asked, shared + 1))
    ranked = asked.repeats * rounds * goals
    played = [goals_of(asked, max(n, 1)) for n in range(known)]
    before = asked.repeats * sum(map(len, played))
    if shared:
        return Counter({"rank": ranked}), before + formed
    return Counter({"rank": ranked, "six-fields": formed}), before


def _rounds(play: Play, rounds: int) -> Asked:
    """Return what is asked over so many rounds, by prompt; what a person does is not asked of a
    model.
    """
    if play.variant == "self-reflection":
        return Counter({"self-review": int(rounds > 0), "revise": rounds, "reflect": rounds})
    compared = play.variant != "no-discriminator"
    by_model = {
        "revise": "generator" not in play.people,
        "review": "optimizer" not in play.people and play.variant != "no-optimizer",
        "verdict": "discriminator" not in play.people and compared,
    }
    asked = Counter({prompt: rounds * asks for prompt, asks in by_model.items()})
    asked["side-effect"] = rounds * (len(play.goals) - 1) * compared
    if play.printed:
        asked["review"] = 2 * rounds + 1
    return asked


def of_retrieval(inputs: Given, _: int) -> tuple[Asked, int]:
    experiment = _experiment(BaselineInputs.model_validate(inputs).design, 0)
    return Counter({"queries": 1, "retrieved-idea": 1}) + experiment, QUERIES + 1


def of_direct(inputs: Given, _: int) -> tuple[Asked, int]:
    experiment = _experiment(BaselineInputs.model_validate(inputs).design, 0)
    return Counter({"direct-idea": 1}) + experiment, 0


def of_candidates(inputs: Given, _: int) -> tuple[Asked, int]:
    return Counter({"relevance": CandidateInputs.model_validate(inputs).judged}), 2


def of_ranking(inputs: Given, _: int) -> tuple[Asked, int]:
    asked = RankInputs.model_validate(inputs)
    texts: dict[str, str] = {}
    for ranked in asked.sets:
        texts |= {idea.digest(): idea.form for idea in ranked.whole.values()}
    other = [form for form in texts.values() if form != "six-field"]
    formed = len(other) if asked.same_form else 0
    standings = len(asked.sets) * len(asked.goals)
    by_person = 0 if asked.judged_by == "models" else standings
    if asked.judged_by == "person":
        return Counter(), by_person
    return Counter({"rank": asked.repeats * standings, "six-fields": formed}), by_person


def of_arena(inputs: Given, _: int) -> tuple[Asked, int]:
    asked = ArenaInputs.model_validate(inputs)
    if asked.people_only:
        return Counter(), 0
    met = count_contests((one.topic, one.method) for one in asked.entries)
    calls = Counter({ASKED_IN_ARENA[asked.kind][0]: 2 * asked.repeats * met})
    if asked.same_form:
        calls += _forms(asked.kind, [one.sha for one in asked.entries])
    return calls, 0


def _forms(kind: Kind, shas: Sequence[str]) -> Asked:
    # At most: which texts are in the common form already is not known from their hashes.
    return Counter({ASKED_FOR_FORMS[kind]: len(set(shas))})


def of_forms(inputs: Given, _: int) -> tuple[Asked, int]:
    asked = FormInputs.model_validate(inputs)
    return _forms(asked.kind, asked.shas), 0


def of_seat(inputs: Given, _: int) -> tuple[Asked, int]:
    asked = SeatInputs.model_validate(inputs)
    return Counter({ASKED_IN_SEATS[asked.task]: asked.answers}), 0


def of_questions(inputs: Given, _: int) -> tuple[Asked, int]:
    works, sampled, papers = 1, 0, None
    if "works" in inputs:
        works = SeedInputs.model_validate(inputs).works
        sampled = -(-works // SAMPLED)
    else:
        papers = QuestionInputs.model_validate(inputs).papers
    question = 0 if inputs.get("question") else works
    if papers is not None:
        return Counter({"question": question, "literature-review": int(bool(papers))}), 0
    asked = {"question": question, "keywords": works, "literature-review": works}
    return Counter(asked), works * SEARCHES + sampled


def of_targets(inputs: Given, _: int) -> tuple[Asked, int]:
    wanted = TargetInputs.model_validate(inputs).criteria
    categories = wanted.categories
    targets = wanted.each * len(categories)
    searches = sum(1 + bool(one.venues) for one in categories)
    calls = Counter({"six-fields": targets, "target-topic": targets})
    return calls, targets + searches


def of_evolution(inputs: Given, _: int) -> tuple[Asked, int]:
    asked = EvolveInputs.model_validate(inputs)
    by_person = asked.judged_by == "person"
    items = len(ITEMS) - (len(BY_CODE) if asked.decided == "code" else 0)
    first = items
    if asked.firsts:
        first = 0
    elif asked.idea and asked.idea.form != "headed":
        first = len(ITEMS) - len(BY_CODE)
    judged = asked.lines * (first + items * (asked.steps - 1))
    revised = asked.lines * (asked.steps - 1)
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
    steps = SEARCHES * looked + revised * asked.informed * (1 + asked.step_in) + sittings
    return calls + Counter(begun), steps


def of_training(inputs: Given, _: int) -> tuple[Asked, int]:
    how = TrainInputs.model_validate(inputs).how
    by_model = inputs["judged"] == "model"
    items = len(ITEMS) - len(BY_CODE) if by_model else 0
    # What is written in a round of drafts is a step, and so is what was learned.
    return Counter({"checklist-item": how.steps * how.rows * items}), how.steps * (
        how.shape.drafts + 1
    )


def training_at_most(inputs: Given, edition: int) -> Asked:
    """Bound a training: every item gets no usable answer at first, and is asked again."""
    usual = of_training(inputs, edition)[0]
    return usual + usual


def of_novelty(inputs: Given, _: int) -> tuple[Asked, int]:
    asked = NoveltyInputs.model_validate(inputs)
    if asked.depth == "quick":
        return Counter({"novelty-queries": 1, "novelty-verdict": 1}), LOOKED_UP + 2
    read = Counter({"novelty-claims": 1, "novelty-claim-queries": 1})
    read["novelty-reading"] = asked.papers
    # In one source; every further one is asked as often again.
    looked = CLAIMS + 1 + 2 * asked.around + asked.papers * asked.full_text
    return read, looked + CLAIMS + 3


def of_drafts(inputs: Given, _: int) -> tuple[Asked, int]:
    asked = DraftsInputs.model_validate(inputs)
    n = asked.drafts
    calls = Counter({"direct-idea": n, "select": n * (n - 1)})
    return calls + _experiment(asked.design, 0), 0


def of_real_paper(inputs: Given, _: int) -> tuple[Asked, int]:
    return Counter({"report": 1}), 1 + bool(inputs.get("full_text"))


def of_real_papers(inputs: Given, _: int) -> tuple[Asked, int]:
    asked = RealPapersInputs.model_validate(inputs)
    papers = len(asked.ids) or asked.most
    return Counter({"report": papers}), papers * asked.full_text + 1 + asked.confirm


def of_look_up(_: Given, __: int) -> tuple[Asked, int]:
    return Counter(), 2


def of_no_prompt(_: Given, __: int) -> tuple[Asked, int]:
    """Plan a run whose calls are counted elsewhere: in the runs or cells it has made."""
    return Counter(), 1
