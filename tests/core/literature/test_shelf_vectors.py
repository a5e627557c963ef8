"""Vectors of the built-in papers that ship with the program: whole, current, and as if computed
here.
"""

import numpy as np
import pytest

from core.literature import embeddings
from core.literature.embeddings import Embedder, embed
from core.literature.minilm import MiniLM, has_fast_bf16
from core.literature.shelf import Shelf
from core.literature.shelf_vectors import read_shipped, sha, ship
from core.models.builtin.library import PassageLibrary

ANEW = "run `python -m core.models.builtin.shipping`, which embeds the built-in papers anew"
MODELS = [MiniLM(bf16=False), MiniLM(bf16=True)]


@pytest.fixture
def texts(store) -> list[str]:
    """The built-in papers in the words a desk ranks them by."""
    return [f"{one.title}\n{one.abstract}" for one in Shelf(Embedder(store.library)).all()]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
def test_what_is_read_of_the_built_in_papers_has_vectors_that_are_current(store, texts, model):
    """Their abstracts and every sentence of theirs, and nothing else."""
    asked = set(texts)

    class Asked:
        def vectors(self, several: list[str]) -> np.ndarray:
            asked.update(several)
            held = read_shipped(model.name)
            return np.stack([np.frombuffer(held[sha(text)], np.float32) for text in several])

    shelf = Shelf(Embedder(store.library))
    PassageLibrary(Asked(), shelf).passages(shelf.all())
    assert len(asked) > 5 * len(texts)
    assert read_shipped(model.name).keys() == set(map(sha, asked)), ANEW


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
def test_cosines_are_those_of_vectors_computed_here(texts, model):
    """To the six digits that are used; in bfloat16 to the three that every processor agrees on."""
    if model.bf16 and not has_fast_bf16():
        pytest.skip("this processor does not multiply bfloat16 itself, and rounds otherwise")
    # AMX, AVX-512 and AVX2 add bfloat16 up in other orders: up to 6e-4 apart (measured).
    apart = 2e-3 if model.bf16 else 1.1e-6
    some = texts[::19]
    *fresh, topic = (
        np.frombuffer(vector, np.float32).astype(np.float64)
        for vector in embed(model, [*some, "sleep, orexin and how ideas are made"])
    )
    held = [
        np.frombuffer(read_shipped(model.name)[sha(text)], np.float32).astype(np.float64)
        for text in some
    ]
    cosines = [round(float(np.dot(vector, topic)), 6) for vector in fresh]
    assert [round(float(np.dot(vector, topic)), 6) for vector in held] == pytest.approx(
        cosines, abs=apart
    ), ANEW


def test_ranking_built_in_papers_embeds_the_topic_alone(store, texts, monkeypatch):
    computed: list[str] = []

    def fake(model: MiniLM, several: list[str]) -> list[bytes]:
        computed.extend(several)
        return [np.full(384, 384**-0.5, np.float32).tobytes() for _ in several]

    monkeypatch.setattr(embeddings, "embed", fake)
    assert len(Embedder(store.library).similarities("a topic", texts)) == len(texts)
    assert computed == ["a topic"]


def test_what_is_in_the_store_already_stays(store, texts):
    """What ran before keeps its vectors, so that it comes out the same."""
    mine = np.full(384, 384**-0.5, np.float32)
    embedder = Embedder(store.library)
    store.library.keep_vectors(embedder.name, {sha(texts[0]): mine.tobytes()})
    assert embedder.vectors(texts[:1])[0].tobytes() == mine.tobytes()


def test_vectors_of_another_model_or_in_a_damaged_file_are_not_used(tmp_path, caplog):
    vectors = {sha("text"): np.ones(384, np.float32).tobytes()}
    path = ship("mini/one/fp32/alone", vectors, tmp_path)
    assert read_shipped("mini/one/fp32/alone", tmp_path) == vectors
    assert read_shipped("mini/two/fp32/alone", tmp_path) == {}
    path.write_bytes(b"damaged")
    read_shipped.cache_clear()
    assert read_shipped("mini/one/fp32/alone", tmp_path) == {}
    assert "cannot be read" in caplog.text
    assert read_shipped("mini/one/bf16/alone", tmp_path) == {}
