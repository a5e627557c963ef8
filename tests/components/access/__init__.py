"""Tests of components/access."""
