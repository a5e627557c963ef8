"""Ideas without a chain: from retrieved papers in no order, and from nothing but the topic's own
words.
"""

import re
from collections.abc import Sequence

from core.models.builtin.continuing import WorkedChain, number_steps, sketch, write_out
from core.models.builtin.english import (
    capitalise,
    clean,
    clip,
    join_list,
    paragraph,
    sentences,
    uncapitalise,
)
from core.models.builtin.library import PassageLibrary, is_telling
from core.models.builtin.pairing import Pair, next_pair, quote_passage
from core.models.builtin.phrases import cite, noun_phrases
from core.models.builtin.searching import is_claim, topic_named
from core.models.builtin.setting import DEFAULTS, Kind, kind_of, setting_for
from core.records import Chain, ChainIdea, Link, Paper

NOTHING_READ = (
    "Nothing was read for this, so it starts from the topic's own words alone and cannot say what"
    " has been done already"
)
QUOTED = 180
"""Characters of a passage that an idea of a hundred words has room for."""
NEAR, DISTANT = 0.3, 24
"""Cosine from which a paper of the shelf counts as near to a keyword, and from how many papers a
device is carried over where none is.
"""
PLAN: dict[Kind, tuple[str, str, str]] = {
    "people": (
        "list what the topic names ({parts}) and fix how each is measured",
        "record all of it, together with {measure}, in {many} for eight weeks",
        (
            "change what goes with {measure} most, in one half of the group drawn by chance, and"
            " compare the halves after eight more weeks"
        ),
    ),
    "animals": (
        "list what the topic names ({parts}) and fix how each is measured",
        "record all of it, together with {measure}, in {many}",
        (
            "change what goes with {measure} most, in one half of them drawn by chance, and compare"
            " the halves"
        ),
    ),
    "equations": (
        "set up the plainest solver that could work for what the topic names",
        (
            "change one part of it at a time, on two standard equations, with the same number of"
            " parameters"
        ),
        "order the parts by what {measure} loses or gains with each",
    ),
    "programs": (
        "set up the plainest version of what the topic names that could work, with one open model",
        "change one part of it at a time, on 100 test cases, with the same number of calls",
        "order the parts by what {measure} lose or gain with each",
    ),
    "other": (
        "set up the plainest case that can be had of what the topic names",
        "change one part of it at a time, on 30 cases, and leave everything else as it is",
        "order the parts by what {measure} loses or gains with each",
    ),
}


def retrieved_idea(
    library: PassageLibrary, topic: str, papers: tuple[Paper, ...], seed: int
) -> ChainIdea:
    """Propose an idea that retrieved papers suggest; they have no order, so there is no trend to
    follow.
    """
    if not papers:
        return direct_idea(topic)
    distinct: list[Paper] = []
    for paper in papers:
        if not any(paper.same(other) for other in distinct):
            distinct.append(paper)
    links = tuple(Link(paper=paper, hop="retrieved") for paper in distinct)
    line = WorkedChain(library, topic, Chain(topic=topic, links=links, ordered=False))
    plan = line.choose((), seed)
    return write_out(line, plan, sketch(line, plan, ""))


def direct_idea(topic: str) -> ChainIdea:
    """Propose an idea from nothing but the topic, and say so."""
    about, kind = topic_named(topic), kind_of(topic)
    plain = DEFAULTS[kind]
    # The things a topic speaks of, without the verb it may begin with.
    phrases = [re.sub(r"^[A-Za-z]+ing\s+(?=\S)", "", phrase) for phrase in noun_phrases(topic)]
    parts = [uncapitalise(phrase) for phrase in phrases if is_telling(phrase) or " " in phrase][:3]
    named = join_list(parts) or "each of those it consists of"
    steps = [step.format_map({"parts": named, **plain}) for step in PLAN[kind]]
    subject = capitalise(clean(topic).rstrip(" .?!:") or "The topic")
    title = f"A test of {about}" if is_claim(topic) else f"{subject}: what makes the difference?"
    return ChainIdea(
        title=clip(title, 140),
        motivation=paragraph(
            f"Asked for was an idea on {about}",
            NOTHING_READ,
            "What can be asked without having read anything is which part of it matters most",
        ),
        novelty=paragraph(
            "The supposition is that one part matters more than all the others together, and that"
            " this can be seen in a small study",
            "Whether anybody has shown this before has to be looked up; nothing here says that it"
            " is new",
        ),
        method=paragraph(number_steps(steps), f"The data are {plain['data']}"),
        difference=paragraph(
            "No paper was shown, so there is none to differ from",
            "A search should come first; what it finds may be the same idea",
        ),
        challenges=paragraph(
            "The parts may hang together, so that none can be changed alone; pairs are then changed"
            " together",
            "A difference may come from something else that changes at the same time; the"
            " comparison therefore keeps everything else fixed",
        ),
    )


def keyword_idea(library: PassageLibrary, keyword: str, words: str | int, seed: int) -> str:
    """Propose an idea on a keyword as plain text of at most so many words: from papers of the shelf
    near to it, or from what one of another field says.
    """
    near = library.nearest(keyword, library.shelf(), DISTANT)
    close = [paper for paper, cosine in near[:8] if cosine >= NEAR]
    papers = close or [paper for paper, _ in near]
    pair = next_pair(library, keyword, papers, (), seed) if papers else None
    if pair is None:
        whole = sentences(direct_idea(keyword).method)
    elif close:
        whole = _side_by_side(library, keyword, pair, close)
    else:
        whole = _carry_over(keyword, pair)
    text, most = "", int(words)
    for part in whole:
        if len(f"{text} {part}".split()) > most:
            break
        text = f"{text} {paragraph(part)}".strip()
    return text or " ".join(" ".join(whole).split()[:most])


def _side_by_side(
    library: PassageLibrary, keyword: str, pair: Pair, papers: Sequence[Paper]
) -> tuple[str, ...]:
    """Return an idea that puts two papers' passages side by side, each in the paper's own words."""
    study = setting_for(library, keyword, tuple(papers), pair.problem.paper.abstract)
    way, gap = cite(pair.mechanism.paper), cite(pair.problem.paper)
    return (
        f"Work on {keyword} could try whether what is said in {way} helps with what is said in"
        f" {gap}; a change in {study.measure} would tell",
        f"{way}: {quote_passage(pair.mechanism, QUOTED)}",
        f"{gap}: {quote_passage(pair.problem, QUOTED)}",
    )


def _carry_over(keyword: str, pair: Pair) -> tuple[str, ...]:
    """Return an idea that carries a paper's passage over from another field, in its own words."""
    return (
        f"Work on {keyword} could borrow from what is said in {cite(pair.mechanism.paper)}",
        quote_passage(pair.mechanism, QUOTED),
        f"Choose one question of {keyword} to which this may apply, and write down beforehand how"
        " an answer is judged",
        "Treat half of 30 cases by it, fitted to them beforehand, and leave the other half as it is"
        " done now",
        "A difference by that measure says that the transfer holds, and none says which condition"
        " of the other field is missing here",
    )
