"""Any two versions side by side: rounds of one run, of two branches, of two ideas."""
from components.refine_scene import Scene


def draw(scene: Scene) -> None:
    """Draw the choice of two versions and what is different between them, word by word."""
