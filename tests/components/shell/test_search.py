"""Search on screen: what it shows, where it leads, and who never sees it."""

from urllib.parse import parse_qs

import pytest

from components.shell import search
from components.shell.search import OPEN, WORDS, address
from core.cases.bundled import bundled
from core.errors import StoreFailed
from core.records import Idea, Paper
from core.store.own import Imported
from core.store.search import Found
from tests.conftest import make_run
from tests.support.scripted import refine_script, runner_of
from tests.support.visiting import host, said, settled, visit


@pytest.fixture
def store(tmp_path, monkeypatch):
    runner, _ = runner_of(tmp_path, refine_script())
    return host(monkeypatch, runner)


def asked(words: str, page: str = "settings"):
    """Open the dialog on a page with these words in its box."""
    app = visit(page)
    app.session_state[WORDS] = words
    return settled(app.button(key=OPEN).click().run())


def ways(app) -> dict[str, tuple[str, dict[str, list[str]]]]:
    """Return where each thing that was found leads to, by its name: page and address."""
    return {
        one.proto.label.replace("\\", ""): (one.proto.page, parse_qs(one.proto.query_string))
        for one in app.get("page_link")
        if one.proto.query_string and one.proto.page != "guide"
    }


def test_nothing_is_looked_up_before_the_dialog_is_open(store, monkeypatch):
    monkeypatch.setattr(search, "search", lambda *_, **__: pytest.fail("asked too early"))
    app = visit("settings")
    assert WORDS not in [one.key for one in app.text_input]


def test_a_show_on_a_projector_has_no_key_that_opens_it(store):
    case = bundled()[0].run
    assert OPEN in [one.key for one in visit("cases", run=case).button]
    assert OPEN not in [one.key for one in visit("cases", run=case, projector="1").button]


def test_an_empty_box_says_what_is_searched(store):
    app = asked("")
    assert "Searches ideas (kept, written and imported)" in said(app)
    assert not ways(app)


def test_what_nobody_has_is_said(store):
    assert "Nothing holds all these words" in said(asked("zzzz qqqq"))


def test_each_kind_leads_to_its_page(store):
    idea = Idea(form="hypothesis", fields={"hypothesis": 'Quokka "naps" matter.'})
    saved = store.ideas.save(idea, None, "written by hand")
    run = make_run(store, method="refine", inputs={"topic": "quokka"})
    own = Paper(id="p1", title="Quokka sleep", source="library", year=2020)
    store.library.keep_import(
        Imported(name="f", format="bib", papers=(own,), at=("line 1",)), "somebody"
    )
    app = asked("quokk")
    assert ways(app) == {
        'Quokka "naps" matter.': ("ideas", {"idea": [saved]}),
        "A test": ("refine", {"run": [run.id]}),
        "Quokka sleep": (
            "library",
            {"library:tab": ["Your own papers"], "library:own": ["Quokka sleep"]},
        ),
    }
    text = said(app)
    assert "Kept idea · written by hand · just now" in text
    assert "Your own paper" in text
    assert "2020" in text


def test_words_are_marked_and_a_strangers_text_is_no_markup(store):
    text = "Lamps :red[wake] **nurses** <b>at</b> night."
    store.ideas.save(Idea(form="hypothesis", fields={"hypothesis": text}), None, "o")
    app = asked("wake")
    (caption,) = [one.value for one in app.caption if "nurses" in one.value]
    assert "**wake**" in caption
    assert r"\*\*nurses\*\*" in caption
    assert ":red[" not in caption


def test_a_store_that_fails_is_said_in_the_dialog(store, monkeypatch):
    def fail(*_: object, **__: object) -> None:
        raise StoreFailed("The database is locked.")

    monkeypatch.setattr(search, "search", fail)
    assert "The database is locked" in said(asked("naps"))


def test_what_was_chosen_in_a_list_does_not_hide_what_was_found(store):
    saved = store.ideas.save(Idea(form="hypothesis", fields={"hypothesis": "Naps."}), None, "o")
    app = visit("ideas")
    settled(app.toggle(key="ideas:starred").set_value(True).run())
    assert "No idea matches" in said(app)
    app.query_params["idea"] = saved
    settled(app.run())
    assert "No idea matches" not in said(app)
    assert "Naps." in said(app)


@pytest.mark.parametrize(
    ("found", "page"),
    [
        ({"kind": "session", "origin": "rate"}, ("pages/sessions.py", {"session": "x"})),
        ({"kind": "case", "origin": "chain"}, ("pages/cases.py", {"run": "x"})),
        ({"kind": "run", "origin": "no such method"}, ("pages/runs.py", {"run": "x"})),
        ({"kind": "run", "origin": "bench"}, ("pages/benchmark.py", {"run": "x"})),
    ],
)
def test_addresses(found, page):
    assert address(Found(id="x", title="t", at="", **found)) == page
