"""The figures of a benchmark: they show what was found, mark what is published or thin, and let no
name cover another.
"""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.benchmark.figures import board as figures_board
from core.benchmark.figures import usage as figures_usage
from core.benchmark.figures.drawing import MARKED, short
from core.benchmark.figures.gallery import GROUPS
from core.benchmark.results import tables
from core.benchmark.results.board import Board, BoardRow, Spread, pareto, published
from core.benchmark.results.energy import published_energies
from core.benchmark.results.findings import findings
from core.benchmark.results.generality import Against, against
from core.benchmark.results.proxies import compute
from core.charts.labels import LETTER, LINE, ROOM
from core.export.benchmarks.folder import files
from core.records import BenchUsage, Keyword, Panelist
from core.statistics.statistic import Statistic
from core.store import Store
from tests.support.benchmark.bench_figures import figures, figures_of
from tests.support.benchmark.bench_kit import settled_store

INK = "#3d434b"
WORDS = tuple(Keyword(text=f"word {n}", domain="Physics" if n else "Chemistry") for n in range(12))


def traces(figure) -> dict[str, list]:
    return {
        trace.name: list(trace.customdata if trace.customdata is not None else [])
        for trace in figure.data
    }


def row(
    model: str,
    average: float = 6.0,
    feasibility: float = 6.0,
    originality: float = 6.0,
    tied: tuple[str, ...] = (),
    rank: int = 1,
) -> BoardRow:
    spread = Spread(value=average, low=average - 0.1, high=average + 0.1, n=20)
    return BoardRow(
        model=model,
        fluency=spread,
        clarity=spread,
        flexibility=spread,
        average=spread,
        feasibility=Spread(value=feasibility),
        originality=Spread(value=originality),
        keywords=20,
        rank=rank,
        tied=tied,
    )


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """Two models on twelve keywords, one of which refuses and fails at times."""

    def lost(kind: str, model: str, keyword: str, n: int, m: int) -> str:
        became = {
            ("idea", "word 1"): "refused",
            ("idea", "word 2"): "again",
            ("judge", "word 3"): "NoUsableAnswer",
        }
        return became.get((kind, keyword), "") if model == "openai:a" else ""

    store = Store(tmp_path_factory.mktemp("figures"))
    return findings(store, settled_store(store, keywords=WORDS, lost=lost).id)


def test_every_group_has_figures_and_each_its_table(found):
    drawn = {group: figures_of(group, found, INK) for group in GROUPS}
    assert {group for group, several in drawn.items() if not several} == {"general"}
    assert len(figures(found, INK)) == sum(map(len, drawn.values()))
    for one in figures(found, INK):
        assert one.table.rows, one.name
        assert all(len(line) == len(one.table.head) for line in one.table.rows)
        assert any(axis.title.text for axis in one.figure.select_xaxes()) or one.name == "by-domain"


def test_without_answers_there_is_nothing_to_draw(tmp_path):
    store = Store(tmp_path)
    assert (
        figures(findings(store, settled_store(store, left=2, state="stopped").id), INK, published())
        == ()
    )


# -- the leaderboard ---------------------------------------------------------------------------


def test_the_best_stands_on_top_and_who_is_tied_with_it_is_hollow():
    board = Board(
        title="",
        rows=(row("a", 7, tied=("b",)), row("b", 6.9, tied=("a",), rank=2), row("c", 5, rank=3)),
    )
    figure = figures_board.standing(board, INK).figure
    assert list(figure.layout.yaxis.ticktext) == ["a", "b", "c"]
    assert figure.layout.yaxis.range[0] > figure.layout.yaxis.range[1]
    hollow = next(trace for trace in figure.data if trace.marker.symbol == "circle-open")
    assert list(hollow.y) == [0, 1]
    assert "not told apart" in hollow.name
    assert hollow.error_x.array[0] == pytest.approx(0.1)


def test_a_model_without_a_figure_is_not_drawn_at_zero():
    none = Spread()
    lacking = row("b").model_copy(update={"average": none, "rank": 2})
    one = figures_board.standing(Board(title="", rows=(row("a"), lacking)), INK)
    assert list(one.figure.layout.yaxis.ticktext) == ["a"]
    assert [value.said for value in one.table.rows[1]][:2] == ["–", "–"], (
        "neither a rank nor a word on ties"
    )


def test_published_models_stand_apart_and_are_marked_everywhere():
    board = Board(title="", rows=(row("openai:mine", 1.0, 1.0, 1.0),))
    one = figures_board.standing(board, INK, published())
    names = list(one.figure.layout.yaxis.ticktext)
    assert names[:2] == ["mine", f"<i>{MARKED}</i>"]
    assert len(names) == 43
    assert len(traces(one.figure)[MARKED]) == 41
    ranks = [(line[0].mean, line[-1].text) for line in one.table.rows]
    assert ranks[:3] == [(1, "this benchmark"), (1, MARKED), (2, MARKED)]
    shown = figures_board.trade_off(board, INK, published()).figure
    beside = next(trace for trace in shown.data if trace.name == MARKED)
    assert beside.marker.symbol == "diamond-open"
    assert pareto(board) == {"openai:mine"}, "published models push none off the front"


def test_ties_are_said_in_words():
    board = Board(
        title="", rows=(row("a", tied=("b",)), row("b", tied=("a",)), row("c", 5, rank=3))
    )
    assert [tables.ties(one, board) for one in board.rows] == ["b", "a", "none"]
    assert [tables.tied(one, board) for one in board.rows] == ["with 1", "with 1", "no"]
    assert tables.ties(published().rows[0], published()) == "not said"


# -- the trade-off -----------------------------------------------------------------------------


def test_of_41_models_the_front_is_named_and_drawn_as_steps():
    figure = figures_board.trade_off(published(), INK).figure
    assert (
        {one.text for one in figure.layout.annotations}
        == {"claude-3.7-sonnet:thinking", "deepseek-r1"}
        == set(pareto(published()))
    )
    line = next(trace for trace in figure.data if trace.name == "Pareto front")
    assert line.line.shape == "vh"
    assert list(zip(line.x, line.y, strict=True))[1:3] == [(5.70, 8.06), (6.52, 7.84)]
    assert {"size: fluency 4.51 to 7.80", "clarity 6.61", "clarity 8.10"} <= {
        trace.name for trace in figure.data
    }


def test_size_colour_and_edge_mean_fluency_flexibility_and_clarity():
    rows = {one.model: one for one in published().rows}
    bubbles = next(
        trace
        for trace in figures_board.trade_off(published(), INK).figure.data
        if trace.marker.colorbar.title.text == "Flexibility"
    )
    names = [said.split(": fea")[0] for said in bubbles.customdata]
    assert list(bubbles.marker.color) == [rows[name].flexibility.value for name in names]
    for drawn, meant in ((bubbles.marker.size, "fluency"), (bubbles.marker.line.width, "clarity")):
        assert np.argsort(drawn, kind="stable").tolist()[-1] == int(
            np.argmax([getattr(rows[name], meant).value for name in names])
        )


@settings(max_examples=20)
@given(st.lists(st.tuples(st.floats(1, 10), st.floats(1, 10)), min_size=1, max_size=12))
def test_no_name_covers_another(places):
    board = Board(
        title="",
        rows=tuple(
            row(f"a-model-with-a-name-{n}", feasibility=x, originality=y)
            for n, (x, y) in enumerate(places)
        ),
    )
    figure = figures_board.trade_off(board, INK).figure
    boxes = [
        box(one, [figure.layout.xaxis.range, figure.layout.yaxis.range])
        for one in figure.layout.annotations
    ]
    for one, other in combinations(boxes, 2):
        assert (
            one[2] <= other[0] + 1e-6
            or other[2] <= one[0] + 1e-6
            or one[3] <= other[1] + 1e-6
            or other[3] <= one[1] + 1e-6
        )


def box(one, spans) -> tuple[float, float, float, float]:
    """Return where a name stands in a figure as narrow as any, in pixels."""
    wide = LETTER * len(one.text)
    x, y = (
        (at - low) / (high - low) for at, (low, high) in zip((one.x, one.y), spans, strict=True)
    )
    x, y = (
        x * (ROOM - figures_board.COLOURS) + (one.xshift or 0) + (one.ax or 0),
        (1 - y) * figures_board.HIGH - (one.yshift or 0) + (one.ay or 0),
    )
    left = x - {"left": 0, "center": wide / 2, "right": wide}[one.xanchor]
    return left, y - LINE / 2, left + wide, y + LINE / 2


# -- the rest ----------------------------------------------------------------------------------


def test_few_keywords_of_a_domain_are_starred_and_many_models_are_shaded(found, tmp_path):
    heat = figures_of("domains", found, INK)[0].figure.data[0]
    printed = dict(zip(heat.y, heat.text, strict=True))
    assert all(text.endswith("*") for text in printed["Chemistry"])
    assert all(text and not text.endswith("*") for text in printed["Physics"])
    drawn = dict(zip(heat.y, heat.z, strict=True))
    beyond = min(drawn["Chemistry"]) < heat.zmin, max(drawn["Chemistry"]) > heat.zmax
    assert any(beyond), "a starred figure lies beyond the shades"
    assert [heat.colorbar.ticktext[end][:2] for end in (0, -1)] == [
        sign if out else f"{at:.2f}"[:2]
        for sign, out, at in zip(("≤ ", "≥ "), beyond, (heat.zmin, heat.zmax), strict=True)
    ]
    store = Store(tmp_path)
    models = [f"openai:m{n}" for n in range(13)]
    many = findings(store, settled_store(store, models=models, keywords=WORDS[:4]).id)
    heat = figures_of("domains", many, INK)[0].figure.data[0]
    assert len(heat.y) == 13
    assert {text for line in heat.text for text in line} == {"", "*"}


def test_shares_of_scores_add_up(found):
    for trace in figures_of("scores", found, INK)[0].figure.data:
        assert sum(trace.y) == pytest.approx(1)
        assert len(trace.x) in (4, 10)


def test_refusals_are_drawn_as_shares_of_what_was_answered(found):
    one = figures_of("refusals", found, INK)[0]
    drawn = {
        trace.name: dict(zip(one.figure.layout.yaxis.ticktext, trace.x, strict=True))
        for trace in one.figure.data
    }
    assert drawn["refused twice (left out)"] == {"a": pytest.approx(2 / 24), "b": 0}
    assert drawn["refused at first, then answered"]["a"] == pytest.approx(2 / 24)
    failed = {line[0].text: line[-1].mean for line in one.table.rows}
    assert failed == {"openai:a": 4, "openai:b": 0}


def test_an_unknown_price_stays_unknown(found):
    assert [one.name for one in figures_of("usage", found, INK)] == ["tokens"], (
        "no price, and no estimate of energy for models that do not exist"
    )
    known = BenchUsage(
        model="openai:a",
        role="idea",
        calls=10,
        accepted=9,
        tokens_in=1,
        tokens_out=1,
        unreported=0,
        cost=0.5,
        unpriced=4,
        seconds=20,
    )
    assert tables.cost(known).said == "$0.5000 + 4 calls of unknown price"
    assert (
        tables.cost(known.model_copy(update={"unpriced": 10, "cost": 0.0})).said == "price unknown"
    )


def test_the_strictest_judge_stands_on_top(found):
    figure = figures_of("judges", found, INK)[0].figure
    top = figure.layout.yaxis.ticktext[0]
    mean = {
        judge: np.mean([one.deviation.value for one in found.severity if one.judge == judge])
        for judge in {one.judge for one in found.severity}
    }
    assert top == min(mean, key=mean.get).partition(":")[2]


def test_a_ranking_is_drawn_with_its_line_and_who_is_missing_is_named():
    ranking = [Panelist(model=one.model, rank=100 - one.rank) for one in published().rows[:40]]
    made = against(published(), ranking)
    [one] = figures_of("general", None, INK, general=made)
    assert f"r = {made.r:.2f}" in one.figure.data[0].name
    assert "n = 40" in one.figure.data[0].name
    assert one.table.rows[-1][0].text == published().rows[-1].model
    assert figures_of("general", None, INK, general=Against(left_out=("a",))) == ()


def test_published_energy_is_of_41_models_of_which_ten_judge():
    figure = figures_usage.published_energy(INK).figure
    assert {name: len(said) for name, said in traces(figure).items()} == {
        "writes ideas": 41,
        "judges ideas": 10,
    }
    assert all(MARKED in said for said in figure.data[0].customdata)
    total = sum(one.idea_kwh for one in published_energies())
    assert total == pytest.approx(859.52, abs=0.1)


def test_names_are_short_where_that_leaves_them_apart():
    assert short(["openai:gpt-4o", "openrouter:meta/llama", "claude-3.7-sonnet:thinking"]) == [
        "gpt-4o",
        "llama",
        "claude-3.7-sonnet:thinking",
    ]
    assert short(["openai:a", "openrouter:x/a"]) == ["openai:a", "openrouter:x/a"]


def test_a_name_is_no_markup():
    drawn = figures_board.standing(Board(title="", rows=(row("<b>a</b>"),)), INK).figure
    assert "<b>" not in drawn.to_json()


# -- the proxy ---------------------------------------------------------------------------------


class Lengths:
    """Texts of one length mean the same, of another nothing in common."""

    def vectors(self, texts):
        return np.eye(500, dtype=np.float32)[[len(text) for text in texts]]


def test_the_proxy_is_computed_in_batches_and_what_is_there_stays(tmp_path, monkeypatch):
    monkeypatch.setattr("core.benchmark.results.proxies.BATCH", 5)
    store = Store(tmp_path)
    run = settled_store(store, keywords=WORDS).id
    store.connections.write("UPDATE bench_cells SET proxy = NULL WHERE run = ?", run)
    store.connections.write("UPDATE bench_groups SET proxies = 0, proxy = 0 WHERE run = ?", run)
    assert store.benchmarks.sums.proxies(run) == (24, 24)
    heard: list[int] = []
    assert compute(store, run, Lengths(), lambda done: heard.append(done) or done < 10) == 10
    assert heard == [5, 10]
    assert store.benchmarks.sums.proxies(run) == (24, 14)
    assert compute(store, run, Lengths(), lambda done: True) == 14
    assert store.benchmarks.sums.proxies(run) == (24, 0)
    assert {one.distance.value for one in findings(store, run).proxies} == {0.0}, (
        "two ideas of one length are the same here"
    )


def test_a_proxy_is_named_as_one(found):
    one = figures_of("fluency", found, INK)[0]
    assert "Proxy, not judged" in one.figure.layout.xaxis.title.text
    assert isinstance(found.proxy_r, Statistic)


@pytest.mark.parametrize("keywords", [("erosion",), tuple(f"word {n}" for n in range(12))])
@pytest.mark.parametrize("models", [("openai:a",), ("openai:a", "openai:b")])
def test_with_no_pair_to_compare_every_figure_is_drawn_and_everything_exported(
    tmp_path, models, keywords
):
    store = Store(tmp_path)
    run = settled_store(store, models=models, ideas=1, keywords=keywords)
    found = findings(store, run.id)
    drawn = {
        one.name: one.figure
        for group in GROUPS
        for one in figures_of(group, found, INK, published() if group == "trade-off" else None)
    }
    assert {
        "board-originality",
        "trade-off",
        "scores",
        "words",
        "refusals",
        "judges",
        "tokens",
    } <= set(drawn)
    (marks,) = [trace for trace in drawn["trade-off"].data if trace.name == figures_board.WITHOUT]
    assert (marks.marker.color, len(marks.x)) == (figures_board.NEUTRAL, len(models))
    taken = files(store, run.id)
    assert {
        "figures.html",
        "leaderboard.svg",
        "leaderboard.png",
        "pareto.svg",
        "tables/trade-off.csv",
        "tables/leaderboard.tex",
        "report.html",
    } <= set(taken)


def test_a_model_without_flexibility_is_grey_beside_those_that_have_it():
    held = (
        row("m/a", feasibility=6.0),
        row("m/b", feasibility=7.0),
        row("m/c", feasibility=5.0).model_copy(update={"flexibility": Spread()}),
    )
    figure = figures_board.trade_off(Board(title="", rows=held), INK).figure
    grey, coloured = [
        trace for trace in figure.data if trace.mode == "markers" and trace.x[0] is not None
    ]
    assert (grey.marker.color, list(coloured.marker.color), len(coloured.x)) == (
        figures_board.NEUTRAL,
        [6.0, 6.0],
        2,
    )


def test_clarity_is_held_against_originality_and_feasibility_and_the_mean_of_the_two(tmp_path):
    def score(model, keyword, n, judge):
        k = int(keyword.split()[1])
        return (1 + (k + n) % 5, 2 + k % 4, 1 + k % 8)

    store = Store(tmp_path)
    run = settled_store(store, keywords=[f"word {n}" for n in range(16)], score=score)
    found = findings(store, run.id)
    ideas = store.benchmarks.ideas(run.id, limit=100)
    for one, other in zip(
        found.clarity,
        (
            lambda i: i.originality,
            lambda i: i.feasibility,
            lambda i: (i.originality + i.feasibility) / 2,
        ),
        strict=True,
    ):
        x, y = np.array([idea.clarity for idea in ideas]), np.array([other(idea) for idea in ideas])
        whole = next(fit for fit in one.fits if fit.over == "all")
        assert (whole.n, whole.r) == (64, pytest.approx(np.corrcoef(x, y)[0, 1]))
        assert whole.slope == pytest.approx(np.polyfit(x, y, 1)[0])
        assert sum(n for _, _, n in one.counts) == 64
    (drawn,) = figures_of("clarity", found, INK)
    assert [one.text.split(" (")[0] for one in drawn.figure.layout.annotations] == [
        "Originality",
        "Feasibility",
        "Mean of the two",
    ]
    assert [
        sum(n or 0 for row in trace.z for n in row)
        for trace in drawn.figure.data
        if trace.type == "heatmap"
    ] == [64] * 3
    assert len([trace for trace in drawn.figure.data if trace.type == "scatter"]) == 3
    assert len(drawn.table.rows) == 3 * 4
    assert {"tables/clarity.csv", "tables/clarity.tex"} <= set(files(store, run.id))


def test_whole_replies_are_held_against_scores_with_their_thoughts(tmp_path):
    def thoughts(model, keyword, n):
        return (
            None
            if keyword == "word 0"
            else 100 * int(keyword.split()[1]) + n
            if model == "openai:a"
            else 0
        )

    store = Store(tmp_path)
    run = settled_store(store, keywords=[f"word {n}" for n in range(16)], thoughts=thoughts)
    found = findings(store, run.id)
    ideas = [
        one for one in store.benchmarks.ideas(run.id, limit=100) if one.reply_length is not None
    ]
    assert (len(ideas), found.replies.unmeasured) == (60, 4)
    assert all(
        one.reply_length == len(one.text) + (one.thoughts_length + 2 if one.thoughts_length else 0)
        for one in ideas
    )
    whole = found.replies.fits[0]
    assert whole.r == pytest.approx(
        np.corrcoef([one.reply_length for one in ideas], [one.score for one in ideas])[0, 1]
    )
    assert [(one.model, one.n, one.thought) for one in found.replies.models] == [
        ("openai:a", 30, 30),
        ("openai:b", 30, 0),
    ]
    mine = [one for one in ideas if one.model == 0]
    assert found.replies.models[0].thoughts == pytest.approx(
        np.mean([one.thoughts_length for one in mine])
    )
    drawn = {one.name: one for one in figures_of("length", found, INK)}
    assert set(drawn) == {"length-and-score", "words", "reply-and-score", "reply-density"}
    (shades,) = [trace for trace in drawn["reply-density"].figure.data if trace.type == "heatmap"]
    assert sum(n or 0 for row in shades.z for n in row) == 30, "of the one model that thinks"
    assert "4 judged ideas from before" in drawn["reply-and-score"].table.note
    assert {
        f"tables/{name}.{kind}"
        for name in ("reply-and-score", "reply-density")
        for kind in ("csv", "tex")
    } <= set(files(store, run.id))


def test_ideas_from_before_lengths_were_kept_are_said_and_drawn_nowhere(tmp_path):
    store = Store(tmp_path)
    found = findings(store, settled_store(store, keywords=WORDS, thoughts=lambda *_: None).id)
    assert (found.replies.unmeasured, found.replies.models) == (48, ())
    assert {one.name for one in figures_of("length", found, INK)} == {"length-and-score", "words"}
    assert len(figures_of("clarity", found, INK)) == 1
