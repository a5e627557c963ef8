"""One's own literature: kept, found again, followed, and taken out without harm."""

import pytest

from core import settings
from core.errors import BadInput, SourceFailed
from core.literature.full_text import FullTexts
from core.literature.intake import Intake
from core.literature.intake_jobs import Jobs
from core.literature.own import OwnLibrary
from core.literature.own_texts import cited_in
from core.literature.port import Query
from core.literature.semantic_scholar import SemanticScholarSource
from core.records import Paper
from core.store.own import Imported, ImportReport, Skipped
from tests.conftest import SmallSource, WordEmbedder, make_run
from tests.support.servers.pdf_server import pdf
from tests.support.servers.scholar_server import ScholarServer

SLEEP = "sleep and memory of young athletes"


def paper(n: int, **more) -> Paper:
    return Paper(
        **{
            "id": f"own:{n}",
            "title": f"Study {n} of {SLEEP}",
            "year": 2000 + n,
            "abstract": SLEEP,
            "source": "library",
            **more,
        }
    )


def keep(store, *papers: Paper, edges=()) -> ImportReport:
    at = tuple(f"line {n}" for n in range(len(papers)))
    return store.library.keep_import(
        Imported(name="x.bib", format="BibTeX", papers=papers, at=at, edges=edges), "Ada"
    )


@pytest.fixture
def own(store):
    return OwnLibrary(store.library, WordEmbedder())


@pytest.fixture
def intake(store):
    return Intake(store.library, FullTexts(settings.read({}), store.library))


def test_what_is_known_already_is_reported_and_not_kept_twice(store):
    keep(store, paper(1, doi="10.1000/A"), paper(2))
    report = keep(
        store,
        paper(3),
        paper(9, id="arxiv:1", doi="10.1000/a"),
        paper(8, title=paper(2).title.upper(), year=2002),
    )
    assert [one.id for one in report.added] == ["own:3"]
    assert [(one.where, one.reason) for one in report.known] == [
        ("line 1", "in the library already, as own:1"),
        ("line 2", "in the library already, as own:2"),
    ]
    assert [one.id for one in store.library.own_papers()] == ["own:1", "own:2", "own:3"]


def test_imported_papers_stand_among_all_papers_and_are_listed_latest_first(store):
    keep(store, *(paper(n) for n in range(5)))
    assert {one.source for one in store.library.papers(source="library")} == {"library"}
    assert [one.id for one in store.library.own_listed("STUDY", limit=2, skip=1)] == [
        "own:3",
        "own:2",
    ]
    assert (
        store.library.own_count(),
        store.library.own_count("study 3"),
        store.library.own_count("nowhere"),
    ) == (5, 1, 0)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        *((name, 0) for name in ("abstract", "source", "year", "citations", "near", "null", "id")),
        ("über", 1),
        ("É. ZOLA", 1),
        ('"deep"', 1),
        ("10.1/ABC", 1),
    ],
)
def test_papers_are_found_by_what_they_say_and_not_by_what_its_parts_are_called(store, text, found):
    said = {"title": "Über das Schlafen", "authors": ("É. Zola",), "doi": "10.1/abc"}
    keep(store, paper(1).model_copy(update={**said, "abstract": 'On "deep" naps.'}))
    library = store.library
    assert (library.own_count(text), library.met_count(text)) == (found, 0)
    assert len(library.own_ids(text, library.own_newest())) == found
    assert len(library.papers(text)) == found


def test_papers_that_go_leave_the_runs_that_met_them_whole(store):
    run = make_run(store)
    keep(store, paper(1), paper(2), edges=(("own:1", "own:2"),))
    store.library.add_papers(run.id, [paper(1)])
    store.library.remove_own(("own:1", "own:2", "never:there"))
    assert store.library.own_papers() == ()
    assert [one.id for one in store.library.papers()] == ["own:1"]
    assert store.library.runs_with("own:1") == [run.id]
    assert store.library.edges_from("own:1") == ()
    assert keep(store, paper(1)).added == (paper(1),)


def test_a_run_that_met_a_paper_as_near_does_not_change_the_imported_one(store):
    keep(store, paper(1))
    store.library.add_papers(make_run(store).id, [paper(1).model_copy(update={"near": True})])
    assert store.library.own_papers() == (paper(1),)


def test_searching_finds_what_is_near_in_meaning(store, own):
    keep(
        store,
        paper(1),
        paper(2),
        paper(3, title="Battery electrolytes for sodium cells", abstract="Ions."),
    )
    assert {one.id for one in own.search(Query(text=SLEEP))} == {"own:1", "own:2"}
    assert [one.id for one in own.search(Query(text=SLEEP, before="2002-01-01"))] == ["own:1"]
    assert {one.id for one in own.search(Query(text=SLEEP, ban=("own:1",)))} == {"own:2"}
    assert own.search(Query(text="medieval trade law")) == ()
    assert own.last() == {"papers": 3}


def test_an_empty_library_finds_nothing_and_says_what_to_do(own):
    assert own.search(Query(text=SLEEP)) == ()
    assert own.papers(("own:1",)) == own.papers(()) == ()
    assert "import more" in own.about


def test_papers_come_in_the_order_asked(store, own):
    keep(store, paper(1), paper(2), paper(3))
    assert [one.id for one in own.papers(("own:3", "own:9", "own:1", "own:3"))] == [
        "own:3",
        "own:1",
    ]


def test_hops_follow_the_edges_a_file_gave_whichever_name_it_used(store, own):
    keep(
        store,
        paper(1, doi="10.1000/a"),
        paper(2, arxiv="2401.00001"),
        paper(3),
        edges=(
            ("own:3", "doi:10.1000/a"),
            ("own:3", "arxiv:2401.00001"),
            ("own:3", "doi:10.1000/elsewhere"),
        ),
    )
    assert [one.id for one in own.references(paper(3), 9)] == ["own:1", "own:2"] or [
        one.id for one in own.references(paper(3), 9)
    ] == ["own:2", "own:1"]
    assert [(one.id, one.near) for one in own.citations(paper(1), 9)] == [("own:3", False)]
    assert own.citations(paper(1), 9, before="2003-01-01") == ()
    assert own.references(paper(1), 9) == ()
    assert len(own.references(paper(3), 1)) == 1


def test_a_paper_of_another_source_is_found_by_what_it_is(store, own):
    keep(store, paper(1, doi="10.1000/a"), paper(2), edges=(("own:2", "own:1"),))
    elsewhere = Paper(
        id="s2:77", title="Another wording", doi="10.1000/A", source="semantic-scholar"
    )
    assert [one.id for one in own.citations(elsewhere, 9)] == ["own:2"]
    with pytest.raises(BadInput, match="no paper 'Unknown'"):
        own.citations(Paper(id="s2:1", title="Unknown"), 9)


def test_without_any_edge_the_near_ones_come_and_are_marked(store, own):
    keep(
        store,
        *(paper(n) for n in range(1, 6)),
        paper(7, title="Battery electrolytes", abstract="Ions."),
        paper(8, year=None),
    )
    newer, older = own.citations(paper(3), 9), own.references(paper(3), 9)
    assert {one.id for one in newer} == {"own:4", "own:5"}
    assert {one.id for one in older} == {"own:1", "own:2"}
    assert all(one.near for one in (*newer, *older))
    assert len(own.citations(paper(1), 2)) == 2
    assert {one.id for one in own.citations(paper(3), 9, before="2005-01-01")} == {"own:4"}
    assert not any(one.near for one in own.search(Query(text=SLEEP)))


LONG = "A long enough title about naps and the memory of athletes"


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        (f"as shown [3]. {LONG.upper()}, 2001.", True),
        (LONG.replace(" ", "\n"), True),
        (f"{LONG} in winter. 2001.", False),
        (f"{LONG}: a reply. 2001.", True),
        (f"A. B. {LONG} Sleep 2020", True),
        (f"A. B. {LONG} 12(3), 45, 2020", True),
        (f"Smith J {LONG}. Sleep 2020", True),
        (f"Smith J 2019 {LONG} arXiv:1901", True),
        (f"The good {LONG}. Sleep 2020", False),
        (f"A. B. {LONG.title()} For All. 2020", False),
        (f"Short of: {LONG} (2001)", True),
        (f"Not {LONG}. {LONG}. 2001.", True),
        ("see doi:10.1000/a.b.", True),
        ("10.1000/a.bc", False),
        ("10.1000/a.b/c", False),
        ("10.1000/a.b-1", False),
        ("https://doi.org/10.1000/A.B)", True),
        ("x10.1000/a.b", False),
        ("10.1000/a.b.2", False),
        ("", False),
        ("naps and the memory", False),
    ],
)
def test_a_text_that_names_a_long_title_or_a_doi_cites_it(text, cited):
    assert cited_in(text, [Paper(id="x", title=LONG, doi="10.1000/A.b")]) == (
        ["x"] if cited else []
    )


def test_a_short_title_is_not_looked_for():
    assert (
        cited_in("Attention is all you need", [Paper(id="x", title="Attention is all you need")])
        == []
    )


def test_citations_found_in_an_attached_text_are_followed_also_to_papers_imported_later(
    store, own, intake
):
    keep(store, paper(1, title=LONG), paper(5))
    filler = "Words about the way athletes sleep before a match. " * 5
    intake.attach(
        paper(5),
        pdf(filler, f"References\n1. Lee: {LONG}. 2001\n2. Study of doi:10.1000/later here"),
        "Ada",
    )
    assert [(one.id, one.near) for one in own.references(paper(5), 9)] == [("own:1", False)]
    assert [one.id for one in own.citations(paper(1, title=LONG), 9)] == ["own:5"]
    keep(store, paper(2, doi="10.1000/later"))
    assert {one.id for one in own.references(paper(5), 9)} == {"own:1", "own:2"}
    intake.attach(
        paper(5),
        pdf(filler + "Nothing is cited in this version of it, which is rather short."),
        "Ada",
    )
    assert all(one.near for one in own.references(paper(5), 9))


def test_a_pdf_becomes_a_paper_with_its_text_attached(store, intake):
    data = pdf(
        "A. Runner, B. Sleeper\nAbstract\n"
        + "Athletes who nap remember more of what they practised. " * 4
        + "\n1 Introduction\nhttps://doi.org/10.1000/naps",
        title="Naps restore the memory of athletes",
    )
    report = intake.take_file("naps.pdf", data, "Ada", SmallSource([], {}))
    assert [(one.id, one.title) for one in report.added] == [
        ("doi:10.1000/naps", "Naps restore the memory of athletes")
    ]
    assert report.added[0].abstract.startswith("Athletes who nap")
    held = store.library.attached("doi:10.1000/naps")
    assert held is not None
    assert held.origin == "Ada"
    again = intake.take_file("again.pdf", data, "Bob", SmallSource([], {}))
    assert (again.added, again.known[0].reason) == (
        (),
        "in the library already, as doi:10.1000/naps; the text is attached to it",
    )


def test_a_pdf_with_another_doi_takes_nothing_from_a_paper_of_its_title(store, intake):
    def editorial(doi: str, words: str) -> ImportReport:
        data = pdf(f"{words * 6}\nhttps://doi.org/{doi}", title="Editorial comment")
        return intake.take_file("e.pdf", data, "Ada", SmallSource([], {}))

    (first,) = editorial("10.1000/a", "On the sleep of athletes. ").added
    held = store.library.attached(first.id)
    other = editorial("10.1000/b", "On quite another subject. ")
    assert (other.added, other.known, other.attached) == ((), (), None)
    assert other.skipped[0].reason.startswith(f"{first.id} in the library has its title, and")
    assert store.library.attached(first.id) == held
    keep(store, paper(7, title="Editorial comment", doi="10.1000/c", authors=("Lee, B.",)))
    assert (
        editorial("10.1000/c", "On a third subject. ")
        .known[0]
        .reason.startswith("in the library already, as own:7")
    )


@pytest.mark.parametrize("doi", ["10.1000/sle-", "10.1000/sleep.12received", "10.1000/nnnnnnn"])
def test_a_doi_that_a_page_breaks_or_runs_on_is_no_other_one(store, intake, doi):
    keep(store, paper(1, title="Sleep of young athletes", doi="10.1000/sleep.12", year=None))
    data = pdf(
        f"{'On the sleep of athletes. ' * 6}\nhttps://doi.org/{doi}",
        title="Sleep of young athletes",
    )
    report = intake.take_file("e.pdf", data, "Ada", SmallSource([], {}))
    assert (report.added, report.skipped) == ((), ())
    assert store.library.attached("own:1") is not None


def test_a_pdf_of_a_paper_known_by_title_is_attached_to_it(store, intake):
    keep(store, paper(1, title="Naps restore the memory of athletes"))
    data = pdf(
        "A. Runner, B. Sleeper\nAbstract\n" + "Athletes who nap remember more. " * 6,
        title="Naps Restore the Memory of Athletes",
    )
    report = intake.take_file("n.pdf", data, "Ada", SmallSource([], {}))
    assert report.added == ()
    assert store.library.attached("own:1") is not None


class Elsewhere(SmallSource):
    """A source that knows papers by DOI, one of them under another DOI than the one asked for."""

    name = "elsewhere"

    def papers(self, ids):
        self._ask("papers", *ids)
        return tuple(self.known[i] for i in ids if i in self.known)


def test_a_list_is_looked_up_at_once_and_what_is_not_known_is_said(store, intake):
    keep(store, paper(1, doi="10.1000/have"))
    source = Elsewhere([], {})
    source.known = {
        "doi:10.1000/a": Paper(
            id="s2:1", title="A", doi="10.1000/A", source="elsewhere", pdf="https://x.org/a.pdf"
        ),
        "arxiv:2401.00001": Paper(
            id="s2:2", title="B", doi="10.1000/published", source="elsewhere"
        ),
    }
    report = intake.take_list(
        "typed", "10.1000/a\n2401.00001\n10.1000/have\n10.1000/nobody\nwords", "Ada", source
    )
    assert [(one.id, one.source, one.arxiv) for one in report.added] == [
        ("doi:10.1000/a", "library", None),
        ("doi:10.1000/published", "library", "2401.00001"),
    ]
    assert report.known == (
        Skipped(
            where="doi:10.1000/have",
            title=paper(1).title,
            reason="in the library already, as own:1",
        ),
    )
    assert [(one.where, one.reason) for one in report.skipped] == [
        ("line 5", "neither a DOI nor an arXiv id"),
        ("doi:10.1000/nobody", "elsewhere does not know it"),
    ]
    assert source.asked == [
        ("papers", "doi:10.1000/a", "arxiv:2401.00001", "doi:10.1000/nobody"),
        ("papers", "arxiv:2401.00001"),
    ]


def test_of_a_long_list_the_first_are_named_and_all_are_counted(store, intake, monkeypatch):
    for place in ("core.refusals.KEPT", "core.literature.intake.KEPT"):
        monkeypatch.setattr(place, 3)
    keep(store, *(paper(n, doi=f"10.1000/have{n}") for n in range(5)))
    source = Elsewhere([], {})
    source.known = {}
    lines = [
        *(f"word {n}" for n in range(2)),
        *(f"10.1000/{kind}{n}" for kind in ("have", "nobody") for n in range(5)),
    ]
    report = intake.take_list("typed", "\n".join(lines), "Ada", source)
    assert [one.where for one in report.known] == [f"doi:10.1000/have{n}" for n in range(3)]
    assert [one.where for one in report.skipped] == ["line 1", "line 2", "doi:10.1000/nobody0"]
    assert (report.known_count, report.skipped_count) == (5, 7)
    assert report.skipped_by_reason == {
        "neither a DOI nor an arXiv id": 2,
        "elsewhere does not know it": 5,
    }


def test_entries_that_are_known_already_are_named_as_far_as_they_are_first(store, monkeypatch):
    monkeypatch.setattr("core.refusals.KEPT", 3)
    papers = [paper(n) for n in range(5)]
    keep(store, *papers)
    report = keep(store, *papers)
    assert (len(report.known), report.known_count, report.added) == (3, 5, ())


def test_a_list_is_looked_up_in_a_real_service(store, intake):
    with ScholarServer() as server:
        at = settings.read(
            {}, semantic_scholar_url=server.url, semantic_scholar_interval=0.0, patience=5.0
        )
        report = intake.take_list(
            "typed",
            "https://doi.org/10.5555/A3\narXiv:2303.00005v1\n10.5555/nobody",
            "Ada",
            SemanticScholarSource(at, store.library),
        )
    assert [(one.id, one.arxiv, one.source) for one in report.added] == [
        ("doi:10.5555/a3", "2006.00002", "library"),
        ("doi:10.5555/a6", "2303.00005", "library"),
    ]
    assert [(one.where, one.reason) for one in report.skipped] == [
        ("doi:10.5555/nobody", "Semantic Scholar does not know it")
    ]


def test_a_file_of_this_computer_is_imported_and_one_that_is_not_there_is_said(intake, tmp_path):
    (tmp_path / "mine.bib").write_text("@misc{a, title={Naps}}")
    assert [
        one.title
        for one in intake.take_path(tmp_path / "mine.bib", "Ada", SmallSource([], {})).added
    ] == ["Naps"]
    with pytest.raises(BadInput, match=r"gone\.bib cannot be read"):
        intake.take_path(tmp_path / "gone.bib", "Ada", SmallSource([], {}))


def test_a_source_that_fails_imports_nothing_and_is_no_unknown_paper(store, intake):
    source = Elsewhere([], {})
    source.down = True
    with pytest.raises(SourceFailed, match="503"):
        intake.take_list("typed", "10.1000/a", "Ada", source)
    assert store.library.own_count() == 0


def test_a_job_goes_on_past_failures_and_mistakes_and_says_them():
    def fail(note):
        raise SourceFailed("The source did not answer (503).")

    job = Jobs().begin(
        [
            ("one", lambda note: ImportReport(name="one")),
            ("two", fail),
            ("three", lambda note: 1 / 0),
            ("four", lambda note: ImportReport(name="four")),
        ]
    )
    assert job.wait(5)
    assert [(one.name, one.failed.split(" (")[0]) for one in job.reports] == [
        ("one", ""),
        ("two", "The source did not answer"),
        ("three", "The program met a mistake of its own"),
        ("four", ""),
    ]


def test_a_job_that_is_stopped_says_so_and_does_not_begin_what_is_left():
    jobs = Jobs()

    def long(note):
        while True:
            note("reading")

    job = jobs.begin([("long", long), ("next", lambda note: ImportReport(name="next"))])
    job.stop()
    assert job.wait(5)
    assert ["Stopped" in one.failed for one in job.reports] == [True, True]
    assert jobs.get(job.id) is job
    assert jobs.get("nope") is None


def test_only_the_latest_jobs_are_kept():
    jobs = Jobs()
    done = [jobs.begin([("x", lambda note: ImportReport(name="x"))]) for _ in range(30)]
    for job in done:
        assert job.wait(5)
    last = jobs.begin([])
    assert jobs.get(last.id) is last
    assert sum(jobs.get(job.id) is not None for job in done) <= Jobs.KEPT
