"""Novelty checks measured on labelled ideas: by depth, by judge, over several seeds.

held = collect(store, run)        # the checks that are there
figures(store, held)              # agreement, false "new", false "known", what it cost
tables(store, held)
"""

from core.experiments.novelty.cells import NoveltyExperimentInputs
from core.experiments.novelty.filling import PROMPTS, check_all

__all__ = ["PROMPTS", "NoveltyExperimentInputs", "check_all"]
