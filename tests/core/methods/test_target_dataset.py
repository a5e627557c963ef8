"""The data set of targets: who qualifies, what a target is told by, and that every paper left out
and every shortfall is said.
"""

import json

import pytest

from core.errors import BadInput, ModelFailed
from core.experiments.targets import freeze
from core.experiments.targets import of_run as targets_of
from core.methods.criteria import CATEGORIES, criteria, criteria_from
from core.methods.target_dataset import TargetInputs, typed_target
from core.records import FORMS, Category, Criteria, Gathered, LeftOut, Paper, Target
from core.runs.estimates import of_run
from core.story import Story
from tests.conftest import SmallSource
from tests.support.dataset_kit import DataSource, found, question_script
from tests.support.scripted import configured, resumed, runner_of

SLEEP = Category(name="Sleep", query="sleep", venues=("Nap Journal",))
LIGHT = Category(name="Light", query="light")
CITED = [found(n) for n in range(3)]
BARE = found(9, id="bare", abstract="")


def published(n: int, **given: object) -> Paper:
    return found(
        n,
        **(
            {
                "id": f"s2:t{n:02}",
                "title": f"A published paper, number {n}",
                "citations": 30,
                "doi": f"10.1/{n}",
                "year": 2024,
            }
            | given
        ),
    )


def dataset(tmp_path, listing, script=None, categories=(SLEEP,), cites=None, **asked):
    """Work on a data set of two targets a category; return the runner, the model, the source and
    the run.
    """
    source = DataSource([*CITED, BARE], listing=listing)
    papers = [paper for listed in listing.values() for paper in listed]
    source.cites = {paper.id: [one.id for one in CITED] for paper in papers} | (cites or {})
    runner, model = runner_of(tmp_path, script or question_script(), source)
    inputs = TargetInputs(
        criteria=Criteria(categories=categories, **({"each": 2} | asked)), at_once=2
    )
    run = runner.begin(configured(runner, "target-dataset", inputs), "Targets")
    runner.work(run.id)
    return runner, model, source, runner.store.runs.get(run.id)


def test_a_target_has_six_fields_a_neutral_topic_and_the_abstracts_it_cites(tmp_path):
    runner, model, _, run = dataset(tmp_path, {"sleep": [published(n) for n in range(2)]})
    assert run.state == "done", run.reason
    made = targets_of(runner.store, run.id)
    assert {
        place
        for place, record in Story.of(runner.store, run.id).parts
        if isinstance(record, Target)
    } == {"target/t00", "target/t01"}
    used = {paper.id for one in made for paper in (one.paper, *one.background)}
    assert {paper.id for paper in runner.store.library.met(limit=1000)} == used, (
        "a run met its targets and their background"
    )
    for one in made:
        assert (one.category, one.topic, tuple(one.idea.fields)) == (
            "Sleep",
            "Sleep in young athletes",
            FORMS["six-field"],
        )
        assert one.background == tuple(CITED)
    assert of_run(run).calls == len(model.requests) == 4


def test_a_leading_venue_and_one_citation_qualify_or_many_citations_anywhere(tmp_path):
    listing = {
        "sleep": [
            published(0, citations=1, venue="Nap Journal"),
            published(1, citations=0, venue="Nap Journal"),
            published(2, citations=19),
            published(3, citations=20),
        ]
    }
    runner, _, _, run = dataset(tmp_path, listing, each=4)
    assert {one.paper.id for one in targets_of(runner.store, run.id)} == {"s2:t00", "s2:t03"}
    ended = Story.of(runner.store, run.id).last(Gathered)
    assert (ended.found, ended.wanted, ended.qualified) == (2, 4, 2)
    assert ended.reason.startswith("2 of 4 found")


def test_a_category_without_venues_is_listed_once(tmp_path):
    _, _, source, _ = dataset(
        tmp_path, {"light": [published(n) for n in range(2)]}, categories=(LIGHT,)
    )
    assert source.asked.count(("list", "light")) == 1


def test_a_paper_in_two_categories_or_twice_under_one_doi_is_one_target(tmp_path):
    twin = published(0, id="s2:t09", title="Another title for the same paper")
    listing = {"sleep": [published(0), twin], "light": [published(0), published(1)]}
    runner, _, _, run = dataset(tmp_path, listing, categories=(SLEEP, LIGHT))
    made = targets_of(runner.store, run.id)
    assert len({one.paper.doi for one in made}) == len(made) == 2
    assert [one.found for one in Story.of(runner.store, run.id).all(Gathered)] == [1, 1]


def test_a_paper_that_cannot_be_a_target_says_why_and_the_next_one_is_taken(tmp_path):
    listing = {"sleep": [published(n) for n in range(6)]}

    def fields(request):
        said = request.values["idea"].text
        if "number 4" in said:
            return ModelFailed("The model gave no usable answer.")
        return dict.fromkeys(FORMS["six-field"], "NONE" if "number 5" in said else "something")

    runner, _, _, run = dataset(
        tmp_path,
        listing,
        question_script(**{"six-fields": fields}),
        each=6,
        cites={"s2:t03": [], "s2:t02": ["bare"]},
    )
    story = Story.of(runner.store, run.id)
    why = {one.paper.id: one.reason for one in story.all(LeftOut)}
    assert {one.paper.id for one in targets_of(runner.store, run.id)} == {"s2:t00", "s2:t01"}
    assert "no usable answer" in why["s2:t04"]
    assert why["s2:t05"] == "Its abstract puts no idea forward."
    assert why["s2:t02"] == "No abstract is known of any of its references (1 known)."
    assert why["s2:t03"] == "Its references are not known to the source."
    assert story.last(Gathered).left_out == len(why)


def test_a_data_set_without_a_target_has_failed_and_says_of_each_category_why(tmp_path):
    runner, _, _, run = dataset(
        tmp_path, {"sleep": [published(0, citations=0)]}, categories=(SLEEP, LIGHT)
    )
    assert (run.state, run.reason[:38]) == ("failed", "No target was found in any category. E")
    assert [one.reason[:12] for one in Story.of(runner.store, run.id).all(Gathered)] == [
        "0 of 2 found"
    ] * 2


def test_no_more_papers_are_tried_than_are_needed(tmp_path):
    runner, model, _, run = dataset(tmp_path, {"sleep": [published(n) for n in range(12)]})
    assert len(targets_of(runner.store, run.id)) == 2
    assert len(model.requests) == 4


def test_references_without_an_abstract_are_no_background(tmp_path):
    runner, _, source, run = dataset(
        tmp_path, {"sleep": [published(0), published(1)]}, background=1
    )
    assert {len(one.background) for one in targets_of(runner.store, run.id)} == {1}
    source.known = {
        name: one.model_copy(update={"abstract": ""}) for name, one in source.known.items()
    }
    (tmp_path / "other").mkdir()
    runner, model = runner_of(tmp_path / "other", question_script(), source)
    again = runner.begin(
        configured(
            runner, "target-dataset", TargetInputs(criteria=Criteria(categories=(SLEEP,), each=2))
        ),
        "Targets",
    )
    runner.work(again.id)
    assert [one.reason for one in Story.of(runner.store, again.id).all(LeftOut)] == [
        "No abstract is known of any of its references (3 known)."
    ] * 2
    assert model.requests == []


def test_a_preprint_of_the_paper_itself_is_no_background_of_it(tmp_path):
    own = published(0, title="A published paper with a long title of its own")
    preprint = own.model_copy(
        update={
            "id": "s2:preprint",
            "doi": None,
            "arxiv": "2301.00001",
            "year": 2023,
            "abstract": "The very idea.",
        }
    )
    assert preprint.same(own)
    source = DataSource([*CITED, preprint], listing={"sleep": [own]})
    source.cites = {own.id: [preprint.id, *(one.id for one in CITED)]}
    runner, _ = runner_of(tmp_path, question_script(), source)
    run = runner.begin(
        configured(
            runner, "target-dataset", TargetInputs(criteria=Criteria(categories=(SLEEP,), each=1))
        ),
        "Targets",
    )
    runner.work(run.id)
    assert [one.background for one in targets_of(runner.store, run.id)] == [tuple(CITED)]


def test_a_source_that_fails_ends_the_run_and_resuming_asks_it_again(tmp_path):
    runner, _, source, run = dataset(
        tmp_path,
        {"sleep": [published(0), published(1)]},
        cites={"s2:t00": ["down"], "s2:t01": ["down"]},
    )
    assert run.state == "failed"
    assert Story.of(runner.store, run.id).all(LeftOut) == ()
    source.cites = {"s2:t00": ["p0"], "s2:t01": ["p1"]}
    assert resumed(runner, run.id) == "done"
    assert len(targets_of(runner.store, run.id)) == 2


def test_which_papers_are_drawn_depends_on_the_seed_alone(tmp_path):
    papers = [published(n) for n in range(4)]
    runs = [
        dataset(tmp_path / str(k), {"sleep": order})
        for k, order in enumerate((papers, papers[::-1]))
    ]
    made = [
        [one.paper.id for one in targets_of(runner.store, run.id)] for runner, _, _, run in runs
    ]
    assert made[0] == made[1]
    assert len(made[0]) == 2


def test_a_larger_data_set_takes_over_what_a_smaller_one_paid_for(tmp_path):
    runner, model, _, run = dataset(tmp_path, {"sleep": [published(n) for n in range(4)]})
    paid = len(model.requests)

    def larger(config):
        inputs = TargetInputs.model_validate(config.inputs)
        wanted = inputs.model_copy(
            update={"criteria": inputs.criteria.model_copy(update={"each": 4})}
        )
        return config.model_copy(update={"inputs": wanted.model_dump(mode="json")})

    fork = runner.fork(run.id, "extended", larger, place="0")
    assert runner.work(fork.id) == "done"
    assert len(targets_of(runner.store, fork.id)) == 4
    assert len(model.requests) - paid == 4


def test_a_topic_that_repeats_the_title_is_asked_again(tmp_path):
    said = iter(["On a published paper, number 0, and more", "Sleep in athletes"])
    runner, _, _, run = dataset(
        tmp_path,
        {"sleep": [published(0)]},
        question_script(**{"target-topic": lambda _: {"topic": next(said)}}),
        each=1,
    )
    assert targets_of(runner.store, run.id)[0].topic == "Sleep in athletes"


def test_a_source_that_cannot_list_is_a_sentence(tmp_path):
    runner, _ = runner_of(tmp_path, question_script(), SmallSource([], {}))
    run = runner.begin(
        configured(runner, "target-dataset", TargetInputs(criteria=Criteria(categories=(SLEEP,)))),
        "Targets",
    )
    assert runner.work(run.id) == "failed"
    assert (
        "cannot list papers by year, venue and citations; Semantic Scholar can"
        in runner.store.runs.get(run.id).reason
    )


def test_targets_are_frozen_by_their_content(tmp_path, store):
    one = typed_target("Naps restore memory.", "Sleep and memory", (found(1),), "Sleep")
    (frozen,) = freeze(store, (one, one))
    assert frozen.category == "Sleep"
    assert store.frozen.get(frozen.sha, Target) == one


@pytest.mark.parametrize(("text", "topic"), [("", "Sleep"), ("Naps help.", " ")])
def test_a_typed_target_needs_an_idea_and_a_topic(text, topic):
    with pytest.raises(BadInput, match="needs its idea, and a topic"):
        typed_target(text, topic)


# -- criteria ----------------------------------------------------------------------------------


def test_there_are_the_five_categories_of_the_paper_with_its_rule():
    made = criteria()
    assert [one.name for one in made.categories] == [
        "Health and Medicine",
        "Genetics and Molecular Biology",
        "Environmental Sciences",
        "Neuroscience and Cognitive Sciences",
        "Technology and Engineering",
    ]
    assert (made.in_venue, made.anywhere, made.year) == (1, 20, 2024)
    assert set(made.without) == {
        "Review",
        "Editorial",
        "Dataset",
        "News",
        "LettersAndComments",
        "Book",
        "BookSection",
    }
    assert all("," not in name for one in CATEGORIES for name in (*one.venues, *one.fields))


def test_criteria_are_chosen_by_name_and_read_from_a_file(tmp_path):
    assert [one.name for one in criteria(("technology and engineering",), each=65).categories] == [
        "Technology and Engineering"
    ]
    file = tmp_path / "criteria.json"
    file.write_text(
        json.dumps(
            {"year": 2023, "each": 5, "categories": [{"name": "Naps", "query": "nap | doze"}]}
        )
    )
    made = criteria_from(file, each=7)
    assert (made.year, made.each, made.categories[0].venues) == (2023, 7, ())


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "{",
        '{"year": "soon"}',
        '{"categories": []}',
        '{"venue": "Nature"}',
        '{"categories": [{"name": "A", "query": "a"}, {"name": "a", "query": "b"}]}',
    ],
)
def test_a_file_that_holds_no_criteria_is_a_sentence(tmp_path, text):
    file = tmp_path / "criteria.json"
    file.write_text(text)
    with pytest.raises(BadInput, match=r"criteria\.json"):
        criteria_from(file)


def test_an_unknown_category_is_a_sentence():
    with pytest.raises(BadInput, match="There is no category 'Alchemy'; there are Health"):
        criteria(("Alchemy",))
