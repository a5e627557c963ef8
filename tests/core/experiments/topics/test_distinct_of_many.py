"""Of very many ideas a summary of their cosines is recorded, and it comes to the same as every one
of them.
"""

import json
from collections import Counter

import numpy as np
import pytest

from core.experiments.topics import distinct
from core.experiments.topics.distinct import (
    MOST_PAIRS,
    PlayersIdeas,
    cosines,
    measure,
    read_rows,
    read_summary,
    summarize,
)
from core.literature.embeddings import Embedder
from core.records import FORMS, Idea
from tests.conftest import ScriptedModel, Shop, WordEmbedder, make_run
from tests.core.experiments.topics.test_distinct_by_judge import comparisons, drafts, judge
from tests.support.topics_kit import asked, done

WIDTH = 1_000


class Drawn:
    """Vectors that were drawn beforehand, and cosines as the real embedder computes them."""

    name = "drawn"
    similarities = Embedder.similarities

    def __init__(self, drawn):
        self.drawn, self.portions = drawn, []

    def vectors(self, texts):
        self.portions.append(len(texts))
        return np.stack([self.drawn[text] for text in texts])


def ideas(many: int, seed: int) -> tuple[PlayersIdeas, Drawn]:
    """Return ideas in groups, near ones and far ones, and every ninth the same as an earlier one;
    with their vectors.
    """
    random = np.random.default_rng(seed)
    written = [
        Idea(form="chain", fields=dict.fromkeys(FORMS["chain"], f"Idea {n}")) for n in range(many)
    ]
    for n in range(9, many, 9):
        written[n] = written[random.integers(n)]
    centres = random.normal(size=(many // 8 + 1, 24))
    drawn = {}
    for one in written:
        vector = centres[random.integers(len(centres))] + random.normal(0, 0.45, size=24)
        drawn[one.text] = (vector / np.linalg.norm(vector)).astype(np.float32)
    shas = tuple(one.digest() for one in written)
    held = dict(zip(shas, written, strict=True))
    return PlayersIdeas("direct", shas, ("A topic",) * many, held), Drawn(drawn)


def two_desks(folder, embedder):
    """Return a desk of a run, and another as after a resume, with their workshop and the run."""
    shop = Shop(folder, {"scripted:one": ScriptedModel({})})
    shop.embedder = embedder
    run = make_run(shop.store)
    epoch = shop.store.runs.claim(run.id, "me|1|1", 0)
    first, again = (shop.desk(run, epoch)[1].at("here") for _ in range(2))
    return first, again, shop, run


def reply_of(shop, run):
    return shop.store.steps.get(run.id, "here/cosines").reply


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("rows", [1, 7, 64])
def test_a_summary_comes_to_the_same_as_all_rows(tmp_path, monkeypatch, seed, rows):
    monkeypatch.setattr(distinct, "ROWS", rows)
    monkeypatch.setattr(distinct, "PORTION", 50)
    wrote, embedder = ideas(130, seed)
    texts = [wrote.ideas[sha].text for sha in wrote.shas]
    found = []
    for many in (130, 129):
        monkeypatch.setattr(distinct, "MANY", many)
        desk, again, shop, run = two_desks(tmp_path / str(many), embedder)
        found.append((measure(desk, asked(shop.store), wrote), cosines(again, texts)))
        assert isinstance(reply_of(shop, run), list if many == 130 else dict)
    assert found[0] == found[1]
    made, close = found[0]
    assert 1 < made.distinct < 130 * 8 / 9
    assert close.near > len(close.pairs) > 50
    assert embedder.portions[-3:] == [50, 50, 30]


def test_rows_that_an_earlier_version_recorded_are_read_and_nothing_is_computed(
    tmp_path, monkeypatch
):
    wrote, embedder = ideas(60, 5)
    desk, again, shop, run = two_desks(tmp_path, embedder)
    first = measure(desk, asked(shop.store), wrote)
    monkeypatch.setattr(distinct, "MANY", 10)
    embedder.drawn.clear()
    assert measure(again, asked(shop.store), wrote) == first
    assert isinstance(reply_of(shop, run), list)


@pytest.mark.parametrize("rows", [1, 2, 64])
def test_an_idea_near_one_that_does_not_count_counts(monkeypatch, rows):
    # 1 is near 0, and 2 is near 1 alone: 2 counts, wherever a block ends.
    monkeypatch.setattr(distinct, "ROWS", rows)
    angles = np.radians([0, 30, 60])
    found = read_summary(summarize(np.stack([np.cos(angles), np.sin(angles)], axis=1)))
    assert (found.distinct, found.near) == (2, 2)
    assert found.pairs == ((1, 0), (2, 1))
    assert found.nearest == (0.866025, 0.866025)


def test_of_ideas_all_alike_little_is_recorded_and_all_is_counted():
    many = 2_000
    reply = summarize(np.tile([0.6, 0.8], (many, 1)))
    assert len(json.dumps(reply)) < 30 * MOST_PAIRS
    assert max(Counter(n for n, *_ in reply["pairs"]).values()) == MOST_PAIRS // many
    assert (reply["distinct"], reply["near"]) == (1, many * (many - 1) // 2)
    assert read_summary(reply) == read_rows([[1.0] * n for n in range(many)])


def test_judges_are_asked_of_the_same_pairs(tmp_path, monkeypatch):
    columns: dict[str, int] = {}

    def vectors(self, texts):
        made = np.zeros((len(texts), WIDTH))
        for row, text in zip(made, texts, strict=True):
            for word, times in Counter(text.lower().split()).items():
                row[columns.setdefault(word, len(columns))] = times
        return made / np.linalg.norm(made, axis=1, keepdims=True)

    monkeypatch.setattr(WordEmbedder, "vectors", vectors, raising=False)
    found = []
    for many in (1_000, 1):
        monkeypatch.setattr(distinct, "MANY", many)
        _, models, _, held = done(
            tmp_path / str(many),
            8,
            contenders=("direct", "real-paper"),
            writer=drafts(1, 2, 1, 3, 1, 2, 4, 1),
            judge=judge(),
            distinct_by_judge=True,
            at_once=1,
        )
        pairs = {(r.values["first"].text, r.values["second"].text) for r in comparisons(models)}
        found.append((held.distinct, pairs))
    assert columns, "the second was computed in blocks"
    assert found[0] == found[1]
    assert found[0][0][0].by_judge[0].asked == 1 + 2 + 3 + 4 + 5 * 3
