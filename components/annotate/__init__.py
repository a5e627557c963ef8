"""Sessions from the expert's side: the steps of a seat (`screen`), the work on one unit
(`work`), and its forms, kept as they are filled in (`desk`).
"""
