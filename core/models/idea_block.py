"""How a policy is asked for an idea and how it answers: the conversation and the block are the same
where it is trained and where it is used.
"""

from core.models.thoughts import apart
from core.records import HeadedIdea
from core.records.training import Conversation, Turn

PROMPTS = ("evolve-idea", "evolve-revise", "evolve-alone")
"""What a policy is trained to answer."""
FORM = (
    "Write the text of the field `idea` between <idea> and </idea>, once you have thought; nothing"
    " outside of them is read."
)
"""How a policy answers, whose replies no server holds to a shape: the paper's block."""


def first_draft(standing: str, task: str) -> Conversation:
    """Return the conversation that a first draft answers."""
    return (Turn(role="system", text=standing), asked(task))


def next_draft(before: Conversation, idea: str, task: str) -> Conversation:
    """Return the conversation that goes on from a draft to its revision."""
    said = Turn(role="assistant", text=f"<idea>\n{idea}\n</idea>")
    return (*before, said, asked(task))


def asked(task: str) -> Turn:
    """Return a task as it is put."""
    return Turn(role="user", text=f"{task}\n\n{FORM}")


def blocks(reply: str) -> list[str]:
    """Return the texts of all whole blocks in a reply, thoughts stripped."""
    found = list[str]()
    rest = apart(reply).answer
    while True:
        _, opened, rest = rest.partition("<idea>")
        text, closed, after = rest.partition("</idea>")
        if not (opened and closed):
            return found
        found.append(text.strip())
        rest = after


def read(reply: str) -> str:
    """Return the idea in a reply, thoughts stripped; empty where there is no whole block, several,
    or one too short or too long to be an idea.
    """
    found = blocks(reply)
    if len(found) != 1:
        return ""
    try:
        return HeadedIdea(idea=found[0]).idea
    except ValueError:
        return ""
