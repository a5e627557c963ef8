"""White space without end, as no honest text has it: patterns that look for a text's parts take the
square, or the cube, of its length.
"""

import re

MOST = 100
"""Signs of white space side by side that are kept."""
# From its first sign on only: at every other one the search would begin anew.
_LONG = re.compile(rf"(?<!\s)(\s{{{MOST}}})\s+")
_LONG_IN_A_LINE = re.compile(rf"(?<![^\S\n])([^\S\n]{{{MOST}}})[^\S\n]+")


def narrow(text: str) -> str:
    """Return a text with every gap cut to so many signs."""
    return _LONG.sub(r"\1", text)


def narrow_lines(text: str) -> str:
    """Return a text with every gap in a line cut so, and all its lines: errors are told by line."""
    return _LONG_IN_A_LINE.sub(r"\1", text)
