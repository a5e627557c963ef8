"""Tests of components/runs."""
