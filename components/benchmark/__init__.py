"""The benchmark: ideas from one keyword, progress, results and validation."""
