"""The whole text of a paper where it can be had: attached by a person, or fetched from where its
source gives an open-access PDF.
"""

import hashlib
import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import Generic, TypeVar

from core.errors import BadInput
from core.literature.answering import silent
from core.literature.full_text.about import About, about
from core.literature.full_text.excerpting import excerpt
from core.literature.full_text.fetching import fetch
from core.literature.full_text.pdf import NoText
from core.literature.full_text.reading import PdfText, pdf_text
from core.literature.ranking import ids_of
from core.records import FullText, Paper
from core.settings import Settings, public
from core.store.library import Library

__all__ = ["About", "FullTexts", "PdfText", "about", "excerpt"]
FEWEST = 100
"""Letters a page of a fetched PDF has on average: with fewer it is a notice or a scan, not the
paper.
"""
HEED = 0.2
"""Seconds between two looks whether whoever waits was asked to stop."""
T = TypeVar("T")


class FullTexts:
    """Gets, reads and keeps full texts; one may serve many threads."""

    def __init__(self, settings: Settings, library: Library):
        self._hosts = settings.pdf_hosts
        self._library = library
        self._flights = Flights[FullText]()

    def read(self, paper: Paper, note: Callable[[str], None] = silent) -> FullText:
        """Get a paper's whole text, or say why it cannot be had; raises StoreFailed, and what
        `note` raises.

        `note` is told several times a second what is being done, and may raise to break off. A PDF
        once read is not fetched again; one that failed is tried again the next time it is asked
        for.
        """
        # Under any of its names: the same paper may come from another source than the one it was
        # attached to.
        for name in ids_of(paper):
            if held := self._library.attached(name):
                return held
        if not paper.pdf:
            return FullText(
                state="no PDF",
                reason="The source gives no open-access PDF. Attach the PDF to have it read.",
            )
        address = paper.pdf
        return self._flights.take(
            address, lambda: self._library.text_at(address) or self._fetched(address, note), note
        )

    def _fetched(self, address: str, note: Callable[[str], None]) -> FullText:
        try:
            file = self._read(fetch(address, self._hosts, note), note)
            held, _ = self._held(file)
            text = self._library.full_text(held.sha or "") or ""
            if sum(map(str.isalpha, text)) < FEWEST * held.pages:
                raise NoText("The PDF holds a few words, and cannot be the paper.")
        except NoText as error:
            return FullText(
                state="failed",
                origin=public(address),
                reason=f"{error} Attach the PDF to have it read.",
            )
        self._library.fetched(address, file)
        return held.model_copy(update={"origin": address})

    def attach(self, paper: str, data: bytes, by: str) -> FullText:
        """Attach a PDF a person gives to the paper with this id, in place of an earlier one; raises
        BadInput, StoreFailed.
        """
        self.text_in(data)
        file = _name(data)
        self._library.attach(paper, file, by)
        held, _ = self._held(file)
        return held.model_copy(update={"origin": by})

    def text_in(self, data: bytes, note: Callable[[str], None] = silent) -> PdfText:
        """Read a PDF a person gives, and keep its text; raises BadInput saying why it cannot be
        read, and what `note` raises.
        """
        try:
            held, title = self._held(self._read(data, note, given=True))
        except NoText as error:
            raise BadInput(
                f"{error} Choose a PDF whose text can be selected in a viewer."
            ) from error
        return PdfText(
            text=self._library.full_text(held.sha or "") or "",
            pages=held.pages,
            title=title,
            reason=held.reason,
        )

    def _read(self, data: bytes, note: Callable[[str], None], given: bool = False) -> str:
        """Make sure that this file's text is in the library, and return the file's name there."""
        file = _name(data)
        if self._library.text_in(file) is None:
            pdf = pdf_text(data, note, given)
            self._library.keep_text(file, pdf.text, pdf.pages, pdf.title, pdf.reason)
        return file

    def _held(self, file: str) -> tuple[FullText, str]:
        held = self._library.text_in(file)
        assert held is not None, "what was read is kept"
        return held


def _name(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


class Flights(Generic[T]):
    """What is being fetched, by name: where several ask for it at the same time the first fetches,
    and the others wait and take what came of it.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._flying: dict[str, Future[T]] = {}

    def take(self, name: str, fetch: Callable[[], T], note: Callable[[str], None]) -> T:
        """Return what `fetch` gives, or gives to whoever asked for this name a moment before;
        raises what our own `fetch` and `note` raise.
        """
        with self._lock:
            ours = name not in self._flying
            flight = self._flying.setdefault(name, Future())
        if ours:
            return self._fly(name, flight, fetch)
        while not wait([flight], HEED).done:
            note("waiting for the PDF, which is being fetched already")
        # Whoever fetched it may have been stopped; we were not.
        return flight.result() if flight.exception() is None else self.take(name, fetch, note)

    def _fly(self, name: str, flight: Future[T], fetch: Callable[[], T]) -> T:
        try:
            flight.set_result(fetch())
        except BaseException as error:
            flight.set_exception(error)
        finally:
            with self._lock:
                del self._flying[name]
        return flight.result()
