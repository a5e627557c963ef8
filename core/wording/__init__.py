"""Texts compared, cut and named, without a model: what changed between two versions, where a quoted
passage stands, where sentences end, what a method with its settings is called.
"""
