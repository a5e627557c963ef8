"""Going on with runs: resume, stop, fork, answer (field by field at the terminal, too); and taking
one along as a file.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from core.commands.going_on import proposal, schema_of
from core.commands.options import Answer, Verbs, add_caps, add_flag, pick, replace_models
from core.commands.working import work
from core.errors import BadInput
from core.export import document as reports
from core.export.files import export
from core.files import read_text
from core.prompts import text as prompt_text
from core.records import Config, label
from core.runs.leases import alive
from core.runs.runner import Runner
from core.runs.workshop import Workshop
from core.store.answers import OpenQuestion

Shown = Mapping[str, Any]
HIDDEN = ("kind", "form", "of")
"""Of what a question shows, what only the program needs."""


def resume(shop: Workshop, args: argparse.Namespace) -> Answer:
    runner = Runner(shop)
    run, caps = runner.ready_to_resume(args.id), pick(args, "cap_usd", "cap_tokens")
    return work(runner, run.id, partial(runner.resume, **caps))


def stop(shop: Workshop, args: argparse.Namespace) -> Answer:
    if args.after_round:
        Runner(shop).stop(args.id, "after round")
    else:
        Runner(shop).stop(args.id, "after calls" if args.finish_calls else "now")
    run = shop.store.runs.get(args.id)
    note = "asked to stop" if alive(shop.store.runs.lease(args.id)["owner"], None) else run.state
    return {**reports.summary(run), "note": note}, 0


def fork(shop: Workshop, args: argparse.Namespace) -> Answer:
    runner = Runner(shop)
    texts = dict(_prompt_file(one) for one in args.prompt)
    if unasked := set(texts) - set(shop.store.runs.get(args.id).config.prompts):
        raise BadInput(f"Run {args.id} never asks the prompt {', '.join(sorted(unasked))}.")
    frozen = shop.freeze(texts)

    def change(config: Config) -> Config:
        models = replace_models(config.models, args)
        for name in models.values():
            shop.model(name)
        return config.model_copy(update={"models": models, "prompts": {**config.prompts, **frozen}})

    return work(runner, runner.fork(args.id, args.at, change).id)


def answer(shop: Workshop, args: argparse.Namespace) -> Answer:
    questions = {one.key: one for one in shop.store.answers.open(args.id)}
    if args.key not in questions:
        shop.store.runs.get(args.id)
        raise BadInput(
            f"Run {args.id} does not ask {args.key!r}. It asks:"
            f" {', '.join(questions) or 'nothing'}."
        )
    if not args.by.strip():
        raise BadInput("Say who answers, with --by NAME.")
    given, runner = _read_answer(questions[args.key], args), Runner(shop)
    return work(runner, args.id, lambda run_id: runner.answer(run_id, args.key, given, args.by))


def _read_answer(question: OpenQuestion, args: argparse.Namespace) -> dict[str, object]:
    if args.with_ is not None:
        return _read_json(args.with_)
    if not args.confirm:
        return answer_by_hand(question)
    proposed = proposal(question)
    if proposed is None:
        raise BadInput(
            f"Run {args.id} proposes nothing at {question.key!r} that could be confirmed. Leave"
            " --confirm out to answer at the terminal, or give --with and a JSON object."
        )
    return proposed


def export_run(shop: Workshop, args: argparse.Namespace) -> Answer:
    export(shop.store, args.id, args.to, args.branch, in_short=args.short)
    return {**reports.summary(shop.store.runs.get(args.id)), "file": str(args.to)}, 0


def _read_json(text: str) -> dict[str, object]:
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        given = None
    if not isinstance(given, dict):
        raise BadInput(
            "--with takes a JSON object with the fields that are asked for; `show` lists them under"
            " questions."
        )
    return given


def _prompt_file(given: str) -> tuple[str, str]:
    name, equals, path = given.partition("=")
    if not equals:
        raise BadInput(f"--prompt {given!r}: write NAME=FILE.")
    prompt_text(name)
    return name, read_text(Path(path))


def words(verbs: Verbs) -> None:
    """Add this module's verbs to the command line."""
    going_on = verbs.add("resume", resume)
    going_on.add_argument("id")
    add_caps(going_on)
    stopping = verbs.add("stop", stop)
    stopping.add_argument("id")
    add_flag(
        stopping,
        "--finish-calls",
        "let the calls in flight finish first, so that nothing paid is lost",
    )
    add_flag(stopping, "--after-round", "let a refinement finish the round it is in")
    forking = verbs.add("fork", fork, verbs.asking)
    forking.add_argument("id")
    forking.add_argument("--at", required=True, metavar="KEY")
    forking.add_argument("--prompt", action="append", default=[], metavar="NAME=FILE")
    answering = verbs.add("answer", answer)
    answering.add_argument("id")
    answering.add_argument("key")
    how = answering.add_mutually_exclusive_group()
    add_flag(
        how, "--confirm", "take what the run proposes, or let it go on where nothing need be said"
    )
    how.add_argument("--with", dest="with_", metavar="JSON", help="the answer, as a JSON object")
    answering.add_argument("--by", default="command line", help="who answers")
    taking = verbs.add("export", export_run)
    taking.add_argument("id")
    taking.add_argument("--to", type=Path, required=True)
    taking.add_argument("--branch", type=int, help="only this branch of a chain run")
    add_flag(taking, "--short", "in two pages: idea, newness, picture, first experiment, cost")


# -- answering at the terminal, field by field ---------------------------------------------------


def answer_by_hand(question: OpenQuestion) -> dict[str, object]:
    """Show what a question is about and take the answer from standard input; raises BadInput where
    that ends.
    """
    shown = question.question["shown"]
    assert isinstance(shown, dict)
    _say("\n".join((question.key, *_lines(shown, ""))))
    ask = FORMS.get(str(schema_of(question)["title"]), _fields)
    return ask(question, shown)


def _fields(question: OpenQuestion, _: Shown) -> dict[str, object]:
    """Ask for a text in each field that an answer needs."""
    required = schema_of(question)["required"]
    assert isinstance(required, list)
    return {name: _text(label(name)) for name in required}


def _verdict(_: OpenQuestion, __: Shown) -> dict[str, object]:
    reason = _text("Reason")
    said = _choice(
        "Does the newer idea significantly improve on the older one? (yes or no)", ("no", "yes")
    )
    return {"reason": reason, "improved": said == "yes"}


def _review(_: OpenQuestion, __: Shown) -> dict[str, object]:
    summary, remarks = _text("Summary"), [_text("Remark 1")]
    while said := _line(f"Remark {len(remarks) + 1} (an empty line ends the review)"):
        remarks.append(said)
    return {
        "summary": summary,
        "remarks": [{"id": f"r{n}", "text": said} for n, said in enumerate(remarks, 1)],
    }


def _order(_: OpenQuestion, shown: Shown) -> dict[str, object]:
    letters = sorted(str(one["label"]) for one in shown["candidates"])
    while True:
        said = (
            _text(f"Order, best first, as in {' '.join(letters)}").upper().replace(",", " ").split()
        )
        if sorted(said) == letters:
            return {"places": [{"label": letter} for letter in said]}
        _say(f"Name each of {', '.join(letters)} exactly once.")


def _item(name: str) -> dict[str, object]:
    if _choice(f"{label(name)}: is it satisfied? (yes or no)", ("no", "yes")) == "yes":
        return {"item": name, "score": 1}
    wrong = {
        "span": _line("Passage, word for word (empty: something is missing altogether)"),
        "issue": _text("What is wrong"),
        "suggestion": _text("What to do"),
    }
    return {"item": name, "score": 0, "directive": wrong}


def _topics(_: OpenQuestion, shown: Shown) -> dict[str, object]:
    """Go through the papers one by one: an empty line keeps a topic, a hyphen leaves it out, words
    replace it.
    """
    found = []
    for one in shown["proposed"]["topics"]:
        said = _line(f"{one['paper']}: {one['topic']}\n(empty keeps it, - leaves it out, or words)")
        topic = said if said not in ("", "-") else one["topic"]
        keep = said != "-" and (bool(said) or one["keep"])
        found.append({"paper": one["paper"], "topic": topic, "keep": keep})
    return {"topics": found}


FORMS: dict[str, Callable[[OpenQuestion, Shown], dict[str, object]]] = {
    "Verdict": _verdict,
    "Review": _review,
    "PersonPlacement": _order,
    "TopicChoices": _topics,
    "PersonChecklist": lambda _, shown: {
        "items": [_item(str(item["name"])) for item in shown["items"]]
    },
}
"""How an answer of each kind is asked for; one of any other kind has texts alone."""


# -- the terminal ------------------------------------------------------------------------------


def _lines(value: object, indent: str) -> Iterator[str]:
    """Yield what is shown as indented lines, without what is empty."""
    parts = enumerate(value, 1) if isinstance(value, list) else ()
    for name, part in value.items() if isinstance(value, dict) else parts:
        if name in HIDDEN or part in (None, "", [], {}):
            continue
        if isinstance(part, dict | list):
            yield f"{indent}{_name(name)}"
            yield from _lines(part, f"{indent}  ")
        else:
            yield f"{indent}{_name(name)}: {part}"


def _name(name: object) -> str:
    return label(name) if isinstance(name, str) else f"{name}."


def _choice(asked: str, among: tuple[str, ...]) -> str:
    while (said := _text(asked).lower()) not in among:
        _say(f"Say {' or '.join(among)}.")
    return said


def _text(asked: str) -> str:
    while not (said := _line(asked)):
        _say("This cannot stay empty.")
    return said


def _line(asked: str) -> str:
    """Read one line; raises BadInput where there is none."""
    sys.stderr.write(f"{asked}: ")
    sys.stderr.flush()
    try:
        said = sys.stdin.readline()
    except OSError:
        said = ""
    if not said:
        raise BadInput(
            "The answer broke off, and nothing was filed. Answer at a terminal, or give --with and"
            " a JSON object with the fields that are asked for."
        )
    return said.strip()


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")
