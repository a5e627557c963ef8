"""Full texts by their SHA-256, with the PDF files, addresses and people they came from."""

import hashlib

from core.records import FullText
from core.store.connection import Connections, Row, now

READ = """SELECT f.sha, f.pages, f.reason, f.title, length(t.text) AS chars
    FROM pdf_files f JOIN full_texts t ON t.sha = f.sha"""


class Texts:
    """The part of the library that holds texts; files and texts are named by their SHA-256 in
    hex.
    """

    def __init__(self, connections: Connections):
        self._db = connections

    def full_text(self, sha: str) -> str | None:
        """Return a text by its hash, or None."""
        row = self._db.row("SELECT text FROM full_texts WHERE sha = ?", sha)
        return row["text"] if row else None

    def text_in(self, file: str) -> tuple[FullText, str] | None:
        """Return what was read from this PDF file, and the title it shows; None if it was never
        read.
        """
        row = self._db.row(f"{READ} WHERE f.file = ?", file)
        return (_read(row, ""), row["title"]) if row else None

    def text_at(self, address: str) -> FullText | None:
        """Return what was read from the PDF once fetched from this address, or None."""
        row = self._db.row(
            f"{READ} JOIN pdf_addresses a ON a.file = f.file WHERE a.address = ?", address
        )
        return _read(row, address) if row else None

    def attached(self, paper: str) -> FullText | None:
        """Return what was read from the PDF a person attached to a paper, or None."""
        row = self._db.row(
            f"{READ.replace('SELECT', 'SELECT p.by,', 1)} JOIN attached_pdfs p ON p.file = f.file"
            " WHERE p.paper = ?",
            paper,
        )
        return _read(row, row["by"]) if row else None

    def keep_text(self, file: str, text: str, pages: int, title: str, reason: str) -> None:
        """Keep what was read from a PDF file; what was read first stays."""
        sha = hashlib.sha256(text.encode()).hexdigest()
        with self._db.writing() as connection:
            connection.execute("INSERT OR IGNORE INTO full_texts VALUES (?,?)", (sha, text))
            connection.execute(
                "INSERT OR IGNORE INTO pdf_files VALUES (?,?,?,?,?,?)",
                (file, sha, pages, title, reason, now()),
            )

    def fetched(self, address: str, file: str) -> None:
        """Note which PDF file an address gave."""
        self._db.write("INSERT OR REPLACE INTO pdf_addresses VALUES (?,?,?)", address, file, now())

    def attach(self, paper: str, file: str, by: str) -> None:
        """Attach a PDF file that was read to a paper, in place of one attached before."""
        self._db.write(
            "INSERT OR REPLACE INTO attached_pdfs VALUES (?,?,?,?)", paper, file, by, now()
        )

    def detach(self, paper: str) -> None:
        """Take the attached PDF off a paper again, with the citations found in it; its text stays,
        since runs may have read it.
        """
        with self._db.writing() as connection:
            connection.execute("DELETE FROM attached_pdfs WHERE paper = ?", (paper,))
            connection.execute(
                "DELETE FROM paper_edges WHERE citing = ? AND seen = 'text'", (paper,)
            )
            connection.execute("DELETE FROM texts_searched WHERE paper = ?", (paper,))


def _read(row: Row, origin: str) -> FullText:
    return FullText(
        state="read",
        sha=row["sha"],
        pages=row["pages"],
        chars=row["chars"],
        origin=origin,
        reason=row["reason"],
    )
