"""Export a benchmark: `folder` writes all of it piece by piece, so that a full sweep fits through.

`report` tells it as blocks and `protocol` how it was held; `rows` makes its records into sheets.
"""
