"""Tests of checklist experiments."""
