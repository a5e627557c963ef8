"""LiveIdeaBench: ideas from one keyword, judged by panels of models on five dimensions, at any size
from one keyword to the full sweep.

    conduct(desk, inputs)                            # works through every cell that is left
    found = findings(store, run.id)                  # leaderboard, domains, lengths, judges, usage
    gallery(FigureRequest(found, "#22252a")).drawn   # every figure, each with its table
"""

from core.benchmark.inputs import BenchInputs

__all__ = ["BenchInputs"]
