"""Tests of core/export/sessions."""
