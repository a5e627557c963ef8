"""What goes wrong in one place stays there: partial failures, twins, odd bans, resuming after an
outage, forks that try again.
"""

import pytest

from core.errors import BadInput, ModelFailed, SourceFailed
from core.literature.combined import Together
from core.methods import ChainInputs
from core.methods.chain_of_ideas.reading import spelled
from core.records import Chain, NoveltyCheck, Outcome, Paper
from core.runs.planning import validated
from core.story import Story
from tests.conftest import SmallSource
from tests.support.scripted import chain, prompts_asked, runner_of, wide_script, wide_source


class Down(SmallSource):
    """A source that answers nothing."""

    name = "semantic-scholar"

    def _ask(self, *what):
        raise SourceFailed("Semantic Scholar did not answer (503).")


def begun(folder, script=None, source=None, **inputs):
    runner, model = runner_of(folder, script or wide_script(), source or wide_source())
    return runner, model, chain(runner, **({"topic": "sleep 2018"} | inputs))


def test_an_idea_is_not_new_while_one_of_several_sources_is_down(tmp_path):
    runner, _, run = begun(tmp_path, source=Together(wide_source(), Down([], {})))
    assert runner.work(run.id) == "done"
    story = Story.of(runner.store, run.id)
    check = story.last(NoveltyCheck)
    assert (check.state, story.last(Outcome).converged) == ("source failed", False)
    assert "Semantic Scholar did not answer (503)." in check.reason


def test_nothing_in_one_source_while_another_is_down_is_a_failure(tmp_path):
    runner, _, run = begun(tmp_path, source=Together(SmallSource([], {}), Down([], {})))
    assert runner.work(run.id) == "failed"
    reason = runner.store.runs.get(run.id).reason
    assert ("did not answer" in reason, "all answered" in reason) == (True, False)


def test_a_run_lost_in_an_outage_goes_on_whatever_the_anchors_were(tmp_path):
    script = wide_script()
    outage = {
        "relevance": lambda r: (
            ModelFailed("away")
            if r.values["paper"].id.startswith("light")
            else script["relevance"](r)
        ),
        "trend": lambda _: ModelFailed("away"),
    }
    runner, model, run = begun(tmp_path, script | outage, branches=2)
    assert runner.work(run.id) == "failed"
    model.script = script
    runner.store.runs.enqueue(run.id, "me|1|1")
    assert runner.work(run.id) == "done", runner.store.runs.get(run.id).reason
    assert Story.of(runner.store, run.id).branches[1].given_up.reason == "away"


def test_a_branch_with_an_anchor_of_its_own_needs_no_search(tmp_path):
    source = wide_source()
    search = source.search
    source.search = lambda query: (
        (_ for _ in ()).throw(SourceFailed("down"))
        if query.text in ("memory", "light", "food")
        else search(query)
    )
    runner, _, run = begun(tmp_path, source=source, branches=3, anchors=(source.known["food2018"],))
    assert runner.work(run.id) == "done", runner.store.runs.get(run.id).reason
    given_up = [branch.given_up for branch in Story.of(runner.store, run.id).branches]
    assert [one and one.failed for one in given_up] == [None, True, True]


def test_a_search_nobody_can_ask_is_passed_over(tmp_path):
    source = wide_source()
    search = source.search

    def worded(query):
        if query.text == "?!":
            raise BadInput("A search needs words.")
        return search(query)

    source.search = worded
    script = wide_script() | {"novelty-queries": lambda _: {"queries": ["?!", "sleep study"]}}
    runner, _, run = begun(tmp_path, script, source)
    assert runner.work(run.id) == "done"
    check = Story.of(runner.store, run.id).last(NoveltyCheck)
    assert [one.state for one in check.searches] == ["source failed", "found"]


def test_twins_count_once_in_a_chain_of_length_nought(tmp_path):
    source = wide_source()
    source.known["twin"] = source.known["food2018"].model_copy(update={"id": "twin"})
    runner, _, run = begun(tmp_path, source=source, length=0)
    assert runner.work(run.id) == "done", runner.store.runs.get(run.id).reason
    assert len(Story.of(runner.store, run.id).last(Chain).links) == 5


@pytest.mark.parametrize("ban", ["10.1000/XYZ", "https://doi.org/10.1000/xyz", "doi:10.1000/xyz"])
@pytest.mark.parametrize("names", [{"doi": "10.1000/xyz"}])
def test_a_doi_may_be_banned_in_any_spelling(tmp_path, ban, names):
    source = wide_source()
    source.known["memory2019"] = source.known["memory2019"].model_copy(update=names)
    runner, _, run = begun(tmp_path, source=source, ban=(ban,))
    assert runner.work(run.id) == "done"
    assert "memory2019" not in [
        paper.id for paper in Story.of(runner.store, run.id).last(Chain).papers
    ]


@pytest.mark.parametrize(
    "ban",
    [
        "1801.00001",
        "arxiv:1801.00001v2",
        "https://arxiv.org/abs/1801.00001",
        "doi:10.48550/arXiv.1801.00001",
    ],
)
def test_an_arxiv_id_may_be_banned_in_any_spelling(ban):
    assert validated(ChainInputs, topic="t", ban=(ban,)).ban == ("arxiv:1801.00001",)


def test_more_anchors_than_branches_are_refused():
    papers = (Paper(id="a", title="A"), Paper(id="b", title="B"))
    with pytest.raises(BadInput, match="2 papers to start from need as many branches"):
        validated(ChainInputs, topic="t", branches=1, anchors=papers)


def test_a_preprint_and_its_journal_version_are_one_paper():
    preprint = Paper(id="s2:1", title="A study of naps in adolescent athletes", year=2018)
    assert preprint.same(
        preprint.model_copy(
            update={"id": "s2:2", "year": 2019, "title": "A Study of Naps in Adolescent Athletes."}
        )
    )
    assert not Paper(id="1", title="Editorial", year=2018, authors=("A B",)).same(
        Paper(id="2", title="Editorial", year=2018, authors=("C D",))
    )


def test_a_fork_tries_every_later_failure_again(tmp_path):
    source = wide_source()
    real, source.citations = (
        source.citations,
        lambda *_: (_ for _ in ()).throw(SourceFailed("down")),
    )
    runner, _, run = begun(tmp_path, source=source, branches=3)
    assert runner.work(run.id) == "done"
    source.citations = real
    forked = runner.fork(run.id, "branch-1/forward-1/citing", lambda config: config)
    assert runner.work(forked.id) == "done"
    assert [len(branch.chain.papers) for branch in Story.of(runner.store, forked.id).branches] == [
        5,
        5,
        5,
    ]


def test_the_cut_off_and_the_ban_list_hold_for_a_persons_edit_too(tmp_path):
    source = wide_source()
    runner, _, run = begun(tmp_path, source=source, before="2020-01-01", ban=("memory2014",))
    assert runner.work(run.id) == "done"
    whole = Story.of(runner.store, run.id).last(Chain)
    for name in ("memory2022", "memory2014"):
        late = whole.links[0].model_copy(update={"paper": source.known[name], "hop": "person"})
        with pytest.raises(
            BadInput, match="on this run's ban list or not known to be older than 2020-01-01"
        ):
            runner.fork_edited(
                run.id, "branch-1/chain", whole.model_copy(update={"links": (*whole.links, late)})
            )


def test_ids_that_differ_only_in_signs_have_keys_of_their_own():
    assert spelled("doi:10.1/a-b") != spelled("doi:10.1/a/b")


def test_what_a_person_put_in_stays_where_two_branches_meet(tmp_path):
    source = wide_source()
    runner, model, run = begun(tmp_path, source=source, branches=2)
    assert runner.work(run.id) == "done"
    second = Story.of(runner.store, run.id).branches[1].chain
    mine = second.links[2].model_copy(
        update={"paper": source.known["memory2019"], "hop": "person", "reading": None}
    )
    start = {"links": [second.links[2].model_dump(mode="json"), mine.model_dump(mode="json")]}
    model.requests.clear()
    forked = runner.fork(
        run.id,
        "branch-2/start",
        lambda config: config.model_copy(update={"edits": {"branch-2/start": start}}),
    )
    assert runner.work(forked.id) == "done", runner.store.runs.get(forked.id).reason
    papers = [
        paper.id
        for branch in Story.of(runner.store, forked.id).branches
        for paper in branch.chain.papers
    ]
    assert papers.count("memory2019") == 1
    assert "memory2019" in [
        paper.id for paper in Story.of(runner.store, forked.id).branches[1].chain.papers
    ]
    assert "queries" not in prompts_asked(model)
