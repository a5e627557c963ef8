"""Intervals, paired tests and coefficients of agreement: numbers only, no ideas and no runs."""
