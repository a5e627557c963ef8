"""The novelty check on screen: claims down, works across, and behind every cell the two quotes it
rests on.
"""
