"""The figures of a benchmark, subject by subject; `gallery` puts them together."""
