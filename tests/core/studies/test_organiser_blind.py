"""The organiser stays blind: before the key is opened no screen, verb or file holds a label beside
its source.
"""

import json
import re

import pytest

from components.sessions import kept
from core.export.sessions.folder import files
from core.store import Store
from core.store.connection import Connections
from core.studies import organising
from core.studies.setting_up import replan
from tests.support.arena_kit import METHODS, arena_shop, entries, one_paragraph
from tests.support.arena_kit import entry as made_entry
from tests.support.headless import cli, server
from tests.support.sessions import studies_kit as kit
from tests.support.sessions.annotate_kit import sent
from tests.support.visiting import host, links, said, visit

__all__ = ["cli", "server"]
TASKS = ("rate", "rank", "compare", "comment")
TAKEN = (".csv", ".json", ".jsonl", ".md", ".txt", ".tex")
SOURCES = (*kit.METHODS, kit.MODEL, "run-secret", "Title ")


@pytest.fixture
def store(tmp_path, monkeypatch) -> Store:
    runner, _ = arena_shop(tmp_path, judges=("scripted:one", "builtin"))
    monkeypatch.setattr(kept, "_held", {})
    return host(monkeypatch, runner)


def labels(store: Store, study: str) -> list[str]:
    return [one for one in store.studies.items(study) if one not in kit.ATTENTION]


def beside(text: str, names, sources=SOURCES) -> list[tuple[str, str]]:
    """Return labels and sources that both stand in a text."""
    return [
        (label, source)
        for label in names
        if re.search(rf"\b{label}\b", text)
        for source in sources
        if source in text
    ]


def pieces(app) -> list[str]:
    """Return what a page shows, piece by piece: a text, or the row of a table; and where its links
    lead.
    """
    rows = [
        " ".join(map(str, row))
        for kind in (app.dataframe, app.table)
        for one in kind
        for row in one.value.to_numpy().tolist()
    ]
    texts = [
        one.value
        for kind in (
            app.markdown,
            app.caption,
            app.info,
            app.error,
            app.warning,
            app.code,
            app.subheader,
        )
        for one in kind
    ]
    return [
        *rows,
        *map(str, texts),
        *(one.query_string for one in links(app)),
        json.dumps(dict(app.query_params)),
    ]


def leaves(document, held: str = "") -> list[str]:
    """Return every object of a document that holds plain values, as one text each."""
    if isinstance(document, dict):
        own = " ".join(str(one) for one in document.values() if not isinstance(one, dict | list))
        return [
            own,
            *(
                text
                for one in document.values()
                if isinstance(one, dict | list)
                for text in leaves(one)
            ),
        ]
    if isinstance(document, list):
        return [
            " ".join(str(one) for one in document if not isinstance(one, dict | list)),
            *(text for one in document if isinstance(one, dict | list) for text in leaves(one)),
        ]
    return [str(document)]


def marked(store: Store, task: str) -> str:
    """Return a draft whose key says nothing but markers: no title or place holds the label."""
    study = kit.drafted(store, task, hidden_target=task == "rank").id
    store.connections.write(
        "UPDATE study_keys SET data = json_set(data, '$.title', 'Title of a secret', '$.source',"
        " 'run-secret/place') WHERE study = ? AND kind = 'item'",
        study,
    )
    return study


class ReadRows:
    """Everything that statements returned, row by row, while it listens."""

    def __init__(self, monkeypatch):
        self.rows: list[str] = []
        for name in ("rows", "tuples"):
            monkeypatch.setattr(Connections, name, self._heard(getattr(Connections, name)))

    def _heard(self, read):
        def heard(connections, sql, *values):
            found = read(connections, sql, *values)
            for row in found:
                cells = row.values() if isinstance(row, dict) else row
                self.rows.append(" ".join(map(str, cells)))
            return found

        return heard


def naming(store: Store) -> None:
    """Keep a collection whose texts name their sources."""
    for method in METHODS:
        store.entries.add(
            (
                (
                    made_entry(
                        store,
                        method,
                        "sleep",
                        one_paragraph(f"As {method} says, GPT-4o helps; see Lee et al. on naps."),
                    ),
                    "A title",
                ),
            )
        )


@pytest.mark.parametrize("task", TASKS)
def test_no_screen_and_no_file_before_unblinding_has_a_label_beside_its_source(store, task):
    study = kit.drafted(store, task, hidden_target=task == "rank").id
    made = [organising.add_seat(store, study, f"Expert {n}") for n in range(3)]
    names, seen = labels(store, study), []

    def look() -> None:
        tabs = visit("sessions", session=study).segmented_control(key="tab").options
        for tab in tabs:
            seen.extend((tab, piece) for piece in pieces(visit("sessions", session=study, tab=tab)))
        seen.extend(("preview", piece) for piece in pieces(visit("annotate", preview=study)))
        seen.extend(("list", piece) for piece in pieces(visit("sessions")))

    look()
    organising.open_study(store, study)
    for _, secret in made:
        kit.work_through(store, kit.at_work(store, secret))
    look()
    organising.close(store, study)
    look()
    assert [(where, found) for where, piece in seen if (found := beside(piece, names))] == []
    assert any(kit.METHODS[0] in piece for where, piece in seen if where == "Blinding"), (
        "the report is by source, without labels"
    )
    assert [
        (name, found)
        for name, text in files(store, study).items()
        if (found := beside(text, names))
    ] == []


@pytest.mark.parametrize("task", TASKS)
def test_no_statement_page_or_payload_before_unblinding_has_labels_and_sources(
    store, cli, task, monkeypatch, tmp_path
):
    """Page by page, whatever is on it and in what was sent for it; statement by statement, whatever
    an organiser does.
    """
    study = marked(store, task)
    heard, pages = ReadRows(monkeypatch), []

    def look() -> None:
        tabs = visit("sessions", session=study).segmented_control(key="tab").options
        addresses = [("sessions", {"session": study, "tab": tab}) for tab in tabs]
        steps = ("consent", "work", "afterwards")
        addresses += [("annotate", {"preview": study, "step": step}) for step in steps]
        for page, address in [*addresses, ("sessions", {}), ("benchmark", {}), ("runs", {})]:
            app = visit(page, **address)
            pages.append((page, address, "\n".join((sent(app), *pieces(app)))))

    look()
    made = [organising.add_seat(store, study, f"Expert {n}") for n in range(3)]
    plan = store.studies.get(study).plan
    replan(store, study, plan.model_copy(update={"attention": 2, "name": "Renamed"}))
    documents = [cli("study", "blinding", study)[1]]
    names = labels(store, study)
    organising.open_study(store, study)
    organising.add_model(store, study, "openai:judge")
    for _, secret in made[:2]:
        kit.work_through(store, kit.at_work(store, secret))
    organising.take_back(store, made[2][0].id)
    organising.redeal(store, study)
    look()
    copy = organising.copied(store, study).id
    documents += [cli("study", verb, study)[1] for verb in ("show", "live", "agreement", "remind")]
    organising.close(store, study)
    look()
    documents += [cli("study", verb, study)[1] for verb in ("show", "live", "agreement", "consent")]
    cli("study", "export", study, "--to", str(tmp_path / "taken"))
    cli("study", "people", study, "--to", str(tmp_path / "people.csv"))
    cli("study", "pay", study, "--to", str(tmp_path / "pay.csv"))
    names += labels(store, copy)
    markers = (*SOURCES, "secret-people")
    assert [
        (page, address, found)
        for page, address, text in pages
        if (found := beside(text, names, markers))
    ] == []
    written = [path.read_text() for path in tmp_path.rglob("*.*") if path.suffix in TAKEN]
    assert len(written) > 8
    told = [*map(json.dumps, documents), *written]
    assert [found for one in told if (found := beside(one, names, markers))] == []
    assert [row for row in heard.rows if beside(row, names, markers)] == []
    assert any(kit.METHODS[0] in text for *_, text in pages), "Blinding is by source"
    assert any(re.search(rf"\b{names[0]}\b", text) for *_, text in pages), "Agreement is by label"
    organising.unblind(store, study, "An Organiser")
    assert [row for row in heard.rows if beside(row, names, markers)], "nothing was heard"


def test_findings_about_words_that_name_a_source_are_told_without_the_label_on_screen_and_headless(
    store, cli
):
    naming(store)
    code, drafted, _ = cli(
        "study",
        "new",
        "--task",
        "rate",
        "--collection",
        "test",
        "--overlap",
        "1",
        "--repeats",
        "0",
        "--attention",
        "0",
    )
    assert code == 0, drafted
    study = drafted["study"]
    names = list(store.studies.items(study))
    page = pieces(visit("sessions", session=study, tab="Blinding"))
    (told,) = [piece for piece in page if piece.startswith("GPT-4o")]
    assert f"{len(METHODS)} texts" in told
    assert not any(re.search(rf"\b{label}\b", piece) for label in names for piece in page)
    _, document, _ = cli("study", "blinding", study)
    (word,) = [one for one in document["words"] if one["words"] == "GPT-4o"]
    assert (word["texts"], "source" in word, "label" in word) == (len(METHODS), False, False)
    assert {one["source"] for one in document["sources"]} == set(METHODS)
    assert [text for text in leaves(document) if beside(text, names, METHODS)] == []
    assert not any(re.search(rf"\b{label}\b", json.dumps(document)) for label in names), (
        "the report names no label at all"
    )


def test_no_verb_before_unblinding_has_a_label_beside_its_source(store, cli, tmp_path):
    store.entries.add(tuple((one, "A title") for one in entries(store)))
    study = cli(
        "study",
        "new",
        "--task",
        "rate",
        "--collection",
        "test",
        "--overlap",
        "1",
        "--repeats",
        "0",
        "--name",
        "Ours",
    )[1]["study"]
    names = list(store.studies.items(study))
    documents = [cli("study", "blinding", study)[1]]
    _, seated, _ = cli("study", "seats", study, "--add", "Ada")
    documents += [seated, cli("study", "open", study)[1]]
    kit.work_through(store, kit.at_work(store, seated["seats"][0]["link"].partition("seat=")[2]))
    documents += [
        cli("study", verb, study)[1] for verb in ("show", "live", "agreement", "close", "agreement")
    ]
    documents += [
        cli("study", "list")[1],
        cli("study", "export", study, "--to", str(tmp_path / "taken"))[1],
    ]
    assert [text for one in documents for text in leaves(one) if beside(text, names, METHODS)] == []
    held = "\n".join(kit.read(path) for path in (tmp_path / "taken").rglob("*") if path.is_file())
    assert not [method for method in METHODS if f'"{method}"' in held]
    code, refused, _ = cli("study", "export", study, "--to", str(tmp_path / "key"), "--key")
    assert (code, "hidden until the session is closed" in refused["reason"]) == (2, True)
    assert said(visit("sessions", session=study))
