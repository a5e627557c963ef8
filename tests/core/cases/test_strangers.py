"""Files of strangers: whatever stands in one, it is refused in a sentence, or opens as a run that
can be read whole.
"""

import functools
import json
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import get_args, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.cases import MOST_BYTES, open_case, pack
from core.cases.consistency import SHOWN, _check_dates
from core.cases.reading import MOST_PARTS
from core.cases.tape import Tape
from core.errors import BadInput
from core.export.bundling import bundle
from core.export.markdown import markdown
from core.methods.presets import FEASIBILITY, NOVELTY
from core.records import Record, digest
from core.runs.catalogue import METHODS
from core.runs.estimates import of_run
from core.store import Store
from core.story import Story
from tests.core.judging.test_ranked_sets import prefers, ranked
from tests.support.case_kit import finished, packed_bytes, records
from tests.support.evolving import evolve
from tests.support.scripted import chain, refine_script, wide_script, wide_source
from tests.support.sweep_kit import done


@pytest.mark.parametrize(
    "date",
    [
        {"year": "abc"},
        {"year": [1]},
        {"year": 1e300},
        {"published": ["2019"]},
        {"published": "２０１９"},
    ],
    ids=str,
)
def test_a_date_that_is_none_is_no_date_wherever_it_stands(date):
    with pytest.raises(BadInput, match="date of the paper"):
        _check_dates([{"paper": {"title": "Naps", **date}}])


def test_every_kind_a_method_yields_may_stand_in_a_file():
    yielded = {
        kind
        for one in METHODS.values()
        if not one.apart
        for kind in kinds_of(get_type_hints(one.story)["return"])
    }
    assert yielded - {Record} <= set(SHOWN.values())


def kinds_of(returned) -> set[type]:
    (said,) = get_args(returned)
    return set(get_args(said) or (said,))


def test_a_long_honest_run_stays_far_below_the_limit_of_parts(tmp_path):
    runner, run = finished(tmp_path, refine_script(), rounds=30, goals=(NOVELTY, FEASIBILITY))
    data = pack(runner.store, run.id)
    assert len(Story.of(runner.store, run.id).lines[0].rounds) == 60
    assert sum(map(data.count, (b"[", b"{", b","))) < MOST_PARTS / 25
    assert MOST_BYTES / len(data) * sum(map(data.count, (b"[", b"{", b","))) < MOST_PARTS, (
        "at the limit of bytes too"
    )


NAMES = st.sampled_from(["year", "published", "title", "kind", "paper", "papers"]) | st.text(
    max_size=8
)
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-(10**9), 10**15)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=12)
    | st.sampled_from(
        [
            " ",
            "2019",
            "2019-13-99",
            "round-1/review",
            "idea-2/x",
            "0001.001.0001",
            *SHOWN,
        ]
    )
)
ANYTHING = LEAVES | st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)


@cache
def packed_chain() -> bytes:
    """Return a small packed chain of ideas, made once."""
    with TemporaryDirectory() as folder:
        runner, run = finished(
            Path(folder),
            wide_script(),
            chain,
            wide_source(),
            topic="sleep 2018",
            branches=2,
            length=2,
        )
        return pack(runner.store, run.id)


def places_in(value: object, path: tuple = ()):
    """Yield every place in a document but those of its format and its digest."""
    for name, part in (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    ):
        if (*path, name) not in (("format",), ("sha",)):
            yield (*path, name)
            yield from places_in(part, (*path, name))


@cache
def places(made) -> tuple[tuple[tuple, ...], ...]:
    """Return every place in a packed file, those that differ by a number only together: none is
    drawn oftener for being there often.
    """
    alike: dict[tuple, list[tuple]] = {}
    for path in places_in(json.loads(made())):
        alike.setdefault(tuple("*" if isinstance(name, int) else name for name in path), []).append(
            path
        )
    return tuple(map(tuple, alike.values()))


@cache
def packed_evolution() -> bytes:
    """Return a small packed evolution of two ideas, made once."""
    with TemporaryDirectory() as folder:
        runner, _, run, _ = evolve(Path(folder), lines=2)
        return pack(runner.store, run.id)


@cache
def packed_ranking() -> bytes:
    """Return a small packed ranking by two judges, made once."""
    with TemporaryDirectory() as folder:
        runner, _, run, _ = ranked(
            Path(folder), {"rank": prefers("a", "Paper", "b", "c")}, repeats=1
        )
        return pack(runner.store, run.id)


@cache
def packed_experiment() -> bytes:
    """Return a small packed experiment, made once."""
    with TemporaryDirectory() as folder:
        runner, _, run = done(Path(folder), methods=("direct",), n=1, repeats=1)
        return pack(runner.store, run.id)


@pytest.mark.parametrize(
    "made", [packed_bytes, packed_chain, packed_evolution, packed_ranking, packed_experiment]
)
@given(data=st.data())
def test_whatever_stands_anywhere_in_a_file_it_is_refused_or_opens_and_can_be_read_whole(
    made, data
):
    *above, last = data.draw(st.sampled_from(data.draw(st.sampled_from(places(made)))))
    document = json.loads(made())
    functools.reduce(lambda part, name: part[name], above, document)[last] = data.draw(ANYTHING)
    with TemporaryDirectory() as folder:
        store = Store(Path(folder))
        try:
            case = open_case(store, sealed(document))
        except BadInput:
            assert store.runs.count(packed=None) == 0
            return
        assert records(store, case.id)
        assert Tape.of(store, case.id).moment(1e9).n == len(store.steps.of(case.id))
        assert markdown(store, case.id)
        assert bundle(store, case.id)
        assert of_run(case).steps


def sealed(document: dict) -> bytes:
    """Return a document with the hashes and the digest that fit: what a stranger could hand on."""
    whole = document["whole"]
    for step in (
        whole.get("steps", ())
        if isinstance(whole, dict) and isinstance(whole.get("steps"), list)
        else ()
    ):
        if isinstance(step, dict) and "request" in step:
            step["hash"] = digest(step["request"])
    document["sha"] = digest({name: value for name, value in document.items() if name != "sha"})
    return json.dumps(document).encode()
