"""Sessions in words: states and steps, always said in the same way, and the address of an expert's
link.
"""

from components.shell import links
from components.shell.text import counted
from core.records import Kind, SeatStep, Study, StudyPlan, StudyState, Task

PAGE = "pages/sessions.py"
KINDS: dict[Kind, str] = {"idea": "Ideas", "design": "Experiment designs"}
TASKS: dict[Task, tuple[str, str]] = {
    "rate": ("Rate", "Each text by itself, scored on every criterion."),
    "rank": (
        "Rank",
        "A set of texts, best first, by one criterion at a time. A set may hide an idea by people.",
    ),
    "compare": ("Compare", "Two texts side by side, five answers on every criterion."),
    "comment": (
        "Comment",
        (
            "A refinement, round by round: was the review valid, did the revision answer it, is the"
            " idea better?"
        ),
    ),
}
STATES: dict[StudyState, tuple[str, str, str]] = {
    "draft": ("gray", ":material/edit:", "Draft"),
    "open": ("blue", ":material/lock_open:", "Open"),
    "closed": ("green", ":material/lock:", "Closed"),
}
STEPS: dict[SeatStep, str] = {
    "consent": "not begun",
    "instructions": "reading the instructions",
    "practice": "practising",
    "work": "at work",
    "afterwards": "last questions",
    "done": "finished",
    "declined": "declined",
    "withdrawn": "withdrew",
    "revoked": "revoked",
}


def badge(study: Study) -> str:
    """Return a session's state as a Markdown badge: colour, icon and word."""
    colour, icon, word = STATES[study.state]
    unblinded = " :gray-badge[:material/visibility: Unblinded]" if study.unblinded else ""
    return f":{colour}-badge[{icon} {word}]{unblinded}"


def units(task: Task) -> str:
    """Return what one unit is called."""
    return {"rate": "text", "rank": "set", "compare": "pair", "comment": "refinement"}[task]


def amount(plan: StudyPlan, work: int) -> str:
    """Say what so many units are: a set is a unit for each criterion it is ordered by."""
    if plan.task == "rank" and len(plan.criteria) > 1:
        return f"{counted(work // len(plan.criteria), 'set')} by {len(plan.criteria)} criteria"
    return counted(work, units(plan.task))


def link(secret: str) -> str:
    """Return an expert's link."""
    return f"{links.base()}/annotate?seat={secret}"


def moment(said: str) -> str:
    """Return a stored moment as it is read, in UTC; nothing where there is none."""
    return f"{said[:10]} {said[11:16]} UTC" if said else ""


def unassigned(lacking: int) -> str:
    """Say how many planned answers no expert has, and why."""
    return (
        f"{counted(lacking, 'answer')} of those that were planned {'is' if lacking == 1 else 'are'}"
        " not assigned to any expert, because one declined, withdrew, lost a seat or takes no more"
        " units. Reassign the units, or add an expert."
    )
