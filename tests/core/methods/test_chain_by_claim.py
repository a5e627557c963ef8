"""A chain's novelty verdict claim by claim: what is covered is said so, and not to be repeated;
runs of an earlier edition ask what they asked.
"""

from core.records import NoveltyCheck
from core.story import Story
from tests.support.scripted import chain, runner_of, wide_script, wide_source


def script(covered=True):
    """Return a script whose first idea is known: one claim of it by a quote that is there, one by
    words that are not.
    """
    whole = wide_script(similar=1)

    def verdict(request):
        idea, paper = request.values["idea"], request.values["papers"][0]
        said = {
            "kind": "mechanism",
            "text": "It works by sleep.",
            "idea_quote": idea.text,
            "paper": paper.id,
            "state": "covers",
            "paper_quote": paper.abstract,
        }
        lost = said | {"text": "It is lost.", "idea_quote": "words the idea does not have"}
        invented = said | {"text": "It is made up.", "paper_quote": "words that are not in there"}
        claims = {"claims": [said, lost, invented]} if covered else {}
        return whole["novelty-verdict"](request) | claims

    return whole | {"novelty-verdict": verdict}


def play(tmp_path, edition=3, **how):
    runner, model = runner_of(tmp_path, script(**how), wide_source())
    run = chain(runner, topic="sleep 2018", design=False)
    if edition < 3:
        config = run.config.model_copy(update={"edition": edition})
        run = runner.begin(config, "An earlier one")
    assert runner.work(run.id) == "done", runner.store.runs.get(run.id).reason
    return runner, model, run


def taken(model):
    """Return what the second round's calls were told not to repeat, by prompt."""
    return {
        one.prompt: [str(known) for known in one.values["taken"]]
        for one in model.requests
        if one.values.get("taken")
    }


def test_what_is_covered_is_not_to_be_repeated_claim_by_claim(tmp_path):
    runner, model, run = play(tmp_path)
    first, second = Story.of(runner.store, run.id).all(NoveltyCheck)
    assert (first.state, second.state) == ("similar", "novel")
    assert [one.text for one in first.claims] == ["It works by sleep.", "It is made up."]
    covering, invented = first.cells
    assert (covering.state, covering.paper_quote.state) == ("covers", "verbatim")
    assert (invented.said, invented.state) == ("covers", "in part")
    assert invented.paper_quote.quote == ""
    told = taken(model)
    assert set(told) == {"future", "draft", "idea"}
    for known in told.values():
        assert len(known) == 2
        assert known[1].startswith("mechanism: It works by sleep. (repeats: Sleep ")


def test_a_verdict_without_claims_says_what_it_said_before(tmp_path):
    _, model, _ = play(tmp_path, covered=False)
    assert all(len(known) == 1 for known in taken(model).values())


def test_a_run_of_the_second_edition_is_not_asked_by_claim(tmp_path):
    runner, model, run = play(tmp_path, edition=2)
    first, _ = Story.of(runner.store, run.id).all(NoveltyCheck)
    assert (first.state, first.claims, first.cells) == ("similar", (), ())
    assert all(len(known) == 1 for known in taken(model).values())
    schema = next(one.schema for one in model.requests if one.prompt == "novelty-verdict")
    assert schema.__name__ == "WeighedVerdict"
    assert "claims" not in first.model_dump()


def test_what_a_check_found_covered_is_not_repeated_from_the_first_round_on(tmp_path):
    known = ({"direction": "mechanism: By light.", "overlap": "A paper (2019)"},)
    runner, model = runner_of(tmp_path, wide_script(), wide_source())
    run = chain(runner, topic="sleep 2018", design=False, known=known)
    assert runner.work(run.id) == "done"
    told = taken(model)
    assert set(told) == {"future", "draft", "idea"}
    assert {tuple(one) for one in told.values()} == {
        ("mechanism: By light. (repeats: A paper (2019))",)
    }
    plain = chain(runner, topic="sleep 2018", design=False)
    assert "known" not in plain.config.inputs
