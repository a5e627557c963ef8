"""The panel of judges, and the rules it is formed by (LiveIdeaBench, Methods, Experimental
protocol).
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from core.benchmark.identity import same_model
from core.models.addresses import PROVIDERS
from core.records import Entrant, Panelist, Record

SIZE = 10
"""Judges in the paper's panel."""
FIFTH = 5
"""One organisation may fill one seat in so many (20 %)."""
Rule = Literal["organisation", "base", "size", "rank", "own ideas"]
VENDORS = {
    "openai": "OpenAI",
    "anthropic": "Anthropic",
    "google": "Google",
    "qwen": "Qwen",
    "deepseek": "DeepSeek",
    "meta-llama": "Meta",
    "meta": "Meta",
    "mistralai": "Mistral",
    "mistral": "Mistral",
    "amazon": "Amazon",
    "x-ai": "xAI",
    "xai": "xAI",
    "microsoft": "Microsoft",
    "stepfun": "StepFun",
    "stepfun-ai": "StepFun",
    "cohere": "Cohere",
    "moonshotai": "Moonshot",
    "z-ai": "Zhipu",
    "thudm": "Zhipu",
    "nvidia": "NVIDIA",
    "minimax": "MiniMax",
    "ibm-granite": "IBM",
    "allenai": "Ai2",
    "baidu": "Baidu",
    "tencent": "Tencent",
    "bytedance": "ByteDance",
    "01-ai": "01.AI",
    "ai21": "AI21",
}
"""Organisations by what routers call them."""
FAMILIES = (
    (r".*nemotron", "NVIDIA"),
    (r"claude", "Anthropic"),
    (r"(chat)?gpt-?(?!j|neo)\d|gpt-oss|o\d(?![\w.])", "OpenAI"),
    (r"gemini?-|gemma", "Google"),
    (r"qwen|qwq|qvq", "Qwen"),
    (r"deepseek", "DeepSeek"),
    (r"(meta-)?llama", "Meta"),
    (r"mistral|mixtral|ministral|codestral|magistral|devstral|pixtral", "Mistral"),
    (r"nova-(micro|lite|pro|premier)", "Amazon"),
    (r"grok", "xAI"),
    (r"phi-?\d", "Microsoft"),
    (r"step-\d", "StepFun"),
    (r"command-", "Cohere"),
    (r"kimi|moonshot", "Moonshot"),
    (r"(chat)?glm-?\d", "Zhipu"),
    (r"minimax", "MiniMax"),
    (r"granite", "IBM"),
    (r"olmo|tulu", "Ai2"),
    (r"ernie", "Baidu"),
    (r"hunyuan", "Tencent"),
    (r"doubao", "ByteDance"),
)
"""Organisations by how names of their models begin, the first that fits."""
_DATES = re.compile(
    r"-(?:20\d\d-?[01]\d(?:-?[0-3]\d)?|2[3-9](?:0[1-9]|1[0-2])|(?:0[1-9]|1[0-2])-?[0-3]\d|00\d|"
    r"latest)(?![\w.])"
)
_EFFORT = re.compile(
    r"-(?:(?:non?-?)?(?:thinking|reasoning)(?:-\d+k)?|x?high|medium|low|minimal)(?=-exp|$)"
)
_SIZED = re.compile(r"(?:mistral|phi-\d[\d.]*)-(?:medium|small|large)$")
"""`medium` is a size in these names, and no effort."""


class PanelNote(Record):
    """What a rule says of a judge, or of the whole panel."""

    model: str
    """Empty where it is about the panel."""
    rule: Rule
    kept: bool | None
    """Whether the panel keeps the rule; None where that cannot be told. A judge passed over by a
    rule keeps it.
    """
    said: str


def organisation(model: str) -> str:
    """Guess by its name who made a model; empty where the name does not tell. A guess: whoever
    shows it lets a person change it.
    """
    provider, path = _served(model)
    vendor, _, name = path.rpartition("/")
    if vendor:
        return VENDORS.get(vendor.rpartition("/")[2], vendor.rpartition("/")[2])
    if provider in ("anthropic", "google_genai"):
        return VENDORS[provider.partition("_")[0]]
    return next((made for begins, made in FAMILIES if re.match(begins, name)), "")


def base(model: str) -> str:
    """Guess by its name the base model of a model: the name without date, release number and
    reasoning effort (`o3-mini-high` is `o3-mini`).
    """
    name = plain(model)
    return name if _SIZED.match(name) else _EFFORT.sub("", name)


def plain(model: str) -> str:
    """Return a model's name as rankings are looked up by: without provider, vendor, date and
    release number, versions with a point.
    """
    name = _served(model)[1].rpartition("/")[2].removesuffix(":free")
    name = re.sub(r"[()]", "", re.sub(r"[: ]+", "-", name))
    return re.sub(r"(?<=-\d)-(?=\d(?:-|$))", ".", _DATES.sub("", name)) or name


def _served(model: str) -> tuple[str, str]:
    provider, _, path = model.strip().casefold().partition(":")
    if path and provider in (*PROVIDERS, "builtin"):
        return (provider, path)
    return ("", model.strip().casefold())


def panelists(models: Sequence[str], ranking: Sequence[Panelist] = ()) -> tuple[Panelist, ...]:
    """Return models with organisation, base and rank as a general ranking has them; what it lacks
    is guessed by name, apart from the rank.

    A model is looked up by its full name, then without the date; where several of a ranking fit,
    none is taken.
    """
    return tuple(_looked_up(model, ranking) for model in models)


def _looked_up(model: str, ranking: Sequence[Panelist]) -> Panelist:
    there = _listed(model, ranking)
    return Panelist(
        model=model,
        organisation=there.organisation if there and there.organisation else organisation(model),
        base=there.base if there and there.base else base(model),
        rank=there.rank if there else None,
    )


def _listed(model: str, ranking: Sequence[Panelist]) -> Panelist | None:
    full = _served(model)[1].rpartition("/")[2]
    found = [one for one in ranking if _served(one.model)[1].rpartition("/")[2] == full] or [
        one for one in ranking if plain(one.model) == plain(model)
    ]
    return found[0] if len(found) == 1 else None


def seats(size: int) -> int:
    """Return how many judges of one organisation a panel may have: a fifth of it, rounded down, and
    at least one (else no small panel could be formed).
    """
    return max(1, size // FIFTH)


def formed(
    ranking: Sequence[Panelist], size: int = SIZE
) -> tuple[tuple[Panelist, ...], tuple[PanelNote, ...]]:
    """Form a panel: the best of a general ranking, at most a fifth from one organisation, one per
    base model; say who was passed over and why.
    """
    panel: list[Panelist] = []
    notes: list[PanelNote] = []
    for one in sorted(ranking, key=lambda one: (one.rank is None, -(one.rank or 0.0), one.model)):
        if len(panel) == size:
            break
        if note := _passed_over(one, panel, size):
            notes.append(note)
        else:
            panel.append(one)
    if len(panel) < size:
        notes.append(
            PanelNote(
                model="",
                rule="size",
                kept=False,
                said=f"The ranking fills {len(panel)} of {size} seats by these rules.",
            )
        )
    return tuple(panel), tuple(notes)


def _passed_over(one: Panelist, panel: Sequence[Panelist], size: int) -> PanelNote | None:
    if one.rank is None:
        return PanelNote(
            model=one.model,
            rule="rank",
            kept=True,
            said=f"{one.model} is left out: it has no score in the ranking.",
        )
    if twin := next((other for other in panel if other.base and other.base == one.base), None):
        return PanelNote(
            model=one.model,
            rule="base",
            kept=True,
            said=(
                f"{one.model} is left out: {twin.model} has the same base model ({one.base}) and"
                " ranks higher."
            ),
        )
    if one.organisation and sum(other.organisation == one.organisation for other in panel) >= seats(
        size
    ):
        return PanelNote(
            model=one.model,
            rule="organisation",
            kept=True,
            said=(
                f"{one.model} is left out: {one.organisation} fills its {_judges(seats(size))} of"
                f" {size} with models that rank higher."
            ),
        )
    return None


def checked(
    panel: Sequence[Panelist], entrants: Sequence[Entrant], ranking: Sequence[Panelist] = ()
) -> tuple[PanelNote, ...]:
    """Check a panel against the paper's rules; every deviation, and whatever cannot be told, is a
    sentence.

    `ranking` is the general ranking the panel should be the top of; without it, only who has no
    rank can be said.
    """
    size = []
    if len(panel) != SIZE:
        said = f"The panel has {_judges(len(panel))}; the paper's has {SIZE}."
        size.append(PanelNote(model="", rule="size", kept=False, said=said))
    return (
        *size,
        *_organisations(panel),
        *_bases(panel),
        *_ranks(panel, ranking),
        *_own(panel, entrants),
    )


def _organisations(panel: Sequence[Panelist]) -> Iterator[PanelNote]:
    most = seats(len(panel))
    for name in dict.fromkeys(one.organisation for one in panel if one.organisation):
        for one in _best([one for one in panel if one.organisation == name])[most:]:
            guessed = ", by its name," if organisation(one.model) == name else ""
            yield PanelNote(
                model=one.model,
                rule="organisation",
                kept=False,
                said=(
                    f"{one.model} is{guessed} one more of {name} than the {most} that a panel of"
                    f" {len(panel)} may have (a fifth, at least one)."
                ),
            )
    if unknown := [one.model for one in panel if not one.organisation]:
        yield PanelNote(
            model="",
            rule="organisation",
            kept=None,
            said=(
                f"Nothing says who made {_named(unknown)}, so it cannot be checked that at most a"
                " fifth of the panel is of one organisation; a general ranking with organisations"
                " would say it."
            ),
        )


def _bases(panel: Sequence[Panelist]) -> Iterator[PanelNote]:
    for name in dict.fromkeys(one.base for one in panel if one.base):
        first, *others = _best([one for one in panel if one.base == name])
        for one in others:
            yield PanelNote(
                model=one.model,
                rule="base",
                kept=False,
                said=(
                    f"{one.model} has the same base model as {first.model} ({name}), and the paper"
                    " takes one of each."
                ),
            )


def _ranks(panel: Sequence[Panelist], ranking: Sequence[Panelist]) -> Iterator[PanelNote]:
    if unknown := [one.model for one in panel if one.rank is None]:
        who = (
            "No judge has"
            if len(unknown) == len(panel)
            else f"{_named(unknown)} {'has' if len(unknown) == 1 else 'have'} not"
        )
        yield PanelNote(
            model="",
            rule="rank",
            kept=None,
            said=(
                f"{who} a score in a general ranking, so nothing says whether these are the best"
                " models."
            ),
        )
    best, _ = formed(ranking, len(panel))
    there = {plain(one.model) for one in panel}
    missing = [one for one in best if plain(one.model) not in there]
    for one in panel if missing else ():
        if one.rank is not None and plain(one.model) not in {plain(other.model) for other in best}:
            yield PanelNote(
                model=one.model,
                rule="rank",
                kept=False,
                said=(
                    f"{one.model} ({one.rank:g}) is not among the best {len(panel)} that the rules"
                    f" allow; {missing[0].model} ({missing[0].rank:g}) would be."
                ),
            )


def _own(panel: Sequence[Panelist], entrants: Sequence[Entrant]) -> Iterator[PanelNote]:
    for one in panel:
        for entrant in entrants:
            if same_model(one.model, entrant.model):
                yield PanelNote(
                    model=one.model,
                    rule="own ideas",
                    kept=True,
                    said=f"{one.model} writes ideas too; it never judges those.",
                )
            elif one.base and one.base == base(entrant.model):
                yield PanelNote(
                    model=one.model,
                    rule="own ideas",
                    kept=True,
                    said=(
                        f"{one.model} may judge ideas of {entrant.model}, which has the same base "
                        "model; the paper lets it, and leaves out only the model itself."
                    ),
                )


def _best(panelists: Iterable[Panelist]) -> list[Panelist]:
    return sorted(panelists, key=lambda one: (one.rank is None, -(one.rank or 0.0)))


def _named(models: Sequence[str]) -> str:
    return models[0] if len(models) == 1 else f"{', '.join(models[:-1])} and {models[-1]}"


def _judges(count: int) -> str:
    return f"{count} judge{'' if count == 1 else 's'}"
