"""The codebook of a session's files: every column and every value explained."""

from core.export import study_rows as rows
from core.export.blocks import Block, Fields, Heading, Paragraph, Span, listed, said
from core.export.markdown import written
from core.records import TASKS, StudyPlan, Task
from core.studies.counting import RULE, AnswerCounts
from core.studies.definitions import DEFINITIONS

RECOMPUTE = (
    "SHA-256 of the field configuration as canonical JSON: keys sorted, no spaces, UTF-8, letters"
    " not escaped. In Python: hashlib.sha256(json.dumps(configuration, sort_keys=True,"
    " ensure_ascii=False, separators=(',', ':')).encode()).hexdigest()"
)
SHEETS = (
    ("answers.csv", rows.ANSWERS),
    ("seats.csv", rows.SEATS),
    ("events.csv", rows.EVENTS),
    ("key.csv", rows.KEY),
)
OF_A_TASK: dict[Task, tuple[tuple[str, dict[str, str]], ...]] = {
    "rate": (("ratings.csv", rows.RATINGS),),
    "rank": (("guesses.csv", rows.GUESSES),),
    "compare": (),
    "comment": (("remarks.csv", rows.REMARKS),),
}
OTHERS = {
    "answers.jsonl": (
        "Every answer as it was filed, one JSON object a line, with the labels in the order shown."
        " Nothing is left out that answers.csv has."
    ),
    "texts.jsonl": (
        "The frozen text behind every label, with its SHA-256: that of the field record as"
        " canonical JSON."
    ),
    "configuration.json": (
        "The plan, the texts' hashes and the units, frozen when the session opened. Its field sha:"
        f" {RECOMPUTE}"
    ),
    "key.csv and key.jsonl": (
        "What labels hide, and which units have a known answer. In no archive but one that was"
        " asked for with the key."
    ),
    "figures/": "Every table as CSV, LaTeX and Markdown. Tables by source only beside the key.",
    "methods.txt and methods.tex": (
        "A methods paragraph with the numbers filled in, and what it lacks."
    ),
}


def codebook(plan: StudyPlan, counts: AnswerCounts) -> str:
    """Return the codebook of a session as Markdown: which answers count, how each figure is
    computed, every column.
    """
    blocks: list[Block] = [
        Heading(f"Codebook: {plan.title}", 1),
        Paragraph((Span(f"{TASKS[plan.task]}."),)),
        said(
            "Texts are known by labels drawn by chance, the same for everybody. Files are UTF-8;"
            " times are UTC; an empty cell says nothing. A cell that a spreadsheet would run as a"
            " formula begins with an apostrophe. Answers of experts who withdrew are in no file."
        ),
        Heading("Which answers count"),
        said(f"{RULE} In these files {counts.said}."),
        Heading("Criteria" if plan.criteria else "Questions"),
        *_scales(plan),
        Heading("How each figure is computed"),
        said(
            "Over the answers that count. How an interval or p was made stands beside the figure,"
            " in the column How; a figure that is refused says why."
        ),
        Fields(tuple(DEFINITIONS[plan.task].items())),
    ]
    own = OF_A_TASK[plan.task] if plan.task != "rank" or plan.hidden_target else ()
    for name, columns in (*SHEETS[:1], *own, *SHEETS[1:]):
        blocks += [Heading(name), Fields(tuple(columns.items()))]
    return written((*blocks, Heading("Other files"), Fields(tuple(OTHERS.items()))))


def _scales(plan: StudyPlan) -> tuple[Block, ...]:
    if not plan.criteria:
        return listed(
            (
                "valid: was the review valid? yes, partly, no",
                "answered: did the revision answer it? yes, partly, no",
                "change: the idea after the revision against the idea before: better, same, worse",
            )
        )
    return listed(
        f"{one.name}: {one.meaning} 1: {one.low.rstrip('.')}. 10: {one.high.rstrip('.')}."
        for one in plan.criteria
    )
