"""A packed file names steps that its method can have asked, and numbers that its calls can have
taken; earlier files open as before.
"""

import gzip
import json
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from core import settings
from core.cases import UNSIGNED, open_case, pack, read
from core.commands.packing import open_file
from core.errors import BadInput
from core.records import digest
from core.runs.catalogue import METHODS
from core.runs.runner import Runner
from core.runs.workshop import Workshop
from core.store import Store
from tests.core.cases.test_reading import _whole
from tests.support import stored
from tests.support.case_kit import packed_bytes, repacked

STORES = sorted(path.name.removesuffix(".db.gz") for path in stored.HERE.glob("*.db.gz"))


@cache
def priced() -> bytes:
    """Return a packed refinement whose steps have calls with tokens, made once of a stored run."""
    with TemporaryDirectory() as folder:
        store, known = unpacked("edition-2", Path(folder))
        return pack(store, known["refinement"]["ended"])


def unpacked(name: str, folder: Path) -> tuple[Store, dict]:
    (folder / "foundry.db").write_bytes(
        gzip.decompress((stored.HERE / f"{name}.db.gz").read_bytes())
    )
    return Store(folder), json.loads((stored.HERE / f"{name}.json").read_text("utf-8"))


def stranger(change) -> bytes:
    """Change a packed document with calls in it, and give it the hashes and the digest that fit."""
    document = json.loads(priced())
    change(document["whole"])
    for step in document["whole"]["steps"]:
        step["hash"] = digest(step["request"])
    document["sha"] = digest({name: value for name, value in document.items() if name != "sha"})
    return json.dumps(document).encode()


def asked(whole: dict) -> dict:
    return next(step for step in whole["steps"] if step["calls"])


def call(**given):
    return lambda whole: asked(whole)["calls"][-1].update(given)


def totals(**given):
    return lambda whole: whole["totals"].update(given)


@pytest.mark.parametrize("name", STORES)
def test_every_kind_of_run_that_can_be_packed_opens_again(name, tmp_path):
    store, known = unpacked(name, tmp_path)
    packed = [
        kind
        for kind, made in known.items()
        if "ended" in made and not METHODS[store.runs.get(made["ended"]).config.method].apart
    ]
    assert {"chain", "rag", "direct", "refinement", "evolution", "ranking"} <= set(packed)
    there = Store(tmp_path / "there")
    for kind in packed:
        case = open_case(there, pack(store, known[kind]["ended"]))
        assert (case.state, case.calls) == ("done", store.runs.get(known[kind]["ended"]).calls), (
            kind
        )


def test_a_run_that_was_stopped_and_resumed_and_one_with_calls_in_vain_can_be_packed(tmp_path):
    with stored.opened("edition-2", tmp_path) as (runner, _, known):
        for kind in ("chain", "refinement", "evolution"):
            for run in known[kind]["stopped"]:
                runner.resume(run)
                runner.wait(run, 60)
                key = next(step.key for step in runner.store.steps.of(run) if step.calls)
                lost = (
                    runner.store.steps.get(run, key)
                    .calls[0]
                    .model_copy(update={"outcome": "no JSON"})
                )
                runner.store.connections.write(
                    "UPDATE runs SET calls = calls + 1, tokens_in = tokens_in + ?,"
                    " tokens_out = tokens_out + ?, unpriced = unpriced + ? WHERE id = ?",
                    lost.tokens_in or 0,
                    lost.tokens_out or 0,
                    int(lost.cost is None),
                    run,
                )
                assert open_case(Store(tmp_path / run), pack(runner.store, run)).state == "done"


def test_a_fork_that_takes_steps_over_can_be_packed(tmp_path):
    with stored.opened("edition-2", tmp_path) as (runner, _, known):
        made = runner.fork(known["refinement"]["ended"], "round-2/revise", lambda config: config)
        assert runner.work(made.id) == "done"
        assert any(step.taken_from for step in runner.store.steps.of(made.id))
        assert open_case(Store(tmp_path / "there"), pack(runner.store, made.id)).state == "done"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda w: asked(w).update(key="made-up/step"), "asked the prompt"),
        (
            lambda w: asked(w).update(key=f"nowhere/{asked(w)['key'].rpartition('/')[2]}"),
            "stands at 'nowhere'",
        ),
        (
            lambda w: (
                asked(w)["request"].update(prompt="jailbreak"),
                asked(w).update(key="round-1/jailbreak"),
            ),
            "a prompt that its method",
        ),
        (
            lambda w: (
                asked(w)["request"].update(prompt="arena-ideas"),
                asked(w).update(key="round-1/arena-ideas"),
            ),
            "a prompt that its method",
        ),
        (
            lambda w: next(one for one in w["steps"] if one["origin"]["kind"] == "computed").update(
                key="round-1/proof"
            ),
            "a name that no step",
        ),
        (
            lambda w: next(one for one in w["steps"] if one["origin"]["kind"] == "source").update(
                key="background/oracle"
            ),
            "a name that no step",
        ),
    ],
)
def test_a_step_that_no_method_asks_is_refused_by_its_name(tmp_path, change, said):
    with pytest.raises(BadInput, match=said) as refused:
        open_case(Store(tmp_path), stranger(change))
    assert "Nothing was opened" in str(refused.value)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (call(tokens_in=-5), "a call with -5 tokens"),
        (call(tokens_out=10**12), "a call with 1,000,000,000,000 tokens"),
        (call(tokens_expected=-1), "tokens"),
        (call(latency=-3.0), "took -3 seconds"),
        (call(cost=-1.0), "cost -1 dollars"),
        (call(cost=5e6), "cost 5e"),
        (call(cost=900.0), "dollars for"),
        (call(tokens_thought=10**6), "thought with more"),
        (call(tokens_cached=10**6), "more tokens from a cache"),
        (lambda w: asked(w).update(tokens_in=7), "names 7 tokens in"),
        (lambda w: asked(w).update(cost=0.5), "a cost of 0.5 dollars"),
        (lambda w: asked(w).update(tries=9), "counts 9 calls"),
        (lambda w: asked(w).update(calls=[]), "calls and has 0"),
        (totals(calls=0), "it counts 0 calls"),
        (totals(tokens_in=1), "it counts 1 tokens in"),
        (totals(tokens_in=10**15), "tokens in"),
        (totals(cost=250.0), "it names a cost of 250 dollars"),
        (totals(unpriced=10**6), "calls without a price"),
    ],
)
def test_numbers_that_cannot_be_are_refused_with_what_they_are(tmp_path, change, said):
    with pytest.raises(BadInput, match=said):
        open_case(Store(tmp_path), stranger(change))


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_what_is_no_number_is_no_cost(tmp_path, number):
    data = priced().decode()
    at = data.index('"cost": ', data.index('"totals"'))
    end = min(data.index(sign, at) for sign in ",\n")
    with pytest.raises(BadInput, match=r"no number|too large"):
        open_case(Store(tmp_path), (data[:at] + f'"cost": {number}' + data[end:]).encode())


def test_no_sentence_of_a_validator_is_said_of_a_file():
    for change in (
        _whole(lambda w: w["steps"][0].update(tokens_in="7")),
        _whole(lambda w: w["products"][0]["data"].update(fields=3)),
        _whole(lambda w: w["config"].update(inputs={"topic": 7})),
        lambda d: d.update(at="yesterday"),
    ):
        with pytest.raises(BadInput) as refused:
            read(repacked(change))
        assert not [
            word
            for word in (
                "Input should",
                "Field required",
                "isoformat",
                "pydantic",
                "ValidationError",
            )
            if word in str(refused.value)
        ]


def test_a_file_says_that_its_digest_is_no_signature_and_one_without_that_opens_too(tmp_path):
    document = json.loads(packed_bytes())
    assert document["unsigned"] == UNSIGNED
    assert "no signature" in UNSIGNED
    del document["unsigned"]
    document["sha"] = digest({name: value for name, value in document.items() if name != "sha"})
    assert open_case(Store(tmp_path), json.dumps(document).encode()).packed
    with pytest.raises(BadInput, match="unsigned: says something else"):
        read(repacked(lambda d: d.update(unsigned="Signed by a notary.")))


def test_the_command_line_says_what_the_digest_is_worth(tmp_path):
    (tmp_path / "case.json").write_bytes(packed_bytes())
    shop = Workshop(settings.read({}, data=tmp_path))
    document, code = open_file(shop, type("Args", (), {"file": str(tmp_path / "case.json")})())
    assert (code, document["packed"]["sha"], document["packed"]["unsigned"]) == (
        0,
        json.loads(packed_bytes())["sha"],
        UNSIGNED,
    )
    assert Runner(shop).store.runs.count(packed=True) == 1
