"""A finished run as one HTML file that plays without a server: opened from anywhere, it asks
nothing of the network.

    path.write_text(html(store, run_id))
"""

import hashlib
import json
from base64 import b64encode
from collections.abc import Iterator, Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from core.cases.drawing import HEIGHT, WIDTH, draw_chain
from core.cases.passages import SlideParagraph, cut, prose
from core.cases.slides import Slide, introduce, slides
from core.cases.tape import AT_ONCE, LONGEST, SHORTEST, WORDS_PER_SECOND, plays
from core.charts.style import ACTORS, BRANCHES
from core.errors import BadInput, StoreFailed, boundary
from core.export.blocks import printable
from core.records import Run
from core.runs.catalogue import METHODS, entry
from core.store import Store
from core.story import Story

HERE = Path(__file__).parent
ROOM, BESIDE, GRAPHED = 1250, 800, 860
"""Letters of a page in type that is read from the back of a room: alone, with remarks beside it,
and under a graph.
"""
PARAGRAPH = 60
"""Letters that the space of a line that is not full, and below it, would have room for."""
REMARK = 320
"""Letters of a remark that are shown beside the change that answers it."""
REST, REST_CHANGED = 2.0, 4.0
"""Seconds a page stays after it is said; longer where changes are marked in it."""
AUTHORED = "Hand-written texts, not by a model"


def html(store: Store, run_id: str, about: str = "", title: str | None = None) -> str:
    """Return a finished run as a page that plays by itself, `about` and `title` in place of what is
    said of the run; raises BadInput for one that does not play.
    """
    run = store.runs.get(run_id)
    played = deck(store, run)
    played["title"] = printable(title or played["title"])
    if about:
        played["pages"][0] = _opening(run, about)
    style, script = source("replay.css"), source("replay.js") + STARTS
    # In a script element only `<` could end it; the line ends are for older readers of scripts.
    data = json.dumps(played, ensure_ascii=False)
    for sign in "<>&\u2028\u2029":
        data = data.replace(sign, f"\\u{ord(sign):04x}")
    policy = (
        f"default-src 'none'; style-src {_hashed(style)}; script-src {_hashed(script)};"
        " base-uri 'none'; form-action 'none'"
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(played['title'])}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        "<noscript>This page plays by a script of its own, and scripts are off.</noscript>\n"
        f'<script type="application/json" id="deck">{data}</script>\n'
        f"<script>{script}</script>\n</body>\n</html>\n"
    )


STARTS = (
    'replay(document.body, JSON.parse(document.getElementById("deck").textContent),'
    " { full: true });\n"
)


@cache
def source(name: str) -> str:
    """Return the player's script or style."""
    with boundary(StoreFailed, f"reading {name}, which comes with the program"):
        return (HERE / name).read_text("utf-8")


def _hashed(text: str) -> str:
    return f"'sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def deck(store: Store, run: Run) -> dict[str, Any]:
    """Return what the player is given, as JSON: pages in the order they play, with the slides they
    are of, the places to jump to, the graph of each branch. Raises BadInput for a run that does not
    play.
    """
    if not plays(store, run):
        raise BadInput(
            f"Run {run.id} does not play: only a finished run of"
            f" {', '.join(known.label for known in METHODS.values() if known.played_back)} does."
        )
    told = slides(store, run)
    pages = [_opening(run), *(page for n, slide in enumerate(told) for page in _pages(n, slide))]
    story = Story.of(store, run.id)
    return {
        "title": printable(run.packed.title if run.packed else run.title),
        "method": entry(run.config).label,
        "mark": AUTHORED if run.packed and run.packed.authored else "",
        "pages": pages,
        "slides": [_slide(slide) for slide in told],
        "size": [WIDTH, HEIGHT],
        "graphs": {
            branch.n: {
                "colour": BRANCHES[(branch.n - 1) % len(BRANCHES)],
                "shapes": draw_chain(branch, _comings(told, branch.n)),
            }
            for branch in story.branches
            if branch.chain and any(slide.branch == branch.n for slide in told)
        },
    }


def _comings(told: Sequence[Slide], branch: int) -> dict[str, int]:
    """Return with which slide each paper of a branch is shown first."""
    read = [(slide.paper, n) for n, slide in enumerate(told) if slide.branch == branch]
    return {paper: n for paper, n in reversed(read) if paper}


def _slide(slide: Slide) -> dict[str, Any]:
    notes = [f"{note.text} ({note.by})" for note in slide.notes]
    return {
        "where": slide.where,
        "actor": slide.actor or "",
        "colour": ACTORS[slide.actor] if slide.actor else "",
        "called": slide.called,
        "does": slide.does,
        "title": printable(slide.title),
        "milestone": printable(slide.milestone),
        "notes": [printable(note) for note in notes],
        "branch": slide.branch,
        "paper": slide.paper,
    }


def _opening(run: Run, about: str = "") -> dict[str, Any]:
    said = [passage for line in introduce(run, about) for passage in prose(line)]
    return _page(-1, said, [], 0.0, 0.0)


def _pages(n: int, slide: Slide) -> Iterator[dict[str, Any]]:
    """Yield the pages of a slide: as much on each as is read from afar, and beside it the remarks
    that its changes answer.
    """
    room = ROOM
    if slide.branch:
        room = GRAPHED
    elif any(passage.remarks for passage in slide.says):
        room = BESIDE
    sheets = _sheets(slide.says, room)
    # The tape has one end for all pages of a slide.
    length = (slide.end - slide.start) / len(sheets)
    for k, sheet in enumerate(sheets):
        named = dict.fromkeys(one for passage in sheet for one in passage.remarks)
        beside = [(name, slide.remarks[name]) for name in named if name in slide.remarks]
        begin = slide.start + k * length
        yield _page(n, sheet, beside, begin, begin + length)


def _sheets(says: Sequence[SlideParagraph], room: int) -> list[list[SlideParagraph]]:
    """Return the passages on as few pages of `room` letters as they need, each as full as the
    others.
    """
    parts = [part for passage in says for part in cut(passage, room - PARAGRAPH)]
    fewest = len(_filled(parts, room))
    even = _room_of(parts) // fewest
    limits = range(even, room, 40)
    return next(
        (sheets for most in limits if len(sheets := _filled(parts, most)) == fewest),
        _filled(parts, room),
    )


def _filled(parts: Sequence[SlideParagraph], room: int) -> list[list[SlideParagraph]]:
    sheets: list[list[SlideParagraph]] = [[]]
    for part in parts:
        if sheets[-1] and _room_of([*sheets[-1], part]) > room:
            sheets.append([])
        sheets[-1].append(part)
    return sheets


def _room_of(parts: Sequence[SlideParagraph]) -> int:
    return sum(part.letters + PARAGRAPH for part in parts)


def _page(
    n: int,
    says: Sequence[SlideParagraph],
    beside: Sequence[tuple[str, str]],
    start: float,
    end: float,
) -> dict[str, Any]:
    words = sum(passage.words for passage in says)
    seconds = min(max(words / WORDS_PER_SECOND, SHORTEST), LONGEST) if words else AT_ONCE
    changed = any(span.look in ("added", "removed") for one in says for span in one.spans)
    return {
        "slide": n,
        "says": [
            {"point": one.point, "spans": [[span.text, span.look] for span in one.spans]}
            for one in says
        ],
        "beside": [[name, printable(_cut(text))] for name, text in beside],
        "seconds": round(seconds, 2),
        "rest": REST_CHANGED if changed else REST,
        "tape": [round(start, 2), round(end, 2)],
    }


def _cut(text: str) -> str:
    whole = " ".join(text.split())
    return whole if len(whole) <= REMARK else whole[: REMARK - 1].rsplit(" ", 1)[0] + "…"
