"""Checkpoints put to use: what is copied, what is refused, and that adapters are merged."""

import json

import pytest

from core.errors import BadInput
from core.models.policy_files import verify
from core.store import Store
from core.training.policies import put_to_use, take_out_of_use
from tests.support.training import tiny_policy
from tests.support.training.taught_policy import PAPERS


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    return tiny_policy.make(tmp_path_factory.mktemp("base") / "tiny")


@pytest.fixture
def checkpoint(base):
    """A checkpoint as a trainer leaves it, with what belongs to the trainer alone."""
    for name in ("optimizer.pt", "rng_state.pth", "trainer_state.json", "training_args.bin"):
        (base / name).write_bytes(b"of the trainer alone")
    return base


def test_a_checkpoint_is_copied_without_what_goes_on_training_and_its_papers_are_kept(
    store, checkpoint
):
    kept = put_to_use(store, checkpoint, PAPERS)
    folder = store.folder / "policies" / "tiny"
    assert set(kept.files) == {path.name for path in folder.iterdir()}
    assert {"config.json", "model.safetensors", "tokenizer.json"} <= set(kept.files)
    assert not any(
        "trainer" in name or name.endswith((".pt", ".pth", ".bin")) for name in kept.files
    )
    verify(kept, folder)
    assert {path.stat().st_mode & 0o077 for path in (folder, *folder.iterdir())} == {0}
    assert store.policies.get("tiny") == kept == PAPERS.model_copy(update={"files": kept.files})
    assert store.policies.listed() == (kept,)
    assert not (folder.parent / "tiny.part").exists()
    with pytest.raises(BadInput, match="There is a model local:tiny already"):
        put_to_use(store, checkpoint, PAPERS)
    with pytest.raises(BadInput, match="There is a model local:tiny already"):
        store.policies.add(kept)


def test_a_name_is_free_again_once_it_is_out_of_use(store, checkpoint):
    put_to_use(store, checkpoint, PAPERS)
    take_out_of_use(store, "tiny")
    assert not (store.folder / "policies" / "tiny").exists()
    with pytest.raises(BadInput, match="none yet"):
        store.policies.get("tiny")
    other = PAPERS.model_copy(update={"step": 40})
    assert put_to_use(store, checkpoint, other).step == 40


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda at: (at / "model.safetensors").unlink(), r"are gone .*\(model.safetensors\)"),
        (lambda at: (at / "config.json").write_text("{}"), r"have changed .*\(config.json\)"),
        (lambda at: (at / "adapter_config.json").write_text("{}"), r"changed .*\(adapter_config"),
    ],
)
def test_files_that_are_gone_changed_or_added_are_refused_and_the_name_may_be_used_again(
    store, checkpoint, change, said
):
    kept = put_to_use(store, checkpoint, PAPERS)
    folder = store.folder / "policies" / "tiny"
    verify(kept, folder)
    change(folder)
    with pytest.raises(BadInput, match=said) as refused:
        verify(kept, folder)
    assert "Put the checkpoint of run training-1, step 20, to use again" in str(refused.value)
    verify(put_to_use(store, checkpoint, PAPERS), folder)


def test_what_was_broken_off_is_never_taken_for_whole(store, checkpoint):
    part = store.folder / "policies" / "tiny.part"
    part.mkdir(parents=True)
    (part / "model-left-over.safetensors").write_bytes(b"half")
    kept = put_to_use(store, checkpoint, PAPERS)
    assert "model-left-over.safetensors" not in kept.files
    assert not part.exists()


def test_a_folder_without_a_model_is_refused_and_leaves_nothing_in_use(store, tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(BadInput, match="holds no model to put to use"):
        put_to_use(store, tmp_path / "empty", PAPERS)
    assert store.policies.listed() == ()
    assert list((store.folder / "policies").iterdir()) == []


def test_adapters_without_the_packages_of_training_are_refused_with_what_to_install(
    store, tmp_path, monkeypatch
):
    monkeypatch.setitem(__import__("sys").modules, "peft", None)
    (tmp_path / "adapter_config.json").write_text("{}")
    with pytest.raises(BadInput, match=r"pip install -r requirements-train\.txt"):
        put_to_use(store, tmp_path, PAPERS)


def test_adapters_are_merged_into_their_base(store, base, tmp_path):
    peft = pytest.importorskip("peft", reason="requirements-train.txt is not installed")
    import torch

    from core.models.weights import load

    plain, tokenizer = load(base)
    torch.manual_seed(3)
    adapted = peft.get_peft_model(
        load(base)[0], peft.LoraConfig(r=2, target_modules=["q_proj"], init_lora_weights=False)
    )
    adapted.save_pretrained(tmp_path / "checkpoint-20")
    tokenizer.save_pretrained(tmp_path / "checkpoint-20")
    kept = put_to_use(store, tmp_path / "checkpoint-20", PAPERS)
    assert not any("adapter" in name for name in kept.files)
    merged, _ = load(store.folder / "policies" / "tiny")
    ids = torch.tensor([[1, 2, 3]])
    with torch.no_grad():
        found = [one(input_ids=ids).logits for one in (plain, adapted, merged)]
    assert torch.allclose(found[1], found[2], atol=1e-5)
    assert not torch.allclose(found[0], found[2], atol=1e-3)


def test_adapters_whose_base_is_gone_are_refused(store, tmp_path):
    pytest.importorskip("peft", reason="requirements-train.txt is not installed")
    said = {"base_model_name_or_path": str(tmp_path / "nowhere")}
    (tmp_path / "adapter_config.json").write_text(json.dumps(said))
    (tmp_path / "adapter_model.safetensors").write_bytes(b"")
    with pytest.raises(BadInput, match="which is not there any more"):
        put_to_use(store, tmp_path, PAPERS)


def test_a_wipe_takes_the_files_along(tmp_path, checkpoint):
    from core.store import upkeep

    store = Store(tmp_path / "data")
    put_to_use(store, checkpoint, PAPERS)
    upkeep.wipe(store)
    assert store.policies.listed() == ()
    assert not (store.folder / "policies").exists()
