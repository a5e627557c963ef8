"""Small policies to train, and trainings in any state."""
