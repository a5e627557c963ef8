"""What a checklist experiment says, in sentences: which generator is best and by how much, what
directives change, and how far its scores can be trusted.
"""

from collections.abc import Iterator, Sequence

from core.errors import BadInput
from core.experiments.checklist.cells import ChecklistExperimentInputs, Condition
from core.experiments.checklist.results import (
    QUESTION,
    SUM,
    ChecklistResults,
    PairedDifference,
    differences,
    sums,
)
from core.records import ITEMS, TrainedPolicy, TrainingData
from core.statistics.intervals import Figure
from core.statistics.paired import mean_ci
from core.store import Store
from core.wording.numbers import counted

LOCAL = "local:"
"""What the name of a trained policy begins with."""


def outcome(held: ChecklistResults) -> tuple[str, ...]:
    """Return the result in sentences, the most important first; none where no idea came so far as
    the last step.
    """
    provider = held.asked.providers[0] if held.asked.providers else ""
    ranked = _ranked(held, provider)
    if not ranked:
        return ()
    most = max(figure.n for _, figure in ranked)
    (best, figure), *others = ranked
    whose = f"by the directives of {provider}" if provider else "by the model itself"
    level = [name for name, one in others if one.value == figure.value]
    leads = "comes to a mean sum"
    if others:
        beside = f", as high as {' and '.join(level)}" if level else ""
        leads = f"has the highest mean sum{beside}"
    sentences = [
        f"Revised {whose}, {best} {leads}: {_told(figure)} of {len(ITEMS)} items hold, over"
        f" {counted(figure.n, 'question')}."
    ]
    if fewer := [f"{name} {one.n}" for name, one in ranked if one.n < most]:
        sentences.append(
            f"Not all answered {counted(most, 'question')} ({', '.join(fewer)}): they compare on"
            " those that both answered."
        )
    found = differences(held)
    if others:
        sentences.append(_lead(found, best, others[0][0], provider))
    return (*sentences, *_gains(found, best, provider))


def _ranked(held: ChecklistResults, provider: str) -> list[tuple[str, Figure]]:
    """Return the generators with their mean sum after the last step, the best first."""
    found = []
    for generator in held.asked.generators:
        cells = held.by_condition[Condition(generator, provider)]
        after = sums(cells, held.asked.steps - 1)
        if after:
            found.append((generator, mean_ci(list(after.values()), SUM, QUESTION[1])))
    return sorted(found, key=lambda one: -(one[1].value or 0.0))


def _lead(found: Sequence[PairedDifference], best: str, second: str, provider: str) -> str:
    for one in found:
        pair = one.kind, one.provider, {one.a, one.b}
        if pair == ("generators", provider, {best, second}):
            figure = one.figure if one.a == best else turned(one.figure)
            on = f"on {counted(figure.n, 'question')} that both answered"
            if figure.value is None:
                return f"It and {second} answered no question in common, so neither leads."
            if figure.value == 0:
                return f"It is level with {second} {on}{_apart(figure)}."
            # Over what both answered it may be the other that is ahead.
            if figure.value < 0:
                return f"Yet {second} leads it by {_told(turned(figure))}, {on}{_apart(figure)}."
            return f"It leads {second} by {_told(figure)}, {on}{_apart(figure)}."
    return ""


def _gains(found: Sequence[PairedDifference], best: str, provider: str) -> Iterator[str]:
    for one in found:
        if (one.generator, one.provider) != (best, provider) or one.figure.value is None:
            continue
        if one.kind == "informed":
            yield (
                f"With directives its ideas satisfy {_told(one.figure, '+')} items more than"
                f" without, starting from the same first ideas{_apart(one.figure)}."
            )
        elif one.kind == "refined":
            yield (
                f"Between its first ideas and {one.a} the sum changes by"
                f" {_told(one.figure, '+')}{_apart(one.figure)}."
            )


def turned(figure: Figure) -> Figure:
    """Return a difference the other way round."""
    if figure.value is None or figure.low is None or figure.high is None:
        return figure._replace(value=None if figure.value is None else -figure.value)
    return figure._replace(value=-figure.value, low=-figure.high, high=-figure.low)


def _told(figure: Figure, sign: str = "") -> str:
    """Say a figure with its interval."""
    if figure.value is None:
        return "an unknown number"
    said = f"{figure.value:{sign}.2f}"
    if figure.low is None or figure.high is None:
        return f"{said} (no interval)"
    return f"{said} [{figure.low:.2f}, {figure.high:.2f}]"


def _apart(figure: Figure) -> str:
    if figure.low is None or figure.high is None:
        return "; how sure that is cannot be said"
    return (
        "; the interval includes 0, so it may be chance" if figure.low <= 0 <= figure.high else ""
    )


# -- how far scores can be trusted -----------------------------------------------------------------


def caveats(store: Store, asked: ChecklistExperimentInputs) -> tuple[str, ...]:
    """Return, in sentences, where the scorer is no other model than one it should be independent
    of, and where a policy was trained on what it is asked here.
    """
    found = []
    if asked.scorer in asked.providers:
        found.append(
            f"{asked.scorer} scores and gives directives as well, so ideas that follow its own"
            " directives may please it more than another judge."
        )
    if asked.scorer in asked.generators:
        found.append(f"{asked.scorer} scores ideas that it wrote itself, which it may favour.")
    for generator in asked.generators:
        found += _of_training(store, asked, generator)
    return tuple(found)


def _of_training(store: Store, asked: ChecklistExperimentInputs, generator: str) -> Iterator[str]:
    if not generator.startswith(LOCAL):
        return
    policy = trained_policy(store, generator)
    if policy is None:
        yield (
            f"The papers of {generator} are not here, so it is unknown which model judged its"
            " training, and on which questions."
        )
        return
    if policy.judge == asked.scorer:
        yield (
            f"{asked.scorer} also judged the training of {generator}, which may have learned what"
            " this judge likes."
        )
    if policy.data != asked.data and (seen := _seen(store, policy, asked)):
        yield f"{generator} was trained on {counted(seen, 'question')} of those it answers here."


def trained_policy(store: Store, model: str) -> TrainedPolicy | None:
    """Return the papers of a `local:NAME`; None where it has none here."""
    policies = getattr(store, "policies", None)  # A store of before training has no such shelf.
    if policies is None:
        return None
    try:
        found: TrainedPolicy = policies.get(model.removeprefix(LOCAL))
    except BadInput:
        return None
    return found


def _seen(store: Store, policy: TrainedPolicy, asked: ChecklistExperimentInputs) -> int:
    """Return how many of the questions asked here a policy was trained on."""
    both = store.frozen.several((policy.data, asked.data), TrainingData)
    known = {query.question for query in both[policy.data].training}
    return sum(query.question in known for query in both[asked.data].held_out[: asked.questions])


def independence(store: Store, asked: ChecklistExperimentInputs) -> str:
    """Say in a sentence whether the scorer is another model than those that gave directives or
    judged a training.
    """
    return " ".join(caveats(store, asked)) or (
        f"{asked.scorer} scores: it wrote nothing, gave no directives and judged no training here."
    )
