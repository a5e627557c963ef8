"""A report says who wrote its texts, whose words they quote, where every paper comes from, and
which text a similarity is of.
"""

from components.refine import scores
from core.charts.letters import stand_ins
from core.export.blocks import Picture
from core.export.citations import brought_in
from core.export.facts import facts, imprint
from core.export.html import html
from core.export.markdown import markdown
from core.export.report import report
from core.judging.ranking import q_of
from core.literature.shelf import on_shelf
from core.records import Measures, Outcome, Ranked, Search, Standing
from core.story import Story
from core.wording.summaries import MARK, MEANS
from tests.conftest import make_run
from tests.core.test_story import put
from tests.support.report_kit import FIRST, INPUTS, PAPER, finished, said

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
    assert [(one.paper.id, one.since) for one in brought_in(run, line, (PAPER,))] == [(OURS.id, 1)]
    assert brought_in(run, line, (PAPER, OURS)) == ()


def test_the_first_ideas_similarity_stands_beside_those_of_later_versions(store):
    first = Measures(to_first=1.0, to_previous=1.0, nearest=PAPER.id, to_nearest=0.37)
    run = by_rules(store, ("round-0/measures", first))
    told = markdown(store, run)
    assert "| 0 | – | – | – | – | – | 0.37 |" in told
    assert f"- Similarity to the nearest background paper 0.37 ({PAPER.title})." in told
    (line,) = Story.of(store, run).lines
    later = Measures(to_first=0.9, to_previous=0.9, nearest=PAPER.id, to_nearest=0.5)
    rounds = [line.rounds[0].model_copy(update={"measures": later})]
    drawn = scores.similarity_figure(rounds, None, "black", line.measures(0))
    near = {trace.name: (list(trace.x), list(trace.y)) for trace in drawn.data}
    assert near[scores.NEAREST] == ([0, 1], [0.37, 0.5])
    assert near["to the first idea"] == ([1], [0.9])
    rows = scores.moved_rows(rounds, {PAPER.id: PAPER.title}, line.measures(0))
    assert [row[scores.NEAREST.capitalize()] for row in rows] == [0.37, 0.5]


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
    legend = figure(line, q_of, 6.2).axes[0].get_legend()
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
