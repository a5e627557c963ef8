"""Expert sessions: setting them up, dealing units to seats, sitting at a seat, and what came of
it.

A session begins in `setting_up` (texts from `picking`, sets from `sets`), is opened and dealt by
`organising`, answered in `sitting` or by a model in `model_seat`, watched through `live`, and read
by `analysis`: `filed` holds the answers that count, one module for each task makes their figures.
"""
