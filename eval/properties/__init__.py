"""What compaction code should get right, judged at every request of a replayed conversation."""
