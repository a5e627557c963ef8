"""Tests of core/export/benchmarks."""
