"""How records read in a prompt: plain text, ids in square brackets."""

from functools import singledispatch

from core.records import (
    Chain,
    Cited,
    Design,
    DesignReview,
    Direction,
    Draft,
    Entity,
    Experiment,
    Fate,
    Heard,
    Idea,
    Indicator,
    Item,
    Judged,
    Labelled,
    Paper,
    Reading,
    Reference,
    Remark,
    Review,
    Trend,
    Unordered,
    Wish,
    label,
)


@singledispatch
def worded(value: object) -> str:
    """Return `value` as prompt text."""
    return str(value)


@worded.register
def _(value: tuple) -> str:  # type: ignore[type-arg]
    return "\n\n".join(worded(item) for item in value) if value else "NONE"


@worded.register
def _(_value: None) -> str:
    return "NONE"


@worded.register
def _(value: Paper) -> str:
    about = ", ".join(str(part) for part in (value.published or value.year, value.venue) if part)
    return (
        f"[{value.id}] {value.title}"
        + (f" ({about})" if about else "")
        + f"\n{value.abstract or 'No abstract.'}"
    )


@worded.register
def _(value: Reference) -> str:
    how = value.how
    said = [
        *(
            ["Influential: the citing paper builds on it or uses it, as its source holds."]
            if how.influential
            else []
        ),
        *([f"Cited for: {', '.join(how.intents)}"] if how.intents else []),
        *(f"Cited where it says: {passage}" for passage in how.contexts),
    ]
    return "\n".join([worded(value.paper), *said])


@worded.register
def _(value: Entity) -> str:
    return f"{value.name}: {value.meaning}"


@worded.register
def _(value: Reading) -> str:
    said = [f"{label(name)}: {text}" for name, text in value.idea.model_dump().items() if text]
    tried = [worded(one) for one in value.experiments]
    named = [f"Entity: {worded(entity)}" for entity in value.entities]
    return "\n".join(said + tried + named)


@worded.register
def _(value: Chain) -> str:
    order = "Oldest first:" if value.ordered else "In no particular order:"
    return "\n\n".join(
        [
            order,
            *(
                (f"{n}. " if value.ordered else "") + f"[{link.paper.id}] {link.paper.title}"
                f" ({link.paper.published or link.paper.year or 'undated'})\n"
                + (worded(link.reading) if link.reading else link.paper.abstract)
                for n, link in enumerate(value.links, 1)
            ),
        ]
    )


@worded.register
def _(value: Unordered) -> str:
    return "\n\n".join(
        [
            "In no particular order:",
            *(
                f"{link.paper.title}\n"
                + (worded(link.reading) if link.reading else link.paper.abstract)
                for link in value.links
            ),
        ]
    )


@worded.register
def _(value: Trend) -> str:
    return "\n".join(
        [
            *(f"[{step.earlier}] -> [{step.later}]: {step.how}" for step in value.steps),
            f"Overall: {value.summary}",
        ]
    )


@worded.register
def _(value: Direction) -> str:
    return f"{value.direction}\nBecause: {value.reasoning}"


@worded.register
def _(value: Draft) -> str:
    return "\n".join(f"{label(name)}: {text}" for name, text in value.model_dump().items())


@worded.register
def _(value: Experiment) -> str:
    return "Experiment: " + "; ".join(
        f"{name}: {text}" for name, text in value.model_dump().items() if text
    )


@worded.register
def _(value: Design) -> str:
    said = [
        f"{label(name)}: {text}" for name, text in value.model_dump(exclude={"procedure"}).items()
    ]
    return "\n".join(
        [*said, "Procedure:", *(f"{n}. {step}" for n, step in enumerate(value.procedure, 1))]
    )


@worded.register
def _(value: DesignReview) -> str:
    judged = [
        f"{label(name)}: {'yes' if getattr(value, name) else 'no'}"
        for name in ("clear", "complete", "named", "runnable")
    ]
    return "\n".join([*judged, *(worded(remark) for remark in value.remarks)])


@worded.register
def _(value: Idea) -> str:
    return value.text


@worded.register
def _(value: Indicator) -> str:
    return value.name + (f" (traits: {'; '.join(value.traits)})" if value.traits else "")


@worded.register
def _(value: Remark) -> str:
    return f"[{value.id}] {value.text}" + (f" (trait: {value.trait})" if value.trait else "")


@worded.register
def _(value: Review) -> str:
    return "\n".join([value.summary, *(worded(remark) for remark in value.remarks)])


@worded.register
def _(value: Heard) -> str:
    if not value.remarks:
        return (
            "A person declined every remark: follow the wishes, and keep the rest of the idea as"
            " it is."
        )
    return "\n".join(
        [*([value.summary] if value.summary else []), *(worded(remark) for remark in value.remarks)]
    )


@worded.register
def _(value: Fate) -> str:
    became = {
        "answered": "answered by a revision, as its writer says",
        "declined": "declined by a person",
        "open": "not answered yet",
    }[value.became]
    return f"Round {value.round}, {became}: {value.remark.text}"


@worded.register
def _(value: Wish) -> str:
    return (f"[{value.id}] " if value.id else "") + f"{value.by} asks: {value.text}"


@worded.register
def _(value: Labelled) -> str:
    # The letter stands before every line, so that no idea can pass for the beginning of another.
    return "\n".join(f"{value.label}| {line}" for line in value.idea.text.splitlines())


@worded.register
def _(value: Cited) -> str:
    return (
        f"[{value.label}] {value.paper.title}"
        + (f" ({value.paper.venue})" if value.paper.venue else "")
        + f"\n{value.paper.abstract}"
    )


@worded.register
def _(value: Item) -> str:
    return f"{label(value.name)}: {value.holds}"


@worded.register
def _(value: Judged) -> str:
    if value.directive is None:
        return f"[{value.item}] nothing to change"
    # What a judge quotes and the idea does not say would send the writer looking for it.
    passage = (
        f'"{value.passage.quote}"'
        if value.passage and value.passage.quote
        else "none in particular"
    )
    return (
        f"[{value.item}] Passage: {passage}\nWhat is wrong: {value.directive.issue}\nSuggestion:"
        f" {value.directive.suggestion}"
    )
