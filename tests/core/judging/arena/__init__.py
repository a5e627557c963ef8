"""Tests of core/judging/arena."""
