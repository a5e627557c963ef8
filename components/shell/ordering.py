"""An order with ties that a person builds step by step: groups of ids, best first. It is written
into the address.
"""

Order = tuple[tuple[str, ...], ...]


def read(text: str, known: tuple[str, ...]) -> Order:
    """Read an order from an address, `a~b,c` for a and b tied before c; what is not known is left
    out.
    """
    seen: set[str] = set()
    groups = []
    for part in text.split(","):
        group = tuple(
            one for one in dict.fromkeys(part.split("~")) if one in known and one not in seen
        )
        seen.update(group)
        groups.append(group)
    return tuple(group for group in groups if group)


def written(order: Order) -> str:
    """Write an order for the address."""
    return ",".join("~".join(group) for group in order)


def without(order: Order, one: str) -> Order:
    """Take an id out; its place closes up."""
    return tuple(
        left for group in order if (left := tuple(other for other in group if other != one))
    )


def placed(order: Order, one: str) -> Order:
    """Put an id last."""
    return (*without(order, one), (one,))


def moved(order: Order, one: str, by: int) -> Order:
    """Move an id one place up (-1) or down (+1): out of a tie to a place of its own, else past the
    next place.
    """
    at = _at(order, one)
    groups = list(order)
    if len(groups[at]) > 1:
        groups[at] = tuple(other for other in groups[at] if other != one)
        groups.insert(at if by < 0 else at + 1, (one,))
    elif 0 <= at + by < len(groups):
        groups.insert(at + by, groups.pop(at))
    return tuple(groups)


def tied(order: Order, one: str) -> Order:
    """Tie an id with the place above it."""
    at = _at(order, one)
    if at == 0:
        return order
    left = without(order, one)
    return (*left[: at - 1], (*left[at - 1], one), *left[at:])


def _at(order: Order, one: str) -> int:
    return next(n for n, group in enumerate(order) if one in group)
