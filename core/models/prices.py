"""What a call costs, from the price list of the genai-prices package; an unknown price is None,
never 0.
"""

from functools import cache

from core.models import LOCAL
from core.models.port import Request
from core.models.schema import in_words

_LISTED = {
    "openai": "openai",
    "anthropic": "anthropic",
    "google_genai": "google",
    "openrouter": "openrouter",
}
"""Our providers as the price list names them; it comes with the package, nothing is fetched."""
BYTES_PER_TOKEN = 3
"""English has about 4 bytes a token, Chinese about 3: estimates should err upwards."""


def free(model: str) -> bool:
    """Say whether a model answers in this process, for nothing."""
    return model == "builtin" or model.startswith(f"{LOCAL}:")


def price(
    model: str, tokens_in: int | None, tokens_out: int | None, cached: int | None = None
) -> float | None:
    """Return US dollars for a call to `model` (`provider:name`; `builtin` and `local:` are free);
    None where unknown. `cached` are those of `tokens_in` that the server had kept from an earlier
    call, which most providers charge less for.
    """
    if free(model):
        return 0.0
    provider, _, name = model.partition(":")
    listed = _LISTED.get(provider)
    if tokens_in is None or tokens_out is None or listed is None or not _known(listed, name):
        return None
    from genai_prices import Usage, calc_price

    kept = min(cached or 0, tokens_in)
    usage = Usage(input_tokens=tokens_in, cache_read_tokens=kept, output_tokens=tokens_out)
    return float(calc_price(usage, name, provider_id=listed).total_price)


@cache
def _known(provider: str, name: str) -> bool:
    """Say whether the price list has a model; it looks through all of itself for one it has not,
    each time.
    """
    from genai_prices import Usage, calc_price

    try:
        return bool(calc_price(Usage(input_tokens=1, output_tokens=1), name, provider_id=provider))
    except LookupError:
        return False


def expected_tokens(request: Request) -> tuple[int, int]:
    """Return an upper guess of (tokens in, tokens out) of one try at `request`."""
    earlier = [part for pair in (*request.turns, *request.corrections) for part in pair]
    shape = in_words(request.schema, constrained=False)
    whole = "".join([request.standing, request.text, shape, *earlier])
    size = len(whole.encode("utf-8", "surrogatepass"))
    return size // BYTES_PER_TOKEN + 1, request.sampling.max_tokens


def unreported(model: str, request: Request, tokens_in: int | None, tokens_out: int | None) -> int:
    """Return an upper guess of the tokens of one try that the server did not report; a model
    of this process takes none.
    """
    if free(model) or (tokens_in is not None and tokens_out is not None):
        return 0
    guess_in, guess_out = expected_tokens(request)
    return (guess_in if tokens_in is None else 0) + (guess_out if tokens_out is None else 0)


def at_most(model: str, request: Request, tokens_in: int | None, tokens_out: int | None) -> float:
    """Return an upper guess in US dollars of one try whose server did not report its usage; 0 where
    it did, and where the price is unknown.
    """
    if tokens_in is not None and tokens_out is not None:
        return 0.0
    guess_in, guess_out = expected_tokens(request)
    read = guess_in if tokens_in is None else tokens_in
    written = guess_out if tokens_out is None else tokens_out
    return price(model, read, written) or 0.0


def estimate(model: str, request: Request) -> float | None:
    """Return an upper guess in US dollars of one try at `request`; None where the price is
    unknown.
    """
    return price(model, *expected_tokens(request))
