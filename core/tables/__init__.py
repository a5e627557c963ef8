"""Tables of figures: how they are built, and how they are written as CSV and LaTeX.

table = tabulated(
    "judges",
    "How strict each judge is",
    found,
    {
        "Judge": lambda one: one.judge,
        "Points above the others": lambda one: spread(one.deviation),
        "Keywords": lambda one: one.keywords,
    },
)
sheet(table), latex(table)
"""
