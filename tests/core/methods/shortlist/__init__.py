"""Tests of the shortlist, stage by stage and as a whole."""
