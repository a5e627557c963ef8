"""Texts from here: what runs came to and what is on the shelf can compete too."""

from collections.abc import Iterator

from core.errors import BadInput
from core.importing.benchmarked import of_kept
from core.importing.filing import FilingReport, file_entries
from core.importing.making import LONGEST_SAID, Offered
from core.importing.names import Place
from core.importing.results import kind_of, maker, results, writer
from core.importing.sheets import RefusedRow, refused
from core.literature.importing.text import plain
from core.records import Idea
from core.store import Store
from core.store.ideas import Saved
from core.story import Story


def entries_of_run(
    store: Store,
    run_id: str,
    collection: str,
    method: str = "",
    topic: str = "",
    category: str = "",
) -> FilingReport:
    """Put what a run came to into a collection: its ideas, one a line, and its design; raises
    BadInput.

    Method and topic are the run's own where none is given.
    """
    return file_entries(
        store,
        f"run {run_id}",
        collection,
        _of_run(store, run_id, {"method": method, "topic": topic, "category": category}),
    )


def _of_run(store: Store, run_id: str, given: dict[Place, str]) -> Iterator[Offered | RefusedRow]:
    run, story = store.runs.get(run_id), Story.of(store, run_id)
    found = results(story)
    if not found:
        yield refused(f"run {run_id}", run.title, "it has come to no idea yet; let it end first")
    for where, record in found:
        who = maker(run.config, story, kind_of(record))
        model = writer(store, run, story, record)
        about = _merge_places({"method": who.method, "model": model, "topic": who.topic}, given)
        title = record.title if isinstance(record, Idea) else record.setup
        yield Offered(
            where,
            record,
            kind_of(record),
            {**about, "source": f"run {run_id}, {where}"},
            plain(title)[:120],
        )


def entries_of_shelf(
    store: Store,
    ids: tuple[str, ...],
    collection: str,
    method: str = "",
    topic: str = "",
    model: str = "",
    category: str = "",
    own_method: str = "",
) -> FilingReport:
    """Put ideas, kept or of other collections, into a collection; method, model and topic are those
    of the run or the collection behind each where none is given, and `own_method` is the method of
    those nothing stands behind. Raises BadInput.
    """
    given: dict[Place, str] = {
        "method": method,
        "topic": topic,
        "model": model,
        "category": category,
    }
    return file_entries(
        store, "Ideas", collection, (_of_shelf(store, one, given, own_method) for one in ids)
    )


def topic_of(store: Store, saved: Saved) -> str:
    """Return the topic an idea has by its collection or its run; empty where neither says one, or
    the run was given the idea's title for it.
    """
    behind = of_kept(store, saved.run, saved.origin) or _read_run(store, saved)
    topic = " ".join((behind.get("topic") or saved.topic).split())
    return "" if topic == " ".join(saved.idea.title.split()) else topic


def _of_shelf(
    store: Store, idea: str, given: dict[Place, str], own_method: str
) -> Offered | RefusedRow:
    try:
        saved = store.ideas.get(idea)
    except BadInput as error:
        return refused(idea, "", str(error))
    behind = of_kept(store, saved.run, saved.origin) or _read_run(store, saved)
    placed: dict[Place, str] = {
        "method": saved.method or own_method,
        "model": saved.model,
        "topic": saved.topic,
    }
    about = _merge_places(placed | behind, given)
    missing = [name for name in ("method", "topic") if not about.get(name)]
    if missing:
        return refused(
            idea,
            saved.idea.title,
            f"no run stands behind it, so say its {' and its '.join(missing)}",
        )
    source = f"Ideas, {saved.origin}" if saved.origin else "Ideas"
    return Offered(
        idea,
        saved.idea,
        "idea",
        {**about, "source": source + (f", run {saved.run}" if saved.run else "")},
        plain(saved.idea.title)[:120],
    )


def _read_run(store: Store, saved: Saved) -> dict[Place, str]:
    """Return what the run behind an idea says of it; nothing where there is none, or it was
    deleted.
    """
    if saved.run is None:
        return {}
    try:
        run, story = store.runs.get(saved.run), Story.of(store, saved.run)
    except BadInput:
        return {}
    who = maker(run.config, story)
    model = writer(store, run, story, saved.idea)
    return {"method": who.method, "model": model, "topic": who.topic}


def _merge_places(own: dict[Place, str], given: dict[Place, str]) -> dict[Place, str]:
    """Return what is said of a text: as given, else as its run has it, on one line and as long as a
    name may be.
    """
    whole: dict[Place, str] = {
        **own,
        **{place: text for place, text in given.items() if text.strip()},
    }
    lines = {place: " ".join(text.split()) for place, text in whole.items()}
    return {
        place: text if len(text) <= LONGEST_SAID else f"{text[: LONGEST_SAID - 4]} ..."
        for place, text in lines.items()
    }
