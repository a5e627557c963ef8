"""Tests of core/cases."""
