"""Experts from a file: its columns of names and addresses, the rows that cannot be taken, and a
seat with a link for each of the others.
"""

from time import monotonic

import streamlit as st

from components.ideas.importing import UPLOADED
from components.sessions import made_links
from components.sessions.made_links import MadeLinks
from components.shell import mistakes, refusals, services
from components.shell.clicks import TWICE
from components.shell.frame import told
from components.shell.text import counted, inline
from core.errors import BadInput, MappingNeeded
from core.importing import invited
from core.importing.invited import PeopleColumns
from core.importing.sheets import Sheet
from core.records import Study, digest
from core.studies import inviting
from core.studies.inviting import Invited

NONE = "none"


def draw(study: Study) -> None:
    """Draw the choice of a file and what is in it."""
    with st.expander("Invite experts from a file", icon=":material/upload_file:"):
        st.caption(
            "A CSV whose first line names the columns, such as name and e-mail. Addresses are kept"
            " apart from answers, are in no export but lists of people, and can be erased."
        )
        file = st.file_uploader(
            "File of people",
            type=["csv", "tsv", "txt"],
            key=f"study:people:{study.id}",
            max_upload_size=UPLOADED,
            label_visibility="collapsed",
        )
        if file is not None:
            with told():
                sheet = invited.opened(file.name, file.getvalue())
                _sheet(study, sheet)
        mistakes.shown(f"study:inviting:{study.id}")


def _sheet(study: Study, sheet: Sheet) -> None:
    _columns(sheet)
    columns = _chosen(sheet)
    if columns is None:
        return
    found = invited.take_people(sheet, columns)
    if found.refused:
        st.markdown(f"**{counted(len(found.refused), 'row')} cannot be taken:**")
        refusals.draw(
            ({"Where": one.where, "Who": one.title, "Why": one.reason} for one in found.refused),
            len(found.refused),
            "study:people:refused",
        )
    if not found.people:
        st.caption("No row is left to invite.")
        return
    first = found.people[0]
    st.caption(f"The first: {inline(first.name, 60)} · {inline(first.address or NONE, 80)}")
    st.button(
        f"Add {counted(len(found.people), 'seat')} and make links",
        icon=":material/person_add:",
        type="primary",
        key=f"study:invite:{study.id}",
        on_click=_press,
        args=(study.id, sheet, len(found.people), made_links.of(study)),
        help="Rows that cannot be taken are left out." if found.refused else None,
    )


def _columns(sheet: Sheet) -> None:
    """Draw which columns are what, filled in where that is plain."""
    key, guess = _key(sheet), invited.plain_columns(sheet)
    try:
        guess = invited.guess_columns(sheet)
    except MappingNeeded as error:
        st.info(inline(str(error), 600), icon=":material/help:")
    st.multiselect(
        "Names",
        sheet.columns,
        default=guess.names,
        key=f"{key}:names",
        placeholder="Choose a column",
        select_all=False,
        help="Several are joined by a space, such as first and last name.",
    )
    st.selectbox(
        "Addresses for e-mail",
        sheet.columns,
        index=sheet.columns.index(guess.address) if guess.address else None,
        key=f"{key}:address",
        placeholder=NONE,
    )


def _key(sheet: Sheet) -> str:
    return f"study:people:{digest([sheet.name, sheet.columns])[:8]}"


def _chosen(sheet: Sheet) -> PeopleColumns | None:
    """Return the columns that are chosen by now; None where names are lacking."""
    names, address = (st.session_state[f"{_key(sheet)}:{box}"] for box in ("names", "address"))
    return PeopleColumns(tuple(names), address or "") if names else None


def _press(study: str, sheet: Sheet, seen: int, made: MadeLinks) -> None:
    """Invite whom the file names by the columns that are chosen by now; a callback. The button said
    how many were `seen`.
    """
    with mistakes.kept(f"study:inviting:{study}"):
        columns = _chosen(sheet)
        people = invited.take_people(sheet, columns).people if columns else ()
        if len(people) != seen:
            raise BadInput(
                "The columns changed as you pressed. See who is added now, then add them."
            )
        _invite(study, people, made)


def _invite(study: str, people: tuple[Invited, ...], made: MadeLinks) -> None:
    """Make the seats, once: a second click names the same people."""
    names = tuple(one.name for one in people)
    with (
        mistakes.kept(f"study:inviting:{study}"),
        # Two clicks may be at work at once: who comes second must see what the first has done.
        services.store().connections.writing(),
    ):
        if monotonic() - made.at < TWICE and names == made.names:
            return
        new = inviting.invite(services.store(), study, people)
        made.secrets |= {one.seat.id: one.secret for one in new}
        made.names = names
        made.at = monotonic()
