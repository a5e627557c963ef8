"""Sessions from the organiser's side: form, seats, live figures, results."""
