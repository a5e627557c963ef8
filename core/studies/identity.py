"""Words that may say who wrote a text: names of models and methods, the way models talk, the way
papers talk, citations, years, venues, links.
"""

import re
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

AROUND = 30
"""Characters of the text shown on either side of a word."""
MODELS = (
    "GPT",
    "ChatGPT",
    "OpenAI",
    "Claude",
    "Anthropic",
    "Gemini",
    "Gemma",
    "LLaMA",
    "Mistral",
    "Mixtral",
    "Qwen",
    "QwQ",
    "DeepSeek",
    "Grok",
    "Nova Pro",
    "Command R",
    "Ollama",
    "Copilot",
)
METHODS = (
    "Chain of Ideas",
    "CoI-Agent",
    "AI Scientist",
    "AI-Researcher",
    "ResearchAgent",
    "VirSci",
    "SciMON",
    "SciPIP",
    "InfAL",
    "EvoIdeator",
    "LiveIdeaBench",
    "IdeaBench",
)
VENUES = (
    "NeurIPS",
    "NIPS",
    "ICML",
    "ICLR",
    "ACL",
    "EMNLP",
    "NAACL",
    "EACL",
    "COLING",
    "CVPR",
    "ICCV",
    "ECCV",
    "AAAI",
    "IJCAI",
    "KDD",
    "SIGIR",
    "INTERSPEECH",
    "ICASSP",
    "JMLR",
    "TMLR",
    "TACL",
    "PNAS",
    "arXiv",
    "bioRxiv",
    "medRxiv",
    "IEEE",
    "Lancet",
    "PubMed",
)
PATTERNS: dict[str, str] = {
    "a model's way of talking": (
        r"as an? (?:AI|(?:large )?language model|AI assistant)\b"
        r"|I(?:['’]m| am) (?:sorry|unable|not able)\b|I can(?:not|['’]t)\b"
        r"|^(?:Sure|Certainly|Of course)[,!]"
        r"|Here(?:['’]s| is) (?:a|an|the|my) (?:\w+ )?(?:idea|proposal|revis\w+)"
        r"|as the (?:optimizer|generator|discriminator)\b"
    ),
    "a paper's way of talking": (
        r"(?:in|of) this (?:paper|work|article)\b|this paper\b"
        r"|we (?:show|find|found|demonstrate|report) that\b"
        r"|our (?:experiments?|results|findings) (?:show|demonstrate|suggest|indicate)\w*"
        r"|outperform(?:s|ed) (?:all|the|existing|prior)"
        r"|(?:Section|Figure|Fig\.|Table|Appendix|Eq\.|Theorem) \d+"
        r"|(?:code|data) (?:is|are) (?:publicly )?available"
    ),
    "a citation": (
        r"\bet al\b\.?|\[\d{1,3}(?:\s*[,–-]\s*\d{1,3})*\]"
        r"|\([A-Z][\w'’-]+(?: (?:and|&) [A-Z][\w'’-]+)?,? (?:19|20)\d\d[a-z]?\)"
    ),
    "a year": r"\b(?:19[5-9]|20[0-4])\d\b",
    "a venue": r"\b(?:in|by) (?:Nature|Science|Cell)\b|\bNature [A-Z]\w+",
    "a link": (
        r"https?://\S+|\bwww\.\S+|\bdoi:\s*\S+|\b10\.\d{4,9}/\S+|\bgithub\b|\bhugging ?face\b"
    ),
    "people": (
        r"\b(?:University|Institute|Laborator(?:y|ies)) (?:of|for) [A-Z]\w+"
        r"|\backnowledg\w+ (?:the )?(?:support|funding)"
    ),
}


class IdentifyingPassage(NamedTuple):
    """A passage that may say where a text comes from."""

    kind: str
    words: str
    around: str
    """The words with what stands on either side."""


def found(text: str, names: Iterable[str] = ()) -> tuple[IdentifyingPassage, ...]:
    """Return the passages of a text that may say who wrote it, each wording once; `names` are those
    of the methods and models it may be by.

    A name that is a plain word in small letters (`direct`) is not looked for: ordinary sentences
    hold it.
    """
    once: dict[tuple[str, str], IdentifyingPassage] = {}
    own = _named(tuple(sorted(set(names))))
    patterns = (("a source of this session", own), *_patterns()) if own else _patterns()
    for kind, pattern in patterns:
        for match in pattern.finditer(text):
            start = max(0, match.start() - AROUND)
            end = min(len(text), match.end() + AROUND)
            before = "... " if start else ""
            after = " ..." if end < len(text) else ""
            around = " ".join(text[start:end].split())
            words = " ".join(match[0].split())
            place = (kind, words.casefold())
            once.setdefault(place, IdentifyingPassage(kind, words, f"{before}{around}{after}"))
    return tuple(once.values())


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    listed = {"a model or its maker": MODELS, "a method": METHODS, "a venue": VENUES}
    # Models have versions after their names: GPT-4o, Llama 3.1.
    whole = {
        kind: rf"\b(?:{'|'.join(map(re.escape, names))})(?:[- ]?v?\d[\w.]*\w|[- ]?\d)?\b"
        for kind, names in listed.items()
    }
    loose = tuple(
        (kind, re.compile(pattern, re.IGNORECASE if kind.endswith("talking") else re.NOFLAG))
        for kind, pattern in PATTERNS.items()
    )
    return (
        *(
            (kind, re.compile(pattern, re.NOFLAG if kind == "a venue" else re.IGNORECASE))
            for kind, pattern in whole.items()
        ),
        *loose,
    )


@cache
def _named(names: tuple[str, ...]) -> re.Pattern[str] | None:
    """Return what finds the names of this session's sources, a model's also without its provider
    and its version's date.
    """
    spelled = {
        one
        for name in names
        for one in (name, name.rpartition(":")[2], name.rpartition("/")[2])
        if len(one) > 2 and not re.fullmatch(r"[a-z]+", one)
    }
    if not spelled:
        return None
    longest_first = "|".join(re.escape(one) for one in sorted(spelled, key=len, reverse=True))
    return re.compile(rf"(?<!\w)(?:{longest_first})(?!\w)", re.IGNORECASE)
