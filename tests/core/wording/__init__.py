"""Tests of core/wording."""
