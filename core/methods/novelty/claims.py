"""Taking an idea apart into claims, each tied to the words that make it."""

from core.desk import Desk
from core.judging.quotes import look_up
from core.records import Claim, Idea, TakenApart

AIM = "two to six"


def take_apart(desk: Desk, idea: Idea) -> tuple[tuple[Claim, ...], tuple[str, ...]]:
    """Return the claims of an idea, numbered from 1, and those that were lost, each with the
    reason; raises NoUsableAnswer where none can be used.
    """

    def one_can_be_used(reply: TakenApart) -> None:
        if not sort_out(idea, reply)[0]:
            raise ValueError(
                "none of these spans is in the idea; copy each from the idea to the letter, in one"
                " unbroken piece of at least three words"
            )

    reply = desk.ask("novelty-claims", TakenApart, check=one_can_be_used, idea=idea)
    return sort_out(idea, reply)


def sort_out(idea: Idea, reply: TakenApart) -> tuple[tuple[Claim, ...], tuple[str, ...]]:
    """Return the claims whose passage is in the idea, and what is wrong with the others."""
    claims: list[Claim] = []
    lost: list[str] = []
    for draft in reply.claims:
        passage = look_up(idea.text, draft.span)
        if passage.state == "not found":
            lost.append(f"{draft.text} (the words it rests on are not in the idea)")
        elif any(_plain(draft.text) == _plain(known.text) for known in claims):
            lost.append(f"{draft.text} (named twice)")
        else:
            n = len(claims) + 1
            claims.append(Claim(n=n, kind=draft.kind, text=draft.text, passage=passage))
    return tuple(claims), tuple(lost)


def _plain(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))
