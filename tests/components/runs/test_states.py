"""A run on a page that follows it."""

from streamlit.testing.v1 import AppTest

from components.shell import services
from tests.conftest import make_run


def test_a_run_that_was_deleted_under_its_page_is_told_of(store, monkeypatch):
    monkeypatch.setattr(services, "store", lambda: store)
    run = make_run(store)
    store.runs.delete(run.id)

    def page(run):
        from components.runs import states

        states.followed(run, lambda _: None)

    app = AppTest.from_function(page, args=(run,)).run()
    assert not app.exception
    (sentence,) = app.error
    assert sentence.value.startswith(f"There is no run '{run.id}' here")
