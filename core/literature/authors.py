"""Who wrote a paper, for lines that have room for a few names."""

from core.records import Paper


def listed(paper: Paper, most: int) -> str:
    """Return so many authors at most, and how many more there are; `and others` where the source
    itself names some only. Empty where it names nobody.
    """
    names = ", ".join(paper.named[:most])
    over = len(paper.named) - most
    if paper.unnamed:
        return f"{names} and others"
    return f"{names} and {over} more" if over > 0 else names


def cited(paper: Paper) -> str:
    """Return up to three authors as people cite them; of more, the first and `et al.`"""
    names = [" ".join(name.split()) for name in paper.named if name.strip()]
    if not names:
        return "Unknown authors"
    if len(names) > 3 or paper.unnamed:
        return f"{names[0]} et al."
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def briefly(paper: Paper) -> str:
    """Return first author and year, for labels: `Li et al., 2024`; the year alone where nobody is
    named.
    """
    year = str(paper.year or "undated")
    families = [words[-1] for name in paper.named if (words := name.split())]
    if not families:
        return year
    if len(families) > 2 or paper.unnamed:
        return f"{families[0]} et al., {year}"
    return f"{' and '.join(families)}, {year}"
