"""Data sets: the form that builds one, the list of them, and one on screen."""
