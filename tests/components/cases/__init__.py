"""Tests of components/cases."""
