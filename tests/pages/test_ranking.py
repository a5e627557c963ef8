"""Ranking on screen: choosing what is ranked, what is refused beforehand, and where the published
idea stands.
"""

import csv
import io

import pytest

from components.ranking import orders as ranking_orders
from components.ranking import view as ranking_view
from components.shell import clicks
from components.shell.text import SEAM, inline
from core.judging import ranked_sets
from core.judging.ranked_sets import IdeaSet, RankInputs
from core.methods.presets import FEASIBILITY, NOVELTY
from core.records import FORMS, Entry, Idea, Ranked, Run, Standing
from core.runs.planning import validated
from core.story import Story
from tests.support.screens.experiment_screen import runner, tables
from tests.support.scripted import configured, refinement
from tests.support.visiting import links, said, settled, visit

__all__ = ["runner"]
IDEAS = {
    f"{n}: Nap {n}": Idea(
        form="six-field", fields={name: f"Nap {n} {name}" for name in FORMS["six-field"]}
    )
    for n in (1, 2, 3)
}
TARGET = Idea(
    form="six-field", fields={name: f"The target's {name}" for name in FORMS["six-field"]}
)


def ranked(
    runner, target=TARGET, goals=(NOVELTY,), judges=("scripted:judge",), work=True, repeats=3
) -> Run:
    inputs = validated(
        RankInputs,
        topic="A ranking",
        goals=goals,
        sets=(IdeaSet(name="final", ideas=IDEAS, target=target),),
        repeats=repeats,
    )
    models = {f"judge-{n}" if n > 1 else "judge": name for n, name in enumerate(judges, 1)}
    run = runner.begin(configured(runner, "rank", inputs, models=models), "A ranking")
    if work:
        assert runner.work(run.id) == "done"
    return runner.store.runs.get(run.id)


def typed(app, text="Naps help.\n---\nLight harms."):
    return settled(app.text_area(key="ranks:typed").set_value(text).run())


def go(app):
    return settled(app.button(key="ranks:go").click().run())


def begun(app, runner) -> RankInputs:
    go(app)
    runs = runner.store.runs.listed(method="rank")
    assert len(runs) == 1, said(app)
    return RankInputs.model_validate(runs[0].config.inputs)


def test_a_run_that_is_not_there_is_said_and_no_other_is_taken_for_it(runner):
    done = refinement(runner)
    assert runner.work(done.id) == "done"
    app = visit("ranking", **{"from": "nope"})
    assert "There is no run nope here" in said(app)
    assert app.selectbox(key="ranks:run").value is None
    assert not app.exception
    settled(app.selectbox(key="ranks:run").set_value(done.id).run())
    assert "There is no run nope here" not in said(app)
    assert app.multiselect(key=f"ranks:of:{done.id}").value


# -- choosing ----------------------------------------------------------------------------------


def test_typed_ideas_are_ranked_without_a_target_and_the_price_is_said_before(runner):
    app = typed(visit("ranking"))
    assert "2 ideas ranked among themselves, by novelty." in said(app)
    assert "Estimated: at most 7 model calls" in said(app)
    inputs = begun(app, runner)
    assert [idea.text for idea in inputs.sets[0].ideas.values()] == ["Naps help.", "Light harms."]
    assert (inputs.sets[0].target, inputs.repeats, inputs.same_form, inputs.goals) == (
        None,
        5,
        True,
        (NOVELTY,),
    )


def test_several_judges_make_a_panel(runner):
    app = typed(visit("ranking"))
    app.multiselect(key="ranks:judges").set_value(["scripted:judge", "scripted:other"])
    go(app)
    assert runner.store.runs.listed(method="rank")[0].config.models == {
        "judge": "scripted:judge",
        "judge-2": "scripted:other",
    }


def test_one_of_the_candidates_may_be_the_published_one(runner):
    app = typed(visit("ranking"))
    settled(app.button_group(key="ranks:target").set_value("One of them").run())
    assert "Say which of them is the published idea" in said(app)
    settled(app.selectbox(key="ranks:among").set_value("Light harms.").run())
    assert "1 idea ranked with the published idea, which gives Q" in said(app)
    inputs = begun(app, runner)
    assert inputs.sets[0].target.text == "Light harms."


def test_a_text_may_be_the_published_idea(runner):
    app = typed(visit("ranking"))
    settled(app.button_group(key="ranks:target").set_value("A text").run())
    settled(app.text_area(key="ranks:text").set_value("Orexin matters.").run())
    assert begun(app, runner).sets[0].target.text == "Orexin matters."


def test_an_address_brings_the_ideas_of_a_run(runner):
    done = refinement(runner, idea=None, lines=3)
    assert runner.work(done.id) == "done"
    inputs = begun(visit("ranking", **{"from": done.id}), runner)
    assert len(inputs.sets[0].ideas) == 3


def test_an_address_brings_a_collection(runner):
    store = runner.store
    entries = [
        Entry(
            id="",
            kind="idea",
            sha=store.frozen.keep(idea),
            method=f"m{name[0]}",
            topic="sleep",
            source="typed",
            collection="Mine",
        )
        for name, idea in IDEAS.items()
    ]
    store.entries.add(tuple((one, f"Nap {n}") for n, one in enumerate(entries, 1)))
    inputs = begun(visit("ranking", collection="Mine"), runner)
    assert sorted(idea.title for idea in inputs.sets[0].ideas.values()) == [
        "Nap 1 title",
        "Nap 2 title",
        "Nap 3 title",
    ]


def test_ideas_of_the_shelf_are_picked(runner):
    for idea in IDEAS.values():
        runner.store.ideas.save(idea, None, "")
    app = visit("ranking")
    picker = app.multiselect(key="ranks:shelf")
    settled(picker.set_value(picker.options[:2]).run())
    assert len(begun(app, runner).sets[0].ideas) == 2


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "Choose the ideas that are ranked"),
        ("One alone.", "One idea alone cannot be put in order"),
        (
            "\n---\n".join(f"Idea {n}" for n in range(13)),
            "13 ideas are chosen; one ranking takes 12 at most",
        ),
    ],
)
def test_what_cannot_be_ranked_is_said_and_nothing_starts(runner, text, why):
    app = typed(visit("ranking"), text)
    assert why in said(app)
    go(app)
    assert not runner.store.runs.listed(method="rank")


def test_the_built_in_model_is_refused_and_ranking_by_hand_is_offered(runner):
    real = type(runner.workshop).__mro__[1].builtin
    runner.workshop.named["builtin"] = real(runner.workshop)
    app = typed(visit("ranking"))
    settled(app.multiselect(key="ranks:judges").set_value(["builtin"]).run())
    assert "builtin cannot rank ideas" in said(app)
    assert [link.page for link in links(app) if "by hand" in link.label] == ["rate"]
    go(app)
    assert not runner.store.runs.listed(method="rank")


def test_a_second_click_begins_no_second_ranking(runner, monkeypatch):
    app = typed(visit("ranking"))
    for twice, many in ((60.0, 1), (60.0, 1), (0.0, 2)):
        monkeypatch.setattr(clicks, "TWICE", twice)
        go(app)
        assert len(runner.store.runs.listed(method="rank")) == many
        del app.query_params["run"]
        settled(app.run())


# -- looking -----------------------------------------------------------------------------------


def test_q_stands_large_with_its_meaning_and_how_sure_it_is(runner):
    run = ranked(runner)
    app = visit("ranking", run=run.id)
    q = next(one.q for one in ranking_view.standings(Story.of(runner.store, run.id)).values())
    assert [(one.label.replace("\\", "").replace(SEAM, ""), one.value) for one in app.metric] == [
        ("Q by scripted:judge", f"{q:.2f}")
    ]
    assert "mean place" in said(app)
    assert "3 repeats" in said(app)


def test_the_places_of_a_single_order_are_no_means(runner):
    run = ranked(runner, repeats=1)
    shown = said(visit("ranking", run=run.id))
    assert ":gray[place 1]" in shown
    assert ":gray[mean place" not in shown


def test_orders_what_they_were_shown_as_and_reasons_are_there_for_every_repeat(runner):
    run = ranked(runner)
    app = visit("ranking", run=run.id)
    orders = next(rows for rows in tables(app) if rows and "Shown as" in rows[0])
    assert [row["Repeat"] for row in orders] == [1, 2, 3]
    assert all(
        sorted(part.split()[1] for part in row["Shown as"].split(", "))
        == ["1", "2", "3", "published"]
        for row in orders
    )
    assert len({row["Shown as"] for row in orders}) == 3, "another order each time"
    assert said(app).count("**Repeat 1, place") == 4, "a reason for every candidate"


def test_judges_stand_side_by_side(runner):
    run = ranked(runner, judges=("scripted:judge", "scripted:other"), goals=(NOVELTY, FEASIBILITY))
    app = visit("ranking", run=run.id)
    assert len(app.metric) == 4
    places = next(rows for rows in tables(app) if rows and "Candidate" in rows[0])
    assert set(places[0]) == {
        "Candidate",
        "Mean place by scripted:judge",
        "Mean place by scripted:other",
    }


def test_without_a_target_there_is_an_order_and_no_q(runner):
    app = visit("ranking", run=ranked(runner, target=None).id)
    assert not app.metric
    assert "Ranked among themselves. 3 repeats." in said(app)


def test_a_ranking_that_has_not_begun_says_how_far_it_is(runner):
    assert "0 of 1 ranking so far" in [
        one.proto.text
        for one in visit("ranking", run=ranked(runner, work=False).id).get("progress")
    ]


def test_the_file_holds_every_place_with_its_letter_and_reason(runner):
    run = ranked(runner)
    asked = RankInputs.model_validate(run.config.inputs)
    rows = list(
        csv.DictReader(
            io.StringIO(
                ranking_view.sheet(
                    run, asked, ranking_view.standings(Story.of(runner.store, run.id))
                )
            )
        )
    )
    assert len(rows) == 3 * 4
    assert {row["shown as"] for row in rows} == set("ABCD")
    assert all(row["reason"] and row["judge"] == "scripted:judge" for row in rows)


def test_a_branch_with_another_judge_names_who_ranked_what_it_took_over(runner):
    run = ranked(runner, goals=(NOVELTY, FEASIBILITY))
    place = ranked_sets.place("judge", "final", FEASIBILITY.name)
    branch = runner.fork(
        run.id,
        f"{place}/repeat-1/rank",
        lambda config: config.model_copy(update={"models": {"judge": "scripted:other"}}),
    )
    assert runner.work(branch.id) == "done", runner.store.runs.get(branch.id).reason
    app = visit("ranking", run=branch.id)
    judges = ("scripted:judge", "scripted:other")
    assert [one.label for one in app.metric] == [f"Q by {inline(one)}" for one in judges]
    asked, story = branch.inputs_as(RankInputs), Story.of(runner.store, branch.id)
    rows = csv.DictReader(
        io.StringIO(ranking_view.sheet(branch, asked, ranking_view.standings(story)))
    )
    by = {(row["quality"], row["judge"]) for row in rows}
    assert by == {(NOVELTY.name, "scripted:judge"), (FEASIBILITY.name, "scripted:other")}


def test_a_tie_without_a_target_names_all_that_are_level(monkeypatch):
    said: list[str] = []
    monkeypatch.setattr(ranking_view.st, "markdown", said.append)
    monkeypatch.setattr(ranking_view.st, "caption", said.append)
    orders = (("a", "b", "c"), ("b", "a", "c"))
    rankings = tuple(Ranked(shown=one, best_first=one, reasons=("", "", "")) for one in orders)
    ranking_view._figure("judge", Standing(goal="novelty", q=None, rankings=rankings))
    assert said[0] == "Best by judge (a tie): **a**, **b**"
    ranking_view._figure("judge", Standing(goal="novelty", q=None, rankings=rankings[:1]))
    assert said[2] == "Best by judge: **a**"


def test_plain_words_say_what_the_extremes_mean():
    assert ranking_orders.meaning(0) == "the published idea is best every time"
    assert ranking_orders.meaning(1) == "the published idea is last every time"


def test_an_interval_is_given_over_repeats_and_refused_for_one():
    def standing(*places):
        rankings = tuple(
            Ranked(
                shown=("a", "target"),
                best_first=("target", "a") if place == 0 else ("a", "target"),
                reasons=("x", "y"),
            )
            for place in places
        )
        return Standing(goal="novelty", q=sum(places) / len(places), rankings=rankings)

    assert ranking_orders.sure(standing(0, 1, 0, 1)).startswith(
        "95 % interval 0.00 to 1.00: Student's t over 4 repeats"
    )
    assert "One value has no interval" in ranking_orders.sure(standing(1))


def test_a_run_of_another_method_is_not_shown_here(runner):
    other = refinement(runner)
    assert "open it from Runs" in said(visit("ranking", run=other.id))


def test_ideas_handed_over_are_picked_and_equal_titles_differ(runner):
    text = "The very same beginning of an idea that goes on for longer than a title may be long, "
    ids = [
        runner.store.ideas.save(
            Idea(form="hypothesis", fields={"hypothesis": text + end}), None, ""
        )
        for end in ("in one way.", "in another way.")
    ]
    app = visit("ranking", ideas=",".join(ids))
    picked = app.multiselect(key="ranks:shelf").value
    assert len(picked) == len(set(picked)) == 2


def test_ideas_are_handed_over_after_ranking_was_seen_and_too_many_are_said(runner):
    ids = [
        runner.store.ideas.save(Idea(form="hypothesis", fields={"hypothesis": f"{n}."}), None, "")
        for n in range(14)
    ]
    app = visit("ranking")
    assert app.multiselect(key="ranks:shelf").value == []
    app.query_params["ideas"] = ",".join(ids[-2:])
    assert len(settled(app.run()).multiselect(key="ranks:shelf").value) == 2
    app.query_params["ideas"] = ",".join(ids)
    assert "one ranking takes 12 at most" in said(settled(app.run()))
