"""How far people, and models, agree, and how sources compare; knows no store and no files.

`sheet` analyses ratings, `reviews` those nobody signed, `orders` and `hidden` rankings, `pairs` and
`sides` comparisons, `contrasts` the sources that ideas come from.
"""
