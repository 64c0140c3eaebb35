"""Measuring a strategy from a test: what the pytest plug-in's fixture gives, usable without it."""
