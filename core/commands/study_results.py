"""What came of an expert session: how it goes, its figures, and everything in files to take
along.
"""

import argparse
from collections import Counter
from collections.abc import Sequence

from core.agreement.power import SIMULATIONS, PowerDesign, needed, power, said
from core.commands.agreement import add_comparing
from core.commands.options import (
    Answer,
    Verbs,
    add_flag,
    add_numbers,
    add_place,
    add_repeatable,
    add_tables,
    pick,
    reply,
)
from core.errors import BadInput
from core.export.dumps import dump_all
from core.export.sessions.folder import export
from core.export.tables import write_tables
from core.records import GroupedBy, SourceGrouping
from core.runs.planning import validated
from core.runs.workshop import Workshop
from core.statistics.statistic import Statistic
from core.studies.analysis import Analysis, analysed
from core.studies.grouping import BY, regroup
from core.studies.live import Tally, dashboard
from core.studies.paragraph import methods


def live(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Show how a session goes, seat by seat: what is done, how long a unit takes, signs of hurry;
    never where a text comes from.
    """
    found = dashboard(shop.store, args.id)
    seats = []
    for seat in found.seats:
        told = {
            name: value._asdict() if isinstance(value, Tally) else value
            for name, value in seat._asdict().items()
        }
        seats.append({**told, "left": seat.left._asdict()})
    return reply(
        "listed",
        study=args.id,
        study_state=found.study.state,
        units=found.units,
        answered=found.answered,
        wanted=found.wanted,
        experts=found.experts,
        overlap_reached=found.reached,
        minutes_left=found.minutes_left,
        expected_end=found.end,
        seats=seats,
    )


def agreement(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Say how far the experts of a session agree, and models with them; by source too, once the key
    was opened. --table writes a table to a file.
    """
    found = analysed(shop.store, args.id, args.attentive)
    if args.to:
        tables = (*found.tables, *found.source_tables)
        write_tables(tables, args.to, args.table, found.blind)
    parts = {one.criterion: dump_all(one.statistics) for one in found.parts}
    by_source = [
        {**one._asdict(), "figure": one.figure.model_dump(mode="json")}
        for one in (found.sourced.figures if found.sourced else ())
    ]
    return reply(
        "analysed",
        study=args.id,
        task=found.study.plan.task,
        sha=found.study.sha,
        taking_part=found.filed.taking._asdict(),
        counts=found.filed.counts._asdict(),
        counts_in_words=found.filed.counts.said,
        called=found.filed.called,
        statistics=parts,
        shown_order=dump_all(found.shown_order),
        by_source=by_source,
        grouping=found.sourced.grouping.model_dump(mode="json") if found.sourced else {},
        contrasts=dump_all(found.sourced.contrasts if found.sourced else ()),
        blind=found.blind,
        methods=methods(found)._asdict(),
        tables=[one.name for one in (*found.tables, *found.source_tables)],
        **({} if args.json else {"in_words": read_out(found)}),
    )


def read_out(found: Analysis) -> str:
    """Return the figures as a person reads them: in words, by criterion, then by source or why
    not.
    """
    parts = [_list(one.criterion or "Over all", one.statistics) for one in found.parts]
    if found.sourced:
        parts.append(
            _list(
                "By source",
                [one.figure for one in found.sourced.figures]
                + [one for some in found.sourced.differences.values() for one in some],
            )
        )
    return "\n\n".join(
        filter(None, (f"{found.filed.counts.said}.", *parts, found.blind, methods(found).whole))
    )


def _list(heading: str, several: Sequence[Statistic]) -> str:
    return (
        "\n".join((heading, *(f"- {one.name} ({one.about}): {one.reading}" for one in several)))
        if several
        else ""
    )


def group(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Group the sources of an unblinded session for comparison, by a column or by hand; the time
    and who did are written down.
    """
    groups: dict[str, str] = {}
    for one in args.group:
        name, sign, labels = one.partition("=")
        if not sign or not name.strip() or not labels.strip():
            raise BadInput(f"--group {one!r}: say NAME=LABEL,LABEL, as in human=A1,B3.")
        groups |= {label.strip(): name for label in labels.split(",") if label.strip()}
    by: GroupedBy = "hand" if groups else args.by
    drawn = regroup(
        shop.store,
        args.id,
        SourceGrouping(by=by, groups=groups, correction=args.correction, who=args.who),
    )
    found = analysed(shop.store, args.id)
    sizes = Counter(found.sourced.sources.values() if found.sourced else ())
    return reply("listed", study=args.id, grouping=drawn.model_dump(mode="json"), texts=dict(sizes))


def forecast(_: Workshop, args: argparse.Namespace) -> Answer:
    """Say how often a comparison of two sources would find a difference, forecast and simulated,
    and how many ideas it takes for 80 %.
    """
    names = (*POWER, *SHARES)
    design = validated(PowerDesign, **pick(args, *names))
    found = power(design, args.simulations, args.seed)
    steps = needed(design)
    return reply(
        "listed",
        design=design.model_dump(mode="json"),
        power=found.forecast,
        degrees_of_freedom=found.df,
        simulated=found.simulated,
        simulated_interval=[found.low, found.high],
        simulations=found.simulations,
        smallest_difference=found.least,
        by_ideas=[{"ideas": ideas, "power": chance} for ideas, chance in steps],
        in_words=said(found, steps),
    )


def export_study(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Write a session to a folder or a .zip: answers, texts, codebook, configuration with its hash,
    figures; the key only with --key.
    """
    names = export(shop.store, args.id, args.to, args.key, args.attentive)
    return reply("listed", study=args.id, to=str(args.to), files=list(names))


POWER = {
    "ideas": "ideas of each source",
    "experts": "experts",
    "overlap": "experts for each idea (default {default})",
    "topics": "topics that ideas are on (default {default})",
    "difference": "difference in standard deviations of all scores (default {default})",
}
SHARES = {
    "of_reviewers": "share of the variance that reviewers differ by (default {default})",
    "of_topics": "share of the variance that topics differ by (default {default})",
    "of_ideas": "share of the variance that ideas differ by (default {default})",
}
"""Numbers of a design, by field, with what they say."""


def words(inner: Verbs) -> None:
    """Add the verbs of this room to those of sessions."""
    grouping = inner.add("group", group)
    grouping.add_argument("id", metavar="STUDY")
    grouping.add_argument(
        "--by",
        choices=tuple(one for one in BY if one != "hand"),
        default="source",
        help="; ".join(f"{name}: {about}" for name, about in BY.items() if name != about),
    )
    add_repeatable(grouping, "--group", "a group drawn by hand; repeatable", "NAME=LABEL,LABEL")
    grouping.add_argument(
        "--who", required=True, metavar="NAME", help="who groups; it is written down"
    )
    add_comparing(grouping)
    powering = inner.add("power", forecast)
    add_numbers(powering, PowerDesign, POWER)
    add_numbers(powering, PowerDesign, SHARES)
    powering.add_argument(
        "--simulations",
        type=int,
        default=SIMULATIONS,
        help=f"simulated studies, 0 for none (default {SIMULATIONS})",
    )
    powering.add_argument("--seed", type=int, default=0, help="of the simulation (default 0)")
    inner.add("live", live).add_argument("id", metavar="STUDY")
    agreeing, taking = inner.add("agreement", agreement), inner.add("export", export_study)
    for made in (agreeing, taking):
        made.add_argument("id", metavar="STUDY")
        add_flag(
            made,
            "--attentive",
            "leave out experts who answered an attention unit in another way than it asks",
        )
    add_tables(agreeing)
    add_place(
        taking,
        "a new or empty folder, or a .zip, with everything, also as XLSX and for SPSS, Label"
        " Studio and Argilla; a name that ends in .xlsx or .sav takes the answers alone, so",
    )
    add_flag(
        taking,
        "--key",
        "with what labels hide, and figures by source; only once sources were revealed",
    )
