"""Idea Foundry's core: from a topic to a refined idea, headless, on a journal."""

VERSION = "1.0.0"
"""Of the program: shown in Settings, in exports and by `doctor`, and written into backups."""
