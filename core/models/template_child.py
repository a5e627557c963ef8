"""The process that chat templates run in: one is a program (Jinja) that came with a model's files,
and may ask for any amount of memory and time; here it gets little.

Run by path, it imports nothing of ours. A line of JSON comes in on stdin for each question, `text`,
the template, and `given`, what it is given; a line goes out on stdout, `said` or what is `wrong`.
"""

import json
import signal
import sys
from contextlib import suppress
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Template, nodes
from jinja2.exceptions import TemplateError
from jinja2.ext import Extension, loopcontrols
from jinja2.parser import Parser
from jinja2.sandbox import ImmutableSandboxedEnvironment

MEMORY = 1 << 29
"""Bytes of address space."""
WORK = 60.0
"""Seconds of the processor for a question, after which the process ends."""
LONGEST = 2_000_000
"""Characters of a question."""


def limit() -> None:
    """Bound this process, where the system can: macOS keeps no limit on address space."""
    import resource

    with suppress(OSError):  # Where the machine's memory ends, it goes before the server.
        Path("/proc/self/oom_score_adj").write_text("1000")
    for kind, most in ((resource.RLIMIT_AS, MEMORY), (resource.RLIMIT_CORE, 0)):
        try:
            resource.setrlimit(kind, (most, most))
        except (ValueError, OSError):
            if sys.platform.startswith("linux"):
                raise


class Generation(Extension):
    """`{% generation %}`, which marks what a model has written, and changes nothing here."""

    tags = {"generation"}

    def parse(self, parser: Parser) -> list[nodes.Node]:
        """Return what stands between the marks."""
        next(parser.stream)
        return parser.parse_statements(("name:endgeneration",), drop_needle=True)


@lru_cache(maxsize=8)
def compiled(text: str) -> Template:
    """Return a template as transformers (5.17) compiles it."""
    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[Generation, loopcontrols]
    )
    environment.filters["tojson"] = tojson
    environment.globals["raise_exception"] = raise_exception
    environment.globals["strftime_now"] = lambda how: datetime.now().strftime(how)
    return environment.from_string(text)


def raise_exception(message: str) -> None:
    """Refuse a conversation, as a template may."""
    raise TemplateError(message)


def tojson(value: object, ensure_ascii: bool = False, **how: Any) -> str:
    """Write a value as JSON, as transformers does: nothing is escaped for HTML."""
    return json.dumps(value, ensure_ascii=ensure_ascii, **how)


def answered(asked: dict[str, Any]) -> dict[str, str]:
    """Return the question that a template writes, or what is wrong."""
    try:
        said = compiled(asked["text"]).render(**asked["given"])
    except MemoryError:
        return {"wrong": "it asks for more memory than it is given"}
    except Exception as error:
        return {"wrong": f"{type(error).__name__}: {error}"[:300]}
    return {"said": said} if len(said) <= LONGEST else {"wrong": "what it writes has no end"}


if __name__ == "__main__":
    limit()
    for line in sys.stdin:
        # Whoever asked may be gone by then, and could not end this.
        signal.setitimer(signal.ITIMER_VIRTUAL, WORK)
        sys.stdout.write(f"{json.dumps(answered(json.loads(line)))}\n")
        sys.stdout.flush()
