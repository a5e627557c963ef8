"""The screen of a refinement: `form.draw` starts one, `view.draw(scene.now(run))` draws it.

A `scene` is all that is shown at one moment, also of a recording; `address` says what of it is
looked at. `round` draws review, revision and verdict in `columns`; the other views are
`compare`, `tree` (with `family`) and `scores` (with `tradeoff`). People take part by `steer`,
`seats`, `notes` and `branch`.
"""
