"""Findings and the quotes they rest on: one stands only as far as its words are in the texts."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from core.records import Paper, Passage
from core.records.novelty import STEPS_DOWN, Decided, ReadFrom
from core.wording.passages import SHORTEST, locate

FEWEST_WORDS, LONG_ENOUGH = 3, 20
"""Words that a quote has at least; fewer where it has so many letters, as in scripts without
spaces. In less, any two texts agree.
"""
NOT_THERE = Passage(state="not found")
_RANK = {"verbatim": 2, "nearest": 1, "not found": 0}


class Quoted(NamedTuple):
    """Where a quote stands, and in which text of its paper."""

    passage: Passage
    where: ReadFrom


class Checked(NamedTuple):
    """A finding after its quotes were looked up."""

    state: Decided
    idea: Passage
    paper: Quoted


def look_up(text: str, said: str) -> Passage:
    """Return where the words of a quote stand in a text: to the letter, else the nearest passage of
    the text if it is alike enough, else nowhere; too few words stand nowhere.
    """
    words = re.findall(r"\w+", said)
    letters = sum(map(len, words))
    telling = len(words) >= FEWEST_WORDS or letters >= LONG_ENOUGH
    if not telling or len(said.strip()) < SHORTEST:
        return NOT_THERE
    return locate(text, said)


def texts_of(paper: Paper, whole: str | None = None) -> dict[ReadFrom, str]:
    """Return the texts that a quote of a paper may be from: title and abstract, and the whole text
    where it is to be had.
    """
    texts: dict[ReadFrom, str] = {name_abstract(paper): f"{paper.title}\n{paper.abstract}"}
    if whole:
        texts["full text"] = whole
    return texts


def name_abstract(paper: Paper) -> ReadFrom:
    """Return what a paper's abstract is: of a built-in paper a summary that was written for it."""
    return "summary" if paper.abstract_by == "foundry" else "abstract"


def look_up_in(texts: Mapping[ReadFrom, str], said: str) -> Quoted:
    """Return where a quote stands best among the texts of one paper."""
    found = [Quoted(look_up(text, said), where) for where, text in texts.items()]
    best = max(found, key=lambda one: (_RANK[one.passage.state], one.passage.likeness))
    return best if best.passage.state != "not found" else Quoted(NOT_THERE, "nothing")


def check_finding(
    state: Decided, idea: str, idea_quote: str, texts: Mapping[ReadFrom, str], paper_quote: str
) -> Checked:
    """Look both quotes of a finding up, and take it down a step for each that is not there:
    from `covers` to `in part` to `does not`, which needs no quote.
    """
    mine, theirs = look_up(idea, idea_quote), look_up_in(texts, paper_quote)
    for passage in (mine, theirs.passage):
        if passage.state == "not found":
            state = STEPS_DOWN[state]
    return Checked(state, mine, theirs)
