"""How runs of one topic are told apart where several are listed: by the idea they came to, by what
they are, and by when they began.
"""

from components.shell import services
from core.records import Idea, Run
from core.runs.catalogue import entry

SHORT = 60
"""Letters of a topic or a title, where all stands on one line."""


def made(run: Run) -> str:
    """Return the title of the idea a finished run came to, and how many more; empty where it came
    to none, or where that is its name already.
    """
    if run.state != "done" or entry(run.config).makes != "ideas":
        return ""
    found = services.store().steps.field(run.id, "Outcome", "idea")
    titles = [Idea.model_validate_json(str(one)).title for one in found if one]
    if not titles or run.title in titles:
        return ""
    return titles[0] + (f" and {len(titles) - 1} more" if len(titles) > 1 else "")


def in_list(run: Run) -> str:
    """Name a run in a list to choose from, as plain text on one line; no two share a name.

    It stays the same from one drawing to the next: the browser sends the name of what was picked.
    """
    kind = "Case study" if run.packed else entry(run.config).label
    began = f"{run.created[:10]} {run.created[11:16]} UTC"
    parts = (_short(made(run)), _short(run.title), kind, began, run.id)
    return " · ".join(filter(None, parts))


def _short(text: str) -> str:
    whole = " ".join(text.split())
    return whole if len(whole) <= SHORT else f"{whole[: SHORT - 1]}…"
