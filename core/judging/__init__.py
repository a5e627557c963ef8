"""Judging ideas."""
