"""A small shortlist over scripted fakes: two branches of two ideas, whose titles say which they are
through all stages, and judges who know what is true of them.
"""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from core.methods.inputs import ShortlistInputs
from core.methods.shortlist.so_far import Present, present
from core.models.port import Request
from core.records import FORMS, IDEA_CRITERIA, Idea, Run
from core.runs.planning import validated
from core.runs.runner import Runner
from tests.conftest import ScriptedModel, SmallSource
from tests.support.scripted import (
    configured,
    mark,
    refine_script,
    runner_of,
    wide_script,
    wide_source,
)

TOPIC = "sleep 2018"
DATED = "2026-11-25"


def own(name: str, form: str = "six-field") -> Idea:
    """Return an idea that is called so, in words of its own."""
    about = "of what sleep does for the memory of athletes, and for whom, by this:"
    fields = {field: f"{field} {about} {name}" for field in FORMS[form]}
    return Idea(form=form, fields=fields | ({"title": name} if "title" in fields else {}))


def name_of(idea: Idea) -> str:
    """Return what an idea is called, whatever version it is in."""
    return idea.title.partition(" / ")[0]


def version_of(idea: Idea) -> int:
    return int(idea.title.partition(" / ")[2] or 0)


class Truth(NamedTuple):
    """What is true of the ideas, by name, and how those who know it answer.

    Of two ideas the stronger one wins all criteria, by default the one whose name comes first; of
    two versions of one the later, but for those that got `worse`. `same` are pairs of names that
    are one idea, `known` what the chain's check finds, `anticipated` what the fresh one does.
    """

    strengths: Mapping[str, float] = {}
    same: Collection[frozenset[str]] = ()
    known: Collection[str] = ()
    anticipated: Collection[str] = ()
    worse: Collection[str] = ()

    def find_known(self, request: Request) -> object:
        found = request.values["idea"].title in self.known
        return {
            "similar": found,
            "nearest": request.values["papers"][0].id,
            "overlap": "All of it." if found else "",
            "reason": "Compared.",
        }

    def better(self, request: Request) -> str:
        first, second = request.values["first"], request.values["second"]
        a, b = name_of(first), name_of(second)
        if a == b:
            first_wins = (version_of(first) > version_of(second)) != (a in self.worse)
        elif self.strengths:
            first_wins = self.strengths[a] > self.strengths[b]
        else:
            first_wins = a < b
        return "first" if first_wins else "second"

    def compare(self, request: Request) -> object:
        return dict.fromkeys(IDEA_CRITERIA, self.better(request)) | {"reason": "Weighed."}

    def tell_same(self, request: Request) -> object:
        names = frozenset(name_of(request.values[one]) for one in ("first", "second"))
        return {
            "reason": "Both read.",
            "same": names in self.same,
            "better": self.better(request),
        }

    def read(self, request: Request) -> object:
        quote = request.values["paper"].abstract
        said = {"claim": 1, "reason": "Read.", "state": "does not"}
        if name_of(request.values["idea"]) in self.anticipated and quote:
            span = request.values["claims"][0].passage.quote
            said |= {"state": "covers", "idea_quote": span, "paper_quote": quote}
        return {"findings": [said]}


def shortlist_script(**true: Any) -> dict:
    """Return what is said at every stage where this is `true`."""
    truth = Truth(**true)
    return (
        wide_script()
        | refine_script()
        | {
            "future": _predict,
            "idea": _write,
            "novelty-verdict": truth.find_known,
            "revise": _revise,
            "verdict": _improved,
            "select": truth.compare,
            "arena-ideas": truth.compare,
            "same-idea": truth.tell_same,
            "six-fields": _in_six_fields,
            "checklist-item": lambda _: {"reason": "It holds.", "score": 1, "directive": None},
            "novelty-claims": _claims,
            "novelty-claim-queries": lambda _: {
                "whole": ["sleep study"],
                "claims": [{"claim": 1, "queries": ["sleep memory"]}],
            },
            "novelty-reading": truth.read,
        }
    )


def _predict(request: Request) -> object:
    oldest, taken = request.values["chain"].papers[0].id, len(request.values["taken"])
    return {
        "candidates": [
            {"direction": f"{oldest} {letter}{taken or ''}", "reasoning": "It follows."}
            for letter in "AB"
        ]
    }


def _write(request: Request) -> object:
    name = request.values["direction"].direction
    return own(name, "chain").fields | {"method": f"method of {name}, {mark(request)}"}


def _revise(request: Request) -> object:
    idea = request.values["idea"]
    name, n = name_of(idea), version_of(idea) + 1
    made = own(name).fields | {"title": f"{name} / {n}", "method": f"v{n}, {mark(request)}"}
    return made | {"changes": []}


def _improved(request: Request) -> object:
    """Find one round for each quality better, and the next one not."""
    return {"improved": version_of(request.values["newer"]) % 2 == 1, "reason": "Read."}


def _in_six_fields(request: Request) -> object:
    idea = request.values["idea"]
    return own(name_of(idea)).fields | {"title": idea.title}


def _claims(request: Request) -> object:
    idea = request.values["idea"]
    text = idea.fields.get("problem") or idea.text
    return {"claims": [{"kind": "problem", "text": text, "span": text}]}


def shortlisting(
    folder: Path, script: dict | None = None, source: SmallSource | None = None, **settings: object
) -> tuple[Runner, ScriptedModel]:
    """Return a runner over the fakes, and the model to look at."""
    return runner_of(folder, script or shortlist_script(), source or wide_source(), **settings)


def shortlist(runner: Runner, **given: object) -> Run:
    """Begin a shortlist with the scripted model: two branches of two ideas, unless told
    otherwise.
    """
    more = {
        name: given.pop(name)
        for name in ("cap_usd", "cap_tokens", "models", "seed")
        if name in given
    }
    small = {"topic": TOPIC, "dated": DATED, "branches": 2, "ideas": 2, "length": 3}
    asked = validated(ShortlistInputs, **(small | {"papers": 6, "novelty_rounds": 1} | given))
    models = dict.fromkeys(("main", "cheap", "selector", "novelty", "judge"), "scripted:one")
    config = configured(runner, "shortlist", asked, **({"models": models} | more))
    return runner.begin(config, asked.topic)


def played(folder: Path, script: dict | None = None, **given: object):
    """Return a runner, its model and a shortlist that was worked to its end."""
    runner, model = shortlisting(folder, script)
    run = shortlist(runner, **given)
    runner.work(run.id)
    return runner, model, runner.store.runs.get(run.id)


def now(runner: Runner, run: Run) -> Present:
    return present(runner.store, runner.store.runs.get(run.id))


def titles(seen: Present) -> dict[int, str]:
    """Return what the ideas are called, by number."""
    return {one.n: name_of(one.listed.idea) for one in seen.ideas}


def by_child(runner: Runner, run: Run) -> dict[str, int]:
    """Return the model calls of each run that a shortlist has made itself, by name."""
    made = runner.store.runs.listed(sweep=run.id, limit=500)
    return {str(one.cell): one.calls for one in made}


def outcome(runner: Runner, run: Run) -> list[tuple[str, object]]:
    """Return everything a shortlist has to show, without the ids of its runs."""
    shown = []
    for one in runner.store.steps.products(run.id):
        shown.append((one.name, without_ids(one.data)))
    return sorted(shown, key=lambda pair: pair[0])


def without_ids(data: object) -> object:
    """Return JSON values without what names a run."""
    if isinstance(data, dict):
        return {
            name: without_ids(value) for name, value in data.items() if name not in ("run", "runs")
        }
    if isinstance(data, list | tuple):
        return [without_ids(one) for one in data]
    return data
