"""An ablation never passes for its method: what a text is by is named by what departs from the
method's defaults.
"""

import pytest

from core.importing.gathering import entries_of_run
from core.importing.results import maker
from core.judging.arena.competition import ArenaInputs
from core.judging.evolution_tables import trials
from core.methods import BaselineInputs, ChainInputs, RealInputs, RefineInputs
from core.methods.evolution import EvolveInputs
from core.methods.presets import FEASIBILITY, NOVELTY
from core.records import Config, Evolved, Idea, Outcome, Paper, Play
from core.runs.planning import played, validated
from core.store import Store
from core.story import Story
from core.studies.picking import Chosen, picked
from core.wording.naming import LABELS, departures, name_of
from tests.conftest import make_run
from tests.support.sessions.studies_kit import plan
from tests.support.stored import KINDS, opened

PAPER = Paper(id="p1", title="Naps", abstract="On naps.", source="shelf")
IDEA = Idea(form="hypothesis", fields={"hypothesis": "Naps restore memory."})
INFAL = played("infal", (NOVELTY,))


def config(method: str, inputs: object, **more: object) -> Config:
    return Config(
        method=method,
        version=2,
        inputs=inputs.model_dump(mode="json"),
        models={"main": "m", "generator": "g", "judge": "j"},  # type: ignore[attr-defined]
        source="shelf",
        seed=1,
        **more,
    )


def called(method: str, inputs: object, **more: object) -> str:
    return name_of(config(method, inputs), **more)


def chain(**given):
    return called("chain", validated(ChainInputs, topic="naps", **given))


def refinement(play: Play = INFAL, **given):
    return called("refine", validated(RefineInputs, topic="naps", play=play, **given))


def evolution(**given):
    return called("evolve", validated(EvolveInputs, topic="naps", **given))


def test_a_method_as_it_is_goes_by_its_own_name():
    assert [chain(), refinement(), evolution()] == [
        "Chain of ideas",
        "Adversarial refinement",
        "Checklist evolution",
    ]
    assert called("rag", validated(BaselineInputs, topic="naps")) == "Retrieval-augmented prompting"
    assert (
        called("direct", validated(BaselineInputs, topic="naps", design=False))
        == "Direct prompting"
    )
    assert called("real-paper", validated(RealInputs, topic="naps", paper=PAPER)) == "Real paper"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"without": ("entities",)}, "Chain of ideas, without entities"),
        ({"without": ("order", "future")}, "Chain of ideas, without order, without future"),
        ({"length": 0}, "Chain of ideas, length 0"),
        ({"length": 3}, "Chain of ideas, length 3"),
        ({"branches": 1}, "Chain of ideas, 1 branch"),
        ({"full_text": False}, "Chain of ideas, abstracts alone"),
        ({"ideas": 2}, "Chain of ideas, 2 ideas a branch"),
        (
            {"novelty_rounds": 1, "confirm": True},
            "Chain of ideas, directions confirmed by a person, 1 novelty check",
        ),
    ],
)
def test_a_chain_is_named_by_what_departs(given, said):
    assert chain(**given) == said


def test_refinements_are_named_by_variant_quality_and_rules():
    goals = (NOVELTY,)
    assert (
        refinement(played("no-discriminator", goals))
        == "Adversarial refinement, without discriminator"
    )
    assert refinement(played("self-reflection", goals)) == "Adversarial refinement, self-reflection"
    assert (
        refinement(played("infal", goals, 3, 1))
        == "Adversarial refinement, at most 3 rounds, patience 1"
    )
    assert refinement(played("infal", (FEASIBILITY,))) == "Adversarial refinement, for feasibility"
    assert (
        refinement(played("infal", (NOVELTY, FEASIBILITY)))
        == "Adversarial refinement, for novelty and feasibility"
    )
    assert (
        refinement(played("infal", goals, printed=True))
        == "Adversarial refinement, Algorithm 1 as printed"
    )
    assert refinement(k=0) == "Adversarial refinement, without papers"
    assert (
        refinement(idea=IDEA, from_run="abc", context=(PAPER,), k=0)
        == "Adversarial refinement, from the idea of another run"
    )
    assert (
        refinement(played("infal", goals, people=("optimizer",)))
        == "Adversarial refinement, optimizer played by a person"
    )


NO_PART = {
    ChainInputs: {"topic", "before", "ban", "anchors", "design", "refinements"},
    EvolveInputs: {"topic", "question", "review", "seed", "before", "firsts", "lines"},
    RefineInputs: {
        "topic",
        "area",
        "firsts",
        "context",
        "lines",
        "only",
        "target",
        "repeats",
        "same_form",
        "checklist",
        "from_run",
    },
}
"""What an idea is not made otherwise by."""
DEPARTING = {
    ChainInputs: {
        "branches": 2,
        "length": 4,
        "milestone": 5,
        "without": ("chain",),
        "full_text": False,
        "confirm": True,
        "novelty_rounds": 2,
        "ideas": 3,
        "known": ({"direction": "By light.", "overlap": "A paper"},),
    },
    EvolveInputs: {
        "papers": False,
        "idea": IDEA,
        "steps": 3,
        "informed": False,
        "decided": "model",
        "judged_by": "person",
        "apart": True,
        "step_in": True,
    },
    RefineInputs: {
        "play": played("no-optimizer", (NOVELTY,)),
        "earlier": ({"upto": 1, "play": INFAL},),
        "idea": IDEA,
        "k": 2,
    },
}


@pytest.mark.parametrize(
    ("kind", "method"), [(ChainInputs, "chain"), (EvolveInputs, "evolve"), (RefineInputs, "refine")]
)
def test_every_setting_of_a_method_is_in_its_name_or_known_to_be_no_part_of_it(kind, method):
    assert set(kind.model_fields) == NO_PART[kind] | set(DEPARTING[kind])
    base = {"topic": "naps"} | ({"play": INFAL} if kind is RefineInputs else {})
    names = [
        called(method, validated(kind, **base | {name: value}))
        for name, value in DEPARTING[kind].items()
    ]
    assert len({*names, LABELS[method]}) == len(names) + 1


def test_a_design_goes_by_its_reviews_and_an_idea_does_not():
    whole = validated(ChainInputs, topic="naps", refinements=0)
    assert (called("chain", whole), called("chain", whole, made="design")) == (
        "Chain of ideas",
        "Chain of ideas, design without review",
    )


def test_what_a_person_edited_does_not_pass_for_the_method():
    edited = config(
        "chain", validated(ChainInputs, topic="naps"), edits={"branch-1/idea-1/draft": {}}
    )
    assert name_of(edited) == "Chain of ideas, edited by a person"


def finished(store: Store, **given: object):
    run = make_run(
        store,
        method="chain",
        inputs=validated(ChainInputs, topic="naps", **given).model_dump(mode="json"),
    )
    idea = Idea(form="hypothesis", fields={"hypothesis": f"Naps, {sorted(given)}."})
    store.connections.write(
        "INSERT INTO products VALUES (?,?,?,?,?)",
        run.id,
        "result-1",
        "Outcome",
        Outcome(reason="It ended.", idea=idea, round=1, converged=True).model_dump_json(),
        "1",
    )
    return run


def test_an_arena_takes_a_method_and_its_ablation_as_two(store):
    for run in (finished(store), finished(store, without=("entities",)), finished(store, length=0)):
        entries_of_run(store, run.id, "ablations")
    entries = tuple(entry for entry, _ in store.entries.of(("ablations",)))
    assert sorted(one.method for one in entries) == [
        "Chain of ideas",
        "Chain of ideas, length 0",
        "Chain of ideas, without entities",
    ]
    assert validated(ArenaInputs, topic="Ablations", entries=entries)


def test_runs_that_are_stored_have_names_of_their_own(tmp_path):
    with opened("edition-2", tmp_path) as (runner, _, known):
        names = {
            kind: name_of(runner.store.runs.get(known[kind]["ended"]).config) for kind in KINDS
        }
    assert (
        names["chain-without-entities"]
        != names["chain-without-chain"]
        != names["chain-of-length-0"]
        != names["chain"]
    )
    assert (
        len(
            {
                names[kind]
                for kind in (
                    "refinement",
                    "self-reflection",
                    "review-rebuttal",
                    "evolution",
                    "evolution-alone",
                )
            }
        )
        == 5
    )


def test_evolutions_of_other_settings_are_no_trials_of_the_same_generator():
    ended = (("idea-1/step-0", Evolved.model_construct(n=0)),)
    told = [
        trials(config("evolve", validated(EvolveInputs, topic="naps", **given)), "r", ended)[
            0
        ].generator
        for given in ({}, {"steps": 4}, {"papers": False})
    ]
    assert told == ["g", "g, 4 steps", "g, without literature"]


def test_a_refinement_that_is_commented_goes_by_the_same_name(tmp_path):
    with opened("edition-2", tmp_path) as (runner, _, known):
        run = runner.store.runs.get(known["self-reflection"]["ended"])
        (pick,) = picked(runner.store, plan("comment"), Chosen(runs=(run.id,)))
        assert (
            pick.key.method
            == maker(run.config, Story.of(runner.store, run.id)).method
            == name_of(run.config)
        )
        assert "self-reflection" in departures(run.config)
