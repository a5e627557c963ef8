"""Tests, laid out as the product is: `core`, `components`, `pages`; then `browser` and `cli`.

What several need stands in `support/`, measurements in `bench/`, published figures and stored runs
in `data/`; tests of the whole product stand here.
"""

from pathlib import Path

ROOT = Path(__file__).parents[1]
DATA = ROOT / "tests" / "data"
