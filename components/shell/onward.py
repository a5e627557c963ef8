"""The next step, on another page: a link that looks like the button a person takes it for.

A button that changes the page by `st.switch_page` with a query leaves an address of its own in the
browser's history, of the old page with the new query (Streamlit 1.67): the way back ends there, and
not where the person was. A link does not.
"""

import streamlit as st

KEY = "onward"


def draw(page: str, label: str, icon: str, query: dict[str, str]) -> None:
    """Draw it; on one screen there is one next step."""
    light, dark = (st.get_option(f"theme.{name}.primaryColor") for name in ("light", "dark"))
    st.html(f"""<style>
        .stMain .st-key-{KEY} a[data-testid=stPageLink-NavLink] {{
            background: light-dark({light}, {dark}) !important;
            padding: .25rem .75rem; min-height: 2.5rem; border-radius: .5rem; }}
        .st-key-{KEY} a:hover {{ filter: brightness(.85); }}
        .st-key-{KEY} a * {{ color: #fff !important; }}
    </style>""")
    with st.container(key=KEY, width="content"):
        st.page_link(page, label=label, icon=icon, query_params=query)


def again(page: str, topic: object, what: str = "topic") -> None:
    """Draw the ways on from a run that came to nothing: its form, with its topic filled in, and
    the choice of where papers are looked for.
    """
    with st.container(horizontal=True):
        st.page_link(
            page,
            label=f"Change the {what}, the source or the model and try again",
            icon=":material/refresh:",
            query_params={"topic": str(topic)[:1500]},
        )
        source()


def source() -> None:
    """Draw the way to where papers are looked for."""
    st.page_link("pages/settings.py", label="Connect a source", icon=":material/menu_book:")
