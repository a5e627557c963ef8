"""Tests of measured novelty checks."""
