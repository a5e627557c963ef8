"""What one cell asks, and what becomes of the answer (LiveIdeaBench, Methods and supplementary
notes 1 and 5).
"""

import random
from collections.abc import Mapping, Sequence

from core import prompts, records
from core.benchmark.conducting.answers import Scored, final_idea, letter, refusal, words
from core.benchmark.conducting.wire import Returned, WireRequest
from core.benchmark.inputs import BenchInputs, eligible
from core.models.asking import TRIES
from core.models.port import Reply, Request
from core.models.prices import at_most, price, unreported
from core.models.validating import RefusedReply, accept, accept_text
from core.records import BenchCell, Call, Sampling, Settled, digest, kept

PROMPTS = ("bench-idea", "bench-idea-again", "bench-marker", "bench-judge", "bench-fluency")
LONGEST = 20_000
"""Characters of an answer that are kept with its cell; more of it stands with the call."""


def question(
    cell: BenchCell,
    about: tuple[str, ...],
    keyword: str,
    inputs: BenchInputs,
    texts: Mapping[str, str],
    sampling: Sampling,
    seed: int,
) -> WireRequest:
    """Return the question of a cell: an idea on a keyword (in the academic framing after a
    refusal), a judgment, or the comparison of two ideas.
    """
    if cell.kind == "idea":
        name = "bench-idea-again" if cell.refusals else "bench-idea"
        values = {"keyword": keyword, "words": str(inputs.asked_words)}
    elif cell.kind == "judge":
        name, values = "bench-judge", {"idea": about[0]}
    else:
        name = "bench-fluency"
        values = {"keyword": keyword, "first": about[0], "second": about[-1]}
    standing, text = prompts.render(texts[name], values)
    if cell.kind == "idea" and inputs.models[cell.model].marked:
        text = f"{text}\n\n{texts['bench-marker'].strip()}"
    return WireRequest(
        id=cell.id,
        key=cell.key,
        model=cell.asked,
        kind=cell.kind,
        prompt=name,
        values=values,
        standing=standing,
        text=text,
        shaped=cell.kind == "judge",
        sampling=sampling,
        seed=int(digest([seed, cell.key])[:8], 16),
        corrections=cell.so_far,
    )


def request(asked: WireRequest) -> Request:
    """Return the question as the model port takes it."""
    shape = getattr(records, asked.shape) if asked.shape else None
    return Request(
        asked.prompt,
        asked.values,
        asked.standing,
        asked.text,
        Scored if asked.shaped else shape,
        asked.sampling,
        asked.kind,
        asked.seed,
        asked.corrections,
        asked.turns,
    )


def settle(cell: BenchCell, asked: WireRequest, returned: Returned, inputs: BenchInputs) -> Settled:
    """Say what became of a cell: an unusable answer is asked for again with its fault named, at
    most three times, and is a failure after that.
    """
    if not returned.finish:
        return Settled(
            id=cell.id,
            state="failed",
            why=returned.failure,
            text=returned.said,
            refusals=cell.refusals,
            so_far=cell.so_far,
            calls=returned.lost,
        )
    try:
        found = {"idea": _idea, "judge": _judgment, "fluency": _comparison}[cell.kind](
            cell, asked, returned, inputs
        )
    except (RefusedReply, ValueError) as complaint:
        found = _again(cell, returned, str(complaint))
    call = _call(asked, returned, _outcome(found) or "a refusal")
    return found.model_copy(update={"calls": (*returned.lost, call)})


def _outcome(found: Settled) -> str:
    """Say what became of the call that a cell was settled by."""
    if found.state == "done":
        return "accepted"
    if found.state == "again" and found.so_far:
        return found.so_far[-1][1]
    # What is excluded was answered, and counts as a refused try: the text of it stands with the
    # call.
    if found.state == "excluded" and found.why == "refused":
        return "a refusal"
    if found.state == "excluded" and found.why == "long":
        return f"too long: {found.words} words"
    return found.text or found.why


def _again(cell: BenchCell, returned: Returned, complaint: str) -> Settled:
    tried = (*cell.so_far, (returned.text[:LONGEST], complaint))
    if len(tried) < TRIES:
        return Settled(id=cell.id, state="again", so_far=tried, refusals=cell.refusals)
    said = (
        f"{cell.asked} gave no usable answer in {TRIES} tries. The last complaint:"
        f" {complaint.rstrip('.')}."
    )
    return Settled(
        id=cell.id,
        state="failed",
        why="NoUsableAnswer",
        text=said,
        so_far=tried,
        refusals=cell.refusals,
    )


def _idea(cell: BenchCell, _: WireRequest, returned: Returned, inputs: BenchInputs) -> Settled:
    refused = returned.finish == "refusal"
    text, unmarked = (
        (returned.text, False)
        if refused
        else final_idea(accept_text(_reply(returned)), inputs.models[cell.model].marked)
    )
    if refused or refusal(text):
        if not cell.refusals:
            return Settled(
                id=cell.id, state="again", refusals=1
            )  # Nothing so far: the other framing is a question of its own.
        return Settled(id=cell.id, state="excluded", why="refused", text=text[:LONGEST], refusals=2)
    if not text.strip():
        raise RefusedReply("the answer holds no idea")
    length = words(text)
    long = (
        length > inputs.most_words or len(text) > LONGEST
    )  # One word can be as long as a book, and judges would read a piece of it.
    return Settled(
        id=cell.id,
        state="excluded" if long else "done",
        why="long" if long else "",
        text=text.strip()[:LONGEST],
        words=length,
        reply_length=len(returned.whole),
        thoughts_length=len(returned.thoughts),
        refusals=cell.refusals,
        unmarked=unmarked,
    )


def _judgment(cell: BenchCell, asked: WireRequest, returned: Returned, _: BenchInputs) -> Settled:
    given = accept(_reply(returned), Scored, asked=asked.text)
    return Settled(
        id=cell.id,
        state="done",
        text=given.analysis,
        scores=(given.originality, given.feasibility, given.clarity),
    )


def _comparison(cell: BenchCell, _: WireRequest, returned: Returned, __: BenchInputs) -> Settled:
    return Settled(
        id=cell.id,
        state="done",
        text=returned.text.strip()[:LONGEST],
        fluency=letter(accept_text(_reply(returned))),
    )


def _reply(returned: Returned) -> Reply:
    return Reply(
        returned.text,
        returned.finish,
        "",
        returned.tokens_in,
        returned.tokens_out,
        thoughts=returned.thoughts,
        fault=returned.fault,
    )


def _call(asked: WireRequest, returned: Returned, outcome: str) -> Call:
    tokens = returned.tokens_in, returned.tokens_out
    return Call(
        model=asked.model,
        tokens_in=returned.tokens_in,
        tokens_out=returned.tokens_out,
        latency=returned.latency,
        outcome=outcome,
        raw=kept(returned.text, outcome),
        cost=price(asked.model, *tokens, returned.tokens_cached),
        tokens_expected=unreported(asked.model, request(asked), *tokens),
        cost_expected=at_most(asked.model, request(asked), *tokens),
        thoughts=kept(returned.thoughts, outcome),
        tokens_thought=returned.tokens_thought,
        tokens_cached=returned.tokens_cached,
    )


def unheard(asked: WireRequest, outcome: str, latency: float = 0.0) -> Call:
    """Return the account of a call that the server may bill, and whose end nobody heard."""
    guessed = asked.model, request(asked), None, None
    return Call(
        model=asked.model,
        latency=latency,
        outcome=outcome,
        tokens_expected=unreported(*guessed),
        cost_expected=at_most(*guessed),
    )


# -- who is asked ---------------------------------------------------------------------------------


def judges_of(seed: int, inputs: BenchInputs, keyword: str, model: str, n: int) -> tuple[str, ...]:
    """Return the J judges of one idea, never its own model (Methods, Judge panel)."""
    return _drawn([seed, "judges", keyword, model, n], inputs, model, inputs.judged)


def comparer_of(seed: int, inputs: BenchInputs, keyword: str, model: str, n: int, m: int) -> str:
    """Return the one judge that says how different two ideas are, never their own model."""
    return _drawn([seed, "pair", keyword, model, n, m], inputs, model, 1)[0]


def following(
    seed: int, inputs: BenchInputs, keyword: str, idea: BenchCell, others: Sequence[BenchCell]
) -> list[tuple[str, int, int, str]]:
    """Return what is asked once an idea is accepted, as (kind, n, m, who is asked): its judges, and
    its pair with every idea accepted before.
    """
    if not inputs.judges:
        return []
    model = inputs.models[idea.model].model
    judges = judges_of(seed, inputs, keyword, model, idea.n)
    asked = [("judge", idea.n, m, name) for m, name in enumerate(judges, 1)]
    pairs = sorted((min(idea.n, other.n), max(idea.n, other.n)) for other in others)
    for n, m in pairs:
        comparer = comparer_of(seed, inputs, keyword, model, n, m)
        asked.append(("fluency", n, m, comparer))
    return asked


def _drawn(what: list[object], inputs: BenchInputs, model: str, k: int) -> tuple[str, ...]:
    can = sorted(eligible(model, tuple(one.model for one in inputs.judges)))
    return tuple(random.Random(int(digest(what)[:16], 16)).sample(can, k))
