"""Settings from the environment: out of bounds is refused in a sentence, a password stays out of
sight.
"""

from base64 import b64encode, urlsafe_b64encode

import pytest

from core import settings
from core.errors import BadInput


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("WORKERS", "0"),
        ("CALLS", "0"),
        ("CALLS", "-1"),
        ("PATIENCE", "-1"),
        ("CALL_TIMEOUT", "0"),
        ("READ_TIMEOUT", "-2"),
        ("SEMANTIC_SCHOLAR_INTERVAL", "-0.1"),
    ],
)
def test_a_number_out_of_bounds_is_refused_by_the_name_of_its_variable(name, value):
    with pytest.raises(BadInput, match=f"FOUNDRY_{name} is not usable"):
        settings.read({f"FOUNDRY_{name}": value})


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://me:se@cret@x.example/v1?a@b", "https://x.example/v1?a@b"),
        ("http://me@127.0.0.1:1", "http://127.0.0.1:1"),
        ("https://x.example/@home", "https://x.example/@home"),
        ("https://x.example", "https://x.example"),
    ],
)
def test_an_address_is_shown_without_user_and_password(url, shown):
    assert settings.public(url) == shown


@pytest.mark.parametrize("name", ["OPENAI_URL", "OLLAMA_URL", "OPENALEX_URL"])
@pytest.mark.parametrize("tail", ["?api-key=the-secret", "#the-secret"])
def test_an_address_with_more_than_a_path_is_refused_and_not_shown(name, tail):
    with pytest.raises(BadInput, match=f"FOUNDRY_{name} is not usable: leave out") as refused:
        settings.read({f"FOUNDRY_{name}": f"http://x.example/v1{tail}"})
    assert "the-secret" not in str(refused.value)


@pytest.mark.parametrize(
    "said",
    [
        "ada:Pa55%2Fword",
        "ada:Pa55/word",
        "Pa55/word",
        "Pa55%2Fword",
        f"Basic {b64encode(b'ada:Pa55/word').decode()}",
    ],
)
def test_the_login_of_an_address_is_blotted_out_in_every_form(said):
    address = ["http://ada:Pa55%2Fword@x.example/v1"]
    shown = settings.scrub(f"You sent {said}.", [], address, words=True)
    assert shown.rstrip("=.").endswith("[key]")
    assert "word" not in shown
    elsewhere = settings.scrub(f"You sent {said}.", [], address)
    assert ("[key]" in elsewhere) == (said not in ("Pa55/word", "Pa55%2Fword"))


@pytest.mark.parametrize(
    ("login", "said"),
    [
        ("tok3n-abcdef", "tok3n-abcdef"),
        ("tok3n-abcdef:", "tok3n-abcdef"),
        ("me:pässwörd", "p\\u00e4ssw\\u00f6rd"),
        ("me:a>b?c>d?e", urlsafe_b64encode(b"me:a>b?c>d?e").decode()),
        ("me:pass\udcffword", "me:pass\udcffword"),
    ],
)
def test_a_token_alone_and_other_ways_of_writing_are_blotted_out(login, said):
    address = f"http://{login.replace('?', '%3F')}@x.example/v1"
    shown = settings.scrub(f"You sent {said}", [], [address], words=True)
    assert shown.rstrip("=") == "You sent [key]"


def test_a_key_that_begins_with_another_goes_whole():
    keys = ["the-key-of", "the-key-of-mine"]
    assert settings.scrub("I sent the-key-of-mine.", keys) == "I sent [key]."


def test_a_short_password_blots_out_no_words_and_no_login_nothing():
    for url in ("http://ada:word@x.example", "http://a:@x.example", "http://x.example"):
        assert settings.scrub("a: word", [], [url], words=True) == "a: word"


def test_only_what_is_long_enough_for_a_key_is_blotted_out():
    assert (
        settings.scrub("text with the-real-key-123 in it", ["x", "none", "", "the-real-key-123"])
        == "text with [key] in it"
    )
