"""Reading one paper of a chain: its whole text where it is to be had, and what a model extracts
from it.
"""

import re

from core.desk import Desk
from core.errors import ModelFailed
from core.methods.inputs import ChainInputs
from core.records import Link, Paper, Reading, digest


def read(desk: Desk, rules: ChainInputs, link: Link) -> Link:
    """Return the link with what was read; unread, recorded with its reason, where no model could
    read the paper.
    """
    text, whole = None, None
    if rules.full_text:
        text, whole = desk.full_text("full-text", link.paper)
    reading = extract(desk, rules.topic, link.paper, whole)
    return link.model_copy(update={"text": text, "reading": reading})


def extract(desk: Desk, topic: str, paper: Paper, whole: str | None) -> Reading | None:
    """Extract entities, idea and experiments (Chain of Ideas, section 2.2); None where no model
    could.
    """
    try:
        return desk.ask(
            "extract",
            Reading,
            role="cheap",
            recorded=(ModelFailed,),
            topic=topic,
            paper=paper,
            text=whole,
        )
    except ModelFailed:
        return None


def read_missing(desk: Desk, rules: ChainInputs, links: tuple[Link, ...]) -> tuple[Link, ...]:
    """Read, side by side, what a person put into a chain; named by paper, so that its place in the
    chain does not matter.
    """
    unread = {f"paper-{spelled(link.paper.id)}": link for link in links if needs_reading(link)}
    if not unread:
        return links
    links_read = desk.at_each(lambda here, link: read(here, rules, link), unread)
    by_id = {link.paper.id: link for link in links_read}
    return tuple(by_id.get(link.paper.id, link) for link in links)


def needs_reading(link: Link) -> bool:
    """Say whether a link of a settled chain is still to be read: a person put it there, or asked
    for it to be read again.
    """
    return link.reading is None and (link.unread or link.hop == "person")


def spelled(name: str) -> str:
    """Return a paper's id as part of a key; two ids that differ only in signs stay apart."""
    return re.sub(r"[^A-Za-z0-9.]+", "-", name).strip("-") + f"-{digest(name)[:6]}"
