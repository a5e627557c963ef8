"""The results of a benchmark: board, scores, comparisons, usage."""
