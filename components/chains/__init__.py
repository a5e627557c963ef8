"""The screen of a chain run: `form` starts one, `view` draws it, `edit` changes it.

`graph` draws the branches as lanes of papers; below it stands one view at a time: `branch` (with
its `paper`s and `novelty` checks), `compare`, `choice`, `design` and `map`. `facts` says what
was asked for. A baseline has no graph and a screen of its own, `baseline`.
"""
