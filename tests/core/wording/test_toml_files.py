"""TOML that people write: what is none is said, and no file holds the program up."""

import tomllib

import pytest

from core.errors import BadInput
from core.experiments import recipes
from core.studies import languages, rubrics
from core.wording.toml_files import PARTS, read_toml

LONG = ".".join(["a"] * 20_000)
BOMBS = {
    "dotted": f"{LONG} = 1",
    "quoted": ".".join(['"a b"'] * 20_000) + " = 1",
    "spaced": " . ".join(["a"] * 20_000) + " = 1",
    "a table": f"[{LONG}]",
    "tables": f"[[{LONG}]]",
    "inline": f"x = {{ {LONG} = 1 }}",
    "escaped": '"\\"".' * 20_000 + "a = 1",
    "one part long": ("a." * 31 + '"' + "b" * 301 + '".') * 500 + "z = 1",
    "after a comment": "# it's \"\n" + LONG + " = 1",
    "after a text": 'x = """\n"odd" \'\'\' \\""" \n"""\n' + LONG + " = 1",
    "after an odd string": 'x = { y = """""""", ' + LONG + ' = "z" }',
    "deep": "x = " + "[" * 50_000,
    "deep tables": "x = " + "{a = " * 50_000,
    "digits": "x = " + "9" * 500_000,
}


@pytest.mark.parametrize("bomb", BOMBS.values(), ids=BOMBS)
def test_what_would_hold_it_up_is_refused(bomb):
    with pytest.raises(ValueError):
        read_toml(bomb)


@pytest.mark.parametrize("bomb", BOMBS.values(), ids=BOMBS)
def test_every_reader_says_so_in_a_sentence(bomb):
    with pytest.raises(BadInput, match=r"recipe\.toml: "):
        recipes.parse("recipe", bomb, "recipe.toml")
    with pytest.raises(BadInput, match="cannot be read as TOML"):
        rubrics.read("rubric.toml", bomb.encode())
    with pytest.raises(BadInput, match="cannot be read as TOML or JSON"):
        languages.read(bomb)


@pytest.mark.parametrize("bomb", ['{"a":' * 50_000, '{"a": ' + "9" * 9_999 + "}"])
def test_a_deep_or_wild_json_of_texts_is_refused(bomb):
    with pytest.raises(BadInput, match="cannot be read as TOML or JSON"):
        languages.read(bomb)


def test_the_line_of_a_key_too_long_is_said():
    with pytest.raises(ValueError, match=f"more than {PARTS} parts .at line 3"):
        read_toml("x = 1\n\n" + LONG + " = 2")


def test_prose_versions_and_addresses_are_no_keys():
    text = (
        'a.b.c = "One. Two. Three. "\n'
        f'prose = """{"e.g. this, i.e. that. " * 2_000}"""\n'
        f'dots = "{"." * 5_000}"\n'
        'version = "1.2.3.4"\nurl = "https://a.b.example/c.d?e=f.g"\n'
    )
    assert read_toml(text) == tomllib.loads(text)
