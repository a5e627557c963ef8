"""An idea in brief: the first sentence of each telling field, whole or cut between words."""

from core.records import Idea
from core.wording.gist import LONG, gist

CHAIN = {
    "title": "Naps for models",
    "motivation": "Models forget, e.g. old facts. That is bad.",
    "novelty": "Nobody lets them rest. So far.",
    "method": "Replay is interleaved with rest. Then it is measured.",
    "difference": "d",
    "challenges": "c",
}


def test_of_a_form_with_fields_the_first_sentence_of_why_what_is_new_and_how():
    assert gist(Idea(form="chain", fields=CHAIN)) == (
        "Models forget, e.g. old facts.",
        "Nobody lets them rest.",
        "Replay is interleaved with rest.",
    )


def test_of_a_text_in_one_piece_its_first_three_sentences():
    idea = Idea(form="hypothesis", fields={"hypothesis": "One. Two. Three. Four."})
    assert gist(idea) == ("One.", "Two.", "Three.")


def test_a_sentence_without_an_end_is_cut_between_two_words():
    (said,) = gist(Idea(form="hypothesis", fields={"hypothesis": "word " * 200}))
    assert said.endswith("word …")
    assert len(said) <= LONG + 2
