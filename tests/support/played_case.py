"""The bundled shortlist: the real method on a topic that Home offers, played by the built-in model
on the built-in papers.

`python -m tests.support.played_case` writes `assets/cases/shortlist-social-jetlag.json`.
"""

import tempfile
from pathlib import Path
from unittest import mock

from core import settings
from core.cases import pack
from core.methods.inputs import ShortlistInputs
from core.runs.planning import validated
from core.runs.runner import Runner
from core.runs.workshop import Workshop
from tests.support.authoring import AUTHOR, CASES, SEED, same_anywhere

NAME = "shortlist-social-jetlag"
TITLE = "A shortlist on social jetlag, orexin and emotional resilience"
ABOUT = (
    "Three ideas from a topic, each refined for novelty and for feasibility, checked again and"
    " compared, with every step and the runs behind them. The built-in model played all parts, in"
    " small: it follows rules and understands nothing, and the order is that of its rules."
)
TOPIC = "social jetlag, orexin and emotional resilience in young athletes"
SMALL = {
    "branches": 3,
    "ideas": 1,
    "length": 3,
    "novelty_rounds": 1,
    "full_text": False,
    "papers": 5,
    "rules": {"max_rounds": 1, "patience": 1},
    "dated": "2026-11-21",
}


def built() -> bytes:
    """Play the shortlist in a store of its own and return it packed, the same bytes every time."""
    no_time = mock.patch("core.models.asking.time", monotonic=lambda: 1.0)
    with tempfile.TemporaryDirectory() as folder, same_anywhere(), no_time:
        runner = Runner(Workshop(settings.read({}, data=Path(folder))))
        inputs = validated(ShortlistInputs, topic=TOPIC, **SMALL)
        models = dict.fromkeys(("main", "cheap", "selector", "novelty", "judge"), "builtin")
        config = runner.workshop.config("shortlist", inputs, models=models, seed=SEED)
        run = runner.begin(config.model_copy(update={"cap_tokens": None}), TITLE)
        state = runner.work(run.id)
        assert state == "done", runner.store.runs.get(run.id).reason
        return pack(runner.store, run.id, about=ABOUT, by=AUTHOR)


def main() -> None:
    """Write the bundled shortlist."""
    data = built()
    (CASES / f"{NAME}.json").write_bytes(data)
    print(f"{NAME}: {len(data):,} bytes")


if __name__ == "__main__":
    main()
