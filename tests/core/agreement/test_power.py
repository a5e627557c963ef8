"""Power of a comparison: the forecast against simulated studies, and more of anything helps."""

import pytest
from pydantic import ValidationError

from core.agreement.power import ENOUGH, PowerDesign, needed, power, simulate

SMALL = PowerDesign(ideas=8, experts=5, overlap=3, topics=4, difference=0.8)


def test_more_ideas_and_a_larger_difference_are_found_more_often():
    some = power(SMALL, 0)
    assert some.simulated is None
    more = power(SMALL.model_copy(update={"ideas": 16}), 0)
    larger = power(SMALL.model_copy(update={"difference": 1.1}), 0)
    nothing = power(SMALL.model_copy(update={"difference": 0.0}), 0)
    assert nothing.forecast == pytest.approx(0.05, abs=1e-6)
    assert 0.05 < some.forecast < min(more.forecast, larger.forecast)


def test_what_is_needed_ends_with_the_first_that_is_enough():
    steps = needed(SMALL)
    assert [chance for _, chance in steps] == sorted(chance for _, chance in steps)
    assert steps[-1][1] >= ENOUGH > steps[-2][1]
    least = power(SMALL, 0).least
    again = power(SMALL.model_copy(update={"difference": least}), 0)
    assert again.forecast >= ENOUGH


def test_a_simulation_is_seeded():
    assert simulate(SMALL, 20, 7) == simulate(SMALL, 20, 7)
    assert power(SMALL, 20).low < power(SMALL, 20).simulated < power(SMALL, 20).high


def test_shares_and_experts_that_do_not_fit_are_refused():
    with pytest.raises(ValidationError, match="leave nothing to chance"):
        PowerDesign(ideas=8, experts=5, of_ideas=0.6, of_reviewers=0.5)
    with pytest.raises(ValidationError, match="scored by 3 experts, and there are 2"):
        PowerDesign(ideas=8, experts=2)


@pytest.mark.soak
@pytest.mark.parametrize(
    "design",
    [
        SMALL,
        PowerDesign(ideas=12, experts=6, overlap=3, topics=6, difference=0.6),
        PowerDesign(ideas=20, experts=8, overlap=2, topics=1, difference=0.5),
        PowerDesign(ideas=15, experts=15, overlap=2, topics=5, difference=0.9, of_ideas=0.4),
        PowerDesign(ideas=10, experts=4, overlap=4, topics=1, difference=1.0, of_reviewers=0.4),
        PowerDesign(ideas=49, experts=40, overlap=2, topics=7, difference=0.3),
    ],
)
def test_the_forecast_lies_within_five_points_of_simulated_studies(design):
    found = power(design, 0)
    simulated = simulate(design, 1_000, seed=5)
    print(design, f"forecast {found.forecast:.3f}, simulated {simulated:.3f}")
    assert abs(found.forecast - simulated) <= 0.05
