"""Ranking with a target: the form, the orders, and the person who ranks."""
