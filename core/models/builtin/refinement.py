"""The three players of a refinement: reviewing by rules, revising by remedies, judging by what the same rules measure."""

import re
from collections.abc import Sequence

import numpy as np

from core.models.builtin.english import clean, clipped, listed, retold, said, sentences
from core.models.builtin.feasibility_rules import FEASIBILITY, GENERAL
from core.models.builtin.invention import title
from core.models.builtin.library import Library
from core.models.builtin.novelty_rules import NOVELTY
from core.models.builtin.phrases import called
from core.models.builtin.rules import Case, Edit, Rule, shortfall
from core.models.builtin.traits import trait_rules
from core.records import FORMS, Change, Idea, Indicator, Paper, Remark, Review, RevisedIdea, Verdict, Wish

REMARKS = 5
ANSWERED = 2
"""How many remarks a revision answers, the weightiest first: one thing after the other, so that each can be judged."""
MEANT = 0.4
"""Cosine from which a remark written by somebody else is taken to mean one of our rules."""
MOVED = 0.05
"""How much farther from the nearest paper (cosine) counts as an improvement of novelty by itself."""
CAPS = {"problem": 7, "objective": 2, "hypothesis": 6, "method": 9, "expected_impact": 6}
WISHED = re.compile(r"^As .{1,80} asked, this is a condition of the plan: ")


def rules_for(goal: Indicator) -> tuple[Rule, ...]:
    """Return the rules of a preset, and one rule for every trait no rule stands for."""
    preset = {"novelty": NOVELTY, "feasibility": FEASIBILITY}.get(goal.name.strip().lower(), ())
    covered = {rule.trait for rule in preset}
    own = trait_rules(tuple(trait for trait in goal.traits if trait not in covered) or (() if preset else (goal.name,)))
    return (*preset, *own, *(() if preset else GENERAL))


def review(library: Library, goal: Indicator, context: tuple[Paper, ...], idea: Idea) -> Review:
    """Say which rules the idea does not meet, the weightiest first; when none is left, say just that."""
    case, rules = Case(library, idea, goal, context), rules_for(goal)
    found = shortfall(case, rules)
    name = clipped(goal.name, 80)
    near = (
        f"The nearest paper is {called(case.nearest[0])}, at cosine {case.nearest[1]:.2f}" if case.nearest else "No paper is at hand to compare with"
    )
    if not found:
        return Review(
            summary=said(f"All {len(rules)} rules for {name} that can be measured are met", near),
            remarks=(
                Remark(id="r1", text=said(f"Nothing measurable is missing for {name}", "Whether the idea is worth doing is for a person to judge")),
            ),
        )
    remarks = tuple(Remark(id=f"r{n}", text=text, trait=rule.trait) for n, (rule, text) in enumerate(found[:REMARKS], 1))
    return Review(
        summary=said(f"{len(found)} of {len(rules)} rules for {name} are not met; the weightiest concerns {found[0][0].trait}", near), remarks=remarks
    )


def revise(library: Library, goal: Indicator, context: tuple[Paper, ...], idea: Idea, said_of_it: Review, wishes: tuple[Wish, ...]) -> RevisedIdea:
    """Answer the wishes and the weightiest remarks, and keep the rest; raises nothing for remarks it cannot place."""
    case, rules = Case(library, idea, goal, context), rules_for(goal)
    now = applied(six_fields(case), [(Edit("method", _wished(wish)), "") for wish in wishes])
    weight, answered = _weight(library, now.as_revision().idea, goal, context), 0
    for remark, rule in _placed(case, rules, said_of_it.remarks):
        standing = now.as_revision().idea
        tried = applied(standing.fields, [(edit, remark.id) for edit in rule.remedy(Case(library, standing, goal, context))], now.changes)
        left = _weight(library, tried.as_revision().idea, goal, context)
        # An answer that undoes what another rule asks for is no gain: it is left out, and the remark stays.
        if left < weight:
            now, weight, answered = tried, left, answered + 1
        if answered == ANSWERED:
            break
    return now


def applied(fields: dict[str, str], edits: Sequence[tuple[Edit, str]], before: tuple[Change, ...] = ()) -> RevisedIdea:
    """Return the six fields with the edits made, each under the id of the remark it answers; earlier changes that still stand are kept."""
    lines = {name: list(sentences(text)) for name, text in fields.items()}
    changes = list(before)
    for edit, name in edits:
        changes.append(Change(field=edit.field, passage=_apply(lines, edit), remarks=(name,) if name else ()))
    whole = {name: _bounded(name, some, {change.passage for change in changes}) for name, some in lines.items()}
    return RevisedIdea(**whole, changes=tuple(change for change in changes if change.passage in whole[change.field]))


def _weight(library: Library, idea: Idea, goal: Indicator, context: tuple[Paper, ...]) -> int:
    return sum(rule.weight for rule, _ in shortfall(Case(library, idea, goal, context), rules_for(goal)))


def _wished(wish: Wish) -> str:
    return f"As {clipped(clean(wish.by), 60)} asked, this is a condition of the plan: {clipped(retold(clean(wish.text)), 300)}"


def _placed(case: Case, rules: Sequence[Rule], remarks: Sequence[Remark]) -> list[tuple[Remark, Rule]]:
    """Return the remarks with the rule each stands for: the one that says the same, or else the nearest in meaning."""
    found = shortfall(case, rules)
    by_text = {text: rule for rule, text in found}
    placed = [(remark, by_text[remark.text]) for remark in remarks if remark.text in by_text]
    strange = [remark for remark in remarks if remark.text not in by_text]
    free = [(rule, text) for rule, text in found if rule not in [rule for _, rule in placed]]
    if strange and free:
        asked = case.library.embed([remark.text for remark in strange])
        near = np.maximum(asked @ case.library.embed([text for _, text in free]).T, asked @ case.library.embed([rule.plainly for rule, _ in free]).T)
        for remark, row in zip(strange, near, strict=True):
            best = int(row.argmax())
            if float(row[best]) >= MEANT and free[best][0] not in [rule for _, rule in placed]:
                placed.append((remark, free[best][0]))
    return placed


def _apply(fields: dict[str, list[str]], edit: Edit) -> str:
    """Put the sentence in the place of those it displaces, or at the end; return it as it stands."""
    lines = fields[edit.field]
    passage = clipped(clean(edit.sentence), 140) if edit.field == "title" else said(clean(edit.sentence))
    gone = [n for n, line in enumerate(lines) if edit.displaces and edit.displaces.search(line) and not WISHED.match(line)]
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
    spare = [n for n, line in enumerate(lines) if n > 0 and line not in fresh and not WISHED.match(line)]
    over = max(0, len(lines) - cap)
    kept = [line for n, line in enumerate(lines) if n not in spare[:over]]
    return " ".join(kept) or "Not said yet."


def six_fields(case: Case) -> dict[str, str]:
    """Return an idea of any form in six fields, with plain sentences where the form has no counterpart."""
    fields = case.idea.fields
    if case.idea.form == "six-field":
        return dict(fields)
    aim = said(f"To measure the effect of {case.device}{case.by} on {case.matter}{case.raised}")
    impact = said(f"The outcome shows, either way, whether there is an effect of {case.device} on {case.matter}")
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
    named = case.plot.device if case.plot else case.device
    return dict(
        zip(
            FORMS["six-field"],
            (
                title(named, case.plot.matter if case.plot else case.matter),
                said(f"The effect of {case.device} on {case.matter} is not settled"),
                aim,
                fields["hypothesis"],
                said(f"Bring {case.device} into {case.place} and watch what happens to {case.matter}"),
                impact,
            ),
            strict=True,
        )
    )


def verdict(library: Library, goal: Indicator, context: tuple[Paper, ...], older: Idea, newer: Idea) -> Verdict:
    """Compare two versions by the same rules and, for novelty, by the distance to the nearest paper."""
    rules = rules_for(goal)
    before, after = Case(library, older, goal, context), Case(library, newer, goal, context)
    lacked, lacks = shortfall(before, rules), shortfall(after, rules)
    was, now = sum(rule.weight for rule, _ in lacked), sum(rule.weight for rule, _ in lacks)
    gained = [rule.name for rule, _ in lacked if rule not in [other for other, _ in lacks]]
    lost = [rule.name for rule, _ in lacks if rule not in [other for other, _ in lacked]]
    moved = before.nearest[1] - after.nearest[1] if before.nearest and after.nearest else 0.0
    farther = goal.name.strip().lower() == "novelty" and moved >= MOVED and now <= was
    weighed = (
        f"the weight of unmet rules for {clipped(goal.name, 80)} went from {was} to {now}"
        if was != now
        else f"the weight of unmet rules stays at {now}"
    )
    measured = said(
        f"Measured by the same {len(rules)} rules, {weighed}",
        f"Newly met: {listed(gained)}" if gained else "",
        f"No longer met: {listed(lost)}" if lost else "",
        _distance(before, after),
    )
    if now < was or farther:
        return Verdict(improved=True, reason=measured)
    return Verdict(improved=False, reason=said(measured, _why_not(older, newer, gained)))


def _why_not(older: Idea, newer: Idea, gained: list[str]) -> str:
    if older == newer:
        return "The two versions are the same"
    return "What was gained was lost elsewhere" if gained else "What changed is wording or order, not what the rules measure"


def _distance(before: Case, after: Case) -> str:
    if not before.nearest or not after.nearest:
        return ""
    was, now = f"{before.nearest[1]:.2f}", f"{after.nearest[1]:.2f}"
    return f"The cosine to the nearest paper stays at {now}" if was == now else f"The cosine to the nearest paper went from {was} to {now}"
