"""Tests of components/library."""
