"""From what a person asked for to a run that is worked on."""
