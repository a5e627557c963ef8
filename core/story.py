"""A run's story: what it has to show, read back as records."""
from dataclasses import dataclass
from typing import TypeVar

from core import records
from core.errors import StoreFailed, boundary
from core.records import Record
from core.store import Store
from core.store.steps import Product

T = TypeVar("T", bound=Record)


@dataclass(frozen=True)
class Story:
    """The records a run has shown so far; what methods yield first and foremost, and links while a chain still grows."""

    records: tuple[Record, ...]
    growing: tuple[Record, ...]
    """Shown on the way, before the method yielded the whole."""

    @classmethod
    def of(cls, store: Store, run_id: str) -> "Story":
        """Read a run's story from the store."""
        products = store.steps.products(run_id)
        done = tuple(revive(p) for p in products if p.name.startswith("result-"))
        return cls(done, tuple(revive(p) for p in products if not p.name.startswith("result-")))

    def all(self, kind: type[T]) -> tuple[T, ...]:
        """Return every record of a kind, in the order it was made."""
        return tuple(record for record in self.records if isinstance(record, kind))

    def last(self, kind: type[T]) -> T | None:
        """Return the newest record of a kind, or None."""
        found = self.all(kind)
        return found[-1] if found else None


def revive(product: Product) -> Record:
    """Make the record again from its stored form; raises StoreFailed for one this program cannot read."""
    with boundary(StoreFailed, f"reading {product.name!r}, a {product.kind} that another version of this program may have written"):
        kind: type[Record] = getattr(records, product.kind)
        return kind.model_validate(product.data)
