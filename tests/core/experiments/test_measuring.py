"""What the cells of a matrix come to where an idea did not converge, or a run was tried again."""

import pytest

from core.errors import ModelFailed
from core.experiments import measuring, series
from core.experiments.contenders import rounds_of
from core.experiments.results import collect
from core.models import asking
from core.models.port import Request
from core.records import EDITION, Cell, Idea, Made, Outcome, Round, Stopping
from core.runs.extending import extend
from core.story import Story
from tests.support.scripted import baseline_script, generation, refine_script
from tests.support.sweep_kit import asked, done, experiment, runner_of

LIMITS = Stopping(max_rounds=6, patience=3)


def made(method: str, *ended: tuple[int, bool]) -> Made:
    rounds, converged = zip(*ended, strict=True)
    cell = Cell(method=method, model="m", indicator="novelty", target="t")
    return Made(cell=cell, run="r", rounds=rounds, converged=converged)


@pytest.mark.parametrize(
    ("method", "taken"),
    [("infal", [4, 10]), ("self-reflection", [4, 10]), ("no-discriminator", [4, 2])],
)
def test_an_idea_that_did_not_converge_took_all_rounds_there_were(method, taken):
    assert measuring.rounds_given(made(method, (4, True), (2, False)), 10) == taken


def test_a_checklist_evolution_took_the_revisions_it_had_and_does_not_converge():
    assert measuring.rounds_given(made("evolve", (1, False), (0, True)), 10) == [1, 0]
    assert "evolve" in measuring.ENDLESS


def test_the_median_of_rounds_is_of_those_played(tmp_path):
    # Better in rounds 1 and 4 only: played to the limit of six, and the idea of round 4 is kept.
    verdicts = (True, False, False, True, False, False)
    runner, _, run = done(tmp_path, refine_script(verdicts), methods=("infal",), rules=LIMITS)
    results = collect(runner.store, run.id)
    (median, *_) = measuring.rounds(results)
    assert {n for one in results.made for n in one.rounds} == {4}
    assert median.value.mean == 6


@pytest.mark.parametrize(("edition", "stands"), [(EDITION, "first"), (3, "second")])
def test_an_idea_that_stopped_earlier_stands_as_it_ended(edition, stands):
    def idea(title: str) -> Idea:
        return Idea(form="hypothesis", fields={"hypothesis": title})

    def line(n: int, versions: tuple[str, ...], end: str):
        first, *others = versions
        yield f"idea-{n}/round-0", idea(first)
        for k, title in enumerate(others, 1):
            revision = {"idea": idea(title), "changes": ()}
            yield f"idea-{n}/round-{k}", Round.model_construct(n=k, revision=_Revision(**revision))
        yield f"idea-{n}/outcome", Outcome(reason="Over.", idea=idea(end))

    story = Story((*line(1, ("first", "second"), "first"), *line(2, ("a", "b", "c"), "c")))
    assert [[one.title for one in ideas] for ideas in rounds_of(story, edition)] == [
        ["first", "a"],
        ["second", "b"],
        [stands, "c"],
    ]


class _Revision:
    """What a round holds of its revision, as far as it is looked at here."""

    def __init__(self, idea: Idea, changes: tuple[()]):
        self.idea, self.changes = idea, changes


def test_an_idea_that_was_tried_again_is_paid_for_beside_those_taken_over(tmp_path, monkeypatch):
    monkeypatch.setattr(asking, "price", lambda *_: 0.01)
    honest, failing = baseline_script(), [True]

    def direct(request):
        if failing:
            failing.clear()
            raise ModelFailed("The server is down.")
        return honest["direct-idea"](request) | {"method": f"Way {request.seed}"}

    runner, _ = runner_of(tmp_path, {"direct-idea": direct})
    run = experiment(runner, methods=("direct",), n=4)
    assert runner.work(run.id) == "done"
    more = extend(runner, run.id, asked(runner, methods=("direct",), n=4))
    assert runner.work(more.id) == "done"
    (cost,) = measuring.costs(collect(runner.store, more.id))
    assert (cost.value.n, len(cost.value.runs)) == (2, 8)
    assert cost.value.mean == pytest.approx(0.01)


def _unusable_from_the_second_round(request: Request) -> object:
    if generation(request.values["idea"]) >= 1:
        return {"nonsense": 1}
    return refine_script()["revise"](request)


def test_an_idea_that_broke_off_took_no_number_of_rounds(tmp_path):
    script = refine_script((True,) * 20) | {"revise": _unusable_from_the_second_round}
    runner, _, run = done(tmp_path, script, methods=("infal",), rules=LIMITS)
    results = collect(runner.store, run.id)
    assert {one.rounds for one in results.made} == {(1, 1)}
    assert list(measuring.rounds(results)) == []
    assert [one.value.mean for one in measuring.converged(results)] == [0.0]
    (ended,) = series.endings(results)
    assert [(point.x.text, point.y.mean) for point in ended.points] == [("broke off", 1.0)]


def test_q_against_the_round_of_one_that_broke_off_is_that_of_the_idea_it_ended_with(tmp_path):
    def revise(request: Request) -> object:
        breaks = "of 1" in str(request.values)
        return (_unusable_from_the_second_round if breaks else honest["revise"])(request)

    def rank(request: Request) -> object:
        def worth(one: object) -> int:
            if one.idea.title.startswith("Version"):
                return 2
            return 1 if "target" in one.idea.text else 0

        best_first = sorted(request.values["candidates"], key=worth, reverse=True)
        return {"places": [{"label": one.label, "reason": "."} for one in best_first]}

    # No verdict sees an improvement: one target's game goes on to its end with the newest version,
    # the other's breaks off, and ends with the first idea, which ranks last.
    honest = refine_script((False,) * 20)
    script = honest | {"revise": revise, "rank": rank}
    rules = Stopping(max_rounds=10, patience=4)
    runner, _, run = done(
        tmp_path, script, methods=("infal",), rules=rules, repeats=1, every_round=True
    )
    results = collect(runner.store, run.id)
    assert sorted(one.q for one in results.ranked) == [(0.0,), (1.0,)]
    (line,) = series.by_round(results)
    assert [point.y.mean for point in line.points] == [0.0, 1.0, 0.5, 0.5, 0.5]
