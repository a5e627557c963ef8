"""Tests of core/commands."""
