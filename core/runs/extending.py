"""Extending what can grow, a matrix by methods, targets or judges, an arena by competitors, a
benchmark by models, keywords or ideas, while what would make other draws or other scores of it
stays; and asking again.
"""

from collections.abc import Mapping, Sequence

from core import prompts
from core.benchmark import BenchInputs
from core.benchmark.expected import Expected, earlier_usage, remaining
from core.benchmark.progress import parts
from core.errors import BadInput
from core.experiments import SweepInputs
from core.experiments.checklist import ChecklistExperimentInputs
from core.experiments.novelty.cells import NoveltyExperimentInputs
from core.experiments.topics import TopicExperimentInputs
from core.judging.arena.competition import ArenaInputs
from core.records import Entrant, KeywordList, Record, Run
from core.runs.beginning import (
    benchmark_models,
    can_be_asked,
    can_be_evolved,
    can_be_filled,
    can_be_measured,
    can_be_tried,
    checklist_models,
    experiment_models,
    novelty_models,
    room,
    topic_models,
)
from core.runs.catalogue import method
from core.runs.crew import EXTENSION
from core.runs.estimates import Estimate, less, of_matrix
from core.runs.planning import validated
from core.runs.runner import Runner
from core.runs.workshop import Workshop
from core.store import Store, must_be

GROWING: dict[str, type[Record]] = {
    "sweep": SweepInputs,
    "topic-experiment": TopicExperimentInputs,
    "checklist-experiment": ChecklistExperimentInputs,
    "novelty-experiment": NoveltyExperimentInputs,
    "arena": ArenaInputs,
}
"""What can be extended, and what it is asked for."""
EXTENDED = ", extended"
FREE = {"models", "keywords", "count", "ideas", "limits"}
"""Inputs that an extension of a benchmark may have otherwise; of keywords there may be more, in the
same order. Limits say how fast it goes, not what is asked.
"""
STAYS = (
    "Models that write, keywords and ideas per keyword can be added to a benchmark. Judges, judges"
    " per idea, lengths, seed, prompts, sampling and the order of keywords stay as they are: with"
    " others, draws and scores would no longer be those of one protocol."
)


def again(runner: Runner, run_id: str) -> int:
    """Ask the cells of a benchmark that failed once more, and return how many they are; raises
    BadInput while it runs, and where none failed.
    """
    runner.notice_dead()
    run = must_be(runner.own(run_id), "bench", f"Run {run_id} is no benchmark.")
    if run.state in ("queued", "running"):
        raise BadInput(f"Run {run_id} is {run.state}. Let it come to its end, or stop it first.")
    failed = runner.store.benchmarks.again(run_id)
    if not failed:
        raise BadInput(f"Nothing failed in run {run_id}.")
    runner.store.runs.reopen(run_id)
    runner.resume(run_id)
    return failed


def extend(
    runner: Runner,
    run_id: str,
    inputs: SweepInputs
    | TopicExperimentInputs
    | ChecklistExperimentInputs
    | NoveltyExperimentInputs
    | ArenaInputs,
    models: Mapping[str, str] | None = None,
) -> Run:
    """Make a run that is asked for more than its parent and takes over all that is asked just the
    same; what failed is tried again. Raises BadInput.

    `models` are the judges of an arena by role; those of a matrix are in its inputs. It is queued,
    not started. Its caps are the parent's, and count only what it spends itself.
    """
    runner.notice_dead()
    parent = runner.own(run_id)
    kind = GROWING.get(parent.config.method)
    if kind is None or not isinstance(inputs, kind):
        raise BadInput(
            f"Run {run_id} is no {' and no '.join(method(name).label.lower() for name in GROWING)}"
            " that these inputs could extend."
        )
    can_grow(parent)
    if isinstance(inputs, SweepInputs):
        can_be_filled(runner.workshop, inputs, parent.config.edition)
        models = experiment_models(inputs)
    if isinstance(inputs, TopicExperimentInputs):
        can_be_tried(runner.workshop, inputs)
        models = topic_models(inputs)
    if isinstance(inputs, ChecklistExperimentInputs):
        can_be_evolved(runner.workshop, inputs)
        models = checklist_models(inputs)
    if isinstance(inputs, NoveltyExperimentInputs):
        can_be_measured(runner.workshop, inputs)
        models = novelty_models(inputs)
    texts = runner.workshop.freeze(
        {name: prompts.text(name) for name in method(parent.config.method).prompts}
    )
    change = {
        "inputs": inputs.model_dump(mode="json"),
        "models": dict(models or parent.config.models),
        "prompts": {**texts, **parent.config.prompts},
    }
    return _add(runner, parent, change)


def _add(runner: Runner, parent: Run, change: Mapping[str, object]) -> Run:
    """Store an extension, whose configuration is its parent's with these changes."""
    made = runner.fork(
        parent.id, EXTENSION, lambda config: config.model_copy(update=change), place="0"
    )
    runner.store.runs.change(made.id, title=name_extension(parent.title))
    return runner.store.runs.get(made.id)


def extend_benchmark(
    runner: Runner,
    run_id: str,
    inputs: BenchInputs,
    cap_usd: float | None = None,
    cap_tokens: int | None = None,
) -> Run:
    """Make a benchmark that is asked for more than its parent and takes over all that is settled
    there; what failed and what is left is asked in it.

    Draws depend only on the seed, the keyword, the model and the number of an idea, so that the
    extended benchmark equals one started at full size. It is queued, not started. Its caps count
    only what it spends itself: dollars as in its parent, tokens twice what is estimated to be new,
    if they are not given; a cap of 0 dollars is none. Raises BadInput.
    """
    runner.notice_dead()
    shop, store, parent = runner.workshop, runner.store, benchmark_of(runner, run_id)
    was, held = parent.inputs_as(BenchInputs), can_be_asked(shop, inputs)
    same_protocol(store, was, inputs)
    tokens = cap_tokens or room(shop, new_in(shop, parent, inputs).tokens, parent.config.sampling)
    usd = store.runs.caps(run_id)[0] if cap_usd is None else cap_usd or None
    change = {
        "inputs": inputs.model_dump(mode="json"),
        "models": benchmark_models(inputs),
        "cap_tokens": tokens,
        "cap_usd": usd,
    }
    # All or nothing: a run that is there without what it takes over would pay for it again.
    with store.connections.writing():
        can_grow(store.runs.get(run_id))
        made = _add(runner, parent, change)
        names = [entrant.model for entrant in inputs.models]
        keywords = held.keywords[: inputs.count]
        store.benchmarks.grow(run_id, made.id, keywords, names, inputs.ideas)
    return made


def benchmark_of(runner: Runner, run_id: str) -> Run:
    """Return the run if it is a benchmark that can be extended once it rests; raises BadInput."""
    run = must_be(runner.own(run_id), "bench", f"Run {run_id} is no benchmark.")
    if run.config.inputs.get("brainstorm"):
        raise BadInput(
            f"Run {run_id} is a brainstorm on one keyword, which is not extended. Begin a benchmark"
            " with its keyword and models instead."
        )
    can_grow(run)
    return run


def grown(was: BenchInputs, models: Sequence[Entrant] = (), **more: object) -> BenchInputs:
    """Return what a benchmark is asked for with these models after its own, and more of what can
    grow (count, ideas ...); raises BadInput.
    """
    return validated(BenchInputs, **{**was.model_dump(), "models": (*was.models, *models), **more})


def new_in(shop: Workshop, parent: Run, inputs: BenchInputs) -> Expected:
    """Return what an extension takes on top of what it takes over: what is new, and what failed or
    was left in its parent.
    """
    sums = shop.store.benchmarks.sums
    domains = sums.by_domain(parent.id, inputs.ideas)
    tally = sums.tally(parent.id)
    progress = parts(inputs, tally, domains)
    sampling, calls = parent.config.sampling, shop.settings.calls
    usual = earlier_usage(shop.store)
    return remaining(inputs, progress, sampling, usual, calls)


def new_in_matrix(was: SweepInputs, whole: SweepInputs, edition: int) -> Estimate:
    """Return what an extension of an experiment takes on top of what all of it took; what failed
    and is tried again is not in it.
    """
    return less(of_matrix(whole, edition), of_matrix(was, edition))


def can_grow(run: Run) -> None:
    """Raise BadInput for a run that is at work, and for one that an earlier version of its method
    began.
    """
    if run.state in ("queued", "running"):
        raise BadInput(
            f"Run {run.id} is {run.state}. Stop it, or let it come to its end, and extend it then."
        )
    if run.config.version != method(run.config.method).version:
        raise BadInput(
            f"Run {run.id} began with an earlier version of this program; it stays readable. Start"
            " a new run instead."
        )


def name_extension(title: str) -> str:
    """Return what an extension is called: its parent's name, and that it goes further than that."""
    name, extended, rest = title.partition(EXTENDED)
    n = rest.strip() or "1"
    times = ""
    if extended and n.isdigit():
        times = f" {int(n) + 1}"
    return f"{name[:180]}{EXTENDED}{times}"


def same_protocol(store: Store, was: BenchInputs, now: BenchInputs) -> None:
    """Raise BadInput unless `now` asks all that `was` asked, in the same way, and more."""
    mine, others = was.model_dump(), now.model_dump()
    if (
        any(mine[name] != others[name] for name in mine.keys() - FREE)
        or now.models[: len(was.models)] != was.models
    ):
        raise BadInput(f"{STAYS} Begin a new benchmark instead.")
    if now.count < was.count or now.ideas < was.ideas:
        raise BadInput(
            f"A benchmark only grows: it has {was.count} keywords and {was.ideas} ideas per keyword"
            " and model. Ask for as many or more."
        )
    if _texts(store, now)[: was.count] != _texts(store, was)[: was.count]:
        raise BadInput(
            f"The new list does not begin with the {was.count} keywords of this benchmark, in their"
            f" order. {STAYS}"
        )
    if (now.models, now.count, now.ideas) == (was.models, was.count, was.ideas):
        raise BadInput(
            "Nothing is added. Name more models that write, ask for more keywords, or for more"
            " ideas per keyword and model."
        )


def _texts(store: Store, inputs: BenchInputs) -> list[str]:
    return [one.text for one in store.frozen.get(inputs.keywords, KeywordList).keywords]
