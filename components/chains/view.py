"""A chain run on screen: the graph of all branches, and one view of them at a time; the address
says which, so that a link restores it. A baseline, which has no branches, is drawn whole.
"""

from collections.abc import Mapping
from functools import partial

import streamlit as st

from components.chains import branch as chain_branch
from components.chains import choice, compare, design, facts, graph, result
from components.chains import map as chain_map
from components.chains.graph import BranchLane
from components.runs import export as run_export
from components.runs import searches, states, waiting
from components.runs import views as run_views
from components.shell import address, idea_card, in_view, onward, services
from components.shell import colours as chain_colours
from components.shell.plots import clicked, tool_bar
from components.shell.text import inline
from core.judging.claims import level
from core.literature.addresses import addresses
from core.records import (
    Design,
    DesignRound,
    Idea,
    Outcome,
    Packed,
    Paper,
    Run,
    Search,
    Selection,
    Topic,
)
from core.story import Branch, Story

NAMES = ("view", "paper", compare.PARAM)
"""What this page says of itself in the address, besides the run."""


def whole(run: Run) -> None:
    """Draw the run; while it is active, redraw every second."""
    states.head(run, "chain", "New chain")
    states.followed(run, _drawn)


def _drawn(run: Run) -> None:
    story = Story.of(services.store(), run.id)
    lanes = lanes_of(run, story)
    several = len(lanes) > 1
    states.strip(run, "chains", result.standing(run, story, several))
    facts.draw_origin(run)
    waiting.draw(run)
    if run.state in ("failed", "stopped") and not any(branch.chain for branch in story.branches):
        facts.draw(run)
        onward.again("pages/chains.py", run.config.inputs["topic"])
        return
    # Until there is a result, what the run is at stands above.
    if story.last(Outcome) or not states.active(run):
        result.draw(run, story, several, lambda n: _open(run, f"branch-{n}"))
    facts.draw(run)
    views = views_of(run, lanes)
    key = f"chains:view:{run.id}"
    _follow_address(run, story, views)
    _graph(run, lanes)
    shown = run_views.draw(run, "chains", views, key, persist_state="session")
    _part(run, story, shown, views)
    in_view.follow("chains")
    _say_in_address(run, story, shown, _usual(story, views))


def played(run: Run, story: Story, over: bool) -> None:
    """Draw the run as it stood at one moment of a recording: the graph, and one branch or view of
    it; nothing can be changed.
    """
    # As a case study, whoever made it: a run that is played is not to be edited by accident.
    packed = run.packed or Packed(title=run.title, at=run.updated, sha="")
    then = run.model_copy(
        update={"packed": packed} if over else {"packed": packed, "state": "running"}
    )
    lanes, key = lanes_of(then, story), f"case:view:{run.id}"
    views = {
        "": "What is new",
        **{name: said for name, said in views_of(then, lanes).items() if name != "compare"},
    }

    def show(n: int) -> None:
        st.session_state[key] = f"branch-{n}"

    result.draw(then, story, len(lanes) > 1, show, playing=True)
    st.plotly_chart(
        graph.figure(lanes, chain_colours.ink()), key="case:graph", config=tool_bar("chains")
    )
    picked = run_views.row("What to look at", views, key, default="", persist_state="session")
    _part(then, story, picked or newest(story, views, over), views)
    in_view.follow("chains")


def newest(story: Story, views: Mapping[str, str], over: bool) -> str:
    """Return the view of what came last: the choice, the experiment, and before and in the end the
    branch with the idea.
    """
    if over and story.best:
        return f"branch-{story.best.n}"
    if story.last(Design) and "experiment" in views:
        return "experiment"
    if story.last(Selection) and "choice" in views:
        return "choice"
    return f"branch-{story.best.n}" if story.best else next(name for name in views if name)


def _part(run: Run, story: Story, shown: str, views: dict[str, str]) -> None:
    draws = {
        "compare": compare.draw,
        "choice": choice.draw,
        "experiment": design.draw,
        "map": chain_map.draw,
    }
    if shown in draws:
        draws[shown](run, story)
    else:
        chain_branch.draw(run, story, number(shown), views[shown])


def lanes_of(run: Run, story: Story) -> list[BranchLane]:
    """Return a lane for every branch that was asked for, from the start, or is there."""
    asked = run.config.inputs
    many = 1 if asked["length"] == 0 else int(str(asked.get("branches", 1)))
    by_n = {branch.n: branch for branch in story.branches}
    several = many > 1
    return [
        BranchLane(
            n,
            f"Branch {n}" if several else "The chain" if asked["length"] else "The papers",
            _note(run, story, by_n.get(n), several),
            by_n.get(n),
        )
        for n in sorted({*range(1, many + 1), *by_n, 1})
    ]


def _note(run: Run, story: Story, branch: Branch | None, several: bool) -> str:
    if branch and branch.given_up:
        return "given up"
    if several and branch and story.best and story.best.n == branch.n:
        selection = story.last(Selection)
        return "chosen in a tie" if selection and level(selection) else "chosen"
    if not states.active(run) or (branch and branch.settled):
        return ""
    return "growing" if branch and branch.chain else "no paper yet"


def views_of(run: Run, lanes: list[BranchLane]) -> dict[str, str]:
    """Return what can be looked at, by name in the address; the same from start to end, so that
    nothing moves.
    """
    several, designed = len(lanes) > 1, run.config.inputs.get("design", False)
    return {
        **{f"branch-{lane.n}": lane.name for lane in lanes},
        "compare": "Compare",
        **({"choice": "Choice"} if several else {}),
        **({"experiment": "Experiment"} if designed else {}),
        **({"map": "Map"} if run.config.version > 1 else {}),
    }


def number(view: str) -> int:
    """Return the branch a view shows; 0 for a view of all."""
    return int(view.removeprefix("branch-")) if view.startswith("branch-") else 0


def _branch(story: Story, view: str) -> Branch | None:
    """Return the branch a view shows, if there is anything of it yet."""
    return next((branch for branch in story.branches if branch.n == number(view)), None)


def _follow_address(run: Run, story: Story, views: dict[str, str]) -> None:
    """Take over what the address asks for, where somebody wishes for it; the chosen branch goes
    without saying.
    """
    asked, usual = address.asked_for(NAMES), _usual(story, views)
    key = f"chains:view:{run.id}"
    if address.wished(f"chains:{run.id}", asked):
        view, paper, _ = asked
        view = view if view in views else usual
        branch = _branch(story, view)
        _show(run, view, paper or chain_branch.first(branch))
        if any(asked):
            in_view.wish(chain_branch.PAPER if paper else key)
    # Whoever watches the branch that stood for the whole goes on to the chosen one.
    before = st.session_state.get(f"{key}:usual", usual)
    if st.session_state.get(key) not in views or (
        before != usual and st.session_state[key] == before
    ):
        st.session_state[key] = usual
    st.session_state[f"{key}:usual"] = usual


def _usual(story: Story, views: dict[str, str]) -> str:
    """Return the view of somebody who asks for none."""
    return f"branch-{story.best.n}" if story.best else next(iter(views))


def _show(run: Run, view: str, paper: str) -> None:
    st.session_state[f"chains:view:{run.id}"] = view
    n = number(view)
    if paper and n:
        st.session_state[chain_branch.paper_key(run.id, n)] = paper


def _open(run: Run, view: str) -> None:
    _show(run, view, "")
    in_view.wish(chain_branch.IDEA)


def _say_in_address(run: Run, story: Story, shown: str, usual: str) -> None:
    branch, paper = _branch(story, shown), ""
    if branch:
        paper = str(st.session_state.get(chain_branch.paper_key(run.id, branch.n)) or "")
    beside = st.query_params.get(compare.PARAM, "") if shown == "compare" else ""
    address.say(
        f"chains:{run.id}",
        NAMES,
        (
            "" if shown == usual else shown,
            "" if paper == chain_branch.first(branch) else paper,
            beside,
        ),
    )


def _graph(run: Run, lanes: list[BranchLane]) -> None:
    key = f"chains:graph:{run.id}"
    st.plotly_chart(
        graph.figure(lanes, chain_colours.ink()),
        key=key,
        on_select=partial(_open_paper, run, key),
        selection_mode="points",
        config=tool_bar("chains"),
    )
    st.caption(
        "Diamond: anchor. Square: put in by a person. White dot: pinned. Ring: milestone. Size:"
        " citations, where known. Dashed: near in meaning, no citation. Dotted: put side by side by"
        " a person. Red: out of date order. Hover over an arrow to read how one idea led to the"
        " next; click a paper to open it."
    )


def _open_paper(run: Run, key: str) -> None:
    if data := clicked(key, 2):
        branch, paper = data
        _show(run, f"branch-{branch}", str(paper))
        in_view.wish(chain_branch.PAPER)


# -- a baseline: what it was prompted with, its idea, its experiment ------------------------------


def baseline(run: Run) -> None:
    """Draw the run; while it is active, redraw every second."""
    states.head(run, "chain", "New run")
    states.followed(run, _baseline)


def _baseline(run: Run) -> None:
    story = Story.of(services.store(), run.id)
    states.strip(run, "chains", "Working on the idea.")
    facts.draw(run)
    waiting.draw(run)
    idea, outcome, topic = story.last(Idea), story.last(Outcome), story.last(Topic)
    if outcome:
        st.info(inline(outcome.reason))
    if idea is None:
        if states.active(run):
            states.doing(run)
        elif run.state in ("failed", "stopped"):
            onward.again("pages/chains.py", run.config.inputs["topic"])
        return
    left, right = st.columns([1, 1], gap="large")
    with left:
        if topic:
            st.markdown(f"##### Topic, as confirmed\n\n{inline(topic.topic, 2_000)}")
        st.markdown("##### Idea")
        idea_card.draw(idea, run.id, "outcome" if outcome else "draft", key="chains")
        if outcome:
            onward.draw(
                "pages/refine.py", "Refine this idea", ":material/cyclone:", {"from": run.id}
            )
            run_export.take(run, idea, "chains")
        _read(run, story.last(Search))
    with right:
        _experiment(story)
    if states.active(run):
        states.doing(run)


def _read(run: Run, found: Search | None) -> None:
    if found:
        st.markdown(f"##### Retrieved papers ({len(found.papers)}), nearest to the topic first")
        for paper in found.papers:
            _paper(paper)
        with st.expander("Queries"):
            searches.draw(
                tuple(Search(query=text, state="found") for text in found.query.split("; "))
            )
    elif given := run.config.inputs.get("paper"):
        st.markdown("##### The paper")
        _paper(Paper.model_validate(given))


def _paper(paper: Paper) -> None:
    year, title = paper.year or "undated", inline(paper.title, 160)
    where = [f"[{name}]({address})" for name, address in addresses(paper)]
    cited = " · ".join([str(year), title, *where])
    st.markdown(f"- {cited}")


def _experiment(story: Story) -> None:
    rounds = story.all(DesignRound)
    designed = rounds[-1].design if rounds else story.last(Design)
    if designed is None:
        st.caption("No experiment was designed.")
        return
    st.markdown("##### Experiment")
    design.parts(designed)
