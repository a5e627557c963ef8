"""The files of a policy that was put to use: whether they are those that were trained."""

import hashlib
from pathlib import Path

from core.errors import BadInput, ModelFailed, boundary
from core.records import TrainedPolicy

_DIGESTS: dict[tuple[Path, int, int], str] = {}
"""SHA-256 by path, size and time of change: a file of gigabytes is read once by each process."""


def verify(policy: TrainedPolicy, folder: Path) -> None:
    """Raise BadInput where a file of a policy is gone, changed, or not one of its own."""
    _compare(policy, folder, unread=True)


def glance(policy: TrainedPolicy, folder: Path) -> None:
    """Do the same without reading any file for the first time, which may take long."""
    _compare(policy, folder, unread=False)


def origin(policy: TrainedPolicy) -> str:
    """Say where a policy comes from."""
    return f"trained here from {policy.base} in run {policy.run}, step {policy.step}"


def digest_file(path: Path) -> str:
    """Return the SHA-256 of a file; raises ModelFailed where it cannot be read."""
    with boundary(ModelFailed, f"reading {path}"):
        key = _key(path)
        if key not in _DIGESTS:
            with path.open("rb") as file:
                _DIGESTS[key] = hashlib.file_digest(file, "sha256").hexdigest()
    return _DIGESTS[key]


def _key(path: Path) -> tuple[Path, int, int]:
    found = path.stat()
    return path, found.st_size, found.st_mtime_ns


def _compare(policy: TrainedPolicy, folder: Path, unread: bool) -> None:
    there = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
    if gone := sorted(set(policy.files) - there):
        raise _refusal(policy, "gone", gone[0])
    if added := sorted(there - set(policy.files)):
        raise _refusal(policy, "changed", added[0])
    for name, sha in sorted(policy.files.items()):
        path = folder / name
        read_before = any(known == path for known, *_ in _DIGESTS)
        if (unread or read_before) and digest_file(path) != sha:
            raise _refusal(policy, "changed", name)


def _refusal(policy: TrainedPolicy, how: str, name: str) -> BadInput:
    verb = "are gone" if how == "gone" else "have changed"
    return BadInput(
        f"The files of local:{policy.name} {verb} since it was put to use ({name}). Put the"
        f" checkpoint of run {policy.run}, step {policy.step}, to use again, or choose another"
        " model."
    )
