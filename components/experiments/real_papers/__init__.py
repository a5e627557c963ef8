"""Published papers in bulk on screen: their topics confirmed by a person in one go, those that
cannot be used with the reasons, and the frozen list.
"""

from components.experiments.real_papers.view import whole

__all__ = ["whole"]
