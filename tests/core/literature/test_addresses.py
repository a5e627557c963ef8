"""Where a paper can be read: addresses of papers, with nothing in them that could end an
address.
"""

import pytest

from core.literature.addresses import addresses, page
from core.records import Paper


def test_ids_are_quoted_wherever_a_paper_is_shown():
    paper = Paper(
        id="s2:1",
        title="T",
        source="shelf",
        doi="10.1/a(b)<c> d#e?f",
        arxiv="math/01 01",
        url="https://x.example/a b)?q=1&r=2",
    )
    assert dict(addresses(paper)) == {
        "DOI": "https://doi.org/10.1/a%28b%29%3Cc%3E%20d%23e%3Ff",
        "arXiv": "https://arxiv.org/abs/math/01%2001",
        "Page": "https://x.example/a%20b%29?q=1&r=2",
    }


def test_what_is_no_web_address_is_no_link():
    assert addresses(Paper(id="s2:1", title="T", source="shelf", url="javascript:alert(1)")) == ()


@pytest.mark.parametrize(
    ("url", "address"),
    [
        (
            "https://a.example/x\nER  - \nTY  - JOUR",
            "https://a.example/x%0AER%20%20-%20%0ATY%20%20-%20JOUR",
        ),
        ("https://a.example/x_(1)", "https://a.example/x_(1)"),
        ("javascript:alert(1)", None),
        ("file:///etc/passwd", None),
        (None, None),
    ],
)
def test_a_reference_gives_a_web_address_on_one_line_or_none(url, address):
    assert page(Paper(id="p1", title="T", url=url)) == address
