"""A session in another language: one file of all that its experts read, checked against the English
source, and taken into a draft.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple, TypeVar

from pydantic import ValidationError

from core.errors import BadInput
from core.records import Criterion, Record, Study, StudyPlan, StudyWording
from core.records.faults import fault_in_words
from core.store import Store
from core.studies import texts
from core.studies.setting_up import replan
from core.wording.catalogue import (
    FOLDER,
    FORMS,
    Wording,
    flat,
    places,
    plurals,
    source,
)
from core.wording.toml_files import read_toml

SHIPPED = ("de",)
"""Languages with a file of ours beside the English one."""
PAGES = ("title", "consent", "instructions", "example")
"""What a plan has of its own, under `study` in a file."""
ANCHORS = ("meaning", "low", "high")
POINT = "at_"
"""Before a point between the ends of a scale, in the name of what it means."""
MOST_BYTES = 1_000_000
MOST_NAMED = 12
HEAD = """\
# What experts of the session "{name}" read, to be translated: change the language below (a tag
# such as de, fr or pt-BR) and what stands in quotation marks. Names, and words in braces such as
# {{n}}, stay as they are. Where a text has plural forms, give those of the language (Unicode CLDR:
# zero, one, two, few, many, other). **Two stars** are bold, and \\n is a new line.

"""
PICTURE = "!["
ADDRESS = re.compile(
    r"""\]\(\s*+<?([^\s)>]+) | \]:\s*+<?([^\s>]+) | <([a-z][\w+.-]{0,30}:[^\s>]+)
    | ((?:(?<![\w+.-])[a-z][\w+.-]{0,30}://|mailto:|www\.)[^\s)>\]"'*]+)""",
    re.IGNORECASE | re.VERBOSE,
)
"""Where a link or a picture leads to, in the ways there are to write one."""
Texts = dict[str, str]
"""By whole name: `consent.agree`, `submit.answer.one`, `criteria.novelty.low`."""


R = TypeVar("R", bound=Record)


class TextsFile(NamedTuple):
    language: str
    texts: Texts


# -- reading and writing -----------------------------------------------------------------------


def read(data: str | bytes) -> TextsFile:
    """Read a file of texts, TOML or JSON; raises BadInput with the place of what cannot be read."""
    if len(data) > MOST_BYTES:
        raise BadInput(f"A file of texts has {MOST_BYTES:,} bytes at most.")
    try:
        said = data if isinstance(data, str) else data.decode("utf-8-sig")
        held = json.loads(said) if said.lstrip().startswith("{") else read_toml(said)
    except (ValueError, RecursionError) as error:
        raise BadInput(
            f"This file of texts cannot be read as TOML or JSON ({error}). Write it with `study"
            " texts`, and change only what stands in quotation marks."
        ) from error
    found = dict(flat(held))
    language = found.pop("language", "")
    _named(language)
    return TextsFile(language, found)


def write(language: str, said: Mapping[str, str], name: str) -> str:
    """Return a file of texts as TOML, with how to translate it above."""
    sections: dict[str, Texts] = {}
    for whole, text in said.items():
        section, _, short = whole.rpartition(".")
        sections.setdefault(section, {})[short] = text
    lines = [HEAD.format(name=" ".join(name.split())), f"language = {_quoted(language)}\n"]
    for section, entries in sections.items():
        lines.append(f"\n[{'.'.join(map(_key, section.split('.')))}]\n")
        lines += [f"{_key(short)} = {_quoted(text)}\n" for short, text in entries.items()]
    return "".join(lines)


def exported(plan: StudyPlan, file: TextsFile | None = None) -> str:
    """Return the file of texts of a session, in the language it has now: what is to be translated,
    or looked over. With a file of ours, what it says stands in place of the English.
    """
    words = texts.spoken_by(plan)
    held = _with_ours(plan, file) if file else words.texts
    language = file.language if file else words.language
    said = {name: held.get(name) or text for name, text in wanted(plan).items()}
    for name in plurals():
        for form in _forms(language):
            other = said.get(f"{name}.{form}") or source()[f"{name}.other"]
            said[f"{name}.{form}"] = held.get(f"{name}.{form}") or other
    return write(language, dict(sorted(said.items(), key=_order)), plan.name)


@cache
def shipped(language: str) -> TextsFile:
    """Return our file in a language; raises BadInput where there is none."""
    if language not in SHIPPED:
        raise BadInput(
            f"There is no file of ours in {language!r}; there is {', '.join(SHIPPED)}. Write the"
            " English texts with `study texts`, and translate them."
        )
    return read((FOLDER / f"texts.{language}.toml").read_bytes())


def language_name(language: str) -> str:
    """Return what a language is called in English."""
    return _named(language)


# -- what is wanted, and what lacks ------------------------------------------------------------


def wanted(plan: StudyPlan) -> Texts:
    """Return the English source of all that experts of a session read, but for the texts they
    judge: screens, practice, checks, and the session's own pages and criteria.
    """
    said = {name: text for name, text in source().items() if _on_screen(name, plan)}
    said |= {f"study.{part}": getattr(plan, part) for part in PAGES}
    for one in plan.criteria:
        said |= {
            f"criteria.{one.name}.{part}": getattr(one, part)
            for part in ("name", *ANCHORS)
            if getattr(one, part)
        }
        said |= {f"criteria.{one.name}.{POINT}{at}": text for at, text in one.anchors.items()}
    return said


def problems(plan: StudyPlan, file: TextsFile) -> list[str]:
    """Return what is wrong with a file of texts for a session: what lacks, what nobody knows, words
    in braces that differ, and plural forms that lack; each named.
    """
    need = wanted(plan)
    said = _with_ours(plan, file)
    found = []
    for name, text in need.items():
        bare, _, form = name.rpartition(".")
        if bare in plurals() and form in FORMS:
            continue
        if not said.get(name, "").strip():
            found.append(f"{name} is missing ({_brief(text)})")
        elif not name.startswith(("study.", "criteria.")):
            found += _differing(name, text, said[name])
    found += _wrong_plurals(said, _forms(file.language))
    known = {*need, *source()}
    for name in sorted(known & said.keys()):
        found += _leading(name, need.get(name) or source()[name], said[name])
    for name in sorted(set(file.texts) - known):
        bare, _, form = name.rpartition(".")
        if bare not in plurals() or form not in FORMS:
            found.append(f"{name} is unknown: no text of this session has that name")
    return found


def _wrong_plurals(said: Texts, forms: Iterable[str]) -> Iterator[str]:
    for bare in sorted(plurals()):
        there = source()[f"{bare}.other"]
        for form in forms:
            if not said.get(f"{bare}.{form}", "").strip():
                yield f"{bare}.{form} is missing ({_brief(there)})"
        for form in FORMS:
            if given := said.get(f"{bare}.{form}"):
                # A form for one thing alone need not give its number.
                may = frozenset() if form == "other" else frozenset({"n"})
                yield from _differing(f"{bare}.{form}", there, given, may)
                yield from _leading(f"{bare}.{form}", there, given)


def _leading(name: str, there: str, given: str) -> list[str]:
    """Return where a text leads that its source does not: whoever translates might learn who reads
    it, and when.
    """
    new = _addresses(given) - _addresses(there)
    found = [f"{name} leads to {one[:80]!r}, which the source does not" for one in sorted(new)]
    if PICTURE in given and PICTURE not in there:
        found.append(f"{name} has a picture, which the source has not")
    return found


def _addresses(text: str) -> set[str]:
    return {next(filter(None, found)).rstrip(".,;:") for found in ADDRESS.findall(text)}


def lacking(plan: StudyPlan) -> list[str]:
    """Return what the language of a session lacks, as after a change of its criteria."""
    if plan.wording is None:
        return []
    own = {name: text for name, text in wanted(plan).items() if not name.endswith(".name")}
    kept = {f"study.{part}" for part in PAGES} | {name for name in own if name[:9] == "criteria."}
    held = plan.wording.texts | {name: own[name] for name in kept}
    return problems(plan, TextsFile(plan.wording.language, held))


def in_language(plan: StudyPlan, file: TextsFile) -> StudyPlan:
    """Return a plan whose experts read these texts: its pages and anchors in place of those it had,
    the rest as its wording. Raises BadInput that names what is wrong with the file.
    """
    if wrong := problems(plan, file):
        more = f"; and {len(wrong) - MOST_NAMED} more" if len(wrong) > MOST_NAMED else ""
        raise BadInput(
            f"The file of texts does not fit this session: {'; '.join(wrong[:MOST_NAMED])}{more}."
            " Write what it lacks into the file, and take it again."
        )
    said = _with_ours(plan, file)
    named = {
        name: text
        for name, text in said.items()
        if name in wanted(plan) or name.rpartition(".")[0] in plurals()
    }
    pages = {part: named.pop(f"study.{part}") for part in PAGES}
    criteria = []
    for one in plan.criteria:
        parts = {
            part: named.pop(f"criteria.{one.name}.{part}")
            for part in ANCHORS
            if f"criteria.{one.name}.{part}" in named
        }
        between = {at: named.pop(f"criteria.{one.name}.{POINT}{at}") for at in one.anchors}
        given = one.model_dump() | parts | ({"anchors": between} if between else {})
        criteria.append(_made(Criterion, given))
    # Our own pages are in the plan; a draft that is changed needs them again in its own language.
    named |= {name: text for name, text in file.texts.items() if name.startswith("ours.")}
    wording = _made(StudyWording, {"language": file.language, "texts": named})
    given = {**plan.model_dump(), **pages, "criteria": tuple(criteria), "wording": wording}
    return texts.fitted(_made(StudyPlan, given))


def take(store: Store, study_id: str, file: TextsFile) -> Study:
    """Let experts of a draft read these texts; raises BadInput as `in_language` does, and once it
    has opened.
    """
    with store.connections.writing():
        return replan(store, study_id, in_language(store.studies.get(study_id).plan, file))


def back_to_english(store: Store, study_id: str) -> Study:
    """Let the screens of a draft be in English again; its own pages and anchors stay as they are,
    but for those that were ours.
    """
    with store.connections.writing():
        plan = store.studies.get(study_id).plan
        words = texts.spoken_by(plan)
        given = plan.model_dump() | {"wording": None}
        for part, ours in _our_pages(plan, words).items():
            if ours == getattr(plan, part):
                given[part] = _our_pages(plan, Wording())[part]
        given["criteria"] = tuple(_in_english(one, words) for one in plan.criteria)
        return replan(store, study_id, texts.fitted(_made(StudyPlan, given)))


def _in_english(one: Criterion, words: Wording) -> Criterion:
    if one.kind != "scale" or one.ends != (1, 10) or one.anchors:
        return one  # Of the same name as one of ours, and not ours.
    translated = {
        part: source()[f"criteria.{one.name}.{part}"]
        for part in ANCHORS
        if f"criteria.{one.name}.{part}" in source()
    }
    return one.model_copy(update=translated) if words.texts and translated else one


# -- parts of it -------------------------------------------------------------------------------


def _with_ours(plan: StudyPlan, file: TextsFile) -> Texts:
    """Return the texts of a file with the session's own pages, where it does not give them and they
    are ours, from our pages in that language.
    """
    said = dict(file.texts)
    words = Wording(file.language, said)
    asked = {name for name in source() if name.startswith("ours.")}
    if not texts.has_own_scales(plan.criteria):
        # Files that were written before a rubric could be one's own are whole without.
        asked -= {"ours.own_rate", "ours.own_example"}
    if not asked <= said.keys():
        return said
    now = _our_pages(plan, texts.spoken_by(plan))
    for part, ours in _our_pages(plan, words).items():
        if now[part] == getattr(plan, part):
            said.setdefault(f"study.{part}", ours)
    return said


def _our_pages(plan: StudyPlan, words: Wording) -> Texts:
    own = texts.has_own_scales(plan.criteria)
    flags = (plan.repeats > 0, plan.attention > 0, len(plan.criteria) > 1, own)
    return {
        "title": texts.title(plan.task, plan.kind, words),
        "consent": texts.consent(plan.task, plan.kind, words),
        "instructions": texts.instructions(plan.task, plan.kind, words, *flags),
        "example": texts.example(plan.task, plan.kind, words, own),
    }


def _on_screen(name: str, plan: StudyPlan) -> bool:
    """Say whether a text of the source is read in a session of this plan."""
    part, _, rest = name.partition(".")
    if part == "practice":
        return plan.practice and _practised(rest.partition(".")[0], plan)
    if part == "checks":
        return plan.attention > 0
    return part not in ("ours", "criteria")


def _practised(part: str, plan: StudyPlan) -> bool:
    shown = "trajectory" if plan.task == "comment" else f"{plan.kind}s"
    return part in ("topic", shown)


def _differing(
    name: str, text: str, said: str, may_lack: frozenset[str] = frozenset()
) -> Iterable[str]:
    there, given = places(text), places(said)
    for lacks in sorted(there - given - may_lack):
        yield f"{name} lacks {{{lacks}}}"
    for strange in sorted(given - there):
        yield f"{name} has {{{strange}}}, which is unknown"


def _made(kind: type[R], given: dict[str, Any]) -> R:
    try:
        return kind.model_validate(given)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise BadInput(f"The file of texts, {place}: {fault_in_words(first)}.") from error


def _named(language: str) -> str:
    from babel import Locale, UnknownLocaleError

    try:
        return str(Locale.parse(language, sep="-").get_display_name("en"))
    except (ValueError, UnknownLocaleError, TypeError) as error:
        raise BadInput(
            f"The file of texts says that its language is {language!r}. Write a tag that is known:"
            ' language = "de", "fr", "pt-BR".'
        ) from error


def _forms(language: str) -> tuple[str, ...]:
    """Return the plural forms that whole numbers take in a language."""
    from babel import Locale

    locale = Locale.parse(language, sep="-")
    taken = {str(locale.plural_form(n)) for n in range(201)}
    return tuple(form for form in FORMS if form in {*taken, "other"})


def _brief(text: str) -> str:
    line = " ".join(text.split())
    return json.dumps(line if len(line) <= 40 else f"{line[:39]}…", ensure_ascii=False)


def _order(entry: tuple[str, str]) -> tuple[int, list[str]]:
    """Put the session's own pages first, then the screens in their order."""
    name = entry[0]
    first = ("study", "criteria", "consent", "instructions", "practised", "practice")
    part = name.partition(".")[0]
    return (first.index(part) if part in first else len(first), name.split("."))


def _key(name: str) -> str:
    plain = name.replace("_", "").replace("-", "")
    return name if plain.isascii() and plain.isalnum() else _quoted(name)


def _quoted(text: str) -> str:
    # A JSON string is a TOML string, but for one character.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
