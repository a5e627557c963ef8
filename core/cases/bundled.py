"""The case studies that come with the program: they play at first start, without a key."""

from functools import cache
from pathlib import Path

from core.cases import CaseStudy, name, put, read
from core.errors import BadInput, StoreFailed, boundary
from core.records import Record, Run, Search
from core.runs.catalogue import entry
from core.store import Store
from core.store.whole import Whole

FOLDER = Path(__file__).parents[2] / "assets" / "cases"


class Bundled(Record):
    """What a list says of a case study before anybody opens it."""

    name: str
    """Of its file, without the ending."""
    run: str
    """The id of the run it is opened as."""
    title: str
    about: str
    by: str
    method: str
    rounds: int
    papers: int
    authored: bool
    runs: int = 0
    """That it has made and that came with it."""


@cache
def bundled(folder: Path = FOLDER) -> tuple[Bundled, ...]:
    """Return the case studies that come with the program, by file name; raises StoreFailed for one
    that is damaged.
    """
    return tuple(_summary(path.stem, _read(path)) for path in sorted(folder.glob("*.json")))


def opened(store: Store, called: str, folder: Path = FOLDER) -> Run:
    """Return the run of a bundled case study, opening it on first use; raises BadInput for a name
    there is none of, StoreFailed.
    """
    names = [case.name for case in bundled(folder)]
    if called not in names:
        raise BadInput(
            f"There is no case study {called!r} in this program. There are:"
            f" {', '.join(names) or 'none'}."
        )
    return put(store, _read(folder / f"{called}.json"))


def _read(path: Path) -> CaseStudy:
    with boundary(StoreFailed, f"reading the case study {path.name} that comes with the program"):
        data = path.read_bytes()
    try:
        return read(data)
    except BadInput as error:
        raise StoreFailed(
            f"The case study {path.name} that comes with the program is damaged: reinstall the"
            f" program. {error}"
        ) from None


def _summary(stem: str, case: CaseStudy) -> Bundled:
    return Bundled(
        name=stem,
        run=name(case.sha),
        title=case.title,
        about=case.about,
        by=case.by,
        method=case.whole.config.method,
        rounds=sum(product.kind == "Round" for product in case.whole.products),
        papers=len(_papers(case.whole)),
        authored=case.authored,
        runs=len(case.whole.experiment.runs) if case.whole.experiment else 0,
    )


def _papers(whole: Whole) -> frozenset[str]:
    """Return the ids of the papers of chains, or of those a refinement began with, found or
    given.
    """
    found = [
        Search.model_validate(product.data).papers
        for product in whole.products
        if product.kind == "Search" and product.name == "background"
    ]
    given = entry(whole.config).given(whole.config)
    return frozenset(paper.id for papers in (whole.papers, given, *found) for paper in papers)
