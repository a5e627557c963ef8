"""Scripts for the fakes: what the actors of a refinement and of a chain say, as a function of the
request alone.
"""

import itertools
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from shutil import copytree

from core.methods import ChainInputs, RefineInputs
from core.methods.presets import NOVELTY
from core.models.port import Request
from core.records import FORMS, Config, Idea, Labelled, Paper, Run, digest
from core.runs.planning import played, validated
from core.runs.runner import Runner
from tests.conftest import ScriptedModel, Shop, SmallSource

FIRST = Idea(
    form="hypothesis", fields={"hypothesis": "Naps restore the memory of adolescent athletes."}
)


def mark(request: Request) -> str:
    """Return letters that differ wherever the request does."""
    return digest([request.standing, request.text])[:8]


def _review(request: Request) -> object:
    return {
        "summary": f"Review {mark(request)}.",
        "remarks": [{"id": "r1", "text": "Name the mechanism."}],
    }


def _revise(request: Request) -> object:
    fields = {name: f"{name} {mark(request)}" for name in FORMS["six-field"]}
    return fields | {"changes": [{"field": "method", "passage": "method", "remarks": ["r1"]}]}


def refine_script(verdicts: Sequence[bool] = (True,)) -> dict:
    """Return a refinement's script; verdict n is the n-th of the list, the last one for all later
    rounds.

    Which round a request belongs to is told by how many `rN` marks its older idea has gathered.
    """

    def verdict(request: Request) -> object:
        n = generation(request.values["older"])
        return {
            "improved": verdicts[min(n, len(verdicts) - 1)],
            "reason": f"Verdict on version {n + 1}.",
        }

    def revise(request: Request) -> object:
        n = generation(request.values["idea"]) + 1
        return _revise(request) | {"title": f"Version {n}"}  # type: ignore[operator]

    def reflect(request: Request) -> object:
        return verdict(request) | {"review": _review(request)}  # type: ignore[operator]

    return {
        "first-idea": lambda _: {"hypothesis": "Naps restore memory."},
        "review": _review,
        "revise": revise,
        "verdict": verdict,
        "self-review": _review,
        "reflect": reflect,
        "side-effect": lambda r: {"effect": "worse", "reason": f"Less {r.values['goal'].name}."},
        "six-fields": _in_six_fields,
        "rank": _rank,
    }


def _in_six_fields(request: Request) -> object:
    idea = request.values["idea"]
    return {
        name: idea.fields.get(name, idea.text[:200] if name == "hypothesis" else "NONE")
        for name in FORMS["six-field"]
    }


def _rank(request: Request) -> object:
    """Put the newest version first; what is no version, a target say, counts as version 2."""

    def worth(one: Labelled) -> int:
        return (
            generation(one.idea)
            if one.idea.title.startswith("Version")
            else 2
            if "target" in one.idea.text
            else 0
        )

    best = sorted(request.values["candidates"], key=worth, reverse=True)
    return {"places": [{"label": one.label, "reason": f"Worth {worth(one)}."} for one in best]}


def generation(idea: Idea) -> int:
    """Return which version of the idea this is; the first is 0."""
    title = idea.fields.get("title", "")
    return int(title.split()[1]) if title.startswith("Version") else 0


PAPERS = [
    Paper(
        id=f"p{year}",
        title=f"Sleep memory study {year}",
        year=year,
        published=f"{year}-05-01",
        abstract=f"Sleep and memory in athletes, part {year}.",
        citations=10,
        source="shelf",
    )
    for year in range(2014, 2023)
]
CITES = {f"p{year}": [f"p{year - 1}"] for year in range(2015, 2023)}


LINES = ("memory", "light", "food")
"""Three lines of work on sleep, for chains of several branches."""


def small_source() -> SmallSource:
    """Return nine papers, one a year, each citing the one before."""
    return SmallSource(list(PAPERS), {name: list(cited) for name, cited in CITES.items()})


def wide_source(lines: Sequence[str] = LINES) -> SmallSource:
    """Return nine papers for each line, one a year, each citing the one before in its line:
    `light2018` cites `light2017`.
    """
    papers = [
        Paper(
            id=f"{line}{year}",
            title=f"Sleep {line} study {year}",
            year=year,
            published=f"{year}-05-01",
            citations=10,
            source="shelf",
            abstract=f"Sleep and {line} in athletes, part {year}.",
        )
        for line in lines
        for year in range(2014, 2023)
    ]
    return SmallSource(
        papers,
        {f"{line}{year}": [f"{line}{year - 1}"] for line in lines for year in range(2015, 2023)},
    )


def wide_script(similar: int = 0) -> dict:
    """Return a chain's script whose searches lead branch 1, 2, 3 to the lines of `wide_source`,
    from the topic `sleep 2018`.
    """
    return chain_script(similar=similar) | {"queries": lambda _: {"queries": list(LINES)}}


def chain_script(relevant: Sequence[str] = (), similar: int = 0) -> dict:
    """Return a chain's script: `relevant` papers (none named: all), and an idea that is known in
    its first `similar` rounds.

    Of two ideas the one whose chain begins with the later name wins, but for clarity (level) and
    feasibility (whichever is shown first).
    """

    def relevance(request: Request) -> object:
        paper = request.values["paper"].id
        return {"relevant": not relevant or paper in relevant, "reason": f"About {paper}."}

    def trend(request: Request) -> object:
        papers = request.values["chain"].papers
        steps = [
            {"earlier": a.id, "later": b.id, "how": "It goes further."}
            for a, b in itertools.pairwise(papers)
        ]
        return {"steps": steps, "summary": "It goes on."}

    def verdict(request: Request) -> object:
        known = int(request.values["idea"].fields["title"].split()[1]) <= similar
        return {
            "similar": known,
            "nearest": request.values["papers"][0].id,
            "overlap": "The same mechanism." if known else "",
            "reason": "Compared.",
        }

    def idea(request: Request) -> object:
        n, oldest = (
            request.values["draft"].motivation.split()[1],
            request.values["chain"].papers[0].id,
        )
        return _idea(f"Idea {n} from {oldest}", request)

    def select(request: Request) -> object:
        won = (
            "first"
            if _beginning(request.values["first"]) > _beginning(request.values["second"])
            else "second"
        )
        sides = {
            "novelty": won,
            "significance": won,
            "effectiveness": won,
            "clarity": "tie",
            "feasibility": "first",
        }
        return sides | {"reason": f"The {won} idea goes further."}

    return {
        "queries": lambda _: {"queries": ["sleep memory", "memory study"]},
        "relevance": relevance,
        "choose-reference": lambda r: {"id": r.values["references"][0].id, "reason": "The base."},
        "extract": lambda r: {
            "entities": [{"name": "nap", "meaning": "short sleep"}],
            "idea": {"novelty": r.values["paper"].title},
            "experiments": [],
        },
        "trend": trend,
        "entities": lambda _: {"entities": [{"name": "nap", "meaning": "short sleep"}]},
        "future": lambda r: {
            "direction": f"Direction {len(r.values['taken']) + 1}",
            "reasoning": "It follows.",
        },
        "draft": lambda r: {
            "motivation": f"Draft {len(r.values['taken']) + 1}",
            "novelty": "new",
            "method": mark(r),
        },
        "idea": idea,
        "novelty-queries": lambda _: {"queries": ["sleep study"]},
        "novelty-verdict": verdict,
        "select": select,
        **experiment_script(),
    }


def experiment_script() -> dict:
    """Return what is said to design, review and refine an experiment."""

    def review(request: Request) -> object:
        remarks = [{"id": "d1", "text": "Name the dataset."}]
        return {
            "clear": True,
            "complete": False,
            "named": False,
            "runnable": True,
            "remarks": remarks,
            "queries": ["sleep study"],
        }

    return {"experiment-design": _design, "design-review": review, "design-refine": _design}


def baseline_script() -> dict:
    """Return a script for retrieval-augmented prompting, direct prompting and a real paper."""

    def report(request: Request) -> object:
        paper = request.values["paper"]
        return {
            "topic": f"What {paper.id} is about",
            "idea": _idea(f"Idea of {paper.id}", request),
            "design": _design(request),
        }

    return {
        "queries": lambda _: {"queries": ["sleep memory", "memory study"]},
        "direct-idea": lambda r: _idea("Idea 1 from nothing", r),
        "retrieved-idea": lambda r: _idea(f"Idea 1 from {r.values['papers'][0].id}", r),
        "report": report,
        **experiment_script(),
    }


def _idea(title: str, request: Request) -> dict[str, str]:
    return {
        name: title if name == "title" else f"{name} {mark(request)}" for name in FORMS["chain"]
    }


def _beginning(idea: Idea) -> str:
    return idea.title.split()[-1]


def _design(request: Request) -> dict[str, object]:
    said = {
        name: f"{name} {mark(request)}"
        for name in ("setup", "models", "datasets", "baselines", "metrics", "analysis")
    }
    return said | {"procedure": ["Sleep.", "Measure."]}


def runner_of(
    folder: Path, script: dict, source: SmallSource | None = None, **settings: object
) -> tuple[Runner, ScriptedModel]:
    """Return a runner over the fakes, and the model to look at."""
    model = ScriptedModel(script)
    shop = Shop(folder, {model.name: model}, source or small_source())
    shop.settings = shop.settings.model_copy(update=settings)
    return Runner(shop), model


def refinement(
    runner: Runner,
    rounds: int | None = 3,
    patience: int | None = 2,
    idea: Idea | None = FIRST,
    topic: str = "sleep and memory",
    **more: object,
) -> Run:
    """Begin a refinement with the scripted model; what `Play` and `RefineInputs` have may be given
    by name.
    """
    way = {
        name: more.pop(name) for name in ("order", "printed", "people", "step_in") if name in more
    }
    asked = {
        name: more.pop(name)
        for name in ("lines", "target", "repeats", "same_form", "context", "k", "area", "checklist")
        if name in more
    }
    play = played(
        str(more.pop("variant", "infal")), more.pop("goals", (NOVELTY,)), rounds, patience, **way
    )  # type: ignore[arg-type]
    return runner.begin(
        configured(
            runner,
            "refine",
            validated(RefineInputs, topic=topic, play=play, idea=idea, **asked),
            **more,
        ),
        "A refinement",
    )


def chain(runner: Runner, **given: object) -> Run:
    """Begin a chain with the scripted model: one branch, unless told otherwise."""
    more = {
        name: given.pop(name)
        for name in ("cap_usd", "cap_tokens", "models", "seed")
        if name in given
    }
    inputs = validated(ChainInputs, **({"topic": "sleep memory 2018", "branches": 1} | given))
    return runner.begin(configured(runner, "chain", inputs, **more), "A chain")


def finished_chain(folder: Path, **given: object) -> tuple[Runner, ScriptedModel, Run]:
    """Return a runner over a finished chain on the wide source, its model, which was asked nothing
    yet, and the run; the chain is made once per process.
    """
    copytree(_made(**given), folder, dirs_exist_ok=True)
    runner, model = runner_of(folder, wide_script(), wide_source())
    (run,) = runner.store.runs.listed()
    return runner, model, run


@cache
def _made(**given: object) -> Path:
    folder = Path(tempfile.mkdtemp(prefix="chain-"))
    runner, _ = runner_of(folder / "at work", wide_script(), wide_source())
    run = chain(runner, **{"topic": "sleep 2018", **given})
    assert runner.work(run.id) == "done", runner.store.runs.get(run.id).reason
    whole = folder / "done"
    whole.mkdir(mode=0o700)
    runner.store.connections.rows("VACUUM INTO ?", str(whole / "foundry.db"))
    (whole / "foundry.db").chmod(0o600)
    return whole


def configured(runner: Runner, method: str, inputs: object, **more: object) -> Config:
    """Freeze a configuration, with the scripted model in every role unless told otherwise."""
    given = {"models": dict.fromkeys(("main", "cheap"), "scripted:one"), "seed": 7} | more
    return runner.workshop.config(method, inputs, **given)  # type: ignore[arg-type]


def prompts_asked(model: ScriptedModel) -> list[str]:
    """Return the names of the prompts a model was asked, sorted."""
    return sorted(request.prompt for request in model.requests)


DEAD = "elsewhere|1|1"
"""A process that is not there."""


def resumed(runner: Runner, run_id: str) -> str:
    """Resume a run, wait for it, and return its state."""
    runner.resume(run_id)
    runner.wait(run_id, 20)
    return runner.store.runs.get(run_id).state


def fresh(runner: Runner) -> Runner:
    """Return a second runner on the same store, as a new process would make."""
    shop = type(runner.workshop)(
        runner.workshop.settings.data, runner.workshop.named, runner.workshop.shelf_like
    )
    return Runner(shop)


def die(runner: Runner, run_id: str) -> None:
    """Leave a run behind as a killed process does: running, its owner gone."""
    runner.store.connections.write(
        "UPDATE runs SET state = 'running', owner = ?, heartbeat = 1, ended = NULL WHERE id = ?",
        DEAD,
        run_id,
    )
