"""The sessions bench: thirty experts at work in one session at once, each in a browser session of
its own, driven through Streamlit's agent interface.
"""

import random
import statistics
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from core.store import Store
from tests.support.browser import App
from tests.support.sessions import studies_kit as kit
from tests.support.wire import interact

EXPERTS, SECONDS, EVERY, GIVE = 30, 120, 5.0, 2.0
"""Each submits once every 5 seconds, give or take 2, drawn evenly, for two minutes."""
UNITS = 50
"""More than anybody submits in that time."""
TARGETS = {"sessions_submit_p95_s": 1.0}


class Client(NamedTuple):
    """A session of the app without a browser."""

    app: App
    secret: str
    dice: random.Random

    def work(self, start: float) -> list[float]:
        """Score what is shown, which is kept as a draft, then submit, every few seconds; return how
        long each submit took, in s.
        """
        at = interact(self.app, page="annotate", query_params={"seat": [self.secret]})
        taken, due = [], start + self.dice.uniform(0, EVERY)
        while due < start + SECONDS:
            # The scores come on the way to the submit: a screen full of digits is pressed long
            # before the next unit is read.
            time.sleep(max(0.0, due - 1.5 - time.time()))
            keys = [one["key"] for one in at["actions"]]
            at = interact(
                self.app,
                session_id=at["session_id"],
                widget_state={key: self.dice.randint(1, 10) for key in keys if ":score:" in key},
            )
            button = next(
                one["key"] for one in at["actions"] if one["key"].startswith("seat:submit")
            )
            time.sleep(max(0.0, due - time.time()))
            began = time.perf_counter()
            at = interact(self.app, session_id=at["session_id"], trigger={"key": button})
            taken.append(time.perf_counter() - began)
            assert not any(one["key"] == button for one in at["actions"]), (
                "the unit submitted is still on the screen"
            )
            due += self.dice.uniform(EVERY - GIVE, EVERY + GIVE)
        return taken


def submit_p95_s(folder: Path) -> dict[str, float]:
    """Return the 95th percentile of a submit, in s: from the press until the next unit is drawn;
    with how many answers the store has, none lost.
    """
    store = Store(folder / "data")
    held = kit.opened(store, experts=EXPERTS, texts=UNITS, overlap=EXPERTS, repeats=0, attention=0)
    for n in range(EXPERTS):
        held.at_work(n)
    app = App(folder / "data", words=True, STREAMLIT_SERVER_ENABLE_AGENT_API="true").start()
    try:
        clients = [Client(app, held.secret(n), random.Random(n)) for n in range(EXPERTS)]
        interact(app, page="annotate", query_params={"seat": [clients[0].secret]})
        start = time.time() + 10  # For everybody to open the page.
        with ThreadPoolExecutor(EXPERTS) as pool:
            taken = sorted(
                one for mine in pool.map(lambda one: one.work(start), clients) for one in mine
            )
    finally:
        app.kill()
    assert len(store.study_work.answers(held.study.id)) == len(taken), (
        "answers were lost or doubled"
    )
    slowest = taken[int(0.95 * len(taken))]
    print(
        f"{len(taken)} submits of {EXPERTS} sessions in {SECONDS} s: median"
        f" {statistics.median(taken):.3f} s, p95 {slowest:.3f} s, slowest {taken[-1]:.3f} s"
    )
    return {"sessions_submit_p95_s": slowest}
