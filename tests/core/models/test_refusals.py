"""The chunks of a streamed answer on their way to LangChain: joined where they bring text alone,
and nothing of them lost.
"""

import pytest

from core.models.refusals import Chunks


class Stream:
    """Stands for the SDK's stream; an exception among the chunks is raised when it is its turn."""

    def __init__(self, *chunks):
        self.chunks = chunks

    def __iter__(self):
        for one in self.chunks:
            if isinstance(one, Exception):
                raise one
            yield one


def text(said, **more):
    return {
        "model": "m",
        "choices": [{"index": 0, "delta": {"content": said, **more}, "finish_reason": None}],
    }


USAGE = {"model": "m", "choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 200}}


def end():
    return {"model": "m", "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}


def said(chunks):
    return "".join(
        choice["delta"].get("content") or "" for chunk in chunks for choice in chunk["choices"]
    )


def test_pieces_that_come_between_two_looks_are_one_and_the_first_is_seen_at_once():
    got = list(
        Chunks(
            Stream(text("", role="assistant"), *(text(f"{n} ") for n in range(500)), end(), USAGE)
        )
    )
    assert said(got) == "".join(f"{n} " for n in range(500))
    assert len(got) < 50
    assert got[0]["choices"][0]["delta"]["role"] == "assistant"
    assert got[-2:] == [end(), USAGE]


@pytest.mark.parametrize(
    "other",
    [
        {"choices": [], "usage": {"prompt_tokens": 1}},
        {"choices": [{"index": 0, "delta": {}, "finish_reason": None}], "usage": {"a": 1}},
        {"choices": [{"index": 0, "delta": {"content": "b"}, "finish_reason": "length"}]},
        {"choices": [{"index": 0, "delta": {"content": [{"type": "text"}]}}]},
        {"choices": [], "error": {"message": "down"}},
    ],
)
def test_a_chunk_that_brings_more_than_text_is_handed_on_as_it_is_and_in_its_place(other):
    got = list(Chunks(Stream(text("-"), text("a"), other, text("c"))))
    assert got[2] == other
    assert [said([one]) for one in (got[0], got[1], got[3])] == ["-", "a", "c"]


def test_usage_so_far_comes_with_the_text_it_is_of():
    told = ({"usage": {"completion_tokens": n}} for n in range(1_000))
    got = list(Chunks(Stream(*(text("a ") | one for one in told), end())))
    assert said(got) == "a " * 1_000
    assert len(got) < 50
    assert got[-2]["usage"] == {"completion_tokens": 999}


@pytest.mark.parametrize(
    "nothing",
    [
        {},
        {"choices": []},
        {"choices": None},
        {"choices": [{"index": 0, "delta": None, "finish_reason": None}]},
    ],
)
def test_what_is_sent_to_keep_a_connection_open_takes_no_time(nothing):
    got = list(Chunks(Stream(text("a"), *[nothing] * 1_000, text("b"), end())))
    assert said(got) == "ab"
    assert len(got) < 5


def test_text_before_an_error_is_not_lost():
    seen = []
    with pytest.raises(RuntimeError, match="down"):
        seen.extend(Chunks(Stream(text("a"), text("b"), text("c"), RuntimeError("down"))))
    assert said(seen) == "abc"


def test_a_refusal_is_text_and_ends_as_one():
    got = list(Chunks(Stream(text(None, refusal="I can"), text(None, refusal="not."), end())))
    assert said(got) == "I cannot."
    assert got[-1]["choices"][0]["finish_reason"] == "refusal"


def test_of_what_nobody_asked_for_nothing_is_handed_on():
    half = {"index": 0, "function": {"name": "f", "arguments": '{"a":' + " " * 100_000}}
    other = {"index": 1, "delta": {"content": "OTHER"}, "finish_reason": None}
    got = list(
        Chunks(
            Stream(
                {"model": "m", "choices": []},
                text("a", tool_calls=[half], function_call=half["function"], audio={"id": "x"}),
                {"model": "m", "choices": [other, *text("b")["choices"]]},
                {"model": "m", "choices": [other], "chunk": text("c")},
                text(None, tool_calls=[half]),
                end(),
            )
        )
    )
    assert said(got) == "ab"
    fields = {name for chunk in got for one in chunk["choices"] for name in one["delta"]}
    assert fields <= {"content", "role"}
    assert not any("chunk" in one for one in got)


@pytest.mark.parametrize("number", [1, "0", None])
def test_an_answer_is_followed_under_the_number_it_begins_with(number):
    def numbered(said, number):
        return {"choices": [{"index": number, "delta": {"content": said}}]}

    got = list(Chunks(Stream(numbered("a", number), numbered("X", 7), numbered("b", number))))
    assert said(got) == "ab"


def thought(said, field="reasoning_content", **more):
    return {
        "model": "m",
        "choices": [{"index": 0, "delta": {field: said, **more}, "finish_reason": None}],
    }


@pytest.mark.parametrize("both", [{}, {"reasoning": "so "}])
def test_thoughts_become_blocks_and_none_is_taken_twice(both):
    got = list(
        Chunks(
            Stream(
                text("", role="assistant"),
                *(thought("so ", **both) for _ in range(300)),
                text("Yes"),
                text("."),
                end(),
                USAGE,
            )
        )
    )
    blocks = [
        block
        for chunk in got
        for choice in chunk["choices"]
        if isinstance(choice["delta"].get("content"), list)
        for block in choice["delta"]["content"]
    ]
    assert "".join(block.get("thinking", "") for block in blocks) == "so " * 300
    assert len(got) < 30
    plain = "".join(
        said
        for chunk in got
        for choice in chunk["choices"]
        if isinstance(said := choice["delta"].get("content"), str)
    )
    assert "".join(block.get("text", "") for block in blocks) + plain == "Yes."


@pytest.mark.parametrize(
    "content", [[1], [["did not"]], [{}] * 1_001, 7, {"type": "text", "text": "did not"}], ids=str
)
def test_a_piece_whose_content_cannot_be_read_is_no_hole_in_the_answer(content):
    """LangChain notes a fault for each entry that is neither text nor a block, a kilobyte each."""
    odd = {"choices": [{"index": 0, "delta": {"content": content}}]}
    with pytest.raises(ValueError, match="content is neither text nor a list of blocks"):
        list(Chunks(Stream(text("The trial "), odd, text("work."))))


def test_what_stands_beside_an_answer_is_read_where_it_is_text():
    blocks = ["a", {"type": "text", "text": "b"}]
    odd = {"content": blocks, "reasoning": [1], "role": 7, "refusal": None, "tool_calls": [1]}
    got = list(Chunks(Stream(text("-"), {"choices": [{"index": 0, "delta": odd}]}, text("c"))))
    assert [one["choices"][0]["delta"] for one in got] == [
        {"content": "-"},
        {"content": blocks, "refusal": None},
        {"content": "c"},
    ]
