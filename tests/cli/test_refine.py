"""Refining from the command line: every variant, several qualities and ideas, people, branches,
wishes and notes.
"""

import json

import pytest

from core.runs.leases import me
from core.store import Store
from tests.support.headless import MODEL, cli, server
from tests.support.scripted import FIRST

__all__ = ["cli", "server"]
TOPIC = "retrieval of learned operators"
SIX = {
    name: f"Ada's {name}."
    for name in ("title", "problem", "objective", "hypothesis", "method", "expected_impact")
}


@pytest.fixture
def idea(tmp_path):
    file = tmp_path / "idea.txt"
    file.write_text(FIRST.text)
    return str(file)


@pytest.fixture
def refine(cli, idea):
    """Return what refines an idea for two rounds, no papers looked for, and gives (exit code,
    document).
    """

    def run(*words: str, start: tuple[str, ...] = ("--idea", idea), rounds: str = "2"):
        code, document, _ = cli(
            "refine", *start, "--model", MODEL, "--background", "0", "--max-rounds", rounds, *words
        )
        return code, document

    return run


@pytest.mark.parametrize(
    ("variant", "calls", "rounds"),
    [
        ("infal", 6, 2),
        ("review-rebuttal", 6, 2),
        ("self-reflection", 5, 2),
        ("no-discriminator", 4, 2),
        ("no-optimizer", 4, 2),
        ("initial", 1, 0),
    ],
)
def test_every_variant_plays_to_its_end(refine, server, variant, calls, rounds):
    code, document = refine(
        "--variant",
        variant,
        start=("--topic", TOPIC) if variant == "initial" else ("--topic", TOPIC, "--seed", "3"),
    )
    assert (code, document["state"], document["outcome"]["round"], len(document["rounds"])) == (
        0,
        "done",
        rounds,
        rounds,
    )
    first = 0 if variant == "initial" else 1
    assert document["calls"] == calls + first == len(server.calls)
    assert document["inputs"]["play"]["variant"] == variant
    assert {one["verdict"] is None for one in document["rounds"]} <= {variant == "no-discriminator"}
    assert {one["review"] is None for one in document["rounds"]} <= {variant == "no-optimizer"}


def test_the_printed_algorithm_can_be_asked_for(refine):
    code, document = refine("--printed")
    assert (code, document["calls"], document["inputs"]["play"]["rules"]["patience"]) == (
        0,
        1 + 4 * 2,
        1,
    )


@pytest.mark.parametrize(
    ("more", "goals"),
    [
        ((), ["novelty"] * 2 + ["feasibility"] * 2),
        (("--taking-turns",), ["novelty", "feasibility"] * 2),
    ],
)
def test_several_indicators_one_after_the_other_or_taking_turns(refine, more, goals):
    code, document = refine("--indicator", "novelty", "--indicator", "feasibility", *more)
    assert (code, [one["goal"] for one in document["rounds"]]) == (0, goals)
    assert all(
        len(one["effects"]) == 1 and one["effects"][0]["goal"] != one["goal"]
        for one in document["rounds"]
    )


def test_an_indicator_of_ones_own_is_kept_for_reuse(cli, refine):
    assert (
        refine("--indicator", "Ward use", "--trait", "safe", "--trait", "quick", rounds="1")[0] == 0
    )
    code, document = refine("--indicator", "ward use", rounds="1")
    assert (code, document["inputs"]["play"]["goals"]) == (
        0,
        [{"name": "Ward use", "traits": ["safe", "quick"]}],
    )


def test_several_ideas_are_refined_side_by_side_and_ranked_with_a_target(refine, idea):
    code, document = refine(
        "--ideas", "3", "--target", idea, "--repeats", "2", start=("--topic", TOPIC), rounds="1"
    )
    assert (code, len(document["lines"])) == (0, 3)
    assert [
        (one["round"], len(one["rankings"]), len(one["rankings"][0]["shown"]))
        for one in document["rankings"]
    ] == [(0, 2, 4), (1, 2, 4)]
    assert document["target"]["form"] == "six-field"


def test_one_idea_is_ranked_with_a_target_in_every_round(refine, idea):
    code, document = refine("--target", idea, "--as-they-are")
    assert (code, document["target"]["form"]) == (0, "hypothesis")
    assert [len(document["standings"]), *(len(one["standings"]) for one in document["rounds"])] == [
        1,
        1,
        1,
    ]


def test_background_is_pasted_or_named(refine, cli, tmp_path):
    pasted = tmp_path / "abstracts.txt"
    pasted.write_text("Naps and memory\nNaps helped forty swimmers.\n\nLight\nLight did not.")
    code, document, _ = cli(
        "refine",
        "--topic",
        TOPIC,
        "--model",
        MODEL,
        "--variant",
        "initial",
        "--abstracts",
        str(pasted),
    )
    assert (code, [paper["title"] for paper in document["inputs"]["context"]]) == (
        0,
        ["Naps and memory", "Light"],
    )


def test_each_role_has_the_model_given_for_it(refine, server):
    _, document = refine(
        "--optimizer-model", "openai:reviewer", "--discriminator-model", "openai:chair", rounds="1"
    )
    assert sorted(call["model"] for call in server.calls) == ["chair", "reviewer", "test-model"]
    assert document["models"] == {
        "generator": MODEL,
        "optimizer": "openai:reviewer",
        "discriminator": "openai:chair",
        "judge": MODEL,
    }


def test_a_person_reviews_from_the_command_line(cli, refine):
    code, parked = refine("--person", "optimizer", rounds="1")
    assert (code, parked["state"]) == (4, "waiting")
    _, shown, _ = cli("show", parked["run"])
    assert [one["key"] for one in shown["questions"]] == ["round-0/review"]
    review = json.dumps({"summary": "Too safe.", "remarks": [{"id": "r1", "text": "Be bold."}]})
    code, bad, _ = cli(
        "answer", parked["run"], "round-0/review", "--with", '{"summary": "Fine."}', "--by", "Ada"
    )
    assert (code, "does not fit" in bad["reason"]) == (2, True)
    code, document, _ = cli(
        "answer", parked["run"], "round-0/review", "--with", review, "--by", "Ada"
    )
    assert (code, document["rounds"][0]["review"]["summary"], document["calls"]) == (
        0,
        "Too safe.",
        2,
    )


def test_stepping_in_waits_before_every_revision(cli, refine):
    code, parked = refine("--step-in", rounds="1")
    assert (code, parked["state"]) == (4, "waiting")
    said = json.dumps({"wishes": [{"text": "Think of girls.", "by": "Ada"}]})
    code, document, _ = cli("answer", parked["run"], "round-1/go-ahead", "--with", said)
    assert (code, [one["text"] for one in document["rounds"][0]["wishes"]]) == (
        0,
        ["Think of girls."],
    )


def test_wishes_wait_for_the_next_revision(cli, refine, idea):
    _, parked = refine("--step-in", rounds="1")
    code, document, _ = cli(
        "wish",
        parked["run"],
        "--wish",
        "More naps.",
        "--decline",
        "0:r1",
        "--rewrite",
        f"0={idea}",
        "--by",
        "Ada",
    )
    assert (code, document["pending"]) == (
        0,
        [
            {"text": "More naps.", "by": "Ada"},
            {"by": "Ada", "decline": "r1", "of": 0},
            {"by": "Ada", "idea": FIRST.model_dump(mode="json"), "of": 0},
        ],
    )
    code, document, _ = cli("answer", parked["run"], "round-1/go-ahead", "--with", "{}")
    first = document["rounds"][0]
    assert (
        code,
        len(first["wishes"]),
        first["base"],
        [one["late"] for one in first["wishes"]],
    ) == (0, 3, FIRST.model_dump(mode="json"), [False] * 3)


def test_a_branch_goes_on_from_a_round_with_other_settings_and_a_wish(cli, refine, server):
    _, made = refine()
    before = len(server.calls)
    code, off, _ = cli(
        "branch",
        made["run"],
        "--after",
        "1",
        "--indicator",
        "feasibility",
        "--variant",
        "review-rebuttal",
        "--max-rounds",
        "1",
        "--wish",
        "More naps.",
        "--by",
        "Ada",
    )
    assert (code, off["parent"], [one["goal"] for one in off["rounds"]]) == (
        0,
        made["run"],
        ["novelty", "feasibility"],
    )
    assert off["rounds"][0] == made["rounds"][0]
    assert off["rounds"][1]["wishes"][0]["text"] == "More naps."
    assert off["calls"] == len(server.calls) - before == 3


def test_a_branch_asks_another_model_from_there(cli, refine, server):
    _, made = refine()
    before = len(server.calls)
    code, off, _ = cli(
        "branch", made["run"], "--after", "1", "--model", "openai:other", "--max-rounds", "1"
    )
    assert (code, off["models"]) == (
        0,
        dict.fromkeys(("generator", "optimizer", "discriminator", "judge"), "openai:other"),
    )
    assert {call["model"] for call in server.calls[before:]} == {"other"}


def test_a_note_is_kept_beside_the_run(cli, refine, tmp_path):
    _, made = refine(rounds="1")
    code, document, _ = cli("note", made["run"], "round-1/idea", "Is this new?", "--by", "Ada")
    assert (code, document["note"]["text"], document["note"]["by"]) == (0, "Is this new?", "Ada")
    assert [one.about for one in Store(tmp_path / "data").notes.of(made["run"])] == ["round-1/idea"]


def test_a_waiting_run_is_not_stopped_after_its_round(cli, refine):
    _, parked = refine("--step-in", rounds="1")
    code, document, _ = cli("stop", parked["run"], "--after-round")
    assert (code, "waits for a person" in document["reason"]) == (2, True)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--variant", "chess"), "invalid choice"),
        (("--patience", "0"), "Patience"),
        (("--patience", "11"), "Patience"),
        (("--max-rounds", "99"), "Max rounds"),
        (("--max-rounds", "0"), "Max rounds"),
        (("--ideas", "9"), "Lines"),
        (("--ideas", "0"), "Lines"),
        (("--repeats", "10"), "Repeats"),
        (("--background", "-1"), "K:"),
        (("--printed", "--patience", "2"), "patience of 1"),
        (("--printed", "--person", "optimizer"), "models alone"),
        (("--person", "judge"), "invalid choice"),
        (("--variant", "no-optimizer", "--person", "optimizer"), "plays the optimizer"),
        (("--variant", "self-reflection", "--person", "generator"), "plays the"),
        (("--indicator", "beauty"), "at least one trait"),
        (("--indicator", "novelty", "--indicator", "novelty"), "same name"),
        (("--indicator", "a", "--indicator", "b", "--trait", "x"), "one --indicator"),
        (("--variant", "initial"), "leave out the idea"),
        (("--target", "/no/such/file"), "cannot be read"),
        (("--paper", "nope"), "no paper 'nope'"),
        (("--abstracts", "/no/such/file"), "/no/such/file"),
        (("--judge-model", "nope"), "no model 'nope'"),
    ],
)
def test_what_cannot_be_played_is_one_sentence_and_exit_2(refine, server, words, says):
    code, document = refine(*words)
    assert (code, document["state"]) == (2, "refused"), document
    assert says in document["reason"]
    assert server.calls == []


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("branch", "--after", "9"), "no round 9"),
        (("branch", "--after", "-1"), "no round -1"),
        (("branch", "--after", "1", "--line", "2"), "no round 1"),
        (("branch",), "required: --after"),
        (("branch", "--after", "1", "--decline", "1"), "a wish is"),
        (("branch", "--after", "1", "--rewrite", "1=/no"), "cannot be read"),
        (("branch", "--after", "1", "--patience", "0"), "Patience"),
        (("branch", "--after", "1", "--variant", "initial"), "in no round"),
        (("wish", "--line", "2", "--wish", "More."), "no idea 2"),
        (("branch", "--after", "1", "--decline", "x:r1"), "no version"),
        (("branch", "--after", "1", "--wish", " "), "write the remark first"),
        (("branch", "--after", "1", "--model", "nope"), "no model 'nope'"),
        (("wish", "--wish", "More."), "finished"),
        (("note", "chapter-1", "x"), "no place"),
        (("note", "round-1/idea", ""), "needs a text"),
    ],
)
def test_what_cannot_be_done_to_a_run_is_one_sentence_and_exit_2(cli, refine, words, says):
    _, made = refine(rounds="1")
    code, document, _ = cli(words[0], made["run"], *words[1:])
    assert (code, document["state"]) == (2, "refused"), document
    assert says.lower() in document["reason"].lower()


@pytest.mark.parametrize(
    "words",
    [
        ("branch", "nope", "--after", "1"),
        ("wish", "nope", "--wish", "x"),
        ("note", "nope", "round-1/idea", "x"),
    ],
)
def test_a_run_nobody_knows_is_said_to_be_none(cli, words):
    code, document, _ = cli(*words)
    assert (code, "no run 'nope'" in document["reason"]) == (2, True)


def test_a_chain_has_no_rounds_and_takes_no_wishes(cli):
    _, chained, _ = cli(
        "chain",
        "sleep and memory in athletes",
        "--branches",
        "1",
        "--length",
        "0",
        "--model",
        MODEL,
        "--cheap-model",
        MODEL,
    )
    for words in (
        ("branch", chained["run"], "--after", "0"),
        ("wish", chained["run"], "--wish", "More."),
    ):
        code, document, _ = cli(*words)
        assert (code, "no refinement" in document["reason"]) == (2, True)


def test_a_run_at_work_is_asked_to_stop_after_its_round(cli, refine, tmp_path):
    _, parked = refine("--step-in", rounds="1")
    store = Store(tmp_path / "data")
    store.runs.enqueue(parked["run"], me())
    epoch = store.runs.claim(parked["run"], me(), store.runs.lease(parked["run"])["epoch"])
    code, document, _ = cli("stop", parked["run"], "--after-round")
    assert (code, document["note"]) == (0, "asked to stop")
    assert store.runs.beat(parked["run"], epoch) == "round"
