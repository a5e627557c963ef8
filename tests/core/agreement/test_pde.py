"""The human validation of LiveIdeaBench: the published figures come out of the published ratings,
named for what they are.
"""

import csv
import json

import numpy as np
import pytest

from core.agreement.ratings import RatingAgreement, rating_agreement
from core.statistics.matrix import matrix
from tests import DATA

RATINGS = DATA / "pde_ratings.csv"
CRITERIA = ("originality", "feasibility", "clarity")


@pytest.fixture(scope="module")
def lines():
    with RATINGS.open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def tables(lines):
    return {
        criterion: matrix((line["idea"], line["rater"], float(line[criterion])) for line in lines)
        for criterion in CRITERIA
    }


@pytest.fixture(scope="module")
def found(tables):
    return rating_agreement(tables, {"llm"})


def of(found: RatingAgreement, criterion: str, name: str):
    one = found.criteria[criterion]
    everything = (*one.iccs, *one.alphas, *one.against["llm"].__dict__.values())
    return next(figure for figure in everything if figure.name == name)


@pytest.mark.parametrize(
    ("criterion", "r", "p"),
    [("originality", 0.820, 3.0e-6), ("feasibility", 0.572, 0.0054), ("clarity", 0.420, 0.0518)],
)
def test_the_model_meets_the_expert_mean_as_published(found, criterion, r, p):
    figure = of(found, criterion, "Pearson's r")
    assert round(figure.value, 3) == r
    assert float(f"{figure.p:.{1 if p < 0.01 else 2}e}") == pytest.approx(p, rel=1e-9)
    assert (figure.n, figure.unit, figure.raters) == (22, "ideas", 7)
    assert figure.about == f"{criterion}, llm against the expert mean"


@pytest.mark.parametrize(
    ("name", "published"),
    [
        ("ICC(C,k)", (0.823, 0.453, 0.782)),
        ("ICC(A,k)", (0.766, 0.396, 0.637)),
        ("Krippendorff's alpha (interval)", (0.324, 0.067, 0.167)),
    ],
)
def test_the_experts_agree_as_published(found, name, published):
    figures = [of(found, criterion, name) for criterion in CRITERIA]
    assert tuple(round(one.value, 3) for one in figures) == published
    for criterion, one in zip(CRITERIA, figures, strict=True):
        assert (one.n, one.raters, one.about) == (22, 6, f"{criterion}, experts only")
        assert "6 experts" in one.how
        assert one.low < one.value < one.high


def test_the_published_label_is_put_right(found):
    """The publication prints ICC(C,k) as "ICC(A,k)"; the form of that name is another figure."""
    for criterion in CRITERIA:
        assert (
            'LiveIdeaBench prints this consistency form as "ICC(A,k)"'
            in of(found, criterion, "ICC(C,k)").label
        )
        assert "LiveIdeaBench" not in of(found, criterion, "ICC(A,k)").label


def test_claritys_correlation_is_not_called_significant(found):
    reading = of(found, "clarity", "Pearson's r").reading
    assert "not significant at 0.05 (p = 0.0518): chance alone could give it" in reading
    assert "-0.002 to 0.71" in reading
    assert all(
        "not significant" not in of(found, one, "Pearson's r").reading for one in CRITERIA[:2]
    )


def test_the_model_counts_in_no_figure_of_the_experts(found, tables):
    people = rating_agreement(
        {criterion: one.without({"llm"}) for criterion, one in tables.items()}
    )
    for criterion in CRITERIA:
        ours, theirs = found.criteria[criterion], people.criteria[criterion]
        assert [one.value for one in ours.iccs + ours.alphas] == [
            one.value for one in theirs.iccs + theirs.alphas
        ]
        assert ours.ceilings == theirs.ceilings
        assert ours.severities == theirs.severities
        assert (ours.means, ours.experts) == (theirs.means, theirs.experts)
        assert theirs.against == {}
        assert theirs.alphas_with_models == ()
        assert theirs.iccs[0].about == criterion
        assert round(ours.alphas_with_models[1].value, 3) != round(ours.alphas[1].value, 3)
        assert "1 model judge" in ours.alphas_with_models[1].about


def test_the_human_ceiling_stands_beside_the_model(found, tables):
    experts = tables["originality"].without({"llm"}).values
    each = [
        np.corrcoef(experts[:, at], np.delete(experts, at, axis=1).mean(axis=1))[0, 1]
        for at in range(6)
    ]
    ceiling = found.criteria["originality"].ceilings.pearson
    assert [one.value for one in ceiling.each.values()] == pytest.approx(each)
    assert ceiling.mean.value == pytest.approx(np.mean(each))
    assert ceiling.mean.low < ceiling.mean.value < ceiling.mean.high
    assert (ceiling.mean.n, ceiling.mean.raters) == (22, 6)


def test_a_complete_design_has_severity_from_plain_means(found, tables):
    experts = tables["clarity"].without({"llm"}).values
    severities = found.criteria["clarity"].severities
    assert [one.value for one in severities.raters.values()] == pytest.approx(
        experts.mean() - experts.mean(axis=0)
    )
    assert [one.value for one in severities.items.values()] == pytest.approx(experts.mean(axis=1))
    assert severities.raters["expert6"].value > 1.7
    assert "expert6 scores 1.76 points" in severities.raters["expert6"].reading
    assert set(severities.raters) == {f"expert{n}" for n in range(1, 7)}


def test_every_two_raters_have_a_cell_and_every_rater_a_conduct(found):
    assert len(found.criteria["clarity"].between) == 21
    assert list(found.conduct) == [*(f"expert{n}" for n in range(1, 7)), "llm"]
    assert (
        found.conduct["expert3"].straight.reading
        == "expert3 gave 3 of 22 units the same score on every criterion."
    )


def test_every_figure_has_its_n_a_reading_and_survives_json(found):
    def figures(value):
        if isinstance(value, dict):
            if {"name", "about", "refused"} <= value.keys():
                yield value
            else:
                for one in value.values():
                    yield from figures(one)
        elif isinstance(value, list):
            for one in value:
                yield from figures(one)

    every = list(figures(json.loads(found.model_dump_json())))
    assert len(every) > 200
    for one in every:
        assert one["reading"], one
        assert one["n"] > 0, one
        assert one["value"] is not None or one["refused"], one
        assert one["low"] is None or one["low"] <= one["value"] <= one["high"], one
        assert one["low"] is not None or one["how"] or one["refused"], one
    assert RatingAgreement.model_validate_json(found.model_dump_json()) == found


def test_no_experts_one_expert_and_no_rating_are_refused_and_nothing_breaks(tables):
    models_only = rating_agreement({"x": tables["clarity"].only({"llm"})}, {"llm"}).criteria["x"]
    assert models_only.iccs[0].refused
    assert "No idea has a score of both" in models_only.against["llm"].pearson.refused
    alone = rating_agreement({"x": tables["clarity"].only({"llm", "expert1"})}, {"llm"}).criteria[
        "x"
    ]
    assert "there is 1" in alone.iccs[0].refused
    assert alone.against["llm"].pearson.value is not None
    assert alone.ceilings.pearson.mean.refused
    nothing = rating_agreement({"x": matrix([])}).criteria["x"]
    assert nothing.alphas[0].refused
    assert nothing.severities.refused
    assert nothing.means == {}


def test_two_models_have_an_alpha_of_their_own(tables, lines):
    second = [
        (line["idea"], "second", float(line["clarity"]) + 0.5)
        for line in lines
        if line["rater"] == "llm"
    ]
    both = matrix(
        [*((line["idea"], line["rater"], float(line["clarity"])) for line in lines), *second]
    )
    one = rating_agreement({"clarity": both}, {"llm", "second"}).criteria["clarity"]
    assert one.models == ("llm", "second")
    assert one.alphas_of_models[1].raters == 2
    assert one.alphas_of_models[1].about == "clarity, models only"
    assert (
        one.alphas[1].value
        == rating_agreement({"clarity": tables["clarity"]}, {"llm"})
        .criteria["clarity"]
        .alphas[1]
        .value
    )
    assert set(one.against) == {"llm", "second"}
