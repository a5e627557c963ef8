"""Ideas of a benchmark as entries: each by the model that wrote it, on its keyword."""
from collections.abc import Sequence

from core.benchmark.inputs import BenchInputs
from core.benchmark.sampling import place_of, source
from core.entering.filing import Report, filed
from core.entering.making import LONGEST_SAID, Offered
from core.entering.names import Place
from core.literature.importing.text import plain
from core.records import BenchCell, Idea, Run
from core.store import Store


def idea_of(cell: BenchCell) -> Idea:
    """Return an accepted idea as the other pages take it."""
    return Idea(form="hypothesis", fields={"hypothesis": cell.text})


def origin(run: Run, cell: BenchCell) -> str:
    """Return what the shelf says of where an idea of a benchmark is from."""
    return f"{cell.key} by {BenchInputs.model_validate(run.config.inputs).models[cell.model].model}"


def called(store: Store, run: str | None, said: str) -> str:
    """Return where an idea on the shelf is from, in words: of an idea of a benchmark its keyword, its number and its model; any other as it is said."""
    place, of = place_of(said.partition(" by ")[0]), of_kept(store, run, said)
    if place is None:
        return said
    return f"{of.get('topic') or f'keyword {place.keyword + 1}'}, idea {place.n} by {said.partition(' by ')[2]}"


def of_kept(store: Store, run: str | None, said: str) -> dict[Place, str]:
    """Return method, model and topic of an idea on the shelf whose `origin` names an idea of a benchmark; nothing of another one, or of a run that is gone."""
    place = place_of(said.partition(" by ")[0])
    held = store.benchmarks.keywords(run) if run and place else []
    if place is None or place.keyword >= len(held):
        return {}
    model = said.partition(" by ")[2]
    return {"method": model, "model": model, "topic": held[place.keyword].text}


def entries_of_bench(store: Store, run: str, ideas: Sequence[BenchCell], collection: str) -> Report:
    """Put ideas of a benchmark into a collection, under the names of their models; raises BadInput for a collection without a name."""
    keywords, models = store.benchmarks.keywords(run), BenchInputs.model_validate(store.runs.get(run).config.inputs).models
    parts = (_offered(run, one, models[one.model].model, keywords[one.keyword].text, keywords[one.keyword].domain) for one in ideas)
    return filed(store, f"benchmark {run}", collection, parts)


def _offered(run: str, cell: BenchCell, model: str, keyword: str, domain: str) -> Offered:
    idea = idea_of(cell)
    return Offered(cell.key, idea, "idea", {"method": model[:LONGEST_SAID], "model": model[:LONGEST_SAID], "topic": " ".join(keyword.split()),
                                            "category": domain[:LONGEST_SAID], "source": source(run, cell.key)}, plain(idea.title)[:120])
