"""The screen of a ranking: `form.draw` starts one of the `candidates`, `view.whole(run)` draws it.

`orders` draws what one judge said; `person` asks a person for an order, blind.
"""
