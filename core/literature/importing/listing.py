"""Lists of DOIs and arXiv ids, one a line: what they name has to be looked up in a source."""

from core.literature.importing.text import plain
from core.literature.paper_ids import wanted_id
from core.store.own import Imported, Skipped


def listed(name: str, text: str) -> Imported:
    """Return what a list names as ids to be looked up; lines that name neither a DOI nor an arXiv
    id are skipped, as are repeated ones.
    """
    wanted: dict[str, str] = {}
    skipped = []
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        where, said = f"line {number}", plain(line)
        if not said or said.startswith("#"):
            continue
        found = wanted_id(said)
        if found is None:
            skipped.append(
                Skipped(where=where, title=said[:200], reason="neither a DOI nor an arXiv id")
            )
        elif found in wanted:
            skipped.append(
                Skipped(where=where, title=said[:200], reason=f"the same as {wanted[found]}")
            )
        else:
            wanted[found] = where
    return Imported(name=name, format="list of DOIs", skipped=tuple(skipped), wanted=tuple(wanted))
