"""Files that are computed with: what is too large for that is refused with its numbers."""

from collections.abc import Iterable

import pytest

from core.errors import BadInput
from core.importing import judgments
from core.importing.analysis import FileAnalysis, of_export, of_scores
from core.importing.rating_columns import Layout
from core.importing.rating_guess import guess_layout
from core.importing.ratings import opened, take_ratings
from core.refusals import KEPT

ANSWERS = "unit,rater,time,stage,attention,label,other,criterion,value,last,kind,side"
JUDGMENTS = "keyword,model,idea,judge,originality,feasibility,clarity"


def analysed(head: str, rows: Iterable[str]) -> FileAnalysis:
    sheet = opened("a.csv", "\n".join([head, *rows]).encode())
    found = of_export(sheet)
    return found or of_scores(take_ratings(sheet, guess_layout(sheet)))


def ranked(n: int) -> list[str]:
    return [
        f"u{unit},{rater},1,,no,L{place},,novelty,{(place * step) % n + 1},yes,expert,"
        for unit in range(2)
        for rater, step in (("ada", 1), ("bob", 5))
        for place in range(n)
    ]


def test_a_set_of_more_ideas_than_anybody_orders_is_refused():
    assert analysed(ANSWERS, ranked(12)).holds == "rankings"
    with pytest.raises(BadInput, match="'u0' has 13 ideas; 12 at most"):
        analysed(ANSWERS, ranked(13))


def compared(criteria: int, model: str) -> list[str]:
    return [
        f"u{n},{rater},1,,no,a{n},b{n},c{criterion},{n % 5 - 2},yes,{kind},left"
        for criterion in range(criteria)
        for n in range(12)
        for rater, kind in (("ada", "expert"), (model, "model"))
    ]


def test_criteria_without_end_and_a_model_called_as_all_experts_are_refused():
    assert analysed(ANSWERS, compared(2, "gpt")).holds == "comparisons"
    with pytest.raises(BadInput, match="on 31 criteria; 30"):
        analysed(ANSWERS, compared(31, "gpt"))
    with pytest.raises(BadInput, match="model judge called 'experts'"):
        analysed(ANSWERS, compared(2, "experts"))
    head = "idea,rater,criterion,score,kind"
    rows = [f"i{n},{who},novelty,{n % 5},model" for n in range(12) for who in ("gpt", "experts")]
    rows += [f"i{n},ada,novelty,{n % 4},expert" for n in range(12)]
    with pytest.raises(BadInput, match="model judge called 'experts'"):
        analysed(head, rows)


def judged(keywords: int, models: int, judges: int) -> list[str]:
    return [
        f"k{keyword},m{keyword % models},an idea,j{(keyword + seat) % judges},5,6,{keyword % 9 + 1}"
        for keyword in range(keywords)
        for seat in range(2)
    ]


def test_judgments_of_more_than_a_leaderboard_holds_are_refused(monkeypatch):
    assert analysed(JUDGMENTS, judged(40, 3, 4)).holds == "judgments"
    for rows, said in (
        (judged(202, 201, 4), "of 201 models on 202 keywords, by 4 judges; 200"),
        (judged(202, 4, 201), "by 201 judges"),
        (judged(20_001, 4, 4), "on 20,001 keywords"),
    ):
        with pytest.raises(BadInput, match=said):
            analysed(JUDGMENTS, rows)
    monkeypatch.setattr(judgments, "MOST_PLACES", 159)
    with pytest.raises(BadInput, match="fewer models on many keywords"):
        analysed(JUDGMENTS, judged(40, 3, 4))


def test_sources_on_criteria_without_end_are_refused():
    def scored(sources: int, criteria: int) -> list[str]:
        return [
            f"i{n},{who},c{c},{(n + c) % 5},s{n % sources}"
            for n in range(3 * sources)
            for who in ("ada", "bob")
            for c in range(criteria)
        ]

    def compared_by_source(sources: int, criteria: int) -> FileAnalysis:
        rows = ["idea,rater,criterion,score,source", *scored(sources, criteria)]
        sheet = opened("a.csv", "\n".join(rows).encode())
        layout = guess_layout(sheet).model_copy(update={"source": "source"})
        return of_scores(take_ratings(sheet, layout))

    assert compared_by_source(3, 4).contrasts
    with pytest.raises(BadInput, match="40 sources and 2 criteria, so that 1,560 times"):
        compared_by_source(40, 2)


def test_of_many_cells_that_are_not_taken_the_first_are_listed_and_all_are_counted():
    rows = [f"i{n},ada,{n % 5 + 1}{',poor' * 10}" for n in range(2_000)]
    head = f"idea,rater,{','.join('abcdefghijk')}"
    sheet = opened("a.csv", "\n".join([head, *rows]).encode())
    layout = Layout(item="idea", rater="rater", scores=sheet.columns[2:], heads="criteria")
    found = of_scores(take_ratings(sheet, layout))
    assert (len(found.refused), found.refused_count) == (KEPT, 20_000)
    assert list(found.refused_by_reason.values()) == [20_000]
