"""Reporting a published paper in the common form: its topic, its idea and its experiment, in
sentences of its own.
"""

import re
from collections.abc import Iterable

from core.models.builtin.english import (
    capitalise,
    clean,
    clip,
    find_words,
    ignore_case,
    join_list,
    paragraph,
    sentences,
)
from core.models.builtin.fulltext import as_abstract, whole_text
from core.models.builtin.library import PassageLibrary, is_telling
from core.models.builtin.naming import handle, write_title_small
from core.models.builtin.phrases import name_of, noun_phrases, retell_from
from core.models.builtin.reading import extract
from core.models.builtin.sources import work_of
from core.models.builtin.tested import find_tested
from core.records import ChainIdea, Design, Paper, PaperIdea, PaperReport

SILENT = "The text does not say"
_MEANS = ignore_case(
    r"(?<!\s)\s+(?:(?:by )?using|via|through|with|by means of|based on|by|towards?|without)\s.*$"
)
_ANSWERS = ignore_case(
    r"\b(?:networks?|models?|operators?|frameworks?|agents?|methods?|systems?|approach|"
    r"algorithms?|transformers?|optimi[sz]ation|solvers?|pretraining|prompting|decoding|"
    r"architectures?|machines|attention|debate|emulators|ideas|consistency)$"
)
"""Last words of a title that names the answer and not the question."""
_CLAIMS = ignore_case(
    r"\s(?:(?:is|are|do|does|did|can|may)\s(?:not\s)?)?(?:caused by|associated with|undergo|"
    r"mediates?|regulates?|improves?|reduces?|results? in|increases?|elicits?|causes?|predicts?|"
    r"affects?|leads? to|modulates?|promotes?|prevents?)\s"
)
"""Where a title states what was found: the two sides of it are the topic."""
_PRAISE = ignore_case(
    r"^(?:(?:an?|the|new|novel|efficient|fast|robust|scalable|general|universal|improved|"
    r"improving|enhanced|enhancing|automatic|automated|iterative|accurate|highly accurate|"
    r"towards?|better|deep|simple|unified|revolutionizing research in|rethinking|"
    r"understanding(?: and \w+ing)?) )+"
)
_RELATES = ignore_case(
    r"(?:the )?(?:effects?|impacts?|influence|role|association|evaluation|assessment|validation|"
    r"limitations) of\b"
)
_EARLIER = find_words(
    r"earlier|existing|previous|prior|most|usually|current|traditional|standard|however|but|"
    r"although|while"
)
_TRIED = ignore_case(
    r"\b(?:evaluat|test|experiment|compar|measur|trial|participants|recorded|asked|followed|"
    r"sampled|study)\w*"
)
_WORKED_WITH = re.compile(
    r"\b(?:models?|GPT|Llama|Qwen|networks?|equipment|monitors?|assay|device)\b"
)
_ANALYSED = find_words(
    r"statistic\w*|regression|analys[ie]s|correlat\w*|significan\w+|random effects|"
    r"ablation\w*|test-retest|pooling"
)
_RESULT = ignore_case(
    r"\d ?(?:%|percent)|\b(?:improved|outperform\w*|increased|decreased|reduced|"
    r"reached|achiev\w+|higher|lower|better|significant\w*|rose|fell|showed that|"
    r"results? (?:show|indicate|demonstrate|suggest))\b"
)


def report(library: PassageLibrary, paper: Paper, text: str | None) -> PaperReport:
    """Report what a paper puts forward, in its own sentences; what they do not say is said to be
    missing.
    """
    whole = whole_text(text)
    if not clean(paper.abstract) and whole.opening:
        paper = paper.model_copy(update={"abstract": as_abstract(whole.opening)})
    reading = extract(library, paper, text)
    lines = [passage.text for passage in library.passages([paper])] if clean(paper.abstract) else []
    tests = [
        *(line for line in lines if line not in sentences(reading.idea.background)),
        *whole.tests,
    ]
    return PaperReport(
        topic=topic_of(library, paper),
        idea=_idea(paper, reading.idea),
        design=_design(paper, reading.idea, lines, tests),
    )


def topic_of(library: PassageLibrary, paper: Paper) -> str:
    """Return what a paper works on, as one would name it before having its idea: from its title
    without its means, or from its first sentence.
    """
    title = write_title_small(paper)
    head, colon, sub = title.partition(":")
    body = (sub if colon and name_of(paper) else head).strip()
    aim = handle(paper).aim
    sides = _CLAIMS.split(body, maxsplit=1)
    if _RELATES.match(body):
        found = body
    elif len(sides) == 2:
        # Of a method's title the first side is the answer; of a study's, both are the question.
        sides = sides[1:] if work_of(paper) == "method" else sides
        plain = [re.sub(r"\s(?:acts?|works?|to)$", "", _MEANS.sub("", side)) for side in sides]
        found = " and ".join(_PRAISE.sub("", side).strip() for side in plain)
    elif aim and " for " in title:
        found = aim
    else:
        found = _PRAISE.sub("", _MEANS.sub("", body)).strip(" ?.!")
    alone = _ANSWERS.search(found) and not re.search(
        r"\s(?:in|for|on|from|over|under|between)\s", found
    )
    unfit = (
        len(found.split()) < 2
        or alone
        or re.match(r"(?:can|do|does|is|are|how|why|what|when|choose|let)\b", found)
        or re.search(r"\s(?:is|are)\s", found)
    )
    named = _problem(library, paper) if unfit else found
    unnamed = f"The subject of the paper {clean(paper.title) or paper.id!r}"
    return clip(capitalise(named or unnamed), 300)


def _problem(library: PassageLibrary, paper: Paper) -> str:
    """Return the paper's own statement of its problem as a noun phrase; empty where it makes
    none.
    """
    if not clean(paper.abstract):
        return ""
    for passage in library.passages([paper]):
        if passage.role == "problem":
            return f"the problem that {clip(retell_from(paper, passage.text), 260)}"
    return ""


def _tell(paper: Paper, lines: Iterable[str], what: str) -> str:
    """Return sentences of the paper as somebody else reports them, without results; where none is
    left, say so.
    """
    kept = dict.fromkeys(retell_from(paper, line) for line in lines if not _RESULT.search(line))
    return paragraph(*list(kept)[:5]) if kept else paragraph(f"{SILENT} {what}")


def _idea(paper: Paper, idea: PaperIdea) -> ChainIdea:
    background, method = sentences(idea.background), sentences(idea.method)
    novelty = sentences(idea.novelty) or method[:1]
    method = tuple(line for line in method if line not in novelty) or method
    earlier = [line for line in background if _EARLIER.search(line)]
    return ChainIdea(
        title=_title(paper, idea),
        motivation=_tell(paper, background, "what it sets out from"),
        novelty=_tell(paper, novelty, "what is new"),
        method=_tell(paper, (*method, *sentences(idea.reasoning)), "how it works"),
        difference=_tell(paper, earlier, "how it differs from earlier work"),
        challenges=_tell(paper, sentences(idea.limits), "what may go wrong"),
    )


def _title(paper: Paper, idea: PaperIdea) -> str:
    """Return a title for the idea in the paper's words, but without its own name for it."""
    thing, aim, name = handle(paper).thing, handle(paper).aim, name_of(paper)
    title = write_title_small(paper).partition(":")[2].strip(" .")
    if thing and thing != name:
        title = f"{thing} for {aim}" if aim and aim.lower() not in thing.lower() else thing
    if not title:
        phrases = [
            phrase
            for phrase in noun_phrases(idea.novelty or idea.method)
            if is_telling(phrase) and (not name or name.lower() not in phrase.lower())
        ]
        title = join_list(phrases[:2]) or "An idea the text does not put a name to"
    return clip(capitalise(title), 140)


def _design(paper: Paper, idea: PaperIdea, lines: list[str], tests: list[str]) -> Design:
    found = find_tested(tests)
    named = {"datasets": found.data, "baselines": found.baselines, "metrics": found.measures}
    whole = {}
    for what, parts in named.items():
        unsaid = f"{SILENT} which {what} were used"
        whole[what] = paragraph(f"The text names {join_list(parts)}" if parts else unsaid)
    trials = [line for line in tests if line not in sentences(idea.limits) and _TRIED.search(line)]
    steps = [
        capitalise(retell_from(paper, line))
        for line in (*sentences(idea.method)[:3], *trials[:4])
        if not _RESULT.search(line)
    ]
    models = [line for line in tests if _WORKED_WITH.search(line)][:2]
    analysis = [line for line in lines if _ANALYSED.search(line)]
    return Design(
        setup=_tell(paper, trials[:2], "how the test was set up"),
        models=_tell(paper, models, "which models or materials were used"),
        datasets=whole["datasets"],
        baselines=whole["baselines"],
        metrics=whole["metrics"],
        procedure=tuple(paragraph(step) for step in dict.fromkeys(steps))
        or (paragraph(f"{SILENT} how the test was done, step by step"),),
        analysis=_tell(paper, analysis[:2], "how the results were analysed"),
    )
