"""Benchmark: ideas from one keyword, judged by panels of models on five dimensions; from one
keyword on screen to the whole list.
"""

import streamlit as st

from components.benchmark import address as bench_address
from components.benchmark import view as bench_view
from components.shell import gone
from components.shell.frame import frame

asked, section = st.query_params.get("run", ""), st.query_params.get("section", "")
with frame("pages/benchmark.py"):
    bench_address.follow(asked, section)
    if asked:
        if run := gone.found(asked, "pages/benchmark.py", "All benchmarks"):
            bench_view.whole(run)
    else:
        bench_view.sections()
