"""The sums of a benchmark are what its cells and calls add up to, whatever happens to them and in
whatever order.
"""

import tempfile
from collections import Counter, defaultdict
from itertools import combinations, count
from pathlib import Path
from statistics import fmean

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from core.benchmark.conducting.protocol import comparer_of, following, judges_of
from core.benchmark.progress import parts
from core.errors import LeaseLost
from core.records import BENCH_DIMENSIONS, Call, Config, GroupSums, KeywordList, Run, Settled
from core.store import Store
from core.store.bench_sums import BIN
from tests.support.benchmark.bench_kit import inputs_of

MODELS, JUDGES = ("openai:a", "ollama:b"), ("openai:c", "ollama:d", "openai:e")
SEED, IDEAS, EACH, KEYWORDS = 7, 3, 2, ("erosion", "meiosis")
AT = "2026-01-01T00:00:00.000+00:00"
SHARED: list[Store] = []
"""One store for all examples: benchmarks beside each other must not mix."""
NUMBERS = count(1)
SCORE = st.integers(1, 10)
BECAME = st.sampled_from(["done"] * 5 + ["failed", "failed", "again", "refused", "long"])
FEW = st.lists(BECAME, min_size=1, max_size=8)


def booked(cell, outcome, tokens):
    return Call(
        model=cell.asked,
        tokens_in=tokens,
        tokens_out=None if tokens % 2 else 5,
        tokens_expected=9 * (tokens % 2),
        latency=tokens / 4,
        cost=None if tokens % 3 else tokens / 1000,
        outcome=outcome,
        raw="said",
    )


class Worked(RuleBasedStateMachine):
    """Whatever may happen to the cells of one benchmark."""

    def __init__(self):
        super().__init__()
        if not SHARED:
            SHARED.append(Store(Path(tempfile.mkdtemp())))
        self.store, self.rows, self.run, self.epoch = (
            SHARED[0],
            SHARED[0].benchmarks,
            f"{next(NUMBERS):08x}",
            0,
        )
        self.paid = 0
        self.inputs = inputs_of(self.store, KEYWORDS, MODELS, JUDGES, IDEAS, EACH)
        config = Config(
            method="bench",
            version=1,
            inputs=self.inputs.model_dump(mode="json"),
            models={"entrant-1": MODELS[0]},
            source="shelf",
            seed=SEED,
        )
        self.store.runs.add(
            Run(id=self.run, title="x", state="queued", config=config, created=AT, updated=AT),
            "me|1|1",
        )
        self.taken_up()
        self.rows.lay(
            self.run,
            self.epoch,
            self.store.frozen.get(self.inputs.keywords, KeywordList).keywords,
            MODELS,
            IDEAS,
        )

    def taken_up(self):
        self.epoch = self.store.runs.claim(self.run, "me|1|1", self.epoch) or self.epoch

    def cells(self, *states):
        held = [
            cell
            for m in range(len(MODELS))
            for k in range(len(KEYWORDS))
            for cell in self.rows.cells(self.run, m, k)
        ]
        return [cell for cell in held if not states or cell.state in states]

    def following(self, idea, others):
        return following(SEED, self.inputs, KEYWORDS[idea.keyword], idea, others)

    # -- what may happen -----------------------------------------------------------------------

    @rule(
        lane=st.sampled_from(["openai", "ollama"]),
        most=st.integers(1, 9),
        without=st.sets(st.sampled_from(JUDGES), max_size=1),
    )
    def claim(self, lane, most, without):
        ready = [
            cell
            for cell in self.cells("ready")
            if cell.asked.startswith(lane) and cell.asked not in without
        ]
        got = self.rows.claim(
            self.run,
            self.epoch,
            lane,
            most,
            lambda _cell, _about: (0.01, 10),
            None,
            sorted(without),
        )
        assert [cell.id for cell, _ in got] == [
            cell.id for cell in sorted(ready, key=lambda one: (one.keyword, one.id))
        ][:most]
        texts = {
            (cell.model, cell.keyword, cell.n): cell.text
            for cell in self.cells("done")
            if cell.kind == "idea"
        }
        for cell, about in got:
            ns = {"idea": (), "judge": (cell.n,), "fluency": (cell.n, cell.m)}[cell.kind]
            assert about == tuple(texts[cell.model, cell.keyword, n] for n in ns)

    @precondition(lambda self: self.cells("taken"))
    @rule(became=FEW, data=st.data())
    def settle(self, became, data):
        self.settled(data.draw(st.permutations(self.cells("taken"))), became, data)

    @rule(became=FEW, data=st.data())
    def work_on(self, became, data):
        """Claim and settle at once, so that what comes late in a benchmark is met often."""
        for lane in ("openai", "ollama"):
            self.rows.claim(self.run, self.epoch, lane, 6, lambda _cell, _about: (0.0, 0), None)
        self.settled(self.cells("taken"), became, data)

    @rule(data=st.data())
    def a_reply_comes_too_late(self, data):
        """Of a cell that nobody has taken any more: it is paid, and changes nothing but the
        bill.
        """
        cells = self.cells("ready", "done", "failed", "excluded")
        if cells:
            cell = data.draw(st.sampled_from(cells))
            self.settled([cell], ["done"], data)
            assert next(one for one in self.cells() if one.id == cell.id).state == cell.state

    def settled(self, cells, became, data):
        ended = [self.end(cell, one, data) for cell, one in zip(cells, became, strict=False)]
        self.rows.settle(self.run, self.epoch, ended, self.following)
        self.paid += sum(len(one.calls) for one in ended)

    def end(self, cell, became, data):
        calls = tuple(
            booked(cell, "accepted" if became == "done" else "no", n)
            for n in data.draw(st.lists(st.integers(0, 9), max_size=2))
        )
        if became == "failed" or (became in ("refused", "long") and cell.kind != "idea"):
            return Settled(
                id=cell.id,
                state="failed",
                why="ModelFailed",
                text="gone",
                so_far=(("a", "b"),),
                refusals=int(cell.kind == "idea"),
                calls=calls,
            )
        if became == "again":
            return Settled(
                id=cell.id,
                state="again",
                refusals=int(cell.kind == "idea"),
                so_far=(("a", "b"),),
                calls=calls,
            )
        if became in ("refused", "long"):
            return Settled(
                id=cell.id,
                state="excluded",
                why=became,
                text="no",
                words=None if became == "refused" else 240,
                refusals=2 if became == "refused" else cell.refusals,
                calls=calls,
            )
        if cell.kind == "idea":
            return Settled(
                id=cell.id,
                state="done",
                text=f"idea {cell.key} {cell.tries}",
                words=data.draw(st.integers(1, 200)),
                refusals=cell.refusals,
                calls=calls,
            )
        scores = tuple(data.draw(SCORE) for _ in range(3)) if cell.kind == "judge" else None
        return Settled(
            id=cell.id,
            state="done",
            text="words",
            scores=scores,
            calls=calls,
            fluency=None if scores else data.draw(st.sampled_from([1, 4, 7, 10])),
        )

    @precondition(lambda self: self.cells("taken"))
    @rule(some=st.integers(1, 5))
    def release(self, some):
        self.rows.release(self.run, self.epoch, [cell.id for cell in self.cells()][::some])

    @rule()
    def taken_over(self):
        """Another process takes the run up: the one before writes nothing any more."""
        before, held = self.epoch, self.everything()
        self.taken_up()
        assert self.epoch == before + 1
        for late in (
            lambda: self.rows.settle(
                self.run,
                before,
                [Settled(id=cell.id, state="failed") for cell in self.cells("taken")],
                self.following,
            ),
            lambda: self.rows.claim(
                self.run, before, "openai", 5, lambda _cell, _about: (0.0, 0), None
            ),
            lambda: self.rows.release(self.run, before, [cell.id for cell in self.cells("taken")]),
            lambda: self.rows.revive(self.run, before, [cell.id for cell in self.cells("failed")]),
            lambda: self.rows.reclaim(self.run, before),
        ):
            with pytest.raises(LeaseLost):
                late()
        assert self.everything() == held
        assert self.rows.reclaim(self.run, self.epoch) == sum(
            cell.state == "taken" for cell in held[0]
        )
        assert not self.cells("taken")

    @precondition(lambda self: self.cells("failed"))
    @rule()
    def again(self):
        """Ask what failed anew: what is there stays as it is."""
        before = {cell.id: cell for cell in self.cells()}
        assert self.rows.again(self.run) == sum(cell.state == "failed" for cell in before.values())
        for cell in self.cells():
            held = before[cell.id]
            anew = (
                {"state": "ready", "so_far": (), "refusals": 0, "why": "", "text": ""}
                if held.state == "failed"
                else {}
            )
            assert cell == held.model_copy(update=anew)

    @precondition(lambda self: self.cells("failed"))
    @rule(some=st.integers(1, 3))
    def revive(self, some):
        self.rows.revive(
            self.run,
            self.epoch,
            [cell.id for cell in self.cells("failed", "done", "excluded")][::some],
        )

    @rule(far=st.floats(0, 2))
    def keep_proxies(self, far):
        self.rows.keep_proxies(
            self.run, [(cell, far) for cell, _, _ in self.rows.pairs_without_proxy(self.run, 2)]
        )

    def everything(self):
        return (
            self.cells(),
            self.rows.sums.tally(self.run),
            self.rows.sums.groups(self.run),
            self.store.connections.rows(
                "SELECT * FROM reservations WHERE run = ? ORDER BY key", self.run
            ),
        )

    # -- what holds at every moment ------------------------------------------------------------

    @invariant()
    def cells_are_counted(self):
        held = Counter((cell.kind, cell.model, cell.state) for cell in self.cells())
        assert self.rows.sums.tally(self.run) == held

    @invariant()
    def groups_are_what_their_cells_add_up_to(self):
        held = {(one.model, one.keyword): one for one in self.rows.sums.groups(self.run)}
        details = self.rows.sums.details(self.run)
        for model in range(len(MODELS)):
            for keyword in range(len(KEYWORDS)):
                cells = self.rows.cells(self.run, model, keyword)
                wanted = recounted(model, keyword, cells)
                if (model, keyword) in held:
                    assert held[model, keyword] == pytest.approx(wanted)
                    as_said(details[model, keyword], cells)
                else:
                    assert not any(wanted[2:]), "nothing of it is settled"

    @invariant()
    def ideas_have_the_means_of_their_judgments(self):
        given = defaultdict(list)
        for cell in self.cells("done"):
            if cell.kind == "judge":
                given[cell.model, cell.keyword, cell.n].append(cell)
        for cell in self.cells():
            judged = (
                given.get((cell.model, cell.keyword, cell.n), []) if cell.kind == "idea" else []
            )
            if cell.kind == "idea":
                means = [
                    fmean(getattr(one, name) for one in judged) if judged else None
                    for name in BENCH_DIMENSIONS
                ]
                assert [cell.judged, cell.originality, cell.feasibility, cell.clarity] == [
                    len(judged),
                    *means,
                ]
                assert cell.score == (pytest.approx(fmean(means)) if judged else None)

    @invariant()
    def scores_and_lengths_are_counted(self):
        held = Counter()
        for cell in self.cells("done"):
            if cell.kind == "idea":
                held[cell.model, "", "words", cell.words // BIN * BIN] += 1
            elif cell.kind == "fluency":
                held[cell.model, cell.asked, "fluency", cell.fluency] += 1
            else:
                held.update(
                    (cell.model, cell.asked, name, getattr(cell, name)) for name in BENCH_DIMENSIONS
                )
        assert (
            Counter(
                {
                    what: n
                    for *what_, n in self.rows.sums.scores(self.run)
                    for what in [tuple(what_)]
                }
            )
            == held
        )

    @invariant()
    def every_call_is_on_the_bill_once(self):
        calls = self.store.connections.rows("SELECT * FROM calls WHERE run = ?", self.run)
        keys = {cell.key: cell for cell in self.cells()}
        wanted: dict = defaultdict(lambda: [0] * 8)
        for call in calls:
            of = wanted[call["model"], keys[call["key"]].kind]
            for place, more in enumerate(
                (
                    1,
                    call["outcome"] == "accepted",
                    call["tokens_in"] or 0,
                    call["tokens_out"] or 0,
                    call["tokens_expected"],
                    call["cost"] or 0.0,
                    call["cost"] is None,
                    call["latency"],
                )
            ):
                of[place] += more
        used = {
            (one.model, one.role): [
                one.calls,
                one.accepted,
                one.tokens_in,
                one.tokens_out,
                one.unreported,
                one.cost,
                one.unpriced,
                one.seconds,
            ]
            for one in self.rows.sums.usage(self.run)
        }
        assert used.keys() == wanted.keys()
        assert all(used[place] == pytest.approx(wanted[place]) for place in used)
        run = self.store.runs.get(self.run)
        assert len(calls) == self.paid
        assert (run.calls, run.tokens_in, run.cost) == (
            len(calls),
            sum(c["tokens_in"] for c in calls),
            pytest.approx(sum(c["cost"] or 0 for c in calls)),
        )
        pace = self.rows.sums.pace(self.run)
        assert (sum(n for _, n, _ in pace), sum(s for _, _, s in pace)) == (
            len(calls),
            pytest.approx(sum(c["latency"] for c in calls)),
        )

    @invariant()
    def only_what_is_taken_has_money_set_aside(self):
        aside = {
            row["key"]
            for row in self.store.connections.rows(
                "SELECT key FROM reservations WHERE run = ?", self.run
            )
        }
        assert aside <= {cell.key for cell in self.cells("taken")}

    @invariant()
    def accepted_ideas_alone_are_judged_by_whom_the_seed_draws(self):
        done, asked = defaultdict(list), set()
        for cell in self.cells():
            if cell.kind == "idea" and cell.state == "done":
                done[cell.model, cell.keyword].append(cell.n)
            if cell.kind != "idea":
                asked.add((cell.kind, cell.model, cell.keyword, cell.n, cell.m, cell.asked))
        wanted = set()
        for (model, keyword), ns in done.items():
            of = (SEED, self.inputs, KEYWORDS[keyword], MODELS[model])
            wanted |= {
                ("judge", model, keyword, n, m, judge)
                for n in ns
                for m, judge in enumerate(judges_of(*of, n), 1)
            }
            wanted |= {
                ("fluency", model, keyword, n, m, comparer_of(*of, n, m))
                for n, m in combinations(sorted(ns), 2)
            }
        assert asked == wanted

    @invariant()
    def progress_adds_up_to_what_was_planned(self):
        cells = self.cells()
        for part in parts(
            self.inputs, self.rows.sums.tally(self.run), self.rows.sums.by_domain(self.run, IDEAS)
        ):
            mine = [
                cell for cell in cells if (MODELS[cell.model], cell.kind) == (part.model, part.kind)
            ]
            assert (
                part.planned
                == part.done
                + part.running
                + part.failed
                + part.excluded
                + part.needless
                + part.left
            )
            assert part.left == sum(cell.state == "ready" for cell in mine) + self.still_to_come(
                part, cells
            )

    def still_to_come(self, part, cells):
        """Return how many cells of a kind are not laid out yet: they hang on ideas that may still
        be accepted.
        """
        ideas = defaultdict(list)
        for cell in cells:
            if (
                cell.kind == "idea"
                and MODELS[cell.model] == part.model
                and cell.state != "excluded"
            ):
                ideas[cell.keyword].append(cell.state == "done")
        if part.kind == "judge":
            return EACH * sum(not done for several in ideas.values() for done in several)
        return (
            sum(not (a and b) for several in ideas.values() for a, b in combinations(several, 2))
            if part.kind == "fluency"
            else 0
        )


def recounted(model, keyword, cells):
    """Return the sums of a group from its cells alone."""
    done = defaultdict(list)
    for cell in cells:
        if cell.state == "done":
            done[cell.kind].append(cell)
    ideas = [cell for cell in cells if cell.kind == "idea"]
    rated = []
    for idea in done["idea"]:
        if given := [
            getattr(one, name)
            for one in done["judge"]
            if one.n == idea.n
            for name in BENCH_DIMENSIONS
        ]:
            rated.append((idea.words, fmean(given)))
    far = [cell.proxy for cell in cells if cell.proxy is not None]
    return GroupSums(
        model,
        keyword,
        len(done["idea"]),
        len(done["judge"]),
        *(sum(getattr(one, name) for one in done["judge"]) for name in BENCH_DIMENSIONS),
        len(done["fluency"]),
        sum(one.fluency for one in done["fluency"]),
        len(far),
        sum(far),
        sum(one.refusals > 0 for one in ideas if one.state in ("done", "excluded")),
        sum((one.state, one.why) == ("excluded", "refused") for one in ideas),
        sum((one.state, one.why) == ("excluded", "long") for one in ideas),
        sum(one.state == "failed" for one in cells),
        len(rated),
        sum(w for w, _ in rated),
        sum(w * w for w, _ in rated),
        sum(s for _, s in rated),
        sum(s * s for _, s in rated),
        sum(w * s for w, s in rated),
    )


def as_said(detail, cells):
    """Hold what agreement and severity are made from against pairs of judgments."""
    given = defaultdict(list)
    for cell in cells:
        if (cell.kind, cell.state) == ("judge", "done"):
            given[cell.n].append(cell)
    several = [one for one in given.values() if len(one) > 1]
    assert detail.n == sum(len(one) for one in several)
    for d, name in enumerate(BENCH_DIMENSIONS):
        scores = [[getattr(one, name) for one in judged] for judged in several]
        assert (detail.x[d], detail.xx[d]) == (
            sum(map(sum, scores)),
            sum(s * s for some in scores for s in some),
        )
        assert detail.within[d] == pytest.approx(
            sum(
                2 * (a - b) ** 2 / (len(some) - 1)
                for some in scores
                for a, b in combinations(some, 2)
            )
        )
        off: dict = defaultdict(float)
        for judged in several:
            for one in judged:
                off[one.asked] += getattr(one, name) - fmean(
                    getattr(other, name) for other in judged if other is not one
                )
        assert {judge: of[1 + d] for judge, of in detail.judges.items()} == pytest.approx(off)


TestWorked = Worked.TestCase
TestWorked.settings = settings(
    max_examples=10, stateful_step_count=18, suppress_health_check=list(HealthCheck)
)
