"""A run's report: one document in three formats, in which texts stay text and the changes shown
lead to the new version.
"""

import io
import re

import pytest
from docx import Document
from markdown_it import MarkdownIt
from pypdf import PdfReader

from core import VERSION
from core.errors import StoreFailed
from core.export.blocks import Paragraph, Picture, Span
from core.export.files import export
from core.export.html import html
from core.export.markdown import markdown, written
from core.export.pdf import pdf
from core.export.report import report
from core.export.word import word
from core.judging.ranking import q_of
from core.methods.presets import NOVELTY
from core.records import (
    FORMS,
    Call,
    GivenUp,
    Idea,
    Lost,
    Measures,
    Origin,
    Outcome,
    Packed,
    Ranked,
    Standing,
    Step,
    label,
)
from core.story import Story
from tests.conftest import make_run
from tests.core.test_story import link, put
from tests.support.report_kit import FIRST, INPUTS, PAPER, finished, idea, in_three, rounds, said

FACTS = (
    "A test",
    "orexin and sleep",
    "sleep medicine",
    "InfAL: generator, optimizer and discriminator",
    "feasibility (traits: accessibility of resources",
    "one after the other",
    "2 verdicts in a row saw no significant improvement, or after 4 rounds for each quality",
    "openai:big",
    "openai:small",
    "Source of papers",
    "Built-in papers",
    "2026-01-01 00:00 UTC",
    "Orexin levels may improve sleep in athletes.",
    "Round 2 (feasibility)",
    "Name the measure, 2.",
    "(originality)",
    "Declined by Cleo: not to be answered.",
    "Ben asked (p1): Keep it cheap.",
    "Cleo declined r2.",
    "Dora rewrote version 1.",
    "Emil asked: One more. Filed too late for its version: kept, and not followed.",
    "no significant improvement (1 in a row)",
    "Reason 2.",
    "Side effect on novelty: worse. Less bold.",
    (
        "Similarity to the first idea 0.81, to the version before 0.93, to the nearest background"
        " paper 0.42 (Orexin"
    ),
    "Q for novelty: 0.50 (n = 2 ideas, 3 rankings)",
    "Note by Fay",
    "Is this ethical?",
    "Too kind.",
    "Stopped at the limit. The refined idea is that of round 2.",
    "Sleep is measured at home with actigraphy",
    "Scores by round",
    "(2021). Orexin and the sleep of athletes. Sleep Letters.",
    "doi:10.1/abc",
    "@article{lund2021orexin,",
)


def test_the_same_facts_are_in_all_three_formats(store):
    for name, text in in_three(store, finished(store)).items():
        assert [fact for fact in FACTS if fact not in text] == [], name


def changes_of(run_id: str, store) -> list[tuple[str, str]]:
    """Return older and newer method of every comparison the report shows, as its spans have
    them.
    """
    shown = [
        block.spans
        for block in report(store, run_id)
        if isinstance(block, Paragraph) and block.spans[0] == Span("Method.", "strong")
    ]
    kept = [
        [span for span in spans[2:] if span.look != "remark"]
        for spans in shown
        if any(span.look in ("added", "removed") for span in spans)
    ]
    return [
        (
            "".join(span.text for span in spans if span.look != "added"),
            "".join(span.text for span in spans if span.look != "removed"),
        )
        for spans in kept
    ]


def test_applying_the_changes_shown_gives_the_new_text(store):
    assert changes_of(finished(store), store) == [
        ("", "Sleep is measured with questionnaires"),
        ("Sleep is measured with questionnaires", "Sleep is measured at school"),
        ("Sleep is measured at school", "Sleep is measured at home with actigraphy"),
    ]


def test_changes_are_marked_in_every_format_and_name_their_remark(store):
    run = finished(store)
    assert "Sleep is measured at {--school--}{++home with actigraphy++}{>>r1<<}" in markdown(
        store, run
    )
    assert (
        "Sleep is measured at <del>school</del><ins>home with actigraphy</ins><sup>r1</sup>"
        in html(store, run)
    )
    changed = next(
        one
        for one in Document(io.BytesIO(word(store, run))).paragraphs
        if one.text.endswith("home with actigraphyr1")
    )
    looks = {
        one.text: (one.font.strike, one.underline, one.font.superscript) for one in changed.runs
    }
    assert looks["school"] == (True, None, None)
    assert looks["home with actigraphy"] == (None, True, None)
    assert looks["r1"] == (None, None, True)


def test_the_refined_idea_is_written_out_once_and_a_first_idea_that_stays_is_referred_to(store):
    whole = "**Method.** Sleep is measured at home with actigraphy\n"
    assert markdown(store, finished(store)).count(whole) == 1
    run = make_run(store, method="refine", version=2, inputs=INPUTS)
    put(
        store,
        run,
        ("round-0", FIRST),
        ("round-1", said(1, "Worse", False)),
        ("outcome", Outcome(reason="Converged.", idea=FIRST, converged=True)),
    )
    text = markdown(store, run.id)
    assert "It is the first idea, given below." in text
    assert text.count(f"{FIRST.text}\n") == 1


def test_the_result_stands_before_everything_else_and_a_round_names_what_it_left(store):
    run = finished(store)
    for text in in_three(store, run).values():
        order = [
            text.index(part)
            for part in (
                "The refined idea",
                "What changed",
                "Round 1",
                "Round 2",
                "The run",
                "What was asked",
            )
        ]
        assert order == sorted(order)
    same = ", ".join(label(name) for name in FORMS["six-field"] if name != "method")
    assert f"**Unchanged.** {same}.\n" in markdown(store, run)


def test_a_branch_tells_the_notes_its_parent_has_on_what_they_share(store):
    parent = finished(store)
    store.notes.add(parent, "round-1/review", "On the review of the first version.", "Hal")
    branch = make_run(store, method="refine", version=2, inputs=INPUTS)
    store.connections.write(
        "UPDATE runs SET parent = ?, fork_at = ? WHERE id = ?", parent, "round-2/wishes", branch.id
    )
    one, two = rounds()
    put(store, branch, ("round-0", FIRST), ("round-1", one), ("round-2", two))
    store.notes.add(branch.id, "round-1/idea", "Mine.", "Ida")
    for text in in_three(store, branch.id).values():
        assert f"Note by Fay, in the parent run {parent}, " in text
        assert "On the review of the first version." in text
        assert "Note by Ida, 2" in text
        assert "Too kind." not in text, "it is on a review the branch does not share"


def test_times_and_prices_are_plain_in_markdown():
    assert (
        written((Paragraph((Span("At 12:08 UTC for $0.0000, see snake_case #2."),)),))
        == "At 12:08 UTC for $0.0000, see snake_case #2.\n"
    )


def test_an_interval_is_plain_in_markdown_and_a_link_is_still_none():
    for text in ("0.44 [0.00, 1.00]", "76.7 % [34.3 %, 100.0 %] of all", "[-1.5, 2]"):
        assert written((Paragraph((Span(text),)),)) == f"{text}\n"
    links = ("[1, 2](x)", "[1, 2]: http", "![1, 2]", "[1, 2][3, 4]", "[a, b]", "[1]")
    for text in links:
        line = written((Paragraph((Span(text),)),))
        assert "\\[" in line
        (shown,) = MarkdownIt("commonmark").parse(f"{line}\n[1, 2]: http://x.org")[1:2]
        assert {child.type for child in shown.children} <= {"text", "text_special"}, text


def test_scores_stand_before_the_rounds_they_come_from(store):
    text = markdown(store, finished(store))
    assert text.index("## Scores by round") < text.index("## The first idea")


def test_a_run_of_version_1_reads_as_before(store):
    inputs = {
        "topic": "t",
        "area": "a",
        "goal": NOVELTY.model_dump(mode="json"),
        "rules": {"max_rounds": 3, "patience": 2},
        "context": [PAPER.model_dump(mode="json")],
    }
    run = make_run(store, method="refine", version=1, inputs=inputs)
    put(
        store,
        run,
        ("result-1", FIRST),
        ("result-2", said(1, "Sleep is asked about", False, goal="", quiet=2)),
        (
            "result-3",
            Outcome(
                reason="Converged.", idea=idea("Sleep is asked about"), round=1, converged=True
            ),
        ),
    )
    text = markdown(store, run.id)
    parts = (
        "## Round 1\n",
        "no significant improvement (2 in a row)",
        "Quality to improve: novelty (traits: creativity",
        "or after 3 rounds\n",
        PAPER.title,
    )
    assert [part for part in parts if part not in text] == []


def test_a_run_that_failed_half_way_says_how_it_stands(store):
    run = make_run(store, method="refine", version=2, inputs=INPUTS)
    put(store, run, ("round-0", FIRST), ("round-1", said(1, "Sleep is asked about", True)))
    epoch = store.runs.get(run.id).epoch
    store.runs.release(run.id, epoch, "failed", "The model could not be reached.")
    for text in in_three(store, run.id).values():
        assert "Sleep is asked about" in text
        assert "It has not ended; the run is failed. The model could not be reached." in text
        assert "The actors drew on no papers." in text


def test_a_chain_that_was_growing_when_it_failed_is_told_as_far_as_it_came(store):
    run = make_run(
        store,
        method="chain",
        version=2,
        inputs={"topic": "sleep", "before": "2022-01-01", "full_text": False, "without": []},
    )
    put(
        store,
        run,
        ("branch-1/anchor", link(2018, "anchor", 0)),
        ("branch-1/backward-1", link(2016, "backward", 1)),
        ("branch-2/anchor", link(2019, "anchor", 0)),
        ("branch-2/given-up", GivenUp(reason="Nothing cites it.")),
    )
    for text in in_three(store, run.id).values():
        order = [
            text.index(part)
            for part in (
                "It has not ended",
                "The chains",
                "Branch 1",
                "Papers so far, oldest first",
                "Study 2016",
                "Study 2018",
                "Branch 2",
                "Study 2019",
                "Nothing cites it.",
                "How the branches compared",
                "References",
                "What was asked",
                "References as BibTeX",
            )
        ]
        assert order == sorted(order)
        assert re.search("Only papers before:? ?2022-01-01", text)
        assert re.search("Open-access PDFs are read:? ?no", text)
    assert re.findall(r"^#+ .*", markdown(store, run.id), re.MULTILINE)[1:6] == [
        "## How it stands",
        "## The chains",
        "### Branch 1",
        "#### Papers so far, oldest first",
        "### Branch 2",
    ]
    alone = markdown(store, run.id, branch=2)
    assert "Study 2019" in alone
    assert "Study 2018" not in alone


def test_a_run_that_ended_without_an_idea_says_so_first(store):
    run = make_run(store, method="chain", version=2, inputs={"topic": "t"})
    put(store, run, ("branch-1/given-up", GivenUp(reason="Nothing cites it.")))
    store.runs.release(run.id, store.runs.get(run.id).epoch, "done", "")
    for text in in_three(store, run.id).values():
        assert text.index("It came to its end without a result.") < text.index("Nothing cites it.")
        assert "It has not ended" not in text


@pytest.mark.parametrize("method", ["refine", "chain", "rag"])
def test_a_run_with_nothing_to_show_has_a_report(store, method):
    run = make_run(
        store, method=method, version=2, inputs=INPUTS if method == "refine" else {"topic": "t"}
    )
    assert all(
        "It has not ended; the run is queued." in text for text in in_three(store, run.id).values()
    )


def test_several_ideas_have_one_part_each_and_their_common_ranking(store):
    run = make_run(store, method="refine", version=2, inputs=INPUTS | {"lines": 2})
    ranked = Ranked(shown=("1", "2", "t"), best_first=("1", "2", "t"), reasons=("", "", ""))
    put(
        store,
        run,
        ("target", idea("The target's method")),
        *(
            (f"idea-{n}/{place}", record)
            for n in (1, 2)
            for place, record in (
                ("round-0", Idea(form="hypothesis", fields={"hypothesis": f"Hypothesis {n}."})),
                ("round-1", said(1, f"Method {n}", True)),
                ("round-2/lost", Lost(part="revision of round 2", reason=f"No answer, {n}.")),
                ("outcome", Outcome(reason="Done.", idea=idea(f"Method {n}"), round=1, branch=n)),
            )
        ),
        ("ranking/round-1", Standing(goal="novelty", q=1, round=1, rankings=(ranked,))),
    )
    store.notes.add(run.id, "idea-2/round-0/review", "On the second.", "Fay")
    store.notes.add(run.id, "elsewhere", "On nothing shown.", "Gus")
    text = markdown(store, run.id)
    assert re.findall(r"^## Idea \d$", text, re.MULTILINE) == ["## Idea 1", "## Idea 2"]
    assert "| 1 | novelty | 1.00 (n = 2 ideas, 1 ranking) |" in text
    assert (
        text.index("## Idea 2")
        < text.index("On the second.")
        < text.index("## Other notes in the margin")
        < text.index("On nothing shown.")
    )
    assert "The target's method" in text
    lost = text.partition("## Failed and skipped")[2]
    assert all(f"- Idea {n}, revision of round 2: No answer, {n}." in lost for n in (1, 2))


@pytest.mark.parametrize("packed", [True, False])
def test_authored_texts_are_said_to_be_so_before_anything_else(store, packed):
    run = finished(store)
    if packed:
        study = Packed(
            title="Orexin", by="Ada", at="2026-01-02T00:00:00+00:00", sha="0" * 64, authored=True
        )
        store.connections.write(
            "UPDATE runs SET packed = ? WHERE id = ?", study.model_dump_json(), run
        )
    else:
        add_step(store, run, Origin(kind="authored", name="case study"))
    for text in in_three(store, run).values():
        assert text.index(
            "The texts of this run were written for a case study; no model wrote them."
        ) < text.index("Source of papers")
        assert re.search("Cost:? ?none: the texts were written for a case study", text)
        assert "openai:big" not in text


def test_a_branch_of_a_case_study_that_went_on_with_a_model_says_what_that_cost(store):
    run = finished(store)
    add_step(store, run, Origin(kind="authored", name="case study"))
    paid = Call(
        model="openai:big", cost=0.25, tokens_in=9, tokens_out=9, latency=1, outcome="accepted"
    )
    add_step(store, run, Origin(kind="model", name="openai:big"), (paid,))
    text = markdown(store, run)
    assert "Some texts of this run were written for a case study, by no model" in text
    assert "- Cost: $0.2500\n" in text


def add_step(store, run_id: str, origin: Origin, calls: tuple[Call, ...] = ()) -> None:
    """Put one step into a run."""
    epoch = store.runs.get(run_id).epoch
    n = store.steps.count(run_id)
    step = Step(
        run=run_id,
        key=f"round-{n}/first-idea",
        place=f"{n}",
        hash="h",
        request={},
        status="done",
        reply={},
        origin=origin,
        calls=calls,
        asked="2026-01-01T00:00:00+00:00",
        ended="2026-01-01T00:00:00+00:00",
    )
    store.steps.add(step, epoch)


def test_unknown_prices_and_token_counts_are_said_to_be_unknown(store):
    run = finished(store)
    add_step(
        store,
        run,
        Origin(kind="model", name="openai:big"),
        (Call(model="openai:big", latency=1.0, outcome="accepted"),),
    )
    for text in in_three(store, run).values():
        assert "1 call of unknown price" in text
        assert "tokens unreported" in text
        assert "0 tokens in" not in text
    told = Call(
        model="openai:big", tokens_in=90, tokens_out=10, cost=0.01, latency=1.0, outcome="accepted"
    )
    add_step(store, run, Origin(kind="model", name="openai:big"), (told,))
    for text in in_three(store, run).values():
        assert "at least 90 tokens in, 10 out, 1 of 2 calls unreported" in text
        assert "$0.0100 and 1 call of unknown price" in text


@pytest.mark.parametrize("ending", ["md", "html", "docx"])
def test_a_report_is_written_to_a_file(store, tmp_path, ending):
    run = finished(store)
    export(store, run, tmp_path / f"run.{ending}")
    assert (tmp_path / f"run.{ending}").stat().st_size > 2_000


def test_inputs_no_version_can_read_are_a_sentence(store):
    run = make_run(store, method="refine", version=9, inputs={"topic": "t", "game": "chess"})
    with pytest.raises(StoreFailed, match="another version of this program"):
        markdown(store, run.id)


def test_papers_are_linked_to_where_they_can_be_read_in_every_format(store):
    run, address = finished(store), "https://doi.org/10.1/abc"
    assert f"[doi:10.1/abc](<{address}>)" in markdown(store, run)
    assert f'<a href="{address}" rel="noreferrer">doi:10.1/abc</a>' in html(store, run)
    written = Document(io.BytesIO(word(store, run)))
    links = [link for paragraph in written.paragraphs for link in paragraph.hyperlinks]
    assert ("doi:10.1/abc", address) in [(link.text, link.address) for link in links]


def judged(store):
    """Return a run of two rounds, ranked with a target and measured."""
    run = make_run(store, method="refine", version=2, inputs=INPUTS)
    ranked = Ranked(shown=("target", "idea"), best_first=("idea", "target"), reasons=("", ""))
    stands = Standing(goal="_novelty$x$", q=1.0, rankings=(ranked,))
    measures = Measures(to_first=0.5, to_previous=0.6, to_nearest=0.1, nearest="w1")
    rounds = [
        said(n, method, better).model_copy(update={"measures": measures, "standings": (stands,)})
        for n, method, better in ((1, "Sleep at school", True), (2, "Sleep at home", False))
    ]
    put(store, run, ("round-0", FIRST), *((f"round-{one.n}", one) for one in rounds))
    return run.id


def test_a_refinements_scores_are_drawn_in_word_pdf_and_html_and_left_out_of_markdown(store):
    run = judged(store)
    seen = "Q for _novelty$x$ from 1.00 (version 1) to 1.00 (version 2)"
    (shape,) = Document(io.BytesIO(word(store, run))).inline_shapes
    assert seen in shape._inline.docPr.get("descr")
    pages = PdfReader(io.BytesIO(pdf(store, run))).pages
    assert sum(len(one.images) for one in pages) == 1
    assert html(store, run).count('<img src="data:image/svg+xml') == 1
    assert "Scores by version" not in markdown(store, run)
    assert "## Scores by round" in markdown(store, run)


def test_the_chart_has_a_panel_for_every_kind_of_score_and_is_the_same_each_time(store):
    from core.charts.score_picture import figure, score_chart

    (line,) = Story.of(store, judged(store)).lines
    drawn = figure(line, {1}, q_of, 6.2)
    assert [axes.get_ylabel() for axes in drawn.axes] == [
        "Q (bar: range over repeats)",
        "Similarity",
    ]
    q, near = drawn.axes
    assert [text.get_text() for text in q.get_legend().get_texts()] == [" _novelty$x$"]
    assert [list(one.get_ydata()) for one in near.lines[:1]] == [[0.5, 0.5]]
    assert near.lines[1].get_markerfacecolor() == "white", "the second round improved nothing"
    assert list(near.lines[1].get_xdata()) == [2]
    assert score_chart(line, {1}, q_of, "svg", 6.2) == score_chart(line, {1}, q_of, "svg", 6.2)


def test_several_ideas_have_a_chart_each_and_one_without_scores_none(store):
    run = make_run(store, method="refine", version=2, inputs=INPUTS)
    put(store, run, ("round-0", FIRST), ("round-1", said(1, "Worse", False)))
    assert not [one for one in report(store, run.id) if isinstance(one, Picture)]
    measures = Measures(to_first=0.5, to_previous=0.6)
    several = make_run(store, method="refine", version=2, inputs=INPUTS)
    put(
        store,
        several,
        *(
            part
            for n in (1, 2)
            for part in (
                (f"idea-{n}/round-0", FIRST),
                (f"idea-{n}/round-1", said(1, "A", True).model_copy(update={"measures": measures})),
            )
        ),
    )
    assert len([one for one in report(store, several.id) if isinstance(one, Picture)]) == 2


def test_a_report_says_on_top_what_it_was_made_with_and_on_which_day_the_run_ended(store):
    run = finished(store)
    begun = (
        f"Made with Idea Foundry {VERSION} from run {run}, which began on 1 January 2026 and has"
    )
    assert all(
        begun in text.split("Stopped at the limit")[0] for text in in_three(store, run).values()
    )
    ended = "2026-11-23T23:59:59.000+00:00"
    store.connections.write("UPDATE runs SET state = 'done', ended = ? WHERE id = ?", ended, run)
    line = f"Made with Idea Foundry {VERSION}, 23 November 2026, from run {run}."
    assert markdown(store, run).splitlines()[2] == f"*{line}*"
    assert line in " ".join(PdfReader(io.BytesIO(pdf(store, run))).pages[0].extract_text().split())


def test_a_row_of_a_table_stays_on_one_page_and_its_heads_stand_on_each(store):
    grids = Document(io.BytesIO(word(store, finished(store)))).tables
    (scores,) = [grid for grid in grids if grid.rows[0].cells[0].text == "Version"]
    marks = [[one.tag.split("}")[1] for one in row._tr.trPr] for row in scores.rows]
    assert marks[0] == ["cantSplit", "tblHeader"]
    assert all(row == ["cantSplit"] for row in marks[1:])
    sizes = {run.font.size.pt for cell in scores.rows[0].cells for run in cell.paragraphs[0].runs}
    assert sizes == {7.5}
    # At that size (an average letter is half as wide) no head's longest word is broken.
    across = 6.0 * 72 / len(scores.columns) - 11
    words = [word for cell in scores.rows[0].cells for word in re.split(r"[\s(]", cell.text)]
    assert max(map(len, words)) * 7.5 * 0.55 < across + 8
