"""The recipes of the papers held with scripted judges: every table and figure against values worked
out by hand.
"""
