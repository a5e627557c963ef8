"""A journal's volume and number are parted from its name for reference managers, and joined when
they are read.
"""

import json

import pytest

from core.export.papers import cite_plainly
from core.literature.bibtex import bibtex
from core.literature.importing import READERS
from core.literature.importing.entries import gather
from core.literature.references import csl, ris
from core.literature.venues import Venue, join_venue, name_place, part_venue, read_pages
from core.records import Paper


@pytest.mark.parametrize(
    ("venue", "parts"),
    [
        ("The Journal of Neuroscience 25(28)", ("The Journal of Neuroscience", "25", "28")),
        ("Sports Medicine 44(Suppl 1)", ("Sports Medicine", "44", "Suppl 1")),
        ("eLife 8", ("eLife", "8", "")),
        ("TMLR 2023", ("TMLR 2023", "", "")),
        ("NeurIPS 2023", ("NeurIPS 2023", "", "")),
        ("Proc. 8th ACM Conference 12(3)", ("Proc. 8th ACM Conference 12(3)", "", "")),
        ("Nature 645 (2025)", ("Nature 645 (2025)", "", "")),
        ("", ("", "", "")),
    ],
)
def test_a_venue_is_parted_and_joined_again(venue, parts):
    assert part_venue(venue) == Venue(*parts)
    assert join_venue(*parts) == venue


@pytest.mark.parametrize("volume", ["", "A-12", "2023", "12345"])
def test_what_would_not_be_parted_again_is_not_joined(volume):
    assert join_venue("Sleep", volume, "") == "Sleep"


def test_reference_managers_get_journal_volume_and_number_apart():
    paper = Paper(id="a", title="Naps", venue="Sleep 34(7)", year=2011, abstract="", source="x")
    assert "journal = {Sleep}," in bibtex([paper])
    assert "volume = {34}," in bibtex([paper])
    assert "number = {7}," in bibtex([paper])
    assert "VL  - 34" in ris([paper])
    assert '"issue": "7"' in csl([paper])


BIB = """@article{smith2021, title = {Sleep extension in athletes},
  author = {Smith, Anna and others},
  journal = {J. Sleep Res.}, volume = {30}, number = {2}, pages = {123--130}, year = {2021}}
@article{jones2020, title = {Naps after training}, author = {Jones, Ben}, journal = {Sleep},
  volume = {34}, eid = {e13200}, year = {2020}}"""
RIS = (
    "TY  - JOUR\nTI  - Naps\nAU  - Jones, Ben\nPY  - 2020\n"
    "JO  - Sleep\nVL  - 34\nSP  - 9\nEP  - 17\nER  - \n"
)


def read(text: str, ending: str) -> tuple[Paper, ...]:
    kind, entries = READERS[ending]
    return gather("x", kind, entries(text)).papers


def test_pages_are_read_and_given_again_in_every_format():
    smith, jones = read(BIB, "bib")
    (naps,) = read(RIS, "ris")
    assert (smith.pages, jones.pages, naps.pages) == ("123-130", "e13200", "9-17")
    assert name_place(smith) == "J. Sleep Res. 30(2), 123–130"
    for papers in ((smith, jones), (naps,)):
        for write, ending in ((bibtex, "bib"), (ris, "ris")):
            again = read(write(papers), ending)
            assert [one.pages for one in again] == [one.pages for one in papers]
        assert [one["page"] for one in json.loads(csl(papers))] == [one.pages for one in papers]
    assert "Sleep 34, 9–17." in cite_plainly([naps])


def test_a_paper_without_pages_is_stored_and_hashed_as_before():
    paper = Paper(id="w1", title="Naps")
    assert "pages" not in paper.model_dump()
    assert Paper.model_validate_json(paper.model_dump_json()) == paper
    paged = paper.model_copy(update={"pages": "9-17"})
    assert Paper.model_validate_json(paged.model_dump_json()) == paged
    assert read_pages("see the appendix of the second volume, which is long") == ""
