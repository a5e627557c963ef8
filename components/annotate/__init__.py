"""Sessions from the expert's side: the seat, its desk, its steps."""
