"""Extending a benchmark: it becomes what it had been asked at once, only what is new is asked, and
it stands without its parent.
"""

from collections import Counter

import pytest

from core.benchmark import BenchInputs
from core.benchmark.progress import progress
from core.benchmark.results.findings import findings
from core.errors import BadInput, ModelFailed, StoreFailed
from core.export.markdown import written
from core.export.report import report
from core.records import Entrant, Keyword, Panelist
from core.runs.extending import extend_benchmark, grown, new_in
from core.runs.runner import Runner
from core.store.benchmarks import Benchmarks
from tests.support.benchmark.bench_kit import (
    JUDGES,
    KEYWORDS,
    MODELS,
    inputs_of,
    relabel,
    script,
    shop_of,
    small,
    worked,
)
from tests.support.visiting import host, links, said, settled, visit

WORDS = (*KEYWORDS, "granite", "tides")
NEW = "openai:z"
SAME = (
    "bench_keywords",
    "bench_cells",
    "bench_groups",
    "bench_tally",
    "bench_scores",
    "bench_usage",
)
TIMED = ("run", "id", "ended", "seconds")


def shop(folder, **scripts):
    """Return a workshop where one model refuses a keyword at first and another one always."""
    at_first = {
        "bench-idea": lambda asked: (
            "I cannot help with that." if "erosion" in asked.text else script(asked)
        )
    }
    always = dict.fromkeys(
        ("bench-idea", "bench-idea-again"),
        lambda asked: "I can't." if "granite" in asked.text else script(asked),
    )
    return shop_of(
        folder, {"openai:a": at_first, "openai:b": always, **scripts}, (*MODELS, *JUDGES, NEW)
    )


def rows(store, run):
    """Return all there is of a benchmark but its times, table by table."""
    return {
        table: Counter(
            tuple((name, value) for name, value in row.items() if name not in TIMED)
            for row in store.connections.rows(f"SELECT * FROM {table} WHERE run = ?", run.id)
            if row.get("n") != 0 or table == "bench_keywords"
        )
        for table in SAME
    }


def extended(shop, run, **more):
    """Extend a benchmark, work on it to its end, and return its run with the number of calls that
    took.
    """
    runner = Runner(shop)
    made = extend_benchmark(
        runner, run.id, grown(BenchInputs.model_validate(run.config.inputs), **more)
    )
    before = sum(len(model.requests) for model in shop.named.values())
    runner.work(made.id)
    return (
        shop.store.runs.get(made.id),
        sum(len(model.requests) for model in shop.named.values()) - before,
    )


@pytest.mark.parametrize(
    "more", [{"ideas": 3}, {"models": (Entrant(model=NEW),), "count": 3, "ideas": 4}]
)
def test_it_becomes_what_it_had_been_asked_at_once_and_pays_only_for_what_is_new(tmp_path, more):
    grew, whole = shop(tmp_path / "grew"), shop(tmp_path / "whole")
    small_one = worked(grew, keywords=WORDS, count=2)
    child, paid = extended(grew, small_one, **more)
    names = [*MODELS, *(one.model for one in more.get("models", ()))]
    at_once = worked(
        whole, keywords=WORDS, count=more.get("count", 2), models=names, ideas=more.get("ideas", 2)
    )
    assert (child.state, at_once.state, child.parent) == ("done", "done", small_one.id)
    assert rows(grew.store, child) == rows(whole.store, at_once)
    assert findings(grew.store, child.id).board.rows == findings(whole.store, at_once.id).board.rows
    assert child.calls == paid == at_once.calls - small_one.calls
    assert progress(grew.store, child).share == 1


def test_what_failed_and_what_was_left_is_asked_in_the_extension_and_counted_nowhere_before(
    tmp_path,
):
    away = {
        "bench-judge": lambda asked: (
            ModelFailed("Away.") if "erosion" in asked.text else script(asked)
        )
    }
    place = shop(tmp_path, **{"openai:c": away})
    parent = worked(place, keywords=WORDS, count=2)
    lost = place.store.benchmarks.lost(parent.id, "failed")
    assert lost
    place.named["openai:c"].script["bench-judge"] = script
    inputs = grown(BenchInputs.model_validate(parent.config.inputs), count=3)
    foreseen = new_in(place, parent, inputs)
    waiting = extend_benchmark(Runner(place), parent.id, inputs)
    assert (
        sum(one.failed for one in place.store.benchmarks.sums.groups(waiting.id))
        == progress(place.store, waiting).total("failed")
        == 0
    )
    child, paid = extended(place, parent, count=3)
    refused = (
        2 * (1 + 2) + 1
    )  # Openai:b refuses granite: nothing follows from its ideas, and both are asked for twice.
    assert (foreseen.calls, paid) == (2 * 7 + len(lost), 2 * 7 + len(lost) - refused + 4)
    whole = shop(tmp_path / "whole")
    mine, at_once = (
        rows(place.store, child),
        rows(whole.store, worked(whole, keywords=WORDS, count=3)),
    )
    del mine["bench_usage"], at_once["bench_usage"]  # It holds the calls that failed, too.
    assert mine == at_once
    assert len(place.store.benchmarks.lost(parent.id, "failed")) == len(lost), (
        "the parent stays as it is"
    )


def test_usage_is_of_all_its_answers_and_the_caps_of_its_own_calls(tmp_path):
    place = shop(tmp_path)
    parent = worked(place, keywords=WORDS, count=3, cap_usd=5.0)
    child, paid = extended(place, parent, count=4)
    asked = {
        run.id: sum(one.calls for one in place.store.benchmarks.sums.usage(run.id))
        for run in (parent, child)
    }
    assert (asked[parent.id], asked[child.id], child.calls) == (
        parent.calls,
        parent.calls + paid,
        paid,
    )
    assert sum(calls for _, calls, _ in place.store.benchmarks.sums.pace(child.id)) == paid
    assert place.store.runs.caps(child.id) == (5.0, 1_000_000)
    told = written(report(place.store, child.id))
    assert f"an extension of run {parent.id}" in told
    assert (
        f"{paid} calls; the others were taken over with the answers of run {parent.id}, and are"
        " included" in told
    )
    uncapped = extend_benchmark(
        Runner(place),
        parent.id,
        grown(BenchInputs.model_validate(parent.config.inputs), count=4),
        cap_usd=0.0,
    )
    assert place.store.runs.caps(uncapped.id)[0] is None
    place.store.runs.delete(parent.id)
    assert place.store.runs.get(uncapped.id).state == "queued", (
        "it holds what it took over, so that nothing keeps its parent there"
    )


def test_it_stands_without_its_parent_and_an_extension_of_it_pays_nothing_twice(tmp_path):
    place = shop(tmp_path)
    parent = worked(place, keywords=WORDS, count=2)
    relabel(place.store, parent.id, {1: Keyword(text=WORDS[1], domain="Biology", by="person")})
    child, _ = extended(place, parent, count=3)
    key = place.store.benchmarks.ideas(child.id, keyword=0)[0].key
    assert (
        place.store.benchmarks.calls(child.id, key)
        == place.store.benchmarks.calls(parent.id, key)
        != []
    )
    held, title = rows(place.store, child), child.title
    place.store.runs.delete(parent.id)
    assert rows(place.store, child) == held
    assert place.store.benchmarks.keywords(child.id)[1].domain == "Biology", (
        "as it was when it was taken over"
    )
    further, paid = extended(place, child, count=4)
    assert (title, further.title, paid) == (
        "A benchmark, extended",
        "A benchmark, extended 2",
        2 * 7,
    )


def test_an_extension_is_there_with_all_it_takes_over_or_not_at_all(tmp_path, monkeypatch):
    place = shop(tmp_path)
    parent = worked(place, keywords=WORDS, count=1)

    def broken(*_):
        raise StoreFailed("The disk is full.")

    monkeypatch.setattr(Benchmarks, "_lay", staticmethod(broken))
    with pytest.raises(StoreFailed):
        extended(place, parent, count=2)
    assert [run.id for run in place.store.runs.listed(method="bench")] == [parent.id]
    assert place.store.connections.rows("SELECT DISTINCT run FROM bench_cells") == [
        {"run": parent.id}
    ]


OTHERWISE = (
    (
        {"judges": (*(Panelist(model=one) for one in JUDGES), Panelist(model=NEW))},
        "Begin a new benchmark",
    ),
    ({"judges_each": 3}, "no longer be those of one protocol"),
    ({"most_words": 300}, "no longer be those of one protocol"),
    (
        {"models": (Entrant(model=MODELS[1]), Entrant(model=MODELS[0]), Entrant(model=NEW))},
        "no longer be those of one protocol",
    ),
    (
        {"models": (Entrant(model=MODELS[0], marked=True), Entrant(model=MODELS[1]))},
        "no longer be those of one protocol",
    ),
    ({"count": 1}, "only grows"),
    ({"ideas": 1}, "only grows"),
    ({}, "Nothing is added"),
    ({"count": 9}, "has 4 keywords"),
)


def test_what_would_be_another_protocol_is_refused_with_a_sentence(tmp_path):
    place = shop(tmp_path)
    run, runner = small(place, keywords=WORDS, count=2), Runner(place)
    with pytest.raises(BadInput, match="is queued"):
        extend_benchmark(runner, run.id, inputs_of(place.store, WORDS))
    runner.stop(run.id)
    for change, why in OTHERWISE:
        with pytest.raises(BadInput, match=why):
            extend_benchmark(
                runner, run.id, inputs_of(place.store, WORDS, **{"count": 2, **change})
            )
    with pytest.raises(BadInput, match="does not begin with the 2 keywords"):
        extend_benchmark(runner, run.id, inputs_of(place.store, WORDS[::-1]))
    assert [one.id for one in place.store.runs.listed(method="bench")] == [run.id]
    assert (
        extend_benchmark(
            runner, run.id, inputs_of(place.store, (*WORDS[:2], "other", "more", "words"))
        ).state
        == "queued"
    )


def test_a_brainstorm_is_not_extended(tmp_path):
    place = shop(tmp_path)
    run = worked(place, keywords=WORDS[:1], brainstorm=True)
    with pytest.raises(BadInput, match="brainstorm"):
        extend_benchmark(Runner(place), run.id, inputs_of(place.store, WORDS, brainstorm=True))


# -- on screen, and from the command line ------------------------------------------------------


def test_the_page_says_what_is_new_and_two_clicks_begin_one_extension(tmp_path, monkeypatch):
    place = shop(tmp_path)
    runner = Runner(place)
    host(monkeypatch, runner)
    monkeypatch.setattr(runner, "start", lambda run_id: None)
    parent = worked(place, keywords=WORDS, count=2)
    key = f"bench-extend:{{}}:{parent.id}".format

    def asked(app):
        """Unfold what can be added, and ask for more keywords and a model."""
        app.session_state[f"bench-extend:{parent.id}"] = True
        assert "Choose something to add." in said(app.run())
        app.number_input(key("count")).set_value(4)
        app.multiselect(key("models")).set_value([NEW])
        return settled(app.run())

    app = asked(visit("benchmark", run=parent.id, view="progress"))
    text = said(app)
    assert (
        "3 models × 4 keywords × (2 ideas × (1 + 2 judges) + 1 comparison) = **84 calls**" in text
    )
    assert "**56 calls**" in text
    app.button("bench-extend:go").click().run()
    children = place.store.runs.children(parent.id)
    assert app.query_params["run"] == children[0].id
    app.query_params["run"], app.query_params["view"] = parent.id, "progress"
    settled(asked(app.run()).button("bench-extend:go").click().run())
    assert place.store.runs.children(parent.id) == children, (
        "the same wish within seconds is a second click"
    )
    runner.work(children[0].id)
    child = visit("benchmark", run=children[0].id)
    assert any(f"Extends A benchmark ({parent.id})" in one.label for one in links(child))
    assert any(
        children[0].id in one.label
        for one in links(visit("benchmark", run=parent.id, view="progress"))
    )
    place.store.runs.delete(parent.id)
    assert "Extends a benchmark that was removed" in said(visit("benchmark", run=children[0].id))
