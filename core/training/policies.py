"""Putting a checkpoint to use: its model becomes one called `local:NAME`, with its papers."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from core.errors import BadInput, ModelFailed, StoreFailed, boundary
from core.models.policy_files import digest_file, verify
from core.models.weights import load
from core.records import TrainedPolicy
from core.store import Store
from core.store.policies import FOLDER
from core.store.privacy import FILE, private_folder

WEIGHTS = ("model.safetensors", "model-*-of-*.safetensors", "model.safetensors.index.json")
TOKENIZER = (
    *("tokenizer*.json", "tokenizer.model", "special_tokens_map.json", "added_tokens.json"),
    *("vocab.json", "merges.txt", "chat_template*"),
)
MODEL = (*WEIGHTS, "config.json", "generation_config.json")
"""What of a checkpoint answers; the rest goes on training, or would have to be unpickled."""
ADAPTER, ADAPTER_WEIGHTS = "adapter_config.json", "adapter_model.safetensors"


def put_to_use(store: Store, checkpoint: Path, papers: TrainedPolicy) -> TrainedPolicy:
    """Copy a checkpoint's model and tokenizer to where `local:NAME` lies, adapters merged into
    their base, keep its papers with the SHA-256 of each file, and return them.

    A name whose files are gone or changed may be used again. Raises BadInput for any other name in
    use, for a folder without a model, and for adapters without the packages of training;
    ModelFailed, StoreFailed.
    """
    name = papers.name
    folder, part = (store.folder / FOLDER / one for one in (name, f"{name}.part"))
    if any(one.name == name and _intact(one, folder) for one in store.policies.listed()):
        raise BadInput(
            f"There is a model local:{name} already. Put the checkpoint to use under another name."
        )
    with boundary(StoreFailed, f"copying the files of {checkpoint}"):
        shutil.rmtree(part, ignore_errors=True)
        try:
            files = _gather(checkpoint, part)
        except BaseException:
            shutil.rmtree(part, ignore_errors=True)
            raise
        # Nothing of this name answers while its files are exchanged.
        store.policies.remove(name)
        shutil.rmtree(folder, ignore_errors=True)
        part.rename(folder)
    kept = papers.model_copy(update={"files": files})
    store.policies.add(kept)
    return kept


def take_out_of_use(store: Store, name: str) -> None:
    """Forget a policy and remove its files; raises BadInput where there is none of that name."""
    store.policies.get(name)
    store.policies.remove(name)
    with boundary(StoreFailed, f"removing the files of local:{name}"):
        shutil.rmtree(store.folder / FOLDER / name)


def _intact(policy: TrainedPolicy, folder: Path) -> bool:
    try:
        verify(policy, folder)
    except BadInput:
        return False
    return True


def _gather(checkpoint: Path, part: Path) -> dict[str, str]:
    """Write into a folder what of a checkpoint answers, and return the SHA-256 of each file."""
    for private in (part.parent, part):
        private_folder(private)
    if (checkpoint / ADAPTER).is_file():
        _merge(checkpoint, part)
    else:
        _require_model(checkpoint)
        _copy(checkpoint, part, (*MODEL, *TOKENIZER))
    for path in part.iterdir():
        path.chmod(FILE)
    return {path.name: digest_file(path) for path in sorted(part.iterdir())}


def _copy(source: Path, target: Path, patterns: tuple[str, ...]) -> None:
    for path in _found(source, patterns):
        shutil.copyfile(path, target / path.name)


def _found(folder: Path, patterns: tuple[str, ...]) -> Iterator[Path]:
    found = {path for pattern in patterns for path in folder.glob(pattern)}
    yield from sorted(path for path in found if path.is_file())


def _require_model(checkpoint: Path) -> None:
    if any(_found(checkpoint, WEIGHTS)) and (checkpoint / "config.json").is_file():
        return
    raise BadInput(
        f"{checkpoint} holds no model to put to use: model.safetensors and config.json are not both"
        " in it. Choose a folder of a training that is called checkpoint-N."
    )


def _merge(checkpoint: Path, part: Path) -> None:
    """Write the model that adapters and their base make together."""
    try:
        from peft import PeftModel
    except ImportError as error:
        raise BadInput(
            "This checkpoint holds adapters, and the package that merges them into their base is"
            " not installed. Run `pip install -r requirements-train.txt`, then put it to use again."
        ) from error
    if not (checkpoint / ADAPTER_WEIGHTS).is_file():
        raise BadInput(
            f"{checkpoint} holds no {ADAPTER_WEIGHTS}. Choose a checkpoint that was written whole."
        )
    model, tokenizer = load(_base_of(checkpoint))
    with boundary(ModelFailed, f"merging the adapters in {checkpoint}"):
        whole: Any = PeftModel.from_pretrained(model, str(checkpoint)).merge_and_unload()
        whole.save_pretrained(part)
        tokenizer.save_pretrained(part)
    # What the checkpoint says of its tokenizer is what it was trained with.
    _copy(checkpoint, part, TOKENIZER)


def _base_of(checkpoint: Path) -> Path:
    said = json.loads((checkpoint / ADAPTER).read_text("utf-8"))["base_model_name_or_path"]
    base = Path(str(said))
    if not base.is_dir():
        raise BadInput(
            f"The adapters in {checkpoint} belong to the model in {base}, which is not there any"
            " more. Put it back there, then put the checkpoint to use again."
        )
    return base
