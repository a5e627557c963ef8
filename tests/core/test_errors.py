"""What is said of what can go wrong."""

from core.errors import LONGEST, BadInput


def test_a_sentence_that_says_back_a_whole_file_is_cut_in_its_middle():
    names = ", ".join(f"name-{n}" for n in range(30_000))
    said = str(BadInput(f"Unknown: {names}. Take one of: a, b."))
    assert len(said) < LONGEST + 60
    assert said.startswith("Unknown: name-0, ")
    assert said.endswith("Take one of: a, b.")
    assert str(BadInput("x" * LONGEST)) == "x" * LONGEST
