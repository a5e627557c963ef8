"""Tests of the experiments' screens, without a screen."""
