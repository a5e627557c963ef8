"""What an endpoint can do is found out once, without asking anybody."""

import gzip
import sqlite3
import threading
from contextlib import closing

import pytest

from core.models.abilities import Abilities, learnt
from core.settings import Settings
from core.store import Store
from tests.support import stored
from tests.support.model_kit import VERDICT, Listener, asked, model_at
from tests.support.servers.openai_server import PROBE, OpenAIServer


@pytest.mark.parametrize(
    ("dialect", "found"),
    [
        ({}, Abilities(tokens="max_completion_tokens")),
        ({"tokens": ["max_tokens"]}, Abilities(tokens="max_tokens")),
        ({"tokens": []}, Abilities(tokens="max_tokens")),
        (
            {"shapes": ["json_object"]},
            Abilities(tokens="max_completion_tokens", shape="json_object", schema_beside=True),
        ),
        ({"shapes": []}, Abilities(tokens="max_completion_tokens", shape="prompt")),
        ({"usage": False}, Abilities(tokens="max_completion_tokens", usage=False)),
    ],
)
def test_the_dialect_of_a_server_is_found_out(tmp_path, dialect, found):
    with OpenAIServer(script=lambda body: VERDICT, **dialect) as server:
        model = model_at(server, tmp_path)
        assert model.abilities(Listener()) == found
        assert model.reply(asked(), Listener()).text
    assert 3 <= len(server.probes) <= 6
    assert all(PROBE in body["messages"][0]["content"] for body in server.probes)


def test_a_server_is_probed_once_and_remembered_across_processes(tmp_path):
    with OpenAIServer(script=lambda body: VERDICT) as server:
        for _ in range(3):
            model_at(server, tmp_path).reply(asked(), Listener())
        probes = len(server.probes)
    assert (probes, len(server.calls)) == (3, 3)
    assert Store(tmp_path).places.abilities(f"{server.url} test-model")["shape"] == "json_schema"


def test_threads_that_ask_at_once_probe_once(tmp_path):
    with OpenAIServer(script=lambda body: VERDICT, latency=0.05) as server:
        model = model_at(server, tmp_path)
        threads = [
            threading.Thread(target=model.reply, args=(asked(), Listener())) for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert (len(server.probes), len(server.calls)) == (3, 4)


def test_a_wordy_server_that_reports_usage_is_not_taken_for_one_that_does_not(tmp_path):
    with OpenAIServer(script=lambda body: VERDICT, wordy=True) as server:
        replies = [model_at(server, tmp_path).reply(asked(), Listener()) for _ in range(2)]
        assert all(reply.tokens_in and reply.tokens_out for reply in replies)
        assert len(server.probes) <= 6
    assert Store(tmp_path).places.abilities(f"{server.url} test-model")["usage"] is True


def test_what_an_earlier_version_took_for_a_server_without_usage_is_found_out_anew(tmp_path):
    with gzip.open(stored.HERE / "edition-1.db.gz") as kept:
        (tmp_path / "foundry.db").write_bytes(kept.read())
    found = {"wordy": Abilities(usage=False), "plain": Abilities(thinks=True)}
    with closing(sqlite3.connect(tmp_path / "foundry.db")) as earlier, earlier:
        earlier.executemany(
            "INSERT INTO endpoints VALUES (?,?,'')",
            [(name, one.model_dump_json()) for name, one in found.items()],
        )
    places = Store(tmp_path).places
    assert (places.abilities("wordy"), places.abilities("plain")) == (
        None,
        found["plain"].model_dump(),
    )


def test_a_probe_that_could_not_reach_the_server_teaches_nothing(tmp_path):
    with OpenAIServer() as server:
        model = model_at(server, tmp_path, patience=0.1)
    with pytest.raises(Exception, match="cannot be reached"):
        model.abilities(Listener())
    assert Store(tmp_path).places.abilities(f"{server.url} test-model") is None


def test_the_official_address_is_not_probed(tmp_path):
    from core.models.langchain import ChatModel

    model = ChatModel("openai", "gpt-6-luna", Settings(keys={"openai": "x"}), Store(tmp_path))
    assert model.abilities(Listener()).tokens == "max_completion_tokens"


def test_what_was_learnt_in_another_version_is_found_out_anew(tmp_path):
    with OpenAIServer(script=lambda body: VERDICT) as server:
        Store(tmp_path).places.learn(f"{server.url} test-model", {"colour": "blue"})
        assert model_at(server, tmp_path).abilities(Listener()).shape == "json_schema"


@pytest.mark.parametrize(
    ("said", "changed"),
    [
        (
            "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens'"
            " instead.",
            {"tokens": "max_completion_tokens"},
        ),
        ("`temperature` is deprecated for this model.", {"temperature": False}),
        (
            "Unsupported value: 'temperature' does not support 0.7 with this model. Only the"
            " default (1) value is supported.",
            {"temperature": False},
        ),
        ("Invalid schema for response_format 'answer'", {"shape": "json_object"}),
        ("stream_options: Extra inputs are not permitted", {"usage": False}),
    ],
)
def test_a_refusal_teaches_what_is_not_taken(said, changed):
    assert learnt(Abilities(), said) == Abilities().model_copy(update=changed)


@pytest.mark.parametrize(
    "said",
    [
        "max_tokens is too large: 64000. This model supports at most 16384.",
        "temperature: range: 0..1",
        "bad request",
    ],
)
def test_a_refusal_of_a_value_teaches_nothing(said):
    assert learnt(Abilities(), said) is None
