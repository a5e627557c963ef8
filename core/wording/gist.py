"""An idea in brief."""

from core.records import Idea
from core.wording.sentences import sentences

TELLING = {
    "chain": ("motivation", "novelty", "method"),
    "six-field": ("problem", "hypothesis", "method"),
}
"""Fields that say why, what and how, by form."""
LONG = 320
"""Characters of a sentence that are told; a longer one is cut between two words."""


def gist(idea: Idea) -> tuple[str, ...]:
    """Return an idea in three sentences at most: the first of each telling field, or the first of a
    text in one piece.
    """
    names = TELLING.get(idea.form)
    if names:
        firsts = [sentences(idea.fields[name])[:1] for name in names]
        told = [said for first in firsts for said in first]
    else:
        told = list(sentences(next(iter(idea.fields.values())))[:3])
    return tuple(_cut(said) for said in told)


def _cut(said: str) -> str:
    whole = " ".join(said.split())
    return whole if len(whole) <= LONG else whole[:LONG].rsplit(" ", 1)[0] + " …"
