"""Checklist experiments: generators x informed / uninformed x providers of directives on held-out
questions, scored by one judge (EvoIdeator, tables 1 and 2, figures 2 and 3).

    held = collect(store, run)                       # the cells that are there, pair by pair
    outcome(held)                                    # in words: which generator is best, how surely
    tables(held)                                     # means per item, by provider, differences
"""

from core.experiments.checklist.cells import ChecklistExperimentInputs
from core.experiments.checklist.filling import fill_all

__all__ = ["ChecklistExperimentInputs", "fill_all"]
