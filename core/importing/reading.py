"""Reading a file of ideas, whatever its format; what it is called and what it holds decide how."""

import re

from core.errors import BadInput
from core.importing import delimited, marked, structured
from core.importing.decoding import opened
from core.importing.sheets import Sheet

ENDINGS = ("csv", "tsv", "json", "jsonl", "ndjson", "md", "markdown", "txt")


def read(name: str, data: bytes) -> Sheet:
    """Read the rows of a file; raises BadInput for one that holds none, or is too large."""
    ending = name.rpartition(".")[2].lower()
    name, text, encoding = opened(name, data)
    if not text.strip():
        raise BadInput(
            f"{name} is empty. Import a table (CSV), a list of objects (JSON), or ideas under"
            " headings (Markdown)."
        )
    return READERS[_kind(ending, text)](name, text, encoding)


READERS = {
    "csv": delimited.table,
    "json": structured.document,
    "jsonl": structured.lines,
    "md": marked.sections,
}


def _kind(ending: str, text: str) -> str:
    kind = {"tsv": "csv", "ndjson": "jsonl", "markdown": "md"}.get(ending, ending)
    if kind in READERS and kind != "json":
        return kind
    start = text.lstrip()[:1]
    if kind == "json" or start in ("{", "["):
        first, _, rest = text.strip().partition("\n")
        # A line that closes what it opens, with another after it, is one of several documents.
        return (
            "jsonl"
            if start == "{" and first.rstrip().endswith("}") and rest.lstrip().startswith("{")
            else "json"
        )
    head = text.lstrip().partition("\n")[0]
    return (
        "md"
        if re.search(r"^ {0,3}#{1,6}\s", text, re.MULTILINE)
        or not any(sign in head for sign in delimited.SEPARATORS)
        else "csv"
    )
