"""LiveIdeaBench: ideas from one keyword, judged by panels on five dimensions, at any size from one
keyword to the full sweep.
"""

from core.benchmark.inputs import BenchInputs

__all__ = ["BenchInputs"]
