"""Rating and ranking the ideas of a collection, and what came of it."""
