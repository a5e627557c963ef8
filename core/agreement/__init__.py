"""How far people, and models, agree: over ratings, rankings and comparisons; knows no store and no
files.
"""
