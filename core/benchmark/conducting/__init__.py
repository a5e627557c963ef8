"""Working through a benchmark: what each cell asks, who makes the calls, what becomes of answers.

conduct(desk, inputs)   # hands every cell that is left to threads, or to a cluster's workers
"""
