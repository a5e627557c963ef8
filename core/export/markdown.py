"""A run as Markdown: what was asked, what was found, what came of it; untrusted texts are escaped."""
import json
import re
from collections.abc import Callable

from core.records import (
    CRITERIA,
    BranchMatch,
    Chain,
    Design,
    DesignRound,
    Direction,
    GivenUp,
    Idea,
    Link,
    NoveltyCheck,
    Outcome,
    Paper,
    Record,
    Round,
    Run,
    Search,
    Selection,
    Topic,
    Trend,
    label,
)
from core.store import Store
from core.story import Branch, Story


def markdown(store: Store, run_id: str, branch: int | None = None) -> str:
    """Return the run, or one of its branches, as Markdown; texts of papers and models are escaped, so they stay text."""
    run, story = store.runs.get(run_id), Story.of(store, run_id)
    parts = [f"# {plain(run.title)}", _facts(run)]
    for one in story.branches:
        if branch in (None, one.n):
            parts += _branch(one, alone=len(story.branches) == 1)
    if branch is None:
        of_branches = {place for one in story.branches for place, _ in one.parts}
        rest = [record for place, record in story.parts if place not in of_branches]
        parts += [writer(record) for record in rest if (writer := WRITERS.get(type(record)))]
        end = story.last(Outcome)
        if end and end.idea not in story.all(Idea):
            parts.append(_fields("", end.idea.fields).strip())
    return "\n\n".join(parts) + "\n"


def _branch(branch: Branch, alone: bool) -> list[str]:
    written = [writer(record) for record in branch.records if (writer := WRITERS.get(type(record)))]
    return written if alone else [f"# Branch {branch.n}", *written]


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


def _read_from(link: Link) -> str:
    if link.text is None:
        return ""
    pages = "1 page" if link.text.pages == 1 else f"{link.text.pages} pages"
    return f" Read from {pages} of full text." if link.text.state == "read" else f" Read from its abstract: {plain(link.text.reason)}"


def _chain(chain: Chain) -> str:
    links = [f"{n}. {_paper(link.paper)}\n   *{link.hop}*: {plain(link.reason)}{_read_from(link)}" for n, link in enumerate(chain.links, 1)]
    stops = [f"- {stop.hop}{' (source failed)' if stop.failed else ''}: {plain(stop.reason)}" for stop in chain.stops]
    heading = "## Chain of papers, oldest first" if chain.ordered else "## Papers, in no order"
    back = [f"- Against time: {plain(a.title)} came out after {plain(b.title)}." for a, b in chain.violations]
    return "\n".join([heading, "", *links, "", *stops, *back])


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


def _from(end: Outcome) -> str:
    where = ", ".join([*([f"branch {end.branch}"] if end.branch else []), *([f"round {end.round}"] if end.round else [])])
    return f" The idea is from {where}." if where else ""


def _novelty(check: NoveltyCheck) -> str:
    asked = [f"- {plain(one.query)}: {one.state}" + (f", {len(one.papers)} papers" if one.papers else "") for one in check.searches]
    near = f"Nearest: {_paper(check.nearest)}, similarity {check.similarity:.2f}." if check.nearest and check.similarity is not None else ""
    return "\n\n".join(part for part in (f"## Novelty check: {check.state}", plain(check.reason), near, plain(check.overlap), "\n".join(asked)) if part)


def _choice(chosen: Selection) -> str:
    def match(one: BranchMatch) -> str:
        won = ", ".join(f"{name} {getattr(one.comparison, name)}" for name in CRITERIA)
        return f"- {one.first} before {one.second}: {won}. {plain(one.comparison.reason)}"

    matches = [match(one) for one in chosen.matches]
    return "\n".join([f"## Chosen: branch {chosen.best}", "", plain(chosen.reason), "", *matches])


def _design(design: Design, heading: str = "## Experiment design") -> str:
    steps = "\n".join(f"{n}. {plain(step)}" for n, step in enumerate(design.procedure, 1))
    return f"{_fields(heading, design.model_dump(exclude={'procedure'}))}\n\n**Procedure.**\n\n{steps}"


def _design_round(done: DesignRound) -> str:
    judged = ", ".join(f"{name}: {'yes' if getattr(done.review, name) else 'no'}" for name in ("clear", "complete", "named", "runnable"))
    remarks = [f"- **{plain(one.id)}** {plain(one.text)}" for one in done.review.remarks]
    looked = [f"- Looked up: {plain(one.query)}: {one.state}" for one in done.searches]
    return "\n\n".join([f"## Review {done.n} of the design", judged, "\n".join(remarks + looked), _design(done.design, "## Refined design")])


WRITERS: dict[type[Record], Callable[..., str]] = {
    Search: _background, Chain: _chain, Round: _round, NoveltyCheck: _novelty,
    Trend: _trend, Selection: _choice, Design: _design, DesignRound: _design_round,
    GivenUp: lambda end: f"## Given up{' (something failed)' if end.failed else ''}\n\n{plain(end.reason)}",
    Topic: lambda said: f"## Topic, as confirmed\n\n{plain(said.topic)}",
    Direction: lambda said: f"## Predicted direction\n\n{plain(said.direction)}\n\n{plain(said.reasoning)}",
    Idea: lambda idea: _fields(f"## Idea: {plain(idea.title)}", idea.fields),
    Outcome: lambda end: f"## Outcome\n\n{plain(end.reason)}" + _from(end),
}
