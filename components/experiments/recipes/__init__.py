"""The papers' experiments as recipes: the gallery, a recipe of one's own, and the form of one that
is opened.
"""

from components.experiments.recipes.gallery import ALL, draw

__all__ = ["ALL", "draw"]
