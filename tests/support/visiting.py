"""Opening a page the way a browser does, on a runner of the test's own."""

import functools
from collections.abc import Iterator

import streamlit as st
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest, app_test, local_script_runner
from streamlit.testing.v1.element_tree import Block, Node
from streamlit.testing.v1.local_script_runner import LocalScriptRunner

from components.shell import cached, services
from components.shell.text import SEAM
from core.runs.runner import Runner
from core.store import Store
from tests import ROOT

# Streamlit looks through all installed packages for each AppTest, which takes longer than most
# pages do; none of them has a component that the app uses.
manifest_scanner.scan_component_manifests = list
# And it compiles all the scripts of a page anew: the app's, and by another cache the page's.
app_test.ScriptCache = local_script_runner.ScriptCache = functools.cache(  # type: ignore[misc]
    local_script_runner.ScriptCache
)
# And it looks through Streamlit's server for each run, to pretend to be it.
app_test.MagicMock = functools.cache(app_test.MagicMock)  # type: ignore[misc,assignment]


def ended(runner: LocalScriptRunner) -> bool:
    """Say whether a page's script is over, a moment later if not."""
    assert runner._script_thread is not None
    runner._script_thread.join(0.05)
    return not runner._script_thread.is_alive()


# Streamlit asks a thousand times a second, and what asks keeps the script itself waiting.
LocalScriptRunner.script_stopped = ended  # type: ignore[method-assign]


def nodes(self: Block) -> Iterator[Node]:
    """Go through a block and all it holds, in the order in which it stands on the page."""
    left: list[Node] = [self]
    while left:
        node = left.pop()
        yield node
        if isinstance(node, Block):
            left.extend(reversed(node.children.values()))


# Streamlit hands what lies deep through all that is around it, each time that something is looked
# for.
Block.__iter__ = nodes  # type: ignore[method-assign]


def host(monkeypatch, runner: Runner) -> Store:
    """Let the pages work on this runner and its store; models are looked for nowhere but in the
    built-in one.
    """
    monkeypatch.setattr(services, "runner", lambda: runner)
    monkeypatch.setattr(services, "workshop", lambda: runner.workshop)
    monkeypatch.setattr(cached, "reachable", lambda settings: ())
    st.cache_data.clear()
    return runner.store


def visit(page: str, **query: str) -> AppTest:
    """Open a page with this address; fails if it raised."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=90).switch_page(
        f"pages/{page}.py"
    )
    for name, value in query.items():
        app.query_params[name] = value
    return settled(app.run())


def settled(app: AppTest) -> AppTest:
    """Return the page if nothing was raised in it."""
    assert not app.exception, [one.message for one in app.exception]
    return app


def shown(app: AppTest) -> str:
    """Return everything a page shows, its tables too."""
    tables = [one.value.to_string() for kind in (app.dataframe, app.table) for one in kind]
    return said(app) + "\n".join(tables)


def said(app: AppTest) -> str:
    """Return the text a page shows, without the escapes of its Markdown."""
    texts = [
        one.value
        for kind in (
            app.markdown,
            app.caption,
            app.info,
            app.error,
            app.warning,
            app.success,
            app.code,
            app.subheader,
        )
        for one in kind
    ]
    labels = [one.label for kind in (app.expander, app.button, app.checkbox) for one in kind] + [
        link.label for link in links(app)
    ]
    return "\n".join(str(one) for one in (*texts, *labels)).replace("\\", "").replace(SEAM, "")


def links(app: AppTest) -> list:
    """Return the links of a page's main part: `label`, `page`, `query_string`."""
    return [one.proto for one in app.main.get("page_link")]
