"""Options that several verbs share, and what they come to."""

import argparse
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, get_args

from core.commands.documents import nothing
from core.commands.parsing import Parser
from core.errors import BadInput
from core.literature import SOURCES, spell
from core.records import SAMPLINGS, Hand, Kind, Paper, Record, Run, Sampling
from core.runs.catalogue import ACTORS, JUDGES
from core.runs.planning import find_paper, validated
from core.runs.workshop import Workshop
from core.settings import Settings

Answer = tuple[dict[str, Any], int]
"""The document to print, and the exit code."""
Command = Callable[[Workshop, argparse.Namespace], Answer]
BareCommand = Callable[[Settings, argparse.Namespace], Answer]


def reply(state: str, **document: Any) -> Answer:
    """Answer with a document about no run: the command did what it was asked."""
    return {**nothing(state), **document}, 0


def common_options(**how: Any) -> Parser:
    """Return the words that every verb has."""
    common = Parser(add_help=False, **how)
    common.add_argument(
        "--data", type=Path, help="data folder (default: FOUNDRY_DATA or ~/.idea-foundry)"
    )
    add_flag(common, "--json", "print one JSON document")
    return common


Words = argparse._ActionsContainer
"""What takes options: a parser, or a group of one."""


class Verbs:
    """Hands out parsers for verbs, with the words that several share."""

    def __init__(self, verbs: Any, common: Parser, helps: Mapping[str, str]):
        self._verbs, self._common, self._helps = verbs, common, helps
        self.asking = Parser(add_help=False)
        self.asking.add_argument(
            "--model",
            help="main model: builtin, openai:gpt-..., ollama:... (default: as chosen in Settings)",
        )
        self.asking.add_argument("--cheap-model", help="model for reading papers")
        self.asking.add_argument(
            "--selector-model", help="model that chooses between branches (default: the main model)"
        )
        self.asking.add_argument(
            "--novelty-model",
            help="model that says whether a paper has an idea already (default: the main model)",
        )
        for role, does in ACTORS.items():
            self.asking.add_argument(
                f"--{role}-model",
                help=f"in a refinement, the model that {does} (default: the main model)",
            )
        self.asking.add_argument("--scorer-model", help=f"the model that {JUDGES['scorer']}")
        self.caps = Parser(add_help=False)
        add_caps(self.caps)
        self.source = Parser(add_help=False)
        self.source.add_argument(
            "--source",
            default="shelf",
            help=f"where to look for papers: {', '.join(SOURCES)} (default: shelf)",
        )
        self.sampling = Parser(add_help=False)
        for name, what, usual in (
            ("temperature", "temperature, 0 to 2", " Judges and readers are asked at 0 by default"),
            ("max-tokens", "tokens a reply may have at first", ""),
        ):
            add_repeatable(
                self.sampling,
                f"--{name}",
                f"{what}: of writers, or of WHO (writer, reader, judge); repeatable.{usual}",
                "[WHO=]N",
            )
        self.begin = Parser(add_help=False, parents=[self.caps, self.source, self.sampling])
        self.begin.add_argument(
            "--seed",
            type=int,
            help="seed of the run; the same seed gives the same built-in answers",
        )
        self.looking = Parser(add_help=False)
        add_before(self.looking)
        add_repeatable(
            self.looking,
            "--ban",
            "never use this paper: its id, arxiv:... or doi:...; repeatable",
            "ID",
        )

    def add(self, name: str, command: Command, *parents: Parser) -> Parser:
        """Add a verb; one that belongs to another is explained by its command's docstring."""
        made: Parser = self._verbs.add_parser(
            name,
            help=self._helps.get(name, (command.__doc__ or "").replace("%", "%%")),
            parents=[self._common, *parents],
            allow_abbrev=False,
        )
        made.set_defaults(command=command, bare=False)
        return made

    def add_bare(self, name: str, command: BareCommand) -> Parser:
        """Add a verb that is answered without opening the database, which may be damaged, newer, or
        not there.
        """
        made: Parser = self._verbs.add_parser(
            name, help=self._helps[name], parents=[self._common], allow_abbrev=False
        )
        made.set_defaults(command=command, bare=True)
        return made

    def with_own(self, name: str, command: Command, *parents: Parser) -> "tuple[Parser, Verbs]":
        """Add a verb that can be said alone and has verbs of its own; what was said before one of
        these holds for it too.
        """
        made = self.add(name, command, *parents)
        return made, Verbs(
            made.add_subparsers(metavar="COMMAND"),
            common_options(argument_default=argparse.SUPPRESS),
            {},
        )

    def under(self, name: str, about: str = "") -> "Verbs":
        """Add a verb that only has verbs of its own; what it is `about`, where it is under another
        itself.
        """
        help_ = about or self._helps[name]
        made = self._verbs.add_parser(name, help=help_, allow_abbrev=False)
        return Verbs(made.add_subparsers(required=True, metavar="COMMAND"), self._common, {})


def add_flag(made: Words, name: str, about: str) -> None:
    """Add an option that says yes by being there."""
    made.add_argument(name, action="store_true", help=about)


def add_repeatable(
    made: Words, name: str, about: str, metavar: str | None = None, **how: Any
) -> None:
    """Add an option that may be given several times."""
    made.add_argument(name, action="append", default=[], help=about, metavar=metavar, **how)


def add_numbers(made: Words, kind: type[Record], helps: Mapping[str, str], **called: str) -> None:
    """Add an option for each of these fields of a record, a number; what is not given is left to
    the field.

    `{default}`, `{ge}` and `{le}` in a help are what the field says; `called` names the options of
    fields that are called otherwise.
    """
    for field, about in helps.items():
        known, name = kind.model_fields[field], called.get(field, field)
        number: Any = known.annotation
        bounds = {
            end: getattr(bound, end)
            for bound in known.metadata
            for end in ("ge", "le")
            if hasattr(bound, end)
        }
        made.add_argument(
            f"--{name.replace('_', '-')}",
            dest=field,
            metavar=name.upper(),
            type=number,
            help=about.format(default=known.default, **bounds),
        )


def pick(args: argparse.Namespace, *names: str) -> dict[str, Any]:
    """Return those of these arguments that were given, by name."""
    values = {name: getattr(args, name, None) for name in names}
    return {name: value for name, value in values.items() if value is not None}


def add_caps(made: argparse.ArgumentParser) -> None:
    """Add the caps of a run."""
    made.add_argument(
        "--cap",
        dest="cap_usd",
        type=dollars,
        metavar="DOLLARS",
        help="stop before this many dollars",
    )
    made.add_argument(
        "--cap-tokens", type=count, metavar="TOKENS", help="stop before this many tokens"
    )


def change_caps(shop: Workshop, run_id: str, args: argparse.Namespace) -> None:
    """Give a run the caps that were given."""
    if caps := pick(args, "cap_usd", "cap_tokens"):
        shop.store.runs.change(run_id, **caps)


def add_before(made: Words) -> None:
    """Add the option that leaves out later papers."""
    made.add_argument("--before", help="only papers before this date, YYYY-MM-DD")


def add_kind(made: Words, about: str = "what the texts are (default: idea)") -> None:
    """Add the option that says what texts are."""
    made.add_argument("--kind", choices=get_args(Kind), default="idea", help=about)


def add_tables(made: Words, table: str | None = None) -> None:
    """Add the options that write one table, or all of them, to a file."""
    usual = f" (default {table})" if table else ""
    about = f"with --to: which table{usual}"
    made.add_argument("--table", default=table, metavar="NAME", help=about)
    where = "write a table to this file, .csv, .tex or .md, or all of them to a .zip"
    made.add_argument("--to", type=Path, help=where)


def add_folder(made: Words) -> None:
    """Add the option that says where an export of several files goes."""
    add_place(made, "a new or empty folder, or a file that ends in .zip")


def add_place(made: Words, about: str) -> None:
    """Add the option that says where an export goes, and what it may be."""
    made.add_argument("--to", type=Path, required=True, metavar="FOLDER|ZIP", help=about)


def seed_paper(shop: Workshop, args: argparse.Namespace) -> Paper | None:
    """Return the paper that is named to start from; raises BadInput."""
    name = args.seed_paper
    return find_paper(shop, name, {**configure(args), "models": {}}) if name else None


def dollars(said: str) -> float:
    """Read an amount of money, 0 or more; raises ArgumentTypeError."""
    with suppress(ValueError):
        if 0 <= float(said) < float("inf"):
            return float(said)
    raise argparse.ArgumentTypeError(
        f"{said!r} is no amount of dollars; write a number such as 2.50"
    )


def count(said: str) -> int:
    """Read a whole number, 1 or more; raises ArgumentTypeError."""
    with suppress(ValueError):
        if int(said) > 0:
            return int(said)
    raise argparse.ArgumentTypeError(f"{said!r} is no whole number from 1 on")


def models_of(args: argparse.Namespace) -> dict[str, str]:
    """Return the models given, by role."""
    given = {
        "main": args.model,
        "cheap": args.cheap_model,
        "selector": args.selector_model,
        "novelty": args.novelty_model,
        "scorer": args.scorer_model,
        **{role: getattr(args, f"{role}_model") for role in ACTORS},
    }
    return {role: name for role, name in given.items() if name}


def replace_models(models: Mapping[str, str], args: argparse.Namespace) -> dict[str, str]:
    """Return a run's models with those given in their places; where no role is called main, the
    main one given plays every role without one of its own.
    """
    given = models_of(args)
    everywhere = (
        dict.fromkeys(models, given["main"]) if "main" in given and "main" not in models else {}
    )
    return {
        **models,
        **everywhere,
        **{role: name for role, name in given.items() if role in models},
    }


def configure(args: argparse.Namespace) -> dict[str, Any]:
    """Return what every new run is configured by."""
    return {
        "models": models_of(args),
        "source": spell(args.source),
        **limits_of(args),
    }


def limits_of(args: argparse.Namespace) -> dict[str, Any]:
    """Return seed, caps and sampling of a new run."""
    return {
        "seed": args.seed,
        "cap_usd": args.cap_usd,
        "cap_tokens": args.cap_tokens,
        "samplings": samplings_of(args),
    }


def samplings_of(args: argparse.Namespace) -> dict[Hand, Sampling]:
    """Return how writers, readers and judges are sampled, where something was said of it; raises
    BadInput.
    """
    said: dict[Hand, dict[str, object]] = {}
    for name in ("temperature", "max_tokens"):
        for given in getattr(args, name, ()):  # Verbs without models of their own do not ask.
            hand, _, number = given.rpartition("=")
            hand = hand or "writer"
            if hand not in SAMPLINGS:
                raise BadInput(
                    f"--{name.replace('_', '-')} {given}: there are {', '.join(SAMPLINGS)}, and no"
                    f" {hand!r}."
                )
            said.setdefault(hand, {})[name] = number
    return {
        hand: validated(Sampling, **{**SAMPLINGS[hand].model_dump(), **given})
        for hand, given in said.items()
    }


def configure_beside(run: Run, args: argparse.Namespace) -> dict[str, Any]:
    """Return what a look-up for a run is configured by: the run's source, and its models unless
    others are given.
    """
    return {
        "models": {**run.config.models, **models_of(args)},
        "source": run.config.source,
        "cap_usd": args.cap_usd,
        "cap_tokens": args.cap_tokens,
    }
