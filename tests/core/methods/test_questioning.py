"""From a topic or a seed paper to question, keywords, papers and review: what is asked again, what
is rejected, what is never made up.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from core.methods.questioning import LEAST, MOST, QuestionInputs, citing, wording_rules
from core.records import Cited, Keywords, LiteratureReview, Paper, Prepared, Question
from core.story import Story
from tests.conftest import SmallSource
from tests.support.dataset_kit import KEYWORDS, QUESTION, found, question_script, reviewed
from tests.support.scripted import configured, prompts_asked, resumed, runner_of


def prepared(tmp_path, papers, script=None, **asked):
    """Work on a question over these papers; return the runner, the model, the run and what was
    prepared.
    """
    runner, model = runner_of(tmp_path, script or question_script(), SmallSource(papers, {}))
    run = runner.begin(
        configured(runner, "question", QuestionInputs(**({"topic": "Naps of athletes"} | asked))),
        "A question",
    )
    runner.work(run.id)
    return (
        runner,
        model,
        runner.store.runs.get(run.id),
        Story.of(runner.store, run.id).last(Prepared),
    )


def test_a_topic_becomes_a_question_with_a_review_that_cites_what_was_found(tmp_path):
    _, model, run, made = prepared(tmp_path, [found(n) for n in range(8)])
    assert run.state == "done", run.reason
    assert (made.question, made.keywords, len(made.papers), made.rejected) == (
        QUESTION,
        tuple(KEYWORDS),
        8,
        "",
    )
    assert "(Writera et al., 2000)" in made.review
    assert prompts_asked(model) == ["keywords", "literature-review", "question"]


def test_the_papers_of_a_question_come_into_the_library(tmp_path):
    runner, *_ = prepared(tmp_path, [found(n) for n in range(6)])
    assert runner.store.library.paper("p3").title == found(3).title


def test_a_question_somebody_wrote_is_not_asked_again(tmp_path):
    _, model, _, made = prepared(
        tmp_path, [found(n) for n in range(6)], question="How do naps help?"
    )
    assert (made.question, prompts_asked(model)) == (
        "How do naps help?",
        ["keywords", "literature-review"],
    )


def test_fewer_than_five_papers_reject_the_question_in_numbers_and_cost_no_review(tmp_path):
    papers = [*(found(n) for n in range(4)), *(found(n, abstract="") for n in range(4, 7))]
    _, model, run, made = prepared(tmp_path, papers)
    assert run.state == "done"
    assert made.rejected.startswith(
        "4 papers with an abstract were found for memory, sleep, athletes, orexin (7 were found, 3"
        " of them without an abstract)"
    )
    assert (made.review, len(made.papers)) == ("", 4)
    assert "literature-review" not in prompts_asked(model)


def test_a_source_that_fails_is_never_a_rejection_and_resuming_asks_it_again(tmp_path):
    papers = [found(n) for n in range(6)]
    runner, model = runner_of(tmp_path, question_script(), source := SmallSource(papers, {}))
    source.down = True
    run = runner.begin(configured(runner, "question", QuestionInputs(topic="Naps")), "A question")
    assert runner.work(run.id) == "failed"
    assert "did not answer" in runner.store.runs.get(run.id).reason
    assert Story.of(runner.store, run.id).last(Prepared) is None
    source.down = False
    assert resumed(runner, run.id) == "done"
    assert prompts_asked(model) == ["keywords", "literature-review", "question"]


class Strict(SmallSource):
    """Finds a paper by the words it holds, all of them, as OpenAlex does."""

    def search(self, query):
        self._ask("search", query.text)
        return tuple(
            p
            for p in self.known.values()
            if set(query.text.split()) <= set(p.title.lower().split())
        )[: query.limit]


@pytest.mark.parametrize(
    ("holds", "searches"),
    [("memory sleep athletes orexin", 5), ("memory sleep athletes", 5), ("sleep orexin", 11)],
)
def test_where_all_four_keywords_find_too_little_fewer_are_asked_for(tmp_path, holds, searches):
    source = Strict([found(n, title=f"{holds} {n}") for n in range(6)], {})
    runner, _ = runner_of(tmp_path, question_script(), source)
    run = runner.begin(configured(runner, "question", QuestionInputs(topic="Naps")), "A question")
    runner.work(run.id)
    assert len(Story.of(runner.store, run.id).last(Prepared).papers) == 6
    assert (source.asked[0], len(source.asked)) == (("search", " ".join(KEYWORDS)), searches)


def test_twenty_papers_are_taken_and_a_paper_found_twice_is_one(tmp_path):
    copies = [found(n, id=f"copy{n}") for n in range(10)]
    _, _, _, made = prepared(
        tmp_path, [*(found(n) for n in range(10)), *copies, *(found(n) for n in range(10, 30))]
    )
    assert len(made.papers) <= MOST
    assert len({paper.title for paper in made.papers}) == len(made.papers) >= LEAST


def test_the_seed_paper_is_no_answer_to_its_own_question(tmp_path):
    own = found(3)
    _, model, _, made = prepared(
        tmp_path, [*(found(n) for n in range(7)), found(3, id="elsewhere")], seed=own
    )
    assert own.title in next(one.text for one in model.requests if one.prompt == "keywords"), (
        "keywords are drawn from question and title"
    )
    assert made.seed == own
    assert not any(paper.same(own) for paper in made.papers)
    assert own.abstract in model.requests[0].text


def test_the_cut_off_holds(tmp_path):
    _, _, _, made = prepared(tmp_path, [found(n) for n in range(12)], before="2006-01-01")
    assert max(paper.published for paper in made.papers) < "2006-01-01"


def test_a_review_that_cites_a_paper_it_was_not_given_is_asked_again(tmp_path):
    said = iter(
        [
            reviewed(["Writera et al., 2000", "Nobody et al., 2019"]),
            reviewed(["Writera et al., 2000", "Writerb et al., 2001"]),
        ]
    )
    script = question_script() | {"literature-review": lambda _: {"review": next(said)}}
    _, model, run, made = prepared(tmp_path, [found(n) for n in range(6)], script)
    assert run.state == "done", run.reason
    assert "Nobody" not in made.review
    assert "Nobody, 2019 is not among the papers given" in str(model.requests[-1])


# -- what code can tell ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        "Who discovered the orexin receptor?",
        "How many hours do athletes sleep?",
        "What is the definition of sleep debt?",
        "Does this work? And why does it work?",
    ],
)
def test_a_question_to_look_up_or_a_pair_of_questions_is_asked_again(words):
    with pytest.raises(ValueError, match=r"look|one question"):
        wording_rules.check_question(Question(question=words))


@pytest.mark.parametrize(
    "words",
    [
        ["sleep", "Sleep", "orexin", "athletes"],
        ["sleep", "data analysis", "orexin", "athletes"],
        ["sleep", "mechanism", "orexin", "athletes"],
    ],
)
def test_keywords_that_repeat_or_fit_every_field_are_asked_again(words):
    with pytest.raises(ValueError, match=r"differ|fits every field"):
        wording_rules.check_keywords(Keywords(keywords=tuple(words)))


@pytest.mark.parametrize(
    "words",
    [["sleep"] * 3, ["a, b", "sleep", "orexin", "naps"], ["sleep?", "orexin", "naps", "memory"]],
)
def test_keywords_are_exactly_four_and_without_punctuation(words):
    with pytest.raises(ValidationError):
        Keywords(keywords=tuple(words))


def labels(*papers: Paper) -> list[str]:
    return [one.label for one in citing.cited_as(papers)]


def test_papers_are_cited_as_author_and_year():
    one = Paper(id="a", title="T", authors=("Ludwig van der Berg",), year=2019)
    several = Paper(
        id="b", title="U", authors=("Curie, Marie", "Pierre Curie"), published="2003-01"
    )
    assert labels(one, several, Paper(id="c", title="V")) == [
        "Berg, 2019",
        "Curie et al., 2003",
        "Anonymous, n.d.",
    ]


def test_papers_that_would_share_a_label_get_letters():
    twins = [
        Paper(id=f"p{n}", title=f"T{n}", authors=("Ann Lee", "Bo"), year=2020) for n in range(3)
    ]
    assert labels(*twins) == ["Lee et al., 2020a", "Lee et al., 2020b", "Lee et al., 2020c"]
    many = labels(*(twins[0].model_copy(update={"id": f"m{n}"}) for n in range(60)))
    assert (many[25:28], many[52], len(set(many))) == (
        ["Lee et al., 2020z", "Lee et al., 2020aa", "Lee et al., 2020ab"],
        "Lee et al., 2020ba",
        60,
    )
    assert set(citing.mentions(f"({many[27]})")) == {("lee", "2020ab")}


GIVEN = citing.cited_as(
    (
        Paper(id="a", title="T", authors=("Ann Smith", "Bo"), year=2020),
        Paper(id="b", title="U", authors=("Jean O'Neil-Brown",), year=2021),
    )
)
GOOD = "Naps help (Smith et al., 2020; see O'Neil-Brown, 2021)."


@pytest.mark.parametrize(
    "more",
    [
        "",
        "Smith et al. (2020) agree.",
        "O'Neil-Brown's (2021) view differs.",
        "From 2010 to 2019 little changed (in May 2018).",
    ],
)
def test_the_usual_ways_to_cite_what_was_given_pass(more):
    citing.check_citations(GIVEN, LiteratureReview(review=f"{GOOD} {more} " + "word " * 130))


@pytest.mark.parametrize(
    "more",
    [
        "(Jones et al., 2020)",
        "Jones (2020) agrees.",
        "Jones et al. (2020)",
        "(Smith et al., 2019)",
        "(Smith et al., 2020, 2022)",
        "(Smith et al., 2020b)",
        "Jones and Smith (2018)",
        "Jones et al., 2017",
        "May et al. (2017)",
        "[Jones, 2015]",
        "(see Jones & Li, 2011)",
        "(Smith et al., n.d.)",
    ],
)
def test_a_citation_of_what_was_not_given_is_refused(more):
    with pytest.raises(ValueError, match="is not among the papers given"):
        citing.check_citations(GIVEN, LiteratureReview(review=f"{GOOD} {more} " + "word " * 130))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (GOOD + " word" * 60 + " " * 400, "words"),
        (GOOD + " word" * 250, "words"),
        ("(Smith et al., 2020)" + " word" * 130, "at least two"),
        (f"{GOOD}\n\na\n\nb" + " word" * 130, "paragraphs"),
        (f"{GOOD} We propose naps." + " word" * 130, "propose nothing"),
    ],
)
def test_a_review_keeps_to_its_length_cites_and_proposes_nothing(text, said):
    with pytest.raises(ValueError, match=said):
        citing.check_citations(GIVEN, LiteratureReview(review=text))


NAMES = st.text(
    st.characters(categories=("Lu", "Ll", "Lo", "Nd", "Pd", "Po"), max_codepoint=0x24F),
    min_size=1,
    max_size=20,
)


@given(
    st.lists(
        st.tuples(st.lists(NAMES, max_size=3), st.integers(1800, 2099) | st.none()),
        min_size=2,
        max_size=6,
    )
)
def test_every_label_is_recognised_as_the_citation_of_its_paper(works):
    papers = [
        Paper(id=f"p{n}", title="T", authors=tuple(f"Ann {name}" for name in names), year=year)
        for n, (names, year) in enumerate(works)
    ]
    given: tuple[Cited, ...] = citing.cited_as(papers)
    assert len({one.label for one in given}) == len(papers)
    assert all(
        citing.mentions(f"({one.label})") or one.label.split(",")[0].casefold() in citing._NO_NAMES
        for one in given
    )
    whole = f"({'; '.join(one.label for one in given)})"
    assert set(citing.mentions(whole)) == {
        mention for one in given for mention in citing.mentions(f"({one.label})")
    }
