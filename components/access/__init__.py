"""Who may come in: the gate of the server, the entrance to a page, signing in."""
