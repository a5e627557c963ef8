"""The branches of a refinement as a tree: one lane a branch, one mark a round."""
from components.refine_scene import Scene


def draw(scene: Scene) -> None:
    """Draw the whole family of runs this one belongs to; a mark opens its round."""
