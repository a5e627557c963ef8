"""A shortlist from a topic on screen: what it is asked for, the cards, the funnel, two ideas side
by side, and what a person changes.
"""
