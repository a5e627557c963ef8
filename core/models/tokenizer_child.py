"""The process that the tokenizer of a policy runs in (core/models/tokenizing.py): it gets a bound
of memory and of time once its libraries are there, and before any file of the model is read.

A line of JSON comes in on stdin for each question; a line goes out on stdout, what was asked for or
what is `wrong`.
"""

import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

MEMORY = 3 << 29
"""Bytes of address space beside what the libraries take, and a file that is read where it lies
(GGUF).
"""
WORK = 60.0
"""Seconds of the processor for a question, after which the process ends."""
LONGEST = 1_000_000
"""Tokens, and letters, of an answer."""


def load(folder: str) -> Any:
    """Read the tokenizer in a folder."""
    from transformers import AutoTokenizer

    from core.beside import bound
    from core.models.templates import run_templates_apart

    run_templates_apart()
    bound(MEMORY + sum(one.stat().st_size for one in Path(folder).glob("*.gguf")))
    found = AutoTokenizer.from_pretrained(folder, **json.loads(os.environ["GIVEN"]))
    if found.pad_token_id is None:
        found.pad_token = found.eos_token
    return found


def answered(tokenizer: Any, asked: dict[str, Any]) -> dict[str, Any]:
    """Return what is asked for."""
    match asked["do"]:
        case "marks":
            return {"eos": tokenizer.eos_token_id, "pad": tokenizer.pad_token_id}
        case "encode":
            ids = tokenizer.apply_chat_template(
                asked["turns"], add_generation_prompt=True, tokenize=True, return_dict=False
            )
            return {"ids": ids} if len(ids) <= LONGEST else {"wrong": "its tokens have no end"}
    text = tokenizer.decode(asked["ids"], skip_special_tokens=True)
    return {"text": text} if len(text) <= LONGEST else {"wrong": "its text has no end"}


def main() -> None:
    """Answer until nobody asks any more."""
    tokenizer: Any = None
    for line in sys.stdin:
        # Whoever asked may be gone by then, and could not end this.
        signal.setitimer(signal.ITIMER_VIRTUAL, WORK)
        try:
            tokenizer = tokenizer or load(sys.argv[1])
            answer = answered(tokenizer, json.loads(line))
        except MemoryError:
            answer = {"wrong": "it asks for more memory than it is given"}
        except BaseException as error:  # A panic of the library is no Exception.
            answer = {"wrong": f"{type(error).__name__}: {error}"[:300]}
        sys.stdout.write(f"{json.dumps(answer)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
