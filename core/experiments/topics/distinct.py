"""How many of a contender's ideas are different from each other.

By meaning: an idea counts as new unless its embedding lies near that of an earlier one that counts
(Si et al., 2024, take a cosine of 0.8 of the same model). Whether two ideas are the same in a
judge's eyes is asked elsewhere, once there is a prompt for it: `Alike` is where that goes in.
"""

from collections.abc import Callable, Sequence

from core.desk import Desk
from core.experiments.topics.cells import TopicExperimentInputs, name_player, players
from core.journal import Answer
from core.records import DistinctIdeas, Idea, Origin, TopicCell, digest, part

NEAR = 0.8
"""The cosine from which on two ideas are taken for one."""
Alike = Callable[[int, int], bool]
"""Says of two ideas, by their numbers, whether they are the same."""


def measure_all(
    desk: Desk, asked: TopicExperimentInputs, came: Sequence[TopicCell]
) -> tuple[DistinctIdeas, ...]:
    """Show of every contender how many of its ideas, over all topics and seeds, are distinct."""
    found = []
    for one, model in players(asked):
        player = name_player(one, model)
        shas = [cell.idea for cell in came if cell.player == player and cell.idea]
        if shas:
            here = desk.at("distinct").at(part(player))
            made = measure(here, player, shas)
            here.show(made)
            found.append(made)
    return tuple(found)


def measure(desk: Desk, player: str, shas: Sequence[str]) -> DistinctIdeas:
    """Return how many of these ideas, in their order, are distinct, and how far they are spread."""
    held = desk.bench.store.frozen.several(tuple(dict.fromkeys(shas)), Idea)
    texts = [held[sha].text for sha in shas]
    rows = cosines(desk, texts)

    def alike(a: int, b: int) -> bool:
        return rows[a][b] >= NEAR

    pairs = [value for row in rows for value in row]
    return DistinctIdeas(
        player=player,
        ideas=len(texts),
        distinct=count_distinct(len(texts), alike),
        spread=round(1 - sum(pairs) / len(pairs), 6) if pairs else None,
        nearest=tuple(max(row) for row in rows[1:]),
    )


def count_distinct(ideas: int, alike: Alike) -> int:
    """Return how many of so many ideas are like none of the earlier ones that count."""
    counted: list[int] = []
    for n in range(ideas):
        if not any(alike(n, other) for other in counted):
            counted.append(n)
    return len(counted)


def cosines(desk: Desk, texts: Sequence[str]) -> list[list[float]]:
    """Return the cosine of every text with each one before it, as a step: row n has n of them."""
    embedder = desk.bench.embedder

    def answer() -> Answer:
        rows = [
            embedder.similarities(text, list(texts[:n])) if n else []
            for n, text in enumerate(texts)
        ]
        origin = Origin(kind="computed", name="embedding", detail={"model": embedder.name})
        return Answer([[round(float(value), 6) for value in row] for row in rows], origin)

    reply = desk.step("cosines", {"cosines": digest(list(texts))}, answer)
    assert isinstance(reply, list)
    return reply
