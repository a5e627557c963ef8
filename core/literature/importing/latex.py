"""LaTeX in bibliographies: to text and back."""

import re
from functools import cache
from typing import Any

from core.errors import BadInput, boundary
from core.literature.importing.text import plain

SUMMARY = "foundry-summary"
"""The BibTeX field of a summary written for the built-in shelf, which is not the authors' abstract.
"""
FOUND_AT = "foundry-url"
"""The BibTeX field of the page where a paper was found, where a DOI or an arXiv number leads to the
paper itself.
"""
_AS_TEXT = {
    "textbraceleft": "{",
    "textbraceright": "}",
    "textasciicircum": "^",
    "textbackslash": "\\",
    "textasciitilde": "~",
}
_WRITTEN = {
    "\\": r"\textbackslash{}",
    "{": r"\textbraceleft{}",
    "}": r"\textbraceright{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    **{sign: f"\\{sign}" for sign in "$&%#_"},
}
_ESCAPES = str.maketrans(_WRITTEN | {"\0": "{}"})
"""What becomes of a sign; of NUL too, which stands where two signs must not be read as one."""
_LIGATURES = re.compile(r"(?<=[-`'])(?=[-`'])|(?<=[!?])(?=`)|(?<=[,<])(?=[,<])|(?<=>)(?=>)")
_FORMULA = r"\$(?=[^$]*?\\[A-Za-z])[^$]*(?<!\\)\$|\$(?=[^\s$])[^$]*(?<=[^\s\\])\$(?!\d)"
_MEANT = re.compile(rf"\\[~^]\{{\}}|\\href\s*\{{[^{{}}]*\}}|\\.|[%&]|{_FORMULA}|\$", re.DOTALL)
_HARD = re.compile(r"\\(?![&%#_$])|(?<!\\)\$|[~`]|--|''")
_EASY = re.compile(r"\\([&%#_$])|[{}]")
"""Escaped signs and brackets, which need no reader: it takes milliseconds per text."""
_KEPT = re.compile(r"\\url\s*(?=\{)|\\(?=[_%&#$~{}])|[{}]|\s+|(?<=~)\{\}")


def text_of(latex: str) -> str:
    """Return what a piece of LaTeX says, on one line, without brackets and commands; raises
    BadInput where it cannot be read.
    """
    if not _HARD.search(latex):
        return plain(_EASY.sub(lambda found: found.group(1) or "", latex))
    with boundary(BadInput, "reading LaTeX"):
        return plain(_reader().latex_to_text(_MEANT.sub(_taken, latex)))


def latex_of(text: str) -> str:
    """Return a text as LaTeX that says it: on one line, with every sign LaTeX could act on escaped
    and no two of them read as one.
    """
    return _LIGATURES.sub("\0", plain(text)).translate(_ESCAPES)


def address_of(latex: str) -> str:
    """Return a DOI or an address, which BibTeX takes as it stands but some programs escape all the
    same.
    """
    return _KEPT.sub(
        "", latex.replace(r"$\sim$", "~").replace(r"\~{}", "~").replace(r"\textasciitilde", "~")
    )


def _taken(found: re.Match[str]) -> str:
    """Return LaTeX as its writer meant it: a percent sign begins no comment in a .bib file, and a
    lone dollar is money, no formula.
    """
    said = found.group()
    if said in (r"\~{}", r"\^{}"):
        return _WRITTEN[said[1]]
    if said.startswith("\\href"):
        return ""  # Its text follows; the reader trips over its address.
    return f"\\{said}" if said in ("%", "&", "$") else said


@cache
def _reader() -> Any:
    from pylatexenc.latex2text import LatexNodes2Text, MacroTextSpec, get_default_latex_context_db  # type: ignore[import-untyped]

    context = get_default_latex_context_db()
    said = {**_AS_TEXT, "url": "%s", **dict.fromkeys(("today", "maketitle"), "")}
    context.add_context_category(
        "foundry", prepend=True, macros=[MacroTextSpec(name, text) for name, text in said.items()]
    )
    return LatexNodes2Text(latex_context=context, math_mode="text", keep_comments=True)
