"""Where a paper's text cites its references: by number or by author and year, and nowhere where
that cannot be told.
"""

import threading
import time

import pytest

from core.errors import Stopped
from core.literature.full_text import Flights, citations
from core.literature.full_text.citations import cited_in
from core.records import Mention, Paper

TRANSFER = Paper(
    id="a", title="Transfer of sleep between seasons", authors=("Ada Abara", "Bo Chen"), year=2019
)
DRIFT = Paper(id="b", title="Recurrent estimators under drift", authors=("Lior Novak",), year=2020)
DEBT = Paper(
    id="c",
    title="Paying a sleep debt back in naps",
    authors=("Mara Ito", "Nils Kaya", "Oana Moreau"),
    year=2021,
)
ALL = (TRANSFER, DRIFT, DEBT)
FILLER = "Nothing of this matters to anybody who reads on. " * 8


def how(
    body: str, listed: str, papers: tuple[Paper, ...] = ALL, heading: str = "References"
) -> dict[str, Mention]:
    return {one.id: one.how for one in cited_in(f"{FILLER}{body}\n{heading}\n{listed}", papers)}


NUMBERED = """[1] A. Abara and B. Chen. Transfer of sleep
between seasons. Sleep, 2019.
[2] L. Novak. Recurrent estima-
tors under drift. 2020.
[3] M. Ito et al. Paying a Sleep Debt Back in Naps. Naps, 2021."""


def test_numbers_lists_and_ranges_of_numbers_are_told_and_titles_may_break():
    found = how(
        "Sleep carries over [1]. We extend the estimator of [2] to naps. Others did so before"
        " [1-3]. Debts are [4, 17] no matter.",
        NUMBERED,
    )
    assert found["a"].contexts == ("Sleep carries over [1].", "Others did so before [1-3].")
    assert found["b"].contexts == (
        "We extend the estimator of [2] to naps.",
        "Others did so before [1-3].",
    )
    assert found["c"].contexts == ("Others did so before [1-3].",)
    assert not any(one.intents for one in found.values())


def test_a_list_with_dots_is_numbered_too():
    listed = NUMBERED.replace("[1]", "1.").replace("[2]", "2.").replace("[3]", "3.")
    assert how("We extend the estimator of [2] to naps.", listed)["b"].contexts == (
        "We extend the estimator of [2] to naps.",
    )


@pytest.mark.parametrize(
    ("sentence", "baseline"),
    [
        ("The strongest baseline is a recurrent estimator [2].", True),
        ("We compared our network with the estimator of [2].", True),
        ("We compare to prior work in Section 5, and follow [2].", True),
        ("Estimators drift [2].", False),
    ],
)
def test_what_is_named_as_a_baseline_is_said_so(sentence, baseline):
    assert (how(sentence, NUMBERED)["b"].intents == ("baseline",)) is baseline


BY_NAME = """Ada Abara and Bo Chen. 2019. Transfer of sleep between seasons. Sleep.
Mara Ito, Nils Kaya, and Oana Moreau. Paying a sleep debt back in naps. Naps, 4(2), 2021.
Lior Novak. 2020a. Recurrent estimators under drift. In Drift.
Lior Novak. 2020b. Something else that drifts about. In Drift."""


@pytest.mark.parametrize(
    ("sentence", "of"),
    [
        ("Sleep carries over (Abara and Chen, 2019).", "a"),
        ("Abara & Chen (2019) say so.", "a"),
        ("Naps pay (Ito et al., 2021; Other, 2020).", "c"),
        ("Ito et al.'s (2021) debts are paid.", "c"),
        ("Drift hurts [Novak 2020a].", "b"),
        ("Drift hurts (Novak, 2020b).", ""),
        ("Drift hurts (Novak, 2020).", ""),
        ("Novak said that much in 2020a.", ""),
        ("Abara slept in 2018.", ""),
    ],
)
def test_names_and_years_are_told_apart_and_what_may_be_another_paper_is_left_out(sentence, of):
    found = how(sentence, BY_NAME)
    assert {name for name, one in found.items() if one.known} == ({of} if of else set())
    if of:
        assert found[of].contexts == (sentence,)


def test_two_papers_of_one_author_and_year_have_no_passages():
    twin = Paper(
        id="d", title="Something else that drifts about", authors=("Lior Novak",), year=2020
    )
    listed = BY_NAME.replace("2020a", "2020").replace("2020b", "2020")
    found = how(
        "Drift hurts (Novak, 2020). Sleep carries over (Abara and Chen, 2019).",
        listed,
        (*ALL, twin),
    )
    assert [name for name, one in found.items() if one.known] == ["a"]


def test_a_title_within_a_longer_one_is_not_that_papers_entry():
    listed = """[1] A. Abara. Seasonal transfer of sleep between seasons. Sleep, 2018.
[2] A. Abara and B. Chen. Transfer of sleep between seasons. Sleep, 2019.
[3] O. Else. Transfer of sleep between seasons of the year. Sleep, 2020.
[4] O. Else. Transfer of sleep between seasons: a reply. Sleep, 2020."""
    body = "We use it as our baseline [1]. Sleep carries over [2]. So it does [3]. Or not [4]."
    only = how(body, listed, (TRANSFER,))["a"]
    assert (only.contexts, only.intents) == (("Sleep carries over [2].",), ())


@pytest.mark.parametrize("other", ["Novak, M.", "M. Novak and A. Abara", "Mira Novak"])
def test_nor_is_another_paper_by_a_namesake_of_the_year_that_the_source_does_not_name(other):
    listed = f"""L. Novak. 2020. Recurrent estimators under drift. Drift.
{other}. 2020. Estimators that do not drift. Drift.
"""
    body = "We beat the baseline of Novak and Abara (2020) on every task."
    assert how(body, listed, (DRIFT,))["b"] == Mention()
    earlier = listed.replace(f"{other}. 2020", f"{other}. 2018")
    assert how("We extend Novak (2020) here.", earlier, (DRIFT,))["b"].contexts


@pytest.mark.parametrize(
    "heading",
    ["REFERENCES", "5 References", "## Bibliography", "VI. References", "Literature Cited"],
)
def test_the_list_is_found_under_its_usual_names(heading):
    assert how("Drift hurts [2].", NUMBERED, heading=heading)["b"].known


@pytest.mark.parametrize(
    "text",
    [
        "",
        "References",
        f"{FILLER} Drift hurts [2].",
        f"{FILLER}\nReferences\n[1] Nobody. Nothing that is known here. 1999.",
    ],
)
def test_without_a_list_or_without_the_title_in_it_nothing_is_said(text):
    assert not any(one.how.known for one in cited_in(text, ALL))


def test_a_title_of_few_letters_is_not_looked_for():
    assert not how("Drift [2].", NUMBERED, (Paper(id="x", title="Drift"),))["x"].known


def test_a_long_sentence_is_cut_around_its_citation_and_few_are_kept():
    found = how(
        "word " * 300
        + "hurts [2] "
        + "word " * 300
        + ". "
        + " ".join(f"Case {n} drifts [2]." for n in range(40)),
        NUMBERED,
    )["b"]
    assert len(found.contexts) == 3
    assert all(len(one) <= 300 for one in found.contexts)
    assert "hurts [2]" in found.contexts[0]


def test_a_hundred_pages_take_less_than_two_seconds():
    body = (
        "Sleep carries over [1], as (Novak and Kaya, 2020) said, in Abara's Abara Abara Abara ways;"
        " and so on and on [[[[ 1, 2. " * 4_000
    )
    start = time.thread_time()
    how(body, NUMBERED)
    how(body, BY_NAME)
    assert time.thread_time() - start < 2


# -- one fetch for all who ask at once ---------------------------------------------------------


def test_who_asks_while_a_file_is_fetched_waits_for_it_and_may_be_stopped_meanwhile():
    flights, begun, go, fetched = Flights[str](), threading.Event(), threading.Event(), []

    def fetch() -> str:
        fetched.append(1)
        begun.set()
        assert go.wait(5)
        return "text"

    def stopped(note: str) -> None:
        raise Stopped(note)

    got: list[str] = []
    first, second = (
        threading.Thread(target=lambda: got.append(flights.take("a", fetch, lambda note: None)))
        for _ in range(2)
    )
    first.start()
    assert begun.wait(5)
    second.start()
    with pytest.raises(Stopped):
        flights.take("a", fetch, stopped)
    go.set()
    first.join(5)
    second.join(5)
    assert (got, fetched) == (["text", "text"], [1])


def test_who_waited_for_somebody_that_was_stopped_fetches_it_himself():
    flights, begun, go = Flights[str](), threading.Event(), threading.Event()

    def broken_off() -> str:
        begun.set()
        assert go.wait(5)
        raise Stopped("Stopped as asked.")

    failed: list[Exception] = []

    def first() -> None:
        try:
            flights.take("a", broken_off, lambda note: None)
        except Stopped as error:
            failed.append(error)

    thread = threading.Thread(target=first)
    thread.start()
    assert begun.wait(5)
    assert flights.take("a", lambda: "text", lambda note: go.set()) == "text"
    thread.join(5)
    assert len(failed) == 1


@pytest.mark.parametrize("last", ["And", "Et"])
def test_a_text_that_is_nothing_but_the_name_is_read_in_the_time_of_another(last):
    """The pattern looks for further names behind each: not to the end of the text."""
    paper = TRANSFER.model_copy(update={"authors": (f"Ada {last}",)})
    listed = f"Ada {last}. Transfer of sleep between seasons. Sleep, 2019."

    def took(word: str) -> float:
        began = time.thread_time()
        how(f" {word}" * 60_000, listed, (paper,))
        return time.thread_time() - began

    assert took(last.lower()) < 100 * max(took("unlike") for _ in range(3))


def test_further_authors_are_read_over_a_comma_an_and_and_both():
    for between in (" and Chen", ", Chen", ", and Chen", " & Chen", ", Chen, and Dahl", " et al."):
        found = how(f"So said Abara{between} (2019) of naps.", BY_NAME)["a"]
        assert found.contexts == (f"So said Abara{between} (2019) of naps.",), between


def test_of_a_text_that_cites_without_end_as_much_is_read_as_a_paper_has(monkeypatch):
    monkeypatch.setattr(citations, "MOST_MARKS", 50)
    monkeypatch.setattr(citations, "MOST_CITED", 2)
    body = " ".join(f"Sleep {n} carries over [1]." for n in range(49))
    found = how(f"{body} At last [2]. Too late [3].", NUMBERED)
    assert found["a"].contexts == ("Sleep 0 carries over [1].", "Sleep 1 carries over [1].")
    assert (found["b"].contexts, found["c"].contexts) == (("At last [2].",), ())
