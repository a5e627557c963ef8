"""Experiments: methods x models x qualities x targets x n ideas as one matrix, which can be resumed
and extended.

    found = findings(collect(store, run.id))         # Q, rounds, tests, costs, each with intervals
    tables(found)                                    # the tables of the InfAL paper
    figures(collect(store, run.id), found, "#222")   # the same as figures
"""

from core.experiments.cells import SweepInputs, cells
from core.experiments.matrix import sweep

__all__ = ["SweepInputs", "cells", "sweep"]
