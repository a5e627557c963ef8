"""Writing ideas: a mechanism joined to a problem it has not met, with how it would be tried, compared and measured."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.models.builtin.english import clipped, lowered, said
from core.models.builtin.foresight import names_open_point, next_pair, source_of, sources, stated, told
from core.models.builtin.library import Library, telling
from core.models.builtin.pairing import own_words, recovered
from core.models.builtin.passages import Passage
from core.models.builtin.phrases import called, entitled_by, headline, noun_phrases
from core.models.builtin.searching import is_claim, short, topic_named
from core.models.builtin.setting import Setting, setting_for, with_article
from core.records import Chain, ChainIdea, Direction, Draft, Hypothesis, Paper

NO_POINT = "The text of {} names no open point; the idea is to come at the same problem another way"
NEAREST_NAMED = 3
"""How many papers of the chain an idea is set apart from, by name."""


@dataclass(frozen=True, eq=False)
class Plot:
    """What an idea joins: problem and mechanism with the words for them, and the study that would try it."""

    problem: Passage
    mechanism: Passage
    matter: str
    device: str
    setting: Setting


def plot(library: Library, text: str, papers: Sequence[Paper]) -> Plot | None:
    """Return what `text` is about, recovered from the papers it names or is nearest to; None without two usable papers."""
    found = recovered(library, text, papers)
    if found is None:
        return None
    problem, mechanism = found
    device = worded_in(library, mechanism, text)
    return Plot(problem, mechanism, worded_in(library, problem, text, device), device, setting_for(library, text, papers, problem.paper.abstract))


def entitled(found: Plot, named: str) -> Plot:
    """Return the plot in the words of the idea's own title, where that has the form 'something for something'."""
    plain = re.sub(r"\s+", " ", named).strip()
    read = next((match for form in _READ if (match := form.match(plain))), None)
    if read is None or len(named.split()) > 18:
        return found
    front, back = read["device"].strip(), read["matter"].strip()
    front = re.sub(r"^(?:the|a|an) ", "", front, flags=re.IGNORECASE)
    device = found.device if found.device.lower() == front.lower() else lowered(front)
    return replace(found, device=device, matter=lowered(re.sub(r"^(?:the|a|an) ", "", back, flags=re.IGNORECASE)))


def worded_in(library: Library, passage: Passage, text: str, without: str = "") -> str:
    """Return the word for a passage's matter: the paper's own where the text uses it, or else the text's nearest phrase."""
    ours, flat = own_words(library, passage), text.lower()
    theirs = [phrase for phrase in noun_phrases(text) if telling(phrase) and phrase.lower() not in without.lower()]
    there = [term for term in ours if term.lower() in flat and term.lower() not in without.lower()]
    if there or not theirs:
        return min(there, key=lambda term: (flat.find(term.lower()), -len(term))) if there else ours[0]
    near = library.embed(theirs) @ passage.vector
    return max(zip(map(float, near), theirs, strict=True))[1]


def draft(library: Library, topic: str, chain: Chain, direction: Direction) -> Draft:
    """Sketch the idea the direction points to."""
    papers = sources(chain)
    text = f"{direction.direction} {direction.reasoning}"
    it = plot(library, text, library.within_reach(topic, papers))
    if it is None:
        return Draft(
            motivation=direction.reasoning,
            novelty=direction.direction,
            method=said(
                f"Take up {topic_named(topic)} with and without the change that the direction names, and compare one outcome fixed beforehand"
            ),
        )
    device, matter = with_article(it.device), with_article(it.matter)
    return Draft(
        motivation=said(
            stated(it.problem),
            "" if names_open_point(library, it.problem.paper) else NO_POINT.format(called(it.problem.paper)),
            f"It matters for {topic_named(topic)}",
        ),
        novelty=said(
            f"{source_of(it.mechanism.paper, device)} described {device}: {told(it.mechanism)}",
            f"Whether it helps with {matter} has not been tried in the papers at hand",
        ),
        method=said(
            f"Build {device} into the setting of {called(it.problem.paper)} and leave everything else unchanged",
            f"Work on {it.setting.data}",
            f"Compare with the same set-up without {device}",
            f"Measure {it.setting.measure}",
        ),
    )


def idea(library: Library, topic: str, chain: Chain, sketch: Draft) -> ChainIdea:
    """Turn a sketch into the six parts of a chain idea."""
    papers = sources(chain)
    # The method names the papers its data are from, which are no sources of the idea.
    text = f"{sketch.motivation} {sketch.novelty}"
    it = plot(library, text, library.within_reach(topic, papers))
    if it is None:
        return ChainIdea(
            title=headline(short(topic, 14)),
            motivation=sketch.motivation,
            novelty=sketch.novelty,
            method=sketch.method,
            difference=difference(library, text, papers, None),
            challenges=said(
                "The papers at hand describe no mechanism of their own, so the design rests on the sketch alone",
                "A first small trial should decide whether it is worth more effort",
            ),
        )
    device, matter, study = with_article(it.device), with_article(it.matter), it.setting
    way, gap = source_of(it.mechanism.paper, device), called(it.problem.paper)
    return ChainIdea(
        title=title(it.device, it.matter),
        motivation=sketch.motivation,
        novelty=said(
            f"The idea is to try {device} on {matter}",
            f"{way} described how it works: {told(it.mechanism)}",
            f"Whether it helps with the problem that {gap} raised has not been tried in the papers at hand",
        ),
        method=said(
            f"First, rebuild the setting of {gap} on a small scale and record where the problem shows, using {study.data}",
            f"Second, add {device} in the form that {way} described, and change nothing else",
            f"Third, run both versions side by side and compare {study.measure}" + (f" as {called(study.source)} did" if study.source else ""),
        ),
        difference=difference(library, text, papers, it),
        challenges=challenges(it),
    )


def title(device: str, matter: str) -> str:
    """Return a title that names the mechanism and what it is used for."""
    forms = TITLES if not device[:1].isupper() else TITLES[1:]
    form = forms[(len(device) + 3 * len(matter)) % len(forms)]
    written = form.format(device=with_article(device), matter=with_article(matter))
    return clipped(written[:1].upper() + written[1:], 140)


TITLES = (
    "What {device} may do for {matter}",
    "{matter}: a trial of {device}",
    "Can {device} help with {matter}?",
    "Trying {device} on {matter}",
)
"""How a title may be put; which form it takes follows from the words."""
_READ = tuple(
    re.compile("^" + re.escape(form).replace(r"\{device\}", "(?P<device>.+?)").replace(r"\{matter\}", "(?P<matter>.+?)") + "$", re.IGNORECASE)
    for form in (*TITLES, "{device} for {matter}")
)


def difference(library: Library, text: str, papers: Sequence[Paper], it: Plot | None) -> str:
    """Set the idea apart from the nearest papers of the chain, each by name and by its own mechanism."""
    parts = []
    for paper, _ in library.nearest(text, papers, NEAREST_NAMED):
        passages = library.passages([paper])
        own = next((one for one in passages if one.role == "mechanism" and one.alone), passages[0])
        name = called(paper) if [called(one) for one in papers].count(called(paper)) == 1 else entitled_by(paper)
        parts.append(
            f"The mechanism of {name} is a different one: {told(own)}"
            if not it or paper.id != it.mechanism.paper.id
            else f"{name} is where the mechanism comes from, there put to another use"
        )
    return said(*parts) if parts else "There is no paper in the chain to differ from."


def challenges(it: Plot) -> str:
    """Name what may go wrong with joining the two, and how each would be met."""
    device, study = with_article(it.device), it.setting
    return said(
        f"The mechanism of {source_of(it.mechanism.paper, device)} was made for another purpose and may not carry over; a small "
        f"trial comes first and decides whether to go on",
        f"A difference may come from extra effort and not from {device}; the comparison therefore gets the same budget and the same instructions",
        f"{_capital(study.measure)} may be too coarse to show a small effect; the smallest difference worth having is fixed "
        "before the first measurement",
    )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def first_idea(library: Library, topic: str, context: tuple[Paper, ...], seed: int) -> Hypothesis:
    """Write a one-paragraph hypothesis from the topic and its background, or from the shelf's nearest papers, or from the topic alone."""
    papers = context or tuple(paper for paper, cosine in library.nearest(topic, library.shelf(), 8) if cosine >= 0.3)
    pair = next_pair(library, topic, papers, (), seed) if papers else None
    if pair is None:
        return Hypothesis(hypothesis=_from_words(topic))
    matter = library.term(pair.problem)
    device = library.term(pair.mechanism, f"{topic} {matter}")
    study = setting_for(library, f"{topic} {matter}", papers, pair.problem.paper.abstract)
    way, gap = source_of(pair.mechanism.paper, device), called(pair.problem.paper)
    opening = (
        f"The working claim is that {_claimed(topic)}; the hypothesis is that how far this goes depends on {with_article(device)}"
        if is_claim(topic)
        else f"Work on {topic_named(topic)} should gain from {with_article(device)}, which {way} put forward for another purpose"
    )
    source = (
        f"{way} described {with_article(device)} for another purpose, and {gap} raised {with_article(matter)} as a problem"
        if is_claim(topic)
        else f"The point where it should help is {with_article(matter)}, which {gap} raised"
    )
    return Hypothesis(hypothesis=said(opening, source, f"A change in {study.measure} would tell"))


def _claimed(topic: str) -> str:
    return topic_named(topic).removeprefix("the claim that ")


def _from_words(topic: str) -> str:
    """Return a hypothesis made of nothing but the topic's own words, and say so."""
    parts = [phrase for phrase in noun_phrases(topic) if telling(phrase)][:2]
    about = topic_named(topic)
    if len(parts) == 2:
        return said(
            f"No paper at hand is near to {about}, so this starts from the topic's own words",
            f"The supposition is that {parts[0]} and {parts[1]} are connected, so that a planned change in the one shows in the other",
            "Varying the first and recording the second would tell",
        )
    return said(
        f"No paper at hand is near to {about}, so this starts from the topic's own words",
        f"The supposition is that one condition behind {about} can be varied on purpose",
        "Recording what changes with it would tell",
    )
