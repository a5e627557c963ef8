"""What a person proposes: what is done, with whom, what is measured and by what, read off their own
words.
"""

# ruff: noqa: SIM905 - a list of words is read best as words.
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.models.builtin.english import capitalise, clean, clip, ignore_case, uncapitalise
from core.models.builtin.library import about_beings, telling_phrases
from core.models.builtin.phrases import noun_phrases

_GIVING = "give offer provide teach feed send prescribe show hand issue lend assign serve".split()
_DOING = (
    "use add train combine apply build introduce replace swap put let run fit insert inject expose"
    " treat equip supply plant coat mix fine-tune pretrain prompt ask remove reduce increase vary"
    " change set cut switch move install deploy design develop create make try bring pair augment"
    " extend integrate embed couple connect link start stop play correct coach administer dose plan"
    " schedule delay shorten lengthen limit restrict invite allow divide split cool heat water grow"
    " print publish pay tax close open double halve wear have place keep model simulate generate"
    " rank retrieve learn encode adapt modify transfer implement employ exploit feed simulate"
).split()
_EQUIPPING = "equip supply treat replace provide train pair".split()
_TOWARDS = "to in on for among into across at".split()
_JOINING = "combine pair mix couple integrate connect link".split()
_MEASURING = (
    "measure assess record track compare evaluate test monitor observe count score rate check"
    " quantify log survey determine see".split()
)
_DOUBLED = re.compile(r"[^aeiou]*[aeiou][^aeiouwxy]|equip|submit")
_CAUSING = "|".join(
    (
        "improv(?:e|es|ed)",
        "increas(?:e|es|ed)",
        "reduc(?:e|es|ed)",
        "rais(?:e|es|ed)",
        "lowers?|lowered",
        "chang(?:e|es|ed)",
        "shift(?:s|ed)?",
        "affect(?:s|ed)?",
        "influenc(?:e|es|ed)",
        "helps?|helped",
        "prevent(?:s|ed)?",
        "worsen(?:s|ed)?",
        "boost(?:s|ed)?",
        "enhanc(?:e|es|ed)",
        "strengthen(?:s|ed)?",
        "weaken(?:s|ed)?",
        "shorten(?:s|ed)?",
        "lengthen(?:s|ed)?",
        "delay(?:s|ed)?",
        "speeds? up",
        "slows?(?: down)?",
        "caus(?:es|ed)",
        "promot(?:e|es|ed)",
    )
)
_LEAD = ignore_case(
    r"^(?:(?:please|first|then|second|third|finally|in addition|also),?\s+)*"
    r"(?:(?:the|my|our) (?:idea|plan|aim|goal|proposal|method|hypothesis) is to\s+|"
    r"(?:what if|could|can|should) (?:we|one|I|you)\s+|let us\s+|let's\s+|"
    r"(?:we|I|one|you) (?:(?:want|plan|propose|intend|hope|suggest|would like|aim) to|will|would|"
    r"should|could|can|might)\s+|(?:we|I)\s+|to\s+)?"
)
_VERB = re.compile(
    rf"({'|'.join(sorted((*_GIVING, *_DOING), key=len, reverse=True))})\s+(\S.*)$",
    re.IGNORECASE | re.DOTALL,
)
_NEXT_ACTION = re.compile(rf"(\s+and\s+(?:then\s+)?)(?=(?:{'|'.join((*_GIVING, *_DOING))})\b)")
"""Where one action ends and the next begins; every second part of what it splits is a joint."""
_SEES = rf"(?:{'|'.join(_MEASURING)})"
_THEN_SEES = ignore_case(
    rf"(?:,\s*(?:and\s+)?|\s+and\s+|;\s*(?:and\s+)?)(?:then\s+|to\s+)?({_SEES})\s+(.+)$|"
    rf"\s+to\s+({_SEES})\s+(.+)$"
)
_ONLY_SEES = ignore_case(rf"({_SEES})\s+(.+)$")
_HINGE = ignore_case(
    r"\s+(?:to|with|by|using|on|onto|into|via|through|from|in|for|over|during|before|after|every|"
    r"at|when|while|against|instead|rather|and|so|that|whether|as|until|without|within|across|"
    r"among|between)\s+|[,;:]\s*"
)
_WITH = ignore_case(r"\s(?:with|by|using|via)\s+(.+)$")
_AGAINST = ignore_case(r"\s(?:with|to|against)\s+(.+)$")
_CLAIM = ignore_case(
    rf"^(.{{3,120}}?)\s+(?:(?:may|might|can|could|will|would|should)\s+)?(?:{_CAUSING})\s+(.+)$"
)
_HELPER = ignore_case(r"\s+(?:may|might|can|could|will|would|should)$")
_WHETHER = ignore_case(r"^(?:whether|if|that|how far|how much)\s+")
_ASKS = ignore_case(
    r"^(?:test|see|find out|ask)\s+(?=whether|if)|"
    r"^(?:the hypothesis is|it is supposed|I think)\s+(?=that)"
)
_BEGINS = ignore_case(
    r"^(?:the|a|an|some|any|every|each|their|his|her|its|our|my|your|these|those|this|that|all)\s+"
)
_OWNED = ignore_case(r"^(?:their|his|her|its|our|my|your)\s+")
LONGEST = 200
"""How many characters of one part are taken over: what is longer is no part but a text."""


@dataclass(frozen=True)
class Proposal:
    """A person's idea in its parts; a part their words do not give is empty."""

    words: str
    """The sentence that says what is done or claimed, as it was typed."""
    action: str = ""
    """What is done, as a verb phrase in its base form."""
    device: str = ""
    """What is brought in, without its article."""
    who: str = ""
    """With whom or where."""
    measure: str = ""
    """What is looked at afterwards, in the person's words."""
    tool: str = ""
    """What it is measured with."""
    against: str = ""
    """What it is compared with."""

    @property
    def doing(self) -> str:
        """The action as it stands as the subject of a sentence."""
        parts = _NEXT_ACTION.split(self.action)
        parts[::2] = map(_gerund, parts[::2])
        return "".join(parts)

    @property
    def outcome(self) -> str:
        """The measure with its tool, as it reads by itself."""
        plain = _OWNED.sub("", self.measure)
        if self.against:
            return f"the agreement between the {_BEGINS.sub('', plain)} and {self.against}"
        return f"{plain} as measured with {self.tool}" if plain and self.tool else plain

    @property
    def title(self) -> str:
        """The idea in one line."""
        if not self.action:
            return clip(capitalise(self.words.rstrip(" .!?")), 120)
        plain = _OWNED.sub("", self.measure)
        effect = f": an effect on {plain}?" if plain and not self.against else ""
        return clip(capitalise(self.doing) + effect, 140)

    @property
    def aim(self) -> str:
        """The objective, in the person's words."""
        if not self.action:
            return f"To test the claim as it stands: {uncapitalise(self.words)}"
        if self.against:
            return f"To {self.action}, and to compare {self.measure} with {self.against}"
        if not self.measure:
            return f"To find out what difference it makes to {self.action}"
        tool = f", as measured with {self.tool}" if self.tool else ""
        return f"To find out whether {self.doing} changes {self.measure}{tool}"

    def claim(self, measure: str) -> str:
        """The hypothesis; `measure` stands in where the person named none."""
        if not self.action:
            return self.words
        if self.against:
            return (
                f"The hypothesis is that, after {self.doing}, {self.measure} differs measurably"
                f" from {self.against}"
            )
        return f"The hypothesis is that {self.doing} changes {self.measure or measure}"


def read_proposal(lines: Sequence[str], claims: Sequence[str] | None = None) -> Proposal | None:
    """Return the first sentence that says what is to be done, or else the first of `claims` (else
    of `lines`) that claims a cause, or None.
    """
    done = next(filter(None, map(_read_action, lines)), None)
    if done is None:
        return next(filter(None, map(_read_claim, lines if claims is None else claims)), None)
    if done.measure:
        return done
    for line in lines:
        if seen := _ONLY_SEES.match(_LEAD.sub("", clean(line), count=1)):
            return _add_measure(done, seen[1], seen[2])
    return done


def _read_action(line: str) -> Proposal | None:
    text = _LEAD.sub("", clean(line).rstrip(" .!?"), count=1)
    seen = _THEN_SEES.search(text)
    doing = _VERB.match(text[: seen.start()] if seen else text)
    if not doing or len(doing[0]) > 2 * LONGEST:
        return None
    verb, rest = doing[1].lower(), doing[2]
    device, who = _objects(verb, rest)
    if not device:
        return None
    action = f"{verb} {rest.rstrip(' ,;')}"
    found = Proposal(words=clean(line), action=action, device=device, who=who)
    if not seen:
        return found
    looks, at = filter(None, seen.groups())
    return _add_measure(found, looks, at)


def _objects(verb: str, rest: str) -> tuple[str, str]:
    """Return what a verb brings in and whom it brings it to: 'give nurses glasses', 'give glasses
    to nurses', 'equip nurses with glasses'.
    """
    hinge = _HINGE.search(rest)
    first = rest[: hinge.start()] if hinge else rest
    named = _things(first)
    does = re.match(r"\s+to\s+(\w+\b.*)", rest[hinge.start() :]) if hinge else None
    moving = verb in ("teach", "ask", "invite", "allow", "prompt")
    if does and named and (moving or about_beings(named[-1])):
        return _gerund(does[1]), named[-1]
    if verb in _GIVING and len(named) > 1:
        return named[1], named[0]
    after = _HINGE.split(rest[hinge.end() :], maxsplit=1)[0] if hinge else ""
    to = hinge[0].strip().lower() if hinge else ""
    other = _things(after)
    if verb in _EQUIPPING and to == "with" and other and named:
        return other[0], named[0]
    if verb in _JOINING and to in ("with", "and", "to", "into") and named and other:
        return f"{named[0]} {to} {other[0]}", ""
    bare, place = _BEGINS.sub("", first.strip()), _BEGINS.sub("", after.strip())
    if len(named) == 1 and len(bare.split()) <= 6:
        named = [bare]
    if other and len(place.split()) <= 7:
        other = [place]
    whom = other[0] if other and not does and to in _TOWARDS else ""
    return (named[-1] if named else ""), whom


def _things(text: str) -> list[str]:
    """Return the noun phrases of a stretch; one that holds none, but is short, stands for
    itself.
    """
    if named := [phrase for phrase in noun_phrases(text) if len(phrase) <= 80]:
        return named
    bare = _BEGINS.sub("", text.strip())
    if len(bare.split()) > 4 or not re.search(r"[^\W\d_]{3}", bare):
        return []
    return [bare]


def _add_measure(found: Proposal, verb: str, rest: str) -> Proposal:
    rest = rest.strip(" .!?")
    if len(rest) > LONGEST or _WHETHER.match(rest):
        return found
    what = _HINGE.split(rest, maxsplit=1)[0]
    what = f"the number of {_BEGINS.sub('', what)}" if verb.lower() == "count" else what
    against = _AGAINST.search(rest) if verb.lower() == "compare" else None
    tool = _WITH.search(rest) if verb.lower() != "compare" else None
    with_what = _HINGE.split(tool[1], maxsplit=1)[0] if tool else ""
    return replace(
        found,
        measure=what,
        tool=with_what if _things(with_what) else "",
        against=against[1] if against else "",
    )


def _read_claim(line: str) -> Proposal | None:
    text = _WHETHER.sub("", _ASKS.sub("", clean(line).rstrip(" .!")))
    found = _CLAIM.match(text)
    if not found or text.endswith("?") or len(text) > 2 * LONGEST:
        return None
    subject, rest = _HELPER.sub("", found[1]), found[2]
    size = len(subject.split())
    if size > 12 or re.search(r"\b(?:that|which|who|is|are|was|were|but|because)\b", subject):
        return None
    where = re.search(r"\s(?:in|among|of|for)\s+(.+)$", rest)
    what = rest[: where.start()] if where else rest
    device = _BEGINS.sub("", subject)
    if size > 6:
        device = "".join(telling_phrases(subject)[:1])
    if not device:
        return None
    who = where[1] if where else ""
    return Proposal(words=clean(line), device=uncapitalise(device), who=who, measure=what)


def _gerund(clause: str) -> str:
    """Return a clause in the base form as a gerund: `give` becomes `giving`."""
    verb, _, rest = clause.partition(" ")
    if _DOUBLED.fullmatch(verb):
        verb += verb[-1]
    elif verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")):
        verb = verb[:-1]
    return f"{verb}ing {rest}".strip()
