"""Where a model is strong: its scores by scientific domain."""

from collections.abc import Sequence

import numpy as np

from core.benchmark.results.measures import SCORED, means
from core.records import GroupSums, Keyword, Record
from core.statistics.clusters import Spread
from core.statistics.intervals import FEWEST, SCORE, Floats
from core.statistics.paired import mean_ci


class DomainScore(Record):
    """One model's scores on the keywords of one domain; None where there are none."""

    model: str
    domain: str
    """Empty for keywords that are counted to no domain."""
    value: Spread
    """The mean, over keywords that have all of them, of the mean of originality, feasibility,
    clarity and fluency; its `n` counts them.
    """
    of: int = 4
    """How many that mean is of: three, without fluency, in a benchmark where no two ideas were
    compared.
    """
    originality: float | None = None
    feasibility: float | None = None
    clarity: float | None = None
    fluency: float | None = None
    keywords: int = 0
    """Keywords of the domain for which at least one of the model's ideas was judged."""


def by_domain(
    groups: Sequence[GroupSums], keywords: Sequence[Keyword], models: Sequence[str]
) -> tuple[DomainScore, ...]:
    """Return every model's scores in every domain, models in their own order, domains in the order
    their keywords come.

    The interval of the mean of the four is Student's t over the domain's keywords, cut at 1 and 10,
    and is not given under 10 of them.
    """
    given = means(groups, len(models))
    # Where nobody compares two ideas the other three are all there is; where some model has pairs,
    # one without stands aside.
    of = 4 if any(one.pairs for one in groups) else 3
    whole = (
        given.whole
        if of == 4
        else given.values[[n for n, name in enumerate(SCORED) if name != "fluency"]].mean(axis=0)
    )
    domain_of = np.array([keywords[k].domain for k in given.keywords], dtype=np.str_)
    places = [(domain, domain_of == domain) for domain in domains(keywords)]
    return tuple(
        _score(name, domain, whole[m, there], given.values[:, m, there]).model_copy(
            update={"of": of}
        )
        for m, name in enumerate(models)
        for domain, there in places
    )


def domains(keywords: Sequence[Keyword]) -> tuple[str, ...]:
    """Return the domains in the order their keywords come, and last the empty one, where a keyword
    has none.
    """
    return tuple(sorted(dict.fromkeys(one.domain for one in keywords), key=lambda name: not name))


def _score(model: str, domain: str, whole: Floats, scores: Floats) -> DomainScore:
    mean = mean_ci(_known(whole).tolist(), SCORE, "keywords")
    value = Spread(value=mean.value, n=mean.n)
    if mean.n >= FEWEST:
        value = Spread(value=mean.value, low=mean.low, high=mean.high, n=mean.n)
    each = {name: _known(one) for name, one in zip(SCORED, scores, strict=True)}
    means = {name: float(one.mean()) if len(one) else None for name, one in each.items()}
    keywords = len(each["originality"])
    return DomainScore(model=model, domain=domain, value=value, keywords=keywords, **means)


def _known(values: Floats) -> Floats:
    found: Floats = values[np.isfinite(values)]
    return found
