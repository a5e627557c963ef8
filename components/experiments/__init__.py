"""Experiments: the form, the matrix of cells, results, and the data sets they use."""
