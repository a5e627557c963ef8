"""Export a run, whole or one branch of it: a report as Markdown, Word, PDF or HTML, a bundle with
every step, its papers for a reference manager, its tables, its graph.

    files.export(store, run_id, Path("run.docx"))

A report is written once, as frozen blocks (`blocks`, `report`), and laid out by `markdown`, `html`,
`word` and `pdf`. Sessions and benchmarks are exported as folders by rooms of their own (`sessions`,
`benchmarks`), data sets by `datasets`; `document` is what `--json` prints, with the figures of
`computed`.
"""
