"""Asking until the answer can be used, with every try accounted for; through LangChain against a
loopback server.
"""

import pytest

from core.errors import CannotAnswer, ModelFailed, Stopped
from core.models.asking import answer
from core.records import Review, Verdict
from tests.support.model_kit import VERDICT, Listener, asked, model_at
from tests.support.servers.openai_server import OpenAIServer


def replies(*said):
    """Return a script that gives these replies one after another."""
    left = list(said)
    return lambda body: left.pop(0)


def test_an_accepted_answer_comes_with_tokens_and_latency(tmp_path):
    with OpenAIServer(script=lambda body: VERDICT, latency=0.1) as server:
        got = answer(model_at(server, tmp_path), asked(), Verdict, Listener())
    assert got.value == Verdict(**VERDICT)
    (call,) = got.calls
    assert (call.outcome, call.model, call.cost) == ("accepted", "openai:test-model", None)
    assert call.tokens_in > 0
    assert call.tokens_out > 0
    assert 0.1 <= call.latency < 0.5


@pytest.mark.parametrize(
    ("bad", "complaint"),
    [
        ("Yes.", "no JSON object"),
        ('{"improved": tr', "not valid JSON"),
        ({"improved": True}, "reason: is missing"),
        ("", "empty"),
    ],
)
def test_a_bad_answer_is_asked_again_with_its_fault_named(tmp_path, bad, complaint):
    with OpenAIServer(script=replies(bad, VERDICT)) as server:
        got = answer(model_at(server, tmp_path), asked(), Verdict, seen := Listener())
    assert [complaint in got.calls[0].outcome, got.calls[1].outcome] == [True, "accepted"]
    said = server.calls[1]["messages"]
    assert [message["role"] for message in said] == ["system", "user", "assistant", "user"]
    assert complaint in said[3]["content"]
    assert any("asking again" in note and complaint in note for note in seen.notes)


def test_a_check_of_the_method_is_put_to_the_model_in_its_own_words(tmp_path):
    def check(verdict):
        if "specific" not in verdict.reason:
            raise ValueError("the reason names no trait")

    with OpenAIServer(script=replies({"improved": False, "reason": "no"}, VERDICT)) as server:
        got = answer(model_at(server, tmp_path), asked(), Verdict, Listener(), check)
    assert got.calls[0].outcome == "the reason names no trait"
    assert "the reason names no trait" in server.calls[1]["messages"][-1]["content"]


def test_after_four_bad_answers_the_failure_keeps_their_text_and_cost(tmp_path):
    with (
        OpenAIServer(script=replies("one", "two", "three", "four")) as server,
        pytest.raises(ModelFailed, match="4 tries") as failed,
    ):
        answer(model_at(server, tmp_path), asked(), Verdict, Listener())
    assert [call.raw for call in failed.value.calls] == ["one", "two", "three", "four"]
    assert all(call.tokens_out and "no JSON object" in call.outcome for call in failed.value.calls)
    assert "'verdict'" in str(failed.value)


def test_a_refusal_in_openais_own_field_is_named_as_one(tmp_path):
    with (
        OpenAIServer(faults={"refusal": 1}) as server,
        pytest.raises(ModelFailed, match="refused: I cannot help") as failed,
    ):
        answer(model_at(server, tmp_path), asked(), Verdict, Listener())
    assert "I cannot help" in failed.value.calls[0].raw


LONG = {"improved": True, "reason": "because " * 400}
"""Some 800 tokens, as the loopback server counts them."""


def limited(tokens):
    return asked(sampling=asked().sampling.model_copy(update={"max_tokens": tokens}))


def test_an_answer_cut_at_its_limit_is_asked_again_with_more_room(tmp_path):
    with OpenAIServer(script=lambda body: LONG) as server:
        got = answer(model_at(server, tmp_path), limited(64), Verdict, Listener())
    assert got.value.reason == LONG["reason"].strip()
    assert [body["max_completion_tokens"] for body in server.calls] == [64, 256, 1024]
    assert {len(body["messages"]) for body in server.calls} == {2}, (
        "the question is the same: nothing of the reply was at fault"
    )
    assert [call.outcome for call in got.calls] == [
        "cut off at 64 tokens",
        "cut off at 256 tokens",
        "accepted",
    ]


@pytest.mark.parametrize(
    "refusal",
    [
        (
            "max_tokens is too large: {asked}. This model supports at most 300 completion tokens,"
            " whereas you provided {asked}."
        ),
        (
            "max_tokens: {asked} > 300, which is the maximum allowed number of output tokens for"
            " this model"
        ),
        "max_output_tokens must be in range [1, 300]",
    ],
)
def test_more_room_ends_where_the_model_ends_and_the_reply_is_asked_for_shorter(tmp_path, refusal):
    short = {"improved": True, "reason": "because"}
    with OpenAIServer(script=lambda body: short if len(body["messages"]) > 2 else LONG) as server:
        server.refusing = lambda body: (
            (400, refusal.format(asked=body["max_completion_tokens"]))
            if body["max_completion_tokens"] > 300
            else None
        )
        model = model_at(server, tmp_path)
        got = answer(model, limited(200), Verdict, Listener())
        again = answer(model, limited(800), Verdict, Listener())
    assert [got.value, again.value] == [Verdict(**short)] * 2
    assert [body["max_completion_tokens"] for body in server.calls] == [
        200,
        800,
        300,
        300,
        300,
        300,
    ], "what was learnt is asked for no second time"
    assert "cut off" in server.calls[3]["messages"][-1]["content"]


def test_a_window_that_is_too_small_for_question_and_reply_makes_room_for_this_question_alone(
    tmp_path,
):
    refusal = (
        "This model's maximum context length is 900 tokens. However, you requested 1100 tokens (100"
        " in the messages, 1000 in the completion)."
    )
    with OpenAIServer(script=lambda body: VERDICT) as server:
        server.refusing = lambda body: (
            (400, refusal) if body["max_completion_tokens"] > 800 else None
        )
        model = model_at(server, tmp_path)
        answer(model, limited(1000), Verdict, Listener())
        answer(model, limited(1000), Verdict, Listener())
    assert [body["max_completion_tokens"] for body in server.calls] == [1000, 500, 1000, 500]


def test_entries_that_stay_unusable_are_left_out_and_the_rest_is_taken(tmp_path):
    remarks = [
        {"id": "r1", "text": "Name the mechanism."},
        {"id": "r2", "text": ""},
        {"id": "r3"},
        {"id": "r4", "text": "Say how."},
    ]
    with OpenAIServer(script=lambda body: {"summary": "Weak.", "remarks": remarks}) as server:
        got = answer(model_at(server, tmp_path), asked(), Review, Listener())
    assert [remark.id for remark in got.value.remarks] == ["r1", "r4"]
    assert got.left_out == ("remarks 3, text: is missing", "remarks 2, text: is empty")
    assert len(server.calls) == 4, "the fault was named three times before anything was given up"


def test_fields_nobody_asked_for_cost_no_second_question(tmp_path):
    with OpenAIServer(script=lambda body: VERDICT | {"confidence": 0.9}) as server:
        got = answer(model_at(server, tmp_path), asked(), Verdict, Listener())
    assert got.value == Verdict(**VERDICT)
    assert len(server.calls) == 1


def test_a_long_refused_answer_is_quoted_only_in_part(tmp_path):
    with OpenAIServer(script=replies("x" * 9_000, VERDICT)) as server:
        answer(model_at(server, tmp_path), asked(), Verdict, Listener())
    assert len(server.calls[1]["messages"][2]["content"]) == 4_000


def test_a_failure_of_the_model_passes_on_the_tries_before_it(tmp_path):
    with OpenAIServer(script=replies("no json")) as server:
        model = model_at(server, tmp_path, patience=0.1)

        def progress(text, note):
            if "asking again" in note:
                server.faults = {"500": 1.0}

        with pytest.raises(ModelFailed, match="in trouble") as failed:
            answer(model, asked(), Verdict, progress)
    assert [call.raw for call in failed.value.calls] == ["no json"]


def test_a_wish_to_stop_passes_through_as_it_is(tmp_path):
    def progress(text, note):
        if text:
            raise Stopped("stop")

    with OpenAIServer(latency=1.0) as server, pytest.raises(Stopped):
        answer(model_at(server, tmp_path), asked(), Verdict, progress)


def test_a_model_that_does_not_answer_the_prompt_is_not_asked():
    class Choosy:
        name, provider = "choosy", "choosy"

        def answers(self, prompt):
            return False

    with pytest.raises(CannotAnswer, match="'choosy' does not answer the prompt 'verdict'"):
        answer(Choosy(), asked(), Verdict, Listener())


def test_a_stop_seen_while_asking_again_keeps_the_tries_before_it(tmp_path):
    def progress(text, note):
        if "asking again" in note:
            raise Stopped("stop")

    with OpenAIServer(script=replies("no json")) as server, pytest.raises(Stopped) as stopped:
        answer(model_at(server, tmp_path), asked(), Verdict, progress)
    assert [call.raw for call in stopped.value.calls] == ["no json"]


def test_a_call_broken_off_is_booked_without_numbers_nobody_reported(tmp_path):
    def progress(text, note):
        if len(text) > 10:
            raise Stopped("stop")

    with OpenAIServer(latency=1.0) as server, pytest.raises(Stopped) as stopped:
        answer(model_at(server, tmp_path), asked(), Verdict, progress)
    (call,) = stopped.value.calls
    assert (call.outcome, call.tokens_in, call.tokens_out, call.cost) == (
        "broken off",
        None,
        None,
        None,
    )
    assert call.raw
    assert call.tokens_expected > asked().sampling.max_tokens


@pytest.mark.parametrize("usage", [True, False])
def test_tokens_are_guessed_only_where_the_server_reports_none(tmp_path, usage):
    with OpenAIServer(script=lambda body: VERDICT, usage=usage) as server:
        (call,) = answer(model_at(server, tmp_path), asked(), Verdict, Listener()).calls
    assert (call.tokens_out is not None, call.tokens_expected == 0) == (usage, usage)
