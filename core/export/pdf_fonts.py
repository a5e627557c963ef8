"""The fonts of a PDF: which of them draws a letter, and what none of them draws."""

import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import groupby
from pathlib import Path

FONT = "DejaVuSans"
"""It comes with Matplotlib and goes into the file; it holds most of the world's alphabets, and none
of Chinese, Japanese or Korean.
"""
CHINESE = (("STSong-Light", "gbk"), ("MSung-Light", "big5"))
JAPANESE = (("HeiseiMin-W3", "cp932"),)
KOREAN = (("HYSMyeongJo-Medium", "cp949"),)
"""Fonts that every reader of PDFs has a stand-in for, so that they need no file, and the encodings
of the letters they hold.
"""
_KANA, _HANGUL = ("HIRAGANA", "KATAKANA"), ("HANGUL",)


@cache
def register_fonts() -> None:
    """Make the fonts known to ReportLab, in all their faces."""
    import matplotlib
    from reportlab.lib.fonts import addMapping
    from reportlab.pdfbase.cidfonts import UnicodeCIDFont
    from reportlab.pdfbase.pdfmetrics import registerFont
    from reportlab.pdfbase.ttfonts import TTFont

    folder = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    faces = {"": (0, 0), "-Bold": (1, 0), "-Oblique": (0, 1), "-BoldOblique": (1, 1)}
    for name, (bold, italic) in faces.items():
        registerFont(TTFont(FONT + name, str(folder / f"{FONT}{name}.ttf")))
        addMapping(FONT, bold, italic, FONT + name)
    for name, _ in (*CHINESE, *JAPANESE, *KOREAN):
        registerFont(UnicodeCIDFont(name))
        for bold, italic in faces.values():
            addMapping(name, bold, italic, name)


def in_fonts(text: str) -> Iterator[tuple[str, str]]:
    """Yield a text in pieces, each with the font that draws it; a letter that none draws stays with
    the first font, which has a box for it.
    """
    if text.isascii():
        yield FONT, text
        return
    fonts = _eastern(text)
    for font, letters in groupby(text, lambda letter: _font_of(letter, fonts) or FONT):
        yield font, "".join(letters)


def missing(texts: Iterable[str]) -> str:
    """Name the scripts of letters that no font draws, and say how many there are; empty where all
    are drawn.
    """
    scripts: dict[str, int] = {}
    for text in texts:
        if text.isascii():
            continue
        fonts = _eastern(text)
        for letter in text:
            if not _font_of(letter, fonts):
                name = _script(letter)
                scripts[name] = scripts.get(name, 0) + 1
    return ", ".join(f"{name} ({many})" for name, many in sorted(scripts.items()))


def _eastern(text: str) -> tuple[tuple[str, str], ...]:
    """Return the eastern fonts in the order in which they suit the language of a text: Chinese
    signs are drawn another way in Japanese.
    """
    scripts = {unicodedata.name(letter, "").split(" ")[0] for letter in set(text)}
    if scripts.intersection(_KANA):
        return (*JAPANESE, *CHINESE, *KOREAN)
    if scripts.intersection(_HANGUL):
        return (*KOREAN, *CHINESE, *JAPANESE)
    return (*CHINESE, *JAPANESE, *KOREAN)


def _font_of(letter: str, eastern: tuple[tuple[str, str], ...]) -> str:
    """Return the font that draws a letter; empty where none does."""
    if letter.isspace() or ord(letter) in _glyphs():
        return FONT
    return next((font for font, encoding in eastern if _encodes(encoding, letter)), "")


@cache
def _glyphs() -> frozenset[int]:
    from reportlab.pdfbase.pdfmetrics import getFont

    register_fonts()
    return frozenset(getFont(FONT).face.charToGlyph)


@cache
def _encodes(encoding: str, letter: str) -> bool:
    try:
        letter.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def _script(letter: str) -> str:
    if unicodedata.category(letter)[0] in "LM":
        return unicodedata.name(letter, "unnamed").split(" ")[0].capitalize()
    return "signs"
