"""Labelled ideas from tables of any shape: read where the names say enough, asked for where not."""

import json

import pytest

from core.errors import BadInput, MappingNeeded
from core.importing.labelled import labelled_in

LONG = "Yeast that is grown in the dark makes bread that keeps its crumb for a whole week, we say."

KNOWN = {"idea": f"{LONG} Again.", "label": "known"}


def read(rows, given=None, name="ideas.json", **more):
    return labelled_in(name, json.dumps(rows).encode(), given or {}, **more)


def test_a_table_of_our_own_shape_is_read_without_a_word():
    held, layout, out = read(
        [
            {"idea": LONG, "label": "new", "papers": "", "date": "2024-05"},
            {"idea": f"{LONG} 2", "label": "known", "papers": "10.1/x; A title: of a paper"},
        ]
    )
    first, second = held.ideas
    assert (first.known, first.papers, first.dated) == (False, (), "2024-05-31")
    assert (second.known, second.papers) == (True, ("10.1/x", "A title: of a paper"))
    assert (layout.label, layout.papers, out) == ("label", ("papers",), ())


@pytest.mark.parametrize(
    ("column", "labels", "known"),
    [
        ("is_novel", (1, 0), (False, True)),
        ("Novel", ("yes", "No"), (False, True)),
        ("plagiarized", (True, False), (True, False)),
        ("verdict", ("Not novel", "novel"), (True, False)),
        ("Human judgement of it", ("non-novel", "novel"), (True, False)),
    ],
)
def test_labels_that_say_what_they_mean_are_understood(column, labels, known):
    rows = [{"research_idea": f"{LONG} {n}", column: label} for n, label in enumerate(labels)]
    held, layout, _ = read(rows)
    assert tuple(one.known for one in held.ideas) == known
    assert layout.label == column


def test_a_shape_of_its_own_is_mapped_and_nothing_starts_before():
    rows = [
        {
            "entry": {"pitch": f"{LONG} {n}", "plan": "We weigh it.", "number": n},
            "raters": {"final": n % 3},
            "overlap": [{"doi": "10.1/y", "note": "near"}, {"doi": "10.1/z"}],
        }
        for n in range(6)
    ]
    with pytest.raises(MappingNeeded) as asked:
        read(rows, {"text": ["entry.pitch", "entry.plan"]})
    assert "Which column holds the label is not clear." in str(asked.value)
    assert "entry.pitch, entry.plan, entry.number, raters.final, overlap" in str(asked.value)
    given = {"text": ["entry.pitch", "entry.plan"], "label": ["raters.final"]}
    with pytest.raises(MappingNeeded, match=r"What the labels in 'raters.final' mean .* 0, 1, 2"):
        read(rows, given)
    held, _, out = read(rows, given | {"papers": ["overlap"]}, new=["2"], known=["0"])
    assert [one.known for one in held.ideas] == [True, False, True, False]
    assert [row.reason for row in out] == ["Its label '1' says neither."] * 2
    assert "We weigh it." in held.ideas[0].idea.text


def test_what_cannot_be_told_is_asked_for_all_at_once():
    with pytest.raises(MappingNeeded) as asked:
        read([{"a": "x", "b": "y"}, {"a": "z", "b": "w"}])
    assert "the text of an idea is not clear. Which column holds the label" in str(asked.value)


def test_a_label_or_a_column_that_is_not_there_is_named():
    rows = [{"idea": LONG, "label": "new"}, {"idea": LONG + "!", "label": "known"}]
    with pytest.raises(BadInput, match=r"no label 'old'. It has known, new"):
        read(rows, new=["old"])
    with pytest.raises(BadInput, match="no column 'what'"):
        read(rows, {"label": ["what"]})


def test_rows_that_cannot_be_used_are_said_and_a_file_without_one_is_refused():
    rows = [{"idea": LONG, "label": "new"}, {"idea": "", "label": "known"}]
    rows += [{"idea": f"{LONG} again", "label": "known"}]
    held, _, (out,) = read(rows)
    assert len(held.ideas) == 2
    assert out.reason.startswith("There is no text")
    with pytest.raises(BadInput, match="holds no labelled idea"):
        read([{"idea": "", "label": "new"}, {"idea": "", "label": "known"}], {"text": ["idea"]})


def test_a_table_with_commas_is_read_too():
    table = f'Idea,Novel?,Prior work\n"{LONG}",yes,\n"{LONG} B",no,arXiv:2401.01234\n'
    held, layout, _ = labelled_in("t.csv", table.encode(), {"label": ["Novel?"]})
    assert [one.papers for one in held.ideas] == [(), ("arXiv:2401.01234",)]
    assert layout.papers == ("Prior work",)


@pytest.mark.parametrize(
    ("said", "dated"),
    [
        ("2024-03-05", "2024-03-05"),
        ("2024/3/5", "2024-03-05"),
        ("2024.03.05", "2024-03-05"),
        ("20240305", "2024-03-05"),
        ("05.03.2024", "2024-03-05"),
        ("5 March 2024", "2024-03-05"),
        ("Mar 5, 2024", "2024-03-05"),
        ("2024-03-05T10:20:30Z", "2024-03-05"),
        ("2024-03-05 00:00:00", "2024-03-05"),
        ("March 2024", "2024-03-31"),
        ("03/2024", "2024-03-31"),
        ("2024-03-05+01:00", "2024-03-05"),
        ("20240305T102030", "2024-03-05"),
        ("2024-03-05 (online)", "2024-03-05"),
        ("5th Mar. 2024", "2024-03-05"),
        ("5-Mar-2024", "2024-03-05"),
        ("Tue, 05 Mar 2024 10:00:00 GMT", "2024-03-05"),
        ("March, 2024", "2024-03-31"),
        ("Sept 2024", "2024-09-30"),
        ("2024-02", "2024-02-29"),
        ("10:00 5 March 2024", "2024-03-05"),
        ("2024-03-05T23:30:00-1000", "2024-03-05"),
        ("2024.5", "2024-05-31"),
        ("2024/03/05 10:00", "2024-03-05"),
        ("Mar 5, 2024, 10:00:00 AM", "2024-03-05"),
        ("the 5th of March 2024 at 10:00", "2024-03-05"),
        ("2024-03 (preprint)", "2024-03-31"),
        ("2024-03-05 (v2)", "2024-03-05"),
        ("2024", "2024-12-31"),
        ("2024.0", "2024-12-31"),
        ("2024a", "2024-12-31"),
        ("tbd", None),
        ("n/a", None),
        ("", None),
    ],
)
def test_an_idea_is_dated_by_the_last_day_its_date_may_mean(said, dated):
    held, _, out = read([{"idea": LONG, "label": "new", "date": said}, KNOWN])
    assert (held.ideas[0].dated, out) == (dated, ())


@pytest.mark.parametrize(
    "said",
    [
        *("3/5/2024", "2024-13-01", "2024-02-30", "31 Feb 2024", "last spring", "45356", "0000"),
        *("2024.1", "2024-03-05/2024-06-01", "before March 2024", "May 1-5, 2024"),
        *("2024-03-05/06-01", "2024-03-05 - 12-01", "2024-03-05 to 7 June", "2024-03-05 or 04-05"),
        *("2024-03-05 until 4.6.2024", "2024-03-05..2024-06-01", "2024-03-05–07"),
        "between May 2023 and June 2024",
    ],
)
def test_a_date_that_may_be_two_or_none_refuses_its_row(said):
    held, _, (out,) = read([{"idea": LONG, "label": "new", "date": said}, KNOWN])
    assert len(held.ideas) == 1
    assert out.reason == f"Its date '{said}' cannot be told; write it as 2024-03-05."


@pytest.mark.parametrize(("new", "known"), [("1", "-1"), ("+", "-"), ("✓", "✗"), ("(1)", "0.")])
def test_labels_that_are_signs_are_told_apart(new, known):
    rows = [{"idea": f"{LONG} {n}", "label": (new, known)[n % 2]} for n in range(4)]
    held, layout, _ = labelled_in(
        "t.json", json.dumps(rows).encode(), {}, new=(new,), known=(known,)
    )
    assert layout.new != layout.known
    assert [one.known for one in held.ideas] == [False, True, False, True]


def test_an_idea_with_both_labels_is_left_out_and_said_so_in_whatever_order():
    rows = [
        {"idea": f"{LONG} A", "label": "new"},
        {"idea": f"{LONG} A", "label": "known"},
        {"idea": f"{LONG} B", "label": "known"},
        {"idea": f"{LONG} B", "label": "known"},
        {"idea": f"{LONG} C", "label": "new"},
    ]
    for given in (rows, rows[::-1]):
        held, _, out = labelled_in("t.json", json.dumps(given).encode(), {})
        assert sorted((one.idea.text[-1], one.known) for one in held.ideas) == [
            ("B", True),
            ("C", False),
        ]
        assert len(out) == 2
        assert all("has both labels" in one.reason for one in out)
