"""Taking runs along: `document` is a run as JSON, `files` writes one to a file of any kind, and the
other modules hold what goes into these: reports, tables, pictures, bundles.
"""
