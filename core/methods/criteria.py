"""The five research categories of InfAL (section 4.1), with what finds their papers at Semantic
Scholar: defaults that a person may edit.

The paper names the categories and the rule, not its search words and venues: these are ours. Where
the service spells a venue in an odd way, both ways are there; it takes ISO 4 abbreviations too.
"""

import json
from pathlib import Path

from pydantic import ValidationError

from core.errors import BadInput
from core.files import read_text
from core.records import Category, Criteria
from core.records.faults import fault_in_words

CATEGORIES: tuple[Category, ...] = (
    Category(
        name="Health and Medicine",
        fields=("Medicine",),
        query="patients | clinical | disease | health | therapy",
        venues=(
            "New England Journal of Medicine",
            "The Lancet",
            "Lancet",
            "JAMA",
            "BMJ",
            "British medical journal",
            "Nature Medicine",
            "Annals of Internal Medicine",
            "JAMA Internal Medicine",
            "JAMA Network Open",
            "PLoS Medicine",
            "The Lancet Digital Health",
            "Circulation",
            "Journal of Clinical Oncology",
            "Gut",
        ),
    ),
    Category(
        name="Genetics and Molecular Biology",
        fields=("Biology",),
        query="gene | genome | genetic | protein | molecular | transcription",
        venues=(
            "Nature Genetics",
            "Cell",
            "Molecular Cell",
            "Genome Biology",
            "Genome Research",
            "Nucleic Acids Research",
            "Nature Biotechnology",
            "Nature Structural & Molecular Biology",
            "Nature Structural &Molecular Biology",
            "American Journal of Human Genetics",
            "PLoS Genetics",
            "Cell Reports",
            "EMBO Journal",
            "eLife",
        ),
    ),
    Category(
        name="Environmental Sciences",
        fields=("Environmental Science",),
        query="climate | ecosystem | pollution | biodiversity | emissions | water",
        venues=(
            "Nature Climate Change",
            "Nature Sustainability",
            "Nature Ecology & Evolution",
            "Nature Ecology &Evolution",
            "Global Change Biology",
            "Environmental Science & Technology",
            "Environmental Health Perspectives",
            "One Earth",
            "Water Research",
            "Journal of Hazardous Materials",
            "Science of the Total Environment",
            "Environmental Pollution",
            "Remote Sensing of Environment",
        ),
    ),
    Category(
        name="Neuroscience and Cognitive Sciences",
        fields=("Biology", "Psychology", "Medicine"),
        query='brain | "neural circuit" | neurons | cognition | memory | perception',
        venues=(
            "Nature Neuroscience",
            "Neuron",
            "Nature Human Behaviour",
            "Brain",
            "Journal of Neuroscience",
            "NeuroImage",
            "Cerebral Cortex",
            "Biological Psychiatry",
            "Molecular Psychiatry",
            "Trends in Cognitive Sciences",
            "Psychological Science",
            "Cognition",
        ),
    ),
    Category(
        name="Technology and Engineering",
        fields=("Engineering", "Computer Science", "Materials Science"),
        query="algorithm | system | device | learning | sensor | material | robot",
        venues=(
            "Nature Electronics",
            "Nature Energy",
            "Nature Materials",
            "Nature Machine Intelligence",
            "Science Robotics",
            "Advanced Materials",
            "Neural Information Processing Systems",
            "International Conference on Machine Learning",
            "International Conference on Learning Representations",
            "Computer Vision and Pattern Recognition",
            "IEEE Transactions on Pattern Analysis and Machine Intelligence",
            "Annual Meeting of the Association for Computational Linguistics",
            "Joule",
        ),
    ),
)


def criteria(names: tuple[str, ...] = (), **given: object) -> Criteria:
    """Return criteria with the categories of these names (none: all five), and whatever else is
    given; raises BadInput.
    """
    known = {category.name.casefold(): category for category in CATEGORIES}
    chosen: dict[str, Category] = {}
    for name in names:
        if name.casefold() not in known:
            there_are = ", ".join(category.name for category in CATEGORIES)
            raise BadInput(
                f"There is no category {name!r}; there are {there_are}. Describe others in a file"
                " of criteria."
            )
        chosen[name.casefold()] = known[name.casefold()]
    categories = tuple(chosen.values()) or CATEGORIES
    return _validate({"categories": categories, **given}, "The criteria")


def criteria_from(path: Path, **given: object) -> Criteria:
    """Read criteria from a JSON file; what is given besides goes before what stands there. Raises
    BadInput.
    """
    text = read_text(path)
    try:
        file = json.loads(text)
    except RecursionError:
        raise BadInput(f"{path} is nested too deeply to be read.") from None
    except ValueError as error:
        raise BadInput(f"{path} is no JSON ({error}).") from None
    if not isinstance(file, dict):
        raise BadInput(
            f"{path} holds no criteria: write one JSON object with `year`, `each` and `categories`."
        )
    return _validate({"categories": CATEGORIES, **file, **given}, str(path))


def _validate(given: dict[str, object], where: str) -> Criteria:
    try:
        criteria = Criteria.model_validate(given)
    except ValidationError as error:
        wrong = error.errors()[0]
        field = ".".join(map(str, wrong["loc"]))
        raise BadInput(f"{where}: {field} is not usable ({fault_in_words(wrong)}).") from None
    names = [category.name.casefold() for category in criteria.categories]
    if len(set(names)) < len(names):
        raise BadInput(f"{where}: two categories have the same name.")
    return criteria
