"""What comments on refinements say: was the review valid, did the revision answer it, is the idea
better, round by round; and all remarks.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations, groupby, product
from operator import attrgetter
from typing import Literal, NamedTuple

import numpy as np

from core.records import CommentAnswer, Table, Value
from core.statistics.alpha import alpha
from core.statistics.intervals import Figure, share
from core.statistics.matrix import matrix
from core.statistics.statistic import Statistic, between, of_figure, shown
from core.studies.filed import Filed
from core.studies.series import BesideCeiling
from core.tables.cells import cell, value
from core.tables.stat_tables import statistics

Question = Literal["valid", "answered", "change"]
QUESTIONS: dict[Question, tuple[str, tuple[str, ...]]] = {
    "valid": ("was the review valid?", ("no", "partly", "yes")),
    "answered": ("did the revision answer it?", ("no", "partly", "yes")),
    "change": ("is the idea better?", ("worse", "same", "better")),
}
"""Each question with its answers, worst first."""
TRAJECTORY = ("trajectory", "trajectories")
ALONE = "all of one trajectory: no interval can be given"


class RemarkLine(NamedTuple):
    """A remark on a passage, with where it was made."""

    rater: str
    label: str
    round: int
    of: str
    quote: str
    text: str


class CommentedRound(NamedTuple):
    """One answer on one round."""

    rater: str
    unit: str
    round: int
    said: CommentAnswer


class Commented(NamedTuple):
    """All figures of a session's comments."""

    lines: tuple[CommentedRound, ...]
    figures: dict[str, tuple[Statistic, ...]]
    """By question."""
    by_round: dict[str, tuple[tuple[int, Statistic], ...]]
    """By question: the share of the best answer in each round."""
    ceilings: tuple[BesideCeiling, ...]
    remarks: tuple[RemarkLine, ...]


def commented(filed: Filed) -> Commented:
    """Return the figures of a session's comments."""
    lines = tuple(
        sorted(
            CommentedRound(filed.called[place.seat], place.unit, place.stage, said)
            for place, said in filed.said(CommentAnswer)
        )
    )
    remarks = tuple(
        RemarkLine(
            one.rater, filed.units[one.unit].labels[0], one.round, each.of, each.quote, each.text
        )
        for one in lines
        for each in one.said.remarks
    )
    return of_lines(lines, filed.models)._replace(remarks=remarks)


def of_lines(lines: tuple[CommentedRound, ...], models: frozenset[str]) -> Commented:
    """Return the figures of comments, from wherever they are; `models` names the raters that are
    model judges.
    """
    experts = [line for line in lines if line.rater not in models]
    both, beside_models = _pairs(lines, models)
    figures = {}
    beside: list[BesideCeiling] = []
    for question, (words, answers) in QUESTIONS.items():
        about = f"{words} experts"
        shares = [best_share(question, answer, experts, about) for answer in reversed(answers)]
        ceiling = _same(question, both, "two experts")
        agreed = []
        for model, pairs in beside_models.items():
            agreed.append(_same(question, pairs, f"{model} and an expert"))
            beside.append(BesideCeiling(words, model, ceiling.name, agreed[-1], ceiling))
        figures[words] = (*shares, *_agreement(question, experts), ceiling, *agreed)
    by_round = {words: _rounds(question, experts) for question, (words, _) in QUESTIONS.items()}
    return Commented(lines, figures, by_round, tuple(beside), ())


def _answer(question: Question, one: CommentedRound) -> str:
    answer: str = getattr(one.said, question)
    return answer


def best_share(
    question: Question, answer: str, lines: Sequence[CommentedRound], about: str
) -> Statistic:
    """Return how often an answer was given, with an interval that resamples trajectories; refused
    on fewer than 10 answers.
    """
    given = [(line.unit, _answer(question, line) == answer) for line in lines]
    figure = _share(given, "answers on rounds")
    raters = len({line.rater for line in lines})
    reading = (
        f'"{answer.capitalize()}" is said with a share of {_shown(figure)} of {figure.n} answers.'
    )
    name = f'share of "{answer}"'
    return of_figure(figure, name, about, "answers", raters, reading)


def _share(hits: Sequence[tuple[str, bool]], what: str) -> Figure:
    """Return a share of (unit, hit), over trajectories; answers on one of them give no interval."""
    units = [unit for unit, _ in hits]
    equal = np.array([hit for _, hit in hits], dtype=bool)
    figure = share(equal, np.array(units), what, unit=TRAJECTORY)
    if figure.value is not None and len(set(units)) == 1:
        figure = figure._replace(low=None, high=None, how="", note=ALONE)
    return figure


def _shown(figure: Figure) -> str:
    return f"{shown(figure.value or 0.0)}{between(figure.low, figure.high)}"


def _rounds(
    question: Question, experts: Sequence[CommentedRound]
) -> tuple[tuple[int, Statistic], ...]:
    words, answers = QUESTIONS[question]
    by_round = defaultdict[int, list[CommentedRound]](list)
    for line in experts:
        by_round[line.round].append(line)
    shares = []
    for n, lines in sorted(by_round.items()):
        share_of_best = best_share(question, answers[-1], lines, f"{words} round {n}")
        shares.append((n, share_of_best))
    return tuple(shares)


def _agreement(question: Question, experts: Sequence[CommentedRound]) -> Iterator[Statistic]:
    words, answers = QUESTIONS[question]
    scores = matrix(
        (f"{line.unit} round {line.round}", line.rater, answers.index(_answer(question, line)))
        for line in experts
    )
    alone = len({line.unit for line in experts}) == 1
    for level in ("nominal", "ordinal"):
        yield _over_rounds(alpha(scores, words, level), alone)


# -- two raters on the same round --------------------------------------------------------------


def _over_rounds(figure: Statistic, alone: bool) -> Statistic:
    """Return a figure that was taken over rounds in words that call them so; those of one
    trajectory give no interval.
    """
    changed: dict[str, str | None] = {"unit": "rounds"}
    for name in ("how", "reading", "refused"):
        words = getattr(figure, name).replace("ideas", "rounds")
        changed[name] = words.replace("1 idea", "1 round")
    figure = figure.model_copy(update=changed)
    if not alone or figure.value is None:
        return figure
    # What follows is said of the interval.
    without = figure.reading.replace(between(figure.low, figure.high), "")
    value, agreement, _ = without.partition("full agreement.")
    alone_words = {"how": ALONE, "reading": value + agreement}
    return figure.model_copy(update={"low": None, "high": None, **alone_words})


Pair = tuple[CommentedRound, ...]


def _pairs(
    lines: Sequence[CommentedRound], models: frozenset[str]
) -> tuple[list[Pair], dict[str, list[Pair]]]:
    """Return the answers of every two experts on the same round, and by model those of the model
    and an expert.
    """
    both: list[Pair] = []
    beside: dict[str, list[Pair]] = {model: [] for model in sorted(models)}
    place = attrgetter("unit", "round")
    for _, there in groupby(sorted(lines, key=place), place):
        several = list(there)
        experts = [line for line in several if line.rater not in models]
        both += combinations(experts, 2)
        for line in several:
            if line.rater in models:
                beside[line.rater] += product([line], experts)
    return both, beside


def _same(question: Question, pairs: Sequence[Pair], who: str) -> Statistic:
    same = []
    for one, other in pairs:
        same.append((one.unit, _answer(question, one) == _answer(question, other)))
    figure = _share(same, "times that two answered the same round")
    subject = f"{who[:1].upper()}{who[1:]}"
    reading = f"{subject} give the same answer on a round in {_shown(figure)} of the cases."
    about = f"{QUESTIONS[question][0]} {who}"
    return of_figure(figure, "same answer", about, "pairs of answers", reading=reading)


def tables(found: Commented) -> tuple[Table, ...]:
    """Return the figures as tables: shares and agreement, the rounds, and every remark."""
    figures = [one for some in found.figures.values() for one in some]
    remarks = Table(
        name="remarks",
        title="Remarks",
        head=("By", "Refinement", "Round", "On the", "Passage", "Remark"),
        rows=tuple(tuple(Value(text=str(part)) for part in one) for one in found.remarks),
    )
    whole = statistics("comments", "What experts say of the refinements", figures)
    return tuple(one for one in (whole, _by_round(found), remarks) if one.rows)


def _by_round(found: Commented) -> Table:
    shares = [dict(some) for some in found.by_round.values()]
    rows = []
    for n in sorted(shares[0]):
        cells = (cell(by_round[n], unit="percent") for by_round in shares)
        rows.append((value(f"Round {n}"), *cells))
    best = (f'{words.capitalize()} "{answers[-1]}"' for words, answers in QUESTIONS.values())
    return Table(
        name="rounds",
        title="Round by round",
        head=("Round", *best),
        rows=tuple(rows),
        note="Shares of experts' answers with 95 % intervals.",
    )
