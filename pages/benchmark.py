"""Benchmark: ideas from one keyword, judged by panels of models on five dimensions; from one keyword on screen to the full sweep."""
import streamlit as st

from components import bench_address, bench_view, services
from components.frame import frame

asked, section = st.query_params.get("run", ""), st.query_params.get("section", "")
with frame("pages/benchmark.py"):
    bench_address.follow(asked, section)
    if asked:
        bench_view.whole(services.store().runs.get(asked))
    else:
        bench_view.sections()
