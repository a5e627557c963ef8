"""The address a page says, against a browser that sends one it has left meanwhile."""

from streamlit.runtime.state.query_params import QueryParams
from streamlit.testing.v1 import AppTest


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


def _page():
    import streamlit as st

    from components.shell import address

    address.wished("page", address.asked_for(("round",)))
    address.say("page", ("round",), (st.session_state["round"],))
