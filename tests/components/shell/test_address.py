"""The address a page says, against a browser that sends one it has left meanwhile."""

from types import SimpleNamespace

from streamlit.runtime.state.query_params import QueryParams
from streamlit.testing.v1 import AppTest

from components.shell import address


def test_a_browser_that_is_late_is_told_the_address_once_more(monkeypatch):
    told = []
    monkeypatch.setattr(QueryParams, "_send_query_param_msg", lambda self: told.append(dict(self)))
    page = AppTest.from_function(_page)
    for sent, said in (("4", "3"), ("3", ""), ("3", "3")):
        page.query_params["round"] = sent
        page.session_state["round"] = said
        page.run()
    assert not page.exception
    # Without the last the browser would come to rest at the address told before.
    assert told == [{"round": "3"}, {}, {"round": "3"}]


def test_an_address_that_stays_is_told_once(monkeypatch):
    told = []
    monkeypatch.setattr(QueryParams, "_send_query_param_msg", lambda self: told.append(dict(self)))
    page = AppTest.from_function(_page)
    page.session_state["round"] = "3"
    for _ in range(3):
        page.run()
        page.query_params["round"] = "3"
    assert told == [{"round": "3"}]


def test_what_a_part_of_the_page_is_drawn_with_is_nobody_s_wish(monkeypatch):
    monkeypatch.setattr(address, "LATE", 0)
    drawing = SimpleNamespace(fragment_ids_this_run=None)
    monkeypatch.setattr(address, "get_script_run_ctx", lambda: drawing)
    held = address._Place()
    monkeypatch.setattr(address, "_place", lambda _key: held)
    assert address.wished("page", ("3",)), "what one comes with"
    drawing.fragment_ids_this_run = ["progress"]
    assert not address.wished("page", ("2",)), "a timer's, of a browser that is late"
    drawing.fragment_ids_this_run = None
    assert address.wished("page", ("2",)), "the way back"
    monkeypatch.setattr(address, "LATE", 60)
    drawing.fragment_ids_this_run = ["progress"]
    assert not address.wished("page", ("1",))
    drawing.fragment_ids_this_run = None
    assert not address.wished("page", ("1",)), "sent a moment ago by one that was late"


def _page():
    import streamlit as st

    from components.shell import address

    address.wished("page", address.asked_for(("round",)))
    address.say("page", ("round",), (st.session_state["round"],))
