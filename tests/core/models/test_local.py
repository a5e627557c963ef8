"""A trained policy as a model like any other: asked as in training, answering from real weights,
refused once its files are not what they were.
"""

import json
from types import SimpleNamespace

import psutil
import pytest

from core import prompts
from core.errors import BadInput, ModelFailed, NoUsableAnswer, Stopped
from core.methods.evolution import EvolveInputs
from core.models import asking, idea_block, open_model, templates, weights
from core.models.idea_block import FORM
from core.models.local import NO_BLOCK, LocalModel, conversation_of
from core.models.policy_files import digest_file
from core.models.prices import price
from core.models.weights import LocalPolicy
from core.records import Evolved, HeadedIdea, Sampling
from core.records.training import Drafted, Judgement, PolicyDraft, TrainingQuery, Turn
from core.runs.workshop import Workshop
from core.settings import read
from core.store import Store
from core.story import Story
from core.training import evolving
from tests.support.evolving import begun
from tests.support.model_kit import asked
from tests.support.training import tiny_policy
from tests.support.training.taught_policy import IDEA, PAPERS, in_use

DATA, WRITING = {"question": "How can replay be gated?", "review": "Smith replays all."}, 600


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """A data folder in which the taught policy is in use as local:tiny."""
    folder = tmp_path_factory.mktemp("local") / "data"
    in_use(folder)
    return folder


@pytest.fixture(scope="module")
def taught(data):
    return Workshop(read({}, data=data)).model("local:tiny")


@pytest.fixture(scope="module")
def raw(tmp_path_factory):
    """A policy that was taught nothing: it never ends of itself."""
    folder = tiny_policy.make(tmp_path_factory.mktemp("raw") / "raw")
    files = {path.name: digest_file(path) for path in folder.iterdir()}
    return LocalModel(PAPERS.model_copy(update={"name": "raw", "files": files}), folder)


def request(prompt="evolve-idea", schema=HeadedIdea, temperature=0.0, tokens=WRITING, **changes):
    return asked(
        **{
            "prompt": prompt,
            "schema": schema,
            "sampling": Sampling(temperature=temperature, max_tokens=tokens),
            **changes,
        }
    )


def silent(text, note):
    """Nobody listens."""


@pytest.mark.parametrize("informed", [True, False])
def test_it_is_asked_word_for_word_as_in_training(tmp_path, monkeypatch, taught, informed):
    heard = []
    encode = LocalPolicy.encode
    monkeypatch.setattr(
        LocalPolicy,
        "encode",
        lambda policy, turns: heard.append(turns) or encode(policy, turns),
    )
    runner, _, run = begun(
        tmp_path,
        informed=informed,
        models={"main": "scripted:one", "generator": "local:tiny"},
        **DATA,
    )
    runner.workshop.named["local:tiny"] = taught
    assert runner.work(run.id) == "done", runner.store.runs.get(run.id).reason
    first, second = dict.fromkeys(heard)
    frozen = {name: prompts.text(name) for name in idea_block.PROMPTS}
    desk = SimpleNamespace(bench=SimpleNamespace(prompts=frozen))
    environment = evolving.environment(desk, informed, "lexicographic", "model")
    query = TrainingQuery(**DATA)
    assert first == environment.begin(query)
    evolved = Story.of(runner.store, run.id).all(Evolved)[0]
    assert evolved.idea.text == IDEA
    draft = PolicyDraft(
        written=Drafted(text=IDEA, ids=(1,)),
        idea=IDEA,
        scored=Judgement(reward=1.0, checklist=evolved.scores),
    )
    assert second == environment.revise(query, draft)
    told = "\n".join(turn.text for conversation in heard for turn in conversation)
    assert ("Do something for grounding." in told) == informed


def test_its_reply_is_the_idea_with_its_tokens_and_where_it_comes_from(taught, monkeypatch):
    monkeypatch.setattr(weights, "GLANCE", 0.0)  # Every token is looked at.
    heard = []
    got = asking.answer(
        taught, request(), HeadedIdea, lambda text, note: heard.append((text, note))
    )
    assert got.value.idea == IDEA
    reply = got.reply
    assert json.loads(reply.text) == {"idea": IDEA}
    assert (reply.finish_reason, reply.model) == ("stop", "local:tiny")
    assert reply.tokens_out == len(IDEA) + len("<idea>\n\n</idea>") + 1
    assert reply.tokens_in > 150
    assert {"run": "training-1", "step": 20, "base": "tiny-qwen3"}.items() <= reply.detail.items()
    written = [text for text, _ in heard if text]
    assert written
    assert all(IDEA.startswith(text) for text in written)
    assert price("local:tiny", 5, 5) == 0.0


def test_what_it_was_not_trained_for_is_asked_with_the_shape_in_words():
    system, task = conversation_of(asked())
    assert (system.role, task.role) == ("system", "user")
    assert "It must fit this JSON schema" in system.text
    assert FORM not in system.text + task.text
    system, task = conversation_of(asked(prompt="bench-idea", schema=None, standing="Who."))
    assert (system.text, FORM in task.text) == ("Who.", False)


def test_an_idea_on_a_keyword_is_read_out_of_its_block(taught):
    reply = taught.reply(request("bench-idea", None), silent)
    assert (reply.text, reply.finish_reason, reply.fault) == (IDEA, "stop", "")


def test_a_reply_without_a_block_is_asked_for_again_and_then_unusable(taught, monkeypatch):
    asked_for = []

    def wrote(policy, conversation, seed, hear):
        asked_for.append(conversation)
        return Drafted(text="<think>An <idea>plan</idea>.</think>Sorry.", ids=(1, 2, 3))

    monkeypatch.setattr(LocalPolicy, "reply", wrote)
    with pytest.raises(NoUsableAnswer, match="one idea between <idea> and </idea>") as failed:
        asking.answer(taught, request(), HeadedIdea, silent)
    assert len(asked_for) == asking.TRIES
    assert [call.outcome for call in failed.value.calls] == [NO_BLOCK] * asking.TRIES
    assert (failed.value.calls[0].raw, failed.value.calls[0].thoughts) == (
        "Sorry.",
        "An <idea>plan</idea>.",
    )
    assert NO_BLOCK in asked_for[1][-1].text


def test_seed_and_temperature_decide_and_the_limit_holds(raw):
    def wrote(temperature, seed, tokens=64):
        return raw.reply(request("bench-idea", None, temperature, tokens=tokens, seed=seed), silent)

    assert wrote(1.0, 1).text == wrote(1.0, 1).text != wrote(1.0, 2).text
    assert wrote(0.0, 1).text == wrote(0.0, 2).text
    assert (wrote(0.0, 1).finish_reason, wrote(0.0, 1).tokens_out) == ("length", 64)


def test_one_answer_is_written_however_many_its_folder_asks_for(tmp_path):
    folder = tiny_policy.make(tmp_path / "many")
    kept = folder / "generation_config.json"
    many = {"num_return_sequences": 3, "num_beams": 3, "do_sample": True}
    kept.write_text(json.dumps((json.loads(kept.read_text()) if kept.exists() else {}) | many))
    policy = LocalPolicy(*weights.load(folder), "many", 8)
    said = (Turn(role="user", text="Why nap?"),)
    assert policy.model.generation_config.num_return_sequences == 3
    assert len(policy.write([said], 1, lambda _: None)) == 1


@pytest.mark.parametrize("where", ["itself", "a part of it"])
def test_a_model_with_labels_without_end_is_refused_before_it_is_loaded(tmp_path, where):
    folder = tiny_policy.make(tmp_path / "many")
    said = folder / "config.json"
    many = {"num_labels": 100_000_000}
    config = json.loads(said.read_text())
    said.write_text(
        json.dumps(config | (many if where == "itself" else {"a": {"text_config": many}}))
    )
    with pytest.raises(BadInput, match="more than 100,000 labels"):
        weights.load(folder)


def test_it_breaks_off_as_soon_as_somebody_stops_it(raw):
    heard = []

    def stopping(text, note):
        heard.append(text)
        if text:
            raise Stopped("Stopped as asked.")

    with pytest.raises(Stopped):
        raw.reply(request("bench-idea", None, 1.0, tokens=60_000), stopping)
    assert len(heard[-1]) < 5_000
    # The next call is answered: nothing is held any more.
    assert raw.reply(request("bench-idea", None, 1.0, tokens=64), silent).tokens_out == 64


def test_a_reply_has_the_room_that_the_question_leaves_and_too_long_a_question_is_refused(
    raw, monkeypatch
):
    short = request("bench-idea", None, tokens=64)
    read = raw.reply(short, silent).tokens_in
    config = raw._weights(silent).model.config
    monkeypatch.setattr(config, "max_position_embeddings", read + 5)
    reply = raw.reply(short, silent)
    assert (reply.tokens_out, reply.detail["most tokens"]) == (5, 5)
    monkeypatch.setattr(config, "max_position_embeddings", read)
    with pytest.raises(ModelFailed, match=f"reads at most {read:,} tokens"):
        raw.reply(short, silent)


def test_it_is_opened_by_its_name_counts_as_free_and_is_not_asked_to_plan(data):
    shop = Workshop(read({}, data=data))
    inputs = EvolveInputs(topic="t", papers=False, **DATA)
    config = shop.config("evolve", inputs, models={"main": "local:tiny"})
    assert set(config.models.values()) == {"local:tiny"}
    assert (config.cap_tokens, config.thinking) == (None, ("local:tiny",))
    with pytest.raises(BadInput, match=r"no model 'local:big'.*local:tiny"):
        shop.model("local:big")
    with pytest.raises(BadInput, match="in no worker of a cluster"):
        open_model("local:tiny", shop.settings, shop.store, shop.builtin)


def test_it_is_refused_once_a_file_has_changed_even_while_it_is_loaded(tmp_path):
    papers = in_use(tmp_path)
    shop = Workshop(read({}, data=tmp_path))
    model = shop.model("local:tiny")
    assert model.reply(request(), silent).fault == ""
    at = tmp_path / "policies" / "tiny" / "generation_config.json"
    before = at.read_text()
    at.write_text(before.replace("{", "{ "))
    for ask in (lambda: model.reply(request(), silent), lambda: shop.model("local:tiny")):
        with pytest.raises(BadInput, match="have changed since it was put to use"):
            ask()
    at.write_text(before)
    assert Store(tmp_path).policies.get("tiny") == papers
    assert model.reply(request(), silent).fault == ""


TEMPLATES = {
    "power": "{{ 9 ** 99999999 }}",
    "times": "{{ 'a' * 3000000000 }}",
    "filled": "{{ '%0999999999d' % 1 }}",
    "formatted": "{{ '{:0999999999d}'.format(1) }}",
    "doubled": "{% set n = namespace(x='a') %}{% for _ in range(60) %}{% set n.x = n.x ~ n.x %}"
    "{% endfor %}",
    "batch": "{{ [1] | batch(1000000000, 'x') | list }}",
    "long": "{{ 'a' * 3000000 }}",
    "refused": "{{ raise_exception('no system message') }}",
    "outside": "{{ ''.__class__.__mro__ }}{{ messages.__class__ }}",
}


@pytest.mark.parametrize("kind", TEMPLATES)
def test_a_chat_template_takes_little_and_writes_in_bounds(tmp_path, monkeypatch, kind):
    monkeypatch.setattr(templates, "PATIENCE", 3.0)
    folder = tiny_policy.make(tmp_path / "policy")
    policy = LocalPolicy(*weights.load(folder), "tiny", 10)
    question = conversation_of(request())
    wanted = policy.encode(question)
    own, policy.tokenizer.chat_template = policy.tokenizer.chat_template, TEMPLATES[kind]
    with pytest.raises(ModelFailed, match="chat template in the model's folder"):
        policy.encode(question)
    policy.tokenizer.chat_template = own
    assert policy.encode(question) == wanted, "the next question is none the worse for it"


def test_a_chat_template_writes_what_it_writes_in_transformers(tmp_path):
    from transformers.utils import chat_template_utils

    text = """{%- if messages[0].role == 'system' %}
        {{- '<|im_start|>system\n' + messages[0].content | trim + '<|im_end|>\n' }}
    {%- endif %}
    {%- set ns = namespace(last=messages|length - 1) %}
    {%- for message in messages[::-1] %}
        {%- if message.role == 'tool' %}{%- continue %}{%- endif %}
        {% generation %}{{ bos_token }}{{ loop.index0 % 2 }}{{ message | tojson(indent=1) }}
        {% endgeneration %}
        {%- if loop.index > 5 %}{% break %}{% endif %}
    {%- endfor %}
{{ ns.last }}{{ dict(a='é<').items() | list }}{% if add_generation_prompt %}<a>{% endif %}"""
    given = {
        "messages": [
            {"role": role, "content": f"<b>&{n} \u2028é"}
            for n, role in enumerate(("system", "user", "tool", "assistant"))
        ],
        "bos_token": "<s>",
        "tools": None,
        "documents": None,
        "add_generation_prompt": True,
    }
    there = chat_template_utils._cached_compile_jinja_template(text).render(**given)
    assert templates.PROCESS.render(text, given) == there


def replaced(times: int) -> dict:
    grows = {"type": "Replace", "pattern": {"String": "e"}, "content": "eeeeeeeeee"}
    return {"normalizer": {"type": "Sequence", "normalizers": [grows] * times}}


TOKENIZERS = {
    "memory": replaced(9),
    "panic": {"pre_tokenizer": {"type": "FixedLength", "length": 0}},
    "tokens": {"post_processor": {"type": "TemplateProcessing", "special_tokens": {}, "pair": [],
                                  "single": [{"Sequence": {"id": "A", "type_id": 0}}] * 300_000}},
    "no file of one": {"model": 7},
}  # fmt: skip


@pytest.mark.parametrize("kind", TOKENIZERS)
def test_a_tokenizer_takes_little_and_fails_alone(tmp_path, kind):
    folder = tiny_policy.make(tmp_path / "policy")
    file = folder / "tokenizer.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | TOKENIZERS[kind]))
    before = psutil.Process().memory_info().rss
    with pytest.raises(ModelFailed, match=r"The tokenizer in .* cannot be used: "):
        LocalPolicy(*weights.load(folder, apart=True), "tiny", 10).encode(
            conversation_of(request())
        )
    assert psutil.Process().memory_info().rss - before < 300_000_000


def test_a_tokenizer_apart_says_what_one_in_this_process_says(tmp_path):
    folder = tiny_policy.make(tmp_path / "policy")
    here = LocalPolicy(*weights.load(folder), "tiny", 10)
    apart = LocalPolicy(*weights.load(folder, apart=True), "tiny", 10)
    question = conversation_of(request())
    ids = here.encode(question)
    assert apart.encode(question) == ids
    for n in (0, 5, len(ids)):
        assert apart.tokenizer.decode(ids[:n]) == here.tokenizer.decode(
            ids[:n], skip_special_tokens=True
        )
    marks = (here.tokenizer.eos_token_id, here.tokenizer.pad_token_id)
    assert (apart.tokenizer.eos_token_id, apart.tokenizer.pad_token_id) == marks
    apart.tokenizer._child.kill()
    with pytest.raises(ModelFailed, match="its process ended"):
        apart.encode(question)
    assert apart.encode(question) == ids, "another one"
