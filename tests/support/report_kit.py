"""What the tests of reports share: a refinement worth telling, and readers of what was made of
it.
"""

import io
from html.parser import HTMLParser

from docx import Document
from markdown_it import MarkdownIt

from core.export.html import html
from core.export.markdown import markdown
from core.export.word import word
from core.methods.presets import FEASIBILITY, NOVELTY
from core.records import (
    FORMS,
    Change,
    Effect,
    Idea,
    Measures,
    Outcome,
    Paper,
    Play,
    Ranked,
    Remark,
    Review,
    Revision,
    Round,
    Search,
    SideEffect,
    Standing,
    Stopping,
    Verdict,
    Wish,
)
from tests.conftest import make_run
from tests.core.test_story import put

PAPER = Paper(
    id="w1",
    title="Orexin and the sleep of athletes",
    authors=("Ada Lund",),
    year=2021,
    venue="Sleep Letters",
    doi="10.1/abc",
    source="shelf",
)
FIRST = Idea(
    form="hypothesis", fields={"hypothesis": "Orexin levels may improve sleep in athletes."}
)
PLAY = Play(goals=(NOVELTY, FEASIBILITY), rules=Stopping(max_rounds=4))
INPUTS = {
    "topic": "orexin and sleep",
    "area": "sleep medicine",
    "play": PLAY.model_dump(mode="json"),
}


def idea(method: str) -> Idea:
    """Return an idea in six fields that differ in their method alone."""
    return Idea(
        form="six-field",
        fields={
            name: method if name == "method" else f"The {name} of it."
            for name in FORMS["six-field"]
        },
    )


def said(n: int, method: str, improved: bool, **more: object) -> Round:
    """Return a round of a made-up refinement."""
    remarks = (
        Remark(id="r1", text=f"Name the measure, {n}.", trait="originality"),
        Remark(id="r2", text="Shorten it."),
    )
    review = Review(summary=f"Summary {n}.", remarks=remarks)
    change = Change(field="method", passage=method.rsplit(maxsplit=1)[-1], remarks=("r1",))
    return Round(
        **{
            "n": n,
            "goal": "novelty",
            "review": review,
            "revision": Revision(idea=idea(method), changes=(change,)),
            "verdict": Verdict(improved=improved, reason=f"Reason {n}."),
            "quiet": 0 if improved else 1,
            **more,
        }
    )


def rounds() -> tuple[Round, Round]:
    """Return two rounds, the second with everything a round may have."""
    standing = Standing(
        goal="novelty",
        q=0.5,
        rankings=(
            Ranked(
                shown=("a", "b", "target"), best_first=("a", "target", "b"), reasons=("x", "y", "z")
            ),
        )
        * 3,
    )
    second = said(
        2,
        "Sleep is measured at home with actigraphy",
        False,
        goal="feasibility",
        base=idea("Sleep is measured at school"),
        wishes=(
            Wish(text="Keep it cheap.", by="Ben", id="p1"),
            Wish(decline="r2", by="Cleo", of=1),
            Wish(idea=idea("Sleep is measured at school"), by="Dora", of=1),
            Wish(text="One more.", by="Emil", late=True),
        ),
        effects=(Effect(goal="novelty", said=SideEffect(effect="worse", reason="Less bold.")),),
        measures=Measures(to_first=0.81, to_previous=0.93, nearest="w1", to_nearest=0.42),
        standings=(standing,),
    )
    return said(1, "Sleep is measured with questionnaires", True), second


def finished(store, **config):
    """Store a run of version 2 with two rounds, a margin note and its paper; return its id."""
    models = {"main": "openai:big", "discriminator": "openai:small"}
    asked = {"method": "refine", "version": 2, "inputs": INPUTS, "models": models, **config}
    run = make_run(store, **asked)
    one, two = rounds()
    put(
        store,
        run,
        ("background", Search(query="orexin", state="found", papers=(PAPER,))),
        ("round-0", FIRST),
        ("round-1", one),
        ("round-2", two),
        ("outcome", Outcome(reason="Stopped at the limit.", idea=two.revision.idea, round=2)),
    )
    store.notes.add(run.id, "round-1/idea", "Is this ethical?", "Fay")
    store.notes.add(run.id, "round-2/review", "Too kind.", "Gus")
    return run.id


class Reader(HTMLParser):
    """Reads a page back: its words, its elements, and the text within each kind of element."""

    def __init__(self, text: str):
        super().__init__()
        self.open, self.elements, self.said = [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in ("meta", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.said.append((tuple(self.open), data))

    def within(self, tag: str) -> str:
        return "".join(data for path, data in self.said if tag in path)


def paragraphs(made: bytes) -> list[str]:
    """Return the text of every paragraph of a Word document, tables included, in order."""
    return [
        paragraph.text
        for part in Document(io.BytesIO(made)).iter_inner_content()
        for paragraph in (
            [part]
            if hasattr(part, "runs")
            else [p for row in part.rows for cell in row.cells for p in cell.paragraphs]
        )
    ]


def in_three(store, run_id: str) -> dict[str, str]:
    """Return the report's words in each format, white space as single spaces."""
    shown = MarkdownIt("commonmark").enable("table").render(markdown(store, run_id))
    texts = {
        "Markdown": "".join(data for _, data in Reader(shown).said),
        "HTML": Reader(html(store, run_id)).within("main"),
        "Word": " ".join(paragraphs(word(store, run_id))),
    }
    return {name: " ".join(text.split()) for name, text in texts.items()}
