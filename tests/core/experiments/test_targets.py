"""Targets from files: a table, JSON, JSON lines, pasted abstracts; every row that cannot be used is
named with its line.
"""

import csv
import io
import json

import pytest

from core.errors import BadInput
from core.export.datasets import jsonl, table
from core.importing.targets import pasted_targets, targets_in
from core.methods.novelty.dating import public_from
from core.records import FORMS
from tests.support.sweep_kit import target

TOPIC = "What sleep does for athletes"
ROWS = [
    {
        "title": f"Nap paper {n}",
        "topic": TOPIC,
        "abstract": f"Naps restore memory in way {n}.",
        "category": "sleep",
        "year": "2023",
        "doi": f"10.1000/{n}",
        "background": "Naps\nThey help some of those who take them.",
    }
    for n in (1, 2)
]
PASTED = f"""Nap paper 1
Topic: {TOPIC}
Category: sleep
Naps restore memory
in way 1.

Nap paper 2
Naps restore memory in way 2.
Topic: {TOPIC}
"""


def sheet(rows: list[dict], separator: str = ",") -> str:
    written = io.StringIO()
    writer = csv.DictWriter(written, list(rows[0]), delimiter=separator)
    writer.writeheader()
    writer.writerows(rows)
    return written.getvalue()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("t.csv", sheet(ROWS)),
        ("t.tsv", sheet(ROWS, "\t")),
        ("t.csv", sheet(ROWS, ";")),
        ("t.json", json.dumps(ROWS, indent=1)),
        ("t.jsonl", "\n".join(map(json.dumps, ROWS))),
        ("t.ndjson", "\ufeff" + "\n".join(map(json.dumps, ROWS))),
    ],
)
def test_a_table_and_flat_json_hold_the_same_targets(name, text):
    made = targets_in(name, text.encode())
    assert [
        (one.paper.title, one.topic, one.category, one.paper.year, one.paper.doi) for one in made
    ] == [(f"Nap paper {n}", TOPIC, "sleep", 2023, f"10.1000/{n}") for n in (1, 2)]
    assert made[0].idea.text == "Nap paper 1\n\nNaps restore memory in way 1."
    assert [(one.title, one.abstract) for one in made[0].background] == [
        ("Naps", "They help some of those who take them.")
    ]


def test_pasted_abstracts_are_a_paragraph_each():
    for made in (targets_in("a.txt", PASTED.encode()), pasted_targets("a.abs", PASTED.encode())):
        assert [(one.paper.title, one.topic, one.category) for one in made] == [
            ("Nap paper 1", TOPIC, "sleep"),
            ("Nap paper 2", TOPIC, ""),
        ]
        assert [one.paper.abstract for one in made] == [
            f"Naps restore memory in way {n}." for n in (1, 2)
        ]
    (one,) = pasted_targets("a.txt", b"Naps restore memory in athletes.", TOPIC)
    assert (one.topic, one.idea.text) == (TOPIC, "Naps restore memory in athletes.")


def test_an_idea_in_its_fields_keeps_them_and_whole_records_are_read_as_they_were_written():
    six = {name: f"The {name} of it." for name in FORMS["six-field"]}
    flat = {
        "topic": TOPIC,
        **{name.replace("_", " ").capitalize(): said for name, said in six.items()},
    }
    assert targets_in("t.csv", sheet([flat]).encode())[0].idea.fields == six
    assert (
        targets_in(
            "t.json", json.dumps({"topic": TOPIC, "title": "A paper", "idea": six}).encode()
        )[0].idea.fields
        == six
    )
    whole = (target(1), target(2))
    assert targets_in("t.jsonl", jsonl(whole).encode()) == whole
    assert (
        targets_in("t.json", json.dumps([one.model_dump(mode="json") for one in whole]).encode())
        == whole
    )


@pytest.mark.parametrize(
    ("said", "published", "first"),
    [
        ("2023-03-05", "2023-03-05", "2023-03-05"),
        ("5.3.2023", "2023-03-05", "2023-03-05"),
        ("2023/3/5", "2023-03-05", "2023-03-05"),
        ("March 2023", "2023-03", "2023-03-01"),
        ("2023", None, "2023-01-01"),
        ("n.d.", None, "2023-01-01"),
        ("Tue Mar 07 2023 10:00:00 GMT+0100 (CET)", "2023-03-07", "2023-03-07"),
    ],
)
def test_a_target_is_looked_around_before_its_own_date_however_that_is_written(
    said, published, first
):
    (paper,) = (
        one.paper for one in targets_in("t.csv", sheet([ROWS[0] | {"date": said}]).encode())
    )
    assert (paper.year, paper.published, public_from(paper)) == (2023, published, first)
    there = target(1).model_dump(mode="json")
    there["paper"] |= {"published": said}
    (again,) = targets_in("t.json", json.dumps([there]).encode())
    assert again.paper.published == published


@pytest.mark.parametrize(
    ("published", "year", "first"),
    [
        ("5.3.2023", 2023, "2023-01-01"),
        ("5.3.2023", None, None),
        (None, 20210, None),
        ("2023-05-01T17:59:59Z", None, "2023-05-01"),
        ("2023-05-01 00:00:00", 2024, "2023-05-01"),
    ],
)
def test_a_target_kept_with_a_date_that_is_none_goes_by_its_year(published, year, first):
    kept = target(1).paper.model_copy(update={"published": published, "year": year})
    assert public_from(kept) == first


def test_an_id_is_kept_bare_however_it_is_written():
    named = {"doi": "https://doi.org/10.1000/Nap", "arxiv": "arXiv:2303.01234v2"}
    (one,) = targets_in("t.csv", sheet([ROWS[0] | named]).encode())
    assert (one.paper.doi, one.paper.arxiv) == ("10.1000/Nap", "2303.01234")
    there = target(1).model_dump(mode="json")
    there["paper"] |= named
    there["background"] = [there["paper"] | {"id": "x:2"}]
    (again,) = targets_in("t.json", json.dumps([there]).encode())
    for paper in (again.paper, *again.background):
        assert (paper.doi, paper.arxiv) == ("10.1000/Nap", "2303.01234")


@pytest.mark.parametrize(
    ("doi", "found"),
    [
        ("10.48550/arXiv.2303.01234", ("10.48550/arXiv.2303.01234", "2303.01234")),
        ("https://arxiv.org/abs/2303.01234v2", (None, "2303.01234")),
        ("n/a", (None, None)),
        ("see text", ("see text", None)),
    ],
)
def test_a_paper_of_arxiv_is_known_by_its_id_there(doi, found):
    (one,) = targets_in("t.csv", sheet([ROWS[0] | {"doi": doi}]).encode())
    assert (one.paper.doi, one.paper.arxiv) == found


@pytest.mark.parametrize(
    ("year", "date", "found"),
    [
        ("2023", "2019", (2019, None)),
        ("", "March 2021", (2021, "2021-03")),
        ("0", "", (None, None)),
        ("2023", "2022-11", (2023, "2022-11")),
    ],
)
def test_a_date_says_the_year_where_none_is_given_and_goes_before_one_that_differs(
    year, date, found
):
    (one,) = targets_in("t.csv", sheet([ROWS[0] | {"year": year, "date": date}]).encode())
    assert (one.paper.year, one.paper.published) == found


BAD = [
    (
        "t.csv",
        "title,topic,abstract,year\n"
        f"Naps,{TOPIC},They help.,2020\n"
        "Naps two,,They help.,2021\n"
        f"Naps three,{TOPIC},,2021\n"
        f"Naps four,{TOPIC},They help.,soon\n"
        f'Naps five,{TOPIC},"They help.,1\n'
        "Naps six,Naps six,They help,2020\n"
        f"Naps seven,{TOPIC},They help,20210\n",
        {
            3: "topic is missing",
            4: "idea is missing",
            5: "year: must be a whole number",
            6: "quotation mark",
            7: "repeats the title",
            8: "its year 20210 cannot be told",
        },
    ),
    (
        "t.jsonl",
        '{"topic": "t"}\nnothing\n\n[1]\n'
        + json.dumps({"paper": {"id": "x"}, "idea": {"form": "hypothesis", "fields": {}}}),
        {
            1: "idea is missing",
            2: "is no JSON (column 1",
            4: "is no object",
            5: "paper, title: is missing; topic: is missing; idea",
        },
    ),
    (
        "t.json",
        json.dumps([ROWS[0], {**ROWS[1], "topic": ""}, {"idea": "x"}], indent=1),
        {11: "topic is missing", 20: "topic is missing"},
    ),
    (
        "t.txt",
        PASTED
        + "\nNaps of another kind\nhelp as well.\n\n\nA third\ntopic: A third\nwithout more.\n"
        + "\nA fourth\nTopic: naps\ntopic: sleep\nand no more.\n",
        {11: "topic is missing", 15: "repeats the title", 19: "says twice what its topic is"},
    ),
    (
        "t.csv",
        table((target(1), target(2))),
        {2: "background: 'b1-1; b1-2' is no abstract", 13: "is exported as .jsonl"},
    ),
]


@pytest.mark.parametrize(
    ("name", "text", "faults"), BAD, ids=["table", "lines", "list", "pasted", "exported table"]
)
def test_every_row_that_cannot_be_used_is_named_with_its_line(name, text, faults):
    with pytest.raises(BadInput) as refused:
        targets_in(name, text.encode())
    head, *said = str(refused.value).splitlines()
    assert f"{len(faults)} of" in head
    assert [int(line.split(":")[0].removeprefix("line ")) for line in said] == list(faults)
    assert [
        why for (line, why), one in zip(faults.items(), said, strict=True) if why not in one
    ] == []
    assert "pydantic" not in str(refused.value)
    assert "Input should" not in str(refused.value)


@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        ("t.xlsx", b"PK\x03\x04", ".csv"),
        ("t.csv", b"", "is empty"),
        ("t.json", b"[{]", "line 1: this is no JSON"),
        ("t.json", b"[" * 99_999, "nested|no JSON"),
        ("t.csv", b"name,year\nA,1\n", "Needed are"),
        ("t.csv", b"%PDF-1.7", "a PDF"),
        ("t.txt", b"\xff\xfe", "empty|paragraph"),
    ],
)
def test_a_file_that_holds_no_targets_says_what_is_needed(name, data, why):
    with pytest.raises(BadInput, match=why):
        targets_in(name, data)
