"""A press on a page that was just left, as the second one of a double click is, and one in a part
of the page that stands elsewhere on it now.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import expect

from tests.support.browser import App, browsing, needs_browser, rest

pytestmark = [pytest.mark.browser, needs_browser]
PAGES = """
import time
import streamlit as st
from components.shell.left_page import draw_parts_of_this_page_only

draw_parts_of_this_page_only()
draw_parts_of_this_page_only()  # Once is enough.

def first():
    @st.fragment
    def part():
        if st.button("Go on"):
            st.switch_page(there, query_params={"by": "button"})
    part()

def second():
    st.header("Begun")
    time.sleep(2)
    st.header("The second page")

    @st.fragment
    def part():
        st.button("More")
        st.caption(f"pressed: {st.session_state.setdefault('n', 0)}")
        st.session_state.n += 1
    part()

there = st.Page(second, url_path="second")
st.navigation([st.Page(first, default=True), there]).run()
"""


MOVED = """
import streamlit as st
from components.shell.left_page import hear_presses_in_parts_that_are_gone

hear_presses_in_parts_that_are_gone()
hear_presses_in_parts_that_are_gone()  # Once is enough.

def count(name):
    st.session_state[name] = st.session_state.get(name, 0) + 1

@st.fragment
def part():
    st.button("Press", key="press", on_click=count, args=("pressed",))
    st.caption(f"pressed: {st.session_state.get('pressed', 0)}")

if st.button("Move", on_click=count, args=("moved",)) or st.session_state.get("moved"):
    with st.container():
        part()
else:
    part()
"""


@contextmanager
def overheard(tmp_path, script: str) -> Iterator[tuple]:
    """Lend a page of this script, and what it has sent, with the way to send that once more."""
    (tmp_path / "page.py").write_text(script)
    app = App(tmp_path / "data", script=str(tmp_path / "page.py"), words=True).start()
    lines, sent = [], []

    def listen(socket) -> None:
        server = socket.connect_to_server()
        lines.append(server)

        def pass_on(message) -> None:
            sent.append(message)
            server.send(message)

        socket.on_message(pass_on)

    try:
        with browsing() as lent, lent.context.new_page() as page:
            page.route_web_socket("**/_stcore/stream", listen)
            page.goto(app.url)
            rest(page)
            yield page, sent, lines[0].send
    finally:
        app.kill()


def test_a_second_press_that_comes_late_leaves_the_next_page_as_it_is(tmp_path):
    with overheard(tmp_path, PAGES) as (page, sent, send):
        page.get_by_role("button", name="Go on").click()
        page.get_by_role("heading", name="Begun").wait_for()
        # The same press once more, as it arrives while the page after it is being drawn.
        send(sent[-1])
        page.get_by_role("heading", name="The second page").wait_for()
        rest(page, 500)
        expect(page.get_by_role("heading", name="The second page")).to_be_visible()
        assert page.url.endswith("/second?by=button")
        page.get_by_role("button", name="More").click()
        page.get_by_text("pressed: 1").wait_for()


def test_a_press_in_a_part_that_was_drawn_elsewhere_meanwhile_counts(tmp_path):
    with overheard(tmp_path, MOVED) as (page, sent, send):
        page.get_by_role("button", name="Press").click()
        page.get_by_text("pressed: 1").wait_for()
        pressed = sent[-1]
        page.get_by_role("button", name="Move").click()
        rest(page, 500)
        # As a browser sends it that has not drawn the part anew yet.
        send(pressed)
        page.get_by_text("pressed: 2").wait_for()
