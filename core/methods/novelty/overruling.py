"""A person's word on a cell, in place of the reader's."""

from core.errors import BadInput
from core.records import NoveltyCell, NoveltyMatrix, Overruling, Overrulings

KEY = "matrix/overrulings"
"""The step that holds what people overruled; a fork with another answer there pays nothing."""


def apply(matrix: NoveltyMatrix, overrulings: Overrulings) -> NoveltyMatrix:
    """Return the matrix as people ruled; what the reader found stays beside. What is said of a cell
    that is not there is left out.
    """
    said = {(one.claim, one.work): one for one in overrulings.cells}
    cells = []
    for cell in matrix.cells:
        word = said.get((cell.claim, cell.work))
        cells.append(_ruled(cell, word) if word else cell)
    return matrix.model_copy(update={"cells": tuple(cells)})


def _ruled(cell: NoveltyCell, word: Overruling) -> NoveltyCell:
    was = cell.was if cell.overruled else cell.state
    return cell.model_copy(update={"state": word.state, "overruled": word, "was": was})


def with_word(matrix: NoveltyMatrix, word: Overruling) -> Overrulings:
    """Return everything that was overruled, and this word; raises BadInput for a cell that is not
    there, or that is so already.
    """
    cell = matrix.cell(word.claim, word.work)
    if cell is None:
        raise BadInput(
            f"There is no cell of claim {word.claim} and the work {word.work!r}. The claims are"
            f" {', '.join(str(one.n) for one in matrix.claims)}; the works"
            f" {', '.join(one.id for one in matrix.works)}."
        )
    if cell.state == word.state:
        raise BadInput(f"This cell says {word.state!r} already.")
    place = (word.claim, word.work)
    others = (one.overruled for one in matrix.cells if (one.claim, one.work) != place)
    return Overrulings(cells=(*(one for one in others if one), word))
