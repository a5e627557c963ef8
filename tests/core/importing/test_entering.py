"""Ideas from anywhere: every format is read, every row is accounted for, and what is taken is a
frozen copy.
"""

import json

import pytest

from core.errors import BadInput
from core.export.bundling import bundle
from core.importing.filing import BATCH, FilingReport, bring_in
from core.importing.gathering import entries_of_run, entries_of_shelf
from core.importing.mapping import Mapping, proposed, system_of
from core.importing.own import taken_along
from core.importing.reading import read
from core.judging.headed import sections
from core.methods import BaselineInputs
from core.records import ACTORS, FORMS, HEADINGS, Design, Idea, Outcome, Record
from core.runs.runner import Runner
from core.story import Story
from tests.conftest import ScriptedModel, Shop
from tests.core.export.test_whose_words import branch_of_a_chain
from tests.support.scripted import (
    FIRST,
    baseline_script,
    chain,
    chain_script,
    configured,
    experiment_script,
    refine_script,
    refinement,
    runner_of,
    small_source,
)

SIX = {name: f"The {name} of it." for name in FORMS["six-field"]}
PARTS = {
    "Problem": "p",
    "Existing Methods": "e",
    "Motivation": "m",
    "Proposed Method": "pm",
    "Experiment Plan": "ep",
}
DESIGN = {
    "setup": "A lab.",
    "models": "A mixed model.",
    "datasets": "SleepBank",
    "baselines": "No nap",
    "metrics": "Recall",
    "procedure": "1. Nap.\n2. Test.",
    "analysis": "A paired test.",
}
SEVEN = "\n".join(f"## {heading}\nWhat stands under {heading}.\n" for heading in HEADINGS)


def brought(
    store, name: str, data: str | bytes, kind: str = "idea", into: str = "mine", **constants: str
) -> FilingReport:
    """Bring a file in as its columns propose, with these constants where it has none."""
    sheet = read(name, data.encode() if isinstance(data, str) else data)
    mapping = proposed(sheet, kind)
    assert mapping, sheet.columns
    return bring_in(
        store,
        sheet,
        mapping.model_copy(
            update={"constants": {"method": "M", "topic": "T", **mapping.constants, **constants}}
        ),
        into,
    )


def texts(store, kind: str = "idea", into: str = "mine") -> list[str]:
    found = [store.frozen.get(entry.sha, Record) for entry, _ in store.entries.of((into,), kind)]
    return sorted(one.text if isinstance(one, Idea) else one.setup for one in found)


def why(report: FilingReport) -> dict[str, str]:
    return {one.where: one.reason for one in report.refused}


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.csv", "idea,system\nNaps help.,X\n"),
        ("a.csv", "\n\nidea;system\r\nNaps help.;X\r\n"),
        ("a.tsv", "idea\tsystem\nNaps help.\tX"),
        ("a.csv", "idea|system\rNaps help.|X"),
        ("a.csv", '"system","idea"\n"X","Naps help."'),
        ("a.txt", "idea;system\nNaps help.;X"),
        ("a.json", '[{"idea": "Naps help.", "system": "X"}]'),
        ("a.json", '{"system": "X", "ideas": [{"idea": "Naps help."}]}'),
        ("a.json", '{"system": "X", "ideas": ["Naps help."]}'),
        ("a.jsonl", '{"idea": "Naps help.", "system": "X"}\n\n'),
        ("a.json", '{"idea": "Naps help.", "system": "X"}\n{"idea": "", "system": "X"}'),
        ("a.txt", '[{"idea": "Naps help.", "system": "X"}]'),
        ("a.md", "---\nsystem: X\n---\nNaps help."),
        ("a.md", "system: X\n\nNaps help."),
        ("a.json", '{"runs": [{"out": {"idea": "Naps help."}, "meta": {"system": "X"}}]}'),
    ],
)
def test_the_same_idea_comes_out_of_every_format(store, name, data):
    report = brought(store, name, data)
    assert [(one.method, one.topic, one.kind) for one in report.taken] == [("X", "T", "idea")]
    assert texts(store) == ["Naps help."]


@pytest.mark.parametrize(
    ("encoding", "said"),
    [
        ("utf-8", "UTF-8"),
        ("utf-8-sig", "UTF-8, by its mark"),
        ("utf-16", "UTF-16, by its mark"),
        ("utf-16-le", "UTF-16, guessed"),
        ("utf-32", "UTF-32, by its mark"),
        ("cp1252", "Windows-1252, guessed: byte 0x80"),
    ],
)
def test_letters_survive_every_encoding_and_a_guess_is_said(store, encoding, said):
    data = 'idea,topic\n"Naps cost 5 €, said Zoë, and ""help""\nover two lines.",sleep\n'.encode(
        encoding
    )
    report = brought(store, "a.csv", data)
    assert report.encoding.startswith(said)
    assert texts(store) == ['Naps cost 5 €, said Zoë, and "help"\nover two lines.']


def test_every_bad_row_is_named_with_its_line_and_reason_and_the_good_ones_come_in(store):
    rows = [
        "idea,system,topic",
        "Naps help.,A,sleep",
        ",A,sleep",
        "No method.,,sleep",
        "No topic.,A,",
        "Naps help.,A,sleep",
        "Naps help.,B,sleep",
        f"{'x' * 20_001},A,sleep",
        "Bell \x07 rings.,A,sleep",
        "one,too,many,cells",
        '"open,A,sleep',
        "Last.,A,sleep",
        f"Long.,{'m' * 201},sleep",
    ]
    sheet = read("a.csv", "\n".join(rows).encode())
    report = bring_in(store, sheet, proposed(sheet), "mine")
    assert [one.where for one in report.taken] == ["line 2", "line 7", "line 12"]
    said = why(report)
    for line, words in {
        3: "There is no text",
        4: "names no method",
        5: "names no topic",
        6: "It is line 2 again",
        8: "20,001 characters",
        9: "U+0007",
        10: "4 cells under 3 column names",
        11: "quotation mark",
        13: "method has 201 characters",
    }.items():
        assert words in said[f"line {line}"], said
    assert len(said) == 9
    assert all(reason[0].isupper() and reason.endswith(".") for reason in said.values())


def test_a_damaged_line_costs_that_line_and_names_its_byte(store):
    report = brought(
        store, "a.csv", "idea\nZoë naps.\n".encode() + b"Zo\xeb sleeps.\n" + b"Bo naps.\n"
    )
    assert report.encoding == "UTF-8, damaged from line 3 on"
    assert texts(store) == ["Bo naps.", "Zoë naps."]
    assert "the byte 0xEB" in why(report)["line 3"]


def test_names_in_json_that_differ_in_white_space_only_stand_for_two_columns():
    sheet = read("a.json", json.dumps([{"idea": "One.", "idea ": "Two."}]).encode())
    assert sheet.columns == ("idea", "idea (2)")
    assert [row.cells for row in sheet.rows] == [{"idea": "One.", "idea (2)": "Two."}]


def test_what_markdown_says_of_an_idea_a_second_time_stays_in_its_text():
    text = "# Naps\nSource: the first\nsource: the second\n\nNaps help.\n"
    (row,) = read("a.md", text.encode()).rows
    assert row.cells["source"] == "the first"
    assert row.cells["text"] == "source: the second\n\nNaps help."


def test_a_broken_line_of_json_lines_takes_no_other_along(store):
    report = brought(
        store,
        "a.jsonl",
        '{"idea": "One."}\n{"idea": "Tw\n7\n{"idea": "\\ud800"}\n{"idea": "Three."}\n',
    )
    assert texts(store) == ["One.", "Three."]
    for where, words in {
        "line 2": "no JSON",
        "line 3": "no object",
        "line 4": "half a character",
    }.items():
        assert words in why(report)[where]


def test_bringing_a_file_in_again_changes_nothing_and_says_so(store):
    first, again = (brought(store, "a.csv", "idea\nOne.\nTwo.\n") for _ in range(2))
    assert (len(first.taken), len(again.taken), [one.where for one in again.known]) == (
        2,
        0,
        ["line 2", "line 3"],
    )
    assert "has it already, from a.csv, line 2" in again.known[0].reason
    elsewhere = brought(store, "b.csv", "idea\nTwo.\nThree.\n")
    assert ([one.title for one in elsewhere.taken], [one.title for one in elsewhere.known]) == (
        ["Three."],
        ["Two."],
    )
    assert len(brought(store, "a.csv", "idea\nOne.\n", into="another").taken) == 1


def test_more_rows_than_a_batch_all_come_in(store):
    report = brought(
        store, "a.csv", "idea\n" + "".join(f"Idea {n}.\n" for n in range(2 * BATCH + 1))
    )
    assert len(report.taken) == 2 * BATCH + 1
    assert store.entries.bunches()[0].entries == 2 * BATCH + 1


def test_a_frozen_copy_stays_when_its_collection_goes(store):
    (taken,) = brought(store, "a.csv", "idea\nOne.\n").taken
    sha = store.entries.get(taken.entry).sha
    assert store.entries.remove("mine") == 1
    assert store.frozen.get(sha, Idea).text == "One."


@pytest.mark.parametrize(
    ("data", "system", "expected"),
    [
        (
            [{"keyword": "sleep", "idea": "Nap.", "idea_model": "gpt", "critic_model": "c"}],
            "LiveIdeaBench",
            ("gpt", "gpt", "sleep", "Nap."),
        ),
        (
            {"topic_description": "sleep", "ideas": {"Nap chains": PARTS}},
            "AI-Researcher",
            ("AI-Researcher", "", "sleep", "Nap chains\n\nProblem: p"),
        ),
        (
            {"topic_description": "sleep", "ideas": [{"Nap chains": PARTS}]},
            "AI-Researcher",
            ("AI-Researcher", "", "sleep", "Nap chains\n\nProblem: p"),
        ),
        (
            {"topic_description": "sleep", "ideas": {"Nap chains": "Nap in a chain."}},
            "",
            ("M", "", "sleep", "Nap chains\n\nNap in a chain."),
        ),
        (
            {
                "topic": "sleep",
                "idea": "Nap.",
                "experiment": "Test naps.",
                "trend": "Up.",
                "papers": [{"title": "x"}],
            },
            "CoI",
            ("CoI", "", "sleep", "Nap."),
        ),
        ({"Sleep": ["Nap."], "Light": ["Dim it."]}, "", ("M", "", "Sleep", "Nap.")),
        (
            [
                {
                    "result": {"idea": {"title": "Nap", "abstract": "Nap daily."}},
                    "meta": {"modelName": "gpt"},
                }
            ],
            "",
            ("gpt", "gpt", "T", "Nap daily."),
        ),
    ],
)
def test_other_systems_files_are_known_by_their_shape(store, data, system, expected):
    text = json.dumps(data)
    assert system_of(read("result.json", text.encode())) == system
    brought(store, "result.json", text)
    first = next(one for one, _ in store.entries.of(("mine",)) if expected[2] == one.topic)
    method, model, topic, words = expected
    assert (first.method, first.model, first.topic) == (method, model, topic)
    assert words in store.frozen.get(first.sha, Idea).text


def test_an_experiment_in_one_text_competes_as_a_design(store):
    brought(
        store,
        "coi.json",
        json.dumps({"idea": "Nap.", "experiment": "Test naps in a lab.", "trend": "Up."}),
        kind="design",
    )
    assert (texts(store), texts(store, "design")) == ([], ["Test naps in a lab."])


def test_a_design_is_read_by_its_seven_parts_and_a_missing_one_is_named(store):
    report = brought(
        store, "a.json", json.dumps([DESIGN, {**DESIGN, "metrics": " "}]), kind="design"
    )
    (taken,) = report.taken
    assert store.frozen.get(store.entries.get(taken.entry).sha, Design).procedure == (
        "Nap.",
        "Test.",
    )
    assert why(report) == {"item 2": "Nothing stands under 'metrics'."}


@pytest.mark.parametrize(
    ("text", "form"),
    [
        (
            "# Naps\n"
            + "".join(
                f"## {name.replace('_', ' ').capitalize()}\n{said}\n"
                for name, said in SIX.items()
                if name != "title"
            ),
            "six-field",
        ),
        (
            "".join(
                f"**{name.replace('_', ' ').capitalize()}:** {said}\n" for name, said in SIX.items()
            ),
            "six-field",
        ),
        (
            "# Naps\n"
            + "".join(f"## {name.capitalize()}\nThe {name}.\n" for name in FORMS["chain"][1:]),
            "chain",
        ),
        (f"# Naps\n{SEVEN}", "headed"),
        (SEVEN, "headed"),
    ],
)
def test_headings_that_name_parts_make_one_idea(store, text, form):
    (taken,) = brought(store, "idea.md", text).taken
    idea = store.frozen.get(store.entries.get(taken.entry).sha, Idea)
    assert idea.form == form
    assert all(heading in idea.text for heading in HEADINGS[1:] if form == "headed")


def test_markdown_holds_one_idea_a_heading_or_a_rule(store):
    brought(
        store,
        "a.md",
        "# Ideas on sleep\n\n## Nap\nNap daily.\n```\n# no heading\n---\n```\n\n## Dim\ntopic:"
        " light\n\nDim it.\n",
    )
    assert {entry.topic for entry, _ in store.entries.of(("mine",))} == {"Ideas on sleep", "light"}
    assert [text.splitlines()[0] for text in texts(store)] == ["Dim", "Nap"]
    report = brought(store, "b.md", "One.\n\n---\n\nTwo.\n***\n\n---\n# Empty\n", into="rules")
    assert ([one.title for one in report.taken], why(report)) == (
        ["One.", "Two."],
        {"line 9": "There is no text: nothing stands under 'text'."},
    )
    assert [one.where for one in report.taken] == ["line 1", "line 5"]


def test_seven_headings_again_begin_the_next_idea(store):
    assert (
        len(brought(store, "a.md", SEVEN + SEVEN.replace("What", "Something else that")).taken) == 2
    )


def test_a_person_decides_what_columns_stand_for(store):
    sheet = read("a.csv", b"a,b,c,d\nFirst half.,Second half.,Xi,naps\n")
    assert proposed(sheet) is None
    mapping = Mapping(
        columns=("a", "b"),
        places={"method": "c", "topic": "d"},
        constants={"model": "gpt", "topic": "overruled"},
    )
    (taken,) = bring_in(store, sheet, mapping, " my  ideas ").taken
    entry = store.entries.get(taken.entry)
    assert (entry.method, entry.model, entry.topic, entry.collection, entry.source) == (
        "Xi",
        "gpt",
        "naps",
        "my ideas",
        "a.csv, line 2",
    )
    assert store.frozen.get(entry.sha, Idea).text == "A: First half.\n\nB: Second half."


@pytest.mark.parametrize(
    ("mapping", "collection", "said"),
    [
        (Mapping(columns=("nowhere",)), "mine", "has no column 'nowhere'. It has idea."),
        (Mapping(columns=("idea",)), "  ", "Name the collection"),
    ],
)
def test_what_cannot_be_done_is_refused_before_any_row(store, mapping, collection, said):
    with pytest.raises(BadInput, match=said):
        bring_in(store, read("a.csv", b"idea\nOne.\n"), mapping, collection)
    assert store.entries.bunches() == []


def test_what_a_run_came_to_competes_too(tmp_path):
    runner, _ = runner_of(tmp_path, refine_script([True, False, False]))
    run = refinement(runner, rounds=3)
    runner.work(run.id)
    report = entries_of_run(runner.store, run.id, "mine")
    (entry,) = [one for one, _ in runner.store.entries.of(("mine",))]
    made = "Adversarial refinement, at most 3 rounds, from a given idea"
    assert (entry.method, entry.model, entry.topic, len(report.taken)) == (
        made,
        "scripted:one",
        "sleep and memory",
        1,
    )
    assert (
        runner.store.frozen.get(entry.sha, Idea)
        == Story.of(runner.store, run.id).last(Outcome).idea
    )
    assert len(entries_of_run(runner.store, run.id, "mine").known) == 1
    assert (
        entries_of_run(runner.store, run.id, "mine", method="Ours", topic="sleep").taken[0].method
        == "Ours"
    )


def test_a_chains_idea_and_its_design_come_along_and_so_do_a_baselines(tmp_path):
    runner, _ = runner_of(
        tmp_path, chain_script() | baseline_script() | experiment_script(), small_source()
    )
    run = chain(runner)
    direct = runner.begin(
        configured(runner, "direct", BaselineInputs(topic="sleep 2018")), "Direct"
    )
    for one in (run, direct):
        assert runner.work(one.id) == "done"
        entries_of_run(runner.store, one.id, "mine", topic="sleep")
    for kind in ("idea", "design"):
        assert [entry.method for entry, _ in runner.store.entries.of(("mine",), kind)] == [
            "Chain of ideas, 1 branch",
            "Direct prompting",
        ]


def test_a_bundle_of_a_run_is_read_as_the_run_itself(tmp_path, store):
    runner, _ = runner_of(tmp_path / "there", chain_script() | experiment_script(), small_source())
    run = chain(runner)
    runner.work(run.id)
    entries_of_run(runner.store, run.id, "mine")
    brought(store, "run.json", bundle(runner.store, run.id))
    for kind in ("idea", "design"):
        there, here = (
            [
                (one.sha, one.method, one.topic, one.source)
                for one, _ in which.entries.of(("mine",), kind)
            ]
            for which in (runner.store, store)
        )
        assert here == there != []


def test_a_bundle_of_a_branch_names_all_that_wrote_it(tmp_path, store):
    models = {name: ScriptedModel(refine_script(), name) for name in ("openai:a", "openai:b")}
    runner = Runner(Shop(tmp_path / "there", models, small_source()))
    run = refinement(runner, rounds=2, models=dict.fromkeys(("main", *ACTORS), "openai:a"))
    assert runner.work(run.id) == "done"
    other = dict.fromkeys(("main", *ACTORS), "openai:b")
    branch = runner.fork(
        run.id, "round-2/revise", lambda config: config.model_copy(update={"models": other})
    )
    assert runner.work(branch.id) == "done"
    for one, by in ((run, "openai:a"), (branch, "openai:a, then openai:b")):
        brought(store, "run.json", bundle(runner.store, one.id), into=one.id)
        ((entry, _),) = store.entries.of((one.id,), "idea")
        assert entry.model == by


def test_a_bundle_of_a_branch_tells_who_wrote_the_idea_from_who_designed_the_experiment(
    tmp_path, store
):
    there, _, branch = branch_of_a_chain(
        tmp_path / "there", "openai:a", "openai:b", "experiment-design"
    )
    brought(store, "run.json", bundle(there, branch.id))
    by = {kind: store.entries.of(("mine",), kind)[0][0].model for kind in ("idea", "design")}
    assert by == {"idea": "openai:a", "design": "openai:b"}


def test_a_run_without_an_idea_says_so(tmp_path):
    runner, _ = runner_of(tmp_path, refine_script())
    run = refinement(runner, idea=None)
    assert "no idea yet" in entries_of_run(runner.store, run.id, "mine").refused[0].reason
    with pytest.raises(BadInput):
        entries_of_run(runner.store, "nowhere", "mine")


def test_shelf_ideas_need_a_method_and_a_topic_where_no_run_says_them(tmp_path):
    runner, _ = runner_of(tmp_path, refine_script([True, False, False]))
    run = refinement(runner, rounds=3)
    runner.work(run.id)
    shelf = runner.store.ideas
    mine, made = (
        shelf.save(FIRST, None, "written by hand"),
        shelf.save(
            Idea(form="hypothesis", fields={"hypothesis": "From the run."}), run.id, "round 1"
        ),
    )
    report = entries_of_shelf(runner.store, (mine, made, "gone"), "mine")
    assert [one.topic for one in report.taken] == ["sleep and memory"]
    assert "say its method and its topic" in why(report)[mine]
    assert "no idea" in why(report)["gone"]
    assert (
        entries_of_shelf(runner.store, (mine,), "mine", method="Ada", topic="naps").taken[0].method
        == "Ada"
    )


def test_a_collection_taken_along_is_the_same_collection_elsewhere(tmp_path, store):
    from core.store import Store

    brought(
        store,
        "a.json",
        json.dumps(
            [
                {**SIX, "system": "X", "topic": "a"},
                {**SIX, "title": "Other", "system": "Y", "topic": "a", "category": "Physics"},
            ]
        ),
    )
    brought(store, "a.json", json.dumps([DESIGN]), kind="design")
    brought(
        store,
        "coi.json",
        json.dumps({"idea": "Nap.", "experiment": "Test naps in a lab.", "trend": "Up."}),
        kind="design",
    )
    elsewhere = Store(tmp_path / "elsewhere")
    brought(elsewhere, "mine.jsonl", taken_along(store, "mine"))
    for kind in ("idea", "design"):
        assert elsewhere.entries.of(("mine",), kind) == store.entries.of(("mine",), kind) != []


OWN = (
    "Working title,Why it matters,What we would do,Who\n"
    "Nap chains,Sleep is short.,Chain the naps.,Ada\n"
    ",Light is bright.,Dim it.,Bo\n"
)


@pytest.mark.parametrize(
    ("columns", "title"),
    [
        (("Why it matters", "What we would do"), "Working title"),
        (("Working title", "Why it matters", "What we would do"), ""),
    ],
)
def test_a_column_of_titles_names_the_ideas_and_no_title_is_a_columns_name(store, columns, title):
    sheet = read("own.csv", OWN.encode())
    mapping = Mapping(
        columns=columns, title=title, places={"method": "Who"}, constants={"topic": "sleep"}
    )
    report = bring_in(store, sheet, mapping, "mine")
    held = {entry.method: (entry, name) for entry, name in store.entries.of(("mine",))}
    entry, name = held["Ada"]
    idea = store.frozen.get(entry.sha, Idea)
    assert [idea.title, name, report.taken[0].title] == ["Nap chains"] * 3
    assert idea.text == (
        "Nap chains\n\nWhy it matters: Sleep is short.\n\nWhat we would do: Chain the naps."
    )
    entry, name = held["Bo"]
    assert name == store.frozen.get(entry.sha, Idea).title == "Why it matters: Light is bright."


@pytest.mark.parametrize(
    ("header", "title", "texts"),
    [
        ("Idea,Working title,System", "Working title", ("Idea",)),
        ("Idea,Short headline title,System", "Short headline title", ("Idea",)),
        ("Idea,Project name,Title", "Title", ("Idea",)),
        ("Idea,Headline", "Headline", ("Idea",)),
        ("Idea,Name,System", "Name", ("Idea",)),
        ("Idea,Name", "", ("Idea",)),
        ("Idea,Author name,Paper title,Model name", "", ("Idea",)),
        ("Title,Motivation,Experiment plan", "Title", ("Motivation", "Experiment plan")),
    ],
)
def test_a_title_is_proposed_by_its_columns_name(header, title, texts):
    cells = ",".join("x" for _ in header.split(","))
    mapping = proposed(read("a.csv", f"{header}\n{cells}\n".encode()))
    assert (mapping.title, mapping.columns) == (title, texts)


def test_a_section_of_a_checklist_idea_is_written_by_its_own_name(store):
    names = ",".join(f'"{name}"' for name in HEADINGS)
    brought(store, "a.csv", f"{names}\n" + ",".join(f"It is {n}." for n in range(7)) + "\n")
    (text,) = texts(store)
    assert text.startswith("It is 0.\n\nCore Problem: It is 1.")
    assert [one.name for one in sections(text)] == list(HEADINGS[1:])
