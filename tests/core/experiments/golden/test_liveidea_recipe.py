"""LiveIdeaBench: `liveidea` (table 3, Pareto front, domains, lengths, clarity, scores).

Size small has ten keywords, two ideas each, two judges an idea. Every score is a function of model
and keyword, so that it does not matter who is drawn to judge.
"""

import re
from collections import defaultdict
from math import sqrt
from statistics import fmean

import pytest

from core.benchmark.keywords import paper_keywords
from core.export.reproduced import figures, files
from core.models.port import Request
from core.runs.runner import Runner
from tests.support.benchmark.bench_kit import JUDGES, MODELS, shop_of
from tests.support.golden_kit import at, column, held, table

KEYWORDS = paper_keywords().keywords[:10]
PLACES = range(10)
A, B = MODELS
SCORES = {
    A: [(1 + k, 5, 7) for k in PLACES],
    B: [(6, 10 - k, 3) for k in PLACES],
}
"""Originality, feasibility, clarity by keyword."""
FLUENCY = {A: [10 if k % 2 == 0 else 4 for k in PLACES], B: [7] * 10}
LETTERS = {10: "A", 7: "B", 4: "C"}
WORDS = [30 + 2 * k for k in PLACES]
NAMES = {A: "openai:a", B: "openai:b"}


def idea(request: Request, model: str) -> str:
    """Return an idea whose words are all of one length, and whose first ones say whose it is and on
    which keyword.
    """
    k = [one.text for one in KEYWORDS].index(str(request.values["keyword"]))
    return " ".join([f"ida{model[-1]}", f"key{k}", *["word"] * (WORDS[k] - 2)])


def about(text: object) -> tuple[str, int]:
    found = re.match(r"ida([ab]) key(\d)", str(text))
    return {"a": A, "b": B}[found[1]], int(found[2])


def judge(request: Request) -> object:
    model, k = about(request.values["idea"])
    names = ("originality", "feasibility", "clarity")
    return {"analysis": "By the rule.", **dict(zip(names, SCORES[model][k], strict=True))}


def compare(request: Request) -> str:
    model, k = about(request.values["first"])
    return LETTERS[FLUENCY[model][k]]


@pytest.fixture(scope="module")
def board(tmp_path_factory):
    judging = {"bench-judge": judge, "bench-fluency": compare}
    scripts = {name: {"bench-idea": lambda r, name=name: idea(r, name)} for name in MODELS}
    shop = shop_of(tmp_path_factory.mktemp("board"), scripts | dict.fromkeys(JUDGES, judging))
    runner = Runner(shop)
    return runner, held(runner, "liveidea", MODELS, JUDGES)


def by_keyword(model: str) -> list[float]:
    """Return the mean of the four scores of each keyword."""
    return [
        (sum(scores) + fluency) / 4
        for scores, fluency in zip(SCORES[model], FLUENCY[model], strict=True)
    ]


def test_the_board_has_five_dimensions_and_their_average(board):
    """Table 3."""
    _, one = board
    assert one.missing == ()
    made = table(one, "leaderboard")
    means = {
        # 1 to 10; 5; 7; five times 10 and five times 4.
        A: {"Originality": 5.5, "Feasibility": 5, "Clarity": 7, "Fluency": 7},
        B: {"Originality": 6, "Feasibility": 5.5, "Clarity": 3, "Fluency": 7},
    }
    # The 30th percentile of ten means lies 0.7 of the way from the third to the fourth.
    assert sorted(by_keyword(A))[2:4] == [5.5, 5.75]
    assert sorted(by_keyword(B))[2:4] == [4.75, 5.0]
    means[A]["Flexibility"] = 5.5 + 0.7 * 0.25
    means[B]["Flexibility"] = 4.75 + 0.7 * 0.25
    for model, expected in means.items():
        lead = {"model": NAMES[model]}
        for what, mean in expected.items():
            value = at(made, what, **lead)
            assert value.mean == pytest.approx(mean), (model, what)
            if model == A and what == "Originality":
                assert value.low < mean < value.high
        average = at(made, "Average", **lead)
        assert average.mean == pytest.approx(fmean(expected.values()))
        assert average.low < average.mean < average.high
        assert at(made, "Keywords", **lead).said == "10"
    # (5.5 + 5 + 7 + 7 + 5.675) / 5 above (6 + 5.5 + 3 + 7 + 4.925) / 5.
    assert [at(made, "Average", model=NAMES[m]).said.split()[0] for m in (A, B)] == ["6.04", "5.29"]
    assert column(made, "Rank") == ["1", "2"]
    beside = {own.name: theirs for own, theirs in one.tables if theirs}
    assert len(beside["leaderboard"].rows) == 41


def test_the_front_has_whom_nobody_beats_in_both(board):
    """Figure 5 of the paper: B is more original and more feasible."""
    _, one = board
    made = table(one, "trade-off")
    assert at(made, "On the Pareto front", model=NAMES[B]).said == "yes"
    assert at(made, "On the Pareto front", model=NAMES[A]).said != "yes"


def test_domains_have_the_means_of_their_keywords(board):
    _, one = board
    made = table(one, "by-domain")
    places: dict[str, list[int]] = defaultdict(list)
    for k, word in enumerate(KEYWORDS):
        places[word.domain].append(k)
    assert len(made.rows) == 2 * len(places)
    for domain, held_here in places.items():
        for model in MODELS:
            lead = {"domain": domain, "model": NAMES[model]}
            mean = fmean(by_keyword(model)[k] for k in held_here)
            assert at(made, "Mean of the four", **lead).mean == pytest.approx(mean)
            original = fmean(SCORES[model][k][0] for k in held_here)
            assert at(made, "Originality", **lead).mean == pytest.approx(original)
            assert at(made, "Keywords", **lead).mean == len(held_here)


def test_scores_are_counted_one_by_one(board):
    """Supplementary figure 3."""
    _, one = board
    made = table(one, "scores")
    lead = {"model": NAMES[A], "dimension": "originality"}
    # Two ideas by two judges on each of ten keywords.
    assert [at(made, str(n), **lead).said for n in range(1, 11)] == ["4"] * 10
    assert at(made, "n", **lead).mean == 40
    assert at(made, "Mean", **lead).mean == pytest.approx(5.5)
    squares = 4 * sum((1 + k - 5.5) ** 2 for k in PLACES)
    assert at(made, "SD", **lead).mean == pytest.approx(sqrt(squares / 39))
    lead = {"model": NAMES[A], "dimension": "fluency"}
    assert [at(made, str(n), **lead).said for n in (10, 7, 4, 1)] == ["5", "0", "5", "0"]


def pearson(pairs: list[tuple[float, float]]) -> float:
    x, y = (fmean(one) for one in zip(*pairs, strict=True))
    together = sum((a - x) * (b - y) for a, b in pairs)
    alone = [sum((pair[n] - mean) ** 2 for pair in pairs) for n, mean in enumerate((x, y))]
    return together / sqrt(alone[0] * alone[1])


def test_lengths_are_held_against_scores(board):
    """Supplementary figures 2 and 10 to 20."""
    _, one = board
    scored = {model: [sum(scores) / 3 for scores in SCORES[model]] for model in MODELS}
    pairs = [(WORDS[k], scored[model][k]) for model in MODELS for k in PLACES for _ in range(2)]
    # Words are of four letters, and a space; the first two of four as well.
    for name, step, unit, letters in (
        ("length-and-score", "Points for one word more", 1, 1),
        ("reply-and-score", "Points for 1,000 characters more", 1000, 5),
    ):
        made = table(one, name)
        whole = {"model": "all models", "taken_over": "all ideas as they are"}
        assert at(made, "Pearson r", **whole).mean == pytest.approx(pearson(pairs))
        assert at(made, "Ideas", **whole).mean == 40
        for model, rises in ((A, 1), (B, -1)):
            lead = {"model": NAMES[model], "taken_over": "one model"}
            # Two words more on each keyword, a third of a point more, or less.
            assert at(made, "Pearson r", **lead).mean == pytest.approx(rises)
            slope = rises / 3 / 2 / letters * unit
            assert at(made, step, **lead).mean == pytest.approx(slope)


def test_clarity_is_held_against_the_other_two(board):
    """Supplementary figure 5."""
    _, one = board
    made = table(one, "clarity")
    for n, what in enumerate(("originality", "feasibility")):
        pairs = [
            (float(SCORES[model][k][2]), float(SCORES[model][k][n]))
            for model in MODELS
            for k in PLACES
        ]
        lead = {"clarity_against": what, "model": "all models"}
        value = at(made, "Pearson r", taken_over="all ideas as they are", **lead)
        assert value.mean == pytest.approx(pearson(pairs))


def test_every_figure_is_there_as_a_picture(board):
    runner, one = board
    drawn = {one.name for one in figures(runner.store, one)}
    assert drawn >= {
        *("board-average", "trade-off", "by-domain", "scores", "clarity"),
        *("length-and-score", "words", "reply-and-score", "refusals"),
    }
    made = files(runner.store, one.run.id)
    assert all(f"figures/{name}.svg" in made for name in drawn)
    # Supplementary tables 1 and 2: the fields of the data set, and ideas as they came.
    for name in ("dataset-fields", "samples"):
        assert made[f"benchmark/tables/{name}.csv"]
