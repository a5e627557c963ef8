"""Settings from the environment: out of bounds is refused in a sentence, a password stays out of
sight.
"""

import json
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
        ("me:secret@x.example/v1", "x.example/v1"),
        ("//me:secret@x.example/v1", "//x.example/v1"),
        ("http:/me:secret@x.example/v1", "http:/x.example/v1"),
        ("http:///me:secret@x.example/@home", "http:///x.example/@home"),
        ("http:me:secret@x.example", "http:x.example"),
        (r"http:\\me:secret@x.example\v1", r"http:\\x.example\v1"),
        (" HTTP://me:secret@x.example", " HTTP://x.example"),
        ("x.example/@home", "x.example/@home"),
    ],
)
def test_an_address_is_shown_without_user_and_password(url, shown):
    assert settings.public(url) == shown


VARIABLES = {
    "OPENAI_BASE_URL": "openai",
    "FOUNDRY_OPENAI_URL": "openai",
    "OLLAMA_HOST": "ollama",
    "FOUNDRY_OLLAMA_URL": "ollama",
    "FOUNDRY_SEMANTIC_SCHOLAR_URL": "semantic-scholar",
    "FOUNDRY_OPENALEX_URL": "openalex",
}


@pytest.mark.parametrize(("variable", "name"), VARIABLES.items())
@pytest.mark.parametrize(
    "wrong",
    [
        *("//me:secret@x.example/v1", "http:/me:secret@x.example", "http:///me:secret@x.example"),
        *(
            "http:\\\\me:secret@x.example",
            "ftp://me:secret@x.example",
            "http://me:se/secret@x.example",
            "http://me:123/secret@x.example",
        ),
        *("http://me:secret@x.example:abc", "http://me:secret@", "me:secret@x.example:80 80"),
    ],
)
def test_what_is_no_whole_address_is_named_by_its_variable_and_not_shown(variable, name, wrong):
    said = settings.fault(settings.read({variable: wrong}), name)
    assert variable in said
    assert "is not usable: write the whole address" in said
    assert "secret" not in said


@pytest.mark.parametrize(("variable", "name"), VARIABLES.items())
@pytest.mark.parametrize(
    "right",
    [
        *("http://127.0.0.1:8000/v1", "https://me:p@ss%2Fword@x.example", "HTTP://localhost/"),
        *("http://[::1]:11434", "http://m\u00fcnchen.example/@home", " http://x.example/v1\r\n"),
    ],
)
def test_a_whole_address_is_taken_without_the_space_around_it(variable, name, right):
    given = settings.read({variable: right})
    assert settings.fault(given, name) == ""
    assert getattr(given, settings.ADDRESSES[name][0]) == right.strip()


@pytest.mark.parametrize(
    ("host", "at"),
    [
        (":11434", "http://127.0.0.1:11434"),
        ("::1", "http://[::1]"),
        ("[::1]:11434", "http://[::1]:11434"),
        ("0.0.0.0", "http://0.0.0.0"),
        ("https://box.example", "https://box.example"),
    ],
)
def test_ollamas_host_is_read_as_ollama_reads_it(host, at):
    given = settings.read({"OLLAMA_HOST": host})
    assert given.ollama_url == at
    assert settings.fault(given, "ollama") == ""


def test_ollamas_host_needs_no_scheme_and_a_host_is_no_address_elsewhere():
    given = settings.read({"OLLAMA_HOST": "127.0.0.1:11434", "OPENAI_BASE_URL": "127.0.0.1:8000"})
    assert settings.fault(given, "ollama") == ""
    assert "OPENAI_BASE_URL" in settings.fault(given, "openai")
    assert settings.faults(settings.read({}), [*settings.ADDRESSES, "anthropic", "builtin"]) == ()


KEYS = {
    **{variable: name for name, names in settings.PROVIDER_KEYS.items() for variable in names},
    **{variable: name for name, names in settings.SOURCE_VARIABLES.items() for variable in names},
}


@pytest.mark.parametrize(("variable", "name"), KEYS.items())
def test_a_key_is_read_without_the_space_around_it_and_named_where_it_cannot_be_sent(
    variable, name
):
    given = settings.read({variable: " sk-secret-key-1\r\n"})
    assert settings.fault(given, name) == ""
    assert "sk-secret-key-1" in (
        given.keys.get(name),
        given.semantic_scholar_key,
        given.openalex_key,
    )
    assert settings.fault(settings.read({variable: " \n"}), name) == ""
    for wrong in (
        "sk-sec\u2019ret",
        "\ufeffsk-secret",
        "sk-\nsecret",
        "sk-\x01secret",
        "s\udce9cret",
    ):
        said = settings.fault(settings.read({variable: wrong}), name)
        assert variable in said
        assert "is not usable: a key is" in said
        assert "cret" not in said


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


@pytest.mark.parametrize(
    "key", ["sk-plain-key", "sk-a/b\\cdef", 'sk-"quoted"\'s', "sk-\x01steered"]
)
def test_a_key_is_blotted_out_as_json_and_python_write_it(key):
    in_json = json.dumps({"you sent": key})
    once = [f"you sent {key}", in_json, in_json.replace("/", "\\/"), repr({"you sent": key})]
    for said in (*once, *map(json.dumps, once), *map(repr, once)):
        shown = settings.scrub(said, [key])
        assert "[key]" in shown
        assert key[4:] not in shown.replace("\\", "")
        assert len(shown) <= len(said)


def test_a_short_password_blots_out_no_words_and_no_login_nothing():
    for url in ("http://ada:word@x.example", "http://a:@x.example", "http://x.example"):
        assert settings.scrub("a: word", [], [url], words=True) == "a: word"


def test_only_what_is_long_enough_for_a_key_is_blotted_out():
    assert (
        settings.scrub("text with the-real-key-123 in it", ["x", "none", "", "the-real-key-123"])
        == "text with [key] in it"
    )
