"""Contenders tried on the same topics: each has an idea written on each topic, and all meet in one
arena (Chain of Ideas, sections 3 and 4).

held = collect(store, run)        # the cells and the arenas that are there
tables(store, held)               # ratings by criterion, differences, lengths, agreement, costs
figures(store, held, "#222")      # the same as figures
"""

from core.experiments.topics.cells import TopicExperimentInputs
from core.experiments.topics.filling import PROMPTS, fill_all

__all__ = ["PROMPTS", "TopicExperimentInputs", "fill_all"]
