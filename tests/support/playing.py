"""What a loopback model server says to each prompt: sensible, and depending on the request
alone.
"""

import itertools
import json
import re
from typing import Any

from core.records import ITEMS
from core.wording.sentences import sentences
from tests.support.evolving import SPANS, fixed, idea_with
from tests.support.schema_instances import Body, asked_schema
from tests.support.servers.openai_server import instance_for

_ID = re.compile(r"^(?:\d+\. )?\[([^\]\n]+)\] ", re.MULTILINE)


def actor(body: Body) -> dict[str, Any] | str:
    """Answer like a willing model: every paper is relevant, every revision improves, no idea is
    known already.
    """
    asked = set((asked_schema(body) or {}).get("properties", {}))
    task = task_of(body)
    made = instance_for(body)
    if isinstance(made, str):
        return made
    if asked == {"queries"}:
        return {"queries": _topic(task)}
    if asked == {"relevant", "reason"}:
        return made | {"relevant": True}
    if asked == {"improved", "reason"}:
        return made | {"improved": True}
    if asked == {"id", "reason"}:
        return made | {"id": _ID.findall(_between(task, "references"))[0]}
    if asked & {"similar", "findings"} or asked in ({"claims"}, {"whole", "claims"}):
        return _checked(task, asked, made)
    if asked == {"steps", "summary"}:
        pairs = itertools.pairwise(_ID.findall(_between(task, "chain")))
        return made | {
            "steps": [{"earlier": a, "later": b, "how": f"From {a} to {b}."} for a, b in pairs]
        }
    if asked == {"summary", "remarks"}:
        return _reviewed(made)
    if asked == {"improved", "reason", "review"}:
        return made | {"improved": True, "review": _reviewed(made["review"])}
    if asked in (
        {"idea"},
        {"plan", "idea"},
        {"reason", "score", "directive"},
        {"reason", "scores"},
    ):
        return (
            _item(task)
            if "score" in asked
            else _rated(task)
            if "scores" in asked
            else {"idea": idea_with(_evolved(task))}
        )
    if asked == {"places"}:
        labels = set(re.findall(r"^([A-Z])\| ", _between(task, "ideas"), re.MULTILINE))
        return {
            "places": [
                {"label": label, "reason": f"{label} goes furthest."} for label in sorted(labels)
            ]
        }
    return made


def task_of(body: Body) -> str:
    """Return what is asked: the task, in a conversation the last one with the answer before it as
    the idea; what was refused is left out.
    """
    said = [str(one["content"]) for one in body["messages"] if one["role"] != "system"]
    refused = next(
        (n for n, one in enumerate(said) if one.startswith("That answer cannot be used")),
        len(said) + 1,
    )
    tasks = said[: refused - 1][: len(said)]
    return (
        tasks[0]
        if len(tasks) < 3
        else f"<idea>\n{json.loads(tasks[-2])['idea']}\n</idea>\n\n{tasks[-1]}"
    )


def _evolved(task: str) -> set[str]:
    """Return the items the next version has right: those the one before has, and three of those
    there are directives for.
    """
    return fixed(_between(task, "idea")) | set(
        re.findall(r"^\[(\w+)\] Passage", _between(task, "directives"), re.MULTILINE)[:3]
    ) or {"writing"}


def _item(task: str) -> dict[str, Any]:
    item = next(
        one
        for one in ITEMS
        if {one.holds, one.as_first_put().holds}
        & {_between(task, "requirement").strip().partition(": ")[2]}
    )
    if item.name in fixed(_between(task, "idea")):
        return {"reason": f"{item.name} holds.", "score": 1, "directive": None}
    return {
        "reason": f"{item.name} is lacking.",
        "score": 0,
        "directive": {
            "span": SPANS.get(item.name, ""),
            "issue": f"{item.name} is weak.",
            "suggestion": f"Do something for {item.name}.",
        },
    }


def _rated(task: str) -> dict[str, Any]:
    return {
        "reason": "It is concrete.",
        "scores": [
            {"criterion": name, "score": 6}
            for name in re.findall(r"^- ([^:]+):", task, re.MULTILINE)
        ],
    }


def _checked(task: str, asked: set[str], made: dict[str, Any]) -> dict[str, Any]:
    """Find no idea known; or take one apart by its sentences, search for the words of each, and
    find covered what stands in a paper to the letter.
    """
    if "similar" in asked:
        known = {"similar": False, "nearest": _ID.findall(_between(task, "papers"))[0]}
        return made | known | ({"claims": []} if "claims" in asked else {})
    if asked == {"claims"}:
        lines = sentences(_between(task, "idea").strip())
        return {"claims": [{"kind": "mechanism", "text": one, "span": one} for one in lines[:6]]}
    claims = re.findall(r"Claim (\d+) \([^)]*\): (.*)", _between(task, "claims"))
    if asked == {"whole", "claims"}:
        queries = {int(n): " ".join(re.findall(r"[A-Za-z]{4,}", text)[:8]) for n, text in claims}
        by_claim = [{"claim": n, "queries": [query]} for n, query in queries.items()]
        return {"whole": [next(iter(queries.values()))], "claims": by_claim}
    paper = f"{_between(task, 'paper')} {_between(task, 'text')}"
    findings = []
    for n, text in claims:
        quote = text if text in paper else ""
        state = "covers" if quote else "does not"
        findings.append(
            {
                "claim": int(n),
                "reason": "Compared word by word.",
                "state": state,
                "idea_quote": quote,
                "paper_quote": quote,
            }
        )
    return {"findings": findings}


def _reviewed(review: dict[str, Any]) -> dict[str, Any]:
    return review | {"remarks": [{"id": "r1", "text": review["summary"], "trait": ""}]}


def _between(task: str, tag: str) -> str:
    return task.partition(f"<{tag}>")[2].partition(f"</{tag}>")[0]


def _topic(task: str) -> list[str]:
    words = re.findall(r"[A-Za-z]{4,}", _between(task, "topic")) or ["sleep"]
    return [" ".join(words[:6]), words[0]]


def converging(body: Body) -> dict[str, Any] | str:
    """Answer like `actor`, but number the versions of an idea and find only the first three better
    than the one before.
    """
    reply = actor(body)
    assert isinstance(reply, dict)
    task = str(body["messages"][1]["content"])
    if "changes" in reply:
        return reply | {"title": f"Version {_version(_between(task, 'idea')) + 1}", "changes": []}
    return (
        reply | {"improved": _version(_between(task, "newer")) <= 3}
        if "improved" in reply
        else reply
    )


def _version(idea: str) -> int:
    found = re.search(r"Version (\d+)", idea)
    return int(found.group(1)) if found else 0
