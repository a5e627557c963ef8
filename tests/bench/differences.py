"""The differences bench: how long two versions of a long idea take to be compared, and drawn as
Markdown, in the worst of four cases.
"""

import random
import statistics
import time
from pathlib import Path

from core.records import FORMS, Change, Idea
from core.wording import differences

WORDS = 2_000
TARGETS = {"differences_2000_words_ms": 100.0}


def prose(words: int, seed: int) -> list[str]:
    """Return words as uneven as prose: common ones, rare ones, commas and full stops."""
    dice = random.Random(seed)
    common = ["the", "of", "and", "in", "to", "a", "sleep", "memory", "with", "for"]
    rare = [
        f"{dice.choice('bcdfglmprst')}{dice.choice('aeiou')}{dice.choice('lmnrst')}{n}"
        for n in range(800)
    ]
    return [
        dice.choice(common if dice.random() < 0.45 else rare)
        + dice.choices(("", ",", "."), (16, 2, 2))[0]
        for _ in range(words)
    ]


def pairs() -> dict[str, tuple[str, str]]:
    """Return the cases: a few words changed, every third word changed, other words of the same
    language, and no word in common.
    """
    old = prose(WORDS, 1)
    few = [f"{word}-anew" if n % 97 == 0 else word for n, word in enumerate(old)]
    third = [f"other{n}" if n % 3 == 0 else word for n, word in enumerate(old)]
    none = [f"none{n}" for n in range(WORDS)]
    return {
        name: (" ".join(old), " ".join(new))
        for name, new in (
            ("few", few),
            ("third", third),
            ("other", prose(WORDS, 2)),
            ("none", none),
        )
    }


def six(text: str) -> Idea:
    """Return an idea of six fields, nearly all of it in the method, where long ideas are long."""
    return Idea(
        form="six-field", fields=dict.fromkeys(FORMS["six-field"], "sleep") | {"method": text}
    )


def differences_2000_words_ms(_: Path) -> float:
    """Return the slowest case's median time to compare two versions of an idea of 2,000 words, with
    six changes to tie, in ms.
    """
    slowest = {}
    for name, (old, new) in pairs().items():
        older, newer = six(old), six(new)
        words = new.split()
        changes = [
            Change(field="method", passage=" ".join(words[n : n + 40]), remarks=(f"r{n}",))
            for n in range(0, WORDS, WORDS // 6)
        ]
        taken = []
        for _again in range(9):
            began = time.perf_counter()
            found = differences.between(older, newer, changes)
            taken.append(time.perf_counter() - began)
        assert [differences.read_newer(one.pieces) for one in found] == list(newer.fields.values())
        slowest[name] = statistics.median(taken) * 1000
    print(
        "differences of 2,000 words:",
        ", ".join(f"{name} {ms:.1f} ms" for name, ms in slowest.items()),
    )
    return max(slowest.values())
