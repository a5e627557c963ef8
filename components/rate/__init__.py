"""Rating the ideas of a collection."""
