"""The fifth stage: the ideas beside one another, every two or in Swiss rounds, and how they stand;
beside it the checklist of each.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from core.desk import Desk
from core.judging import checklist
from core.judging.forms import FormInputs, is_common
from core.methods.inputs import ShortlistInputs
from core.methods.shortlist import meetings
from core.methods.shortlist.ideas import IdeaSoFar, check_of
from core.methods.shortlist.meetings import Meetings, Met
from core.methods.shortlist.pairing import (
    MOST_ROUND_ROBIN,
    Pair,
    drawn,
    pair_up,
    swiss_rounds,
)
from core.records import (
    Checklist,
    ComparedBy,
    Idea,
    RatedIdeas,
    SetAside,
)

ALL_ANTICIPATED = (
    "Fresh searches found one paper for every idea that has all of it; they compete all the same."
)


def compare(desk: Desk, asked: ShortlistInputs, ideas: Mapping[int, IdeaSoFar]) -> RatedIdeas:
    """Compare the ideas and return how they stand, best first.

    What one paper anticipates is set aside with its evidence, unless all are, or a person pinned
    it. A meeting that fails is lost alone; where every one failed, nobody compared them.
    """
    found = [one for one in ideas.values() if _anticipated(one)]
    aside = () if len(found) == len(ideas) else tuple(map(_set_aside, found))
    out = {one.n for one in aside}
    left = {n: one for n, one in ideas.items() if n not in out}
    notes = [ALL_ANTICIPATED] if found and not aside else []
    by = meetings.compared_by(desk)

    def meet(here: Desk) -> Meetings:
        if len(left) < 2 or by == "nobody":
            return Meetings({})
        return meet_all(here, asked, left, by)

    def judge(here: Desk) -> dict[int, Checklist | str]:
        return judge_all(here, asked, left)

    played, checklists = desk.all(meet, judge)
    # Numpy comes with it, and the catalogue, which imports this, is read by whoever lists runs.
    from core.methods.shortlist.rating import rate

    rated = rate(left, played, by, desk.bench.config.seed, checklists)
    lost = [
        f"The checklist of idea {n} failed: {said}"
        for n, said in checklists.items()
        if isinstance(said, str)
    ]
    reason = " ".join((rated.reason, *notes))
    return rated.model_copy(update={"aside": aside, "lost": tuple(lost), "reason": reason})


def _anticipated(one: IdeaSoFar) -> bool:
    checked = check_of(one)
    return bool(checked and checked.state == "anticipated" and not one.pinned)


def _set_aside(one: IdeaSoFar) -> SetAside:
    checked = one.rechecked
    assert checked is not None
    return SetAside(
        n=one.n,
        stage="compare",
        why="known",
        reason=checked.sentence,
        made=checked.made,
        paper=checked.works[0] if checked.works else None,
    )


# -- meetings ----------------------------------------------------------------------------------


def name_of(n: int) -> str:
    """Return the name an idea competes under; those of two digits sort as numbers do."""
    return f"Idea {n}"


def meet_all(
    desk: Desk, asked: ShortlistInputs, ideas: Mapping[int, IdeaSoFar], by: ComparedBy
) -> Meetings:
    """Have the ideas meet: every two, or in Swiss rounds where there are too many for that."""
    texts = {n: one.idea for n, one in ideas.items()}
    numbers = sorted(texts)
    if len(numbers) <= MOST_ROUND_ROBIN:
        pairs = [(a, b) for a in numbers for b in numbers if a < b]
        if by == "rules":
            return Meetings(_by_rules(desk, asked, texts, pairs))
        return Meetings(_in_one_arena(desk, asked, texts, pairs))
    if by == "model":
        bring_into_form(desk, asked, texts)
    met: dict[Pair, Met] = {}
    idled: set[int] = set()
    rounds = swiss_rounds(len(numbers))
    for _ in range(rounds):
        order = standing(drawn(numbers, desk.bench.config.seed), met)
        pairs = list(pair_up(order, set(met), idled))
        idled |= set(numbers) - {number for pair in pairs for number in pair}
        play = _by_rules if by == "rules" else _in_arenas
        met |= play(desk, asked, texts, pairs)
    return Meetings(met, rounds)


def standing(order: Sequence[int], met: Mapping[Pair, Met]) -> list[int]:
    """Return numbers by the share of criteria won so far, best first; level ones as given."""

    def share(n: int) -> float:
        won = lost = 0.0
        for (a, b), one in met.items():
            if n == a:
                won, lost = won + one.won_a, lost + one.won_b
            elif n == b:
                won, lost = won + one.won_b, lost + one.won_a
        return won / (won + lost) if won + lost else 0.5

    return sorted(order, key=lambda n: -share(n))


def _in_one_arena(
    desk: Desk, asked: ShortlistInputs, texts: Mapping[int, Idea], pairs: Sequence[Pair]
) -> dict[Pair, Met]:
    named = {name_of(n): idea for n, idea in texts.items()}
    title = f"Shortlist: {asked.topic}"
    worked = meetings.arena(desk, "arena", asked.topic, named, title)
    found = meetings.met_in(desk.bench.store, worked, tuple(named))
    return {pair: _between(found, *pair) for pair in pairs}


def _in_arenas(
    desk: Desk, asked: ShortlistInputs, texts: Mapping[int, Idea], pairs: Sequence[Pair]
) -> dict[Pair, Met]:
    def meet(here: Desk, pair: Pair) -> Met:
        named = {name_of(n): texts[n] for n in pair}
        name = f"idea-{pair[0]}-idea-{pair[1]}"
        title = f"Ideas {pair[0]} and {pair[1]}: {asked.topic}"
        worked = meetings.arena(here, name, asked.topic, named, title)
        return _between(meetings.met_in(here.bench.store, worked, tuple(named)), *pair)

    return _side_by_side(desk, asked, pairs, meet)


def _by_rules(
    desk: Desk, asked: ShortlistInputs, texts: Mapping[int, Idea], pairs: Sequence[Pair]
) -> dict[Pair, Met]:
    def meet(here: Desk, pair: Pair) -> Met:
        a, b = pair
        return meetings.by_rules(here.at(f"{a}-{b}"), asked.topic, texts[a], texts[b])

    return _side_by_side(desk, asked, pairs, meet)


def _side_by_side(
    desk: Desk, asked: ShortlistInputs, pairs: Sequence[Pair], meet: Callable[[Desk, Pair], Met]
) -> dict[Pair, Met]:
    def at(here: Desk, pair: Pair) -> Met:
        return meet(here, pair)

    work = [partial(at, pair=pair) for pair in pairs]
    return dict(zip(pairs, desk.each(work, asked.at_once), strict=True)) if work else {}


def _between(found: Mapping[tuple[str, str], Met], a: int, b: int) -> Met:
    """Return the meeting of two numbers from those of two names, which sort otherwise."""
    straight = found.get((name_of(a), name_of(b)))
    return straight or found[name_of(b), name_of(a)].turned()


def bring_into_form(desk: Desk, asked: ShortlistInputs, texts: Mapping[int, Idea]) -> None:
    """Have ideas brought into the common form once, before several arenas show them."""
    other = {idea.digest(): idea for idea in texts.values() if not is_common(idea)}
    if not other:
        return
    desk.bench.store.frozen.keep_all(tuple(idea for _, idea in sorted(other.items())))
    inputs = FormInputs(topic=asked.topic, shas=tuple(sorted(other)), kind="idea")
    models = {meetings.JUDGE: desk.bench.config.models[meetings.JUDGE]}
    desk.run("forms", "forms", inputs, models, f"Shortlist: {asked.topic}")


# -- the checklist beside ----------------------------------------------------------------------


def judge_all(
    desk: Desk, asked: ShortlistInputs, ideas: Mapping[int, IdeaSoFar]
) -> dict[int, Checklist | str]:
    """Return the checklist of each idea, or why there is none; nothing where it was not asked for
    or nobody can judge it.
    """
    able = all(map(desk.bench.models[meetings.JUDGE].answers, checklist.PROMPTS))
    if not (asked.checklist and able):
        return {}

    def judge(here: Desk, n: int) -> Checklist | str:
        try:
            return checklist.judge(here.at(f"idea-{n}/checklist"), ideas[n].idea)
        except checklist.UNJUDGED as error:
            return str(error)

    work = [partial(judge, n=n) for n in ideas]
    return dict(zip(ideas, desk.each(work, asked.at_once), strict=True))
