"""What an idea of a chain run does not rest on: papers that have the words of its topic, and more
than one paper.
"""

import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from functools import lru_cache

from core.records import NoveltyCheck, Paper, Search
from core.story import Story

_WORD = re.compile(r"[^\W\d_]+")
SHORTEST = 3
"""Letters from which a word says what a topic is about."""
_COMMON = """
    a about above across affect affecting affects after again against aim aims all allow along
    already also although always among an analyse analysing analysis analyze analyzing and another
    any approach approaches are around as assess assessing assessment at based be because been
    before behind being below benefit benefits best better between beyond both build building but
    by can cannot change changes compare compared comparing comparison consequence consequences
    could current design designing determine develop developing development difference differences
    different discover discovering do does doing done during each effect effective effectively
    effectiveness effects efficient efficiently either enhance enhanced enhancing evaluate
    evaluating evaluation every evidence examine examining explore exploring factor factors
    failure few find finding findings for framework from further future gap gaps generate
    generating goal good guideline guidelines had has have help helping helps high higher how idea
    ideas if impact impacts implication implications important improve improved improvement
    improvements improves improving in increase increased increases increasing influence
    influences insight insights into investigate investigating investigation is issue issues it
    its itself just know large lead less level levels like link links long low lower make making
    may mean means measure measured measures measuring mechanism mechanisms method methods might
    mode model modeling modelling models modes more most much must near need needs new no non nor
    not novel of off often on once only onto open or other our out over own paper papers per
    possible potential predict predicting prediction problem problems promote promoting propose
    proposed prove question questions rather reduce reduced reduces reducing refine refining
    relation relations relationship relationships research result results review role roles same
    several shall short should show since so solution solutions some strategies strategy studies
    study studying such support system systems task tasks technique techniques test testing tests
    than that the their them then theory there these they this those through thus to together too
    toward towards under understand understanding understood until up upon use used useful uses
    using various versus via want was way ways well were what when where whether which while who
    whom whose why will with within without work works would yet you your
"""
TELLS_NOTHING = frozenset(_COMMON.split())
"""Words of any topic in any field: that a paper lacks them says nothing of what it is about."""


def reservations(story: Story) -> tuple[str, ...]:
    """Say, in a sentence each, what the idea of a chain run does not rest on: papers that have the
    telling words of its topic, and more than one paper.
    """
    best = story.best
    if best is None or best.chain is None:
        return ()
    said = []
    if missing := unmentioned(best.chain.topic, found_papers(story)):
        said.append(
            f"No paper here says anything of: {', '.join(missing)}. No title and no abstract that"
            " this run found has these words of the topic, so the idea may leave them aside."
        )
    if len(best.chain.links) == 1:
        paper = best.chain.links[0].paper
        said.append(f"This branch rests on one paper: {paper.title} ({paper.year or 'undated'}).")
    return tuple(said)


def found_papers(story: Story) -> tuple[Paper, ...]:
    """Return the papers of all chains and of all searches, for novelty too, each once."""
    searches = [*story.all(Search)]
    for branch in story.branches:
        searches += [search for check in branch.all(NoveltyCheck) for search in check.searches]
    found = [link.paper for link in story.links]
    found += [paper for search in searches for paper in search.papers]
    return tuple({paper.id: paper for paper in found}.values())


def unmentioned(topic: str, papers: Sequence[Paper]) -> tuple[str, ...]:
    """Return the telling words of a topic that no title or abstract has, each once, as they were
    typed; none where there are no papers.

    A word is had where one of the same stem is (Porter's, for English), or one that it begins with
    and is little longer than (diet, dietary).
    """
    texts = tuple(f"{paper.title}\n{paper.abstract}" for paper in papers)
    return _missing(topic, texts) if texts else ()


@lru_cache(maxsize=64)
def _missing(topic: str, texts: tuple[str, ...]) -> tuple[str, ...]:
    telling: dict[str, str] = {}
    for word in _WORD.findall(topic):
        if len(word) >= SHORTEST and word.lower() not in TELLS_NOTHING:
            telling.setdefault(word.lower(), word)
    held = {word.lower() for text in texts for word in _WORD.findall(text)}
    # SQLite's full-text index brings a stemmer along.
    with closing(sqlite3.connect(":memory:")) as index:
        index.execute("CREATE VIRTUAL TABLE papers USING fts5(text, tokenize='porter unicode61')")
        index.executemany("INSERT INTO papers VALUES (?)", [(text,) for text in texts])
        find = "SELECT 1 FROM papers WHERE papers MATCH ? LIMIT 1"
        return tuple(
            word
            for small, word in telling.items()
            if index.execute(find, (f'"{small}"',)).fetchone() is None
            and held.isdisjoint(small[:n] for n in range(max(4, len(small) - 3), len(small)))
        )
