"""Bringing one's own literature in: files are read and kept, ids are looked up in a source."""

from collections.abc import Callable
from pathlib import Path

from core.errors import BadInput
from core.literature import label
from core.literature.answering import silent
from core.literature.full_text import FullTexts
from core.literature.importing import read_file
from core.literature.importing.listing import listed
from core.literature.own_texts import letters
from core.literature.paper_ids import arxiv_in, paper_id
from core.literature.port import Source
from core.records import Paper
from core.store.library import Library
from core.store.own import OWN, Imported, ImportReport, Skipped

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
        return (
            self._take_pdf(found, data, by)
            if found.format == "PDF" and found.papers
            else self._library.keep_import(found, by)
        )

    def take_path(
        self, path: Path, by: str, source: Source, note: Callable[[str], None] = silent
    ) -> ImportReport:
        """Import a file of this computer, as `take_file` does; raises BadInput for one that cannot
        be opened, too.
        """
        try:
            data = path.read_bytes()
        except OSError as error:
            raise BadInput(f"{path} cannot be opened ({error.strerror}). Check its name.") from None
        return self.take_file(path.name, data, by, source, note)

    def take_list(
        self, name: str, text: str, by: str, source: Source, note: Callable[[str], None] = silent
    ) -> ImportReport:
        """Look a list of DOIs and arXiv ids up in `source` and import what it knows; raises as
        `take_file` does.
        """
        return self._look_up(listed(name, text), by, source, note)

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
        """Keep the paper a PDF is, or find it in the library (a PDF tells no year, so its title is
        enough), and attach the text to it.
        """
        (paper,), (where,) = found.papers, found.at
        held = next(
            (
                one
                for one in self._library.own_papers()
                if one.same(paper) or letters(one.title) == letters(paper.title)
            ),
            None,
        )
        if held is None:
            report = self._library.keep_import(found, by)
        else:
            known = Skipped(
                where=where,
                title=paper.title,
                reason=f"in the library already, as {held.id}; the text is attached to it",
            )
            report = ImportReport(name=found.name, format=found.format, known=(known,))
        return report.model_copy(
            update={"attached": self._texts.attach(held.id if held else paper.id, data, by)}
        )

    def _look_up(
        self, found: Imported, by: str, source: Source, note: Callable[[str], None]
    ) -> ImportReport:
        held = {name: paper for paper in self._library.own_papers() for name in paper.names}
        known = tuple(
            Skipped(
                where=one,
                title=held[one].title,
                reason=f"in the library already, as {held[one].id}",
            )
            for one in found.wanted
            if one in held
        )
        missing = [one for one in found.wanted if one not in held]
        papers: dict[str, Paper] = {}
        with source.telling(note):
            for start in range(0, len(missing), BATCH):
                note(
                    f"looking up {start + 1} to {min(start + BATCH, len(missing))} of"
                    f" {len(missing)}"
                )
                papers |= _answers(source, missing[start : start + BATCH])
        unknown = tuple(
            Skipped(where=one, reason=f"{label(source.name)} does not know it")
            for one in missing
            if one not in papers
        )
        kept = found.model_copy(
            update={
                "papers": tuple(papers.values()),
                "at": tuple(papers),
                "skipped": found.skipped + unknown,
            }
        )
        report = self._library.keep_import(kept, by)
        return report.model_copy(update={"known": known + report.known})


def _answers(source: Source, ids: list[str]) -> dict[str, Paper]:
    """Ask for many at once, then for each that did not come back under its own name: a paper may
    have another DOI at its source.
    """
    came = source.papers(tuple(ids))
    by_name = {name: paper for paper in came for name in paper.names}
    answers = {one: by_name[one] for one in ids if one in by_name}
    nameless = {paper.id for paper in came} - {paper.id for paper in answers.values()}
    for one in (one for one in ids if one not in by_name):
        if not nameless:
            break
        if found := source.papers((one,)):
            answers[one] = found[0]
            nameless.discard(found[0].id)
    return {one: _own(answers[one], one) for one in ids if one in answers}


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
