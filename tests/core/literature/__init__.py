"""Tests of core/literature."""
