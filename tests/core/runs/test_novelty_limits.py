"""What the check of a run's idea does not read: what the run did not, and the idea's own paper."""

from core.records import Paper
from core.runs.novelty_checks import limits_of
from tests.conftest import make_run

OWN = Paper(
    id="s2:abc", title="Sleep and memory in young athletes", year=2020, doi="10.1/x", arxiv=None
)


def test_the_paper_an_idea_is_of_is_left_out_under_all_its_names(store):
    inputs = {"topic": "sleep", "paper": OWN.model_dump(mode="json"), "ban": ["doi:10.2/other"]}
    limits = limits_of(make_run(store, inputs=inputs))
    assert limits["ban"] == ("doi:10.2/other", *sorted(OWN.names))
    elsewhere = OWN.model_copy(update={"id": "openalex:W9"})
    assert not elsewhere.names.isdisjoint(limits["ban"])


def test_the_limits_of_a_run_hold_for_its_check(store):
    inputs = {"topic": "sleep", "before": "2020-01-01", "ban": ["x"]}
    assert limits_of(make_run(store, inputs=inputs)) == {"before": "2020-01-01", "ban": ["x"]}
    assert limits_of(make_run(store, inputs={"topic": "sleep"})) == {}
