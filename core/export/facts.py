"""What a report says of the run itself: state, models, source, calls, tokens, cost, and when."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Literal

from core import VERSION
from core.export.asked import Fact
from core.export.blocks import Blocks, Heading, prose
from core.literature import label as source_label
from core.models import LOCAL
from core.records import Config, Run, Sampling, usage
from core.runs.catalogue import entry, people_instead
from core.runs.crew import EXTENSION
from core.store import Store
from core.store.steps import StepSummary
from core.wording.numbers import counted

Authored = Literal["none", "some", "all"]
AUTHORED: dict[Authored, str] = {
    "all": "The texts of this run were written for a case study; no model wrote them.",
    "some": (
        "Some texts of this run were written for a case study, by no model: those it began from."
        " Models, tokens and cost are of what came after."
    ),
}
MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
NONE = "none: the texts were written for a case study"
RULES = "the built-in model, which is rule-based, for trying things out, and no language model"


def facts(store: Store, run: Run, steps: StepSummary, lacks: str = "") -> Iterator[Fact]:
    """Yield the facts of a run: `lacks` says why a finished one has no result.

    An unknown cost or count is said to be unknown.
    """
    config, written = run.config, authored(run, steps)
    method = entry(config).label
    origin = ""
    if run.fork_at == EXTENSION:
        origin = f", an extension of run {run.parent}"
    elif run.parent:
        origin = f", a branch of run {run.parent} from {run.fork_at} on"
    yield "Run", f"{run.id}, {method}, version {config.version}{origin}"
    if lacks:
        yield "State", f"done, without a result ({lacks})"
    else:
        yield "State", run.state + (f" ({run.reason})" if run.reason else "")
    yield "Started", moment(run.created) + (f", ended {moment(run.ended)}" if run.ended else "")
    if written == "all":
        yield "Models", NONE
    else:
        yield "Working time", duration(run.worked)
        models = config.models
        if people := people_instead(config):
            yield "Model", f"none, {people}"
            models = {}
        for role, name in models.items():
            yield f"Model ({role})", called(name) + _whence(store, run, name)
        if others := by_others(store, run):
            yield "Models of what was taken over", by_role(others)
    yield "Sampling", sampled(config)
    yield "Source of papers", source_label(config.source)
    yield "Seed", str(config.seed)
    yield "Calls", calls(run, steps)
    yield "Tokens", NONE if written == "all" else tokens(run)
    yield "Cost", NONE if written == "all" else money(run.cost, run.unpriced)
    if run.packed:
        by = f", packed by {run.packed.by} as its file says" if run.packed.by else ""
        about = f". {run.packed.about}" if run.packed.about else ""
        yield "Case study", f"{run.packed.title}{by}, run of {moment(run.packed.at)}{about}"
        yield "Digest of its file (SHA-256, no signature)", run.packed.sha


def by_others(store: Store, run: Run) -> dict[str, tuple[str, ...]]:
    """Return which models answered, by role, what a run took over from another one; empty where
    they are its own: a branch may go on with others.
    """
    # An extension asks nothing but what its parent lacks, and takes over no other model's answers.
    branches = (run.parent or run.packed) and run.fork_at != EXTENSION
    found = store.steps.took_over(run.id) if branches else {}
    own = run.config.models
    return found if any(names != (own.get(role),) for role, names in found.items()) else {}


def by_role(models: Mapping[str, Iterable[str]]) -> str:
    """Say who plays which roles: `openai:a as main, cheap; openai:a, openai:b as judge`."""
    played: dict[str, list[str]] = {}
    for role, names in models.items():
        played.setdefault(", ".join(map(called, names)), []).append(role)
    return "; ".join(f"{names} as {', '.join(roles)}" for names, roles in played.items())


def imprint(run: Run, others: Mapping[str, Sequence[str]] | None = None) -> str:
    """Say what a report was made with, from which run, on which day (UTC) that ended, and what the
    built-in model had a part in; `others` are the models of what the run took over, by role.
    """
    kind = "case study" if run.packed else "run"
    program = f"Idea Foundry {VERSION}"
    made = f"Made with {program}, {day(run.ended)}, from {kind} {run.id}." if run.ended else ""
    made = made or (
        f"Made with {program} from {kind} {run.id}, which began on {day(run.created)} and has not"
        " ended."
    )
    return f"{made} {by_rules(run, others or {})}".rstrip()


def by_rules(run: Run, others: Mapping[str, Sequence[str]]) -> str:
    """Say what of a run's texts the built-in model wrote; empty where it had no part in them."""
    roles = run.config.models
    played = [role for role, name in roles.items() if name == "builtin"]
    before = any("builtin" in names for names in others.values())
    if people_instead(run.config) or not (played or before):
        return ""
    said = f"In it {RULES}, stands for: {', '.join(played)}." if played else ""
    if not others:
        return f"Its texts were written by {RULES}." if len(played) == len(roles) else said
    taken = f"What was taken over from another run was answered by {by_role(others)}."
    if len(played) == len(roles):
        return f"{taken} What came after was written by {RULES}."
    return f"{taken} {said.replace('In it', 'In what came after,', 1)}".rstrip()


def day(at: str) -> str:
    """Return the day of a moment (ISO 8601, UTC) as people write it: 23 November 2026."""
    found = datetime.fromisoformat(at)
    return f"{found.day} {MONTHS[found.month - 1]} {found.year}"


def duration(seconds: float) -> str:
    """Say how long something took, in its two largest units: `2 h 5 min`."""
    whole = max(0, int(seconds))
    if not whole:
        return "under 1 s"
    parts = (
        (whole // 86_400, "d"),
        (whole // 3_600 % 24, "h"),
        (whole // 60 % 60, "min"),
        (whole % 60, "s"),
    )
    first = next((n for n, (amount, _) in enumerate(parts) if amount), 3)
    return " ".join(f"{amount} {unit}" for amount, unit in parts[first : first + 2])


def unfinished(run: Run) -> str:
    """Say how a run without an outcome stands."""
    if run.state == "done":
        return "It came to its end without a result."
    return f"It has not ended; the run is {run.state}." + (f" {run.reason}" if run.reason else "")


def standing(run: Run, title: str = "How it stands") -> Blocks:
    """Write how a run without an outcome stands."""
    return Heading(title), prose(unfinished(run))


def authored(run: Run, steps: StepSummary) -> Authored:
    """Say how many of the texts were written for a case study: a branch of one may go on with a
    model.
    """
    packed_so = run.packed is not None and run.packed.authored
    if not packed_so and not steps.authored:
        return "none"
    return "some" if run.calls else "all"


def called(name: str) -> str:
    """Return a model's name; the built-in one is said to be no language model."""
    return "built-in (rule-based, for trying things out)" if name == "builtin" else name


def _whence(store: Store, run: Run, name: str) -> str:
    """Say which training a policy comes from, as the first step it answered recorded it."""
    if not name.startswith(f"{LOCAL}:"):
        return ""
    origin = store.steps.first_origin(run.id, name)
    if origin is None:
        return ""
    said = origin.detail
    return f", trained from {said['base']} in run {said['run']}, step {said['step']}"


def money(cost: float, unpriced: int) -> str:
    """Say what calls cost in dollars; those of unknown price are named, never counted as free."""
    unknown = counted(unpriced, "call") + " of unknown price"
    if unpriced and not cost:
        return unknown
    return f"${cost:.4f}" + (f" and {unknown}" if unpriced else "")


def tokens(run: Run) -> str:
    """Say how many tokens were read and written as far as servers reported it, and of how many
    calls they did not.
    """
    return usage.tokens(run.tokens_in, run.tokens_out, run.calls, run.unreported)


def calls(run: Run, steps: StepSummary) -> str:
    """Say how many calls were made here, and how many steps came from the parent without any."""
    text = f"{run.calls:,} in {counted(steps.steps, 'step')}"
    if run.maybe_paid:
        text += f"; {run.maybe_paid:,} of them may have been paid for: the reply was lost"
    if steps.taken:
        text += f"; {counted(steps.taken, 'step')} taken over from another run, free of charge"
    return text


def moment(at: str) -> str:
    """Say an ISO time to the minute."""
    return f"{at[:16].replace('T', ' ')} UTC"


def sampled(config: Config) -> str:
    """Say how the models of a run are sampled."""

    def in_words(sampling: Sampling) -> str:
        return (
            f"temperature {sampling.temperature:g}, at most {sampling.max_tokens:,} tokens a reply"
        )

    writers = in_words(config.sampling)
    if not config.samplings:
        return writers
    others = (f"{role}s {in_words(one)}" for role, one in sorted(config.samplings.items()))
    return f"{'; '.join((f'writers {writers}', *others))}. A reply that is cut off gets more room"
