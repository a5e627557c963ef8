"""A key is never sent to a browser: not in a page, not in what travels to it."""

import pytest
from playwright.sync_api import expect

from tests.support.browser import App, browsing, needs_browser, rest

pytestmark = [pytest.mark.browser, needs_browser]
KEYS = {
    "OPENAI_API_KEY": "sk-planted-openai-0123456789",
    "ANTHROPIC_API_KEY": "sk-ant-planted-0123456789",
    "SEMANTIC_SCHOLAR_API_KEY": "planted-s2-0123456789",
}
TYPED = "sk-typed-by-hand-0123456789"
PAGES = ("", "chains", "refine", "ideas", "rate", "library", "runs", "settings")


def test_no_page_and_no_frame_to_the_browser_holds_a_key(tmp_path):
    app = App(tmp_path / "data", words=True, **KEYS).start()
    received: list[bytes] = []
    try:
        with browsing() as page:
            page.on(
                "websocket",
                lambda socket: socket.on(
                    "framereceived", lambda frame: received.append(_bytes(frame))
                ),
            )
            for path in PAGES:
                page.goto(f"{app.url}/{path}")
                page.get_by_role("heading", level=1).wait_for()
                rest(page)
                received.append(page.content().encode())
            field = page.get_by_label("Key, for this server's memory only")
            field.fill(TYPED)
            page.get_by_role("button", name="Use this key").click()
            # Until then it stands where it was typed.
            expect(field).to_have_value("")
            rest(page, 300)
            received.append(page.content().encode())
    finally:
        app.kill()
    assert len(received) > 3 * len(PAGES)
    everything = b"\n".join(
        [
            *received,
            app.log.read_bytes(),
            *(path.read_bytes() for path in app.data.rglob("*") if path.is_file()),
        ]
    )
    assert b"OPENAI_API_KEY" in everything, "the page says where a key was found"
    for key in (*KEYS.values(), TYPED):
        assert key.encode() not in everything


def _bytes(frame: object) -> bytes:
    return frame if isinstance(frame, bytes) else str(frame).encode()
