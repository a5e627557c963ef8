"""How a server keeps memory: circles are looked for seldom, and not among what lasts; what is free
goes back to the system.
"""

import gc
import platform
import subprocess
import sys

import pytest

from components.shell.memory import SELDOM, collect_seldom, keep_for_good


class Ring:
    """Refers to itself, so that only a search for circles finds it."""

    def __init__(self):
        self.self = self


def rings() -> int:
    return sum(isinstance(one, Ring) for one in gc.get_objects())


def test_what_lasts_is_looked_through_once_and_later_circles_are_still_found():
    usual = gc.get_threshold()
    try:
        collect_seldom()
        assert gc.get_threshold() == SELDOM
        kept, before = Ring(), gc.get_freeze_count()
        keep_for_good()
        assert gc.get_freeze_count() > before + 10_000
        assert rings() == 0, "it is looked through no more"
        for _ in range(100):
            Ring()
        assert rings() > 0
        gc.collect()
        assert rings() == 0
        assert kept.self is kept
    finally:
        gc.unfreeze()
        gc.set_threshold(*usual)


FREED = """
from pathlib import Path
from components.shell.memory import give_back, keep_few_heaps

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 >> 20

keep_few_heaps()
held = [bytes(2_000 + n % 7) for n in range(60_000)]
# Every eighth is left, and keeps the memory around it.
del held[1:-1:2], held[1:-1:2], held[1:-1:2]
before = resident()
give_back()
print(before - resident())
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other allocators do as they do")
def test_what_lies_free_between_what_is_in_use_is_given_back():
    done = subprocess.run([sys.executable, "-c", FREED], capture_output=True, text=True, check=True)
    assert int(done.stdout) > 40, "of some 110 MB that were freed"
