"""The form of a new benchmark."""
