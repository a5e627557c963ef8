"""The shelf's own data: real, checked, connected, and forward in time."""

import json
from itertools import pairwise

import pytest

from core.errors import BadInput, SourceFailed
from core.literature.shelf import FOLDER, Shelf
from core.literature.shelf_files import read
from core.records import Paper

SHELF = Shelf(embedder=None)  # nothing here searches
FILES = read(FOLDER)
ENTRIES = {entry.id: entry for file in FILES for entry in file.papers}
EDGES = [(entry.id, cited.id) for entry in ENTRIES.values() for cited in entry.references]


def test_three_neighbourhoods_hold_many_papers_and_edges():
    assert {one.name: one.papers for one in SHELF.neighbourhoods()}.keys() == {
        "ideation",
        "orexin",
        "neural-pde",
    }
    assert len(SHELF.all()) >= 80
    assert len(EDGES) >= 80
    assert all(one.papers >= 15 and len(one.example_topics) >= 2 for one in SHELF.neighbourhoods())


def test_no_paper_is_there_twice():
    titles = ["".join(c for c in entry.title.lower() if c.isalnum()) for entry in ENTRIES.values()]
    for values in (
        titles,
        [e.arxiv for e in ENTRIES.values() if e.arxiv],
        [e.doi.lower() for e in ENTRIES.values() if e.doi],
    ):
        assert len(values) == len(set(values))


def test_every_entry_edge_and_count_says_where_it_was_seen():
    said = [e.seen for e in ENTRIES.values()] + [
        c.seen for e in ENTRIES.values() for c in e.references
    ]
    said += [e.citations.seen for e in ENTRIES.values() if e.citations]
    assert all(len(words.strip()) >= 8 for words in said)


def test_edges_lead_to_other_papers_of_the_shelf_and_never_forward_in_time():
    assert len(EDGES) == len(set(EDGES))
    for citing, cited in EDGES:
        assert citing != cited
        assert SHELF.papers((citing,))[0].before(SHELF.papers((cited,))[0]) is not True, (
            f"{citing} is older than {cited}"
        )


@pytest.mark.parametrize("entry", ENTRIES.values(), ids=ENTRIES)
def test_dates_ids_and_summaries_are_of_one_piece(entry):
    assert entry.published is None or abs(int(entry.published[:4]) - entry.year) <= 1
    assert (
        entry.arxiv is None
        or entry.arxiv.split("v")[0].replace("/", "").replace(".", "").replace("-", "").isalnum()
    )
    assert entry.doi is None or entry.doi.startswith("10.")
    assert 60 <= len(entry.summary.split()) <= 220
    assert sum(entry.summary.count(end) for end in (". ", "? ", "! ")) >= 4


@pytest.mark.parametrize(
    ("neighbourhood", "wanted"), [("ideation", 3), ("neural-pde", 3), ("orexin", 1)]
)  # no evidence yet for more of orexin
def test_neighbourhoods_hold_disjoint_chains_of_five_forward_in_time(neighbourhood, wanted):
    ours = {
        entry.id for file in FILES if file.neighbourhood == neighbourhood for entry in file.papers
    }
    later = {
        cited: sorted(a for a, b in EDGES if b == cited and a in ours and _before(cited, a))
        for cited in ours
    }
    chains = _disjoint(later, set(ours), wanted)
    assert chains is not None
    assert len({name for chain in chains for name in chain}) == 5 * wanted
    for chain in chains:
        assert all((b, a) in EDGES and _before(a, b) for a, b in pairwise(chain))


def _before(a: str, b: str) -> bool:
    return SHELF.papers((a,))[0].before(SHELF.papers((b,))[0]) is True


def _chains(later: dict, free: set, start: str, length: int):
    if length == 1:
        yield (start,)
        return
    for following in later[start]:
        if following in free:
            yield from (
                (start, *rest) for rest in _chains(later, free - {following}, following, length - 1)
            )


def _disjoint(later: dict, free: set, wanted: int):
    if not wanted:
        return []
    for start in sorted(free):
        for chain in _chains(later, free - {start}, start, 5):
            rest = _disjoint(
                later, {name for name in free - set(chain) if name > start}, wanted - 1
            )
            if rest is not None:
                return [chain, *rest]
    return None


def test_a_paper_says_that_its_summary_is_the_shelfs_own():
    assert {(paper.source, paper.abstract_by) for paper in SHELF.all()} == {("shelf", "foundry")}
    assert all(paper.seen and paper.abstract for paper in SHELF.all())


def on_shelf(name: str) -> Paper:
    return SHELF.papers((name,))[0]


def test_hops_follow_the_edges_both_ways_and_each_edge_says_where_it_was_seen():
    citing, cited = EDGES[0]
    assert cited in [paper.id for paper in SHELF.references(on_shelf(citing), 99)]
    assert citing in [paper.id for paper in SHELF.citations(on_shelf(cited), 99)]
    assert SHELF.edge(citing, cited) == ENTRIES[citing].references[0].seen
    assert SHELF.edge(cited, citing) is None


def test_limits_and_cut_offs_hold_for_hops():
    busiest = on_shelf(max(ENTRIES, key=lambda name: sum(cited == name for _, cited in EDGES)))
    whole = SHELF.citations(busiest, 99)
    assert len(SHELF.citations(busiest, 2)) == 2 < len(whole)
    older = SHELF.citations(busiest, 99, before="2024-06-01")
    assert set(older) < set(whole)
    assert all((paper.published or str(paper.year)) < "2024-06" for paper in older)


def test_papers_come_in_the_order_asked_and_unknown_ones_are_left_out():
    one, two = sorted(ENTRIES)[:2]
    assert [paper.id for paper in SHELF.papers((two, "shelf:nobody", "s2:abc", one))] == [two, one]


def test_a_paper_of_another_source_is_followed_when_the_shelf_has_the_same_and_refused_otherwise():
    citing, _ = EDGES[0]
    ours = on_shelf(citing)
    elsewhere = Paper(id="s2:abc", title=ours.title.upper(), year=ours.year)
    assert SHELF.references(elsewhere, 99) == SHELF.references(ours, 99) != ()
    with pytest.raises(BadInput, match="s2:abc"):
        SHELF.references(Paper(id="s2:abc", title="Another"), 5)


def copy(tmp_path, change):
    whole = json.loads((FOLDER / "orexin.json").read_text("utf-8"))
    change(whole)
    (tmp_path / "orexin.json").write_text(json.dumps(whole), "utf-8")
    return tmp_path


@pytest.mark.parametrize(
    "change",
    [
        lambda w: w["papers"][0].update(year="long ago"),
        lambda w: w["papers"][0].update(seen=" "),
        lambda w: w["papers"][0].pop("references"),
        lambda w: w["papers"][0].update(published="May 2020"),
        lambda w: w.pop("checked"),
        lambda w: w["papers"][0].update(more=1),
    ],
)
def test_a_damaged_file_is_a_failure_that_names_it(tmp_path, change):
    with pytest.raises(SourceFailed, match=r"orexin\.json"):
        Shelf(None, copy(tmp_path, change)).all()


def test_half_a_file_a_loose_edge_a_double_id_and_an_empty_shelf_are_failures(tmp_path):
    with pytest.raises(SourceFailed, match="missing"):
        read(tmp_path)
    with pytest.raises(SourceFailed, match="shelf:nobody"):
        read(
            copy(
                tmp_path,
                lambda w: w["papers"][0].update(
                    references=[{"id": "shelf:nobody", "seen": "nowhere"}]
                ),
            )
        )
    with pytest.raises(SourceFailed, match="more than once"):
        read(copy(tmp_path, lambda w: w["papers"].append(w["papers"][0])))
    (tmp_path / "orexin.json").write_text('{"neighbourhood": "orex')
    with pytest.raises(SourceFailed, match=r"orexin\.json"):
        read(tmp_path)
