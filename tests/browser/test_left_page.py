"""A press on a page that was just left, as the second one of a double click is."""

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


def test_a_second_press_that_comes_late_leaves_the_next_page_as_it_is(tmp_path):
    (tmp_path / "page.py").write_text(PAGES)
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
            page.get_by_role("button", name="Go on").click()
            page.get_by_role("heading", name="Begun").wait_for()
            # The same press once more, as it arrives while the page after it is being drawn.
            lines[0].send(sent[-1])
            page.get_by_role("heading", name="The second page").wait_for()
            rest(page, 500)
            expect(page.get_by_role("heading", name="The second page")).to_be_visible()
            assert page.url.endswith("/second?by=button")
            page.get_by_role("button", name="More").click()
            page.get_by_text("pressed: 1").wait_for()
    finally:
        app.kill()
