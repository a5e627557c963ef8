"""What does not fit a record, in words for people and for models alike; a validator's own sentences
reach neither.
"""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

SHOWN, MANY = 5, 1_000
"""How many faults are named at once; and how many there may be: pydantic tells of all or of none,
which takes a kilobyte each.
"""
MOST_VALUES = 100_000
"""Values in the JSON of one record."""
_PATTERNS = {
    r"\?$": "it must end with a question mark",
    r"^[\w\s-]{2,60}$": "write it in plain words, without punctuation, 2 to 60 letters long",
}
"""What a pattern asks for."""
_WORDS = {
    "missing": "is missing",
    "extra_forbidden": "is not asked for; leave it out",
    "string_too_short": "needs at least {min_length} characters",
    "string_too_long": "has more than {max_length} characters",
    "string_type": "must be text",
    "too_short": "has {actual_length} entries; at least {min_length} are needed",
    "too_long": "has more entries than the {max_length} allowed",
    "greater_than": "must be more than {gt:g}",
    "greater_than_equal": "must be at least {ge:g}",
    "less_than": "must be less than {lt:g}",
    "less_than_equal": "must be at most {le:g}",
    "literal_error": "must be one of {expected}",
    "enum": "must be one of {expected}",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "float_parsing": "must be a number",
    "finite_number": "must be a finite number",
    "none_required": "must be left empty (null)",
    "model_type": "must be an object with fields",
    "model_attributes_type": "must be an object with fields",
    "dict_type": "must be an object with fields",
    "tuple_type": "must be a list",
    "list_type": "must be a list",
    "json_invalid": "it is no JSON",
}
"""Pydantic's kinds of faults that a reply or a form can have."""


def has_few_parts(value: object, most: int = MOST_VALUES) -> bool:
    """Say whether a value of JSON holds at most so many values, itself included. Records are not
    built from larger ones: pydantic keeps half a kilobyte and more for each fault, and nothing else
    goes on meanwhile.
    """
    waiting, left = [value], most
    while waiting:
        one = waiting.pop()
        inside = one.values() if isinstance(one, dict) else one if isinstance(one, list) else ()
        left -= 1
        if len(inside) + len(waiting) > left:
            return False
        waiting.extend(inside)
    return True


def faults_in_words(error: ValidationError) -> str:
    """Return what is wrong, fault by fault: `remarks 2, text: is missing`."""
    if error.error_count() > MANY:
        return f"it has {error.error_count():,} faults"
    faults = []
    for fault in error.errors():
        where = place_of(fault)
        faults.append(f"{where}: {fault_in_words(fault)}" if where else fault_in_words(fault))
    more = f"; and {len(faults) - SHOWN} more" if len(faults) > SHOWN else ""
    return "; ".join(faults[:SHOWN]) + more


def place_of(fault: ErrorDetails) -> str:
    """Return where a fault is, counting from 1: `remarks 2, text`; empty for the whole."""
    said: list[str] = []
    for part in fault["loc"]:
        if isinstance(part, int) and said:
            said[-1] += f" {part + 1}"
        else:
            said.append(str(part).replace("_", " "))
    return ", ".join(said)


def fault_in_words(fault: ErrorDetails) -> str:
    """Return what is wrong at a place, as the end of a sentence that begins with the place."""
    given: Mapping[str, Any] = fault.get("ctx", {})
    if fault["type"] == "value_error":
        return str(given["error"])
    if fault["type"] == "string_pattern_mismatch":
        return _PATTERNS.get(given["pattern"], "is not written as asked")
    if fault["type"] == "string_too_short" and given["min_length"] == 1:
        return "is empty"
    return _WORDS.get(fault["type"], "does not fit").format(**given)
