"""Human validation (LiveIdeaBench, Methods): how the judges' mean goes with the mean of experts,
from a session or a file of ratings.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from core.agreement.sheet import AgreementSheet
from core.benchmark.identity import same_model
from core.benchmark.inputs import BenchInputs
from core.benchmark.sampling import blind, idea_at, key_in
from core.benchmark.validating import agree
from core.errors import BadInput
from core.records import BENCH_DIMENSIONS, BenchDimension, Criterion, Study, Table
from core.statistics.intervals import SCORE
from core.statistics.matrix import Matrix, matrix, scores
from core.store import Store
from core.studies.filed import Filed
from core.studies.rated import matrices
from core.tables.cells import cell, p_of, tabulated

JUDGES = "Judges' mean"
"""Of the judges that the benchmark drew for each idea."""
JUDGES_SCALE = (1, 10)
UNUSED, ENOUGH = 7, 10
"""Where no score of so many ideas is above this, people may have been given a scale that ends
there.
"""
SEATS = "Panel's mean"
"""Of the model judges that sit in the experts' session and read every idea."""


class GivenRatings(NamedTuple):
    """Ratings of a benchmark's ideas by people, from wherever they were given."""

    ratings: dict[BenchDimension, Matrix]
    """Items are the ideas' keys, `keyword-1/model-2/idea-1`."""
    models: frozenset[str]
    """Raters that are model judges."""
    left_out: tuple[str, ...] = ()
    """What was not taken, and why."""
    scales: tuple[str, ...] = ()
    """What to mind where people may not have used the judges' scale."""


class Validated(NamedTuple):
    """Judges against experts: every figure, and what stands behind them."""

    sheet: AgreementSheet
    ratings: dict[str, Matrix]
    notes: tuple[str, ...]


# -- what people said --------------------------------------------------------------------------


def of_session(store: Store, study: str, run: str) -> GivenRatings:
    """Return the ratings of a session whose key was opened, by idea of this benchmark; raises
    BadInput before that, and where it rates none of its ideas.
    """
    filed = Filed(store, study)
    if not filed.study.unblinded:
        raise BadInput(
            f"The session {filed.study.plan.name!r} keeps its sources hidden. Close it and reveal"
            " its sources there, then its ratings can be matched."
        )
    known = {label: key_in(run, one.source) for label, one in store.study_keys.items(study).items()}
    ratings = matrices(filed)
    others = [one for one in filed.study.plan.criteria if one.scored and one.ends != JUDGES_SCALE]
    for one in others:
        ratings[one.name] = _on_judges_scale(ratings[one.name], one)
    keys = {label: key for label, key in known.items() if key}
    found = match_ratings(ratings, keys, filed.models)
    put = tuple(
        f"{one.name}: answered {one.on} there; the answers are put on the judges' scale from 1 to"
        " 10, evenly between its ends"
        for one in others
        if one.name.strip().casefold() in found.ratings
    )
    return found._replace(scales=put)


def _on_judges_scale(ratings: Matrix, criterion: Criterion) -> Matrix:
    """Return scores with the ends of a criterion's scale at those of the judges'."""
    lowest, highest = criterion.ends
    parts = (ratings.values - lowest) / (highest - lowest)
    return ratings._replace(values=SCORE.low + parts * (SCORE.high - SCORE.low))


def of_file(
    ratings: Mapping[str, Matrix], models: AbstractSet[str], run: str, keys: Iterable[str]
) -> GivenRatings:
    """Return the ratings of a file whose ideas go by their blind names, or by their keys; `keys`
    are those of the sample. Raises BadInput where none does.
    """
    found = match_ratings(
        ratings, {name: key for key in keys for name in (blind(run, key), key)}, models
    )
    strange = (_strange_scale(name, one.without(models)) for name, one in found.ratings.items())
    return found._replace(scales=tuple(filter(None, strange)))


def _strange_scale(dimension: str, experts: Matrix) -> str:
    """Say where experts' scores, of which a file does not tell the scale, are hardly on the
    judges'; empty where they may well be.
    """
    given = experts.values[experts.rated]
    if not given.size:
        return ""
    lowest, highest = given.min(), given.max()
    among = f"{dimension}: experts' scores run from {lowest:g} to {highest:g}"
    means = "points and alphas of experts and judges together say nothing; Pearson's r does"
    if lowest < SCORE.low or highest > SCORE.high:
        return f"{among}, the judges' from 1 to 10, so that {means}"
    if len(experts.items) >= ENOUGH and highest <= UNUSED:
        return f"{among}: if their scale did not reach to 10, {means}"
    return ""


def match_ratings(
    ratings: Mapping[str, Matrix], keys: Mapping[str, str], models: AbstractSet[str]
) -> GivenRatings:
    """Return ratings by dimension and key; `keys` is by the name an idea has in them. Raises
    BadInput where nothing fits, and where somebody scored an idea twice on a dimension.

    A dimension may be written in several ways, as in sheets of several experts put together.
    """
    spelled: dict[str, list[str]] = defaultdict(list)
    for name in ratings:
        spelled[name.strip().casefold()].append(name)
    found: dict[BenchDimension, Matrix] = {}
    left_out = [
        f"{name}: not a dimension of this benchmark"
        for name in ratings
        if name.strip().casefold() not in BENCH_DIMENSIONS
    ]
    strange: set[str] = set()
    for dimension in BENCH_DIMENSIONS:
        held = [ratings[name] for name in spelled[dimension]]
        strange |= {item for one in held for item in one.items if item not in keys}
        given = (score for one in held for score in scores(one))
        try:
            kept = matrix(
                (keys[item], rater, score) for item, rater, score in given if item in keys
            )
        except BadInput as error:
            if len(held) == 1:
                raise
            names = " and ".join(map(repr, spelled[dimension]))
            raise BadInput(f"{names} are read as one dimension: {error}") from None
        if kept.items:
            found[dimension] = kept
    if not found:
        raise BadInput(
            "No rating could be matched to an idea of this benchmark by originality, feasibility"
            " or clarity. Ideas go by the `idea id` of the sample's rating sheet; criteria by"
            f" these three names. It has {', '.join(list(ratings)[:8])}."
        )
    if strange:
        are = (
            "1 rated text is no idea"
            if len(strange) == 1
            else f"{len(strange)} rated texts are no ideas"
        )
        left_out.append(f"{are} of this benchmark, such as {sorted(strange)[0]!r}")
    return GivenRatings(found, frozenset(models), tuple(left_out))


# -- judges against experts --------------------------------------------------------------------


def compare_judges(store: Store, run: str, people: GivenRatings) -> Validated:
    """Hold the judges' means against the experts' ratings: the judges drawn for each idea, and the
    session's model seats where there are some.

    A model's judgment of an idea of its own counts in no mean. Raises BadInput where there is no
    expert among the raters.
    """
    rated = {item for one in people.ratings.values() for item in one.items}
    found = {key: idea_at(store, run, key) for key in sorted(rated)}
    cells = {key: idea for key, idea in found.items() if idea}
    inputs = store.runs.get(run).inputs_as(BenchInputs)
    means: dict[str, dict[str, dict[str, float]]] = {JUDGES: {}}
    for dimension in BENCH_DIMENSIONS:
        by_key = {key: getattr(one, dimension) for key, one in cells.items()}
        means[JUDGES][dimension] = {key: mean for key, mean in by_key.items() if mean is not None}
    if people.models:
        writers = {key: inputs.models[one.model].model for key, one in cells.items()}
        means[SEATS] = {
            dimension: _seats(one, people.models, writers)
            for dimension, one in people.ratings.items()
        }
    experts = {dimension: one.without(people.models) for dimension, one in people.ratings.items()}
    made = hold_against(experts, means)
    return made._replace(notes=(*people.left_out, *people.scales, *made.notes))


def hold_against(
    experts: Mapping[BenchDimension, Matrix],
    judges: Mapping[str, Mapping[str, Mapping[str, float]]],
) -> Validated:
    """Return the agreement of experts, items in rows, with the judges' means, by judge, dimension
    and item.

    Only ideas that experts rated count. Pearson's r, ICC(A,k) and ICC(C,k), Krippendorff's alpha
    over experts, the human ceiling: `core.agreement`.
    """
    if not any(one.raters for one in experts.values()):
        raise BadInput(
            "There is no rating by a person. Judges are held against experts: let at least one rate"
            " the sample."
        )
    whole, notes = dict[str, Matrix](), []
    for dimension, one in experts.items():
        means = {judge: by.get(dimension, {}) for judge, by in judges.items()}
        scored = [
            (item, judge, by_item[item])
            for judge, by_item in means.items()
            for item in one.items
            if item in by_item
        ]
        whole[dimension] = matrix([*scores(one), *scored])
        if lacking := set(one.items).difference(*means.values()):
            notes.append(
                f"{dimension}: {len(lacking)} rated ideas have no judgment to hold against"
            )
    # Scores of a file may be on another scale than the judges'.
    on_scale = all(
        SCORE.low <= score <= SCORE.high
        for one in whole.values()
        for score in one.values[one.rated]
    )
    return Validated(agree(whole, frozenset(judges), on_scale), whole, tuple(notes))


def _seats(
    ratings: Matrix, models: AbstractSet[str], writers: Mapping[str, str]
) -> dict[str, float]:
    """Return the mean of the model judges that did not write the idea themselves, by idea."""
    by_item: dict[str, list[float]] = defaultdict(list)
    for item, rater, score in scores(ratings.only(models)):
        writer = writers.get(item, "")
        if not same_model(rater, writer):
            by_item[item].append(score)
    return {item: sum(scores) / len(scores) for item, scores in by_item.items()}


def sessions(store: Store, run: str) -> tuple[Study, ...]:
    """Return the sessions in which ideas of this benchmark are rated, newest first."""
    return tuple(
        one
        for one in store.studies.listed()
        if one.plan.task == "rate"
        and any(key_in(run, source) for source in store.study_keys.sources(one.id))
    )


def summary(found: Validated) -> Table:
    """Return the figures of the published validation as one table, a line for each judge and
    dimension, the human ceiling beside.
    """
    lines = []
    for name, one in found.sheet.agreement.criteria.items():
        experts = {stat.name: stat for stat in (*one.iccs, *one.alphas)}
        lines += [(name, one, experts, judge, r.pearson) for judge, r in one.against.items()]
    return tabulated(
        "validation",
        "Judges against experts",
        lines,
        {
            "Dimension": lambda line: line[0],
            "Judges": lambda line: line[3],
            "Ideas": lambda line: line[4].n,
            "Pearson's r": lambda line: cell(line[4]),
            "p": lambda line: p_of(line[4]),
            "Human ceiling": lambda line: cell(line[1].ceilings.pearson.mean),
            "Experts": lambda line: len(line[1].experts),
            "ICC(C,k)": lambda line: cell(line[2]["ICC(C,k)"]),
            "ICC(A,k)": lambda line: cell(line[2]["ICC(A,k)"]),
            "Alpha, interval": lambda line: cell(line[2]["Krippendorff's alpha (interval)"]),
        },
        note=(
            "In brackets 95 % intervals. r is of the judges' mean with the experts' mean, the"
            " ceiling what one expert reaches with the others. ICC and Krippendorff's alpha are"
            ' over experts only; LiveIdeaBench prints ICC(C,k) as "ICC(A,k)". Published, over 22'
            " ideas and 6 experts: r 0.820, 0.572, 0.420."
            + "".join(f" {note}." for note in found.notes)
        ),
    )
