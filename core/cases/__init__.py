"""Case studies: a finished run in one file that opens anywhere, plays without a key and never
changes.

    run = open_case(store, pack(store, run_id, about="How a chain becomes an idea"))

A file is from a stranger: `reading` and `consistency` check all of it before anything is kept.
`tape` plays a run back.
"""

from core.cases.packing import pack
from core.cases.reading import FORMAT, MOST_BYTES, UNSIGNED, CaseStudy, read
from core.records import Packed, Run
from core.store import Store
from core.store.cases import Cases

__all__ = [
    "FORMAT",
    "MOST_BYTES",
    "UNSIGNED",
    "CaseStudy",
    "close_case",
    "name",
    "open_case",
    "pack",
    "put",
    "read",
]


def open_case(store: Store, data: bytes) -> Run:
    """Open a packed file as a run that plays and never changes; opening it again gives the same
    run. Raises BadInput for a file that cannot be trusted.
    """
    return put(store, read(data))


def put(store: Store, case: CaseStudy) -> Run:
    """Put a case study that was read into the store and return its run; raises BadInput."""
    packed = Packed(
        title=case.title,
        about=case.about,
        by=case.by,
        at=case.at,
        sha=case.sha,
        authored=case.authored,
    )
    Cases(store.connections).add(name(case.sha), packed, case.whole)
    return store.runs.get(name(case.sha))


def close_case(store: Store, run_id: str) -> None:
    """Take an opened case study out of the store again; the file stays. Raises BadInput for a run
    that is none.
    """
    Cases(store.connections).remove(run_id)


def name(sha: str) -> str:
    """Return the id of the run a packed file is opened as."""
    return f"case-{sha[:12]}"
