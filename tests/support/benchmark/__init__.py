"""Small benchmarks, and a cluster that works on them."""
