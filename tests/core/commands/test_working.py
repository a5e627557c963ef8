"""Working from a terminal: the embedding model is loaded beside the first calls of a run that
compares texts, and Control-C stops what has begun, however early it comes.
"""

import pytest

from core.commands.working import work
from core.methods import BaselineInputs
from tests.conftest import Runner, ScriptedModel, Shop, WordEmbedder


class Loading(WordEmbedder):
    """Counts how often it is told to load."""

    told = 0

    def load_beside(self) -> None:
        self.told += 1


@pytest.mark.parametrize(
    ("method", "models", "told"),
    [
        ("rag", {"main": "scripted:one"}, 1),
        ("direct", {"main": "scripted:one"}, 0),
        ("direct", {"main": "builtin"}, 1),
    ],
)
def test_a_run_that_compares_texts_has_the_model_loaded(tmp_path, method, models, told):
    scripted = ScriptedModel({})
    shop = Shop(tmp_path, {"scripted:one": scripted, "builtin": scripted})
    shop.embedder = Loading()  # type: ignore[assignment]
    config = shop.config(method, BaselineInputs(topic="sleep"), models=models)
    runner = Runner(shop)
    run = runner.begin(config, "A run")
    work(runner, run.id, begin=lambda _: None)
    assert shop.embedder.told == told


def test_a_run_that_is_interrupted_as_it_begins_is_stopped_too(tmp_path, capsys):
    scripted = ScriptedModel({})
    shop = Shop(tmp_path, {"scripted:one": scripted})
    config = shop.config("direct", BaselineInputs(topic="sleep"), models={"main": "scripted:one"})
    runner = Runner(shop)
    run = runner.begin(config, "A run")

    def interrupted(_: str) -> None:
        raise KeyboardInterrupt

    document, code = work(runner, run.id, begin=interrupted)
    assert (document["state"], code) == ("stopped", 4)
    assert "Everything up to here is kept." in capsys.readouterr().err
