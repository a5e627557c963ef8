"""Editing a branch of a chain: papers, texts, and the copy they are tried on."""
