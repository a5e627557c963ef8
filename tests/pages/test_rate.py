"""Rating and ranking on screen; what is handed in is only ever added to."""

import csv
import io

import pytest

from components.rate import opinions
from components.rate.opinions import RankedPlace
from components.rate.rating import figure, table
from components.shell import ordering as order
from components.shell import services
from core.records import Idea, Ranking, Rating
from core.store.ideas import RatingGiven
from tests.support.arena_kit import entries
from tests.support.scripted import refine_script, runner_of
from tests.support.visiting import host, links, said, settled, visit

TEXTS = ("Naps restore memory.", "Cold rooms help sleep.", "Blue light harms it.")


@pytest.fixture
def ideas(tmp_path, monkeypatch):
    runner, _ = runner_of(tmp_path, refine_script())
    return host(monkeypatch, runner).ideas


@pytest.fixture
def three(ideas) -> tuple[str, ...]:
    """Three kept ideas."""
    return tuple(
        ideas.save(Idea(form="hypothesis", fields={"hypothesis": text}), None, "") for text in TEXTS
    )


def rating(idea: str, score: int, rater: str = "Ana", criterion: str = "Novelty") -> Rating:
    return Rating(idea=idea, criterion=criterion, score=score, rater=rater)


def scale(app, idea: str, criterion: str = "Novelty"):
    return app.button_group(key=f"rate:scale:{idea}:{criterion}")


def choose(app, idea: str, score: int, criterion: str = "Novelty") -> None:
    settled(scale(app, idea, criterion).set_value(score).run())


def given(*ratings: Rating) -> list[RatingGiven]:
    return [
        RatingGiven(rating=one, at=f"2026-01-01T00:00:0{n}+00:00") for n, one in enumerate(ratings)
    ]


def test_an_empty_shelf_leads_to_ideas(ideas):
    app = visit("rate")
    assert "no idea to rate yet" in said(app)
    assert any("ideas" in link.page for link in links(app))


def test_nothing_is_chosen_until_a_person_chooses(three):
    app = visit("rate", ideas=three[0], by="Ana")
    assert all(one.value in (None, []) for one in app.get("button_group"))
    assert "0 of 5 chosen" in said(app)


def test_an_empty_sheet_and_a_nameless_one_are_refused(ideas, three):
    app = visit("rate", ideas=three[0])
    settled(app.button(key=f"rate:submit:{three[0]}").click().run())
    assert "Write your name" in said(app)
    app = visit("rate", ideas=three[0])
    app.text_input(key="rate:name").set_value("Ana")
    settled(app.button(key=f"rate:submit:{three[0]}").click().run())
    assert "Nothing is chosen yet" in said(app)
    assert ideas.ratings(three) == []


def test_what_was_chosen_before_there_was_a_name_is_kept_under_it(three):
    app = visit("rate", ideas=three[0])
    choose(app, three[0], 7)
    assert "0 of 5 chosen" not in said(app)
    assert scale(app, three[0]).value == 7
    settled(app.text_input(key="rate:name").set_value("Ana").run())
    assert scale(app, three[0]).value == 7
    assert "1 of 5 chosen" in said(app)
    assert scale(visit("rate", ideas=three[0], by="Ana"), three[0]).value == 7


def test_a_partial_sheet_is_kept_and_a_second_one_added(ideas, three):
    app = visit("rate", ideas=three[0])
    settled(app.text_input(key="rate:name").set_value("Ana").run())
    for score in (7, 4):
        choose(app, three[0], score)
        settled(app.button(key=f"rate:submit:{three[0]}").click().run())
    assert [(one.rating.score, one.rating.rater) for one in ideas.ratings(three)] == [
        (7, "Ana"),
        (4, "Ana"),
    ]
    assert "0 of 5 chosen" in said(app)


def test_what_was_chosen_is_there_after_a_reload_and_in_another_window(ideas, three):
    where = {"ideas": three[0], "by": "Ana"}
    first = visit("rate", **where)
    assert first.text_input(key="rate:name").value == "Ana"
    choose(first, three[0], 7)
    second = visit("rate", **where)
    assert scale(second, three[0]).value == 7
    choose(second, three[0], 5, "Clarity")
    settled(first.run())
    assert scale(first, three[0], "Clarity").value == 5, "two windows fill in one sheet"
    assert ideas.ratings(three) == [], "nothing counts before it is handed in"
    settled(first.button(key=f"rate:submit:{three[0]}").click().run())
    assert {(one.rating.criterion, one.rating.score) for one in ideas.ratings(three)} == {
        ("Novelty", 7),
        ("Clarity", 5),
    }
    assert scale(visit("rate", **where), three[0]).value is None


def test_a_criterion_of_ones_own_that_has_a_choice_is_there_after_a_reload(ideas, three):
    ideas.draft_rating("Ana", three[0], "Fun", 3)
    app = visit("rate", ideas=three[0], by="Ana")
    assert scale(app, three[0], "Fun").value == 3
    assert "1 of 6 chosen" in said(app)


def test_a_choice_is_one_persons_and_can_be_taken_back(ideas, three):
    ideas.draft_rating("Ana", three[0], "Novelty", 7)
    ideas.draft_rating("Bo", three[0], "Novelty", 2)
    app = visit("rate", ideas=three[0], by="Bo")
    assert scale(app, three[0]).value == 2
    settled(scale(app, three[0]).set_value(None).run())
    assert ideas.drafted_ratings("Bo", three[0]) == {}
    assert ideas.drafted_ratings("Ana", three[0]) == {"Novelty": 7}
    settled(app.text_input(key="rate:name").set_value("").run())
    assert app.text_input(key="rate:name").value == "", "the address does not bring it back"


def test_ideas_that_left_the_shelf_are_named_and_left_out(three):
    app = visit("rate", ideas=f"{three[0]},gone")
    assert "1 of the picked ideas are no longer here" in said(app)
    assert "Naps" in said(app)


def test_an_order_is_built_by_buttons_kept_and_handed_in(ideas, three):
    app = visit("rate", ideas=",".join(three), **{"rate:tab": "Rank"})
    app.text_input(key="rate:name").set_value("Ana")
    for one in three:
        settled(app.button(key=f"rate:Place:{one}").click().run())
    settled(app.button(key=f"rate:Up:{three[2]}").click().run())
    settled(app.button(key=f"rate:Tie with the place above:{three[1]}").click().run())
    assert app.session_state["rate:order"][1] == f"{three[0]},{three[2]}~{three[1]}"
    assert "order" not in app.query_params, "each step would be a page to go back through"
    settled(app.button(key="rate:rank").click().run())
    ((ranking, _),) = ideas.rankings()
    assert (ranking.groups, ranking.rater, ranking.criterion) == (
        ((three[0],), (three[2], three[1])),
        "Ana",
        "Overall",
    )
    assert app.session_state["rate:tab"] == "Summary"
    assert "Your ranking is kept" in said(app)
    assert app.dataframe[0].value["Mean place"].tolist() == [
        "1.00 (n=1)",
        "2.50 (n=1)",
        "2.50 (n=1)",
    ]


def test_an_order_in_the_address_is_where_one_begins(three):
    there = f"{three[1]},{three[0]}"
    app = visit("rate", ideas=",".join(three), order=there, **{"rate:tab": "Rank"})
    assert "Not ranked yet (1)" in said(app)
    settled(app.button(key=f"rate:Up:{three[0]}").click().run())
    assert app.session_state["rate:order"][1] == f"{three[0]},{three[1]}"


def test_all_kept_ideas_or_a_collection_are_picked_at_once(ideas, three):
    stored = services.store()
    stored.entries.add(tuple((one, one.method) for one in entries(stored, ("A",), ("naps",))))
    app = settled(visit("rate").button(key="rate:all:0").click().run())
    assert set(app.query_params["ideas"].split(",")) == set(three)
    app = settled(visit("rate").button(key="rate:all:1").click().run())
    picked = app.query_params["ideas"].split(",")
    assert picked
    assert not set(picked) & set(three)


def test_of_many_collections_the_older_ones_are_picked_from_a_list(ideas, three):
    stored = services.store()
    for n in range(12):
        made = entries(stored, (f"A{n}",), ("naps",))
        there = (one.model_copy(update={"collection": f"Set {n:02}"}) for one in made)
        stored.entries.add(tuple((one, one.method) for one in there))
    app = visit("rate")
    assert len([one for one in app.button if str(one.key).startswith("rate:all:")]) == 1 + 8
    older = app.selectbox(key="rate:older")
    assert len(older.options) == 4
    app = settled(older.set_value(older.options[-1]).run())
    assert app.query_params["ideas"]
    assert not set(app.query_params["ideas"].split(",")) & set(three)


def test_what_was_rated_and_ranked_is_listed_without_picking_it_again(ideas, three):
    ideas.rate((rating(three[0], 3), rating(three[1], 4), rating(three[0], 5)))
    ideas.rank(Ranking(groups=((three[2],), (three[0],)), criterion="Clarity", rater="Bo"))
    app = visit("rate")
    shown = said(app)
    assert "**Ana** rated 2 ideas, 3 ratings" in shown
    assert f"**Bo** ranked 2 ideas, Clarity · best: {TEXTS[2]}" in shown
    settled(app.button(key="rate:earlier:0").click().run())
    assert app.query_params["ideas"] == f"{three[2]},{three[0]}"
    assert app.session_state["rate:tab"] == "Summary"
    assert "1.00 (n=1)" in str(app.dataframe[0].value)


def test_the_raters_name_is_the_one_given_elsewhere(three):
    app = visit("rate", ideas=three[0])
    app.session_state["person:name"] = "Ana"
    settled(app.run())
    assert app.text_input(key="rate:name").value == "Ana"


def test_a_ranking_of_one_is_refused(ideas, three):
    app = visit("rate", ideas=",".join(three), order=three[0], **{"rate:tab": "Rank"})
    app.text_input(key="rate:name").set_value("Ana")
    settled(app.button(key="rate:rank").click().run())
    assert "at least two" in said(app)
    assert ideas.rankings() == []


@pytest.mark.parametrize(
    ("text", "move", "to"),
    [
        ("a,b,c", lambda o: order.moved(o, "c", -1), "a,c,b"),
        ("a,b,c", lambda o: order.moved(o, "a", -1), "a,b,c"),
        ("a~b,c", lambda o: order.moved(o, "b", -1), "b,a,c"),
        ("a~b,c", lambda o: order.moved(o, "a", 1), "b,a,c"),
        ("a,b,c", lambda o: order.tied(o, "b"), "a~b,c"),
        ("a,b~c", lambda o: order.tied(o, "c"), "a~c,b"),
        ("a~b,c", lambda o: order.without(o, "a"), "b,c"),
        ("a,b", lambda o: order.placed(o, "c"), "a,b,c"),
        ("a,zzz,a,b~b", lambda o: o, "a,b"),
    ],
)
def test_moves_in_an_order(text, move, to):
    assert order.written(move(order.read(text, ("a", "b", "c")))) == to


def test_the_latest_word_of_each_rater_counts():
    mark = opinions.marks(given(rating("x", 2), rating("x", 8), rating("x", 4, "Bo")))[
        "x", "Novelty"
    ]
    assert (sorted(mark.scores), mark.mean) == ([4, 8], 6)
    assert mark.half == pytest.approx(12.71 * 2.828427 / 2**0.5, rel=1e-4)


def test_one_rating_has_no_interval():
    assert opinions.marks(given(rating("x", 2)))["x", "Novelty"].half is None
    alike = opinions.marks(given(rating("x", 7), rating("x", 7, "Bo")))
    assert alike["x", "Novelty"] == ((7, 7), 7, None), "nor do two that are alike"


def test_tied_ideas_share_the_mean_of_their_places():
    newest = Ranking(groups=(("a",), ("b", "c")), criterion="Overall", rater="Ana")
    older = Ranking(groups=(("c",), ("a",)), criterion="Overall", rater="Ana")
    other = Ranking(groups=(("b",), ("zzz",), ("a",)), criterion="Overall", rater="Bo")
    places = opinions.places([(newest, ""), (older, ""), (other, "")], ("a", "b", "c"), "Overall")
    assert places == {"a": ((1.0, 3), (2.0, 2)), "b": ((2.5, 3), (1.0, 2)), "c": ((2.5, 3),)}


def test_the_csv_holds_everything_and_no_formula():
    text = opinions.table(
        given(rating("x", 2, "=SUM(A1)"), rating("x", 9, "=SUM(A1)")),
        [(Ranking(groups=(("x",), ("y",)), criterion="@w", rater="+b"), "t")],
        {"x": "-title", "y": "fine"},
    )
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["value"] for row in rows if row["kind"] == "rating"] == ["2", "9"]
    assert [(row["idea"], row["value"]) for row in rows if row["kind"] == "place"] == [
        ("x", "1"),
        ("y", "2"),
    ]
    assert not [
        cell for row in rows for cell in row.values() if cell.startswith(("=", "+", "-", "@"))
    ]


def test_the_summary_draws_every_rating_with_its_n(ideas, three):
    ideas.rate((rating(three[0], 3), rating(three[0], 9, "Bo")))
    app = visit("rate", ideas=",".join(three), **{"rate:tab": "Summary"})
    assert len(app.get("plotly_chart")) == 1
    titles = dict(zip(three, TEXTS, strict=True))
    drawn = figure(opinions.marks(ideas.ratings(three)), titles, ["Novelty"])
    means, single = drawn.data
    assert list(single.x) == [3, 9]
    assert (list(means.x), list(means.text)) == ([6], ["n=2"])
    assert drawn.layout.xaxis.title.text == "Rating, 1 to 10"
    assert (
        table(opinions.marks(ideas.ratings(three)), {}, titles, ["Novelty"])[0]["Novelty"]
        == "6.00 (n=2)"
    )


def test_the_summary_stands_in_the_order_of_the_places(three):
    titles = dict(zip(three, TEXTS, strict=True))
    places = {
        three[1]: (RankedPlace(2.0, 3), RankedPlace(3.0, 3)),
        three[2]: (RankedPlace(1.0, 3),),
    }
    rows = table({}, places, titles, [])
    assert [row["Idea"] for row in rows] == [TEXTS[2], TEXTS[1], TEXTS[0]]
    assert [row["Mean place"] for row in rows] == ["1.00 (n=1)", "2.50 (n=2)", ""]


def test_places_among_different_numbers_of_ideas_are_told_by_how_far_down_they_are(three):
    titles = dict(zip(three, TEXTS, strict=True))
    last = (RankedPlace(2.0, 2), RankedPlace(6.0, 6), RankedPlace(2.0, 2))
    places = {three[0]: last, three[1]: (RankedPlace(5.0, 6),), three[2]: (RankedPlace(1.0, 2),)}
    rows = table({}, places, titles, [])
    assert [row["Idea"] for row in rows] == [TEXTS[2], TEXTS[1], TEXTS[0]], "last in all is last"
    assert [row["Mean place (0: first, 1: last)"] for row in rows] == [
        "0.00 (n=1)",
        "0.80 (n=1)",
        "1.00 (n=3)",
    ]


def test_a_summary_of_nothing_says_so(three):
    assert "Nobody has rated" in said(
        visit("rate", ideas=",".join(three), **{"rate:tab": "Summary"})
    )


def test_after_a_rating_the_next_unrated_idea_is_open(ideas, three):
    app = visit("rate", ideas=",".join(three))
    settled(app.text_input(key="rate:name").set_value("Ana").run())
    choose(app, three[0], 7)
    settled(app.button(key=f"rate:submit:{three[0]}").click().run())
    assert app.session_state["rate:at"] == "2"
    assert "2 ideas left" in said(app)
    choose(app, three[1], 4)
    settled(app.button(key=f"rate:submit:{three[1]}").click().run())
    assert app.session_state["rate:at"] == "3"


def test_ideas_can_be_read_where_they_are_ranked(ideas, three):
    app = visit("rate", ideas=",".join(three), **{"rate:tab": "Rank"})
    assert all(text in said(app) for text in TEXTS)


def test_a_number_is_kept_under_the_name_in_the_box(ideas, three):
    app = visit("rate", ideas=three[0], by="Ana")
    choose(app, three[0], 3)
    app.text_input(key="rate:name").set_value("Ben")
    choose(app, three[0], 9)
    assert ideas.drafted_ratings("Ana", three[0]) == {"Novelty": 3}
    assert ideas.drafted_ratings("Ben", three[0]) == {"Novelty": 9}


def test_what_is_handed_in_is_what_this_window_shows(ideas, three):
    one, other = (visit("rate", ideas=three[0], by="Ana") for _ in range(2))
    choose(one, three[0], 7)
    choose(other, three[0], 2)
    choose(other, three[0], 4, "Clarity")
    settled(one.button(key=f"rate:submit:{three[0]}").click().run())
    kept = [(rated.rating.criterion, rated.rating.score) for rated in ideas.ratings(three)]
    assert kept == [("Novelty", 7)]
    assert ideas.drafted_ratings("Ana", three[0]) == {"Clarity": 4}, "not seen here, not handed in"


def test_a_sheet_that_was_another_s_as_it_was_handed_in_is_not_kept(ideas, three):
    ideas.draft_rating("Ben", three[0], "Novelty", 2)
    app = visit("rate", ideas=three[0], by="Ana")
    choose(app, three[0], 3)
    app.text_input(key="rate:name").set_value("Ben")
    settled(app.button(key=f"rate:submit:{three[0]}").click().run())
    assert ideas.ratings(three) == []
    assert "This sheet changed as you submitted it" in said(app)
    assert scale(app, three[0]).value == 2
    settled(app.button(key=f"rate:submit:{three[0]}").click().run())
    assert [(one.rating.rater, one.rating.score) for one in ideas.ratings(three)] == [("Ben", 2)]
