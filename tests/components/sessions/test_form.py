"""The form of a new session, pressed twice."""

import time
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

from components.sessions import form
from components.sessions.form import SessionForm
from core.studies import organising
from tests.support.sessions import studies_kit as kit


def test_two_presses_at_once_make_one_draft(store, monkeypatch):
    monkeypatch.setattr(form.services, "store", lambda: store)
    made = []

    def set_up(store, plan, chosen):
        time.sleep(0.1)  # Preparing takes a while, in which the second press comes.
        made.append(organising.create(store, plan))
        return made[-1]

    monkeypatch.setattr(form.organising, "set_up", set_up)
    wanted = SimpleNamespace(plan=kit.plan(), asked=SimpleNamespace(chosen=None))
    pressed = SessionForm()
    with ThreadPoolExecutor(2) as presses:
        found = [presses.submit(form._made, wanted, pressed) for _ in range(2)]
        ids = {one.result().id for one in found}
    assert ids == {made[0].id}
    assert len(made) == 1
