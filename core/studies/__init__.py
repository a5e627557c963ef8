"""Expert sessions: setting them up, dealing units to seats, sitting at a seat, and what came of
it.
"""
