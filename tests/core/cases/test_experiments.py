"""Experiments as case studies: packed with the runs behind their cells, read elsewhere, closed
whole; a file whose results its own runs do not bear out is refused.
"""

import json
from pathlib import Path
from tempfile import mkdtemp

import pytest

from core.cases import close_case, experiments, open_case, pack, read
from core.cases.experiments import weigh
from core.errors import BadInput, ModelFailed, NotThere
from core.experiments.found import findings
from core.experiments.progress import progress
from core.experiments.results import collect
from core.export.bundling import bundle
from core.export.markdown import markdown
from core.records import digest
from core.store import Store
from core.store.spending import month
from core.store.whole import Whole
from tests.support.case_kit import contents, packed_bytes, records
from tests.support.scripted import runner_of
from tests.support.sweep_kit import done, extended
from tests.support.visiting import host, said, visit


@pytest.fixture(scope="module")
def made():
    """A finished experiment of two methods, which share first ideas and a common form, and its
    runner.
    """
    runner, _, run = done(Path(mkdtemp()), methods=("infal", "initial", "direct"))
    return runner, runner.store.runs.get(run.id)


@pytest.fixture(scope="module")
def packed(made):
    runner, run = made
    return pack(runner.store, run.id, "What it shows.", "Ada")


def results(store: Store, run: str) -> list[object]:
    """Return all that an experiment shows: figures, cells, runs and what they took; runs are called
    by their names in it, and in no order.
    """
    found = collect(store, run)
    names = {one.run: name for name, one in store.sweeps.begun(run).items()} | {run: "it"}

    def plain(value: object) -> object:
        if isinstance(value, dict):
            return {names.get(name, name): plain(part) for name, part in value.items()}
        if isinstance(value, list):
            parts = [plain(part) for part in value]
            return sorted(parts) if all(isinstance(part, str) for part in parts) else parts
        return names.get(value, value) if isinstance(value, str) else value

    shown = (found, findings(found), progress(store, store.runs.get(run)))
    dumped = [plain(one.model_dump(mode="json")) for one in shown]
    return [*dumped, dict(store.runs.spent(run))]


@pytest.mark.parametrize("stepwise", [True, False])
def test_an_experiment_is_read_elsewhere_with_the_same_results_and_no_call(
    made, tmp_path, stepwise
):
    runner, run = made
    there = Store(tmp_path)
    case = open_case(there, pack(runner.store, run.id, stepwise=stepwise))
    assert results(there, case.id) == results(runner.store, run.id)
    told = [
        markdown(*one).split("## How it stands")[1].split("## The cells")[0]
        for one in ((there, case.id), (runner.store, run.id))
    ]
    assert told[0] == told[1]
    assert bundle(there, case.id)
    mine, theirs = runner.store.sweeps.begun(run.id), there.sweeps.begun(case.id)
    for name, one in mine.items():
        ours, other = records(runner.store, one.run), records(there, theirs[name].run)
        assert other["story"] == ours["story"]
        assert (other["steps"] == ours["steps"]) is stepwise, name
    assert there.steps.spent(month()) == (0.0, 0)
    assert [one.id for one in there.runs.listed(packed=True)] == [case.id]
    assert there.runs.listed() == []


def test_packed_twice_it_is_the_same_and_opened_beside_the_original_it_points_to_its_own_runs(
    made, packed
):
    runner, run = made
    assert pack(runner.store, run.id, "What it shows.", "Ada") == packed
    before = contents(runner.store)
    case = open_case(runner.store, packed)
    assert open_case(runner.store, packed) == case
    own = {one.run for one in runner.store.sweeps.begun(case.id).values()}
    assert all(one.startswith(f"{case.id}-") for one in own)
    shown = collect(runner.store, case.id)
    assert {one.run for one in (*shown.made, *shown.standings)} <= own
    close_case(runner.store, case.id)
    assert contents(runner.store) == before


def test_closing_takes_its_runs_out_and_they_are_not_closed_or_changed_alone(packed, tmp_path):
    runner, _ = runner_of(tmp_path, {})
    there = runner.store
    before = contents(there)
    case = open_case(there, packed)
    inner = next(iter(there.sweeps.begun(case.id).values())).run
    for change in (
        lambda: there.runs.delete(inner),
        lambda: there.runs.change(inner, title="Mine"),
        lambda: there.notes.add(inner, "round-1", "No.", "Ada"),
        lambda: runner.ready_to_resume(inner),
    ):
        with pytest.raises(BadInput, match="case study"):
            change()
    with pytest.raises(BadInput, match=f"came with the case study {case.id}"):
        close_case(there, inner)
    close_case(there, case.id)
    assert contents(there) == before
    with pytest.raises(NotThere):
        close_case(there, case.id)


def test_an_extension_is_packed_with_the_runs_it_took_over(tmp_path):
    runner, players, run = done(tmp_path / "mine")
    more, _ = extended(runner, players, run, methods=("infal", "direct"))
    there = Store(tmp_path / "there")
    case = open_case(there, pack(runner.store, more.id))
    begun = runner.store.sweeps.begun(more.id)
    assert runner.store.runs.count(sweep=more.id) < len(begun)
    assert there.runs.count(sweep=case.id, packed=True) == len(begun)
    assert results(there, case.id)[:3] == results(runner.store, more.id)[:3]


def test_a_cell_that_failed_goes_with_its_reason_and_names_no_folder(tmp_path):
    def fail(request):
        raise ModelFailed("no")

    runner, _, run = done(tmp_path / "mine", {"direct-idea": fail}, methods=("infal", "direct"))
    store = runner.store
    failed = next(one for one in store.sweeps.begun(run.id).values() if one.state == "failed")
    why = f"Failed while reading {tmp_path}/foundry.db (gone)."
    store.connections.write("UPDATE runs SET reason = ? WHERE id = ?", why, failed.run)
    data = pack(store, run.id)
    assert str(tmp_path) not in data.decode()
    there = Store(tmp_path / "there")
    case = open_case(there, data)
    states = [
        [one.state for one in progress(*of).cells]
        for of in ((store, store.runs.get(run.id)), (there, case))
    ]
    assert states[0] == states[1]
    assert "failed" in states[0]
    other = there.runs.get(there.sweeps.begun(case.id)[failed.name].run)
    assert (other.state, other.reason) == ("failed", "Failed while reading [folder] (gone).")


def test_its_size_is_said_beforehand_and_too_large_a_one_says_what_to_leave_out(
    made, packed, monkeypatch
):
    runner, run = made
    weight = weigh(runner.store, run)
    bare = pack(runner.store, run.id, stepwise=False)
    assert weight.runs == len(runner.store.sweeps.begun(run.id))
    assert 0.7 < (weight.records + weight.steps) / len(packed) < 1.3
    assert 0.7 < weight.records / len(bare) < 1.3
    monkeypatch.setattr("core.cases.packing.MOST_BYTES", len(bare) + 1)
    with pytest.raises(BadInput, match="without the steps"):
        pack(runner.store, run.id)
    assert pack(runner.store, run.id, stepwise=False) == bare


def product(whole, kind):
    return next(one for one in whole["products"] if one["kind"] == kind)["data"]


def inner(whole, ending):
    return next(one for one in whole["experiment"]["runs"] if one["name"].endswith(ending))


def better(whole):
    """Make a judge's Q better than its ranking."""
    shown = product(whole, "Standings")
    shown["q"] = [0.0 if q else 1.0 for q in shown["q"]]


def lose_a_cell(whole):
    whole["products"].remove(next(one for one in whole["products"] if one["kind"] == "Made"))


def widen_the_matrix(whole):
    """Ask for a thousand times as many cells."""
    inputs = whole["config"]["inputs"]
    inputs["models"] += [f"openai:m{n}" for n in range(12 - len(inputs["models"]))]
    first = inputs["targets"][0]
    inputs["targets"] = [first | {"sha": digest(n)} for n in range(2_000)]


def rename_a_run(whole):
    inner(whole, "/ideas")["name"] = "nowhere/ideas"


def give_two_one_id(whole):
    runs = whole["experiment"]["runs"]
    runs[0]["id"] = runs[1]["id"]


def swap_methods(whole):
    inner(whole, "rank-by-scripted-judge")["config"]["method"] = "direct"


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda whole: whole.pop("experiment"), "without its runs"),
        (lambda whole: whole["experiment"]["targets"].pop(), "targets are not those"),
        (lambda whole: whole["experiment"]["runs"].pop(), "made no run that came with it"),
        (lambda whole: whole["experiment"].update(stepwise=False), "says that none has"),
        (better, "is not that of its ranking"),
        (lose_a_cell, "came to nothing"),
        (widen_the_matrix, r"of each of its \d\d,\d{3} cells"),
        (rename_a_run, "none that its matrix has made"),
        (give_two_one_id, "one id"),
        (swap_methods, "Of its run"),
        (lambda whole: product(whole, "Made").update(run="elsewhere"), "are not in it"),
        (lambda whole: product(whole, "Standings").update(judge="another"), "no ranking of its"),
        (lambda whole: inner(whole, "/ideas")["steps"].pop(), "steps and has"),
        (lambda whole: inner(whole, "/ideas")["steps"].clear(), "has not all its steps"),
        (lambda whole: inner(whole, "/ideas")["totals"].update(cost=1e9), "names a cost"),
        (lambda whole: whole["config"].update(method="direct"), "cannot be read"),
    ],
)
def test_an_experiment_from_a_stranger_is_checked(packed, tmp_path, change, why):
    document = json.loads(packed)
    change(document["whole"])
    document["sha"] = digest({name: value for name, value in document.items() if name != "sha"})
    with pytest.raises(BadInput, match=why):
        open_case(Store(tmp_path), json.dumps(document).encode())
    assert Store(tmp_path).runs.count(packed=None) == 0


def test_files_packed_before_have_no_experiment_and_keep_their_digest():
    assert b'"experiment"' not in packed_bytes()
    assert read(packed_bytes()).whole.experiment is None


def test_an_opened_experiment_is_read_on_the_pages_and_nothing_is_added(
    made, packed, monkeypatch, tmp_path
):
    runner, run = made
    host(monkeypatch, runner)
    case = open_case(runner.store, packed)
    page = visit("cases", run=case.id)
    assert "shown whole" in said(page)
    assert "Mean Q by method and model" in said(page)
    assert "Keys:" not in said(page)
    page = visit("experiments", run=case.id)
    assert "nothing is added to it" in said(page)
    assert "of all the runs in its file" in said(page)
    cell = progress(runner.store, case).cells[0]
    assert cell.title in said(visit("experiments", run=case.id, cell=cell.cell.name))
    one = cell.pieces[-1].run
    assert "Part of the experiment" in said(visit("runs", run=one))
    assert str(len(runner.store.sweeps.begun(run.id))) in said(visit("cases"))


def test_the_box_says_how_many_runs_and_how_large_before_it_packs(made, monkeypatch):
    runner, run = made
    host(monkeypatch, runner)
    page = visit("runs", run=run.id)
    key = f"runs:save:{run.id}"
    page.session_state[key] = True
    page.run()
    many = len(runner.store.sweeps.begun(run.id))
    assert f"{many} runs: about" in said(page)
    assert not [one for one in page.get("download_button") if "Save as file (" in one.proto.label]
    page.checkbox(key=f"runs:stepwise:{run.id}").uncheck().run()
    assert "Nobody will see" in said(page)
    page.button(key=f"runs:pack:{run.id}").click().run()
    assert [one for one in page.get("download_button") if "Save as file (" in one.proto.label]


def test_a_run_packed_without_steps_says_so(made, tmp_path, monkeypatch):
    runner, run = made
    host(monkeypatch, runner)
    case = open_case(runner.store, pack(runner.store, run.id, stepwise=False))
    begun = runner.store.sweeps.begun(case.id)
    one = next(
        of.run for name, of in begun.items() if name.startswith("infal") and "rank" not in name
    )
    shown = said(visit("runs", run=one, **{"runs:tab": "Steps"}))
    assert "packed without the steps" in shown
    assert "Play it back" not in shown
    assert "cannot be played" in said(visit("cases", run=one))
    assert "Round 1" in said(visit("refine", run=one))


def test_a_ranking_is_read_once_however_often_a_strangers_results_name_it(packed, monkeypatch):
    whole = json.loads(packed)["whole"]
    ranked = [one["data"] for one in whole["products"] if one["kind"] == "Standings"]
    for one in ranked:
        one["run"] = ranked[0]["run"]
    read, asked = experiments._quality, []
    monkeypatch.setattr(
        experiments,
        "_quality",
        lambda run, goal: (asked.append((run.id, goal)), read(run, goal))[1],
    )
    wrong = list(experiments.misfits(Whole.model_validate_json(json.dumps(whole), strict=True)))
    assert len(ranked) > len(asked) == len({one["cell"]["indicator"] for one in ranked})
    assert all("is not that of its ranking" in one for one in wrong)
