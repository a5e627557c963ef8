"""What a tab keeps of widgets that have left its screen."""

import gc
import weakref
from types import SimpleNamespace

import pytest
from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.runtime.state import SessionState
from streamlit.testing.v1 import AppTest

from components.shell import stale
from components.shell.stale import forget_stale_widgets


@pytest.fixture(autouse=True)
def forgetting(monkeypatch):
    """Let sessions forget for this test only."""
    monkeypatch.setattr(SessionState, "on_script_finished", SessionState.on_script_finished)
    monkeypatch.setattr(stale, "KEPT_FOR", 0)
    forget_stale_widgets()
    forget_stale_widgets()  # Once is enough.


def page() -> None:
    import streamlit as st

    class Story:
        """What a callback is given."""

    def press(story: Story) -> None:
        st.session_state["pressed"] = st.session_state.get("pressed", 0) + 1

    n = st.session_state.setdefault("n", 0)
    story = Story()
    st.session_state.setdefault("stories", []).append(story)
    st.button("Press", key=f"button-{n}", on_click=press, args=(story,))
    st.text_input("Always", key="always", persist_state="session")
    if n == 1:
        st.text_input("Kept", key="kept", persist_state="session")

    @st.fragment
    def part() -> None:
        m = st.session_state.setdefault("m", 0)
        st.checkbox("In a part", key=f"part-{m}")

    part()


def known(app: AppTest) -> set[str]:
    """Return the keys of the widgets that the session knows how to call back."""
    session = app.session_state
    while not isinstance(session, SessionState):
        session = session._state
    names = session._new_widget_state.widget_metadata
    return {name.split("-", 2)[-1] for name in names}


def test_a_widget_that_left_the_screen_is_forgotten_with_what_its_callback_was_given():
    app = AppTest.from_function(page).run()
    assert known(app) == {"button-0", "always", "part-0"}
    stories = [weakref.ref(one) for one in app.session_state["stories"]]
    app.session_state["n"] = 1
    app.session_state["m"] = 1
    app.session_state["stories"] = []
    app.run()
    assert known(app) == {"button-1", "always", "part-1", "kept"}
    gc.collect()
    assert [one() for one in stories] == [None]


def test_what_is_on_the_screen_is_still_called_back_and_what_is_kept_comes_again():
    app = AppTest.from_function(page).run()
    app.session_state["n"] = 1
    app.run().text_input("kept").set_value("half a sentence").run()
    app.session_state["n"] = 2
    app.run()
    assert "kept" not in known(app)
    app.button("button-2").click().run()
    assert app.session_state["pressed"] == 1
    app.session_state["n"] = 1
    assert app.run().text_input("kept").value == "half a sentence"


def test_a_press_on_what_left_a_moment_ago_is_heard(monkeypatch):
    now = 1_000.0
    monkeypatch.setattr(stale, "KEPT_FOR", 60)
    monkeypatch.setattr(stale, "monotonic", lambda: now)
    app = AppTest.from_function(page).run()
    pressed = app.button("button-0")
    app.session_state["n"] = 1
    app.run()
    now += 59
    app.run()
    assert "button-0" in known(app)
    app._run(WidgetStates(widgets=[pressed.click()._widget_state]))
    assert app.session_state["pressed"] == 1
    now += 60
    app.run()
    assert "button-0" not in known(app)


def test_what_comes_back_and_leaves_again_is_kept_for_as_long_again(monkeypatch):
    now = 1_000.0
    monkeypatch.setattr(stale, "KEPT_FOR", 60)
    monkeypatch.setattr(stale, "monotonic", lambda: now)
    app = AppTest.from_function(page).run()
    for n in (1, 0, 1):
        app.session_state["n"] = n
        app.run()
        now += 30
    app.run()
    assert "button-0" in known(app)
    now += 30
    app.run()
    assert "button-0" not in known(app)


@pytest.mark.parametrize(
    ("parts", "whole", "left"),
    [
        (None, True, {"drawn", "pressed in drawn"}),
        (["a"], True, {"drawn", "pressed in drawn", "of the page", "of b"}),
        (["a"], False, {"drawn", "pressed in drawn", "of the page", "of a", "in of a", "of b"}),
    ],
    ids=["page", "part", "broken off"],
)
def test_a_part_forgets_its_own_and_a_drawing_broken_off_nothing(monkeypatch, parts, whole, left):
    session = SessionState()
    places = {"drawn": "a", "of the page": None, "of a": "a", "of b": "b"}
    heard = {"drawn": "pressed in drawn", "of a": "in of a"}
    names = {name: name for name in places} | {
        _make_trigger_id(element, "events"): name for element, name in heard.items()
    }
    known = session._new_widget_state.widget_metadata
    known |= {name: SimpleNamespace(fragment_id=part) for name, part in places.items()}
    known |= {_make_trigger_id(element, "events"): known[element] for element in heard}
    drawing = SimpleNamespace(fragment_ids_this_run=parts)
    monkeypatch.setattr(stale, "get_script_run_ctx", lambda: drawing)
    session.on_script_finished(frozenset({"drawn"}), remove_stale_widgets=whole)
    assert {names[name] for name in known} == left


def test_between_two_pages_nothing_is_forgotten(monkeypatch):
    session = SessionState()
    known = session._new_widget_state.widget_metadata
    known["drawn, and never touched"] = SimpleNamespace(fragment_id=None)
    drawing = SimpleNamespace(fragment_ids_this_run=None, page_script_hash="")
    monkeypatch.setattr(stale, "get_script_run_ctx", lambda: drawing)
    session.on_script_finished(frozenset())
    assert list(known) == ["drawn, and never touched"]
