"""Summarisers that need no model: what a run uses offline, and what tests and controls use."""
