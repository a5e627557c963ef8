"""What came of an expert session: how it goes, its figures, and everything in files to take
along.
"""

import argparse
from collections.abc import Sequence

from core.commands.options import Answer, Verbs, add_flag, add_place, add_tables, reply
from core.export.dumps import dump_all
from core.export.studies import export
from core.export.tables import write_tables
from core.runs.workshop import Workshop
from core.statistics.statistic import Statistic
from core.studies.analysis import Analysis, analysed
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
        by_source=by_source,
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


def export_study(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Write a session to a folder or a .zip: answers, texts, codebook, configuration with its hash,
    figures; the key only with --key.
    """
    names = export(shop.store, args.id, args.to, args.key, args.attentive)
    return reply("listed", study=args.id, to=str(args.to), files=list(names))


def words(inner: Verbs) -> None:
    """Add the verbs of this room to those of sessions."""
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
