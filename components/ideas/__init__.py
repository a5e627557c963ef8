"""Ideas and collections: the list, and ideas from files."""
