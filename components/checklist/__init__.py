"""Checklist evolution: the form, the steps with their items and directives."""
