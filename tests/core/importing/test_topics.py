"""Topics from files: what cannot be used is said in a sentence."""

import json

import pytest

from core.errors import BadInput
from core.importing.topics import topics_in


def test_topics_are_read_from_every_kind_of_file():
    made = {
        "t.txt": b"# a note\nsleep and memory\n\nnaps\n",
        "t.csv": b"topic,more\nsleep and memory,x\nnaps,\n",
        "t.json": json.dumps(["sleep and memory", {"topic": "naps"}]).encode(),
        "t.jsonl": b'{"topic": "sleep and memory"}\n{"topic": "naps"}\n',
    }
    for name, data in made.items():
        assert [one.topic for one in topics_in(name, data).topics] == ["sleep and memory", "naps"]


def test_a_column_called_topic_goes_before_one_that_merely_ends_so():
    read = topics_in("a.csv", b"paper.topic,topic\nx,what sleep does\n")
    assert [one.topic for one in read.topics] == ["what sleep does"]


def test_a_line_of_json_may_hold_signs_that_end_lines_elsewhere():
    paper = {"id": "x:1", "title": "Naps", "abstract": "We nap.\u2028And\x85remember."}
    line = json.dumps({"topic": "naps", "paper": paper}, ensure_ascii=False)
    (one,) = topics_in("t.jsonl", f"{line}\n".encode()).topics
    assert one.paper.abstract == paper["abstract"]


def test_the_date_of_a_topics_paper_is_read_or_refused():
    def given(date):
        paper = {"id": "x:1", "title": "Naps", "published": date}
        return json.dumps([{"topic": "naps", "paper": paper}]).encode()

    assert topics_in("t.json", given("March 2021")).topics[0].paper.published == "2021-03"
    with pytest.raises(BadInput, match="topic 1: its date 'soon' cannot be told"):
        topics_in("t.json", given("soon"))


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("t.json", b"[" * 60_000, "nested too deeply"),
        ("t.jsonl", b"[" * 60_000, "line 1: "),
        ("t.json", b"{", "is no JSON"),
        ("t.txt", b"# a note\n", "has no topic"),
        ("t.txt", b"naps\nnaps\n", "the topic 'naps' is there already"),
        ("t.txt", "\n".join(map(str, range(1_001))).encode(), "has 1,001 topics; 1,000 are read"),
        ("t.csv", b"Topic,topic\nnaps,sleep\n", "'Topic' and 'topic', and only one can be read"),
        ("t.pdf", b"naps", "Topics are read"),
    ],
)
def test_what_cannot_be_used_is_said(name, data, said):
    with pytest.raises(BadInput, match=said):
        topics_in(name, data)
