"""Who wrote a paper, for lines that have room for a few names."""

import pytest

from core.export.papers import cite
from core.literature.authors import briefly, cited, listed
from core.records import Paper


def paper(*authors: str, **more) -> Paper:
    return Paper(id="p", title="Naps", year=2024, authors=authors, **more)


@pytest.mark.parametrize(
    ("authors", "whole", "short", "label"),
    [
        ((), "Unknown authors", "", "2024"),
        (("Ada Lund",), "Ada Lund", "Ada Lund", "Lund, 2024"),
        (("Ada Lund", "Bo Q"), "Ada Lund and Bo Q", "Ada Lund, Bo Q", "Lund and Q, 2024"),
        (("A B", "C D", "E F"), "A B, C D and E F", "A B, C D and 1 more", "B et al., 2024"),
        (("A B", "C D", "E F", "G H"), "A B et al.", "A B, C D and 2 more", "B et al., 2024"),
        (("A B", "others"), "A B et al.", "A B and others", "B et al., 2024"),
        (("A B", "C D", "E F", "others"), "A B et al.", "A B, C D and others", "B et al., 2024"),
    ],
)
def test_authors_are_cited_listed_and_named_in_labels(authors, whole, short, label):
    of = paper(*authors)
    assert (cited(of), listed(of, 2), briefly(of)) == (whole, short, label)


def test_a_citation_links_to_doi_and_arxiv_and_to_its_page_only_where_it_has_neither():
    def links(**where: str) -> list[str]:
        return [span.link for span in cite(paper("Ada Lund", **where)) if span.link]

    page = "https://x.org/p"
    assert links(doi="10.1/a", arxiv="2101.00001", url=page) == [
        "https://doi.org/10.1/a",
        "https://arxiv.org/abs/2101.00001",
    ]
    assert links(arxiv="2101.00001", url=page) == ["https://arxiv.org/abs/2101.00001"]
    assert links(url=page) == [page]
    assert links() == []
