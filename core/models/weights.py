"""A language model in this very process, run by transformers: it continues conversations, and
remembers as what tokens.
"""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from core.errors import BadInput, ModelFailed, boundary
from core.models.tokenizing import TokenizerApart
from core.records.training import Conversation, Drafted

AT_ONCE = 16
"""Conversations continued together: what fits into memory beside the model."""
LABELS = 100_000
"""Kinds that a classifier's configuration may tell apart: each is written down in memory."""
GLANCE = 0.25
"""Seconds after which a listener hears again what is written so far."""


class LocalPolicy:
    """A causal language model with its tokenizer; torch is imported where it is first needed."""

    def __init__(
        self, model: Any, tokenizer: Any, name: str, most: int, temperature: float = 1.0
    ) -> None:
        self.model, self.tokenizer, self.name = model, tokenizer, name
        self.most = most
        """Tokens a draft may have, thoughts included."""
        self.temperature = temperature

    def encode(self, conversation: Conversation) -> list[int]:
        """Return a conversation as tokens, up to where the policy goes on; raises ModelFailed."""
        turns = [{"role": turn.role, "content": turn.text} for turn in conversation]
        with boundary(ModelFailed, f"writing a question as the chat template of {self.name} says"):
            ids = self.tokenizer.apply_chat_template(
                turns, add_generation_prompt=True, tokenize=True, return_dict=False
            )
        return list(ids)

    def write(
        self, conversations: Sequence[Conversation], seed: int, tell: Callable[[int], None]
    ) -> list[Drafted]:
        """Continue each conversation by sampling, greedily at temperature 0; raises ModelFailed.

        `tell` is told how many are written; what it raises breaks off.
        """
        drafts: list[Drafted] = []
        with self._sampling(seed, f"writing {len(conversations)} drafts with {self.name}"):
            for start in range(0, len(conversations), AT_ONCE):
                tell(start)
                drafts += self._write(conversations[start : start + AT_ONCE])
        return drafts

    def reply(self, conversation: Conversation, seed: int, hear: Callable[[str], None]) -> Drafted:
        """Continue one conversation as `write` does; `hear` gets the text so far a few times a
        second, and what it raises breaks off. Raises ModelFailed.
        """
        start, due = len(self.encode(conversation)), 0.0

        def glance(ids: Any, _scores: Any, **_: Any) -> Any:
            nonlocal due
            if time.monotonic() >= due:
                hear(self.tokenizer.decode(ids[0, start:].tolist(), skip_special_tokens=True))
                due = time.monotonic() + GLANCE
            return ids.new_zeros(len(ids), dtype=bool)

        with self._sampling(seed, f"answering with {self.name}"):
            return self._write([conversation], glance)[0]

    @contextmanager
    def _sampling(self, seed: int, doing: str) -> Iterator[None]:
        import torch

        with boundary(ModelFailed, doing):
            torch.manual_seed(seed)
            learning = self.model.training
            self.model.eval()
            try:
                yield
            finally:
                self.model.train(learning)

    def _write(
        self,
        conversations: Sequence[Conversation],
        glance: Callable[..., Any] | None = None,
    ) -> list[Drafted]:
        import torch
        from transformers import StoppingCriteriaList

        asked = [self.encode(conversation) for conversation in conversations]
        width = max(map(len, asked))
        fill = self.tokenizer.pad_token_id
        ids = torch.tensor([[fill] * (width - len(one)) + one for one in asked])
        seen = torch.tensor([[0] * (width - len(one)) + [1] * len(one) for one in asked])
        device = self.model.device
        warm = {"do_sample": True, "temperature": self.temperature, "top_k": 0, "top_p": 1.0}
        sampled = warm if self.temperature else {"do_sample": False}
        with torch.no_grad():
            whole = self.model.generate(
                input_ids=ids.to(device),
                attention_mask=seen.to(device),
                max_new_tokens=self.most,
                # A model's folder may ask for thousands.
                num_beams=1,
                num_return_sequences=1,
                stopping_criteria=StoppingCriteriaList([glance] if glance else []),
                **sampled,
            )
        return [self._drafted(row) for row in whole[:, width:].tolist()]

    def _drafted(self, row: list[int]) -> Drafted:
        end = self.tokenizer.eos_token_id
        ids = row[: row.index(end) + 1] if end in row else row
        return Drafted(text=self.tokenizer.decode(ids, skip_special_tokens=True), ids=tuple(ids))


def unpacked(folder: Path, place: Path) -> Path:
    """Return a folder whose weights can be trained and saved: `folder` itself, or for a GGUF file
    `place`, into which its weights are written in 32 bits, unless they are there.

    Raises as `load` does.
    """
    if place.exists():
        return place
    if not any(folder.glob("*.gguf")):
        return folder
    model, tokenizer = load(folder, learning=True)
    # What it was quantized by stays with the model otherwise, and forbids saving it.
    model.hf_quantizer = None
    del model.config.quantization_config
    place.parent.mkdir(parents=True, exist_ok=True)
    with (
        boundary(ModelFailed, f"writing the weights of {folder} to {place}"),
        TemporaryDirectory(dir=place.parent, prefix=".unpacking-") as half,
    ):
        whole = Path(half) / "whole"
        model.save_pretrained(whole)
        tokenizer.save_pretrained(whole)
        with suppress(OSError):  # Another process of the same launch was faster.
            whole.rename(place)
    return place


def load(folder: Path, *, learning: bool = False, apart: bool = False) -> tuple[Any, Any]:
    """Return a causal language model and its tokenizer from a folder of safetensors, or with one
    GGUF file.

    In 32 bits where it is `learning`: in 16 the small steps of a training would be rounded away.
    With `apart`, the tokenizer runs in a process of its own (core/models/tokenizing.py).
    Nothing is downloaded, unpickled, or run that came with the files. Raises BadInput for a folder
    with no such files, and ModelFailed.
    """
    quantized = sorted(folder.glob("*.gguf"))
    if not quantized and not any(folder.glob("*.safetensors")):
        raise BadInput(
            f"{folder} holds no language model: no .safetensors and no .gguf file is in it. Choose"
            " the folder into which a model was downloaded."
        )
    _check_labels(folder)
    given: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
    if quantized:
        given["gguf_file"] = quantized[0].name
    exact = {"dtype": "float32"} if learning else {}
    with boundary(ModelFailed, f"loading the language model in {folder}"):
        from transformers import AutoModelForCausalLM, AutoTokenizer
        from transformers.utils import logging

        from core.models.templates import run_templates_apart

        run_templates_apart()
        logging.disable_progress_bar()  # type: ignore[no-untyped-call]  # Nobody watches what this process prints.
        model = AutoModelForCausalLM.from_pretrained(
            str(folder), use_safetensors=True, **exact, **given
        )
        if apart:
            return model, TokenizerApart(folder, **given)
        tokenizer = AutoTokenizer.from_pretrained(str(folder), **given)
    if tokenizer.pad_token_id is None:
        tokenizer.pad_token = tokenizer.eos_token
    return model, tokenizer


def _check_labels(folder: Path) -> None:
    """Raise BadInput for a model that says to tell apart more kinds than any does; ModelFailed."""
    said = folder / "config.json"
    if not said.exists():
        return
    with boundary(ModelFailed, f"reading {said}"):
        config = json.loads(said.read_text("utf-8"))
    if any(isinstance(one, int | float) and one > LABELS for one in _counts(config)):
        raise BadInput(
            f"{said} asks for more than {LABELS:,} labels, and a language model needs none. Choose"
            " another model."
        )


def _counts(config: object) -> Iterator[object]:
    """Yield what a configuration and its parts say of their labels."""
    parts = [config]
    while parts:
        part = parts.pop()
        if isinstance(part, dict):
            yield part.get("num_labels")
            parts.extend(part.values())
        elif isinstance(part, list):
            parts.extend(part)
