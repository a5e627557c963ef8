"""Tests of core/methods."""
