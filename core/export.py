"""Taking a run along: Markdown to read, a JSON bundle that holds every step."""
import json
import re
from collections.abc import Callable
from pathlib import Path

from core.errors import BadInput, StoreFailed, boundary
from core.records import Chain, Direction, Idea, NoveltyCheck, Outcome, Paper, Record, Round, Run, Search, Trend, label
from core.store import Store
from core.story import Story

BUNDLE = "idea-foundry-run/1"


def export(store: Store, run_id: str, to: Path) -> None:
    """Write a run to `to`: .md for Markdown, .json for the bundle; raises BadInput for another ending, StoreFailed."""
    makers = {".md": markdown, ".json": bundle}
    if to.suffix not in makers:
        raise BadInput(f"{to.name!r}: choose a name that ends in .md (to read) or .json (a bundle with every step).")
    if not to.parent.is_dir():
        raise BadInput(f"There is no folder {str(to.parent)!r}. Make it first, or choose another.")
    text = makers[to.suffix](store, run_id)
    with boundary(StoreFailed, f"writing {to}"):
        unfinished = to.with_name(to.name + ".part")
        unfinished.write_text(text, "utf-8")
        unfinished.replace(to)


def bundle(store: Store, run_id: str) -> str:
    """Return the run as JSON: the run, its prompts, every step with its tries, every product."""
    run = store.runs.get(run_id)
    prompts = {name: store.library.prompt(sha) for name, sha in run.config.prompts.items()}
    return json.dumps({
        "format": BUNDLE, "run": run.model_dump(mode="json"), "prompts": prompts,
        "steps": [step.model_dump(mode="json") for step in store.steps.of(run_id)],
        "products": [product.model_dump(mode="json") for product in store.steps.products(run_id)],
    }, ensure_ascii=False, indent=1)


def markdown(store: Store, run_id: str) -> str:
    """Return the run as Markdown; texts of papers and models are escaped, so they stay text."""
    run, story = store.runs.get(run_id), Story.of(store, run_id)
    parts = [f"# {plain(run.title)}", _facts(run)]
    for record in story.records:
        if writer := WRITERS.get(type(record)):
            parts.append(writer(record))
    return "\n\n".join(parts) + "\n"


def plain(text: str) -> str:
    """Escape Markdown and HTML, so that untrusted text is shown as text."""
    escaped = re.sub(r"[\\`*_\[\]<#|~$]|:(?=\S)|&(?=#?\w+;)", r"\\\g<0>", " ".join(text.split()))
    return re.sub(r"^(?:(\d{1,9})(?=[.)])|(?=[+\-=>]))", r"\1\\", escaped)  # What makes a list, a rule or a quotation stands first.


def money(run: Run) -> str:
    """Say what a run cost; calls of unknown price are named, never counted as free."""
    unknown = f" and {run.unpriced} calls of unknown price" if run.unpriced else ""
    return f"${run.cost:.4f}{unknown}"


def _facts(run: Run) -> str:
    config = run.config
    models = ", ".join(f"{role}: {_model(name)}" for role, name in config.models.items())
    inputs = {name: value for name, value in config.inputs.items() if name not in ("context", "idea")}
    return "\n".join([
        f"- Run: {run.id}, {config.method}, {run.state}" + (f" ({plain(run.reason)})" if run.reason else ""),
        f"- Started: {run.created} (UTC)", f"- Models: {plain(models)}", f"- Source: {config.source}",
        f"- Calls: {run.calls}, tokens: {run.tokens_in} in, {run.tokens_out} out, cost: {money(run)}",
        f"- Inputs: {plain(json.dumps(inputs, ensure_ascii=False))}",
    ])


def _model(name: str) -> str:
    return f"{name} (rule-based, for trying things out)" if name == "builtin" else name


def _paper(paper: Paper) -> str:
    known = (paper.venue, f"arXiv {paper.arxiv}" if paper.arxiv else None, f"doi {paper.doi}" if paper.doi else None)
    where = ", ".join(part for part in known if part)
    return f"{plain(paper.title)} ({paper.year or 'undated'}){'. ' + plain(where) if where else ''} [{plain(paper.id)}]"


def _chain(chain: Chain) -> str:
    links = [f"{n}. {_paper(link.paper)}\n   *{link.hop}*: {plain(link.reason)}" for n, link in enumerate(chain.links, 1)]
    stops = [f"- {stop.hop}{' (source failed)' if stop.failed else ''}: {plain(stop.reason)}" for stop in chain.stops]
    return "\n".join(["## Chain of papers, oldest first", "", *links, "", *stops])


def _fields(heading: str, fields: dict[str, str]) -> str:
    return "\n\n".join([heading, *(f"**{label(name)}.** {plain(text)}" for name, text in fields.items())])


def _round(done: Round) -> str:
    remarks = [f"- **{plain(remark.id)}** {plain(remark.text)}" for remark in done.review.remarks]
    wishes = [f"- {plain(wish.by)} asked: {plain(wish.text)}" for wish in done.wishes]
    verdict = "significant improvement" if done.verdict.improved else f"no significant improvement ({done.quiet} in a row)"
    return "\n\n".join([f"## Round {done.n}", f"**Review.** {plain(done.review.summary)}", "\n".join(remarks + wishes),
                        _fields("**Revised idea**", done.revision.idea.fields), f"**Verdict: {verdict}.** {plain(done.verdict.reason)}"])


def _trend(trend: Trend) -> str:
    steps = [f"- {plain(step.earlier)} → {plain(step.later)}: {plain(step.how)}" for step in trend.steps]
    return "\n".join(["## Trend", "", plain(trend.summary), "", *steps])


def _background(found: Search) -> str:
    if not found.papers:
        return f"## Background: {found.state}\n\n{plain(found.reason) or 'The actors drew on no papers.'}"
    return "\n".join(["## Background the actors drew on", "", *(f"- {_paper(paper)}" for paper in found.papers)])


def _novelty(check: NoveltyCheck) -> str:
    asked = [f"- {plain(one.query)}: {one.state}" + (f", {len(one.papers)} papers" if one.papers else "") for one in check.searches]
    near = f"Nearest: {_paper(check.nearest)}, similarity {check.similarity:.2f}." if check.nearest and check.similarity is not None else ""
    return "\n\n".join(part for part in (f"## Novelty check: {check.state}", plain(check.reason), near, plain(check.overlap), "\n".join(asked)) if part)


WRITERS: dict[type[Record], Callable[..., str]] = {
    Search: _background, Chain: _chain, Round: _round, NoveltyCheck: _novelty,
    Trend: _trend,
    Direction: lambda said: f"## Predicted direction\n\n{plain(said.direction)}\n\n{plain(said.reasoning)}",
    Idea: lambda idea: _fields(f"## Idea: {plain(idea.title)}", idea.fields),
    Outcome: lambda end: f"## Outcome\n\n{plain(end.reason)} The idea is from round {end.round}.\n\n" + _fields("", end.idea.fields),
}
