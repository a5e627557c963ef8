"""Tests of the page that refines one idea."""
