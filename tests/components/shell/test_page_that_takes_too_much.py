"""A page, and a file, that would take more memory than the server has for everybody."""

import threading

import pytest
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.media_file_storage import MediaFileStorageError
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage
from streamlit.runtime.scriptrunner import ScriptRunner

from components.shell.memory import let_pages_be_ended
from core import memory
from core.errors import TooMuchMemory
from tests.support.browser import App
from tests.support.wire import tab, told

SCRIPT = """
import threading
import streamlit as st
from components.shell.frame import told
from components.shell.memory import keep_within_bounds, let_pages_be_ended
from core import memory
from core.memory import resident

memory.GREW = 300_000_000
let_pages_be_ended()
let_pages_be_ended()  # Once is enough.

@st.cache_resource
def bound():
    most = resident() + 200_000_000
    threading.Thread(target=keep_within_bounds, args=(threading.Event(), most), daemon=True).start()

bound()
with told():
    held = [b"x" * 1_000_000 for _ in range(int(st.query_params.get("megabytes", 0)))]
    st.text(f"held {len(held)}")
st.text("the rest of the page")
"""


@pytest.mark.served
def test_a_page_that_takes_too_much_says_so_in_its_place_and_the_others_go_on(tmp_path):
    (tmp_path / "page.py").write_text(SCRIPT)
    app = App(tmp_path / "data", script=str(tmp_path / "page.py"), words=True).start()
    try:
        with tab(app) as other, tab(app) as greedy:
            assert b"held 0" in told(other)[0]
            said, messages = told(greedy, query="megabytes=6000")
            assert b"more memory" in said
            assert b"held" not in said
            assert b"the rest of the page" in said
            assert messages[-1].script_finished == 0, "it came to its end"
            assert b"held 20" in told(other, query="megabytes=20")[0]
            assert b"held 30" in told(greedy, query="megabytes=30")[0]
    finally:
        app.kill()


def test_a_file_that_is_made_as_it_is_asked_for_may_be_ended_too(monkeypatch):
    # Both are as before once this is over.
    monkeypatch.setattr(ScriptRunner, "_run_script", ScriptRunner._run_script)
    monkeypatch.setattr(MediaFileManager, "execute_deferred", MediaFileManager.execute_deferred)
    monkeypatch.setattr(ScriptRunner._run_script, "may_be_ended", False, raising=False)
    let_pages_be_ended()
    files = MediaFileManager(MemoryMediaFileStorage("/media"))

    def make() -> bytes:
        memory._tell(threading.get_ident(), TooMuchMemory)
        return b""

    monkeypatch.setattr(files, "_deferred_callables", {"a": {"callable": make}})
    with pytest.raises(MediaFileStorageError, match="more memory"):
        files.execute_deferred("a")
    assert threading.get_ident() not in memory._going_on
