"""What one of this model's own chain ideas does, read off the sentence it begins with, so that it
can be reviewed and revised.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from core.models.builtin.english import sentences

_COARSE = re.compile(
    r"(?:^|\. )([^.;]*(?:et al\.[^.;]*)?) may be too coarse to show a small effect"
)
_FORMS: tuple[tuple[re.Pattern[str], str, str, str], ...] = (
    (
        re.compile(
            r"New is the combination of (?P<a>.+?) with (?P<b>.+?), taken apart into what each adds"
        ),
        "the combination of {a} with {b}",
        "{measure}",
        "To measure what {a} and {b} add to {measure}, alone and together",
    ),
    (
        re.compile(
            r"New is the use of (?P<a>.+?) on (?P<b>the (?:problem|open point|limit) .+?)\.$"
        ),
        "{a}",
        "{b}",
        "To measure whether {a} helps with {b}",
    ),
    (
        re.compile(
            r"New is that the measurement of (?P<a>.+?) is taken around the intervention of"
            r" (?P<b>.+?)\.$"
        ),
        "the intervention of {b}",
        "what {a} measured",
        "To measure whether the intervention of {b} changes what {a} measured",
    ),
    (
        re.compile(r"New is that (?P<a>.+?) goes through the test of (?P<b>.+?)\.$"),
        "{a}",
        "the result in the test of {b}",
        "To measure how {a} does in the test of {b}",
    ),
    (
        re.compile(
            r"New is that the measurements of (?P<a>.+?) and of (?P<b>.+?) are taken from the same"
            r" individuals\.$"
        ),
        "a change in what {a} measured",
        "what {b} measured",
        "To measure how what {a} measured and what {b} measured go together",
    ),
    (
        re.compile(r"New is the comparison of (?P<a>.+?) with (?P<b>.+?) on the same material\.$"),
        "the choice between {a} and {b}",
        "{measure}",
        "To measure on which cases {a} and {b} differ in {measure}",
    ),
    (
        re.compile(r"New is the question which part of (?P<a>.+?) carries its result\.$"),
        "the part of {a} that is left out",
        "{measure}",
        "To measure what each part of {a} adds to {measure}",
    ),
    (
        re.compile(
            r"New is that (?P<b>the (?:open point|limit|problem) .+?) is taken on (?P<how>.+?)\.$"
        ),
        "{condition}",
        "{measure}",
        "To settle, {how}, {b}",
    ),
    (
        re.compile(
            r"New is only the condition: the central test of (?P<a>.+?) is repeated (?P<how>.+?)\.$"
        ),
        "the changed condition",
        "{measure}",
        "To find out whether the central test of {a} comes out the same when it is repeated {how}",
    ),
)


@dataclass(frozen=True)
class RecognisedIdea:
    """What an idea brings in, what for, what is measured, and the aim in one sentence."""

    device: str
    matter: str
    measure: str
    aim: str


def recognise(fields: Mapping[str, str]) -> RecognisedIdea | None:
    """Return what an idea of ours does, from the first sentence of its novelty or hypothesis; None
    for anybody else's idea.
    """
    spoken = sentences(fields.get("novelty") or fields.get("hypothesis", ""))
    coarse = _COARSE.search(fields.get("challenges") or fields.get("expected_impact", ""))
    if not spoken or not coarse:
        return None
    measure = coarse.group(1).strip()
    measure = measure[:1].lower() + measure[1:] if not measure[1:2].isupper() else measure
    for form, device, matter, aim in _FORMS:
        if found := form.match(spoken[0]):
            parts = found.groupdict()
            filled = {"measure": measure, "condition": _condition(fields, parts), **parts}
            return RecognisedIdea(
                device.format_map(filled),
                matter.format_map(filled),
                measure,
                aim.format_map(filled),
            )
    return None


_ASSIGNED = re.compile(r"at random to (?P<condition>[^.]+?) or to a control group")
_WHOSE = re.compile(r"(?:named by (?P<a>.+)|that (?P<b>.+) set out from)$")


def _condition(fields: Mapping[str, str], parts: Mapping[str, str]) -> str:
    """Return the condition that an idea studies: the one its method assigns, else that of the paper
    whose point it takes on.
    """
    if assigned := _ASSIGNED.search(fields.get("method", "")):
        return assigned["condition"]
    whose = _WHOSE.search(parts.get("b", ""))
    return f"what {whose['a'] or whose['b']} studied" if whose else "what is studied"
