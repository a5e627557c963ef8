"""Tables of reviews: read by criterion or not at all, never as raters that nobody named; sources
compared as published studies compare them.
"""

import csv
import io

import numpy as np
import pytest
from scipy import stats

from core.agreement.contrasts import contrasts
from core.agreement.designs import Score
from core.errors import MappingNeeded
from core.importing.analysis import of_scores
from core.importing.rating_guess import guess_layout
from core.importing.rating_names import beside, head_names
from core.importing.ratings import opened, take_ratings
from core.statistics.mixed import fitted
from tests.support.arena_kit import arena_shop
from tests.support.headless import cli, server
from tests.support.visiting import host, said, settled, visit

__all__ = ["cli", "server"]
SCORED = (
    "novelty_score",
    "excitement_score",
    "feasibility_score",
    "effectiveness_score",
    "overall_score",
)
HEAD = (
    "idea_id",
    "condition",
    "topic",
    "name",
    "novelty_score",
    "novelty_rationale",
    *SCORED[1:],
    "confidence_score",
    "familiarity",
    "time_spent_mins",
)
SHIFT = {"Human": 0.0, "AI": 1.6, "AI_Rerank": 1.8}
"""By how many points a condition is above the first in novelty."""


def reviews(ideas=60, each=3, reviewers=20, seed=4):
    """Return reviews as public tables have them: an idea under one condition, some reviews of it,
    every reviewer a few ideas.
    """
    dice, rows = np.random.default_rng(seed), []
    strict = dice.normal(0, 0.8, reviewers)
    for n in range(ideas):
        condition, topic = list(SHIFT)[n % 3], ("Bias", "Coding", "Math", "Safety")[n // 3 % 4]
        for who in dice.choice(reviewers, each, replace=False):
            novelty = round(
                float(np.clip(5 + SHIFT[condition] + strict[who] + dice.normal(0, 1.2), 1, 10))
            )
            others = [
                round(float(np.clip(5.5 + strict[who] + dice.normal(0, 1.3), 1, 10)))
                for _ in SCORED[1:]
            ]
            rows.append(
                [
                    f"{topic}_{n}_{condition}",
                    condition,
                    topic,
                    f"Reviewer {who}",
                    novelty,
                    "It is new, mostly; see [3].",
                    *others,
                    int(dice.integers(1, 6)),
                    int(dice.integers(1, 6)),
                    int(dice.integers(5, 90)),
                ]
            )
    return rows


def written(rows, head=HEAD, without=(), comma=","):
    kept = [n for n, name in enumerate(head) if name not in without]
    out = io.StringIO()
    csv.writer(out, delimiter=comma).writerows(
        [head[n] for n in kept] if row is None else [row[n] for n in kept] for row in (None, *rows)
    )
    return out.getvalue()


@pytest.fixture
def table(tmp_path):
    def write(text, name="reviews.csv"):
        (tmp_path / name).write_text(text, newline="")
        return str(tmp_path / name)

    return write


# -- nobody knows who reviewed -----------------------------------------------------------------


def test_reviews_without_reviewers_are_read_by_criterion(cli, table):
    rows = reviews()
    code, document, _ = cli("agreement", table(written(rows, without=("name",))))
    file = document["file"]
    assert (code, file["holds"], file["refused"]) == (0, "reviews", [])
    assert "no column names the rater, so that each row is one review" in file["read_as"]
    assert file["layout"]["heads"] == "criteria"
    assert (tuple(file["layout"]["scores"]), file["layout"]["rater"]) == (SCORED, "")
    assert file["unused"] == [
        "novelty_rationale",
        "confidence_score",
        "familiarity",
        "time_spent_mins",
    ]
    assert {one["about"].split(",")[0] for one in document["statistics"]} == set(SCORED)
    assert not any(one["raters"] for one in document["statistics"])
    mean = next(
        one
        for one in document["statistics"]
        if one["name"] == "mean score" and one["about"] == "novelty_score"
    )
    assert (mean["value"], mean["n"], mean["unit"]) == (
        pytest.approx(np.mean([row[4] for row in rows])),
        len(rows),
        "reviews",
    )
    assert any("cannot be told without" in one for one in document["analysis"]["warnings"])


def test_the_agreement_of_reviews_is_that_of_whoever_wrote_them(table):
    rows = reviews()
    known, unknown = (
        opened("r.csv", written(rows, without=gone).encode()) for gone in ((), ("name",))
    )
    mine, theirs = (of_scores(take_ratings(one, guess_layout(one))) for one in (unknown, known))
    alphas = [
        {
            one.about.split(",")[0]: one.value
            for one in found.statistics
            if one.name == "Krippendorff's alpha (interval)"
        }
        for found in (mine, theirs)
    ]
    assert alphas[0] == pytest.approx(alphas[1])


@pytest.mark.parametrize("comma", [",", ";", "\t"])
def test_a_table_from_a_spreadsheet_is_read_alike(table, comma):
    rows = [[str(cell).replace(".0", "") for cell in row] for row in reviews(12)]
    for row in rows[:3]:
        row[4] = "6,5"
    rows[5][4] = ""
    text = ("sep=;\n" if comma == ";" else "") + written(
        rows, without=("name",), comma=comma
    ).replace("\n", "\r\n").replace("\r\r", "\r")
    sheet = opened("r.csv", b"\xef\xbb\xbf" + text.encode())
    found = take_ratings(sheet, guess_layout(sheet))
    assert (found.layout.reviews, found.empty, found.refused) == (True, 1, ())
    assert [one.score for one in found.scores if one.criterion == "novelty_score"][:3] == [6.5] * 3


# -- where nothing is plain, somebody is asked -------------------------------------------------


@pytest.mark.parametrize(
    "head",
    [
        "Ada,Bo,Cleo",
        "A1,A2,A3",
        "gpt-5,claude,gemini",
        "depth,wit,nerve",
        "novelty reviewer1,novelty reviewer2,clarity reviewer1",
    ],
)
def test_heads_that_may_be_raters_or_criteria_are_asked_for(cli, table, head):
    rows = [(f"i{n}", n % 5 + 1, n % 3 + 2, n % 7 + 1) for n in range(12)]
    file = table("\n".join(",".join(map(str, row)) for row in [("idea", *head.split(",")), *rows]))
    code, document, _ = cli("agreement", file)
    assert (code, document["state"]) == (2, "refused")
    assert "statistics" not in document
    for part in (
        "nothing says whether they are criteria or raters",
        "Nothing was computed",
        "--map WHAT=COLUMN",
        "--heads raters",
    ):
        assert part in document["reason"], part
    as_raters = [word for column in head.split(",") for word in ("--map", f"raters={column}")]
    code, document, _ = cli("agreement", file, *as_raters, "--no-models")
    assert (code, document["file"]["holds"], document["analysis"]["experts"]) == (
        0,
        "ratings",
        sorted(head.split(",")),
    )
    as_criteria = [word for column in head.split(",") for word in ("--map", f"criteria={column}")]
    code, document, _ = cli("agreement", file, *as_criteria)
    assert (code, document["file"]["holds"], document["file"]["layout"]["scores"]) == (
        0,
        "reviews",
        head.split(","),
    )


@pytest.mark.parametrize(
    ("head", "heads"),
    [
        ("rater A,rater B", "raters"),
        ("expert1,expert2", "raters"),
        ("Reviewer_1_score,Reviewer_2_score", "raters"),
        ("E1,E2", "raters"),
        ("Expert1,Expert2,gpt-4o", "raters"),
        ("novelty,clarity", "criteria"),
        ("Novelty (1-10),Overall rating", "criteria"),
        ("novelty,wit", "criteria"),
    ],
)
def test_heads_that_say_what_they_are_are_read(table, head, heads):
    sheet = opened(
        "r.csv", "\n".join([f"idea,{head}", *(f"i{n},{n},{n + 1}" for n in range(1, 4))]).encode()
    )
    assert guess_layout(sheet).heads == heads


def test_where_most_rows_would_be_refused_nothing_is_computed(cli, table):
    rows = [
        f"i{n},Ada,{aspect},{n % 5 + k}"
        for n in range(12)
        for k, aspect in enumerate(("new", "clear", "sound"))
    ]
    file = table("\n".join(("idea,rater,part,score", *rows)))
    code, document, _ = cli("agreement", file)
    assert code == 2
    assert (
        "Of 36 rows in reviews.csv, 36 would be refused" in document["reason"]
        or "No score in reviews.csv can be used" in document["reason"]
    )
    assert "--map WHAT=COLUMN" in document["reason"]
    code, document, _ = cli("agreement", file, "--map", "criterion=part")
    assert (
        code,
        document["file"]["refused"],
        list(document["analysis"]["agreement"]["criteria"]),
    ) == (0, [], ["new", "clear", "sound"])


def test_a_column_of_scores_that_holds_words_is_named_with_one_of_them(cli, table):
    rows = [f"i{n},r{k},{5 if n < 4 else 'high'}" for n in range(15) for k in range(3)]
    code, document, _ = cli("agreement", table("\n".join(("item,rater,score", *rows))))
    assert code == 2
    assert (
        "'score' of reviews.csv is no column of scores: 33 of 45 cells are no numbers, such as"
        " 'high'." in document["reason"]
    )


def test_of_ideas_with_one_review_each_there_is_no_agreement_to_measure(cli, table):
    rows = [f"i{n},{n % 5 + 1},{n % 7 + 1}" for n in range(20)]
    code, document, _ = cli("agreement", table("\n".join(("id,originality,clarity", *rows))))
    assert (code, document["file"]["counts"]) == (0, "20 ideas, 20 reviews; 40 scores from 1 to 7.")
    found = [one["refused"] for one in document["statistics"] if "alpha" in one["name"]]
    assert (
        found == ["Each of 20 ideas has one review, so that there is no agreement to measure."] * 4
    )


def test_a_formula_names_the_intercepts_that_are_fitted():
    some = [
        Score(f"i{n}", f"r{n}", "ab"[n % 2], f"t{n // 2 % 3}", float(n * n % 7)) for n in range(24)
    ]
    assert {one.formula for one in contrasts({"novelty": some}) if one.formula} == {
        "score ~ source + (1 | topic)"
    }
    known = [one._replace(rater=f"r{n % 6}", topic="") for n, one in enumerate(some)]
    assert {one.formula for one in contrasts({"novelty": known}) if one.formula} == {
        "score ~ source + (1 | reviewer)"
    }


def test_a_map_that_says_nothing_is_a_sentence(cli, table):
    file = table(written(reviews(9)))
    assert (
        "WHAT is one of idea, rater"
        in cli("agreement", file, "--map", "colour=novelty_score")[1]["reason"]
    )
    assert "has no column 'nowhere'" in cli("agreement", file, "--map", "idea=nowhere")[1]["reason"]


@pytest.mark.parametrize(
    "name",
    [
        "confidence_score",
        "Reviewer confidence (1-5)",
        "familiarity",
        "time_spent_mins",
        "Time (minutes)",
        "response id",
        "Total",
    ],
)
def test_what_is_said_of_the_reviewer_or_the_review_is_no_criterion(name):
    assert beside(name)


@pytest.mark.parametrize(
    ("name", "names"),
    [
        ("timeliness", ""),
        ("novelty_score", "criterion"),
        ("Rater 3", "rater"),
        ("ada", ""),
        ("reviewer2_novelty", ""),
    ],
)
def test_what_the_name_of_a_column_names(name, names):
    assert head_names(name) == names
    assert not beside(name)


# -- sources -----------------------------------------------------------------------------------


def contrast(document, criterion, one, other, test):
    return next(
        each
        for each in document["contrasts"]
        if (each["criterion"], each["one"], each["other"], f"{each['test']}, {each['unit']}")
        == (criterion, one, other, test)
    )


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    """Return reviews of a known contrast and what the verb says of them."""
    import contextlib
    import json

    from core.__main__ import main

    rows, folder, out = reviews(), tmp_path_factory.mktemp("published"), io.StringIO()
    (folder / "reviews.csv").write_text(written(rows), newline="")
    with contextlib.redirect_stdout(out):
        assert (
            main(["agreement", str(folder / "reviews.csv"), "--json", "--data", str(folder)]) == 0
        )
    return rows, json.loads(out.getvalue())


def test_a_source_column_and_reviewers_called_name_are_used_and_the_rest_is_named(published):
    file = published[1]["file"]
    assert {file["layout"][name] for name in ("source",)} == {"condition"}
    assert (file["layout"]["rater"], file["layout"]["topic"]) == ("name", "topic")
    assert file["unused"] == [
        "novelty_rationale",
        "confidence_score",
        "familiarity",
        "time_spent_mins",
    ]


def test_the_contrast_of_reviews_is_found_by_every_test_and_no_other(published):
    for other in ("AI", "AI_Rerank"):
        for test in (
            "Welch's t-test, review",
            "Welch's t-test, idea",
            "paired t-test, reviewer",
            "mixed model, review",
        ):
            found = contrast(published[1], "novelty_score", other, "Human", test)
            assert found["difference"] > 0.4, test
            assert found["corrected"] < 0.05, test
            assert found["n"][0] > 0
            assert (
                contrast(published[1], "feasibility_score", other, "Human", test)["corrected"]
                > 0.05
            ), test
    assert (
        contrast(published[1], "novelty_score", "AI", "Human", "mixed model, review")["formula"]
        == "score ~ source + (1 | reviewer) + (1 | topic) + (1 | idea)"
    )
    assert published[1]["tables"]["contrasts"]["rows"]


def test_tests_per_review_idea_and_reviewer_are_those_of_scipy(published):
    rows, document = published
    of = {name: [row for row in rows if row[1] == name] for name in SHIFT}

    def means(some, at):
        held = {}
        for row in some:
            held.setdefault(row[at], []).append(row[4])
        return {name: np.mean(scores) for name, scores in held.items()}

    welch = stats.ttest_ind(
        [row[4] for row in of["AI"]], [row[4] for row in of["Human"]], equal_var=False
    )
    found = contrast(document, "novelty_score", "AI", "Human", "Welch's t-test, review")
    assert (found["t"], found["p"], found["df"]) == (
        pytest.approx(welch.statistic),
        pytest.approx(welch.pvalue),
        pytest.approx(welch.df),
    )
    assert (found["low"], found["high"]) == pytest.approx(tuple(welch.confidence_interval()))
    ideas = stats.ttest_ind(
        *(list(means(of[name], 0).values()) for name in ("AI", "Human")), equal_var=False
    )
    found = contrast(document, "novelty_score", "AI", "Human", "Welch's t-test, idea")
    assert (found["t"], found["p"], found["n"]) == (
        pytest.approx(ideas.statistic),
        pytest.approx(ideas.pvalue),
        [20, 20],
    )
    mine, theirs = (means(of[name], 3) for name in ("AI", "Human"))
    both = sorted(mine.keys() & theirs.keys())
    paired = stats.ttest_1samp([mine[who] - theirs[who] for who in both], 0)
    found = contrast(document, "novelty_score", "AI", "Human", "paired t-test, reviewer")
    assert (found["t"], found["p"], found["n"]) == (
        pytest.approx(paired.statistic),
        pytest.approx(paired.pvalue),
        [len(both)] * 2,
    )


def test_holms_correction_is_for_the_pairs_of_sources_of_one_criterion(published):
    some = [
        one
        for one in published[1]["contrasts"]
        if (one["criterion"], one["unit"]) == ("overall_score", "idea") and one["t"] is not None
    ]
    ranked = sorted(some, key=lambda one: one["p"])
    assert len(some) == 3
    assert ranked[0]["corrected"] == pytest.approx(min(1.0, 3 * ranked[0]["p"]))


def test_without_reviewers_sources_are_compared_by_review_and_idea(cli, table):
    _, document, _ = cli("agreement", table(written(reviews(), without=("name",))))
    assert {one["unit"] for one in document["contrasts"]} == {"review", "idea", "topic"}
    assert {one["formula"] for one in document["contrasts"]} == {
        "",
        "score ~ source + (1 | topic) + (1 | idea)",
    }


def test_a_review_listed_under_two_sources_counts_once_but_with_both(cli, table):
    rows = reviews()
    twice = [
        [*row[:1], "AI_Rerank", *row[2:]]
        for row in rows
        if row[1] == "AI" and row[0].split("_")[1] in ("1", "4", "7")
    ]
    assert len(twice) == 9
    _, once, _ = cli("agreement", table(written(rows), "once.csv"))
    code, document, _ = cli("agreement", table(written([*rows, *twice])))
    assert (code, document["file"]["refused"], document["file"]["scores"]) == (
        0,
        [],
        once["file"]["scores"],
    )
    by = [
        {
            (one["name"], one["about"]): one["value"]
            for one in each["statistics"]
            if "alpha" in one["name"]
        }
        for each in (once, document)
    ]
    assert by[0] == by[1]
    found = [
        contrast(each, "novelty_score", "AI", "AI_Rerank", "Welch's t-test, review")["n"]
        for each in (once, document)
    ]
    assert found == [[60, 60], [60, 69]]
    assert any(
        "9 reviews stand under several sources" in one for one in document["analysis"]["warnings"]
    )


def test_ideas_that_are_numbered_anew_for_each_source_are_not_merged(cli, table):
    rows = [
        (n, source, f"r{k}", 1 + (3 * n + k + len(source)) % 9)
        for source in ("human", "model")
        for n in range(12)
        for k in range(3)
    ]
    file = table(
        "\n".join(
            ",".join(map(str, row)) for row in [("idea", "source", "rater", "novelty"), *rows]
        )
    )
    code, document, _ = cli("agreement", file)
    assert code == 2
    assert (
        "12 of 12 ideas in reviews.csv stand under several names in 'source'" in document["reason"]
        or "would be refused" in document["reason"]
    )
    code, document, _ = cli("agreement", file, "--map", "within=source")
    assert (code, document["analysis"]["ideas"], document["file"]["refused"]) == (0, 24, [])
    assert [(one["unit"], one["test"]) for one in document["contrasts"]] == [
        ("review", "Welch's t-test"),
        ("review", "Mann-Whitney test"),
        ("idea", "Welch's t-test"),
        ("idea", "Mann-Whitney test"),
        ("reviewer", "paired t-test"),
        ("reviewer", "Wilcoxon signed-rank test"),
        ("review", "mixed model"),
    ]


def test_a_source_that_is_another_for_every_idea_is_named_as_not_used(cli, table):
    rows = [(f"i{n}", f"run-7/{n}", who, n % 9 + 1) for n in range(12) for who in ("Ada", "Bo")]
    _, document, _ = cli(
        "agreement",
        table(
            "\n".join(
                ",".join(map(str, row)) for row in [("idea", "source", "rater", "score"), *rows]
            )
        ),
    )
    assert (document["file"]["unused"], document["contrasts"]) == (["source"], [])


def test_what_a_column_of_sources_is_can_be_said(cli, table):
    file = table(written(reviews()))
    assert cli("agreement", file, "--source", "")[1]["contrasts"] == []
    code, document, _ = cli("agreement", file, "--map", "source=topic", "--map", "topic=")
    assert (
        code,
        {one["one"] for one in document["contrasts"]}
        | {one["other"] for one in document["contrasts"]},
    ) == (0, {"Bias", "Coding", "Math", "Safety"})


def test_too_little_for_a_test_says_why():
    some = [
        Score("i1", "r1", "a", "", 3.0),
        Score("i2", "r2", "b", "", 4.0),
        Score("i3", "r1", "b", "", 4.0),
    ]
    found = {one.test + one.unit: one for one in contrasts({"novelty": some})}
    assert (
        found["Welch's t-testreview"].refused
        == "Each source needs 2 reviews or more; there are 1 and 2."
    )
    assert found["paired t-testreviewer"].refused.startswith(
        "A paired test needs 2 reviewers who reviewed both; there is 1"
    )
    assert all(one.p is None and one.statistic.refused for one in found.values())


# -- the mixed model ---------------------------------------------------------------------------


def test_of_paired_reviews_the_mixed_model_is_the_paired_test():
    dice = np.random.default_rng(3)
    who = dice.normal(0, 1.2, 14)
    one, other = 5.9 + who + dice.normal(size=14), 5 + who + dice.normal(size=14)
    found = fitted([*one, *other], [0] * 14 + [1] * 14, [[*range(14)] * 2])
    paired = stats.ttest_rel(one, other)
    assert (found.differences[0, 1].t, found.differences[0, 1].p) == (
        pytest.approx(paired.statistic, rel=1e-5),
        pytest.approx(paired.pvalue, rel=1e-5),
    )
    assert found.differences[0, 1].df == pytest.approx(13, abs=0.01)


def test_of_crossed_reviews_the_fit_is_where_the_restricted_likelihood_is_greatest():
    dice = np.random.default_rng(8)
    source, who, topic = (
        dice.integers(0, 2, 120),
        dice.integers(0, 12, 120),
        dice.integers(0, 5, 120),
    )
    y = (
        5
        + 0.7 * source
        + dice.normal(0, 1, 12)[who]
        + dice.normal(0, 0.8, 5)[topic]
        + dice.normal(0, 1.1, 120)
    )
    found = fitted(y.tolist(), source.tolist(), [who.tolist(), topic.tolist()])
    x, zs = np.eye(2)[source], (np.eye(12)[who], np.eye(5)[topic])

    def deviance(spread):
        v = sum(s * s * z @ z.T for s, z in zip(spread[:2], zs, strict=True)) + spread[
            2
        ] ** 2 * np.eye(120)
        inverse = np.linalg.inv(v)
        fixed = np.linalg.inv(x.T @ inverse @ x)
        left = y - x @ (fixed @ x.T @ inverse @ y)
        return (
            np.linalg.slogdet(v)[1] - np.linalg.slogdet(fixed)[1] + left @ inverse @ left,
            fixed,
            fixed @ x.T @ inverse @ y,
        )

    best = np.array([*found.spread, found.sigma])
    least, fixed, beta = deviance(best)
    assert all(
        deviance(best * (1 + step))[0] >= least - 1e-7
        for n in range(3)
        for step in (0.03 * np.eye(3)[n], -0.03 * np.eye(3)[n])
    )
    assert found.differences[0, 1].value == pytest.approx(beta[0] - beta[1], rel=1e-5)
    assert found.differences[0, 1].error == pytest.approx(
        float(np.array([-1, 1]) @ fixed @ np.array([-1, 1])) ** 0.5, rel=1e-5
    )


def test_what_cannot_be_fitted_is_none():
    assert fitted([3.0, 3.0, 3.0, 3.0], [0, 1, 0, 1], [[0, 0, 1, 1]]) is None
    assert fitted([3.0, 4.0], [0, 1], [[0, 1]]) is None


# -- on screen ---------------------------------------------------------------------------------


@pytest.fixture
def page(tmp_path, monkeypatch):
    runner, _ = arena_shop(tmp_path, judges=("scripted:one", "builtin"))
    host(monkeypatch, runner)

    def uploaded(text):
        app = visit("sessions", view="file")
        app.file_uploader(key="study:file").set_value(("reviews.csv", text.encode(), "text/csv"))
        return settled(app.run())

    return uploaded


def key_of(app, name):
    return next(
        one.key
        for kind in (app.selectbox, app.multiselect)
        for one in kind
        if one.key and one.key.endswith(f":{name}")
    )


def test_on_screen_the_mapping_is_asked_for_and_the_file_stays(page):
    app = page(
        "\n".join(
            ("idea,Ada,Bo,Cleo", *(f"i{n},{n % 5 + 1},{n % 3 + 2},{n % 7 + 1}" for n in range(12)))
        )
    )
    assert "nothing says whether they are criteria or raters" in said(app)
    assert not app.error
    assert not app.table
    assert app.selectbox(key=key_of(app, "item")).value == "idea"
    assert app.multiselect(key=key_of(app, "scores")).value == ["Ada", "Bo", "Cleo"]
    assert app.selectbox(key=key_of(app, "heads")).value is None
    settled(app.selectbox(key=key_of(app, "heads")).set_value("raters").run())
    assert "12 ideas, 3 experts" in said(app)
    assert app.table
    settled(app.selectbox(key=key_of(app, "heads")).set_value("criteria").run())
    assert "12 ideas, 12 reviews" in said(app)


def test_on_screen_a_file_that_would_mostly_be_refused_is_asked_about(page):
    rows = [
        f"i{n},Ada,{aspect},{n % 5 + k}"
        for n in range(12)
        for k, aspect in enumerate(("new", "clear", "sound"))
    ]
    app = page("\n".join(("idea,rater,part,score", *rows)))
    assert "Nothing was computed" in said(app)
    assert not app.table
    settled(app.selectbox(key=key_of(app, "criterion")).set_value("part").run())
    assert "12 ideas, 1 expert" in said(app)


def test_on_screen_reviews_show_their_contrasts_and_what_is_not_used(page):
    app = page(written(reviews(), without=("name",)))
    assert not app.error
    page_said = said(app)
    assert "60 ideas, 180 reviews" in page_said
    assert "confidence_score" in page_said.replace("\\", "")
    tests = app.table[0].value
    assert "AI less Human" in list(tests["Sources"])
    assert any("mixed model" in one for one in tests["Test"])
    assert "Sources compared" in app.selectbox(key="study:file:table").options


def test_asking_is_a_refusal_with_its_own_name():
    sheet = opened("r.csv", b"idea,Ada,Bo\ni1,3,4\n")
    with pytest.raises(MappingNeeded):
        guess_layout(sheet)
