"""Experiment matrices: methods x models x indicators x targets x n ideas, as one sweep that can be
resumed and extended.
"""

from core.experiments.cells import SweepInputs, cells
from core.experiments.matrix import sweep

__all__ = ["SweepInputs", "cells", "sweep"]
