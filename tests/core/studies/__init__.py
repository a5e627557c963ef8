"""Tests of core/studies."""
