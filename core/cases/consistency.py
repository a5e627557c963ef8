"""Whether the parts of a case study fit one another, and this program: from a stranger's file
nothing is kept that no run of this program could have made, and no call, step or run took what
cannot be.
"""

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator

from pydantic import ValidationError

from core import prompts, records
from core.cases import experiments, shortlists
from core.errors import KINDS, BadInput
from core.judging.arena.competition import ArenaInputs
from core.judging.arena.contests import CRITERIA
from core.records import (
    FIVE_WAY,
    ITEMS,
    Call,
    Config,
    Design,
    Idea,
    Lineup,
    Record,
    Standing,
    digest,
    part,
)
from core.records.faults import faults_in_words
from core.runs.catalogue import METHODS, entry, method
from core.store.steps import Product
from core.store.whole import KeptRun, KeptStep, MadeRun, Whole
from core.story import Line, Story

NOT_OPENED = "Nothing was opened. Ask whoever packed it for the file again."
SHOWN: dict[str, type[Record]] = {
    name: getattr(records, name)
    for name in [
        "Chain",
        "Checklist",
        "Choices",
        "ClaimsVerdict",
        "Considered",
        "Design",
        "DesignRound",
        "Direction",
        "Discarded",
        "Distinct",
        "Draft",
        "Entities",
        "Evolved",
        "Explored",
        "Gathered",
        "GivenUp",
        "Idea",
        "IdeaChoice",
        "LeftOut",
        "Lineup",
        "Link",
        "Lost",
        "Made",
        "Map",
        "Measures",
        "NoveltyCheck",
        "NoveltyMatrix",
        "Outcome",
        "Outlook",
        "Parted",
        "Played",
        "Prepared",
        "RatedIdeas",
        "Rechecked",
        "RefinedIdea",
        "Round",
        "Search",
        "Selection",
        "Shortlist",
        "Standing",
        "Standings",
        "Target",
        "Topic",
        "Trend",
    ]
}
"""Every kind of record shown by a method whose runs can be packed."""
TEXTS: dict[str, type[Record]] = {"Idea": Idea, "Design": Design}
"""What an arena compares."""
LOOKED_UP = (
    r"search|citing|cited|citations|references|cited-in-full-text|full-text|by-id|by-title|"
    r"search-by-\d+/\d+|page-\d+|sample"
)
COMPUTED = (
    r"ranking|nearest-in-words|chain|start|plane|measure|words|whole|claim-\d+|closeness|"
    r"first-forms|last-forms"
)
ANSWERED = (
    r"wishes|go-ahead|direction|topic|review|revise|verdict|first-idea|declines|judge|rank|"
    r"choices|overrulings"
)
OTHER = re.compile(rf"(.*/)?({LOOKED_UP}|{COMPUTED}|{ANSWERED})")
"""How the steps are called that no prompt names."""
PLACE = re.compile(
    r"anchors|experiment|map|selection|background|retrieval|ranking|standing|checklist|scores|"
    r"target|novelty|choice|unread|prepared|again|measures|\d+-\d+|paper-.+|form|[0-9a-f]{12,16}|"
    r"(branch|anchor|start|forward|backward|candidate|idea|direction|round|step|search|repeat)-\d+"
)
"""Where in a run a step may stand."""
_DATE = re.compile(r"(\d{4}(-\d{1,2}){0,2})?", re.ASCII)
"""YYYY-MM-DD as far as the source says."""
MOST_TOKENS = 20_000_000
"""Tokens one call has at most; the longest contexts there are take two million."""
MOST_DOLLARS = 1_000.0
"""What one call costs at most."""
DEAREST = 0.01
"""US dollars a token costs at most: ten times the dearest price of the last years."""
LONGEST = 1_000_000.0
"""Seconds one call takes at most, some eleven days."""
ROUNDING = 1e-6
"""Dollars by which sums of floating numbers may differ."""
COUNTED = ("tokens_in", "tokens_out", "tokens_expected", "tokens_thought", "tokens_cached")
PARTS = {
    "tokens_thought": ("tokens_out", "thought with more tokens than it wrote"),
    "tokens_cached": ("tokens_in", "had more tokens from a cache than it read"),
}
"""Counts that are a part of another one."""


def consistent(whole: Whole) -> None:
    """Raise BadInput where a part of a case study does not fit the others, or this program."""
    _check_run(whole)
    _check_arena(whole)
    if entry(whole.config).has_runs_made or whole.experiment:
        _check_experiment(whole)


def _check_experiment(whole: Whole) -> None:
    """Raise BadInput where the runs of an experiment or a shortlist do not fit, or do not bear its
    results out.
    """
    if not entry(whole.config).has_runs_made:
        raise _fault("it holds the runs of an experiment, and is none")
    made = whole.experiment.runs if whole.experiment else ()
    _refuse_twice("run", (one.name for one in made))
    for one in made:
        try:
            _check_run(one)
            _check_arena(one)
        except BadInput as error:
            raise BadInput(f"Of its run {one.name!r}: {error}") from None
    about = shortlists if whole.config.method == "shortlist" else experiments
    for wrong in about.misfits(whole):
        raise _fault(wrong)


def _check_run(whole: KeptRun) -> None:
    """Raise BadInput where a part of a run does not fit the others, or this program."""
    _check_configuration(whole.config, made=isinstance(whole, MadeRun))
    _refuse_twice("step", (step.key for step in whole.steps))
    _refuse_twice("record", (one.name for one in whole.products))
    _refuse_twice("paper", (one.id for one in whole.papers))
    packed_without = isinstance(whole, MadeRun) and not whole.steps
    if whole.totals.steps != len(whole.steps) and not packed_without:
        raise _fault(f"it counts {whole.totals.steps} steps and has {len(whole.steps)}")
    for sha, prompt in whole.prompts.items():
        if prompts.sha(prompt.text) != sha:
            raise _fault(
                f"the text of its prompt {prompt.name!r} is not the one the run was asked with"
            )
    for step in whole.steps:
        _check_step(step)
        if _is_named_by_method(whole.config, step) and (odd := _strange_name(whole.config, step)):
            raise _fault(f"step {step.key!r} {odd}")
    if wrong := implausible(whole):
        raise _fault(wrong)
    _check_story(whole)
    _check_dates([paper.model_dump() for paper in whole.papers])
    _check_dates([product.data for product in whole.products])


def _is_named_by_method(config: Config, step: KeptStep) -> bool:
    """Whether a step's name is its method's: the making of a run is called as that run is."""
    if config.method == "shortlist":
        return not shortlists.makes_run(step)
    return not entry(config).has_runs_made


def _check_configuration(config: Config, made: bool = False) -> None:
    """Raise BadInput for a method that no case study holds, unless an experiment had the run
    `made`.
    """
    known = METHODS.get(config.method)
    if known is None or config.version > known.version:
        raise BadInput(
            f"The case study was made by the method {config.method[:60]!r}, version"
            f" {config.version}, which this program does not know. Nothing was opened. Open it with"
            " a newer version of Idea Foundry."
        )
    if known.apart and not made:
        raise _fault(
            f"it is of the method {known.name!r}, which no case study holds: {known.apart}"
        )
    if known.advances == "steps" and (absent := set(known.roles) - set(config.models)):
        raise _fault(f"it names no model as {min(absent)}")
    try:
        known.inputs.model_validate(config.inputs)
    except ValidationError as error:
        raise _fault(f"what its run was asked for cannot be read ({_first(error)})") from None


def _refuse_twice(what: str, names: Iterable[str]) -> None:
    if twice := [name for name, times in Counter(names).items() if times > 1]:
        raise _fault(f"it has more than one {what} {twice[0][:100]!r}")


def _check_step(step: KeptStep) -> None:
    if digest(step.request) != step.hash:
        raise _fault(f"the request of step {step.key!r} does not fit its hash")
    authored = step.origin.kind == "authored"
    usage = step.tokens_in, step.tokens_out, step.cost, step.latency
    if authored and (step.calls or step.tries or usage != (None,) * 4):
        raise _fault(
            f"step {step.key!r} was written by no model, and yet names tokens, cost or time"
        )
    if not authored and step.latency is None:
        raise _fault(f"step {step.key!r} says nothing of its time")
    if step.status == "failed":
        reason = step.reply if isinstance(step.reply, dict) else {}
        if reason.get("kind") not in KINDS or not isinstance(reason.get("message"), str):
            raise _fault(f"step {step.key!r} failed, and does not say why")


def _check_story(whole: KeptRun) -> None:
    story = Story(tuple((product.name, _revive(product)) for product in whole.products))
    advances = entry(whole.config).advances
    try:
        lines = story.lines if advances else ()
        assert story.branches is not None
    except ValueError:
        raise _fault("the places of its records cannot be read") from None
    for standing in story.all(Standing):
        for ranking in standing.rankings:
            shown = sorted(ranking.shown)
            if len({*shown}) < max(2, len(shown)) or shown != sorted(ranking.best_first):
                raise _fault("a ranking does not put in order what was shown")
    for line in lines:
        if advances == "steps":
            _check_steps(line)
        else:
            _check_rounds(line)


def _revive(product: Product) -> Record:
    if product.kind not in SHOWN:
        raise _fault(
            f"{product.name!r} is of a kind this program does not know, {product.kind[:60]!r}"
        )
    try:
        return SHOWN[product.kind].model_validate_json(json.dumps(product.data), strict=True)
    except ValidationError as error:
        raise _fault(f"{product.name!r} is no {product.kind} ({_first(error)})") from None


def _check_dates(value: object) -> None:
    """Raise BadInput for a paper anywhere in `value` whose date could not be drawn."""
    if isinstance(value, list):
        for item in value:
            _check_dates(item)
    if not isinstance(value, dict):
        return
    for item in value.values():
        _check_dates(item)
    published, year = value.get("published") or "", value.get("year") or 0
    readable = isinstance(published, str) and _DATE.fullmatch(published)
    if not readable or not isinstance(year, int) or not 0 <= year <= 9999:
        raise _fault(f"the date of the paper {str(value.get('title'))[:100]!r} cannot be read")


def _check_rounds(line: Line) -> None:
    if line.rounds and line.first is None:
        raise _fault("it has rounds and no first idea")
    for n, done in enumerate(line.rounds, 1):
        if done.n != n:
            raise _fault("its rounds are not in order")
    if line.outcome and not 0 <= line.outcome.round <= line.newest:
        raise _fault("its outcome is from a round it does not have")


def _check_arena(whole: Whole | MadeRun) -> None:
    """Raise BadInput where the texts and ballots of an arena are not those of its line-up."""
    lineups = [_revive(product) for product in whole.products if product.kind == "Lineup"]
    kept = whole.arena
    if not lineups and kept is None:
        return
    if kept is None or len(lineups) != 1 or entry(whole.config).report != "arena":
        raise _fault("it has a line-up of an arena without its texts, or texts without a line-up")
    (lineup,) = lineups
    assert isinstance(lineup, Lineup)
    try:
        texts = {
            TEXTS[one.kind].model_validate_json(json.dumps(one.data), strict=True).digest()
            for one in kept.texts
        }
    except ValidationError as error:
        raise _fault(f"a text of its arena cannot be read ({_first(error)})") from None
    shown = {seat.sha for seat in lineup.seats if seat.sha}
    if texts != shown or len(kept.texts) != len(shown):
        raise _fault("the texts of its arena are not those of its line-up")
    _refuse_twice("ballot", (ballot.key for ballot in kept.ballots))
    asked = whole.config.inputs_as(ArenaInputs)
    entered = {(one.topic, one.method) for one in asked.entries}
    if not entered >= {(seat.topic, seat.method) for seat in lineup.seats}:
        raise _fault("its line-up has a text that did not enter its arena")
    # Not against every pair there is: of a file's few thousand texts there are millions.
    places = {(seat.topic, seat.method) for seat in lineup.seats if seat.sha}
    criteria = set(CRITERIA[asked.kind])
    for ballot in kept.ballots:
        met = ballot.contest
        pair = {(met.topic, met.a), (met.topic, met.b)}
        if met.a >= met.b or not places >= pair or ballot.first not in (met.a, met.b):
            raise _fault(f"ballot {ballot.key[:100]!r} is on a pair that its arena does not have")
        if not ballot.sides or not criteria >= {*ballot.sides, *ballot.strength}:
            raise _fault(f"ballot {ballot.key[:100]!r} judges what its arena does not ask for")
        if not set(FIVE_WAY) >= set(ballot.strength.values()):
            raise _fault(f"ballot {ballot.key[:100]!r} has an answer that nobody can give")


def _check_steps(line: Line) -> None:
    for n, step in enumerate(line.steps):
        if step.n != n:
            raise _fault("its steps are not in order")
    if line.outcome and line.steps and not 0 <= line.outcome.round < len(line.steps):
        raise _fault("its outcome is from a step it does not have")


def _fault(what: str) -> BadInput:
    return BadInput(
        f"The case study does not hold together: {what.removesuffix('.')}. {NOT_OPENED}"
    )


def _first(error: ValidationError) -> str:
    return faults_in_words(error)[:300]


# -- names of steps ----------------------------------------------------------------------------


def _strange_name(config: Config, step: KeptStep) -> str:
    """Say what about a step's name this program does not know; empty where it is one that its
    method gives.
    """
    above, _, last = step.key.rpartition("/")
    known = method(config.method)
    if prompt := step.request.get("prompt"):
        if prompt != last:
            return f"is named {last!r}, and asked the prompt {prompt!r}"
        if last not in known.prompts and not (
            config.version < known.version and last in prompts.names()
        ):
            return f"asked a prompt that its method {config.method!r} does not have"
    elif not OTHER.fullmatch(step.key):
        return f"has a name that no step of its method {config.method!r} has"
    if config.version < known.version or not known.places_known:
        return ""
    items = [item.name for item in ITEMS]
    known_names = {"", *items, *map(part, _qualities(config.inputs))}
    for place in above.split("/"):
        if place not in known_names and not PLACE.fullmatch(place):
            return f"stands at {place!r}, a place that no step of its method {config.method!r} has"
    return ""


def _qualities(value: object) -> Iterator[str]:
    """Yield the names of the qualities anywhere in what a run was asked for."""
    if isinstance(value, dict):
        if isinstance(value.get("name"), str) and "traits" in value:
            yield value["name"]
        for inner in value.values():
            yield from _qualities(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _qualities(inner)


def implausible(whole: KeptRun) -> str:
    """Say what cannot be true about calls, tokens and costs, as the end of a sentence; empty where
    all can.
    """
    for step in whole.steps:
        for fault in (*map(_check_call, step.calls), _check_step_sums(step)):
            if fault:
                return f"step {step.key!r} {fault}"
    return _check_run_sums(whole)


def _check_call(call: Call) -> str:
    for name in COUNTED:
        tokens = getattr(call, name)
        if tokens is not None and not 0 <= tokens <= MOST_TOKENS:
            return f"has a call with {tokens:,} tokens"
    if not 0 <= call.latency <= LONGEST:
        return f"has a call that took {call.latency:g} seconds"
    for counted, (whole, said) in PARTS.items():
        if (getattr(call, counted) or 0) > (getattr(call, whole) or 0):
            return f"has a call that {said}"
    cost, tokens = call.cost or 0.0, (call.tokens_in or 0) + (call.tokens_out or 0)
    if not 0 <= cost <= MOST_DOLLARS:
        return f"has a call that cost {cost:g} dollars"
    if cost > DEAREST * tokens:
        return f"has a call that cost {cost:g} dollars for {tokens:,} tokens"
    return ""


def _check_step_sums(step: KeptStep) -> str:
    """Say where a step's own numbers are not those of its calls: the last ones, after any of which
    no answer came.

    A step that was taken from another run left its calls there.
    """
    if step.taken_from and not step.calls:
        return _check_inherited(step)
    if step.tries > len(step.calls):
        return f"counts {step.tries:,} calls and has {len(step.calls):,}"
    own = step.calls[len(step.calls) - step.tries :]
    for name in ("tokens_in", "tokens_out"):
        total, summed = getattr(step, name) or 0, _tokens(own, name)
        if total != summed:
            return f"names {total:,} {name.replace('_', ' ')}, and its calls have {summed:,}"
    costs = [call.cost for call in own]
    cost = 0.0 if None in costs else _sum(costs)
    if abs((step.cost or 0.0) - cost) > ROUNDING:
        return f"names a cost of {step.cost or 0:g} dollars, and its calls come to {cost:g}"
    return ""


def _check_inherited(step: KeptStep) -> str:
    """Say where a step names more than its calls, which are in another run, can have taken."""
    tokens, cost = (step.tokens_in or 0) + (step.tokens_out or 0), step.cost or 0.0
    if tokens > 2 * MOST_TOKENS * step.tries:
        return f"names {tokens:,} tokens for {step.tries:,} calls"
    if cost > min(DEAREST * tokens, MOST_DOLLARS * step.tries):
        return f"names a cost of {cost:g} dollars for {tokens:,} tokens"
    return ""


def _check_run_sums(whole: KeptRun) -> str:
    """Say where the run's totals are less than its own steps took, or more than its other calls, of
    which no answer came, can have taken.
    """
    own = [call for step in whole.steps if step.taken_from is None for call in step.calls]
    totals = whole.totals
    lost = totals.calls - len(own)
    if lost < 0:
        return f"it counts {totals.calls:,} calls, and its steps have {len(own):,}"
    for name in ("tokens_in", "tokens_out", "tokens_expected"):
        summed, total = _tokens(own, name), getattr(totals, name)
        if not summed <= total <= summed + lost * MOST_TOKENS:
            return f"it counts {total:,} {name.replace('_', ' ')}, and its steps have {summed:,}"
    costs = [call.cost for call in own]
    cost, unpriced = _sum(costs), costs.count(None)
    if not cost - ROUNDING <= totals.cost <= cost + lost * MOST_DOLLARS + ROUNDING:
        return f"it names a cost of {totals.cost:g} dollars, and its steps come to {cost:g}"
    if not unpriced <= totals.unpriced <= unpriced + lost:
        return (
            f"it counts {totals.unpriced:,} calls without a price, and its steps have {unpriced:,}"
        )
    return ""


def _tokens(calls: Iterable[Call], name: str) -> int:
    return int(_sum(getattr(call, name) for call in calls))


def _sum(values: Iterable[float | None]) -> float:
    return math.fsum(value for value in values if value is not None)
