"""Expert sessions: set one up, see whether its texts give their sources away, make seats and links,
have a model judge it, open it, close it, unblind it.
"""

import argparse
from collections import Counter
from pathlib import Path
from typing import Any, get_args

from core.commands import inviting, study_results, study_rubrics
from core.commands.options import (
    Answer,
    Verbs,
    add_flag,
    add_kind,
    add_numbers,
    add_repeatable,
    configure,
    limits_of,
    pick,
    reply,
)
from core.commands.working import start
from core.errors import BadInput
from core.export.sessions.invitations import link_of
from core.files import read_bytes, read_text
from core.judging.forms import FormInputs
from core.literature import spell
from core.records import TASKS, Study, StudyPlan, StudySeat, Task
from core.runs.beginning import seat_inputs
from core.runs.planning import validated
from core.runs.workshop import Workshop
from core.store import Store
from core.studies import languages, live, organising, texts
from core.studies.blinding import report
from core.studies.languages import TextsFile
from core.studies.model_seat import able, open_answers
from core.studies.picking import Chosen, formless, picked
from core.studies.setting_up import draw_seed, prepare

ENDED = ("declined", "withdrawn", "revoked")
"""Steps of a seat that nobody takes again."""


def new(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Set a session up as a draft, with the texts that are named under labels drawn by chance;
    --dry-run says what it would hold.
    """
    chosen = _choose(args)
    plan = texts.fitted(_plan(shop.store, args))
    if args.texts:
        plan = languages.in_language(plan, _texts_file(args.texts))
    made = prepare(shop.store, plan, chosen)
    told = {
        "units": made.work,
        "checks": len(made.unit_keys),
        "texts": len(made.items) - sum(one.attention for one in made.item_keys),
        "left_out": [one._asdict() for one in made.left_out],
        "blinding": report(shop.store, made).conclusion,
    }
    if args.dry_run:
        return reply("listed", **told)
    study = organising.set_up(shop.store, plan, chosen)
    return reply("listed", study=study.id, name=plan.name, task=plan.task, **told)


def _plan(store: Store, args: argparse.Namespace) -> StudyPlan:
    given = pick(args, "title", "overlap", "repeats", "attention")
    for name in ("consent", "instructions", "example"):
        if path := getattr(args, name):
            given[name] = read_text(path)
    if args.rubric and args.criterion:
        raise BadInput("Name the criteria by --rubric or by --criterion, one of the two.")
    if args.rubric:
        given["criteria"] = study_rubrics.found(store, args.rubric).criteria
    if args.criterion:
        given["criteria"] = tuple(
            texts.criterion(one)
            for names in args.criterion
            for one in names.split(",")
            if one.strip()
        )
    usual = texts.standard(args.task, "session", args.kind).model_dump()
    sources = " and ".join((*args.collection, *args.ranking, *args.targets, *args.run))[:200]
    return validated(
        StudyPlan,
        **{
            **usual,
            **given,
            "name": args.name or sources or "A session",
            "practice": not args.no_practice,
            "same_form": args.same_form,
            "hidden_target": bool(args.hidden_target),
            "seed": draw_seed() if args.seed is None else args.seed,
        },
    )


def _choose(args: argparse.Namespace) -> Chosen:
    return validated(
        Chosen,
        collections=tuple(args.collection),
        rankings=tuple(args.ranking),
        targets=tuple(args.targets),
        runs=tuple(args.run),
        target=args.hidden_target or args.target or "",
        draw=args.draw,
        **pick(args, "per_set"),
    )


def forms(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Bring the texts of collections into the common form, kept beside the originals; those that
    have it are taken, free.
    """
    plan = texts.standard("rate", "forms", args.kind)
    chosen = picked(shop.store, plan, Chosen(collections=tuple(args.collection)))
    lacking = formless(shop.store, chosen, args.kind)
    if not lacking:
        return reply("listed", lacking=0)
    inputs = validated(FormInputs, shas=lacking, kind=args.kind)
    return start(shop, "forms", inputs, "Common form for a session", **configure(args))


def list_studies(shop: Workshop, args: argparse.Namespace) -> Answer:  # noqa: ARG001
    """List sessions, newest first."""
    return reply("listed", studies=[_line(shop.store, one) for one in shop.store.studies.listed()])


def _line(store: Store, study: Study) -> dict[str, Any]:
    far = live.far(store, study)
    return {
        "study": study.id,
        "name": study.plan.name,
        "task": study.plan.task,
        "state": study.state,
        "units": len(store.studies.units(study.id)),
        "seats": len(store.seats.of(study.id)),
        "done": far.done,
        "dealt": far.wanted,
        "created": study.created,
    }


def show(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Show how a session is held and how far its seats are; never where a text comes from."""
    study, store = shop.store.studies.get(args.id), shop.store
    done, dealt = Counter[str](), Counter[str]()
    for one in store.study_work.all(study.id):
        dealt[one.seat] += 1
        done[one.seat] += one.done
    linked = store.seats.linked(study.id)
    seats = [
        {
            **_seat(one),
            "step": one.step,
            "done": done[one.id],
            "of": dealt[one.id],
            "link": one.id in linked,
        }
        for one in store.seats.of(study.id)
    ]
    events = [
        one.model_dump(exclude={"id", "study"}, exclude_defaults=True)
        for one in store.studies.events(study.id)
    ]
    return reply(
        "listed",
        session=_line(store, study),
        plan=study.plan.model_dump(mode="json"),
        sha=study.sha,
        seats=seats,
        events=events,
    )


def blinding(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Say whether a draft's texts give away where they come from: by length, by shape, by words in
    them.
    """
    found = report(shop.store, args.id)
    return reply(
        "listed",
        study=args.id,
        conclusion=found.conclusion,
        ratio=found.ratio,
        sources=[shape._asdict() for shape in found.shapes],
        told_apart=[
            guess._asdict() | {"sources": [one._asdict() for one in guess.sources]}
            for guess in found.guesses
        ],
        words=[word._asdict() for word in found.telling],
    )


def seats(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Make seats at a session: each person's link is printed this once, and only its hash is kept;
    a model judge has none.
    """
    if not args.add and not args.model:
        raise BadInput(
            "Say who sits there: --add NAME for a person, --model MODEL for a model judge, as often"
            " as you like."
        )
    for model in args.model:
        shop.model(model)
    made: list[dict[str, Any]] = []
    with (
        shop.store.connections.writing()
    ):  # All or none: a seat kept without its link being printed could not be entered.
        for seat, secret in organising.add_seats(shop.store, args.id, args.add):
            made.append({**_seat(seat), "link": link_of(args.base, secret)})
        made += [_seat(organising.add_model(shop.store, args.id, model)) for model in args.model]
    return reply("listed", study=args.id, seats=made)


def link(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Give a seat a new link, printed this once; the old one opens nothing any more."""
    secret = organising.new_link(shop.store, args.seat)
    seat = _seat(shop.store.seats.get(args.seat))
    return reply("listed", **seat, link=link_of(args.base, secret))


def _seat(seat: StudySeat) -> dict[str, Any]:
    return {"seat": seat.id, "name": seat.name, **({"model": seat.model} if seat.model else {})}


def revoke(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Take a seat back: its link is dead at once, its answers stay, and its other units go to
    others.
    """
    seat = organising.take_back(shop.store, args.seat)
    return reply("listed", study=seat.study, **_seat(seat), step=seat.step)


def redeal(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Hand the units of those who declined, withdrew or were revoked to others."""
    return reply("listed", study=args.id, moved=organising.redeal(shop.store, args.id))


def texts_of(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Write the file of all that a session's experts read, to be translated; or check such a file
    and let a draft take it.
    """
    plan = shop.store.studies.get(args.id).plan
    if args.english:
        changed = languages.back_to_english(shop.store, args.id).plan
        return reply("listed", study=args.id, language="en", title=changed.title)
    if args.take:
        file = _texts_file(args.take)
        if wrong := languages.problems(plan, file):
            raise BadInput(
                f"This file of texts does not fit session {args.id}: {'; '.join(wrong)}."
            )
        if not args.check:
            languages.take(shop.store, args.id, file)
        return reply("listed", study=args.id, language=file.language, fits=True)
    file_ = languages.exported(plan, languages.shipped(args.into) if args.into else None)
    if not args.out:
        return reply("listed", study=args.id, file=file_)
    args.out.write_text(file_, "utf-8")
    return reply("listed", study=args.id, written=str(args.out))


def _texts_file(named: str) -> TextsFile:
    """Return a file of texts, or ours in a language."""
    if named in languages.SHIPPED:
        return languages.shipped(named)
    return languages.read(read_bytes(Path(named)))


def open_study(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Freeze a draft, hand its units out, and let experts in."""
    study = organising.open_study(shop.store, args.id)
    return reply("listed", session=_line(shop.store, study), sha=study.sha)


def close_study(shop: Workshop, args: argparse.Namespace) -> Answer:
    """End a session: links open nothing any more, what was submitted is kept."""
    study = organising.close(shop.store, args.id)
    return reply("listed", session=_line(shop.store, study))


def unblind_study(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Show what every label of a closed session hides; who looked is written down."""
    if not args.by.strip():
        raise BadInput("Say who looks, with --by NAME; it is written down.")
    key = organising.unblind(shop.store, args.id, args.by.strip())
    labels = [text.model_dump(exclude_defaults=True) for text in key.values()]
    return reply("listed", study=args.id, key=labels)


def judge(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Have a model judge every unit of a session that it has not judged yet; --judge gives it a
    seat where it has none.
    """
    chosen = seat_of(shop, args.id, args.judge)
    inputs = seat_inputs(shop, chosen.id).model_copy(update={"at_once": args.at_once})
    title = f"{inputs.topic}: {chosen.model}"
    document, code = start(shop, "seat", inputs, title, source=spell("shelf"), **limits_of(args))
    return {
        **document,
        "study": args.id,
        "seat": chosen.id,
        "open": open_answers(shop.store, chosen.id),
    }, code


def seat_of(shop: Workshop, study: str, model: str | None) -> StudySeat:
    """Return a model's seat at a session, a new one where it has none; where none is named, the one
    that has still to answer. Raises BadInput.
    """
    shop.store.studies.get(study)
    seats = [one for one in shop.store.seats.of(study) if one.model and one.step not in ENDED]
    if model:
        able(shop.model(model), shop.store.studies.get(study).plan.task)
        return next((one for one in seats if one.model == model), None) or organising.add_model(
            shop.store, study, model
        )
    waiting = [one for one in seats if open_answers(shop.store, one.id)] or seats
    if len(waiting) != 1:
        there = (
            f"There are {', '.join(one.model for one in waiting)}."
            if waiting
            else "No model has a seat yet."
        )
        raise BadInput(f"Say which model judges, with --judge MODEL. {there}")
    return waiting[0]


def copy_study(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Set up another draft with the plan, texts and units of a session, without its seats and
    answers.
    """
    study = organising.copied(shop.store, args.id)
    return reply("listed", session=_line(shop.store, study))


def remove_study(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Delete a session with its seats and answers; texts stay."""
    study = shop.store.studies.get(args.id)
    organising.remove(shop.store, study.id)
    return reply("listed", removed=study.id, name=study.plan.name)


def words(verbs: Verbs) -> None:
    """Add this module's verbs to the command line."""
    inner = verbs.under("study")
    _add_new(inner)
    inner.add("list", list_studies)
    for name, command in (
        ("show", show),
        ("blinding", blinding),
        ("open", open_study),
        ("close", close_study),
        ("redeal", redeal),
        ("copy", copy_study),
        ("remove", remove_study),
    ):
        inner.add(name, command).add_argument("id", metavar="STUDY")
    reading = inner.add("texts", texts_of)
    reading.add_argument("id", metavar="STUDY")
    reading.add_argument(
        "--out", type=Path, metavar="FILE", help="where the file to translate is written"
    )
    reading.add_argument(
        "--into",
        choices=languages.SHIPPED,
        help="write it with our texts in this language, where we have them",
    )
    reading.add_argument(
        "--take",
        metavar="FILE",
        help="a translated file, or a language of ours (de): the draft's experts read it",
    )
    add_flag(reading, "--check", "with --take: say whether it fits, and change nothing")
    add_flag(reading, "--english", "back to English, as far as the texts were ours")
    sitting = inner.add("seats", seats)
    sitting.add_argument("id", metavar="STUDY")
    add_repeatable(
        sitting, "--add", "a person, by a name that experts never see; repeatable", "NAME"
    )
    add_repeatable(sitting, "--model", "a model judge; repeatable", "MODEL")
    linking = inner.add("link", link)
    for made in (sitting, linking):
        inviting.add_base(made)
    for made in (linking, inner.add("revoke", revoke)):
        made.add_argument("seat", metavar="SEAT")
    _add_judging(inner)
    study_results.words(inner)
    study_rubrics.words(inner)
    inviting.words(inner)
    looking = inner.add("unblind", unblind_study)
    looking.add_argument("id", metavar="STUDY")
    looking.add_argument(
        "--by", required=True, metavar="NAME", help="who looks; it is written down"
    )


def _add_new(inner: Verbs) -> None:
    making = inner.add("new", new)
    making.add_argument(
        "--task",
        choices=get_args(Task),
        required=True,
        help="; ".join(f"{name}: {about.lower()}" for name, about in TASKS.items()),
    )
    add_repeatable(making, "--collection", "every text of this collection; repeatable", "NAME")
    add_repeatable(
        making, "--ranking", "the sets that this run ranked, with their targets; repeatable", "RUN"
    )
    add_repeatable(
        making, "--targets", "the ideas of a dataset of published papers; repeatable", "RUN"
    )
    add_repeatable(
        making, "--run", "to comment: a refinement, or one idea of it; repeatable", "RUN[/LINE]"
    )
    add_kind(making)
    making.add_argument("--name", help="what you call the session; experts do not see it")
    making.add_argument("--title", help="what experts read above their work")
    add_repeatable(
        making,
        "--criterion",
        "a quality with anchors of ours; repeatable (default: those usual for the task)",
        "NAME[,NAME]",
    )
    making.add_argument(
        "--rubric",
        metavar="FILE|NAME",
        help=(
            "criteria of your own: a rubric's file (.json, .toml), or the name of one that `study"
            " rubric list` shows"
        ),
    )
    for name in ("consent", "instructions", "example"):
        making.add_argument(
            f"--{name}",
            type=Path,
            metavar="FILE",
            help=f"{name} of your own, as plain text (default: ours)",
        )
    making.add_argument(
        "--texts",
        metavar="FILE",
        help="what experts read, in another language: a file of `study texts`, or de",
    )
    _add_dealing(making)
    forming = inner.add("forms", forms, inner.asking, inner.begin)
    forming.add_argument(
        "--collection", action="append", required=True, metavar="NAME", help="repeatable"
    )
    add_kind(forming)


def _add_dealing(making: argparse.ArgumentParser) -> None:
    """Add how texts are drawn and handed out."""
    add_numbers(
        making,
        StudyPlan,
        {
            "overlap": "how many experts answer each unit (default {default})",
            "repeats": "units each expert is given a second time (default {default})",
            "attention": "units with a known answer each expert is given (default {default})",
        },
    )
    add_flag(making, "--no-practice", "leave the practice unit out")
    add_flag(making, "--same-form", "show every text in the common form; `study forms` makes it")
    making.add_argument(
        "--target", metavar="METHOD", help="the method whose texts are the ideas by people"
    )
    making.add_argument(
        "--hidden-target",
        metavar="METHOD",
        help="to rank: the same, and every set hides one of them, asked for at the end",
    )
    making.add_argument(
        "--per-set",
        type=int,
        help="to rank: texts in a set where sets are made here, 2 to 12 (default 4)",
    )
    making.add_argument(
        "--draw",
        type=int,
        help="how many texts, pairs or sets are drawn, evenly over sources (default: all)",
    )
    making.add_argument(
        "--seed", type=int, help="seed of labels and lists (default: drawn, and kept in the plan)"
    )
    add_flag(making, "--dry-run", "say what the session would hold, and keep nothing")


def _add_judging(verbs: Verbs) -> None:
    made = verbs.add("judge", judge, verbs.caps)
    made.add_argument("id", help="the session")
    made.add_argument(
        "--judge", metavar="MODEL", help="the model that judges (default: the one that has a seat)"
    )
    made.add_argument("--seed", type=int, help="seed of the run")
    made.add_argument(
        "--at-once",
        type=int,
        choices=range(1, 65),
        default=8,
        metavar="N",
        help="how many units are asked side by side (default 8)",
    )
