"""The arena: matches, ratings, judges, and the screen on which people vote."""
