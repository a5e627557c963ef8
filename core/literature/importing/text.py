"""From the bytes of a file to its text, and from any text to one line of it."""

from core.errors import BadInput
from core.gaps import narrow_lines
from core.normal_forms import normal

CONTROL = dict.fromkeys((*range(0x20), *range(0x7F, 0xA0)), " ")


def decode(data: bytes) -> str:
    """Return the text of a file in UTF-8, UTF-16 or Latin-1 (Windows-1252), lines ending in a line
    feed; raises BadInput for none of these.
    """
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = data.decode("utf-16", "replace")
    elif data[:200].count(b"\0") > len(data[:200]) // 4:
        # UTF-16 without a mark: in Latin script every other byte is zero, the first one where the
        # high byte comes first.
        text = data.decode("utf-16-be" if data[:1] == b"\0" else "utf-16-le", "replace")
    else:
        text = "\n".join(
            _line(line)
            for line in (
                data.removeprefix(b"\xef\xbb\xbf")
                .replace(b"\r\n", b"\n")
                .replace(b"\r", b"\n")
                .split(b"\n")
            )
        )
    if text.count("\0") + text.count("\ufffd") > 20 + len(text) // 100:
        raise BadInput(
            "The file is no text in UTF-8, UTF-16 or Latin-1. Save it as UTF-8 text and import it"
            " again."
        )
    return narrow_lines(text.replace("\r\n", "\n").replace("\r", "\n"))


def _line(line: bytes) -> str:
    # Line by line: files put together from several sources hold several encodings, and valid UTF-8
    # is hardly ever anything else.
    for encoding in ("utf-8", "cp1252"):
        try:
            return line.decode(encoding)
        except UnicodeDecodeError:
            continue
    return line.decode("latin-1")


def plain(text: str) -> str:
    """Return a text on one line: composed (NFC), without control characters and half surrogates,
    every run of white space one space.
    """
    sound = text.encode("utf-8", "replace").decode()
    return " ".join(normal("NFC", sound).translate(CONTROL).split())
