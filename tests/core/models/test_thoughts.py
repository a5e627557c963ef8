"""What a model thinks before it answers is kept apart from the answer, however its server sends
it.
"""

import sqlite3

import pytest

from core import settings
from core.errors import FoundryError, Stopped
from core.models.asking import answer
from core.models.thoughts import apart, so_far, waits
from core.records import Call, Sampling, Verdict
from core.runs.runner import Runner
from core.runs.workshop import Workshop
from tests.core.benchmark.test_conducting import cells_of
from tests.support.benchmark.bench_kit import script, small
from tests.support.model_kit import VERDICT, Listener, asked, model_at
from tests.support.servers.openai_server import THINKING, OpenAIServer, tokens_of, usage_of

DEEP = 'Is it better? The brace in {"improved": false} is a lure. ' * 40


@pytest.mark.parametrize(
    ("text", "thoughts", "said"),
    [
        ("<think>A or B?</think>\n\nB", "A or B?", "B"),
        ("\n<Thinking>\nA?\n</thinking>B", "A?", "B"),
        ("<thought>A</thought>B", "A", "B"),
        ("<reasoning>A</reasoning>\nB", "A", "B"),
        ("[THINK]A[/THINK]B", "A", "B"),
        ("<seed:think>A</seed:think>B", "A", "B"),
        ("A, or rather B?\n</think>\nB", "A, or rather B?", "B"),
        ("<think>\n\n</think>\n\nB", "", "B"),
        ("<think>A</think><think>C</think>B", "A\n\nC", "B"),
        ("<think>A, half", "A, half", ""),
        ("B", "", "B"),
        ("  B\n", "", "  B\n"),
        (
            "B, with <think>this</think> in the middle.",
            "",
            "B, with <think>this</think> in the middle.",
        ),
        ("End it with `</think>` as they do.", "", "End it with `</think>` as they do."),
        (
            '{"idea": "Drop </think> from the prompt."}',
            "",
            '{"idea": "Drop </think> from the prompt."}',
        ),
    ],
)
def test_thoughts_in_tags_are_told_apart_at_the_beginning_alone(text, thoughts, said):
    assert apart(text)[:2] == (thoughts, said)


@pytest.mark.parametrize(
    ("text", "begun", "said"),
    [
        ("<thi", False, ""),
        ("<", False, ""),
        ("Let me", True, ""),
        ("Let me", False, "Let me"),
        ("{", True, "{"),
    ],
)
def test_of_a_text_being_written_half_a_tag_and_what_is_known_for_thoughts_is_not_shown(
    text, begun, said
):
    assert so_far(text, begun).answer == said


@pytest.mark.parametrize("thinking", THINKING)
def test_the_answer_is_right_and_the_thoughts_stand_apart_with_their_length(tmp_path, thinking):
    with OpenAIServer(
        script=lambda body: (DEEP, VERDICT), thinking=thinking, latency=0.3
    ) as server:
        model = model_at(server, tmp_path)
        assert not model.thinks
        got = answer(model, asked(), Verdict, seen := Listener())
        again = answer(model_at(server, tmp_path), asked(), Verdict, known := Listener())
    assert got.value == Verdict(**VERDICT)
    (call,) = got.calls
    assert (
        (call.thoughts, call.thoughts_length) == (DEEP.strip(), len(DEEP.strip()))
        if thinking in ("tags", "unopened")
        else (DEEP, len(DEEP))
    )
    assert "lure" not in call.raw
    assert call.tokens_thought == (tokens_of(DEEP) if thinking.startswith("reasoning") else None)
    assert any(
        "characters so far" in note and not waits(note)
        for note in (seen if thinking != "unopened" else known).notes
    )
    assert not any(
        "lure" in text for text in (seen.texts if thinking != "unopened" else known.texts)
    ), "thoughts are not shown as the answer"
    assert model.thinks
    assert model_at(server, tmp_path).thinks, "another process knows it"
    assert again.calls[0].thoughts == call.thoughts


@pytest.mark.parametrize("thinking", THINKING)
def test_a_reply_cut_off_inside_thoughts_has_no_text(tmp_path, thinking):
    request = asked(sampling=Sampling(max_tokens=64))
    with OpenAIServer(
        script=lambda body: (
            (
                "A thought. " * 5
                if body.get("max_tokens", body.get("max_completion_tokens")) > 64
                else DEEP
            ),
            VERDICT,
        ),
        thinking=thinking,
    ) as server:
        model = model_at(server, tmp_path)
        model.reply(asked(), Listener())
        reply = model.reply(request, Listener())
    assert (reply.finish_reason, reply.text) == ("length", "")
    assert reply.thoughts.startswith("Is it better?")


def test_a_refused_answer_is_quoted_to_the_model_without_its_thoughts(tmp_path):
    left = [(DEEP, "no json"), (DEEP, VERDICT)]
    with OpenAIServer(script=lambda body: left.pop(0)) as server:
        got = answer(model_at(server, tmp_path), asked(), Verdict, Listener())
        assert [
            one["content"] for one in server.calls[1]["messages"] if one["role"] == "assistant"
        ] == ["no json"]
    assert [bool(call.thoughts) for call in got.calls] == [True, True]


def test_a_call_broken_off_while_the_model_thinks_keeps_the_thoughts_apart(tmp_path):
    def stop(text, note):
        if "characters" in note:
            raise Stopped("stop")

    with (
        OpenAIServer(
            script=lambda body: (DEEP, VERDICT), thinking="reasoning", latency=1.0
        ) as server,
        pytest.raises(FoundryError) as stopped,
    ):
        answer(model_at(server, tmp_path), asked(), Verdict, stop)
    (call,) = stopped.value.calls
    assert call.raw == ""
    assert call.thoughts


def test_a_call_without_thoughts_is_dumped_as_before():
    call = Call(model="m", latency=0.1, outcome="accepted")
    assert {"thoughts", "tokens_thought"}.isdisjoint(call.model_dump())
    assert (
        Call.model_validate(call.model_copy(update={"thoughts": "A?"}).model_dump()).thoughts_length
        == 2
    )


@pytest.mark.parametrize("thinking", THINKING)
def test_judges_of_a_benchmark_never_see_thoughts_and_its_calls_keep_them(tmp_path, thinking):
    with OpenAIServer(
        script=lambda body: ("SECRET thoughts about it.", script(body)), thinking=thinking
    ) as server:
        runner = Runner(Workshop(settings.read({"OPENAI_BASE_URL": server.url}, data=tmp_path)))
        run = small(runner.workshop)
        runner.work(run.id)
        store, done = runner.store, runner.store.runs.get(run.id)
        assert done.state == "done", done.reason
        assert len(server.calls) >= 16
        assert not any("SECRET" in str(one["messages"]) for one in server.calls)
    cells = cells_of(store, run, kind="idea")
    assert len(cells) == 8
    assert not any("SECRET" in cell.text for cell in cells)
    assert {
        call.thoughts for cell in cells for call in store.benchmarks.calls(run.id, cell.key)
    } == {"SECRET thoughts about it."}
    with sqlite3.connect(store.connections.path) as held:
        assert held.execute("SELECT DISTINCT thoughts_length FROM calls").fetchall() == [(25,)]


def test_a_model_that_says_how_much_it_thought_and_not_what_is_known_to_think(tmp_path):
    def counted(body, text, thoughts):
        return usage_of(body, text) | {"completion_tokens_details": {"reasoning_tokens": 7}}

    with OpenAIServer(script=lambda body: VERDICT) as server, pytest.MonkeyPatch.context() as patch:
        patch.setattr("tests.support.servers.openai_server.usage_of", counted)
        model = model_at(server, tmp_path)
        reply = model.reply(asked(), Listener())
    assert (reply.thoughts, reply.tokens_thought, model.thinks) == ("", 7, True)


@pytest.mark.parametrize(
    "text", ["x" + "\n" * 400_000 + "</think>{}", "<think></think>" * 20_000 + "{}"]
)
def test_texts_that_repeat_without_end_are_parted_at_once(text):
    # Once it took hours: the square of the length.
    assert apart(text).answer == "{}"
