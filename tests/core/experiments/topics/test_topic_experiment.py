"""Contenders on the same topics: each writes in a run of its own, all meet in one arena, and
nothing that is there is paid again.
"""

from collections import Counter

import pytest
from pydantic import ValidationError

from core.errors import BadInput, ModelFailed
from core.experiments.topics.contenders import contender
from core.experiments.topics.distinct import count_distinct
from core.experiments.topics.experts import pairs_of
from core.experiments.topics.published import beside
from core.experiments.topics.results import ballots as votes_in
from core.experiments.topics.results import collect, compared, costs, outcome, same_texts
from core.experiments.topics.tables import tables
from core.export.files import export
from core.judging.arena.competition import ArenaInputs, lineup_of
from core.judging.arena.contests import contested, differing
from core.records import (
    Ballot,
    Contest,
    Entry,
    ExperimentTopic,
    Idea,
    Paper,
    TopicList,
)
from core.runs.catalogue import lack
from core.runs.estimates import of_run
from core.runs.extending import extend
from core.runs.reproducing import (
    begin_recipe,
    estimate_extension,
    extend_recipe,
    own_recipe,
)
from core.store.entries import entry_id
from tests.conftest import ScriptedModel
from tests.support.scripted import die, fresh, resumed
from tests.support.topics_kit import (
    JUDGE,
    OTHER,
    SECOND,
    WRITER,
    asked,
    done,
    experiment,
    idea,
    runner_of,
    writer_script,
)

FIELDS = ("motivation", "novelty", "method", "difference", "challenges")


def prompts(models: dict[str, ScriptedModel]) -> Counter[str]:
    return Counter(request.prompt for model in models.values() for request in model.requests)


def by_name(held, name):
    return next(one for one in held if one.name == name)


# -- filling -----------------------------------------------------------------------------------


def test_every_contender_writes_on_every_topic_and_all_meet_in_both_orders(tmp_path):
    runner, models, run, held = done(
        tmp_path, 3, contenders=("chain, 1 branch", "rag", "direct", "real-paper")
    )
    assert len(held.cells) == held.planned == 3 * 4
    assert {cell.state for cell in held.cells} == {"done"}
    assert prompts(models)["arena-ideas"] == 3 * 6 * 2
    real_ones = [cell for cell in held.cells if cell.contender == "real-paper"]
    assert [(cell.run, cell.model) for cell in real_ones] == [("", "")] * 3
    arena = runner.store.runs.get(held.arena("idea").run)
    assert (arena.sweep, arena.cell, arena.state) == (run.id, "arena/ideas/run", "done")
    assert len(arena.inputs_as(ArenaInputs).entries) == 12
    assert lack(runner.store, run) == ""


def test_the_topics_own_paper_and_what_came_after_are_never_found(tmp_path):
    runner, models, _, held = done(tmp_path, 1)
    cell = next(one for one in held.cells if one.contender == "rag")
    inputs = runner.store.runs.get(cell.run).config.inputs
    assert inputs["before"] == "2024-08-10"
    assert "s2:real1" in inputs["ban"]
    assert not inputs["design"]
    assert not prompts(models)["experiment-design"]


def test_ratings_are_those_of_the_worth_that_the_judge_sees(tmp_path):
    runner, _, _, held = done(
        tmp_path, 6, contenders=("chain, 1 branch", "rag", "direct", "real-paper")
    )
    ratings = by_name(tables(runner.store, held), "topics-ratings-ideas")
    # A chain of five papers is worth 5, the published idea 3, a retrieved one 2, a direct one 1.
    order = ratings.head[2:]
    assert order == (
        "Chain of ideas, 1 branch",
        "Real paper",
        "Retrieval-augmented prompting",
        "Direct prompting",
    )
    novelty = next(row for row in ratings.rows if row[0].text == "Novelty")
    values = [value.mean for value in novelty[2:]]
    assert values == sorted(values, reverse=True)
    # Everybody beats all below on all 6 topics: by symmetry the ratings lie even around 1000.
    assert values[0] - 1000 == pytest.approx(1000 - values[3])
    assert values[1] - 1000 == pytest.approx(1000 - values[2])


def test_differences_are_against_the_first_contender_with_one_corrected_test(tmp_path):
    runner, _, _, held = done(tmp_path, 8, contenders=("real-paper", "rag", "direct"))
    votes = votes_in(runner.store, held, "idea")
    found = [one for one in compared(held, votes) if one.criterion is None]
    assert {one.difference.other for one in found} == {"Real paper"}
    assert all(one.difference.high < 0 for one in found)
    assert all(one.corrected >= one.difference.p for one in found)
    assert all("stands" in said for said in outcome(runner.store, held))


def test_a_cell_that_fails_says_so_and_the_others_compete(tmp_path):
    def retrieved(request):
        if "1" in request.values["topic"]:
            return ModelFailed("The server is down.")
        return idea(request, "Retrieved", 2)

    runner, _, run, held = done(tmp_path, writer=writer_script() | {"retrieved-idea": retrieved})
    failed = [cell for cell in held.cells if cell.state == "failed"]
    assert [(cell.contender, cell.topic) for cell in failed] == [("rag", "sleep memory 1")]
    assert "server is down" in failed[0].reason
    lost = next(one for one in costs(runner.store, held) if "Retrieval" in one.player)
    assert (lost.cells, lost.done, lost.reasons[0][1]) == (2, 1, 1)
    assert held.arena("idea").entries == 5
    more = extend(runner, run.id, asked(runner.store))
    runner.workshop.named[WRITER].script = writer_script()
    assert runner.work(more.id) == "done"
    again = collect(runner.store, runner.store.runs.get(more.id))
    assert {cell.state for cell in again.cells} == {"done"}
    assert again.arena("idea").entries == 6


def test_direct_prompting_gets_the_tokens_of_the_method_and_the_best_draft_is_taken(tmp_path):
    worths = iter(range(1, 100))
    direct = {"direct-idea": lambda r: idea(r, "Direct", next(worths))}
    runner, _, _, held = done(
        tmp_path,
        1,
        writer=writer_script() | direct,
        contenders=("chain, 1 branch", "direct", "direct, same tokens"),
        most_drafts=5,
    )
    cell = next(one for one in held.cells if one.budget)
    method = next(one for one in held.cells if one.contender == "chain, 1 branch")
    run = runner.store.runs.get(method.run)
    assert cell.budget.tokens == run.tokens_in + run.tokens_out
    assert cell.budget.draft == 150
    assert cell.budget.drafts == 5
    assert f"buy {cell.budget.tokens // 150} drafts; 5 are the most" in cell.budget.note
    drafts = runner.store.runs.get(cell.run)
    assert drafts.config.method == "drafts"
    assert drafts.config.inputs["drafts"] == 5
    chosen = runner.store.frozen.get(cell.idea, Idea)
    assert "worth 6" in chosen.text, "the first went to direct prompting itself"
    paid = by_name(tables(runner.store, held), "topics-budgets")
    assert paid.rows[0][6].mean == 5


def test_two_drafts_are_written_at_least_and_as_many_as_the_tokens_buy(tmp_path):
    _, _, _, held = done(
        tmp_path,
        1,
        contenders=("rag", "direct", "direct, same tokens", "direct, same tokens as direct"),
    )
    budgets = {one.contender: one.budget for one in held.cells if one.budget}
    # RAG takes two calls of 150 tokens, direct prompting one.
    assert budgets["direct, same tokens"].drafts == 2
    assert budgets["direct, same tokens"].note == ""
    assert budgets["direct, same tokens as direct"].drafts == 2
    assert "2 are the least" in budgets["direct, same tokens as direct"].note


def test_designs_compete_in_an_arena_of_their_own_only_where_asked(tmp_path):
    runner, models, _, held = done(tmp_path, contenders=("chain, 1 branch", "rag"), designs=True)
    assert prompts(models)["arena-designs"] == 2 * 2
    assert all(cell.design for cell in held.cells)
    assert by_name(tables(runner.store, held), "topics-ratings-designs").head[2:] != ()


def test_seeds_write_anew_and_count_as_one_topic(tmp_path):
    runner, models, _, held = done(tmp_path, 2, contenders=("rag", "direct", "real-paper"), seeds=3)
    assert len(held.cells) == held.planned == 2 * (3 + 3 + 1)
    assert prompts(models)["direct-idea"] == 6
    assert prompts(models)["arena-ideas"] == 2 * 3 * 3 * 2
    votes = votes_in(runner.store, held, "idea")
    assert votes.topics == ("sleep memory 1", "sleep memory 2")
    grid = by_name(tables(runner.store, held), "topics-ratings-ideas")
    assert all(value.low is None for value in grid.rows[0][2:]), "two topics give no interval"
    assert grid.rows[0][2].n == 2 * 3 * 2


def test_several_models_make_players_of_their_own(tmp_path):
    runner, _, _, held = done(tmp_path, 2, contenders=("rag", "real-paper"), models=(WRITER, OTHER))
    grid = by_name(tables(runner.store, held), "topics-ratings-ideas")
    assert sorted(grid.head[2:]) == [
        "Real paper",
        "Retrieval-augmented prompting (scripted:one)",
        "Retrieval-augmented prompting (scripted:two)",
    ]


LONG = (
    "chain, 1 branch, length 2, 2 ideas a branch, at most 1 novelty check, milestone from 100"
    " citations, abstracts alone, without "
)


def test_contenders_whose_names_begin_alike_are_players_of_their_own(tmp_path):
    alike = (f"{LONG}order", f"{LONG}future")
    assert len({contender(said).label[:120] for said in alike}) == 1
    runner, _, _, held = done(tmp_path, 2, contenders=(*alike, "direct"), baseline="direct")
    first, second = (contender(said).label for said in alike)
    names = {cell.contender: cell.player for cell in held.cells}
    assert names[alike[0]] == f"{first[:120]} ({WRITER})", "as ever"
    assert len({*names.values()}) == 3
    assert max(map(len, names.values())) <= 200
    assert {one.player for one in costs(runner.store, held)} == {first, second, "Direct prompting"}
    assert len(held.distinct) == 3


def test_a_collection_competes_with_what_it_has(tmp_path):
    runner, _ = runner_of(tmp_path)
    fields = dict.fromkeys(("title", "motivation", "novelty", "method", "difference"), "x")
    text = Idea(form="chain", fields={**fields, "challenges": "It is worth 9."})
    one = Entry(
        id="",
        kind="idea",
        sha=runner.store.frozen.keep(text),
        method="Their system",
        topic="sleep memory 1",
        collection="Imported",
    )
    entry = one.model_copy(update={"id": entry_id(one)})
    run = experiment(runner, contenders=("rag", "collection Imported"), imported=(entry,))
    assert runner.work(run.id) == "done"
    held = collect(runner.store, runner.store.runs.get(run.id))
    theirs = [cell for cell in held.cells if cell.contender == "collection Imported"]
    assert [cell.state for cell in theirs] == ["done", "failed"]
    assert "no idea on the topic 'sleep memory 2'" in theirs[1].reason


def test_a_real_paper_that_nobody_extracted_is_read_by_a_run_that_asks_nobody(tmp_path):
    paper = Paper(id="s2:p", title="A paper", abstract="On naps.", published="2024-08-10")
    bare = ExperimentTopic(topic="sleep memory 1", paper=paper)
    held = TopicList(name="Bare", topics=(bare, ExperimentTopic(topic="sleep memory 2")))
    _, models, _, found = done(tmp_path, held=held, contenders=("real-paper", "rag"))
    first, second = (one for one in found.cells if one.contender == "real-paper")
    assert (first.state, second.state) == ("done", "failed")
    assert "no published paper" in second.reason
    assert prompts(models)["report"] == 1


# -- going on, extending -----------------------------------------------------------------------


def test_a_resumed_experiment_asks_only_what_is_missing(tmp_path):
    _, models, _, held = done(tmp_path)
    wanted = prompts(models)
    runner2, models2 = runner_of(tmp_path / "again")
    begun = experiment(runner2)
    stop_at = iter(range(1_000))
    ask = models2[WRITER].reply

    def killed(request, progress):
        if next(stop_at) == 20:
            raise KeyboardInterrupt
        return ask(request, progress)

    models2[WRITER].reply = killed
    with pytest.raises(KeyboardInterrupt):
        runner2.work(begun.id)
    models2[WRITER].reply = ask
    die(runner2, begun.id)
    for child in runner2.store.runs.listed(sweep=begun.id, limit=100):
        if child.state not in ("done", "failed"):
            die(runner2, child.id)
    after = fresh(runner2)
    after.notice_dead()
    assert resumed(after, begun.id) == "done"
    assert prompts(models2) == wanted
    again = collect(after.store, after.store.runs.get(begun.id))
    assert [(c.player, c.topic, c.idea) for c in again.cells] == [
        (c.player, c.topic, c.idea) for c in held.cells
    ]


def test_extending_by_a_model_pays_its_cells_and_its_matches_alone(tmp_path):
    runner, models, run, before = done(tmp_path, contenders=("rag", "direct"))
    for model in models.values():
        model.requests.clear()
    more = extend(
        runner, run.id, asked(runner.store, contenders=("rag", "direct"), models=(WRITER, OTHER))
    )
    assert runner.work(more.id) == "done", runner.store.runs.get(more.id).reason
    assert not models[WRITER].requests
    assert prompts(models) == Counter(
        {
            "queries": 2,
            "retrieved-idea": 2,
            "direct-idea": 2,
            # Four players meet in six pairs; one of them had met.
            "arena-ideas": 2 * 5 * 2,
        }
    )
    held = collect(runner.store, runner.store.runs.get(more.id))
    arena = runner.store.runs.get(held.arena("idea").run)
    assert arena.parent == before.arena("idea").run
    assert sum(runner.store.ballots.count(arena.id)) == 2 * 6 * 2


def test_extending_by_a_contender_keeps_what_people_said(tmp_path):
    runner, _, run, before = done(tmp_path, contenders=("rag", "direct"))
    arena = before.arena("idea").run
    names = sorted({cell.player for cell in before.cells})
    vote(runner.store, arena, "sleep memory 1", *names)
    more = extend(runner, run.id, asked(runner.store, contenders=("rag", "direct", "real-paper")))
    assert runner.work(more.id) == "done"
    held = collect(runner.store, runner.store.runs.get(more.id))
    assert runner.store.ballots.count(held.arena("idea").run)[1] == 1


def test_a_contender_joins_by_name_and_only_its_cells_and_matches_are_paid(tmp_path):
    runner, models = runner_of(tmp_path)
    written = own_recipe("two.toml", TWO)
    run = begin_recipe(runner, written, "small", (WRITER,), (JUDGE,), None, seed=7)
    assert runner.work(run.id) == "done", runner.store.runs.get(run.id).reason
    for model in models.values():
        model.requests.clear()
    new = ("chain, 1 branch, length 2", "direct, same tokens as rag")
    guess = estimate_extension(runner.workshop, runner.store.runs.get(run.id), (), (), new)
    more = extend_recipe(runner, run.id, contenders=new)
    assert runner.work(more.id) == "done", runner.store.runs.get(more.id).reason
    asked_again = prompts(models)
    assert not asked_again["retrieved-idea"]
    # Four players meet in six pairs on two topics; one pair had met.
    assert asked_again["arena-ideas"] == 2 * 5 * 2
    # Two drafts are what the tokens of a retrieved idea buy.
    assert asked_again["direct-idea"] == 2 * 2
    assert asked_again.total() <= guess.calls
    held = collect(runner.store, runner.store.runs.get(more.id))
    assert [one.said for one in held.asked.found] == ["rag", "direct", *new]
    assert held.asked.compared_with.said == "rag", "the one all are compared with stays"
    assert len(held.cells) == held.planned == 2 * 4
    for given, said in (
        (("chain, lenght 2",), "says nothing of 'chain'"),
        (("direct", "direct, same tokens as chain, length 3"), "takes tokens"),
        (("collection Nowhere",), "has nothing on these topics"),
    ):
        with pytest.raises(BadInput, match=said):
            extend_recipe(runner, run.id, contenders=given)


def test_a_collection_that_joins_is_taken_as_it_stands_then(tmp_path):
    runner, _ = runner_of(tmp_path)
    run = begin_recipe(runner, own_recipe("two.toml", TWO), "small", (WRITER,), (), None, seed=7)
    assert runner.work(run.id) == "done"
    topic = collect(runner.store, run).cells[0].topic
    text = Idea(form="chain", fields=dict.fromkeys(("title", *FIELDS), "Theirs"))
    one = Entry(
        id="",
        kind="idea",
        sha=runner.store.frozen.keep(text),
        method="Their system",
        topic=topic,
        collection="Imported",
    )
    runner.store.entries.add(((one.model_copy(update={"id": entry_id(one)}), "Theirs"),))
    more = extend_recipe(runner, run.id, contenders=("collection Imported",))
    assert runner.work(more.id) == "done"
    held = collect(runner.store, runner.store.runs.get(more.id))
    theirs = [cell for cell in held.cells if cell.contender == "collection Imported"]
    assert [cell.state for cell in theirs if cell.topic == topic] == ["done"]


TWO = """title = "Two methods"
paper = "Ours"
shows = ["a table"]
engine = "topic-experiment"
measures = ["ratings"]
draws = ["topics-ratings-ideas"]
not_comparable = "Nothing was published."
[inputs]
contenders = ["rag", "direct"]
same_form = false
full_text = false
[sizes.small]
take = 2
[sizes.paper]
take = 3
"""


def vote(store, arena, topic, a, b, first="first"):
    sides = dict.fromkeys(
        ("novelty", "significance", "clarity", "feasibility", "effectiveness"), first
    )
    ballot = Ballot(
        arena=arena,
        contest=Contest(topic=topic, a=a, b=b),
        first=a,
        sides=sides,
        judge="Ada",
        person=True,
        key=f"person/Ada/{topic}/{a}/{b}",
    )
    store.ballots.add((ballot,))


def test_agreement_with_people_is_given_by_criterion_and_between_judges(tmp_path):
    two = (JUDGE, SECOND)
    runner, _, _, held = done(tmp_path, 12, contenders=("rag", "direct"), judges=two)
    arena = held.arena("idea").run
    direct, rag = sorted({cell.player for cell in held.cells})
    # Direct prompting stands first; by people's word it loses on 8 topics and wins on 4.
    for n in range(1, 13):
        side = "second" if n <= 8 else "first"
        vote(runner.store, arena, f"sleep memory {n}", direct, rag, side)
    made = tables(runner.store, held)
    people = by_name(made, "topics-agreement-ideas")
    mine = [row for row in people.rows if row[0].text == JUDGE]
    assert [row[1].text for row in mine] == [
        *("Novelty", "Significance", "Clarity", "Feasibility", "Effectiveness")
    ]
    assert all(row[2].mean == pytest.approx(2 / 3) for row in mine)
    between = by_name(made, "topics-judges-ideas")
    pair = next(row for row in between.rows if {row[0].text, row[1].text} == {JUDGE, SECOND})
    assert pair[2].mean == 1


def test_published_leads_stand_beside_ones_own_over_the_best_other_method(tmp_path):
    runner, _, _, held = done(tmp_path, 8, contenders=("chain, 1 branch", "rag", "direct"))
    rows = {row[0].text: row for row in beside(runner.store, held).rows}
    lead = rows["Lead of Chain of Ideas, ideas, votes of models"]
    ours = next(
        one.difference
        for one in compared(held, votes_in(runner.store, held, "idea"))
        if one.criterion is None and "Retrieval" in one.difference.player
    )
    assert (lead[1].mean, lead[2].text) == (108, "GPT-Researcher")
    assert lead[3].mean == pytest.approx(-ours.value)
    assert lead[3].low > 0
    assert lead[5].text == "Retrieval-augmented prompting"
    people = rows["Lead of Chain of Ideas, ideas, votes of people"]
    assert (people[1].mean, people[3].text) == (56, "–")
    assert rows["Lead of Chain of Ideas, designs, votes of people"][1].mean == 70
    share = rows["Agreement of a model judge with people, mean over criteria"]
    assert share[1].said == "70.8 %"


# -- what is said --------------------------------------------------------------------------------


def test_an_estimate_counts_just_what_is_asked_where_all_goes_as_usual(tmp_path):
    _, models, run, _ = done(tmp_path, 3, contenders=("rag", "direct", "real-paper"))
    # Papers whose ideas are there need no reading; the estimate takes one call for each.
    assert of_run(run).calls == prompts(models).total() + 3


def test_wrong_contenders_are_named_with_what_there_is(tmp_path):
    with pytest.raises(BadInput, match="'lenght 2' says nothing of 'chain'"):
        contender("chain, lenght 2")
    with pytest.raises(BadInput, match="says nothing of 'chain'"):
        contender(f"chain, length {'9' * 5_000}")
    runner, _ = runner_of(tmp_path)
    for given, said in (
        ({"contenders": ("chain", "chain, length 5")}, "named twice"),
        ({"contenders": ("direct", "direct, same tokens")}, "nobody else here takes tokens"),
        ({"contenders": ("rag", "direct, same tokens as direct, same tokens")}, "of its own"),
        ({"contenders": ("rag", "direct, same tokens as real-paper")}, "of its own"),
        ({"contenders": ("refine", "rag"), "designs": True}, "designs no experiment"),
        ({"baseline": "chain"}, "does not compete"),
    ):
        with pytest.raises((BadInput, ValidationError), match=said):
            asked(runner.store, **given)
    with pytest.raises(BadInput, match="3 are asked for"):
        experiment(runner, 2, count=3)
    with pytest.raises(BadInput, match="takes no tokens of its own"):
        contender("direct, same tokens as " * 2_000 + "chain")


def test_distinct_ideas_are_counted_one_after_the_other():
    # 0 and 1 are alike, 1 and 2 are alike, 0 and 2 are not: 2 counts, since 1 does not.
    alike = {(1, 0), (2, 1)}
    assert count_distinct(3, lambda a, b: (a, b) in alike) == 2
    assert count_distinct(0, lambda a, b: True) == 0


def test_distinct_ideas_stand_beside_those_of_people(tmp_path):
    same = {"direct-idea": lambda r: {**idea(r, "Direct", 1), **dict.fromkeys(FIELDS, "the same")}}
    runner, _, _, held = done(
        tmp_path, 3, writer=writer_script() | same, contenders=("direct", "real-paper")
    )
    rows = {row[0].text: row for row in by_name(tables(runner.store, held), "topics-distinct").rows}
    direct, people = rows["Direct prompting"], rows["Real paper"]
    assert (direct[1].mean, direct[2].mean, round(direct[3].mean)) == (3, 1, 33)
    assert direct[4].mean == pytest.approx(0, abs=1e-6)
    assert people[1].mean == 3


def test_an_experiment_is_told_in_reports_bundles_and_tables(tmp_path):
    runner, _, run, _ = done(tmp_path, 2)
    for ending in (".md", ".html", ".json", ".zip"):
        export(runner.store, run.id, tmp_path / f"run{ending}")
    text = (tmp_path / "run.md").read_text()
    assert "Ratings of ideas by criterion" in text
    assert "The arena of ideas is run" in text


def test_one_contender_alone_is_written_and_says_why_it_meets_nobody(tmp_path):
    _, _, _, held = done(tmp_path, contenders=("rag",))
    assert held.arenas[0].state == "failed"
    assert "nothing can be compared" in held.arenas[0].reason


def test_contenders_with_the_same_texts_are_told_and_no_difference_is_claimed(tmp_path):
    said = {**dict.fromkeys(FIELDS, "the same"), "title": "Alike", "method": "It is worth 1."}
    alike = {"direct-idea": lambda r: said, "retrieved-idea": lambda r: said}
    runner, _, _, held = done(
        tmp_path, 3, writer=writer_script() | alike, contenders=("rag", "direct", "real-paper")
    )
    (same,) = same_texts(held, "idea")
    assert (same.same, same.of) == (3, 3)
    told = outcome(runner.store, held)
    direct = next(one for one in told if "Direct prompting" in one)
    assert "wrote the same texts word for word on every topic" in direct
    assert "points" not in direct
    shown = by_name(tables(runner.store, held), "topics-same-ideas")
    assert {shown.rows[0][0].text, shown.rows[0][1].text} == {
        "Retrieval-augmented prompting",
        "Direct prompting",
    }
    # People are asked of texts that differ alone: 3 topics of 3 pairs, one of them the same twice.
    arena = held.arena("idea").run
    lineup = lineup_of(runner.store, arena)
    asked_of = differing(lineup, contested(lineup))
    assert len(asked_of) == pairs_of(runner.store, arena) == 3 * 2
    assert all("Real paper" in (one.a, one.b) for one in asked_of)
    _, _, _, other = done(tmp_path / "other", 2)
    assert same_texts(other, "idea") == ()


def test_without_judges_the_arena_is_open_to_people(tmp_path):
    runner, models, _, held = done(tmp_path, judges=())
    assert not prompts(models)["arena-ideas"]
    assert runner.store.runs.get(held.arena("idea").run).config.inputs["people_only"]


def test_texts_are_offered_for_a_session_with_people(tmp_path):
    runner, _, run, held = done(tmp_path)
    found = runner.store.entries.of((f"Experiment {run.id}",))
    assert len(found) == len(held.cells)


@pytest.mark.parametrize(
    "topics", [("naps", "naps #2"), (f"{'a' * 180} one", f"{'a' * 180} other")]
)
def test_topics_that_would_be_one_in_the_arena_are_refused_before_anything_is_paid(
    tmp_path, topics
):
    runner, models = runner_of(tmp_path)
    held = TopicList(name="Two", topics=tuple(ExperimentTopic(topic=one) for one in topics))
    with pytest.raises(BadInput, match="cannot be told apart"):
        experiment(runner, held=held, seeds=2)
    assert not any(model.requests for model in models.values())
    assert experiment(runner, held=held, seeds=1).state == "queued"
