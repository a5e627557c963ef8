"""Whether the services that a source asks answer from here, without asking for a paper."""

from concurrent.futures import ThreadPoolExecutor, wait

from core.settings import Settings

PATIENCE = 1.0
"""Seconds a service has to answer."""


def networked(source: str) -> tuple[str, ...]:
    """Return the names of what a source asks over the network, in the order of its name."""
    single = source.replace("+", "|").split("|")
    return tuple(name for name in single if name in ("semantic-scholar", "openalex"))


def silent(source: str, settings: Settings) -> tuple[str, ...]:
    """Return which services of a source do not answer from here within a second; whatever they
    answer, they are there.
    """
    addresses = {
        "semantic-scholar": settings.semantic_scholar_url,
        "openalex": settings.openalex_url,
    }
    asked = networked(source)
    if not asked:
        return ()
    pool = ThreadPoolExecutor(len(asked))
    answers = {name: pool.submit(_answers, addresses[name]) for name in asked}
    wait(answers.values(), PATIENCE)
    # Looking up the name of a machine takes as long as it takes, where there is no network.
    pool.shutdown(wait=False)
    return tuple(name for name, one in answers.items() if not (one.done() and one.result()))


def _answers(address: str) -> bool:
    import httpx

    try:
        httpx.head(address, timeout=PATIENCE)
    except (httpx.HTTPError, httpx.InvalidURL):
        return False
    return True
