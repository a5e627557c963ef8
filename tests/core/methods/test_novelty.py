"""The novelty check over the made-up world: planted truth comes out to the letter, errors of a
reader as often as they are made, and what was not seen is never said to be new.
"""

import random
from collections import Counter
from math import sqrt

import pytest

from core.errors import BadInput, ModelFailed
from core.literature.full_text import FullTexts
from core.methods.novelty import decide
from core.methods.novelty.overruling import KEY
from core.methods.novelty.reading import text_read
from core.records import NoveltyCheck, digest
from core.runs.estimates import of_run
from core.runs.novelty_checks import covered_by, overrule
from core.story import Story
from tests.support.novelty_kit import (
    SOUND,
    WORLD,
    abstract,
    check_idea,
    found,
    in_world,
    novelty_runner,
    novelty_script,
    own_sentences,
    plant,
    planted,
    servers,
)
from tests.support.scripted import die, prompts_asked, resumed
from tests.support.servers.pdf_server import pdf

IDEAS = planted(60)
FEW = IDEAS[:18]
"""Three of each sort."""


def check_all(folder, ideas, papers=None, script=None, down=False):
    """Check these ideas, and return matrix and verdict of each."""
    with servers(papers) as both:
        if down:
            both[0].fail("/", "503")
        runner = novelty_runner(folder, both, script)
        return [found(runner, check_idea(runner, one.idea, one.dated)) for one in ideas]


@pytest.fixture(scope="module")
def faultless(tmp_path_factory):
    return check_all(tmp_path_factory.mktemp("faultless"), IDEAS)


def right(one, verdict):
    """Say whether a verdict is the truth: state, works and claims."""
    return (
        verdict.state == one.state
        and frozenset(map(in_world, verdict.works)) == one.works
        and frozenset(verdict.covered) == one.covered
    )


def test_a_faultless_reader_finds_every_verdict_every_set_and_every_date(faultless):
    wrong = [
        (one.sort, verdict.sentence)
        for one, (_, verdict) in zip(IDEAS, faultless, strict=True)
        if not right(one, verdict)
    ]
    assert wrong == []
    assert Counter(one.sort for one in IDEAS) == dict.fromkeys(
        ("copy", "two", "three", "in part", "new", "later"), 10
    )
    for matrix, verdict in faultless:
        for name in verdict.works:
            work, paper = matrix.work(name), WORLD.by_id[in_world(name)]
            dates = [paper["publicationDate"], paper["externalIds"].get("ArXiv", "99")]
            assert work.date in (dates[0], f"20{dates[1][:2]}-{dates[1][2:4]}")
            assert work.when == "earlier"
            assert work.date < matrix.dated


def test_every_quote_that_is_kept_stands_in_its_text(faultless):
    shown = 0
    for (matrix, _), one in zip(faultless, IDEAS, strict=True):
        for cell in matrix.cells:
            paper = matrix.work(cell.work).paper
            if cell.state == "covers":
                assert cell.idea_quote.quote in one.idea.text
                assert cell.paper_quote.quote in f"{paper.title}\n{paper.abstract}"
                shown += 1
    assert shown > 100


def test_both_sources_are_asked_side_by_side_and_one_work_is_one_column(faultless):
    for matrix, verdict in faultless:
        assert str(verdict.sources) == "2 of 2 sources that answered"
        assert {one.source for one in matrix.looked} == {"semantic-scholar", "openalex"}
        assert all(one.at for one in matrix.looked)
        every = [version.id for work in matrix.works for version in work.versions]
        assert len(every) == len(set(every))
    assert any(
        {version.source for version in work.versions} == {"semantic-scholar", "openalex"}
        for matrix, _ in faultless
        for work in matrix.works
    )


def test_a_reader_that_errs_in_a_known_share_errs_in_that_share(faultless):
    """Each covering cell is missed with the same chance, over and over: a copy is still seen as one
    where none of its claims is missed, and so are the others.
    """
    miss, times, dice = 0.15, 40, random.Random(5)
    hits, expected, variance = Counter(), Counter(), Counter()
    for (matrix, verdict), one in zip(faultless, IDEAS, strict=True):
        if one.sort not in ("copy", "in part"):
            continue
        covering = [
            cell for cell in matrix.cells if cell.state == "covers" and cell.work in names(matrix)
        ]
        if len({cell.work for cell in covering}) > 1:
            continue  # Another paper has a claim of it too, which its own chance would count in.
        chance = (1 - miss) ** len(covering)
        for _ in range(times):
            erring = decide(missed(matrix, dice, miss))
            same = (erring.state, erring.covered) == (verdict.state, verdict.covered)
            hits[one.sort] += same
            expected[one.sort] += chance
            variance[one.sort] += chance * (1 - chance)
    assert min(expected.values()) > 100
    for sort, wanted in expected.items():
        assert abs(hits[sort] - wanted) <= 3 * sqrt(variance[sort]), sort


def names(matrix):
    return {work.id for work in matrix.works if work.counts}


def missed(matrix, dice, miss):
    cells = tuple(
        cell.model_copy(update={"state": "does not", "said": "does not"})
        if cell.state == "covers" and dice.random() < miss
        else cell
        for cell in matrix.cells
    )
    return matrix.model_copy(update={"cells": cells})


def test_a_reader_that_invents_quotes_changes_no_verdict_and_none_is_shown(tmp_path, faultless):
    def invents(request, claim, covered):
        dice = digest([request.values["paper"].id, claim])[0]
        return "invent" if not covered and dice in "01234" else None

    ideas = [one for one in FEW if one.state != "combination"]
    erring = check_all(tmp_path, ideas, script=novelty_script(invents))
    taken_down = 0
    for (matrix, verdict), one in zip(erring, ideas, strict=True):
        assert right(one, verdict), verdict.sentence
        for cell in matrix.cells:
            if cell.said == "covers" and cell.taken_down:
                taken_down += 1
                assert cell.state == "in part"
                assert cell.missing == ("the paper",)
                assert cell.paper_quote.quote == ""
        assert verdict.confidence.value < 1
    assert taken_down > 20


@pytest.mark.parametrize("trouble", ["a source down", "half the abstracts gone"])
def test_what_was_not_seen_makes_a_check_inconclusive_and_not_wrong(tmp_path, faultless, trouble):
    papers = None
    if trouble != "a source down":
        dice = random.Random(1)
        papers = [
            paper | {"abstract": None if dice.random() < 0.5 else paper["abstract"]}
            for paper in WORLD.papers
        ]
    seen = check_all(tmp_path, FEW, papers, down=trouble == "a source down")
    states = Counter(verdict.state for _, verdict in seen)
    before = Counter(verdict.state for _, verdict in faultless[: len(FEW)])
    assert before["inconclusive"] == 0
    assert states["inconclusive"] >= len(FEW) / 2
    for (_, verdict), one in zip(seen, FEW, strict=True):
        if verdict.state == "inconclusive":
            assert verdict.why
            assert verdict.so_far
        else:
            assert right(one, verdict), verdict.sentence
    if trouble == "a source down":
        assert all(str(v.sources) == "1 of 2 sources that answered" for _, v in seen)
        said = next(v.sentence for _, v in seen if v.why)
        assert "Semantic Scholar answered 0 of" in said
        assert "80% are needed" in said


def test_a_claim_that_is_not_in_the_idea_is_lost_alone_and_said_to_be(tmp_path):
    one = FEW[0]
    whole = novelty_script()

    def with_another(request):
        reply = whole["novelty-claims"](request)
        invented = {"kind": "setting", "text": "On Mars.", "span": "we grow it all on planet Mars"}
        return {"claims": [*reply["claims"], invented]}

    (matrix, verdict), *_ = check_all(
        tmp_path, [one], script=whole | {"novelty-claims": with_another}
    )
    assert len(matrix.claims) == 3
    assert matrix.lost == ("On Mars. (the words it rests on are not in the idea)",)
    assert verdict.state == "anticipated"
    assert "1 claim could not be used" in verdict.sentence


def test_a_paper_that_no_model_can_read_stays_unread_alone(tmp_path):
    one = FEW[4]
    whole = novelty_script()
    spoilt = []

    def sometimes(request):
        paper = request.values["paper"].id
        if not spoilt:
            spoilt.append(paper)
        if paper == spoilt[0]:
            return {"findings": []}
        return whole["novelty-reading"](request)

    (matrix, verdict), *_ = check_all(
        tmp_path, [one], script=whole | {"novelty-reading": sometimes}
    )
    unread = [work for work in matrix.works if work.read_from == "nothing" and work.paper.abstract]
    assert [work.id for work in unread] == spoilt
    assert "was not read" in unread[0].unread
    assert verdict.state == "nothing found"
    assert verdict.coverage.value < 1


def test_where_the_model_fails_at_every_paper_the_run_fails_and_goes_on_later(tmp_path):
    down = [True]
    whole = novelty_script()

    def reading(request):
        return ModelFailed("The model is gone.") if down[0] else whole["novelty-reading"](request)

    with servers() as both:
        runner = novelty_runner(tmp_path, both, whole | {"novelty-reading": reading})
        run = check_idea(runner, FEW[0].idea, FEW[0].dated)
        assert run.state == "failed"
        assert "gone" in run.reason
        down[0] = False
        assert resumed(runner, run.id) == "done"
        assert found(runner, runner.store.runs.get(run.id))[1].state == "anticipated"


def test_a_killed_check_goes_on_and_a_finished_one_replays_without_a_call(tmp_path):
    with servers() as both:
        runner = novelty_runner(tmp_path, both)
        run = check_idea(runner, FEW[1].idea, FEW[1].dated)
        model = runner.workshop.scripted
        asked = prompts_asked(model)
        assert Counter(asked) == {
            "novelty-claims": 1,
            "novelty-claim-queries": 1,
            "novelty-reading": 12,
        }
        assert of_run(run).calls == of_run(run).most == len(asked) == 14
        before = found(runner, run)
        die(runner, run.id)
        assert resumed(runner, run.id) == "done"
        assert prompts_asked(model) == asked
        assert found(runner, runner.store.runs.get(run.id)) == before


def test_a_person_overrules_a_cell_for_nothing_and_the_verdict_follows(tmp_path):
    with servers() as both:
        runner = novelty_runner(tmp_path, both)
        run = check_idea(runner, FEW[0].idea, FEW[0].dated)
        matrix, verdict = found(runner, run)
        (work,) = verdict.works
        asked, sent = len(runner.workshop.scripted.requests), len(both[0].asked)
        with pytest.raises(BadInput, match="no cell of claim 9"):
            overrule(runner, run.id, 9, work, "in part", "Not so.", "Ada")
        with pytest.raises(BadInput, match="'covers' already"):
            overrule(runner, run.id, 1, work, "covers", "It does.", "Ada")
        made = overrule(runner, run.id, 1, work, "does not", "Another data set.", "Ada")
        assert runner.work(made.id) == "done"
        ruled, follows = found(runner, runner.store.runs.get(made.id))
        cell = ruled.cell(1, work)
        assert (cell.state, cell.was, cell.said) == ("does not", "covers", "covers")
        assert (cell.overruled.by, cell.overruled.reason) == ("Ada", "Another data set.")
        assert (follows.state, follows.new) == ("new in part", (1,))
        step = runner.store.steps.get(made.id, KEY)
        assert step.origin.kind == "person"
        assert len(runner.workshop.scripted.requests) == asked
        assert len(both[0].asked) == sent
        assert runner.store.runs.get(made.id).calls == 0
        again = overrule(runner, made.id, 2, work, "in part", "Half of it.", "Bert")
        assert runner.work(again.id) == "done"
        twice, _ = found(runner, runner.store.runs.get(again.id))
        assert [one.overruled.by for one in twice.cells if one.overruled] == ["Ada", "Bert"]
        assert found(runner, run) == (matrix, verdict)


def test_what_is_covered_is_given_to_a_new_chain_claim_by_claim(tmp_path):
    with servers() as both:
        runner = novelty_runner(tmp_path, both)
        run = check_idea(runner, FEW[3].idea, FEW[3].dated)
        matrix, verdict = found(runner, run)
        known = covered_by(runner.store, run.id)
    assert verdict.state == "new in part"
    assert len(known) == len(verdict.covered) == 2
    assert known[0].direction == f"mechanism: {matrix.claims[0].text}"
    assert matrix.work(
        next(cell.work for cell in matrix.cells if cell.state == "covers")
    ).paper.title in str(known[0])


def test_cut_off_and_bans_hold_for_every_question(tmp_path):
    paper = SOUND[40]
    one = plant("copy", random.Random(2))
    copied = next(name for name in SOUND if own_sentences(abstract(name))[0] in one.idea.text)
    assert copied != paper
    doi = WORLD.by_id[copied]["externalIds"].get("DOI")
    with servers() as both:
        runner = novelty_runner(tmp_path, both)
        run = check_idea(runner, one.idea, ban=(f"doi:{doi}",) if doi else (f"s2:{copied}",))
        matrix, verdict = found(runner, run)
        assert copied not in {in_world(work.id) for work in matrix.works}
        assert verdict.state != "anticipated"
        day = WORLD.by_id[copied]["publicationDate"]
        run = check_idea(runner, one.idea, before=day)
        matrix, _ = found(runner, run)
        assert all(work.date < day for work in matrix.works)


def test_the_quick_form_costs_the_two_calls_of_the_novelty_loop(tmp_path):
    script = {
        "novelty-queries": lambda _: {"queries": ["grasping rope"]},
        "novelty-verdict": lambda r: {
            "claims": [
                {
                    "kind": "mechanism",
                    "text": "It is copied.",
                    "idea_quote": own_sentences(abstract(SOUND[0]))[0],
                    "paper": r.values["papers"][0].id,
                    "state": "covers",
                    "paper_quote": "words that are nowhere in this paper at all",
                }
            ],
            "nearest": r.values["papers"][0].id,
            "overlap": "",
            "reason": "Compared.",
            "similar": False,
        },
    }
    one = plant("copy", random.Random(0))
    text = " ".join(own_sentences(abstract(SOUND[0])))
    idea = one.idea.model_copy(update={"fields": {"hypothesis": text}})
    with servers() as both:
        runner = novelty_runner(tmp_path, both, script)
        run = check_idea(runner, idea, depth="quick", source="semantic-scholar")
        assert run.state == "done", run.reason
        assert run.calls == of_run(run).calls == 2
        check = Story.of(runner.store, run.id).last(NoveltyCheck)
        assert check.state == "novel"
        (cell,) = check.cells
        assert (cell.said, cell.state, cell.paper_quote.quote) == ("covers", "in part", "")
        with pytest.raises(BadInput, match="checked quickly"):
            covered_by(runner.store, run.id)


def test_the_series_of_model_calls_is_three(tmp_path):
    from tests.bench.chain import calls, series

    with servers() as both:
        runner = novelty_runner(tmp_path, both)
        run = check_idea(runner, FEW[0].idea, FEW[0].dated)
        steps = list(runner.store.steps.of(run.id))
        assert sum(map(calls, series(steps, calls))) == 3


def test_what_a_check_shows_says_what_follows_from_it(faultless):
    assert all(decide(matrix) == verdict for matrix, verdict in faultless)


def test_the_full_text_is_read_where_it_is_to_be_had_and_quoted_as_such(tmp_path):
    whole, said = novelty_script(), "The appendix bakes its bread in complete darkness for a week."
    shown = {}

    def reading(request):
        reply = whole["novelty-reading"](request)
        shown[request.values["paper"].id] = request.values["text"]
        if request.values["text"]:
            first = request.values["claims"][0]
            quotes = {"idea_quote": first.passage.quote, "paper_quote": said}
            reply["findings"][0] |= {"state": "covers", **quotes}
        return reply

    with servers() as both:
        runner = novelty_runner(tmp_path, both, whole | {"novelty-reading": reading})
        one = IDEAS[4]
        before, _ = found(runner, check_idea(runner, one.idea, one.dated))
        assert {work.read_from for work in before.works} <= {"abstract", "nothing"}
        work = before.works[0]
        texts = FullTexts(runner.workshop.settings, runner.store.library)
        texts.attach(work.id, pdf(f"{said} And more of it, at length."), "Ada")
        run = check_idea(runner, one.idea, one.dated)
        matrix, verdict = found(runner, run)
    assert said in shown[work.id]
    assert text_read(runner.store, run.id, work.id) == shown[work.id], "shown is what was read"
    assert text_read(runner.store, run.id, before.works[1].id) is None
    assert matrix.work(work.id).read_from == "full text"
    cell = matrix.cell(1, work.id)
    assert (cell.state, cell.quoted_from) == ("covers", "full text")
    assert " ".join(cell.paper_quote.quote.split()) == said
    assert (verdict.state, verdict.covered) == ("new in part", (1,))
