"""Chain of Ideas: `coi-arena`, `coi-design`, `coi-ablations`, `coi-length`, `coi-width` (tables 1,
2, 4, 26, figures 3 to 7).

What a text is worth stands in it; two judges and a person see it by rules that are known, so every
number in every table can be worked out beside the program.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import pytest

from core.export.reproduced import Reproduced, figures, reproduced
from core.models.port import Request
from core.records import FORMS, Ballot, Contest, Idea, TopicArena, TopicCell
from core.runs.runner import Runner
from core.story import Story
from tests.support.golden_kit import (
    SIDES,
    Points,
    Rule,
    at,
    column,
    cosine,
    elo,
    held,
    outcomes,
    points_of,
    rated,
    table,
)
from tests.support.scripted import baseline_script, wide_script, wide_source
from tests.support.topics_kit import (
    CRITERIA,
    DESIGN,
    JUDGE,
    SECOND,
    WRITER,
    judge_script,
    runner_of,
    worth_of,
    writer_script,
)

FIRST_TOPIC = "teams of language models that propose research ideas together"
SECOND_TOPIC = "pretrained models that learn new partial differential equations from few examples"
TOPICS = (FIRST_TOPIC, SECOND_TOPIC)
CHAIN = "Chain of ideas, 1 branch, length 2"
RAG, DIRECT, DRAFTS, REAL = (
    "Retrieval-augmented prompting",
    "Direct prompting",
    "Direct prompting, same tokens",
    "Real paper",
)
WORTH = {CHAIN: 5.0, REAL: 4.0, DRAFTS: 3.0, RAG: 2.0, DIRECT: 1.0}
ADA = "Ada"
HEADS = {
    "novelty": "Novelty",
    "significance": "Significance",
    "clarity": "Clarity",
    "feasibility": "Feasibility",
    "effectiveness": "Effectiveness",
    "technical_quality": "Technical quality",
}


def sign(number: float) -> int:
    return (number > 0) - (number < 0)


# -- who says what ---------------------------------------------------------------------------------


def first_judge(criterion: str, topic: str, first: float, second: float) -> int:
    """More worth wins novelty everywhere, significance on one topic and loses it on the other;
    whatever stands first wins clarity; less worth wins feasibility, said in one order only; of
    effectiveness only the best text has any.
    """
    more = sign(first - second)
    return {
        "novelty": more,
        "significance": more if topic == FIRST_TOPIC else -more,
        "clarity": 1,
        "feasibility": -more if more < 0 else 0,
        "effectiveness": more if max(first, second) == 5 else 0,
        "technical_quality": more,
    }[criterion]


def second_judge(criterion: str, _: str, first: float, second: float) -> int:
    """More worth wins novelty and significance, less worth feasibility; the rest is level."""
    more = sign(first - second)
    return {"novelty": more, "significance": more, "feasibility": -more}.get(criterion, 0)


def person(criterion: str, _: str, first: float, second: float) -> int:
    """More worth wins novelty, feasibility, and where the best text competes effectiveness; all
    have one significance, and of two the worse is clearer.
    """
    more = sign(first - second)
    best = more if max(first, second) == 5 else 0
    return {
        "novelty": more,
        "feasibility": more,
        "effectiveness": best,
        "clarity": -more,
        "technical_quality": more,
    }.get(criterion, 0)


RULES: dict[str, Rule] = {JUDGE: first_judge, SECOND: second_judge}


def judging(rule: Rule) -> dict:
    """Return a judge's script."""

    def say(criteria: Sequence[str], request: Request) -> object:
        first, second = (worth_of(request.values[name]) for name in ("first", "second"))
        topic = str(request.values["topic"])
        said = {one: SIDES[rule(one, topic, first, second)] for one in criteria}
        return {**said, "reason": "By its rule."}

    return judge_script() | {
        "arena-ideas": lambda r: say(CRITERIA, r),
        "arena-designs": lambda r: say(DESIGN, r),
    }


def worth(n: float, words: str = "as before") -> dict[str, str]:
    """Return an idea that is worth so much, and says these words in every field."""
    return {**dict.fromkeys(FORMS["chain"], words), "title": f"Idea 1 worth {n:g}."}


def design(request: Request) -> dict[str, object]:
    """Return a design that is worth what its idea is."""
    parts = ("models", "datasets", "baselines", "metrics", "analysis")
    setup = f"It is worth {worth_of(request.values['idea']):g}. Measure."
    return {**dict.fromkeys(parts, "as usual"), "setup": setup, "procedure": ["Sleep.", "Measure."]}


class Writers:
    """What a writer says: the first direct idea on a topic is that of direct prompting, all later
    ones are drafts for its tokens.
    """

    def __init__(self) -> None:
        self.direct: Counter[str] = Counter()

    def write_direct(self, request: Request) -> object:
        topic = str(request.values["topic"])
        self.direct[topic] += 1
        drafted = self.direct[topic] > 1
        return worth(3, f"as before {topic[:5]}") if drafted else worth(1, topic)

    @property
    def script(self) -> dict:
        return writer_script() | {
            "idea": lambda _: worth(5),
            "retrieved-idea": lambda r: worth(2, str(r.values["topic"])[:5]),
            "direct-idea": self.write_direct,
            "report": lambda r: {
                **baseline_script()["report"](r),
                "idea": worth(4, r.values["paper"].id),
            },
            "experiment-design": design,
            "design-refine": design,
        }


class Held(NamedTuple):
    """A recipe that was held, and the results of it once Ada has voted."""

    runner: Runner
    found: Reproduced

    def voted(self, criteria: Sequence[str], kind: str, worths: Mapping[str, float]) -> "Held":
        """Return the same after Ada judged every pair of an arena once, the first by name first."""
        store, run = self.runner.store, self.found.run
        story = Story.only(store, run.id, TopicArena)
        arena = next(one for one in story.all(TopicArena) if one.kind == kind)
        known = {f"{name} ({WRITER})": n for name, n in worths.items()} | dict(worths)
        seen = dict.fromkeys(one.contest for one in store.ballots.of(arena.run))
        for one in seen:
            sides = {
                name: SIDES[person(name, one.topic, known[one.a], known[one.b])]
                for name in criteria
            }
            contest = Contest(topic=one.topic, a=one.a, b=one.b)
            ballot = Ballot(
                arena=arena.run,
                contest=contest,
                first=one.a,
                sides=sides,
                judge=ADA,
                person=True,
                key=f"person/{ADA}/{one.topic}/{one.a}/{one.b}",
            )
            store.ballots.add((ballot,))
        return Held(self.runner, reproduced(store, run.id))


def hold(folder, name: str, writer: dict, source=None) -> Held:
    runner, models = runner_of(folder, writer=writer, source=source)
    for judge, rule in RULES.items():
        models[judge].script = judging(rule)
    return Held(runner, held(runner, name, [WRITER], [JUDGE, SECOND]))


# -- by hand ---------------------------------------------------------------------------------------


def models_points(worths: Mapping[str, float], criteria: Sequence[str]) -> Points:
    matches = [one for rule in RULES.values() for one in outcomes(rule, worths, TOPICS, criteria)]
    return points_of(matches)


def person_points(worths: Mapping[str, float], criteria: Sequence[str]) -> Points:
    """Return the points by Ada's votes: she saw each pair in one order, and her rule knows none."""
    return points_of(list(outcomes(person, worths, TOPICS, criteria)))


def check_ratings(
    one: Reproduced, kind: str, worths: Mapping[str, float], criteria: Sequence[str], who: str
) -> None:
    """Compare every rating of one side: by criterion, their mean, and all pooled."""
    made = table(one, f"topics-ratings-{kind}s")
    points = models_points if who == "models" else person_points
    by_criterion = [rated(points(worths, [name])) for name in criteria]
    for name, expected in zip(criteria, by_criterion, strict=True):
        for player in worths:
            value = at(made, player, criterion=HEADS[name], votes_of=who)
            assert value.mean == pytest.approx(expected[player], abs=0.01), (name, player)
            assert (value.low, value.high) == (None, None), "two topics give no interval"
    pooled = rated(points(worths, criteria))
    for player in worths:
        mean = sum(ratings[player] for ratings in by_criterion) / len(criteria)
        average = at(made, player, criterion="Average of the criteria", votes_of=who)
        assert average.mean == pytest.approx(mean, abs=0.01)
        whole = at(made, player, criterion="All criteria pooled", votes_of=who)
        assert whole.mean == pytest.approx(pooled[player], abs=0.01)


def check_differences(
    one: Reproduced,
    kind: str,
    worths: Mapping[str, float],
    criteria: Sequence[str],
    base: str,
    who: str,
) -> None:
    made = table(one, f"topics-differences-{kind}s")
    points = models_points if who == "models" else person_points
    groups = {"All criteria pooled": list(criteria)} | {HEADS[name]: [name] for name in criteria}
    for head, names in groups.items():
        ratings = rated(points(worths, names))
        for player in worths:
            if player != base:
                lead = {"contender": player, "compared_with": base, "votes_of": who}
                value = at(made, "Difference", criterion=head, **lead)
                expected = ratings[player] - ratings[base]
                assert value.mean == pytest.approx(expected, abs=0.02), (player, head)
                assert at(made, "p", criterion=head, **lead).said == "–"


def agreeing(
    ours: Rule,
    theirs: Rule,
    worths: Mapping[str, float],
    criteria: Sequence[str],
) -> tuple[list[tuple[int, int]], float]:
    """Return the verdicts of both on every pair and criterion, and the share that are the same."""
    pairs = [
        (one[4], other[4])
        for one, other in zip(
            outcomes(ours, worths, TOPICS, criteria),
            outcomes(theirs, worths, TOPICS, criteria),
            strict=True,
        )
    ]
    return pairs, sum(a == b for a, b in pairs) / len(pairs)


def kappa(pairs: Sequence[tuple[int, int]]) -> float:
    n = len(pairs)
    said, other = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    chance = sum(said[k] * other[k] for k in (1, 0, -1)) / n**2
    same = sum(a == b for a, b in pairs) / n
    return (same - chance) / (1 - chance)


# -- coi-arena -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def arena(tmp_path_factory):
    """`coi-arena` with Ada's votes."""
    one = hold(tmp_path_factory.mktemp("arena"), "coi-arena", Writers().script)
    return one.voted(CRITERIA, "idea", WORTH)


def test_arena_gives_all_that_the_recipe_is_for(arena):
    assert arena.found.missing == ()
    drawn = {one.name for one in figures(arena.runner.store, arena.found)}
    assert drawn == {"topics-ratings-ideas", "topics-judges-ideas"}


@pytest.mark.parametrize("who", ["models", "people"])
def test_arena_ratings_by_criterion_are_those_worked_out_by_hand(arena, who):
    check_ratings(arena.found, "idea", WORTH, CRITERIA, who)
    made = table(arena.found, "topics-ratings-ideas")
    # Whoever stands first wins clarity, which is no more than a tie; the other judge ties too.
    level = [at(made, player, criterion="Clarity", votes_of="models").said for player in WORTH]
    assert level == ["1000"] * 5
    # 10 pairs on 2 topics: a player meets 4 others, twice, before two judges; before Ada once.
    matches = {"models": 4 * 2 * 2, "people": 4 * 2}
    value = at(made, CHAIN, criterion="Novelty", votes_of=who)
    assert (value.n, value.counted) == (matches[who], "matches")


def test_arena_differences_are_those_from_the_whole_method(arena):
    for who in ("models", "people"):
        check_differences(arena.found, "idea", WORTH, CRITERIA, CHAIN, who)


def test_arena_standing_counts_matches_and_plays_elo_in_their_order(arena):
    made = table(arena.found, "topics-standing-ideas-models")
    played = []
    called = {name: f"{name} ({WRITER})" if name != REAL else name for name in WORTH}
    worths = {called[name]: n for name, n in WORTH.items()}
    # By topic, by pair, judge by judge, each criterion in turn.
    by_judge = [list(outcomes(rule, worths, TOPICS, CRITERIA)) for rule in RULES.values()]
    for start in range(0, len(by_judge[0]), len(CRITERIA)):
        for matches in by_judge:
            played += [(a, b, won) for _, a, b, _, won in matches[start : start + len(CRITERIA)]]
    assert len(played) == 10 * 2 * 2 * 5
    ratings = elo(played, list(worths))
    for name, called_so in called.items():
        mine = [won if a == called_so else -won for a, b, won in played if called_so in (a, b)]
        count = Counter(mine)
        row = {head: at(made, head, method=name) for head in made.head}
        assert row["Matches"].mean == 80
        assert [row[head].mean for head in ("Won", "Lost", "Tied")] == [
            count[1],
            count[-1],
            count[0],
        ]
        assert row["Elo"].mean == pytest.approx(ratings[called_so], abs=0.01)
    # The best text, by the first judge: novelty 8 won; significance 4 won, 4 lost; clarity 8 tied;
    # feasibility 8 lost; effectiveness 8 won. By the second: novelty and significance 8 won each,
    # feasibility 8 lost, 16 tied.
    assert [at(made, head, method=CHAIN).mean for head in ("Won", "Lost", "Tied")] == [36, 20, 24]


def test_arena_agreement_of_models_with_a_person_is_counted_by_criterion(arena):
    """Table 1."""
    made = table(arena.found, "topics-agreement-ideas")
    for judge, rule in RULES.items():
        for name in CRITERIA:
            pairs, share = agreeing(rule, person, WORTH, [name])
            value = at(made, "Ties counted", judge=judge, criterion=HEADS[name])
            assert (value.mean, value.n) == (pytest.approx(share), 20)
            both = [(a, b) for a, b in pairs if a and b]
            value = at(made, "Where both name a winner", judge=judge, criterion=HEADS[name])
            if len(both) >= 10:
                assert value.mean == pytest.approx(sum(a == b for a, b in both) / len(both))
            else:
                assert value.said == "–", "a share needs ten matches"
    # By hand: novelty is the same 20 times of 20; of the significance that the first judge sees Ada
    # sees none; whoever stands first is no winner of clarity; feasibility is the reverse.
    shares = {
        name: at(made, "Ties counted", judge=JUDGE, criterion=HEADS[name]).mean for name in CRITERIA
    }
    assert shares == {
        "novelty": 1,
        "significance": 0,
        "clarity": 0,
        "feasibility": 0,
        "effectiveness": 1,
    }


def test_arena_agreement_between_judges_is_that_of_all_their_matches(arena):
    """Figure 5."""
    made = table(arena.found, "topics-judges-ideas")
    sides = {**RULES, "people": person}
    for one, other in combinations(sides, 2):
        pairs, share = agreeing(sides[one], sides[other], WORTH, CRITERIA)
        both = [(a, b) for a, b in pairs if a and b]
        lead = {"judge": one, "other_judge": other}
        assert at(made, "Ties counted", **lead).mean == pytest.approx(share)
        assert at(made, "Where both name a winner", **lead).mean == pytest.approx(
            sum(a == b for a, b in both) / len(both)
        )
        assert at(made, "Cohen's kappa", **lead).mean == pytest.approx(kappa(pairs))
    # Of 100 matches the two models say the same of 20 in novelty, 10 in significance (one topic),
    # 20 in clarity, 20 in feasibility and, but for the 8 of the best text, 12 in effectiveness.
    assert at(made, "Ties counted", judge=JUDGE, other_judge=SECOND).mean == pytest.approx(0.82)


def test_arena_says_how_many_ideas_are_distinct(arena):
    made, store = table(arena.found, "topics-distinct"), arena.runner.store
    cells = Story.only(store, arena.found.run.id, TopicCell).all(TopicCell)
    for label in WORTH:
        mine = [cell for cell in cells if cell.player.removesuffix(f" ({WRITER})") == label]
        texts = [store.frozen.get(cell.idea, Idea).text for cell in mine]
        near = cosine(*texts)
        assert at(made, "Distinct per hundred", contender=label).mean == (
            50 if near >= 0.8 else 100
        )
        assert at(made, "Spread", contender=label).mean == pytest.approx(1 - near, abs=1e-6)
        assert at(made, "Nearest two", contender=label).mean == pytest.approx(near, abs=1e-6)
    # The chain writes one idea twice; direct prompting's share no more than the words of the form.
    assert at(made, "Distinct", contender=CHAIN).mean == 1
    assert at(made, "Spread", contender=CHAIN).mean == 0
    assert at(made, "Distinct", contender=DIRECT).mean == 2


def test_arena_counts_what_a_cell_took_and_what_the_tokens_bought(arena):
    """Every call takes 100 tokens in and 50 out."""
    spent = table(arena.found, "topics-costs")
    calls = {
        # Queries, two papers read, one hop judged, trend and entities, a direction, a draft, an
        # idea, queries and a verdict on novelty; two hops asked of the literature.
        CHAIN: 12,
        RAG: 2,
        DIRECT: 1,
        # Three drafts, and three pairs of them compared in both orders.
        DRAFTS: 3 + 3 * 2,
        REAL: 1,
    }
    for label, n in calls.items():
        assert at(spent, "Calls a cell", contender=label).mean == n
        assert at(spent, "Tokens a cell", contender=label).mean == 150 * n
        assert at(spent, "Cells", contender=label).mean == 2
        assert at(spent, "Failed", contender=label).mean == 0
        assert at(spent, "Cost a cell", contender=label).said == "unknown"
    paid = table(arena.found, "topics-budgets")
    assert column(paid, "Tokens") == ["1800", "1800"]
    assert column(paid, "A draft") == ["150", "150"]
    assert column(paid, "Drafts") == ["3", "3"], "12 are bought, and size small writes 3 at most"


def test_arena_stands_beside_what_is_published(arena):
    made = table(arena.found, "published-coi")
    by_models = rated(models_points(WORTH, CRITERIA))
    by_people = rated(person_points(WORTH, CRITERIA))
    others = [DRAFTS, RAG, DIRECT]
    for who, ratings, printed in (("models", by_models, "108"), ("people", by_people, "56")):
        best = max(others, key=ratings.__getitem__)
        what = f"Lead of Chain of Ideas, ideas, votes of {who}"
        assert at(made, "Chain of Ideas, as published", what=what).said == printed
        assert at(made, "Here", what=what).said == best
        lead = at(made, "Ours", what=what)
        assert lead.mean == pytest.approx(ratings[CHAIN] - ratings[best], abs=0.02)
    what = "Agreement of a model judge with people, mean over criteria"
    assert "70.8 %" in column(made, "Chain of Ideas, as published")
    # Means over criteria of the shares above.
    for judge, rule in RULES.items():
        mean = sum(agreeing(rule, person, WORTH, [name])[1] for name in CRITERIA) / 5
        assert at(made, "Ours", what=what, here=judge).mean == pytest.approx(mean)


def test_arena_draws_the_ratings_that_its_table_has(arena):
    drawn = {one.name: one for one in figures(arena.runner.store, arena.found)}
    picture = drawn["topics-ratings-ideas"].figure
    ratings = [rated(models_points(WORTH, [name]))[CHAIN] for name in CRITERIA]
    line = next(one for one in picture.data if one.name == f"{CHAIN}, models")
    assert list(line.y[:5]) == pytest.approx(ratings, abs=0.01)
    judges = drawn["topics-judges-ideas"].figure.data[0]
    assert list(judges.x) == [JUDGE, SECOND, "people"]
    assert judges.z[0][1] == judges.z[1][0] == pytest.approx(0.82)


# -- coi-design ------------------------------------------------------------------------------------

DESIGNED = {CHAIN: 5.0, RAG: 2.0, DIRECT: 1.0}


@pytest.fixture(scope="module")
def designs(tmp_path_factory):
    """`coi-design` with Ada's votes."""
    one = hold(tmp_path_factory.mktemp("design"), "coi-design", Writers().script)
    return one.voted(DESIGN, "design", DESIGNED)


def test_designs_are_rated_by_three_criteria(designs):
    """Table 4."""
    one = designs.found
    assert one.missing == ()
    for who in ("models", "people"):
        check_ratings(one, "design", DESIGNED, DESIGN, who)
        check_differences(one, "design", DESIGNED, DESIGN, CHAIN, who)
    made = table(one, "topics-agreement-designs")
    for judge, rule in RULES.items():
        for name in DESIGN:
            value = at(made, "Ties counted", judge=judge, criterion=HEADS[name])
            share = agreeing(rule, person, DESIGNED, [name])[1]
            # 3 pairs on 2 topics are fewer than the ten that a share needs.
            assert (value.said, value.n) == ("–", 6), share
    both = table(one, "topics-judges-designs")
    share = agreeing(first_judge, second_judge, DESIGNED, DESIGN)[1]
    assert at(both, "Ties counted", judge=JUDGE, other_judge=SECOND).mean == pytest.approx(share)
    beside = table(one, "published-coi")
    what = "Lead of Chain of Ideas, designs, votes of people"
    ratings = rated(person_points(DESIGNED, DESIGN))
    assert at(beside, "Chain of Ideas, as published", what=what).said == "70"
    assert at(beside, "Here", what=what).said == RAG
    assert at(beside, "Ours", what=what).mean == pytest.approx(
        ratings[CHAIN] - ratings[RAG], abs=0.02
    )


# -- coi-ablations ---------------------------------------------------------------------------------

ABLATED = {
    CHAIN: 5.0,
    f"{CHAIN}, without entities": 4.0,
    f"{CHAIN}, without future": 3.0,
    f"{CHAIN}, without chain": 1.0,
}


def ablated(request: Request) -> object:
    """Return an idea that is worth what of the method went into it."""
    values = request.values
    if not values["chain"].ordered:
        return worth(1)
    if not values["entities"]:
        return worth(4)
    return worth(5 if values["direction"] else 3)


def test_ablations_stand_apart_from_the_whole_method_as_they_are_worth(tmp_path):
    """Table 2."""
    one = hold(tmp_path, "coi-ablations", Writers().script | {"idea": ablated})
    assert one.found.missing == ()
    check_ratings(one.found, "idea", ABLATED, CRITERIA, "models")
    check_differences(one.found, "idea", ABLATED, CRITERIA, CHAIN, "models")
    spent = table(one.found, "topics-costs")
    # Without a future trend, and without entities, one call less.
    taken = {label: at(spent, "Calls a cell", contender=label).mean for label in ABLATED}
    assert list(taken.values()) == [12, 11, 11, 12]
    drawn = {one.name for one in figures(one.runner.store, one.found)}
    assert drawn == {"topics-ratings-ideas", "topics-judges-ideas"}


# -- coi-length and coi-width ----------------------------------------------------------------------

BRANCH = "Chain of ideas, 1 branch, length"
LENGTHS = {f"{BRANCH} 0": 1.0, f"{BRANCH} 1": 2.0, f"{BRANCH} 3": 5.0}


def check_series(
    one: Held, name: str, what: str, numbers: Sequence[int], worths: Mapping[str, float]
) -> None:
    """Compare the rating of every number, how far it stands above the smallest, and the line."""
    made = table(one.found, name)
    ratings = rated(models_points(worths, CRITERIA))
    smallest, *_ = worths
    assert column(made, what) == [str(n) for n in numbers]
    for label, row in zip(worths, made.rows, strict=True):
        assert row[1].said == label
        assert row[3].mean == pytest.approx(ratings[label], abs=0.01)
        if label == smallest:
            assert row[4].said == "–"
        else:
            far = ratings[label] - ratings[smallest]
            assert row[4].mean == pytest.approx(far, abs=0.02)
    drawn = {one.name: one for one in figures(one.runner.store, one.found)}
    line = drawn[name].figure.data[0]
    assert list(line.x) == list(numbers)
    assert list(line.y) == pytest.approx([ratings[label] for label in worths], abs=0.01)


def test_lengths_are_rated_in_their_order(tmp_path):
    """Figure 6."""

    def by_length(request: Request) -> object:
        chain = request.values["chain"]
        return worth({1: 2, 3: 5}[len(chain.papers)] if chain.ordered else 1)

    one = hold(tmp_path, "coi-length", Writers().script | {"idea": by_length})
    assert one.found.missing == ()
    check_series(one, "topics-length-ideas", "Papers per chain", (0, 1, 3), LENGTHS)
    check_ratings(one.found, "idea", LENGTHS, CRITERIA, "models")


WIDTHS = {"Chain of ideas, 1 branch, length 2": 2.0, "Chain of ideas, 2 branches, length 2": 5.0}


def test_the_better_of_two_branches_is_chosen_and_rated(tmp_path):
    """Figure 7."""

    def by_line(request: Request) -> object:
        """Ideas of the second line of work are better."""
        return worth(5 if "light" in request.values["chain"].papers[0].id else 2)

    script = Writers().script | {"queries": wide_script()["queries"], "idea": by_line}
    one = hold(tmp_path, "coi-width", script, wide_source(("memory", "light")))
    assert one.found.missing == ()
    check_series(one, "topics-branches-ideas", "Branches", (1, 2), WIDTHS)
    check_ratings(one.found, "idea", WIDTHS, CRITERIA, "models")
