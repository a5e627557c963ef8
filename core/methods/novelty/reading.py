"""Reading the near works: one call a paper against all claims, each finding held against the words
it rests on.
"""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from core.desk import Desk
from core.errors import ModelFailed, standing_for
from core.judging.quotes import check_finding, name_abstract, texts_of
from core.literature.full_text import excerpt
from core.methods.chain_of_ideas.reading import spelled
from core.methods.inputs import NoveltyInputs
from core.records import Claim, ClaimsRead, FullText, NoveltyCell, PriorWork
from core.store import Store

FULL_TEXT = "full-text"
"""The step that holds whether a work's full text is to be had."""
BARE = "There is neither an abstract nor a full text of it."


class Column(NamedTuple):
    """A work as it was read, its cells, and the failure where no model could read it."""

    work: PriorWork
    cells: tuple[NoveltyCell, ...]
    failed: ModelFailed | None = None


def read_all(
    desk: Desk,
    asked: NoveltyInputs,
    claims: tuple[Claim, ...],
    works: Sequence[PriorWork],
    reader: str,
) -> tuple[tuple[PriorWork, ...], tuple[NoveltyCell, ...]]:
    """Read every work against every claim, all at once; return the works with what they were read
    from, and the cells. A work that no model could read stays unread alone.

    Raises ModelFailed where the model could not be reached for any of them.
    """
    work = [partial(read_one, asked=asked, claims=claims, work=one, reader=reader) for one in works]
    columns: tuple[Column, ...] = desk.all(*work) if work else ()
    failed = [column.failed for column in columns if column.failed]
    if failed and not any(column.work.read_from != "nothing" for column in columns):
        # That is no trait of a paper; the run fails, and resuming asks all of them again.
        raise standing_for(failed)
    return (
        tuple(column.work for column in columns),
        tuple(cell for column in columns for cell in column.cells),
    )


def read_one(
    desk: Desk, asked: NoveltyInputs, claims: tuple[Claim, ...], work: PriorWork, reader: str
) -> Column:
    """Read one work against all claims: its full text where it is to be had, else its abstract."""
    here = desk.at(spelled(work.id))
    shown, whole = None, None
    if asked.full_text:
        text, shown = here.full_text(FULL_TEXT, work.paper)
        whole = here.whole_text(text)
    if not shown and not work.paper.abstract:
        return unread(work, claims, BARE)

    def each_claim_once(reply: ClaimsRead) -> None:
        judged = sorted(one.claim for one in reply.findings)
        if judged != [claim.n for claim in claims]:
            numbers = ", ".join(str(claim.n) for claim in claims)
            raise ValueError(f"give exactly one finding for each of the claims {numbers}")

    try:
        reply = here.ask(
            "novelty-reading",
            ClaimsRead,
            role=reader,
            check=each_claim_once,
            recorded=(ModelFailed,),
            idea=asked.idea,
            claims=claims,
            paper=work.paper,
            text=shown,
        )
    except ModelFailed as error:
        return unread(work, claims, f"It was not read: {error}", error)
    texts = texts_of(work.paper, whole)
    cells = []
    for said in sorted(reply.findings, key=lambda one: one.claim):
        found = check_finding(said.state, asked.idea.text, said.idea_quote, texts, said.paper_quote)
        cells.append(
            NoveltyCell(
                claim=said.claim,
                work=work.id,
                state=found.state,
                said=said.state,
                idea_quote=found.idea,
                paper_quote=found.paper.passage,
                quoted_from=found.paper.where,
                reason=said.reason,
            )
        )
    read_from = "full text" if shown else name_abstract(work.paper)
    return Column(work.model_copy(update={"read_from": read_from}), tuple(cells))


def unread(
    work: PriorWork, claims: Sequence[Claim], reason: str, failed: ModelFailed | None = None
) -> Column:
    """Return a work that was not read, with its cells."""
    cells = (NoveltyCell(claim=one.n, work=work.id, state="unread") for one in claims)
    return Column(work.model_copy(update={"unread": reason}), tuple(cells), failed)


def text_read(store: Store, run_id: str, paper: str) -> str | None:
    """Return the full text of a paper as the reader of a run had it, cut where it was too long for
    a model; None where the store holds none.
    """
    reply = store.steps.reply(run_id, f"reading/{spelled(paper)}/{FULL_TEXT}")
    found = FullText.model_validate(reply) if reply else None
    whole = store.library.full_text(found.sha) if found and found.sha else None
    return excerpt(whole) if whole else None
