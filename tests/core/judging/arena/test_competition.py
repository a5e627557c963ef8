"""The Idea Arena: every pair in both orders, each judgment a ballot, no default winner, extended
for what is missing only.
"""

from collections import Counter

import pytest

from core.errors import BadInput, ModelFailed
from core.judging.arena.competition import ArenaInputs, extended, lineup_of, missing
from core.judging.arena.contests import ballot_of, contested, deal
from core.records import IDEA_CRITERIA, Ballot, Contest, Played
from core.runs.estimates import of_run
from core.runs.planning import validated
from core.story import Story
from tests.support.arena_kit import (
    JUDGES,
    METHODS,
    TOPICS,
    a_design,
    arena_shop,
    begun,
    better,
    entries,
    entry,
    held,
    one_paragraph,
    six,
)
from tests.support.scripted import die, fresh, prompts_asked, resumed


def asked_on(runner, run_id):
    """Return the keys of the steps that this run paid for itself."""
    return [one.key for one in runner.store.steps.outline(run_id) if one.taken_from is None]


def test_every_pair_on_every_topic_is_judged_in_both_orders_on_all_criteria_in_one_call(tmp_path):
    runner, models = arena_shop(tmp_path)
    run = held(runner, entries(runner.store))
    ballots = runner.store.ballots.of(run.id)
    m, t = len(METHODS), len(TOPICS)
    assert len(models[JUDGES[0]].requests) == len(ballots) == run.calls == m * (m - 1) * t
    assert Counter((one.contest, one.first) for one in ballots) == Counter(
        {
            (contest, first): 1
            for contest in contested(lineup_of(runner.store, run.id))
            for first in (contest.a, contest.b)
        }
    )
    assert {tuple(one.sides) for one in ballots} == {IDEA_CRITERIA}
    assert {one.why for one in ballots} == {"The first goes further.", "The second goes further."}
    assert Story.of(runner.store, run.id).last(Played) == Played(contests=6, matches=12, judged=12)


def test_the_judge_learns_neither_method_nor_model_nor_source(tmp_path):
    runner, models = arena_shop(
        tmp_path, {"arena-ideas": lambda _: {"reason": "r", **dict.fromkeys(IDEA_CRITERIA, "tie")}}
    )
    held(runner, [entry(runner.store, f"method {n}", "sleep", six(f"Text {n}")) for n in range(2)])
    for request in models[JUDGES[0]].requests:
        assert (
            "method"
            not in (request.standing + request.text.replace("proposed way", "")).split(
                "Weigh the two"
            )[0]
        )
        assert set(request.values) == {"topic", "first", "second"}


def test_judges_and_repeats_multiply_the_matches(tmp_path):
    runner, models = arena_shop(tmp_path)
    run = begun(runner, entries(runner.store), judges=JUDGES, repeats=2)
    assert runner.work(run.id) == "done"
    assert [len(model.requests) for model in models.values()] == [24, 24]
    assert Counter((one.judge, one.repeat) for one in runner.store.ballots.of(run.id)) == Counter(
        {(name, n): 12 for name in JUDGES for n in (1, 2)}
    )
    assert of_run(run).calls == 48 + 6, "every match, and at most a common form for each text"


def test_designs_compete_on_their_own_criteria(tmp_path):
    runner, models = arena_shop(tmp_path)
    texts = [a_design("What chain plans."), one_paragraph("What direct plans.")]
    taking = [
        entry(runner.store, name, "sleep", text, "design")
        for name, text in zip(("chain", "direct"), texts, strict=True)
    ]
    run = held(runner, taking, kind="design")
    assert prompts_asked(models[JUDGES[0]]) == ["arena-designs"] * 2 + ["common-design"]
    assert {tuple(one.sides) for one in runner.store.ballots.of(run.id)} == {
        ("feasibility", "technical_quality", "clarity")
    }
    assert of_run(run).calls == 2 + 2


def test_texts_are_brought_into_the_common_form_once_and_the_original_stays(tmp_path):
    runner, models = arena_shop(tmp_path)
    plain = one_paragraph("What chain says, in one go.")
    taking = [entry(runner.store, "chain", "sleep", plain), entry(runner.store, "direct", "sleep")]
    run = held(runner, taking)
    lineup = lineup_of(runner.store, run.id)
    shown = {one.method: runner.store.frozen.get(one.sha, type(plain)) for one in lineup.seats}
    assert shown["chain"].fields["title"] == f"Restated: {plain.text}"
    assert shown["direct"] == six("What direct says of sleep.")
    assert runner.store.frozen.get(taking[0].sha, type(plain)) == plain
    assert lineup.common
    assert [seat.length for seat in lineup.seats] == [
        len(shown[seat.method].text) for seat in lineup.seats
    ]
    held(runner, taking)
    assert Counter(prompts_asked(models[JUDGES[0]])) == Counter(
        {"arena-ideas": 4, "six-fields": 1}
    ), "a form that was made is taken again, free"


def test_texts_compete_as_they_are_if_that_is_asked_for(tmp_path):
    runner, models = arena_shop(tmp_path)
    plain = one_paragraph("What chain says.")
    run = held(
        runner,
        [entry(runner.store, "chain", "sleep", plain), entry(runner.store, "direct", "sleep")],
        same_form=False,
    )
    assert set(prompts_asked(models[JUDGES[0]])) == {"arena-ideas"}
    assert plain in [request.values["first"] for request in models[JUDGES[0]].requests]
    assert not lineup_of(runner.store, run.id).common


def test_a_text_that_cannot_be_brought_into_form_does_not_compete_and_says_why(tmp_path):
    def fails(request):
        return (
            ModelFailed("Refused.")
            if "bad" in request.values["idea"].text
            else dict.fromkeys(six("x").fields, "Restated.")
        )

    runner, _ = arena_shop(tmp_path, {"six-fields": fails})
    taking = [
        entry(runner.store, name, "sleep", one_paragraph(f"A {name} text"))
        for name in ("bad", "direct", "chain")
    ]
    run = held(runner, taking)
    lineup = lineup_of(runner.store, run.id)
    assert [(one.method, one.sha == "", one.reason) for one in lineup.seats] == [
        ("bad", True, "Refused."),
        ("chain", False, ""),
        ("direct", False, ""),
    ]
    assert {one.contest for one in runner.store.ballots.of(run.id)} == {
        Contest(topic="sleep", a="chain", b="direct")
    }


def test_a_match_whose_judge_fails_has_no_winner_and_is_counted(tmp_path):
    def fails(request):
        return (
            ModelFailed("Refused.")
            if "chain" in request.values["first"].text and "sleep" in request.text
            else better(request)
        )

    runner, _ = arena_shop(tmp_path, {"arena-ideas": fails})
    run = held(runner, entries(runner.store))
    assert Story.of(runner.store, run.id).last(Played) == Played(
        contests=6, matches=12, judged=10, failed={JUDGES[0]: 2}, reason="Refused."
    )
    assert len(runner.store.ballots.of(run.id)) == 10


def test_a_judge_that_never_answers_ends_the_run_and_is_asked_again_on_resuming(tmp_path):
    down = [True]
    runner, models = arena_shop(
        tmp_path,
        {"arena-ideas": lambda r: ModelFailed("The server is down.") if down[0] else better(r)},
    )
    run = held(
        runner,
        entries(runner.store, topics=[f"topic {n}" for n in range(10)]),
        state="failed",
        at_once=2,
    )
    assert "judged none of" in run.reason
    assert len(models[JUDGES[0]].requests) <= 24, "sixty matches were to be played"
    down[0] = False
    assert resumed(runner, run.id) == "done"
    assert len(runner.store.ballots.of(run.id)) == 60


def test_an_arena_that_was_killed_files_every_ballot_once_and_pays_no_match_twice(tmp_path):
    runner, models = arena_shop(tmp_path)
    taking, model = entries(runner.store), models[JUDGES[0]]
    done = runner.store.ballots.of(held(runner, taking).id)
    model.script["arena-ideas"] = lambda r: (
        better(r) if len(model.requests) < 12 + 7 else KeyboardInterrupt()
    )
    cut = begun(runner, taking, at_once=1)
    runner.work(cut.id)
    model.script["arena-ideas"] = better
    die(runner, cut.id)
    again = fresh(runner)
    again.notice_dead()
    assert resumed(again, cut.id) == "done"
    same = [
        one.model_copy(update={"arena": "", "at": ""}) for one in runner.store.ballots.of(cut.id)
    ]
    assert same == [one.model_copy(update={"arena": "", "at": ""}) for one in done], (
        "in the same order, too"
    )
    assert len(model.requests) == 12 + 12 + 1


def test_ballots_are_in_the_order_of_the_matches_however_many_are_asked_at_once(tmp_path):
    orders = []
    for n, at_once in enumerate((1, 16)):
        runner, _ = arena_shop(tmp_path / str(n))
        run = held(
            runner, entries(runner.store, topics=[f"topic {k}" for k in range(12)]), at_once=at_once
        )
        orders.append([(one.contest, one.first) for one in runner.store.ballots.of(run.id)])
    assert orders[0] == orders[1]
    assert len(orders[0]) == 72


def test_a_new_method_plays_its_missing_matches_only_and_all_ballots_are_there(tmp_path):
    runner, models = arena_shop(tmp_path)
    parent = held(runner, entries(runner.store))
    newcomer = entries(runner.store, methods=["a newcomer"])
    child = runner.fork(
        parent.id, at="more", change=lambda config: extended(config, newcomer), place="0"
    )
    assert runner.work(child.id) == "done"
    m, t = len(METHODS), len(TOPICS)
    assert len(asked_on(runner, child.id)) == 2 * m * t == missing(parent.config, child.config)
    assert all("a-newcomer" in key for key in asked_on(runner, child.id))
    assert (
        len(models[JUDGES[0]].requests) == (m + 1) * m * t == len(runner.store.ballots.of(child.id))
    )
    assert len(runner.store.ballots.of(parent.id)) == m * (m - 1) * t, (
        "the arena it extends is as it was"
    )


def test_a_new_judge_judges_everything_and_the_others_nothing_anew(tmp_path):
    runner, models = arena_shop(tmp_path)
    parent = held(runner, entries(runner.store))
    child = runner.fork(
        parent.id, at="more", change=lambda config: extended(config, (), [JUDGES[1]]), place="0"
    )
    assert runner.work(child.id) == "done"
    assert [len(model.requests) for model in models.values()] == [12, 12]
    assert missing(parent.config, child.config) == 12
    assert Counter(one.judge for one in runner.store.ballots.of(child.id)) == Counter(
        dict.fromkeys(JUDGES, 12)
    )


def test_extending_tries_failed_matches_again(tmp_path):
    down = [True]
    runner, _ = arena_shop(
        tmp_path,
        {
            "arena-ideas": lambda r: (
                ModelFailed("Busy.") if down[0] and "light" in r.text else better(r)
            )
        },
    )
    parent = held(runner, entries(runner.store))
    down[0] = False
    child = runner.fork(parent.id, at="again", change=lambda config: config, place="0")
    assert runner.work(child.id) == "done"
    assert (
        len(runner.store.ballots.of(parent.id)),
        len(runner.store.ballots.of(child.id)),
        len(asked_on(runner, child.id)),
    ) == (6, 12, 6)


def test_people_s_votes_go_along_where_both_texts_are_the_same(tmp_path):
    runner, _ = arena_shop(tmp_path)
    store, parent = runner.store, held(runner, entries(runner.store), people_only=True)
    for _ in range(6):
        half = deal(store, parent.id, contested(lineup_of(store, parent.id)), "Ada")
        store.ballots.add(
            (
                ballot_of(
                    half.model_copy(update={"strength": dict.fromkeys(IDEA_CRITERIA, 1)}), "idea"
                ),
            )
        )

    def changed(config):
        more = extended(config, entries(store, methods=["newcomer"]))
        given = ArenaInputs.model_validate(more.inputs)
        rewritten = entry(store, "chain", "sleep", six("Rewritten."))
        others = tuple(
            rewritten if (one.method, one.topic) == ("chain", "sleep") else one
            for one in given.entries
        )
        return more.model_copy(
            update={"inputs": given.model_copy(update={"entries": others}).model_dump(mode="json")}
        )

    child = runner.fork(parent.id, at="more", change=changed, place="0")
    assert runner.work(child.id) == "done"
    carried = store.ballots.of(child.id)
    assert len(carried) == 4, "not those on the text that was rewritten"
    assert all(one.contest.topic == "light" or one.contest.a != "chain" for one in carried)
    assert {one.key for one in carried} < {one.key for one in store.ballots.of(parent.id)}
    assert all(
        one.strength == dict.fromkeys(IDEA_CRITERIA, 1) and one.judge == "Ada" for one in carried
    )


def test_an_arena_for_people_asks_no_model_and_is_ready_at_once(tmp_path):
    runner, models = arena_shop(tmp_path)
    taking = [
        entry(runner.store, "chain", "sleep", one_paragraph("As it is.")),
        entry(runner.store, "direct", "sleep"),
    ]
    run = held(runner, taking, people_only=True)
    assert (run.calls, models[JUDGES[0]].requests, of_run(run).calls) == (0, [], 0)
    lineup = lineup_of(runner.store, run.id)
    assert {seat.sha for seat in lineup.seats} == {one.sha for one in taking}
    assert not lineup.common
    held(runner, taking)
    after = lineup_of(runner.store, held(runner, taking, people_only=True).id)
    assert after.common, "forms that are there by then are shown"


def test_an_arena_of_people_gets_a_judge_and_the_votes_on_texts_that_stay_as_they_are_go_along(
    tmp_path,
):
    runner, _ = arena_shop(tmp_path)
    store, parent = runner.store, held(runner, entries(runner.store), people_only=True)
    half = deal(store, parent.id, contested(lineup_of(store, parent.id)), "Ada")
    store.ballots.add(
        (ballot_of(half.model_copy(update={"strength": dict.fromkeys(IDEA_CRITERIA, 1)}), "idea"),)
    )
    child = runner.fork(
        parent.id, at="more", change=lambda config: extended(config, (), [JUDGES[1]]), place="0"
    )
    assert runner.work(child.id) == "done"
    assert (store.ballots.count(child.id), child.config.models) == ((12, 1), {"judge": JUDGES[1]})
    assert missing(parent.config, child.config) == 12


def test_a_judge_whose_judgments_were_imported_is_not_asked_too(tmp_path):
    runner, models = arena_shop(tmp_path)
    store, parent = runner.store, held(runner, entries(runner.store), people_only=True)
    contest = contested(lineup_of(store, parent.id))[0]
    store.ballots.add(
        (
            Ballot(
                arena=parent.id,
                contest=contest,
                first=contest.a,
                sides={"novelty": "tie"},
                judge=JUDGES[1],
                key="import/model/x",
            ),
        )
    )
    child = runner.fork(
        parent.id, at="more", change=lambda config: extended(config, (), [JUDGES[1]]), place="0"
    )
    assert runner.work(child.id) == "failed"
    assert "was imported into this arena" in store.runs.get(child.id).reason
    assert models[JUDGES[1]].requests == []


def test_a_model_that_understands_nothing_is_refused_before_anything_is_asked(tmp_path):
    runner, models = arena_shop(tmp_path)
    models[JUDGES[0]].answers = lambda prompt: False
    run = held(runner, entries(runner.store), state="failed")
    assert "leave the votes to people" in run.reason
    assert models[JUDGES[0]].requests == []


def test_one_model_is_no_two_judges(tmp_path):
    runner, _ = arena_shop(tmp_path)
    run = begun(runner, entries(runner.store), judges=[JUDGES[0]] * 2)
    assert runner.work(run.id) == "failed"
    assert "two judges" in runner.store.runs.get(run.id).reason


def test_a_text_that_is_missing_is_a_sentence(tmp_path):
    runner, _ = arena_shop(tmp_path)
    gone = entries(runner.store)[0].model_copy(update={"sha": "0" * 64})
    run = held(runner, [gone, *entries(runner.store)[1:]], state="failed")
    assert "There is no frozen idea '000000000000'" in run.reason


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            lambda s: [entry(s, "a", "t"), entry(s, "a", "t", six("other")), entry(s, "b", "t")],
            "'a' has 2 entries on 't'",
        ),
        (lambda s: [entry(s, "a", "t"), entry(s, "b", "u")], "no topic has ideas of two methods"),
        (
            lambda s: [entry(s, "a", "t"), entry(s, "b", "t", a_design("d"), "design")],
            "ideas compete with ideas",
        ),
    ],
)
def test_what_cannot_compete_is_said(store, change, said):
    with pytest.raises(BadInput, match=f"(?i){said}"):
        validated(ArenaInputs, topic="An arena", entries=tuple(change(store)))


def test_what_an_arena_cannot_be_extended_by_is_said(tmp_path):
    runner, _ = arena_shop(tmp_path)
    config = begun(runner, entries(runner.store)).config
    with pytest.raises(BadInput, match="Nothing is new"):
        extended(config, entries(runner.store), [JUDGES[0]])
    with pytest.raises(BadInput, match="another text on 'sleep'"):
        extended(config, [entry(runner.store, "chain", "sleep", six("Another."))])
    with pytest.raises(BadInput, match="9 judges at most"):
        extended(config, (), [f"scripted:{n}" for n in range(9)])
    with pytest.raises(BadInput, match="'new' has 2 entries"):
        extended(
            config,
            [
                entry(runner.store, "new", "sleep", six("One.")),
                entry(runner.store, "new", "sleep", six("Two.")),
            ],
        )


def test_the_keys_of_matches_do_not_depend_on_what_else_competes(tmp_path):
    keys = []
    for n, (methods, topics) in enumerate(
        [(METHODS, TOPICS), ((*METHODS, "a newcomer"), ("a topic", *TOPICS))]
    ):
        runner, _ = arena_shop(tmp_path / str(n))
        run = held(runner, entries(runner.store, methods, topics))
        keys.append({one.key for one in runner.store.steps.outline(run.id)})
    assert keys[0] < keys[1]
