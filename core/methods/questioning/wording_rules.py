"""What a research question and its keywords have to be, as far as code can tell; what does not fit
is asked again.
"""

import re

from core.records import Keywords, Question

LOOKED_UP = re.compile(
    r"(who|whom|whose|when|where)\b|(what|which) (is|are|was|were) (the )?(definition|meaning|"
    r"name|year|number|author)s?\b|how (many|much|old|long ago)\b|"
    r"(does|do|is|are|was|were) there\b|define\b|list\b",
    re.IGNORECASE,
)
"""How a question begins that somebody could look up, or answer with a list."""
GENERIC = frozenset(
    (
        "accuracy",
        "advance",
        "advances",
        "algorithm",
        "algorithms",
        "analyses",
        "analysis",
        "application",
        "applications",
        "approach",
        "approaches",
        "assessment",
        "background",
        "benchmark",
        "challenge",
        "challenges",
        "comparison",
        "concept",
        "context",
        "data",
        "dataset",
        "datasets",
        "design",
        "development",
        "effect",
        "effectiveness",
        "effects",
        "efficiency",
        "efficient",
        "evaluation",
        "evidence",
        "experiment",
        "experiments",
        "factor",
        "factors",
        "field",
        "framework",
        "frameworks",
        "future",
        "gap",
        "gaps",
        "goal",
        "hypothesis",
        "idea",
        "ideas",
        "impact",
        "impacts",
        "implementation",
        "improvement",
        "influence",
        "innovation",
        "investigation",
        "issue",
        "issues",
        "literature",
        "measurement",
        "mechanism",
        "mechanisms",
        "method",
        "methodology",
        "methods",
        "metric",
        "metrics",
        "model",
        "modeling",
        "modelling",
        "models",
        "new",
        "novel",
        "optimisation",
        "optimization",
        "outcome",
        "outcomes",
        "paper",
        "papers",
        "performance",
        "perspective",
        "problem",
        "problems",
        "process",
        "processes",
        "property",
        "quality",
        "question",
        "research",
        "result",
        "results",
        "review",
        "role",
        "science",
        "scientific",
        "solution",
        "solutions",
        "strategies",
        "strategy",
        "studies",
        "study",
        "survey",
        "system",
        "systems",
        "task",
        "tasks",
        "technique",
        "techniques",
        "technologies",
        "technology",
        "theory",
        "tool",
        "tools",
        "trend",
        "trends",
        "understanding",
        "use",
        "using",
    )
)
"""Words that fit every field, and so find nothing in one; two of them may be a term (mechanism
design), but for those that say the same together.
"""
HOLLOW = frozenset(
    (
        "analysis",
        "approach",
        "case",
        "data",
        "evaluation",
        "literature",
        "method",
        "methods",
        "model",
        "models",
        "new",
        "novel",
        "performance",
        "research",
        "results",
        "review",
        "studies",
        "study",
        "survey",
    )
)


def check_question(asked: Question) -> None:
    """Raise ValueError for what is more than one question, or one that can be looked up."""
    question = asked.question.strip()
    if question.count("?") > 1 or "\n" in question:
        raise ValueError("ask one question only, in one sentence that ends with a question mark")
    if LOOKED_UP.match(question):
        raise ValueError(
            "this can be looked up; ask what research would have to find out: how, why, to what"
            " extent, by what means something can be reached"
        )


def check_keywords(chosen: Keywords) -> None:
    """Raise ValueError for keywords that repeat one another or say nothing of the field; that there
    are four is in their type.
    """
    keywords = [" ".join(keyword.casefold().split()) for keyword in chosen.keywords]
    if len(set(keywords)) < len(keywords):
        raise ValueError("the four keywords must differ from one another")
    for keyword in keywords:
        words = set(re.split(r"[\s-]+", keyword))
        if keyword in GENERIC or words <= HOLLOW:
            raise ValueError(f"{keyword!r} fits every field; name a term of this one instead")
    if "_" in "".join(keywords):
        raise ValueError("write keywords in plain words, without punctuation")
