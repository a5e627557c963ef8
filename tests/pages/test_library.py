"""The library on screen."""

import pytest

from components.library import importing as library_import
from components.shell import services
from core.cases.bundled import bundled
from core.cases.bundled import opened as opened_bundled
from core.errors import SourceFailed
from core.records import Paper
from core.store.own import Imported, ImportReport, Skipped
from tests.conftest import make_run
from tests.support.scripted import refine_script, runner_of
from tests.support.servers.pdf_server import GOOD
from tests.support.visiting import host, links, said, settled, visit


@pytest.fixture
def store(tmp_path, monkeypatch):
    runner, _ = runner_of(tmp_path, refine_script())
    return host(monkeypatch, runner)


def paper(n: int, **more) -> Paper:
    return Paper(
        **{"id": f"p{n}", "title": f"Paper {n}", "year": 2000 + n, "source": "shelf", **more}
    )


def opened(app, key: str):
    app.session_state[key] = True
    return settled(app.run())


def test_no_papers_yet_leads_to_chains(store):
    app = visit("library")
    assert "found no papers yet" in said(app)
    assert any("chains" in link.page for link in links(app))


def test_a_paper_names_its_ids_its_text_and_the_runs_that_met_it(store):
    run = make_run(store)
    store.library.add_papers(
        run.id,
        [
            paper(
                1,
                abstract="On <b>naps</b>.",
                doi="10.1/x",
                arxiv="2401.00001",
                authors=("A. Author",),
            )
        ],
    )
    app = opened(visit("library"), "library:met:p1")
    text = said(app)
    assert "https://doi.org/10.1/x" in text
    assert "https://arxiv.org/abs/2401.00001" in text
    assert not [one for one in app.markdown if "<b>" in one.value]
    assert any(link.query_string == f"run={run.id}" for link in links(app))


def test_a_paper_without_an_abstract_is_not_said_to_be_read_by_it(store):
    store.library.add_papers(make_run(store).id, [paper(1)])
    text = said(opened(visit("library"), "library:met:p1"))
    assert "The source gives no abstract." in text
    assert "none known, and no abstract: runs see its title" in text
    assert "runs read the abstract" not in text


def test_an_address_that_is_no_web_address_is_no_link(store):
    store.library.add_papers(make_run(store).id, [paper(1, url="javascript:alert(1)")])
    assert "javascript" not in said(opened(visit("library"), "library:met:p1"))


def test_a_deleted_run_leaves_its_papers(store):
    run = make_run(store)
    store.library.add_papers(run.id, [paper(1)])
    store.runs.delete(run.id)
    assert "Paper 1" in said(opened(visit("library"), "library:met:p1"))


def test_what_was_only_imported_or_came_with_a_case_study_was_met_by_no_run(store):
    run = make_run(store)
    keep(store, paper(1, source="library"), paper(2, source="library"))
    store.library.add_papers(run.id, [paper(2, source="library"), paper(3)])
    opened_case(store)
    text = said(visit("library"))
    assert "2 papers, newest first" in text
    assert ("**Paper 2**" in text, "**Paper 3**" in text, "**Paper 1**" in text) == (
        True,
        True,
        False,
    )
    one = said(visit("library", **{"library:met": "paper 2"}))
    assert "1 paper" in one
    assert "newest first" not in one
    assert "No paper of your runs holds these words" in said(
        visit("library", **{"library:met": "paper 1"})
    )
    store.library.remove_own(["p2"])
    assert "2 papers, newest first" in said(visit("library"))


def opened_case(store):
    """Open a case study that comes with the program and brings papers along."""
    case = max(bundled(), key=lambda one: one.papers)
    assert opened_bundled(store, case.name).packed
    assert store.connections.number("SELECT count(*) FROM papers") > 4


def test_search_and_page_come_from_the_address(store):
    store.library.add_papers(make_run(store).id, [paper(n) for n in range(25)])
    assert "Paper 3" not in said(visit("library")).split("\n")
    assert "**Paper 3**" in said(visit("library", **{"library:met-page": "2"}))
    alone = visit("library", **{"library:met": "paper 17"})
    (card,) = [one for one in alone.expander if "Paper 17" in one.label]
    assert card.proto.expanded, "what one came for is open"
    assert "No paper of your runs" in said(visit("library", **{"library:met": "nowhere"}))


def test_the_shelf_says_who_wrote_its_summaries_and_where_it_was_checked(store):
    app = visit("library", **{"library:tab": "Built-in papers"})
    assert "Orexin" in str([one.options for one in app.get("button_group")])
    app = opened(app, "library:shelf:shelf:brown2020fewshot")
    assert "summary written for the built-in papers" in said(app)
    assert "Checked at" in said(app)


def test_a_link_by_an_earlier_name_opens_the_built_in_papers(store):
    app = visit("library", **{"library:tab": "Built-in shelf"})
    assert "Orexin" in str([one.options for one in app.get("button_group")])


def test_the_shelf_is_searched_for_words_without_the_embedding_model(store):
    text = said(
        visit("library", **{"library:tab": "Built-in papers", "library:shelf": "few-shot learners"})
    )
    assert "Language Models are Few-Shot Learners" in text
    assert "No built-in paper fits" in said(
        visit("library", **{"library:tab": "Built-in papers", "library:shelf": "zzqx"})
    )


def test_searching_by_meaning_says_that_the_model_is_not_loaded(store, monkeypatch):
    monkeypatch.setattr(services.workshop().embedder, "state", "not loaded", raising=False)
    app = visit("library", **{"library:tab": "Built-in papers", "library:meaning": "true"})
    assert "not loaded" in said(app)
    assert app.button(key="library:load")


def own_tab(**query):
    return visit("library", **{"library:tab": "Your own papers", **query})


def imported(app):
    """Press the button, wait until the import is over, and draw what became of it."""
    app = app.button(key="library:go").click().run()
    job = library_import.jobs().get(app.query_params["import"])
    assert job.wait(10)
    return settled(app.run())


def uploaded(*files):
    app = own_tab()
    app.file_uploader(key="library:files").set_value(
        [(name, data, "text/plain") for name, data in files]
    )
    return imported(app)


def keep(store, *papers: Paper) -> None:
    store.library.keep_import(
        Imported(name="x", format="BibTeX", papers=papers, at=tuple("x" for _ in papers)), "Ada"
    )


BIB = (
    b"@misc{a, title={On <b>naps</b>}, doi={10.1000/a}}\n@misc{b, title={=HYPERLINK(1)},"
    b" doi={10.1000/A}}\n@misc{c, year=2000}\n@misc{d, title={Broken, year=1}\n"
)


def test_files_are_imported_beside_the_page_and_what_was_left_out_is_said(store):
    app = uploaded(("mine.bib", BIB), ("bad.csv", b"name\nx"))
    text = said(app)
    assert "mine.bib** (BibTeX): 1 paper added, 0 known already, 3 skipped" in text
    assert "No column is named title" in text
    assert "On <b>naps</b>" in text
    rows = app.dataframe[0].value
    assert list(rows["Where"]) == ["b (line 2)", "c (line 3)", "d (line 4)"]
    assert list(rows["Why"])[:2] == ["same paper as a (line 1)", "no title"]
    assert [one.title for one in store.library.own_papers()] == ["On <b>naps</b>"]
    again = uploaded(("mine.bib", BIB))
    assert "0 papers added, 1 known already" in said(again)


def test_of_twenty_thousand_skipped_lines_five_hundred_are_drawn_and_ten_thousand_kept(store):
    app = uploaded(("dois.txt", b"".join(b"no doi %d\n" % n for n in range(20_000))))
    assert "0 papers added, 0 known already, 20,000 skipped" in said(app)
    assert list(app.dataframe[0].value["Where"]) == [f"line {n}" for n in range(1, 501)]
    assert (
        "20,000 entries that were not added in all; the first 500 are shown. The file has the"
        " first 10,000." in said(app)
    )
    (report,) = library_import.jobs().get(app.query_params["import"]).reports
    assert (len(report.skipped), report.more_skipped) == (10_000, 10_000)
    assert report.skipped_by_reason == {"neither a DOI nor an arXiv id": 20_000}


def test_the_report_as_csv_holds_no_formula():
    rows = library_import.table(
        [
            ImportReport(
                name="x.bib",
                format="BibTeX",
                skipped=(Skipped(where="b", title="=HYPERLINK(1)", reason="no, none"),),
            )
        ]
    )
    assert (
        library_import.as_csv(rows)
        == 'file,what,where,title,why\r\nx.bib,skipped,b,\'=HYPERLINK(1),"no, none"\r\n'
    )


def test_dois_are_looked_up_beside_the_page_and_a_failing_source_is_said(store):
    services.workshop().shelf_like.papers = lambda ids: (
        Paper(id="s2:1", title="Found naps", doi="10.1000/a", source="shelf"),
    )
    app = own_tab()
    app.text_area(key="library:dois").set_value("10.1000/a\nwords")
    assert "1 paper added, 0 known already, 1 skipped" in said(imported(app))
    assert store.library.own_papers()[0].source == "library"

    def down(ids):
        raise SourceFailed("The source did not answer (503).")

    services.workshop().shelf_like.papers = down
    app = own_tab()
    app.text_area(key="library:dois").set_value("10.1000/b")
    assert "The source did not answer (503)." in said(imported(app))


def test_a_second_click_shows_the_import_of_the_first(store):
    app = uploaded(("mine.bib", BIB))
    first = app.query_params["import"]
    # As a browser reports it: the form is empty again, and the address is the one before.
    del app.query_params["import"]
    app = settled(app.button(key="library:go").click().run())
    assert app.query_params["import"] == first
    assert "Choose a file" not in said(app)
    assert "mine.bib** (BibTeX): 1 paper added" in said(app)


def test_the_same_files_twice_in_a_moment_are_one_import(store, monkeypatch):
    app = uploaded(("mine.bib", BIB))
    first = app.query_params["import"]
    for same, seconds in ((True, 5.0), (False, 0.0)):
        monkeypatch.setattr("components.shell.clicks.TWICE", seconds)
        box = next(one for one in app.file_uploader if one.key.startswith("library:files"))
        box.set_value([("mine.bib", BIB, "text/plain")])
        app = imported(app)
        assert (app.query_params["import"] == first) is same


def test_nothing_to_import_is_said(store):
    assert "Choose a file" in said(own_tab().button(key="library:go").click().run())


def test_an_import_the_server_forgot_is_said(store):
    assert "ended when the server restarted" in said(own_tab(**{"import": "gone"}))


def test_a_paper_of_ones_own_is_marked_and_can_be_removed(store):
    keep(store, paper(1).model_copy(update={"source": "library"}), paper(2))
    app = opened(own_tab(), "library:own:p1")
    assert "Own literature" in said(app)
    settled(app.button(key="library:own:p1:remove").click().run())
    assert [one.id for one in store.library.own_papers()] == ["p2"]


def test_a_paper_a_run_met_is_not_ones_own_to_remove(store):
    store.library.add_papers(make_run(store).id, [paper(1)])
    app = opened(visit("library"), "library:met:p1")
    assert "Remove from my library" not in said(app)
    assert "Full text: none known" in said(app)


def remove_listed(app):
    settled(next(one for one in app.button if one.label == "Remove").click().run())


def test_all_that_a_search_found_can_be_removed_at_once(store):
    keep(store, *(paper(n) for n in range(30)))
    remove_listed(own_tab(**{"library:own": "paper 1"}))
    assert sorted(one.id for one in store.library.own_papers()) == sorted(
        f"p{n}" for n in range(30) if not str(n).startswith("1")
    )


@pytest.mark.parametrize("text", ["", "paper 1"])
def test_papers_imported_after_the_list_was_drawn_are_not_removed_with_it(store, text):
    keep(store, paper(1), paper(10))
    app = own_tab(**{"library:own": text})
    keep(store, paper(11), paper(12))
    remove_listed(app)
    assert [one.id for one in store.library.own_papers()] == ["p11", "p12"]


def test_a_pdf_is_attached_and_taken_off_again(store):
    keep(store, paper(1))
    app = opened(own_tab(), "library:own:p1")
    app = (
        app.file_uploader(key="library:own:p1:file")
        .set_value(("a.pdf", GOOD, "application/pdf"))
        .run()
    )
    app = app.button(key="library:own:p1:attach").click().run()
    assert library_import.jobs().get(app.query_params["import"]).wait(20)
    app = settled(app.run())
    assert "text attached, 2 pages" in said(app)
    assert "Full text: 2 pages, attached" in said(app)
    settled(app.button(key="library:own:p1:detach").click().run())
    assert store.library.attached("p1") is None


def test_a_pdf_that_cannot_be_read_is_said_and_attaches_nothing(store):
    keep(store, paper(1))
    app = opened(own_tab(), "library:own:p1")
    app = (
        app.file_uploader(key="library:own:p1:file")
        .set_value(("a.pdf", b"<html>", "application/pdf"))
        .run()
    )
    app = app.button(key="library:own:p1:attach").click().run()
    assert library_import.jobs().get(app.query_params["import"]).wait(20)
    assert "web page" in said(settled(app.run()))
    assert store.library.attached("p1") is None


def test_closing_a_report_takes_it_out_of_the_address(store):
    app = uploaded(("mine.bib", BIB))
    (close,) = [one for one in app.button if one.label == "Close"]
    app = settled(close.click().run())
    assert "import" not in app.query_params
    assert "mine.bib" not in said(app)
