"""Settings on screen: what is chosen is kept, what is secret is not."""

import zipfile

import pytest

from components.settings.view import key_places
from components.shell import cached
from core import VERSION, settings
from core.desk import MONTH_CAP
from core.errors import BadInput, ModelFailed
from core.models.reach import Reachable, reachable
from core.runs.catalogue import ROLES
from core.runs.runner import Runner
from core.runs.workshop import Workshop
from core.store import Store, upkeep
from tests.conftest import make_run
from tests.support.scripted import refine_script, runner_of
from tests.support.servers.openai_server import OpenAIServer
from tests.support.visiting import host, said, settled, visit

SECRET = "sk-planted-0123456789"


@pytest.fixture
def shop(tmp_path, monkeypatch):
    runner, _ = runner_of(tmp_path, refine_script())
    host(monkeypatch, runner)
    return runner.workshop


def answering(monkeypatch, provider: str, model: str) -> None:
    found = Reachable(provider=provider, how="a server answers", models=(model,), main="", cheap="")
    monkeypatch.setattr(cached, "reachable", lambda settings: (found,))


def test_a_model_that_can_be_opened_is_kept_for_new_runs(shop, monkeypatch):
    answering(monkeypatch, "scripted", "one")
    app = visit("settings")
    settled(app.selectbox(key="settings:model-main:builtin").select("scripted:one").run())
    assert shop.chosen("main") == "scripted:one"
    assert shop.chosen("cheap") == "builtin"


def test_a_model_nobody_has_is_refused_in_a_sentence(shop, monkeypatch):
    def refuse(name: str):
        raise BadInput(f"There is no model {name!r}.")

    answering(monkeypatch, "nobody", "x")
    monkeypatch.setattr(shop, "model", refuse)
    app = visit("settings")
    settled(app.selectbox(key="settings:model-main:builtin").select("nobody:x").run())
    assert "There is no model" in said(app)
    assert shop.chosen("main") == "builtin"


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (
            {
                "model": "m",
                "seconds": 1.5,
                "tokens_in": 10,
                "tokens_out": 4,
                "cost": None,
                "says": "hello",
            },
            "m answered in 1.5 s, 10 tokens in, 4 out, price unknown",
        ),
        (ModelFailed("The key was refused (401)."), "The key was refused (401)."),
    ],
)
def test_the_test_button_shows_numbers_or_the_failure(shop, monkeypatch, answer, sentence):
    def ask(name: str):
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr(shop, "test_model", ask)
    assert sentence in said(
        settled(visit("settings").button(key="settings:test-main").click().run())
    )


def test_a_typed_key_is_used_and_neither_shown_nor_stored(shop):
    app = visit("settings")
    app.text_input(key="settings:key-typed").set_value(SECRET)
    settled(next(one for one in app.button if one.label == "Use this key").click().run())
    assert shop.settings.keys["openai"] == SECRET
    settled(app.run())
    assert SECRET not in said(app) + repr(shop.settings)
    assert SECRET not in "".join(
        str(value) for value in app.session_state._state.filtered_state.values()
    )
    assert "typed here, in this server's memory" in said(app)
    assert not [
        path
        for path in shop.store.folder.rglob("*")
        if path.is_file() and SECRET.encode() in path.read_bytes()
    ]


def test_a_key_can_be_forgotten(shop):
    shop.with_key("openai", SECRET)
    settled(visit("settings").button(key="settings:forget:openai").click().run())
    assert "openai" not in shop.settings.keys


@pytest.mark.parametrize(
    ("provider", "key"),
    [("openai", " "), ("openai", "two words"), ("openai", "ключ"), ("nobody", "k")],
)
def test_what_is_no_key_is_refused_without_repeating_it(shop, provider, key):
    with pytest.raises(BadInput) as told:
        shop.with_key(provider, key)
    assert key.strip() == "k" or not key.strip() or key not in str(told.value)


def test_the_variable_is_named_never_its_value():
    said = key_places({"OPENAI_API_KEY": SECRET}, frozenset({"openai"}))
    assert said["openai"] == "found in OPENAI_API_KEY"
    assert SECRET not in str(said)


def test_the_cap_per_month_is_kept_and_taken_away(shop):
    app = visit("settings")
    app.number_input(key="settings:cap").set_value(12.5)
    settled(app.button(key="settings:save-cap").click().run())
    assert shop.store.places.choice(MONTH_CAP) == "12.5"
    app.number_input(key="settings:cap").set_value(-5.0)
    app = settled(app.button(key="settings:save-cap").click().run())
    assert "A cap of -5 dollars would let nothing begin" in said(app)
    assert shop.store.places.choice(MONTH_CAP) == "12.5"
    app.number_input(key="settings:cap").set_value(0.0)
    settled(app.button(key="settings:save-cap").click().run())
    assert shop.store.places.choice(MONTH_CAP) is None


def test_a_backup_is_written_at_a_press_and_listed_with_the_way_back(shop):
    run = make_run(shop.store)
    app = visit("settings")
    assert "There is no backup yet. A server makes one every 24 hours by itself." in said(app)
    app = settled(app.button(key="settings:back-up").click().run())
    (made,) = (shop.store.folder / "backups").glob("*.zip")
    assert f"Written and read back: {made}" in said(app).replace("\\", "")
    assert "The newest of 1 is of" in said(app)
    assert f"python -m core restore {made} --over" in [one.value for one in app.code]
    with zipfile.ZipFile(made) as packed:
        packed.extract("foundry.db", shop.store.folder.parent)
    found = Store(shop.store.folder.parent)
    assert [one.id for one in found.runs.listed()] == [run.id]


def test_what_is_in_order_is_said_a_sentence_each(shop):
    app = visit("settings")
    assert f"Idea Foundry {VERSION}" in said(app)
    app = settled(app.button(key="settings:examine").click().run())
    for about in ("Packages", "Data folder", "Disk", "Database", "Backups", "Literature"):
        assert f"**{about}**" in said(app)
    assert "is whole" in said(app)


def test_wiping_wants_the_words_typed(shop):
    run = make_run(shop.store)
    app = settled(visit("settings").button(key="settings:wipe").click().run())
    app.text_input(key="settings:wipe-typed").set_value("yes")
    settled(next(one for one in app.button if one.label == "Wipe").click().run())
    assert "Nothing was wiped" in said(app)
    assert shop.store.runs.get(run.id)


def test_wiping_empties_the_database_and_refuses_while_a_run_is_active(tmp_path):
    store = Store(tmp_path / "data")
    run = make_run(store)
    with pytest.raises(BadInput, match="Stop it first"):
        upkeep.wipe(store)
    store.connections.write("UPDATE runs SET state = 'done'")
    store.places.choose("model-main", "x:y")
    upkeep.wipe(store)
    assert (store.runs.count(), store.places.choice("model-main")) == (0, None)
    assert Store(tmp_path / "data").runs.count() == 0
    assert run.id


def test_a_key_in_memory_reaches_the_models_of_new_runs(tmp_path):
    shop = Workshop(settings.read({}, data=tmp_path / "data"))
    with pytest.raises(BadInput):
        shop.model("openai:some-model")
    shop.with_key("openai", SECRET)
    assert shop.model("openai:some-model").name == "openai:some-model"


def test_a_key_that_was_typed_is_not_said_to_be_found_in_the_environment(shop, monkeypatch):
    def found(settings):
        return reachable(settings.model_copy(update={"ollama_url": "http://127.0.0.1:1"}))

    monkeypatch.setattr(cached, "reachable", found)
    shop.with_key("openai", SECRET)
    shown = said(visit("settings"))
    assert "key typed here, for this server's memory" in shown
    assert "key found in OPENAI" not in shown


# -- connecting a model ------------------------------------------------------------------------


def listing(found: Reachable, *models: str) -> Reachable:
    return found.model_copy(update={"models": models})


def test_a_model_that_was_found_is_used_for_everything_after_one_click(shop, monkeypatch):
    found = Reachable(
        provider="scripted", how="key found in KEY", main="scripted:one", cheap="scripted:one"
    )
    monkeypatch.setattr(cached, "reachable", lambda settings: (found,))
    shop.store.places.choose("model-novelty", "builtin")
    app = settled(visit("settings").button(key="settings:use:scripted").click().run())
    assert {shop.chosen(role) for role in ROLES} == {"scripted:one"}
    assert "used for everything" in said(app)
    shop.named["scripted:two"] = shop.named["scripted:one"]
    monkeypatch.setattr(cached, "reachable", lambda settings: (listing(found, "one", "two"),))
    cached.reach.clear()
    app = visit("settings")
    settled(app.selectbox(key="settings:model-cheap:scripted:one").select("scripted:two").run())
    assert (shop.chosen("main"), shop.chosen("cheap")) == ("scripted:one", "scripted:two")


def test_a_found_model_that_cannot_be_opened_is_refused_in_a_sentence(shop, monkeypatch):
    found = Reachable(provider="scripted", how="found", main="scripted:gone", cheap="scripted:gone")
    monkeypatch.setattr(cached, "reachable", lambda settings: (found,))
    app = settled(visit("settings").button(key="settings:use:scripted").click().run())
    assert "There is no model 'scripted:gone'" in said(app)
    assert shop.chosen("main") == "builtin"


def test_a_server_the_environment_names_is_changed_there(tmp_path, monkeypatch):
    shop = Workshop(settings.read({"OPENAI_BASE_URL": "http://127.0.0.1:9/v1"}, data=tmp_path))
    host(monkeypatch, Runner(shop))
    app = visit("settings")
    assert "The environment names a server" in said(app)
    assert "Connect" not in [one.label for one in app.button]


def test_what_of_the_environment_cannot_be_used_is_said_by_its_variable(tmp_path, monkeypatch):
    wrong = {
        "OPENAI_BASE_URL": "me:planted@x.example/v1",
        "ANTHROPIC_API_KEY": "planted\u2019",
        "FOUNDRY_OPENALEX_URL": "//me:planted@x.example",
        "SEMANTIC_SCHOLAR_API_KEY": "planted\u2019",
    }
    host(monkeypatch, Runner(Workshop(settings.read(wrong, data=tmp_path))))
    monkeypatch.setattr(cached, "reachable", reachable)
    shown = [one.value for one in visit("settings").warning]
    for variable in wrong:
        assert len([one for one in shown if variable in one.replace("\\", "")]) == 1
    assert "planted" not in "".join(shown)
    assert "No language model was found" not in "".join(shown)


@pytest.mark.parametrize("wrong", ["planted\u2019", "planted\x01key", "planted key"])
def test_what_is_no_key_of_a_server_is_refused_in_a_sentence(shop, wrong):
    app = connect(visit("settings"), "http://127.0.0.1:1/v1", wrong)
    assert "That is not a key" in said(app)
    assert "Nothing answers at" not in said(app)
    assert shop.address == ""
    with pytest.raises(BadInput, match="That is not a key"):
        shop.with_key("openai", wrong)


def test_a_server_is_connected_by_typing_its_address(tmp_path, monkeypatch):
    shop = Workshop(settings.read({"OPENAI_API_KEY": SECRET}, data=tmp_path))
    host(monkeypatch, Runner(shop))
    monkeypatch.setattr(cached, "reachable", reachable)
    with OpenAIServer(models=("lab-model",)) as server:
        app = connect(visit("settings"), server.url)
        settled(app.button(key="settings:use:openai").click().run())
        assert {shop.chosen(role) for role in ROLES} == {"openai:lab-model"}
        shop.test_model("openai:lab-model")
        assert server.headers_seen
        assert SECRET not in str(server.headers_seen)
        again = Workshop(settings.read({"OPENAI_API_KEY": SECRET}, data=tmp_path))
        assert (again.settings.openai_url, again.settings.keys) == (server.url, {})
        again.connect("", None)
        assert (again.settings.openai_url, again.settings.keys) == (None, {"openai": SECRET})


def connect(app, address: str, key: str = ""):
    """Type an address, and perhaps a key, and choose Connect."""
    app.text_input(key="settings:address").set_value(address)
    app.text_input(key="settings:address-key").set_value(key)
    app.button[[one.label for one in app.button].index("Connect")].click()
    return settled(app.run())


def test_an_address_that_fails_its_check_is_put_to_use_only_for_who_insists(shop):
    nowhere = "http://127.0.0.1:1/v1"
    app = connect(visit("settings"), nowhere, SECRET)
    assert f"Nothing answers at {nowhere}" in said(app)
    assert "No server is used." in said(app)
    assert app.text_input(key="settings:address").value == nowhere, "what was typed stays"
    assert (shop.address, shop.settings.openai_url) == ("", None)
    assert "Nothing answers at" not in said(visit("settings"))
    settled(app.button(key="settings:address-anyway").click().run())
    assert (shop.address, shop.settings.keys["openai"]) == (nowhere, SECRET)
    again = visit("settings")
    assert f"Nothing answers at {nowhere}" in said(again)
    assert "no local server answers" not in said(again)
    again = settled(again.button(key="settings:address-forget").click().run())
    assert "Nothing answers at" not in said(again)
    assert shop.address == ""


def test_the_server_in_use_stays_where_another_address_fails_its_check(tmp_path, monkeypatch):
    shop = Workshop(settings.read({}, data=tmp_path))
    host(monkeypatch, Runner(shop))
    with OpenAIServer(models=("lab-model",)) as server:
        app = connect(visit("settings"), server.url)
        app = connect(app, "http://127.0.0.1:1/v1")
        assert "stays in use" in said(app)
        assert (shop.address, shop.settings.openai_url) == (server.url, server.url)
        app = connect(app, server.url)
        assert "settings:address-anyway" not in [one.key for one in app.button]


def test_who_insists_puts_the_own_address_to_use_and_not_what_another_typed_since(shop):
    ada, ben = (
        connect(visit("settings"), f"http://127.0.0.1:{n}/v1", f"{SECRET}{n}") for n in "12"
    )
    settled(ada.button(key="settings:address-anyway").click().run())
    assert (shop.address, shop.settings.keys["openai"]) == ("http://127.0.0.1:1/v1", f"{SECRET}1")
    settled(ben.button(key="settings:address-anyway").click().run())
    assert (shop.address, shop.settings.keys["openai"]) == ("http://127.0.0.1:2/v1", f"{SECRET}2")


@pytest.mark.parametrize(
    "wrong",
    [
        *("127.0.0.1:8000", "http://ada:secret@127.0.0.1/v1", "http://"),
        *("http://127.0.0.1/v1?key=secret", "http://127.0.0.1#secret"),
    ],
)
def test_what_is_no_address_is_refused_in_a_sentence(shop, wrong):
    shown = said(connect(visit("settings"), wrong))
    assert "is no address of a server" in shown
    assert "secret" not in shown
    assert shop.address == ""


def test_where_new_runs_look_for_papers_is_kept(shop):
    app = visit("settings")
    offered = app.radio(key="settings:source:shelf").options
    assert [one for one in offered if "recommended" in one] == [
        "Semantic Scholar, then OpenAlex :green-badge[recommended with a network]"
    ]
    settled(app.radio(key="settings:source:shelf").set_value("semantic-scholar|openalex").run())
    assert shop.chosen_source() == "semantic-scholar|openalex"
    assert visit("chains").selectbox(key="chains:source").value == "semantic-scholar|openalex"
