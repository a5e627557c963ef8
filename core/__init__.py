"""Idea Foundry's core: from a topic to a refined idea, headless, on a journal."""
