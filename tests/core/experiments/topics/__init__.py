"""Tests of experiments over topics."""
