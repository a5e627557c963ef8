"""Papers for reference managers: what is written is read back by programs that were not made for
it.
"""

import json
import re

import rispy

from core.literature.bibtex import bibtex
from core.literature.importing import bibtex as importing_bibtex
from core.literature.importing import ris as importing_ris
from core.literature.importing.entries import gather
from core.literature.references import csl, ris
from core.records import Paper

PAPERS = (
    Paper(
        id="arxiv:2410.13185",
        title="Chain of Ideas:\nrevolutionizing research",
        authors=("Long Li", "Weiwen Xu"),
        year=2024,
        published="2024-10-17",
        venue="EMNLP",
        abstract="Orders literature.",
        arxiv="2410.13185",
        doi="10.1/x",
    ),
    Paper(id="t:1", title="Undated", abstract="By us.", abstract_by="foundry"),
)


def test_ris_is_read_back():
    first, second = rispy.loads(ris(PAPERS))
    assert first["type_of_reference"] == "CPAPER"
    assert first["title"] == "Chain of Ideas: revolutionizing research"
    assert first["authors"] == ["Long Li", "Weiwen Xu"]
    assert (first["year"], first["doi"]) == ("2024", "10.1/x")
    assert first["urls"] == ["https://arxiv.org/abs/2410.13185"]
    assert second["title"] == "Undated"
    assert "abstract" not in second, "a summary of ours is no abstract"


def test_no_field_of_a_paper_becomes_another_field_or_another_entry():
    hostile = "x}\nER  - \n\nTY  - JOUR\nTI  - Forged, note = {\\input{/etc/passwd}"
    fields = ("arxiv", "doi", "pages", "published", "venue", "url", "pdf", "title", "abstract")
    for name in fields:
        venue = f"Sleep {hostile}(7)" if name == "venue" else "Sleep 34(7)"
        given = {"title": "Naps", "venue": venue, **({} if name == "venue" else {name: hostile})}
        paper = Paper(id="p", authors=("Ada Lund", hostile), year=2024, **given)
        (read,) = rispy.loads(ris([paper]))
        assert "Forged" not in (read["title"] if name != "title" else "")
        (item,) = json.loads(csl([paper]))
        assert "note" not in item
        text = bibtex([paper])
        assert re.search(r"\\input|[^\\]}, note", text) is None, name
        assert bool(gather("x.bib", "BibTeX", importing_bibtex.entries(text)).papers)


def test_authors_whom_nobody_names_come_back_from_ris_and_stand_in_csl_as_others():
    paper = Paper(id="p", title="On naps", authors=("Ada Lund", "others"))
    (read,) = gather("x.ris", "RIS", importing_ris.entries(ris([paper]))).papers
    assert (read.named, read.unnamed) == (("Ada Lund",), True)
    assert json.loads(csl([paper]))[0]["author"] == [
        {"family": "Lund", "given": "Ada"},
        {"literal": "others"},
    ]


def test_csl_has_names_in_parts_and_dates_as_numbers():
    first, second = json.loads(csl(PAPERS))
    assert first["author"] == [
        {"family": "Li", "given": "Long"},
        {"family": "Xu", "given": "Weiwen"},
    ]
    assert first["issued"] == {"date-parts": [[2024, 10, 17]]}
    assert (first["type"], first["DOI"]) == ("paper-conference", "10.1/x")
    printed = PAPERS[0].model_copy(update={"venue": "Nature"})
    assert json.loads(csl([printed]))[0]["type"] == "article-journal"
    assert second == {"id": "t:1", "type": "article", "title": "Undated"}
