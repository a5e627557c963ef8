"""What a paper is about, in a few words of its own title: what it brings, and what it brings it
to.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from core.models.builtin.english import (
    clean,
    ignore_case,
    is_coined,
    last_word,
    uncapitalise,
    word_set,
)
from core.models.builtin.phrases import find_names, name_of, noun_phrases, words
from core.records import Paper

LONGEST = 6
"""Words a handle may have; a longer one is cut at its last preposition."""
_FINITE = (
    "is are was were do does did can could may might will would should has have had improves?"
    " reduces? increases? elicits? results? leads? mediates? regulates? causes? depends? shows?"
    " enables? makes? predicts? affects? promotes? prevents? drives? modulates? outperforms? needs?"
    " fails? varies shapes? track reflects? encodes? requires? supports? reveals? precedes?"
    " follows? acts signals resembles? influences? alters? enhances? impairs?"
)
_VERB = ignore_case(rf"\s(?:\w+ly\s)?(?:{'|'.join(_FINITE.split())})\s+(?=\S)")
_MEANS = ignore_case(r"\s(?:via|through|using|by|based on)\s")
_ALSO_WITH = ignore_case(r"\s(?:with|via|through|using|by|based on)\s")
_DOING = ignore_case(
    r"^(?:achieving|learning|solving|identifying|evolving|modulating|judging|improving|predicting|"
    r"modell?ing|enabling|supporting|understanding|enhancing|increasing|reducing|generating|"
    r"discovering|evaluating|measuring|assessing|studying|examining|training|"
    r"incentivizing)\s+(?=\S+\s)"
)
"""A gerund before the thing it is done to: left out where the thing alone says what it is about."""
_AIMS = (
    "generation",
    "ideation",
    "discovery",
    "modelling",
    "modeling",
    "prediction",
    "evaluation",
)
"""How a phrase ends that names what a method is for."""
_AIM = ignore_case(r"\s(?:for|to)\s")
_ON = ignore_case(r"\s(?:on|in)\s")
_PLACE = ignore_case(
    r"\s(?:in|on|of|over|under|across|from|at|after|during|among|within|between|according|with|"
    r"without|to|as|and|or|that|which|whose|probed|measured|optimized)\s"
)
_RELATION = ignore_case(
    r"(?:the |an? )?(?:\w+ )?(?:effects?|impacts?|influence|role|use|application|consequences|"
    r"benefits?) of (?:the )?"
)
_STUDY = ignore_case(
    r"(?:the |an? )?(?:\w+ )?(?:evaluation|assessment|analysis|measurement|limitations|study|"
    r"investigation|review|overview|survey|reduced number|prevalence|update|case study|comparison|"
    r"validation) (?:of|on) (?:using )?(?:the )?"
)
_OPENING = ignore_case(
    r"^(?:(?:on|towards?|rethinking|revisiting|understanding(?: and mitigating)?|improving|"
    r"enhancing|encouraging|characteri[sz]ing(?: possible)?|deconstructing|dissociating|exploring|"
    r"investigating|assessing|evaluating|benchmarking|a|an|the|novel|new|fast|efficient|fully|"
    r"better|automated|automatic) )+"
)
_UNFIT = ignore_case(
    r"(?:how|why|when|what|where|whether|which|who|can|do|does|is|are|choose|let|think|your|we|"
    r"you|it|two heads|solving|learning to|neural substrates)\b"
)
_VAGUE = word_set(
    "evidence perspective approach framework study review potential need update heads learners"
    " reasoners proposers models method methods model system family conditions introduction"
    " overview survey analysis application applications work paper report results role effects"
    " impact time"
)


@dataclass(frozen=True)
class Handle:
    """Short words for a paper: what it brings in or looks at (`thing`), and what for or where
    (`aim`); empty where its title has none.
    """

    thing: str
    aim: str


@lru_cache(maxsize=4096)
def handle(paper: Paper) -> Handle:
    """Return the words a title offers, in small letters but for names and acronyms; the paper's own
    name for its method comes first.
    """
    name, title = name_of(paper), write_title_small(paper)
    if name:
        thing, aim = _part(title.partition(":")[2].strip())
        if not aim and thing.endswith(_AIMS):
            aim = thing
        return Handle(name, _write_as_abstract(aim, paper))
    head, _, sub = title.partition(":")
    thing, aim = _part(head.strip())
    if not thing and sub:
        thing, second = _part(sub.strip())
        aim = aim or second
    return Handle(_write_as_abstract(thing, paper), _write_as_abstract(aim, paper))


def _write_as_abstract(phrase: str, paper: Paper) -> str:
    """Return a phrase in the case its own abstract writes it in, or else as it is."""
    abstract = clean(paper.abstract)
    found = re.search(rf"(?<!\w){re.escape(phrase)}", abstract, re.IGNORECASE)
    if not phrase or not found:
        return phrase
    written = found[0]
    before = abstract[: found.start()]
    begins = not before.strip() or before.rstrip()[-1] in ".?!" or before[-1] in "'\"“‘("
    return uncapitalise(written, find_names(paper)) if begins else written


def _part(text: str) -> tuple[str, str]:
    """Return (thing, aim) of a title without a colon: 'X for Y', 'Y via X', 'the effect of X on Y',
    'X improves Y', 'X in Y'.
    """
    text = text.strip(" .?!\"'")
    if not text or _UNFIT.match(text) or text.endswith("?"):
        return "", ""
    if related := _RELATION.match(text):
        thing, _, aim = _cut(_ON, text[related.end() :])
        return _tidy(thing), _aim(aim)
    studied = _STUDY.match(text)
    text = text[studied.end() :] if studied else text
    thing, verb, rest = _cut(_VERB, text)
    if verb:
        return _tidy(thing), "" if _NO_OBJECT.match(rest) else _aim(rest)
    aim, means, thing = _cut(_ALSO_WITH if re.match(r"\w+ing\s", text) else _MEANS, text)
    if means and not _AIM.search(aim):
        return _tidy(thing), _aim(aim)
    thing, how, aim = _cut(_AIM, text)
    if how:
        return _tidy(thing), "" if how.strip().lower() == "to" else _aim(aim)
    return _tidy(text), ""


_NO_OBJECT = ignore_case(r"(?:not|all|a|an|the|better|secretly|need|in|to|\w+ed)\b")


def _aim(text: str) -> str:
    return _tidy(_DOING.sub("", _MEANS.split(text)[0], count=1))


def _cut(form: re.Pattern[str], text: str) -> tuple[str, str, str]:
    found = form.search(text)
    return (text[: found.start()], found.group(0), text[found.end() :]) if found else (text, "", "")


def _tidy(phrase: str) -> str:
    """Return a stretch of a title as a noun phrase of a few words, or nothing where it is none."""
    bare = re.sub(r"[\"“”]|\([^)]*\)", "", phrase).strip()
    phrase = _OPENING.sub("", f"{bare} ", count=1).strip(" ,;.")
    phrase = re.split(r"[,;?]|\sbased\b", phrase)[0].strip()
    if _UNFIT.match(phrase):
        return ""
    while (size := len(phrase.split())) > LONGEST or (
        size > 3 and re.search(r"\sand\s\w+$", phrase)
    ):
        found = list(_PLACE.finditer(phrase))
        if not found:
            break
        phrase = phrase[: found[-1].start()]
    phrase = re.sub(r"^(?:with|in|to|of|from|as)\s|\s(?:to|of|in|and|for|with)$", "", phrase)
    if not noun_phrases(phrase) or len(phrase.split()) > LONGEST + 2:
        return ""
    vague = last_word(phrase) in _VAGUE or " or " in phrase
    return "" if vague or not re.search(r"[^\W\d_]{3}", phrase) else phrase


def write_title_small(paper: Paper) -> str:
    """Return a title in small letters but for names and acronyms; in a title in sentence case, the
    capitals inside are names.
    """
    title, spoken = clean(paper.title)[:300], clean(paper.abstract)
    found = [word for word in words(title)[1:] if len(word) > 3]
    capitals = [word for word in found if word[:1].isupper()]
    headed = not found or len(capitals) > 0.5 * len(found)
    kept = {word for word in find_names(paper) if word.lower() not in spoken}

    def write_small(found: re.Match[str]) -> str:
        word, before = found[0], title[: found.start()]
        if word in kept or len(word) == 1 or is_coined(word):
            return word
        # The word with what is joined to it, such as the other half of a compound.
        begins = re.search(r"\S*$", before)
        ends = re.match(r"\S*", title[found.start() :])
        whole = f"{begins and begins[0]}{ends and ends[0]}"
        if whole.strip("(),:;.?!\"'") in kept:
            return word
        first = not before or before.endswith((": ", "? "))
        return word.lower() if headed or first else word

    return re.sub(r"[^\W\d_][\w'’]*", write_small, title)
