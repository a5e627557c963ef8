"""What a PDF is to us: how large it may be, how it begins, and the one failure its text can
have.
"""

import re

LARGEST = 30_000_000
"""Bytes a PDF may have."""
_BEGINNING = 1024
"""Bytes within which a PDF says that it is one (PDF 1.7, appendix H, note 13)."""
_WEB_PAGE = re.compile(
    rb"[\s\xef\xbb\xbf]{0,200}<(!doctype html|html|head|body|script|meta|\?xml|!--)", re.IGNORECASE
)


class NoText(Exception):
    """Why the text of a PDF could not be had; `str()` is the sentence to show."""


def refuse_foreign(data: bytes | bytearray) -> None:
    """Raise NoText unless these bytes begin like a PDF; the first 1,024 decide."""
    if b"%PDF-" in data[: _BEGINNING + 4]:
        return
    if not data:
        raise NoText("The file is empty.")
    raise NoText(
        "There is a web page instead of a PDF."
        if _WEB_PAGE.match(data[:_BEGINNING])
        else "The file is not a PDF."
    )


def refuse_large(size: int) -> None:
    """Raise NoText for more bytes than are read."""
    if size > LARGEST:
        raise NoText(f"The PDF is larger than {LARGEST // 1_000_000} MB.")
