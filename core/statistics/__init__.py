"""Intervals, paired tests, bootstraps and coefficients of agreement: numbers only, no ideas and no
runs.

`intervals` says which interval a figure has, `statistic` what a figure is when it is published:

    from core.statistics.alpha import alpha
    from core.statistics.matrix import matrix

    ratings = matrix([("idea 1", "Ada", 7), ("idea 1", "Grace", 6), ...])
    found = alpha(ratings, "novelty", "ordinal")
    found.value, found.low, found.high, found.reading, found.refused
"""
