"""The papers' experiments on their page: the gallery, a recipe opened and begun, and one of a
researcher's own.
"""

import pytest

from components.experiments.recipes import own
from core.experiments.recipes import ORDER, shipped
from core.experiments.topics import TopicExperimentInputs
from core.runs.reproducing import reproduction
from tests.support.topics_kit import JUDGE, OTHER, WRITER, runner_of
from tests.support.visiting import host, said, settled, visit


@pytest.fixture
def runner(tmp_path, monkeypatch):
    """Return a runner whose pages start nothing by themselves."""
    runner, models = runner_of(tmp_path)
    host(monkeypatch, runner)
    monkeypatch.setattr(runner, "start", lambda run_id: None)
    monkeypatch.setattr("components.runs.models.known_models", lambda role: list(models))
    return runner


def opened(name, **given):
    """Open a recipe, and choose who takes part."""
    app = visit("experiments", recipe=name)
    app.multiselect(key="recipes:models").set_value(given.pop("models", [WRITER]))
    if judges := given.pop("judges", ()):
        engine = shipped()[name].recipe.engine
        app.multiselect(key=f"recipes:judges:{engine}").set_value(judges)
    return settled(app.run())


def test_the_gallery_names_every_recipe_with_its_tables_and_what_it_takes(runner):
    app = visit("experiments", section="New experiment")
    app.segmented_control(key="experiments:kind").set_value("The papers' experiments")
    shown = said(settled(app.run()))
    for name in ORDER:
        recipe = shipped()[name].recipe
        assert recipe.title in shown
        assert ", ".join(recipe.shows) in shown
        assert app.button(key=f"recipes:open:{name}")
    assert "Small: about 90 calls" in shown
    assert "As in the paper: about 7,300 calls" in shown


def test_the_gallery_stays_after_a_reload_and_says_ids_and_what_needs_a_model(runner):
    app = visit("experiments", section="New experiment")
    app.segmented_control(key="experiments:kind").set_value("The papers' experiments")
    settled(app.run())
    assert app.query_params["recipe"] in ("all", ["all"])
    again = visit("experiments", recipe="all")
    shown = said(again)
    assert again.button(key="recipes:open:coi-ablations")
    assert "`coi-ablations`" in shown
    assert "It needs a language model that writes" in shown
    assert "There is no recipe" not in shown
    again.segmented_control(key="experiments:kind").set_value("Models by the checklist")
    settled(again.run())
    assert "recipe" not in again.query_params


def test_what_the_built_in_model_cannot_do_is_said_first(runner):
    runner.workshop.named["builtin"] = runner.workshop.named[WRITER]
    app = opened("evoideator-main", models=["builtin"])
    assert "The built-in model cannot do this." in said(app)
    assert "Choose at least one judge." not in said(app)


def test_opening_one_shows_its_form_and_the_address_names_it(runner):
    app = visit("experiments", section="New experiment")
    app.segmented_control(key="experiments:kind").set_value("The papers' experiments")
    settled(app.run())
    settled(app.button(key="recipes:open:coi-length").click().run())
    assert app.query_params["recipe"] in ("coi-length", ["coi-length"])
    shown = said(app)
    assert shipped()["coi-length"].recipe.title in shown
    assert shipped()["coi-length"].recipe.not_comparable in shown
    settled(app.button(key="recipes:all").click().run())
    assert app.button(key="recipes:open:coi-length")


def test_what_it_takes_stands_beside_the_button_and_a_press_begins_it_once(runner):
    app = opened("coi-length", judges=[JUDGE])
    assert "Estimated: " in said(app)
    app.number_input(key="recipes:seed").set_value(7)
    settled(app.run())
    settled(app.button(key="recipes:go").click().run())
    (run,) = runner.store.runs.listed(method="topic-experiment")
    assert app.query_params["run"] in (run.id, [run.id])
    made = reproduction(runner.store, run)
    assert (made.recipe.name, made.size, made.take) == ("coi-length", "small", 2)
    inputs = run.inputs_as(TopicExperimentInputs)
    assert (inputs.models, inputs.judges, run.config.seed) == ((WRITER,), (JUDGE,), 7)


def test_what_keeps_it_from_starting_is_said_before(runner):
    assert "Choose at least one model." in said(opened("coi-length", models=[]))
    app = opened("coi-length")
    app.segmented_control(key="recipes:size").set_value("paper")
    assert "Choose a file of topics." in said(settled(app.run()))
    assert "Choose at least one judge." in said(opened("evoideator-main"))
    settled(app.button(key="recipes:go").click().run())
    assert "Choose a file of topics." in said(app)
    assert not runner.store.runs.listed(method="topic-experiment")


def test_a_file_of_topics_is_taken_and_too_few_are_said(runner):
    app = opened("coi-length", models=[WRITER, OTHER])
    app.segmented_control(key="recipes:size").set_value("number")
    settled(app.run())
    app.number_input(key="recipes:many").set_value(3)
    app.get("file_uploader")[0].set_value(("mine.txt", b"sleep\nmemory\n", "text/plain"))
    assert "3 topics are asked for, and there are 2 topics" in said(settled(app.run()))
    app.number_input(key="recipes:many").set_value(2)
    settled(app.run())
    settled(app.button(key="recipes:go").click().run())
    (run,) = runner.store.runs.listed(method="topic-experiment")
    assert reproduction(runner.store, run).data == "file mine.txt"


def test_a_recipe_of_ones_own_names_line_and_key_and_its_text_stays(runner):
    wrong = shipped()["coi-length"].text.replace("take = 2", 'take = "two"', 1)
    line = wrong.splitlines().index('take = "two"') + 1
    app = visit("experiments", recipe=own.NAME)
    app.text_area(key=own.TEXT).set_value(wrong)
    shown = said(settled(app.run()))
    assert f"line {line}, sizes.small.take" in shown
    assert "recipes:go" not in {one.key for one in app.button}
    again = visit("experiments", recipe=own.NAME)
    assert again.text_area(key=own.TEXT).value == wrong
    again.text_area(key=own.TEXT).set_value(wrong.replace('"two"', "1", 1))
    settled(again.run())
    again.multiselect(key="recipes:models").set_value([WRITER])
    settled(again.run())
    settled(again.button(key="recipes:go").click().run())
    (run,) = runner.store.runs.listed(method="topic-experiment")
    assert reproduction(runner.store, run).take == 1


@pytest.mark.parametrize(
    "bomb",
    [
        "x = " + "[" * 50_000,
        "x = " + "9" * 100_000,
        f"{'.'.join(['a'] * 20_000)} = 1",
    ],
    ids=["deep", "digits", "dotted"],
)
def test_a_recipe_that_would_hold_the_program_up_breaks_no_later_visit(runner, bomb):
    runner.store.places.choose(own.KEPT, bomb)
    app = visit("experiments", recipe=own.NAME)
    assert app.text_area(key=own.TEXT).value == bomb
    assert "A recipe is a TOML file" in said(app)
    app.text_area(key=own.TEXT).set_value(shipped()["coi-arena"].text)
    settled(app.run())
    again = visit("experiments", recipe=own.NAME)
    assert "A recipe is a TOML file" not in said(again)
    assert again.button(key="recipes:go")


def test_an_unknown_recipe_in_the_address_leads_to_those_there_are(runner):
    app = visit("experiments", recipe="coi-nothing")
    assert "There is no recipe 'coi-nothing'" in said(app)
    assert app.button(key="recipes:open:coi-arena")
