"""Tests of core/benchmark."""
