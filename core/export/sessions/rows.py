"""A session's records as rows: answers, seats, remarks, guesses, the key; every column is explained
where it is named.
"""

import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from core.records import (
    CommentAnswer,
    CompareAnswer,
    ConsentVersion,
    GroupedBy,
    Idea,
    ItemKey,
    RankAnswer,
    RateAnswer,
    Record,
    SeatTerms,
    SkipAnswer,
    StudyAnswer,
    StudyEvent,
)
from core.studies.commented import QUESTIONS
from core.studies.counting import AnswerPlace, place_of
from core.studies.filed import Filed
from core.studies.rated import matrices
from core.tables.sheets import rows_as_csv

Rows = Iterable[tuple[object, ...]]
YES, NO = "yes", "no"
WHO = {
    "seat": "The seat's id. No file has an expert's name.",
    "rater": (
        "What the seat is called in tables: E1, E2, ... for experts, a model judge by its model."
    ),
}
SPOT = {
    "unit": "What was judged at once; configuration.json has its labels.",
    "time": "1, or 2 where this seat was given the unit again.",
    "stage": "The round of a trajectory, from 1; 1 for all other tasks.",
}
ANSWERS = {
    "answer": (
        "Number of the answer. One answer has a row for each criterion (rate, compare), label"
        " (rank) or question (comment)."
    ),
    **WHO,
    **SPOT,
    "attention": "yes for a unit with a known answer, which no figure counts in.",
    "label": "The text. Compare: the first of the two in the alphabet.",
    "other": "Compare: the other text of the pair.",
    "criterion": "The criterion. Comment: the question (valid, answered, change).",
    "value": (
        'Rate: the score, 1 for yes and 0 for no; empty for "cannot judge", for free text and for a'
        " skipped unit. Rank: the mean of the places a text shares with"
        " those tied with it, 1 for the best. Compare: 2 where the text under label is much better,"
        " 1 better, 0 tie, -1 where other is better, -2 much better. Comment: the word that was"
        " chosen."
    ),
    "both_weak": "Compare: yes where both texts were called weak.",
    "position": "Where the unit stood on this seat's list, from 1.",
    "place": (
        "Where the text under label really stood in the unit as it was shown: 1 is on top, or left."
    ),
    "side": "Compare: left or right, where the text under label really stood.",
    "moment": "When the answer was filed, UTC.",
    "active_seconds": (
        "Seconds of work on the unit so far as known at export: gaps between signs of life, each"
        " counted up to two minutes."
    ),
    "revision": "1, 2, ... for answers filed one after the other at the same unit, time and stage.",
    "last": "yes for the last of those revisions. Only that one counts.",
    "counts": "yes where figures count the answer: see “Which answers count”.",
    "note": "What was written beside the answer; in the first row of an answer only.",
    "kind": "expert or model: who answered.",
    "scale": "Rate: the lowest and the highest score of the criterion; empty for free text.",
    "words": "Rate: the answer in free text; empty where there was nothing to say.",
    "reason": "Rate: the reason given for this criterion.",
    "skipped": (
        "Why the unit was skipped. It is then one row, without criterion and value, and counts in"
        " no figure."
    ),
    "flagged": "Why the answer was flagged; in the first row of an answer only. It counts.",
    "late": "yes where it was filed after the deadline of then: events.csv, “deadline set”.",
}
RATINGS = {
    "idea": "The text's label.",
    "rater": WHO["rater"],
    "criterion": "The criterion.",
    "score": "On the scale of the criterion; 1 for yes and 0 for no.",
    "time": "1, or 2 where the rater was given the text again.",
    "kind": "expert or model: who rated.",
    "scale": "The lowest and the highest score of the criterion.",
}
WORDS = {
    "label": "The text.",
    "rater": WHO["rater"],
    "kind": "expert or model: who wrote it.",
    "time": "1, or 2 where the rater was given the text again.",
    "criterion": "The criterion; empty for a unit that was skipped or flagged.",
    "of": "text (an answer in free text), reason, skipped or flagged.",
    "text": "The words.",
}
SEATS = {
    **WHO,
    "kind": "expert or model.",
    "model": "The model judge that sits here.",
    "step": "Where the seat is; declined, withdrawn and revoked are ends before the end.",
    "counts": (
        "yes where this seat's answers are in the figures; of an expert who withdrew they are in no"
        " file either."
    ),
    "answers": "How many answers of this seat count: see “Which answers count”.",
    "begun": "When consent was given, UTC.",
    "ended": "When the seat was done, or ended otherwise, UTC.",
    "units": "Units on this seat's list, with attention units and repeats.",
    "done": "How many of them were answered, or skipped.",
    "skipped": "How many were skipped with a reason.",
    "flagged": "How many answers were flagged.",
    "active_minutes": "Minutes of work in all.",
    "attention_failed": "yes where an attention unit was answered in another way than it asks.",
    "criteria": "The criteria in the order this seat saw them.",
    "familiarity": "With the field, said afterwards: 1 not at all, 5 works in it.",
    "confidence": "In the own answers, said afterwards: 1 to 5.",
    "seen_before": "Labels of texts the expert knew before, said afterwards.",
    "note": "What was written at the end.",
    "consent": "Which version of the consent was agreed to: see consents.csv.",
    "agreed_units": "How many units the expert last agreed to.",
}
CONSENTS = {
    "version": "1 is that of the frozen plan.",
    "moment": "Since when it was in force, UTC.",
    "sha": "SHA-256 of the text in UTF-8.",
    "text": "What experts read and agreed to.",
}
SHOWN = {
    **WHO,
    "unit": SPOT["unit"],
    "time": SPOT["time"],
    "position": "Where the unit stood on this seat's list, from 1.",
    "label": "The text.",
    "place": "Where it stood in the unit: 1 is on top, or left.",
    "called": (
        "What the text was called on the screen: in a unit that was given again not by its label,"
        " by which it would have been known."
    ),
    "unit_opened": "When the unit was first on this seat's screen, UTC.",
    "text_opened": (
        "Sets: when the text was first opened in this unit, UTC; empty where it was not, or where"
        " the session is older than this record."
    ),
}
GUESSES = {
    **WHO,
    "unit": SPOT["unit"],
    "label": "The text taken for the idea by people; empty for cannot tell.",
}
REMARKS = {
    **WHO,
    **SPOT,
    "label": "The refinement.",
    "of": "The text the passage is from: idea or review.",
    "quote": "The passage, word for word.",
    "text": "The remark.",
    "moment": "When it was filed, UTC.",
}
EVENTS = {
    "moment": "When, UTC.",
    "seat": WHO["seat"],
    "what": "What happened.",
    "detail": "More of it; who opened the key is not named.",
}
KEY = {
    "label": "The label experts saw.",
    "title": "The text's title.",
    "method": "What made the text.",
    "model": "With which model.",
    "topic": "On which topic.",
    "source": "Run and place, or file and row.",
    "entry": "The entry it was frozen from.",
    "target": "yes for the idea by people in a set that hides one.",
    "attention": "yes for a text of a unit with a known answer.",
    "group": (
        "The group, or source, in which figures by source count the text; empty where it is left"
        " out, and of texts with a known answer."
    ),
    "grouped_by": (
        "What group is: source (as it is called), method, model, topic, category or collection (as"
        " they were when the texts were grouped), hand. When it was chosen: events.csv, “sources"
        " grouped”, the last one."
    ),
}


def sheet(columns: Mapping[str, str], rows: Rows) -> str:
    """Return rows as CSV under the names of their columns."""
    return rows_as_csv([tuple(columns), *rows])


def lines(records: Iterable[Mapping[str, Any]]) -> str:
    """Return records as JSON, one a line."""
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


# -- answers -----------------------------------------------------------------------------------


def revisions(filed: Filed) -> Iterator[tuple[StudyAnswer, int, bool]]:
    """Yield every answer, oldest first, with which revision it is and whether it is the last; those
    of experts who withdrew are left out.
    """
    counted = Counter[AnswerPlace]()
    for answer in filed.answers:
        if filed.seats[answer.seat].step == "withdrawn":
            continue
        place = AnswerPlace(answer.seat, answer.unit, answer.time, answer.stage)
        counted[place] += 1
        last = filed.last[place].id == answer.id
        yield answer, counted[place], last


def answers(filed: Filed) -> Rows:
    """Yield the rows of `answers.csv`."""
    scales = _scales(filed)
    for answer, revision, last in revisions(filed):
        on = filed.lists[answer.seat, answer.unit, answer.time]
        said = answer.answer
        for n, (label, other, criterion, value) in enumerate(_cells(filed, answer)):
            weak = _yes(said.both_weak) if isinstance(said, CompareAnswer) else ""
            place = on.shown.index(label) + 1
            yield (
                answer.id,
                answer.seat,
                filed.called[answer.seat],
                answer.unit,
                answer.time,
                answer.stage,
                _yes(answer.unit in filed.expected),
                label,
                other,
                criterion,
                value,
                weak,
                on.position,
                place,
                ("left", "right")[place - 1] if other else "",
                answer.at,
                round(on.active, 1),
                revision,
                _yes(last),
                _yes(
                    last
                    and not isinstance(said, SkipAnswer)
                    and filed.rule.counts(place_of(answer))
                ),
                "" if n or isinstance(said, SkipAnswer) else said.note,
                _kind(filed.seats[answer.seat].model),
                scales.get(criterion, ""),
                said.texts.get(criterion, "") if isinstance(said, RateAnswer) else "",
                said.reasons.get(criterion, "") if isinstance(said, RateAnswer) else "",
                said.reason if isinstance(said, SkipAnswer) else "",
                "" if n or isinstance(said, SkipAnswer) else said.flag,
                _yes(filed.deadlines.is_late(answer.at)),
            )


def _cells(filed: Filed, filed_answer: StudyAnswer) -> Iterator[tuple[str, str, str, object]]:
    """Yield label, other label, criterion and value of everything an answer says."""
    unit, answer = filed.units[filed_answer.unit], filed_answer.answer
    match answer:
        case RateAnswer():
            for name, score in {**answer.scores, **dict.fromkeys(answer.texts)}.items():
                yield unit.labels[0], "", name, "" if score is None else score
        case RankAnswer():
            before = 0
            for group in answer.groups:
                shared = before + (len(group) + 1) / 2
                for label in group:
                    yield label, "", unit.criterion, shared
                before += len(group)
        case CompareAnswer():
            a, b = sorted(unit.labels)
            for name, each in answer.preferences.items():
                strength = 2 if each.much else 1
                side = 0
                if each.better:
                    side = 1 if each.better == a else -1
                yield a, b, name, strength * side
        case CommentAnswer():
            for question in QUESTIONS:
                yield unit.labels[0], "", question, getattr(answer, question)
        case SkipAnswer():
            yield unit.labels[0], "", "", ""


def shown(filed: Filed) -> Rows:
    """Yield the rows of `shown.csv`: every text of the units that were on a seat's screen; of
    experts who withdrew none.
    """
    for (seat, unit, time), on in filed.lists.items():
        if seat not in filed.seats or filed.seats[seat].step == "withdrawn" or not on.opened:
            continue
        called = on.called or on.shown
        for place, (label, name) in enumerate(zip(on.shown, called, strict=True), 1):
            yield (
                seat,
                filed.called[seat],
                unit,
                time,
                on.position,
                label,
                place,
                name,
                on.opened,
                filed.openings.get((seat, unit, time, label), ""),
            )


def answer_lines(filed: Filed) -> Iterator[dict[str, Any]]:
    """Yield the lines of `answers.jsonl`: every answer as it was filed, with what was shown
    where.
    """
    for answer, revision, last in revisions(filed):
        on = filed.lists[answer.seat, answer.unit, answer.time]
        yield {
            "answer": answer.id,
            "seat": answer.seat,
            "rater": filed.called[answer.seat],
            "unit": answer.unit,
            "time": answer.time,
            "stage": answer.stage,
            "attention": answer.unit in filed.expected,
            "labels": filed.units[answer.unit].labels,
            "shown": on.shown,
            "position": on.position,
            "criterion": filed.units[answer.unit].criterion,
            "said": answer.answer.model_dump(mode="json"),
            "moment": answer.at,
            "active_seconds": round(on.active, 1),
            "revision": revision,
            "last": last,
        }


def ratings(filed: Filed) -> Rows:
    """Yield the rows of `ratings.csv`: the scores that count, once each, with experts' second
    ones.
    """
    models = filed.models
    scales = _scales(filed)
    for criterion, table in matrices(filed).items():
        for at, row in zip(table.items, table.values, strict=True):
            for rater, score in zip(table.raters, row, strict=True):
                if not math.isnan(score):
                    kind = _kind(rater in models)
                    yield at, rater, criterion, int(score), 1, kind, scales[criterion]
    for place, answer in filed.said(RateAnswer, time=2):
        if place.seat not in filed.taking.models:
            label, rater = filed.units[place.unit].labels[0], filed.called[place.seat]
            for name, score in answer.scores.items():
                if score is not None:
                    yield label, rater, name, score, 2, _kind(False), scales[name]


def _scales(filed: Filed) -> dict[str, str]:
    """Return the ends of each criterion's scale, as the importer of our exports reads them."""
    found = {}
    for one in filed.study.plan.criteria:
        if one.scored and filed.study.plan.task == "rate":
            lowest, highest = one.ends
            found[one.name] = f"{lowest} to {highest}"
    return found


def remarks(filed: Filed) -> Rows:
    """Yield the rows of `remarks.csv`, of answers that count."""
    for place, filed_answer in filed.last.items():
        if isinstance(filed_answer.answer, CommentAnswer) and filed.rule.counts(place):
            yield from (
                (
                    place.seat,
                    filed.called[place.seat],
                    *place[1:],
                    filed.units[place.unit].labels[0],
                    each.of,
                    each.quote,
                    each.text,
                    filed_answer.at,
                )
                for each in filed_answer.answer.remarks
            )


# -- the rest ----------------------------------------------------------------------------------


def seats(filed: Filed, agreed: Mapping[str, SeatTerms]) -> Rows:
    """Yield the rows of `seats.csv`; `agreed` is what experts agreed to, by seat."""
    counted = filed.rule.by_seat(filed.last)
    for seat in filed.seats.values():
        mine = [on for on in filed.lists.values() if on.seat == seat.id]
        after = filed.afterwards.get(seat.id) if seat.step != "withdrawn" else None
        last = (
            (after.familiarity, after.confidence, " ".join(after.seen_before), after.note)
            if after
            else ("", "", "", "")
        )
        yield (
            seat.id,
            filed.called[seat.id],
            _kind(seat.model),
            seat.model,
            seat.step,
            _yes(counted[seat.id] > 0),
            counted[seat.id],
            seat.begun,
            seat.ended,
            len(mine),
            sum(on.done for on in mine),
            _of_seat(filed.skipped, seat.id) if seat.step != "withdrawn" else 0,
            _of_seat(filed.flagged, seat.id),
            round(sum(on.active for on in mine) / 60, 1),
            _yes(seat.id in filed.taking.inattentive),
            "; ".join(seat.criteria),
            *last,
            (terms.consent or "") if (terms := agreed.get(seat.id)) else "",
            terms.units if terms else "",
        )


def _of_seat(places: Iterable[AnswerPlace], seat: str) -> int:
    return sum(place.seat == seat for place in places)


def consents(versions: Iterable[ConsentVersion]) -> Rows:
    """Yield the rows of `consents.csv`."""
    return ((one.version, one.at, one.sha, one.text) for one in versions)


def guesses(filed: Filed) -> Rows:
    """Yield the rows of `guesses.csv`."""
    for seat, after in filed.afterwards.items():
        if seat not in filed.rule.left_out:
            for unit, label in after.human.items():
                yield seat, filed.called[seat], unit, label


def events(every: Iterable[StudyEvent]) -> Rows:
    """Yield the rows of `events.csv`."""
    return (
        (event.at, event.seat, event.what, "" if event.what == "unblinded" else event.detail)
        for event in every
    )


def key(keys: Mapping[str, ItemKey], groups: Mapping[str, str], by: GroupedBy) -> Rows:
    """Yield the rows of `key.csv`; `groups` are by label, drawn `by` what is said."""
    return (
        (
            text.label,
            text.title,
            text.method,
            text.model,
            text.topic,
            text.source,
            text.entry,
            _yes(text.target),
            _yes(text.attention),
            groups.get(text.label, ""),
            by,
        )
        for text in keys.values()
    )


def texts(records: Mapping[str, Record]) -> Iterator[dict[str, Any]]:
    """Yield the lines of `texts.jsonl`: label, kind, plain text where it is an idea, and the frozen
    record.
    """
    for label, record in records.items():
        yield {
            "label": label,
            "kind": type(record).__name__.lower(),
            "text": record.text if isinstance(record, Idea) else "",
            "sha": record.digest(),
            "record": record.model_dump(mode="json"),
        }


def _yes(value: bool) -> str:
    return YES if value else NO


def _kind(model: object) -> str:
    return "model" if model else "expert"
