"""Tests of core, room by room."""
