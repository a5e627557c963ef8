"""The organiser's screen of ratings from a file: the same figures as a session's."""

from components.sessions import columns
from core.importing.ratings import take_ratings
from tests.support.visiting import said, settled, shown, visit

PDE = "tests/data/pde_ratings.csv"


def uploaded(app, name: str, data: bytes):
    app.file_uploader(key="study:file").set_value((name, data, "text/csv"))
    return settled(app.run())


def test_published_ratings_give_the_published_figures(store):
    with open(PDE, "rb") as file:
        app = uploaded(visit("sessions", view="file"), "pde_ratings.csv", file.read())
    assert not app.error
    table = app.table[0].value.set_index("Figure")
    icc = next(name for name in table.index if "ICC(C,k)" in name.replace("\\", ""))
    assert table.loc[icc, "Value"] == "0.823"
    assert "0.0001" in "".join(table["p"]).replace("\\", "")


def test_reviews_by_nobody_knows_whom_are_compared_by_condition_in_one_go(store):
    rows = [
        f"{source}{n},{source},t{n % 4},{(3 * n + k + 2 * (source == 'AI')) % 9 + 1},{n % 7 + 2}"
        for source in ("AI", "Human")
        for n in range(12)
        for k in range(2)
    ]
    data = "\n".join(("idea_id,condition,topic,novelty,feasibility", *rows))
    app = uploaded(visit("sessions", view="file"), "reviews.csv", data.encode())
    assert not app.error
    page = shown(app)
    assert "Nobody knows which reviews have the same reviewer" in page
    assert "reviewer): nobody knows who wrote a review" in page.replace("\\", "")
    tests = app.table[0].value
    assert next(iter(tests["n"])).replace("\N{NO-BREAK SPACE}", " ") == "24 and 24 reviews"
    key = next(one.key for one in app.segmented_control if (one.key or "").endswith(":correction"))
    settled(app.segmented_control(key=key).set_value("Bonferroni").run())
    assert "p, Bonferroni" in app.table[0].value.columns


def test_a_file_says_row_by_row_what_was_not_taken(store):
    rows = [f"i{n},{who},novelty,{n % 9 + 1}" for n in range(12) for who in ("ann", "bob", "gpt-4")]
    data = "\n".join(("idea,rater,criterion,score", *rows, "i1,ann,clarity,much"))
    app = uploaded(visit("sessions", view="file"), "mine.csv", data.encode())
    assert "12 ideas, 2 experts, 1 model (as said: gpt-4); 36 scores" in said(app)
    assert "'much' is not a number" in shown(app)
    assert app.multiselect[-1].value == ["gpt-4"]
    app.multiselect[-1].set_value([])
    settled(app.run())
    assert "3 experts, 0 models" in said(app)


def test_a_file_that_holds_no_ratings_is_a_sentence_in_its_place(store):
    app = uploaded(visit("sessions", view="file"), "none.csv", b"")
    assert app.error
    app = uploaded(visit("sessions", view="file"), "odd.csv", b"a,b\nx,y\n")
    assert "Say below what the columns stand for" in said(app)


def counted_takes(monkeypatch):
    calls = []
    monkeypatch.setattr(
        columns, "take_ratings", lambda *args: calls.append(args[1:]) or take_ratings(*args)
    )
    return calls


def rated_by(*raters):
    rows = [f"i{n},{who},novelty,{n % 9 + 1}" for n in range(12) for who in raters]
    return "\n".join(("idea,rater,criterion,score", *rows)).encode()


def test_ratings_are_taken_once_for_each_file_and_way_to_read_it(store, monkeypatch):
    calls = counted_takes(monkeypatch)
    app = uploaded(visit("sessions", view="file"), "mine.csv", rated_by("ann", "bob", "gpt-4"))
    assert "2 experts, 1 model" in said(app)
    assert len(calls) == 1
    app.multiselect[-1].set_value([])
    settled(app.run())
    assert "3 experts, 0 models" in said(app)
    assert len(calls) == 1
    for label, end in (("Lowest score", 1), ("Highest score", 9)):
        next(one for one in app.number_input if one.label == label).set_value(end)
    settled(app.run())
    assert [one[2] for one in calls] == [None, (1, 9)]
    # Another file of as many rows and the same columns is not taken for this one.
    app = uploaded(app, "mine.csv", rated_by("cem", "dana", "eve"))
    assert [one[2] for one in calls[2:]] == [None, (1, 9)]
    assert app.multiselect[-1].options == ["cem", "dana", "eve"]


def test_why_too_many_scores_are_not_read_stays_and_is_not_found_anew(store, monkeypatch):
    monkeypatch.setattr("core.importing.ratings.MOST_SCORES", 35, raising=False)
    calls = counted_takes(monkeypatch)
    app = uploaded(visit("sessions", view="file"), "mine.csv", rated_by("ann", "bob", "eve"))
    for _ in range(2):
        assert "has 36 cells of scores, 1 in each of 36 rows; 35 are read" in app.error[0].value
        settled(app.run())
    assert len(calls) == 1
