"""Tests of components/shell."""
