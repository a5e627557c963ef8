"""Bringing ideas in on screen: what a file holds, what its columns stand for, what became of each
row; and the collections.
"""

import pytest

from core.importing.gathering import entries_of_shelf
from core.records import Idea
from tests.support.scripted import FIRST, refine_script, refinement, runner_of
from tests.support.visiting import host, links, said, settled, visit

TABLE = (
    "keyword,idea,idea_model\nsleep,Naps help *memory*.,gpt\nsleep,,gpt\nsleep,Naps help"
    " *memory*.,gpt\n,No topic.,gpt\nsleep,Dim the light.,claude\n"
)


@pytest.fixture
def runner(tmp_path, monkeypatch):
    runner, _ = runner_of(tmp_path, refine_script([True, False, False]))
    host(monkeypatch, runner)
    return runner


@pytest.fixture
def store(runner):
    return runner.store


def opened(name: str, data: bytes | str):
    """Open the tab with a file chosen in it."""
    app = visit("ideas", **{"ideas:add": "From a file"})
    return settled(
        app.file_uploader(key="ideas:file")
        .set_value((name, data.encode() if isinstance(data, str) else data, "text/plain"))
        .run()
    )


WRITER = "Column of who or what wrote it"


def choice(app, label: str):
    return next(one for one in app.selectbox if one.label.removesuffix(" (needed)") == label)


def texts(app, label: str = "or one value for all rows"):
    return [one for one in app.text_input if one.label == label]


def brought(app):
    return settled(app.button(key="ideas:bring-in").click().run())


def test_a_file_shows_what_it_holds_and_how_it_would_be_read(store):
    app = opened("live.csv", TABLE)
    assert (
        "CSV, separated by commas · UTF-8 · 5 rows · 3 columns · looks like a file of LiveIdeaBench"
        in said(app)
    )
    assert next(iter(app.dataframe[0].value["idea"])) == "Naps help *memory*."
    assert [
        choice(app, name).value
        for name in ("Title column", WRITER, "Model column", "Topic column", "Category column")
    ] == ["", "idea_model", "idea_model", "keyword", None]
    assert texts(app, "Collection")[0].value == "live"
    assert store.entries.bunches() == []


def test_what_is_said_of_an_idea_is_proposed_where_its_text_is_not_recognised(store):
    app = opened(
        "foreign.csv", "Titel,Zusammenfassung,System,Topic\nNickerchen,Sie helfen.,ours,sleep\n"
    )
    assert [choice(app, name).value for name in (WRITER, "Topic column", "Model column")] == [
        "System",
        "Topic",
        None,
    ]
    app = settled(app.multiselect[0].set_value(["Titel", "Zusammenfassung"]).run())
    assert [(one.entries, one.methods) for one in brought(app) and store.entries.bunches()] == [
        (1, 1)
    ]


def test_the_report_stands_in_the_order_of_the_file(store):
    lines = "".join(
        f"sleep,{f'Idea {n}.' if n != 7 else ''},gpt{',extra' if n == 9 else ''}\n"
        for n in range(10)
    )
    app = brought(opened("live.csv", f"keyword,idea,idea_model\n{lines}"))
    assert list(app.dataframe[-1].value["Where"]) == ["line 9", "line 11"]


def test_of_many_rows_that_are_not_taken_the_first_are_drawn(store):
    lines = "".join(f"sleep,{f'Idea {n}.' if n % 2 else ''},gpt\n" for n in range(1_400))
    app = brought(opened("live.csv", f"keyword,idea,idea_model\n{lines}"))
    assert list(app.dataframe[-1].value["Where"]) == [f"line {2 * n + 2}" for n in range(500)]
    assert "700 taken, 0 known already, 700 refused" in said(app).replace("**", "")
    assert "700 rows that were not taken in all; the first 500 are shown." in said(app)


def test_good_rows_come_in_and_bad_ones_are_reported_with_their_line(store):
    app = brought(opened("live.csv", TABLE))
    assert "live.csv into live: 2 taken, 0 known already, 3 refused" in said(app).replace("**", "")
    report = app.dataframe[-1].value
    assert list(report["Where"]) == ["line 3", "line 4", "line 5"]
    assert [
        words in why
        for words, why in zip(
            ("There is no text", "line 2 again", "names no topic"), report["Why"], strict=True
        )
    ] == [True] * 3
    assert [(one.entries, one.methods, one.topics) for one in store.entries.bunches()] == [
        (2, 2, 1)
    ]
    there = {
        (link.page, link.query_string) for link in links(app) if "collection" in link.query_string
    }
    assert there == {
        ("arena", "collection=live"),
        ("ranking", "collection=live"),
        ("sessions", "view=new&collection=live"),
    }
    settled(app.button(key="ideas:report-close:0").click().run())
    assert "taken" not in said(app)


def test_the_same_file_again_is_known_already(store):
    app = brought(brought(opened("live.csv", TABLE)))
    assert "0 taken, 2 known already, 3 refused" in said(app)
    assert store.entries.bunches()[0].entries == 2


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("big.csv", b"x" * 50_000_000, "has 50.0 MB; 25 MB are read at most"),
        ("sheet.csv", b"PK\x03\x04zip", "is a packed file"),
        ("a.json", b'[{"idea": ', "is no JSON: line 1"),
        ("deep.json", b"[" * 50_000, "nested too deeply"),
        ("a.csv", b"idea\n", "holds no idea"),
    ],
)
def test_a_file_that_cannot_be_read_says_why_and_the_page_goes_on(store, name, data, words):
    app = opened(name, data)
    (error,) = app.error
    assert words in error.value.replace("\\", "")
    assert "Collections (" in said(app)
    app = settled(
        app.file_uploader(key="ideas:file")
        .set_value(("good.csv", TABLE.encode(), "text/csv"))
        .run()
    )
    assert (len(app.error), "5 rows" in said(app)) == (0, True)


def test_a_guessed_encoding_is_said_and_a_damaged_row_named(store):
    app = opened("old.csv", "idea,system,topic\nZoë naps.,A,sleep\n".encode("cp1252"))
    assert len(app.warning) == 1
    assert "Windows-1252, guessed" in said(app)
    assert list(app.dataframe[0].value["idea"]) == ["Zoë naps."]
    app = brought(
        opened(
            "bad.csv", "idea,system,topic\nZoë naps.,A,sleep\n".encode() + b"Zo\xeb naps.,A,sleep\n"
        )
    )
    assert "the byte 0xEB" in app.dataframe[-1].value["Why"][0]
    assert store.entries.bunches()[0].entries == 1


def test_nothing_is_brought_in_before_the_topic_is_said(store):
    app = opened("plain.json", '[{"idea": "Naps help."}, {"idea": "Dim the light."}]')
    assert "Say the topic above" in said(app)
    app = settled(app.button(key="ideas:bring-in").click().run())
    assert "Say the topic above" in said(app)
    assert store.entries.bunches() == []
    texts(app)[1].set_value("sleep")
    app = settled(app.run())
    texts(app, "Collection")[0].set_value("sleep ideas")
    app = brought(app)
    assert [(one.name, one.entries, one.methods) for one in store.entries.bunches()] == [
        ("sleep ideas", 2, 1)
    ]
    assert {one.method for one, _ in store.entries.of(("sleep ideas",))} == {"plain"}


def test_a_person_says_which_columns_hold_the_text(store):
    app = opened("own.csv", "a,b,c,what\nFirst.,Second.,Ada,naps\n")
    assert "No column was given for the text" in said(app)
    app.multiselect[0].set_value(["a", "b"])
    choice(app, WRITER).set_value("c")
    choice(app, "Topic column").set_value("what")
    brought(settled(app.run()))
    ((entry, _),) = store.entries.of(("own",))
    assert (entry.method, entry.topic, store.frozen.get(entry.sha, Idea).text) == (
        "Ada",
        "naps",
        "A: First.\n\nB: Second.",
    )


PEOPLE = (
    "Idea title,What we would do,Who\n"
    "Sparse attention,We would train a sparse attention model on genomes to find operons.,Ada\n"
    "Dropout,We would impute dropouts by a mixture model that borrows within a cell type.,Ada\n"
    "Meshes,We would predict activation maps on heart meshes by a neural operator.,Ben\n"
)


def test_a_table_with_columns_of_its_own_names_needs_a_topic_alone(store):
    app = opened("own.csv", PEOPLE)
    assert [app.multiselect[0].value, choice(app, "Title column").value] == [
        ["What we would do"],
        "Idea title",
    ]
    assert choice(app, WRITER).value == "Who"
    assert "“What we would do” is taken for the text" in said(app)
    shown = [one.value for one in app.markdown]
    below = shown[shown.index("**Sparse attention**") + 1]
    assert below.startswith("We would train"), "its title stands above already"
    texts(app)[1].set_value("genomes")
    app = brought(settled(app.run()))
    assert not app.session_state["ideas:adding"], "the form is folded once it is done"
    assert "3 taken" in said(app)
    ideas = store.ideas.listed()
    assert [one.idea.title for one in ideas] == ["Sparse attention", "Dropout", "Meshes"]
    assert [one.method for one in ideas] == ["Ada", "Ada", "Ben"]


def test_a_file_of_many_rows_is_listed_as_it_stands(store, monkeypatch):
    monkeypatch.setattr("core.importing.filing.BATCH", 2)
    rows = "".join(f"Idea {n}.,A,sleep\n" for n in range(9))
    brought(opened("own.csv", f"idea,system,topic\n{rows}"))
    titles = [one.idea.title for one in store.ideas.listed()]
    assert titles == [f"Idea {n}." for n in range(9)]
    store.ideas.change(store.ideas.listed()[4].id, starred=True)
    assert [one.idea.title for one in store.ideas.listed()] == titles


OWN = (
    "Working title,Why it matters,What we would do\nNap chains,Sleep is short.,Chain the #1 naps.\n"
)


def test_a_title_column_is_recognised_and_the_first_idea_is_shown_before_the_import(store):
    app = opened("own.csv", OWN)
    assert choice(app, "Title column").value == "Working title"
    app = settled(app.multiselect[0].set_value(["Why it matters", "What we would do"]).run())
    assert "The first as it will be imported" in said(app), "before its method and topic are said"
    assert "Say the topic above" in said(app)
    texts(app)[0].set_value("Ours")
    texts(app)[1].set_value("sleep")
    app = settled(app.run())
    shown = said(app).replace("\\", "")
    assert "The first as it will be imported, from line 2" in shown
    assert "**Nap chains**" in shown
    assert "Why it matters: Sleep is short." in shown.replace(":small{}", "")
    assert store.entries.bunches() == []
    brought(app)
    ((entry, title),) = store.entries.of(("own",))
    assert (title, store.frozen.get(entry.sha, Idea).title) == ("Nap chains", "Nap chains")


def test_no_title_column_may_be_chosen(store):
    app = opened("live.csv", "idea,headline,system,topic\nNap daily.,Naps,A,sleep\n")
    assert choice(app, "Title column").value == "headline"
    choice(app, "Title column").set_value("")
    brought(settled(app.run()))
    ((entry, title),) = store.entries.of(("live",))
    assert (title, store.frozen.get(entry.sha, Idea).text) == ("Nap daily.", "Nap daily.")


def test_rows_that_make_no_idea_are_said_before_the_import(store):
    app = opened("a.csv", "idea,system,topic\n,A,sleep\n")
    assert "No idea comes of the first rows" in app.warning[0].value
    assert "Line 2: there is no text" in app.warning[0].value.replace("\\", "")


def test_what_is_needed_is_marked_and_one_size_is_named(store):
    app = opened("own.csv", OWN)
    needed = [one.label for one in app.selectbox if one.label.endswith("(needed)")]
    assert needed == ["Topic column (needed)"]
    assert texts(app)[0].placeholder == "own, unless you say another"
    assert texts(app)[2].placeholder == ""
    assert app.file_uploader(key="ideas:file").proto.max_upload_size_mb == 25
    assert "25 MB and" in said(app)


def test_experiment_designs_come_in_as_designs(store):
    app = opened(
        "coi.json",
        '{"topic": "sleep", "idea": "Naps.", "experiment": "Test naps.", "trend": "Up."}',
    )
    kinds = next(one for one in app.button_group if one.label == "They are")
    app = brought(settled(kinds.set_value("design").run()))
    assert [(one.kind, one.entries) for one in store.entries.bunches()] == [("design", 1)]
    assert not any(
        link.page == "ranking" and "collection" in link.query_string for link in links(app)
    )


def test_hostile_cells_are_shown_as_text(store):
    app = brought(
        opened(
            "<b>x.csv",
            "idea,system,topic\n<script>alert(1)</script> :red[x] ![y](z),<img"
            " src=x>,$x$\n,[a](b),:red[t]\n",
        )
    )
    assert len(store.entries.bunches()) == 1
    assert not app.error


def test_runs_and_shelf_ideas_are_put_into_a_collection(runner, store):
    run = refinement(runner, rounds=3)
    runner.work(run.id)
    idea, other = (
        store.ideas.save(one, None, "")
        for one in (FIRST, Idea(form="hypothesis", fields={"hypothesis": "Dim it."}))
    )
    entries_of_shelf(store, (other,), "mine", "Ada", "naps")
    app = visit("ideas")
    app.multiselect(key="collections:runs").set_value([run.id])
    app.multiselect(key="collections:ideas").set_value([idea])
    app.selectbox(key="collections:into").set_value("mine")
    app.text_input(key="collections:topic").set_value("naps")
    app = settled(
        next(one for one in app.button if one.label == "Add to the collection").click().run()
    )
    assert "1 taken, 0 known already, 0 refused" in said(app)
    assert "say its method" in app.dataframe[-1].value["Why"][0]
    assert [(entry.method, entry.topic) for entry, _ in store.entries.of(("mine",))] == [
        ("Ada", "naps"),
        ("Adversarial refinement, at most 3 rounds, from a given idea", "naps"),
    ]


def test_a_collection_without_a_name_or_a_choice_is_asked_for(store):
    store.ideas.save(FIRST, None, "")
    app = visit("ideas")
    app = settled(
        next(one for one in app.button if one.label == "Add to the collection").click().run()
    )
    assert "Choose a run, or a kept idea" in said(app)
    app.multiselect(key="collections:ideas").set_value([store.ideas.listed()[0].id])
    app = settled(
        next(one for one in app.button if one.label == "Add to the collection").click().run()
    )
    assert "Name the collection" in said(app)


def test_removing_a_collection_asks_first(store):
    idea = store.ideas.save(FIRST, None, "")
    entries_of_shelf(store, (idea,), "mine", "Ada", "naps")
    app = visit("ideas")
    app = settled(app.button(key="collections:Remove:idea:mine").click().run())
    assert store.entries.bunches()
    settled(app.button(key="collections:remove-for-good").click().run())
    assert store.entries.bunches() == []


def test_a_collection_that_grew_while_its_removal_was_asked_about_stays(store):
    idea = store.ideas.save(FIRST, None, "")
    entries_of_shelf(store, (idea,), "mine", "Ada", "naps")
    app = visit("ideas")
    app = settled(app.button(key="collections:Remove:idea:mine").click().run())
    assert "the list of its 1 entry here" in said(app)
    entries_of_shelf(store, (idea,), "mine", "Bo", "naps")
    app = settled(app.button(key="collections:remove-for-good").click().run())
    assert "has 2 entries now" in said(app)
    seen = store.entries.bunches()
    assert [one.entries for one in seen] == [2]
    app = settled(app.button(key="collections:Remove:idea:mine").click().run())
    settled(app.button(key="collections:remove-for-good").click().run())
    assert store.entries.bunches() == []
    assert store.entries.remove("mine", seen) == 0, "a second click"


def test_no_collection_says_what_to_do(store):
    assert "No collection yet" in said(visit("ideas"))


def test_a_collection_can_be_looked_into(store):
    idea = store.ideas.save(FIRST, None, "")
    entries_of_shelf(store, (idea,), "mine", "Ada", "naps")
    app = visit("ideas")
    app = settled(app.button(key="collections:Look inside:idea:mine").click().run())
    inside = app.dataframe[-1].value
    assert (list(inside["Title"]), list(inside["Method"]), list(inside["Topic"])) == (
        [FIRST.title],
        ["Ada"],
        ["naps"],
    )
    assert app.selectbox(key="collections:read").options == [f"{FIRST.title} (Ada, naps)"]
