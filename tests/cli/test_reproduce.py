"""Every recipe of the papers at size small, over loopback models: held, extended, taken along, and
its cells computed again with pandas alone.
"""

import io
import json
import re
import zipfile
from pathlib import Path

import pandas as pd
import pytest

from core.experiments.recipes import ORDER
from core.records import Ballot, Contest, TopicArena
from core.store import Store
from core.story import Story
from tests.support.dataset_kit import asking
from tests.support.headless import cli, server

__all__ = ["cli", "server"]
MODEL, OTHER = "openai:test-model", "openai:other-model"
JUDGES = ("openai:judge-a", "openai:judge-b", "openai:judge-c")


@pytest.fixture
def held(cli, server, monkeypatch):
    """Return what holds a recipe at size small on the built-in papers, and gives its document."""
    server.script = asking
    # Words stand for meaning here, and share less.
    monkeypatch.setattr("core.literature.shelf.NEAR", 0.0)

    def hold(name: str, *words: str, models: str = MODEL, judges: str = ",".join(JUDGES[:2])):
        code, document, err = cli(
            "reproduce", name, "--models", models, "--judges", judges, "--seed", "7", *words
        )
        assert (code, document["state"]) == (0, "done"), (document, err)
        return document

    return hold


@pytest.fixture
def taken(cli, tmp_path):
    """Return what takes a run along, and gives its files by name."""

    def take(run: str) -> dict[str, bytes]:
        to = tmp_path / f"{run}.zip"
        code, _, _ = cli("reproduce", "--results", run, "--to", str(to))
        assert code == 0
        with zipfile.ZipFile(to) as whole:
            return {name: whole.read(name) for name in whole.namelist()}

    return take


def frame(files: dict[str, bytes], name: str) -> pd.DataFrame:
    return pd.read_csv(io.BytesIO(files[name]), keep_default_na=False, na_values=[""])


def vote_as_a_person(data: Path, run: str) -> None:
    """Say of the first contest of every arena that its first text is better."""
    store = Store(data)
    for arena in Story.only(store, run, TopicArena).all(TopicArena):
        one = store.ballots.of(arena.run)[0]
        sides = dict.fromkeys(one.sides, "first")
        contest = Contest(topic=one.contest.topic, a=one.contest.a, b=one.contest.b)
        store.ballots.add(
            (
                Ballot(
                    arena=arena.run,
                    contest=contest,
                    first=one.first,
                    sides=sides,
                    judge="Ada",
                    person=True,
                    key="person/Ada",
                ),
            )
        )


QUICK = ("coi-length", "infal-cost", "evoideator-main", "liveidea")
"""Recipes that are held at every run of the tests, one of each engine; the others take longer."""


@pytest.mark.parametrize(
    "name",
    [one if one in QUICK else pytest.param(one, marks=pytest.mark.soak) for one in ORDER],
)
def test_every_recipe_gives_its_tables_and_figures_at_size_small(held, taken, tmp_path, name):
    document = held(name)
    assert document["recipe"] == name
    if name.startswith("coi"):
        vote_as_a_person(tmp_path / "data", document["run"])
    files = taken(document["run"])
    wanted = {
        "report.md",
        "methods.md",
        f"{name}.toml",
        "configuration.json",
    }
    assert wanted <= files.keys()
    said = files["methods.md"].decode()
    assert "Without figures" not in said, said
    assert "at size small" in said
    for one in files:
        if one.startswith("tables/") and one.endswith(".tex"):
            text = files[one].decode()
            assert text.count(r"\begin{tabular}") == text.count(r"\end{tabular}") == 1
    assert any(one.startswith("figures/") and one.endswith(".svg") for one in files)
    recipe = files[f"{name}.toml"].decode()
    if "published = []" not in recipe:
        assert any(one.startswith("published/") for one in files), "published values stand beside"


def test_the_list_says_what_each_takes_and_what_is_not_comparable(cli):
    code, document, _ = cli("reproduce")
    assert code == 0
    assert [one["recipe"] for one in document["recipes"]] == list(ORDER)
    for one in document["recipes"]:
        assert 0 < one["small"]["calls"] < one["at_paper_size"]["calls"]
        assert one["not_comparable"]


def test_an_estimate_starts_nothing(cli, server, tmp_path):
    words = ("reproduce", "coi-length", "--models", MODEL, "--judges", JUDGES[0])
    code, document, _ = cli(*words, "--estimate")
    assert (code, document["state"], document["takes"]) == (0, "listed", 2)
    assert document["estimate"]["calls"] > 0
    assert not server.calls
    assert not Store(tmp_path / "data").runs.listed()


def test_the_papers_size_needs_topics_of_ones_own(cli, tmp_path):
    words = ("reproduce", "coi-length", "--models", MODEL, "--judges", JUDGES[0])
    code, document, _ = cli(*words, "--size", "paper", "--estimate")
    assert code == 2
    assert "--topics" in document["reason"]
    file = tmp_path / "topics.txt"
    file.write_text("# ours\nsleep and memory\nnaps in athletes\nlight at night\n")
    code, document, _ = cli(*words, "--size", "3", "--topics", str(file), "--estimate")
    assert (code, document["takes"], document["size"]) == (0, 3, "3")
    code, document, _ = cli(*words, "--size", "4", "--topics", str(file), "--estimate")
    assert (code, "there are 3 topics" in document["reason"]) == (2, True)


def test_extending_by_a_model_pays_its_cells_alone(cli, held, server):
    first = held("coi-arena", judges=JUDGES[0])
    before = len(server.calls)
    words = ("reproduce", "--extend", first["run"], "--models", OTHER)
    code, guess, _ = cli(*words, "--estimate")
    assert (code, guess["state"], guess["extends"]) == (0, "listed", first["run"])
    assert guess["estimate"]["calls"] > 0
    assert len(server.calls) == before, "an estimate starts nothing"
    code, more, _ = cli(*words)
    assert (code, more["state"], more["parent"]) == (0, "done", first["run"])
    new = [call for call in server.calls[before:] if call["model"] == MODEL]
    assert new == [], "nothing of the first model is asked again"
    assert {call["model"] for call in server.calls[before:]} == {"other-model", "judge-a"}


def test_a_contender_joins_from_the_command_line(cli, held, server):
    first = held("coi-length", judges=JUDGES[0])
    before = len(server.calls)
    words = ("reproduce", "--extend", first["run"], "--contender", "direct")
    code, guess, _ = cli(*words, "--estimate")
    assert (code, guess["state"]) == (0, "listed")
    assert guess["estimate"]["calls"] > 0
    code, more, _ = cli(*words)
    assert (code, more["state"], more["parent"]) == (0, "done", first["run"])
    asked = len(server.calls) - before
    assert asked == guess["estimate"]["calls"], "the direct ideas and their matches, no more"
    code, document, _ = cli(*words[:3], "--contender", "chain, lenght 2")
    assert (code, "says nothing of 'chain'" in document["reason"]) == (2, True)
    code, document, _ = cli("reproduce", "coi-length", "--models", MODEL, "--contender", "rag")
    assert (code, "--extend" in document["reason"]) == (2, True)


def test_a_checklist_experiment_is_extended_by_a_generator(cli, held, server):
    first = held("evoideator-main")
    before = len(server.calls)
    code, more, _ = cli("reproduce", "--extend", first["run"], "--models", OTHER)
    assert (code, more["state"]) == (0, "done")
    assert "test-model" not in {call["model"] for call in server.calls[before:]}


# -- pandas alone --------------------------------------------------------------------------------


def test_three_cells_of_an_arena_are_recomputed_with_pandas(held, taken):
    document = held("coi-ablations")
    files = taken(document["run"])
    ballots = frame(files, "data/ballots-ideas.csv")
    cells = frame(files, "data/cells.csv")
    names = dict(zip(cells["player"], cells["label"], strict=True))
    costs = frame(files, "tables/topics-costs.csv").set_index("Contender")
    # 1: tokens of a cell, a mean over the runs that wrote it.
    spent = cells.assign(tokens=cells["tokens_in"] + cells["tokens_out"])
    for label, mine in spent.groupby("label"):
        assert costs.loc[label, "Tokens a cell"] == pytest.approx(mine["tokens"].mean())
    # 2: matches a contender played: pairs, judges and criteria, both orders merged.
    standing = frame(files, "tables/topics-standing-ideas-models.csv").set_index("Method")
    criteria = ["novelty", "significance", "clarity", "feasibility", "effectiveness"]
    long = ballots.melt(
        id_vars=["topic", "first", "second", "judge", "repeat"],
        value_vars=criteria,
        var_name="criterion",
        value_name="winner",
    )
    pair = ["topic", "judge", "repeat", "criterion"]
    ends = long[["first", "second"]].apply(sorted, axis=1, result_type="expand")
    long[["a", "b"]] = ends
    # 3: won: both orders name the same winner, or one does and the other says tie.
    score = (long["winner"] == long["a"]).astype(int) - (long["winner"] == long["b"]).astype(int)
    matches = long.assign(score=score).groupby([*pair, "a", "b"])["score"].sum().reset_index()
    for player, label in names.items():
        mine = matches[(matches["a"] == player) | (matches["b"] == player)]
        won = ((mine["a"] == player) & (mine["score"] > 0)) | (
            (mine["b"] == player) & (mine["score"] < 0)
        )
        assert standing.loc[label, "Matches"] == len(mine)
        assert standing.loc[label, "Won"] == won.sum()


def test_cells_of_a_matrix_are_recomputed_with_pandas(held, taken):
    files = taken(held("infal-ablations", judges=JUDGES[0])["run"])
    rankings = frame(files, "data/rankings.csv")
    quality = frame(files, "tables/quality.csv")
    names = {"infal": "InfAL", "no-discriminator": "Without discriminator"}
    for method, label in names.items():
        for indicator in ("novelty", "feasibility"):
            mine = rankings[(rankings["method"] == method) & (rankings["indicator"] == indicator)]
            again = mine.groupby("target")["q"].mean().mean()
            shown = quality.loc[quality["Method"] == label, f"Q {indicator}"].iloc[0]
            assert shown == pytest.approx(again)


def test_cells_of_a_checklist_experiment_are_recomputed_with_pandas(held, taken):
    files = taken(held("evoideator-main")["run"])
    cells = frame(files, "data/cells.csv")
    shown = frame(files, "tables/checklist-items.csv")
    after = cells[(cells["step"] == 1) & cells["provider"].notna()]
    row = shown[(shown["Step"] == 1) & shown["Directives by"].isin(JUDGES)].iloc[0]
    for item in ("grounding", "method", "length"):
        assert row[item.capitalize()] == pytest.approx(after[item].mean())


def test_every_answer_is_there_with_who_gave_it(held, taken, server):
    files = taken(held("infal-cost", judges=JUDGES[0])["run"])
    answers = frame(files, "data/answers.csv")
    assert answers["calls"].sum() == len(server.calls)
    assert set(answers["by"].dropna()) >= {MODEL}
    json.loads(answers["reply"].iloc[0])
    configuration = json.loads(files["configuration.json"])
    assert configuration["recipe"]["name"] == "infal-cost"
    assert all(one["text"] for one in configuration["prompts"].values())
    whole = b"".join(files.values())
    assert not re.search(rb"\bsk-", whole), "no key leaves with it"


def test_other_runs_are_no_recipes(cli, held):
    code, document, _ = cli("baseline", "direct", "sleep", "--model", MODEL)
    assert code == 0
    code, said, _ = cli("reproduce", "--results", document["run"], "--to", "x.zip")
    assert (code, "no run of a recipe" in said["reason"]) == (2, True)


def test_two_runs_are_laid_side_by_side(cli, held, tmp_path):
    first = held("infal-cost", judges=JUDGES[0])
    second = held("infal-cost", models=OTHER, judges=JUDGES[0])
    to = tmp_path / "both.zip"
    words = ("reproduce", "--compare", first["run"], second["run"])
    code, document, _ = cli(*words, "--to", str(to))
    assert code == 0
    what = [row["What"] for row in document["tables"]["side-by-side"]]
    assert what[0] == "Mean Q"
    assert "Seconds of a cell" in what
    assert len(document["tables"]["side-by-side-texts"]) == 2 * 2
    with zipfile.ZipFile(to) as whole:
        assert "side-by-side-texts.csv" in whole.namelist()
    code, document, _ = cli(*words[:2], first["run"], "nothing")
    assert code == 2


EVERYBODY = """\
title = "Everybody"
paper = "Ours"
shows = ["a table"]
engine = "topic-experiment"
measures = ["ratings"]
draws = ["topics-ratings-ideas"]
not_comparable = "Nothing is published."

[inputs]
contenders = [
  "direct",
  "evolve, without directives",
  "refine, self-reflection, at most 1 round",
  "chain, 1 branch, length 2, 2 ideas a branch, at most 1 novelty check, abstracts alone",
]
baseline = "direct"

[sizes.small]
take = 1

[sizes.paper]
take = 50
"""


def test_every_preset_can_compete_in_a_recipe_of_ones_own(held, taken, tmp_path, server):
    recipe = tmp_path / "everybody.toml"
    recipe.write_text(EVERYBODY)
    document = held(str(recipe), judges=JUDGES[0])
    cells = frame(taken(document["run"]), "data/cells.csv")
    assert list(cells["state"]) == ["done"] * 4, list(cells["reason"])
    assert set(cells["label"]) == {
        "Direct prompting",
        "Checklist evolution, without directives",
        "Adversarial refinement, self-reflection, 1 round",
        "Chain of ideas, 1 branch, length 2, abstracts alone, 1 novelty check, 2 ideas a branch",
    }
    assert len({call["model"] for call in server.calls}) == 2
