"""Domains by nearness of meaning, on keywords labelled by hand before any of them was seen by what
is tested.
"""

import csv
import time

import numpy as np
import pytest

from core.benchmark.keywords import DOMAINS, descriptions, label_by_meaning, paper_keywords
from core.literature.embeddings import Embedder
from core.records import Keyword
from tests import DATA

with (DATA / "keyword_domains.csv").open(encoding="utf-8") as lines:
    RIGHT = {row["keyword"]: row["domains"].split("|") for row in csv.DictReader(lines)}
"""Domains that suit a keyword; two where it belongs to both."""


SOME = "once more"


@pytest.fixture(scope="module")
def labelled(tmp_path_factory):
    from core.store import Store

    embedder = Embedder(Store(tmp_path_factory.mktemp("domains")).library)
    wanted = paper_keywords().keywords
    embedder.vectors([SOME])  # It is loaded.
    before = time.process_time()
    found = {one.text: one for one in label_by_meaning(embedder, wanted)}
    took = time.process_time() - before
    embedder.vectors([f"{one.text}, {SOME}" for one in wanted[:100]])
    bare = time.process_time() - before - took
    return found, took / len(wanted) / (bare / 100)


def share_right(domains, sample=tuple(RIGHT)):
    return np.mean([domains[text] in RIGHT[text] for text in sample])


def test_every_domain_of_the_paper_is_described():
    assert tuple(descriptions()) == DOMAINS
    assert min(len(said) for said in descriptions().values()) >= 2
    assert {one for right in RIGHT.values() for one in right} <= set(DOMAINS)


def test_a_keyword_is_labelled_in_the_time_that_its_meaning_takes(labelled):
    found, times = labelled
    assert list(found) == [one.text for one in paper_keywords().keywords]
    assert times < 3
    assert {one.by for one in found.values()} == {"meaning"}
    assert {one.domain for one in found.values()} <= set(DOMAINS)


def test_four_in_five_keywords_are_labelled_right_where_half_of_the_published_labels_are(labelled):
    found, _ = labelled
    given = {text: one.domain for text, one in found.items()}
    ours, published = (
        share_right(given),
        share_right({one.text: one.domain for one in paper_keywords().keywords}),
    )
    words = " ".join(said for several in descriptions().values() for said in several).casefold()
    fresh = [text for text in RIGHT if text not in words]
    print(f"right: {ours:.1%} by meaning, {published:.1%} of the published labels, of {len(RIGHT)}")
    assert found["earthquakes"].domain == found["meteorology"].domain == "Earth science"
    assert ours >= 0.8
    assert len(fresh) > 50, "most keywords are named in no description"
    assert share_right(given, fresh) >= 0.8
    assert 0.4 < published < 0.6


def test_confidence_is_about_the_share_that_is_right(labelled):
    found, _ = labelled
    sure = np.array([found[text].confidence for text in RIGHT])
    right = np.array([found[text].domain in domains for text, domains in RIGHT.items()])
    print(
        f"mean confidence {sure.mean():.3f}, right {right.mean():.3f}; above 0.9:"
        f" {right[sure > 0.9].mean():.3f} of {(sure > 0.9).sum()}"
    )
    assert 1 / 22 <= sure.min() <= sure.max() <= 1
    assert abs(sure.mean() - right.mean()) < 0.1
    assert right[sure > 0.9].mean() > 0.9 > right[sure < 0.7].mean()


def test_what_belongs_nowhere_is_labelled_without_much_confidence(store):
    found = label_by_meaning(
        Embedder(store.library),
        [Keyword(text=text) for text in ("publication", "observation", "holism", "time travel")],
    )
    assert max(one.confidence for one in found[:3]) < 0.7


def test_what_a_person_labelled_stays(store):
    mine = Keyword(text="quasars", domain="Poetry", by="person")
    first, second = label_by_meaning(
        Embedder(store.library), [mine, Keyword(text="pulsars", domain="Finance", by="published")]
    )
    assert first == mine
    assert (second.domain, second.by) == ("Astronomy", "meaning")
    assert label_by_meaning(Embedder(store.library), [mine]) == (mine,)
    assert label_by_meaning(Embedder(store.library), []) == ()
