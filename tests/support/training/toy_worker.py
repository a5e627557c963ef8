"""A training of the toy task in a process of its own: something that a random model can do, with a
judge that is asked about every draft.

With the words that begin one it is begun and worked on; with `resume` and its id it goes on.
"""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))
os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1", TRL_EXPERIMENTAL_SILENCE="1")

from core.desk import Desk
from core.records import ITEMS, Idea, ItemVerdict
from core.records.training import Judgement
from core.store import Store
from core.training import method
from core.training.rollouts import Environment
from tests.support import worker
from tests.support.training import tiny_policy


def environment(*_: object) -> Environment:
    """Return the toy task, whose rewards are counted and whose judge is asked all the same."""
    toy = tiny_policy.toy()

    def judge(here: Desk, text: str) -> Judgement:
        idea = Idea(form="hypothesis", fields={"hypothesis": f"An idea: {text!r}"})
        here.ask("checklist-item", ItemVerdict, role="judge", idea=idea, item=ITEMS[0])
        return toy.judge(here, text)

    return Environment(
        begin=toy.begin, revise=toy.revise, read=lambda text: text or "nothing", judge=judge
    )


def main(words: list[str]) -> int:
    """Return the exit code of the work."""
    if words[0] == "train":
        # Otherwise it would be worked on by a process that knows nothing of the toy.
        begun = worker.work([*words, "--later"])
        assert begun == 0
        (run,) = Store(Path(os.environ["FOUNDRY_DATA"])).runs.listed()
        words = ["resume", run.id]
    return worker.work(["train", "worker", words[1], "--json"])


if __name__ == "__main__":
    method.environment = environment
    sys.exit(main(sys.argv[1:]))
