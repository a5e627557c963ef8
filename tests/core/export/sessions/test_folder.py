"""A session taken along: answers and key apart, every column explained, figures that come out
again, a hash that can be computed anew.
"""

import csv
import hashlib
import io
import json
import zipfile
from pathlib import Path

import openpyxl
import pandas as pd
import pytest

from core.agreement.sheet import agreement_sheet
from core.errors import BadInput
from core.export.sessions import rows as study_rows
from core.export.sessions.folder import (
    archive,
    export,
    files,
    formats,
    key_archive,
    key_files,
)
from core.importing.ratings import read
from core.records import (
    Afterwards,
    CommentAnswer,
    CompareAnswer,
    Entry,
    Preference,
    RankAnswer,
    RateAnswer,
    SourceGrouping,
    SpanRemark,
)
from core.store import Store
from core.store.entries import entry_id
from core.studies import organising, sitting
from core.studies.analysis import analysed
from core.studies.grouping import regroup
from tests.support.headless import cli, server
from tests.support.sessions import studies_kit as kit

__all__ = ["cli", "server"]
SECRETS = (*kit.METHODS, kit.MODEL, "run-secret", "Title ")
NAMES = ("Expert 1", "Expert 2", "Expert 3", "An Organiser")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "data")


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def lines(text: str) -> list[dict]:
    return [json.loads(one) for one in text.splitlines()]


def varied(here, shown):
    n = int(shown.unit.id[1:])
    if here.task != "rate":
        return kit.an_answer(here, shown)
    own = int(hashlib.sha256(here.seat.encode()).hexdigest()[0], 16) % 3
    return RateAnswer(
        scores={"novelty": 1 + (n + own) % 9, "clarity": None if n == 2 else 10 - n % 7},
        note="=1+1" if n == 1 else "",
    )


def worked(store: Store, task="rate", experts: int = 3, texts: int = 12, **over) -> kit.Held:
    made = kit.opened(store, task, experts, texts, **over)
    for n in range(experts):
        here = made.at_work(n)
        kit.work_through(store, here, varied)
        kit.finished(store, here)
    return made


def unblinded(store: Store, made: kit.Held) -> None:
    organising.close(store, made.study.id)
    organising.unblind(store, made.study.id, "An Organiser")


# -- answers and key ---------------------------------------------------------------------------


@pytest.mark.parametrize("task", ["rate", "rank", "compare", "comment"])
def test_no_file_but_the_key_says_where_a_text_comes_from_or_who_sat_where(store, task):
    made = worked(store, task, hidden_target=task == "rank")
    with pytest.raises(BadInput, match="hidden until the session is closed"):
        files(store, made.study.id, key=True)
    with pytest.raises(BadInput, match="hidden until the session is closed"):
        key_files(store, made.study.id)
    unblinded(store, made)
    held = files(store, made.study.id)
    assert not any(name.startswith("key.") for name in held)
    assert [
        (name, word) for name, text in held.items() for word in (*SECRETS, *NAMES) if word in text
    ] == []
    assert any(
        kit.METHODS[0] in text
        for name, text in files(store, made.study.id, key=True).items()
        if name.startswith("figures/by-source")
    )


def test_the_key_is_in_files_of_its_own(store):
    made = worked(store)
    unblinded(store, made)
    held = key_files(store, made.study.id)
    assert set(held) == {"key.csv", "key.jsonl", "configuration.json"}
    assert {row["label"]: row["method"] for row in rows(held["key.csv"])}["A1"] == kit.METHODS[0]
    assert next(one for one in lines(held["key.jsonl"]) if one.get("unit"))["expected"][
        "scores"
    ] == {"novelty": 1, "clarity": 1}
    assert zipfile.ZipFile(io.BytesIO(key_archive(store, made.study.id))).namelist() == [
        "key.csv",
        "key.jsonl",
        "configuration.json",
    ]
    without = zipfile.ZipFile(io.BytesIO(archive(store, made.study.id))).namelist()
    assert "answers.csv" in without
    assert not any("key" in name or "by-source" in name for name in without)


def test_groups_are_in_the_key_and_figures_by_group_come_out_of_the_files_alone(store):
    made = worked(store)
    unblinded(store, made)
    labels = [one for one in store.studies.items(made.study.id) if not one.startswith("Z")][:9]
    by_hand = {label: "odd" if n % 2 else "even" for n, label in enumerate(labels)}
    regroup(store, made.study.id, SourceGrouping(by="hand", groups=by_hand, who="Ada"))
    held = files(store, made.study.id, key=True)
    key = pd.read_csv(io.StringIO(held["key.csv"]), keep_default_na=False)
    assert dict(zip(key.label, key.group, strict=True)) == {
        label: by_hand.get(label, "") for label in store.studies.items(made.study.id)
    }
    assert set(key.grouped_by) == {"hand"}
    assert {
        (one["label"], one["group"]) for one in lines(held["key.jsonl"]) if "label" in one
    } == set(zip(key.label, key.group, strict=True))
    answers = pd.read_csv(io.StringIO(held["answers.csv"]))
    counted = answers[(answers.counts == "yes") & (answers.criterion == "clarity")]
    ideas = counted.groupby("label").value.mean()
    means = ideas.groupby(key.set_index("label").group).mean()
    shown = {row["Source"]: row["clarity"] for row in rows(held["figures/by-source.csv"])}
    assert {name: float(value) for name, value in shown.items()} == pytest.approx(
        {name: means[name] for name in ("even", "odd")}
    )
    book = openpyxl.load_workbook(io.BytesIO(formats(store, made.study.id, key=True)["key.xlsx"]))
    heads, *texts = book["key"].iter_rows(values_only=True)
    at = heads.index("label"), heads.index("group")
    assert {one[at[0]]: one[at[1]] or "" for one in texts}[labels[1]] == "odd"


def test_a_group_by_category_stays_what_it_was_when_the_collection_goes(store):
    made = worked(store)
    unblinded(store, made)
    keys = store.study_keys.items(made.study.id)
    for n, (label, item) in enumerate(keys.items()):
        entry = Entry(
            id="",
            kind="idea",
            sha=store.studies.items(made.study.id)[label],
            method="chain",
            topic="sleep",
            category="plants" if n % 2 else "bread",
            source=f"file/{n}",
            collection="mine",
        )
        store.entries.add(((entry, "chain"),))
        store.connections.write(
            "UPDATE study_keys SET data = ? WHERE study = ? AND kind = 'item' AND name = ?",
            item.model_copy(update={"entry": entry_id(entry)}).model_dump_json(),
            made.study.id,
            label,
        )
    regroup(store, made.study.id, SourceGrouping(by="category", who="Ada"))
    before = rows(key_files(store, made.study.id)["key.csv"])
    assert {row["group"] for row in before if row["attention"] == "no"} == {"plants", "bread"}
    store.entries.remove("mine")
    assert rows(key_files(store, made.study.id)["key.csv"]) == before


def test_every_revision_is_there_and_the_last_is_marked(store):
    made = kit.opened(store)
    here = made.at_work(0)
    kit.work_through(store, here, varied)
    mine = next(one for one in store.study_work.of(here.seat) if one.unit != "u900")
    shown = sitting.show(store, here, mine.unit, mine.time)
    kit.say(store, here, shown, RateAnswer(scores={"novelty": 2, "clarity": 2}), "later")
    found = [
        row
        for row in rows(files(store, made.study.id)["answers.csv"])
        if (row["seat"], row["unit"], row["time"], row["criterion"])
        == (here.seat, mine.unit, str(mine.time), "novelty")
    ]
    assert [(row["revision"], row["last"]) for row in found] == [("1", "no"), ("2", "yes")]
    assert found[1]["value"] == "2"
    said = [
        one
        for one in lines(files(store, made.study.id)["answers.jsonl"])
        if (one["seat"], one["unit"], one["time"]) == (here.seat, mine.unit, mine.time)
    ]
    assert [one["said"]["scores"]["novelty"] for one in said] == [int(found[0]["value"]), 2]


def test_cannot_judge_is_an_empty_value_and_a_formula_is_none(store):
    found = rows(files(store, worked(store).study.id)["answers.csv"])
    assert {
        row["value"] for row in found if (row["unit"], row["criterion"]) == ("u002", "clarity")
    } == {""}
    assert {row["note"] for row in found if row["unit"] == "u001"} == {"'=1+1", ""}


def test_a_comparison_is_written_from_the_first_labels_side_with_the_side_really_shown(store):
    made = kit.opened(store, "compare", experts=2, overlap=2)

    def smaller(here, shown):
        best = min(shown.unit.labels)
        return CompareAnswer(
            preferences={
                one.name: Preference(better=best, much=one.name == "novelty")
                for one in here.criteria
            },
            both_weak=True,
        )

    here = made.at_work(0)
    kit.work_through(store, here, smaller)
    shown = {(one.unit, str(one.time)): one.shown for one in store.study_work.of(here.seat)}
    found = rows(files(store, made.study.id)["answers.csv"])
    assert {row["value"] for row in found if row["criterion"] == "novelty"} == {"2"}
    assert {row["value"] for row in found if row["criterion"] == "clarity"} == {"1"}
    assert {row["both_weak"] for row in found} == {"yes"}
    for row in found:
        assert row["label"] < row["other"]
        assert row["side"] == (
            "left" if shown[row["unit"], row["time"]][0] == row["label"] else "right"
        )
    assert {row["side"] for row in found} == {"left", "right"}


def test_tied_labels_share_the_mean_of_their_places(store):
    made = kit.opened(store, "rank", experts=2, overlap=2, texts=3, repeats=0, attention=0)

    def tie(here, shown):
        first, *others = shown.unit.labels
        return RankAnswer(groups=((first,), tuple(others)))

    kit.work_through(store, made.at_work(0), tie)
    found = rows(files(store, made.study.id)["answers.csv"])
    assert {(row["label"], row["value"]) for row in found} == {
        ("A1", "1.0"),
        ("B2", "2.5"),
        ("C3", "2.5"),
    }
    assert {row["criterion"] for row in found} == set(kit.CRITERIA)


def test_comments_have_a_row_for_each_question_and_remarks_a_file(store):
    made = kit.opened(store, "comment", experts=2, overlap=2, texts=3, repeats=0, attention=0)

    def remark(here, shown):
        return CommentAnswer(
            valid="no",
            answered="partly",
            change="same",
            remarks=(SpanRemark(of="review", quote="lacks a test", text="@It does."),),
        )

    kit.work_through(store, made.at_work(0), remark)
    held = files(store, made.study.id)
    assert len(rows(held["answers.csv"])) == 3 * 3 * 3
    found = rows(held["remarks.csv"])
    assert len(found) == 9
    assert {(row["of"], row["quote"], row["text"]) for row in found} == {
        ("review", "lacks a test", "'@It does.")
    }


def test_what_was_shown_has_the_names_of_repeats_and_when_each_text_was_opened(store):
    made = kit.opened(store, "rank", experts=2, overlap=2, texts=6, attention=0)
    kit.work_through(store, made.at_work(0))
    here = made.at_work(1)
    sitting.show(store, here, sitting.upcoming(store, here).unit)
    held = files(store, made.study.id)
    found = rows(held["shown.csv"])
    mine = [row for row in found if row["rater"] == "E1"]
    listed = {(one.unit, str(one.time)): one for one in sitting.listed(store, made.at_work(0))}
    assert {(row["unit"], row["time"]) for row in mine} == set(listed)
    for row in mine:
        one = listed[row["unit"], row["time"]]
        assert one.shown[int(row["place"]) - 1] == row["label"]
        assert (row["called"] == row["label"]) is (row["time"] == "1")
        assert row["text_opened"] >= row["unit_opened"] > ""
    other = [row for row in found if row["rater"] == "E2"]
    assert len({row["unit"] for row in other}) == 1, "no more than was on the screen"
    assert {row["text_opened"] for row in other} == {""}
    assert "shown.csv" in held["codebook.md"]
    assert all(said.split(":")[0] in held["codebook.md"] for said in study_rows.SHOWN.values())
    assert not any(secret in held["shown.csv"] for secret in SECRETS)
    sitting.withdraw(store, sitting.enter(store, made.secret(0)))
    assert made.seats[0].id not in files(store, made.study.id)["shown.csv"]


def test_answers_of_those_who_withdrew_are_in_no_file_and_they_are_counted(store):
    made = worked(store)
    sitting.withdraw(store, made.at_work(0))
    held = files(store, made.study.id)
    gone = made.seats[0].id
    assert [name for name, text in held.items() if gone in text] == ["seats.csv", "events.csv"]
    assert {row["seat"]: (row["counts"], row["familiarity"]) for row in rows(held["seats.csv"])}[
        gone
    ] == ("no", "")


def test_what_was_said_afterwards_stands_by_seat_and_guesses_in_a_file(store):
    made = kit.opened(store, "rank", experts=2, overlap=2, texts=6, hidden_target=True)
    here = made.at_work(0)
    kit.work_through(store, here)
    units = [one.unit for one in sitting.sets_to_guess(store, here)]
    sitting.finish(
        store,
        here,
        Afterwards(
            familiarity=4,
            confidence=2,
            seen_before=("A1",),
            note="+done",
            human={one.id: one.labels[0] if one.id == units[0].id else "" for one in units},
        ),
    )
    held = files(store, made.study.id)
    seat = next(row for row in rows(held["seats.csv"]) if row["seat"] == here.seat)
    assert (seat["familiarity"], seat["confidence"], seat["seen_before"], seat["note"]) == (
        "4",
        "2",
        "A1",
        "'+done",
    )
    assert [row["label"] for row in rows(held["guesses.csv"]) if row["unit"] == units[0].id] == [
        units[0].labels[0]
    ]


# -- figures and configuration -----------------------------------------------------------------


def test_exported_ratings_read_back_give_the_same_figures(store):
    made = worked(store, experts=4, overlap=3)
    found = read("ratings.csv", files(store, made.study.id)["ratings.csv"].encode())
    assert found.refused == ()
    again = agreement_sheet(found.by_criterion, found.models, found.repeats)
    here = {part.criterion: part.statistics for part in analysed(store, made.study.id).parts}
    by = {
        name: tuple(one for one in again.statistics if one.about.startswith(name))
        for name in kit.CRITERIA
    }
    assert by == {name: here[name] for name in kit.CRITERIA}
    assert any(one.value is not None for one in by["novelty"])
    assert (again.repeats.same, again.repeats.difference, again.repeats.icc) == here[""]


def test_the_hash_can_be_computed_anew_as_the_file_says(store):
    made = worked(store)
    sealed = json.loads(files(store, made.study.id)["configuration.json"])
    assert sealed["configuration"]["plan"]["seed"] is None, "labels could be drawn again from it"
    assert "beside the key" in sealed["sha_is"]
    unblinded(store, made)
    found = json.loads(files(store, made.study.id, key=True)["configuration.json"])
    assert found["sha"] == sealed["sha"]
    canonical = json.dumps(
        found["configuration"], sort_keys=True, ensure_ascii=False, separators=(",", ":")
    )
    assert (
        hashlib.sha256(canonical.encode()).hexdigest()
        == found["sha"]
        == store.studies.get(made.study.id).sha
    )
    assert "sort_keys=True" in found["sha_is"]
    shas = {one["label"]: one["sha"] for one in lines(files(store, made.study.id)["texts.jsonl"])}
    assert shas == found["configuration"]["items"]
    one = lines(files(store, made.study.id)["texts.jsonl"])[0]
    assert (
        hashlib.sha256(
            json.dumps(
                one["record"], sort_keys=True, ensure_ascii=False, separators=(",", ":")
            ).encode()
        ).hexdigest()
        == one["sha"]
    )


def test_a_draft_has_no_hash_and_says_so(store):
    study = kit.drafted(store)
    found = json.loads(files(store, study.id)["configuration.json"])
    assert found["sha"] == ""
    assert "not opened yet" in found["sha_is"]


@pytest.mark.parametrize("task", ["rate", "rank", "compare", "comment"])
def test_the_codebook_explains_every_column_of_every_sheet(store, task):
    made = worked(store, task, hidden_target=task == "rank")
    unblinded(store, made)
    held = {**files(store, made.study.id, key=True)}
    for name, text in held.items():
        if not name.endswith(".csv") or name.startswith("figures/"):
            continue
        section = held["codebook.md"].split(f"\n## {name}\n", 1)[1].split("\n## ", 1)[0]
        assert [
            line.split(": ")[0].removeprefix("- ") for line in section.strip().splitlines()
        ] == text.splitlines()[0].split(","), name
    if task == "rate":
        assert "How much novelty it has. 1: None. 10: All there can be." in held["codebook.md"]


def test_every_sheet_has_as_many_cells_in_a_row_as_in_its_head(store):
    for task in ("rate", "rank", "compare", "comment"):
        made = worked(store, task, hidden_target=task == "rank")
        unblinded(store, made)
        for name, text in files(store, made.study.id, key=True).items():
            if name.endswith(".csv"):
                assert len({len(row) for row in csv.reader(io.StringIO(text))}) == 1, name


def test_explanations_are_sentences():
    for columns in (
        study_rows.ANSWERS,
        study_rows.SEATS,
        study_rows.KEY,
        study_rows.EVENTS,
        study_rows.REMARKS,
        study_rows.GUESSES,
        study_rows.RATINGS,
    ):
        assert all(said.endswith((".", "to 10.")) for said in columns.values())


# -- on disk -----------------------------------------------------------------------------------


def test_a_folder_that_has_something_in_it_is_left_alone(store, tmp_path):
    made = worked(store)
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "answers.csv").write_text("mine")
    with pytest.raises(BadInput, match="not empty"):
        export(store, made.study.id, tmp_path / "old")
    assert (tmp_path / "old" / "answers.csv").read_text() == "mine"
    with pytest.raises(BadInput, match="Make it first"):
        export(store, made.study.id, tmp_path / "no" / "such")
    names = export(store, made.study.id, tmp_path / "new")
    assert sorted(
        str(one.relative_to(tmp_path / "new"))
        for one in (tmp_path / "new").rglob("*")
        if one.is_file()
    ) == sorted(names)
    export(store, made.study.id, tmp_path / "all.zip")
    assert sorted(zipfile.ZipFile(tmp_path / "all.zip").namelist()) == sorted(names)
    assert archive(store, made.study.id) == archive(store, made.study.id)


def test_figures_and_files_from_the_command_line(cli, store, tmp_path):
    made = worked(store, experts=4, overlap=3)
    code, document, _ = cli("study", "live", made.study.id)
    assert (code, document["overlap_reached"]) == (0, 12)
    code, document, _ = cli(
        "study", "agreement", made.study.id, "--table", "ideas", "--to", str(tmp_path / "ideas.csv")
    )
    assert code == 0
    assert (
        next(
            one
            for one in document["statistics"]["novelty"]
            if one["name"] == "Krippendorff's alpha (interval)"
        )["value"]
        is not None
    )
    assert "hidden until" in document["blind"]
    assert document["by_source"] == []
    assert (tmp_path / "ideas.csv").read_text().startswith("Idea,novelty,")
    code, document, _ = cli(
        "study",
        "agreement",
        made.study.id,
        "--table",
        "by-source",
        "--to",
        str(tmp_path / "by.csv"),
    )
    assert code == 2
    assert "hidden until" in document["reason"]
    code, document, _ = cli(
        "study", "export", made.study.id, "--to", str(tmp_path / "all.zip"), "--key"
    )
    assert code == 2
    assert not (tmp_path / "all.zip").exists()
    unblinded(store, made)
    code, document, _ = cli(
        "study", "export", made.study.id, "--to", str(tmp_path / "all.zip"), "--key"
    )
    assert code == 0
    assert {"answers.csv", "key.csv", "figures/by-source.tex"} <= set(
        zipfile.ZipFile(tmp_path / "all.zip").namelist()
    )
    assert {
        one["source"] for one in cli("study", "agreement", made.study.id)[1]["by_source"]
    } == set(kit.METHODS)


def test_the_codebook_names_no_sheet_that_is_not_there(store):
    for hides in (False, True):
        held = files(store, worked(store, "rank", hidden_target=hides).study.id)
        assert ("## guesses.csv" in held["codebook.md"]) == ("guesses.csv" in held) == hides
