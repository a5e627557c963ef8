"""How records read in a prompt: plain text, ids in square brackets."""

from functools import singledispatch

from core.records import (
    Chain,
    Cited,
    Claim,
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
    Link,
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
    return "\n\n".join(map(worded, value)) if value else "NONE"


@worded.register
def _(_value: None) -> str:
    return "NONE"


@worded.register
def _(value: Paper) -> str:
    about = ", ".join(str(part) for part in (value.published or value.year, value.venue) if part)
    brackets = f" ({about})" if about else ""
    return f"[{value.id}] {value.title}{brackets}\n{value.abstract or 'No abstract.'}"


@worded.register
def _(value: Reference) -> str:
    how, lines = value.how, [worded(value.paper)]
    if how.influential:
        lines.append("Influential: the citing paper builds on it or uses it, as its source holds.")
    if how.intents:
        lines.append(f"Cited for: {', '.join(how.intents)}")
    lines += [f"Cited where it says: {passage}" for passage in how.contexts]
    return "\n".join(lines)


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
    parts = ["Oldest first:" if value.ordered else "In no particular order:"]
    for n, link in enumerate(value.links, 1):
        paper, number = link.paper, f"{n}. " if value.ordered else ""
        date = paper.published or paper.year or "undated"
        parts.append(f"{number}[{paper.id}] {paper.title} ({date})\n{_content(link)}")
    return "\n\n".join(parts)


@worded.register
def _(value: Unordered) -> str:
    papers = [f"{link.paper.title}\n{_content(link)}" for link in value.links]
    return "\n\n".join(["In no particular order:", *papers])


def _content(link: Link) -> str:
    return worded(link.reading) if link.reading else link.paper.abstract


@worded.register
def _(value: Trend) -> str:
    steps = [f"[{step.earlier}] -> [{step.later}]: {step.how}" for step in value.steps]
    return "\n".join([*steps, f"Overall: {value.summary}"])


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
    parts = value.model_dump(exclude={"procedure"})
    said = [f"{label(name)}: {text}" for name, text in parts.items()]
    steps = [f"{n}. {step}" for n, step in enumerate(value.procedure, 1)]
    return "\n".join([*said, "Procedure:", *steps])


@worded.register
def _(value: DesignReview) -> str:
    judged = [
        f"{label(name)}: {'yes' if getattr(value, name) else 'no'}"
        for name in ("clear", "complete", "named", "runnable")
    ]
    return "\n".join([*judged, *map(worded, value.remarks)])


@worded.register
def _(value: Idea) -> str:
    return value.text


@worded.register
def _(value: Claim) -> str:
    return f"Claim {value.n} ({value.kind}): {value.text}\nThe idea's words: {value.passage.quote}"


@worded.register
def _(value: Indicator) -> str:
    return value.name + (f" (traits: {'; '.join(value.traits)})" if value.traits else "")


@worded.register
def _(value: Remark) -> str:
    return f"[{value.id}] {value.text}" + (f" (trait: {value.trait})" if value.trait else "")


@worded.register
def _(value: Review) -> str:
    return "\n".join([value.summary, *map(worded, value.remarks)])


@worded.register
def _(value: Heard) -> str:
    if not value.remarks:
        return (
            "A person declined every remark: follow the wishes, and keep the rest of the idea as"
            " it is."
        )
    remarks = map(worded, value.remarks)
    return "\n".join([value.summary, *remarks] if value.summary else remarks)


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
    paper, venue = value.paper, f" ({value.paper.venue})" if value.paper.venue else ""
    return f"[{value.label}] {paper.title}{venue}\n{paper.abstract}"


@worded.register
def _(value: Item) -> str:
    return f"{label(value.name)}: {value.holds}"


@worded.register
def _(value: Judged) -> str:
    if value.directive is None:
        return f"[{value.item}] nothing to change"
    # What a judge quotes and the idea does not say would send the writer looking for it.
    quote = value.passage.quote if value.passage else ""
    passage = f'"{quote}"' if quote else "none in particular"
    return (
        f"[{value.item}] Passage: {passage}\nWhat is wrong: {value.directive.issue}\nSuggestion:"
        f" {value.directive.suggestion}"
    )
