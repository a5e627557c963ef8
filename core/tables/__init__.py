"""Tables of figures as CSV and LaTeX."""
