"""The panel of judges, and the rules it is formed by (LiveIdeaBench, Methods, Experimental
protocol).
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from core.benchmark.identity import same_model
from core.models import PROVIDERS
from core.records import Entrant, Panelist

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


class PanelNote(NamedTuple):
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
    name = _bare(model).removesuffix(":free")
    name = re.sub(r"[: ]+", "-", name)
    name = re.sub(r"[()]", "", name)
    undated = _DATES.sub("", name)
    return re.sub(r"(?<=-\d)-(?=\d(?:-|$))", ".", undated) or name


def _bare(model: str) -> str:
    """Return a model's name without provider and vendor."""
    return _served(model)[1].rpartition("/")[2]


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
    found = []
    for model in models:
        listed = _find_listed(model, ranking) or Panelist(model=model)
        found.append(
            Panelist(
                model=model,
                organisation=listed.organisation or organisation(model),
                base=listed.base or base(model),
                rank=listed.rank,
            )
        )
    return tuple(found)


def _find_listed(model: str, ranking: Sequence[Panelist]) -> Panelist | None:
    for name_of in (_bare, plain):
        wanted = name_of(model)
        if found := [one for one in ranking if name_of(one.model) == wanted]:
            return found[0] if len(found) == 1 else None
    return None


def seats(size: int) -> int:
    """Return how many judges of one organisation a panel may have: a fifth of it, rounded down, and
    at least one (else no small panel could be formed).
    """
    return max(1, size // FIFTH)


def form_panel(
    ranking: Sequence[Panelist], size: int = SIZE
) -> tuple[tuple[Panelist, ...], tuple[PanelNote, ...]]:
    """Form a panel: the best of a general ranking, at most a fifth from one organisation, one per
    base model; say who was passed over and why.
    """
    panel: list[Panelist] = []
    notes: list[PanelNote] = []
    for one in sorted(ranking, key=lambda one: (*_standing(one), one.model)):
        if len(panel) == size:
            break
        if note := _passed_over(one, panel, size):
            notes.append(note)
        else:
            panel.append(one)
    if len(panel) < size:
        notes.append(
            PanelNote(
                "",
                "size",
                False,
                f"The ranking fills {len(panel)} of {size} seats by these rules.",
            )
        )
    return tuple(panel), tuple(notes)


def _passed_over(one: Panelist, panel: Sequence[Panelist], size: int) -> PanelNote | None:
    twin = next((other for other in panel if other.base and other.base == one.base), None)
    seated = sum(other.organisation == one.organisation for other in panel)
    rule: Rule
    if one.rank is None:
        rule, why = "rank", "it has no score in the ranking"
    elif twin:
        rule, why = "base", f"{twin.model} has the same base model ({one.base}) and ranks higher"
    elif one.organisation and seated >= seats(size):
        rule = "organisation"
        why = (
            f"{one.organisation} fills its {_judges(seats(size))} of {size} with models that rank"
            " higher"
        )
    else:
        return None
    return PanelNote(one.model, rule, True, f"{one.model} is left out: {why}.")


def check_panel(
    panel: Sequence[Panelist], entrants: Sequence[Entrant], ranking: Sequence[Panelist] = ()
) -> tuple[PanelNote, ...]:
    """Check a panel against the paper's rules; every deviation, and whatever cannot be told, is a
    sentence.

    `ranking` is the general ranking the panel should be the top of; without it, only who has no
    rank can be said.
    """
    notes = []
    if len(panel) != SIZE:
        size = f"The panel has {_judges(len(panel))}; the paper's has {SIZE}."
        notes.append(PanelNote("", "size", False, size))
    notes += _organisations(panel)
    notes += _bases(panel)
    notes += _ranks(panel, ranking)
    notes += _own(panel, entrants)
    return tuple(notes)


def _organisations(panel: Sequence[Panelist]) -> Iterator[PanelNote]:
    most = seats(len(panel))
    for name in dict.fromkeys(one.organisation for one in panel if one.organisation):
        for one in _best([one for one in panel if one.organisation == name])[most:]:
            guessed = ", by its name," if organisation(one.model) == name else ""
            yield PanelNote(
                one.model,
                "organisation",
                False,
                (
                    f"{one.model} is{guessed} one more of {name} than the {most} that a panel of"
                    f" {len(panel)} may have (a fifth, at least one)."
                ),
            )
    if unknown := [one.model for one in panel if not one.organisation]:
        yield PanelNote(
            "",
            "organisation",
            None,
            (
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
                one.model,
                "base",
                False,
                (
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
            "",
            "rank",
            None,
            (
                f"{who} a score in a general ranking, so nothing says whether these are the best"
                " models."
            ),
        )
    best, _ = form_panel(ranking, len(panel))
    seated = {plain(one.model) for one in panel}
    wanted = {plain(one.model) for one in best}
    missing = [one for one in best if plain(one.model) not in seated]
    for one in panel if missing else ():
        if one.rank is not None and plain(one.model) not in wanted:
            yield PanelNote(
                one.model,
                "rank",
                False,
                (
                    f"{one.model} ({one.rank:g}) is not among the best {len(panel)} that the rules"
                    f" allow; {missing[0].model} ({missing[0].rank:g}) would be."
                ),
            )


def _own(panel: Sequence[Panelist], entrants: Sequence[Entrant]) -> Iterator[PanelNote]:
    for one in panel:
        for entrant in entrants:
            if same_model(one.model, entrant.model):
                yield PanelNote(
                    one.model,
                    "own ideas",
                    True,
                    f"{one.model} writes ideas too; it never judges those.",
                )
            elif one.base and one.base == base(entrant.model):
                yield PanelNote(
                    one.model,
                    "own ideas",
                    True,
                    (
                        f"{one.model} may judge ideas of {entrant.model}, which has the same base "
                        "model; the paper lets it, and leaves out only the model itself."
                    ),
                )


def _best(panelists: Iterable[Panelist]) -> list[Panelist]:
    return sorted(panelists, key=_standing)


def _standing(one: Panelist) -> tuple[bool, float]:
    return one.rank is None, -(one.rank or 0.0)


def _named(models: Sequence[str]) -> str:
    return models[0] if len(models) == 1 else f"{', '.join(models[:-1])} and {models[-1]}"


def _judges(count: int) -> str:
    return f"{count} judge{'' if count == 1 else 's'}"
