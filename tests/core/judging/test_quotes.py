"""Quotes of a finding: verbatim, fuzzy, invented, of the wrong paper, empty; none that is invented
is ever kept.
"""

from hypothesis import given
from hypothesis import strategies as st

from core.judging.quotes import check_finding, look_up, look_up_in, texts_of
from core.records import Paper
from core.records.novelty import STEPS_DOWN
from tests.support.novelty_kit import SOUND, WORLD, abstract

IDEA = (
    "We grow yeast in the dark so that bread keeps its crumb for a week. The crumb is weighed every"
    " morning by a blinded baker."
)
SAID = "bread keeps its crumb for a week"
ORDER = ("does not", "in part", "covers")
papers = st.sampled_from(SOUND[:400])
states = st.sampled_from(ORDER)
words = st.lists(
    st.sampled_from(["abcdefghij", "klmnop", "qrstuv", "wxyzäöü", "12345", ".,;"]), min_size=1
)
anything = st.one_of(
    st.text(max_size=300),
    words.map(" ".join),
    papers.map(lambda name: abstract(name)[40:180]),
    st.sampled_from(["", " ", "...", "“”", "a", "the", "in the dark", SAID, IDEA]),
)


def paper(name: str) -> Paper:
    return Paper(id=name, title=WORLD.by_id[name]["title"], abstract=abstract(name))


@given(states, anything, anything, papers)
def test_whatever_a_reader_gives_what_is_kept_are_words_of_the_texts_or_nothing(
    state, mine, theirs, name
):
    texts = texts_of(paper(name), whole=f"{abstract(name)} And more of it.")
    found = check_finding(state, IDEA, mine, texts, theirs)
    assert found.idea.quote in IDEA
    assert found.paper.passage.quote in texts.get(found.paper.where, "")
    for passage in (found.idea, found.paper.passage):
        assert (passage.quote == "") == (passage.state == "not found")
    missing = sum(one.state == "not found" for one in (found.idea, found.paper.passage))
    assert ORDER.index(found.state) == max(0, ORDER.index(state) - missing)


@given(papers, st.data())
def test_words_copied_to_the_letter_are_found_where_they_stand(name, data):
    text = abstract(name)
    start = data.draw(st.integers(0, len(text) - 60))
    length = data.draw(st.integers(40, 200))
    said = text[start : start + length]
    found = look_up(text, said)
    assert found.state == "verbatim"
    assert found.quote.split() == said.split()


@given(papers, st.integers(0, 10_000))
def test_words_with_a_slip_are_shown_as_the_text_has_them(name, seed):
    text = abstract(name)
    line = text[: text.index(". ")]
    at = 10 + seed % (len(line) - 20)
    said = line[:at] + "x" + line[at:]
    found = look_up(text, said)
    assert found.state == "nearest"
    assert found.quote in text
    assert said not in text


@given(papers, papers)
def test_words_of_another_paper_are_no_quote_of_this_one(name, other):
    line = next(
        one for one in abstract(other).split(". ") if one.startswith(("We go on", "We take up"))
    )
    found = look_up_in(texts_of(paper(name)), line)
    assert found.passage.quote in "\n".join(texts_of(paper(name)).values())
    if line not in abstract(name):
        assert found.passage.state != "verbatim"


def test_too_few_words_are_no_quote():
    assert look_up(IDEA, "the crumb").state == "not found"
    assert look_up(IDEA, "so that bread").state == "verbatim"
    assert look_up(
        "在黑暗中培养酵母可以使面包保持新鲜一整个星期之久啊",
        "培养酵母可以使面包保持新鲜一整个星期之久",
    ).state == ("verbatim")


def test_a_finding_goes_down_a_step_for_each_quote_that_is_not_there():
    texts = texts_of(Paper(id="p", title="Bread", abstract="Yeast grown in the dark rises slowly."))
    there = "Yeast grown in the dark rises slowly"
    assert check_finding("covers", IDEA, SAID, texts, there).state == "covers"
    assert check_finding("covers", IDEA, SAID, texts, "").state == "in part"
    assert check_finding("covers", IDEA, "", texts, "").state == "does not"
    assert check_finding("in part", IDEA, "we bake no bread at all", texts, there).state == (
        "does not"
    )
    assert check_finding("does not", IDEA, "", texts, "").state == "does not"
    assert STEPS_DOWN["does not"] == "does not"


def test_a_built_in_summary_and_a_full_text_are_told_apart():
    summed = Paper(id="p", title="Bread", abstract="It rises slowly.", abstract_by="foundry")
    texts = texts_of(summed, whole="Here it says that yeast rises slowly at night.")
    assert look_up_in(texts, "It rises slowly.").where == "summary"
    assert look_up_in(texts, "yeast rises slowly at night").where == "full text"
    assert look_up_in(texts, "nothing of the kind at all here").where == "nothing"
