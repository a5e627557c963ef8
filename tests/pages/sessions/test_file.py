"""The organiser's screen of ratings from a file: the same figures as a session's."""

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
