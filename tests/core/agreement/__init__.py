"""Tests of core/agreement."""
