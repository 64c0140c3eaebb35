"""One self-contained page of a run: the finding, the table, the charts, and each fact's story."""

DEFAULT_SIZE = 50
"""Megabytes of a page where nothing else is asked for; a browser opens that much in seconds."""
