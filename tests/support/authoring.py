"""The bundled case studies: the real methods, played on texts that were written for them
(`assets/cases/texts`).

`python -m tests.support.authoring` writes `assets/cases/*.json`. No model is asked; every answer
says that somebody wrote it.
"""

import itertools
import re
import tempfile
import tomllib
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

from core import settings
from core.cases import pack
from core.errors import ModelFailed
from core.literature.minilm import MiniLM
from core.methods import ChainInputs, RefineInputs
from core.methods.presets import indicator
from core.models.port import Progress, Reply, Request
from core.records import (
    FORMS,
    ChainIdea,
    Change,
    Design,
    DesignReview,
    Direction,
    Draft,
    Entity,
    Experiment,
    Idea,
    NoveltyVerdict,
    PaperIdea,
    Play,
    Reading,
    Record,
    Remark,
    Review,
    RevisedIdea,
    Trend,
    TrendStep,
    Verdict,
)
from core.runs.runner import Runner
from core.runs.workshop import Workshop
from tests import ROOT

SINGLE = MiniLM(bf16=False)
"""The embedding model in single precision."""
CASES = ROOT / "assets" / "cases"
TEXTS = CASES / "texts"
AUTHOR = "Idea Foundry"
AT = "2026-11-21T12:00:00.000+00:00"
"""The time of every step: nobody waited for a text that was there."""
SEED = 7
MARKED = re.compile(r"\{((?:r\d+ ?)+)\|([^{}]+)\}")
Texts = Mapping[str, Any]
Script = Mapping[str, Callable[[Mapping[str, Any]], Record | Mapping[str, Any]]]


class Version(NamedTuple):
    """One version of an idea as its file has it, with what was changed, the verdict on it, the
    review of it, and the notes beside both.
    """

    idea: Idea
    changes: tuple[Change, ...]
    verdict: Verdict | None
    review: Review
    notes: Mapping[str, list[str]]


def names() -> tuple[str, ...]:
    """Return the names of the case studies, sorted."""
    return tuple(sorted(path.stem for path in TEXTS.glob("*.toml")))


@cache
def texts(name: str) -> Texts:
    """Return the texts of a case study, line breaks as spaces."""
    return _on_one_line(tomllib.loads((TEXTS / f"{name}.toml").read_text("utf-8")))  # type: ignore[no-any-return]


def _on_one_line(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _on_one_line(part) for name, part in value.items()}
    if isinstance(value, list):
        return [_on_one_line(part) for part in value]
    return " ".join(value.split()) if isinstance(value, str) else value


# -- refinements -------------------------------------------------------------------------------


def versions(given: Texts) -> tuple[Version, ...]:
    """Return the versions of an idea, the first idea first; a field that a version leaves out is
    that of the version before.
    """
    found: list[Version] = []
    for n, one in enumerate(given["versions"]):
        fields = {name: plain(text) for name, text in one["idea"].items()}
        form = "six-field" if n else "hypothesis"
        if n > 1:
            fields = {**found[-1].idea.fields, **fields}
        idea = Idea(form=form, fields={name: fields[name] for name in FORMS[form]})
        changes = tuple(
            change
            for name in FORMS[form]
            if name in one["idea"]
            for change in marked(name, one["idea"][name])
        )
        review = Review(
            summary=one["review"]["summary"],
            remarks=tuple(
                Remark(id=name, trait=said[0], text=said[1])
                for name, said in one["review"].items()
                if name != "summary"
            ),
        )
        found.append(
            Version(
                idea,
                changes,
                Verdict(**one["verdict"]) if n else None,
                review,
                one.get("notes", {}),
            )
        )
    return tuple(found)


def plain(text: str) -> str:
    """Return a text without its marks."""
    return re.sub(r" (?=[,;:.])", "", " ".join(MARKED.sub(r"\2", text).split()))


def marked(field: str, text: str) -> tuple[Change, ...]:
    """Return the changes that are marked in a field, each passage as it stands there."""
    return tuple(
        Change(field=field, passage=plain(passage).strip(" ,;:"), remarks=tuple(ids.split()))
        for ids, passage in MARKED.findall(text)
    )


def refinement(given: Texts) -> Script:
    """Return what the actors of a refinement say: which version they speak of is told by its
    text.
    """
    all_ = versions(given)
    place = {version.idea.text: n for n, version in enumerate(all_)}

    def revise(values: Mapping[str, Any]) -> RevisedIdea:
        version = all_[place[values["idea"].text] + 1]
        return RevisedIdea(**version.idea.fields, changes=version.changes)

    return {
        "first-idea": lambda _: all_[0].idea.fields,
        "review": lambda v: all_[place[v["idea"].text]].review,
        "revise": revise,
        "verdict": lambda v: all_[place[v["newer"].text]].verdict or {},
    }


def refine_inputs(given: Texts) -> RefineInputs:
    """Return what the refinement was asked for: InfAL as the papers play it, on what the shelf
    has.
    """
    return RefineInputs(
        topic=given["topic"], area=given["area"], play=Play(goals=(indicator(given["indicator"]),))
    )


def refine_notes(given: Texts) -> dict[str, list[str]]:
    """Return the margin notes by the place they stand at."""
    return {
        f"round-{n}/{on}": said
        for n, version in enumerate(versions(given))
        for on, said in version.notes.items()
    }


# -- a chain -----------------------------------------------------------------------------------


def chain(given: Texts) -> Script:
    """Return what is said along a chain: which attempt an idea belongs to is told by its draft or
    its title.
    """
    attempts = given["rounds"]
    by_draft = {one["draft"]["motivation"]: one for one in attempts}
    by_title = {one["idea"]["title"]: one for one in attempts}

    def trend(values: Mapping[str, Any]) -> Trend:
        steps = zip(
            itertools.pairwise(values["chain"].papers), given["trend"]["steps"], strict=True
        )
        return Trend(
            summary=given["trend"]["summary"],
            steps=tuple(TrendStep(earlier=a.id, later=b.id, how=how) for (a, b), how in steps),
        )

    return {
        "queries": lambda _: {"queries": given["queries"]},
        "trend": trend,
        "extract": lambda v: reading(given["papers"][v["paper"].id]),
        "relevance": lambda v: {"relevant": True, "reason": given["relevance"][v["paper"].id]},
        "choose-reference": lambda v: given["choices"][v["paper"].id],
        "entities": lambda _: {"entities": entities(given["entities"])},
        "future": lambda v: Direction(**attempts[len(v["taken"])]["future"]),
        "draft": lambda v: Draft(**attempts[len(v["taken"])]["draft"]),
        "idea": lambda v: ChainIdea(**by_draft[v["draft"].motivation]["idea"]),
        "novelty-queries": lambda v: {
            "queries": by_draft[v["draft"].motivation]["novelty_queries"]
        },
        "novelty-verdict": lambda v: NoveltyVerdict(**by_title[v["idea"].title]["verdict"]),
        "experiment-design": lambda _: Design(**given["design"]),
        "design-review": lambda _: design_review(given["review"]),
        "design-refine": lambda _: Design(**given["refined"]),
    }


def entities(given: Texts) -> tuple[Entity, ...]:
    """Return entities with their meanings."""
    return tuple(Entity(name=name, meaning=meaning) for name, meaning in given.items())


def reading(given: Texts) -> Reading:
    """Return what was read from one paper."""
    return Reading(
        entities=entities(given["entities"]),
        idea=PaperIdea(**given["idea"]),
        experiments=tuple(Experiment(**one) for one in given["experiments"]),
    )


def design_review(given: Texts) -> DesignReview:
    """Return the review of an experiment, its remarks in order."""
    remarks = tuple(
        Remark(id=name, text=said) for name, said in given.items() if re.fullmatch(r"r\d+", name)
    )
    return DesignReview(
        **{name: value for name, value in given.items() if not re.fullmatch(r"r\d+", name)},
        remarks=remarks,
    )


def chain_inputs(given: Texts) -> ChainInputs:
    """Return what the chain was asked for: one branch of five papers, read from the shelf's
    summaries.
    """
    return ChainInputs(topic=given["topic"], branches=1, full_text=False)


# -- playing and packing -----------------------------------------------------------------------


class AuthoredModel:
    """Answers with what was written for a case study; it has no name, for no model wrote it."""

    name, provider = "", "authored"
    thinks = False

    def __init__(self, script: Script):
        self._script = script

    def answers(self, prompt: str) -> bool:
        return prompt in self._script

    def reply(self, request: Request, progress: Progress) -> Reply:
        """Return the text that was written for this request; raises ModelFailed where there is
        none.
        """
        try:
            said = self._script[request.prompt](request.values)
        except (KeyError, IndexError, ValueError) as error:
            raise ModelFailed(
                f"No text was written for what {request.prompt!r} asks here ({error!r})."
            ) from None
        answer = said if isinstance(said, Record) else request.schema.model_validate(said)
        return Reply(answer.model_dump_json(), "stop", "", detail={"author": AUTHOR})


class Study(Workshop):
    """A workshop whose every role is played by the authored model."""

    def __init__(self, folder: Path, script: Script):
        super().__init__(settings.read({}, data=folder))
        self._model = AuthoredModel(script)

    def model(self, name: str) -> AuthoredModel:  # type: ignore[override]
        return self._model

    def chosen(self, role: str) -> str:
        return ""


def built(name: str) -> bytes:
    """Play a case study from its texts in a store of its own and return it packed, the same bytes
    every time.
    """
    given = texts(name)
    refined = "versions" in given
    method, inputs = ("refine", refine_inputs(given)) if refined else ("chain", chain_inputs(given))
    with tempfile.TemporaryDirectory() as folder, same_anywhere():
        runner = Runner(Study(Path(folder), refinement(given) if refined else chain(given)))
        config = runner.workshop.config(method, inputs, seed=SEED).model_copy(
            update={"cap_tokens": None}
        )
        run = runner.begin(config, given["title"])
        state = runner.work(run.id)
        assert state == "done", runner.store.runs.get(run.id).reason
        for about, said in (refine_notes(given) if refined else given["notes"]).items():
            for text in said:
                runner.store.notes.add(run.id, about, text, AUTHOR)
        return pack(runner.store, run.id, about=given["about"], by=AUTHOR)


def same_anywhere() -> ExitStack:
    """Return a context in which no time passes and texts are compared in single precision.

    So the packed file is the same whenever and wherever it is made: bfloat16 rounds otherwise on
    another processor, which moved similarities by 0.01.
    """
    stack = ExitStack()
    stack.enter_context(mock.patch("core.literature.embeddings.MINILM", SINGLE))
    for module in (
        "runs.crew",
        "journal",
        "store.runs",
        "store.steps",
        "store.library",
        "store.notes",
    ):
        stack.enter_context(mock.patch(f"core.{module}.now", return_value=AT))
    stack.enter_context(mock.patch("core.journal.monotonic", return_value=1.0))
    return stack


def main() -> None:
    """Write every bundled case study."""
    for name in names():
        data = built(name)
        (CASES / f"{name}.json").write_bytes(data)
        print(f"{name}: {len(data):,} bytes")


if __name__ == "__main__":
    main()
