"""How chains fail where papers do: lists that cannot be read, ends without continuation, PDFs that
are none. The card says what was read.
"""

from collections.abc import Callable, Iterator

import pytest

from components.chains.paper import read_from
from core.models.port import Request
from core.records import Chain, Link
from tests.support.servers.pdf_server import MB, PdfServer
from tests.support.servers.scholar_server import ScholarServer
from tests.support.world_kit import (
    WORLD,
    chains,
    cited_by,
    impatient,
    stop,
    story,
    world_chain,
    world_script,
)


@pytest.fixture
def scholar() -> Iterator[ScholarServer]:
    with ScholarServer(WORLD.papers) as server:
        yield server


# -- broken reference lists --------------------------------------------------------------------

BROKEN = {
    "half": "sent something that is not JSON",
    "html": "sent something that is not JSON",
    "no data": "without a list of papers: Internal problem",
    "wrong types": "Failed while following citations at Semantic Scholar",
    "other shape": "sent a list of papers that is none",
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_reference_list_that_cannot_be_read_is_a_failure_and_the_chain_grows_the_other_way(
    tmp_path, scholar, kind
):
    scholar.fail("/references", kind)
    runner = impatient(tmp_path, scholar)
    for chain in chains(runner, world_chain(runner, topic=WORLD.topics[5], branches=1)):
        failed, reason = stop(chain, "backward")
        assert failed
        assert BROKEN[kind] in reason
        assert [link.hop for link in chain.links] == ["anchor", *["forward"] * 4]


def test_withheld_references_are_nothing_found_and_no_failure(tmp_path, scholar):
    chain = grown_from(
        tmp_path, scholar, next(name for name in sorted(WORLD.having("withheld")) if cited_by(name))
    )
    failed, reason = stop(chain, "backward")
    assert (failed, reason) == (False, f"No reference of {chain.papers[0].title!r} was found.")
    assert chain.links[0].hop == "anchor"


def test_references_nobody_can_resolve_are_passed_over(tmp_path, scholar):
    broken = sorted(WORLD.having("broken"))[0]
    chain = grown_from(tmp_path, scholar, broken)
    ids = [paper.id.removeprefix("s2:") for paper in chain.papers]
    before = ids[ids.index(broken) - 1]
    assert before in WORLD.by_id
    assert WORLD.cites(broken, before)


def grown_from(folder, scholar: ScholarServer, name: str) -> Chain:
    """Grow one branch from this very paper of the world."""
    field, _, line = WORLD.lines[name].partition(" / ")
    runner = impatient(folder, scholar)
    [anchor] = runner.workshop.source("semantic-scholar").papers((f"s2:{name}",))
    [chain] = chains(
        runner, world_chain(runner, topic=f"{line} for {field}", branches=1, anchors=(anchor,))
    )
    return chain


# -- a branch with no continuation -------------------------------------------------------------


def test_a_branch_with_no_continuation_is_one_paper_long_says_why_and_still_comes_to_an_idea(
    tmp_path,
):
    alone = next(paper for paper in WORLD.papers if not cited_by(paper["paperId"])) | {
        "references": []
    }
    graph = [alone if paper["paperId"] == alone["paperId"] else paper for paper in WORLD.papers]
    with ScholarServer(graph) as scholar:
        runner = impatient(tmp_path, scholar)
        [anchor] = runner.workshop.source("semantic-scholar").papers((f"s2:{alone['paperId']}",))
        run = world_chain(runner, topic=WORLD.topics[5], anchors=(anchor,))
    lone, *others = chains(runner, run)
    assert lone.papers == (anchor,)
    assert stop(lone, "forward") == (False, f"No paper that cites {anchor.title!r} was found.")
    assert stop(lone, "backward") == (False, f"No reference of {anchor.title!r} was found.")
    assert min(len(chain.papers) for chain in others) > 1
    assert [branch.idea is not None for branch in story(runner, run).branches] == [True] * 3


def test_candidates_that_bear_on_nothing_stop_a_direction_after_three_and_say_so(tmp_path, scholar):
    asked: list[str] = []

    def only_the_anchor(request: Request) -> object:
        asked.append(request.values["paper"].id)
        return {"relevant": len(asked) == 1, "reason": "Off the topic."}

    runner = impatient(tmp_path, scholar, world_script(relevance=only_the_anchor))
    [chain] = chains(runner, world_chain(runner, topic=WORLD.topics[5], branches=1))
    failed, reason = stop(chain, "forward")
    assert not failed
    assert "of the nearest 3 that can follow it, none bears on the topic" in reason
    assert len(asked) == 4, "the anchor and three candidates"


# -- PDFs --------------------------------------------------------------------------------------


def papers_with(pdf: str) -> list[dict]:
    return [paper | {"openAccessPdf": {"url": pdf, "status": "GREEN"}} for paper in WORLD.papers]


def read_at(folder, pdfs: PdfServer, path: str) -> tuple[tuple[Link, ...], list[Request]]:
    """Grow a chain of two papers whose PDFs all lie at this path; return its links and what the
    reader was asked.
    """
    with ScholarServer(papers_with(f"{pdfs.url}{path}")) as scholar:
        runner = impatient(folder, scholar, pdf_hosts=pdfs.host)
        [chain] = chains(runner, world_chain(runner, topic=WORLD.topics[5], branches=1, length=2))
    return chain.links, [
        request for request in runner.workshop.scripted.requests if request.prompt == "extract"
    ]


def test_a_pdf_that_is_one_is_read_whole(tmp_path):
    with PdfServer() as pdfs:
        links, asked = read_at(tmp_path, pdfs, "/good.pdf")
    assert [(link.text.state, read_from(link)) for link in links] == [
        ("read", "Read from 2 pages of full text.")
    ] * 2
    assert all("Adolescent athletes who nap" in request.values["text"] for request in asked)


UNREADABLE: dict[str, tuple[str, Callable[[PdfServer], bool]]] = {
    "/page": ("There is a web page instead of a PDF.", lambda pdfs: True),
    "/page.pdf": ("There is a web page instead of a PDF.", lambda pdfs: True),
    "/endless.pdf": (
        "The PDF is larger than 30 MB.",
        lambda pdfs: 29 * MB < pdfs.served < 2 * 40 * MB,
    ),
    "/large.pdf": ("The PDF is larger than 30 MB.", lambda pdfs: pdfs.served < MB),
}


@pytest.mark.parametrize("path", UNREADABLE)
def test_a_web_page_or_50_mb_instead_of_a_pdf_leaves_the_abstract_and_the_card_says_so(
    tmp_path, path
):
    sentence, bounded = UNREADABLE[path]
    with PdfServer() as pdfs:
        links, asked = read_at(tmp_path, pdfs, path)
        assert bounded(pdfs), pdfs.served
    for link in links:
        assert (link.text.state, link.text.sha, link.text.chars) == ("failed", None, 0)
        assert (
            read_from(link)
            == f"Abstract only: the PDF could not be used: {sentence} Attach the PDF to have it"
            " read."
        )
        assert link.reading, "it is read from its abstract"
    assert [request.values["text"] for request in asked] == [None] * len(asked)


def test_a_pdf_at_a_private_address_is_not_even_asked_for(tmp_path):
    with PdfServer() as pdfs, ScholarServer(papers_with(f"{pdfs.url}/good.pdf")) as scholar:
        runner = impatient(tmp_path, scholar)
        [chain] = chains(runner, world_chain(runner, topic=WORLD.topics[5], branches=1, length=2))
        assert pdfs.asked == []
    assert all(
        link.text.state == "failed" and "private" in link.text.reason for link in chain.links
    )
