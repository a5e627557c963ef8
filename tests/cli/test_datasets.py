"""Questions and data sets headless, over loopback services: what is asked of them, what comes out,
and what is refused beforehand.
"""

import csv
import json

import pytest

from core import settings
from core.errors import BadInput, SourceFailed
from core.literature.corpora import CorpusListing, Sample, lister, sampler
from core.literature.openalex import OpenAlexSource
from core.literature.opening import open_source
from core.literature.semantic_scholar import SemanticScholarSource
from core.methods.questioning.citing import cited_as
from core.records import Paper, Prepared, Target
from tests.conftest import WordEmbedder
from tests.support.dataset_kit import asking
from tests.support.headless import MODEL, cli
from tests.support.servers.openai_server import OpenAIServer
from tests.support.servers.openalex_server import OpenAlexServer
from tests.support.servers.scholar_server import ScholarServer, default_graph, paper_id

__all__ = ["cli"]
WORDS = "hypothesis | idea"


def graph() -> list[dict]:
    """Return the built-in papers, some in a leading venue, some of a type that is left out."""
    return [
        paper
        | {
            "venue": "Nature" if n % 2 else "Elsewhere",
            "publicationTypes": ["Review"] if n % 7 == 0 else ["JournalArticle"],
            "fieldsOfStudy": ["Computer Science"],
            "year": 2024,
            "publicationDate": f"2024-{1 + n % 12:02}-01",
            "sourceType": "repository" if n == 1 else "journal",
            "retracted": n == 2,
        }
        for n, paper in enumerate(default_graph())
    ]


@pytest.fixture
def server():
    with OpenAIServer(script=asking) as server:
        yield server


@pytest.fixture(autouse=True)
def scholar(monkeypatch):
    with ScholarServer(graph()) as scholar:
        monkeypatch.setenv("FOUNDRY_SEMANTIC_SCHOLAR_URL", scholar.url)
        yield scholar


@pytest.fixture
def openalex(monkeypatch, cli):
    with OpenAlexServer(graph()) as running:
        monkeypatch.setenv("FOUNDRY_OPENALEX_URL", running.url)
        monkeypatch.setenv("FOUNDRY_OPENALEX_INTERVAL", "0.001")
        yield running


@pytest.fixture
def criteria(tmp_path):
    file = tmp_path / "criteria.json"
    file.write_text(
        json.dumps(
            {
                "each": 3,
                "categories": [
                    {
                        "name": "Ideas",
                        "query": WORDS,
                        "fields": ["Computer Science"],
                        "venues": ["Nature"],
                    }
                ],
            }
        )
    )
    return str(file)


def test_a_question_comes_with_its_review(cli):
    code, document, _ = cli(
        "question",
        "--topic",
        "Generating hypotheses",
        "--source",
        "semantic-scholar",
        "--model",
        MODEL,
    )
    assert code == 0, document["reason"]
    assert document["prepared"]["question"].endswith("?")
    assert len(document["prepared"]["papers"]) >= 5
    papers = [Paper.model_validate(one) for one in document["prepared"]["papers"]]
    assert cited_as(papers)[0].label in document["prepared"]["review"]


def test_a_question_starts_from_a_paper_and_may_be_ones_own(cli):
    code, document, _ = cli(
        "question",
        "--seed-paper",
        f"s2:{paper_id('a3')}",
        "--source",
        "semantic-scholar",
        "--model",
        MODEL,
        "--question",
        "How do ideas come about?",
    )
    assert code == 0, document.get("reason")
    assert (document["prepared"]["question"], document["prepared"]["seed"]["id"]) == (
        "How do ideas come about?",
        f"s2:{paper_id('a3')}",
    )


def test_works_are_sampled_by_the_criteria_of_the_paper_and_become_a_data_set(
    cli, openalex, tmp_path
):
    code, document, _ = cli(
        "dataset",
        "seeds",
        "--works",
        "4",
        "--year",
        "2024",
        "--sample-seed",
        "7",
        "--model",
        MODEL,
        "--cap-tokens",
        "10000000",
    )
    assert code == 0, document["reason"]
    asked = next(one.query for one in openalex.asked if "sample" in one.query)
    assert asked["filter"] == (
        "publication_year:2024,type:article,has_abstract:true,is_retracted:false,"
        "primary_location.source.type:journal|conference"
    )
    assert (asked["sample"], asked["seed"], asked["per_page"], "cursor" in asked) == (
        "4",
        "7",
        "100",
        False,
    )
    assert document["dataset"]["made"] + len(document["dataset"]["rejected"]) == 4
    assert document["dataset"]["gathered"][0]["qualified"] == 4
    file = tmp_path / "questions.jsonl"
    code, told, _ = cli("dataset", "export", document["run"], str(file))
    kept = [Prepared.model_validate_json(line) for line in file.read_text("utf-8").splitlines()]
    assert (code, told["rows"], len(kept)) == (
        0,
        document["dataset"]["made"],
        document["dataset"]["made"],
    )


def test_targets_are_listed_by_the_criteria_and_become_a_data_set(cli, scholar, criteria, tmp_path):
    code, document, _ = cli(
        "dataset", "targets", "--criteria", criteria, "--year", "2024", "--model", MODEL
    )
    assert code == 0, document["reason"]
    lists = [one.query for one in scholar.asked if one.path.endswith("/bulk")]
    assert [(one.get("venue"), one["minCitationCount"]) for one in lists] == [
        (None, "20"),
        ("Nature", "1"),
    ]
    assert {(one["query"], one["year"], one["fieldsOfStudy"], "limit" in one) for one in lists} == {
        (WORDS, "2024", "Computer Science", False)
    }
    assert document["dataset"]["gathered"][0]["found"] == document["dataset"]["made"] == 3
    file = tmp_path / "targets.csv"
    assert cli("dataset", "export", document["run"], str(file))[0] == 0
    rows = list(csv.DictReader(file.open(encoding="utf-8")))
    assert [row["category"] for row in rows] == ["Ideas"] * 3
    assert all(row["background"] and row["topic"] for row in rows)
    lines = tmp_path / "targets.jsonl"
    cli("dataset", "export", document["run"], str(lines))
    assert [
        Target.model_validate_json(line).paper.id for line in lines.read_text("utf-8").splitlines()
    ] == [row["id"] for row in rows]


@pytest.mark.parametrize(
    "words",
    [
        ("question", "--topic", "sleep"),
        ("dataset", "seeds", "--works", "3"),
        ("dataset", "targets", "--each", "2"),
    ],
)
def test_the_built_in_model_is_refused_before_anything_is_begun(cli, words):
    code, document, _ = cli(*words)
    assert (code, document["run"]) == (2, None)
    assert (
        "understands what it reads, and 'builtin' does not. Choose a language model"
        in document["reason"]
    )
    assert cli("runs")[1]["runs"] == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("dataset", "seeds", "--source", "shelf"), "cannot draw works at random"),
        (("dataset", "targets", "--source", "library"), "cannot list papers"),
        (
            ("dataset", "targets", "--model", MODEL, "--category", "Alchemy"),
            "There is no category 'Alchemy'",
        ),
        (("dataset", "targets", "--model", MODEL, "--each", "0"), "each is not usable"),
        (("dataset", "seeds", "--model", MODEL, "--works", "0"), "Works:"),
        (("dataset", "export", "nope", "x.jsonl"), "nope"),
        (("dataset", "export", "nope", "x.txt"), "choose a name that ends in"),
        (("question", "--model", MODEL), "The topic is empty"),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(cli, words, said):
    code, document, _ = cli(*words)
    assert (code, said in document["reason"]) == (2, True), document["reason"]


# -- the services ------------------------------------------------------------------------------


def open_scholar(url: str, store) -> SemanticScholarSource:
    return SemanticScholarSource(
        settings.read(
            {},
            semantic_scholar_url=url,
            semantic_scholar_interval=0.0,
            patience=0.0,
            read_timeout=2.0,
        ),
        store.library,
    )


def listing(**given) -> CorpusListing:
    return CorpusListing(
        **({"words": WORDS, "year": 2024, "without": ("Review",), "keep": 100, "seed": 1} | given)
    )


def test_a_list_goes_on_by_its_token_and_says_what_was_left_out(scholar, store):
    scholar.bulk_page = 4
    source = open_scholar(scholar.url, store)
    pages = [source.listed(listing())]
    while pages[-1].next:
        pages.append(source.listed(listing(), pages[-1].next))
    names = [paper.id for page in pages for paper in page.papers]
    assert len(pages) > 1
    assert len(set(names)) == len(names)
    assert sum(page.read for page in pages) == pages[0].matching
    assert (
        sum(len(page.papers) + page.of_other_types + page.without_abstract for page in pages)
        == pages[0].matching
    )
    assert sum(page.of_other_types for page in pages) > 0


def test_what_is_kept_of_a_page_is_drawn_by_the_seed(scholar, store):
    source = open_scholar(scholar.url, store)
    drawn = {
        seed: [paper.id for paper in source.listed(listing(seed=seed, keep=3)).papers]
        for seed in (1, 2)
    }
    assert drawn[1] != drawn[2]
    assert drawn[1] == [paper.id for paper in source.listed(listing(seed=1, keep=100)).papers][:3]


@pytest.mark.parametrize(
    "kind", ["400", "500", "null", "no data", "other shape", "html", "wrong types"]
)
def test_a_list_that_fails_is_a_failure_and_no_empty_list(scholar, store, kind):
    scholar.fail("/bulk", kind)
    with pytest.raises(SourceFailed):
        open_scholar(scholar.url, store).listed(listing())


def test_a_venue_with_a_comma_is_refused(scholar, store):
    with pytest.raises(BadInput, match="with a comma"):
        open_scholar(scholar.url, store).listed(listing(venues=("Energy, Water and Waste",)))


def test_a_sample_is_the_same_for_the_same_seed_and_ends(openalex, store):
    source = OpenAlexSource(
        settings.read({}, openalex_url=openalex.url, openalex_interval=0.0), store.library
    )
    one, again, other = (
        source.sample(Sample(year=2024, works=10, seed=seed), 1) for seed in (5, 5, 6)
    )
    assert one == again != other
    assert len(one) == 10
    assert all(paper.abstract and paper.year == 2024 for paper in one)
    assert source.sample(Sample(year=2024, works=10, seed=5), 2) == ()


@pytest.mark.parametrize("kind", ["400", "null", "no data", "html"])
def test_a_sample_that_fails_is_a_failure_and_no_empty_sample(openalex, store, kind):
    openalex.fail("sample=", kind)
    with pytest.raises(SourceFailed):
        OpenAlexSource(
            settings.read({}, openalex_url=openalex.url, openalex_interval=0.0, patience=0.0),
            store.library,
        ).sample(Sample(year=2024, works=10, seed=5), 1)


@pytest.mark.parametrize(
    "name", ["openalex", "semantic-scholar|openalex", "library+semantic-scholar|openalex"]
)
def test_a_source_made_of_several_samples_with_the_part_that_can(store, name):
    source = open_source(name, settings.read({}), store, WordEmbedder())
    assert sampler(source).name == "openalex"
    if "semantic" in name:
        assert lister(source).name == "semantic-scholar"
