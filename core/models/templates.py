"""What the chat template in a model's folder may compute. It is a program (Jinja) that came with
the files: transformers keeps it from attributes and files, and not from sums that no machine ends,
with every thread of the process waiting.
"""

from functools import cache
from typing import Any

from jinja2.exceptions import SecurityError
from jinja2.sandbox import ImmutableSandboxedEnvironment

LARGE = 10**9
"""What two numbers of a template make together at most."""
WIDE = ("format", "center", "wordwrap", "indent")
"""Filters that fill a text up to a width."""
WIDENS = (*WIDE, "ljust", "rjust", "zfill", "expandtabs", "format_map", "translate")
"""Methods of texts that do; none is in a template of a published model that we know."""


class Bounded(ImmutableSandboxedEnvironment):
    """The sandbox of transformers, in which numbers stay small and texts are not filled up."""

    intercepted_binops = frozenset({"*", "**", "%"})

    def __init__(self, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options)
        for name in WIDE:
            del self.filters[name]

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        """Return what two numbers make; raises SecurityError for texts, powers and large ones."""
        numbers = isinstance(left, int) and isinstance(right, int)
        if operator == "**" or not numbers or abs(left) > LARGE or abs(right) > LARGE:
            raise SecurityError(f"a chat template may not compute this ({operator})")
        return super().call_binop(context, operator, left, right)

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Say whether a template may use this."""
        return attr not in WIDENS and super().is_safe_attribute(obj, attr, value)

    def wrap_str_format(self, value: Any) -> Any:
        """Return nothing: no text is formatted."""


@cache
def bound_templates() -> None:
    """Let transformers, in this process, run chat templates in bounds."""
    from transformers.utils import chat_template_utils

    vars(chat_template_utils)["ImmutableSandboxedEnvironment"] = Bounded
