"""Ideas of the same title are told apart in every list."""

from components.shell.idea_names import SEEN, tell_apart
from core import search
from core.records import Idea
from core.store.search import Found
from tests.conftest import make_run
from tests.support.report_kit import idea
from tests.support.visiting import host  # noqa: F401

LONG = (
    "A title of an idea that is so long that whatever follows it would be cut in every list of it"
)


def kept(store, run, origin: str, method: str, title: str) -> None:
    fields = idea(method).fields | {"title": title}
    store.ideas.save(Idea(form="six-field", fields=fields), run.id, origin)


def test_first_and_refined_form_are_told_apart_before_what_a_list_cuts(store, monkeypatch):
    monkeypatch.setattr("components.shell.services.store", lambda: store)
    run = make_run(store, method="refine")
    kept(store, run, "round-0", "One.", LONG)
    kept(store, run, "round-3", "Two.", LONG)
    kept(store, run, "idea-2/round-1", "Three.", "Another")
    names = tell_apart(store.ideas.listed())
    short = {name[: SEEN + 30] for name in names.values()}
    assert any("… (first form, " in name for name in short)
    assert any("… (refined in round 3, " in name for name in short)
    assert "Another" in names.values()
    assert {one.idea.title for one in store.ideas.listed()} == {LONG, "Another"}


def test_where_a_found_idea_comes_from_is_said_in_words(store):
    run = make_run(store, method="chain")
    for origin, words in (
        ("outcome", "the idea its run came to"),
        ("round-0", "first form"),
        ("idea-2/round-3", "refined in round 3 of idea 2"),
        ("step-1", "revised in step 1"),
        ("written by hand", "written by hand"),
    ):
        found = Found(kind="idea", id="x", title="T", origin=origin, about=run.id, at="")
        assert search.facts(store, found) == ("Kept idea", words)
