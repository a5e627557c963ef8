"""A methods paragraph of a session for a paper, every number filled in from what is stored; what is
not known is said to be missing.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import median
from typing import NamedTuple

from core import VERSION
from core.agreement.contrast_tables import singular
from core.agreement.contrasts import MIXED, OF_PAIRS, WILCOXON, Contrast
from core.records import Assignment, Criterion, Task
from core.statistics.statistic import Statistic, between, p_said, shown
from core.studies.analysis import Analysis
from core.studies.counting import AnswerPlace
from core.studies.deadlines import spelled
from core.studies.filed import Filed
from core.studies.sourced import EXPERTS, Sourced, said_grouped
from core.wording.numbers import counted

SOFTWARE = f"Idea Foundry {VERSION}"
DID: dict[Task, tuple[str, str]] = {
    "rate": ("rated", "idea"),
    "rank": ("ordered", "set"),
    "compare": ("compared", "pair"),
    "comment": ("commented on", "refinement"),
}
"""What experts did, and what a unit is called."""
HEADLINES: dict[Task, tuple[str, ...]] = {
    "rate": (
        "Krippendorff's alpha (ordinal)",
        "ICC(A,k)",
        "ICC(C,k)",
        "human ceiling (Pearson's r)",
        "Pearson's r",
    ),
    "rank": ("Kendall's W", "tau-b", "Q", "A(Q)", "target found"),
    "compare": ("agreement with ties", "Krippendorff's alpha (nominal)", "left share"),
    "comment": ("Krippendorff's alpha (nominal)",),
}
"""The figures a methods paragraph names, by how they are called."""


class Methods(NamedTuple):
    """The paragraph, and what a reader will ask that is not known."""

    text: str
    missing: tuple[str, ...]

    @property
    def whole(self) -> str:
        """The paragraph with what it lacks in a list below."""
        if not self.missing:
            return self.text
        lacking = [f"- {one}" for one in self.missing]
        return "\n".join([self.text, "", "What this paragraph lacks:", *lacking])


def methods(found: Analysis) -> Methods:
    """Return a methods paragraph of a session as it stands."""
    filed = found.filed
    missing = tuple(_missing(found))
    if not filed.taking.experts:
        return Methods("", ("Nobody has answered yet, so there is nothing to report.", *missing))
    sentences = (
        *_who(filed),
        *_what(filed),
        *_blinding(found),
        *_care(filed),
        *_left_out(filed),
        *_deadline(filed),
        *_pay(filed),
        *_time(filed),
        *_agreement(found),
        *_sources(found),
        *_record(filed),
    )
    return Methods(" ".join(sentences), missing)


def _who(filed: Filed) -> Iterator[str]:
    taking = filed.taking
    task = filed.study.plan.task
    did, noun = DID[task]
    kind = "idea" if filed.study.plan.kind == "idea" else "experiment design"
    units = [unit for unit in filed.units.values() if unit.id not in filed.expected]
    texts = {label for unit in units for label in unit.labels}
    # A set is a unit for each criterion it is ordered by.
    groups = {unit.labels for unit in units}
    material = counted(len(groups), kind if task == "rate" else noun)
    if task in ("rank", "compare"):
        material += f" made of {counted(len(texts), kind)}"
    experts = counted(len(taking.experts), "expert")
    yield f"{experts} of {len(taking.invited)} invited {did} {material} under blind conditions."


def _what(filed: Filed) -> Iterator[str]:
    plan = filed.study.plan
    names = _listed([one.name for one in plan.criteria])
    match plan.task:
        case "rate":
            yield from _scored(plan.criteria)
        case "rank":
            yield (
                f"Each set was ordered from best to worst by one criterion at a time ({names});"
                " ties were allowed."
            )
        case "compare":
            yield (
                f"On {names} the answer was one of five: much better, better, no difference, and"
                ' the same for the other; "both are weak" could be added.'
            )
        case "comment":
            yield (
                "Round by round it was asked whether the review was valid, whether the revision"
                " answered it (yes, partly, no), and whether the idea had become better, stayed the"
                " same or become worse; a later round was shown only when the one before was"
                " answered."
            )
    reached = Counter(one.unit for one in _done(filed))
    units = [one.id for one in filed.units.values() if one.id not in filed.expected]
    enough = sum(reached[unit] >= plan.overlap for unit in units)
    were = "which all were"
    if enough < len(units):
        least = min(reached[unit] for unit in units)
        were = f"which {enough} of {len(units)} were (at least {least})"
    yield f"Every unit was to be answered by {counted(plan.overlap, 'expert')}, {were}."
    yield f"In all, {filed.counts.said}."


def _scored(criteria: Sequence[Criterion]) -> Iterator[str]:
    """Yield how ideas were rated: on which scales, and where words were asked for."""
    by_scale: dict[str, list[str]] = defaultdict(list)
    for one in criteria:
        if one.kind == "scale":
            by_scale[one.on].append(one.name)
    if by_scale:
        scales = _listed([f"{on} on {_listed(names)}" for on, names in by_scale.items()])
        yield (
            f"Each was scored {scales}, both ends of every scale being described;"
            ' "cannot judge" was offered.'
        )
    for kind, asked in (
        ("yes/no", "A question with yes or no was asked on {}; its mean is the share of yes."),
        ("text", "Free text was asked for on {}; it is listed, and in no figure."),
    ):
        if names := [one.name for one in criteria if one.kind == kind]:
            yield asked.format(_listed(names))
    for reason, asked in (("required", "asked for"), ("optional", "invited")):
        if names := [one.name for one in criteria if one.reason == reason]:
            yield f"A reason was {asked} beside the answer on {_listed(names)}."


def _done(filed: Filed) -> list[Assignment]:
    """Return the work units that experts whose answers count have done, repeats not counted."""
    done = (one for one in filed.lists.values() if one.done and one.seat in filed.taking.experts)
    return [one for one in done if filed.rule.counts(AnswerPlace(one.seat, one.unit, one.time))]


def _blinding(found: Analysis) -> Iterator[str]:
    plan = found.study.plan
    form = ", brought into one common form" if plan.same_form else ""
    yield (
        f"Texts were frozen copies under labels drawn by chance{form}; no source, model, score or"
        " other expert's answer was shown."
    )
    shuffled = plan.task in ("rate", "compare") and len(plan.criteria) > 1
    criteria = "; the order of criteria was drawn once for each expert" if shuffled else ""
    yield f"The order of units was drawn by chance for each expert{criteria}."
    if plan.task == "compare":
        yield (
            "Sides were dealt so that within each expert every source stands on the left as often"
            f" as on the right{_sides(found)}."
        )
    if plan.task == "rank":
        yield "The order shown within a set was drawn by chance for each expert."


def _sides(found: Analysis) -> str:
    """Return how evenly sources really stood on both sides, once they are known."""
    if found.sourced is None:
        return ""
    shown = [
        tuple(found.sourced.origins[label] for label in one.shown) for one in _done(found.filed)
    ]
    stood = Counter(source for pair in shown for source in pair)
    left = Counter(pair[0] for pair in shown)
    shares = [left[source] / stood[source] for source in stood]
    if not shares:
        return ""
    ends = dict.fromkeys(f"{100 * share:.0f}" for share in (min(shares), max(shares)))
    return f" (over all answers, each was on the left {' to '.join(ends)} % of the time)"


def _care(filed: Filed) -> Iterator[str]:
    plan = filed.study.plan
    taking = filed.taking
    if plan.practice:
        yield "Experts began with a practice unit, which was not stored."
    if plan.attention:
        failed = "nobody failed"
        if n := len(taking.inattentive):
            treated = "left out of all figures" if filed.attentive else "kept in"
            failed = f"{counted(n, 'expert')} failed and {'was' if n == 1 else 'were'} {treated}"
        if n := len(filed.unchecked):
            nobody = n == len(taking.experts) and not taking.inattentive
            left = f"{failed}; {counted(n, 'expert')} answered none, and"
            failed = f"{left} {'was' if n == 1 else 'were'} kept in"
            failed = "nobody answered one" if nobody else failed
        checks = _given(filed, lambda one: one.time == 1 and one.unit in filed.expected)
        given = f"Each was given {checks}" if checks else "None was given a unit"
        yield f"{given} with a known answer to test attention; {failed}."
    # Short lists have room for fewer repeats than were planned.
    if repeats := _given(filed, lambda one: one.time == 2):
        yield (
            f"Each was given {repeats} a second time; second answers count towards self-agreement"
            " only."
        )


def _given(filed: Filed, kind: Callable[[Assignment], bool]) -> str:
    """Say how many units of a kind are on the lists of experts whose answers count: a link that was
    revoked leaves fewer. Empty where there are none.
    """
    every = [one.seat for one in filed.lists.values() if kind(one)]
    numbers = [every.count(seat) for seat in filed.taking.experts]
    fewest = min(numbers)
    most = max(numbers)
    if fewest == most or not most:
        return counted(most, "unit") if most else ""
    return f"{fewest} to {counted(most, 'unit')}" if fewest else f"up to {counted(most, 'unit')}"


def _left_out(filed: Filed) -> Iterator[str]:
    taking = filed.taking
    seen = {*taking.begun, *taking.declined, *taking.withdrawn, *taking.revoked}
    losses = (
        (len(taking.declined), "declined"),
        (len(taking.withdrawn), "withdrew (with all answers left out)"),
        (len(taking.revoked), "lost access before the end (with answers until then kept)"),
        (len(taking.invited) - len(seen), "never began"),
    )
    if lost := [f"{n} {what}" for n, what in losses if n]:
        yield f"Of those invited, {_listed(lost)}."
    unfinished = sum(filed.seats[seat].step not in ("done", "revoked") for seat in taking.experts)
    if unfinished:
        yield f"{counted(unfinished, 'expert')} had not finished."
    people = set(taking.experts)
    if skipped := filed.counts.skipped:
        were = "was, and is" if skipped == 1 else "were, and are"
        yield f"Units could be skipped with a reason; {skipped} {were} in no figure."
    if flagged := sum(place.seat in people for place in filed.flagged):
        were = "was" if flagged == 1 else "were"
        yield f"{counted(flagged, 'answer')} of experts {were} flagged with a reason, and counted."


def _pay(filed: Filed) -> Iterator[str]:
    """Yield what the terms promised as the first answer came, and what they were changed to."""
    people = {seat for seat, one in filed.seats.items() if not one.model}
    began = min((one.at for one in filed.answers if one.seat in people), default="")
    later = [one for one in filed.pay_set if began and one[0] >= began]
    before = [pay for at, pay in filed.pay_set if not began or at < began]
    first = before[-1] if before else ("" if later else filed.terms.pay)
    if first or later:
        said = [f"The terms promised the experts {first or 'nothing at first'}"]
        said += [f"from {spelled(at)} on {pay or 'nothing'}" for at, pay in later]
        yield f"{'; '.join(said)}."


def _deadline(filed: Filed) -> Iterator[str]:
    """Yield the deadline that held as the session opened, its changes, and how many were late."""
    first = filed.deadlines.at(filed.study.opened) if filed.study.opened else ""
    changes = filed.deadlines.since(filed.study.opened)
    if not first and not changes:
        return
    # Set once the session is open is no change, where there was none before.
    said = [f"The deadline was {spelled(first)}"] if first else ["The session opened without one"]
    said += [
        f"on {spelled(at)} it was set to {spelled(due)}"
        if due
        else f"on {spelled(at)} it was lifted"
        for at, due in changes
    ]
    yield f"{'; '.join(said)}."
    late = filed.counts.late
    if not late:
        yield "No answer that counts was filed after the deadline that held then."
        return
    experts = {
        place.seat
        for place, one in filed.last.items()
        if place.seat in filed.taking.experts
        and filed.rule.counts(place)
        and filed.deadlines.is_late(one.at)
    }
    yield (
        f"{counted(late, 'answer')} of {counted(len(experts), 'expert')} came after the deadline"
        f" that held then, and {'counts' if late == 1 else 'count'}."
    )


def _time(filed: Filed) -> Iterator[str]:
    times = [one.active / 60 for one in _done(filed) if one.active > 0]
    if times:
        yield f"The median unit took {median(times):.1f} minutes of active work."
    told = [filed.afterwards[seat] for seat in filed.taking.experts if seat in filed.afterwards]
    if told:
        yield (
            f"Afterwards {counted(len(told), 'expert')} put their familiarity with the field at a"
            f" median of {median(one.familiarity for one in told):g} and their confidence at"
            f" {median(one.confidence for one in told):g}, both of 5."
        )


def _agreement(found: Analysis) -> Iterator[str]:
    filed = found.filed
    judges = []
    for seat in filed.taking.models:
        done = [one.done for one in filed.lists.values() if one.seat == seat and one.time == 1]
        far = "" if all(done) else f" ({sum(done)} of {len(done)})"
        judges.append(filed.called[seat] + far)
    if judges:
        role = "a model judge" if len(judges) == 1 else "model judges"
        yield (
            f"The same units were answered by {_listed(judges)} as {role}, in none of the"
            " experts' figures."
        )
    if figures := [_word(one) for one in _headlines(found) if one.value is not None]:
        yield f"Agreement, with 95 % intervals: {'; '.join(figures)}."


def _headlines(found: Analysis) -> Iterator[Statistic]:
    """Yield the figures a methods paragraph names."""
    for part in found.parts:
        for one in part.statistics:
            if one.name in HEADLINES[found.study.plan.task] and one.raters != 1:
                yield one


def _word(figure: Statistic) -> str:
    ends = between(figure.low, figure.high).replace("95 % interval ", "")
    words = f"{figure.about}, {figure.name} = {shown(figure.value or 0.0)}{ends}"
    if figure.p is not None:
        words += f", {p_said(figure.p)}"
    words += f", n = {figure.n} {figure.unit}"
    if ends:
        words += f" ({figure.how.replace(';', ',')})"
    return words


def _sources(found: Analysis) -> Iterator[str]:
    """Yield where the texts came from, and the experts' figures by source, once the key is
    open.
    """
    if found.sourced is None:
        return
    yield f"Unknown to the experts, the texts came from {_sized(found.sourced.origins)}."
    if found.sourced.grouping.at:
        yield said_grouped(found.sourced.grouping, found.sourced.left_out).strip()
    if found.sourced.noun == "group":
        yield f"The groups are {_sized(found.sourced.sources)}."
    digits = found.sourced.digits
    by_criterion: dict[str, list[str]] = defaultdict(list)
    ways: dict[str, None] = {}
    notes: dict[str, None] = {}
    for one in found.sourced.figures:
        figure = one.figure
        if one.who != EXPERTS or figure.value is None:
            continue
        within = f"n = {figure.n} {figure.unit}"
        if figure.low is not None and figure.high is not None:
            within = f"{figure.low:.{digits}f} to {figure.high:.{digits}f}, {within}"
            way, _, note = figure.how.partition("; With ")
            ways[way] = None
            if note:
                notes[f" With {note.removesuffix('.')}."] = None
        value = f"{one.source} {figure.value:.{digits}f} ({within})"
        by_criterion[one.criterion].append(value)
    if not by_criterion:
        return
    figures = "; ".join(f"{name}, {', '.join(some)}" for name, some in by_criterion.items())
    yield (
        f"By {found.sourced.noun} ({found.sourced.measure}), by the experts, with 95 % intervals"
        f" where there are several ideas: {figures}."
    )
    if ways:
        yield f"Intervals by {found.sourced.noun}: {'; '.join(ways)}.{''.join(notes)}"
    yield from _contrasts(found.sourced)


def _sized(names: Mapping[str, str]) -> str:
    """Return names, each with how many labels have it."""
    return _listed([f"{name} ({n})" for name, n in sorted(Counter(names.values()).items())])


def _contrasts(found: Sourced) -> Iterator[str]:
    """Yield the tests of sources whose assumptions the design meets: the mixed model, and others
    that nothing is to be minded of.
    """
    fitting = [one for one in found.contrasts if one.p is not None and not one.mind]
    if not fitting:
        return
    by_test: dict[str, list[Contrast]] = defaultdict(list)
    for one in fitting:
        by_test[f"{one.test} per {one.unit}" if one.test != MIXED else MIXED].append(one)
    for name, some in by_test.items():
        first = some[0]
        model = ""
        if name == MIXED:
            terms = "; ".join(first.left_out)
            without = f", without {terms}" if terms else ""
            model = (
                f" ({first.formula}, restricted maximum likelihood, Satterthwaite's degrees of"
                f" freedom{without})"
            )
        figures = "; ".join(map(_contrast, some))
        yield (
            f"{found.noun.capitalize()}s were compared by the {name}{model}, p corrected by"
            f" {first.correction} for all pairs of {found.noun}s of a criterion: {figures}."
            f"{singular(some)}"
        )
    others = sorted({f"{one.test} per {one.unit}" for one in found.contrasts if one.mind})
    if others:
        yield (
            f"Tests whose assumptions this design does not meet ({', '.join(others)}) stand in the"
            " tables."
        )


def _contrast(one: Contrast) -> str:
    measured = f"t({one.df or 0.0:.1f}) = {shown(one.t or 0.0)}"
    if one.t is None:
        measured = f"{'W' if one.test == WILCOXON else 'U'} = {one.ranks or 0.0:g}"
    value = ""
    if one.difference is not None:
        value = f" {shown(one.difference)}{between(one.low, one.high)},"
    size = ""
    if one.size is not None:
        ends = between(one.size_low, one.size_high).replace("95 % interval ", "")
        size = f", {one.effect} = {shown(one.size)}{ends}"
    corrected = "" if one.corrected is None else f", corrected {p_said(one.corrected)}"
    n = f"n = {one.n[0]}" if one.test in OF_PAIRS else f"n = {one.n[0]} and {one.n[1]}"
    return (
        f"{one.criterion}, {one.one} less {one.other}:{value} {measured},"
        f" {p_said(one.p or 0.0)}{corrected}{size}, {n} {one.unit}s"
    )


def _record(filed: Filed) -> Iterator[str]:
    study = filed.study
    days = [moment[:10] for moment in (study.opened, study.closed) if moment]
    if days:
        span = f"on {days[0]}" if len(set(days)) == 1 else f"from {' to '.join(days)}"
        yield f"Answers were collected {span}{'' if study.closed else ' and later'}."
    if study.sha:
        yield (
            f"The configuration was frozen before the first answer (SHA-256 {study.sha}) and the"
            f" session held with {SOFTWARE}."
        )


def _missing(found: Analysis) -> Iterator[str]:
    filed = found.filed
    study = found.study
    paid = "what they were paid"
    if filed.terms.rate:
        paid = "what was paid out in the end"
    yield f"Who the experts are, how they were found, and {paid}: the program does not know."
    yield "Ethics approval, or why none was needed."
    if not study.closed:
        state = "not open yet" if study.state == "draft" else "still open"
        yield f"The session is {state}: numbers may change until it is closed."
    if found.blind and study.closed:
        yield "Where the texts come from: reveal the sources to report figures by source."
    if short := sum(seat not in filed.afterwards for seat in filed.taking.experts):
        yield f"Familiarity and confidence of {counted(short, 'expert')}."
    if late := filed.counts.late:
        yield (
            f"Why {counted(late, 'answer')} filed after the deadline"
            f" {'counts' if late == 1 else 'count'}, and what the figures are without: answers.csv"
            " marks late ones."
        )
    reasons: dict[str, list[str]] = defaultdict(list)
    for figure in _headlines(found):
        if figure.refused or figure.few:
            reason = figure.refused or f"{figure.how}."
            reasons[reason].append(f"{figure.name} ({figure.about})")
    yield from (f"{_listed(names)}: {reason}" for reason, names in reasons.items())


def _listed(several: list[str]) -> str:
    *others, last = several or [""]
    return f"{', '.join(others)} and {last}" if others else last
