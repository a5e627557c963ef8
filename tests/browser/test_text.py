"""Words of models and papers in a real browser: every sign as it was written, and nothing made of
it.
"""

import json

import pytest

from components.shell.text import inline, shown
from tests.support.browser import App, browsing, needs_browser

pytestmark = [pytest.mark.browser, needs_browser]
WORDS = {
    "address": "see https://evil.example/x?y=1 and HTTP://evil.example now",
    "www": "see www.evil.example and WWW.evil.example now",
    "mail": "write bob@evil.example, or mailto:bob@evil.example now",
    "icon": "a :material/home: b :material_home: c",
    "logo": "a :streamlit: b",
    "emoji": "a :smile: b :+1: c 12:30:45",
    "colour": ":red[hello] :blue-badge[x] :small[y]",
    "arrow": "a -> b <- c <-> d -> e",
    "signs": "a >= b <= c -- d ~= e -- f --- g",
    "starts": "-> a:-> b",
    "markup": "**a** _b_ `c` ~~d~~ [e](http://evil.example) ![f](x.png) <b>g</b> &amp; $x^2$",
    "list": "1. one",
    "dash": "- two",
    "heading": "# three",
    "table": "| a | b |",
    "note": "a[^1] ::note[hi]",
}
SHOWN = """
import json, pathlib, streamlit as st
from components.runs.differences import draw, marked
from components.shell.text import inline, shown
from core.wording.differences import Difference, Piece
words = json.loads(pathlib.Path({words!r}).read_text())
for name, said in words.items():
    with st.container(key=f"whole-{{name}}"):
        st.markdown(shown(said))
    with st.container(key=f"line-{{name}}"):
        st.caption(inline(said))
    with st.container(key=f"bold-{{name}}"):
        st.markdown(f"**{{inline(said)}}**")
    with st.container(key=f"tag-{{name}}"):
        st.markdown(f":gray-badge[{{inline(said)}}]")
    with st.container(key=f"badge-{{name}}"):
        # st.badge escapes these itself
        st.badge(inline(said).replace("\\\\[", "").replace("\\\\]", ""))
    with st.container(key=f"button-{{name}}"):
        st.button(inline(said), key=f"press-{{name}}")
    with st.container(key=f"fold-{{name}}"):
        st.expander(inline(said))
    for kind in ("same", "removed", "added"):
        with st.container(key=f"{{kind}}-{{name}}"):
            before, after = (Piece(kind="same", text=text) for text in ("a:", ":b"))
            st.markdown(marked([before, Piece(kind=kind, text=said), after]))
with st.container(key="code"):
    st.markdown(shown("one\\n    four spaces\\n\\ta tab"))
with st.container(key="own"):
    st.markdown(f":gray[{{inline('a -> b: c')}}] **{{inline('w:x')}}** *{{inline('y@z.example')}}*"
                f" [{{inline('doi:10/x')}}](https://doi.org/10/x)")
with st.container(key="long"):
    st.markdown(marked([Piece(kind="removed", text="sleep [memory] " * 1300),
                        Piece(kind="added", text="sleep " * 3300)]))
with st.container(key="card"):
    draw([Difference(field="title", pieces=(Piece(kind="same", text="as it was"),)),
          Difference(field="method", pieces=(Piece(kind="added", text="anew", remarks=("p1",)),))])
st.header("The end")
"""
MADE = (
    "a, svg, img, code, strong, em, b, del, table, li, h1, h2, h3, blockquote, [role=img], .katex,"
    " .stMarkdownColoredText"
)
MARKUP = "a, svg, img, code, strong, b, table, li, h1, h2, h3, blockquote, [role=img], .katex"
"""What a marked difference never holds: its own marks are `del` and `em`."""


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("text")
    (folder / "words.json").write_text(json.dumps(WORDS))
    (folder / "page.py").write_text(SHOWN.format(words=str(folder / "words.json")))
    app = App(folder / "data", script=str(folder / "page.py"), words=True).start()
    try:
        with browsing() as page:
            page.goto(app.url)
            page.get_by_role("heading", name="The end").wait_for()
            page.wait_for_timeout(500)
            yield page
    finally:
        app.kill()


@pytest.mark.parametrize("name", WORDS)
@pytest.mark.parametrize("place", ["whole", "line", "bold", "tag", "badge", "button", "fold"])
def test_words_are_shown_as_they_were_written(page, place, name):
    drawn = page.locator(
        f".st-key-{place}-{name} [data-testid=stMarkdownContainer], .st-key-{place}-{name}"
        " [data-testid=stCaptionContainer]"
    ).first
    written = WORDS[name].replace("[", "").replace("]", "") if place == "badge" else WORDS[name]
    assert drawn.inner_text().strip() == written
    assert [one.evaluate("e => e.tagName") for one in drawn.locator(MADE).all()] == (
        ["STRONG"] if place == "bold" else []
    )


def test_no_sign_turns_the_direction_of_what_is_read():
    turned = "pays \u202e001\u202c \u2067not\u2069 \u2068x\u2069 \u202atwice"
    assert inline(turned) == shown(turned) == "pays 001 not x twice"
    assert inline("\u05d0\u200f\u05d1") == "\u05d0\u200f\u05d1", "what is written that way stays"


def test_indented_words_are_no_code(page):
    drawn = page.locator(".st-key-code")
    assert drawn.inner_text().split() == ["one", "four", "spaces", "a", "tab"]
    assert drawn.locator("code").count() == 0


def test_emphasis_and_links_of_our_own_still_work(page):
    drawn = page.locator(".st-key-own")
    assert drawn.inner_text().strip() == "a -> b: c w:x y@z.example doi:10/x"
    assert (drawn.locator("strong").inner_text(), drawn.locator("em").inner_text()) == (
        "w:x",
        "y@z.example",
    )
    assert [one.get_attribute("href") for one in drawn.locator("a").all()] == [
        "https://doi.org/10/x"
    ]
    assert drawn.locator(".stMarkdownColoredText").first.inner_text() == "a -> b: c"


@pytest.mark.parametrize("name", WORDS)
@pytest.mark.parametrize("kind", ["same", "removed", "added"])
def test_a_browser_shows_every_sign_of_a_change_as_it_was_written(page, kind, name):
    drawn = page.locator(f".st-key-{kind}-{name} [data-testid=stMarkdownContainer]").first
    assert drawn.inner_text().strip() == f"a:{WORDS[name]}:b"
    assert drawn.locator(MARKUP).count() == 0
    assert (drawn.locator("del").count(), drawn.locator("em").count()) == {
        "same": (0, 0),
        "removed": (1, 0),
        "added": (0, 1),
    }[kind]


def test_a_browser_marks_a_long_change_whole_and_labels_each_field(page):
    drawn = page.locator(".st-key-long")
    assert (
        len(drawn.locator("del").inner_text().split()),
        len(drawn.locator("em").inner_text().split()),
    ) == (2_600, 3_300)
    card = page.locator(".st-key-card").inner_text()
    assert "Unchanged: Title" in card
    assert "Method new" in card
    assert "as the generator says" in card
    assert "]" not in card
