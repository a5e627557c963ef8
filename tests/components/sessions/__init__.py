"""Tests of components/sessions."""
