"""Experiments: the form, the matrix of cells, and results."""
