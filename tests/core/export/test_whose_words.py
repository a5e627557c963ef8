"""A report says who wrote its texts, whose words they quote, where every paper comes from, and
which text a similarity is of.
"""

import pytest

from components.refine import scores
from core.cases import open_case, pack
from core.charts.letters import stand_ins
from core.export.blocks import Picture
from core.export.citations import brought_in, from_built_in
from core.export.facts import facts, imprint
from core.export.html import html
from core.export.markdown import markdown
from core.export.report import report
from core.importing.gathering import entries_of_run, entries_of_shelf
from core.judging.ranking import q_of
from core.literature.shelf import on_shelf
from core.methods import RefineInputs
from core.methods.inputs import ChainInputs, Leg
from core.methods.presets import NOVELTY
from core.records import Measures, Outcome, Ranked, Search, Standing, Verdict
from core.runs.planning import played, validated
from core.runs.runner import Runner
from core.store import Store
from core.story import Story
from core.wording.summaries import MARK, MEANS
from tests.conftest import ScriptedModel, Shop, make_run
from tests.core.test_story import put
from tests.support.report_kit import FIRST, INPUTS, PAPER, finished, said
from tests.support.scripted import (
    chain_script,
    configured,
    refine_script,
    refinement,
    runner_of,
    small_source,
)

BY_RULES = {"generator": "builtin", "optimizer": "builtin"}
OURS = next(paper for paper in on_shelf() if paper.id == "shelf:buysse1989pittsburgh")
EXPLAINED = "a summary that was written for the built-in papers; they are not the authors"
CITED = "As Buysse et al. (1989) put it, sleep is measured"


def by_rules(store, *more, text: str = CITED) -> str:
    """Store a refinement by the built-in model whose first round cites a built-in paper."""
    run = make_run(store, method="refine", version=2, inputs=INPUTS, models=BY_RULES)
    one = said(1, text, True)
    put(
        store,
        run,
        ("background", Search(query="orexin", state="found", papers=(PAPER,))),
        ("round-0", FIRST),
        *more,
        ("round-1", one),
        ("outcome", Outcome(reason="Stopped.", idea=one.revision.idea, round=1)),
    )
    return run.id


def test_the_head_says_that_the_built_in_model_wrote_it(store):
    head = markdown(store, by_rules(store)).split("##")[0]
    assert "Its texts were written by the built-in model, which is rule-based" in head
    assert "no language model" in head
    partly = make_run(store, models={"main": "openai:big", "discriminator": "builtin"})
    assert "language model, stands for: discriminator." in imprint(partly)
    assert "built-in" not in imprint(store.runs.get(finished(store)))


def test_the_mark_of_a_summary_is_explained_where_it_stands_and_only_there(store):
    marked = by_rules(store, text=f"It says this: sleep matters {MARK}")
    for text in (markdown(store, marked), html(store, marked)):
        assert text.count(EXPLAINED) == 1
    assert EXPLAINED in MEANS
    assert EXPLAINED not in markdown(store, by_rules(store))


def test_a_reference_beyond_the_background_says_where_it_comes_from(store):
    run = store.runs.get(by_rules(store))
    told = markdown(store, run.id)
    references = told[told.index("## References\n") : told.index("## The run")].splitlines()
    (own,) = [line for line in references if "Ada Lund" in line]
    (other,) = [line for line in references if "Buysse" in line]
    assert own.endswith("*Background.*")
    assert other.endswith(
        "*Not among the background: a built-in paper that the built-in model brought in by itself,"
        " first in round 1.*"
    )
    (line,) = Story.of(store, run.id).lines
    assert [(one.paper.id, one.since) for one in brought_in(store, run, line, (PAPER,))] == [
        (OURS.id, 1)
    ]
    assert brought_in(store, run, line, (PAPER, OURS)) == ()


def test_the_first_ideas_similarity_stands_beside_those_of_later_versions(store):
    first = Measures(to_first=1.0, to_previous=1.0, nearest=PAPER.id, to_nearest=0.37)
    run = by_rules(store, ("round-0/measures", first))
    told = markdown(store, run)
    assert "| 0 | – | – | – | – | – | 0.37 |" in told
    assert f"- Similarity to the nearest background paper 0.37 ({PAPER.title})." in told
    (line,) = Story.of(store, run).lines
    later = Measures(to_first=0.9, to_previous=0.9, nearest=PAPER.id, to_nearest=0.5)
    rounds = [line.rounds[0].model_copy(update={"measures": later})]
    drawn = scores.similarity_figure(rounds, {1}, None, "black", line.measures(0))
    near = {trace.name: (list(trace.x), list(trace.y)) for trace in drawn.data}
    assert near[scores.NEAREST] == ([0, 1], [0.37, 0.5])
    assert near["to the first idea"] == ([1], [0.9])
    rows = scores.moved_rows(rounds, {PAPER.id: PAPER.title}, line.measures(0))
    assert [row[scores.NEAREST.capitalize()] for row in rows] == [0.37, 0.5]


def test_a_verdict_that_was_lost_makes_no_version_better(store):
    near = Measures(to_first=0.9, to_previous=0.9)
    one, lost = (
        said(n, f"Sleep is measured {n}", True, measures=near, verdict=verdict)
        for n, verdict in ((1, Verdict(improved=True, reason="It is.")), (2, None))
    )
    judged = RefineInputs.model_validate(INPUTS)
    assert [judged.counts(done) for done in (one, lost)] == [True, False]
    figure = scores.similarity_figure((one, lost), {1}, None, "black", None)
    assert list(figure.data[0].marker.symbol) == ["circle", "circle-open"]
    told = markdown(store, by_rules(store, ("round-2", lost)))
    assert "No verdict: nothing that was answered could be used." in told


def test_where_nobody_is_to_give_a_verdict_every_version_counts(store):
    """Two rounds without a discriminator, then one with; whatever verdicts there happen to be."""
    play = played("no-discriminator", (NOVELTY,))
    legs = {"earlier": [Leg(upto=2, play=play)], "play": played("infal", (NOVELTY,))}
    inputs = validated(RefineInputs, topic="t", idea=FIRST, **legs)
    rounds = [said(n, f"Sleep is measured {n}", True) for n in (1, 2, 3)]
    unjudged = [done.model_copy(update={"verdict": None}) for done in rounds[:2]]
    assert [inputs.counts(done) for done in (*unjudged, rounds[2])] == [True] * 3
    alone = {**INPUTS, "play": play.model_dump(mode="json")}
    run = make_run(store, method="refine", version=2, inputs=alone, models=BY_RULES)
    end = Outcome(reason="Played one round.", idea=unjudged[0].revision.idea, round=1)
    put(store, run, ("round-0", FIRST), ("round-1", unjudged[0]), ("outcome", end))
    assert "Nobody judged this round: no discriminator plays." in markdown(store, run.id)


def test_a_run_from_before_there_was_that_figure_shows_none(store):
    run = by_rules(store)
    assert "| 0 | – | – | – | – | – | – |" in markdown(store, run)
    (line,) = Story.of(store, run).lines
    assert line.measures(0) is None


def test_a_name_that_a_picture_cannot_draw_is_numbered_and_named_beside_it(store, recwarn):
    ranked = Ranked(shown=("target", "idea"), best_first=("idea", "target"), reasons=("", ""))
    stands = tuple(Standing(goal=goal, q=1.0, rankings=(ranked,)) for goal in ("Güte", "新颖性"))
    run = make_run(store, method="refine", version=2, inputs=INPUTS)
    one = said(1, "Sleep at school", True).model_copy(update={"standings": stands})
    put(store, run, ("round-0", FIRST), ("round-1", one))
    (picture,) = [block for block in report(store, run.id) if isinstance(block, Picture)]
    assert picture.caption.endswith("In the picture, quality 2: 新颖性.")
    assert picture.draw("png")
    assert not [one for one in recwarn if "missing from" in str(one.message)]
    from core.charts.score_picture import figure

    (line,) = Story.of(store, run.id).lines
    legend = figure(line, (), q_of, 6.2).axes[0].get_legend()
    assert [text.get_text() for text in legend.get_texts()] == [" Güte", " quality 2"]
    assert stand_ins(["plain"]) == {}


def test_where_people_answer_no_model_is_named(store):
    models = {"judge": "builtin"}
    by_hand = make_run(
        store, method="rank", inputs={"topic": "t", "judged_by": "person"}, models=models
    )
    votes = make_run(store, method="arena", inputs={"people_only": True}, models=models)
    for run, people in ((by_hand, "a person ranks"), (votes, "people vote")):
        assert dict(facts(store, run, store.steps.summarise(run.id)))["Model"] == f"none, {people}"
        assert "built-in" not in imprint(run)
    both = make_run(store, method="rank", inputs={"judged_by": "both"}, models=models)
    assert "rule-based" in dict(facts(store, both, store.steps.summarise(both.id)))["Model (judge)"]


# -- a branch that goes on with another model ----------------------------------------------------


def branch_of_a_chain(tmp_path, before: str, after: str, at: str):
    """Have a chain written by one model, and a branch of it from a step on by another."""
    models = {name: ScriptedModel(chain_script(), name) for name in (before, after)}
    runner = Runner(Shop(tmp_path, models, small_source()))
    inputs = validated(ChainInputs, topic="sleep memory 2018", branches=1)
    config = configured(runner, "chain", inputs, models={"main": before, "cheap": before})
    run = runner.begin(all_by(config, before), "A chain")
    assert runner.work(run.id) == "done"
    keys = [step.key for step in runner.store.steps.of(run.id)]
    branch = runner.fork(
        run.id,
        next(key for key in keys if key.endswith(at)),
        lambda config: all_by(config, after),
    )
    assert runner.work(branch.id) == "done"
    return runner.store, run, runner.store.runs.get(branch.id)


def all_by(config, name):
    return config.model_copy(update={"models": dict.fromkeys(config.models, name)})


RULES = "the built-in model, which is rule-based, for trying things out, and no language model"
AS_BUILT_IN = "built-in (rule-based, for trying things out)"


@pytest.mark.parametrize("opened", [False, True])
@pytest.mark.parametrize(
    ("before", "after", "named", "end"),
    [
        ("builtin", "openai:big", AS_BUILT_IN, ""),
        ("openai:big", "builtin", "openai:big", f" What came after was written by {RULES}."),
    ],
)
def test_a_branch_with_another_model_says_who_wrote_what_it_took_over(
    tmp_path, before, after, named, end, opened
):
    store, _, branch = branch_of_a_chain(tmp_path, before, after, "experiment-design")
    if opened:
        data = pack(store, branch.id)
        branch = open_case(store := Store(tmp_path / "there"), data)
    head = markdown(store, branch.id).splitlines()[2]
    said, _, rest = head.partition("What was taken over from another run was answered by ")
    assert said
    roles, _, rest = rest.partition(".")
    assert {one.rpartition(" as ")[0] for one in roles.split("; ")} == {named}
    assert rest.rstrip("*_") == end
    assert "Its texts were written by" not in head
    known = dict(facts(store, branch, store.steps.summarise(branch.id)))
    assert known["Models of what was taken over"] == roles


def test_built_in_papers_that_a_taken_over_text_cites_are_found(tmp_path):
    store, run, branch = branch_of_a_chain(tmp_path, "builtin", "openai:b", "experiment-design")
    assert OURS in from_built_in(store, run, [CITED], ())
    assert OURS in from_built_in(store, branch, [CITED], ())
    other, run, branch = branch_of_a_chain(
        tmp_path / "other", "openai:a", "openai:b", "experiment-design"
    )
    assert from_built_in(other, branch, [CITED], ()) == ()


def test_a_run_that_is_no_branch_has_one_set_of_models(tmp_path):
    store, run, _ = branch_of_a_chain(tmp_path, "openai:a", "openai:b", "experiment-design")
    assert "taken over" not in markdown(store, run.id)


@pytest.mark.parametrize(
    ("own", "others", "said"),
    [
        (
            {"generator": "builtin", "optimizer": "openai:b"},
            {"generator": ("builtin",), "optimizer": ("openai:a",)},
            f"was answered by {AS_BUILT_IN} as generator; openai:a as optimizer. In what came"
            f" after, {RULES}, stands for: generator.",
        ),
        (
            {"generator": "openai:b", "optimizer": "openai:b"},
            {"generator": ("openai:a", "builtin")},
            f"was answered by openai:a, {AS_BUILT_IN} as generator.",
        ),
        (
            {"generator": "builtin"},
            {"generator": ("openai:a",), "optimizer": ("openai:a",)},
            "was answered by openai:a as generator, optimizer. What came after was written by"
            f" {RULES}.",
        ),
        ({"generator": "openai:b"}, {"generator": ("openai:a",)}, ""),
    ],
)
def test_roles_of_what_was_taken_over_are_named_each(store, own, others, said):
    head = imprint(make_run(store, models=own), others)
    assert head.endswith(said or "has not ended.")


def test_a_text_goes_by_the_model_that_wrote_it_also_in_a_branch(tmp_path):
    store, run, branch = branch_of_a_chain(tmp_path, "openai:a", "openai:b", "experiment-design")
    entries_of_run(store, branch.id, "mine")
    by = {kind: entry.model for kind in ("idea", "design") for entry, _ in of_kind(store, kind)}
    assert by == {"idea": "openai:a", "design": "openai:b"}
    entries_of_run(store, run.id, "theirs")
    ((design, _),) = store.entries.of(("theirs",), "design", 9)
    assert design.model == "openai:a"


def test_who_quotes_a_title_has_not_written_the_text(tmp_path):
    runner, model = runner_of(tmp_path, refine_script([True, True]))
    run = refinement(runner, rounds=1, people=("discriminator",))
    runner.workshop.named["scripted:two"] = ScriptedModel(model.script, "scripted:two")
    verdict = {"improved": True, "reason": "Version 1 is clearer."}
    assert runner.work(run.id) == "waiting"
    runner.answer(run.id, "round-1/verdict", verdict, "Ada")
    runner.wait(run.id, 30)
    branch = runner.fork(run.id, "round-1/revise", lambda config: all_by(config, "scripted:two"))
    assert runner.work(branch.id) == "done", "the verdict is taken over: the text is the same"
    assert Story.of(runner.store, branch.id).last(Outcome).idea.title == "Version 1"
    entries_of_run(runner.store, branch.id, "mine")
    assert [entry.model for entry, _ in of_kind(runner.store, "idea")] == ["scripted:two"]


@pytest.mark.parametrize(
    ("at", "by"), [("round-2/revise", "scripted:two"), ("round-2/verdict", "scripted:one")]
)
def test_who_judges_a_text_has_not_written_it(tmp_path, at, by):
    runner, model = runner_of(tmp_path, refine_script([True, True]))
    runner.workshop.named["scripted:two"] = ScriptedModel(model.script, "scripted:two")
    run = refinement(runner, rounds=2)
    assert runner.work(run.id) == "done"
    branch = runner.fork(run.id, at, lambda config: all_by(config, "scripted:two"))
    assert runner.work(branch.id) == "done"
    entries_of_run(runner.store, branch.id, "mine")
    assert [entry.model for entry, _ in of_kind(runner.store, "idea")] == [by]


def of_kind(store, kind):
    return store.entries.of(("mine",), kind, 9)


def test_a_kept_idea_of_a_branch_goes_by_the_model_that_wrote_it(tmp_path):
    store, _, branch = branch_of_a_chain(tmp_path, "openai:a", "openai:b", "experiment-design")
    idea = Story.of(store, branch.id).last(Outcome).idea
    entries_of_shelf(store, (store.ideas.save(idea, branch.id, "outcome"),), "mine")
    assert [entry.model for entry, _ in of_kind(store, "idea")] == ["openai:a"]
