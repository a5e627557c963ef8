"""Finding papers: sources by name.

A run's configuration freezes how its source is spelled: one name, `a|b` for `a` and `b` when it
fails, `a+b` for both together; `|` binds tighter. Names are known here; `core.literature.opening`
opens what they stand for.
"""

LABELS = {
    "shelf": "Built-in papers",
    "semantic-scholar": "Semantic Scholar",
    "openalex": "OpenAlex",
    "library": "Own literature",
}
"""What can be opened, and what it is called."""
SECOND = {"semantic-scholar": "openalex", "openalex": "semantic-scholar"}
SOURCES: dict[str, str] = {
    "shelf": (
        "Built-in papers: 133 real papers in three fields, with checked references; needs no"
        " network."
    ),
    "semantic-scholar|openalex": (
        "Semantic Scholar, then OpenAlex: some 200 million papers with their citations; OpenAlex is"
        " asked where Semantic Scholar fails, and the run says so. Needs a network; keys make both"
        " steadier."
    ),
    "openalex|semantic-scholar": (
        "OpenAlex, then Semantic Scholar: some 250 million papers with their citations; Semantic"
        " Scholar is asked where OpenAlex fails, and the run says so. Needs a network; keys make"
        " both steadier."
    ),
    "library": (
        "Own literature: what you imported on the Library page, followed along the citations that"
        " are known, else by closeness in meaning; needs no network."
    ),
    "library+semantic-scholar|openalex": (
        "Own literature together with Semantic Scholar, then OpenAlex: your papers and those that"
        " cite them. Needs a network."
    ),
}
"""What a person chooses from, with a line each."""


def spell(name: str) -> str:
    """Return a source's name with a second choice behind a service that stands alone: `openalex`
    becomes `openalex|semantic-scholar`.
    """
    parts = name.split("+")
    return "+".join(
        f"{part}|{SECOND[part]}" if part in SECOND and SECOND[part] not in parts else part
        for part in parts
    )


def label(name: str) -> str:
    """Say how a source is spelled in words: `Own literature with Semantic Scholar, then OpenAlex`;
    a name nobody knows stays as it is.
    """
    return " with ".join(
        ", then ".join(LABELS.get(choice, choice) for choice in part.split("|"))
        for part in name.split("+")
    )
