"""Human validation: samples that are drawn evenly and named blind, ratings matched to their ideas,
and the published figures from the published ratings.
"""

import csv
import io
from collections import Counter

import pytest

from core.benchmark import validating
from core.benchmark.sampling import (
    CRITERIA,
    apart,
    blind,
    key_in,
    place_of,
    plan,
    rating_sheet,
    sample,
    source,
)
from core.benchmark.validation import (
    JUDGES,
    SEATS,
    GivenRatings,
    compare_judges,
    hold_against,
    match_ratings,
    of_file,
    of_session,
    summary,
)
from core.errors import BadInput
from core.importing.benchmarked import entries_of_bench
from core.importing.ratings import read
from core.records import BENCH_DIMENSIONS, RateAnswer
from core.statistics.matrix import matrix
from core.store import Store
from core.studies import organising
from core.studies.picking import Chosen
from tests import DATA, ROOT
from tests.support.benchmark.bench_kit import JUDGES as PANEL
from tests.support.benchmark.bench_kit import settled_store
from tests.support.sessions.studies_kit import at_work, work_through

KEYWORDS = tuple(f"word {n}" for n in range(12))
RATINGS = DATA / "pde_ratings.csv"


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path)


def rising(model: str, keyword: str, n: int, judge: str) -> tuple[int, int, int]:
    """Score by the keyword alone, so that an idea's score is known from where it stands."""
    level = min(10, 1 + KEYWORDS.index(keyword) * 3 // 4)
    return level, level, level


# -- the sample --------------------------------------------------------------------------------


def test_a_sample_by_score_takes_as_many_from_every_third(store):
    run = settled_store(store, keywords=KEYWORDS, score=rising)
    drawn = sample(store, run.id, 12, "score", 1)
    assert len({one.id for one in drawn}) == 12
    thirds = Counter(
        KEYWORDS.index(store.benchmarks.keywords(run.id)[one.keyword].text) // 4 for one in drawn
    )
    assert thirds == {0: 4, 1: 4, 2: 4}


def test_a_sample_by_model_takes_as_many_from_every_model(store):
    run = settled_store(
        store, keywords=KEYWORDS, models=("openai:a", "openai:b", "x:c"), judges=(*PANEL, "x:j")
    )
    assert Counter(one.model for one in sample(store, run.id, 12, "model", 1)) == {0: 4, 1: 4, 2: 4}
    assert max(Counter(one.model for one in sample(store, run.id, 13, "model", 1)).values()) == 5


@pytest.mark.parametrize("by", ["score", "model"])
def test_the_seed_decides_what_is_drawn(store, by):
    run = settled_store(store, keywords=KEYWORDS)
    one, same, other = (sample(store, run.id, 12, by, seed) for seed in (1, 1, 2))
    assert [cell.key for cell in one] == [cell.key for cell in same]
    assert [cell.key for cell in one] != [cell.key for cell in other]


def test_what_one_model_wrote_twice_for_a_keyword_is_read_once(store):
    drawn = sample(store, settled_store(store, keywords=KEYWORDS).id, 12, "score", 1)
    again = drawn[0].model_copy(update={"n": drawn[0].n + 1})
    assert apart((*drawn, again)) == drawn
    assert apart((*drawn, again.model_copy(update={"model": 1 - again.model})))[:-1] == drawn, (
        "another model's idea is its own"
    )


def test_only_judged_ideas_are_drawn_and_too_few_are_refused(store):
    run = settled_store(
        store,
        keywords=KEYWORDS,
        lost=lambda kind, model, *_: (
            "ModelFailed" if kind == "judge" and model == "openai:a" else ""
        ),
    )
    for by in ("score", "model"):
        assert {one.model for one in sample(store, run.id, 24, by, 1)} == {1}
    with pytest.raises(
        BadInput, match="24 ideas of this benchmark were judged; 25 cannot be drawn"
    ):
        sample(store, run.id, 25, "score", 1)
    with pytest.raises(BadInput, match="10 to 500"):
        sample(store, run.id, 9, "score", 1)


def test_what_raters_read_names_neither_model_nor_score(store):
    run = settled_store(
        store, keywords=("=SUM(A1)", *KEYWORDS), models=("openai:secret-one", "openai:secret-two")
    )
    drawn = sample(store, run.id, 26, "model", 1)
    rows = list(
        csv.DictReader(
            io.StringIO(
                rating_sheet(run.id, drawn, [one.text for one in store.benchmarks.keywords(run.id)])
            )
        )
    )
    assert {row["idea id"] for row in rows} == {blind(run.id, one.key) for one in drawn}
    assert all(row[name] == "" for row in rows for name in ("rater", *BENCH_DIMENSIONS))
    assert "'=SUM(A1)" in {row["keyword"] for row in rows}
    assert "model-" not in "".join(row["idea id"] for row in rows)


def test_an_entry_leads_back_to_its_idea(store):
    run = settled_store(store, keywords=KEYWORDS)
    drawn = sample(store, run.id, 10, "score", 1)
    report = entries_of_bench(store, run.id, drawn, "Sample")
    assert len(report.taken) == 10
    entries = [entry for entry, _ in store.entries.of(("Sample",))]
    assert {key_in(run.id, one.source) for one in entries} == {one.key for one in drawn}
    assert {one.method for one in entries} <= {"openai:a", "openai:b"}
    assert [(one.name, one.entries) for one in store.entries.holding(source(run.id, ""))] == [
        ("Sample", 10)
    ]
    assert store.entries.holding(source("another", "")) == []
    assert key_in("another", entries[0].source) == ""
    assert place_of("keyword-3/model-2/idea-1") == (2, 1, 1)
    assert place_of("round-3/review") is None


# -- ratings that come back --------------------------------------------------------------------


def session(store, run, experts=2, ends=(1, 10)):
    """Open a session on a sample of twelve; return it, the sample, and the experts' secrets."""
    criteria = tuple(
        one.model_copy(update=dict(zip(("lowest", "highest"), ends, strict=True)))
        for one in CRITERIA
    )
    held = plan("Validation", experts, 3).model_copy(update={"criteria": criteria})
    drawn = sample(store, run.id, 12, "score", 1)
    entries_of_bench(store, run.id, drawn, "Sample")
    study = organising.set_up(store, held, Chosen(collections=("Sample",)))
    secrets = [organising.add_seat(store, study.id, f"Expert {n}")[1] for n in range(experts)]
    organising.open_study(store, study.id)
    return study, drawn, secrets


def test_the_criteria_ask_what_the_judges_are_asked():
    prompt = (ROOT / "core" / "prompts" / "bench-judge.md").read_text("utf-8").lower()
    assert [one.name for one in CRITERIA] == list(BENCH_DIMENSIONS)
    for one in CRITERIA:
        assert f"{one.name}: {one.meaning}".lower() in prompt
    assert plan("V", 6, 1).overlap == 6


def test_a_session_is_matched_once_its_key_is_open(store):
    run = settled_store(store, keywords=KEYWORDS, score=rising)
    study, drawn, secrets = session(store, run)
    truth = {one.text: one.score for one in drawn}

    def scored(here, shown):
        ((_, text),) = shown.texts
        level = round(truth.get(text.text, 1.0))
        return RateAnswer(scores={one.name: level for one in here.criteria})

    for secret in secrets:
        assert work_through(store, at_work(store, secret), scored) >= 12
    with pytest.raises(BadInput, match="reveal its sources there"):
        of_session(store, study.id, run.id)
    organising.close(store, study.id)
    organising.unblind(store, study.id, "test")
    found = compare_judges(store, run.id, of_session(store, study.id, run.id))
    assert found.sheet.experts == ("E1", "E2")
    assert found.sheet.models == (JUDGES,)
    assert set(found.ratings["clarity"].items) == {one.key for one in drawn}
    figure = found.sheet.agreement.criteria["clarity"].against[JUDGES].pearson
    assert (figure.n, figure.value) == (12, pytest.approx(1.0))


@pytest.mark.parametrize("ends", [(1, 5), (0, 100), (1, 10)])
def test_a_session_on_another_scale_is_put_on_the_judges(store, ends):
    run = settled_store(store, keywords=KEYWORDS, score=rising)
    study, drawn, secrets = session(store, run, ends=ends)
    truth = {one.text: (one.score - 1) / 9 for one in drawn}
    lowest, highest = ends

    def scored(here, shown):
        ((_, text),) = shown.texts
        level = round(lowest + truth.get(text.text, 0.0) * (highest - lowest))
        return RateAnswer(scores={one.name: level for one in here.criteria})

    for secret in secrets:
        work_through(store, at_work(store, secret), scored)
    organising.close(store, study.id)
    organising.unblind(store, study.id, "test")
    found = compare_judges(store, run.id, of_session(store, study.id, run.id))
    error = found.sheet.agreement.criteria["clarity"].against[JUDGES].error
    assert error.value < 9 / (highest - lowest), "a step of the session's scale at most"
    assert all(note in summary(found).note for note in found.notes)
    assert found.notes == tuple(
        f"{name}: answered from {lowest} to {highest} there; the answers are put on the judges'"
        " scale from 1 to 10, evenly between its ends"
        for name in BENCH_DIMENSIONS
        if ends != (1, 10)
    )


@pytest.mark.parametrize(
    ("highest", "said"),
    [
        (5, "clarity: experts' scores run from 1 to 5: if their scale did not reach to 10, points"),
        (12, "clarity: experts' scores run from 1 to 12, the judges' from 1 to 10, so that points"),
        (9, None),
    ],
)
def test_a_file_that_is_hardly_on_the_judges_scale_is_said_to_be(highest, said):
    keys = [f"keyword-1/model-1/idea-{n}" for n in range(12)]
    people = [(key, "Ann", 1.0 + n % highest) for n, key in enumerate(keys)]
    given = matrix([*people, *((key, "a model", 10.0) for key in keys)])
    found = of_file({"clarity": given}, {"a model"}, "run", keys)
    assert [one.startswith(said) for one in found.scales] == ([True] if said else [])


def test_a_file_is_matched_by_the_names_of_the_rating_sheet(store):
    run = settled_store(store, keywords=KEYWORDS, score=rising)
    drawn = sample(store, run.id, 12, "score", 1)
    lines = ["idea id,keyword,text,rater,originality,feasibility,clarity"]
    lines += [
        f"{blind(run.id, one.key)},k,some text,{rater},{score},{11 - score},5"
        for one in drawn
        for rater, score in (("Ann", round(one.score)), ("Ben", max(1, round(one.score) - 1)))
    ]
    lines += ["Bxxxxxxx,k,some text,Ann,5,5,5"]
    ratings = read("ratings.csv", "\n".join(lines).encode())
    found = compare_judges(
        store,
        run.id,
        of_file(ratings.by_criterion, ratings.models, run.id, [one.key for one in drawn]),
    )
    assert found.sheet.experts == ("Ann", "Ben")
    assert found.sheet.agreement.criteria["originality"].against[JUDGES].pearson.value > 0.9
    assert found.sheet.agreement.criteria["feasibility"].against[JUDGES].pearson.value < -0.9
    assert any("1 rated text is no idea of this benchmark" in one for one in found.notes)


SHEETS_TOGETHER = {
    "long": """idea id,rater,criterion,score
keyword-1/model-1/idea-1,Ann,originality,3
keyword-1/model-1/idea-1,Cem,Originality,7
keyword-1/model-1/idea-2,Ann,originality,4
keyword-1/model-1/idea-2,Cem,Originality,8
""",
    "wide": """idea id,rater,originality,Originality
keyword-1/model-1/idea-1,Ann,3,
keyword-1/model-1/idea-2,Ann,4,
keyword-1/model-1/idea-1,Cem,,7
keyword-1/model-1/idea-2,Cem,,8
""",
}
KEYS = ("keyword-1/model-1/idea-1", "keyword-1/model-1/idea-2")


@pytest.mark.parametrize("layout", SHEETS_TOGETHER)
def test_a_dimension_written_in_several_ways_counts_with_all_its_scores(layout):
    ratings = read("ratings.csv", SHEETS_TOGETHER[layout].encode())
    found = of_file(ratings.by_rater, ratings.models, "run", KEYS)
    together = found.ratings["originality"]
    assert (together.items, together.raters) == (KEYS, ("Ann", "Cem"))
    assert together.values.tolist() == [[3.0, 7.0], [4.0, 8.0]]
    assert found.left_out == ()


def test_two_scores_of_one_expert_under_two_spellings_are_refused():
    data = SHEETS_TOGETHER["wide"].replace("Ann,3,", "Ann,3,5")
    ratings = read("ratings.csv", data.encode())
    with pytest.raises(BadInput, match=r"'originality' and 'Originality' .*'Ann' rated .* twice"):
        of_file(ratings.by_rater, ratings.models, "run", KEYS)


def test_a_model_seat_never_counts_on_its_own_idea(store):
    run = settled_store(store, keywords=KEYWORDS, models=("openai:a", "openai:b"))
    keys = [one.key for one in sample(store, run.id, 12, "model", 1)]
    mine = [key for key in keys if "model-1" in key]
    said = [(key, "Ann", 1.0 + at % 9) for at, key in enumerate(keys)]
    said += [(key, "openrouter:openai/a", 10.0) for key in keys] + [
        (key, "x:judge", 2.0 + at % 5) for at, key in enumerate(keys)
    ]
    whole = GivenRatings(
        dict.fromkeys(BENCH_DIMENSIONS, matrix(said)), frozenset(("openrouter:openai/a", "x:judge"))
    )
    found = compare_judges(store, run.id, whole)
    column = dict(
        zip(found.ratings["clarity"].items, found.ratings["clarity"].column(SEATS), strict=True)
    )
    assert 0 < len(mine) < len(keys)
    for at, key in enumerate(keys):
        judge = 2.0 + at % 5
        assert column[key] == (judge if key in mine else (judge + 10.0) / 2)


def test_ratings_of_something_else_are_refused_in_a_sentence(store):
    run = settled_store(store, keywords=KEYWORDS)
    with pytest.raises(BadInput, match="No rating could be matched"):
        match_ratings({"clarity": matrix([("strange", "Ann", 3.0)])}, {}, frozenset())
    with pytest.raises(BadInput, match="no rating by a person"):
        compare_judges(
            store,
            run.id,
            GivenRatings(
                {"clarity": matrix([("keyword-1/model-1/idea-1", "x:j", 3.0)])}, frozenset(("x:j",))
            ),
        )


def test_few_ideas_give_no_figure_but_a_reason(store):
    run = settled_store(store, keywords=KEYWORDS)
    few = [one.key for one in sample(store, run.id, 10, "score", 1)][:5]
    said = matrix(
        [(key, rater, float(at + 1)) for at, key in enumerate(few) for rater in ("Ann", "Ben")]
    )
    found = compare_judges(store, run.id, GivenRatings({"clarity": said}, frozenset()))
    figure = found.sheet.agreement.criteria["clarity"].against[JUDGES].pearson
    assert figure.value is None
    assert "10 are needed" in figure.refused


# -- the oracle --------------------------------------------------------------------------------


def published() -> tuple[dict, dict]:
    """Return the published ratings of experts, and the means of the judges."""
    with RATINGS.open(newline="") as file:
        lines = list(csv.DictReader(file))
    experts = {
        name: matrix(
            (one["idea"], one["rater"], float(one[name])) for one in lines if one["rater"] != "llm"
        )
        for name in BENCH_DIMENSIONS
    }
    means = {
        name: {one["idea"]: float(one[name]) for one in lines if one["rater"] == "llm"}
        for name in BENCH_DIMENSIONS
    }
    return experts, means


def test_of_many_ratings_a_process_beside_the_server_makes_the_same(monkeypatch):
    experts, means = published()
    here = hold_against(experts, {JUDGES: means})
    monkeypatch.setattr(validating, "AT_ONCE", 0)
    monkeypatch.setattr(validating, "agreement_sheet", None)
    assert hold_against(experts, {JUDGES: means}).sheet == here.sheet


def test_the_published_figures_come_out_of_the_published_ratings():
    experts, means = published()
    found = hold_against(experts, {JUDGES: means}).sheet.agreement.criteria
    assert tuple(
        round(found[name].against[JUDGES].pearson.value, 3) for name in BENCH_DIMENSIONS
    ) == (0.820, 0.572, 0.420)
    assert tuple(round(found[name].against[JUDGES].pearson.p, 4) for name in BENCH_DIMENSIONS) == (
        0.0,
        0.0054,
        0.0518,
    )
    figures = {
        stat.name: [
            next(
                one.value
                for one in (*found[name].iccs, *found[name].alphas)
                if one.name == stat.name
            )
            for name in BENCH_DIMENSIONS
        ]
        for stat in (*found["clarity"].iccs, *found["clarity"].alphas)
    }
    assert [round(one, 3) for one in figures["ICC(C,k)"]] == [0.823, 0.453, 0.782]
    assert [round(one, 3) for one in figures["ICC(A,k)"]] == [0.766, 0.396, 0.637]
    assert [round(one, 3) for one in figures["Krippendorff's alpha (interval)"]] == [
        0.324,
        0.067,
        0.167,
    ]
