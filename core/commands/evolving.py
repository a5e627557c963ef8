"""Evolving ideas by the checklist, judging one by it, and declining directives."""

import argparse
import re
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from core.commands.options import (
    Answer,
    Verbs,
    add_before,
    add_flag,
    add_numbers,
    configure,
    pick,
    reply,
    seed_paper,
)
from core.commands.working import start
from core.errors import BadInput
from core.export.document import describe_checklist, summary
from core.files import read_text
from core.judging import checklist, headed
from core.methods.evolution import EvolveInputs, asks
from core.records import BY_CODE, ITEMS, Idea, Wish
from core.records.faults import fault_in_words
from core.runs.planning import idea_of, validated
from core.runs.runner import Runner
from core.runs.workshop import Workshop
from core.store import must_be

NAMES = tuple(item.name for item in ITEMS)


def evolve(shop: Workshop, args: argparse.Namespace) -> Answer:
    idea = read_idea(args.idea) if args.idea else None
    seed = seed_paper(shop, args)
    topic = (
        args.topic or args.question or (seed.title if seed else "") or (idea.title if idea else "")
    )
    if not topic:
        raise BadInput("Say what ideas are wanted on: --topic, --question, --seed-paper or --idea.")
    inputs = validated(
        EvolveInputs,
        topic=topic,
        question=args.question or "",
        review=read_words(args.review) if args.review else "",
        seed=seed,
        papers=not args.no_papers,
        before=args.before,
        idea=idea,
        informed=not args.uninformed,
        **pick(args, "steps", "lines"),
        decided="model" if args.by_model else "code",
        judged_by="person" if args.person_judges else "model",
        apart=bool(args.scorer_model),
        step_in=args.step_in,
    )
    require_understanding(shop, inputs, args)
    return start(shop, "evolve", inputs, topic, **configure(args))


def judge_file(shop: Workshop, args: argparse.Namespace) -> Answer:
    idea = read_idea(args.file)
    inputs = validated(
        EvolveInputs,
        topic=idea.title,
        question=idea.title,
        papers=False,
        idea=idea,
        steps=1,
        decided="model" if args.by_model else "code",
        judged_by="person" if args.person_judges else "model",
    )
    if args.person_judges or shop.model(models_for(shop, inputs, args)["judge"]).answers(
        "checklist-item"
    ):
        return start(shop, "evolve", inputs, idea.title, **configure(args))
    if idea.form != "headed" or args.by_model:
        raise BadInput(
            "The model chosen as judge understands nothing, and code decides only"
            f" {' and '.join(BY_CODE)} of an idea under the headings of the checklist. Choose a"
            " language model with --judge-model, or in Settings; or judge it yourself with"
            " --person-judges."
        )
    judged = describe_checklist(checklist.by_code_alone(idea))
    return reply("listed", idea=idea.model_dump(mode="json"), **judged)


def decline(shop: Workshop, args: argparse.Namespace) -> Answer:
    otherwise = f"Run {args.id} evolves no idea; `python -m core wish` is for refinements."
    run = must_be(Runner(shop).own(args.id), "evolve", otherwise)
    inputs = run.inputs_as(EvolveInputs)
    if (
        not inputs.informed
        or not 1 <= args.line <= inputs.lines
        or not 0 <= args.step < inputs.steps - 1
    ):
        raise BadInput(
            f"Run {run.id} follows no directive on step {args.step} of idea {args.line}. It evolves"
            f" {inputs.lines} over {inputs.steps} steps, {'by' if inputs.informed else 'without'}"
            " directives; the first step is 0, and the last one is not revised."
        )
    if run.state == "done":
        raise BadInput(
            f"Run {run.id} is finished; no revision comes. Fork it at a step to try another way."
        )
    for name in args.item:
        shop.store.answers.wish(
            run.id, validated(Wish, by=args.by, decline=name, of=args.step, line=args.line)
        )
    pending = [
        one.wish.model_dump(mode="json", exclude_defaults=True)
        for one in shop.store.answers.pending(run.id)
    ]
    return {**summary(shop.store.runs.get(run.id)), "pending": pending}, 0


def require_understanding(shop: Workshop, inputs: EvolveInputs, args: argparse.Namespace) -> None:
    """Raise BadInput where a model was chosen that cannot do what is asked of it."""
    models = models_for(shop, inputs, args)
    for role, wanted in asks(inputs).items():
        model = shop.model(models[role])
        if any(not model.answers(prompt) for prompt in wanted):
            raise BadInput(
                "Checklist evolution takes models that understand what they read, and"
                f" {model.name!r}, the {role} model, does not. Choose a language model with --model"
                f" or --{role}-model, or in Settings. `python -m core checklist FILE` judges"
                f" {' and '.join(BY_CODE)} without one."
            )


def models_for(shop: Workshop, inputs: EvolveInputs, args: argparse.Namespace) -> dict[str, str]:
    """Return the model of every role, as a run would be started with."""
    return shop.config("evolve", inputs, **configure(args)).models


def read_idea(path: Path) -> Idea:
    """Read an idea from a file: text under headings, JSON with the fields of a form, or a
    paragraph; raises BadInput.
    """
    text = read_words(path)
    try:
        return idea_of(text) if text.startswith("{") else headed.taken(text)
    except ValidationError as error:
        raise BadInput(
            f"The idea in {path} cannot be used: {fault_in_words(error.errors()[0])}."
        ) from None


def read_words(path: Path) -> str:
    """Read a file as text without the space around it; raises BadInput for one that cannot be read
    or is empty.
    """
    text = read_text(path).strip()
    if not re.search(r"\w", text):
        raise BadInput(f"{path} is empty.")
    return text


def words(verbs: Verbs) -> None:
    """Add this module's verbs to the command line."""
    made = verbs.add("evolve", evolve, verbs.asking, verbs.begin)
    made.add_argument(
        "--topic", help="what ideas are wanted on; the research question is made from it"
    )
    made.add_argument("--question", help="the research question itself")
    made.add_argument(
        "--seed-paper",
        metavar="PAPER",
        help="make the question from this paper: DOI, arXiv id, id or title",
    )
    made.add_argument(
        "--review",
        type=Path,
        metavar="FILE",
        help="a literature review; without one, papers are looked for and reviewed",
    )
    add_flag(made, "--no-papers", "look for no papers")
    add_before(made)
    made.add_argument(
        "--idea",
        type=Path,
        metavar="FILE",
        help="an idea to begin with: text under headings, JSON, or a paragraph",
    )
    in_all = "how many ideas there are in all, {ge} to {le} (default {default}: one revision)"
    add_numbers(made, EvolveInputs, {"steps": in_all})
    add_flag(made, "--uninformed", "let the model correct itself without any directives")
    side_by_side = "how many ideas are evolved side by side, {ge} to {le} (default {default})"
    add_numbers(made, EvolveInputs, {"lines": side_by_side}, lines="ideas")
    add_flag(made, "--step-in", "wait before every revision for a person to decline directives")
    _add_deciding(made)
    judging = verbs.add("checklist", judge_file, verbs.asking, verbs.begin)
    judging.add_argument(
        "file", type=Path, help="an idea: text under headings, JSON, or a paragraph"
    )
    _add_deciding(judging)
    declining = verbs.add("decline", decline)
    declining.add_argument("id")
    declining.add_argument(
        "--step", type=int, required=True, help="whose directives; 0 is the first idea"
    )
    declining.add_argument(
        "--item", action="append", required=True, choices=NAMES, help="the item; repeatable"
    )
    declining.add_argument("--line", type=int, default=1, help="which of several ideas (default 1)")
    declining.add_argument("--by", default="command line", help="who says so")


def _add_deciding(made: Any) -> None:
    add_flag(
        made,
        "--by-model",
        "have Layout and Length judged by the model too, for comparison with the paper",
    )
    add_flag(
        made,
        "--person-judges",
        "wait for a person to judge the items that need understanding (see `answer`)",
    )
