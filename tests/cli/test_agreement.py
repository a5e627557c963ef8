"""Agreement from the command line: the public figures from the public file, in one document and in
words, and a sentence for what cannot be read.
"""

import csv
import io
import json
import zipfile

import numpy as np
import pytest

from core.__main__ import main
from tests import DATA
from tests.support.headless import cli, server

__all__ = ["cli", "server"]
PDE = DATA / "pde_ratings.csv"
STANDING = ("winning rate", "advantage", "prediction-powered")
"""Figures of whether a judge may stand in, which these few ideas do not say."""
EXPERTS = [f"expert{n}" for n in range(1, 7)]


@pytest.fixture(scope="module")
def pde(tmp_path_factory):
    """Return the document of the public file, made once."""
    import contextlib

    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert (
            main(["agreement", str(PDE), "--json", "--data", str(tmp_path_factory.mktemp("data"))])
            == 0
        )
    return json.loads(out.getvalue())


def figure(document, criterion, name, about=""):
    (found,) = [
        one
        for one in document["statistics"]
        if one["name"] == name and one["about"].startswith(criterion) and about in one["about"]
    ]
    return found


# -- the published figures ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("criterion", "r", "p", "consistent", "absolute", "alpha"),
    [
        ("originality", 0.820, 3.0e-6, 0.823, 0.766, 0.324),
        ("feasibility", 0.572, 0.0054, 0.453, 0.396, 0.067),
        ("clarity", 0.420, 0.0518, 0.782, 0.637, 0.167),
    ],
)
def test_the_public_file_gives_the_published_figures_under_their_right_names(
    pde, criterion, r, p, consistent, absolute, alpha
):
    against = figure(pde, criterion, "Pearson's r", "llm against the expert mean")
    assert round(against["value"], 3) == r
    assert against["p"] == pytest.approx(p, rel=0.02)
    assert round(figure(pde, criterion, "ICC(C,k)")["value"], 3) == consistent
    assert round(figure(pde, criterion, "ICC(A,k)")["value"], 3) == absolute
    assert (
        round(figure(pde, criterion, "Krippendorff's alpha (interval)", "experts only")["value"], 3)
        == alpha
    )
    assert (
        'LiveIdeaBench prints this consistency form as "ICC(A,k)"'
        in figure(pde, criterion, "ICC(C,k)")["label"]
    )
    assert all(
        one["low"] is not None and one["n"] == 22 and one["reading"]
        for one in pde["statistics"]
        if one["about"].startswith(criterion) and not one["name"].startswith(STANDING)
    )


def test_what_is_not_significant_is_said_so(pde):
    assert (
        "not significant at 0.05 (p = 0.0518)"
        in figure(pde, "clarity", "Pearson's r", "llm")["reading"]
    )
    assert [one for one in pde["analysis"]["warnings"] if "not significant" in one] == [
        "clarity: the correlation of llm with the experts' mean is not significant at 0.05 (p ="
        " 0.0518)."
    ]


def test_the_human_ceiling_stands_beside_the_model(pde):
    assert 0 < figure(pde, "originality", "human ceiling (Pearson's r)")["value"] < 1
    rows = pde["tables"]["models"]["rows"]
    assert [row[1]["text"] for row in rows] == ["one expert (human ceiling)", "llm"] * 3


def test_the_document_says_how_the_file_was_read_and_who_is_a_model(pde):
    assert (pde["state"], pde["run"], pde["file"]["models"], pde["file"]["scores"]) == (
        "analysed",
        None,
        ["llm"],
        462,
    )
    assert "a column of scores for each criterion" in pde["file"]["read_as"]
    assert (pde["analysis"]["experts"], pde["analysis"]["ideas"]) == (EXPERTS, 22)
    assert {
        "agreement",
        "models",
        "together",
        "ceiling",
        "severity",
        "raters",
        "ideas",
        "statistics",
        "standing-in",
        "pairs-clarity",
    } == {
        name for name in pde["tables"] if not name.startswith("pairs-") or name == "pairs-clarity"
    }
    assert [row[0]["text"] for row in pde["tables"]["ideas"]["rows"]][:3] == ["1", "2", "3"], (
        "in the order of numbers, not of letters"
    )


# -- in words ----------------------------------------------------------------------------------


def test_without_json_it_is_read_by_a_person(capsys, tmp_path):
    assert main(["agreement", str(PDE), "--data", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "22 ideas, 6 experts, 1 model (guessed by name: llm); 462 scores from 1 to 10." in out
    for said in (
        "ICC(C,k)         0.823 [",
        "0.453 [",
        "0.782 [",
        "one expert (human ceiling)",
        "Severity of the experts",
        "Mind\n- clarity: ",
        "p = 0.0518",
    ):
        assert said in out, said
    with pytest.raises(ValueError, match="Expecting"):
        json.loads(out)


def test_cells_that_were_not_taken_are_named(capsys, tmp_path):
    file = tmp_path / "r.csv"
    file.write_text(PDE.read_text().replace("\n1,expert1,3,8,10", "\n1,expert1,three,8,99"))
    assert main(["agreement", str(file), "--scale", "1-10", "--data", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert (
        "Not taken: 2\n- line 3 (1, expert1, clarity): 99 is out of scale, which runs from 1 to"
        " 10.\n- line 3 (1, expert1, orig" in out
    )
    assert "originality: 1 of 22 ideas were not rated by every expert." in out


def test_a_model_that_left_ideas_out_takes_none_from_the_experts(cli, tmp_path):
    file = tmp_path / "r.csv"
    file.write_text(
        "".join(
            line
            for line in PDE.read_text().splitlines(keepends=True)
            if not line.startswith(("1,llm", "2,llm"))
        )
    )
    _, document, _ = cli("agreement", str(file))
    assert not any("not rated by every expert" in one for one in document["analysis"]["warnings"])
    assert round(figure(document, "clarity", "ICC(C,k)")["value"], 3) == 0.782
    assert (
        figure(document, "clarity", "ICC(C,k)")["n"],
        figure(document, "clarity", "Pearson's r", "llm")["n"],
    ) == (22, 20)


# -- files, columns, tables --------------------------------------------------------------------


def wide(tmp_path, ideas=12, raters=("rater Ada", "rater Bo", "rater Cleo")):
    rng, file = np.random.default_rng(5), tmp_path / "wide.csv"
    quality = rng.normal(size=ideas)
    rows = [
        [f"idea {n}", *(round(5 + 2 * quality[n] + rng.normal(), 2) for _ in raters)]
        for n in range(ideas)
    ]
    file.write_text("\n".join(";".join(map(str, row)) for row in [["Proposal", *raters], *rows]))
    return file


def test_a_wide_file_of_any_scale_with_no_model_in_it(cli, tmp_path):
    code, document, _ = cli("agreement", str(wide(tmp_path)))
    assert (code, document["file"]["layout"]["heads"], document["analysis"]["models"]) == (
        0,
        "raters",
        [],
    )
    assert document["tables"].keys() & {"models", "together"} == set()
    assert any(
        "No rater is taken for a model judge" in one for one in document["analysis"]["warnings"]
    )


def test_who_is_a_model_is_as_said(cli, tmp_path):
    told = (str(wide(tmp_path, raters=("Claude", "Bo", "Cleo", "Dan"))), "--heads", "raters")
    assert cli("agreement", *told)[1]["analysis"]["models"] == ["Claude"]
    assert cli("agreement", *told, "--no-models")[1]["analysis"]["models"] == []
    assert cli("agreement", *told, "--model-rater", "Dan", "--model-rater", "Bo")[1]["analysis"][
        "models"
    ] == ["Bo", "Dan"]
    assert cli("agreement", *told, "--model-rater", "Eve")[0] == 2
    assert cli("agreement", *told, "--model-rater", "Dan", "--no-models")[0] == 2


def test_columns_can_be_named(cli, tmp_path):
    file = tmp_path / "odd.csv"
    rows = [(f"t{n}", who, n % 7 + k, 1) for n in range(11) for k, who in enumerate("abc")]
    file.write_text(
        "\n".join(",".join(map(str, row)) for row in [("thing", "jury", "verdict", "noise"), *rows])
    )
    code, document, _ = cli(
        "agreement", str(file), "--item", "thing", "--rater", "jury", "--score", "verdict"
    )
    assert (
        code,
        document["analysis"]["experts"],
        list(document["analysis"]["agreement"]["criteria"]),
    ) == (0, ["a", "b", "c"], ["verdict"])
    assert figure(document, "verdict", "ICC(C,k)")["value"] == 1.0, (
        "each is severe by as much on every idea"
    )
    code, document, _ = cli("agreement", str(file), "--rater", "nobody")
    assert (code, document["reason"]) == (
        2,
        "odd.csv has no column 'nobody'. It has thing, jury, verdict, noise.",
    )


def test_too_little_is_refused_figure_by_figure_with_the_reason(cli, tmp_path):
    code, document, _ = cli("agreement", str(wide(tmp_path, ideas=4)))
    assert code == 0
    assert all(
        one["value"] is None and one["refused"]
        for one in document["statistics"]
        if one["name"].startswith(("ICC", "Kripp", "human"))
    )
    assert (
        "only 4 ideas with scores of experts; figures need 10"
        in document["analysis"]["warnings"][0]
    )


def test_repeats_of_a_file_give_self_agreement(cli, tmp_path):
    file = tmp_path / "again.csv"
    rows = [
        (f"i{n}", who, time, 1 + (n * (k + 2)) % 9 + (time == 2 and n == 3))
        for n in range(12)
        for k, who in enumerate("abc")
        for time in (1, 2)
    ]
    file.write_text(
        "\n".join(",".join(map(str, row)) for row in [("idea", "rater", "time", "score"), *rows])
    )
    _, document, _ = cli("agreement", str(file))
    assert (document["file"]["repeats"], document["file"]["scores"]) == (36, 36)
    assert document["analysis"]["repeats"]["same"]["value"] == pytest.approx(33 / 36)
    assert document["tables"]["repeats"]["rows"][0][0]["mean"] == 36


@pytest.mark.parametrize(
    ("name", "holds"), [("a.csv", "ICC(A,1)"), ("a.md", "ICC(A,1)"), ("a.tex", "ICC(A,1)")]
)
def test_a_table_is_written_to_a_file(cli, tmp_path, name, holds):
    assert cli("agreement", str(wide(tmp_path)), "--to", str(tmp_path / name))[0] == 0
    assert holds in (tmp_path / name).read_text()


def test_all_tables_are_packed(cli, tmp_path):
    cli("agreement", str(PDE), "--to", str(tmp_path / "all.zip"))
    with zipfile.ZipFile(tmp_path / "all.zip") as packed:
        assert {"agreement.csv", "models.tex", "severity.md", "statistics.csv"} <= set(
            packed.namelist()
        )
        rows = list(csv.DictReader(io.StringIO(packed.read("agreement.csv").decode())))
    assert [round(float(row["ICC(C,k)"]), 3) for row in rows] == [0.823, 0.453, 0.782]
    assert all(float(row["ICC(C,k) (95 % low)"]) < float(row["ICC(C,k)"]) for row in rows)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nowhere.csv"], "nowhere.csv cannot be read"),
        (["{pdf}"], "is a PDF"),
        (["{empty}"], "is empty"),
        ([str(PDE), "--scale", "ten"], "as in 1-10"),
        ([str(PDE), "--to", "x.doc"], "must end in .csv, .tex, .md, or in .zip"),
        ([str(PDE), "--to", "x.csv", "--table", "nope"], "There is no table 'nope'"),
        ([str(PDE), "--heads", "raters"], "the rater is named by a column and by"),
    ],
)
def test_what_cannot_be_read_or_written_is_a_sentence_and_exit_code_2(cli, tmp_path, words, said):
    (tmp_path / "a.pdf").write_bytes(b"%PDF-1.7 ...")
    (tmp_path / "empty.csv").write_bytes(b"")
    given = [word.format(pdf=tmp_path / "a.pdf", empty=tmp_path / "empty.csv") for word in words]
    code, document, err = cli("agreement", *given)
    assert (code, document["state"]) == (2, "refused")
    assert said in document["reason"]
    assert said in err
