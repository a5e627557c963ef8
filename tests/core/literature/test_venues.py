"""A journal's volume and number are parted from its name for reference managers, and joined when
they are read.
"""

import pytest

from core.literature.bibtex import bibtex
from core.literature.references import csl, ris
from core.literature.venues import Venue, join_venue, part_venue
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
