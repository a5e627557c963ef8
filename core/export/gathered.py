"""Questions, targets and data sets as blocks."""

from collections.abc import Callable

from core.export.blocks import Blocks, Heading, Table, listed, named, said
from core.export.datasets import usable
from core.export.facts import unfinished
from core.export.papers import titled
from core.records import Gathered, LeftOut, Prepared, Record, Run, Target, label
from core.story import Story


def _prepared(one: Prepared) -> Blocks:
    keywords = (named("Keywords", ", ".join(one.keywords)),) if one.keywords else ()
    seed = (named("Begins with", titled(one.seed)),) if one.seed else ()
    if one.rejected:
        return (
            Heading("Question, rejected"),
            said(one.question),
            *seed,
            *keywords,
            named("Why", one.rejected),
        )
    review = (
        (Heading("Literature review", 3), *map(said, one.review.split("\n\n")))
        if one.review
        else ()
    )
    return (Heading("Question"), said(one.question), *seed, *keywords, *review)


def _target(one: Target) -> Blocks:
    background = "1 abstract" if len(one.background) == 1 else f"{len(one.background)} abstracts"
    return (
        Heading(f"Target: {one.idea.title}"),
        *((named("Category", one.category),) if one.category else ()),
        named("Topic", one.topic),
        named("Paper", titled(one.paper)),
        *(named(label(name), text) for name, text in one.idea.fields.items()),
        named("Background", background),
    )


def _left_out(one: LeftOut) -> Blocks:
    return (
        Heading(f"Left out: {one.paper.title}"),
        named("Paper", titled(one.paper)),
        named("Why", one.reason),
    )


def _gathered(one: Gathered) -> Blocks:
    numbers = (
        f"{one.found} of {one.wanted}; {one.qualified} qualified, {one.left_out} of those that were"
        " tried were left out."
    )
    return (
        Heading(f"Gathered{f': {one.category}' if one.category else ''}"),
        said(f"{numbers} {one.reason}".strip()),
    )


def dataset(run: Run, story: Story) -> Blocks:
    """Write a data set: how it stands in numbers, a row for each part of it, what did not come into
    it and why, and then each part in full.
    """
    made, rejected, left = (
        usable(story),
        [one for one in story.all(Prepared) if one.rejected],
        story.all(LeftOut),
    )
    numbers = (
        *(block for one in story.all(Gathered) for block in _gathered(one)),
        *((Heading("How it stands"), said(unfinished(run))) if run.state != "done" else ()),
    )
    lost = [
        *(f"Rejected: {one.question} {one.rejected}" for one in rejected),
        *(f"Left out: {titled(one.paper)}: {one.reason}" for one in left),
    ]
    return (
        *numbers,
        *_table(made),
        *((Heading(f"Not in it ({len(lost)})"), *listed(lost)) if lost else ()),
        *(
            block
            for one in made
            for block in (_prepared(one) if isinstance(one, Prepared) else _target(one))
        ),
    )


def _table(made: tuple[Prepared | Target, ...]) -> Blocks:
    questions = tuple(
        (str(n), one.question, one.seed.title if one.seed else "–", str(len(one.papers)))
        for n, one in enumerate((one for one in made if isinstance(one, Prepared)), 1)
    )
    targets = tuple(
        (
            str(n),
            one.category or "–",
            one.paper.title,
            str(one.paper.year or "–"),
            one.paper.venue or "–",
            "–" if one.paper.citations is None else f"{one.paper.citations:,}",
            str(len(one.background)),
        )
        for n, one in enumerate((one for one in made if isinstance(one, Target)), 1)
    )
    return (
        (
            Heading("The questions"),
            Table(("", "Question", "Begins with", "Papers reviewed"), questions),
        )
        if questions
        else ()
    ) + (
        (
            Heading("The targets"),
            Table(
                ("", "Category", "Paper", "Year", "Venue", "Citations", "Background (abstracts)"),
                targets,
            ),
        )
        if targets
        else ()
    )


WRITERS: dict[type[Record], Callable[..., Blocks]] = {
    Prepared: _prepared,
    Target: _target,
    LeftOut: _left_out,
    Gathered: _gathered,
}
