"""Tests of core/importing."""
