"""Picking terms: noun phrases without a parser, and what a paper is called."""

import re
from collections import Counter, deque
from collections.abc import Iterable
from functools import lru_cache

from core.models.builtin.english import (
    capitalise,
    clean,
    has_capital_inside,
    ignore_case,
    is_coined,
    retell,
    singular_forms,
    uncapitalise,
    word_set,
)
from core.records import Paper

_WORD = re.compile(r"[^\W_]+(?:[-'’./+][^\W_]+)*", re.UNICODE)
_STOP = word_set(
    "a alone about above across after again against all almost along already also although always"
    " am among an and another any anyone are around as at away be became because been before behind"
    " being below between beyond both but by can cannot close could despite did do does doing done"
    " down due during each either else enough even ever every everybody everything except far few"
    " fewer for from further get given gives had has have having he hence her here how however i if"
    " in"
    " instead into is it its itself just kind least less let like likely made make makes making"
    " many may me might more moreover most much must near neither never no nobody none nor not"
    " nothing now of off often on once one ones only onto or other others our ours out over own per"
    " perhaps quite rather really same say says set several shall she should since so some"
    " something still such than that the their theirs them themselves then there thereby therefore"
    " these they thing things this those though three through thus to together too toward towards"
    " two under unless until up upon us use uses used very via was way ways we well were what"
    " whatever when where whereas whether which while who whole whom whose why will with within"
    " without would yet you your four five six seven eight nine ten first second third next last"
    " new novel better best good bad long short high low large small later early earlier late big"
    " main different various certain able unable available recent previous existing current common"
    " simple important well-known state-of-the-art significant significantly non e.g i.e et al"
    " versus vs ie eg"
)
_VERBS = word_set(
    "accept achieve act activate adapt add address adopt advise affect aim allow answer appear"
    " apply approach argue ask assess assign assume attempt avoid become begin believe belong bind"
    " block bring build call carry cause change choose cite classify collect combine compare"
    " complete compute conclude confirm consider consist contain continue contribute control"
    " convert copy cover create cut deal decide define deliver demand demonstrate depend derive"
    " describe design destroy detect determine develop differ disturb divide draw drive drop elicit"
    " enable encode encourage enhance ensure enter equip establish evaluate examine exceed exhibit"
    " exist expand expect explain exploit explore expose extend extract face fail fall feed figure"
    " fill find fit fix fluctuate focus follow force form formulate frame fulfil gain gather"
    " generalise generalize generate give go group grow guide handle happen harm help hold hide"
    " identify ignore illustrate implement improve include increase indicate infer inform inject"
    " inspire integrate introduce investigate involve isolate iterate join judge keep know lack"
    " lead learn leave let lie limit link list look lose lower maintain make match matter mean"
    " measure meet merge mislead miss mix modify move name need note obtain occur offer open"
    " operate optimise optimize order outperform overcome pay perform permit pick place plan play"
    " point pool predict prefer prepare present preserve prevent produce promote prompt propose"
    " protect prove provide pursue put raise rank reach read realise recall receive recognise"
    " record reduce refer refine reflect regard reinforce relate release rely remain remove repeat"
    " replace report represent require resemble resist resolve respond rest restore restrict result"
    " retain return reveal review rise run sample scale score search see seek seem select send"
    " separate serve set settle share shift shorten show simulate situate solve sort speak split"
    " spread stand start state steer stimulate stop strengthen study succeed suffer suggest"
    " summarise supply support surpass switch take target teach tell tend test think tie trace"
    " track train transfer transform treat trigger try turn underlie understand unify update"
    " validate vary view wake want weaken widen win work write yield lift end discuss invite sense"
    " correct care favour chain weigh influence impact compose surround map project arbitrate cope"
    " adjust correlate motivate excite connect quantify compensate encounter retrieve rewrite"
    " verify inspect vote debate critique monitor approximate discretise discretize embed"
    " interpolate parameterise parameterize organise organize arrange mature minimise minimize"
    " maximise maximize break loop span outnumber dominate propagate violate spend stay wait watch"
    " sit come rate attend fuse decrease reweight remap decay flow grow arise stem recruit inherit"
    " subtract average"
)
_NOUN_TOO = word_set(
    "debate critique influence impact map project search state study review test score scale sample"
    " plan control design approach model result change support record report track learning"
    " training planning reasoning setting feedback monitoring sampling prompting transform"
    " processing modelling modeling tuning fine-tuning ranking timing testing coding thinking"
    " sleeping writing meaning finding binding scheduling forecasting engineering programming"
    " reinforcement work need demand link rest shift drive force form group order play point rate"
    " release response return rise run target transfer view update match name list limit"
)
_PLURALS = word_set("monitors models samples trials designs questions seminars networks")
_ADJECTIVAL = re.compile(
    r"(?:ly|ic|ical|ive|ous|able|ible|less|ful|ary|ional|ular|ished|ated|ized|ised|est|ian|ese)$"
)
_NOUN_DESPITE = word_set(
    "metric topic logic critic heuristic arithmetic traffic music characteristic statistic mechanic"
    " goal signal trial proposal interval journal variable table objective narrative alternative"
    " adjective family assembly anomaly guideline ability supply summary library boundary"
    " vocabulary diary dictionary commentary secretary manual individual animal hospital metal"
    " material tutorial potential request test harvest interest forest"
)
_EDGE = re.compile(r"^(?:thus|more|less|most|least|very|such|many)$")


def words(text: str) -> list[str]:
    """Return the words of `text`, hyphenated ones whole."""
    return _WORD.findall(clean(text))


@lru_cache(maxsize=4096)
def noun_phrases(text: str) -> tuple[str, ...]:
    """Return phrases of one to four words that can stand as a noun phrase, in order of
    appearance.
    """
    found = dict.fromkeys(map(_trim, _runs(clean(text))))
    return tuple(filter(None, found))


def _runs(text: str) -> Iterable[list[str]]:
    """Yield stretches of words without a stop word, a verb or punctuation between them."""
    for stretch in re.split(r"[^\w\s'’./+-]+|\.(?:\s|$)|[/](?=\s)|\s[-–—]\s", text):
        run: list[str] = []
        for word in _WORD.findall(stretch):
            if word.lower() in _STOP or _is_verb(word) or word.isdigit():
                yield run
                run = []
                continue
            if run and _is_plural(run[-1]):
                yield run
                run = []
            run.append(word)
        yield run


_OBJECT = ignore_case(r"\s+(?:the|an?|its|their|his|her|each|every|this|these|those|some|many)\b")


@lru_cache(maxsize=8192)
def stands_as_noun(phrase: str, text: str) -> bool:
    """Say whether a phrase of several words stands somewhere in a text as a noun phrase would: no
    object follows it, as in `training weighs the error`; no plural comes right before it, as in
    `forces limit sleep`; it is no infinitive, as in `to limit sleep`; and it ends in no plural
    after `an`, as in `an animal behaves`.
    """
    if " " not in phrase:
        return True
    first, *_, final = phrase.split()
    whole_words = rf"(?<![\w-]){re.escape(phrase)}(?![\w-])"
    for found in re.finditer(whole_words, text, re.IGNORECASE):
        line = text[: found.start()][-40:].rstrip()
        leading = re.search(r"[^\W_][\w-]*$", line)
        before = leading[0] if leading else ""
        one = before.lower() in ("a", "an", "each", "every") and _is_plural(final)
        infinitive = before.lower() == "to" and first.lower() in _VERBS
        subject = _is_plural(before) and before.lower() not in _STOP and not _is_verb(before)
        if not (one or infinitive or subject or _OBJECT.match(text, found.end())):
            return True
    return False


def is_verbal(word: str) -> bool:
    """Say whether a word has the form of a verb: a known one, or a participle that is no noun as
    well.
    """
    low = word.lower()
    if "-" in low:
        return False
    gerund = low.endswith("ing") and len(low) > 5 and word.islower()
    return _is_verb(word) or (gerund and low not in _NOUN_TOO)


def _is_plural(word: str) -> bool:
    """Say whether a word looks like a plural or a third person: a noun phrase ends there, or a verb
    stands there.
    """
    low = word.lower()
    return (
        len(low) > 3
        and low.endswith("s")
        and not low.endswith(("ss", "us", "is", "ics"))
        and low not in _NOUN_DESPITE
        and not has_capital_inside(word)
    )


def _is_verb(word: str) -> bool:
    """Say whether a word is most likely a verb here: a known stem with a verb's ending, or an
    adverb.
    """
    low = word.lower()
    if low in _NOUN_TOO or low in _PLURALS or not low.isascii() or has_capital_inside(word):
        return False
    ended = low.endswith(("ly", "ises", "izes", "ifies")) and not low.endswith("exercises")
    if ended and len(low) > 4 and low not in _NOUN_DESPITE:
        return True
    stems = {low.removesuffix(ending) for ending in ("", "s", "es", "d", "ed", "ing")}
    stems |= {low.removesuffix(ending) + "y" for ending in ("ies", "ied")}
    stems.add(low.removesuffix("ing") + "e")
    stems |= {stem.removeprefix("re") for stem in stems if len(stem) > 5 and low.endswith("s")}
    doubled = re.sub(r"(\w)\1(?:ed|ing)$", r"\1", low)
    return bool((stems | {doubled}) & _VERBS) or low in _PAST


_PAST = word_set(
    "gave took found made known shown seen kept held built left lost led drawn chosen fell rose"
    " grew written came went became won meant understood brought taught thought sought told began"
    " broke spoke wrote spent sent felt met ran driven taken given done gone"
)


def _trim(run: list[str]) -> str:
    """Return the phrase a run ends in; empty where its last word can be no noun."""
    left = deque(run)
    while left and not _can_be_noun(left[-1]):
        left.pop()
    cut = len(left) > 5
    left = deque(left, maxlen=5)
    while cut and len(left) > 1 and left[0].lower().endswith("ing"):
        left.popleft()
    while left and _EDGE.match(left[0].lower()):
        left.popleft()
    phrase = " ".join(left)
    return phrase if len(left) > 1 or len(phrase) > 3 or phrase.isupper() else ""


def _can_be_noun(word: str) -> bool:
    low = word.lower()
    if {low, low.removesuffix("s")} & _NOUN_DESPITE or has_capital_inside(word):
        return True
    if low.endswith(("ed", "ing")) and low not in _NOUN_TOO and len(low) > 4:
        return False
    return not _ADJECTIVAL.search(low)


def write_small(phrase: str) -> str:
    """Return a phrase from a title as it reads inside a sentence: small letters but for acronyms
    and names.
    """
    return " ".join(
        word if len(word) == 1 or is_coined(word) else word.lower() for word in phrase.split()
    )


def count_phrases(texts: Iterable[str]) -> Counter[str]:
    """Count in how many of the texts each noun phrase occurs (in small letters)."""
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update({write_small(phrase) for phrase in noun_phrases(text)})
    return counts


@lru_cache(maxsize=8192)
def ending_in(text: str, heads: frozenset[str]) -> tuple[str, ...]:
    """Return the noun phrases of `text` whose last word, singular or plural, is one of `heads`."""
    found = []
    for phrase in noun_phrases(text):
        *before, last = phrase.lower().split()
        if before and singular_forms(last) & heads:
            found.append(phrase)
    return tuple(found)


@lru_cache(maxsize=4096)
def name_of(paper: Paper) -> str | None:
    """Return the name a paper gives its own method in front of the colon of its title; None where
    it gives none.
    """
    head, colon, _ = clean(paper.title).partition(":")
    head = head.strip()
    inside = head.split()
    if not colon or not 0 < len(inside) <= 5:
        return None
    if len(inside) > 1 and inside[0].lower().endswith("ing"):
        return None
    # `Sleep extension in NCAA athletes` says what was done; a name has no such words.
    described = any(word.islower() and len(word) > 4 for word in inside)
    if any(map(has_capital_inside, inside)) and not described:
        return head
    used = re.search(rf"(?<!^)(?<![.!?] ){re.escape(head)}\b", clean(paper.abstract))
    return head if used and head[:1].isupper() else None


def cite(paper: Paper) -> str:
    """Return how a person refers to the paper in a sentence: by its method's name, by its first
    author, or by its title.
    """
    name = name_of(paper)
    return f"{name} ({paper.year})" if name and paper.year else name or cite_authors(paper)


WORKS = re.compile(
    r"\"[^\"]{3,90}\" \(\d{4}\)|"
    r"[A-Z][\w'’.-]{0,90}+(?: [A-Z][\w'’.-]{0,90}+){0,3}(?: et al\.| and [A-Z][\w'’-]+)? \(\d{4}\)"
)
"""How a text refers to a work: by its title or its authors, with the year. A name is read to its
end once: going back within it would take the cube of a long run's length.
"""
_NOBODY = ("others", "al.", "authors", "anonymous", "unknown")


def cite_authors(paper: Paper) -> str:
    """Return how a person refers to the paper by its first author, or by its title where no author
    is known.
    """
    year = f" ({paper.year})" if paper.year else ""
    families = [last for author in paper.authors for last in clean(author).split()[-1:]]
    if not families or families[0].lower() in _NOBODY:
        title = clean(paper.title) or paper.id
        return f'"{title[:90].rstrip()}"{year}'
    return _name_authors(families, 1) + year


def cite_two_authors(paper: Paper) -> str:
    """Return how to refer to a paper where its first author and year fit another one as well: by
    its first two authors; empty where it has no two that are named.
    """
    families = [last for author in paper.named for last in clean(author).split()[-1:]]
    if len(families) < 2 or not paper.year:
        return ""
    return f"{_name_authors(families, 2)} ({paper.year})"


def _name_authors(families: list[str], least: int) -> str:
    first, *others = families
    if least > 1 and len(others) > 1:
        return f"{first}, {others[0]} et al."
    if not others:
        return first
    if len(others) == 1 and others[0].lower() not in _NOBODY:
        return f"{first} and {others[0]}"
    return f"{first} et al."


def find_names(paper: Paper) -> frozenset[str]:
    """Return the words of a paper that stay capitalised: those it writes so in the middle of
    sentences.
    """
    inside = re.findall(r"(?<![.!?:] )(?<!^)\b[A-Z][\w-]+", clean(paper.abstract))
    name = name_of(paper) or ""
    return frozenset([*inside, *name.split()[:1]])


def retell_from(paper: Paper, sentence: str) -> str:
    """Return a paper's sentence as a clause somebody else can report."""
    return retell(sentence, find_names(paper))


def headline(phrase: str) -> str:
    """Return a phrase as the beginning of a title."""
    return capitalise(uncapitalise(phrase))
