"""Tests of components/chains."""
