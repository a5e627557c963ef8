"""How each kind of next step is put into words: its title, its direction, what is new, the steps,
and what may go wrong.
"""

from collections.abc import Mapping
from typing import TypeVar

from core.models.builtin.english import capitalise, clip, paragraph
from core.models.builtin.passages import OPEN
from core.models.builtin.planning import Material, Plan, condition_in
from core.models.builtin.remedies import REMEDIES

T = TypeVar("T")


def living(plan: Plan) -> bool:
    """Say whether the work is with people or animals."""
    return (plan.other or plan.one).kind in ("people", "animals")


def title(plan: Plan, material: Material) -> str:
    """Return the title of the idea."""
    one, other = plan.one, plan.other
    if other is None:
        subject = one.thing or UNTITLED[plan.move].format(name=one.name)
        if plan.remedy is REMEDIES[-1] and not one.thing:
            return _head(subject)
        asked = plan.remedy.titled if plan.remedy else "which part carries the result?"
        return _head(f"{subject}: {asked}")
    words, others = _words(one.thing), _words(other.thing)
    alike = len(words & others) > 0.6 * min(len(words), len(others) or 1)
    first, second = (one.name, other.name) if alike else (one.short, other.short)
    aim = one.handle.aim or (one.thing if one.work != "method" else "")
    if not aim or _words(aim) <= _words(other.short):
        aim = f"the problem behind {one.short}"
    carried = f"{other.thing} for" if other.thing else f"What {other.name} put forward, tried on"
    titles = {
        "carry": f"{carried} {aim}",
        "measure": f"{second} under the test of {first}",
        "measure in people": f"{first} before and after {second}",
        "join": f"{first} and {second} together: what each adds",
        "relate": f"{first} and {second} in the same {material.unit}",
        "contrast": f"{first} and {second} side by side",
    }
    return _head(_choose_wording(plan, titles))


UNTITLED = {
    "settle": "What {name} left open",
    "repeat": "The test of {name}",
    "dissect": "The method of {name}",
}
"""What an idea is headed by whose paper's title has no words for its matter."""


def _head(text: str) -> str:
    return clip(capitalise(text), 140)


def _words(phrase: str) -> set[str]:
    return {word.removesuffix("s") for word in phrase.lower().split()}


def _choose_wording(plan: Plan, wordings: Mapping[str, T]) -> T:
    """Return the wording for a plan's move, which may be another one in people and animals."""
    in_people = wordings.get(f"{plan.move} in people") if living(plan) else None
    return in_people or wordings[plan.move]


def _fill(plan: Plan, wording: str) -> str:
    one, other = plan.one, plan.other
    return paragraph(
        wording.format(
            name=one.name,
            device=one.device,
            other=other.name if other else "",
            other_device=other.device if other else "",
            limit=limit(plan),
            how=plan.remedy.how if plan.remedy else "",
            point=f": {one.told(plan.point)}" if plan.point else "",
        )
    )


def direction(plan: Plan) -> str:
    """Return the next step in one sentence: by it the plan is known again."""
    return _fill(plan, _choose_wording(plan, DIRECTIONS))


DIRECTIONS = {
    "settle": "Take on {limit} {how}{point}",
    "repeat": "Repeat the central test of {name} {how}{point}",
    "dissect": "Take {device} apart and find out which of its parts carries the result",
    "carry": "Use what {other} put forward on {limit}{point}",
    "measure": "Put {other_device} through the test that {name} set up",
    "measure in people": (
        "Take the measurement of {name} before and after the intervention of {other}"
    ),
    "join": (
        "Build one system from what {name} and {other} put forward, and measure what each part adds"
    ),
    "join in people": (
        "Carry out the interventions of {name} and of {other} alone and together, and measure what"
        " each adds"
    ),
    "relate": "Take the measurements of {name} and of {other} in the same individuals",
    "contrast": "Run what {name} and {other} put forward side by side on the same material",
}


def lead(plan: Plan) -> str:
    """Return what is new in one sentence: by it the plan is known again."""
    return _fill(plan, f"New is {_choose_wording(plan, NEW)}")


NEW = {
    "settle": "that {limit} is taken on {how}",
    "repeat": "only the condition: the central test of {name} is repeated {how}",
    "dissect": "the question which part of {device} carries its result",
    "carry": "the use of {other_device} on {limit}",
    "measure": "that {other_device} goes through the test of {name}",
    "measure in people": (
        "that the measurement of {name} is taken around the intervention of {other}"
    ),
    "join": "the combination of {device} with {other_device}, taken apart into what each adds",
    "relate": (
        "that the measurements of {name} and of {other} are taken from the same individuals"
    ),
    "contrast": "the comparison of {device} with {other_device} on the same material",
}


def limit(plan: Plan) -> str:
    """Return what to call a sentence in which a paper says what it could not do, or what it set out
    from.
    """
    if plan.point not in plan.one.gaps:
        return f"the problem that {plan.one.name} set out from"
    kind = "open point" if OPEN.search(plan.point) else "limit"
    return f"the {kind} named by {plan.one.name}"


def steps(plan: Plan, material: Material) -> tuple[str, ...]:
    """Return the three steps of the study, as clauses in the imperative."""
    one, other, name = plan.one, plan.other, plan.one.name
    if plan.remedy:
        written = plan.remedy.people if living(plan) else plan.remedy.programs
        name = f"the studies that {name} reviewed" if one.work == "review" else name
    else:
        written = _choose_wording(plan, STEPS)
    filled = {
        "device": one.device,
        "name": name,
        "unit": material.unit,
        "many": material.many,
        "measure": material.measure,
        "data": material.data,
        "condition": condition_in(plan.point) or f"the condition that {one.name} studied",
    }
    if other:
        filled |= {
            "other": other.name,
            "other_device": other.device,
            "brought": "intervention" if other.work == "intervention" else "procedure",
        }
    return tuple(step.format_map(filled) for step in written)


STEPS = {
    "dissect": (
        "list the parts that {name} described, and for each the plainest stand-in",
        (
            "leave out one part at a time and put the stand-in there, on {data}, with everything"
            " else held fixed"
        ),
        (
            "order the parts by what {measure} loses without them, and check whether the best two"
            " alone would do"
        ),
    ),
    "carry": (
        (
            "rebuild the setting of {name} on a small scale and record where the problem shows, on"
            " {data}"
        ),
        "add what {other} put forward, in the form described there, and change nothing else",
        "run both versions side by side with the same budget and compare {measure}",
    ),
    "measure": (
        (
            "set up the test of {name} as described and check it on one case whose result is"
            " reported there"
        ),
        "send {other_device} through it, together with a plain baseline",
        "report on which cases this test and the one that {other} used tell different stories",
    ),
    "join": (
        (
            "build four versions: with neither part, with that of {name}, with that of {other}, and"
            " with both"
        ),
        "run all four on {data} with the same budget",
        "estimate from {measure} what each part adds alone and what they add together",
    ),
    "contrast": (
        ("run {device} and {other_device} on the same material, {data}, with the same budget"),
        "record {measure} for every case, not only on average",
        "sort the cases by which of the two did better, and look for what they share",
    ),
    "carry in people": (
        "repeat the set-up of {name} with {many}",
        (
            "bring in the {brought} of {other} in one of two groups, drawn by chance, and change"
            " nothing else"
        ),
        "compare {measure} between the groups, before and after",
    ),
    "measure in people": (
        (
            "recruit {many} and take the measurement of {name} twice before anything changes, so"
            " that its scatter is known"
        ),
        "carry out the intervention of {other} in one of two groups, drawn by chance",
        (
            "take the measurement again, at the end and a month later, and compare the change in"
            " both groups"
        ),
    ),
    "join in people": (
        (
            "assign {many} by chance to four groups: neither intervention, that of {name}, that of"
            " {other}, both"
        ),
        "record {measure} before, at the end and a month later",
        "estimate what each intervention adds alone and what they add together",
    ),
    "relate": (
        (
            "recruit {many} and take both measurements, that of {name} and that of {other}, in the"
            " same week"
        ),
        (
            "repeat both two months later, so that a change in the one can be set beside a change"
            " in the other"
        ),
        "report whether the two go together between individuals, and within them",
    ),
}


def claim(plan: Plan, material: Material) -> str:
    """Return what the idea claims and what would refute it."""
    if plan.remedy:
        return (
            f"Either answer counts: the idea fails only if {material.measure} cannot tell the two"
            " answers apart"
        )
    claimed, refuted = _choose_wording(plan, CLAIMS)
    claimed = claimed.format(measure=material.measure)
    return f"The claim is that {claimed}; it is given up if {refuted}"


CLAIMS = {
    "dissect": (
        "one part carries most of the result",
        "leaving out any of them costs about the same",
    ),
    "carry": ("this improves {measure}", "both versions do equally well"),
    "measure": (
        "the two tests tell different stories",
        "both put the versions in the same order",
    ),
    "measure in people": (
        "the measurement changes with the intervention",
        "both groups change alike",
    ),
    "join": ("both together do better than the better one alone", "they do not"),
    "relate": (
        "the two go together within individuals, and not only between them",
        "they do not",
    ),
    "contrast": (
        "each does better on cases of its own kind",
        "one of them is better throughout",
    ),
}
"""What each move claims, and what refutes it."""


def risks(plan: Plan, material: Material) -> str:
    """Return what may go wrong and how it would be met."""
    effort = "more attention" if living(plan) else "more computation"
    second = f"A difference may come from {effort} alone; all versions therefore get the same"
    unsaid = f"{plan.one.name} may not say enough to"
    if plan.remedy:
        first = plan.remedy.risk.format(unit=material.unit, Unit=capitalise(material.unit))
        second = (
            f"{unsaid} be repeated exactly; every choice that had to be made is listed, and the"
            " authors are asked"
        )
    elif plan.move == "dissect":
        first = (
            "The parts may work only together, so that leaving out any one spoils the whole; pairs"
            " of parts are then left out too"
        )
        second = f"{unsaid} rebuild every part; every choice that had to be made is listed"
    else:
        other = plan.other.name if plan.other else ""
        first = _choose_wording(plan, RISKS).format(name=plan.one.name, other=other)
    too_coarse = (
        f"{capitalise(material.measure)} may be too coarse to show a small effect; the smallest"
        " difference worth having is fixed before the first measurement"
    )
    return paragraph(first, second, too_coarse)


_NOT_MADE_FOR_IT = (
    "What {other} put forward was made for another purpose and may not carry over; a small trial"
    " comes first and decides whether to go on"
)
RISKS = {
    "carry": _NOT_MADE_FOR_IT,
    "measure": (
        "The test of {name} may favour work of its own kind; a case with a known answer is sent"
        " through it first"
    ),
    "measure in people": _NOT_MADE_FOR_IT,
    "join": (
        "The two parts may get in each other's way; the versions with one part alone show whether"
        " {name} or {other} is the cause"
    ),
    "contrast": (
        "Each may do better in the hands of its authors; one published result of each is reproduced"
        " first"
    ),
    "relate": (
        "Two measurements in one week may wear the participants out; chance decides which comes"
        " first"
    ),
}
"""What may go wrong first of all with a move that joins two papers."""
