"""Reviewing a design by rules, and refining it remark by remark; what nobody objected to stays."""

from collections.abc import Sequence

from core.models.builtin.design_checks import (
    CHECKS,
    PARTS,
    DesignCheck,
    DesignUnderReview,
    Part,
    missing,
)
from core.models.builtin.english import clean, clip, paragraph
from core.models.builtin.library import PassageLibrary, telling_phrases
from core.models.builtin.phrases import words
from core.records import Design, DesignReview, Idea, Paper, Remark

REMARKS, QUERIES = 5, 3
MEANT = 0.4
"""Cosine from which a remark written by somebody else is taken to mean one of our checks."""


def review(library: PassageLibrary, idea: Idea, design: Design) -> DesignReview:
    """Say what a design lacks, and what to look up for it."""
    bench = DesignUnderReview(library, idea, design)
    found = [(check, remark) for check in CHECKS if (remark := missing(check, bench))]
    lacks = {check.judged for check, _ in found}
    phrases = telling_phrases(clean(idea.title))
    about = " ".join(words(" ".join(phrases))[:5]) or clip(clean(idea.title), 60)
    queries = dict.fromkeys(f"{about} {check.query}" for check, _ in found[:REMARKS] if check.query)
    return DesignReview(
        clear="clear" not in lacks,
        complete="complete" not in lacks,
        named="named" not in lacks,
        runnable="runnable" not in lacks,
        remarks=tuple(
            Remark(id=f"r{n}", text=remark) for n, (_, remark) in enumerate(found[:REMARKS], 1)
        ),
        queries=tuple(queries)[:QUERIES],
    )


def refine(
    library: PassageLibrary,
    idea: Idea,
    design: Design,
    review: DesignReview,
    papers: tuple[Paper, ...],
) -> Design:
    """Answer every remark by a sentence in the part it concerns; a remark no check stands for
    becomes a condition of the procedure.
    """
    bench = DesignUnderReview(library, idea, design, papers)
    added: dict[Part, list[str]] = {part: [] for part in PARTS}
    for remark, check in _placed(bench, review.remarks):
        part: Part = check.part if check else "procedure"
        quoted = clip(clean(remark.text), 300).rstrip(".")
        settled = f'Before the start, this point of the review is settled in writing: "{quoted}"'
        answer = paragraph(check.mend(bench) if check else settled)
        if answer not in added[part]:
            added[part].append(answer)
    # The last step reports: new ones go before it.
    *steps, last = design.procedure
    parts: dict[str, object] = {"procedure": (*steps, *added.pop("procedure"), last)}
    for part, answers in added.items():
        if answers:
            parts[part] = paragraph(getattr(design, part), *answers)
    return design.model_copy(update=parts)


def _placed(
    bench: DesignUnderReview, remarks: Sequence[Remark]
) -> list[tuple[Remark, DesignCheck | None]]:
    """Return each remark with the check it stands for: the one that says the same, or else the
    nearest in meaning, or none.
    """
    by_text = {text: check for check in CHECKS if (text := missing(check, bench))}
    meanings = bench.library.embed([check.remark for check in CHECKS])
    placed: list[tuple[Remark, DesignCheck | None]] = []
    for remark in remarks:
        check = by_text.get(remark.text)
        if check is None:
            near = meanings @ bench.library.vector(remark.text)
            check = CHECKS[int(near.argmax())] if float(near.max()) >= MEANT else None
        placed.append((remark, check))
    return placed
