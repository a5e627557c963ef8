"""The people of a session: invitations, links and letters, deadline and other terms, reminders,
payment, and erasing a name. Links, names and addresses go to files, and never to the screen.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core.commands.options import Answer, Verbs, add_flag, add_repeatable, reply
from core.errors import BadInput
from core.export.sessions.invitations import (
    link_of,
    links_csv,
    payments_csv,
    people_csv,
    recruiting_link,
    reminders_csv,
    write_private,
)
from core.files import read_bytes, read_text
from core.importing import invited
from core.importing.invited import PeopleColumns
from core.records import StudyLetter, StudyTerms
from core.runs.planning import validated
from core.runs.workshop import Workshop
from core.store import Store
from core.studies import inviting, recruiting
from core.studies.deadlines import in_utc, spelled
from core.studies.inviting import MadeSeat
from core.studies.paying import payments

BASE = "http://127.0.0.1:8501"
"""Where the program answers when nothing else is said."""
GIVEN = ("zone", "most", "code", "return_address", "rate", "per", "currency")
WHO = ("not-begun", "not-finished", "deadline")


def invite(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Make a seat for every person of a CSV file and write their links, which are known this once,
    with the letters that bring them, to another.
    """
    found = _people(args)
    if found.refused and not args.skip:
        raise BadInput(
            f"{len(found.refused)} of the rows cannot be taken: "
            + "; ".join(f"{one.where}: {one.clause}" for one in found.refused[:10])
            + ". Nobody was invited. Correct them, or leave them out with --skip."
        )
    with shop.store.connections.writing():
        # All or none: links that could not be written could not be had again.
        made = inviting.invite(shop.store, args.id, found.people)
        _write_links(shop.store, args, made)
    return reply(
        "listed",
        study=args.id,
        invited=len(made),
        refused=[one.model_dump() for one in found.refused],
        to=str(args.to),
    )


def _people(args: argparse.Namespace) -> invited.InvitedFile:
    sheet = invited.opened(args.people.name, read_bytes(args.people))
    if args.name_column:
        columns = PeopleColumns(tuple(args.name_column), args.address_column or "")
    else:
        columns = invited.guess_columns(sheet)
        if args.address_column:
            columns = columns._replace(address=args.address_column)
    return invited.take_people(sheet, columns)


def links(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Draw new links, of seats that are named or of all who have not finished, and write them with
    their letters to a CSV file; the old links open nothing any more.
    """
    with shop.store.connections.writing():
        seats = args.seat or [one.seat for one in inviting.to_remind(shop.store, args.id)]
        if not seats:
            raise BadInput(
                "Everybody has finished, or nobody is invited: there is no link to draw."
            )
        _of_study(shop.store, args.id, seats)
        made = inviting.draw_links(shop.store, seats)
        _write_links(shop.store, args, made)
    return reply("listed", study=args.id, links=len(made), to=str(args.to))


def _of_study(store: Store, study: str, seats: Sequence[str]) -> None:
    here = {one.id for one in store.seats.of(study)}
    if other := [seat for seat in seats if seat not in here]:
        raise BadInput(f"Session {study} has no seat {other[0]!r}.")


def _write_links(store: Store, args: argparse.Namespace, made: Sequence[MadeSeat]) -> None:
    letter = inviting.standard(store.terms.get(args.id), "invitation")
    addresses = {one.seat.id: link_of(args.base, one.secret) for one in made}
    sent = inviting.letters(store, args.id, letter, addresses, addresses)
    write_private(args.to, links_csv(sent))


def remind(shop: Workshop, args: argparse.Namespace) -> Answer:
    """List who has not begun, has not finished, or is near the deadline; --to writes them with
    names, addresses and a letter each to a CSV file.
    """
    store = shop.store
    wanted = [
        one
        for one in inviting.to_remind(store, args.id)
        if args.who is None
        or (args.who == "deadline" and one.near)
        or one.standing.replace(" ", "-") == args.who
    ]
    if args.to:
        terms = store.terms.get(args.id)
        letter = inviting.standard(terms, "reminder")
        with store.connections.writing():
            seats = [one.seat for one in wanted]
            made = inviting.draw_links(store, seats if args.new_links else ())
            addresses = {one.seat.id: link_of(args.base, one.secret) for one in made}
            sent = inviting.letters(store, args.id, letter, seats, addresses)
            write_private(args.to, reminders_csv(wanted, sent))
    return reply(
        "listed",
        study=args.id,
        remind=[
            {
                "seat": one.seat,
                "standing": one.standing,
                "done": one.done,
                "of": one.units,
                "deadline_near": one.near,
                "seen": one.seen,
            }
            for one in wanted
        ],
        **({"to": str(args.to)} if args.to else {}),
    )


def recruit(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Make places for participants that a service such as Prolific sends, and a link for all of
    them, printed this once; an earlier such link ends.
    """
    with shop.store.connections.writing():
        seats = recruiting.make_places(shop.store, args.id, args.seats)
        secret = recruiting.draw_link(shop.store, args.id)
    return reply(
        "listed", study=args.id, places=len(seats), link=recruiting_link(args.base, secret)
    )


def terms(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Show what is agreed with experts beside the plan, and set what is given: deadline, maximum of
    units, completion code, pay, letters.
    """
    store = shop.store
    store.studies.get(args.id)
    before = store.terms.get(args.id)
    given: dict[str, Any] = {
        name: getattr(args, name) for name in GIVEN if getattr(args, name) is not None
    }
    if args.deadline is not None:
        zone = given.get("zone", before.zone)
        given["deadline"] = in_utc(args.deadline, zone) if args.deadline.strip() else ""
    if args.late is not None:
        given["late"] = args.late == "accept"
    for kind in ("invitation", "reminder"):
        if path := getattr(args, kind):
            given[kind] = _letter(path)
    after = validated(StudyTerms, **(before.model_dump() | given))
    for letter in (after.invitation, after.reminder):
        if letter:
            inviting.placeholders(letter)
    store.terms.put(args.id, after)
    told = after.model_dump(mode="json")
    if after.deadline:
        told["deadline_said"] = spelled(after.deadline, after.zone)
    return reply("listed", study=args.id, terms=told)


def _letter(path: Path) -> StudyLetter:
    subject, _, text = read_text(path).partition("\n")
    if not subject.lower().startswith("subject:") or not text.strip():
        raise BadInput(
            f"The first line of {path} should be `Subject: ...`, and the text stands below it."
        )
    return validated(StudyLetter, subject=subject.partition(":")[2], text=text)


def consent(shop: Workshop, args: argparse.Namespace) -> Answer:
    """List the versions of the text of consent, and how many agreed to each; --text puts a new one
    in force for those who have not agreed yet.
    """
    store = shop.store
    if args.text:
        if store.studies.get(args.id).state != "open":
            raise BadInput(
                "A new version is put in force while a session is open. In a draft, change its"
                " plan."
            )
        store.terms.consent(args.id, read_text(args.text).strip())
    agreed = [one.consent for one in store.terms.of(args.id).values()]
    return reply(
        "listed",
        study=args.id,
        versions=[
            {**one.model_dump(), "agreed": agreed.count(one.version)}
            for one in store.terms.consents(args.id)
        ],
    )


def pay(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Write what is to be paid to whom to a CSV file: units done, active minutes, amount; no answer
    and no seat is in it.
    """
    found = payments(shop.store, args.id)
    write_private(args.to, payments_csv(found))
    return reply(
        "listed",
        study=args.id,
        people=len(found),
        completed=sum(one.completed for one in found),
        amount=str(sum((one.amount for one in found), start=type(found[0].amount)(0)))
        if found
        else "0",
        to=str(args.to),
    )


def people(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Write who sits where to a CSV file: the only file that has names and addresses beside
    seats.
    """
    shop.store.studies.get(args.id)
    found = shop.store.people.of(args.id)
    write_private(args.to, people_csv(found.values()))
    return reply("listed", study=args.id, people=len(found), to=str(args.to))


def erase(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Erase the name, address and recruiting ids of one person for good; answers stay, without a
    name.
    """
    inviting.erase(shop.store, args.seat)
    return reply("listed", seat=args.seat, erased=True)


# -- words -------------------------------------------------------------------------------------


def add_base(made: argparse.ArgumentParser) -> None:
    """Add the address that links begin with."""
    made.add_argument(
        "--base",
        default=BASE,
        help=f"the address experts reach this program at (default {BASE})",
    )


def words(inner: Verbs) -> None:
    """Add the verbs of this room to those of sessions."""
    inviting_, linking, reminding = (
        inner.add("invite", invite),
        inner.add("links", links),
        inner.add("remind", remind),
    )
    for made in (inviting_, linking, reminding):
        made.add_argument("id", metavar="STUDY")
        add_base(made)
    inviting_.add_argument("people", type=Path, metavar="FILE", help="a CSV of names and addresses")
    add_repeatable(
        inviting_,
        "--name-column",
        "the column of names, where it is not plain; repeatable, joined by a space",
        "COLUMN",
    )
    inviting_.add_argument("--address-column", metavar="COLUMN", help="the column of addresses")
    add_flag(inviting_, "--skip", "leave rows out that cannot be taken, and say which")
    add_repeatable(linking, "--seat", "a seat; repeatable (default: all who have not finished)")
    reminding.add_argument("--who", choices=WHO, help="only these (default: all not finished)")
    add_flag(
        reminding, "--new-links", "draw new links, for a text with $link; the old ones then end"
    )
    paying, listing = inner.add("pay", pay), inner.add("people", people)
    for made in (paying, listing):
        made.add_argument("id", metavar="STUDY")
    for made in (inviting_, linking, paying, listing):
        made.add_argument(
            "--to", type=Path, required=True, metavar="FILE", help="a new CSV file, for you alone"
        )
    reminding.add_argument("--to", type=Path, metavar="FILE", help="a new CSV file, for you alone")
    inner.add("erase", erase).add_argument("seat", metavar="SEAT")
    consenting = inner.add("consent", consent)
    consenting.add_argument("id", metavar="STUDY")
    consenting.add_argument("--text", type=Path, metavar="FILE", help="a new text, from now on")
    recruiting_ = inner.add("recruit", recruit)
    recruiting_.add_argument("id", metavar="STUDY")
    recruiting_.add_argument("--seats", type=int, default=0, metavar="N", help="further places")
    add_base(recruiting_)
    _add_terms(inner)


def _add_terms(inner: Verbs) -> None:
    made = inner.add("terms", terms)
    made.add_argument("id", metavar="STUDY")
    made.add_argument(
        "--deadline", metavar="MOMENT", help="such as 2026-12-04 18:00 in --zone; empty for none"
    )
    made.add_argument("--zone", metavar="ZONE", help="time zone, such as Europe/Berlin")
    made.add_argument(
        "--late", choices=("accept", "refuse"), help="what becomes of answers after the deadline"
    )
    made.add_argument(
        "--most", type=int, metavar="N", help="units an expert is given at most; 0 for no maximum"
    )
    made.add_argument("--code", help="completion code, shown at the end")
    made.add_argument(
        "--return-address",
        metavar="URL",
        help=(
            "address to return to at the end; $code in it stands for the code, as in"
            " https://app.prolific.com/submissions/complete?cc=$code"
        ),
    )
    made.add_argument("--rate", metavar="AMOUNT", help="what is paid, such as 12.50")
    made.add_argument("--per", choices=("unit", "hour"), help="for what")
    made.add_argument("--currency", help="such as EUR")
    for kind in ("invitation", "reminder"):
        made.add_argument(
            f"--{kind}",
            type=Path,
            metavar="FILE",
            help=(
                f"text of the {kind}; its first line is `Subject: ...`. It may say"
                f" ${', $'.join(inviting.PLACEHOLDERS)}"
            ),
        )
