"""Trainings on screen: the form and what it refuses, a run in every state, what it left, and the
page without the packages of training.
"""

import json
from urllib.parse import parse_qs

import pytest
from streamlit.testing.v1 import AppTest

from components.training import checkpoints as checkpoint_view
from components.training import curves, form
from core.errors import BadInput
from core.export.document import document
from core.export.html import html
from core.export.markdown import markdown
from core.export.results import tables
from core.export.trained import curve_table
from core.methods.seed_dataset import SeedInputs
from core.records import Learned, Prepared, TrainedPolicy, TrainingData
from core.runs.children import LOG
from core.runs.runner import Runner
from core.story import Story
from core.tables.sheets import sheet
from core.training.learning import Learning
from core.training.method import TrainInputs, folder_of, gain, sum_up
from tests import ROOT
from tests.conftest import ScriptedModel, Shop
from tests.support.scripted import configured
from tests.support.training import training_kit as kit
from tests.support.visiting import host, links, said, settled, visit

BASE = "tiny"


@pytest.fixture
def runner(tmp_path, monkeypatch):
    """A runner whose only model judges, with a base at hand; the packages are said to be there."""
    runner = Runner(Shop(tmp_path, {"scripted:one": ScriptedModel({})}))
    host(monkeypatch, runner)
    monkeypatch.setattr(runner, "start", lambda run_id: None)
    for name in ("components.training.form", "core.runs.beginning"):
        monkeypatch.setattr(f"{name}.require_packages", lambda: None)
    runner.store.places.choose("model-judge", "scripted:one")
    folder = tmp_path / "models" / BASE
    folder.mkdir(parents=True)
    (folder / "model.safetensors").write_bytes(b"weights")
    return runner


def dataset(runner: Runner, many: int = 10) -> str:
    """Keep a data set of so many questions, and return its run."""
    run = runner.begin(configured(runner, "seed-dataset", SeedInputs(works=many)), "Questions")
    for n in range(many):
        kit.show(runner, run, f"question-{n}", Prepared(question=f"Does rule {n} help?"))
    runner.store.connections.write(
        "UPDATE runs SET state = 'done', steps = ? WHERE id = ?", many, run.id
    )
    return run.id


def trainings(runner: Runner):
    return runner.store.runs.listed(method="train")


def metrics(app: AppTest) -> dict[str, str]:
    return {one.label: one.value for one in app.metric}


# -- the form -------------------------------------------------------------------------------------


def test_a_training_begins_as_the_form_says(runner):
    made = dataset(runner)
    app = visit("training", data=made)
    assert "8 to train on, 2 held out" in said(app)
    assert "100 steps. Each takes 5 questions, writes 8 rollouts of 2 drafts" in said(app)
    assert "usually 56,000 model calls" in said(app)
    app.text_input(key="training:name").set_value("Ours")
    app.radio(key="training:informed").set_value(False)
    app.number_input(key="training:learning_rate").set_value(2e-6)
    app.number_input(key="training:drafts").set_value(3)
    app.number_input(key="training:cap-usd").set_value(4.0)
    app = settled(app.run())
    settled(app.button(key="training:go").click().run())
    (run,) = trainings(runner)
    asked = run.inputs_as(TrainInputs)
    assert (run.title, asked.base, asked.informed, asked.judged) == ("Ours", BASE, False, "model")
    assert (asked.how.learning_rate, asked.how.shape.drafts, asked.how.steps) == (2e-6, 3, 100)
    assert run.config.models["judge"] == "scripted:one"
    assert runner.store.runs.caps(run.id)[0] == 4.0
    held = runner.store.frozen.get(asked.data, TrainingData)
    assert (len(held.training), len(held.held_out)) == (8, 2)


def test_code_alone_judges_for_nothing(runner):
    dataset(runner)
    app = visit("training")
    app.radio(key="training:judged").set_value("code")
    app = settled(app.run())
    assert "No model is asked: code judges." in said(app)
    settled(app.button(key="training:go").click().run())
    (run,) = trainings(runner)
    assert run.config.models == {}


def test_what_cannot_be_is_said_beforehand_and_nothing_typed_is_lost(runner):
    app = visit("training")
    assert "There is no data set of questions yet" in said(app)
    assert app.button(key="training:go").disabled
    app.text_input(key="training:name").set_value("Ours")
    dataset(runner)
    app = settled(app.run())
    app.number_input(key="training:held-out:10").set_value(10)
    app = settled(app.run())
    assert "none is left to train on" in said(app)
    app.number_input(key="training:held-out:10").set_value(1)
    app.number_input(key="training:rows_at_once").set_value(7)
    app = settled(app.run())
    assert "80 drafts a step cannot be taken 7 at a time" in said(app)
    assert app.text_input(key="training:name").value == "Ours"
    assert not trainings(runner)


def test_a_base_that_is_not_here_is_refused_with_how_to_get_it(runner):
    dataset(runner)
    (runner.workshop.settings.data / "models" / BASE / "model.safetensors").unlink()
    app = visit("training")
    assert "Choose a base: the language model that is trained." in said(app)
    typed = AppTest.from_file(str(ROOT / "app.py"), default_timeout=90)
    typed.session_state["training:base"] = "Qwen/Never-Downloaded"
    app = settled(typed.switch_page("pages/training.py").run())
    assert "hf download Qwen/Never-Downloaded" in said(app)
    assert app.button(key="training:go").disabled


def test_without_the_packages_one_sentence_says_what_to_install(runner, monkeypatch):
    run = kit.training(runner, steps=2)

    def missing():
        raise BadInput("Training needs packages that are not installed (trl).")

    monkeypatch.setattr(form, "require_packages", missing)
    app = visit("training")
    assert "Training needs packages that are not installed (trl)." in said(app)
    assert form.INSTALL in [one.value for one in app.code]
    assert not [one for one in app.button if one.key == "training:go"]
    assert run.title in said(app)
    assert metrics(visit("training", run=run.id))["Steps learned"] == "2 of 60"


# -- a run in each state --------------------------------------------------------------------------


def test_a_finished_training_shows_what_came_of_it_first(runner):
    app = visit("training", run=kit.training(runner).id)
    assert metrics(app) == {
        "Mean return, first 6 steps": "6.44",
        "At the end, last 6 steps": "8.80",
        "Steps learned": "60 of 60",
        "Checkpoints": "6",
    }
    assert "Finished" in said(app)
    assert len(app.get("plotly_chart")) == 6


def test_steps_in_which_nothing_was_judged_have_no_return(runner, tmp_path):
    run = kit.training(runner, steps=3)
    whole = Story.of(runner.store, run.id).all(Learned)
    nothing = {"mean_return": 0.0, "by_draft": (0.0, 0.0), "by_item": {}, "dropped": 1.0}
    lost = whole[1].model_copy(update=nothing)
    unreadable = whole[2].model_copy(update={"by_draft": (0.0, 0.0), "discarded": 1.0})
    curve = (whole[0], lost, unreadable)
    assert gain(curve) == (whole[0].mean_return, whole[2].mean_return, 1)
    assert sum_up((whole[0], lost), tmp_path, edition=5).last_return == whole[0].mean_return
    assert sum_up((whole[0], lost), tmp_path, edition=4).last_return == 0.0
    assert gain((lost,)) is None
    returns, drafts = curves._returns(curve), curves._by_draft(curve)
    assert list(returns[0]["x"]) == [1, 3]
    assert [list(one["x"]) for one in drafts] == [[1, 3], [1]], "no second draft was written"
    shown = [[value.said for value in row[:4]] for row in curve_table(curve).rows]
    assert (shown[1][1:], shown[2][3]) == (["–", "–", "–"], "–")


def test_a_training_says_what_it_does_before_its_first_step_is_over(runner):
    run = kit.training(runner, "running", 0)
    epoch = runner.store.connections.number("SELECT epoch FROM runs WHERE id = ?", run.id)

    def writing(key: str, note: str) -> str:
        runner.store.steps.write_partial(run.id, key, "", note, epoch)
        return said(visit("training", run=run.id))

    assert "Step 1 of 60: loading the model, or beginning." in said(visit("training", run=run.id))
    text = writing("step-1/drafts-0", "16 of 40 drafts written")
    assert "Step 1 of 60: the first drafts, 16 of 40 drafts written." in text
    assert "Curves appear with the first one" in text
    assert not metrics(visit("training", run=run.id))
    text = writing("step-1/query-0/rollout-1/draft-1/checklist/risk/checklist-item", "")
    assert "1 item of the drafts of round 2 before the judge." in text


@pytest.mark.parametrize(
    ("state", "steps", "words"),
    [
        ("queued", 0, "Queued"),
        ("running", 24, "Step 25 of 60"),
        ("capped", 24, "With a higher cap it continues from the checkpoint of step 20"),
        ("stopped", 3, "Resume continues from the beginning; there is no checkpoint yet"),
        ("interrupted", 12, "Resume continues from the checkpoint of step 10"),
        ("failed", 12, "The loss is no number."),
    ],
)
def test_each_state_says_how_it_stands_and_how_to_go_on(runner, state, steps, words):
    reason = "The loss is no number." if state == "failed" else ""
    run = kit.training(runner, state, steps, reason)
    app = visit("training", run=run.id)
    assert words in said(app)
    buttons = {one.label for one in app.button}
    if state in ("queued", "running"):
        assert {"Pause", "Stop"} <= buttons
    else:
        assert ("Save caps and go on" if state == "capped" else "Resume") in buttons
    assert metrics(app).get("Steps learned") == (f"{steps} of 60" if steps else None)


def test_a_failed_training_says_where_its_log_is(runner):
    run = kit.training(runner, "failed", 0, "Out of memory.")
    folder = folder_of(runner.workshop.settings.data, run.id)
    folder.mkdir(parents=True)
    (folder / LOG).write_text("CUDA")
    assert str(folder / LOG) in said(visit("training", run=run.id))


def test_another_run_is_shown_on_its_own_page(runner):
    assert "is shown on another page" in said(visit("training", run=dataset(runner)))


# -- what it wrote and learned --------------------------------------------------------------------


def test_drafts_of_any_step_can_be_read_as_the_text_they_are(runner):
    run = kit.training(runner, steps=5)
    app = visit("training", run=run.id, tab="Drafts")
    text = said(app)
    assert "Best rollout: return 8" in text
    assert "Worst rollout: return 0" in text
    assert "Models forget <b>what</b> they learned." in text
    assert "Discarded: no idea could be read from this reply" in text
    assert "It names <u>no</u> baseline." in text
    assert "Directives, for the next draft" in text
    assert app.select_slider[0].value == 5
    app = settled(app.button(key="training:earlier").click().run())
    assert app.select_slider[0].value == 4
    app = settled(app.select_slider[0].set_value(1).run())
    assert app.button(key="training:earlier").disabled


def test_the_curve_grows_in_a_frame_that_seldom_changes():
    assert [curves.reach(last, 100) for last in (1, 20, 32, 33, 90)] == [20, 32, 32, 64, 100]
    assert curves.reach(3, 3) == 3
    assert [curves.dash(k, 2) for k in range(2)] == ["dot", "solid"]


def test_one_step_and_items_by_code_are_drawn_too(runner):
    run = kit.training(runner, steps=1, judged="code", how=Learning(steps=1))
    curve = Story.of(runner.store, run.id).all(Learned)
    drawn = curves.items_figure(curve, 2, "#000")
    assert [one.text for one in drawn.layout.annotations[:2]] == ["8 Length", "9 Layout"]
    assert drawn.layout.xaxis.dtick == 1  # Of halves "d" would make a step twice.
    app = visit("training", run=run.id)
    assert "Mean return, first step" in metrics(app)
    assert "Step 1, the only one so far." in said(visit("training", run=run.id, tab="Drafts"))


def test_what_was_asked_says_where_the_paper_prints_nothing(runner):
    app = visit("training", run=kit.training(runner, steps=2).id, tab="What was asked")
    assert "30 to train on, 6 held out" in said(app)
    assert "Qwen/Qwen3-4B" in said(app)
    rows = app.dataframe[0].value
    printed = dict(zip(rows["Setting"], rows["Paper"], strict=True))
    assert printed["Learning rate"] == "The paper's is 1e-6."
    assert printed["Temperature of the rollouts"] == "The paper prints none."


# -- what it left ---------------------------------------------------------------------------------


def put(app: AppTest, run_id: str, name: str) -> AppTest:
    app.text_input(key=f"training:name:{run_id}").set_value(name)
    return settled(app.button(key="training:use:go").click().run())


def test_a_checkpoint_is_put_to_use_and_taken_out_again(runner):
    run = kit.training(runner, steps=20)
    app = visit("training", run=run.id, tab="Checkpoints")
    assert list(app.dataframe[0].value["Step"]) == [20, 10]
    app.selectbox(key=f"training:checkpoint:{run.id}").set_value(10)
    app = put(app, run.id, "local:ours-10")
    (policy,) = runner.store.policies.listed()
    assert (policy.name, policy.run, policy.step) == ("ours-10", run.id, 10)
    text = said(app)
    assert "local:ours-10" in text
    assert "pages/checklist.py" not in text
    offered = {link.label: link.query_string for link in links(app)}
    assert {"Evolve an idea with it", "Ideas from one keyword"} <= offered.keys()
    data = run.inputs_as(TrainInputs).data
    assert parse_qs(offered["Evaluate on held-out questions"]) == {
        "questions": [data],
        "generators": ["local:ours-10"],
    }
    app = settled(app.button(key="training:out:ours-10:go").click().run())
    assert not runner.store.policies.listed()


@pytest.mark.parametrize(
    ("name", "words"),
    [("", "Give it a name"), ("Über uns", "cannot be the name of a model")],
)
def test_a_name_that_cannot_be_is_refused_with_a_sentence(runner, name, words):
    run = kit.training(runner, steps=10)
    app = put(visit("training", run=run.id, tab="Checkpoints"), run.id, name)
    assert words in said(app)
    assert app.text_input(key=f"training:name:{run.id}").value == name
    assert not runner.store.policies.listed()


def test_a_policy_whose_files_are_gone_is_said_to_answer_no_more(runner):
    run = kit.training(runner, steps=10)
    given = run.inputs_as(TrainInputs)
    runner.store.policies.add(
        TrainedPolicy(
            name="lost",
            run=run.id,
            step=10,
            base=given.base,
            base_digest=given.base_digest,
            data=given.data,
            settings={},
            judge="",
            curve=(),
            files={"model.safetensors": "0" * 64},
        )
    )
    assert "The files of local:lost are gone" in said(
        visit("training", run=run.id, tab="Checkpoints")
    )


def test_without_a_checkpoint_it_is_said_when_there_will_be_one(runner):
    run = kit.training(runner, "running", 2)
    assert "One is written every 10 steps" in said(visit("training", run=run.id, tab="Checkpoints"))


def test_the_command_serves_a_whole_model_or_adapters_on_their_base(runner, tmp_path):
    folder = tmp_path / "my data" / "run1" / "checkpoint-10"
    folder.mkdir(parents=True)
    assert checkpoint_view.serving(BASE, folder, 10) == (
        f"vllm serve '{folder}' --served-model-name run1-10"
    )
    (folder / "adapter_config.json").write_text("{}")
    base = tmp_path / "models" / BASE
    assert checkpoint_view.serving(BASE, folder, 10) == (
        f"vllm serve {base} --enable-lora --lora-modules 'run1-10={folder}'"
    )


# -- taken away -----------------------------------------------------------------------------------


def test_a_report_tells_what_came_of_it_then_curve_questions_and_settings(runner):
    run = kit.training(runner)
    text = markdown(runner.store, run.id)
    assert "the mean return went from 6.440 to 8.795" in text
    assert "30 to train on and 6 held out" in text
    assert "Weight of the KL divergence" in text
    assert "Every 5 steps and the last" in text
    assert "Mean return and reward by draft over the steps" in html(runner.store, run.id)
    learned = document(runner.store, run.id)
    assert len(learned["learned"]) == 60
    assert learned["came_of_it"]["last_return"] == pytest.approx(8.795, abs=0.001)
    assert json.dumps(learned)
    assert "has not ended" in markdown(runner.store, kit.training(runner, "stopped", 2).id)


def test_the_curve_is_a_table_with_every_item_and_draft(runner):
    run = kit.training(runner, steps=3)
    (table,) = tables(runner.store, run)
    head, *rows = sheet(table).splitlines()
    assert len(rows) == 3
    assert head.startswith("Step,Mean return,")
    assert '"Grounding, draft 2"' in head
    assert not tables(runner.store, kit.training(runner, "queued", 0))
