"""The figures of a benchmark, subject by subject; `every` puts them together."""
