"""What changed between two versions of an idea, word by word, and which remark each change answers
(as the generator says).
"""

import re
from bisect import bisect
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, groupby, islice, takewhile
from operator import itemgetter
from typing import Literal, NamedTuple

from rapidfuzz import process
from rapidfuzz.distance import Indel

from core.records import Change, Form, Idea, Record, Round, label
from core.wording.sentences import ends

Kind = Literal["same", "removed", "added"]
_SIGNS = r"\x00-\xbf\u2010-\u2027\u2030-\u205e\u3000-\u303f\s"
_MARK = re.compile(rf"(?:\w|[^{_SIGNS}])+(?:['\u2019-](?:\w|[^{_SIGNS}])+|[.,]\d+)*|\S")
"""A word, or one sign. Accents, joiners and emoji count as letters, so that no character on screen
is ever cut in two.
"""
SHORT, FEW = 4, 2
"""Letters of a short word, and how many of these between two changes are read more easily as part
of the change.
"""
ENDS = (".", "!", "?")
CHANGES, PLACES = 100, 20
"""Changes of a revision that are marked in its text, and places of each."""
LINES = 5
CLOSE = 0.4
"""Share of their words in common, in order, from which two sentences are one that was rewritten."""
CALLED: Mapping[Form, str] = {
    "hypothesis": "one paragraph",
    "six-field": "six fields",
    "chain": "the fields of a chain",
    "headed": "a text under headings of its own",
}
PAIRED = 100_000
"""Pairs of sentences that are compared at most: 300 new ones with 300 that went, more than an idea
has. Beyond that, no sentence is told to be another one rewritten.
"""
ENOUGH = 5
"""Words from which a sentence is long enough to be told to be another one rewritten."""
_WORDS = re.compile(r"\S+")
# A gap is looked at from its first sign on only: at every other one the search would begin anew.
_BETWEEN_SENTENCES = re.compile(r"(?<=[.!?])\s+|(?<!\s)\s*\n\s*")


class Piece(Record):
    """A stretch of text that stayed, went, or came; a change names the remarks it answers, as the
    generator says.
    """

    kind: Kind
    text: str
    remarks: tuple[str, ...] = ()


class Difference(Record):
    """One field of an idea, from the older text to the newer."""

    field: str
    pieces: tuple[Piece, ...]
    rest: bool = False
    """Whether these are only the sentences of an older heading that stand nowhere any more."""

    @property
    def changed(self) -> bool:
        return any(piece.kind != "same" for piece in self.pieces)


class _Token(NamedTuple):
    mark: str
    space: str
    """The white space after it."""


class _Run(NamedTuple):
    same: bool
    old: list[_Token]
    new: list[_Token]


def compare(old: str, new: str) -> tuple[Piece, ...]:
    """Return what stayed, went and came between two texts; same and removed pieces joined are the
    old text, same and added the new.
    """
    runs = _settle(_tidy(_align(_tokens(old), _tokens(new))))
    related = old == new or any(run.same and any(map(_is_word, run.old)) for run in runs)
    return tuple(
        Piece(kind=kind, text=text)
        for kind, text in _join(_tell(runs) if related else _replace(old, new))
    )


def read_newer(pieces: Iterable[Piece]) -> str:
    """Return the newer text."""
    return "".join(piece.text for piece in pieces if piece.kind != "removed")


def between(older: Idea, newer: Idea, changes: Sequence[Change] = ()) -> tuple[Difference, ...]:
    """Compare two ideas field by field, in the order of the newer one. Of another form, a sentence
    that stands in both stayed, whatever its heading; what went for good comes last.
    """
    if older.form == newer.form:
        told = {name: compare(older.fields[name], text) for name, text in newer.fields.items()}
    else:
        told = _across(older, newer)
    return tuple(
        Difference(
            field=name,
            pieces=_tie(pieces, _quotes(newer, name, changes)),
            rest=name not in newer.fields,
        )
        for name, pieces in told.items()
    )


def seen_from_older(older: Idea, newer: Idea) -> tuple[Difference, ...]:
    """Compare two ideas in the order of the older one: for its text with what went marked."""
    if older.form == newer.form:
        return between(older, newer)
    other: dict[Kind, Kind] = {"same": "same", "removed": "added", "added": "removed"}
    return tuple(
        found.model_copy(
            update={
                "pieces": tuple(
                    Piece(kind=other[piece.kind], text=piece.text) for piece in found.pieces
                )
            }
        )
        for found in between(newer, older)
    )


def form_changed(older: Idea, newer: Idea) -> str:
    """Say in a sentence that the form changed; nothing where it did not."""
    if older.form == newer.form:
        return ""
    return (
        f"The form changed from {CALLED[older.form]} to {CALLED[newer.form]}; a sentence that"
        " stands in both, under whatever heading, counts as unchanged."
    )


def unquoted(idea: Idea, changes: Iterable[Change]) -> tuple[Change, ...]:
    """Return the changes whose passage is not in the text of their field; never show these as
    quotes.
    """
    return tuple(change for change in changes if not _places(change, idea))


def in_brief(first: Idea, last: Idea, rounds: Sequence[Round]) -> tuple[str, ...]:
    """Say in at most five lines of plain text what changed from the first idea to the last: fields
    first, then passages that still stand; a last line counts the passages left out.
    """
    fields = _fields_in_brief(first, last)
    found: dict[str, tuple[int, str, str]] = {}
    for done, change, remarks in _answers(rounds):
        if (
            _places(change, done.revision.idea)
            and _places(change, last)
            and not _stands(change, first)
        ):
            found.setdefault(change.passage, (done.n, change.passage, remarks))
    longest = sorted(found.values(), key=lambda one: len(one[1]), reverse=True)
    # A passage of every round before a second of any: what changed later is seen, too.
    before = Counter[int]()
    turns = []
    for one in longest:
        turns.append((before[one[0]], one))
        before[one[0]] += 1
    told = [one for _, one in sorted(turns, key=itemgetter(0))][: LINES - len(fields)]
    stands = [
        f"Round {n}: “{_cut(passage)}”; as the generator says, this answers {remarks}"
        for n, passage, remarks in sorted(told)
    ]
    if more := len(found) - len(told):
        stands.append(f"And {more} more {'passage' if more == 1 else 'passages'}.")
    return (*fields, *stands) or ("Nothing changed: it is the first idea, word for word.",)


def _across(older: Idea, newer: Idea) -> dict[str, tuple[Piece, ...]]:
    """Compare two ideas of different forms sentence by sentence, whatever the heading."""
    was = [(name, one) for name, text in older.fields.items() for one in _sentences(text)[::2]]
    now = [one for text in newer.fields.values() for one in _sentences(text)[::2]]
    known, stand = ({_plain(one) for one in many} for many in ([one for _, one in was], now))
    gone = [(name, one) for name, one in was if _plain(one) not in stand]
    pairs = _pair([one for one in now if _plain(one) not in known], [one for _, one in gone])
    told: dict[str, list[tuple[Kind, str]]] = {}
    for name, text in newer.fields.items():
        found = told.setdefault(name, [])
        for n, one in enumerate(_sentences(text)):
            if n % 2 or _plain(one) in known:
                found.append(("same", one))
            elif one in pairs:
                found += [(piece.kind, piece.text) for piece in compare(gone[pairs[one]][1], one)]
            else:
                found.append(("added", one))
    paired = set(pairs.values())
    for n, (name, one) in enumerate(gone):
        if n not in paired:
            found = told.setdefault(name, [])
            found.append(("removed", f" {one}" if found else one))
    return {
        name: tuple(Piece(kind=kind, text=text) for kind, text in _join(found))
        for name, found in told.items()
    }


def _sentences(text: str) -> list[str]:
    """Cut a text into sentences and, between every two, the white space there."""
    cut, start = list[str](), 0
    for space in _BETWEEN_SENTENCES.finditer(text):
        here = text[start : space.start()]
        before = here.rstrip(".!?")
        if "\n" in space[0] or ends(before, here[len(before) :], text[space.end() :]):
            cut += [here, space[0]]
            start = space.end()
    return [*cut, text[start:]]


def _plain(sentence: str) -> str:
    return " ".join(sentence.split())


def _pair(new: Sequence[str], old: Sequence[str]) -> dict[str, int]:
    """Return the place of the old sentence that each new one rewrites, where it rewrites one; no
    old one is taken twice, and the nearest takes it.
    """
    if len(new) * len(old) > PAIRED:
        return {}
    words = [_plain(one).casefold().split() for one in old]
    near: list[tuple[float, int, str]] = []
    for one in dict.fromkeys(new):
        asked = _plain(one).casefold().split()
        if len(asked) < ENOUGH:
            continue
        best = process.extractOne(
            asked, words, scorer=Indel.normalized_similarity, score_cutoff=CLOSE
        )
        if best:
            near.append((best[1], best[2], one))
    pairs: dict[str, int] = {}
    for _, n, one in sorted(near, reverse=True):
        if n not in pairs.values():
            pairs[one] = n
    return pairs


def _tokens(text: str) -> list[_Token]:
    """Cut a text into words and signs, each with the white space after it; the first is empty and
    holds the white space at the start.
    """
    spots = list(_MARK.finditer(text))
    ends = [*(spot.start() for spot in spots[1:]), len(text)]
    start = _Token("", text[: spots[0].start()] if spots else text)
    return [
        start,
        *(_Token(spot[0], text[spot.end() : end]) for spot, end in zip(spots, ends, strict=False)),
    ]


def _is_word(token: _Token) -> bool:
    return any(map(str.isalnum, token.mark))


def _align(old: list[_Token], new: list[_Token]) -> Iterator[_Run]:
    """Yield stretches that stayed and stretches that changed, by turns."""
    # Numbers of our own, because the library compares hashes: two words with one hash would pass as
    # equal.
    numbers: dict[str, int] = {}
    a, b = (
        [numbers.setdefault(token.mark, len(numbers)) for token in tokens] for tokens in (old, new)
    )
    for same, steps in groupby(Indel.opcodes(a, b), key=lambda step: step.tag == "equal"):
        many = list(steps)
        yield _Run(
            same,
            old[many[0].src_start : many[-1].src_end],
            new[many[0].dest_start : many[-1].dest_end],
        )


def _tidy(runs: Iterable[_Run]) -> list[_Run]:
    """Make islands of next to nothing between two changes part of one change."""
    tidy: list[_Run] = []
    for run in runs:
        if len(tidy) > 1 and not run.same and not tidy[-2].same and _is_slight(tidy[-1].old):
            # Added to in place: copied for every island, a long change would grow by the square.
            island, change = tidy.pop(), tidy[-1]
            change.old.extend(island.old + run.old)
            change.new.extend(island.new + run.new)
        else:
            tidy.append(run)
    return tidy


def _settle(runs: Sequence[_Run]) -> list[_Run]:
    """Let what merely came or went begin after the end of a sentence: `A[. B].` becomes `A.[
    B.]`.
    """
    settled = list(runs[:1])
    for after in runs[1:]:
        old, new = settled[-1].old, settled[-1].new
        if (
            after.same
            and bool(old) != bool(new)
            and (old or new)[0].mark in ENDS
            and (old or new)[0].mark == after.old[0].mark
        ):
            a, b, whole_old, whole_new = (
                len(old) + 1,
                len(new) + 1,
                old + after.old,
                new + after.new,
            )
            settled[-1:] = [
                _Run(True, whole_old[:1], whole_new[:1]),
                _Run(False, whole_old[1:a], whole_new[1:b]),
                _Run(True, whole_old[a:], whole_new[b:]),
            ]
        else:
            settled.append(after)
    return settled


def _is_slight(tokens: list[_Token]) -> bool:
    words = [token.mark for token in tokens if _is_word(token)]
    return len(words) <= FEW and all(len(word) <= SHORT for word in words)


def _tell(runs: Iterable[_Run]) -> Iterator[tuple[Kind, str]]:
    for run in runs:
        if run.same:
            for a, b in zip(run.old, run.new, strict=True):
                yield "same", a.mark
                if a.space == b.space:
                    yield "same", a.space
                else:
                    yield from _replace(a.space, b.space)
        else:
            yield from _replace(_text(run.old), _text(run.new))


def _replace(old: str, new: str) -> Iterator[tuple[Kind, str]]:
    yield "removed", old
    yield "added", new


def _text(tokens: Iterable[_Token]) -> str:
    return "".join(token.mark + token.space for token in tokens)


def _join(told: Iterable[tuple[Kind, str]]) -> list[tuple[Kind, str]]:
    """Join neighbours: each change becomes what went, then what came, without the white space that
    both share at their ends.
    """
    parts: list[tuple[Kind, str]] = []
    for same, group in groupby([one for one in told if one[1]], key=lambda one: one[0] == "same"):
        pieces = list(group)
        if same:
            parts += pieces
            continue
        went, came = (
            "".join(text for kind, text in pieces if kind == wanted)
            for wanted in ("removed", "added")
        )
        lead = _shared_space(went, came)
        went, came = went[len(lead) :], came[len(lead) :]
        tail = _shared_space(went[::-1], came[::-1])
        parts += [
            ("same", lead),
            ("removed", went[: len(went) - len(tail)]),
            ("added", came[: len(came) - len(tail)]),
            ("same", tail[::-1]),
        ]
    return [
        (kind, "".join(text for _, text in group))
        for kind, group in groupby([part for part in parts if part[1]], key=lambda part: part[0])
    ]


def _shared_space(one: str, other: str) -> str:
    """Return the white space both texts begin with."""
    return "".join(
        a
        for a, _ in takewhile(
            lambda pair: pair[0] == pair[1] and pair[0].isspace(), zip(one, other, strict=False)
        )
    )


def _tie(pieces: tuple[Piece, ...], quotes: Sequence[tuple[int, int, Change]]) -> tuple[Piece, ...]:
    """Give each change the remarks of the passages that overlap what came, or touch where something
    went.
    """
    tied, at = [], 0
    for same, group in groupby(pieces, key=lambda piece: piece.kind == "same"):
        run = list(group)
        end = at + len(read_newer(run))
        if same:
            tied += run
        else:
            touching = [
                change
                for first, last, change in quotes
                if (first < end and at < last if end > at else first <= at <= last)
            ]
            remarks = tuple(
                dict.fromkeys(remark for change in touching for remark in change.remarks)
            )
            tied += [piece.model_copy(update={"remarks": remarks}) for piece in run]
        at = end
    return tuple(tied)


def _quotes(idea: Idea, field: str, changes: Iterable[Change]) -> list[tuple[int, int, Change]]:
    return [
        (*place, change)
        for change in islice(changes, CHANGES)
        if _field(change, idea) == field
        for place in _places(change, idea)
    ]


def _places(change: Change, idea: Idea) -> list[tuple[int, int]]:
    """Return where a change's passage stands in its field, whatever the white space: the first
    places of it.
    """
    words = [*_WORDS.finditer(idea.fields.get(_field(change, idea), ""))]
    text, passage = " ".join(word[0] for word in words), " ".join(change.passage.split())
    begins = [0, *accumulate(len(word[0]) + 1 for word in words)]

    def place(at: int) -> int:
        word = bisect(begins, at) - 1
        return words[word].start() + at - begins[word]

    found, at = list[tuple[int, int]](), text.find(passage)
    while at >= 0 and len(found) < PLACES:
        end = at + len(passage)
        found.append((place(at), place(end - 1) + 1))
        at = text.find(passage, end)
    return found


def _stands(change: Change, idea: Idea) -> bool:
    """Whether a change's passage stands in an idea, under whatever heading where it has not the
    one that the change names.
    """
    if _field(change, idea) in idea.fields:
        return bool(_places(change, idea))
    passage = _plain(change.passage)
    return any(passage in _plain(text) for text in idea.fields.values())


def _field(change: Change, idea: Idea) -> str:
    """Return the field a change names, by its name or as a person would write it."""
    return next(
        (name for name in idea.fields if change.field.casefold() in (name, label(name).casefold())),
        change.field,
    )


def _fields_in_brief(first: Idea, last: Idea) -> list[str]:
    if first.form != last.form:
        return _across_in_brief(first, last)
    new = {
        name: share
        for name in last.fields
        if (share := _share(first.fields[name], last.fields[name]))
    }
    rewritten = (f"{label(name)} ({share} words changed)" for name, share in new.items())
    return [f"Rewritten: {', '.join(rewritten)}."] if new else []


def _across_in_brief(first: Idea, last: Idea) -> list[str]:
    """Say that the form changed, and under which headings there is anything new or gone."""
    came, changed, went = list[str](), list[str](), list[str]()
    for found in between(first, last):
        kinds = {piece.kind for piece in found.pieces if piece.text.strip()}
        if found.rest:
            went.append(label(found.field))
        elif kinds == {"added"}:
            came.append(label(found.field))
        elif found.changed:
            changed.append(label(found.field))
    lines = [
        f"Text that is wholly new: {', '.join(came)}.",
        f"New or rewritten in part: {', '.join(changed)}.",
        f"Sentences no longer there, of what stood under: {', '.join(went)}.",
    ]
    told = [line for line, there in zip(lines, (came, changed, went), strict=True) if there]
    return [form_changed(first, last), *told]


def _share(old: str, new: str) -> str:
    """Return the share of the words of both texts that went or came, or nothing if they are the
    same but for white space.
    """
    a, b = ([token for token in _tokens(text) if token.mark] for text in (old, new))
    share = Indel.normalized_distance(
        *([token.mark for token in tokens if _is_word(token)] for tokens in (a, b))
    )
    if [token.mark for token in a] == [token.mark for token in b]:
        return ""
    return f"{share:.0%} of the" if share >= 0.01 else "under 1% of the"


def _answers(rounds: Iterable[Round]) -> Iterator[tuple[Round, Change, str]]:
    """Yield the changes of the rounds that no verdict turned down, with the remarks they answer."""
    for one in rounds:
        if one.verdict is None or one.verdict.improved:
            said = _name_remarks(one)
            for change in one.revision.changes:
                if answered := [said[remark] for remark in change.remarks if remark in said]:
                    yield one, change, " and ".join(answered)


def _name_remarks(one: Round) -> Mapping[str, str]:
    remarks = {
        remark.id: f"the review's remark {remark.id}, “{_cut(remark.text)}”"
        for remark in (one.review.remarks if one.review else ())
    }
    return remarks | {
        wish.id: f"what {wish.by} asked for, “{_cut(wish.text)}”"
        for wish in one.wishes
        if wish.id and wish.text
    }


def _cut(text: str, limit: int = 160) -> str:
    whole = " ".join(text.split())
    return whole if len(whole) <= limit else whole[: limit - 1].rsplit(" ", 1)[0] + "…"
