"""Recipes as data: checked with line and key, published values beside, and what recomputing printed
cells shows.
"""

import csv

import pytest

from core.benchmark.results import board
from core.benchmark.results.tables import board as board_table
from core.charts.table_picture import picture
from core.errors import BadInput
from core.experiments import published as infal
from core.experiments.checklist import published as evoideator
from core.experiments.recipes import ORDER, asked, check, lines_of, parse, read, shipped, taken
from core.experiments.recomputed import of_board, recomputed, table
from core.experiments.tables import tables as infal_tables
from core.experiments.topics import published as chains
from core.runs.engines import build_made_up, estimate_recipe
from core.tables.latex import latex
from core.tables.sheets import sheet

GOOD = """\
title = "Mine"
paper = "Ours"
shows = ["table 1"]
engine = "topic-experiment"
measures = ["ratings"]
draws = ["topics-ratings-ideas"]
not_comparable = "Nothing is published."

[inputs]
contenders = ["chain, length 2", "direct"]

[sizes.small]
take = 2
inputs = { full_text = false }

[sizes.paper]
take = 20
"""


def written(tmp_path, text):
    file = tmp_path / "mine.toml"
    file.write_text(text)
    return str(file)


@pytest.mark.parametrize("name", ORDER)
def test_every_shipped_recipe_fits_its_engine_at_both_sizes(name):
    held = shipped()[name]
    check(held, build_made_up, name)
    assert taken(held.recipe, "small") < taken(held.recipe, "paper")
    assert len(held.text.splitlines()) <= 40, "a recipe is read on one screen"
    assert estimate_recipe(held.recipe, "small").calls > 0


def test_all_recipes_of_the_papers_are_there():
    assert set(ORDER) == {
        *("coi-arena", "coi-design", "coi-ablations", "coi-length", "coi-width"),
        *("infal-main", "infal-ablations", "infal-judges", "infal-cost"),
        *("evoideator-main", "evoideator-providers", "liveidea"),
    }


def test_a_recipe_of_ones_own_is_a_file(tmp_path):
    held = read(written(tmp_path, GOOD), build_made_up)
    assert held.recipe.name == "mine"
    assert asked(held.recipe, "small")["full_text"] is False
    assert "full_text" not in asked(held.recipe, "paper")
    assert (taken(held.recipe, "paper"), taken(held.recipe, "7")) == (20, 7)


@pytest.mark.parametrize(
    ("was", "becomes", "said"),
    [
        ('title = "Mine"\n', "", "title: is missing"),
        ("take = 2", "take = 0", "line 13, sizes.small.take: must be at least 1"),
        ("take = 2", 'take = "two"', "line 13, sizes.small.take: must be a whole number"),
        (
            "topics-ratings-ideas",
            "topics-cost",
            "line 6, draws: 'draws' names no table",
        ),
        ("topic-experiment", "contest", "line 4, engine: must be one of"),
        ("length 2", "lenght 2", "line 10, inputs.contenders: 'chain, lenght 2'"),
        (
            "full_text = false",
            "full_txt = false",
            "line 14, sizes.small.inputs.full_txt: 'full_txt' is nothing",
        ),
        (
            'contenders = ["chain, length 2", "direct"]',
            'contenders = ["chain, length 2", "direct"]\nrepeats = 1\nbaseline = "chian"',
            "line 12, inputs.baseline: 'chian' is compared with, and does not compete",
        ),
        ("full_text = false", 'full_text = "maybe"', "line 14, sizes.small.inputs"),
        ('["chain, length 2", "direct"]', "1e308", "line 10, inputs.contenders: 'contenders' is"),
        ('"direct"]', "9" * 3_000 + "]", "'contenders' is a list of names; one of them is none"),
        ("full_text = false", "indicators = 1", "line 14, sizes.small.inputs.indicators: "),
        ("full_text = false", "modes = nan", "line 14, sizes.small.inputs.modes: 'modes' is"),
        ("full_text = false", "judges_each = inf", "'judges_each' is a whole number up to 100"),
        ("full_text = false", "judges_each = [[1]]", "'judges_each' is a whole number up to 100"),
        ("[inputs]", "[imputs]", "line 9, imputs: is not asked for"),
        ("[sizes.paper]\ntake = 20\n", "", "line 12, sizes"),
        ("= 20", "= ", "(at line 17, column 8)"),
        ('= ["table 1"]', "= []", "line 3, shows: "),
        (
            "full_text = false",
            'models = ["a"]',
            "line 14, sizes.small.inputs.models: 'models' is nothing",
        ),
    ],
)
def test_what_is_wrong_is_named_with_line_and_key(tmp_path, was, becomes, said):
    assert was in GOOD
    with pytest.raises(BadInput) as refused:
        read(written(tmp_path, GOOD.replace(was, becomes, 1)), build_made_up)
    assert str(refused.value).startswith("mine.toml: ")
    assert said in str(refused.value)


def test_keys_within_texts_of_several_lines_have_no_line():
    text = 'a = """\nb = 1\n"""\nc = 2\n[t]\nd = 3\n'
    assert lines_of(text) == {("a",): 1, ("c",): 4, ("t",): 5, ("t", "d"): 6}


def test_unknown_recipes_and_sizes_say_what_there_is(tmp_path):
    with pytest.raises(BadInput, match="There are coi-arena"):
        read("coi-lenght", build_made_up)
    with pytest.raises(BadInput, match="cannot be read"):
        read(str(tmp_path / "none.toml"), build_made_up)
    with pytest.raises(BadInput, match="small, paper, or how many"):
        taken(parse("mine", GOOD).recipe, "huge")


# -- what the papers print -----------------------------------------------------------------------


def test_printed_cells_that_do_not_come_to_what_is_printed_are_listed():
    found = {one.what: one for one in recomputed() if one.differs}
    # By hand: 0.550 / 0.171 - 1 = 221.6 %; 354 + 153 + 131 + 127 + 135 = 900.
    increase = found["increase of GPT-4o's feasibility, percent"]
    assert (increase.printed, round(increase.again, 1)) == (322, 221.6)
    assert found["target papers of all categories"].again == 900
    # By hand: (0.897 + 0.917 + 0.887 + 0.888 + ...) of table 11 lie between 0.887 and 0.918.
    mini = found["mean Q over categories: infal, GPT-4o Mini, novelty"]
    assert mini.printed == 0.96
    assert (mini.low, mini.high) == (pytest.approx(0.886), pytest.approx(0.919))
    assert set(found) == {
        "increase of GPT-4o's feasibility, percent",
        "target papers of all categories",
        "half the interval of Q over repeats, feasibility",
        "mean Q over categories: infal, GPT-4o Mini, novelty",
        "mean Q over categories: infal, Llama 3.1 8B-Instruct, novelty",
    }
    assert len(table(recomputed(), only_different=True).rows) == 5


def test_sums_and_means_that_agree_are_said_to():
    sums = [one for one in recomputed() if one.paper == "EvoIdeator"]
    # By hand, step 1 of EvoIdeator's items with Layout at 1: 5.81.
    assert [(one.printed, round(one.again, 2)) for one in sums] == [(4.09, 4.10), (5.81, 5.81)]
    assert not any(one.differs for one in sums)
    rows = list(csv.DictReader(board.TABLE.open(encoding="utf-8", newline="")))
    averages = of_board(rows)
    assert len(averages) == 41
    # By hand: (7.48 + 5.70 + 7.81 + 8.06 + 7.04) / 5 = 7.218, printed as 7.22.
    assert averages[0].again == pytest.approx(7.218)
    assert not any(one.differs for one in averages)


def test_every_published_table_is_written_and_drawn_by_the_code_of_ones_own():
    of_infal = infal_tables(infal.shipped())
    found = (*of_infal, *evoideator.beside().values(), board_table(board.published()))
    # InfAL's 14: tables 9 to 14 are six of them.
    assert len(of_infal) == 8 + 6
    for one in found:
        assert picture(one), one.name
        assert latex(one).count("\\begin{tabular}") == 1
        assert len(sheet(one).splitlines()) == len(one.rows) + 1


def test_of_chain_of_ideas_only_what_its_text_prints_is_there():
    held = chains.shipped()
    leads = [(one["kind"], one["who"], one["elo"]) for one in held["leads"]]
    assert leads == [("idea", "models", 108), ("idea", "people", 56), ("design", "people", 70)]
    assert held["agreement"]["share"] == 0.708
    for name in ("coi-length", "coi-width"):
        assert "prints no values" in shipped()[name].recipe.not_comparable
        assert shipped()[name].recipe.published == ()
