"""One common form for a fair comparison: six fields for ideas, a design for experiments; kept
beside the original, never in its place.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Annotated

from pydantic import Field

from core.desk import Desk
from core.errors import BadInput, CannotAnswer, FoundryError, ModelFailed, standing_for
from core.records import Design, Idea, Kind, Record, SixFields
from core.store import Store

PROMPTS: tuple[str, ...] = ("common-design", "six-fields")
ASKED: dict[Kind, str] = {"idea": "six-fields", "design": "common-design"}
UNFORMED = (ModelFailed, CannotAnswer)
"""What may become of a form without ending the run: recorded, and said where the text would be."""


class FormInputs(Record):
    """Which frozen texts are brought into the common form."""

    topic: str = "common form"
    shas: Annotated[tuple[str, ...], Field(min_length=1, max_length=20_000)]
    kind: Kind = "idea"
    at_once: Annotated[int, Field(ge=1, le=64)] = 8


def reform(desk: Desk, asked: FormInputs) -> Iterator[Idea | Design]:
    """Bring each frozen text into the common form and keep it beside the original; a text that
    could not be brought into it is left as it is.

    Raises BadInput for a text that is missing, ModelFailed where no text came to anything.
    """
    made = formed(desk, asked.shas, asked.kind, asked.at_once)
    shas = dict.fromkeys(sha for sha in made.values() if isinstance(sha, str))
    yield from texts(desk.bench.store, tuple(shas), asked.kind).values()


def formed(
    desk: Desk, shas: Sequence[str], kind: Kind, at_once: int
) -> dict[str, str | FoundryError]:
    """Return, for the hash of each frozen text, that of its common form, or why there is none; a
    form that is kept already is taken, free.

    Raises BadInput for a text that is missing, ModelFailed where there is no form of any.
    """
    store, each = desk.bench.store, tuple(dict.fromkeys(shas))
    held = texts(store, each, kind)
    ready = common(store, held, kind)
    # A run that goes on finds those it made before, and asks at the same places as at first.
    own = {sha: ready.pop(sha) for sha in store.frozen.forms_of(desk.bench.run.id) & ready.keys()}
    found: dict[str, str | FoundryError] = {**ready}
    missing = [sha for sha in each if sha not in found]
    if missing:
        work = [
            partial(_made, sha=sha, text=held[sha], kind=kind, ready=own.get(sha))
            for sha in missing
        ]
        found |= dict(zip(missing, desk.each(work, at_once), strict=True))
    failed = [error for error in found.values() if isinstance(error, FoundryError)]
    if len(failed) == len(each):
        raise standing_for(
            failed,
            ModelFailed(
                f"No text could be brought into the common form: {failed[0]} Resume to try again,"
                " or compare the texts as they are."
            ),
        )
    return {sha: found[sha] for sha in each}


def texts(store: Store, shas: tuple[str, ...], kind: Kind) -> dict[str, Idea | Design]:
    """Return frozen texts by their hashes; raises BadInput for one that is missing, or of the other
    kind.
    """
    if kind == "idea":
        return {**store.frozen.several(shas, Idea)}
    found: dict[str, Idea | Design] = {}
    for sha, text in store.frozen.several(shas, Record).items():
        if not isinstance(text, Idea | Design):
            raise BadInput(
                f"The frozen text {sha[:12]!r} is no experiment design. Bring it in again as a"
                " design."
            )
        found[sha] = text
    return found


def common(store: Store, held: dict[str, Idea | Design], kind: Kind) -> dict[str, str]:
    """Return the hash of the common form of each text that has one: its own, if that is what it is
    written in.
    """
    kept = store.frozen.forms(tuple(held), kind)
    return {
        sha: sha if is_common(text) else kept[sha]
        for sha, text in held.items()
        if is_common(text) or sha in kept
    }


def is_common(text: Idea | Design) -> bool:
    """Return whether a text is written in the common form."""
    return isinstance(text, Design) or text.form == "six-field"


def _made(
    desk: Desk, sha: str, text: Idea | Design, kind: Kind, ready: str | None
) -> str | FoundryError:
    if ready:
        return ready
    here, prompt = desk.at(f"form/{sha[:16]}"), ASKED[kind]
    try:
        if kind == "design":
            made: Record = here.ask(prompt, Design, role="judge", recorded=UNFORMED, design=text)
        else:
            made = here.ask(prompt, SixFields, role="judge", recorded=UNFORMED, idea=text).as_idea()
    except UNFORMED as error:
        return error
    return desk.bench.store.frozen.keep_form(sha, kind, made, desk.bench.run.id)
