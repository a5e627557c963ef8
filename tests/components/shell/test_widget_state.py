"""What a widget holds, set from here: only what is new goes to the browser."""

from streamlit.testing.v1 import AppTest


def _page():
    import streamlit as st

    from components.shell.widget_state import put

    offered = st.session_state.get("offered", ["a", "b", "c"])
    put("chosen", [one for one in st.session_state.get("chosen", ["a", "b"]) if one in offered])
    st.multiselect("Chosen", offered, key="chosen")


def test_what_it_holds_already_is_not_sent_over_a_choice_made_meanwhile():
    page = AppTest.from_function(_page).run()
    field = page.multiselect(key="chosen")
    assert field.proto.set_value
    assert field.value == ["a", "b"]
    field.set_value(["b", "c"])
    field = page.run().multiselect(key="chosen")
    assert not field.proto.set_value
    assert field.value == ["b", "c"]


def test_another_value_is_put():
    page = AppTest.from_function(_page).run()
    page.session_state["offered"] = ["b", "c"]
    field = page.run().multiselect(key="chosen")
    assert field.proto.set_value
    assert field.value == ["b"]
