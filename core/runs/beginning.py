"""The one door through which every new run begins: everything it depends on is looked at before its
configuration is frozen.

    begin(runner, "chain", ChainInputs(topic="sleep"), "Sleep", models={"main": "builtin"})
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from core.benchmark import BenchInputs
from core.errors import BadInput
from core.experiments import SweepInputs
from core.experiments.cells import Group
from core.experiments.checklist import ChecklistExperimentInputs
from core.experiments.novelty.cells import Check, NoveltyExperimentInputs, conditions
from core.experiments.shared import Shared, in_order
from core.experiments.topics.cells import TopicExperimentInputs, arena_topic, cells
from core.judging import checklist
from core.judging.arena.competition import ROLES, ArenaInputs, panel
from core.judging.ranked_sets import RankInputs
from core.methods import NoveltyInputs
from core.methods.inputs import ShortlistInputs
from core.methods.shortlist.checking import novelty_inputs
from core.methods.shortlist.exploring import chain_inputs
from core.methods.shortlist.refining import refine_inputs, revision_inputs
from core.records import (
    EDITION,
    Config,
    Idea,
    KeywordList,
    LabelledIdeas,
    Record,
    Run,
    Sampling,
    Target,
    TopicList,
    TrainingData,
)
from core.runs.estimates import (
    Estimate,
    estimate,
    of_checklist_experiment,
    of_matrix,
    of_novelty_experiment,
    of_topic_experiment,
    plan,
    planned,
    role_of,
)
from core.runs.runner import Runner
from core.runs.workshop import DEFAULT_TOKENS, Workshop
from core.studies.model_seat import SeatInputs, able, open_answers
from core.training import bases
from core.training.learning import require_packages
from core.training.method import TrainInputs
from core.wording.numbers import counted

Asked = Mapping[str, Any]
"""What a person asked for beside the inputs: models, source, sampling, caps."""
UPPER_QUESTION = 2_000
"""Tokens of a benchmark's question at most: with those of its answer they are set aside until it is
there, under a cap that nobody chose.
"""


def begin(runner: Runner, method: str, inputs: Record, title: str, **asked: Any) -> Run:
    """Store a new run of any kind, ready to be worked on; `asked` is what `Workshop.config` takes.

    Raises BadInput for what `configure` refuses.
    """
    return runner.begin(configure(runner.workshop, method, inputs, **asked), title)


def configure(shop: Workshop, method: str, inputs: Record, **asked: Any) -> Config:
    """Freeze everything a new run depends on, once it is sure that the run can do its work.

    Raises BadInput for models that cannot be opened or cannot do what the method asks of them, and
    for what is not kept here. Where nobody set a cap on tokens, it is twice what is estimated for
    methods that ask a lot.
    """
    look = LOOKS.get(method)
    return look(shop, inputs, asked) if look else shop.config(method, inputs, **asked)


def seated(judges: Sequence[str]) -> dict[str, str]:
    """Return the judges of an arena by their roles; raises BadInput for too many."""
    if len(judges) > len(ROLES):
        raise BadInput(f"An arena has {len(ROLES)} judges at most.")
    return dict(zip(ROLES, judges, strict=False))


def seat_inputs(shop: Workshop, seat_id: str) -> SeatInputs:
    """Return what a model's seat has still to answer.

    Raises BadInput for a person's seat, a model that judges nothing, a session that is not open, a
    seat that has ended or has given all answers, and while another run fills it.
    """
    held = shop.store.seats.get(seat_id)
    study = shop.store.studies.get(held.study)
    if not held.model:
        raise BadInput(f"The seat of {held.name} is a person's. Add a seat for the model.")
    able(shop.model(held.model), study.plan.task)
    if study.state == "draft":
        raise BadInput("This session is not open yet. Open it, and the model judges after that.")
    if study.state != "open":
        raise BadInput(
            "This session is closed: nothing can be added to what was answered. Copy it to ask a"
            " model the same."
        )
    if held.step in ("declined", "withdrawn", "revoked"):
        raise BadInput(f"This seat was {held.step}. Add another one for {held.model}.")
    runs = shop.store.runs.listed(states=("queued", "running"), method="seat", limit=500)
    if busy := [run.id for run in runs if run.config.inputs.get("seat") == seat_id]:
        raise BadInput(f"Run {busy[0]} fills this seat already. Wait for it, or stop it first.")
    left = open_answers(shop.store, seat_id)
    if not left:
        raise BadInput(f"{held.model} has answered everything on its list.")
    return SeatInputs(
        topic=study.plan.name,
        study=study.id,
        seat=seat_id,
        task=study.plan.task,
        sha=study.sha,
        answers=left,
    )


def _matrix(shop: Workshop, inputs: SweepInputs, asked: Asked) -> Config:
    can_be_filled(shop, inputs)
    models = experiment_models(inputs)
    if set(models.values()) != {"builtin"}:
        asked = _cap(asked, usual_cap(of_matrix(inputs)))
    config = shop.config("sweep", inputs, **{**asked, "models": {"main": inputs.models[0]}})
    return config.model_copy(update={"models": models})


def _checklist_experiment(
    shop: Workshop, inputs: ChecklistExperimentInputs, asked: Asked
) -> Config:
    can_be_evolved(shop, inputs)
    models = checklist_models(inputs)
    asked = _cap(asked, usual_cap(of_checklist_experiment(inputs)))
    first = {"main": inputs.generators[0]}
    config = shop.config("checklist-experiment", inputs, **{**asked, "models": first})
    thinking = shop.thinking(models.values())
    return config.model_copy(update={"models": models, "thinking": thinking})


def _novelty(shop: Workshop, inputs: NoveltyInputs, asked: Asked) -> Config:
    config = shop.config("novelty", inputs, **asked)
    can_check(shop, inputs, tuple(config.models.values()))
    if set(config.models.values()) == {"builtin"}:
        return config
    guess = estimate("novelty", config.inputs, config.models)
    return shop.config("novelty", inputs, **_cap(asked, usual_cap(guess)))


def can_check(shop: Workshop, inputs: NoveltyInputs, models: Sequence[str]) -> None:
    """Raise BadInput for a model that cannot do what a novelty check asks of it."""
    prompts = plan("novelty", inputs.model_dump(mode="json"))[0]
    for name in models:
        if not all(map(shop.model(name).answers, prompts)):
            raise BadInput(f"{name} cannot check novelty. Choose a language model for it.")


def _novelty_experiment(shop: Workshop, inputs: NoveltyExperimentInputs, asked: Asked) -> Config:
    can_be_measured(shop, inputs)
    judges = novelty_models(inputs)
    if set(inputs.judges) != {"builtin"}:
        asked = _cap(asked, usual_cap(of_novelty_experiment(inputs)))
    first = {"main": inputs.judges[0]}
    config = shop.config("novelty-experiment", inputs, **{**asked, "models": first})
    thinking = shop.thinking(judges.values())
    return config.model_copy(update={"models": judges, "thinking": thinking})


def novelty_models(inputs: NoveltyExperimentInputs) -> dict[str, str]:
    """Return every model of a measurement of novelty checks: `main`, `main-2`, ..."""
    return {f"main-{n}" if n > 1 else "main": one for n, one in enumerate(inputs.judges, 1)}


def can_be_measured(shop: Workshop, inputs: NoveltyExperimentInputs) -> None:
    """Raise BadInput for fewer labelled ideas than are asked for, and for a model that cannot check
    novelty.
    """
    held = shop.store.frozen.get(inputs.data, LabelledIdeas)
    if inputs.ideas > len(held.ideas):
        raise BadInput(
            f"The table has {counted(len(held.ideas), 'labelled idea')}; {inputs.ideas} are asked"
            " for."
        )
    for condition in conditions(inputs):
        can_check(shop, Check(condition, 1, held.ideas[0]).inputs(inputs), (condition.judge,))


def _shortlist(shop: Workshop, inputs: ShortlistInputs, asked: Asked) -> Config:
    config = shop.config("shortlist", inputs, **asked)
    can_be_listed(shop, inputs, config.models)
    if set(config.models.values()) == {"builtin"}:
        return config
    guess = estimate("shortlist", config.inputs, config.models)
    return shop.config("shortlist", inputs, **_cap(asked, usual_cap(guess)))


def can_be_listed(shop: Workshop, inputs: ShortlistInputs, models: Mapping[str, str]) -> None:
    """Raise BadInput for a model that cannot do its part of a shortlist. Who judges may be unable
    to: then rules, or nobody, compare the ideas, which is said.
    """
    idea = Idea(form="hypothesis", fields={"hypothesis": "not written yet"})
    parts: list[tuple[str, Record, str]] = []
    if inputs.branches:
        parts.append(("chain", chain_inputs(inputs), "explore with a chain of ideas"))
    for goal in inputs.goals:
        parts.append(("refine", refine_inputs(inputs, idea, goal, ()), "refine ideas"))
    if inputs.revise:
        parts.append(("evolve", revision_inputs(inputs, idea), "revise ideas by the checklist"))
    parts.append(("novelty", novelty_inputs(inputs, idea), "check novelty"))
    for method, given, what in parts:
        for prompt in plan(method, given.model_dump(mode="json"))[0]:
            name = models.get(role_of(prompt), models["main"])
            if not shop.model(name).answers(prompt):
                raise BadInput(
                    f"{name} cannot {what}: it does not answer the prompt {prompt!r}. Choose a"
                    " language model for it."
                )


def _topic_experiment(shop: Workshop, inputs: TopicExperimentInputs, asked: Asked) -> Config:
    can_be_tried(shop, inputs)
    models = topic_models(inputs)
    if set(models.values()) != {"builtin"}:
        asked = _cap(asked, usual_cap(of_topic_experiment(inputs)))
    first = {"main": inputs.models[0]}
    config = shop.config("topic-experiment", inputs, **{**asked, "models": first})
    thinking = shop.thinking(models.values())
    return config.model_copy(update={"models": models, "thinking": thinking})


def topic_models(inputs: TopicExperimentInputs) -> dict[str, str]:
    """Return every model of an experiment over topics: `main`, `main-2`, ... write, `cheap` reads
    papers, `judge`, `judge-2`, ... judge.
    """
    models = {}
    for role, names in (("main", inputs.models), ("judge", inputs.judges)):
        for n, name in enumerate(names, 1):
            models[f"{role}-{n}" if n > 1 else role] = name
    return {**models, "cheap": inputs.reader} if inputs.reader else models


def _are_told_apart(topics: Sequence[str], seeds: int) -> None:
    """Raise BadInput where two topics, each written on so often, would be one in the arena."""
    called: dict[str, str] = {}
    for topic in topics:
        for seed in range(1, seeds + 1):
            other = called.setdefault(arena_topic(topic, seed), topic)
            if other != topic:
                raise BadInput(
                    f"The topics {_ends(other)} and {_ends(topic)} cannot be told apart where each"
                    " is written on several times: they begin alike, or one is the other with a"
                    " number. Take a list without one of them, or write on each once."
                )


def _ends(topic: str) -> str:
    """Return a topic in quotes, of a long one its beginning and its end."""
    return repr(topic if len(topic) <= 70 else f"{topic[:40]} … {topic[-25:]}")


def can_be_tried(shop: Workshop, inputs: TopicExperimentInputs) -> TopicList:
    """Return the topics of an experiment over topics; raises BadInput where a model cannot be
    opened or cannot do what is asked of it, and where there are fewer topics than asked for.
    """
    held = shop.store.frozen.get(inputs.topics, TopicList)
    if inputs.count > len(held.topics):
        raise BadInput(
            f"The list {held.name!r} has {counted(len(held.topics), 'topic')}; {inputs.count} are"
            " asked for."
        )
    _are_told_apart([one.topic for one in held.topics[: inputs.count]], inputs.seeds)
    for name in (*inputs.models, *filter(None, (inputs.reader,))):
        shop.model(name)
    for one in cells(inputs, held.topics[:1]):
        if one.contender.method in ("collection", "real-paper"):
            continue
        asked = one.contender.inputs(one.topic, inputs.designs).model_dump(mode="json")
        for prompt in plan(one.contender.method, asked)[0]:
            reads = inputs.reader and role_of(prompt) == "cheap"
            name = inputs.reader if reads else one.model
            if not shop.model(name).answers(prompt):
                raise BadInput(
                    f"{name} cannot play {one.contender.said!r}: it does not answer the prompt"
                    f" {prompt!r}. Leave it out, or choose a language model."
                )
    for kind in inputs.kinds if inputs.judges else ():
        panel({judge: shop.model(judge) for judge in inputs.judges}, kind)
    return held


def _arena(shop: Workshop, inputs: ArenaInputs, asked: Asked) -> Config:
    if not inputs.people_only:
        models = asked["models"]
        panel({role: shop.model(name) for role, name in models.items()}, inputs.kind)
        guess = estimate("arena", inputs.model_dump(mode="json"), models)
        asked = _cap(asked, usual_cap(guess))
    return shop.config("arena", inputs, **asked)


def _ranking(shop: Workshop, inputs: RankInputs, asked: Asked) -> Config:
    if inputs.judged_by != "person":  # Where a person ranks alone, no judge is asked.
        can_rank(shop, tuple(asked["models"].values()))
    return shop.config("rank", inputs, **asked)


def _seat(shop: Workshop, inputs: SeatInputs, asked: Asked) -> Config:
    seat = shop.store.seats.get(inputs.seat)
    models = {"judge": seat.model}
    guess = estimate("seat", inputs.model_dump(mode="json"), models)
    capped = _cap(asked, usual_cap(guess))
    return shop.config("seat", inputs, **{**capped, "models": models})


def _benchmark(shop: Workshop, inputs: BenchInputs, asked: Asked) -> Config:
    can_be_asked(shop, inputs)
    models = benchmark_models(inputs)
    guess = estimate("bench", inputs.model_dump(mode="json"), models)
    sampling = asked.get("sampling") or Sampling()
    cap = room(shop, guess.tokens, sampling)
    capped = _cap(asked, cap)
    return shop.config("bench", inputs, **{**capped, "models": models})


def _training(shop: Workshop, inputs: TrainInputs, asked: Asked) -> Config:
    can_train(shop, inputs)
    if inputs.judged == "code":
        config = shop.config("train", inputs, **{**asked, "models": {}})
        return config.model_copy(update={"models": {}, "cap_tokens": asked.get("cap_tokens")})
    judge = asked["models"]["judge"]
    if not shop.model(judge).answers("checklist-item"):
        raise BadInput(
            f"{judge} cannot judge ideas by the checklist. Choose a language model for it, or let"
            " code judge Layout and Length alone."
        )
    guess = estimate("train", inputs.model_dump(mode="json"), asked["models"])
    return shop.config("train", inputs, **_cap(asked, usual_cap(guess)))


def can_train(shop: Workshop, inputs: TrainInputs) -> None:
    """Raise BadInput where the packages of training are not installed, or data or base are not
    here.
    """
    require_packages()
    bases.find(inputs.base, shop.settings)
    shop.store.frozen.get(inputs.data, TrainingData)


def _cap(asked: Asked, tokens: int) -> Asked:
    """Return what is asked with this cap on tokens, where nobody chose one."""
    if asked.get("cap_tokens") is not None:
        return asked
    return {**asked, "cap_tokens": tokens, "cap_chosen": False}


LOOKS: dict[str, Callable[[Workshop, Any, Asked], Config]] = {
    "sweep": _matrix,
    "checklist-experiment": _checklist_experiment,
    "novelty": _novelty,
    "novelty-experiment": _novelty_experiment,
    "shortlist": _shortlist,
    "topic-experiment": _topic_experiment,
    "arena": _arena,
    "rank": _ranking,
    "seat": _seat,
    "bench": _benchmark,
    "train": _training,
}
"""What configures a run of a method, for methods that check something first."""


def usual_cap(guess: Estimate) -> int:
    """Return the cap on tokens of a run that is estimated so, where nobody set one: never below
    DEFAULT_TOKENS.
    """
    return max(DEFAULT_TOKENS, 2 * guess.tokens)


def room(shop: Workshop, tokens: int, sampling: Sampling) -> int:
    """Return the cap on tokens of a benchmark that is estimated to take so many, where nobody set
    one: never below DEFAULT_TOKENS.
    """
    aside = (UPPER_QUESTION + sampling.max_tokens) * shop.settings.calls
    return max(DEFAULT_TOKENS, 2 * tokens + aside)


def benchmark_models(inputs: BenchInputs) -> dict[str, str]:
    """Return every model of a benchmark: `entrant-1`, `entrant-2`, ... write ideas, `judge-1`,
    `judge-2`, ... judge them.
    """
    entrants = {f"entrant-{n}": one.model for n, one in enumerate(inputs.models, 1)}
    return entrants | {f"judge-{n}": one.model for n, one in enumerate(inputs.judges, 1)}


def can_be_asked(shop: Workshop, inputs: BenchInputs) -> KeywordList:
    """Return the keywords of a benchmark; raises BadInput for a model that cannot be opened or does
    not answer what it is asked, and too high a limit.
    """
    for role, name in benchmark_models(inputs).items():
        prompts, task = ["bench-judge", "bench-fluency"], "judge ideas"
        if role.startswith("entrant"):
            prompts, task = ["bench-idea"], "write ideas from a keyword"
        if not all(map(shop.model(name).answers, prompts)):
            raise BadInput(f"{name} cannot {task}. Choose a language model for it.")
    for lane, most in inputs.limits.items():
        if most > shop.settings.calls:
            raise BadInput(
                f"At most {shop.settings.calls} calls at once are allowed to a provider, and"
                f" {most} are asked for {lane}. Set FOUNDRY_CALLS to more, or ask for fewer."
            )
    held = shop.store.frozen.get(inputs.keywords, KeywordList)
    if inputs.count > len(held.keywords):
        raise BadInput(
            f"The list {held.name!r} has {len(held.keywords)} keywords; {inputs.count} are asked"
            " for."
        )
    return held


def experiment_models(inputs: SweepInputs) -> dict[str, str]:
    """Return every model of a matrix: `main`, `main-2`, ... write ideas, `judge`, `judge-2`, ...
    rank them, `checklist-judge` judges by the checklist.
    """
    models = {}
    for role, names in (("main", inputs.models), ("judge", inputs.judges)):
        for n, name in enumerate(names, 1):
            models[f"{role}-{n}" if n > 1 else role] = name
    if inputs.checklist_judge:
        models["checklist-judge"] = inputs.checklist_judge
    return models


def can_be_filled(shop: Workshop, inputs: SweepInputs, edition: int = EDITION) -> None:
    """Raise BadInput where a model cannot be opened or cannot play a method, a judge cannot rank,
    or a target is not kept here.
    """
    can_rank(shop, inputs.judges)
    if inputs.checklist_judge and not shop.model(inputs.checklist_judge).answers("checklist-item"):
        raise BadInput(
            f"{inputs.checklist_judge} cannot judge ideas by the checklist. Choose a language model"
            " for it."
        )
    for one in in_order(inputs.model_copy(update={"targets": inputs.targets[:1]}), edition):
        if isinstance(one, Shared) and one.what == "common form":
            continue
        for task, models in planned(inputs, one, edition):
            for prompt in plan(task.method, task.inputs.model_dump(mode="json"))[0]:
                name = models.get(role_of(prompt), models["main"])
                if not shop.model(name).answers(prompt):
                    raise BadInput(
                        f"{name} cannot {_part(one)}: it does not answer the prompt {prompt!r}."
                        " Leave the method out, or choose a language model."
                    )
    for target in inputs.targets:
        shop.store.frozen.get(target.sha, Target)


def _part(one: Shared | Group) -> str:
    """Say what a model is to do in a matrix."""
    if isinstance(one, Group):
        return f"play {one.method!r}"
    return (
        "write the question and the review that evolutions begin with"
        if one.what == "question"
        else "write the first ideas that others begin with"
    )


def checklist_models(inputs: ChecklistExperimentInputs) -> dict[str, str]:
    """Return every model of a checklist experiment: `main`, `main-2`, ... write, `provider`,
    `provider-2`, ... give directives, `scorer` scores.
    """
    models = {}
    for role, names in (("main", inputs.generators), ("provider", inputs.providers)):
        for n, name in enumerate(names, 1):
            models[f"{role}-{n}" if n > 1 else role] = name
    return {**models, "scorer": inputs.scorer}


def can_be_evolved(shop: Workshop, inputs: ChecklistExperimentInputs) -> None:
    """Raise BadInput where a model cannot be opened, or cannot write, revise or judge what a
    checklist experiment asks of it, and where there are fewer held-out questions than asked.
    """
    revising = {"informed": "evolve-revise", "uninformed": "evolve-alone"}
    writes = ("evolve-idea", *(revising[mode] for mode in inputs.modes))
    wanted = [(name, writes, "write and revise ideas") for name in inputs.generators]
    for name in (*inputs.providers, inputs.scorer):
        wanted.append((name, checklist.PROMPTS, "judge ideas by the checklist"))
    for name, prompts, task in wanted:
        if not all(map(shop.model(name).answers, prompts)):
            raise BadInput(f"{name} cannot {task}. Choose a language model for it.")
    held_out = shop.store.frozen.get(inputs.data, TrainingData).held_out
    if inputs.questions > len(held_out):
        raise BadInput(
            f"These data hold out {counted(len(held_out), 'question')}; {inputs.questions} are"
            " asked for. Ask for fewer, or hold out more."
        )


def can_rank(shop: Workshop, judges: tuple[str, ...]) -> None:
    """Raise BadInput for a judge that cannot say which idea is better."""
    for name in judges:
        if not shop.model(name).answers("rank"):
            raise BadInput(
                f"{name} cannot rank ideas, which takes understanding them. Choose a language model"
                " as judge, have people vote in the arena, or let the ideas be written without"
                " ranking them."
            )
