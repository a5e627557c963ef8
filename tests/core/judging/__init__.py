"""Tests of core/judging."""
