"""Bringing one's own literature in: files are read and kept, ids are looked up in a source."""

from collections.abc import Callable
from pathlib import Path

from core.files import read_bytes
from core.literature import label
from core.literature.answering import silent
from core.literature.full_text import FullTexts
from core.literature.full_text.titles import letters
from core.literature.importing import read_file
from core.literature.importing.entries import read_list
from core.literature.paper_ids import arxiv_in, paper_id
from core.literature.port import Source
from core.records import Paper
from core.refusals import KEPT, Refusals
from core.store.library import Library
from core.store.own import OWN, Imported, ImportReport, Skipped

TELLING = 25
"""Letters from which a title alone names a paper (`Paper.names`)."""
BATCH = 50
"""Ids a source is asked for at once."""


class Intake:
    """Takes files, lists of ids and PDFs into the library."""

    def __init__(self, library: Library, texts: FullTexts):
        self._library = library
        self._texts = texts

    def take_file(
        self, name: str, data: bytes, by: str, source: Source, note: Callable[[str], None] = silent
    ) -> ImportReport:
        """Import a file; what a list of DOIs names is looked up in `source`; raises BadInput,
        SourceFailed, StoreFailed, and what `note` raises.
        """
        note(f"reading {name}")
        found = read_file(name, data, self._texts)
        if found.wanted:
            return self._look_up(found, by, source, note)
        if found.format == "PDF" and found.papers:
            return self._take_pdf(found, data, by)
        return self._library.keep_import(found, by)

    def take_path(
        self, path: Path, by: str, source: Source, note: Callable[[str], None] = silent
    ) -> ImportReport:
        """Import a file of this computer, as `take_file` does; raises BadInput for one that cannot
        be opened, too.
        """
        return self.take_file(path.name, read_bytes(path), by, source, note)

    def take_list(
        self, name: str, text: str, by: str, source: Source, note: Callable[[str], None] = silent
    ) -> ImportReport:
        """Look a list of DOIs and arXiv ids up in `source` and import what it knows; raises as
        `take_file` does.
        """
        return self._look_up(read_list(name, text), by, source, note)

    def attach(
        self, paper: Paper, data: bytes, by: str, note: Callable[[str], None] = silent
    ) -> ImportReport:
        """Attach a PDF to a paper and report it; raises BadInput for one whose text cannot be read,
        StoreFailed, and what `note` raises.
        """
        note("reading the PDF")
        self._texts.text_in(data, note)
        return ImportReport(
            name=paper.title, format="PDF", attached=self._texts.attach(paper.id, data, by)
        )

    def _take_pdf(self, found: Imported, data: bytes, by: str) -> ImportReport:
        """Keep the paper a PDF is, or find it in the library, and attach the text to it.

        A PDF tells no year, so its title is enough; a short one, as "Editorial", only where no DOI
        differs.
        """
        (paper,), (where,) = found.papers, found.at
        title, other = letters(paper.title), ""
        for held in self._library.own_papers():
            if not held.same(paper) and letters(held.title) != title:
                continue
            if len(title) < TELLING and _told_apart(held, paper):
                other = held.id
            else:
                reason = f"in the library already, as {held.id}; the text is attached to it"
                known = Skipped(where=where, title=paper.title, reason=reason)
                report = ImportReport(name=found.name, format=found.format, known=(known,))
                paper = held
                break
        else:
            report = self._library.keep_import(found, by)
            if not report.added:
                return _left_out(found, other)
        return report.model_copy(update={"attached": self._texts.attach(paper.id, data, by)})

    def _look_up(
        self, found: Imported, by: str, source: Source, note: Callable[[str], None]
    ) -> ImportReport:
        held = {name: paper for paper in self._library.own_papers() for name in paper.names}
        known = Refusals[Skipped]()
        for name in found.wanted:
            if paper := held.get(name):
                reason = f"in the library already, as {paper.id}"
                known.add(Skipped(where=name, title=paper.title, reason=reason))
        missing = [name for name in found.wanted if name not in held]
        papers: dict[str, Paper] = {}
        with source.telling(note):
            for start in range(0, len(missing), BATCH):
                part = missing[start : start + BATCH]
                note(f"looking up {start + 1} to {start + len(part)} of {len(missing)}")
                papers |= _answers(source, part)
        unknown = f"{label(source.name)} does not know it"
        lost = Refusals(
            Skipped(where=name, reason=unknown) for name in missing if name not in papers
        )
        skipped = (*found.skipped, *lost.first)
        came = {
            "papers": tuple(papers.values()),
            "at": tuple(papers),
            "skipped": skipped[:KEPT],
            "more_skipped": found.more_skipped + lost.more + len(skipped[KEPT:]),
            "skipped_by_reason": {**found.skipped_by_reason, **lost.reasons},
        }
        report = self._library.keep_import(found.model_copy(update=came), by)
        both = (*known.first, *report.known)
        more = known.more + report.more_known + len(both[KEPT:])
        return report.model_copy(update={"known": both[:KEPT], "more_known": more})


def _told_apart(one: Paper, other: Paper) -> bool:
    """Say whether two papers have two DOIs or two arXiv ids, and share neither."""
    names = ((one.doi, other.doi), (one.arxiv, other.arxiv))
    both = [(mine.lower(), its.lower()) for mine, its in names if mine and its]
    return bool(both) and not any(_agree(mine, its) for mine, its in both)


def _agree(mine: str, its: str) -> bool:
    """Say whether two names may be one: on a page they break at the end of a line, run on into the
    next word, or stand as the publisher's template has them.
    """
    short, long = sorted((mine.rstrip("-/."), its.rstrip("-/.")), key=len)
    return long.startswith(short) or short.endswith("nnnnnnn")


def _left_out(found: Imported, other: str) -> ImportReport:
    """Say of a PDF that another paper has its title, and that nothing else tells them apart."""
    reason = (
        f"{other} in the library has its title, and another DOI or arXiv id. If it is that paper,"
        " attach the PDF there; otherwise import this one with its authors and year first (BibTeX,"
        " RIS, CSV), and attach the PDF to it"
    )
    left_out = Refusals((Skipped(where=found.at[0], title=found.papers[0].title, reason=reason),))
    return ImportReport(
        name=found.name,
        format=found.format,
        skipped=left_out.first,
        skipped_by_reason=left_out.reasons,
    )


def _answers(source: Source, ids: list[str]) -> dict[str, Paper]:
    """Ask for many at once, then for each that did not come back under its own name: a paper may
    have another DOI at its source.
    """
    came = source.papers(tuple(ids))
    by_name = {name: paper for paper in came for name in paper.names}
    answers = {name: by_name.get(name) for name in ids}
    nameless = {paper.id for paper in came}
    nameless -= {paper.id for paper in answers.values() if paper}
    for name in ids:
        if nameless and answers[name] is None:
            for paper in source.papers((name,))[:1]:
                answers[name] = paper
                nameless.discard(paper.id)
    return {name: _own(paper, name) for name, paper in answers.items() if paper}


def _own(paper: Paper, asked: str) -> Paper:
    """Return a paper of a source as one of our own, by the id that was asked for where the source
    gives no DOI.
    """
    kind, _, name = asked.partition(":")
    doi = paper.doi or (name if kind == "doi" else None)
    arxiv = paper.arxiv or (arxiv_in(name, bare=True) if kind == "arxiv" else None)
    return paper.model_copy(
        update={
            "id": paper_id(doi, arxiv, paper.title, paper.authors, paper.year),
            "doi": doi,
            "arxiv": arxiv,
            "source": OWN,
            "seen": None,
            "near": False,
        }
    )
