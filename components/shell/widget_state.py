"""What a widget holds, set from here."""

import streamlit as st


def put(key: str, value: object) -> None:
    """Let the widget of this key hold a value.

    Only where it holds another: what is set here goes to the browser, and replaces there what
    somebody has chosen or half typed since this drawing began.
    """
    if key not in st.session_state or st.session_state[key] != value:
        st.session_state[key] = value
