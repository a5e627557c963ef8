"""Several sources as one: who answered, who failed and why is said, and no paper comes twice."""

import contextlib
import threading

import pytest

from core import settings
from core.errors import BadInput, SourceFailed, Stopped
from core.literature import SOURCES, label, spell
from core.literature.combined import SecondChoice, Together, in_order, merge
from core.literature.embeddings import Embedder
from core.literature.openalex import OpenAlexSource
from core.literature.opening import open_source
from core.literature.port import Query
from core.literature.semantic_scholar import SemanticScholarSource
from core.records import Mention, Paper, Reference
from tests.support.servers.openalex_server import OpenAlexServer, number
from tests.support.servers.scholar_server import ScholarServer, paper_id

ONE, TWO, THREE = (
    Paper(id=f"s2:{n}", title=f"Paper {n}", year=2020, doi=f"10.1/{n}") for n in (1, 2, 3)
)
TWIN = Paper(id="openalex:W2", title="Paper two", year=2021, doi="10.1/2")
QUERY = Query(text="ideas", limit=5)


class Fixed:
    """A source that answers every question alike, or fails as told; it notes what it was asked and
    by whom it is heard.
    """

    def __init__(self, name: str, *found: Paper, fails: Exception | None = None):
        self.name, self.about, self.found, self.fails, self.asked, self.heard = (
            name,
            f"About {name}.",
            found,
            fails,
            [],
            [],
        )
        self.how = Mention()

    @contextlib.contextmanager
    def telling(self, note):
        self.heard.append(note)
        yield

    def last(self):
        return {"address": self.name}

    def answer(self, *asked) -> tuple[Paper, ...]:
        self.asked.append(asked)
        if self.fails:
            raise self.fails
        return self.found

    def search(self, query):
        return self.answer("search", query)

    def papers(self, ids):
        return tuple(
            one for one in self.answer("papers", ids) if {one.id, f"doi:{one.doi}"} & set(ids)
        )

    def citations(self, paper, limit, before=None):
        return self.answer("citations", paper, limit, before)

    def references(self, paper, limit):
        return self.answer("references", paper, limit)

    def cited(self, paper, limit):
        return tuple(
            Reference(paper=one, how=self.how) for one in self.answer("cited", paper, limit)
        )


ASKS = {
    "search": lambda source: source.search(QUERY),
    "papers": lambda source: source.papers((ONE.id,)),
    "citations": lambda source: source.citations(ONE, 5, "2024-01-01"),
    "references": lambda source: source.references(ONE, 5),
}


@pytest.mark.parametrize("ask", ASKS)
def test_the_second_is_not_asked_while_the_first_answers(ask):
    first, second = Fixed("a", ONE), Fixed("b", TWO)
    both = SecondChoice(first, second)
    assert ASKS[ask](both) == (ONE,)
    assert second.asked == []
    assert both.last() == {"answered_by": "a", "address": "a"}


@pytest.mark.parametrize("ask", ASKS)
def test_the_second_answers_where_the_first_fails_and_it_is_said(ask):
    first, second = Fixed("a", fails=SourceFailed("A is down.")), Fixed("b", ONE)
    both = SecondChoice(first, second)
    assert ASKS[ask](both) == (ONE,)
    assert second.asked == first.asked
    assert both.last() == {
        "answered_by": "b",
        "address": "b",
        "instead_of": "a",
        "because": "A is down.",
    }


@pytest.mark.parametrize("ask", ASKS)
def test_where_both_fail_both_reasons_are_given(ask):
    both = SecondChoice(
        Fixed("a", fails=SourceFailed("A is down.")), Fixed("b", fails=SourceFailed("B is busy."))
    )
    with pytest.raises(SourceFailed, match=r"A is down\. B is busy\."):
        ASKS[ask](both)
    assert both.last() == {"failed": {"a": "A is down.", "b": "B is busy."}}


def test_nothing_found_by_the_first_is_an_answer():
    second = Fixed("b", TWO)
    assert SecondChoice(Fixed("a"), second).search(QUERY) == ()
    assert second.asked == []


@pytest.mark.parametrize("stop", [Stopped("Stopped."), ZeroDivisionError()])
def test_what_is_no_failure_of_the_source_goes_through(stop):
    for several in (
        SecondChoice(Fixed("a", fails=stop), Fixed("b", ONE)),
        Together(Fixed("a", fails=stop), Fixed("b", ONE)),
    ):
        with pytest.raises(type(stop)):
            several.search(QUERY)


def test_a_paper_only_the_second_can_look_up_is_followed_there_and_one_unknown_to_both_is_refused():
    refusal, failure = BadInput("A knows no such paper."), SourceFailed("B is busy.")
    assert SecondChoice(Fixed("a", fails=refusal), Fixed("b", TWO)).references(ONE, 5) == (TWO,)
    with pytest.raises(BadInput, match="A knows"):
        SecondChoice(Fixed("a", fails=refusal), Fixed("b", fails=BadInput("Nor B."))).references(
            ONE, 5
        )
    for one, other in ((refusal, failure), (failure, refusal)):
        with pytest.raises(SourceFailed, match=r"A knows.*B is busy|B is busy.*A knows"):
            SecondChoice(Fixed("a", fails=one), Fixed("b", fails=other)).references(ONE, 5)


def test_papers_the_first_does_not_know_are_asked_of_the_second_and_keep_their_places():
    second = Fixed("b", TWIN)
    found = SecondChoice(Fixed("a", ONE, THREE), second).papers(("s2:3", "openalex:W2", "s2:1"))
    assert found == (THREE, TWIN, ONE)
    assert second.asked == [("papers", ("openalex:W2",))]


def test_a_second_choice_that_answered_already_is_not_asked_again_for_what_it_does_not_know():
    second = Fixed("b", TWIN)
    assert SecondChoice(Fixed("a", fails=SourceFailed("A is down.")), second).papers(
        ("openalex:W2", "s2:9")
    ) == (TWIN,)
    assert len(second.asked) == 1


def test_three_choices_are_tried_in_turn():
    down = SourceFailed("Down.")
    three = SecondChoice(
        SecondChoice(Fixed("a", fails=down), Fixed("b", fails=down)), Fixed("c", ONE)
    )
    assert three.search(QUERY) == (ONE,)
    assert (
        three.name,
        three.last()["answered_by"],
        three.last()["instead_of"],
        three.last()["because"],
    ) == ("a|b|c", "c", "a|b", "Down. Down.")


@pytest.mark.parametrize("ask", ["search", "citations", "references"])
def test_sources_together_give_each_paper_once_in_the_order_of_the_sources(ask):
    together = Together(Fixed("a", ONE, TWO), Fixed("b", TWIN, THREE))
    assert ASKS[ask](together) == (ONE, TWO, THREE)
    assert together.last() == {
        "answered_by": ["a", "b"],
        "sources": {"a": {"address": "a"}, "b": {"address": "b"}},
    }


def test_papers_by_id_come_in_the_order_asked():
    assert Together(Fixed("a", ONE, THREE), Fixed("b", TWIN)).papers(
        ("doi:10.1/2", "s2:3", "s2:1")
    ) == (TWIN, THREE, ONE)
    assert in_order((ONE, TWO), ("s2:2",)) == (TWO, ONE)


def test_together_goes_on_when_one_fails_or_does_not_know_the_paper_and_says_who_failed():
    together = Together(
        Fixed("a", fails=SourceFailed("A is down.")),
        Fixed("b", fails=BadInput("Not mine.")),
        Fixed("c", THREE),
    )
    assert together.citations(ONE, 5) == (THREE,)
    assert together.last() == {
        "answered_by": ["c"],
        "sources": {"c": {"address": "c"}},
        "failed": {"a": "A is down."},
    }


def test_a_second_choice_within_is_said_outside_too():
    within = SecondChoice(Fixed("a", fails=SourceFailed("A is down.")), Fixed("b", TWO))
    together = Together(Fixed("c", ONE), within)
    assert together.search(QUERY) == (ONE, TWO)
    assert (
        together.last()["answered_by"],
        together.last()["instead_of"],
        together.last()["because"],
    ) == (["c", "b"], "a", "A is down.")


def test_together_fails_where_nobody_answers_and_refuses_a_paper_nobody_knows():
    down, foreign = SourceFailed("A is down."), BadInput("Not mine.")
    with pytest.raises(SourceFailed, match=r"A is down\. A is down\."):
        Together(Fixed("a", fails=down), Fixed("b", fails=down)).search(QUERY)
    with pytest.raises(SourceFailed, match="A is down"):
        Together(Fixed("a", fails=down), Fixed("b", fails=foreign)).references(ONE, 5)
    with pytest.raises(BadInput, match="Not mine"):
        Together(Fixed("a", fails=foreign), Fixed("b", fails=foreign)).references(ONE, 5)


def test_where_there_are_too_many_each_source_gives_of_its_best():
    mine, theirs = (
        [Paper(id=f"{name}:{n}", title=f"{name} {n}") for n in range(9)] for name in "ab"
    )
    assert [one.id for one in merge((tuple(mine), tuple(theirs)), 5)] == [
        "a:0",
        "a:1",
        "a:2",
        "b:0",
        "b:1",
    ]
    assert [one.id for one in merge((tuple(mine[:1]), tuple(theirs)), 5)] == [
        "a:0",
        "b:0",
        "b:1",
        "b:2",
        "b:3",
    ]


def test_a_citation_stands_before_a_paper_only_near_and_otherwise_the_first_source_has_its_way():
    near = TWO.model_copy(update={"id": "own:2", "near": True})
    assert merge(((near, ONE), (TWO,)), 5) == (ONE, TWO)
    assert merge(((THREE, TWO), (TWIN,)), 5) == (THREE, TWO)


def test_whoever_listens_hears_every_source_within():
    first, second, third = (Fixed(name) for name in "abc")
    with Together(first, SecondChoice(second, third)).telling(print):
        assert first.heard == second.heard == third.heard == [print]


def test_each_thread_remembers_only_its_own_answers():
    both = SecondChoice(Fixed("a", fails=SourceFailed("Down.")), Fixed("b", ONE))
    both.search(QUERY)
    seen = []
    other = threading.Thread(target=lambda: seen.append(both.last()))
    other.start()
    other.join()
    assert seen == [{}]
    assert both.last()["because"] == "Down."


def test_openalex_steps_in_for_semantic_scholar_on_the_same_paper(store):
    with ScholarServer() as scholar, OpenAlexServer() as alex:
        given = settings.read(
            {},
            semantic_scholar_url=scholar.url,
            openalex_url=alex.url,
            semantic_scholar_interval=0,
            openalex_interval=0,
            patience=0.5,
        )
        source = open_source("semantic-scholar|openalex", given, store, Embedder(store.library))
        (paper,) = source.papers((f"s2:{paper_id('a6')}",))
        healthy = source.references(paper, 50)
        scholar.fail("/references", "503")
        store.connections.write("DELETE FROM source_cache")
        found = source.references(paper, 50)
    assert [one.doi for one in found] == [one.doi for one in healthy]
    assert found[0].id == f"openalex:{number(paper_id('a5'))}"
    assert (source.last()["answered_by"], source.last()["instead_of"]) == (
        "openalex",
        "semantic-scholar",
    )
    assert "HTTP 503" in source.last()["because"]


def test_every_source_to_choose_from_opens_under_its_own_spelling(store):
    given, embedder = settings.read({}), Embedder(store.library)
    opened = {name: open_source(name, given, store, embedder) for name in SOURCES}
    assert {name: source.name for name, source in opened.items()} == {
        name: name for name in SOURCES
    }
    assert isinstance(opened["library+semantic-scholar|openalex"], Together)
    assert isinstance(
        open_source("semantic-scholar", given, store, embedder), SemanticScholarSource
    )
    assert isinstance(open_source("openalex", given, store, embedder), OpenAlexSource)


@pytest.mark.parametrize(
    "name",
    [
        "pubmed",
        "semantic-scholar|pubmed",
        "",
        "shelf+",
        "|openalex",
        "shelf+shelf",
        "openalex|semantic-scholar+openalex",
    ],
)
def test_what_cannot_be_opened_is_refused_with_what_there_is(store, name):
    with pytest.raises(BadInput, match=r"choose one of shelf|names a source twice"):
        open_source(name, settings.read({}), store, Embedder(store.library))


@pytest.mark.parametrize(
    ("name", "full", "words"),
    [
        ("shelf", "shelf", "Built-in papers"),
        ("semantic-scholar", "semantic-scholar|openalex", "Semantic Scholar, then OpenAlex"),
        ("openalex", "openalex|semantic-scholar", "OpenAlex, then Semantic Scholar"),
        ("library", "library", "Own literature"),
        (
            "library+openalex",
            "library+openalex|semantic-scholar",
            "Own literature with OpenAlex, then Semantic Scholar",
        ),
        ("pubmed", "pubmed", "pubmed"),
    ],
)
def test_a_service_is_spelled_with_its_second_choice_and_said_in_words(name, full, words):
    assert spell(name) == spell(full) == full
    assert label(full) == words


def test_two_services_together_are_each_others_second_choice_already():
    assert spell("semantic-scholar+openalex") == "semantic-scholar+openalex"
