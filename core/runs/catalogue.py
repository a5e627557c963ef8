"""The catalogue: the one place where a method is known.

Its entry says what the method needs to be told and which prompts it asks of whom, how often, how a
run of it is told apart from others on screens and in files, and what can be done with it. Ask the
entry instead of comparing the name: `entry(run.config).screen`.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from core.benchmark import BenchInputs
from core.benchmark.conducting import coordinator
from core.benchmark.conducting.protocol import PROMPTS as BENCH_PROMPTS
from core.desk import Desk
from core.errors import BadInput
from core.experiments import checklist, matrix
from core.experiments import novelty as novelty_experiment
from core.experiments import topics as topic_experiment
from core.judging import forms, ranked_sets
from core.judging.arena import competition as arena
from core.methods import (
    adversarial,
    baselines,
    chain_of_ideas,
    drafts,
    evolution,
    finding,
    novelty,
    questioning,
    real_papers,
    seed_dataset,
    shortlist,
    target_dataset,
)
from core.methods.chain_of_ideas import candidates
from core.methods.chain_of_ideas.editing import depends
from core.methods.inputs import (
    BaselineInputs,
    CandidateInputs,
    ChainInputs,
    Looking,
    NoveltyInputs,
    RealInputs,
    RefineInputs,
    ShortlistInputs,
)
from core.records import Config, Idea, Outcome, Paper, Record, Run, Shortlist
from core.runs import plans, rules
from core.runs.plans import Asked, Given
from core.store import Store
from core.story import Story
from core.studies import model_seat
from core.training import method as training
from core.wording.naming import LABELS

PANEL = re.compile(r"(judge|entrant)-[1-9]\d?")
"""Further judges of a panel, and the models of a benchmark."""
ROLES: dict[str, str] = {
    "main": "writes and judges",
    "cheap": "reads papers",
    "selector": "chooses between branches",
    "novelty": "says whether a paper that was found has an idea already",
}
"""What a model can be chosen for."""
ACTORS: dict[str, str] = {
    "generator": "writes and revises ideas",
    "optimizer": "reviews them",
    "discriminator": "says whether they improved",
    "judge": "ranks them with the target",
}
"""What a model can be chosen for in a refinement; where none is, the main one plays."""
JUDGES: dict[str, str] = {
    "judge": "judges what others wrote",
    "scorer": "scores the checklist, where another judge gives the directives",
}
"""What a model can be chosen for where ideas are judged."""
_IDEA = re.compile(r"^(?:ranking/round-\d+/)?idea-(\d+)/")
"""Which of several ideas a step belongs to; the rankings belong to all of them."""


def _refine(desk: Desk, inputs: RefineInputs) -> Iterator[Record]:
    adversarial.refine(desk, inputs)  # It shows everything in its place.
    return iter(())


def _untold(_: Desk, __: Record) -> Iterator[Record]:
    raise BadInput("This program does not know the method of this run.")


def _newest_idea(story: Story) -> dict[int, Idea]:
    outcome = story.last(Outcome)
    idea = outcome.idea if outcome else story.last(Idea)
    return {1: idea} if idea else {}


def _refined_ideas(story: Story) -> dict[int, Idea]:
    return {
        line.n: line.outcome.idea if line.outcome else line.version(line.newest)
        for line in story.lines
        if line.first
    }


def _evolved_ideas(story: Story) -> dict[int, Idea]:
    return {outcome.branch or 1: outcome.idea for outcome in story.all(Outcome)}


def _listed_ideas(story: Story) -> dict[int, Idea]:
    last = story.last(Shortlist)
    return {card.n: card.idea for card in last.cards} if last else {}


def _of_same_idea(at: str, key: str) -> bool:
    mine, theirs = _IDEA.search(at), _IDEA.search(key)
    return mine is None or theirs is None or mine[1] == theirs[1]


@dataclass(frozen=True, kw_only=True)
class Method:
    """A method: its story, inputs, estimate and screen; the one place that knows all of them."""

    name: str
    version: int
    """Version of its step names."""
    label: str
    inputs: type[Record]
    prompts: tuple[str, ...] = ()
    story: Callable[[Desk, Any], Iterator[Record]]
    roles: tuple[str, ...] = ("main",)
    """Who answers the prompts."""
    panel: bool = False
    """Whether more judges may be named than its roles say: judge-2, judge-3, ..."""
    lookup: bool = False
    """A look into the literature on a person's behalf: a run like any other, left out of lists of
    work.
    """
    compares: bool = False
    """Whether it compares texts by meaning, for which the embedding model is needed."""

    sampled_alike: bool = False
    """Whether all its calls are sampled alike, as its paper says."""
    plan: Callable[[Given, int], tuple[Asked, int]] = plans.of_no_prompt
    """How often each prompt is usually asked, and the number of steps that no model answers."""
    most: Callable[[Given, int], Asked] | None = None
    """How often each prompt is asked at most; None if that is what `plan` says."""
    bounded: bool = True
    """False if the number of papers it may read has no upper bound."""

    screen: str = ""
    """The page that shows its runs; empty: shown among all runs."""
    view: str = ""
    """Which view of that page, where it has several."""
    look: str = "See what it made"
    """Label of the link to that page."""
    report: str = ""
    """How its runs are told in reports, documents and tables; empty: record by record."""
    makes: str = "ideas"
    """What its runs produce, a noun in the plural."""
    ideas: Callable[[Story], dict[int, Idea]] = _newest_idea
    """The ideas a run produced, by number: several only if they were made side by side."""
    lack: rules.Rule = lambda _, __: ""
    """Why a finished run has no result, as a sentence; empty for one that has."""
    given: Callable[[Config], tuple[Paper, ...]] = lambda _: ()
    """The papers a run was given to refine an idea with."""
    reads: bool = True
    """Whether it looks for papers itself."""
    people: Callable[[rules.Given], str] = lambda _: ""
    """What people do in place of every model, by a run's inputs; empty where models are asked."""
    bibliography: bool = False
    """Whether its screen offers the papers it drew on as a file."""

    advances: Literal["", "rounds", "steps"] = ""
    """The unit of progress after which a person may stop a run, if there is one."""
    cells: bool = False
    """Whether its answers are cells of their own and not steps: such a run is not forked."""
    counts: str = "step"
    """What is counted of its runs, where lists and strips say how far they are."""
    measured: Literal["steps", "calls"] = "steps"
    """What its progress is told in: its own steps, or the calls of all the runs it has made."""
    has_runs_made: bool = False
    """Whether it starts other runs, which do most of what there is to do."""
    whole: str = "experiment"
    """What such a run is called in sentences about the runs it has made."""
    follows: Callable[[str, str], bool] = lambda _, __: True
    """Whether a later step (second) may depend on one that is asked anew (first)."""
    places_known: bool = False
    """Whether all places of its steps are known; others have names of sets, papers and categories
    in them.
    """
    played_back: str = ""
    """What one sees as its finished runs play, as case studies do; empty where they do not."""
    own_process: bool = False
    """Whether its runs are worked on in a process of their own."""
    grows: bool = False
    """Whether a run of it that an experiment has made goes on, where the experiment is extended, as
    an extension of its own: every step that is asked just the same is taken over.
    """
    apart: str = ""
    """Why a run of it holds only a part of what it shows, so that it is never packed."""


_NO_IDEA = rules.shown("It came to no idea.", "Outcome", "Idea")
METHODS: dict[str, Method] = {
    one.name: one
    for one in (
        Method(
            name="chain",
            version=2,
            label=LABELS["chain"],
            inputs=ChainInputs,
            prompts=chain_of_ideas.PROMPTS,
            story=chain_of_ideas.ideate,
            roles=("main", "cheap", "selector", "novelty"),
            compares=True,
            plan=plans.of_chain,
            most=plans.chain_at_most,
            screen="chains",
            view="chain",
            look="See the chain",
            report="chain",
            lack=_NO_IDEA,
            bibliography=True,
            follows=depends,
            places_known=True,
            played_back=(
                "how papers are found and put in order, where each chain points, the idea that is"
                " drawn from it, and whether that is new"
            ),
        ),
        Method(
            name="refine",
            version=2,
            label=LABELS["refine"],
            inputs=RefineInputs,
            prompts=adversarial.PROMPTS,
            story=_refine,
            roles=("generator", "optimizer", "discriminator", "judge"),
            compares=True,
            plan=plans.of_refinement,
            screen="refine",
            look="See the rounds",
            report="refinement",
            ideas=_refined_ideas,
            lack=rules.shown("It came to no idea.", "Outcome"),
            given=lambda config: config.inputs_as(RefineInputs).context,
            bibliography=True,
            advances="rounds",
            follows=_of_same_idea,
            places_known=True,
            played_back=(
                "the first idea, and round by round what is said against it, how it changes, and"
                " whether it got better"
            ),
        ),
        Method(
            name="rag",
            version=1,
            label=LABELS["rag"],
            inputs=BaselineInputs,
            prompts=baselines.RAG,
            story=baselines.retrieval_augmented,
            compares=True,
            plan=plans.of_retrieval,
            screen="chains",
            lack=_NO_IDEA,
            bibliography=True,
            places_known=True,
        ),
        Method(
            name="direct",
            version=1,
            label=LABELS["direct"],
            inputs=BaselineInputs,
            prompts=baselines.DIRECT,
            story=baselines.direct,
            plan=plans.of_direct,
            screen="chains",
            lack=_NO_IDEA,
            places_known=True,
        ),
        Method(
            name="drafts",
            version=1,
            label=LABELS["drafts"],
            inputs=drafts.DraftsInputs,
            prompts=drafts.PROMPTS,
            story=drafts.best_of_drafts,
            roles=("main", "selector"),
            plan=plans.of_drafts,
            screen="chains",
            lack=_NO_IDEA,
        ),
        Method(
            name="real-paper",
            version=1,
            label=LABELS["real-paper"],
            inputs=RealInputs,
            prompts=baselines.REAL,
            story=baselines.real_paper,
            plan=plans.of_real_paper,
            screen="chains",
            lack=_NO_IDEA,
            bibliography=True,
            places_known=True,
        ),
        Method(
            name="evolve",
            version=1,
            label=LABELS["evolve"],
            inputs=evolution.EvolveInputs,
            prompts=evolution.PROMPTS,
            story=evolution.evolve,
            roles=evolution.ROLES,
            plan=plans.of_evolution,
            screen="checklist",
            report="evolution",
            people=rules.person_judges,
            ideas=_evolved_ideas,
            lack=rules.shown("It came to no idea.", "Outcome", "Evolved"),
            bibliography=True,
            advances="steps",
            follows=_of_same_idea,
            places_known=True,
            played_back=(
                "an idea that is judged item by item, and how it changes by what was found, step by"
                " step"
            ),
        ),
        Method(
            name="question",
            version=1,
            label=LABELS["question"],
            inputs=questioning.QuestionInputs,
            prompts=questioning.PROMPTS,
            story=questioning.ask_question,
            plan=plans.of_questions,
            screen="checklist",
            view="question",
            makes="a question",
            lack=rules.no_question,
            bibliography=True,
        ),
        Method(
            name="seed-dataset",
            version=1,
            label="Dataset of questions",
            inputs=seed_dataset.SeedInputs,
            prompts=seed_dataset.PROMPTS,
            story=seed_dataset.build,
            plan=plans.of_questions,
            screen="experiments",
            view="data set",
            report="data set",
            makes="questions",
            lack=rules.no_question,
            bibliography=True,
        ),
        Method(
            name="target-dataset",
            version=1,
            label="Dataset of targets",
            inputs=target_dataset.TargetInputs,
            prompts=target_dataset.PROMPTS,
            story=target_dataset.build,
            plan=plans.of_targets,
            bounded=False,
            screen="experiments",
            view="data set",
            report="data set",
            makes="targets",
            lack=rules.shown("No target came into it.", "Target"),
            bibliography=True,
        ),
        Method(
            name="real-papers",
            version=1,
            label="Real papers",
            inputs=real_papers.RealPapersInputs,
            prompts=real_papers.PROMPTS,
            story=real_papers.extract_all,
            plan=plans.of_real_papers,
            screen="experiments",
            view="real papers",
            makes="topics",
            lack=rules.shown("No list of topics was frozen.", "TopicList"),
            bibliography=True,
            apart="the list of topics it froze is kept beside the run.",
        ),
        Method(
            name="novelty",
            version=1,
            label="Novelty check",
            inputs=NoveltyInputs,
            prompts=novelty.PROMPTS,
            story=novelty.check,
            roles=("main", "novelty"),
            compares=True,
            plan=plans.of_novelty,
            screen="novelty",
            look="See what is known",
            report="novelty",
            makes="verdicts",
            lack=rules.shown("It came to no verdict.", "ClaimsVerdict", "NoveltyCheck"),
            bibliography=True,
        ),
        Method(
            name="rank",
            version=1,
            label="Relative ranking",
            inputs=ranked_sets.RankInputs,
            prompts=ranked_sets.PROMPTS,
            story=ranked_sets.rank_sets,
            roles=("judge",),
            panel=True,
            plan=plans.of_ranking,
            screen="ranking",
            report="ranking",
            people=rules.person_ranks,
            makes="rankings",
            lack=rules.filled("No ranking came about that can be used.", "Standing", "rankings"),
            reads=False,
            played_back="ideas that are ranked without their sources, and where each stands",
        ),
        Method(
            name="forms",
            version=1,
            label="Common form",
            inputs=forms.FormInputs,
            prompts=forms.PROMPTS,
            story=forms.reform,
            roles=("judge",),
            lookup=True,
            plan=plans.of_forms,
            makes="texts in the common form",
            reads=False,
            apart="the texts it brought into the common form are kept beside the run.",
        ),
        Method(
            name="arena",
            version=1,
            label="Idea Arena",
            inputs=arena.ArenaInputs,
            prompts=arena.PROMPTS,
            story=arena.compete,
            roles=("judge",),
            panel=True,
            plan=plans.of_arena,
            screen="arena",
            report="arena",
            people=rules.people_vote,
            makes="votes",
            lack=rules.no_vote,
            reads=False,
            grows=True,
        ),
        Method(
            name="seat",
            version=1,
            label="Model judge in a session",
            inputs=model_seat.SeatInputs,
            prompts=model_seat.PROMPTS,
            story=model_seat.fill_seat,
            roles=("judge",),
            plan=plans.of_seat,
            makes="answers",
            lack=rules.filled("The seat gave no answer.", "SeatFilled", "answered", "earlier"),
            reads=False,
            apart="a session's texts and answers are kept beside the run.",
        ),
        Method(
            name="sweep",
            version=1,
            label="Experiment",
            inputs=matrix.SweepInputs,
            prompts=matrix.PROMPTS,
            story=matrix.sweep,
            screen="experiments",
            report="experiment",
            makes="runs",
            lack=rules.no_cell,
            reads=False,
            has_runs_made=True,
        ),
        Method(
            name="checklist-experiment",
            version=1,
            label="Checklist experiment",
            inputs=checklist.ChecklistExperimentInputs,
            prompts=evolution.PROMPTS,
            story=checklist.fill_all,
            screen="experiments",
            view="checklist",
            report="checklist experiment",
            makes="runs",
            lack=rules.no_evolved_cell,
            reads=False,
            has_runs_made=True,
            apart="the runs behind its cells are kept beside it.",
        ),
        Method(
            name="novelty-experiment",
            version=1,
            label="Novelty checks, measured",
            inputs=novelty_experiment.NoveltyExperimentInputs,
            prompts=novelty_experiment.PROMPTS,
            story=novelty_experiment.check_all,
            screen="experiments",
            view="novelty",
            report="novelty experiment",
            makes="runs",
            lack=rules.filled("No idea was checked.", "CheckedIdea", "said"),
            reads=False,
            has_runs_made=True,
            apart="the runs behind its cells are kept beside it.",
        ),
        Method(
            name="shortlist",
            version=1,
            label=LABELS["shortlist"],
            inputs=ShortlistInputs,
            prompts=shortlist.PROMPTS,
            story=shortlist.shortlist,
            roles=shortlist.ROLES,
            compares=True,
            screen="shortlist",
            look="See the shortlist",
            report="shortlist",
            ideas=_listed_ideas,
            lack=rules.shown("It came to no shortlist.", "Shortlist"),
            has_runs_made=True,
            measured="calls",
            whole="shortlist",
        ),
        Method(
            name="topic-experiment",
            version=1,
            label="Experiment over topics",
            inputs=topic_experiment.TopicExperimentInputs,
            prompts=topic_experiment.PROMPTS,
            story=topic_experiment.fill_all,
            compares=True,
            screen="experiments",
            view="topics",
            report="topic experiment",
            makes="runs",
            lack=rules.no_topic_cell,
            reads=False,
            has_runs_made=True,
            apart="the runs behind its cells are kept beside it.",
        ),
        Method(
            name="bench",
            version=1,
            label="Benchmark",
            inputs=BenchInputs,
            prompts=BENCH_PROMPTS,
            story=coordinator.conduct,
            roles=(),
            panel=True,
            screen="benchmark",
            report="benchmark",
            makes="cells",
            lack=rules.no_judgment,
            sampled_alike=True,
            cells=True,
            counts="answer",
            apart="a benchmark's answers are kept beside the run, in cells of their own.",
        ),
        Method(
            name="train",
            version=1,
            label="Training",
            inputs=training.TrainInputs,
            prompts=training.PROMPTS,
            story=training.train,
            roles=("judge",),
            plan=plans.of_training,
            most=plans.training_at_most,
            screen="training",
            look="See what it learned",
            report="training",
            counts="recorded step",
            makes="a policy",
            lack=rules.shown("It left no checkpoint.", "Trained"),
            reads=False,
            own_process=True,
            apart="its checkpoints are kept beside the run.",
        ),
        Method(
            name="candidates",
            version=1,
            label="Candidates for a chain",
            inputs=CandidateInputs,
            prompts=candidates.PROMPTS,
            story=candidates.consider,
            lookup=True,
            compares=True,
            plan=plans.of_candidates,
            makes="candidates",
            lack=rules.filled("No candidate was found.", "Considered", "candidates"),
        ),
        Method(
            name="find",
            version=1,
            label="Find a paper",
            inputs=Looking,
            story=finding.find,
            lookup=True,
            compares=True,
            plan=plans.of_look_up,
            makes="papers",
            lack=rules.filled("No paper was found.", "Search", "papers"),
        ),
    )
}


def method(name: str) -> Method:
    """Return the method of that name; raises BadInput."""
    if name not in METHODS:
        raise BadInput(f"There is no method {name!r}; there are {', '.join(METHODS)}.")
    return METHODS[name]


def people_instead(config: Config) -> str:
    """Return what people do in a run in which no model is asked: `a person ranks`; else empty."""
    return entry(config).people(config.inputs)


LOOKUPS = tuple(name for name, one in METHODS.items() if one.lookup)
"""Methods that look something up for a person: left out of lists of work."""


def named(name: str) -> Method:
    """Return the method of that name, as a stored run has it; one that this program does not know
    (yet, or any more) goes by its name and can do nothing.
    """
    unknown = Method(
        name=name, version=0, label=name, inputs=Record, story=_untold, makes="", reads=False
    )
    return METHODS.get(name, unknown)


def entry(config: Config) -> Method:
    """Return the method that a run follows: what is to be known of it is asked of the entry."""
    return named(config.method)


def lack(store: Store, run: Run) -> str:
    """Return why a finished run has no result, as a sentence: one rule for every kind of run,
    wherever it is shown.

    Empty for one that has, for one that is not finished, and for a kind that is not known here.
    """
    return entry(run.config).lack(store, run) if run.state == "done" else ""
