"""Tests of core/experiments."""
