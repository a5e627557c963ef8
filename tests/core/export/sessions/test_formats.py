"""Answers of a session as other programs read them: with labels, missing values that say so, text
that stays text, and nothing of the key.
"""

import io
import json
import os
import tempfile
import zipfile
from xml.etree import ElementTree

import openpyxl
import pandas as pd
import pyreadstat
import pytest

from core.errors import BadInput, attempt
from core.export.sessions import folder, wide
from core.export.sessions.formats import LONGEST_CELL, as_workbook
from core.export.writing import UNDATED
from core.records import RateAnswer, SkipAnswer
from core.store import Store
from core.store.studies.work import ListedUnit
from core.studies import organising, sitting
from tests.support.sessions import studies_kit as kit

FORMULA = '=HYPERLINK("http://evil.example";"x")'


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path)


def answered(store, task="rate", **over):
    """Return a closed session: the second expert skips the first unit; the first flags theirs, with
    words that a spreadsheet would run, and cannot judge their second.
    """
    if task == "rate":
        over.setdefault("criteria", kit.OWN)
    held = kit.opened(store, task, experts=2, texts=4, repeats=0, **over)
    for n in range(2):
        here = held.at_work(n)
        for place, one in enumerate(sitting.listed(store, here)):
            shown = sitting.show(store, here, one.unit, one.time)
            answer = kit.an_answer(here, shown, score=5 + n)
            if task == "rate" and n == 0 and place == 0:
                answer = kit.rating(here.criteria, 5, flag=FORMULA, note="+1")
            if task == "rate" and n == 0 and place == 1:
                scores = answer.scores | {"novelty": None}
                answer = kit.rating(here.criteria, 5, scores=scores, reasons={})
            if n == 1 and place == 0:
                answer = SkipAnswer(reason="I wrote it.")
            kit.say(store, here, shown, answer)
    organising.close(store, held.study.id)
    return held


def sav(content, path):
    path.write_bytes(content)
    return pyreadstat.read_sav(path, user_missing=True)


def test_spss_has_labels_of_variables_and_values_measures_and_missing_values(store, tmp_path):
    held = answered(store)
    content = folder.in_format(store, held.study.id, "sav")
    table, meta = sav(content, tmp_path / "a.sav")
    labels = meta.column_names_to_labels
    assert labels["novelty"] == "novelty: How much novelty it has."
    assert labels["novelty_reason"] == "novelty: the reason given"
    values = meta.variable_value_labels
    assert values["novelty"] == {
        1: "None.",
        4: "Some.",
        7: "All there can be.",
        -9: "cannot judge",
        -8: "skipped",
    }
    assert values["ethics"][1] == "yes: It is fine."
    assert values["kind"] == {1: "expert", 2: "model judge"}
    assert [meta.variable_measure[name] for name in ("novelty", "worth", "ethics", "wishes")] == [
        "ordinal",
        "scale",
        "nominal",
        "nominal",
    ]
    ranges = {one["lo"] for one in meta.missing_ranges["novelty"]}
    assert ranges == {-9, -8}
    assert sorted(table["novelty"].value_counts()[[-9.0, -8.0]]) == [1, 1]
    # As an analyst opens it: missing values are missing, and figures are those of answers.
    plain, _ = pyreadstat.read_sav(tmp_path / "a.sav")
    work = plain[(plain["attention"] == 0) & (plain["counts"] == 1)]
    assert work["novelty"].tolist().count(5) + work["novelty"].tolist().count(6) == len(
        work["novelty"].dropna()
    )
    assert set(work["wishes"]) == {"5 things.", "6 things."}
    assert plain[plain["skipped"] != ""]["skipped"].tolist() == ["I wrote it."]
    assert plain[plain["skipped"] != ""]["counts"].tolist() == [0]
    assert plain["flagged"].tolist().count(FORMULA) == 1


@pytest.mark.parametrize(
    ("task", "column", "values"),
    [
        ("rank", "place", None),
        ("compare", "novelty", {-2: "other much better", 2: "much better"}),
        ("comment", "change", {1: "worse", 2: "same", 3: "better"}),
    ],
)
def test_spss_of_every_task_names_its_values(store, tmp_path, task, column, values):
    held = answered(store, task)
    table, meta = sav(folder.in_format(store, held.study.id, "sav"), tmp_path / "a.sav")
    assert column in table
    if values:
        assert values.items() <= meta.variable_value_labels[column].items()
    if task == "compare":
        assert set(table["side"]) <= {"left", "right", ""}
        # Each said that the text on the left is much better; which text stood there is chance.
        winners, losers = (table[table["novelty"] == score]["side"] for score in (2, -2))
        assert set(winners) <= {"left"}
        assert set(losers) <= {"right"}
        assert len(winners) + len(losers) == len(table) - list(table["side"]).count("")


def test_no_sign_that_an_expert_can_send_keeps_a_session_from_its_files(store):
    held = kit.opened(store, experts=2, texts=2, repeats=0, criteria=kit.OWN)
    here = held.at_work()
    for one in sitting.listed(store, here):
        odd = "A good idea.\0\x1b\ufffe\uffff\U0001ffff\x7f\x85\ufdd0"
        answer = kit.rating(here.criteria, 5, note=odd, flag=odd)
        kit.say(store, here, sitting.show(store, here, one.unit), answer)
    organising.close(store, held.study.id)
    made = folder.formats(store, held.study.id)
    book = pd.read_excel(io.BytesIO(made["answers.xlsx"]), sheet_name=None)
    assert any("A good idea." in sheet.to_csv() for sheet in book.values())
    assert "A good idea." in folder.files(store, held.study.id)["answers.csv"]


def test_one_long_answer_does_not_make_every_row_of_the_spss_file_long(store, tmp_path):
    held = kit.opened(store, experts=2, texts=12, repeats=0, criteria=kit.OWN)
    longest = "\U0001d54f" * 3_999
    for n in range(2):
        here = held.at_work(n)
        for place, one in enumerate(sitting.listed(store, here)):
            note = "" if n or place else longest
            answer = kit.rating(here.criteria, 5, note=note)
            kit.say(store, here, sitting.show(store, here, one.unit), answer)
    organising.close(store, held.study.id)
    content = folder.in_format(store, held.study.id, "sav")
    table, _ = sav(content, tmp_path / "a.sav")
    assert sorted(table["note"])[-1] == longest
    assert len(table) > 20
    assert len(content) < 0.5 * len(table) * len(longest.encode())


def test_a_workbook_has_the_tables_and_no_formula(store):
    held = answered(store)
    content = folder.in_format(store, held.study.id, "xlsx")
    book = openpyxl.load_workbook(io.BytesIO(content))
    assert book.sheetnames[:3] == ["wide", "variables", "answers"]
    kinds = {cell.data_type for page in book for row in page.iter_rows() for cell in row}
    assert "f" not in kinds
    dangerous = [
        cell
        for page in book
        for row in page.iter_rows()
        for cell in row
        if cell.value in (FORMULA, "+1")
    ]
    assert len(dangerous) >= 4, "as they were written, in wide and in answers"
    assert all(cell.data_type == "s" and cell.quotePrefix for cell in dangerous)
    wide = pd.read_excel(io.BytesIO(content), sheet_name="wide")
    answers = pd.read_excel(io.BytesIO(content), sheet_name="answers")
    rated = answers[(answers["criterion"] == "novelty") & (answers["counts"] == "yes")]
    assert rated["value"].mean() == wide[wide["counts"] == 1]["novelty"].mean()
    variables = pd.read_excel(io.BytesIO(content), sheet_name="variables").set_index("variable")
    assert variables.loc["novelty", "values"] == "1 = None.; 4 = Some.; 7 = All there can be."


LINES = (
    ("A good idea.", 5, 0.25, True, None),
    (FORMULA, "+1", "-1", "\tindented", "＝1"),
    ("=", " @x", "'=1", "", " kept  spaces\n"),
    ("#N/A", "#DIV/0!", "# heading", "1", "<b>&amp;</b>"),
    ("odd \x00\ud800", "x" * (LONGEST_CELL + 9), "TRUE", -3, 1e300),
    (),
    ("short",),
)
HEADS = ("a", "=b", "c" * 20, "d" * 99, "")


def two_sheets():
    return as_workbook(
        {
            "first": (iter(HEADS), (iter(line) for line in LINES)),
            "=second": (iter(["label"]), iter(())),
        }
    )


def test_a_workbook_that_is_read_back_has_every_cell_with_its_kind_and_its_look():
    book = openpyxl.load_workbook(io.BytesIO(two_sheets()))
    assert book.sheetnames == ["first", "=second"]
    page = book["first"]
    head, *lines = page.iter_rows()
    assert [cell.value or "" for cell in head] == list(HEADS)
    assert all(cell.font.bold for cell in head)
    assert [cell.quotePrefix for cell in head] == [False, True, False, False, False]
    said = [[cell.value for cell in line] for line in lines]
    assert said[:2] == [list(LINES[0]), list(LINES[1])]
    assert said[2] == ["=", " @x", "'=1", None, " kept  spaces\n"]
    assert said[3] == list(LINES[3])
    assert said[4] == ["odd \ufffd\ufffd", "x" * LONGEST_CELL, "TRUE", -3, 1e300]
    assert said[5:] == [[None] * 5, ["short", *[None] * 4]]
    assert [cell.data_type for cell in lines[0]] == ["s", "n", "n", "b", "n"]
    texts = [cell for line in lines[1:] for cell in line if isinstance(cell.value, str)]
    assert {cell.data_type for cell in texts} == {"s"}
    quoted = {cell.value for cell in texts if cell.quotePrefix}
    assert quoted == {*LINES[1], "=", " @x"}
    assert not any(cell.font.bold for line in lines for cell in line)
    widths = [page.column_dimensions[letter].width for letter in "ABCDE"]
    assert widths == [10, 10, 22, 60, 10]
    assert {one.freeze_panes for one in book} == {"A2"}
    assert [cell.value for cell in book["=second"][1]] == ["label"]


def test_a_workbook_is_the_same_whenever_it_is_made():
    once = two_sheets()
    assert two_sheets() == once
    with zipfile.ZipFile(io.BytesIO(once)) as packed:
        assert {one.date_time for one in packed.infolist()} == {UNDATED}
        assert packed.read("docProps/core.xml").count(b">1980-01-01T00:00:00Z<") == 2


def test_a_workbook_whose_lines_fail_leaves_no_file_behind(tmp_path, monkeypatch):
    def failing():
        yield ("a",)
        raise BadInput("It was removed.")

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    before = len(os.listdir(tmp_path))
    with pytest.raises(BadInput, match="removed"):
        as_workbook({"first": (["a"], [["b"]]), "second": (["a"], failing())})
    assert len(os.listdir(tmp_path)) == before
    as_workbook({"first": (["a"], [["b"]])})
    assert len(os.listdir(tmp_path)) == before


def test_label_studio_tasks_fit_their_configuration_and_the_long_table(store):
    held = answered(store)
    files = archive(folder.in_format(store, held.study.id, "label-studio"))
    tasks = json.loads(files["label-studio/tasks.json"])
    config = ElementTree.fromstring(files["label-studio/config.xml"])
    controls = {one.get("name"): one.tag for one in config.iter() if one.get("toName")}
    assert controls["novelty"] == "Number"
    assert controls["ethics"] == "Choices"
    assert controls["wishes"] == "TextArea"
    kinds = {"number": "Number", "choices": "Choices", "textarea": "TextArea"}
    results = [result for task in tasks for one in task["annotations"] for result in one["result"]]
    assert all(controls[one["from_name"]] == kinds[one["type"]] for one in results)
    assert (
        {one["to_name"] for one in results}
        == {"text"}
        == {one.get("name") for one in config.iter("Text")}
    )
    annotations = [one for task in tasks for one in task["annotations"]]
    assert sum(one["was_cancelled"] for one in annotations) == 1
    assert {one["completed_by"] for one in annotations} == {1, 2}
    long = pd.read_csv(io.StringIO(files["label-studio/long.csv"]))
    assert len(long) == len(annotations)
    numbers = [one["value"]["number"] for one in results if one["from_name"] == "novelty"]
    assert long["novelty"].dropna().tolist() == numbers
    assert long["skipped"].dropna().tolist() == ["I wrote it."]


def test_argilla_records_answer_the_questions_of_their_settings(store):
    held = answered(store)
    files = archive(folder.in_format(store, held.study.id, "argilla"))
    settings = json.loads(files["argilla/settings.json"])
    records = json.loads(files["argilla/records.json"])
    questions = {one["name"]: one["settings"] for one in settings["questions"]}
    assert questions["novelty"]["type"] == "rating"
    assert len(questions["worth"]["options"]) == 101
    assert questions["worth"]["type"] == "label_selection", "ratings of Argilla end at 10"
    assert len(records) == 4
    for record in records:
        for name, given in record["responses"].items():
            allowed = [one["value"] for one in questions[name].get("options", [])]
            for one in given:
                assert not allowed or one["value"] in allowed
    assert {one["value"] for record in records for one in record["responses"]["ethics"]} == {"yes"}


def archive(content):
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        return {name: packed.read(name).decode() for name in packed.namelist()}


def test_formats_say_nothing_of_sources_and_the_key_is_a_workbook_of_its_own(store):
    held = answered(store)
    made = folder.formats(store, held.study.id)
    for name, content in made.items():
        whole = content.encode() if isinstance(content, str) else content
        if name.endswith(".xlsx"):
            with zipfile.ZipFile(io.BytesIO(whole)) as packed:
                whole = b"".join(map(packed.read, packed.namelist()))
        for secret in (*kit.METHODS, kit.MODEL, "run-secret", "Title "):
            assert secret.encode() not in whole, (name, secret)
    assert "key.xlsx" not in made
    with pytest.raises(BadInput, match="hidden"):
        folder.formats(store, held.study.id, key=True)
    organising.unblind(store, held.study.id, "Ada")
    opened = folder.formats(store, held.study.id, key=True)
    key = pd.read_excel(io.BytesIO(opened["key.xlsx"]))
    assert set(key["method"].dropna()) == set(kit.METHODS)
    assert opened["answers.xlsx"] == folder.formats(store, held.study.id)["answers.xlsx"]


def test_the_same_answers_make_the_same_files(store):
    held = answered(store)
    for chosen in folder.FORMATS:
        once = folder.in_format(store, held.study.id, chosen)
        assert once == folder.in_format(store, held.study.id, chosen)


def test_an_organisers_tool_for_ratings_is_refused_to_other_tasks(store):
    held = answered(store, "rank")
    with pytest.raises(BadInput, match="takes ratings"):
        folder.in_format(store, held.study.id, "argilla")


def test_answers_of_who_withdrew_are_in_no_format(store, tmp_path):
    held = answered(store)
    gone = held.seats[0].id
    store.seats.move(gone, "withdrawn")
    table, _ = sav(folder.in_format(store, held.study.id, "sav"), tmp_path / "a.sav")
    assert gone not in set(table["seat"])
    tasks = json.loads(
        archive(folder.in_format(store, held.study.id, "label-studio"))["label-studio/tasks.json"]
    )
    assert {one["completed_by"] for task in tasks for one in task["annotations"]} == {2}
    assert ListedUnit(gone, "u001") not in store.study_work.skipped(held.study.id)


def taken_while_removed(store, study, take, at: int) -> bool:
    """Remove a session at a read of it, check that it is said to be gone, and put it back; return
    whether so many reads were made.
    """
    reads = 0

    def removing(read):
        def counted(sql, *values):
            nonlocal reads
            reads += 1
            if reads == at:
                store.studies.remove(study)
            return read(sql, *values)

        return counted

    here = store.connections
    with here.writing() as connection, pytest.MonkeyPatch.context() as patch:
        patch.setattr(here, "tuples", removing(here.tuples))
        patch.setattr(here, "rows", removing(here.rows))
        taken = attempt((BadInput,), take, store, study)
        connection.rollback()
    gone = isinstance(taken, BadInput)
    assert not gone or str(taken).startswith(f"There is no session {study!r} here. It was removed")
    assert gone is (reads >= at)
    return gone


@pytest.mark.parametrize(
    "take",
    [
        lambda store, study: folder.in_format(store, study, "label-studio"),
        lambda store, study: folder.in_format(store, study, "argilla"),
        lambda store, study: folder.files(store, study, key=True),
        folder.key_files,
    ],
)
def test_a_session_removed_while_it_is_taken_is_said_to_be_gone(store, take):
    held = answered(store)
    organising.unblind(store, held.study.id, "Ada")
    at = 1
    while taken_while_removed(store, held.study.id, take, at):
        at += 1
    assert at > 5


@pytest.mark.parametrize(
    ("criteria", "variables"),
    [
        (
            (kit.criterion("Novelty reason"), kit.criterion("Novelty")),
            {"novelty_reason": 7, "novelty": 7},
        ),
        (
            (kit.criterion("Novelty", reason="optional"), kit.criterion("Novelty reason")),
            {"novelty": 7, "novelty_reason": "since naps", "novelty_reason_2": 7},
        ),
        (
            (kit.criterion("Novelty reason"), kit.criterion("Novelty", reason="optional")),
            {"novelty_reason": 7, "novelty_2": 7, "novelty_2_reason": "since naps"},
        ),
    ],
)
def test_a_criterion_that_is_called_as_anothers_reason_keeps_its_answers(criteria, variables):
    plan = kit.plan(criteria=criteria)
    said = RateAnswer(
        scores={one.name: 7 for one in criteria},
        reasons={one.name: "since naps" for one in criteria if one.reason != "off"},
    )
    asked = [one.name for one in wide._asked(plan)]
    assert sorted(asked) == sorted(variables)
    assert wide._rated(plan, wide._names(plan), said) == variables
