"""What a timer asks for carries no choice; what a person presses does, and is not lost by it."""

from dataclasses import replace

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData, ScriptRequests

from components.shell.left_page import hear_presses_in_parts_that_are_gone
from components.shell.timers import let_timers_choose_nothing


@pytest.fixture(autouse=True)
def patched(monkeypatch):
    ask = ScriptRequests._request_rerun_locked
    own = getattr(ask, "__wrapped__", ask)
    monkeypatch.setattr(ScriptRequests, "_request_rerun_locked", own)
    let_timers_choose_nothing()
    let_timers_choose_nothing()  # Once is enough.


def asked(by_a_timer=False, pressed="", **values) -> RerunData:
    said = WidgetStates()
    for name, value in values.items():
        said.widgets.add(id=name, string_value=value)
    if pressed:
        said.widgets.add(id=pressed, trigger_value=True)
    return RerunData(fragment_id="part", widget_states=said, is_auto_rerun=by_a_timer)


def merged(*several: RerunData) -> RerunData:
    """Return what requests that came while a page was drawn become."""
    requests = ScriptRequests()
    for one in several:
        requests.request_rerun(one)
    return requests.on_scriptrunner_ready().rerun_data


def taken(*several: RerunData) -> dict[str, object]:
    """Return what the page hears of them."""
    states = merged(*several).widget_states
    return {one.id: getattr(one, one.WhichOneof("value")) for one in states.widgets}


def test_values_of_widgets_come_with_presses_alone():
    assert taken(asked(by_a_timer=True, view="branch-1")) == {}
    assert taken(asked(view="branch-1")) == {"view": "branch-1"}


def test_a_press_that_waits_keeps_what_it_said_whatever_timers_ask_for():
    press = asked(pressed="save", text="typed")
    timer = asked(by_a_timer=True, text="old")
    said = {"save": True, "text": "typed"}
    assert taken(press, timer, timer) == said
    assert taken(timer, press, timer) == said
    assert taken(press, asked(text="typed on"), timer) == {"save": True, "text": "typed on"}


def test_where_a_press_leads_stays_whatever_timers_ask_for():
    link = RerunData(page_script_hash="next", query_string="run=new", is_history_navigation=True)
    timer = replace(asked(by_a_timer=True), page_script_hash="old", query_string="run=old")
    found = merged(link, timer, timer)
    assert (found.page_script_hash, found.query_string) == ("next", "run=new")
    assert found.is_history_navigation
    assert found.fragment_id_queue == [], "the whole page is drawn"
    newer = replace(timer, query_string="run=newer")
    assert merged(timer, newer).query_string == "run=newer"
    assert merged(timer, link, timer).query_string == "run=new"


def test_presses_in_parts_that_are_gone_are_heard_beside(monkeypatch):
    ask = AppSession.request_rerun
    bare = getattr(ask, "__wrapped__", ask)
    monkeypatch.setattr(AppSession, "request_rerun", bare)
    hear_presses_in_parts_that_are_gone()
    assert AppSession.request_rerun is not bare
