"""No page keeps anybody out: axe-core finds nothing serious, in light and in dark, empty and with
work on it; the keyboard's place can be seen.
"""

from pathlib import PurePath

import pytest

from components.shell.frame import MENU
from core.records import TASKS, Idea
from core.store import Store
from core.studies import sitting
from tests.support.axe import SCRIPT, needs_axe
from tests.support.benchmark.bench_kit import settled_store
from tests.support.browser import RESTS, App, browsing, hears, needs_browser, rest
from tests.support.headless import MODEL, cli, server
from tests.support.sessions.studies_kit import agreed, opened, work_through

__all__ = ["cli", "server"]
pytestmark = [pytest.mark.browser, needs_browser, needs_axe]
TOPIC = "orexin levels may improve sleep quality and energy in adolescent athletes"
RULES = {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}
COLOURS = {"type": "rule", "values": ["color-contrast"]}
"""What another theme can change; the rest of a page is the same in both."""
ASK = """async rules => {
    const said = (rule, node) => `${rule.id} (${rule.impact}) at ${node.target.join(' ')}: `
        + `${node.html.slice(0, 160)} ${node.failureSummary}`;
    const found = await axe.run(document, {runOnly: rules, resultTypes: ['violations']});
    return found.violations
        .filter(rule => ['serious', 'critical'].includes(rule.impact))
        .flatMap(rule => rule.nodes.map(node => said(rule, node)))
}"""
HERE = """() => {
    const here = document.activeElement, label = here.closest('label');
    const drawn = getComputedStyle(label ?? here);
    const name = here.innerText || here.getAttribute('aria-label') || label?.innerText || '';
    return [here.tagName, name, drawn.outlineStyle, drawn.outlineWidth]
}"""
BEGINS = 150
"""Milliseconds until a press, or another theme, has set the page's script going."""
SAME = ("chains", "refine", "cases", "settings")
"""Pages that stay as they are when there is work: their addresses alone show it."""
TYPED = ("MAIN", "BODY", "TEXTAREA")
"""Where the keyboard may be without a line around it: a box shows its own."""


class Tour:
    """A visitor with axe-core, who looks at every page in light or in dark, or in both, and notes
    what keeps people out.
    """

    def __init__(self, page, url: str, whole: bool):
        self.page, self.url, self.theme, self.found = page, url, "light", list[str]()
        self.whole = whole
        """Whether every page is looked at in both themes, not only in the one whose turn it is."""
        page.add_init_script(path=str(SCRIPT))

    def open(self, address: str, sign: str) -> None:
        """Go to a page, wait until it says `sign`, and look at it."""
        self.page.goto(f"{self.url}/{address}")
        # A colour on its way from one theme to the other is none of either.
        self.page.add_style_tag(content="* { transition: none !important }")
        self.page.get_by_text(sign).first.wait_for()
        self.look(address)

    def choose(self, role: str, name: str) -> None:
        """Press a tab or a segment of the page, and look at what it shows; only where every page is
        looked at in both themes.
        """
        if not self.whole:
            return
        self.page.get_by_role(role, name=name, exact=True).click()
        rest(self.page, BEGINS)
        self.look(f"{self.page.url.removeprefix(self.url)}, {name}")

    def search(self, words: str) -> None:
        """Search for something that is there, and look at what is found."""
        hears(self.page, "search")
        self.page.keyboard.press("Control+k")
        dialog = self.page.get_by_role("dialog")
        dialog.get_by_role("searchbox").fill(words)
        dialog.get_by_role("link").first.wait_for()
        self.look(f"search for {words}")
        self.page.keyboard.press("Escape")

    def look(self, where: str) -> None:
        self.page.wait_for_function(RESTS)
        self._note(where, RULES)
        self.theme = "dark" if self.theme == "light" else "light"
        self.page.emulate_media(color_scheme=self.theme)
        if self.whole:
            rest(self.page, BEGINS)
            self._note(where, COLOURS)

    def _note(self, where: str, rules: dict) -> None:
        self.found += [
            f"{where or 'home'} in {self.theme}: {said}" for said in self.page.evaluate(ASK, rules)
        ]


def every_page(tour: Tour, without: tuple[str, ...] = ()) -> None:
    for one in MENU:
        if (name := PurePath(one.path).stem) not in without:
            tour.open("" if name == "app" else name, one.about)


def lost(kind: str, *_: object) -> str:
    """Let every comparison of a benchmark fail, so that what failed is looked at too."""
    return "NoUsableAnswer" if kind == "fluency" else ""


@pytest.mark.parametrize(
    "whole", [False, pytest.param(True, marks=pytest.mark.soak)], ids=["in turn", "both themes"]
)
def test_no_page_has_a_serious_finding(cli, tmp_path, whole):
    app = App(tmp_path / "data", words=True).start()
    try:
        with browsing() as page:
            tour = Tour(page, app.url, whole)
            every_page(tour)
            _, chain, _ = cli(
                "chain", TOPIC, "--branches", "1", "--model", MODEL, "--cheap-model", MODEL
            )
            _, refined, _ = cli(
                "refine",
                "--run",
                chain["run"],
                "--max-rounds",
                "2",
                "--model",
                MODEL,
                "--cheap-model",
                MODEL,
            )
            assert (chain["state"], refined["state"]) == ("done", "done")
            shelf = Store(tmp_path / "data").ideas
            idea = Idea.model_validate(chain["idea"])
            shelf.save(idea, chain["run"], "chain")
            if whole:
                every_page(tour, without=SAME)
            tour.open(f"chains?run={chain['run']}", "Edit this chain")
            for view in ("Compare", "Experiment", "Map"):
                tour.choose("radio", view)
            _, listed, _ = cli(
                "shortlist",
                TOPIC,
                "--branches",
                "1",
                "--model",
                MODEL,
                "--cheap-model",
                MODEL,
            )
            assert listed["state"] == "done"
            tour.open(f"shortlist?run={listed['run']}", "Stage by stage")
            for view in ("All ideas", "Compare two", "Change", "Its runs"):
                tour.choose("radio", view)
            tour.search("sleep")
            tour.open(f"refine?run={refined['run']}", "Discriminator")
            for view in ("Compare", "Branches", "Scores"):
                tour.choose("radio", view)
            _, waits, _ = cli(
                "refine",
                "--run",
                chain["run"],
                "--max-rounds",
                "2",
                "--model",
                MODEL,
                "--person",
                "optimizer",
            )
            assert waits["state"] == "waiting"
            tour.open(f"refine?run={waits['run']}", "You are the optimizer")
            tour.open("benchmark?section=new", "What this will be")
            tour.open("experiments?recipe=coi-arena", "What this will take")
            measured = settled_store(Store(tmp_path / "data"), lost=lost).id
            tour.open(f"benchmark?run={measured}&view=progress", "By model and keyword")
            for tab in ("Results", "Ideas", "Validation", "Export"):
                tour.choose("tab", tab)
            tour.open(f"cases?run={refined['run']}&at=9", "steps")
            tour.open(f"cases?run={refined['run']}&at=9&projector=1", "Keys")
            naps = tmp_path / "naps.txt"
            naps.write_text(
                "Sleep loss in athletes harms attention. Naps restore it after training."
            )
            _, checked, _ = cli("novelty", str(naps), "--deep", "--model", MODEL)
            assert (checked["state"], bool(checked["matrix"]["works"])) == ("done", True)
            tour.open(f"novelty?run={checked['run']}", "Overrule this cell")
            tour.open(f"rate?ideas={shelf.name(idea)}", "Your name")
            tour.choose("tab", "Rank")
            tour.open(f"runs?run={chain['run']}", "Forks")
            for tab in ("Steps", "Forks", "Export"):
                tour.choose("tab", tab)
            for address, sign in (
                *judged(cli, tmp_path),
                *invited(Store(tmp_path / "data"), whole),
            ):
                tour.open(address, sign)
            assert not tour.found, "\n".join(tour.found)
            unseen_focus(page, app.url)
    finally:
        app.kill()


def judged(cli, tmp_path) -> list[tuple[str, str]]:
    """Have ideas judged in each of the ways there are, and return the addresses to look at, each
    with a text that is there once it is drawn.
    """
    said = {
        "one.txt": "Naps restore the memory of adolescent athletes.",
        "two.txt": "Evening light delays it.",
        "human.txt": "Orexin keeps athletes awake.",
    }
    for name, text in said.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "ideas.csv").write_text(
        "idea,method,topic\n"
        + "\n".join(
            f"Idea of {method} on {topic}.,{method},{topic}"
            for method in ("chain", "direct")
            for topic in ("naps", "light")
        )
        + "\n"
    )
    assert cli("import-ideas", str(tmp_path / "ideas.csv"), "--collection", "ours")[0] == 0
    asked = {
        "evolve": (
            "evolve",
            "--question",
            "How do naps restore memory in athletes?",
            "--no-papers",
            "--model",
            MODEL,
        ),
        "rank": (
            "rank",
            "--ideas",
            str(tmp_path / "one.txt"),
            str(tmp_path / "two.txt"),
            "--target",
            str(tmp_path / "human.txt"),
            "--judge",
            MODEL,
            "--repeats",
            "2",
        ),
        "arena": ("arena", "--collection", "ours", "--judge", MODEL),
    }
    runs = {}
    for name, words in asked.items():
        _, document, _ = cli(*words)
        assert document["state"] == "done", document["reason"]
        runs[name] = document["run"]
    return [
        (f"checklist?run={runs['evolve']}", "Primary items"),
        (f"checklist?run={runs['evolve']}&view=scores", "Filled mark"),
        (f"ranking?run={runs['rank']}", "Q"),
        (f"arena?run={runs['arena']}", "went; whether a lead"),
        (f"arena?run={runs['arena']}&tab=Judges", "Judges"),
        (f"arena?run={runs['arena']}&vote=1&by=Ada", "No difference"),
        ("ideas", "brought in"),
    ]


def invited(store: Store, whole: bool) -> list[tuple[str, str]]:
    """Hold sessions with an expert at every step, and return what to look at: the work of all four
    tasks where every page is looked at in both themes.
    """
    found = []
    for task in TASKS if whole else ("compare",):
        held = opened(store, task, experts=4)
        links = [f"annotate?seat={held.secret(n)}" for n in range(4)]
        agreed(store, sitting.enter(store, held.secret(1)))
        work_through(store, held.at_work(2))
        held.at_work(3)
        found += [
            (links[0], "I agree"),
            (links[1], "An example"),
            (links[2], "The last questions"),
            (links[3], "Keys:"),
            (f"sessions?session={held.study.id}", "answers by"),
        ]
    return found


def unseen_focus(page, url: str) -> None:
    """Go through Home by Tab: what has the keyboard has a line around it."""
    page.goto(url)
    page.get_by_text("What do you want ideas about?").first.wait_for()
    page.wait_for_function(RESTS)
    for _ in range(25):
        page.keyboard.press("Tab")
        tag, name, style, width = page.evaluate(HERE)
        assert tag in TYPED or (style, width) == ("solid", "2px"), (
            f"{tag} {name!r} has the keyboard, and nothing shows it"
        )
