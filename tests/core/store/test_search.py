"""The index of search: what can be found follows what is stored, whoever changes it and however."""

import gzip
import json
import shutil
import sqlite3
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.importing.filing import file_entries
from core.importing.making import Offered
from core.records import Entry, Idea, Packed, Paper, Study, StudyPlan
from core.store import Store, migrations, upkeep
from core.store.backups.snapshot import copy_database
from core.store.cases import Cases
from core.store.own import Imported
from core.store.search import GROUPS, query
from tests.conftest import make_run
from tests.support.stored import HERE

IDEA = Idea(form="hypothesis", fields={"hypothesis": "Naps help pupils remember."})
PAPER = Paper(
    id="p1", title="Orexin in athletes", abstract="Wakefulness.", authors=("Ada Løve",), source="s"
)


def ids(store: Store, words: str, group: str = "") -> list[str]:
    """Return the ids of what is found; the index must agree with what it is an index of."""
    store.connections.write(
        "INSERT INTO search_words (search_words, rank) VALUES ('integrity-check', 1)"
    )
    groups = [group] if group else GROUPS
    return [one.id for name in groups for one in store.search.find(words, name).found]


def collected(store: Store, idea: Idea = IDEA, collection: str = "theirs") -> str:
    sha = store.frozen.keep(idea)
    entry = Entry(
        id="", kind="idea", sha=sha, method="secret", topic="sleep", collection=collection
    )
    store.entries.add(((entry, idea.title),))
    return sha[:16]


def study(store: Store, name: str = "Spring panel") -> str:
    plan = StudyPlan(
        name=name,
        title="Ideas on sleep",
        task="rate",
        kind="idea",
        criteria=({"name": "novelty", "meaning": "m", "low": "l", "high": "h"},),
        consent="c",
        instructions="Read slowly.",
        example="An idea.",
        seed=1,
    )
    store.studies.add(Study(id="s1", plan=plan, state="draft", created="2026-01-01T00:00:00+00:00"))
    return "s1"


def outcome(store: Store, run: str, title: str) -> None:
    data = {"reason": "r", "idea": {"form": "hypothesis", "fields": {"hypothesis": title}}}
    store.connections.write(
        "INSERT OR IGNORE INTO products VALUES (?,?,?,?,?)",
        run,
        "result-1",
        "Outcome",
        json.dumps(data),
        "0001",
    )


# -- found, changed, removed -------------------------------------------------------------------


def test_a_kept_idea_is_found_by_text_note_and_tag_until_it_is_removed(store):
    idea = store.ideas.save(IDEA, None, "written by hand")
    assert ids(store, "pupils", "ideas") == [idea]
    store.ideas.change(idea, note="ask Grace", tags=("memory lab",))
    assert ids(store, "grace") == ids(store, "memory lab") == [idea]
    store.ideas.change(idea, note="")
    assert ids(store, "grace") == []
    store.ideas.remove(idea)
    assert ids(store, "pupils") == []


def test_an_imported_idea_is_found_by_text_topic_and_collection_and_never_by_its_method(store):
    entry = collected(store)
    assert ids(store, "pupils", "ideas") == ids(store, "sleep") == ids(store, "theirs") == [entry]
    assert ids(store, "secret") == []
    (found,) = store.search.find("pupils", "ideas").found
    assert "secret" not in found.model_dump_json()
    store.connections.write("UPDATE entries SET collection = 'ours'")
    assert (ids(store, "theirs"), ids(store, "ours")) == ([], [entry])
    store.entries.remove("ours")
    assert ids(store, "pupils") == []


def test_a_text_that_is_kept_and_in_two_collections_is_found_once(store):
    idea = store.ideas.save(IDEA, None, "written by hand")
    assert {collected(store), collected(store, collection="ours")} == {idea}
    assert ids(store, "pupils", "ideas") == [idea]
    store.ideas.remove(idea)
    store.entries.remove("theirs")
    assert [one.origin for one in store.search.find("pupils", "ideas").found] == ["ours"]


def test_what_a_file_brings_in_is_found_by_its_whole_text(store):
    said = {"method": "m", "topic": "t"}
    offered = Offered(where="row 1", title="Naps", kind="idea", record=IDEA, said=said)
    file_entries(store, "file.csv", "theirs", [offered])
    assert len(ids(store, "remember", "ideas")) == 1


def test_a_run_is_found_by_name_topic_tag_and_result_once(store):
    run = make_run(store, inputs={"topic": "melatonin"})
    assert ids(store, "melatonin", "runs") == [run.id]
    store.runs.change(run.id, title="Lamps", tags=("spring",))
    assert ids(store, "lamps") == ids(store, "spring") == [run.id]
    assert ids(store, "test") == []
    outcome(store, run.id, "Melatonin lamps for nurses")
    assert ids(store, "nurses") == ids(store, "melatonin") == [run.id]
    (found,) = store.search.find("nurses", "runs").found
    assert (found.title, found.about) == ("Lamps", "Melatonin lamps for nurses")
    store.runs.delete(run.id)
    assert ids(store, "melatonin") == ids(store, "lamps") == ids(store, "nurses") == []


def test_look_ups_and_runs_of_an_experiment_are_left_out(store):
    run = make_run(store, inputs={"topic": "melatonin"})
    assert store.search.find("melatonin", "runs", without=("made-up",)).total == 0
    store.runs.adopt(run.id, "an experiment")
    assert ids(store, "melatonin") == []


def test_a_paper_is_found_while_its_list_of_the_library_has_it(store):
    run = make_run(store)
    store.library.add_papers(run.id, [PAPER])
    assert ids(store, "orexin ada wakeful", "papers") == ["p1"]
    renamed = PAPER.model_copy(update={"title": "Hypocretin in athletes"})
    store.library.add_papers(run.id, [renamed])
    assert (ids(store, "orexin"), ids(store, "hypocretin")) == ([], ["p1"])


def test_an_own_paper_goes_with_its_import(store):
    own = PAPER.model_copy(update={"source": "library"})
    taken = Imported(name="f", format="bib", papers=(own,), at=("line 1",))
    store.library.keep_import(taken, "somebody")
    (found,) = store.search.find("orexin", "papers").found
    assert found.about == "own"
    store.library.remove_own(["p1"])
    assert ids(store, "orexin") == []


def test_a_session_is_found_by_how_it_is_held_and_never_by_what_it_hides(store):
    session = study(store)
    assert ids(store, "spring pan", "sessions") == ids(store, "slowly") == [session]
    store.connections.write(
        "INSERT INTO study_keys VALUES ('s1', 'item', 'A', '{\"method\": \"infal\"}')"
    )
    assert ids(store, "infal") == []
    plan = store.studies.get(session).plan
    store.studies.replan(session, plan.model_copy(update={"name": "Autumn panel"}))
    assert (ids(store, "spring"), ids(store, "autumn")) == ([], [session])
    store.studies.remove(session)
    assert ids(store, "autumn") == []


def test_an_opened_case_study_is_no_run_and_goes_when_it_is_closed(store):
    run = make_run(store, inputs={"topic": "melatonin"})
    packed = Packed(title="t", about="Told to a room", at="2026-01-01", sha="a" * 64)
    store.connections.write("UPDATE runs SET packed = ?", packed.model_dump_json())
    assert (ids(store, "melatonin", "runs"), ids(store, "room", "cases")) == ([], [run.id])
    Cases(store.connections).remove(run.id)
    assert ids(store, "melatonin") == []


# -- ways around the shelves -------------------------------------------------------------------


def test_rows_replaced_by_hand_leave_nothing_behind(store):
    idea = store.ideas.save(IDEA, None, "o")
    other = Idea(form="hypothesis", fields={"hypothesis": "Lamps wake nurses."})
    store.connections.write(
        "INSERT OR REPLACE INTO ideas (id, title, data, origin, saved) VALUES (?,?,?,'o','now')",
        idea,
        other.title,
        other.model_dump_json(),
    )
    assert (ids(store, "pupils"), ids(store, "nurses")) == ([], [idea])


def test_what_is_no_json_can_still_be_kept(store):
    store.connections.write(
        "INSERT INTO ideas (id, title, data, origin, saved) VALUES ('x', 'Broken', '{', 'o', 'now')"
    )
    assert ids(store, "broken") == ["x"]


def test_a_write_that_is_undone_is_undone_in_the_index(store):
    def write() -> None:
        with store.connections.writing():
            store.ideas.save(IDEA, None, "o")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write()
    assert ids(store, "pupils") == []


def test_wiping_leaves_no_word_in_any_file(store):
    word = "quetzalcoatlus"
    text = Idea(form="hypothesis", fields={"hypothesis": f"Why {word} slept."})
    store.ideas.save(text, None, "o")
    collected(store, text)
    upkeep.wipe(store)
    assert ids(store, word) == []
    assert store.connections.number("SELECT count(*) FROM search_texts") == 0
    files = [path.read_bytes() for path in store.folder.iterdir() if path.is_file()]
    assert not any(word[:9].encode() in data for data in files)
    store.ideas.save(text, None, "o")
    assert len(ids(store, word)) == 1


def test_a_backup_finds_what_was_there_when_it_was_made(store, tmp_path):
    idea = store.ideas.save(IDEA, None, "o")
    backup = copy_database(store.connections.connection, tmp_path / "before.db")
    store.ideas.remove(idea)
    folder = tmp_path / "restored"
    folder.mkdir()
    shutil.copy(backup, folder / "foundry.db")
    assert (ids(store, "pupils"), ids(Store(folder), "pupils")) == ([], [idea])


def test_making_the_file_smaller_changes_nothing(store):
    """Rows without a number of their own get another one then."""
    kept = [
        store.ideas.save(Idea(form="hypothesis", fields={"hypothesis": text}), None, "o")
        for text in ("Naps one.", "Lamps two.", "Walks three.")
    ]
    store.ideas.remove(kept[0])
    store.connections.connection.execute("VACUUM")
    assert (ids(store, "naps"), ids(store, "lamps"), ids(store, "walks")) == (
        [],
        [kept[1]],
        [kept[2]],
    )
    store.ideas.remove(kept[1])
    assert ids(store, "lamps") == []


# -- stores from before ------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(path.name[:-3] for path in HERE.glob("*.db.gz")))
def test_a_store_from_before_is_filled_as_it_is_opened(tmp_path, name):
    packed = gzip.decompress((HERE / f"{name}.gz").read_bytes())
    (tmp_path / "foundry.db").write_bytes(packed)
    store = Store(tmp_path)
    runs = store.connections.column("SELECT title FROM runs WHERE sweep IS NULL LIMIT 3")
    for title in runs:
        assert store.search.find(title, "runs").total > 0
    (title,) = store.connections.column(
        "SELECT json_extract(data, '$.idea.fields.title') AS title FROM products WHERE kind ="
        " 'Outcome' AND title IS NOT NULL AND run IN (SELECT id FROM runs WHERE sweep IS NULL)"
        " LIMIT 1"
    )
    assert store.search.find(title, "runs").found[0].about
    assert ids(store, "sleep study", "papers")


def test_ideas_and_collections_from_before_are_filled_in(tmp_path, monkeypatch):
    steps = dict(migrations.STEPS)
    monkeypatch.delitem(migrations.STEPS, "m015_search")
    before = tmp_path / "before"
    with closing(sqlite3.connect(before.with_suffix(".db"))) as connection:
        migrations.apply(connection)
    before.mkdir()
    shutil.move(before.with_suffix(".db"), before / "foundry.db")
    store = Store(before)
    store.connections.write(
        "INSERT INTO ideas (id, title, data, origin, saved) VALUES ('x', ?, ?, 'o', 'now')",
        IDEA.title,
        IDEA.model_dump_json(),
    )
    entry = collected(store)
    migrations.STEPS.update(steps)
    store.connections._bring_up_to_date()
    assert sorted(ids(store, "pupils")) == sorted(["x", entry])  # By a name of its own here.


# -- what people type --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def held(tmp_path_factory):
    store = Store(tmp_path_factory.mktemp("held"))
    for text in ("Café naps: state-of-the-art?", "睡眠 helps memory", "a NEAR b OR c"):
        store.ideas.save(Idea(form="hypothesis", fields={"hypothesis": text}), None, "o")
    return store


@given(
    st.text(max_size=60)
    | st.lists(
        st.sampled_from(
            ['"', "*", "NEAR(", ")", "-", "^", ":", "title:", "OR", "NOT", "\x00", "睡"]
        ),
        max_size=8,
    ).map(" ".join)
)
def test_nothing_anybody_types_is_syntax(held, text):
    for group in GROUPS:
        held.search.find(text, group)


@given(st.text(max_size=40), st.text(alphabet=st.characters(), max_size=40))
def test_any_text_can_be_kept_found_and_removed(held, text, note):
    idea = Idea(form="hypothesis", fields={"hypothesis": f"x {text}"})
    name = held.ideas.save(idea, None, "o")
    held.ideas.change(name, note=note.encode("utf-8", "replace").decode())
    held.ideas.remove(name)
    assert name not in ids(held, "x")


@pytest.mark.parametrize(
    ("typed", "times"),
    [
        ("cafe", 1),
        ("CAFÉ", 1),
        ("caf", 1),
        ("af", 0),
        ("state-of-the-art", 1),
        ("the-state", 0),
        ("memory 睡", 1),
        ("near or", 1),
        ("naps memory", 0),
        ("", 0),
        ("  ", 0),
        ("!?", 0),
        ("naps !?", 1),
    ],
)
def test_words_are_found_whatever_their_accents_and_the_last_one_may_be_begun(held, typed, times):
    assert held.search.find(typed, "ideas").total == times


def test_a_letter_alone_is_a_word_and_no_beginning():
    assert query("nap a") == '"nap" "a"'


def test_titles_weigh_more_than_texts_and_what_was_looked_for_is_marked(store):
    texts = {"title": "Lamps", "problem": "Naps.", "objective": "o", "hypothesis": "h"}
    rest = {"method": "m", "expected_impact": "e"}
    store.ideas.save(Idea(form="six-field", fields=texts | rest), None, "o")
    named = texts | rest | {"title": "Naps", "problem": "Lamps and more, of light."}
    best = store.ideas.save(Idea(form="six-field", fields=named), None, "o")
    first, second = store.search.find("naps", "ideas").found
    assert first.id == best
    assert first.passage == ()
    assert second.passage[0] == ("Naps", True)


def test_more_is_counted_than_is_given(store):
    for n in range(7):
        store.ideas.save(
            Idea(form="hypothesis", fields={"hypothesis": f"Naps, version {n}."}), None, "o"
        )
    found = store.search.find("naps", "ideas", limit=3)
    assert (found.total, len(found.found)) == (7, 3)


def test_of_a_run_its_results_are_found_and_not_every_draft(store):
    run = make_run(store)
    store.connections.write(
        "INSERT INTO products VALUES (?, 'draft', 'Idea', ?, '0001')",
        run.id,
        IDEA.model_dump_json(),
    )
    assert ids(store, "pupils") == []
