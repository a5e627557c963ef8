"""Tests of components/refine."""
