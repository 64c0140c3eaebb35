"""Recall: what a model answers when it is asked a probe's question from the compacted view."""
