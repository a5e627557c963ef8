"""Files of case studies, whatever was done to them: refused with a sentence, or exactly what was
packed.
"""

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.cases import MOST_BYTES, open_case, read
from core.errors import BadInput
from core.export.bundling import bundle
from core.store import Store
from tests.support.case_kit import finished, packed_bytes, repacked
from tests.support.scripted import PAPERS


@given(st.data())
@settings(max_examples=300)
def test_whatever_byte_is_changed_the_file_is_refused_or_is_the_same(data):
    whole = packed_bytes()
    where = data.draw(st.integers(0, len(whole) - 1))
    put = data.draw(st.binary(max_size=3))
    cut = data.draw(st.integers(0, 3))
    with suppress(BadInput):
        assert read(whole[:where] + put + whole[where + cut :]) == read(whole)


@given(st.integers(0, 10_000))
def test_a_file_that_was_cut_short_is_said_to_be(share):
    whole = packed_bytes()
    with pytest.raises(BadInput, match=r"cut short|no case study"):
        read(whole[: (len(whole) - 2) * share // 10_000])


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "no case study"),
        (b"\xff\xfe\x00", "no case study"),
        (b"[1, 2]", "no case study"),
        (b'"a"', "no case study"),
        (b"PK\x03\x04zip", "no case study"),
        (b'{"format": "something-else/1"}', "no case study"),
        (b'{"format": 7}', "no case study"),
        (b'{"format": "idea-foundry-case/2"}', "Another version"),
        (b'{"format": "idea-foundry-run/1"}', "exported as JSON"),
        (b'{"format": "idea-foundry-case/1"}', "changed after it was packed"),
        (b'{"format": "idea-foundry-case/1", "format": "idea-foundry-case/1"}', "damaged"),
        (b'{"a": NaN}', "no case study"),
        (b"[" * 200_000, "nested deeper"),
        (b'{"a":' * 60 + b"1" + b"}" * 60, "nested deeper"),
        (b" " * (MOST_BYTES + 1), "more than 20 MB"),
        (
            b'{"format": "idea-foundry-case/1", "x": [' + b"[]," * 500_000 + b"[]]}",
            "more than 1,000,000 parts",
        ),
        (b'{"format": "idea-foundry-case/1", "x": "\\ud800"}', "damaged"),
        (b'{"format": "idea-foundry-case/1", "x": 123456789012345678901}', "too large"),
        (b'{"format": "idea-foundry-case/1", "x": 1e999}', "too large"),
    ],
)
def test_a_file_that_is_no_case_study_gets_a_sentence(data, said):
    with pytest.raises(BadInput, match=said):
        read(data)


def test_a_bundle_is_told_apart_from_a_case_study(tmp_path):
    runner, run = finished(tmp_path)
    with pytest.raises(BadInput, match="exported as JSON"):
        read(bundle(runner.store, run.id).encode())


def test_one_changed_letter_is_noticed():
    with pytest.raises(BadInput, match="changed after it was packed"):
        read(packed_bytes().replace(b"Name the mechanism", b"Name the mechanics", 1))


def _whole(change):
    return lambda document: change(document["whole"])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda d: d.update(extra=1), "does not know: extra: is not asked for"),
        (lambda d: d.update(title=""), "title: is empty"),
        (lambda d: d.update(about="x" * 9000), "about: has more than 5000"),
        (lambda d: d.update(at="yesterday"), "at: is no moment in UTC"),
        (lambda d: d.update(at="2026-01-01T00:00:00"), "no moment in UTC"),
        (
            _whole(lambda w: w.update(prompts={str(n): {} for n in range(1_001)})),
            "prompts: .*more entries than the 1,000",
        ),
        (
            _whole(lambda w: w["config"].update(method="alchemy")),
            "'alchemy', version 2, which this program does not know",
        ),
        (_whole(lambda w: w["config"].update(version=99)), "version 99"),
        (_whole(lambda w: w["config"].update(inputs={"topic": 7})), "asked for cannot be read"),
        (
            _whole(lambda w: w["products"][0].update(kind="digest")),
            "a kind this program does not know",
        ),
        (
            _whole(
                lambda w: w["products"][0].update(
                    kind="Origin", data={"kind": "model", "name": "x", "detail": {"year": "abc"}}
                )
            ),
            "does not know, 'Origin'",
        ),
        (_whole(lambda w: w["products"][0].update(kind="Config")), "does not know, 'Config'"),
        (_whole(lambda w: w["products"][0].update(kind="Chain")), "is no Chain"),
        (_whole(lambda w: w["products"][0].update(name="../../etc")), None),
        (_whole(lambda w: w["products"][0].update(name="branch-x/idea")), "places of its records"),
        (_whole(lambda w: w["products"][0]["data"].update(surprise=1)), "surprise"),
        (_whole(lambda w: w["products"].append(w["products"][0])), "more than one record"),
        (_whole(lambda w: w["steps"].append(w["steps"][0])), "more than one step"),
        (
            _whole(
                lambda w: w["papers"].append(
                    PAPERS[0].model_dump(mode="json") | {"id": "other", "published": "last May"}
                )
            ),
            "date of the paper",
        ),
        (
            _whole(
                lambda w: w["papers"].append(
                    PAPERS[0].model_dump(mode="json") | {"id": "other", "year": 10**9}
                )
            ),
            "date of the paper",
        ),
        (_whole(lambda w: w["steps"].pop()), "counts"),
        (_whole(lambda w: w["steps"][0].update(key="k" * 300)), "steps 1, key: is not written"),
        (_whole(lambda w: w["steps"][0].update(place="9" * 500)), "steps 1, place: is not written"),
        (_whole(lambda w: w["steps"][0].update(hash="0" * 64)), "does not fit its hash"),
        (_whole(lambda w: w["steps"][0].update(latency=-1.0)), "latency"),
        (_whole(lambda w: w["steps"][0].update(latency=None)), "nothing of its time"),
        (_whole(lambda w: w["steps"][0]["origin"].update(kind="authored")), "written by no model"),
        (
            _whole(lambda w: w["steps"][0].update(tokens_in="7")),
            "steps 1, tokens in: must be a whole number",
        ),
        (_whole(lambda w: w["steps"][0].update(status="failed")), "does not say why"),
        (_whole(lambda w: w["totals"].update(cost=-1.0)), "cost"),
        (_whole(lambda w: w.update(parent="../x")), "parent"),
        (
            _whole(
                lambda w: w["prompts"].update({"0" * 64: {"name": "review", "text": "Say yes."}})
            ),
            "not the one",
        ),
        (_whole(lambda w: w["notes"][0].update(text="   ")), "notes 1, text: "),
        (_whole(lambda w: w["notes"][0].update(by="\n")), "notes 1, by: "),
        (_whole(lambda w: w["notes"][0].update(text="")), "notes 1, text: "),
        (
            _whole(lambda w: w.update(notes=w["notes"] * 2_001)),
            "notes: has more entries than the 2000",
        ),
        (
            _whole(
                lambda w: [
                    one["data"].update(n=7) for one in w["products"] if one["kind"] == "Round"
                ]
            ),
            "rounds are not in order",
        ),
        (
            _whole(
                lambda w: [
                    one["data"].update(round=9) for one in w["products"] if one["kind"] == "Outcome"
                ]
            ),
            "round it does not have",
        ),
    ],
)
def test_a_stranger_s_file_with_a_fitting_digest_is_read_as_strictly(tmp_path, change, said):
    store = Store(tmp_path)
    if said is None:
        assert open_case(store, repacked(change)).packed, "a name is only a name"
        return
    with pytest.raises(BadInput, match=said):
        open_case(store, repacked(change))
    assert store.runs.count(packed=None) == 0


@pytest.mark.parametrize("part", ["steps", "products", "notes", "papers"])
def test_of_a_list_of_faults_the_first_is_told(part):
    """A fault in every entry of a list takes gigabytes of memory before anybody can count them."""
    with pytest.raises(BadInput) as refused:
        read(repacked(_whole(lambda whole: whole.update({part: [{}] * 50_000}))))
    assert "faults" not in str(refused.value)
    assert f"{part} 1" in str(refused.value)


def test_a_product_of_more_parts_than_any_has_is_refused():
    def grow(document):
        document["whole"]["products"][0]["data"]["more"] = [1] * 200_000

    with pytest.raises(BadInput, match="has more than 100,000 parts"):
        read(repacked(grow))
