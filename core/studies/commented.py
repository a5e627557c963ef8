"""What comments on refinements say: was the review valid, did the revision answer it, is the idea
better, round by round; and all remarks.
"""

from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations, product
from typing import Literal, NamedTuple

import numpy as np

from core.records import CommentAnswer, Table, Value
from core.statistics.alpha import alpha
from core.statistics.intervals import Figure, share
from core.statistics.matrix import matrix
from core.statistics.statistic import Statistic, between, of_figure, shown
from core.studies.filed import Filed
from core.studies.series import BesideCeiling, SessionSeries
from core.tables.cells import cell
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
    experts = [one for one in lines if one.rater not in models]
    beside = tuple(one for question in QUESTIONS for one in _beside(question, lines, models))
    figures = {
        words: (
            *(best_share(question, one, experts, f"{words} experts") for one in reversed(answers)),
            *_agreement(question, experts),
            _ceiling(question, experts),
            *(one.figure for one in beside if one.criterion == words),
        )
        for question, (words, answers) in QUESTIONS.items()
    }
    return Commented(
        lines,
        figures,
        {words: _rounds(question, experts) for question, (words, _) in QUESTIONS.items()},
        beside,
        (),
    )


def _answer(question: Question, one: CommentedRound) -> str:
    answer: str = getattr(one.said, question)
    return answer


def best_share(
    question: Question, answer: str, lines: Sequence[CommentedRound], about: str
) -> Statistic:
    """Return how often an answer was given, with an interval that resamples trajectories; refused
    on fewer than 10 answers.
    """
    given = [(one.unit, _answer(question, one) == answer) for one in lines]
    figure = _share(given, "answers on rounds")
    share = f"{shown(figure.value or 0.0)}{between(figure.low, figure.high)}"
    reading = f'"{answer.capitalize()}" is said with a share of {share} of {figure.n} answers.'
    raters = len({one.rater for one in lines})
    return of_figure(figure, f'share of "{answer}"', about, "answers", raters, reading)


def _share(hits: Sequence[tuple[str, bool]], what: str) -> Figure:
    """Return a share of (unit, hit), over trajectories; answers on one of them give no interval."""
    units = [unit for unit, _ in hits]
    equal = np.array([hit for _, hit in hits], dtype=bool)
    figure = share(equal, np.array(units), what, unit=TRAJECTORY)
    if figure.value is None or len(set(units)) > 1:
        return figure
    return figure._replace(low=None, high=None, how="", note=ALONE)


def _rounds(
    question: Question, experts: Sequence[CommentedRound]
) -> tuple[tuple[int, Statistic], ...]:
    words, answers = QUESTIONS[question]
    found = []
    for n in sorted({one.round for one in experts}):
        lines = [one for one in experts if one.round == n]
        found.append((n, best_share(question, answers[-1], lines, f"{words} round {n}")))
    return tuple(found)


def _agreement(question: Question, experts: Sequence[CommentedRound]) -> tuple[Statistic, ...]:
    words, answers = QUESTIONS[question]
    scores = matrix(
        (f"{one.unit} round {one.round}", one.rater, float(answers.index(_answer(question, one))))
        for one in experts
    )
    found = (_of_rounds(alpha(scores, words, level)) for level in ("nominal", "ordinal"))
    return tuple(map(_of_one, found) if len({one.unit for one in experts}) == 1 else found)


def _of_one(one: Statistic) -> Statistic:
    """Return a figure of the rounds of one trajectory, which give no interval."""
    if one.value is None:
        return one
    # What follows is said of the interval.
    reading = one.reading.replace(between(one.low, one.high), "").partition("full agreement.")
    return one.model_copy(
        update={"low": None, "high": None, "how": ALONE, "reading": reading[0] + reading[1]}
    )


def _of_rounds(one: Statistic) -> Statistic:
    """Return a figure taken over rounds, which the words call so."""
    words = {
        name: getattr(one, name).replace("ideas", "rounds").replace("1 idea", "1 round")
        for name in ("how", "reading", "refused")
    }
    return one.model_copy(update={**words, "unit": "rounds"})


# -- two raters on the same round --------------------------------------------------------------


def _ceiling(question: Question, experts: Sequence[CommentedRound]) -> Statistic:
    pairs = [both for several in _met(experts) for both in combinations(several, 2)]
    return _same(question, pairs, "two experts")


def _beside(
    question: Question, lines: Sequence[CommentedRound], models: frozenset[str]
) -> tuple[BesideCeiling, ...]:
    words = QUESTIONS[question][0]
    experts = [one for one in lines if one.rater not in models]
    ceiling = _ceiling(question, experts)
    met = [both for several in _met(lines) for both in product(several, repeat=2)]
    found = []
    for model in sorted(models):
        pairs = [both for both in met if both[0].rater == model and both[1].rater not in models]
        figure = _same(question, pairs, f"{model} and an expert")
        found.append(BesideCeiling(words, model, ceiling.name, figure, ceiling))
    return tuple(found)


def _met(lines: Sequence[CommentedRound]) -> list[list[CommentedRound]]:
    """Return the answers on each round."""
    rounds: dict[tuple[str, int], list[CommentedRound]] = defaultdict(list)
    for one in lines:
        rounds[one.unit, one.round].append(one)
    return [rounds[place] for place in sorted(rounds)]


def _same(question: Question, pairs: Sequence[tuple[CommentedRound, ...]], who: str) -> Statistic:
    same = [(one.unit, _answer(question, one) == _answer(question, other)) for one, other in pairs]
    figure = _share(same, "times that two answered the same round")
    share = f"{shown(figure.value or 0.0)}{between(figure.low, figure.high)}"
    subject = f"{who[:1].upper()}{who[1:]}"
    reading = f"{subject} give the same answer on a round in {share} of the cases."
    about = f"{QUESTIONS[question][0]} {who}"
    return of_figure(figure, "same answer", about, "pairs of answers", reading=reading)


def series(found: Commented) -> SessionSeries:
    """Return what plots are drawn from."""
    return SessionSeries(ceilings=found.ceilings)


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
    rows = tuple(
        (
            Value(text=f"Round {n}"),
            *(cell(one.get(n)).model_copy(update={"unit": "percent"}) for one in shares),
        )
        for n in sorted({n for one in shares for n in one})
    )
    head = (
        "Round",
        *(f'{words.capitalize()} "{answers[-1]}"' for words, answers in QUESTIONS.values()),
    )
    return Table(
        name="rounds",
        title="Round by round",
        head=head,
        rows=rows,
        note="Shares of experts' answers with 95 % intervals.",
    )
