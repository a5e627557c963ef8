"""The screens of checklist experiments: beginning one, and what it found."""
