"""Adversarial refinement (InfAL, and Review & Rebuttal, its earlier form): generator, optimizer and
discriminator take turns until nothing improves.
"""

from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from core.desk import Desk
from core.errors import EmbeddingFailed, FoundryError, NoUsableAnswer, standing_for
from core.judging import checklist, ranking
from core.literature.port import Query
from core.methods.adversarial import actors
from core.methods.adversarial.actors import (
    Game,
    critique,
    fates,
    judge,
    place_of,
    plain,
    propose,
    reflect,
    revise,
    side_effects,
)
from core.methods.adversarial.course import Course
from core.methods.inputs import RefineInputs
from core.records import (
    Fate,
    GoAhead,
    Heard,
    Idea,
    Indicator,
    Lost,
    Measures,
    Outcome,
    Play,
    Review,
    Round,
    Search,
    Standing,
    Verdict,
    Wish,
    digest,
)

PROMPTS = (*actors.PROMPTS, *ranking.PROMPTS, *checklist.PROMPTS)


class RefinedLine(NamedTuple):
    """One idea's game, over: how it ended, and every version, the first one first."""

    outcome: Outcome
    versions: tuple[Idea, ...]


def refine(desk: Desk, inputs: RefineInputs) -> tuple[Outcome, ...]:
    """Refine one idea, or several side by side, showing each round as it ends; return how each
    ended (InfAL, section 3.2 and figure 2).
    """
    game = Game(topic=inputs.topic, area=inputs.area, context=inputs.context)
    if not inputs.context and inputs.k:
        found = background(desk.at("background"), game, inputs.k)
        desk.at("background").show(found)
        game = game.model_copy(update={"context": found.papers})
    desk.uses(game.context, given=bool(inputs.context))
    target = aim(desk, inputs)
    if inputs.lines == 1:
        return (play_out(desk, inputs, game, 1, target).outcome,)

    def line(here: Desk, k: int) -> RefinedLine | NoUsableAnswer | None:
        if inputs.only not in (None, k):
            return None
        try:
            return play_out(here.past(NoUsableAnswer), inputs, game, k, None)
        except NoUsableAnswer as error:
            here.at("lost").show(Lost(part=f"idea {k}", reason=str(error)))
            return error

    ends = desk.at_each(line, {f"idea-{k}": k for k in range(1, inputs.lines + 1)})
    played = {k: end for k, end in enumerate(ends, 1) if isinstance(end, RefinedLine)}
    if not played:
        raise standing_for([end for end in ends if isinstance(end, NoUsableAnswer)])
    if target:
        rank_rounds(desk.at("ranking"), inputs, played, target)
    return tuple(end.outcome for end in played.values())


def aim(desk: Desk, inputs: RefineInputs) -> Idea | None:
    """Return the target in the form in which ideas are ranked; None if there is no target, or if it
    cannot be brought into that form, which is shown beside the rankings.
    """
    if inputs.target is None:
        return None
    try:
        target = ranking.in_form(desk.at("target"), inputs.target, inputs.same_form)
    except ranking.UNRANKED as error:
        standing = desk.at("round-0/standing" if inputs.lines == 1 else "ranking/round-0")
        say_unranked(standing, inputs, error, 0)
        return None
    desk.at("target").show(target)
    return target


def play_out(
    desk: Desk, inputs: RefineInputs, game: Game, line: int, target: Idea | None
) -> RefinedLine:
    """Play one idea's game round by round; two calls in series per round: the verdict and the next
    review do not need one another.

    An unusable review or verdict is skipped; an unusable revision ends the refinement with the last
    accepted idea.
    """
    start = desk.at("round-0")
    if inputs.firsts:
        first = inputs.firsts[line - 1]
    else:
        first = inputs.idea or propose(start, game, inputs.at(1))
    start.show(first)
    versions, course, past = [first], Course(inputs, first), tuple[Fate, ...]()
    if not course.play.most:
        score_version(start, inputs, first, target, 0)
        reason = "The initial idea, as the generator wrote it; nothing is refined."
        return end_line(desk, inputs, line, Outcome(reason=reason, idea=first), versions)
    review, _, _ = start.all(
        lambda d: review_idea(d, game, course.play, course.goal, first, past),
        lambda d: score_version(d, inputs, first, target, 0),
        lambda d: measure_first(d, game, first),
    )
    while True:
        here, play, goal = desk.at(f"round-{course.n}"), course.play, course.goal
        wishes = take_wishes(here, play, line, course.n - 1, course.current, review)
        rewritten = [wish.idea for wish in wishes if wish.idea and not wish.late]
        base = rewritten[-1] if rewritten else None
        older, answered = base or course.current, without_declined(review, wishes)
        texts = tuple(wish for wish in wishes if wish.text)
        work = partial(
            revise, game=game, play=play, goal=goal, idea=older, review=answered, wishes=texts
        )
        revision = here.spare(f"revision of round {course.n}", work)
        if revision is None:
            return end_line(desk, inputs, line, course.broken_off(), versions)
        newer = revision.idea
        past += fates(course.n, review, declined_in(wishes), revision) if review else ()
        (verdict, upcoming), measures, effects, standings = here.all(
            lambda d: judge_and_review(d, game, course, older, answered, newer, past),
            lambda d: measure(d, game, first, older, newer),
            lambda d: side_effects(d, game, play, goal, older, newer),
            lambda d: score_version(d, inputs, newer, target, course.n),
        )
        quiet, guess = course.count(newer, verdict), course.guess
        here.show(
            Round(
                n=course.n,
                goal=goal.name,
                review=review,
                wishes=wishes,
                base=base,
                revision=revision,
                verdict=verdict,
                effects=effects,
                measures=measures,
                standings=standings,
                quiet=quiet,
            )
        )
        versions.append(newer)
        if outcome := course.go_on():
            return end_line(desk, inputs, line, outcome, versions)
        review = upcoming
        if course.goal != guess:
            # Another indicator's turn came earlier than guessed: what was written beside the
            # verdict concerned the old one.
            place = here.at(place_of(course.goal))
            review = review_idea(place, game, course.play, course.goal, newer, past)


def review_idea(
    desk: Desk, game: Game, play: Play, goal: Indicator, idea: Idea, past: tuple[Fate, ...]
) -> Review | None:
    """Return the optimizer's review; None where none plays, or where what it wrote stayed
    unusable.
    """
    return desk.spare(
        f"review by {goal.name}",
        partial(critique, game=game, play=play, goal=goal, idea=idea, past=past),
    )


def judge_and_review(
    desk: Desk,
    game: Game,
    course: Course,
    older: Idea,
    review: Heard | None,
    newer: Idea,
    past: tuple[Fate, ...],
) -> tuple[Verdict | None, Review | None]:
    """Say whether the newest version improved, and review it for the next round: side by side, but
    for people and where the algorithm is played as printed.
    """
    play, goal = course.play, course.goal

    def verdict(here: Desk) -> Verdict | None:
        work = partial(
            judge, game=game, play=play, goal=goal, older=older, review=review, newer=newer
        )
        return here.spare("verdict", work)

    def upcoming(here: Desk) -> Review | None:
        return review_idea(here, game, course.upcoming, course.guess, newer, past)

    if play.variant == "self-reflection":
        alone = partial(
            reflect,
            game=game,
            goal=goal,
            upcoming=course.guess,
            older=older,
            newer=newer,
            past=past,
        )
        reflection = desk.spare("reflection", alone)
        if reflection is None:
            return None, None if course.last else upcoming(desk)
        # Where somebody branched off, to another quality or another generator, what was written
        # beside the verdict is no more its own.
        own_verdict, own_review = reflection
        return own_verdict, upcoming(desk) if course.branches else own_review
    if play.printed:
        read = verdict(desk)
        # Line 10 of the printed algorithm; line 14 writes over it.
        review_idea(desk.at("unread"), game, play, goal, newer, past)
        return read, None if course.settles(read) else upcoming(desk)
    if "optimizer" in course.upcoming.people:
        read = verdict(desk)
        # A person is not asked for a review that nobody would read.
        return read, None if course.last or course.settles(read) else upcoming(desk)
    return desk.all(verdict, lambda d: None if course.last else upcoming(d))


def declined_in(wishes: tuple[Wish, ...]) -> frozenset[str]:
    """Return the ids of the remarks that a revision was not to answer."""
    return frozenset(wish.decline for wish in wishes if wish.decline and not wish.late)


def take_wishes(
    desk: Desk, play: Play, line: int, of: int, idea: Idea, review: Review | None
) -> tuple[Wish, ...]:
    """Take what people want of the next revision; one about a version that was revised already is
    late, and only kept.
    """
    given: tuple[Wish, ...] = ()
    if play.step_in:
        shown = {"idea": plain(idea), "review": plain(review), "of": of}
        given = desk.person("go-ahead", GoAhead, **shown).wishes
    about = digest([idea.digest(), review.digest() if review else None])
    wishes, remarks = [], 0
    for wish in (*given, *desk.wishes(line, about)):
        remarks += bool(wish.text)
        name = f"p{remarks}" if wish.text else ""
        late = wish.of not in (None, of)
        wishes.append(wish.model_copy(update={"id": name, "late": late}))
    return tuple(wishes)


def without_declined(review: Review | None, wishes: tuple[Wish, ...]) -> Heard | None:
    """Return the review without the remarks that were declined; None where nobody reviewed."""
    declined = declined_in(wishes)
    if review is None:
        return None
    remarks = tuple(remark for remark in review.remarks if remark.id not in declined)
    summary = review.summary if remarks == review.remarks else ""
    return Heard(summary=summary, remarks=remarks)


def background(desk: Desk, game: Game, k: int) -> Search:
    """Find background for a game that was given none: the papers nearest to its topic, or honestly
    none.
    """
    found = desk.look("search", Query(text=game.topic))
    if not found.papers:
        return found
    try:
        ranked = desk.rank("ranking", game.topic, found.papers, recorded=(EmbeddingFailed,))
    except EmbeddingFailed as error:
        reason = f"In the source's own order. {error}"
        return found.model_copy(update={"papers": found.papers[:k], "reason": reason})
    nearest = tuple(paper for paper, _ in ranked[:k])
    return found.model_copy(update={"papers": nearest})


def measure(desk: Desk, game: Game, first: Idea, before: Idea, after: Idea) -> Measures | None:
    """Measure how far the idea moved; None, recorded with its reason, where the embedding model is
    not to be had.
    """
    with suppress(EmbeddingFailed):
        return desk.measure("measure", after, first=first, previous=before, papers=game.context)
    return None


def measure_first(desk: Desk, game: Game, first: Idea) -> None:
    """Show how near the first idea is to the background, so that later versions can be read beside
    it; nothing where there is no background.
    """
    if game.context and (found := measure(desk, game, first, first, first)):
        desk.at("measures").show(found)


def score_version(
    desk: Desk, inputs: RefineInputs, idea: Idea, target: Idea | None, n: int
) -> tuple[Standing, ...]:
    """Rank version `n` against the target, and show its checklist, where either is wanted; a
    checklist that did not come about is missing, with its steps' reasons.
    """
    if inputs.checklist:
        here = desk.at("checklist")
        with suppress(*checklist.UNJUDGED):
            here.show(checklist.judge(here, idea))
    return rank_version(desk, inputs, idea, target, n)


def rank_version(
    desk: Desk, inputs: RefineInputs, idea: Idea, target: Idea | None, n: int
) -> tuple[Standing, ...]:
    """Rank version `n` with the target by every indicator used so far; version 0 belongs to no
    round, so its rankings are published here.
    """
    if target is None:
        return ()
    try:
        mine = {"idea": ranking.in_form(desk, idea, inputs.same_form)}
    except ranking.UNRANKED as error:
        return say_unranked(desk.at("standing"), inputs, error, n)
    shown = None if n else 0
    return rank_by_quality(desk.at("standing"), inputs, mine, target, max(n, 1), shown)


def rank_by_quality(
    desk: Desk,
    inputs: RefineInputs,
    ideas: dict[str, Idea],
    target: Idea,
    upto: int,
    shown: int | None,
) -> tuple[Standing, ...]:
    """Rank ideas and target side by side, by every indicator used up to a round."""

    def stand(here: Desk, goal: Indicator) -> Standing:
        return ranking.stand(here, inputs.area, goal, ideas, target, inputs.repeats, shown)

    goals = goals_of(inputs, upto)
    standings = desk.at_each(stand, {place_of(goal): goal for goal in goals})
    if shown is not None:
        show_standings(desk, goals, standings)
    return standings


def say_unranked(
    desk: Desk, inputs: RefineInputs, error: FoundryError, n: int
) -> tuple[Standing, ...]:
    """Say why version `n` could not be ranked, by any indicator; of version 0 it is shown."""
    goals = goals_of(inputs, max(n, 1))
    standings = tuple(not_ranked(goal, error, None if n else 0) for goal in goals)
    if n == 0:
        show_standings(desk, goals, standings)
    return standings


def not_ranked(goal: Indicator, error: FoundryError, n: int | None) -> Standing:
    """Return a standing that says why there is none."""
    return Standing(goal=goal.name, q=None, rankings=(), reason=str(error), round=n)


def show_standings(
    desk: Desk, goals: tuple[Indicator, ...], standings: tuple[Standing, ...]
) -> None:
    """Show each standing in the place of its indicator."""
    for goal, standing in zip(goals, standings, strict=True):
        desk.at(place_of(goal)).show(standing)


def goals_of(inputs: RefineInputs, upto: int) -> tuple[Indicator, ...]:
    """Return the indicators played for up to a round, each once."""
    goals: dict[str, Indicator] = {}
    for n in range(1, upto + 1):
        goals |= {goal.name: goal for goal in inputs.at(n).goals}
    return tuple(goals.values())


def rank_rounds(
    desk: Desk, inputs: RefineInputs, lines: Mapping[int, RefinedLine], target: Idea
) -> None:
    """Rank the ideas of every round with the target: figure 3 of InfAL; an idea that stopped
    earlier stands as it ended.
    """

    def in_form(here: Desk, idea: Idea) -> Idea:
        return ranking.in_form(here, idea, inputs.same_form)

    def stands(line: RefinedLine, n: int) -> Idea:
        if n < len(line.versions):
            return line.versions[n]
        return line.outcome.idea if desk.edition > 4 else line.versions[-1]

    def rank(here: Desk, n: int) -> None:
        newest = {f"idea-{k}": stands(line, n) for k, line in lines.items()}
        try:
            formed = here.at_each(in_form, newest)
        except ranking.UNRANKED as error:
            goals = goals_of(inputs, most)
            show_standings(here, goals, tuple(not_ranked(goal, error, n) for goal in goals))
            return
        names = [f"idea {k}" for k in lines]
        ideas = dict(zip(names, formed, strict=True))
        rank_by_quality(here, inputs, ideas, target, most, shown=n)

    most = max(len(line.versions) for line in lines.values())
    rounds = {f"round-{n}": n for n in range(most)}
    desk.at_each(rank, rounds)


def end_line(
    desk: Desk, inputs: RefineInputs, line: int, outcome: Outcome, versions: list[Idea]
) -> RefinedLine:
    """Show how the game of one idea ended."""
    if inputs.lines > 1:
        outcome = outcome.model_copy(update={"branch": line})
    desk.at("outcome").show(outcome)
    return RefinedLine(outcome, tuple(versions))
