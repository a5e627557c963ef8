"""What a choice opens is seen at once, at 1280 by 800, wherever in the window the choice is made;
what a double click or a reload did is what the screen says; and a screen holds together at 1024.
"""

import gzip
import re
from time import monotonic

import pytest
from playwright.sync_api import expect

from core.store import Store
from tests import ROOT
from tests.support import dataset_kit
from tests.support.browser import App, browsing, hears, needs_browser, rest
from tests.support.scripted import configured, runner_of
from tests.support.sessions import studies_kit

pytestmark = [pytest.mark.browser, needs_browser]
CHAIN, REFINEMENT, EVOLUTION = "48db9d24", "ee971dd5", "fc8164e0"
ARENA, EXPERIMENT, BENCHMARK = "3d714c56", "3dff2b20", "0e29733c"
"""Finished runs of the stored main."""
DATASET = "Targets on sleep and genes"
"""The title of a data set beside them."""
IN_VIEW = """node => {
    const { top } = node.getBoundingClientRect();
    return top > 40 && top < innerHeight - 100;
}"""
FILLED = """column => {
    const { top } = column.getBoundingClientRect();
    const all = [...column.querySelectorAll("[data-testid=stElementContainer]")];
    return Math.max(...all.map(one => one.getBoundingClientRect().bottom)) - top;
}"""
WAYS = "xpath=ancestor::*[@data-testid='stHorizontalBlock'][1]"
"""The row that a button stands in."""
GOES = """address => new Promise(begun => {
    const app = document.querySelector(".stApp");
    const watch = new MutationObserver(() => {
        if (app.dataset.testScriptState === "notRunning") return;
        watch.disconnect();
        begun();
    });
    watch.observe(app, { attributes: true });
    setTimeout(begun, 10000);
    history.pushState(null, "", address);
    dispatchEvent(new PopStateEvent("popstate"));
})"""
"""To another address without starting the front end anew, until its script has begun: one that
began and ended between two frames leaves no trace, so no wait is for ever.
"""
STILL = """node => new Promise((done, failed) => {
    setTimeout(() => failed(Error("It keeps moving.")), 30000);
    let last = "", same = 0;
    const look = () => {
        const { left, top, width, height } = node.getBoundingClientRect();
        const now = [left, top, width, height].join();
        same = now === last ? same + 1 : 0;
        last = now;
        same < 10 ? requestAnimationFrame(look) : done();
    };
    look();
})"""
"""Until something has kept its place for ten frames: a chart is laid out anew for a new width."""
WHOLE = """node => {
    const { top, bottom } = node.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
}"""
LOW = """node => {
    dispatchEvent(new WheelEvent("wheel"));
    document.querySelector("[data-testid=stMain]")
        .scrollBy(0, node.getBoundingClientRect().bottom - innerHeight + 40);
}"""
"""Scroll until a control stands at the lower edge of the window, where what it opens has no room.
"""
FAULTS = """() => {
    const main = document.querySelector("[data-testid=stMain]"), found = [];
    const lines = boxes => [...boxes].reduce(
        (all, { top, bottom }) => all.some(at => at > top && at < bottom)
            ? all : [...all, (top + bottom) / 2], []).length;
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        const held = text.parentElement;
        if (!held.checkVisibility() || held.closest("svg, pre, code, [translate=no]")) continue;
        for (const { index, 0: word } of text.data.matchAll(/[\\p{L}\\p{N}]+/gu)) {
            const range = document.createRange();
            range.setStart(text, index);
            range.setEnd(text, index + word.length);
            if (lines(range.getClientRects()) > 1) found.push(`“${word}” is broken`);
        }
    }
    for (const label of main.querySelectorAll("button p, [data-testid=stPageLink] p")) {
        const range = document.createRange();
        range.selectNodeContents(label);
        if (label.checkVisibility() && lines(range.getClientRects()) > 1)
            found.push(`“${label.innerText}” takes two lines`);
    }
    const ways = [...main.querySelectorAll(".st-key-run-ways > *")];
    if (lines(ways.map(way => way.getBoundingClientRect())) > 1) found.push("the ways on wrap");
    if (main.scrollWidth > main.clientWidth) found.push("wider than the window");
    const menu = document.querySelectorAll("[data-testid=stSidebarUserContent] a");
    const { bottom } = menu[menu.length - 1].getBoundingClientRect();
    if (bottom > innerHeight) found.push(`the menu ends at ${bottom}`);
    return found;
}"""
NARROW = """() => {
    const main = document.querySelector("[data-testid=stMain]");
    return main.scrollWidth <= main.clientWidth;
}"""
"""Nothing is cut off at the right; a table is laid out anew a moment after its window."""
IDEAS = """title,idea,method,topic
Naps before exams,A nap of twenty minutes before an exam restores recall.,A,sleep
Cooling the neck,Cooling the neck for ten minutes shortens sleep onset.,A,sleep
Blue filters,Blue filters on lamps advance the sleep phase of students.,B,sleep
"""


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    """The app on a store of an earlier main."""
    data = tmp_path_factory.mktemp("choices") / "data"
    data.mkdir()
    packed = ROOT / "tests/data/stores/before-house.db.gz"
    (data / "foundry.db").write_bytes(gzip.decompress(packed.read_bytes()))
    source = dataset_kit.question_source()
    runner, _ = runner_of(data, dataset_kit.question_script(), source)
    config = configured(runner, "target-dataset", dataset_kit.targets())
    assert runner.work(runner.begin(config, DATASET).id) == "done"
    studies_kit.drafted(runner.store)
    app = App(data, words=True, FOUNDRY_RESUME="0").start()
    yield app
    app.kill()


def visited(page, app, address: str) -> None:
    """Open a page at 1024 by 720, where it is to hold together, then make it 1280 by 800."""
    page.set_viewport_size({"width": 1024, "height": 720})
    if page.url.startswith(app.url):
        page.evaluate(GOES, f"/{address}")
    else:
        page.goto(f"{app.url}/{address}")
    menu = page.get_by_test_id("stSidebarUserContent").get_by_role("link").last
    menu.wait_for()
    rest(page)
    menu.wait_for()  # A page that takes another's place may draw it anew.
    assert page.evaluate(FAULTS) == [], address
    page.set_viewport_size({"width": 1280, "height": 800})


def seen(page, opened) -> bool:
    """Wait for what was opened, or for these words, and say whether it came to be in the window."""
    if isinstance(opened, str | re.Pattern):
        opened = page.get_by_test_id("stMain").get_by_text(opened).filter(visible=True).first
    opened.wait_for()
    rest(page)
    end = monotonic() + 20
    while monotonic() < end:  # The page scrolls, and may draw it anew, where it was said before.
        if opened.evaluate(IN_VIEW):
            return True
        page.wait_for_timeout(100)
    return False


def choose(page, control) -> None:
    """Press a control that stands at the lower edge of the window."""
    control.wait_for()
    rest(page)
    control.evaluate(LOW)
    control.click()


def press(page, drawn, across: float = 0, down: float = 0) -> None:
    """Press a mark of a chart in its middle, or a table at a place, at the window's lower edge."""
    drawn.wait_for()
    rest(page)
    drawn.evaluate(LOW)
    drawn.evaluate(STILL)
    at = drawn.bounding_box()
    page.mouse.click(at["x"] + (across or at["width"] / 2), at["y"] + (down or at["height"] / 2))


def keyed(page, key: str):
    return page.locator(f".st-key-{key}").first


def test_what_a_choice_opens_in_chains_and_refinements_is_in_view(app):
    with browsing() as page:
        visited(page, app, f"chains?run={CHAIN}")
        page.get_by_role("button", name="See the whole idea").click()
        assert seen(page, keyed(page, "chains-idea")), "the whole idea"
        press(page, page.locator(".js-plotly-plot .scatterlayer .point").last)
        assert seen(page, keyed(page, "chains-paper")), "a paper of the graph"
        papers = page.get_by_role("radiogroup", name=re.compile("^Papers"))
        choose(page, papers.locator("label").first)
        assert seen(page, keyed(page, "chains-paper")), "a paper of the list"
        for view, opens in (
            ("Branch 1", "Papers, oldest first"),
            ("Compare", "Predicted direction"),
            ("Choice", "Criteria won over"),
            ("Experiment", "Setup"),
            ("Map", "Idea of branch 1"),
        ):
            choose(page, page.get_by_role("radio", name=re.compile(f"^{view}")))
            assert seen(page, opens), view
        page.get_by_role("button", name="Save as case study").click()
        save = page.get_by_role("dialog").get_by_role("button", name="Save as file")
        save.wait_for()
        rest(page)
        assert save.evaluate(WHOLE), "the button that saves is reached"
        page.keyboard.press("Escape")
        page.get_by_role("dialog").wait_for(state="hidden")
        visited(page, app, f"refine?run={REFINEMENT}")
        assert seen(page, "Refined idea"), "the result"
        assert seen(page, "First idea"), "beside it the first"
        first, refined = page.get_by_test_id("stColumn").all()[:2]
        assert first.evaluate(FILLED) > refined.evaluate(FILLED) / 2, "no column is half empty"
        onward = page.get_by_role("link", name="Refine it further").locator(WAYS)
        assert 3 <= onward.locator("a, button").count() <= 5, "ways on, and no crowd of them"
        page.get_by_role("button", name="Compare versions").click()
        assert seen(page, "From A to B"), "two versions"
        choose(page, page.get_by_role("radio", name="Branches"))
        marks = page.locator(".js-plotly-plot .scatterlayer .point")
        assert seen(page, marks.first), "the tree"
        press(page, marks.nth(1))
        opened = page.get_by_role("radio", name=re.compile("^1 "), checked=True)
        opened.wait_for()
        assert seen(page, re.compile("reviewed$")), "a round of the tree"
        choose(page, page.get_by_role("radio", name=re.compile("^2 ")))
        assert seen(page, re.compile("reviewed$")), "a round of the timeline"
        page.goto(f"{app.url}/refine?run={REFINEMENT}&round=1")
        assert seen(page, re.compile("reviewed$")), "a round of a link"
        hears(page, "search")
        page.keyboard.press("Control+k")
        found = page.get_by_role("dialog")
        found.get_by_role("searchbox").fill("Stored: refine")
        found.get_by_role("link", name="Stored: refine").first.click()
        page.wait_for_function(f"!location.search.includes('{REFINEMENT}')")
        assert seen(page, page.get_by_role("heading", name="Stored: refine")), "what was found"
        assert page.get_by_test_id("stException").count() == 0


def test_what_a_choice_opens_elsewhere_is_in_view(app):
    with browsing() as page:
        visited(page, app, f"checklist?run={EVOLUTION}")
        choose(page, page.get_by_role("radio", name=re.compile("^Step 1")))
        assert seen(page, "Primary items"), "a step"
        choose(page, page.get_by_role("radio", name="5 Method"))
        assert seen(page, "method is weak"), "an item"
        visited(page, app, f"experiments?run={EXPERIMENT}")
        press(page, page.get_by_test_id("stDataFrame").first, 600, 35 * 2.5)
        assert seen(page, keyed(page, "experiments-opened").get_by_text("Runs behind it"))
        store = Store(app.data)
        (dataset,) = store.runs.listed(method="target-dataset")
        visited(page, app, f"experiments?run={dataset.id}")
        choose(page, page.get_by_role("combobox", name="Read one"))
        page.get_by_role("option").last.click()
        assert seen(page, keyed(page, "datasets-read")), "an entry of a data set"
        (draft,) = [one for one in store.studies.listed() if one.state == "draft"]
        visited(page, app, f"sessions?session={draft.id}&tab=Blinding")
        choose(page, page.get_by_role("combobox", name="Text", exact=True))
        page.get_by_role("option").last.click()
        assert seen(page, keyed(page, "study-read")), "a text of a draft"
        visited(page, app, f"arena?run={ARENA}")
        press(page, page.get_by_test_id("stDataFrame").first, 15, 35 * 1.5)
        assert seen(page, re.compile(r"pairs? of \w+\.$")), "a method's matches"
        choose(page, page.locator("[data-testid=stExpander] summary").last)
        assert seen(page, "What direct says"), "a match"
        visited(page, app, f"benchmark?run={BENCHMARK}&view=ideas")
        words = page.locator("[data-testid=stExpander]", has_text="Judges' words").last
        choose(page, words.locator("summary"))
        assert seen(page, words.get_by_text("Originality").first), "judges' words on an idea"
        visited(page, app, f"runs?run={CHAIN}&runs:tab=Steps")
        choose(page, page.locator("[data-testid=stExpander] summary").last)
        choose(page, page.locator("[class*=st-key-runs-pick] button").last)
        assert seen(page, keyed(page, "runs-step-opened")), "a step of a run"
        visited(page, app, "library?library:tab=Built-in+papers")
        choose(page, page.get_by_test_id("stPagination").get_by_text("2", exact=True))
        papers = page.locator("[class*='st-key-library-shelf-shelf'] summary")
        assert seen(page, papers.first), "the next page of a list begins with its first line"
        choose(page, papers.last)
        assert seen(page, "summary written for the built-in papers"), "a paper"
        visited(page, app, "cases")
        page.get_by_role("button", name="Play").first.click()
        assert seen(page, keyed(page, "case-controls")), "a case study"
        page.get_by_role("button", name="To the end").click()
        assert seen(page, "The end."), "its end"
        for form in ("", "chains", "refine", "sessions?view=new", "benchmark?section=new"):
            visited(page, app, form)
        assert page.get_by_test_id("stException").count() == 0


def test_no_page_is_wider_than_a_phone(app):
    pages = (
        *("", "chains", "ideas", "rate", "sessions", "library", "cases", "settings", "novelty"),
        *(f"chains?run={CHAIN}", f"refine?run={REFINEMENT}", f"checklist?run={EVOLUTION}"),
        *(f"arena?run={ARENA}", f"experiments?run={EXPERIMENT}", f"benchmark?run={BENCHMARK}"),
    )
    with browsing() as page:
        page.set_viewport_size({"width": 390, "height": 844})
        page.goto(app.url)
        page.get_by_text("What do you want ideas about?").first.wait_for()
        for address in pages:
            page.evaluate(GOES, f"/{address}")
            rest(page)
            page.wait_for_function(NARROW, timeout=10_000)
        page.set_viewport_size({"width": 1280, "height": 800})


def test_double_clicks_and_reloads_tell_the_truth_on_ideas_and_arena(app, tmp_path):
    store = Store(app.data)
    (tmp_path / "mine.csv").write_text(IDEAS)
    with browsing() as page:
        page.goto(f"{app.url}/ideas?ideas:add=From+a+file")
        page.locator("input[type=file]").set_input_files(tmp_path / "mine.csv")
        page.get_by_role("button", name="Import", exact=True).wait_for()
        rest(page)
        page.get_by_role("button", name="Import", exact=True).dblclick()
        page.get_by_text("3 taken, 0 known already, 0 refused").wait_for()
        page.goto(f"{app.url}/ideas")
        page.get_by_text("Cooling the neck").first.wait_for()
        rest(page)
        assert store.ideas.count() == 3
        page.set_viewport_size({"width": 1280, "height": 800})
        choose(page, page.locator("[data-testid=stExpander] summary", has_text="Read, tag").last)
        assert seen(page, "Judge by checklist"), "a card"
        # Held for a moment, as by a hand: the page, still bringing the card into view, stays put.
        page.get_by_role("button", name="Keep", exact=True).first.dblclick(delay=150)
        page.wait_for_function("() => document.body.innerText.includes('kept just now')")
        rest(page)
        assert [one.kept for one in store.ideas.listed()].count(True) == 1
        for n, title in enumerate(("Naps before exams", "Cooling the neck", "Blue filters"), 1):
            page.get_by_text(title, exact=True).first.click()
            page.get_by_text(f"{n} picked:").wait_for()
            rest(page)
        page.reload()
        page.get_by_text("3 picked:").wait_for()
        page.set_viewport_size({"width": 1280, "height": 500})
        page.get_by_test_id("stMain").evaluate("page => page.scrollTo(0, page.scrollHeight)")
        page.get_by_role("link", name="Rate from 1 to 10").click()
        page.get_by_text("Your name (kept with every answer)").wait_for()
        rest(page)
        scrolled = page.get_by_test_id("stMain").evaluate("page => page.scrollTop")
        assert scrolled == 0, "a page is begun at its top, wherever the one before it was left"
        page.go_back()
        page.get_by_text("3 picked:").wait_for()
        page.set_viewport_size({"width": 1280, "height": 800})
        page.get_by_role("button", name="Compare in the arena").last.click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("Name of the collection").fill("Three of mine")
        dialog.get_by_role("button", name="Compare in the arena").dblclick()
        page.get_by_role("button", name="Open the arena").wait_for()
        rest(page)
        (made,) = [one for one in store.entries.bunches() if one.name == "Three of mine"]
        assert made.entries == 3
        before = store.runs.count(method="arena")
        page.get_by_text("People only").click()
        rest(page)
        page.get_by_role("button", name="Open the arena").dblclick()
        page.locator(".stMarkdownBadge", has_text="Open for votes").wait_for()
        page.reload()
        page.locator(".stMarkdownBadge", has_text="Open for votes").wait_for()
        assert store.runs.count(method="arena") == before + 1
        expect(page.get_by_text("3 pairs of 3 texts by 2 methods on 1 topic")).to_have_count(1)
        page.get_by_role("link", name="Open the voting screen").click()
        page.get_by_label("Your name, or a name of your choice").fill("Ada")
        page.get_by_role("button", name="Begin").click()
        page.get_by_text("Which idea is more novel?").wait_for()
        assert "vote=1" in page.url
        page.set_viewport_size({"width": 1280, "height": 800})
        assert seen(page, "Which idea is more novel?"), "a pair to vote on"
        kept = ",".join(one.id for one in store.ideas.listed())
        page.goto(f"{app.url}/rate?ideas={kept}")
        page.get_by_label("Your name (kept with every answer)").fill("Ada")
        page.get_by_role("radio", name="7", exact=True).first.click()
        choose(page, page.get_by_role("button", name="Submit"))
        assert seen(page, "Rated by you: 1"), "the next idea to rate"
        assert page.get_by_test_id("stException").count() == 0
