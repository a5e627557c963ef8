"""The three players of a refinement: reviewing by rules, revising by remedies, judging by what the
same rules measure.
"""

import re
from collections.abc import Sequence

import numpy as np

from core.models.builtin.english import clean, clipped, listed, retold, said, sentences
from core.models.builtin.feasibility_rules import FEASIBILITY, GENERAL
from core.models.builtin.invention import title
from core.models.builtin.library import PassageLibrary
from core.models.builtin.novelty_rules import NOVELTY
from core.models.builtin.phrases import called, headline
from core.models.builtin.rules import Edit, IdeaCase, Rule, shortfall
from core.models.builtin.traits import trait_rules
from core.records import (
    FORMS,
    Change,
    Heard,
    Idea,
    Indicator,
    Paper,
    Reflection,
    Remark,
    Review,
    RevisedIdea,
    SideEffect,
    SixFields,
    Verdict,
    Wish,
)

REMARKS = 5
ANSWERED = 2
"""How many remarks a revision answers, the weightiest first: one thing after the other, so that
each can be judged.
"""
MEANT = 0.4
"""Cosine from which a remark written by somebody else is taken to mean one of our rules."""
MOVED = 0.05
"""How much farther from the nearest paper (cosine) counts as an improvement of novelty by itself.
"""
CAPS = {"problem": 7, "objective": 2, "hypothesis": 6, "method": 10, "expected_impact": 6}
PLAIN = Indicator(name="novelty", traits=("originality",))
"""A quality to restate an idea under: which one makes no difference to its fields."""
WISHED = re.compile(r"^As .{1,80} asked, this is a condition of the plan: ")


def rules_for(library: PassageLibrary, goal: Indicator) -> tuple[Rule, ...]:
    """Return the rules of a preset, and one for every trait none stands for; rules of weight 0
    leave the trait to a person and do not count.
    """
    preset = {"novelty": NOVELTY, "feasibility": FEASIBILITY}.get(goal.name.strip().lower(), ())
    covered = {rule.trait for rule in preset}
    strange = tuple(trait for trait in goal.traits if trait not in covered) or (
        () if preset else (goal.name,)
    )
    own = trait_rules(
        library, strange, [rule for rule in (*NOVELTY, *FEASIBILITY) if rule not in preset]
    )
    general = (
        ()
        if preset
        else tuple(rule for rule in GENERAL if rule.name not in [one.name for one in own])
    )
    return (*preset, *own, *general)


def review(
    library: PassageLibrary, goal: Indicator, context: tuple[Paper, ...], idea: Idea
) -> Review:
    """Say which rules the idea does not meet, the weightiest first; when none is left, say just
    that.
    """
    case, rules = IdeaCase(library, idea, goal, context), rules_for(library, goal)
    found, counted = shortfall(case, rules), sum(rule.weight > 0 for rule in rules)
    missing = [(rule, text) for rule, text in found if rule.weight]
    left = [(rule, text) for rule, text in found if not rule.weight]
    name = clipped(goal.name, 80)
    near = _nearest_named(case)
    judged = (
        f"{len(left)} of its traits {'are' if len(left) > 1 else 'is'} for a person to judge"
        if left
        else ""
    )
    met = f"All {counted} rules for {name} that can be measured are met"
    unmet = met
    if missing:
        are = "is" if len(missing) == 1 else "are"
        unmet = (
            f"{len(missing)} of {counted} rules for {name} {are} not met; the weightiest concerns"
            f" {missing[0][0].trait}"
        )
    shown = [*missing[: max(1, REMARKS - len(left))], *left]
    remarks = [
        Remark(id=f"r{n}", text=text, trait=rule.trait) for n, (rule, text) in enumerate(shown, 1)
    ]
    nothing = said(
        f"Nothing measurable is missing for {name}",
        "Whether the idea is worth doing is for a person to judge",
    )
    return Review(
        summary=said(unmet, judged, near),
        remarks=tuple(remarks) or (Remark(id="r1", text=nothing),),
    )


def _nearest_named(case: IdeaCase) -> str:
    if not case.nearest:
        return "No paper is at hand to compare with"
    nearest = called(case.nearest[0])
    return (
        f"In what it does the idea is most like {nearest}"
        if case.at_hand
        else f"No paper at hand is near to the idea, not even {nearest}"
    )


def revise(
    library: PassageLibrary,
    goal: Indicator,
    context: tuple[Paper, ...],
    idea: Idea,
    said_of_it: Heard | None,
    wishes: tuple[Wish, ...],
) -> RevisedIdea:
    """Answer the wishes and the weightiest remarks, and keep the rest; what nobody reviewed is
    reviewed here, and answers no remark.
    """
    case, rules = IdeaCase(library, idea, goal, context), rules_for(library, goal)
    now = applied(six_fields(case), [(Edit("method", _wished(wish)), wish.id) for wish in wishes])
    own = review(library, goal, context, idea).remarks if said_of_it is None and not wishes else ()
    weight, answered = _weight(library, now.as_revision().idea, goal, context), 0
    for remark, rule in _placed(case, rules, said_of_it.remarks if said_of_it else own):
        standing = now.as_revision().idea
        tried = applied(
            standing.fields,
            [
                (edit, remark.id if said_of_it else "")
                for edit in rule.remedy(IdeaCase(library, standing, goal, context))
            ],
            now.changes,
        )
        left = _weight(library, tried.as_revision().idea, goal, context)
        # An answer that undoes what another rule asks for is no gain: it is left out, and the
        # remark stays.
        if left < weight:
            now, weight, answered = tried, left, answered + 1
        if answered == ANSWERED:
            break
    return now


def applied(
    fields: dict[str, str], edits: Sequence[tuple[Edit, str]], before: tuple[Change, ...] = ()
) -> RevisedIdea:
    """Return the six fields with the edits made, each under the id of the remark it answers;
    earlier changes that still stand are kept.
    """
    lines = {name: list(sentences(text)) for name, text in fields.items()}
    changes = list(before)
    for edit, name in edits:
        changes.append(
            Change(field=edit.field, passage=_apply(lines, edit), remarks=(name,) if name else ())
        )
    whole = {
        name: _bounded(name, some, {change.passage for change in changes})
        for name, some in lines.items()
    }
    return RevisedIdea(
        **whole,
        changes=tuple(change for change in changes if change.passage in whole[change.field]),
    )


def _weight(
    library: PassageLibrary, idea: Idea, goal: Indicator, context: tuple[Paper, ...]
) -> int:
    return sum(
        rule.weight
        for rule, _ in shortfall(IdeaCase(library, idea, goal, context), rules_for(library, goal))
    )


def _wished(wish: Wish) -> str:
    return (
        f"As {clipped(clean(wish.by), 60)} asked, this is a condition of the plan:"
        f" {clipped(retold(clean(wish.text)), 300)}"
    )


def _placed(
    case: IdeaCase, rules: Sequence[Rule], remarks: Sequence[Remark]
) -> list[tuple[Remark, Rule]]:
    """Return the remarks with the rule each stands for: the one that says the same, or else the
    nearest in meaning.
    """
    found = shortfall(case, rules)
    by_text = {text: rule for rule, text in found}
    placed = [(remark, by_text[remark.text]) for remark in remarks if remark.text in by_text]
    strange = [remark for remark in remarks if remark.text not in by_text]
    free = [(rule, text) for rule, text in found if rule not in [rule for _, rule in placed]]
    if strange and free:
        asked = case.library.embed([remark.text for remark in strange])
        near = np.maximum(
            asked @ case.library.embed([text for _, text in free]).T,
            asked @ case.library.embed([rule.plainly for rule, _ in free]).T,
        )
        for remark, row in zip(strange, near, strict=True):
            best = int(row.argmax())
            if float(row[best]) >= MEANT and free[best][0] not in [rule for _, rule in placed]:
                placed.append((remark, free[best][0]))
    return placed


def _apply(fields: dict[str, list[str]], edit: Edit) -> str:
    """Put the sentence in the place of those it displaces, or at the end; return it as it
    stands.
    """
    lines = fields[edit.field]
    passage = (
        clipped(clean(edit.sentence), 140) if edit.field == "title" else said(clean(edit.sentence))
    )
    gone = [
        n
        for n, line in enumerate(lines)
        if edit.displaces and edit.displaces.search(line) and not WISHED.match(line)
    ]
    if edit.field == "title":
        lines[:] = [passage]
    elif gone:
        lines[gone[0]] = passage
        lines[:] = [line for n, line in enumerate(lines) if n not in gone[1:]]
    elif passage not in lines:
        lines.append(passage)
    return passage


def _bounded(name: str, lines: list[str], fresh: set[str]) -> str:
    """Join a field's sentences; where they are too many, the oldest that nobody asked for go."""
    cap = CAPS.get(name, len(lines))
    spare = [
        n for n, line in enumerate(lines) if n > 0 and line not in fresh and not WISHED.match(line)
    ]
    over = max(0, len(lines) - cap)
    kept = [line for n, line in enumerate(lines) if n not in spare[:over]]
    return " ".join(kept) or "Not said yet."


def six_fields(case: IdeaCase) -> dict[str, str]:
    """Return an idea of any form in six fields, with plain sentences where the form has no
    counterpart.
    """
    fields = case.idea.fields
    if case.idea.form == "six-field":
        return dict(fields)
    aim = said(
        case.put.aim
        if case.put
        else f"To measure the effect of {case.device}{case.by} on {case.matter}{case.raised}"
    )
    impact = said(
        f"The outcome shows, either way, whether there is an effect of {case.device} on"
        f" {case.matter}"
    )
    if case.idea.form == "chain":
        return dict(
            zip(
                FORMS["six-field"],
                (
                    fields["title"],
                    f"{fields['motivation']} {fields['difference']}",
                    aim,
                    fields["novelty"],
                    fields["method"],
                    f"{impact} {fields['challenges']}",
                ),
                strict=True,
            )
        )
    return dict(zip(FORMS["six-field"], _opened(case, aim, impact), strict=True))


def _opened(case: IdeaCase, aim: str, impact: str) -> tuple[str, ...]:
    """Return the six fields of a one-paragraph idea: a person's own words stay the core of each,
    and a paper's terms of one joined from papers.
    """
    text, own = case.idea.fields["hypothesis"], case.own
    measure = case.study.measure
    if case.plot:
        method = said(f"Try {case.device} in {case.place} and record {measure}")
        unsettled = said(f"The effect of {case.device} on {case.matter} is not settled")
        return title(case.plot.device, case.plot.matter), unsettled, aim, text, method, impact
    if own and own.action:
        claim = own.claim(measure)
        unsettled = f"Whether {own.doing} makes a difference is not settled"
        shows = said("The outcome shows, either way, whether the proposal does what it should")
        return own.title, said(unsettled), said(own.aim), said(claim), text, shows
    line = own.words if own else (sentences(text) or (text,))[0]
    varied = (
        f"A first small trial seeks out cases with {case.device}, or brings it about, and records"
        f" {measure}"
    )
    plan = varied if own else f"A first small trial puts this to the test and records {measure}"
    held = said("The outcome shows, either way, whether the idea holds as it was put")
    objective = (
        own.aim
        if own
        else f"To find out whether the idea holds as it was put: {clipped(line, 300)}"
    )
    return (
        headline(clipped(line.rstrip(" .!"), 120)),
        said("Whether the idea holds is not settled"),
        said(objective),
        text,
        said(plan),
        held,
    )


def verdict(
    library: PassageLibrary, goal: Indicator, context: tuple[Paper, ...], older: Idea, newer: Idea
) -> Verdict:
    """Compare two versions by the same rules and, for novelty, by the distance to the nearest
    paper.
    """
    rules = rules_for(library, goal)
    before, after = IdeaCase(library, older, goal, context), IdeaCase(library, newer, goal, context)
    lacked, lacks = shortfall(before, rules), shortfall(after, rules)
    was, now = sum(rule.weight for rule, _ in lacked), sum(rule.weight for rule, _ in lacks)
    gained = [rule.name for rule, _ in lacked if rule not in [other for other, _ in lacks]]
    lost = [
        rule.name for rule, _ in lacks if rule.weight and rule not in [other for other, _ in lacked]
    ]
    moved = before.nearest[1] - after.nearest[1] if before.nearest and after.nearest else 0.0
    farther = goal.name.strip().lower() == "novelty" and moved >= MOVED and now <= was
    weighed = (
        f"the weight of unmet rules for {clipped(goal.name, 80)} went from {was} to {now}"
        if was != now
        else f"the weight of unmet rules stays at {now}"
    )
    measured = said(
        f"Measured by the same {sum(rule.weight > 0 for rule in rules)} rules, {weighed}",
        f"Newly met: {listed(gained)}" if gained else "",
        f"No longer met: {listed(lost)}" if lost else "",
        _distance(before, after),
    )
    if now < was or farther:
        return Verdict(improved=True, reason=measured)
    return Verdict(improved=False, reason=said(measured, _why_not(older, newer, gained)))


def reflect(
    library: PassageLibrary,
    goal: Indicator,
    upcoming: Indicator,
    context: tuple[Paper, ...],
    older: Idea,
    newer: Idea,
) -> Reflection:
    """Judge the last revision and review what it led to, in one answer."""
    judged = verdict(library, goal, context, older, newer)
    return Reflection(
        improved=judged.improved,
        reason=judged.reason,
        review=review(library, upcoming, context, newer),
    )


def side_effect(
    library: PassageLibrary, goal: Indicator, context: tuple[Paper, ...], older: Idea, newer: Idea
) -> SideEffect:
    """Say what became of another quality: the verdict both ways."""
    ahead, back = (
        verdict(library, goal, context, older, newer),
        verdict(library, goal, context, newer, older),
    )
    return SideEffect(
        effect=(
            "better"
            if ahead.improved and not back.improved
            else "worse"
            if back.improved and not ahead.improved
            else "unchanged"
        ),
        reason=ahead.reason,
    )


def in_six_fields(library: PassageLibrary, idea: Idea) -> SixFields:
    """Restate an idea in six fields, with plain sentences where its form has no counterpart."""
    return SixFields(**six_fields(IdeaCase(library, idea, PLAIN, ())))


def _why_not(older: Idea, newer: Idea, gained: list[str]) -> str:
    if older == newer:
        return "The two versions are the same"
    return (
        "What was gained was lost elsewhere"
        if gained
        else "What changed is wording or order, not what the rules measure"
    )


def _distance(before: IdeaCase, after: IdeaCase) -> str:
    if not before.nearest or not after.nearest:
        return ""
    moved = before.nearest[1] - after.nearest[1]
    if abs(moved) < MOVED:
        return "What the idea does lies about as near to the nearest paper as before"
    return (
        f"What the idea does lies {'farther from' if moved > 0 else 'nearer to'} the nearest paper"
        " than before"
    )
