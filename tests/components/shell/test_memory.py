"""How Python looks for circles in a server: seldom, and not among what lasts."""

import gc

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
