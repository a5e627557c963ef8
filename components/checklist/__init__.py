"""The screen of a checklist evolution: `form` starts one, `view` draws it at one moment.

`step` draws one step with its directives, over or being made; `scores` and `compare` are the
other views. `items` says what the nine items are called and how they look, `passages` tints the
text. People take part by `declines` (which directives are followed) and as the `judge`.
"""
