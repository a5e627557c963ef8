"""Words about words: what changed between two texts, where a passage stands, how long a text is."""
