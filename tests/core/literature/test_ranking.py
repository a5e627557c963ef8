"""Cut-off dates and bans."""

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from core.literature.port import Query
from core.literature.ranking import let_through
from core.records import Paper

days = st.dates(min_value=date(1950, 1, 1), max_value=date(2049, 12, 31))
precision = st.sampled_from(["day", "month", "year", "unknown"])


def dated(day: date, known: str, name: str = "a") -> Paper:
    published = {"day": day.isoformat(), "month": day.isoformat()[:7]}.get(known)
    return Paper(
        id=name, title="T", published=published, year=None if known == "unknown" else day.year
    )


@given(days, days)
def test_a_paper_passes_a_cut_off_exactly_when_it_came_out_before(day, cut):
    assert bool(let_through((dated(day, "day"),), Query(text="", before=cut.isoformat()))) == (
        day < cut
    )


@given(days, precision, days)
def test_what_passes_a_cut_off_cannot_have_come_out_on_or_after_it(day, known, cut):
    if let_through((dated(day, known),), Query(text="", before=cut.isoformat())):
        assert day < cut


@given(days, st.sampled_from(["month", "year"]))
def test_a_rough_date_passes_once_its_whole_span_is_over(day, known):
    assert let_through((dated(day, known),), Query(text="", before=f"{day.year + 1}-01-01"))


@given(days, days, days, precision)
def test_a_later_cut_off_never_lets_fewer_papers_through(day, one, other, known):
    early, late = sorted((one.isoformat(), other.isoformat()))
    if let_through((dated(day, known),), Query(text="", before=early)):
        assert let_through((dated(day, known),), Query(text="", before=late))


@given(days)
def test_a_paper_of_unknown_date_passes_only_where_there_is_no_cut_off(cut):
    paper = dated(cut, "unknown")
    assert not let_through((paper,), Query(text="", before=cut.isoformat()))
    assert let_through((paper,), Query(text="")) == (paper,)


@given(st.lists(st.sampled_from("abcdef")), st.sets(st.sampled_from("abcdef")))
def test_the_rest_keeps_its_order_without_banned_papers_and_repeats(names, banned):
    papers = tuple(Paper(id=name, title=name) for name in names)
    expected = [name for name in dict.fromkeys(names) if name not in banned]
    assert [p.id for p in let_through(papers, Query(text="", ban=tuple(banned)))] == expected
