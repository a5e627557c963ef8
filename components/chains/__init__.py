"""Chains: the form, the graph of branches, and the views of a branch."""
