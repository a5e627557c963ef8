"""Writing ideas: a mechanism joined to a problem it has not met, with how it would be tried,
compared and measured.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.models.builtin.english import capitalise, clip, ignore_case, paragraph, uncapitalise
from core.models.builtin.library import PassageLibrary, telling_phrases
from core.models.builtin.pairing import next_pair, own_words, recover_pair, source_of
from core.models.builtin.passages import PaperSentence
from core.models.builtin.phrases import cite, name_of
from core.models.builtin.searching import is_claim, topic_named
from core.models.builtin.setting import Setting, setting_for, with_article
from core.records import Hypothesis, Paper


@dataclass(frozen=True, eq=False)
class Plot:
    """What an idea joins: problem and mechanism with the words for them, and the study that would
    try it.
    """

    problem: PaperSentence
    mechanism: PaperSentence
    matter: str
    device: str
    setting: Setting


def plot(library: PassageLibrary, text: str, papers: Sequence[Paper]) -> Plot | None:
    """Return what `text` is about, recovered from the papers it names or is nearest to; None
    without two usable papers.
    """
    found = recover_pair(library, text, papers)
    if found is None:
        return None
    problem, mechanism = found
    device = find_word(library, mechanism, text)
    matter = find_word(library, problem, text, device)
    study = setting_for(library, text, papers, problem.paper.abstract)
    return Plot(problem, mechanism, matter, device, study)


def use_title_words(found: Plot, named: str) -> Plot:
    """Return the plot in the words of the idea's own title, where that has the form 'something for
    something'.
    """
    plain = re.sub(r"\s+", " ", named).strip()
    read = next((match for form in _READ if (match := form.match(plain))), None)
    if read is None or len(named.split()) > 18:
        return found
    front, back = (_ARTICLE.sub("", read[side].strip()) for side in ("device", "matter"))
    device = found.device if found.device.lower() == front.lower() else uncapitalise(front)
    return replace(found, device=device, matter=uncapitalise(back))


def find_word(library: PassageLibrary, passage: PaperSentence, text: str, without: str = "") -> str:
    """Return the word for a passage's matter: the paper's own where the text uses it, or else the
    text's nearest phrase.
    """
    ours, flat, gone = own_words(library, passage), text.lower(), without.lower()
    there = [term for term in ours if term.lower() in flat and term.lower() not in gone]
    if there:
        return min(there, key=lambda term: (flat.find(term.lower()), -len(term)))
    theirs = [phrase for phrase in telling_phrases(text) if phrase.lower() not in gone]
    if not theirs:
        return ours[0]
    return max(zip(library.cosines(theirs, passage.vector), theirs, strict=True))[1]


def title(device: str, matter: str) -> str:
    """Return a title that names the mechanism and what it is used for."""
    forms = TITLES[1:] if device[:1].isupper() else TITLES
    form = forms[(len(device) + 3 * len(matter)) % len(forms)]
    written = form.format(device=with_article(device), matter=with_article(matter))
    return clip(capitalise(written), 140)


TITLES = (
    "What {device} may do for {matter}",
    "{matter}: a trial of {device}",
    "Can {device} help with {matter}?",
    "Trying {device} on {matter}",
)
"""How a title may be put; which form it takes follows from the words."""
_ARTICLE = ignore_case(r"^(?:the|a|an) ")
_READ = tuple(
    ignore_case(
        "^"
        + re.escape(form)
        .replace(r"\{device\}", "(?P<device>.+?)")
        .replace(r"\{matter\}", "(?P<matter>.+?)")
        + "$"
    )
    for form in (*TITLES, "{device} for {matter}")
)


def first_idea(
    library: PassageLibrary, topic: str, context: tuple[Paper, ...], seed: int
) -> Hypothesis:
    """Write a one-paragraph hypothesis from the topic and its background, or from the shelf's
    nearest papers, or from the topic alone.
    """
    near = () if context else library.nearest(topic, library.shelf(), 8)
    papers = context or tuple(paper for paper, cosine in near if cosine >= 0.3)
    pair = next_pair(library, topic, papers, (), seed) if papers else None
    if pair is None:
        return Hypothesis(hypothesis=_from_words(topic))
    matter = library.term(pair.problem)
    device = library.term(pair.mechanism, f"{topic} {matter}")
    study = setting_for(library, f"{topic} {matter}", papers, pair.problem.paper.abstract)
    way, gap = pair.mechanism.paper, cite(pair.problem.paper)
    about, what, where = topic_named(topic), with_article(device), with_article(matter)
    # Only what a paper has a name of its own for is said to be put forward by it.
    own = device == name_of(way)
    credit = (
        f"which {source_of(way, device)} put forward" if own else f"which {cite(way)} mentioned"
    )
    opening = f"Work on {about} should gain from {what}, {credit}"
    source = f"The point where it should help is {where}, which {gap} mentioned"
    if is_claim(topic):
        claim = about.removeprefix("the claim that ")
        opening = (
            f"The working claim is that {claim}; the hypothesis is that how far this goes depends"
            f" on {what}, {credit}"
        )
        source = f"The point where it matters is {where}, which {gap} mentioned"
    return Hypothesis(
        hypothesis=paragraph(opening, source, f"A change in {study.measure} would tell")
    )


def _from_words(topic: str) -> str:
    """Return a hypothesis made of nothing but the topic's own words, and say so."""
    parts = telling_phrases(topic)[:2]
    about = topic_named(topic)
    if len(parts) == 2:
        supposed = (
            f"{parts[0]} and {parts[1]} are connected, so that a planned change in the one shows in"
            " the other"
        )
        test = "Varying the first and recording the second would tell"
    else:
        supposed = f"one condition behind {about} can be varied on purpose"
        test = "Recording what changes with it would tell"
    return paragraph(
        f"No paper at hand is near to {about}, so this starts from the topic's own words",
        f"The supposition is that {supposed}",
        test,
    )
