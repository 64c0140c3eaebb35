"""What to keep: compaction strategies, their protocol, message blocks, tokens and summarisers."""
