"""Ratings from files: long and wide, whatever the separator and the encoding, guessed and said;
every cell that is not taken is named with its reason.
"""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import BadInput, MappingNeeded
from core.importing.rating_columns import make_layout, number
from core.importing.rating_guess import guess_layout
from core.importing.ratings import MOST_ROWS, opened, read, take_ratings
from core.importing.votes import votes
from core.literature.importing.text import plain
from tests import DATA

PDE = DATA / "pde_ratings.csv"
IDEAS, RATERS, CRITERIA = ("i1", "i2", "i10"), ("Ada", "Bo", "gpt-5"), ("novelty", "clarity")
SCORES = {
    (item, rater, criterion): float((3 * a + 2 * b + c) % 9 + 1)
    for a, item in enumerate(IDEAS)
    for b, rater in enumerate(RATERS)
    for c, criterion in enumerate(CRITERIA)
}


def csv(*rows, comma=",", head=""):
    return "\n".join(
        [*([head] if head else []), *(comma.join(map(str, row)) for row in rows)]
    ).encode()


def long():
    return csv(
        ("idea", "rater", "criterion", "score"), *((*key, score) for key, score in SCORES.items())
    )


def by_criterion():
    return csv(
        ("idea", "rater", *CRITERIA),
        *((i, r, *(SCORES[i, r, c] for c in CRITERIA)) for i in IDEAS for r in RATERS),
    )


def by_rater():
    return csv(
        ("idea", "criterion", *RATERS),
        *((i, c, *(SCORES[i, r, c] for r in RATERS)) for i in IDEAS for c in CRITERIA),
    )


def by_both(turned=False):
    heads = [(r, c) for r in RATERS for c in CRITERIA]
    return csv(
        ("idea", *(f"{c}:{r}" if turned else f"{r}:{c}" for r, c in heads)),
        *((i, *(SCORES[i, r, c] for r, c in heads)) for i in IDEAS),
    )


def held(found):
    return {(one.item, one.rater, one.criterion): one.score for one in found.scores}


# -- layouts -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "heads", "given"),
    [
        (long(), "score", {}),
        (by_criterion(), "criteria", {}),
        (by_rater(), "raters", {"heads": "raters"}),
        (by_both(), "rater:criterion", {}),
        (by_both(turned=True), "criterion:rater", {}),
    ],
)
def test_every_layout_is_read_and_holds_the_same_ratings(data, heads, given):
    sheet = opened("ratings.csv", data)
    found = take_ratings(sheet, guess_layout(sheet, given))
    assert (found.layout.heads, held(found)) == (heads, SCORES)
    assert found.layout.said.startswith("Read as ideas in 'idea'; ")
    assert (found.models, found.models_said) == ({"gpt-5"}, "guessed by name: gpt-5")
    tables = found.by_criterion
    assert tuple(tables) == CRITERIA
    assert tables["clarity"].values.shape == (3, 3)
    assert (found.refused, found.empty, found.repeats) == ((), 0, ())


@pytest.mark.parametrize("comma", [";", "\t", "|"])
@pytest.mark.parametrize("encoded", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
def test_separators_and_encodings_are_found_out(comma, encoded):
    rows = (("idea", "rater", "Qualität"), ("Übung", "Jörg", "7,5"), ("Zwei", "Jörg", "3"))
    text = "".join(f"{comma.join(row)}\r\n" for row in rows)
    found = read("r.csv", text.encode(encoded))
    assert held(found) == {("Übung", "Jörg", "Qualität"): 7.5, ("Zwei", "Jörg", "Qualität"): 3.0}


def test_the_public_file_of_expert_ratings_is_read_as_it_is():
    found = read("pde_ratings.csv", PDE.read_bytes())
    assert (
        found.layout.said
        == "Read as ideas in 'idea'; raters in 'rater'; a column of scores for each criterion:"
        " 'originality', 'feasibility', 'clarity'."
    )
    assert (len(found.scores), found.models, len(found.raters)) == (22 * 7 * 3, {"llm"}, 7)


@pytest.mark.parametrize(
    ("head", "layout"),
    [
        (
            "Idea ID,Annotator,Dimension,Rating,Comment",
            {
                "item": "Idea ID",
                "rater": "Annotator",
                "criterion": "Dimension",
                "scores": ("Rating",),
            },
        ),
        (
            "paper,reviewer,overall",
            {"item": "paper", "rater": "reviewer", "scores": ("overall",), "heads": "criteria"},
        ),
        (
            "paper,reviewer,score",
            {"item": "paper", "rater": "reviewer", "scores": ("score",), "heads": "score"},
        ),
        (
            "seat,unit,time,stage,label,criterion,value,position,last",
            {
                "item": "label",
                "rater": "seat",
                "criterion": "criterion",
                "scores": ("value",),
                "repeat": "time",
                "last": "last",
            },
        ),
        (
            ",rater Ada,Rater_2",
            {"item": "column 1", "scores": ("rater Ada", "Rater_2"), "heads": "raters"},
        ),
        ("story,rater Ada,Rater_2", {"item": "story", "scores": ("rater Ada", "Rater_2")}),
        (
            "idea,rater Ada,Average,Rater_2,SD,words",
            {"item": "idea", "scores": ("rater Ada", "Rater_2"), "heads": "raters"},
        ),
        ("idea,rater,novelty,Total score,age", {"scores": ("novelty",), "heads": "criteria"}),
        (
            ",idea,rater Ada,Rater_2",
            {"item": "idea", "rater": "", "scores": ("rater Ada", "Rater_2"), "heads": "raters"},
        ),
        (
            "proposal name,rater Ada,Rater_2",
            {"item": "proposal name", "scores": ("rater Ada", "Rater_2"), "heads": "raters"},
        ),
    ],
)
def test_names_of_columns_say_what_they_are(head, layout):
    columns = head.split(",")
    words = {
        "time": "1",
        "last": "yes",
        "criterion": "novelty",
        "Dimension": "novelty",
        "Comment": "fine",
        "idea": "i",
        "rater": "r",
    }
    sheet = opened("r.csv", csv([words.get(name, "4") for name in columns], head=head))
    found = guess_layout(sheet)
    assert {name: getattr(found, name) for name in layout} == layout


def test_a_column_called_time_that_holds_moments_counts_no_times():
    sheet = opened(
        "r.csv", csv(("i1", "Ada", 4, "2026-01-01T10:00"), head="idea,rater,novelty,time")
    )
    assert guess_layout(sheet).repeat == ""


@pytest.mark.parametrize("name", ["final", "latest", "quality"])
def test_a_column_of_scores_is_a_criterion_whatever_its_name_could_mean(name):
    rows = [(f"i{n}", rater, 4, n % 6) for n in range(6) for rater in ("Ada", "Bo")]
    found = read("r.csv", csv(*rows, head=f"idea,rater,novelty,{name}"))
    assert set(found.by_criterion) == {"novelty", name}
    assert found.revised == 0


def test_where_most_rows_say_yes_to_attention_nobody_is_left_out():
    rows = [(f"i{n}", rater, 4) for n in range(9) for rater in ("Ada", "Bo", "Cy")]
    passed = [(*row, "no" if row[1] == "Bo" else "yes") for row in rows]
    found = read("r.csv", csv(*passed, head="idea,rater,score,attention"))
    assert (len(found.scores), found.checks) == (27, 0)
    asked = [(*row, "yes" if n == 0 else "no") for n, row in enumerate(rows)]
    found = read("r.csv", csv(*asked, head="idea,rater,score,attention"))
    assert (len(found.scores), found.checks) == (26, 1)


def test_what_a_person_says_of_the_columns_stands_over_the_guess():
    data = csv(
        ("i1", "prof", "t1", 4, 5), ("i1", "doc", "t1", 2, 5), head="idea,name,topic,Ada,length"
    )
    sheet = opened("r.csv", data)
    layout = guess_layout(sheet, {"rater": "name", "scores": ("Ada",)})
    assert held(take_ratings(sheet, layout)) == {
        ("i1", "prof", "Ada"): 4.0,
        ("i1", "doc", "Ada"): 2.0,
    }
    assert guess_layout(sheet, {"criterion": "topic", "scores": ("Ada",)}).criterion == "topic"
    turned = opened("r.csv", csv(("i1", 3), head="idea,kindness:Ada"))
    assert held(take_ratings(turned, guess_layout(turned, {"heads": "criterion:rater"}))) == {
        ("i1", "Ada", "kindness"): 3.0
    }


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"item": "a", "scores": ("a",), "heads": "raters"}, "named for two things"),
        ({"item": "a", "scores": (), "heads": "raters"}, "no column of scores"),
        (
            {"item": "a", "rater": "b", "scores": ("c",), "heads": "raters"},
            "the rater is named by a column and by",
        ),
        (
            {"item": "a", "scores": ("c",), "heads": "criteria", "repeat": "d"},
            "nothing names the rater who rated again",
        ),
        (
            {"item": "a", "rater": "b", "criterion": "c", "scores": ("d",), "heads": "criteria"},
            "the criterion is named by a column and by",
        ),
        (
            {"item": "a", "rater": "b", "scores": ("c", "d"), "heads": "score"},
            "several columns of scores",
        ),
    ],
)
def test_a_layout_that_contradicts_itself_is_a_sentence(fields, said):
    with pytest.raises(BadInput, match=said):
        make_layout(fields)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "is empty"),
        (b"idea,rater,score\n", "holds no rating under"),
        (b"idea,rater,words\ni1,Ada,good\n", "no column of numbers"),
        (b"7\n8\n", "no column of numbers"),
        (b"%PDF-1.7", "is a PDF"),
        (b"idea,rater,score\ni1,Ada,\n", "no column of numbers"),
        (b'idea,"rater\n', "holds no rating under"),
        (b"rater,i1,i2\nAda,3,4\n", "no column that names the idea"),
        (b"idea,Ada,Ada,Bo\ni1,3,4,5\n", r"a column of scores twice, 'Ada \(2\)'"),
    ],
)
def test_a_file_without_ratings_is_refused_with_what_to_do(data, said):
    with pytest.raises(BadInput, match=said):
        read("r.csv", data)


def test_columns_and_models_that_are_not_there_are_named():
    sheet = opened("r.csv", long())
    with pytest.raises(BadInput, match=r"has no column 'jury'\. It has idea, rater"):
        take_ratings(
            sheet,
            make_layout({"item": "idea", "rater": "jury", "scores": ("score",), "heads": "score"}),
        )
    with pytest.raises(BadInput, match=r"There is no rater 'Cleo'\. There are Ada, Bo, gpt-5"):
        take_ratings(sheet, guess_layout(sheet), ["Cleo"])
    with pytest.raises(BadInput, match="9 is not below 1"):
        take_ratings(sheet, guess_layout(sheet), None, (9, 1))


def test_a_file_too_long_is_refused(monkeypatch):
    monkeypatch.setattr("core.importing.ratings.MOST_ROWS", 3)
    with pytest.raises(BadInput, match="more than 3 rows"):
        opened("r.csv", long())
    assert MOST_ROWS > 100_000


def wide(rows, columns, cell="1"):
    """Return a file of as many raters of one idea, and of criteria."""
    heads = [f"novelty{n}" for n in range(columns)]
    return csv(("idea", "rater", *heads), *(("i", f"r{n}", *[cell] * columns) for n in range(rows)))


def test_more_scores_than_are_taken_are_refused_before_any_is(monkeypatch):
    def never(*_):
        raise AssertionError("A cell was read.")

    monkeypatch.setattr("core.importing.ratings.every_cell", never)
    with pytest.raises(
        BadInput,
        match=r"w.csv has 1,000,957 cells of scores, 197 in each of 5,081 rows; 1,000,000 are read"
        r" at most\. Split the file, by topic",
    ):
        read("w.csv", wide(5_081, 197))


def test_a_file_of_cells_without_end_is_refused_as_it_is_opened(monkeypatch):
    monkeypatch.setattr("core.importing.ratings.MOST_CELLS", 40, raising=False)
    assert len(opened("w.csv", wide(10, 2)).rows) == 10
    with pytest.raises(BadInput, match=r"has more than 40 cells in its 4 columns\. Leave out"):
        opened("w.csv", wide(11, 2))


def test_a_rating_that_lost_a_byte_is_named():
    data = "idea,rater,novelty\na,Zoë,4\n".encode() + b"a,Ren\xe9,5\nb,Ann,6\n"
    sheet = opened("r.csv", data)
    assert [row.cells["rater"] for row in sheet.rows] == ["Zoë", "Ann"]
    (refused,) = sheet.refused
    assert (refused.where, "the byte 0xE9" in refused.reason) == ("line 3", True)


def test_column_names_that_lost_a_byte_are_named():
    data = "idea,Zoë,Ren".encode() + b"\xe9\na,4,5\n"
    with pytest.raises(BadInput, match="line 1: it holds the byte 0xE9"):
        opened("r.csv", data)


def test_where_no_row_can_be_used_the_first_says_why():
    with pytest.raises(BadInput, match=r"no rating .*: line 2, a quotation mark is missing"):
        opened("r.csv", b'idea,rater,novelty\na,"Ann,5\n')


def test_names_are_made_once_and_a_score_takes_little(monkeypatch):
    calls = []
    monkeypatch.setattr(
        "core.importing.rating_cells.plain", lambda text: calls.append(text) or plain(text)
    )
    sheet = opened("w.csv", wide(200, 150))
    layout = guess_layout(sheet)
    tracemalloc.start()
    found = take_ratings(sheet, layout)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(found.scores) == 200 * 150
    assert len(calls) < 5 * (200 + 150)
    assert peak / len(found.scores) < 300


def test_more_wrong_cells_than_are_named_are_columns_misread(monkeypatch):
    monkeypatch.setattr("core.importing.rating_cells.MOST_REFUSED", 9, raising=False)
    heads, words = ("idea", "rater", "novelty", "clarity"), ("3", "much")
    lines = [(f"i{n}", "Ada", *words) for n in range(10)]
    both = make_layout({"item": "idea", "rater": "rater", "scores": heads[2:], "heads": "criteria"})
    with pytest.raises(
        MappingNeeded,
        match=r"More than 9 cells of r.csv cannot be used\. Read as .* line 2: 'much'",
    ):
        read("r.csv", csv(heads, *lines), both)
    with pytest.raises(MappingNeeded, match=r"More than 9 cells of r\.csv cannot be used"):
        read("r.csv", csv(heads[:3], *[("i", "Ada", n) for n in range(10)]))


def test_tables_larger_than_anything_analysed_are_not_made():
    lines = [(f"i{n}", f"r{n}", 3) for n in range(3_000)]
    found = read("r.csv", csv(*lines, head="idea,rater,score"))
    with pytest.raises(
        BadInput, match=r"tables of 9,000,000 places, of ideas by raters; 6,000,000"
    ):
        _ = found.by_criterion


def test_votes_on_criteria_without_end_are_refused_before_they_are_laid_out():
    head = ("topic", "criterion", "judge", "first", "second", "winner")
    lines = [(f"t{n}", f"c{n % 31}", "m", "a", "b", "first") for n in range(40)]
    with pytest.raises(BadInput, match="The votes are on 31 criteria, such as 'c30'; 30 are read"):
        votes(opened("v.csv", csv(head, *lines)))


def test_a_winner_in_numbers_is_read_as_steps_to_both_sides_or_asked_about():
    head = ("topic", "criterion", "judge", "first", "second", "winner")

    def read_votes(*winners):
        lines = [(f"t{n}", "c", "m", "x", "y", said) for n, said in enumerate(winners)]
        return votes(opened("v.csv", csv(head, *lines)))

    found = read_votes(2, -1, 0)
    assert (found.cast.said[:, 0].tolist(), found.refused) == ([1, -1, 0], ())
    assert read_votes(2, "'-1", 0).cast.said[:, 0].tolist() == [1, -1, 0]
    assert read_votes("x", 0, "y", 0).cast.said[:, 0].tolist() == [1, 0, -1, 0]
    mixed = read_votes("first", 2, 1)
    assert mixed.votes == 1
    assert "the winner '2' may mean one or the other" in mixed.refused[0].clause
    with pytest.raises(BadInput, match="write first, second or tie"):
        read_votes(1, 2, 2)


def test_of_a_rating_given_again_and_again_the_first_others_are_named():
    lines = [("i1", "Ada", 4)] * 6
    others = [(f"j{n}", "Ada", 1) for n in range(6)]
    found = read("r.csv", csv(*lines, *others, head="idea,rater,score"))
    said = "Doubled: Ada gave this score already (line 2, line 3, line 4 and 2 more)."
    assert refusals(found)["line 7"] == said


# -- what is not taken -------------------------------------------------------------------------


def refusals(found):
    return {one.where: one.reason for one in found.refused}


def test_every_bad_cell_is_named_with_its_place_and_reason_and_the_others_are_taken():
    found = read(
        "r.csv",
        csv(
            ("i1", "Ada", "7", "seven"),
            ("i2", "Ada", "11", "3"),
            ("", "Ada", "1", "2"),
            ("i3", "", "1", "2"),
            ("i4", "Ada", "", "n/a"),
            ("i5", "Ada", "1,234", "nan"),
            ("i6", "Ada", "inf", "1e999"),
            ("i7", "Ada", "4", "4", "4"),
            *((f"j{n}", "Ada", "4", "") for n in range(3)),
            comma=";",
            head="idea;rater;novelty;clarity",
        ),
        scale=(1, 10),
    )
    assert held(found) == {
        ("i1", "Ada", "novelty"): 7.0,
        ("i2", "Ada", "clarity"): 3.0,
        **{(f"j{n}", "Ada", "novelty"): 4.0 for n in range(3)},
    }
    said = [(one.where, one.title, one.reason) for one in found.refused]
    assert ("line 2", "i1, Ada, clarity", "'seven' is not a number.") in said
    assert ("line 3", "i2, Ada, novelty", "11 is out of scale, which runs from 1 to 10.") in said
    assert refusals(found)["line 4"].startswith("Nothing stands in 'idea'")
    assert refusals(found)["line 5"].startswith("Nothing stands in 'rater'")
    assert "may be thousands or decimals" in refusals(found)["line 7"]
    assert [reason for where, _, reason in said if where == "line 8"] == [
        "'1e999' is not a number.",
        "'inf' is not a number.",
    ]
    assert "5 cells under 4 column names" in refusals(found)["line 9"]
    assert [one.where for one in found.refused] == sorted(
        (one.where for one in found.refused), key=lambda where: int(where.split()[1])
    )
    assert found.empty == 6


def test_without_a_scale_any_number_stands():
    assert set(
        held(read("r.csv", csv(("a", "x", -3), ("b", "x", 250), head="idea,rater,score"))).values()
    ) == {-3.0, 250.0}


def test_a_doubled_rating_counts_once_where_it_says_the_same_and_not_at_all_where_it_does_not():
    found = read(
        "r.csv",
        csv(
            ("i1", "Ada", 4),
            ("i1", "Ada", 4),
            ("i2", "Ada", 4),
            ("i2", "Ada", 5),
            ("i3", "Ada", 1),
            ("i4", "Ada", 1),
            head="idea,rater,score",
        ),
    )
    assert held(found) == {
        ("i1", "Ada", "score"): 4.0,
        ("i3", "Ada", "score"): 1.0,
        ("i4", "Ada", "score"): 1.0,
    }
    assert refusals(found) == {
        "line 3": "Doubled: Ada gave this score already (line 2).",
        "line 4": "Doubled: Ada gave it other scores too (line 5); keep the one that counts.",
        "line 5": "Doubled: Ada gave it other scores too (line 4); keep the one that counts.",
    }


def test_repeats_are_kept_apart_and_revised_scores_do_not_count():
    rows = [
        ("i1", "Ada", 1, "no", 2),
        ("i1", "Ada", 1, "yes", 4),
        ("i1", "Ada", 2, "yes", 5),
        ("i2", "Ada", 1, "yes", 7),
        ("i3", "Ada", 2, "yes", 1),
        ("i4", "Ada", "x", "yes", 1),
    ]
    found = take_ratings(
        opened("r.csv", csv(*rows, head="idea,rater,time,last,score")),
        make_layout(
            {
                "item": "idea",
                "rater": "rater",
                "repeat": "time",
                "last": "last",
                "scores": ("score",),
                "heads": "score",
            }
        ),
    )
    assert held(found) == {("i1", "Ada", "score"): 4.0, ("i2", "Ada", "score"): 7.0}
    assert found.alone == 1, "the second score of i3, which has no first"
    assert (found.repeats, found.revised) == (((4.0, 5.0),), 1)
    assert "which time it was is a number" in refusals(found)["line 7"]


def test_what_sums_up_others_is_no_idea_and_no_rater():
    found = read(
        "r.csv",
        csv(
            ("i1", "Ada", 4),
            ("i1", "average", 5),
            ("Total", "Ada", 9),
            ("i1", "Max", 3),
            head="idea,rater,score",
        ),
    )
    assert held(found) == {("i1", "Ada", "score"): 4.0, ("i1", "Max", "score"): 3.0}
    assert (
        refusals(found)["line 3"]
        == "'average' sums up others; call it something else if it is an idea or a rater of its"
        " own."
    )
    assert refusals(found)["line 4"].startswith("'Total' sums up others")


def test_a_line_of_excels_and_signs_without_width_are_no_part_of_the_ratings():
    found = read("r.csv", "sep=;\nidea;rater;score\ni1;Ada;7,5\ni2;Ada\u200b;x\n".encode())
    assert held(found) == {("i1", "Ada", "score"): 7.5}
    assert refusals(found) == {"line 4": "'x' is not a number."}
    assert [one.title for one in found.refused] == ["i2, Ada"]


def test_a_number_no_scale_reaches_is_refused_before_it_overflows():
    found = read("r.csv", csv(("i1", "Ada", 4), ("i2", "Ada", "1e90"), head="idea,rater,score"))
    assert refusals(found) == {"line 3": "'1e90' is too large for a score."}


def test_nothing_usable_at_all_says_how_the_file_was_read():
    with pytest.raises(
        BadInput,
        match=r"No score in r.csv can be used. Read as ideas in 'idea'.*line 2: 12 is out of scale",
    ):
        read("r.csv", csv(("i1", "Ada", 12), head="idea,rater,score"), scale=(1, 10))


def test_a_text_used_as_a_name_is_cut_and_still_told_from_one_that_begins_alike():
    texts = ["word " * 60 + "one", "word " * 60 + "two"]
    found = read("r.csv", csv(*((text, "Ada", 3) for text in texts), head="idea,rater,score"))
    names = {one.item for one in found.scores}
    assert len(names) == 2
    assert all(len(name) <= 120 for name in names)


# -- models ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "model"),
    [
        ("llm", True),
        ("LLM judge 2", True),
        ("gpt-4o", True),
        ("ChatGPT", True),
        ("model_a", True),
        ("openai:gpt-5", True),
        ("claude-opus", True),
        ("o3", True),
        ("Gemini 2.5", True),
        ("ai", True),
        ("expert1", False),
        ("Gemma Smith", True),
        ("Aida", False),
        ("Maia", False),
        ("remodel", False),
        ("Otto", False),
        ("annotator-12", False),
        ("seat-3f", False),
    ],
)
def test_models_are_told_by_name(name, model):
    found = read("r.csv", csv(("i1", name, 3), ("i1", "somebody", 4), head="idea,rater,score"))
    assert (name in found.models) == model


def test_who_is_a_model_can_be_said():
    sheet = opened(
        "r.csv", csv(("i1", "Claude", 3), ("i1", "Deep Thought", 4), head="idea,rater,score")
    )
    assert take_ratings(sheet, guess_layout(sheet)).models == {"Claude"}
    assert take_ratings(sheet, guess_layout(sheet), ["Deep Thought"]).models == {"Deep Thought"}
    assert take_ratings(sheet, guess_layout(sheet), ()).models == frozenset()
    assert take_ratings(sheet, guess_layout(sheet), ()).models_said == "as said: none"


# -- numbers -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("7", 7),
        (" 7.50 ", 7.5),
        ("7,5", 7.5),
        ("-2", -2),
        ("+3", 3),
        (".5", 0.5),
        ("1e1", 10),
        ("12,3456", 12.3456),
    ],
)
def test_numbers_are_read_as_they_are_written(cell, value):
    assert number(cell) == value


@pytest.mark.parametrize(
    "cell",
    [
        "",
        " ",
        "NA",
        "n/a",
        "-",
        "NaN",
        "None",
        "cannot judge",
        "N.A.",
        "#N/A",
        "--",
        "?",
        "missing",
    ],
)
def test_a_cell_that_says_there_is_none_is_missing(cell):
    assert number(cell) is None


@pytest.mark.parametrize(
    "cell",
    [
        "inf",
        "-inf",
        "1/2",
        "7/10",
        "1,234",
        "0x10",
        "1_000",
        "٣",
        "²",
        "1e400",
        "9" * 400,
        "=1+1",
        "7 of 10",
        "1.2.3",
    ],
)
def test_everything_else_is_no_number(cell):
    with pytest.raises(ValueError, match=r"is not a number|thousands or decimals"):
        number(cell)


@settings(max_examples=150)
@given(
    st.binary(max_size=300)
    | st.text(max_size=300).map(
        lambda text: f"idea,rater,score\n{text}".encode("utf-8", "surrogatepass")
    )
)
def test_no_bytes_do_anything_but_give_ratings_or_a_sentence(data):
    try:
        found = read("r.csv", data)
    except BadInput:
        return
    assert found.scores
    assert all(np.isfinite(one.score) for one in found.scores)
    assert found.by_criterion
