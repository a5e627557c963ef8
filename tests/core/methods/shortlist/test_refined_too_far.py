"""The alarm for over-refinement: silent for an ordinary refinement, heard where the first form
wins, where the last is only much longer, and where all become alike.
"""

import pytest

from core.methods.shortlist.checking import alarms
from core.records import FORMS, IDEA_CRITERIA, Overrefined
from tests.support.shortlist_kit import name_of, now, played, shortlist_script, version_of

PADDED = "It is to be noted that this matters, as was said before, and as is well known. " * 12
SAME = "A robust, scalable and holistic framework is validated comprehensively on benchmarks."


def refined(tmp_path, text, **true):
    """Return what became of ideas whose every field is rewritten so, and whose two forms the judge
    cannot tell apart.
    """
    script = shortlist_script(**true)
    whole = script["arena-ideas"]

    def revise(request):
        idea = request.values["idea"]
        name, n = name_of(idea), version_of(idea) + 1
        made = {field: text(name, field) for field in FORMS["six-field"]}
        return made | {"title": f"{name} / {n}", "changes": []}

    def judge(request):
        said = whole(request)
        names = {name_of(request.values[one]) for one in ("first", "second")}
        return said | dict.fromkeys(IDEA_CRITERIA, "tie") if len(names) == 1 else said

    given = {"revise": revise, "arena-ideas": judge}
    runner, _, run = played(tmp_path, script | given, designs=0, checklist=False)
    assert run.state == "done", run.reason
    return {one.n: one.rechecked.compared for one in now(runner, run).ideas}


def test_an_ordinary_refinement_raises_no_alarm(tmp_path):
    runner, _, run = played(tmp_path, designs=0, checklist=False)
    compared = [one.rechecked.compared for one in now(runner, run).ideas]
    assert [one.by for one in compared] == ["model"] * 4
    assert [one.alarm for one in compared] == [()] * 4


def test_an_idea_that_is_only_much_longer_raises_it(tmp_path):
    found = refined(tmp_path, lambda name, field: f"{field} by {name}. {PADDED}")
    for one in found.values():
        assert one.longer > 5
        assert "times as long as the first, without winning" in one.alarm[0]


def test_ideas_that_all_become_alike_raise_it(tmp_path):
    found = refined(tmp_path, lambda name, field: SAME)
    for one in found.values():
        assert (one.first, one.last) == (5, 5)
        assert "more like the other ideas than the first was" in " ".join(one.alarm)


def test_what_rules_prefer_raises_no_alarm_and_stills_none():
    usual = {"n": 1, "by": "rules", "longer": 1.9, "gone": 0.3}
    assert alarms(Overrefined(**usual, first=8, last=2)) == ()
    long, alike = alarms(Overrefined(n=1, by="rules", first=2, last=8, longer=4, gone=0.5))
    assert "4 times as long as the first, and no model could say if it is better" in long
    assert "50% of what set it apart is gone" in alike


@pytest.mark.parametrize("by", ["model", "rules", "nobody"])
def test_a_paragraph_that_is_written_out_is_not_called_long(by):
    found = Overrefined(n=1, by=by, first=5, last=5, longer=12)
    assert alarms(found, written_out=True) == ()
    assert len(alarms(found)) == 1


def test_a_judge_who_prefers_the_last_form_stills_the_alarm():
    assert alarms(Overrefined(n=1, by="model", first=2, last=8, longer=4, gone=0.5)) == ()
