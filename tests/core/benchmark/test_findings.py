"""What a benchmark found is what its raw cells say, read from sums; and whatever is kept of it is
thrown away once a cell changes.
"""

import csv
from collections import Counter, defaultdict
from statistics import fmean

import numpy as np
import pytest
from scipy import stats

from core.benchmark.results.board import Board, BoardRow, Spread, published
from core.benchmark.results.findings import BenchFindings, findings, version
from core.benchmark.results.generality import against, correlate, fold_name
from core.benchmark.results.lengths import lengths
from core.benchmark.results.measures import FIGURES
from core.benchmark.results.panel_figures import agreement, severity
from core.benchmark.results.proxies import proxies
from core.benchmark.results.refused import refusals
from core.benchmark.results.replies import replies
from core.records import (
    BENCH_DIMENSIONS,
    BenchCell,
    Call,
    GroupSums,
    Keyword,
    Panelist,
    Run,
    Settled,
    digest,
)
from core.runs.runner import Runner
from core.statistics.alpha import alpha
from core.statistics.intervals import wilson
from core.statistics.matrix import matrix
from core.store import Store
from tests import DATA
from tests.support.benchmark.bench_kit import relabel, settled_store, shop_of, small

MODELS, JUDGES = (
    ("openai:a", "openai:b", "openai:c"),
    ("openai:d", "openai:e", "openai:f", "openai:g"),
)
KEYWORDS = tuple(
    Keyword(text=f"word {k}", domain=("Physics", "", "Botany")[k % 3]) for k in range(30)
)
NOTHING = dict.fromkeys(GroupSums._fields, 0)


def number(*what: object, to: int) -> int:
    return int(digest(list(what))[:6], 16) % to


def words(model: str, keyword: str, n: int) -> int:
    return 60 + number(model, keyword, n, to=60) + 15 * MODELS.index(model)


def score(model: str, keyword: str, n: int, judge: str) -> tuple[int, int, int]:
    """An idea's score rises with its words; one judge is lenient, another strict."""
    quality = (
        3
        + (words(model, keyword, n) - 60) / 30
        + number(keyword, to=3)
        + {"openai:d": 1, "openai:e": -1}.get(judge, 0)
    )
    return tuple(
        min(10, max(1, round(quality + number(d, model, keyword, n, judge, to=3) - 1)))
        for d in BENCH_DIMENSIONS
    )


def lost(kind: str, model: str, keyword: str, n: int, m: int) -> str:
    came = number(kind, model, keyword, n, m, "lost", to=25)
    return (
        {0: "ModelFailed"}.get(came, "")
        if kind != "idea"
        else {0: "ModelFailed", 1: "refused", 2: "long", 3: "again"}.get(came, "")
    )


@pytest.fixture(scope="module")
def held(tmp_path_factory) -> tuple[Store, Run, BenchFindings, list[BenchCell]]:
    store = Store(tmp_path_factory.mktemp("findings"))
    run = settled_store(
        store,
        models=MODELS,
        judges=JUDGES,
        keywords=KEYWORDS,
        judges_each=3,
        score=score,
        words=words,
        lost=lost,
    )
    cells = [
        cell
        for m in range(len(MODELS))
        for k in range(len(KEYWORDS))
        for cell in store.benchmarks.cells(run.id, m, k)
    ]
    return store, run, findings(store, run.id), cells


def judged(cells: list[BenchCell]) -> dict[tuple[int, int, int], list[BenchCell]]:
    """Return the judgments of every idea that has any, by model, keyword and idea."""
    found = defaultdict(list)
    for cell in cells:
        if cell.kind == "judge" and cell.state == "done":
            found[cell.model, cell.keyword, cell.n].append(cell)
    return found


# -- against the raw cells ---------------------------------------------------------------------


def test_the_board_is_what_the_raw_cells_say(held):
    _, _, found, cells = held
    for m, name in enumerate(MODELS):
        row = next(row for row in found.board.rows if row.model == name)
        by: dict[str, dict[int, list[float]]] = {
            what: defaultdict(list) for what in (*BENCH_DIMENSIONS, "fluency")
        }
        for cell in cells:
            if cell.model == m and cell.state == "done" and cell.kind != "idea":
                for what in ["fluency"] if cell.kind == "fluency" else BENCH_DIMENSIONS:
                    by[what][cell.keyword].append(getattr(cell, what))
        for what, keywords in by.items():
            assert getattr(row, what).value == pytest.approx(
                fmean(fmean(scores) for scores in keywords.values())
            )
            assert getattr(row, what).n == len(keywords)
        whole = [
            fmean(fmean(by[what][k]) for what in by)
            for k in range(len(KEYWORDS))
            if all(k in by[what] for what in by)
        ]
        assert row.flexibility.value == pytest.approx(np.percentile(whole, 30))
        assert row.flexibility.n == len(whole) < len(KEYWORDS)


def test_domains_are_means_over_their_keywords_and_those_without_one_come_last(held):
    _, _, found, cells = held
    assert found.domains == ("Physics", "Botany")
    assert [one.domain for one in found.by_domain if one.model == "openai:a"] == [
        "Physics",
        "Botany",
        "",
    ]
    by = defaultdict(list)
    for cell in cells:
        if (
            cell.kind == "judge"
            and cell.state == "done"
            and cell.model == 1
            and KEYWORDS[cell.keyword].domain == "Botany"
        ):
            by[cell.keyword].append(cell.clarity)
    one = next(one for one in found.by_domain if (one.model, one.domain) == ("openai:b", "Botany"))
    assert one.clarity == pytest.approx(fmean(fmean(scores) for scores in by.values()))
    assert one.keywords == len(by)
    assert one.value.n <= len(by)


def test_distributions_count_every_score_once(held):
    _, _, found, cells = held
    raw = Counter(
        cell.clarity
        for cell in cells
        if cell.kind == "judge" and cell.state == "done" and cell.model == 2
    )
    one = next(
        one for one in found.distributions if (one.model, one.what) == ("openai:c", "clarity")
    )
    assert one.counts == tuple(sorted(raw.items()))
    scores = list(raw.elements())
    assert (one.n, one.mean, one.sd) == (
        len(scores),
        pytest.approx(np.mean(scores)),
        pytest.approx(np.std(scores, ddof=1)),
    )
    for what in ("originality", "fluency", "words"):
        both = [one for one in found.distributions if one.what == what]
        assert [one.model for one in both] == ["", *MODELS]
        assert both[0].n == sum(one.n for one in both[1:])
    accepted = [cell.words for cell in cells if cell.kind == "idea" and cell.state == "done"]
    assert next(
        one for one in found.distributions if (one.model, one.what) == ("", "words")
    ).mean == pytest.approx(np.mean(accepted), abs=1.5)


def test_lines_of_length_are_scipys_on_the_raw_ideas(held):
    _, _, found, cells = held
    ideas = [
        (cell.model, cell.words, cell.score)
        for cell in cells
        if cell.kind == "idea" and cell.judged
    ]
    everything, within, *each = found.lengths
    for one, points in [
        (everything, ideas),
        *((line, [idea for idea in ideas if idea[0] == m]) for m, line in enumerate(each)),
    ]:
        fit = stats.linregress([w for _, w, _ in points], [s for _, _, s in points])
        assert (one.n, one.r, one.slope, one.intercept) == (
            len(points),
            *map(pytest.approx, (fit.rvalue, fit.slope, fit.intercept)),
        )
        assert one.low < one.r < one.high
        assert one.mean == pytest.approx(fmean(w for _, w, _ in points))
    centred = [
        (w - fmean(v for n, v, _ in ideas if n == m), s - fmean(t for n, _, t in ideas if n == m))
        for m, w, s in ideas
    ]
    assert (within.over, within.r, within.intercept) == (
        "within",
        pytest.approx(stats.pearsonr(*zip(*centred, strict=True)).statistic),
        None,
    )
    assert [one.model for one in each] == list(MODELS)


def test_p_of_a_slope_is_clustered_by_keyword(held):
    _, _, found, cells = held
    for one, models in [(found.lengths[0], range(3)), (found.lengths[2], [0])]:
        ideas = [
            (cell.keyword, cell.words, cell.score)
            for cell in cells
            if cell.kind == "idea" and cell.judged and cell.model in models
        ]
        keyword, w, s = (np.array(column, dtype=float) for column in zip(*ideas, strict=True))
        design = np.column_stack([np.ones_like(w), w])
        left = s - design @ np.linalg.lstsq(design, s, rcond=None)[0]
        meat = sum(
            np.outer(u, u)
            for u in (design[keyword == k].T @ left[keyword == k] for k in np.unique(keyword))
        )
        bread, clusters = np.linalg.inv(design.T @ design), len(np.unique(keyword))
        error = np.sqrt(
            (bread @ meat @ bread)[1, 1] * clusters / (clusters - 1) * (len(w) - 1) / (len(w) - 2)
        )
        assert one.p == pytest.approx(
            2 * stats.t.sf(abs(one.slope) / error, clusters - 1), rel=1e-6
        )


def test_agreement_is_krippendorffs_alpha_of_the_raw_judgments(held):
    _, _, found, cells = held
    several = {idea: given for idea, given in judged(cells).items() if len(given) > 1}
    assert min(len(given) for given in several.values()) == 2
    for one, dimension in zip(found.agreement, BENCH_DIMENSIONS, strict=True):
        raw = matrix(
            (str(idea), cell.asked, getattr(cell, dimension))
            for idea, given in several.items()
            for cell in given
        )
        assert one.value == pytest.approx(alpha(raw, dimension, "interval").value, abs=1e-12)
        assert (one.name, one.about) == ("Krippendorff's alpha (interval)", dimension)
        assert (one.n, one.unit, one.raters) == (sum(map(len, several.values())), "judgments", 4)
        assert one.low < one.value < one.high


def test_severity_is_the_mean_distance_from_the_other_judges_of_the_same_ideas(held):
    _, _, found, cells = held
    away = defaultdict(list)
    for given in judged(cells).values():
        for cell in given if len(given) > 1 else ():
            away[cell.asked].append(
                cell.clarity - fmean(other.clarity for other in given if other is not cell)
            )
    figures = {one.judge: one for one in found.severity if one.dimension == "clarity"}
    assert list(figures) == list(JUDGES)
    for judge, one in figures.items():
        assert (one.deviation.value, one.deviation.n) == (
            pytest.approx(fmean(away[judge])),
            len(away[judge]),
        )
    assert figures["openai:d"].deviation.low > 0.5
    assert figures["openai:e"].deviation.high < -0.5
    assert figures["openai:f"].deviation.low < 0 < figures["openai:f"].deviation.high


def test_what_was_lost_is_counted_and_nowhere_averaged_in(held):
    _, _, found, cells = held
    for m, one in enumerate(found.refusals):
        ideas = [cell for cell in cells if cell.kind == "idea" and cell.model == m]
        answered = [cell for cell in ideas if cell.state != "failed"]
        assert (one.model, one.answered, one.refused) == (
            MODELS[m],
            len(answered),
            sum(cell.refusals > 0 for cell in answered),
        )
        assert one.refused_twice == sum(cell.why == "refused" for cell in ideas) > 0
        assert one.long == sum(cell.why == "long" for cell in ideas) > 0
        assert one.failed == sum(cell.model == m and cell.state == "failed" for cell in cells) > 0
        assert one.share.value == one.refused / one.answered
        low, high = wilson(one.refused, one.answered)
        assert one.share.low <= low < one.share.value < high <= one.share.high
    raw = Counter((cell.kind, MODELS[cell.model], cell.state) for cell in cells)
    assert {(one.kind, one.model, one.state): one.n for one in found.counts} == raw


# -- cases -------------------------------------------------------------------------------------


def test_a_model_that_never_refused_may_yet():
    groups = [GroupSums(**NOTHING | {"keyword": k, "ideas": 2}) for k in range(50)]
    share = refusals(groups, ["m"])[0].share
    assert (share.value, share.low, round(share.high, 4), share.n) == (0, 0, 0.037, 100)
    assert refusals([], ["m"])[0].share == Spread()


def test_refusals_that_come_by_keyword_widen_their_interval():
    together_, apart = (
        [
            GroupSums(**NOTHING | {"keyword": k, "ideas": 6, "refused": refused(k)})
            for k in range(40)
        ]
        for refused in (lambda k: 6 * (k < 8), lambda k: 1 + (k < 8))
    )
    wide, narrow = (refusals(groups, ["m"])[0].share for groups in (together_, apart))
    assert wide.value == narrow.value == 0.2
    assert wide.high - wide.low > 1.8 * (narrow.high - narrow.low)
    assert (narrow.low, narrow.high) == wilson(48, 240)


def test_an_idea_that_is_being_asked_again_is_no_answer_yet():
    share = refusals([GroupSums(**NOTHING | {"ideas": 1, "refused": 2})], ["m"])[0]
    assert (share.refused, share.answered) == (1, 1)


def test_pooled_lengths_can_mislead_and_those_within_models_do_not():
    # Model b writes more and scores higher; within each, longer ideas score lower.
    def sums(m: int, k: int) -> GroupSums:
        pairs = [
            (
                50 + 80 * m + 5 * (k % 4) + n,
                4 + 3 * m - 0.05 * (5 * (k % 4) + n) + 0.3 * ((k * 7 + n * 3) % 5),
            )
            for n in (0, 1)
        ]
        return GroupSums(
            **NOTHING
            | {
                "model": m,
                "keyword": k,
                "rated": 2,
                "w": sum(w for w, _ in pairs),
                "ww": sum(w * w for w, _ in pairs),
                "s": sum(s for _, s in pairs),
                "ss": sum(s * s for _, s in pairs),
                "ws": sum(w * s for w, s in pairs),
            }
        )

    everything, within, one, other = lengths(
        [sums(m, k) for m in range(2) for k in range(24)], ["a", "b"]
    )
    assert everything.r > 0.8 > 0 > within.r
    assert within.high < 0
    assert one.slope == pytest.approx(within.slope) == other.slope


@pytest.mark.parametrize(
    ("groups", "reason"),
    [
        ([], "Only 0 judged ideas for 0 keywords"),
        (
            [
                {
                    "keyword": k,
                    "rated": 2,
                    "w": 150,
                    "ww": 11_700,
                    "s": 9.0 + k,
                    "ss": (9.0 + k) ** 2 / 2 + 1,
                    "ws": 675.0 + k,
                }
                for k in range(9)
            ],
            "Only 18 judged ideas for 9 keywords",
        ),
        (
            [
                {
                    "keyword": k,
                    "rated": 1,
                    "w": 80,
                    "ww": 6400,
                    "s": float(k),
                    "ss": float(k * k),
                    "ws": 80.0 * k,
                }
                for k in range(12)
            ],
            "All ideas are of one length",
        ),
        (
            [
                {"keyword": k, "rated": 1, "w": k, "ww": k * k, "s": 5.0, "ss": 25.0, "ws": 5.0 * k}
                for k in range(12)
            ],
            "All ideas are scored alike",
        ),
    ],
)
def test_no_line_without_enough_to_draw_it_through(groups, reason):
    for one in lengths([GroupSums(**NOTHING | each) for each in groups], ["m"]):
        assert one.refused.startswith(reason)
        assert (one.r, one.slope, one.p) == (None, None, None)


def test_agreement_and_severity_are_refused_on_too_little(tmp_path):
    store = Store(tmp_path)
    few = store.benchmarks.sums.details(
        settled_store(store, keywords=[f"k{k}" for k in range(9)]).id
    )
    assert [one.refused for one in agreement(few)] == [
        "Only 9 keywords with an idea that got two judgments or more: alpha takes 10."
    ] * 3
    assert all(
        one.deviation.value is not None and one.deviation.low is None for one in severity(few)
    )
    alike = store.benchmarks.sums.details(
        settled_store(
            store, keywords=[f"k{k}" for k in range(12)], score=lambda *_: (5, 5, 5), topic="alike"
        ).id
    )
    assert agreement(alike)[0].refused.startswith("All scores are equal")
    assert severity({}) == ()


# -- against other rankings --------------------------------------------------------------------


def test_the_embedding_proxy_goes_with_judged_fluency_as_published():
    with (DATA / "liveideabench_cheap_fluency_by_model.csv").open(newline="") as file:
        distance = {line["model"]: float(line["embedding_dense"]) for line in csv.DictReader(file)}
    found = correlate(
        distance, {row.model: row.fluency.value for row in published().rows}, "fluency", "They"
    )
    assert (round(found.value, 3), found.n, found.unit) == (0.887, 41, "models")


def test_proxies_stand_beside_judged_fluency(held):
    _, _, found, cells = held
    for m, one in enumerate(found.proxies):
        pairs = [cell for cell in cells if cell.kind == "fluency" and cell.model == m]
        assert one.distance.value == pytest.approx(fmean(cell.proxy for cell in pairs))
        assert one.fluency == pytest.approx(
            fmean(cell.fluency for cell in pairs if cell.state == "done")
        )
    assert found.proxy_r.refused == "Only 3 models on both sides: a correlation takes 10."


def test_a_keywords_distance_is_the_mean_over_its_pairs():
    groups = [
        GroupSums(
            **NOTHING | {"keyword": k, "pairs": 3, "fluency": 21.0, "proxies": n, "proxy": 0.5 * n}
        )
        for k, n in enumerate((3, 1))
    ]
    found, other = proxies(groups, ["m", "no ideas"])
    assert (found.distance, found.fluency) == (Spread(value=0.5, n=2), 7.0)
    assert (other.distance, other.fluency) == (Spread(), None)
    assert proxies([], ["m"]) == ()


def ranked(*models: str) -> Board:
    none = dict.fromkeys(FIGURES, Spread())
    return Board(
        title="",
        rows=tuple(
            BoardRow(model=name, keywords=1, rank=n, **none | {"average": Spread(value=9 - n / 3)})
            for n, name in enumerate(models)
        ),
    )


def test_a_general_ranking_is_matched_by_model_whoever_serves_it():
    names = [f"openrouter:vendor/model-{n}:free" for n in range(12)]
    ranking = [Panelist(model=f"Model_{n}", rank=float((n * 5) % 12)) for n in range(11)]
    found = against(ranked(*names, "openai:not there"), ranking)
    fit = stats.pearsonr([9 - n / 3 for n in range(11)], [(n * 5) % 12 for n in range(11)])
    assert (found.n, found.r, found.p) == (
        11,
        pytest.approx(fit.statistic),
        pytest.approx(fit.pvalue),
    )
    assert (found.low, found.high) == pytest.approx(tuple(fit.confidence_interval()))
    assert found.left_out == (names[11], "openai:not there")
    assert (found.points[0].model, found.points[0].ranked, found.points[0].general) == (
        names[0],
        "Model_0",
        0.0,
    )


def test_a_name_that_stands_twice_is_nobodys():
    found = against(
        ranked("openai:o1", "openai:gpt-4o"),
        [
            Panelist(model="o1", rank=5),
            Panelist(model="vendor/O1", rank=9),
            Panelist(model="gpt-4o", rank=1),
        ],
    )
    assert ([one.model for one in found.points], found.left_out) == (
        ["openai:gpt-4o"],
        ("openai:o1",),
    )
    assert (found.r, found.refused) == (None, "Only 1 model on both sides: a correlation takes 10.")


def test_the_published_board_can_be_held_against_a_ranking():
    found = against(
        published(),
        [
            Panelist(model=row.model.replace("gemin-", "google/gemini-"), rank=row.clarity.value)
            for row in published().rows
        ],
    )
    assert (found.n, found.left_out) == (41, ())
    assert found.low < found.r < found.high


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("gemin-2.0-flash-exp", "google_genai:gemini-2.0-flash-exp", True),
        ("claude-3.7-sonnet:thinking", "openrouter:anthropic/claude-3.7-sonnet:thinking", True),
        ("claude-3.7-sonnet:thinking", "claude-3.7-sonnet", False),
        ("other-model:thinking", "claude-3.7-sonnet:thinking", False),
        ("o3-mini", "o3-mini-high", False),
        ("qwen2.5-72b", "qwen-2.5-72b", True),
        ("gpt-4.1", "gpt-41", False),
    ],
)
def test_spellings(one, other, same):
    assert (fold_name(one) == fold_name(other)) is same


# -- keeping -----------------------------------------------------------------------------------


def test_findings_repeat_and_are_known_by_their_version(held):
    store, run, found, _ = held
    assert findings(store, run.id) == found
    assert found.version == version(store, run.id)
    assert found.models == MODELS
    assert (found.keywords, found.open > 0) == (30, True)


def test_the_version_changes_with_every_cell_that_settles(tmp_path):
    shop = shop_of(tmp_path)
    run = small(shop)
    store, seen = shop.store, []
    epoch = store.runs.claim(run.id, "me|1|1", 0)
    store.benchmarks.lay(
        run.id,
        epoch,
        [Keyword(text="erosion"), Keyword(text="meiosis")],
        ["openai:a", "openai:b"],
        2,
    )
    seen.append(version(store, run.id))
    call = Call(model="openai:a", latency=1.0, outcome="accepted")

    def settle(state: str) -> None:
        ((cell, _),) = store.benchmarks.claim(run.id, epoch, "openai", 1, lambda *_: (0.0, 1), None)
        assert (version(store, run.id), findings(store, run.id).open) == (
            seen[-1],
            28 - len(findings(store, run.id).counts),
        )
        store.benchmarks.settle(
            run.id,
            epoch,
            [Settled(id=cell.id, state=state, text="An idea.", words=2, calls=(call,))],
            lambda *_: [],
        )
        seen.append(version(store, run.id))

    settle("done")
    settle("failed")
    store.benchmarks.again(run.id)
    seen.append(version(store, run.id))
    settle("failed")
    relabel(
        store, run.id, {1: Keyword(text="meiosis", domain="Botany", confidence=0.5, by="person")}
    )
    seen.append(version(store, run.id))
    assert len(set(seen)) == len(seen) == 6


def test_the_version_changes_with_a_proxy(tmp_path):
    store = Store(tmp_path)
    run = settled_store(store)
    cells = [cell for cell in store.benchmarks.cells(run.id, 0, 0) if cell.kind == "fluency"]
    seen = [version(store, run.id)]
    for distance in (0.25, 0.375):
        store.benchmarks.keep_proxies(run.id, [(cell, distance) for cell in cells])
        seen.append(version(store, run.id))
    assert len(set(seen)) == 3


def test_findings_of_a_run_that_was_worked_on_and_of_one_that_was_not(tmp_path):
    shop = shop_of(tmp_path)
    run = small(shop)
    empty = findings(shop.store, run.id)
    assert (empty.open, empty.board.notes, empty.proxies, empty.counts) == (
        28,
        ("Nothing is judged yet.",),
        (),
        (),
    )
    Runner(shop).work(run.id)
    found = findings(shop.store, run.id)
    assert (found.open, sum(one.n for one in found.counts)) == (0, 28)
    assert found.version != empty.version
    assert all(
        row.average.value is not None and row.average.low is None for row in found.board.rows
    )


def test_no_cell_is_read_for_any_of_it(held):
    store, run, _, _ = held
    said: list[str] = []
    store.connections.connection.set_trace_callback(said.append)
    try:
        findings(store, run.id)
    finally:
        store.connections.connection.set_trace_callback(None)
    assert any("bench_groups" in one for one in said)
    assert not any("bench_cells" in one for one in said)


def test_too_few_measured_replies_are_said_in_words():
    assert {one.refused for one in replies({}, ["m"]).fits} == {
        "Only 0 judged ideas with a measured reply for 0 keywords: a line takes 10 of both."
    }
