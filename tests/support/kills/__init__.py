"""Runs of every kind whose processes are killed, and what must hold of them all the same."""
