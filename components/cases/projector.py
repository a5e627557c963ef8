"""The projector: one thing at a time, what is being said or was said last, in large type and one
column.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st
from pydantic_core import from_json

from components.cases import clock, end, slide
from components.cases.slide import Block, point, words
from components.chains import graph as chain_graph
from components.chains import novelty as chain_novelty
from components.chains import view as chain_view
from components.runs import differences
from components.runs.actors import head
from components.shell import colours as chain_colours
from components.shell import services
from components.shell.text import inline, step_name
from core.cases.tape import Frame, Moment, Tape
from core.judging.claims import claim
from core.records import Link, NoveltyCheck, Round, Run, label
from core.runs.catalogue import entry
from core.story import Line, Story
from core.wording.differences import Difference, between

LINGER = 5.0
"""Seconds for which what somebody said stays before what is being written takes its place."""
MAIN = (
    "first-idea",
    "review",
    "revise",
    "verdict",
    "self-review",
    "reflect",
    "extract",
    "trend",
    "future",
    "draft",
    "idea",
    "novelty-verdict",
    "experiment-design",
    "design-review",
    "design-refine",
)
"""The steps one follows; others are shown where none of these is, and when one steps to them."""
DOES = {
    "first-idea": "proposes",
    "review": "reviews",
    "revise": "revises",
    "verdict": "compares",
    "reflect": "reflects",
    "self-review": "reviews itself",
}
TITLES = {
    "extract": "A paper of the chain",
    "trend": "The trend from paper to paper",
    "future": "Where it points",
    "idea": "The idea",
    "novelty-verdict": "Is it new?",
    "experiment-design": "An experiment that would test it",
    "design-review": "The experiment, reviewed",
    "design-refine": "The experiment, refined",
}
UNSAID = ("id", "nearest", "changes", "steps", "queries")
"""Fields for the program rather than for the room; where there is nothing else they are shown."""
GRAPHED = ("extract", "trend")
SHORT = 7.0
"""Lines of text beside a graph."""


def large() -> None:
    """Make everything on the page larger and leave the menu out: Streamlit measures in the size of
    the page's own type.
    """
    st.html(f"<style>{slide.STYLE}</style>")


def draw(run: Run, moment: Moment) -> None:
    """Draw the step that is followed at this moment."""
    tape = clock.tape_of(run)
    if moment.over and clock.of(run).now(tape) >= tape.seconds:
        end.large(run)
        return
    frame, text = followed(tape, moment)
    if frame is None:
        title, about = (run.packed.title, run.packed.about) if run.packed else (run.title, "")
        st.markdown(f"# {inline(title, 160)}")
        slide.draw([words(about)] if about else [])
        return
    story = Story.of(services.store(), run.id)
    _head(run, story, frame)
    if name_of(frame) in GRAPHED and entry(run.config).view == "chain":
        lanes = chain_view.lanes_of(run, Story.of(services.store(), run.id, moment.shows))
        drawn = chain_graph.figure(lanes, chain_colours.ink())
        drawn.update_xaxes(title=None, tickfont_size=16)
        drawn.update_layout(margin={"t": 34, "b": 30})
        drawn.update_traces(textfont={"size": 15})
        st.plotly_chart(drawn, key="case:graph", config={"displayModeBar": False})
        slide.draw(*_written(frame, text, SHORT))
    elif text != frame.text:
        slide.draw(*_written(frame, text))
    else:
        slide.draw(_settled(story, frame, run.config.source))


def followed(tape: Tape, moment: Moment) -> tuple[Frame | None, str]:
    """Return the step to show and how far its text is: one that has just come to its end, else the
    first of those being written, else the last said.
    """
    by_key = {frame.key: frame for frame in tape.frames if frame.words}
    settled = [by_key[key] for key in moment.settled if key in by_key]
    for frame in reversed(settled):
        lingers = name_of(frame) in MAIN and moment.seconds - frame.end < LINGER
        if lingers or frame.end == moment.seconds:
            return frame, frame.text
    written = [
        (by_key[part.key], part.text) for part in moment.running if part.key in by_key and part.text
    ]
    main = [(frame, text) for frame, text in written if name_of(frame) in MAIN]
    if written:
        return (main or written)[0]
    return (settled[-1], settled[-1].text) if settled else (None, "")


def name_of(frame: Frame) -> str:
    """Return what a step is, without its place."""
    return frame.key.rsplit("/", 1)[-1]


def _head(run: Run, story: Story, frame: Frame) -> None:
    name, full_name = name_of(frame), step_name(frame.key)
    if frame.actor and entry(run.config).screen == "refine":
        # A review is about the version of its round, and is what the next round begins with.
        first = "First idea" if name == "first-idea" else "The first idea"
        where = full_name.partition(":")[0].replace("Round 0", first)
        st.markdown(f"### {where} {head(frame.actor, DOES.get(name, ''))}")
        return
    title = inline(_paper(story, frame), 140) if name == "extract" else ""
    st.markdown(f"### {title or TITLES.get(name) or inline(full_name)}")


def _paper(story: Story, frame: Frame) -> str:
    """Return the title of the paper a step reads: its place names the hop."""
    for branch in story.branches:
        for link in branch.all(Link):
            hop = "start-1" if link.hop == "anchor" else f"{link.hop}-{link.distance}"
            if frame.key.startswith(f"branch-{branch.n}/{hop}/"):
                paper = link.paper
                return f"{paper.title} ({paper.year})" if paper.year else paper.title
    return ""


def _written(
    frame: Frame, text: str, room: float = slide.ROOM
) -> tuple[Sequence[Block], str | None]:
    """Return a text as far as it is written, in the size its whole needs; where that is too long,
    the part that is being written.
    """
    whole, here = _blocks(frame.text), _blocks(text)
    size = slide.size(list(whole.values()), room)
    if size or not here:
        return list(here.values()), size
    *before, now = here
    names = " · ".join(inline(label(name)) for name in before)
    done = [Block(f":gray[{names}]", 60)] if before else []
    return [*done, here[now]], slide.size([*done, whole.get(now, here[now])], room)


def _blocks(text: str) -> Mapping[str, Block]:
    """Return the paragraphs of a reply, whole or broken off, by name."""
    reply: Any = {"": text}
    if text.startswith("{"):
        reply = from_json(text, allow_partial="trailing-strings")
    if isinstance(reply.get("idea"), dict):
        # What was read from a paper: its entities and experiments are on the usual screen.
        reply = reply["idea"]
    reply = {name: value for name, value in reply.items() if name not in UNSAID} or reply
    found: dict[str, Block] = {}
    for name, value in reply.items():
        if isinstance(value, str) and value:
            alone = len(reply) == 1 or name in ("summary", "reason")
            found[name] = words(value, "" if alone else name)
        elif isinstance(value, list) and all(isinstance(part, str) for part in value):
            parts = (f"({n}) {part}" for n, part in enumerate(value, 1))
            found[name] = words(" ".join(parts), name)
        elif isinstance(value, list):
            for n, part in enumerate(value, 1):
                text, sign = _entry(part)
                if text:
                    found[f"{name} {n}"] = point(text, sign)
    return found


def _entry(part: object) -> tuple[str, str]:
    """Return an entry of a list in words, and the sign before it."""
    if not isinstance(part, dict):
        return str(part), ""
    texts = [str(part[name]) for name in ("name", "text", "how", "meaning") if part.get(name)]
    sign = differences.badge(str(part["id"])) if part.get("id") else ""
    return ": ".join(texts), sign


def _settled(story: Story, frame: Frame, source: str) -> Sequence[Block]:
    name = name_of(frame)
    done = _round(story, frame) if name in ("revise", "verdict") else None
    if done and name == "revise":
        return _revised(*done)
    reply = json.loads(frame.text) if frame.text.startswith("{") else {}
    if name == "verdict" and "improved" in reply:
        verdict = ":gray[:material/trending_flat: **No improvement**]"
        if reply["improved"]:
            verdict = ":green[:material/trending_up: **Improved**]"
        if done and done[1].quiet > 1:
            verdict += f" · {done[1].quiet} in a row"
        return [Block(verdict, 30), words(str(reply.get("reason", "")))]
    if name == "novelty-verdict" and (check := _check(story, frame)):
        blocks = [Block(chain_novelty.badge(check), 40)]
        blocks += [words(claim(check, source)), words(check.reason)]
        return [*blocks, words(check.overlap, "overlap")] if check.overlap else blocks
    return list(_blocks(frame.text).values())


def _revised(line: Line, done: Round) -> Sequence[Block]:
    """Return the fields that changed, their changes marked, and the others by name; what went is
    left out where there is no room for it.
    """
    found = between(line.before(done.n), done.revision.idea, done.revision.changes)
    changed = [one for one in found if one.changed]
    same = ", ".join(label(one.field) for one in found if not one.changed)
    rest = [Block(f":gray[Unchanged: {inline(same)}]", 60)] if same else []
    whole = [*(_marked(one, ("same", "removed", "added")) for one in changed), *rest]
    if slide.size(whole) not in (None, slide.SMALLEST) or not changed:
        return whole
    return [
        *(_marked(one, ("same", "added")) for one in changed),
        *rest,
        Block(":gray[Only additions are marked.]", 30),
    ]


def _marked(difference: Difference, kinds: Sequence[str]) -> Block:
    pieces = [piece for piece in difference.pieces if piece.kind in kinds]
    return Block(
        f"**{inline(label(difference.field))}.** " + differences.marked(pieces),
        sum(len(piece.text) for piece in pieces) + 30,
    )


def _round(story: Story, frame: Frame) -> tuple[Line, Round] | None:
    """Return the round a step belongs to, and the idea it is of."""
    numbers = _numbers(frame)
    n, idea = numbers.get("round", 0), numbers.get("idea")
    for line in story.lines:
        if idea in (None, line.n):
            return (line, line.rounds[n - 1]) if 1 <= n <= line.newest else None
    return None


def _check(story: Story, frame: Frame) -> NoveltyCheck | None:
    numbers = _numbers(frame)
    place = numbers.get("branch"), numbers.get("idea", 0)
    for branch in story.branches:
        for check in branch.checks:
            if (branch.n, check.round) == place:
                return check
    return None


def _numbers(frame: Frame) -> dict[str, int]:
    """Return the numbers in a step's key, by what they number: `branch-2/idea-1/revise`."""
    numbered = re.findall(r"(\w+)-(\d+)(?=/)", frame.key)
    return {name: int(number) for name, number in numbered}
