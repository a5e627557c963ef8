"""What a novelty check and a choice claim: among how many papers, searched where, what failed, what
is nearest; a tie, and how it was broken.
"""

import pytest

from core.errors import SourceFailed
from core.export import document as reports
from core.export.files import picture
from core.export.markdown import markdown
from core.judging.arena import tables as arena_tables
from core.judging.arena.ballots import cast
from core.judging.arena.results import results
from core.judging.claims import (
    claim,
    comparison,
    earlier_overlaps,
    ending,
    level,
    off_topic,
    only_one,
    tie,
)
from core.literature.combined import SecondChoice
from core.records import IdeaChoice, Link, NoveltyCheck, Outcome, Paper, Search, Selection
from core.story import Story
from tests.core.judging.arena.test_results import TOPICS, line, lineup
from tests.support.scripted import chain, runner_of, wide_script, wide_source
from tests.support.visiting import host, said, visit


def no_difference(_):
    return {
        "reason": "No difference.",
        **dict.fromkeys(
            ("novelty", "significance", "clarity", "feasibility", "effectiveness"), "tie"
        ),
    }


def ended(folder, script, source=None, **asked):
    """Return a runner and a chain that came to its end, with its story."""
    runner, _ = runner_of(folder, script, source or wide_source())
    run = chain(runner, **({"topic": "sleep 2018", "branches": 1} | asked))
    assert runner.work(run.id) == "done", runner.store.runs.get(run.id).reason
    return runner, runner.store.runs.get(run.id), Story.of(runner.store, run.id)


# -- novelty -----------------------------------------------------------------------------------


def test_a_claim_names_how_many_papers_where_and_what_is_nearest_with_its_similarity(tmp_path):
    _, run, story = ended(tmp_path, wide_script())
    (check,), end = story.all(NoveltyCheck), story.last(Outcome)
    most = check.compared[0]
    assert (
        claim(check, run.config.source)
        == "Not found among 20 papers searched in Built-in papers (judged on the 10 most similar,"
        f" the chain's own papers among those compared); nearest: {most.title} ({most.year}),"
        f" similarity {most.similarity:.2f}."
    )
    assert ending(end, check, run.config.source) == claim(check, run.config.source)
    assert len(check.compared) == 10
    assert [one.similarity for one in check.compared] == sorted(
        (one.similarity for one in check.compared), reverse=True
    )


@pytest.mark.parametrize(
    ("scores", "source", "warned"),
    [
        ((0.42, 0.46), "shelf", True),
        ((0.42, 0.6), "shelf", False),
        ((0.42,), "semantic-scholar", False),
        ((None,), "shelf", False),
        ((), "shelf", False),
    ],
)
def test_a_topic_the_built_in_papers_hardly_cover_is_said_to_be(scores, source, warned):
    paper = Paper(id="a", title="Suvorexant in insomnia", year=2016, abstract="", source="shelf")
    links = [Link(paper=paper, hop="anchor", score=score) for score in scores]
    links.append(Link(paper=paper, hop="forward", score=0.9))
    said = off_topic(links, source)
    assert bool(said) == warned
    assert not warned or "Suvorexant in insomnia (2016), similarity 0.46 to the topic" in said


def test_a_paper_that_overlaps_is_named_before_the_most_similar_one(tmp_path):
    script = wide_script()
    whole = script["novelty-verdict"]
    other = script | {
        "novelty-verdict": lambda r: (
            whole(r)
            | {"similar": True, "nearest": r.values["papers"][3].id, "overlap": "All of it."}
        )
    }
    _, _, story = ended(tmp_path, other, novelty_rounds=1)
    check = story.last(NoveltyCheck)
    assert check.state == "similar"
    named, near = check.compared[3], check.compared[0]
    assert claim(check, "shelf").endswith(
        f": {named.title} ({named.year}), similarity {named.similarity:.2f}; most similar to it:"
        f" {near.title} ({near.year}), similarity {near.similarity:.2f}."
    )


def test_the_nearest_is_the_most_similar_and_what_the_verdict_names_is_said_apart(tmp_path):
    """A verdict may name another paper than the most similar one, or none: the nearest stays the
    one by the measure that is shown.
    """
    script = wide_script()
    whole = script["novelty-verdict"]
    named = script | {"novelty-verdict": lambda r: whole(r) | {"nearest": r.values["papers"][3].id}}
    runner, run, story = ended(tmp_path / "named", named)
    check = story.last(NoveltyCheck)
    assert claim(check, "shelf").endswith(
        f"nearest: {check.compared[0].title} ({check.compared[0].year}), "
        f"similarity {check.compared[0].similarity:.2f}."
    )
    assert check.similarity == check.compared[3].similarity
    assert f"The verdict names another paper: {check.compared[3].title}" in markdown(
        runner.store, run.id
    )
    unnamed = script | {"novelty-verdict": lambda r: whole(r) | {"nearest": None}}
    check = ended(tmp_path / "unnamed", unnamed)[2].last(NoveltyCheck)
    assert f"; nearest: {check.compared[0].title}" in claim(check, "shelf")


def test_few_papers_are_said_in_the_line_of_the_claim_on_screen_in_reports_and_headless(
    tmp_path, monkeypatch
):
    runner, run, story = ended(tmp_path, wide_script(), few(wide_source()))
    check = story.last(NoveltyCheck)
    expected = "Not found among 4 papers searched in Built-in papers (few: under 10"
    assert claim(check, "shelf").startswith(expected)
    assert expected in markdown(runner.store, run.id)
    document = reports.document(runner.store, run.id)
    assert (
        document["outcome"]["reason"][: len(expected)],
        document["novelty"][0]["papers_searched"],
    ) == (expected, 4)
    host(monkeypatch, runner)
    shown = said(visit("chains", run=run.id))
    assert f":gray[:material/travel_explore:] {expected}" in shown
    assert ":green[:material/travel_explore:]" not in shown


def few(source):
    """Return the source with four papers for the query of the novelty check, and all for others."""
    real = source.search
    source.search = lambda query: real(query)[:4] if query.text == "sleep study" else real(query)
    return source


def test_a_source_that_failed_is_said_in_the_line_of_the_claim(tmp_path):
    source, script = (
        wide_source(),
        wide_script() | {"novelty-queries": lambda _: {"queries": ["sleep study", "sleep light"]}},
    )
    real = source.search

    def search(query):
        if query.text == "sleep light":
            raise SourceFailed("The source did not answer (503).")
        return real(query)

    source.search = search
    check = ended(tmp_path, script, source, topic="sleep memory 2018")[2].last(NoveltyCheck)
    assert check.state == "source failed"
    assert claim(check, "shelf").startswith(
        "Not found so far, but not every source answered, among 20 papers searched in Built-in"
        " papers (1 of 2 queries not answered: The source did not answer (503); judged on"
    )


def test_a_second_source_that_answered_in_place_of_the_first_is_said(tmp_path):
    """The papers are then not from where the run was to look first: Semantic Scholar down, OpenAlex
    asked.
    """
    down = wide_source()
    down.search = lambda query: (_ for _ in ()).throw(SourceFailed("The first is down."))
    check = ended(tmp_path, wide_script(), SecondChoice(down, wide_source()))[2].last(NoveltyCheck)
    assert check.state == "novel"
    assert "(1 of 1 queries answered by a second source: The first is down; judged on" in claim(
        check, "semantic-scholar|openalex"
    )


@pytest.mark.parametrize(
    ("state", "begins"),
    [
        (
            "novel",
            (
                "Not found among 1 paper searched in sources that were not recorded (few: under"
                " 10); nearest: none was recorded."
            ),
        ),
        ("similar", "A paper that overlaps with it was found among 1 paper searched in "),
        ("not judged", "Not judged among 1 paper searched in "),
    ],
)
def test_of_an_older_run_what_is_known_is_said(state, begins, paper):
    search = Search(query="q", state="found", papers=(paper,))
    assert claim(NoveltyCheck(round=1, searches=(search,), state=state, reason="r"), "").startswith(
        begins
    )


def test_no_paper_at_all_is_no_proof():
    check = NoveltyCheck(
        round=1,
        searches=(Search(query="q", state="nothing found"),),
        state="nothing found",
        reason="r",
    )
    assert (
        claim(check, "openalex")
        == "No paper to compare with was found by one query searched in OpenAlex, which is no proof"
        " that the idea is new."
    )


@pytest.fixture
def paper():
    return wide_source().papers(("memory2018",))[0]


def test_a_check_that_was_shown_before_it_named_what_it_compared_is_the_same_check(tmp_path):
    """A run that stopped after such a check goes on; the record stays as it was shown."""
    runner, run, story = ended(tmp_path, wide_script(), design=True)
    rows = runner.store.connections.rows(
        "SELECT name, data FROM products WHERE run = ? AND kind = 'NoveltyCheck'", run.id
    )
    assert rows
    for row in rows:
        bare = (
            Story.of(runner.store, run.id)
            .last(NoveltyCheck)
            .model_copy(update={"compared": ()})
            .model_dump_json()
        )
        runner.store.connections.write(
            "UPDATE products SET data = ? WHERE run = ? AND name = ?", bare, run.id, row["name"]
        )
    runner.store.connections.write(
        "UPDATE runs SET state = 'stopped', ended = NULL WHERE id = ?", run.id
    )
    runner.resume(run.id)
    runner.wait(run.id, 20)
    assert runner.store.runs.get(run.id).state == "done", runner.store.runs.get(run.id).reason
    assert Story.of(runner.store, run.id).last(NoveltyCheck).compared == ()
    other = (
        story.last(NoveltyCheck)
        .model_copy(update={"compared": (), "reason": "Another."})
        .model_dump_json()
    )
    runner.store.connections.write(
        "UPDATE products SET data = ? WHERE run = ? AND kind = 'NoveltyCheck'", other, run.id
    )
    runner.store.connections.write(
        "UPDATE runs SET state = 'stopped', ended = NULL WHERE id = ?", run.id
    )
    runner.resume(run.id)
    runner.wait(run.id, 20)
    assert runner.store.runs.get(run.id).state != "done", "another check is still another"


# -- ties --------------------------------------------------------------------------------------


def test_a_branch_chosen_in_a_tie_is_said_to_be_wherever_it_is_said_to_be_chosen(
    tmp_path, monkeypatch
):
    runner, run, story = ended(tmp_path, wide_script() | {"select": no_difference}, branches=3)
    chosen = story.last(Selection)
    assert (chosen.best, level(chosen)) == (1, (1, 2, 3))
    words = (
        "A tie: branch 1 has as many points as branches 2 and 3 (10); it was taken because its"
        " number is the lowest, not because it is better."
    )
    assert tie(chosen) == words
    host(monkeypatch, runner)
    screens = {
        view: said(visit("chains", run=run.id, view=view))
        for view in ("branch-1", "branch-2", "compare", "choice")
    }
    for view, shown in screens.items():
        assert f":material/balance: {words}" in shown, view
        assert ":green-badge[:material/check: chosen]" not in shown, view
    assert ":gray-badge[:material/balance: chosen in a tie]" in screens["branch-1"]
    assert ":gray-badge[:material/balance: level with the chosen one]" in screens["branch-2"]
    assert "Branch 1 (chosen in a tie)" in picture(runner.store, run.id, "svg").decode()
    text = markdown(runner.store, run.id)
    assert "### Branch 1 (chosen in a tie)" in text
    assert words in text
    assert (
        reports.document(runner.store, run.id)["selection"]["level"],
        reports.document(runner.store, run.id)["selection"]["tie"],
    ) == ([1, 2, 3], words)


def test_a_branch_that_won_is_said_to_be_chosen_and_nothing_of_a_tie(tmp_path, monkeypatch):
    runner, run, story = ended(tmp_path, wide_script(), branches=3)
    assert (level(story.last(Selection)), tie(story.last(Selection))) == ((), "")
    host(monkeypatch, runner)
    shown = said(visit("chains", run=run.id))
    assert ":green-badge[:material/check: chosen]" in shown
    assert "tie:" not in shown


def test_which_of_several_ideas_stands_for_a_branch_is_kept_and_a_tie_said(tmp_path, monkeypatch):
    def outlook(request):
        step = {"reasoning": "It follows.", "beyond": "Far."}
        return {
            "candidates": [{"direction": f"Direction {n}", **step} for n in (1, 2, 3)],
            "choice": "The first.",
        }

    runner, run, story = ended(
        tmp_path, wide_script() | {"future": outlook, "select": no_difference}, ideas=2
    )
    choice = story.branches[0].last(IdeaChoice)
    assert (choice.best, level(choice), story.best.n) == (1, (1, 2), 1)
    words = (
        "A tie: idea 1 has as many points as idea 2 (5); it was taken because its number is the"
        " lowest, not because it is better."
    )
    assert tie(choice) == words
    assert "idea 1: 5, idea 2: 5." in choice.reason
    host(monkeypatch, runner)
    assert words in said(visit("chains", run=run.id))
    assert words in markdown(runner.store, run.id)
    assert reports.document(runner.store, run.id)["branches"][0]["choice"]["tie"] == words


def test_an_arena_of_ties_alone_says_that_nothing_tells_its_methods_apart():
    held = cast(
        [
            line(topic, a, b, first, "tie")
            for topic in TOPICS
            for a, b in (("a", "b"), ("b", "c"), ("a", "c"))
            for first in (a, b)
        ],
        lineup(),
        "idea",
    )
    found = results(held)
    note = arena_tables.ratings(found).note
    assert "has beaten, and lost to" not in note
    assert (
        "Every match is a tie: nobody has beaten anybody, and nothing tells the methods apart."
        in note
    )
    assert (
        "A tie: a, b, c have the same rating, and stand in the order of their names."
        in arena_tables.level(found)
    )
    assert (found.table.connected, found.table.by_wins) == (True, False)


def test_an_arena_linked_by_ties_only_in_part_says_so():
    held = cast(
        [
            *(
                line(topic, "a", "b", first, "first" if first == "a" else "second")
                for topic in TOPICS
                for first in ("a", "b")
            ),
            *(
                line(topic, x, "c", first, "tie")
                for topic in TOPICS
                for x in ("a", "b")
                for first in (x, "c")
            ),
        ],
        lineup(),
        "idea",
    )
    said_of_it = arena_tables.connected(results(held, criterion="novelty"))
    assert (
        said_of_it
        == "Strongly connected, but only because a tie links both ways: not everybody has both"
        " beaten and lost to somebody."
    )


def test_the_only_idea_left_is_said_to_be_that_and_what_became_of_the_others():
    chosen = Selection(
        best=2, points={2: 0.0}, matches=(), reason="It is the only branch with an idea to choose."
    )
    assert comparison(chosen, 1) == f"Branch 2 was chosen. {chosen.reason}"
    assert comparison(chosen, 3, (1, 3)) == (
        "Branch 2 was chosen. Its idea was the only one left to choose: the ideas of branches 1 and"
        " 3 overlap with published work and were set aside."
    )
    assert "the idea of branch 1 overlaps with" in only_one(chosen, (1,))


def test_ideas_that_overlap_are_said_to_be_set_aside_wherever_the_choice_is_told(tmp_path):
    script = wide_script()
    seen: list[str] = []

    def known(request):
        title = request.values["idea"].fields["title"]
        if title not in seen:
            seen.append(title)
        similar = seen.index(title) > 0
        papers = request.values["papers"]
        return {
            "similar": similar,
            "nearest": papers[0].id,
            "overlap": "All of it." if similar else "",
            "reason": "As it is.",
        }

    runner, run, story = ended(
        tmp_path, script | {"novelty-verdict": known}, branches=2, novelty_rounds=1
    )
    assert len(story.set_aside) == 1
    assert "overlaps with published work and was set aside" in markdown(runner.store, run.id)
    assert "only branch with an idea" not in markdown(runner.store, run.id)


def test_the_rounds_that_overlapped_before_are_named_with_their_papers():
    old, other = (
        Paper(id=name, title=title, year=year, source="shelf")
        for name, title, year in (("a", "Sleep in sport", 2016), ("b", "Naps", None))
    )

    def check(n, state, nearest):
        return NoveltyCheck(round=n, searches=(), state=state, nearest=nearest, reason="It is so.")

    last = check(4, "novel", other)
    checks = (check(1, "similar", old), check(2, "similar", old), check(3, "similar", other), last)
    assert earlier_overlaps(checks) == (
        "This is not the branch's first idea: rounds 1 and 2 overlapped with Sleep in sport (2016),"
        " round 3 with Naps (undated). It was written anew."
    )
    assert earlier_overlaps(checks[-1:]) == ""
    assert earlier_overlaps((check(1, "source failed", None), last)) == ""


def test_an_idea_written_anew_says_so_on_its_page_and_in_both_reports(tmp_path, monkeypatch):
    script = wide_script()
    whole, asked = script["novelty-verdict"], []

    def first_overlaps(request):
        asked.append(request)
        papers = request.values["papers"]
        overlaps = {"similar": True, "nearest": papers[3].id, "overlap": "All of it."}
        return whole(request) | (overlaps if len(asked) == 1 else {})

    runner, run, story = ended(tmp_path, script | {"novelty-verdict": first_overlaps})
    assert [check.state for check in story.best.checks] == ["similar", "novel"]
    told = earlier_overlaps(story.best.checks)
    assert told.startswith("This is not the branch's first idea: round 1 overlapped with ")
    host(monkeypatch, runner)
    assert told in said(visit("chains", run=run.id))
    for in_short in (False, True):
        assert told in markdown(runner.store, run.id, in_short=in_short).replace("\\", "")
