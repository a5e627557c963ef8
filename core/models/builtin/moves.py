"""How each kind of next step is put into words: its title, its direction, what is new, the steps,
and what may go wrong.
"""

from core.models.builtin.english import clipped, opened, said
from core.models.builtin.material import Material
from core.models.builtin.passages import OPEN
from core.models.builtin.planning import Plan
from core.models.builtin.remedies import REMEDIES
from core.models.builtin.sources import ReadPaper


def living(plan: Plan) -> bool:
    """Say whether the work is with people or animals."""
    return (plan.other or plan.one).kind in ("people", "animals")


def short(source: ReadPaper) -> str:
    """Return the few words a title of ours calls a paper's matter by."""
    return source.thing or source.name


def title(plan: Plan, material: Material) -> str:
    """Return the title of the idea."""
    one, other = plan.one, plan.other
    if plan.move == "dissect":
        return _headed(
            f"{one.thing or f'The method of {one.name}'}: which part carries the result?"
        )
    if plan.remedy:
        left = "What {} left open" if plan.move == "settle" else "The test of {}"
        ends = "" if plan.remedy is REMEDIES[-1] and not one.thing else f": {plan.remedy.titled}"
        return _headed(f"{one.thing or left.format(one.name)}{ends}")
    assert other is not None, "every other move is made with two papers"
    alike = len(_words(one.thing) & _words(other.thing)) > 0.6 * min(
        len(_words(one.thing)), len(_words(other.thing)) or 1
    )
    first, second = (one.name, other.name) if alike else (short(one), short(other))
    pair = f"{first} and {second}"
    aim = (
        one.handle.aim
        or (one.thing if one.work != "method" else "")
        or f"the problem behind {short(one)}"
    )
    aim = aim if not _words(aim) <= _words(short(other)) else f"the problem behind {short(one)}"
    return _headed(
        {
            "carry": (
                f"{short(other)} for {aim}"
                if other.thing
                else f"What {other.name} put forward, tried on {aim}"
            ),
            "measure": (
                f"{first} before and after {second}"
                if living(plan)
                else f"{second} under the test of {first}"
            ),
            "join": f"{pair} together: what each adds",
            "relate": f"{pair} in the same {material.unit}",
        }.get(plan.move, f"{pair} side by side")
    )


def _words(phrase: str) -> set[str]:
    return {word.removesuffix("s") for word in phrase.lower().split()}


def _headed(text: str) -> str:
    return clipped(opened(text), 140)


def direction(plan: Plan) -> str:
    """Return the next step in one sentence: by it the plan is known again."""
    one, other = plan.one, plan.other
    if plan.move == "dissect":
        return said(f"Take {one.device} apart and find out which of its parts carries the result")
    if plan.remedy:
        done = (
            f"Take on {limit(plan)} {plan.remedy.how}"
            if plan.move == "settle"
            else f"Repeat the central test of {one.name} {plan.remedy.how}"
        )
        return said(f"{done}: {one.told(plan.point)}" if plan.point else done)
    assert other is not None, "every other move is made with two papers"
    return said(
        {
            "carry": f"Use what {other.name} put forward on {limit(plan)}: {one.told(plan.point)}",
            "measure": (
                f"Take the measurement of {one.name} before and after the intervention of"
                f" {other.name}"
                if living(plan)
                else f"Put {other.device} through the test that {one.name} set up"
            ),
            "join": (
                f"Carry out the interventions of {one.name} and of {other.name} alone and together,"
                " and measure what each adds"
                if living(plan)
                else (
                    f"Build one system from what {one.name} and {other.name} put forward, and"
                    " measure what each part adds"
                )
            ),
            "relate": (
                f"Take the measurements of {one.name} and of {other.name} in the same individuals"
            ),
        }.get(
            plan.move,
            f"Run what {one.name} and {other.name} put forward side by side on the same material",
        )
    )


def lead(plan: Plan) -> str:
    """Return what is new in one sentence: by it the plan is known again."""
    one, other = plan.one, plan.other
    if plan.move == "dissect":
        return said(f"New is the question which part of {one.device} carries its result")
    if plan.remedy and plan.move == "settle":
        return said(f"New is that {limit(plan)} is taken on {plan.remedy.how}")
    if plan.remedy:
        return said(
            f"New is only the condition: the central test of {one.name} is repeated"
            f" {plan.remedy.how}"
        )
    assert other is not None, "every other move is made with two papers"
    return said(
        {
            "carry": f"New is the use of {other.device} on {limit(plan)}",
            "measure": (
                f"New is that the measurement of {one.name} is taken around the intervention of"
                f" {other.name}"
                if living(plan)
                else f"New is that {other.device} goes through the test of {one.name}"
            ),
            "join": (
                f"New is the combination of {one.device} with {other.device}, taken apart into what"
                " each adds"
            ),
            "relate": (
                f"New is that the measurements of {one.name} and of {other.name} are taken from the"
                " same individuals"
            ),
        }.get(
            plan.move,
            f"New is the comparison of {one.device} with {other.device} on the same material",
        )
    )


def limit(plan: Plan) -> str:
    """Return what to call a sentence in which a paper says what it could not do, or what it set out
    from.
    """
    if plan.point not in plan.one.gaps:
        return f"the problem that {plan.one.name} set out from"
    return (
        f"{'the open point' if OPEN.search(plan.point) else 'the limit'} named by {plan.one.name}"
    )


def steps(plan: Plan, material: Material) -> tuple[str, ...]:
    """Return the three steps of the study, as clauses in the imperative."""
    one, other = plan.one, plan.other
    if plan.remedy:
        written = plan.remedy.people if living(plan) else plan.remedy.programs
        name = f"the studies that {one.name} reviewed" if one.work == "review" else one.name
        filled = {
            "device": one.device,
            "name": name,
            "unit": material.unit,
            "measure": material.measure,
            "data": material.data,
        }
        return tuple(step.format_map(filled) for step in written)
    if plan.move == "dissect":
        return (
            f"list the parts that {one.name} described, and for each the plainest stand-in",
            (
                f"leave out one part at a time and put the stand-in there, on {material.data}, with"
                " everything else held fixed"
            ),
            (
                f"order the parts by what {material.measure} loses without them, and check whether"
                " the best two alone would do"
            ),
        )
    assert other is not None, "every other move is made with two papers"
    a, b, m = one.name, other.name, material
    if living(plan):
        return {
            "carry": (
                f"repeat the set-up of {a} with {m.many}",
                (
                    f"bring in the {_word(other)} of {b} in one of two groups, drawn by chance, and"
                    " change nothing else"
                ),
                f"compare {m.measure} between the groups, before and after",
            ),
            "measure": (
                (
                    f"recruit {m.many} and take the measurement of {a} twice before anything"
                    " changes, so that its scatter is known"
                ),
                f"carry out the intervention of {b} in one of two groups, drawn by chance",
                (
                    "take the measurement again, at the end and a month later, and compare the"
                    " change in both groups"
                ),
            ),
            "join": (
                (
                    f"assign {m.many} by chance to four groups: neither intervention, that of {a},"
                    f" that of {b}, both"
                ),
                f"record {m.measure} before, at the end and a month later",
                "estimate what each intervention adds alone and what they add together",
            ),
            "relate": (
                (
                    f"recruit {m.many} and take both measurements, that of {a} and that of {b}, in"
                    " the same week"
                ),
                (
                    "repeat both two months later, so that a change in the one can be set beside a"
                    " change in the other"
                ),
                "report whether the two go together between individuals, and within them",
            ),
        }[plan.move]
    return {
        "carry": (
            (
                f"rebuild the setting of {a} on a small scale and record where the problem shows,"
                f" on {m.data}"
            ),
            f"add what {b} put forward, in the form described there, and change nothing else",
            f"run both versions side by side with the same budget and compare {m.measure}",
        ),
        "measure": (
            (
                f"set up the test of {a} as described and check it on one case whose result is"
                " reported there"
            ),
            f"send {other.device} through it, together with a plain baseline",
            f"report on which cases this test and the one that {b} used tell different stories",
        ),
        "join": (
            (
                f"build four versions: with neither part, with that of {a}, with that of {b}, and"
                " with both"
            ),
            f"run all four on {m.data} with the same budget",
            f"estimate from {m.measure} what each part adds alone and what they add together",
        ),
        "contrast": (
            (
                f"run {one.device} and {other.device} on the same material, {m.data}, with the same"
                " budget"
            ),
            f"record {m.measure} for every case, not only on average",
            "sort the cases by which of the two did better, and look for what they share",
        ),
    }[plan.move]


def claim(plan: Plan, material: Material) -> str:
    """Return what the idea claims and what would refute it."""
    if plan.remedy:
        return (
            f"Either answer counts: the idea fails only if {material.measure} cannot tell the two"
            " answers apart"
        )
    return {
        "dissect": (
            "The claim is that one part carries most of the result; it is given up if leaving out"
            " any of them costs about the same"
        ),
        "carry": (
            f"The claim is that this improves {material.measure}; it is given up if both versions"
            " do equally well"
        ),
        "measure": (
            "The claim is that the measurement changes with the intervention; it is given up if"
            " both groups change alike"
            if living(plan)
            else (
                "The claim is that the two tests tell different stories; it is given up if both put"
                " the versions in the same order"
            )
        ),
        "join": (
            "The claim is that both together do better than the better one alone; it is given up if"
            " they do not"
        ),
        "relate": (
            "The claim is that the two go together within individuals, and not only between them;"
            " it is given up if they do not"
        ),
    }.get(
        plan.move,
        "The claim is that each does better on cases of its own kind; it is given up if one of them"
        " is better throughout",
    )


def _word(source: ReadPaper) -> str:
    return "intervention" if source.work == "intervention" else "procedure"


def risks(plan: Plan, material: Material) -> str:
    """Return what may go wrong and how it would be met."""
    one, other = plan.one, plan.other
    if plan.remedy:
        first = plan.remedy.risk.format(unit=material.unit, Unit=opened(material.unit))
        second = (
            f"{one.name} may not say enough to be repeated exactly; every choice that had to be"
            " made is listed, and the authors are asked"
        )
        return said(first, second, _too_coarse(material))
    if plan.move == "dissect":
        first = (
            "The parts may work only together, so that leaving out any one spoils the whole; pairs"
            " of parts are then left out too"
        )
        return said(
            first,
            f"{one.name} may not say enough to rebuild every part; every choice that had to be made"
            " is listed",
            _too_coarse(material),
        )
    assert other is not None, "every other move is made with two papers"
    effort = "more attention" if living(plan) else "more computation"
    first = {
        "measure": (
            f"The test of {one.name} may favour work of its own kind; a case with a known answer is"
            " sent through it first"
        ),
        "join": (
            "The two parts may get in each other's way; the versions with one part alone show"
            f" whether {one.name} or {other.name} is the cause"
        ),
        "contrast": (
            "Each may do better in the hands of its authors; one published result of each is"
            " reproduced first"
        ),
        "relate": (
            "Two measurements in one week may wear the participants out; chance decides which comes"
            " first"
        ),
    }.get(plan.move, "")
    if not first or (plan.move == "measure" and living(plan)):
        first = (
            f"What {other.name} put forward was made for another purpose and may not carry over; a"
            " small trial comes first and decides whether to go on"
        )
    return said(
        first,
        f"A difference may come from {effort} alone; all versions therefore get the same",
        _too_coarse(material),
    )


def _too_coarse(material: Material) -> str:
    return (
        f"{opened(material.measure)} may be too coarse to show a small effect; the smallest"
        " difference worth having is fixed before the first measurement"
    )
