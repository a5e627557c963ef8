"""Measurements, behind `make bench`: ratios within one run."""
