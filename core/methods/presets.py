"""Quality indicators with their traits, as both papers on adversarial refinement use them (InfAL,
appendix A).
"""

from core.errors import BadInput
from core.records import Indicator

NOVELTY = Indicator(
    name="novelty",
    traits=(
        "creativity of the hypothesis",
        "innovation of the approach",
        "disruptiveness",
        "originality",
        "conceptual shift",
        "addressing a research gap",
    ),
)
FEASIBILITY = Indicator(
    name="feasibility",
    traits=(
        "accessibility of resources",
        "simplicity of method",
        "data availability",
        "time and cost efficiency",
        "scalability",
        "practicality",
    ),
)
PRESETS = {preset.name: preset for preset in (NOVELTY, FEASIBILITY)}


def indicator(name: str, traits: tuple[str, ...] = ()) -> Indicator:
    """Return the preset of that name, or an indicator of one's own; raises BadInput for an own one
    without traits.
    """
    name, traits = name.strip(), tuple(filter(None, map(str.strip, traits)))
    if not name:
        raise BadInput(
            "Name the quality to improve: novelty, feasibility, or one of your own with its traits."
        )
    if traits:
        return Indicator(name=name, traits=traits)
    if name.lower() not in PRESETS:
        raise BadInput(
            f"{name!r} is no preset ({', '.join(PRESETS)}). An indicator of your own needs at least"
            " one trait."
        )
    return PRESETS[name.lower()]
