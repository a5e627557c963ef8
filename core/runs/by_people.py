"""Runs in which people answer and no model is asked, by what they were given: what people do there,
as a clause, and an empty text where models are asked.
"""

from collections.abc import Mapping
from typing import Any

Given = Mapping[str, Any]
"""The inputs of a run, as they are stored."""


def vote(given: Given) -> str:
    """Say whether people alone vote in an arena."""
    return "people vote" if given.get("people_only") else ""


def rank(given: Given) -> str:
    """Say whether a person alone ranks."""
    return "a person ranks" if given.get("judged_by") == "person" else ""


def judge(given: Given) -> str:
    """Say whether a person judges a given idea once, and nothing is written or looked for."""
    whole = given.get("idea") and given.get("question") and not given.get("papers")
    alone = given.get("judged_by") == "person" and given.get("steps") == 1
    return "a person judges" if whole and alone else ""
