"""Export a session of experts: `folder` writes all of it, answers and key apart.

`rows` makes the records into sheets and `wide` into one row per answer, for other programs in
`formats` (a workbook, SPSS) and `labelling` (Label Studio, Argilla). `invitations` writes what the
organiser sends: links, reminders, payments.
"""
