"""The three players of a refinement: reviewing by rules, revising by remedies, judging by what the
same rules measure.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from core.models.builtin.english import (
    clean,
    clip,
    flat,
    join_list,
    paragraph,
    retell,
    sentences,
    uncapitalise,
)
from core.models.builtin.feasibility_rules import FEASIBILITY, GENERAL
from core.models.builtin.invention import title
from core.models.builtin.library import PassageLibrary
from core.models.builtin.novelty_rules import NOVELTY
from core.models.builtin.phrases import headline
from core.models.builtin.rules import CITES, Edit, IdeaCase, Rule, shortfall
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
MEANT, SAME = 0.56, 0.8
"""Cosines from which a remark written by somebody else is taken to mean one of our rules: to the
rule as a person might put it, and to the remark as the rule itself puts it, whose words are mostly
those of the idea. Of 22 remarks written for a trial, those taken up from here on were all meant;
from 0.4 on, "Name the mechanism." was a call for a second one.
"""
MEASURED = 0.5
"""Cosine of a trait and a rule's demand from which the trait is measured by that rule."""
NOTHING = "Nothing measurable is missing for"
"""How a review begins that has no remark to make."""
PRESETS = {"novelty": NOVELTY, "feasibility": FEASIBILITY}
MOVED = 0.05
"""How much farther from the nearest paper (cosine) counts as an improvement of novelty by itself;
what comes nearer by as much is none, whatever else it gains.
"""
NO_NEARER = 0.01
"""The least that is printed as nearer (cosine)."""
CAPS = {"problem": 7, "objective": 2, "hypothesis": 6, "method": 10, "expected_impact": 6}
PLAIN = Indicator(name="novelty", traits=("originality",))
"""A quality to restate an idea under: which one makes no difference to its fields."""
_ALONE = re.compile(r"(?:This chain has|There is) no other paper[^.]*\. ?")
"""What chain ideas that were written before said of their chain; a refinement has papers of its
own.
"""
WISHED = re.compile(r"^As .{1,80} ask(?:ed|s), this is a condition of the plan: ")


def rules_for(library: PassageLibrary, goal: Indicator) -> tuple[Rule, ...]:
    """Return the rules of a preset, and one for every trait none stands for; rules of weight 0
    leave the trait to a person and do not count.
    """
    preset = PRESETS.get(goal.name.strip().lower(), ())
    covered = {rule.trait for rule in preset}
    strange = [trait for trait in goal.traits if trait not in covered]
    if not strange and not preset:
        strange = [goal.name]
    measurable = [rule for rules in PRESETS.values() for rule in rules if rule not in preset]
    own = _trait_rules(library, strange, measurable)
    named = [rule.name for rule in own]
    general = [] if preset else [rule for rule in GENERAL if rule.name not in named]
    return (*preset, *own, *general)


def _trait_rules(
    library: PassageLibrary, traits: Sequence[str], known: Sequence[Rule]
) -> tuple[Rule, ...]:
    """Return one rule per trait: the known rule that means the same, under the trait's name, or
    else one that leaves it to a person.
    """
    wanted = [clip(clean(trait), 160) or "the quality asked for" for trait in traits]
    if not wanted:
        return ()
    asked = library.embed(wanted)
    near = np.maximum(
        asked @ library.embed([rule.plainly for rule in known]).T,
        asked @ library.embed([rule.trait for rule in known]).T,
    )
    found: dict[str, Rule] = {}
    for trait, row in zip(wanted, near, strict=True):
        best = known[int(row.argmax())]
        if float(row.max()) >= MEASURED and best.name not in found:
            found[best.name] = replace(best, trait=trait)
        else:
            plainly = f"Nothing is said about {trait}."
            left = partial(_leave_to_a_person, trait=trait)
            found[trait] = Rule(trait, trait, 0, left, lambda _: (), plainly)
    return tuple(found.values())


def _leave_to_a_person(case: IdeaCase, trait: str) -> str:
    asked = (
        f'A rule cannot judge whether the idea meets "{trait}"; a person must, and it does not'
        " count in the comparison of versions."
    )
    if not case.lines:
        return asked
    near = case.library.embed(case.lines) @ case.library.vector(trait)
    line = clip(case.lines[int(near.argmax())], 140).rstrip(".")
    return f'{asked} The sentence to look at first is "{line}".'


def review_idea(
    library: PassageLibrary, goal: Indicator, context: tuple[Paper, ...], idea: Idea
) -> Review:
    """Say which rules the idea does not meet, the weightiest first; when none is left, say just
    that.
    """
    case, rules = IdeaCase(library, idea, goal, context), rules_for(library, goal)
    found, counted = shortfall(case, rules), sum(rule.weight > 0 for rule in rules)
    missing = [(rule, text) for rule, text in found if rule.weight]
    left = [(rule, text) for rule, text in found if not rule.weight]
    name = clip(goal.name, 80)
    met = f"All {counted} rules for {name} that can be measured are met"
    if missing:
        are = "is" if len(missing) == 1 else "are"
        met = (
            f"{len(missing)} of {counted} rules for {name} {are} not met; the weightiest concerns"
            f" {missing[0][0].trait}"
        )
    judged = ""
    if left:
        are = "are" if len(left) > 1 else "is"
        judged = f"{len(left)} of its traits {are} for a person to judge"
    near = "No paper is at hand to compare with"
    if case.at_hand:
        near = f"In what it does, apart from what it quotes, the idea is most like {case.neighbour}"
    elif case.nearest:
        near = f"No paper at hand is near to the idea, not even {case.neighbour}"
    shown = [*missing[: max(1, REMARKS - len(left))], *left]
    remarks = [
        Remark(id=f"r{n}", text=text, trait=rule.trait) for n, (rule, text) in enumerate(shown, 1)
    ]
    if not remarks:
        nothing = paragraph(
            f"{NOTHING} {name}",
            "Whether the idea is worth doing is for a person to judge",
        )
        remarks = [Remark(id="r1", text=nothing)]
    return Review(summary=paragraph(met, judged, near), remarks=tuple(remarks))


def revise(
    library: PassageLibrary,
    goal: Indicator,
    context: tuple[Paper, ...],
    idea: Idea,
    review: Heard | None,
    wishes: tuple[Wish, ...],
) -> RevisedIdea:
    """Answer the wishes, what others remarked and the weightiest of our own remarks, and keep the
    rest; what nobody reviewed is reviewed here, and answers no remark.

    A remark that no rule stands for stays open, but for one that names what is to be replaced.
    """
    rules = rules_for(library, goal)

    def case_of(version: Idea) -> IdeaCase:
        return IdeaCase(library, version, goal, context)

    def weight_of(version: RevisedIdea) -> int:
        unmet = shortfall(case_of(version.as_revision().idea), rules)
        return sum(rule.weight for rule, _ in unmet)

    case = case_of(idea)
    remarks: Sequence[Remark] = review.remarks if review else ()
    if review is None and not wishes:
        remarks = review_idea(library, goal, context, idea).remarks
    placed = _place(case, rules, remarks)
    by_rule = {remark.id for remark, _ in placed}
    conditions = [
        (Edit("method", condition), wish.id)
        for wish in wishes
        if (condition := _condition(wish)) not in idea.text
    ]
    fields = six_fields(case)
    asked = [(wish.text, wish.id) for wish in wishes]
    asked += [(remark.text, remark.id) for remark in remarks if remark.id not in by_rule]
    swaps = [(edit, name) for text, name in asked for edit in _swap(fields, text)]
    now = apply_edits(fields, [*swaps, *conditions])
    weight, answered = weight_of(now), 0
    begun = near = _nearness(case_of(now.as_revision().idea))
    for remark, rule in placed:
        standing = now.as_revision().idea
        answers = remark.id if review else ""
        remedy = rule.remedy(case_of(standing))
        # An answer that undoes what another rule asks for, or that brings an idea which is to be
        # new nearer to a paper, is no gain: it is left out, and the remark stays. The words of a
        # paper are quoted where they bring it no nearer at all.
        ways = [(remedy, near, NO_NEARER)]
        if _is_novelty(goal):
            ways.append((tuple(map(_without_quotation, remedy)), begun, MOVED))
        for edits, from_, least in ways:
            tried = apply_edits(standing.fields, [(edit, answers) for edit in edits], now.changes)
            left, lies = weight_of(tried), _nearness(case_of(tried.as_revision().idea))
            if left < weight and not (_is_novelty(goal) and _come_nearer(from_, lies) >= least):
                now, weight, near, answered = tried, left, lies, answered + 1
                break
        if answered == ANSWERED:
            break
    return now


def _without_quotation(edit: Edit) -> Edit:
    """Return the edit without the words of a paper at its end: they make a text like the paper."""
    head, colon, _ = edit.sentence.partition(": ")
    if not colon or not CITES.search(head):
        return edit
    return replace(edit, sentence=head.removesuffix("; the approach there"))


def _is_novelty(goal: Indicator) -> bool:
    return goal.name.strip().lower() == "novelty"


def _nearness(case: IdeaCase) -> float | None:
    """Return how near an idea lies to a published paper (cosine): by its whole text to the
    background, as the figures beside a verdict have it; where there is none, by what it does to the
    built-in papers. None where nothing is near.
    """
    whole = case.library.whole_cosine(case.idea.text, case.context)
    return whole if whole is not None else case.nearest and case.nearest[1]


def _come_nearer(was: float | None, now: float | None) -> float:
    """Return by how much an idea came nearer, of the figures as they are printed."""
    return 0.0 if was is None or now is None else round(round(now, 2) - round(was, 2), 2)


_INSTEAD = re.compile(
    r"^(?:please )?(?:(?:measure|use|take|record|assess|test|try|collect) )?(?P<new>[^.;:]{3,90}?)"
    r" (?:instead of|rather than|in place of) (?:only |just |merely )?(?:an? |the )?"
    r"(?P<old>[\w -]{3,60}?)[ .!]*$",
    re.IGNORECASE,
)


def _swap(fields: Mapping[str, str], text: str) -> Iterator[Edit]:
    """Yield the sentences of an idea in which what somebody wants to see replaced is named, with
    what they want instead; what is quoted from a paper stays.
    """
    wanted = _INSTEAD.match(clean(text))
    if not wanted:
        return
    new, last = wanted["new"].strip(), wanted["old"].split()[-1]
    stem = re.escape(last.removesuffix("s"))
    if re.search(stem, new, re.IGNORECASE):
        return
    old = re.compile(
        rf"(?:\b(?:an?|the) )?(?:\b(?:validated|standard|short) )?\b{stem}s?\b"
        r"(?: (?:scores?|results?|answers?)\b)?",
        re.IGNORECASE,
    )
    for field, whole in fields.items():
        for line in sentences(whole):
            if field == "title" or WISHED.match(line) or _quote(line) or not old.search(line):
                continue
            # As it is written: a backslash, as of LaTeX, is no part of a pattern.
            swapped = paragraph(old.sub(lambda _: uncapitalise(new), line))
            yield Edit(field, swapped, re.compile(f"^{re.escape(line)}$"))


def _condition(wish: Wish) -> str:
    whose = f"As {clip(clean(wish.by), 60)} asked"
    return f"{whose}, this is a condition of the plan: {clip(retell(clean(wish.text)), 300)}"


def apply_edits(
    fields: dict[str, str], edits: Sequence[tuple[Edit, str]], before: tuple[Change, ...] = ()
) -> RevisedIdea:
    """Return the six fields with the edits made, each under the id of the remark it answers;
    earlier changes that still stand are kept.
    """
    lines = {name: list(sentences(text)) for name, text in fields.items()}
    changes = list(before)
    for edit, name in edits:
        passage = _put_in(lines[edit.field], edit)
        remarks = (name,) if name else ()
        changes.append(Change(field=edit.field, passage=passage, remarks=remarks))
    fresh = {change.passage for change in changes}
    whole = {name: _bound(name, some, fresh) for name, some in lines.items()}
    return RevisedIdea(
        **whole,
        changes=tuple(change for change in changes if change.passage in whole[change.field]),
    )


def _place(
    case: IdeaCase, rules: Sequence[Rule], remarks: Sequence[Remark]
) -> list[tuple[Remark, Rule]]:
    """Return the remarks with the rule each stands for: the one that says the same, or else the
    nearest in meaning.
    """
    found = shortfall(case, rules)
    by_text = {text: rule for rule, text in found}
    placed = [(remark, by_text[remark.text]) for remark in remarks if remark.text in by_text]
    used = [rule for _, rule in placed]
    strange = [remark for remark in remarks if remark.text not in by_text]
    free = [(rule, text) for rule, text in found if rule not in used]
    if strange and free:
        asked = case.library.embed([remark.text for remark in strange])
        as_put = asked @ case.library.embed([text for _, text in free]).T
        plainly = asked @ case.library.embed([rule.plainly for rule, _ in free]).T
        near = np.maximum(
            np.where(as_put >= SAME, as_put, 0), np.where(plainly >= MEANT, plainly, 0)
        )
        for remark, row in zip(strange, near, strict=True):
            rule, _ = free[int(row.argmax())]
            if row.max() and rule not in used:
                placed.append((remark, rule))
                used.append(rule)
    return placed


def _put_in(lines: list[str], edit: Edit) -> str:
    """Put the sentence in the place of those it displaces or that quote the same words of a paper,
    or at the end; return it as it stands.
    """
    if edit.field == "title":
        lines[:] = [clip(clean(edit.sentence), 140)]
        return lines[0]
    passage = paragraph(clean(edit.sentence))
    quote = _quote(passage)
    gone = [
        n
        for n, line in enumerate(lines)
        if not WISHED.match(line)
        and ((edit.displaces and edit.displaces.search(line)) or (quote and _quote(line) == quote))
    ]
    if gone:
        lines[gone[0]] = passage
        lines[:] = [line for n, line in enumerate(lines) if n not in gone[1:]]
    elif passage not in lines:
        lines.append(passage)
    return passage


def _quote(line: str) -> str:
    """Return the words of a paper that a sentence quotes after naming it; empty where it does
    not.
    """
    head, colon, told = line.partition(": ")
    return flat(told) if colon and CITES.search(head) else ""


def _bound(name: str, lines: list[str], fresh: set[str]) -> str:
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
    effect = f"{case.device}{case.by} on {case.matter}{case.raised}"
    aim = paragraph(case.put.aim if case.put else f"To measure the effect of {effect}")
    impact = paragraph(
        f"The outcome shows, either way, whether there is an effect of {case.device} on"
        f" {case.matter}"
    )
    if case.idea.form == "chain":
        fields = {name: _ALONE.sub("", text).strip() for name, text in fields.items()}
        problem = f"{fields['motivation']} {fields['difference']}"
        impact = f"{impact} {fields['challenges']}"
        parts = (fields["title"], problem, aim, fields["novelty"], fields["method"], impact)
    else:
        parts = _open_up(case, aim, impact)
    return dict(zip(FORMS["six-field"], parts, strict=True))


def _open_up(case: IdeaCase, aim: str, impact: str) -> tuple[str, str, str, str, str, str]:
    """Return the six fields of a one-paragraph idea: a person's own words stay the core of each,
    and a paper's terms of one joined from papers.
    """
    text, own = case.idea.fields["hypothesis"], case.own
    measure = case.study.measure
    if case.plot:
        method = paragraph(f"Try {case.device} in {case.place} and record {measure}")
        unsettled = paragraph(f"The effect of {case.device} on {case.matter} is not settled")
        return title(case.plot.device, case.plot.matter), unsettled, aim, text, method, impact
    if own and own.action:
        claim = own.claim(measure)
        unsettled = f"Whether {own.doing} makes a difference is not settled"
        shows = paragraph("The outcome shows, either way, whether the proposal does what it should")
        return own.title, paragraph(unsettled), paragraph(own.aim), paragraph(claim), text, shows
    if own:
        line, objective = own.words, own.aim
        trial = f"seeks out cases with {case.device}, or brings it about,"
    else:
        line, trial = (sentences(text) or (text,))[0], "puts this to the test"
        objective = f"To find out whether the idea holds as it was put: {clip(line, 300)}"
    return (
        headline(clip(line.rstrip(" .!"), 120)),
        paragraph("Whether the idea holds is not settled"),
        paragraph(objective),
        text,
        paragraph(f"A first small trial {trial} and records {measure}"),
        paragraph("The outcome shows, either way, whether the idea holds as it was put"),
    )


def verdict(
    library: PassageLibrary, goal: Indicator, context: tuple[Paper, ...], older: Idea, newer: Idea
) -> Verdict:
    """Compare two versions by the same rules and, for novelty, by the distance to the nearest
    paper: of the background, by the whole text, as the figures beside a verdict have it.
    """
    rules = rules_for(library, goal)
    before, after = IdeaCase(library, older, goal, context), IdeaCase(library, newer, goal, context)
    lacked = [rule for rule, _ in shortfall(before, rules)]
    lacks = [rule for rule, _ in shortfall(after, rules)]
    was, now = sum(rule.weight for rule in lacked), sum(rule.weight for rule in lacks)
    gained = [rule.name for rule in lacked if rule not in lacks]
    lost = [rule.name for rule in lacks if rule.weight and rule not in lacked]
    distance = _distance(before, after)
    weighed = f"the weight of unmet rules stays at {now}"
    if was != now:
        name = clip(goal.name, 80)
        weighed = f"the weight of unmet rules for {name} went from {was} to {now}"
    measured = paragraph(
        f"Measured by the same {sum(rule.weight > 0 for rule in rules)} rules, {weighed}",
        f"Newly met: {join_list(gained)}" if gained else "",
        f"No longer met: {join_list(lost)}" if lost else "",
        distance.told,
    )
    repeats = _distinct_sentences(older) == _distinct_sentences(newer)
    farther = _is_novelty(goal) and distance.farther >= MOVED and now <= was and not repeats
    nearer = _is_novelty(goal) and distance.nearer >= MOVED
    if (now < was and not nearer) or farther:
        return Verdict(improved=True, reason=measured)
    why = "What changed is wording or order, not what the rules measure"
    if older == newer:
        why = "The two versions are the same"
    elif repeats:
        why = "What came stands there already, or only its order changed"
    elif nearer and now < was:
        why = "What the rules gained does not count where an idea comes that much nearer to a paper"
    elif gained:
        why = "What was gained was lost elsewhere"
    return Verdict(improved=False, reason=paragraph(measured, why))


class Distance(NamedTuple):
    """What became of the distance to the nearest paper from one version to the next (cosine)."""

    farther: float = 0.0
    """By how much the newer one lies farther: by its text, and by what it does as well, since other
    matter beside it moves a text too.
    """
    nearer: float = 0.0
    """By how much the newer one lies nearer, both in the same form: that an idea is restated in
    other fields is no change of it.
    """
    told: str = ""


def _distance(before: IdeaCase, after: IdeaCase) -> Distance:
    """Measure the distance by the whole text to the background, as the figures beside a verdict
    have it; where there is none, by what the idea does to the built-in papers.
    """
    was, now = _nearness(before), _nearness(after)
    if was is None or now is None or not before.nearest or not after.nearest:
        return Distance()
    core = before.nearest[1] - after.nearest[1]
    by, paper = "By its whole text", "the nearest background paper"
    if not before.context:
        by, paper = "In what it does", "the nearest built-in paper"
    restated, told = was, _how_near(by, was, now, paper)
    if before.context and after.idea.form == "six-field" != before.idea.form:
        six = Idea(form="six-field", fields=six_fields(before))
        restated = before.library.whole_cosine(six.text, before.context) or was
        told += "; it is judged beside the version before restated in these fields"
    return Distance(min(core, was - now), _come_nearer(restated, now), told)


def _how_near(by: str, was: float, now: float, paper: str) -> str:
    """Say what became of the distance, by the figures as they are printed, which stand on record
    beside and are not said again.
    """
    nearer = _come_nearer(was, now)
    if abs(nearer) < MOVED:
        return f"{by} the idea lies about as near to {paper} as before"
    where = "nearer to" if nearer > 0 else "farther from"
    return f"{by} the idea lies {where} {paper} than before"


def _distinct_sentences(idea: Idea) -> frozenset[str]:
    return frozenset(flat(line) for text in idea.fields.values() for line in sentences(text))


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
        review=review_idea(library, upcoming, context, newer),
    )


def side_effect(
    library: PassageLibrary, goal: Indicator, context: tuple[Paper, ...], older: Idea, newer: Idea
) -> SideEffect:
    """Say what became of another quality: the verdict both ways."""
    ahead = verdict(library, goal, context, older, newer)
    back = verdict(library, goal, context, newer, older)
    if ahead.improved == back.improved:
        return SideEffect(effect="unchanged", reason=ahead.reason)
    return SideEffect(effect="better" if ahead.improved else "worse", reason=ahead.reason)


def in_six_fields(library: PassageLibrary, idea: Idea) -> SixFields:
    """Restate an idea in six fields, with plain sentences where its form has no counterpart."""
    return SixFields(**six_fields(IdeaCase(library, idea, PLAIN, ())))
