"""Which model judges a session has tested: whether their scores may be quoted in place of experts',
said wherever their figures are shown.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from core.agreement.answers import PairAnswer
from core.agreement.standing_in import JudgeStanding, Verdict, judge_standing, standings
from core.statistics.matrix import Matrix, matrix
from core.store import Store
from core.studies.compared import given
from core.studies.filed import Filed
from core.studies.rated import matrices, scales_of


class TestedJudge(NamedTuple):
    """One judge in one closed session."""

    model: str
    study: str
    name: str
    """Of the session."""
    experts: int
    verdicts: dict[str, Verdict]
    """By criterion."""

    @property
    def said(self) -> str:
        """The verdicts in a clause."""
        by_verdict: dict[str, list[str]] = {}
        for criterion, verdict in self.verdicts.items():
            by_verdict.setdefault(verdict, []).append(criterion)
        return "; ".join(f"{', '.join(names)}: {verdict}" for verdict, names in by_verdict.items())


def tested_judges(store: Store) -> tuple[TestedJudge, ...]:
    """Return what closed sessions say of the model judges that answered in them, newest first."""
    found = []
    for study in store.studies.listed():
        if study.state != "closed" or study.plan.task not in ("rate", "compare"):
            continue
        if not any(seat.model for seat in store.seats.of(study.id)):
            continue
        filed = Filed(store, study.id)
        names = {filed.called[seat]: filed.seats[seat].model for seat in filed.taking.models}
        verdicts: dict[str, dict[str, Verdict]] = {}
        for one in judges_of(filed):
            verdicts.setdefault(names[one.model], {})[one.criterion] = one.verdict
        experts = len(filed.taking.experts)
        for model, by_criterion in verdicts.items():
            found.append(TestedJudge(model, study.id, study.plan.name, experts, by_criterion))
    return tuple(found)


def judges_of(filed: Filed) -> tuple[JudgeStanding, ...]:
    """Return what the judges of a session that rates or compares may be used for."""
    if filed.study.plan.task == "rate":
        return standings(matrices(filed), filed.models, scale=scales_of(filed.study.plan.criteria))
    criteria = [one.name for one in filed.study.plan.criteria]
    return of_pairs(given(filed), criteria, filed.models)


def of_pairs(
    answers: Iterable[PairAnswer], criteria: Sequence[str], models: frozenset[str]
) -> tuple[JudgeStanding, ...]:
    """Return what judges of pairs may be used for: by how many others name the same winner."""
    once = [one for one in answers if one.repeat == 1]
    found = []
    for criterion in criteria:
        winners = _winners(once, criterion)
        for model in winners.raters if winners else ():
            if winners and model in models:
                standing = judge_standing(winners, models, model, criterion, alignment="same")
                found.append(standing)
    return tuple(found)


def _winners(answers: Sequence[PairAnswer], criterion: str) -> Matrix | None:
    """Return by pair and rater -1, 0 or 1: which idea is better, in the order of the alphabet."""
    lines = []
    for one in answers:
        if one.criterion == criterion:
            side = float(np.sign(one.strength)) * (1 if one.a < one.b else -1)
            lines.append((" / ".join(one.pair), one.rater, side))
    return matrix(lines) if lines else None
