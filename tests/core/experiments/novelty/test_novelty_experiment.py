"""Novelty checks measured: 67 labelled ideas over the made-up world, by depth, judge and seed, with
known errors; resumed where it was, told in tables and reports.
"""

import random
from collections import Counter

import pytest

from core.errors import BadInput, ModelFailed
from core.experiments.novelty import NoveltyExperimentInputs
from core.experiments.novelty.cells import Check, Condition
from core.experiments.novelty.figures import collect, figures, kappa, measure, outcome, tables
from core.export.files import export
from core.records import CheckedIdea, LabelledIdea, LabelledIdeas, digest
from core.runs.beginning import begin
from core.runs.catalogue import lack
from core.runs.estimates import of_run
from core.runs.planning import validated
from core.runs.reproducing import estimate_extension, extend_recipe
from core.statistics.intervals import wilson
from tests.conftest import ScriptedModel
from tests.support.novelty_kit import BOTH, DATED, novelty_runner, novelty_script, plant, servers
from tests.support.scripted import die, resumed

SOUND, BLIND = "scripted:sound", "scripted:blind"


def labelled(many, seed=9):
    """Return so many ideas, copies and new ones in turn, labelled as they are."""
    dice = random.Random(seed)
    rows = []
    for n in range(many):
        one = plant("new" if n % 2 else "copy", dice)
        known = one.state == "anticipated"
        papers = tuple(f"s2:{name}" for name in one.works)
        rows.append(LabelledIdea(where=f"row {n}", idea=one.idea, known=known, papers=papers))
    return LabelledIdeas(ideas=tuple(rows))


def quick_script():
    """A quick judge that says known of whatever was found, by the first paper."""

    def verdict(request):
        first = request.values["papers"][0].id
        return {"nearest": first, "overlap": "", "reason": "So it is.", "similar": True}

    return {
        "novelty-queries": lambda r: {"queries": [" ".join(r.values["draft"].method.split()[-6:])]},
        "novelty-verdict": verdict,
    }


def experiment(runner, held, **given):
    asked = {
        "topic": "Measured",
        "data": runner.store.frozen.keep(held),
        "ideas": len(held.ideas),
        "depths": ("deep",),
        "judges": ("scripted:one",),
        "dated": DATED,
        "full_text": False,
        "around": 1,
        "papers": 6,
    } | given
    inputs = validated(NoveltyExperimentInputs, **asked)
    return begin(runner, "novelty-experiment", inputs, inputs.topic, seed=7, source=BOTH)


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """Eight ideas, both depths, two seeds, one judge."""
    with servers() as both:
        folder = tmp_path_factory.mktemp("measured")
        runner = novelty_runner(folder, both, novelty_script() | quick_script())
        run = experiment(runner, labelled(8), depths=("quick", "deep"), seeds=2)
        assert runner.work(run.id) == "done", runner.store.runs.get(run.id).reason
        yield runner, runner.store.runs.get(run.id)


def test_every_idea_is_checked_in_every_way_in_a_run_of_its_own(measured):
    runner, run = measured
    held = collect(runner.store, run)
    assert len(held.cells) == held.planned == 8 * 2 * 2
    assert Counter((cell.depth, cell.seed) for cell in held.cells) == dict.fromkeys(
        (("quick", 1), ("quick", 2), ("deep", 1), ("deep", 2)), 8
    )
    assert len({cell.run for cell in held.cells}) == 32
    seeds = {runner.store.runs.get(cell.run).config.seed for cell in held.cells}
    assert len(seeds) == 32
    assert of_run(run).calls == 16 * 2 + 16 * (2 + 6)
    assert lack(runner.store, run) == ""


def test_an_idea_whose_month_was_kept_as_its_31st_is_checked_as_of_its_last_day(measured):
    _, run = measured
    held = labelled(1).ideas[0].model_copy(update={"dated": "2024-09-31"})
    check = Check(Condition("deep", "scripted:one"), 1, held)
    assert check.inputs(run.inputs_as(NoveltyExperimentInputs)).dated == "2024-09-30"


def test_figures_are_those_of_the_errors_made(measured):
    runner, run = measured
    quick, deep = figures(runner.store, collect(runner.store, run))
    assert (deep.agreement.value, deep.kappa.value, deep.found.value) == (1.0, 1.0, 1.0)
    assert (deep.false_new.value, deep.false_known.value, deep.inconclusive.value) == (0, 0, 0)
    assert (deep.same.value, deep.cost, deep.failed) == (1.0, None, 0)
    assert deep.calls == pytest.approx(8, abs=1)
    # It says known of all it can compare, and finds nothing near most invented ideas.
    assert quick.false_new.value == 0
    assert quick.agreement.value == pytest.approx(
        sum(one.known for one in decided(runner, run)) / len(decided(runner, run))
    )
    assert quick.kappa.value is None
    assert "alike" in quick.kappa.note
    assert quick.calls <= 2


def test_a_check_whose_run_was_deleted_leaves_calls_and_cost_unknown(measured):
    runner, run = measured
    cells = collect(runner.store, run).cells
    gone = [one.model_copy(update={"run": "gone"}) for one in cells]
    for held in (gone, [*cells, *gone]):
        found = measure(runner.store, Condition("deep", "scripted:one"), held)
        assert (found.calls, found.cost) == (None, None)
        assert found.agreement.value is not None


def decided(runner, run):
    cells = collect(runner.store, run).cells
    return [one for one in cells if one.depth == "quick" and one.said != "inconclusive"]


def test_one_seed_has_wilsons_interval():
    cells = [
        CheckedIdea(
            idea=digest(n),
            depth="deep",
            judge="j",
            seed=1,
            run="r",
            known=n < 30,
            verdict="anticipated",
            said="known" if n < 24 or n > 57 else "new",
        )
        for n in range(67)
    ]
    from core.experiments.novelty.figures import share

    figure = share(cells, lambda one: one.known == (one.said == "known"), "check")
    hits = 24 + 28
    assert (figure.value, figure.low, figure.high) == (hits / 67, *wilson(hits, 67))
    assert figure.how == "Wilson's"
    a, b, c, d = 28, 9, 6, 24
    chance = ((c + d) * (b + d) + (a + b) * (a + c)) / 67**2
    assert kappa(cells).value == pytest.approx(((a + d) / 67 - chance) / (1 - chance))
    assert kappa(cells).low < kappa(cells).value < kappa(cells).high


def test_tables_report_and_bundle_hold_all_of_it(measured, tmp_path):
    runner, run = measured
    agreement, every = tables(runner.store, collect(runner.store, run))
    assert [row[0].text for row in agreement.rows] == ["quick", "deep"]
    assert len(every.rows) == 32
    assert len(outcome(runner.store, collect(runner.store, run))) == 2
    for ending in ("md", "docx", "html", "json", "zip"):
        export(runner.store, run.id, tmp_path / f"m.{ending}")
    text = (tmp_path / "m.md").read_text()
    assert "of 16 decided checks 100% say what people said" in text
    assert "32 of 32 checks ended" in text


def test_one_that_fails_is_lost_alone_and_a_killed_one_goes_on_where_it_was(tmp_path):
    whole = novelty_script()
    held = labelled(4)
    broken = held.ideas[0].idea.text

    def claims(request):
        if request.values["idea"].text == broken:
            return ModelFailed("It would not.")
        return whole["novelty-claims"](request)

    with servers() as both:
        runner = novelty_runner(tmp_path, both, whole | {"novelty-claims": claims})
        run = experiment(runner, held)
        assert runner.work(run.id) == "done"
        cells = collect(runner.store, run).cells
        assert Counter(cell.state for cell in cells) == {"done": 3, "failed": 1}
        (one,) = figures(runner.store, collect(runner.store, run))
        assert (one.failed, one.agreement.n) == (1, 3)
        model: ScriptedModel = runner.workshop.scripted
        asked = len(model.requests)
        die(runner, run.id)
        assert resumed(runner, run.id) == "done"
        assert len(model.requests) == asked
        assert collect(runner.store, run).cells == cells


def test_a_model_more_pays_its_checks_alone(measured, monkeypatch):
    runner, run = measured
    first: ScriptedModel = runner.workshop.scripted
    before = {cell.run for cell in collect(runner.store, run).cells}
    guess = estimate_extension(runner.workshop, run, ("scripted:more",), ())
    assert guess.calls == of_run(run).calls
    more = ScriptedModel(novelty_script() | quick_script(), "scripted:more")
    both = {"scripted:more": more, "scripted:one": first}
    monkeypatch.setattr(runner.workshop, "model", both.__getitem__)
    asked = len(first.requests)
    grown = extend_recipe(runner, run.id, ("scripted:more",))
    assert runner.work(grown.id) == "done", runner.store.runs.get(grown.id).reason
    assert len(first.requests) == asked, "who checked before is not asked again"
    held = collect(runner.store, runner.store.runs.get(grown.id))
    assert len(held.cells) == held.planned == 2 * 32
    old = {cell.run for cell in held.cells if cell.judge == "scripted:one"}
    assert old == before
    assert len(more.requests) > 0
    with pytest.raises(BadInput, match="Name more --models only"):
        extend_recipe(runner, run.id, (), ("scripted:judge",))
    with pytest.raises(BadInput, match="over topics alone"):
        extend_recipe(runner, run.id, (), (), ("rag",))


def test_kappa_has_no_interval_where_all_resamples_are_alike():
    cells = [
        CheckedIdea(
            idea=digest(n),
            depth="deep",
            judge="j",
            seed=1,
            run="r",
            known=n < 3,
            verdict="anticipated",
            said="known" if n < 3 else "new",
        )
        for n in range(6)
    ]
    found = kappa(cells)
    assert (found.value, found.low, found.high) == (1.0, None, None)
    assert "alike" in found.note
