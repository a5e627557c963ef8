"""What makes an idea new, as far as it can be measured: distance, gap, contrast, a second source, a
claim that can fail.
"""

import re
from collections.abc import Sequence

from core.models.builtin.english import clip, find_words, ignore_case, paragraph
from core.models.builtin.invention import title
from core.models.builtin.library import about_beings, whole
from core.models.builtin.pairing import (
    IDEAL,
    appraises,
    mechanisms_in,
    open_problems,
    quote_passage,
    source_of,
)
from core.models.builtin.passages import PaperSentence
from core.models.builtin.phrases import cite
from core.models.builtin.rules import ByKind, Edit, IdeaCase, Rule, adding, lacking
from core.models.builtin.setting import fits, is_of_others, is_plural, with_article
from core.records import Paper
from core.wording.summaries import mark_summary

TOO_NEAR = 0.75
"""Cosine of idea and paper from which the idea counts as near to what is published."""
GAP = find_words(
    r"(?:left|leaves) (?:this|a point|a problem|it|the problem) open|"
    r"open (?:problem|question|point)|named this limit|gap|not (?:been )?(?:known|tested|tried|"
    r"studied|established|clear)|no (?:study|paper|work)|is not said in the papers|unclear|"
    r"unknown|has not|have not|lack\w*|missing"
)
CONTRAST = find_words(
    r"unlike|in contrast|by contrast|differs?|whereas|rather than|instead of|"
    r"is a different one|rest(?:s|ed) on something else|did something else|another use"
)
CAN_FAIL = find_words(
    r"(?:fails?|refuted|rejected|dropped|falsified|wrong|given up) (?:if|when|unless)|"
    r"would (?:refute|contradict|falsify)"
)
ASSUMES = find_words(r"assum\w+|taken for granted|premise|presuppos\w+")
RIVAL = ignore_case(r"\b(?:rival|competing|alternative) (?:explanation|account|hypothesis)\b")
SECOND = find_words(
    r"second (?:mechanism|arm|source)|combin(?:es|ed|ing|ation)|together with|jointly|"
    r"crossed with"
)
CHANGES = find_words(
    r"if (?:this|it|that|the hypothesis) holds|would have to be|"
    r"needs (?:revision|a second look)|would (?:change|overturn|revise)|calls into question"
)
CONCLUDES = find_words(
    r"conclud\w+|establish(?:es|ed)|suggests? that|found that|shows? that|showed that|"
    r"states? that|supports?|explains?"
)
PLAIN_TEST = re.compile(r"^A change in .* would tell\.$")
CLAIMS = re.compile(
    r"^(?!.*(?:fails if|rival explanation|If that is what matters|by contrast)).", re.DOTALL
)
"""Sentences of a hypothesis that claim, and neither test, contrast nor doubt the claim."""
PLAIN_AIM = re.compile(r"^To measure the effect of")
PLAIN_PROBLEM = re.compile(r"^(?:Whether|The effect of) .* is not settled\.")
PLAIN_IMPACT = re.compile(r"\beither way\b")


def _near(case: IdeaCase) -> str | None:
    if case.nearest is None or case.nearest[1] < TOO_NEAR:
        return None
    paper = case.nearest[0]
    quoted = case.overlap(paper).text
    overlap = paragraph(mark_summary(paper, quoted, f'"{clip(quoted, 220)}"'))
    return (
        f"The idea is very near to {case.neighbour}, which says already: {overlap}"
        " A second mechanism or another would take it further away."
    )


def _move(case: IdeaCase) -> tuple[Edit, ...]:
    """Put another mechanism in the place of the one the idea has."""
    if not case.plot:
        return () if case.says(SECOND) else _add_second(case)
    way = _farther(case)
    if way is None:
        return ()
    device = _term(case, way)
    named, source = with_article(device), source_of(way.paper, device)
    aim = (
        f"To measure the effect of {named}, as described by {source}, on {case.matter}{case.raised}"
    )
    claim = (
        f"The hypothesis is an effect of {named} on {case.matter}, by the mechanism that {source}"
        f" described: {quote_passage(way)}"
    )
    return (
        Edit("title", title(device, case.plot.matter), re.compile("")),
        Edit("objective", aim, PLAIN_AIM),
        Edit("hypothesis", claim, CLAIMS),
    )


def _farther(case: IdeaCase) -> PaperSentence | None:
    """Return a mechanism that the idea does not name yet, at the right distance to its problem."""
    mechanisms = [
        passage
        for passage in mechanisms_in(case.library.passages(case.at_hand))
        if fits(case.study.kind, passage.paper)
        and not is_of_others(case.study.kind, f"{passage.paper.title} {passage.text}")
        and not appraises(passage)
    ]
    free = sorted(case.free(mechanisms), key=lambda pair: abs(pair[0] - IDEAL))[:12]
    if not free:
        return None
    terms = [_term(case, passage) for _, passage in free]
    handles = case.library.handles(terms)
    scored = []
    for (cosine, passage), term, handle in zip(free, terms, handles, strict=True):
        plain = " " not in term and term.islower()
        score = float(handle) - abs(cosine - IDEAL)
        score -= 0.3 * about_beings(term)
        score -= 0.1 * plain
        scored.append((round(score, 4), passage))
    return _choose_best(scored)


def _choose_best(scored: Sequence[tuple[float, PaperSentence]]) -> PaperSentence | None:
    """Return the sentence with the highest score, of equal ones the last by paper, first in it."""
    if not scored:
        return None
    _, best = max(scored, key=lambda pair: (pair[0], pair[1].paper.id, -pair[1].place))
    return best


def _term(case: IdeaCase, way: PaperSentence) -> str:
    return case.library.term(way, f"{case.device} {case.matter}")


def _name_gap(case: IdeaCase) -> tuple[Edit, ...]:
    problem = case.plot.problem if case.plot else _nearest_problem(case)
    if problem is None:
        return ()
    paper = cite(problem.paper)
    if problem.open:
        return (
            Edit("problem", f"{paper} left a point open: {quote_passage(problem)}", PLAIN_PROBLEM),
        )
    unknown = f"whether {case.device} can help with it has not been tried in the papers at hand"
    if case.plot:
        gap = f"{paper} set out from a problem, and {unknown}: {quote_passage(problem)}"
        return (Edit("problem", gap, PLAIN_PROBLEM),)
    start = f"The problem nearest to this idea is the one {paper} set out from"
    return (Edit("problem", f"{start}, and {unknown}: {quote_passage(problem)}"),)


def _nearest_problem(case: IdeaCase) -> PaperSentence | None:
    """Return the problem or open point nearest to a person's idea, of a paper that does not speak
    of what the idea brings in.
    """
    essence = case.library.vector(case.essence)
    without_device = [paper for paper in case.at_hand if not _speaks_of(paper, case.device)]
    scored = []
    for problem in open_problems(case.library.passages(without_device)):
        near = float(problem.vector @ essence) + 0.1 * problem.open
        scored.append((round(near, 4), problem))
    return _choose_best(scored)


def _set_apart(case: IdeaCase) -> tuple[Edit, ...]:
    """Contrast the idea with the nearest paper it draws neither mechanism nor problem from."""
    used = {case.plot.mechanism.paper.id, case.plot.problem.paper.id} if case.plot else set()
    for paper, _ in case.library.nearest(case.essence, case.at_hand, 8):
        if paper.id in used or _speaks_of(paper, case.device):
            continue
        passages = case.library.passages([paper])
        alone = [way for way in mechanisms_in(passages) if way.alone]
        own = quote_passage((alone or passages)[0])
        contrast = f"Unlike {cite(paper)}, the idea turns on {case.device}; the approach there:"
        return (Edit("hypothesis", f"{contrast} {own}"),)
    return ()


def _speaks_of(paper: Paper, device: str) -> bool:
    text, named = whole(paper).lower(), device.removeprefix("the ").lower()
    return all(word.rstrip("s") in text for word in named.split())


def _say_when_wrong(case: IdeaCase) -> tuple[Edit, ...]:
    if case.own and case.own.against:
        same = f"{case.own.measure} cannot be told apart from {case.own.against}"
        return (Edit("hypothesis", f"The hypothesis fails if {same}"),)
    same = f"there is no difference in {case.study.measure} with and without {case.device}"
    return (Edit("hypothesis", f"The hypothesis fails if {same}", PLAIN_TEST),)


def _drop_assumption(case: IdeaCase) -> tuple[Edit, ...]:
    measure = case.study.measure
    stays = "stay" if is_plural(measure) else "stays"
    same = f"{measure} {stays} the same with and without {case.device}"
    return (Edit("problem", f"The assumption that the work puts to the test is that {same}"),)


def _add_second(case: IdeaCase) -> tuple[Edit, ...]:
    way = _farther(case)
    if way is None:
        again = "A second arm repeats the test on other material, so that an effect can be told"
        return (Edit("method", f"{again} from chance"),)
    device = _term(case, way)
    source = source_of(way.paper, device)
    if not case.plot:
        arm = f"A second arm takes up for comparison what {source} described: {quote_passage(way)}"
        return (Edit("method", arm),)
    arm = (
        f"A second mechanism, {with_article(device)}, comes from {source} and gets an arm of its"
        f" own: {quote_passage(way)}"
    )
    aim = (
        f"To measure the effect of {case.device}{case.by} on {case.matter}{case.raised}, alone and"
        f" together with {with_article(device)}"
    )
    return Edit("method", arm), Edit("objective", aim, PLAIN_AIM)


def _name_consequence(case: IdeaCase) -> tuple[Edit, ...]:
    passages = case.library.passages(case.at_hand)
    free = case.free([passage for passage in passages if CONCLUDES.search(passage.text)])
    if free:
        _, nearest = free[0]
        statement = f"{cite(nearest.paper)}: {quote_passage(nearest)}"
        follows = f"it has to be weighed against a statement of {statement}"
    else:
        follows = f"work on {case.matter} would have to take {case.device} into account"
    return (Edit("expected_impact", f"If the hypothesis holds, {follows}", PLAIN_IMPACT),)


RIVALS: ByKind = {
    "people": "taking part, and expecting something from it, makes the difference",
    "animals": "handling the animals makes the difference",
    "equations": "more parameters or more training make the difference",
    "programs": "more calls to the model make the difference",
    "other": "another circumstance, present at the same time, makes the difference",
}
NOVELTY = (
    Rule(
        "distance of what it does",
        "originality",
        4,
        _near,
        _move,
        "This has been done before; it is nearly the same as published work.",
    ),
    Rule(
        "gap",
        "addressing a research gap",
        3,
        lacking(
            GAP,
            "No sentence names what earlier work has not tried or leaves open; the idea begins with"
            ' "{case.beginning}". Name the paper and the point.',
            beside_papers=True,
        ),
        _name_gap,
        "No research gap is named; it is unclear what earlier work left open.",
    ),
    Rule(
        "second mechanism",
        "innovation of the approach",
        3,
        lacking(
            SECOND,
            "The approach rests on {case.device} alone. A second mechanism, in an arm of its own,"
            " would show what the first one adds.",
        ),
        _add_second,
        "The approach is nothing new; it takes over one known method as it is.",
    ),
    Rule(
        "contrast",
        "originality",
        2,
        lacking(
            CONTRAST,
            "The idea is nowhere set against earlier work; at least the difference to"
            " {case.neighbour} has to be said.",
            beside_papers=True,
        ),
        _set_apart,
        "The difference to earlier work is not explained.",
    ),
    Rule(
        "falsifiable",
        "creativity of the hypothesis",
        2,
        lacking(
            CAN_FAIL,
            'No outcome is named that would refute the claim "{case.claim}". Say what result would'
            " make it fail.",
        ),
        _say_when_wrong,
        "The hypothesis cannot be tested or refuted.",
    ),
    Rule(
        "assumption",
        "conceptual shift",
        2,
        lacking(
            ASSUMES,
            "The idea does not say which assumption about {case.device} it puts to the test. Name"
            " one that could turn out wrong.",
        ),
        _drop_assumption,
        "It is conventional and challenges no common assumption.",
    ),
    Rule(
        "rival",
        "creativity of the hypothesis",
        1,
        lacking(
            RIVAL,
            "An effect of {case.device} on {case.matter} could have other causes, and none is"
            " considered. Name a rival explanation and a result on which the two differ.",
        ),
        adding(
            "hypothesis",
            "A rival explanation is that {rival}; it would then appear in a control with the same"
            " effort and without {case.device}",
            rival=RIVALS,
        ),
        "Other explanations and confounders are not considered.",
    ),
    Rule(
        "consequence",
        "disruptiveness",
        1,
        lacking(
            CHANGES,
            "The idea does not say what would follow if it holds. Name a statement of earlier work"
            " that it has to be weighed against.",
        ),
        _name_consequence,
        "The impact is small; nothing would change if it were true.",
    ),
)
