"""Import ideas from files of any system, from runs and from the shelf, as entries of a collection
with frozen copies; every row is accounted for.

    sheet = reading.read("ideas.csv", data)
    report = filing.bring_in(store, sheet, mapping.proposed(sheet), "my collection")

Other files are read by `ratings`, `votes`, `judgments` and `answers` (judgements, put together in
`analysis`), `keywords`, `rankings` and `targets`.
"""
