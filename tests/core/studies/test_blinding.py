"""What gives a source away, and what does not."""

import random
import re

import pytest

from core.errors import BadInput
from core.records import Idea
from core.store import Store
from core.studies import blinding, organising
from core.studies.blinding import FEATURES, _guess, _Text, report, spoken, tables
from core.studies.identity import found
from core.studies.picking import Chosen
from core.studies.setting_up import prepare
from core.studies.texts import standard
from tests.support.arena_kit import entry, one_paragraph, six
from tests.support.sessions.studies_kit import trajectory

WORDS = (
    "naps",
    "help",
    "adults",
    "keep",
    "what",
    "they",
    "learned",
    "during",
    "long",
    "days",
    "of",
    "work",
    "and",
    "rest",
)


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "data")


def kept(store: Store, method: str, text: Idea) -> None:
    store.entries.add(((entry(store, method, "sleep", text), "A title"),))


def paragraph(rng: random.Random, words: int) -> Idea:
    return one_paragraph(" ".join(rng.choice(WORDS) for _ in range(words)) + ".")


def looked(store: Store, **given):
    return report(
        store, prepare(store, standard("rate", "Ours", **given), Chosen(collections=("test",)))
    )


def guess(found, feature="words"):
    return next(one for one in found.guesses if one.feature == feature)


# -- length and shape --------------------------------------------------------------------------


def test_a_longer_source_is_found_out(store):
    rng = random.Random(1)
    for n in range(8):
        kept(store, "short", paragraph(rng, 40 + n))
        kept(store, "long", paragraph(rng, 90 + n))
    made = looked(store)
    assert [(one.source, one.n, one.words) for one in made.shapes] == [
        ("long", 8, 93.5),
        ("short", 8, 43.5),
    ]
    assert made.ratio == pytest.approx(93.5 / 43.5)
    assert (guess(made).accuracy, guess(made).chance, guess(made).n) == (1.0, 0.5, 16)
    assert guess(made).p == 1 / 2000, "no shuffle of 1,999 does as well"
    assert (
        "The number of words alone tells the source of 100% of the texts (by chance 50%)"
        in made.conclusion
    )


def test_one_source_of_three_that_its_length_tells_is_named(store):
    rng = random.Random(5)
    for n in range(8):
        kept(store, "long", paragraph(rng, 200 + n))
        for method in ("one", "two"):
            kept(store, method, paragraph(rng, rng.randint(50, 90)))
    made = looked(store)
    told = {one.source: one for one in guess(made).sources}
    assert (told["long"].share, told["long"].others, told["long"].p) == (1.0, 0.0, 1 / 2000)
    assert told["one"].share + told["two"].share < 1.5, "the two are alike"
    assert "by chance 33%; long 100%, one" in made.conclusion


def test_a_source_alone_is_named_where_the_whole_is_not_told():
    """Four sources of four: one by itself, three dealt so that their guesses are all wrong."""
    lengths = {"a": (10, 10, 90, 90), "b": (10, 90, 10, 90), "c": (90, 10, 90, 10)}
    texts = [
        _Text(name, "", "six-field", dict.fromkeys(FEATURES, words), telling=False)
        for name, held in (lengths | {"far": (500, 501, 502, 503)}).items()
        for words in held
    ]
    found = _guess("words", texts)
    far = next(one for one in found.sources if one.source == "far")
    assert (far.share, far.others, far.p < 0.01) == (1.0, 0.0, True)
    assert all(one.p > 0.2 for one in found.sources if one.source != "far")
    assert found.accuracy == pytest.approx(sum(one.share for one in found.sources) / 4)


def test_sources_alike_are_not_told_apart(store):
    rng = random.Random(2)
    for _ in range(15):
        for method in ("one", "two", "three"):
            kept(store, method, paragraph(rng, rng.randint(50, 90)))
    made = looked(store)
    assert guess(made).accuracy < 0.6
    assert "Neither length nor shape tells sources apart" in made.conclusion
    assert "No text holds a word" in made.conclusion


def test_false_alarms_are_rare(tmp_path):
    alarms = 0
    for seed in range(20):
        rng, store = random.Random(seed), Store(tmp_path / str(seed))
        for n in range(20):
            kept(store, f"source {n % 2}", paragraph(rng, rng.randint(50, 90)))
        alarms += "tells the source of" in looked(store).conclusion
    assert alarms <= 3


def test_false_alarms_are_as_rare_where_one_source_has_two_texts_only(tmp_path):
    """Two hits by luck are half of the accuracy then, and a binomial test would call one report in
    four.
    """
    found = []
    for seed in range(60):
        rng = random.Random(seed)
        texts = [
            _Text(
                "few" if n < 2 else "many",
                "",
                "six-field",
                dict.fromkeys(FEATURES, rng.randint(50, 400)),
                telling=False,
            )
            for n in range(32)
        ]
        found.append(_guess("words", texts).p)
    assert sum(p < 0.05 for p in found) <= 6


def test_few_texts_that_differ_clearly_are_not_called_alike(store):
    rng = random.Random(4)
    for n in range(3):
        kept(store, "short", paragraph(rng, 40 + n))
        kept(store, "long", paragraph(rng, 160 + n))
    said = looked(store).conclusion
    assert "Neither length" not in said
    assert (
        "alone may tell sources apart: it is right for 100% (by chance 50%), and 6 texts are too"
        " few" in said
    )


def test_a_text_is_guessed_by_the_other_texts_alone(store):
    """By hand: with each left out, none of 10, 20, 60 is nearer to its own median than to 30, and
    all of 28, 30, 40 are nearer to theirs than to 20.
    """
    rng = random.Random(3)
    for method, lengths in (("one", (10, 20, 60)), ("two", (28, 30, 40))):
        for words in lengths:
            kept(store, method, paragraph(rng, words))
    assert guess(looked(store)).accuracy == 0.5


def test_headings_give_a_source_away_where_length_does_not(store):
    for n in range(6):
        kept(
            store, "plain", Idea(form="headed", fields={"text": f"# Thought {n}\n" + "word " * 40})
        )
        kept(
            store,
            "structured",
            Idea(
                form="headed",
                fields={
                    "text": (
                        f"# Thought {n}\n## Approach\nword\n## Related Work and Gap\n"
                        + "word " * 38
                    )
                },
            ),
        )
    made = looked(store)
    assert guess(made, "headings").accuracy == 1.0
    assert (guess(made, "bullets").accuracy, guess(made, "bullets").p) == (0.5, 1.0), (
        "none has any: a tie is luck"
    )
    assert "and so does the number of headings" in made.conclusion


def test_another_form_is_said_before_all_else(store):
    for n in range(3):
        kept(store, "fields", six(f"Naps {n}."))
        kept(store, "prose", one_paragraph(f"Naps {n}."))
    assert looked(store).conclusion.startswith(
        "The form gives sources away (fields: six-field; prose: hypothesis)"
    )


@pytest.mark.parametrize(
    ("sources", "said"),
    [(("one",), "All texts are by one source"), (("one", "two"), "too few texts")],
)
def test_too_little_is_not_judged(store, sources, said):
    for method in sources:
        kept(store, method, one_paragraph(f"Naps, by {len(method)}."))
        kept(store, method, one_paragraph(f"Rest, by {len(method)}."))
    made = looked(store)
    assert said in made.conclusion
    assert not made.guesses


# -- words -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("As an AI language model I would test naps.", "a model's way of talking"),
        ("I'm sorry, but naps.", "a model's way of talking"),
        ("I’m unable to say.", "a model's way of talking"),
        ("Here is a revised idea: naps.", "a model's way of talking"),
        ("In this paper we study naps.", "a paper's way of talking"),
        ("As Table 2 has it.", "a paper's way of talking"),
        ("We ask GPT-4o to judge.", "a model or its maker"),
        ("Built on Llama 3.1 alone.", "a model or its maker"),
        ("Shown by (Smith and Lee, 2021).", "a citation"),
        ("Shown before [3, 5].", "a citation"),
        ("Lee et al. say so.", "a citation"),
        ("Since 2019 nothing changed.", "a year"),
        ("Accepted at NeurIPS.", "a venue"),
        ("It appeared in Nature.", "a venue"),
        ("See https://example.org/x.", "a link"),
        ("At the University of Bern.", "people"),
        ("By the planned Ours-X chain.", "a source of this session"),
    ],
)
def test_words_that_name_a_source_are_found(text, kind):
    assert kind in {one.kind for one in found(text, ("Ours-X",))}


@pytest.mark.parametrize(
    "text",
    [
        "Naps serve as an aid to memory.",
        "A year of science on nature walks.",
        "The generator drives the turbine.",
        "The ACLs of a knee heal slowly.",
        "In this study group adults nap; direct contact counts.",
        "Ask 20500 adults.",
    ],
)
def test_ordinary_words_are_left_alone(text):
    assert found(text, ("direct", "chain")) == ()


def test_models_are_found_without_their_provider():
    assert (
        next(one for one in found("Asked of gpt-5-mini, as ever.", ("openai:gpt-5-mini",))).words
        == "gpt-5-mini"
    )


def test_words_are_reported_with_how_many_texts_and_without_labels_and_sources(store):
    kept(store, "chain", one_paragraph("Naps help, as Lee et al. have shown, and rest helps too."))
    kept(store, "rag", one_paragraph("Rest helps, said Lee et al. at length."))
    kept(store, "direct", one_paragraph("Naps help."))
    study = organising.set_up(store, standard("rate", "Ours"), Chosen(collections=("test",)))
    made = report(store, study.id)
    labels = [one.label for one in store.study_keys.items(study.id).values()]
    assert [(one.kind, one.words, one.texts) for one in made.telling] == [
        ("a citation", "et al.", 2)
    ]
    assert not any(re.search(rf"\b{label}\b", repr(made)) for label in labels)
    assert made.telling[0].around == (
        "Naps help, as Lee et al. have shown, and rest helps to ...",
        "Rest helps, said Lee et al. at length.",
    )
    assert [(one.source, one.telling) for one in made.shapes] == [
        ("chain", 1),
        ("direct", 0),
        ("rag", 1),
    ]
    assert "2 of 3 texts hold words" in made.conclusion
    shapes, words = tables(made)
    assert [len(row) for row in shapes.rows] == [len(shapes.head)] * 3
    assert [[cell.text for cell in row] for row in words.rows] == [
        ["et al.", "a citation", "2 texts", " | ".join(made.telling[0].around)]
    ]
    assert "Source" not in words.head


def test_a_whole_refinement_is_read():
    said = spoken(trajectory("Naps", 2))
    assert "Naps, version 2" in said
    assert "Say in round 1" in said


def test_sources_stay_hidden_while_answers_may_come(store):
    kept(store, "chain", one_paragraph("Naps help."))
    study = organising.set_up(
        store, standard("rate", "Ours", overlap=1), Chosen(collections=("test",))
    )
    organising.add_seat(store, study.id, "Ada")
    organising.open_study(store, study.id)
    with pytest.raises(BadInput, match="stay hidden"):
        report(store, study.id)
    organising.close(store, study.id)
    with pytest.raises(BadInput, match="stay hidden"):
        report(store, study.id)
    organising.unblind(store, study.id, "Cleo")
    assert report(store, study.id).shapes


def test_very_many_texts_and_sources_are_dealt_less_often_and_in_parts(monkeypatch):
    rng = random.Random(3)
    texts = [
        _Text(
            f"s{n % 5}",
            "",
            "six-field",
            {feature: rng.randint(5, 60) + n % 5 for feature in FEATURES},
            telling=False,
        )
        for n in range(40)
    ]
    whole = _guess("words", texts)
    monkeypatch.setattr(blinding, "AT_ONCE", 7 * 40 * 5)
    assert _guess("words", texts) == whole
    monkeypatch.setattr(blinding, "MOST_COMPARED", 1)
    fewer = _guess("words", texts)
    assert (fewer.accuracy, fewer.p * 200 % 1) == (whole.accuracy, 0)
    assert fewer.p == pytest.approx(whole.p, abs=0.1)
