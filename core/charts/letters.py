"""Names of qualities with letters that the font of pictures lacks: it holds most of the world's
alphabets, and none of Chinese, Japanese or Korean.
"""

from collections.abc import Iterable
from functools import cache


def stand_ins(names: Iterable[str]) -> dict[str, str]:
    """Return what is drawn for each of the names that cannot be: its number among all of them.
    Whoever shows the picture says beside it what that stands for.
    """
    return {
        name: f"quality {n}"
        for n, name in enumerate(names, 1)
        if not name.isascii() and any(ord(letter) not in _glyphs() for letter in name)
    }


@cache
def _glyphs() -> frozenset[int]:
    # Matplotlib takes a second to import, and few names need it.
    from matplotlib import font_manager

    return frozenset(font_manager.get_font(font_manager.findfont("DejaVu Sans")).get_charmap())
