"""What services are asked with: words they can match, and the last day before a cut-off."""

import unicodedata
from datetime import date, timedelta

from core.errors import BadInput


def cut(words: str, longest: int) -> str:
    """Return words, cut between two of them where they are longer than a service takes; raises
    BadInput for none.
    """
    words = " ".join(words.split())
    if not words:
        raise BadInput("A search needs words.")
    return words if len(words) <= longest else words[:longest].rsplit(" ", 1)[0]


def plain(text: str) -> str:
    """Return a text's letters and digits, everything else as spaces: what a service could take for
    an order (quotes, * ? ~ | !) is none.
    """
    return "".join(sign if unicodedata.category(sign)[0] in "LMN" else " " for sign in text)


def day_before(before: str) -> date:
    """Return the last day before a cut-off: the services' ranges include their ends; raises
    BadInput.
    """
    try:
        return date.fromisoformat(before) - timedelta(days=1)
    except (ValueError, OverflowError):
        raise BadInput(f"{before!r} is not a date; write YYYY-MM-DD.") from None
