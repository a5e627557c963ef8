"""A refinement's report: in short first, its title once, what is known of its newness, and rounds
that changed nothing in a line.
"""

import re

import pytest

from core.export.markdown import markdown
from core.records import Compared, NoveltyCheck, Outcome, Search
from tests.conftest import make_run
from tests.core.test_story import put
from tests.support.report_kit import INPUTS, PAPER, idea, said

FIRST = idea("The first method. It has a second sentence.")
CHECK = NoveltyCheck(
    round=1,
    searches=(Search(query="sleep", state="found", papers=(PAPER,)),),
    state="novel",
    reason="Nothing like it.",
    compared=(Compared(id=PAPER.id, title=PAPER.title, year=2021, similarity=0.31),),
)
SAME = "The newness of the idea was not checked."


def chain(store) -> str:
    """Store a chain that came to the first idea and checked it; return its id."""
    run = make_run(store, method="chain", version=2, inputs={"topic": "t"}, source="shelf")
    ended = Outcome(reason="Done.", idea=FIRST, branch=1)
    parts = ("branch-1/idea-1", FIRST), ("branch-1/novelty-1", CHECK), ("outcome", ended)
    put(store, run, *parts)
    return run.id


def refinement(store, *rounds, start=FIRST, title="A title", **inputs) -> str:
    """Store a refinement of an idea with these rounds, that ended with the last; return its id."""
    asked = {**INPUTS, **inputs}
    run = make_run(store, method="refine", version=2, inputs=asked)
    store.connections.write("UPDATE runs SET title = ? WHERE id = ?", title, run.id)
    last = rounds[-1].revision.idea if rounds else start
    end = Outcome(reason="Done.", idea=last, round=len(rounds), converged=True)
    told = ((f"round-{done.n}", done) for done in rounds)
    put(store, run, ("round-0", start), *told, ("outcome", end))
    return run.id


def newness(store, run: str) -> str:
    text = markdown(store, run)
    told = text[text.index("## Is it new?") :]
    return told[: told.index("\n## ", 5)]


def test_what_the_chain_found_of_the_first_idea_is_told_as_that(store):
    source = chain(store)
    told = newness(store, refinement(store, said(1, "New.", True), from_run=source))
    assert f"This verdict is of the first idea, by run {source}, " in told
    assert re.search(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC\. The refined idea was not checked", told)
    assert "Not found among 1 paper searched in Built-in papers (few: under 10" in told
    assert "- [Orexin and the sleep of athletes](<https://doi.org/10.1/abc>) (2021)" in told
    assert "similarity 0.31" in told
    assert SAME not in told


@pytest.mark.parametrize("from_chain", [True, False])
def test_where_nobody_checked_that_very_idea_one_sentence_says_so(store, from_chain):
    asked = {"from_run": chain(store)} if from_chain else {}
    other = idea("Another method, typed by hand.")
    run = refinement(store, said(1, "New.", True), start=other, **asked)
    assert newness(store, run).split("\n", 1)[1].strip() == SAME


def test_a_chain_that_is_not_in_the_store_is_named(store):
    told = newness(store, refinement(store, said(1, "New.", True), from_run="c0ffee00"))
    assert "What was found of the first idea stands with run c0ffee00, which is not in" in told


def test_the_report_opens_in_short_and_says_its_title_once(store):
    run = refinement(store, said(1, "It is new. And more.", True), title="The title of it.")
    text = markdown(store, run)
    assert text.startswith("# The title of it.\n")
    assert "## The refined idea\n\n**In short.** The problem of it. The hypothesis of it." in text
    assert text.index("**In short.**") < text.index("### The whole idea")
    assert text.index("### The whole idea") < text.index("### What changed")
    renamed = refinement(store, said(1, "It is new.", True), title="Another")
    assert "## The refined idea: The title of it." in markdown(store, renamed)


def test_rounds_that_changed_nothing_are_one_line(store):
    rounds = [said(n, "Settled." if n > 1 else "New.", n < 3) for n in range(1, 5)]
    run = refinement(store, *rounds)
    text = markdown(store, run)
    assert re.findall("^## Round.*", text, re.MULTILINE) == [
        "## Round 1",
        "## Round 2",
        "## Rounds 3 and 4",
    ]
    assert "Rounds 3 and 4 changed nothing; their reviews and verdicts are in the JSON" in text
    assert "Summary 4." not in text
    assert "| 4 | novelty | not better |" in text


def test_a_round_that_changed_nothing_and_was_remarked_on_is_told_in_full(store):
    rounds = [said(n, "Settled.", n == 1) for n in range(1, 4)]
    run = refinement(store, *rounds)
    store.notes.add(run, "round-3/idea", "Why did it stop?", "Fay")
    text = markdown(store, run)
    assert "Round 2 changed nothing; its review and verdict are in the JSON bundle." in text
    assert text.index("## Round 3\n") < text.index("Summary 3.") < text.index("Why did it stop?")
