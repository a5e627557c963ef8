"""What a step of a run says, in paragraphs that are read from afar: a reply field by field, what a
revision changed, how a verdict ended.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from core.export.blocks import Look, Span, printable
from core.judging.claims import claim, overlap_of
from core.records import Checklist, Idea, NoveltyCheck, Round, Standing, label
from core.wording.differences import Difference, between, form_changed

UNSAID = ("id", "nearest", "changes", "steps", "queries", "plan")
"""Fields for the program rather than for the room; where there is nothing else they are shown."""
LOOKS: Mapping[str, Look] = {"same": "plain", "added": "added", "removed": "removed"}
WHOLE: Mapping[str, str] = {"added": "new", "removed": "no longer there"}
"""What is said of a field that is all of one kind."""
_BREAK = re.compile(r"\r\n|[\n\r]")
_HEADING = re.compile(r"#{1,6}\s+(.+?)|\*\*([^*]+)\*\*:?")
_ENTRY = re.compile(r"\s*[-*•]\s+(?=\S)")
_SENTENCE = re.compile(r"(?<=[.!?;])\s+")


@dataclass(frozen=True)
class SlideParagraph:
    """A paragraph; `point` makes it an entry of a list."""

    spans: tuple[Span, ...]
    point: bool = False

    @property
    def letters(self) -> int:
        return sum(len(span.text) for span in self.spans)

    @property
    def words(self) -> int:
        return sum(len(span.text.split()) for span in self.spans)

    @property
    def remarks(self) -> tuple[str, ...]:
        """The ids of the remarks that changes in it answer."""
        named = (span.text for span in self.spans if span.look == "remark")
        return tuple(dict.fromkeys(one for text in named for one in text.split(", ")))


def prose(text: str, name: str = "") -> list[SlideParagraph]:
    """Return a text, line by line, the first under a name."""
    lead = [Span(f"{printable(label(name))}. ", "strong")] if name and text.strip() else []
    return list(_by_line([*lead, Span(text.strip())]))


def point(text: str, sign: str = "") -> SlideParagraph:
    """Return an entry of a list, behind a sign."""
    lead = (Span(f"{printable(sign)} ", "strong"),) if sign else ()
    return SlideParagraph((*lead, Span(printable(" ".join(text.split())))), point=True)


def aside(text: str) -> SlideParagraph:
    """Return a paragraph that is said in passing."""
    return SlideParagraph((Span(printable(text), "emphasis"),))


def of_reply(reply: object) -> list[SlideParagraph]:
    """Return a reply field by field; what is for the program is left out."""
    if isinstance(reply, str):
        return prose(reply)
    fields = reply if isinstance(reply, dict) else {}
    if isinstance(fields.get("idea"), dict):
        # What was read from a paper: its entities and experiments are on the usual screen.
        fields = fields["idea"]
    fields = {name: value for name, value in fields.items() if name not in UNSAID} or fields
    found: list[SlideParagraph] = []
    for name, value in fields.items():
        if isinstance(value, str):
            alone = len(fields) == 1 or name in ("summary", "reason")
            found += prose(value, "" if alone else name)
        elif isinstance(value, dict):
            found += of_reply(value)
        elif isinstance(value, list) and all(isinstance(part, str) for part in value):
            parts = (f"({n}) {part}" for n, part in enumerate(value, 1))
            found += prose(" ".join(parts), name)
        elif isinstance(value, list):
            found += filter(None, map(_entry, value))
    return found


def _entry(part: object) -> SlideParagraph | None:
    if not isinstance(part, dict):
        return point(json.dumps(part, ensure_ascii=False))
    named = ("name", "direction", "reasoning", "text", "how", "meaning")
    texts = [str(part[name]) for name in named if part.get(name)]
    return point(": ".join(texts), str(part.get("id") or "")) if texts else None


def of_idea(idea: Idea, titled: bool = False) -> list[SlideParagraph]:
    """Return an idea, field by field; without its title where that stands above it."""
    alone = len(idea.fields) == 1
    fields = {name: text for name, text in idea.fields.items() if not titled or name != "title"}
    return [one for name, text in fields.items() for one in prose(text, "" if alone else name)]


def of_revision(done: Round, before: Idea) -> list[SlideParagraph]:
    """Return the fields that a revision changed, its changes marked and named after the remarks
    they answer; the others by name.
    """
    after = done.revision.idea
    return [
        *_of_form(before, after),
        *_of_differences(between(before, after, done.revision.changes)),
    ]


def of_rewriting(before: Idea, after: Idea) -> list[SlideParagraph]:
    """Return what changed from one idea to the next, where nobody says why."""
    return [*_of_form(before, after), *_of_differences(between(before, after))]


def _of_form(before: Idea, after: Idea) -> list[SlideParagraph]:
    changed = form_changed(before, after)
    return [aside(changed)] if changed else []


def _of_differences(found: Sequence[Difference]) -> list[SlideParagraph]:
    passages = [one for field in found if field.changed for one in _field(field, len(found) == 1)]
    if same := ", ".join(label(field.field) for field in found if not field.changed):
        passages.append(aside(f"Unchanged: {same}"))
    return passages


def _field(field: Difference, alone: bool) -> Iterator[SlideParagraph]:
    """Yield a field, line by line; one that is wholly new, or gone, says so once."""
    kinds = {piece.kind for piece in field.pieces if piece.text.strip()}
    spans = [] if alone else [Span(f"{label(field.field)}. ", "strong")]
    if len(kinds) == 1 and (whole := WHOLE.get(next(iter(kinds)))):
        if whole == WHOLE["removed"]:
            went = f"sentences {whole}" if field.rest else whole
            yield SlideParagraph((*spans, Span(went, "emphasis")))
            return
        spans.append(Span(f"({whole}) ", "emphasis"))
        text = "".join(piece.text for piece in field.pieces)
        remarks = dict.fromkeys(one for piece in field.pieces for one in piece.remarks)
        spans += [Span(text), *([Span(", ".join(remarks), "remark")] if remarks else [])]
        yield from _by_line(spans)
        return
    for n, piece in enumerate(field.pieces):
        spans.append(Span(piece.text, LOOKS[piece.kind]))
        following = field.pieces[n + 1 : n + 2]
        # What went and what came in its place are one change, and name their remarks once.
        if piece.remarks and all(after.kind == "same" for after in following):
            spans.append(Span(", ".join(piece.remarks), "remark"))
    yield from _by_line(spans)


def _by_line(spans: Iterable[Span]) -> Iterator[SlideParagraph]:
    line: list[Span] = []
    for span in spans:
        first, *others = _BREAK.split(printable(span.text))
        line.append(replace(span, text=first))
        for text in others:
            yield from _said(line)
            line = [replace(span, text=text)]
    yield from _said(line)


def _said(line: Sequence[Span]) -> Iterator[SlideParagraph]:
    """Yield a line, unless it is empty; of a heading, or an entry of a list, without its signs."""
    spans = tuple(span for span in line if span.text)
    text = "".join(span.text for span in spans).strip()
    if not text:
        return
    plain = all(span.look == "plain" for span in spans)
    if plain and (heading := _HEADING.fullmatch(text)):
        yield SlideParagraph((Span(heading[1] or heading[2], "strong"),))
    elif point := _ENTRY.match(spans[0].text):
        first = replace(spans[0], text=spans[0].text[point.end() :])
        yield SlideParagraph((first, *spans[1:]), point=True)
    else:
        yield SlideParagraph(spans)


def remarks_of(done: Round) -> dict[str, str]:
    """Return the remarks a revision was asked with, people's own included, by their ids."""
    found = {one.id: one.text for one in (done.review.remarks if done.review else ())}
    wishes = {wish.id: f"{wish.text} ({wish.by})" for wish in done.wishes if wish.id and wish.text}
    return found | wishes


def of_verdict(improved: bool, reason: str, quiet: int = 0) -> list[SlideParagraph]:
    """Return a verdict and its reason; `quiet` verdicts in a row saw no improvement."""
    ending = "Improved" if improved else "No improvement"
    row = f" ({quiet} in a row)" if quiet > 1 else ""
    return [SlideParagraph((Span(f"{ending}{row}", "strong"),)), *prose(reason)]


def of_check(check: NoveltyCheck, source: str) -> list[SlideParagraph]:
    """Return what a novelty check found and what it rests on."""
    overlap = prose(overlap_of(check), "overlap") if check.overlap else []
    claimed = SlideParagraph((Span(claim(check, source), "strong"),))
    return [claimed, *prose(check.reason), *overlap]


def of_checklist(found: Checklist) -> list[SlideParagraph]:
    """Return how many items hold, and of every other what its judge wants changed."""
    head = f"{found.total} of {len(found.items)} items hold"
    passages = [SlideParagraph((Span(head, "strong"),))]
    if held := ", ".join(label(one.item) for one in found.items if one.score):
        passages.append(aside(f"Hold: {held}"))
    for one in found.items:
        if one.score != 1:
            said = one.reason or "Not judged."
            if one.directive:
                said = f"{one.directive.issue} {one.directive.suggestion}"
            passages.append(point(said, f"{label(one.item)}:"))
    return passages


def of_standing(found: Standing) -> list[SlideParagraph]:
    """Return a ranking, best first: by the mean of the places over its repeats, with the reason
    that the first of them gave.
    """
    if not found.rankings:
        return prose(found.reason or "No ranking came about.")
    first = found.rankings[0]
    places: dict[str, list[int]] = {name: [] for name in first.best_first}
    for ranked in found.rankings:
        for place, name in enumerate(ranked.best_first, 1):
            places.setdefault(name, []).append(place)
    means = {name: sum(here) / len(here) for name, here in places.items() if here}
    said = dict(zip(first.best_first, first.reasons, strict=False))
    best_first = sorted(means, key=lambda name: (means[name], name))
    named = [(f"{means[name]:.3g}. {label(name)}: ", said.get(name, "")) for name in best_first]
    return [
        SlideParagraph((Span(printable(name), "strong"), Span(printable(why))))
        for name, why in named
    ]


def cut(passage: SlideParagraph, most: int) -> Iterator[SlideParagraph]:
    """Yield a passage in parts of at most `most` letters or little more, cut after sentences or,
    where a sentence is too long, after words.
    """
    part: list[Span] = []
    letters = 0
    for span in passage.spans:
        pieces = [span.text] if span.look == "remark" else _pieces(span.text, most)
        for text in pieces:
            if letters and letters + len(text) > most and span.look != "remark":
                yield SlideParagraph(tuple(part), passage.point)
                part, letters = [], 0
            part.append(replace(span, text=text))
            letters += len(text)
    if part:
        yield SlideParagraph(tuple(part), passage.point)


def _pieces(text: str, most: int) -> Iterator[str]:
    at = 0
    for end in (*(found.end() for found in _SENTENCE.finditer(text)), len(text)):
        while end - at > most:
            # A space of a sentence longer than a page; where there is none, in the word.
            space = text.rfind(" ", at + 1, at + most) + 1 or at + most
            yield text[at:space]
            at = space
        if end > at:
            yield text[at:end]
        at = end
