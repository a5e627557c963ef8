"""Tests of components, package by package."""
