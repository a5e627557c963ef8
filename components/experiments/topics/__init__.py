"""An experiment over topics on screen: what it found, its figures, its cells, and its export."""

from components.experiments.topics.view import progress, whole

__all__ = ["progress", "whole"]
