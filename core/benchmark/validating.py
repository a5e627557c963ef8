"""The agreement of a benchmark's judges with experts: of few ratings made at once, of many in a
process beside the server.
"""

import sys
import threading
from collections.abc import Mapping

from pydantic import TypeAdapter
from pydantic_core import to_json

from core.agreement.sheet import AgreementSheet, agreement_sheet
from core.beside import answer_with, bound, run_beside
from core.statistics.intervals import SCORE
from core.statistics.matrix import Matrix, matrix, scores

AT_ONCE, FEW = 4_000, 30
"""Ratings, and raters, of which figures are made where they are asked for."""
MEMORY, WORK = 1 << 30, 300
"""Bytes of address space beside what the libraries take, and seconds of the processor."""
Rated = dict[str, list[tuple[str, str, float]]]
"""Item, rater and score, by dimension."""
_ASKED = TypeAdapter(tuple[Rated, list[str], bool])
_SHEET = TypeAdapter(AgreementSheet)
_one = threading.Lock()
"""Held while a process makes figures: of several at once each would take a core from the pages."""


def agree(ratings: Mapping[str, Matrix], judges: frozenset[str], on_scale: bool) -> AgreementSheet:
    """Return how far ratings, by dimension, agree, and `judges` with the other raters; `on_scale`
    says that they are on the judges' own scale. Raises StoreFailed where a process beside the
    server could not make it.
    """
    raters = {rater for one in ratings.values() for rater in one.raters}
    if len(raters) <= FEW and sum(int(one.rated.sum()) for one in ratings.values()) <= AT_ONCE:
        return agreement_sheet(ratings, judges, scale=SCORE if on_scale else None)
    rated = {dimension: list(scores(one)) for dimension, one in ratings.items()}
    with _one:
        asked = _ASKED.dump_json((rated, sorted(judges), on_scale)).decode()
        return _SHEET.validate_json(run_beside(__name__, given=asked))


def _answer(asked: str) -> str:
    rated, judges, on_scale = _ASKED.validate_json(asked)
    ratings = {dimension: matrix(one) for dimension, one in rated.items()}
    made = agreement_sheet(ratings, frozenset(judges), scale=SCORE if on_scale else None)
    return to_json(made, inf_nan_mode="constants").decode()


if __name__ == "__main__":
    bound(MEMORY, WORK)
    answer_with(lambda: _answer(sys.stdin.read()))
