"""Sessions from the organiser's side: the form, one session and its views (`view`), seats, live
figures, results, and ratings from a file.
"""
