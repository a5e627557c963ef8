"""The library: papers of one's own, built-in papers, and finding a paper."""
