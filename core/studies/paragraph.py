"""A methods paragraph of a session for a paper, every number filled in from what is stored; what is
not known is said to be missing.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from statistics import median
from typing import NamedTuple

from core.records import Assignment, Task
from core.statistics.statistic import Statistic, between, p_said, shown
from core.studies.analysis import Analysis
from core.studies.counting import AnswerPlace
from core.studies.filed import Filed
from core.studies.sourced import EXPERTS
from core.wording.numbers import counted

SOFTWARE = "Idea Foundry"
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
        *_time(filed),
        *_agreement(found),
        *_sources(found),
        *_record(filed),
    )
    return Methods(" ".join(sentences), missing)


def _who(filed: Filed) -> Iterator[str]:
    taking, (did, noun) = filed.taking, DID[filed.study.plan.task]
    units = [one for one in filed.units.values() if one.id not in filed.expected]
    texts = {label for one in units for label in one.labels}
    kind = {"idea": "idea", "design": "experiment design"}[filed.study.plan.kind]
    # A set is a unit for each criterion it is ordered by.
    groups = len({one.labels for one in units})
    material = counted(groups, kind if filed.study.plan.task == "rate" else noun)
    if filed.study.plan.task in ("rank", "compare"):
        material += f" made of {counted(len(texts), kind)}"
    experts = counted(len(taking.experts), "expert")
    yield f"{experts} of {len(taking.invited)} invited {did} {material} under blind conditions."


def _what(filed: Filed) -> Iterator[str]:
    plan = filed.study.plan
    names = _listed([one.name for one in plan.criteria])
    match plan.task:
        case "rate":
            yield (
                f"Each was scored from 1 to 10 on {names}, both ends of every scale being"
                ' described; "cannot judge" was offered.'
            )
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
        tuple(found.sourced.sources[label] for label in one.shown) for one in _done(found.filed)
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
        yield (
            f"Each was given {counted(plan.attention, 'unit')} with a known answer to test"
            f" attention; {failed}."
        )
    # Short lists have room for fewer repeats than were planned.
    repeats = [
        sum(one.seat == seat and one.time == 2 for one in filed.lists.values())
        for seat in taking.experts
    ]
    fewest = min(repeats)
    most = max(repeats)
    if most:
        units = counted(most, "unit")
        if fewest < most:
            units = f"{fewest} to {units}" if fewest else f"up to {units}"
        yield (
            f"Each was given {units} a second time; second answers count towards self-agreement"
            " only."
        )


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
    models = [_judge(found.filed, seat) for seat in found.filed.taking.models]
    if models:
        judges = "a model judge" if len(models) == 1 else "model judges"
        yield (
            f"The same units were answered by {_listed(models)} as {judges}, in none of the"
            " experts' figures."
        )
    if figures := [_worded(one) for one in _headlines(found) if one.value is not None]:
        yield f"Agreement, with 95 % intervals: {'; '.join(figures)}."


def _headlines(found: Analysis) -> Iterator[Statistic]:
    """Yield the figures a methods paragraph names."""
    for part in found.parts:
        for one in part.statistics:
            if one.name in HEADLINES[found.study.plan.task] and one.raters != 1:
                yield one


def _judge(filed: Filed, seat: str) -> str:
    """Return what a model judge is called, with how far it came where that is not the end."""
    done = [one.done for one in filed.lists.values() if one.seat == seat and one.time == 1]
    return filed.called[seat] + ("" if all(done) else f" ({sum(done)} of {len(done)})")


def _worded(one: Statistic) -> str:
    value = shown(one.value or 0.0)
    p = f", {p_said(one.p)}" if one.p is not None else ""
    ends = between(one.low, one.high).replace("95 % interval ", "")
    how = f" ({one.how.replace(';', ',')})" if ends else ""
    return f"{one.about}, {one.name} = {value}{ends}{p}, n = {one.n} {one.unit}{how}"


def _sources(found: Analysis) -> Iterator[str]:
    """Return where the texts came from, and the experts' figures by source, once the key is
    open.
    """
    if found.sourced is None:
        return
    texts = sorted(Counter(found.sourced.sources.values()).items())
    sources = _listed([f"{name} ({n})" for name, n in texts])
    yield f"Unknown to the experts, the texts came from {sources}."
    by_criterion: dict[str, list[str]] = defaultdict(list)
    ways: dict[str, None] = {}
    for one in found.sourced.figures:
        if one.who == EXPERTS and one.figure.value is not None:
            figure = _rounded(one.figure, found.sourced.digits)
            by_criterion[one.criterion].append(f"{one.source} {figure}")
        if one.who == EXPERTS and one.figure.low is not None:
            ways[one.figure.how] = None
    if not by_criterion:
        return
    figures = "; ".join(f"{name}, {', '.join(some)}" for name, some in by_criterion.items())
    yield (
        f"By source ({found.sourced.measure}), by the experts, with 95 % intervals where there are"
        f" several ideas: {figures}."
    )
    if ways:
        yield f"Intervals by source: {'; '.join(ways)}."


def _rounded(one: Statistic, digits: int) -> str:
    within = f"n = {one.n} {one.unit}"
    if one.low is not None and one.high is not None:
        within = f"{one.low:.{digits}f} to {one.high:.{digits}f}, {within}"
    return f"{one.value:.{digits}f} ({within})"


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
    yield (
        "Who the experts are, how they were found, and what they were paid: the program does not"
        " know."
    )
    yield "Ethics approval, or why none was needed."
    yield f"The version of {SOFTWARE}: name the release or the commit you used."
    if not study.closed:
        state = "not open yet" if study.state == "draft" else "still open"
        yield f"The session is {state}: numbers may change until it is closed."
    if found.blind and study.closed:
        yield "Where the texts come from: open the key to report figures by source."
    if short := sum(seat not in filed.afterwards for seat in filed.taking.experts):
        yield f"Familiarity and confidence of {counted(short, 'expert')}."
    reasons: dict[str, list[str]] = defaultdict(list)
    for figure in _headlines(found):
        if figure.refused or figure.few:
            reason = figure.refused or f"{figure.how}."
            reasons[reason].append(f"{figure.name} ({figure.about})")
    yield from (f"{_listed(names)}: {reason}" for reason, names in reasons.items())


def _listed(several: list[str]) -> str:
    *others, last = several or [""]
    return f"{', '.join(others)} and {last}" if others else last
